//! Threats and the inputs of networks: compares every backend with the ray walk, with the formulas, and with indices
//! computed by Stockfish and by the trainer of its networks (`full-threats.tsv.gz` and `trainer-inputs.tsv.gz` in
//! `tests/data`, or in the folder `SETWISE_DATA` for 4,000 positions), and by earlier Stockfish and Reckless
//! (`engine-threats.tsv.gz`).

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::common::{Random, data, least, on_every_backend, skipped};
use crate::oracle::{expected, expected_inputs, odd_set, own_sets};
use flate2::read::GzDecoder;
use proptest::prelude::*;
use setwise::{Batch, ByColour, Colour, Fen, Kernel, Lists, Pieces, Positions, Role};
use setwise_nnue::{
    BlockInputs, FeatureBlock, FeatureError, FeatureSet, MAX_THREATS, Mirror, PawnPairInputs,
    PieceSquareInputs, SetError, Threat, ThreatInputs,
};
use setwise_nnue::{FeatureLists, KernelExt, Sides, ThreatLists, position};

on_every_backend! {
    stockfishs_own_indices
    other_engines_own_indices
    the_trainers_own_indices
    pairs_of_all_positions
    every_length_in_every_form
    boards_that_are_no_chess
    inputs_by_the_formula
    longest_lists
    rows_of_inputs
    inputs_by_turn
    errors_name_the_row
}

/// The lines of a gzip file.
fn lines(path: PathBuf) -> impl Iterator<Item = String> {
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    BufReader::new(GzDecoder::new(file)).lines().map(|line| line.expect("a line of text"))
}

fn parsed(fen: &str) -> Pieces {
    Fen::parse(fen).unwrap_or_else(|error| panic!("{fen}: {error}")).pieces
}

struct Answers {
    positions: Vec<Pieces>,
    /// The indices for white and black, sorted.
    indices: [Vec<Vec<u32>>; 2],
}

fn answers() -> &'static Answers {
    static ANSWERS: OnceLock<Answers> = OnceLock::new();
    let read = || {
        let mut answers = Answers { positions: Vec::new(), indices: [Vec::new(), Vec::new()] };
        for line in lines(data().join("full-threats.tsv.gz")) {
            let mut fields = line.split('\t');
            answers.positions.push(parsed(fields.next().expect("a FEN")));
            for side in &mut answers.indices {
                let numbers = fields.next().expect("a list for each side").split_whitespace();
                side.push(numbers.map(|number| number.parse().expect("a number")).collect());
            }
        }
        assert!(answers.positions.len() >= least(4000), "rows are lost");
        answers
    };
    ANSWERS.get_or_init(read)
}

fn sorted(numbers: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.into_iter().collect();
    numbers.sort_unstable();
    numbers
}

/// Converts positions to one column per set.
fn columns(positions: &[Pieces]) -> [Vec<u64>; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|set| positions.iter().map(|pieces| pieces.sets()[set]).collect())
}

fn stockfishs_own_indices(kernel: Kernel) {
    let answers = answers();
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    assert_eq!((set.blocks()[0].hash, set.inputs()), (0x2e6b_9d04, 59_808));
    let mut narrow = FeatureLists::<u16>::default();
    kernel.features(set, &answers.positions, &mut narrow).expect("a king a side");
    let mut wide = FeatureLists::<u32>::default();
    kernel.features(set, &answers.positions, &mut wide).expect("a king a side");
    for (row, pieces) in answers.positions.iter().enumerate() {
        for (side, colour) in Colour::ALL.into_iter().enumerate() {
            let narrow = narrow[colour].get(row).expect("a list");
            let wide = wide[colour].get(row).expect("a list");
            let right = &answers.indices[side][row];
            assert_eq!(&sorted(narrow.iter().map(|&i| i.into())), right, "{row} {colour:?}");
            assert!(
                narrow.iter().copied().map(u32::from).eq(wide.iter().copied()),
                "{row} {colour:?}"
            );
            let view = set.perspective(pieces, colour).expect("a king a side");
            let threats = setwise_nnue::NnueKernel::of(kernel).threats(pieces);
            let one = threats.iter().filter_map(|&threat| view.input(pieces, threat));
            assert!(one.eq(wide.iter().copied()), "{row} {colour:?}");
        }
    }
}

fn other_engines_own_indices(kernel: Kernel) {
    let path = ["tests/data", "../../tests/data"]
        .map(|folder| PathBuf::from(folder).join("engine-threats.tsv.gz"));
    let path = path.into_iter().find(|path| path.is_file()).expect("the engines' answers");
    let sets = [&FeatureSet::STOCKFISH_THREATS_2026_02, &FeatureSet::RECKLESS_THREATS_2026_08];
    assert_eq!(sets.map(FeatureSet::inputs), [60_144, 66_864]);
    let rows: Vec<Vec<String>> =
        lines(path).map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), 100);
    let positions: Vec<_> = rows.iter().map(|row| parsed(&row[0])).collect();
    for (at, set) in sets.into_iter().enumerate() {
        let mut lists = FeatureLists::<u32>::default();
        kernel.features(set, &positions, &mut lists).expect("a king a side");
        for (row, fields) in rows.iter().enumerate() {
            for (side, colour) in Colour::ALL.into_iter().enumerate() {
                let numbers = fields[1 + 2 * at + side].split_whitespace();
                let right: Vec<u32> =
                    numbers.map(|number| number.parse().expect("a number")).collect();
                let found = lists[colour].get(row).expect("a list");
                assert_eq!(sorted(found.iter().copied()), right, "{} {colour:?}", fields[0]);
            }
        }
    }
}

