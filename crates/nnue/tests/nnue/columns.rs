//! Compares the catalogue and its columns with the oracle and with the columns of [`setwise`].

use setwise::columns::{Catalogue, select};
use setwise::{Batch, Colour, ColumnKind, Kernel, Lists, Pieces};
use setwise_nnue::{Column, FeatureSet, columns};

use crate::common::{Random, on_every_backend};
use crate::oracle;

on_every_backend! {
    inputs_of_two_sets
    all_in_one_call
}

/// Positions with pieces on random squares; some lack a king.
fn random_pieces(random: &mut Random) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    let [occupied, colours, a, b, c] = [(); 5].map(|()| random.board());
    for square in (0..64).filter(|square| occupied >> square & 1 == 1) {
        let number = (a >> square & 1) + 2 * (b >> square & 1) + 4 * (c >> square & 1);
        let role = setwise::Role::ALL[number as usize % 5];
        pieces.put(Colour::ALL[(colours >> square & 1) as usize], role, square);
    }
    let [white, black] = [random.board() % 60, random.board() % 70].map(|square| square as u8);
    for (colour, square) in [(Colour::White, white), (Colour::Black, black)] {
        if square < 64 {
            pieces = pieces.map(|set| set & !(1 << square));
            pieces.put(colour, setwise::Role::King, square);
        }
    }
    pieces
}

/// Requests the inputs of both sides, of one side, and of two different sets, in either order.
fn inputs_of_two_sets(kernel: Kernel) {
    let sets = [&FeatureSet::STOCKFISH_THREATS_2025_11, &FeatureSet::STOCKFISH_THREATS_2026_08];
    let mut random = Random::new(9);
    let positions: Vec<Pieces> = (0..70).map(|_| random_pieces(&mut random)).collect();
    let expected = |set: &FeatureSet, side| {
        let inputs = |pieces| oracle::expected_inputs(set, pieces, side);
        positions.iter().map(inputs).collect::<Vec<_>>()
    };
    for (of_white, of_black) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
        for backwards in [false, true] {
            let mut lists = [Lists::<u32>::new(), Lists::new()];
            let mut valid = [vec![true; 70], vec![false; 70]];
            let [white, black] = &mut lists;
            let [white_valid, black_valid] = &mut valid;
            let white = Column::Features(Colour::White).to(white).validity(white_valid);
            let black = Column::Features(Colour::Black).to(black).validity(black_valid);
            let mut requests =
                [white.feature_set(sets[of_white]), black.feature_set(sets[of_black])];
            if backwards {
                requests.reverse();
            }
            columns::fill(kernel, &positions, &mut requests);
            for (side, set) in [of_white, of_black].into_iter().enumerate() {
                let expected = expected(sets[set], Colour::ALL[side]);
                for (row, expected) in expected.into_iter().enumerate() {
                    let got =
                        lists[side].get(row).expect("a list").iter().map(|&input| u64::from(input));
                    assert_eq!(valid[side][row], expected.is_some(), "{row}");
                    assert_eq!(got.collect::<Vec<_>>(), expected.unwrap_or_default(), "{row}");
                }
            }
        }
    }
}

/// Requests columns of [`setwise`], threats and inputs together, from rows, columns and batches.
fn all_in_one_call(kernel: Kernel) {
    let mut random = Random::new(10);
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    for rows in [0, 1, 31, 70, 130] {
        let positions: Vec<Pieces> = (0..rows).map(|_| random_pieces(&mut random)).collect();
        let by_set = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7])
            .map(|set| positions.iter().map(|pieces| pieces.sets()[set]).collect::<Vec<_>>());
        let sliced = Batch::positions(kernel, &positions);
        let forms: [setwise::Positions<'_>; 3] =
            [(&positions).into(), (&by_set).into(), (&sliced).into()];
        for form in forms {
            let (mut maps, mut threats) = (vec![1_u64; rows], Lists::<u16>::new());
            let (mut inputs, mut valid) = (Lists::<u32>::new(), vec![false; rows]);
            let mut always_valid = vec![false; rows];
            let mut counts = [(); 2].map(|()| vec![9_u8; 64 * rows]);
            let [white, black] = &mut counts;
            let requests = &mut [
                Column::Attackers(Colour::White).to(white),
                Column::BatteryAttackers(Colour::Black).to(black),
                Column::Features(Colour::Black)
                    .to(&mut inputs)
                    .feature_set(set)
                    .validity(&mut valid),
                Column::from(setwise::Column::white(ColumnKind::All)).to(&mut maps),
                Column::Threats.to(&mut threats).validity(&mut always_valid),
            ];
            columns::fill(kernel, form, requests);
            assert!(always_valid.iter().all(|valid| *valid));
            for (row, pieces) in positions.iter().enumerate() {
                for (side, colour) in Colour::ALL.into_iter().enumerate() {
                    let expected = oracle::attackers(pieces, colour, side == 1);
                    assert_eq!(counts[side][64 * row..][..64], expected, "{row} {colour:?}");
                }
                assert_eq!(maps[row], setwise::position::attacks(pieces).white.all);
                let pairs = oracle::expected(pieces).into_iter().map(|threat| threat.bits());
                assert!(pairs.eq(threats.get(row).expect("a list").iter().copied()), "{row}");
                let expected = oracle::expected_inputs(set, pieces, Colour::Black);
                assert_eq!(valid[row], expected.is_some(), "{row}");
                let got = inputs.get(row).expect("a list").iter().map(|&input| u64::from(input));
                assert!(got.eq(expected.unwrap_or_default()), "{row}");
            }
        }
    }
}

#[test]
fn names_lead_back() {
    assert_eq!(Column::ALL.len(), setwise::Column::ALL.len() + 7);
    for &column in Column::ALL {
        assert_eq!(column.name().parse(), Ok(column));
        let same = Column::ALL.iter().filter(|other| other.meaning() == column.meaning());
        assert_eq!(same.count(), 1, "{column}");
    }
    for &column in setwise::Column::ALL {
        assert_eq!(column.name().parse(), Ok(Column::Board(column)));
    }
    let error = "white_featurs".parse::<Column>().expect_err("there is none").to_string();
    assert_eq!(error, "no column is called `white_featurs`; did you mean `white_features`?");
    let all: Vec<Column> = select(["all"]).expect("a preset");
    assert!(all.iter().all(|column| matches!(column, Column::Board(_))));
    assert!(!Column::Threats.is_in_presets());
}