/// The inputs of a position, for each block white's and black's.
type Blocks = [[Vec<u32>; 2]; 3];

/// Positions and the trainer's indices.
fn trainers_answers() -> &'static (Vec<Pieces>, Vec<Blocks>) {
    static ANSWERS: OnceLock<(Vec<Pieces>, Vec<Blocks>)> = OnceLock::new();
    ANSWERS.get_or_init(|| {
        let (mut positions, mut rows) = (Vec::new(), Vec::new());
        for line in lines(data().join("trainer-inputs.tsv.gz")) {
            let mut fields = line.split('\t');
            positions.push(parsed(fields.next().expect("a FEN")));
            let mut list = || -> Vec<u32> {
                let numbers = fields.next().expect("six lists").split_whitespace();
                numbers.map(|number| number.parse().expect("a number")).collect()
            };
            rows.push([(); 3].map(|()| [list(), list()]));
        }
        assert!(rows.len() >= least(4000), "rows are lost");
        (positions, rows)
    })
}

fn the_trainers_own_indices(kernel: Kernel) {
    let (positions, answers) = trainers_answers();
    let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    assert_eq!((set.inputs(), set.row_width()), (88_944, 288));
    assert_eq!(
        [0, 1, 2].map(|block| set.range(block).expect("three blocks").start),
        [0, 59_808, 64_368]
    );
    let joined: FeatureSet =
        "pawn-pairs-3-wide+halfka-hm+stockfish-threats-2026-08".parse().expect("three names");
    let sets: [(&FeatureSet, &[usize]); 5] = [
        (set, &[0, 1, 2]),
        (&joined, &[1, 2, 0]),
        (&FeatureSet::STOCKFISH_THREATS_2026_08, &[0]),
        (&FeatureSet::PAWN_PAIRS_3_WIDE, &[1]),
        (&FeatureSet::HALFKA_HM, &[2]),
    ];
    for (set, blocks) in sets {
        let mut lists = FeatureLists::<u32>::default();
        kernel.features(set, positions, &mut lists).expect("a king a side");
        let width = set.row_width();
        let mut sides = [(); 2].map(|()| vec![0; answers.len() * width]);
        let [white, black] = sides.each_mut().map(|side| &mut side[..]);
        kernel.feature_rows(set, positions, width, ByColour { white, black }).expect("wide enough");
        for (row, answer) in answers.iter().enumerate() {
            let mut one = [vec![0_u32; set.buffer_len()], vec![0; set.buffer_len()]];
            let [white, black] = one.each_mut().map(|side| &mut side[..]);
            let to = ByColour { white, black };
            let counts = setwise_nnue::NnueKernel::of(kernel)
                .inputs(set, &positions[row], to)
                .expect("long enough");
            for (side, colour) in Colour::ALL.into_iter().enumerate() {
                let list = lists[colour].get(row).expect("a list");
                let mut right = Vec::new();
                for (place, &block) in blocks.iter().enumerate() {
                    let first = set.range(place).expect("a block").start;
                    right.extend(answer[block][side].iter().map(|input| first + input));
                }
                // All inputs of a block are above those of the previous block, so sorting the whole list sorts each
                // block.
                assert_eq!(sorted(list.iter().copied()), right, "{row} {colour:?} {}", set.name());
                let padded = list.iter().map(|&input| input as i32);
                let padded = padded.chain(std::iter::repeat(-1)).take(width);
                assert!(padded.eq(sides[side][row * width..][..width].iter().copied()), "{row}");
                assert_eq!(one[side][..counts[colour]], *list, "{row} {colour:?}");
            }
        }
    }
}

/// Positions and their pairs: the sample, or the full set if `SETWISE_DATA` is set.
fn all() -> &'static (Vec<Pieces>, Vec<Vec<Threat>>) {
    static ALL: OnceLock<(Vec<Pieces>, Vec<Vec<Threat>>)> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut positions: Vec<Pieces> = Vec::new();
        if std::env::var_os("SETWISE_DATA").is_some() {
            positions.extend(lines(data().join("positions.epd.gz")).map(|line| parsed(&line)));
            assert_eq!(positions.len(), 165_229, "rows are lost");
            let fens = lines(data().join("stress-answers.tsv.gz")).skip(1);
            positions.extend(fens.map(|line| parsed(line.split('\t').next().expect("a FEN"))));
            assert_eq!(positions.len(), 165_229 + 2000, "rows are lost");
        } else {
            skipped("SETWISE_DATA is not set: the sample stands for its positions");
            positions.extend(include_str!("../../../../data/sample.epd").lines().map(parsed));
        }
        let pairs = positions.iter().map(expected).collect();
        (positions, pairs)
    })
}

fn pairs_of_all_positions(kernel: Kernel) {
    let (positions, pairs) = all();
    let mut lists = ThreatLists::new();
    kernel.threats(positions, &mut lists);
    assert_eq!(lists.len(), positions.len());
    for (row, pieces) in positions.iter().enumerate() {
        assert_eq!(lists.get(row), Some(&pairs[row][..]), "{:x?}", positions[row]);
        assert_eq!(
            setwise_nnue::NnueKernel::of(kernel).threats(pieces)[..],
            pairs[row][..],
            "{pieces:x?}"
        );
    }
}

#[test]
fn pairs_by_what_the_build_enables() {
    let (positions, pairs) = all();
    for (pieces, pairs) in positions.iter().zip(pairs) {
        assert_eq!(position::threats(pieces)[..], pairs[..], "{pieces:x?}");
    }
}

/// A random board that need not be legal: crowded or empty, with squares of two roles or colours, or with a role but no
/// colour or a colour but no role.
fn random_pieces(random: &mut Random) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    let (crowd, roles) = (random.below(13), 1 + random.below(6));
    for square in 0..64 {
        if random.below(12) < crowd {
            let colour = Colour::ALL[random.below(2)];
            pieces.put(colour, Role::ALL[(random.below(roles) + crowd) % 6], square);
        }
    }
    match random.below(8) {
        0 => {
            pieces.white ^= random.board() & random.board();
            pieces.black ^= random.board() & random.board();
        }
        1 => {
            let sets = pieces.sets();
            pieces = Pieces::from_sets(sets.map(|set| set | (random.board() & random.board())));
        }
        2 => pieces = Pieces::from_sets(pieces.sets().map(|_| random.board())),
        _ => {}
    }
    pieces
}

/// Changes a board so that [`Pieces::at`] returns one king per side.
fn with_kings(mut pieces: Pieces, random: &mut Random) -> Pieces {
    let (white, black) = (random.below(64) as u8, random.below(63) as u8);
    let squares = [white, (white + 1 + black) % 64];
    let clear = !(1 << squares[0] | 1 << squares[1]);
    pieces = Pieces::from_sets(pieces.sets().map(|set| set & clear));
    // A king on a square with another role does not count.
    pieces.queens |= pieces.kings;
    for (colour, square) in Colour::ALL.into_iter().zip(squares) {
        pieces.put(colour, Role::King, square);
    }
    pieces
}

fn every_length_in_every_form(kernel: Kernel) {
    let mut random = Random::new(11);
    let positions: Vec<Pieces> =
        (0..206).map(|_| with_kings(random_pieces(&mut random), &mut random)).collect();
    let pairs: Vec<Vec<Threat>> = positions.iter().map(expected).collect();
    // Several blocks, and threats alone.
    let sets = [&FeatureSet::NNUE_PYTORCH_2026_07, &FeatureSet::STOCKFISH_THREATS_2026_08];
    let mut wholes = [(); 2].map(|()| FeatureLists::<u32>::default());
    for (set, whole) in sets.into_iter().zip(&mut wholes) {
        kernel.features(set, &positions, whole).expect("a king a side");
    }
    let (mut lists, mut inputs) = (ThreatLists::new(), FeatureLists::<u32>::default());
    for rows in 0..=200 {
        let first = random.below(6);
        let some = &positions[first..first + rows];
        let columns = columns(some);
        let columns = Pieces::from_sets(columns.each_ref().map(|column| &column[..]));
        let sliced = Batch::positions(kernel, some);
        let forms = [Positions::from(some), Positions::from(columns), Positions::from(&sliced)];
        for positions in forms {
            kernel.threats(positions, &mut lists);
            assert!(lists.iter().eq(pairs[first..first + rows].iter().map(|list| &list[..])));
            assert_eq!((lists.len(), lists.is_empty()), (rows, rows == 0));
            assert_eq!(lists.offsets().len(), rows + 1);
            assert_eq!(lists.items().len(), lists.offsets()[rows]);
            assert_eq!(lists.get(rows), None);
            for (set, whole) in sets.into_iter().zip(&wholes) {
                kernel.features(set, positions, &mut inputs).expect("a king a side");
                for colour in Colour::ALL {
                    let lists = (first..first + rows).map(|row| whole[colour].get(row));
                    assert!(inputs[colour].iter().map(Some).eq(lists));
                }
            }
        }
    }
}

fn boards_that_are_no_chess(kernel: Kernel) {
    let mut random = Random::new(12);
    let full = |role: Role| {
        (0..64_u8)
            .map(|square| (Colour::ALL[usize::from(square % 3 % 2)], role, square))
            .collect::<Pieces>()
    };
    let mut boards: Vec<Pieces> = Role::ALL.into_iter().map(full).collect();
    boards.push(Pieces::EMPTY);
    boards.push(Pieces::from_sets([!0; 8]));
    boards.extend((0..3000).map(|_| random_pieces(&mut random)));
    let mut lists = ThreatLists::new();
    kernel.threats(&boards, &mut lists);
    for (board, list) in boards.iter().zip(lists.iter()) {
        let expected = expected(board);
        assert_eq!(list, expected, "{board:x?}");
        assert_eq!(
            setwise_nnue::NnueKernel::of(kernel).threats(board)[..],
            expected[..],
            "{board:x?}"
        );
    }
    assert_eq!(lists.iter().map(<[_]>::len).max(), Some(MAX_THREATS));
}

/// Boards, and the inputs of both sides by the formulas for each set, computed once for all backends.
struct ByTheFormula {
    boards: Vec<Pieces>,
    sets: Vec<(FeatureSet, Vec<[Vec<u64>; 2]>)>,
}

fn by_the_formula() -> &'static ByTheFormula {
    static ALL: OnceLock<ByTheFormula> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut random = Random::new(13);
        let boards: Vec<Pieces> =
            (0..400).map(|_| with_kings(random_pieces(&mut random), &mut random)).collect();
        let odd = [odd_set(Mirror::KingToFilesEToH), odd_set(Mirror::Never)];
        let sets = FeatureSet::ALL.iter().copied().cloned().chain(odd).chain(own_sets());
        let with_inputs = |set: FeatureSet| {
            let inputs = |pieces: &Pieces| {
                Colour::ALL.map(|side| expected_inputs(&set, pieces, side).expect("a king a side"))
            };
            let inputs = boards.iter().map(inputs).collect();
            (set, inputs)
        };
        ByTheFormula { sets: sets.map(with_inputs).collect(), boards }
    })
}

fn inputs_by_the_formula(kernel: Kernel) {
    let ByTheFormula { boards, sets } = by_the_formula();
    for (set, inputs) in sets {
        let mut lists = FeatureLists::<u32>::default();
        kernel.features(set, boards, &mut lists).expect("a king a side");
        let mut narrow = FeatureLists::<u16>::default();
        let fits = kernel.features(set, boards, &mut narrow);
        let error = FeatureError::Numbers(set.inputs());
        assert_eq!(fits, if set.inputs() > 1 << 16 { Err(error) } else { Ok(()) });
        for (row, pieces) in boards.iter().enumerate() {
            for colour in Colour::ALL {
                let inputs = &inputs[row][colour as usize];
                let list = lists[colour].get(row).expect("a list");
                assert!(
                    list.iter().map(|&input| u64::from(input)).eq(inputs.iter().copied()),
                    "{} {colour:?} {pieces:x?}",
                    set.name()
                );
                assert!(inputs.len() <= set.max_inputs());
                if fits.is_ok() {
                    let narrow = narrow[colour].get(row).expect("a list");
                    assert!(
                        narrow.iter().map(|&input| u64::from(input)).eq(inputs.iter().copied())
                    );
                }
            }
        }
    }
}

/// Boards full of one kind of piece, which have the longest lists.
fn longest_lists(kernel: Kernel) {
    let own = own_sets();
    for role in [Role::Pawn, Role::Knight, Role::Rook, Role::Queen] {
        let full = (1..63_u8).map(|square| (Colour::ALL[usize::from(square % 2)], role, square));
        let kings = [(Colour::White, Role::King, 0), (Colour::Black, Role::King, 63)];
        let pieces: Pieces = full.chain(kings).collect();
        for set in FeatureSet::ALL.iter().copied().chain(&own) {
            let mut lists = FeatureLists::<u32>::default();
            let rows = [pieces; 19];
            kernel.features(set, &rows, &mut lists).expect("a king a side");
            for colour in Colour::ALL {
                let right = expected_inputs(set, &pieces, colour).expect("a king a side");
                for list in lists[colour].iter() {
                    assert!(list.iter().map(|&input| u64::from(input)).eq(right.iter().copied()));
                }
            }
        }
    }
}

fn rows_of_inputs(kernel: Kernel) {
    const GUARD: i32 = 0x0123_4567;
    let mut random = Random::new(14);
    let boards: Vec<Pieces> =
        (0..70).map(|_| with_kings(random_pieces(&mut random), &mut random)).collect();
    let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    let mut lists = FeatureLists::<u32>::default();
    kernel.features(set, &boards, &mut lists).expect("a king a side");
    for width in [
        set.max_inputs(),
        lists.white.iter().chain(lists.black.iter()).map(<[_]>::len).max().unwrap_or(0),
    ] {
        for rows in [0, 1, 2, 63, 64, 65, 70] {
            let mut sides = [vec![GUARD; rows * width + 2], vec![GUARD; rows * width + 2]];
            let [white, black] = sides.each_mut().map(|side| &mut side[1..=rows * width]);
            kernel
                .feature_rows(set, &boards[..rows], width, ByColour { white, black })
                .expect("wide enough");
            for (side, lists) in sides.iter().zip([&lists.white, &lists.black]) {
                assert_eq!([side[0], side[rows * width + 1]], [GUARD; 2], "written outside");
                for row in 0..rows {
                    let list = lists.get(row).expect("a list").iter().map(|&input| input as i32);
                    let padded = list.chain(std::iter::repeat(-1)).take(width);
                    assert!(
                        padded.eq(side[1 + row * width..][..width].iter().copied()),
                        "row {row}"
                    );
                }
            }
        }
    }
}

/// The side to move comes first, in lists and in rows.
fn inputs_by_turn(kernel: Kernel) {
    let mut random = Random::new(15);
    let boards: Vec<Pieces> =
        (0..70).map(|_| with_kings(random_pieces(&mut random), &mut random)).collect();
    let turns: Vec<Colour> = (0..70).map(|_| Colour::ALL[random.below(2)]).collect();
    let positions = Positions::from(&boards[..]).with_turns(&turns);
    let set = &FeatureSet::NNUE_PYTORCH_2026_07;
    let mut lists = FeatureLists::<u32>::default();
    kernel.features(set, &boards, &mut lists).expect("a king a side");
    let (mut mover, mut other) = (Lists::<u32>::new(), Lists::<u32>::new());
    let sides = Sides::ByTurn { mover: &mut mover, other: &mut other };
    kernel.features(set, positions, sides).expect("a king a side");
    let width = set.max_inputs();
    let mut rows = [vec![0; 70 * width], vec![0; 70 * width]];
    let [to_mover, to_other] = rows.each_mut().map(|side| &mut side[..]);
    let sides = Sides::ByTurn { mover: to_mover, other: to_other };
    kernel.feature_rows(set, positions, width, sides).expect("wide enough");
    for (row, &turn) in turns.iter().enumerate() {
        for (side, (found, colour)) in
            [(&mover, turn), (&other, turn.opponent())].into_iter().enumerate()
        {
            let list = lists[colour].get(row).expect("a list");
            assert_eq!(found.get(row), Some(list), "row {row}");
            let padded = list.iter().map(|&input| input as i32).chain(std::iter::repeat(-1));
            assert!(padded.take(width).eq(rows[side][row * width..][..width].iter().copied()));
        }
    }
    // The error contains the colour, not the index in the pair of sides.
    let crowded = parsed("k1qqqqqq/8/8/8/8/8/8/K7 b - - 0 1");
    kernel.features(&FeatureSet::HALFKA_HM, &[crowded], &mut lists).expect("a king a side");
    let (pieces, turns) = ([crowded], [Colour::Black]);
    let positions = Positions::from(&pieces).with_turns(&turns);
    let (mut mover, mut other) = ([0; 7], [0; 7]);
    let sides = Sides::ByTurn { mover: &mut mover[..], other: &mut other[..] };
    let result = kernel.feature_rows(&FeatureSet::HALFKA_HM, positions, 7, sides);
    assert_eq!(
        result,
        Err(FeatureError::Width { row: 0, colour: Colour::Black, inputs: 8, width: 7 })
    );
}

fn errors_name_the_row(kernel: Kernel) {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let good = Pieces::START;
    let mut none = good;
    none.kings &= none.white;
    none.black &= !(1 << 60);
    let mut two = good;
    two.put(Colour::White, Role::King, 30);
    // A king on a queen's square does not count, because the queen's role is first.
    let mut hidden = good;
    hidden.put(Colour::White, Role::Queen, 4);
    for (bad, colour, kings) in
        [(none, Colour::Black, 0), (two, Colour::White, 2), (hidden, Colour::White, 0)]
    {
        let positions = [good, good, good, bad, good];
        let error = FeatureError::Kings { row: 3, colour, kings };
        let mut lists = FeatureLists::<u16>::default();
        assert_eq!(kernel.features(set, &positions, &mut lists), Err(error));
        assert_eq!([lists.white.len(), lists.black.len()], [3, 3]);
        let (mut white, mut black) = (vec![0; 5 * 64], vec![0; 5 * 64]);
        let rows = ByColour { white: &mut white[..], black: &mut black[..] };
        let result = kernel.feature_rows(set, &positions, 64, rows);
        assert_eq!(result, Err(error));
        assert!(error.to_string().starts_with("row 3: "), "{error}");
        let alone = FeatureError::Kings { row: 0, colour, kings };
        assert_eq!(set.perspective(&bad, colour).err(), Some(alone));
        assert!(set.perspective(&bad, colour.opponent()).is_ok());
    }

    let crowded = parsed("k1qqqqqq/8/8/8/8/8/8/K1QQQQQQ w - - 0 1");
    let mut lists = FeatureLists::<u16>::default();
    kernel.features(set, &[crowded], &mut lists).expect("a king a side");
    let inputs = lists.white.get(0).expect("a list").len();
    let positions = [crowded, good];
    let (mut white, mut black) = (vec![0; 2 * inputs], vec![0; 2 * inputs]);
    for (width, error) in [
        (
            inputs - 1,
            Some(FeatureError::Width { row: 0, colour: Colour::White, inputs, width: inputs - 1 }),
        ),
        (inputs, None),
    ] {
        let numbers = width;
        let (white, black) = (&mut white[..numbers], &mut black[..numbers]);
        let result = kernel.feature_rows(set, &positions[..1], width, ByColour { white, black });
        assert_eq!(result.err(), error);
    }

    let large = &FeatureSet::STOCKFISH_THREATS_2025_11;
    let result = kernel.features(large, &[good], &mut lists);
    assert_eq!(result, Err(FeatureError::Numbers(79_856)));
    assert!(lists.white.is_empty());

    // The last input that fits two bytes, of a king on h8 that a king on a1 sees; then a bucket more.
    let kings = parsed("7k/8/8/8/8/8/8/K7 w - - 0 1");
    for (bucket, last) in [(15, Ok(u16::MAX)), (16, Err(FeatureError::Numbers(17 << 12)))] {
        let mut block = PieceSquareInputs::ALL_768;
        (block.buckets[0], block.planes[1][5]) = (bucket, 63);
        let set = FeatureSet::new("large", &[FeatureBlock::piece_square(block)]).expect("a set");
        let found = kernel.features(&set, &[kings], &mut lists);
        assert_eq!(found.map(|()| lists.white.get(0).expect("a list")[1]), last);
    }
}

/// The sets that consist only of threats.
const THREATS: [&FeatureSet; 4] = [
    &FeatureSet::STOCKFISH_THREATS_2025_11,
    &FeatureSet::STOCKFISH_THREATS_2026_02,
    &FeatureSet::STOCKFISH_THREATS_2026_08,
    &FeatureSet::RECKLESS_THREATS_2026_08,
];

fn table_of(set: &FeatureSet) -> ThreatInputs {
    match set.blocks()[0].inputs {
        BlockInputs::Threats(table) => table,
        _ => panic!("no threats"),
    }
}

/// No two pairs of a set share an input, and every input is used, except those of dropped pairs that count once.
#[test]
fn inputs_are_distinct() {
    for set in THREATS {
        let view = set.seen_from(Colour::White, 0);
        let mut uses = vec![0; set.inputs() as usize];
        for attacker in Colour::ALL.into_iter().flat_map(|c| Role::ALL.map(|role| (c, role))) {
            for victim in Colour::ALL.into_iter().flat_map(|c| Role::ALL.map(|role| (c, role))) {
                for (from, to) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
                    if let Some(input) = view.input_of(attacker, Threat::new(from, to), victim) {
                        uses[input as usize] += 1;
                    }
                }
            }
        }
        assert!(uses.iter().all(|&uses| uses <= 1));
        let unused = uses.iter().filter(|&&uses| uses == 0).count();
        // Half of the inputs of each role that attacks the same role, except friendly pawns.
        let once = |moves: usize, friends: bool| (1 + usize::from(friends)) * moves / 2;
        let table = table_of(set);
        let mut expected = 0;
        for (role, moves) in [84, 336, 560, 896, 1456, 420].into_iter().enumerate() {
            if table.map[role][role] >= 0 {
                expected += 2 * once(moves, role != 0);
            }
        }
        assert_eq!(unused, expected, "{}", set.name());
    }
}

/// A worked example from an external description of the first set: a knight on f3 attacks a pawn on e5, with white's
/// king on g1.
#[test]
fn a_known_input_of_the_first_set() {
    let view = FeatureSet::STOCKFISH_THREATS_2025_11.seen_from(Colour::White, 6);
    let (knight, pawn) = ((Colour::White, Role::Knight), (Colour::Black, Role::Pawn));
    assert_eq!(view.input_of(knight, Threat::new(21, 36), pawn), Some(2601));
    // Two knights attack each other: the dropped pair has no input.
    let (mine, theirs) = ((Colour::White, Role::Knight), (Colour::Black, Role::Knight));
    assert_eq!(view.input_of(mine, Threat::new(18, 35), theirs), None);
    assert!(view.input_of(theirs, Threat::new(35, 18), mine).is_some());
}

#[test]
fn tables_that_are_no_sets() {
    let good = table_of(&FeatureSet::STOCKFISH_THREATS_2026_08);
    let mut odd = good;
    odd.targets[1] = 9;
    let mut beyond = good;
    beyond.map[0][5] = 2;
    let mut many = good;
    many.targets[4] = 16;
    // Defences between own pawns would be dropped, but not those between the enemy's.
    let mut pawns = table_of(&FeatureSet::STOCKFISH_THREATS_2025_11);
    pawns.once[0][0] = true;
    let cases = [
        (odd, "Knight"),
        (beyond, "King attacked by a Pawn"),
        (many, "Queen"),
        (pawns, "a side's own pawns"),
    ];
    for (table, words) in cases {
        let error = FeatureSet::new("wrong", &[FeatureBlock::threats(table)]);
        let error = error.expect_err("a wrong table").to_string();
        assert!(error.contains(words), "{error}");
    }
    let pairs = |files_apart, ranks| {
        let table = PawnPairInputs { files_apart, ranks, mirror: Mirror::Never };
        FeatureSet::new("pairs", &[FeatureBlock::pawn_pairs(table)])
    };
    assert_eq!(pairs(8, [2, 7]), Err(SetError::FilesApart(8)));
    for ranks in [[0, 9], [5, 4], [2, 8], [1, 7], [7, 2], [255, 10]] {
        assert_eq!(pairs(1, ranks), Err(SetError::Ranks(ranks)));
    }
    let mut planes = PieceSquareInputs::ALL_768;
    planes.planes[1][2] = 64;
    let made = FeatureSet::new("planes", &[FeatureBlock::piece_square(planes)]);
    assert_eq!(made, Err(SetError::Plane(64)));
    planes.planes = [[-1; 6]; 2];
    let made = FeatureSet::new("planes", &[FeatureBlock::piece_square(planes)]);
    assert_eq!(made, Err(SetError::NoPlanes));
    assert_eq!(FeatureSet::new("none", &[]), Err(SetError::Blocks(0)));
    let halfka = FeatureSet::HALFKA_HM.blocks()[0];
    assert_eq!(FeatureSet::new("many", &[halfka; 5]), Err(SetError::Blocks(5)));
    let overlap = Err(SetError::Overlap([0, 1]));
    assert_eq!(FeatureSet::new("twice", &[halfka; 2]), overlap);
    assert_eq!(FeatureSet::new("twice", &THREATS.map(|set| set.blocks()[0])), overlap);
    let long = "x".repeat(128);
    let made = FeatureSet::new(&long, &[halfka]);
    assert_eq!(made, Err(SetError::LongName(128)));
    assert!(FeatureSet::new(&long[1..], &[halfka]).is_ok_and(|set| set.name() == &long[1..]));
}

#[test]
fn names_of_sets() {
    for set in FeatureSet::ALL {
        let found: &'static FeatureSet = set.name().parse().expect("its name");
        assert_eq!(found, *set);
        assert_eq!(set.name().parse::<FeatureSet>().as_ref(), Ok(*set));
    }
    let joined = "halfka-hm+stockfish-threats-2025-11";
    let [first, second] =
        [(); 2].map(|()| joined.parse::<&'static FeatureSet>().expect("two names"));
    assert!(std::ptr::eq(first, second));
    assert_eq!(first.name(), joined);
    assert_eq!(first.inputs(), 24_576 + 79_856);
    let all: &FeatureSet =
        "stockfish-threats-2026-08+pawn-pairs-3-wide+halfka-hm".parse().expect("three names");
    assert_eq!(all.blocks(), FeatureSet::NNUE_PYTORCH_2026_07.blocks());
    for name in ["", "+", "halfka-hm+", "+halfka-hm", "halfka-hm++pawn-pairs-3-wide", "halfka_hm"] {
        let error = name.parse::<&'static FeatureSet>().expect_err("no name");
        assert!(matches!(error, SetError::Name(_)), "{name}: {error}");
        assert!(error.to_string().contains("`nnue-pytorch-2026-07`"), "{error}");
    }
    let overlap = Err(SetError::Overlap([1, 2]));
    assert_eq!("pawn-pairs-3-wide+halfka-hm+halfka-hm".parse::<FeatureSet>(), overlap);
    let many = "nnue-pytorch-2026-07+nnue-pytorch-2026-07".parse::<FeatureSet>();
    assert_eq!(many, Err(SetError::Blocks(6)));
}

/// Sets can be constants.
#[test]
fn a_constant_set() {
    const SET: FeatureSet = match FeatureSet::new(
        "constant",
        &[FeatureBlock::piece_square(PieceSquareInputs::ALL_768)],
    ) {
        Ok(set) => set,
        Err(_) => panic!("a wrong table"),
    };
    const LEN: usize = SET.buffer_len();
    assert_eq!((SET.name(), SET.inputs(), LEN), ("constant", 768, 96));
    assert_eq!(SET.range(0), Some(0..768));
    assert_eq!(SET.range(1), None);
}

/// Pairs with attackers and victims, sorted.
fn full(pieces: &Pieces, threats: &[Threat]) -> Vec<impl Ord + std::fmt::Debug + Clone + use<>> {
    let mut full: Vec<_> =
        threats.iter().map(|&t| (t, t.attacker(pieces), t.victim(pieces))).collect();
    full.sort_unstable();
    full
}

/// Checks that the changes between two positions are the difference between their full lists.
fn check_changes(before: &Pieces, after: &Pieces) {
    let changes = position::threats_changed(before, after);
    let (old, new) = (full(before, &expected(before)), full(after, &expected(after)));
    let removed: Vec<_> =
        old.iter().filter(|pair| new.binary_search(pair).is_err()).cloned().collect();
    let added: Vec<_> =
        new.iter().filter(|pair| old.binary_search(pair).is_err()).cloned().collect();
    assert_eq!(full(before, &changes.removed), removed, "{before:x?} {after:x?}");
    assert_eq!(full(after, &changes.added), added, "{before:x?} {after:x?}");
}

#[test]
fn changes_along_games() {
    use cozy_chess::Board;
    let mut random = Random::new(15);
    let pieces = |board: &Board| Fen::parse(board.to_string()).expect("cozy-chess's own").pieces;
    for _ in 0..40 {
        let mut board = Board::default();
        for _ in 0..120 {
            let mut moves = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            if moves.is_empty() {
                break;
            }
            let before = pieces(&board);
            board.play(moves[random.below(moves.len())]);
            check_changes(&before, &pieces(&board));
            check_changes(&pieces(&board), &before);
        }
    }
}

#[test]
fn changes_of_one_square_and_of_many() {
    let mut random = Random::new(16);
    for _ in 0..4000 {
        let before = random_pieces(&mut random);
        let mut after = before;
        for _ in 0..=random.below(5) {
            let square = random.below(64) as u8;
            after = Pieces::from_sets(after.sets().map(|set| set & !(1 << square)));
            if random.below(2) == 0 {
                after.put(Colour::ALL[random.below(2)], Role::ALL[random.below(6)], square);
            }
        }
        check_changes(&before, &after);
    }
    for _ in 0..300 {
        check_changes(&random_pieces(&mut random), &random_pieces(&mut random));
    }
}

#[test]
fn bits_that_are_no_pair() {
    for bits in 0..=u16::MAX {
        let right = bits & 0xff < 64 && bits >> 8 < 64;
        assert_eq!(Threat::from_bits(bits).is_some(), right);
        if let Some(threat) = Threat::from_bits(bits) {
            assert_eq!(Threat::new(threat.from(), threat.to()), threat);
            assert_eq!(threat.bits(), bits);
        }
    }
    assert_eq!(Threat::new(0, 63).to_string(), "a1-h8");
}

proptest! {
    /// Any eight sets, including inconsistent ones.
    #[test]
    fn any_sets(sets in any::<[u64; 8]>(), thin in any::<[u64; 8]>()) {
        for sets in [sets, [0, 1, 2, 3, 4, 5, 6, 7].map(|i| sets[i] & thin[i])] {
            let pieces = Pieces::from_sets(sets);
            let expected = expected(&pieces);
            for kernel in Kernel::available() {
                prop_assert_eq!(&setwise_nnue::NnueKernel::of(kernel).threats(&pieces)[..], &expected[..]);
            }
        }
    }
}

/// Two perspectives have the same view if and only if every pair has the same input.
#[test]
fn views_that_are_the_same() {
    let queen = (Colour::White, Role::Queen);
    for set in THREATS {
        let views: Vec<_> = Colour::ALL
            .into_iter()
            .flat_map(|colour| (0..64).map(move |king| set.seen_from(colour, king)))
            .collect();
        let inputs = |view: &setwise_nnue::Perspective<'_>| {
            [(0, 1), (7, 15), (27, 28)].map(|(from, to)| {
                [Role::Knight, Role::Rook].map(|role| {
                    let victims = Colour::ALL.map(|colour| (colour, role));
                    victims.map(|victim| view.input_of(queen, Threat::new(from, to), victim))
                })
            })
        };
        for a in &views {
            for b in &views {
                assert_eq!(a.is_same_view(b), inputs(a) == inputs(b), "{}", set.name());
            }
        }
    }
}

/// For blocks that depend on the king's square: two perspectives have the same view if and only if a lone pawn has the
/// same inputs.
#[test]
fn views_from_the_same_bucket() {
    let pawns = [16, 23, 40, 47].map(|square| Pieces {
        pawns: 1 << square,
        white: 1 << square,
        ..Pieces::EMPTY
    });
    let own = own_sets();
    for set in own.iter().chain([&FeatureSet::HALFKA_HM]) {
        for colour in Colour::ALL {
            for (a, b) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                let [first, second] = [a, b].map(|king| {
                    let list = |pieces: Pieces| {
                        let mut pieces = pieces;
                        pieces.put(Colour::Black, Role::Rook, 3);
                        crate::oracle::expected_list(set, &pieces, colour, king)
                    };
                    pawns.map(list)
                });
                let views = [a, b].map(|king| set.seen_from(colour, king));
                if set.blocks().len() == 1
                    && matches!(set.blocks()[0].inputs, BlockInputs::PieceSquare(_))
                {
                    assert_eq!(
                        views[0].is_same_view(&views[1]),
                        first == second,
                        "{} {a} {b}",
                        set.name()
                    );
                } else if views[0].is_same_view(&views[1]) {
                    assert_eq!(first, second, "{} {a} {b}", set.name());
                }
            }
        }
    }
}
