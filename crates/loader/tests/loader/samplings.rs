//! Named samplings keep the rows that the tools of their names keep.

use setwise_formats::{Format, Reader, Records};
use setwise_loader::{Loader, Options};
use setwise_table::{OnMissing, SamplingOptions};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::dataformat::{Filter, Game};

use super::{Folder, ROWS, batches, key_of, open, sorted};

/// Random games in viriformat, which start at different plies and often have few pieces, and the rows of marlinformat
/// that the default filter of `viriformat` leaves.
pub(super) fn games() -> (Vec<u8>, Vec<u8>) {
    let mut state = 7u64;
    let mut next = |end: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % end
    };
    let (mut file, mut kept) = (Vec::new(), Vec::new());
    for start in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pPppqpb1/bn2pnp1/4N3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 8",
        "8/P1k5/8/8/3pP3/8/5K2/8 b - e3 0 9",
        "8/8/4k3/8/2p5/8/3P4/4K3 w - - 0 80",
    ]
    .into_iter()
    .cycle()
    .take(400)
    {
        let mut board = Board::new();
        board.set_from_fen(start, false).expect("a FEN");
        let mut game = Game::new(&board);
        for _ in 0..next(60) {
            let moves = board.legal_moves();
            if moves.is_empty() || board.fifty_move_counter() >= 100 {
                break;
            }
            let played = moves[next(moves.len())];
            let size = [0, 31_338, 31_339, 32_002, next(1 << 15) as i16][next(5)];
            game.add_move(played, if next(2) == 0 { size } else { -size });
            assert!(board.make_move_simple(played));
        }
        game.set_outcome(match next(3) {
            0 => GameOutcome::WhiteWin(WinType::Mate),
            1 => GameOutcome::BlackWin(WinType::Mate),
            _ => GameOutcome::Draw(DrawType::FiftyMoves),
        });
        game.serialise_into(&mut file).expect("a vector");
        let filtered = game.splat_to_marlinformat(
            |row| {
                kept.extend_from_slice(&row.as_bytes());
                Ok(())
            },
            &Filter::default(),
        );
        filtered.expect("valid games");
    }
    (file, kept)
}

#[test]
fn viriformat_keeps_the_rows_of_its_default_filter() {
    let folder = Folder::new();
    let (file, kept) = games();
    folder.write("games.vf", &file);
    let mut options = folder.options("games.vf");
    let count = |options: &Options| batches(&mut open(options)).concat().len();
    let all = count(&options);
    let mut expected = Records::new();
    Reader::new(Format::Marlin, &kept[..]).read(usize::MAX, &mut expected).expect("their rows");
    options.sampling = Some(SamplingOptions::named("viriformat-3").expect("a sampling"));
    options.on_missing = None;
    let mut loader = open(&options);
    let found = batches(&mut loader).concat();
    let of = |row| key_of(&expected, row);
    assert_eq!(sorted(found), sorted((0..expected.len()).map(of).collect()));
    // Each condition drops rows: ply, score, pieces, captures, promotions, checks. The last are those without a score.
    let counts = &loader.counts().left_out;
    assert!(counts.len() == 7 && counts.iter().all(|&dropped| dropped > 5), "{counts:?}");
    assert!(expected.len() > 500 && counts.iter().sum::<u64>() as usize + expected.len() == all);
    options.on_missing = Some(OnMissing::Value(0));
    assert!(count(&options) > expected.len());
    options.on_missing = Some(OnMissing::Stop);
    let outcome = open(&options).find_map(Result::err).expect("a row without a score");
    assert!(outcome.to_string().contains("no score"), "{outcome}");
}

#[test]
fn the_ply_of_a_game_in_viriformat_follows_from_its_move_number() {
    let folder = Folder::new();
    let (file, _) = games();
    folder.write("games.vf", &file);
    let mut rows = Records::new();
    Reader::new(Format::Viri, &file[..]).read(usize::MAX, &mut rows).expect("their file");
    let expected = rows.fullmove_number.iter().zip(&rows.turn);
    let expected: Vec<u32> =
        expected.map(|(number, turn)| 2 * (number - 1) + *turn as u32).collect();
    let options = folder.options("games.vf");
    let found = open(&options).flat_map(|batch| batch.expect("valid rows").rows);
    assert_eq!(found.map(|row| row.ply).collect::<Vec<_>>(), expected);
    // Below ply 17 no row is kept, above all are.
    let mut sampled = options;
    let ply = Some(vec![(16.0, 0.0), (17.0, 1.0)]);
    sampled.sampling = Some(SamplingOptions { ply, ..SamplingOptions::default() });
    let found: Vec<_> = open(&sampled)
        .flat_map(|batch| batch.expect("valid rows").rows)
        .map(|row| row.ply)
        .collect();
    let late: Vec<u32> = expected.into_iter().filter(|&ply| ply >= 17).collect();
    assert_eq!(found, late);
    assert!(late.len() > 500);
}

/// Neither the units of a file nor files nor epochs repeat a pattern, and samplings draw other numbers.
#[test]
fn one_in_draws_each_row_anew() {
    let folder = Folder::new();
    // The rows that are kept of two files with the same rows, whose scores ascend.
    let kept = |loader: &mut Loader| {
        let (mut kept, mut first, mut before) = (vec![false; 2 * ROWS], 0, i32::MIN);
        for (_, _, score, _) in batches(loader).concat() {
            first = if score < before { ROWS } else { first };
            kept[first + (score + ROWS as i32 / 2) as usize] = true;
            before = score;
        }
        kept
    };
    let mut records = Records::new();
    let plain = std::fs::read(folder.path("all.plain.zst")).expect("the file");
    let plain = zstd::decode_all(&plain[..]).expect("zstd");
    Reader::new(Format::Plain, &plain[..]).read(ROWS, &mut records).expect("valid rows");
    records.castling.clear(); // not all castling has a place in this format
    folder.write("all.bin", &folder.packed(Format::PackedSfen, &records));
    let text = std::fs::read_to_string(folder.path("all.txt")).expect("a text");
    folder
        .write("all.csv", format!("fen,cp,white_result\n{}", text.replace(" | ", ",")).as_bytes());
    for name in ["all.marlin", "all.csv", "all.txt", "all.plain.zst", "all.bin"] {
        let mut options = folder.options(name);
        options.paths = vec![folder.path(name).into(); 2];
        options.one_in = 2;
        let mut loader = open(&options);
        let [first, second] = [(); 2].map(|()| kept(&mut loader));
        let mut halves = vec![first.split_at(ROWS), (&first[..], &second[..])];
        if ["all.marlin", "all.csv", "all.bin"].contains(&name) {
            halves.push((&first[..ROWS - 128], &first[128..ROWS])); // a unit and the next one
        }
        for (one, other) in halves {
            let differ = one.iter().zip(other).filter(|(one, other)| one != other).count();
            assert!((one.len() / 3..2 * one.len() / 3).contains(&differ), "{name}: {differ}");
        }
        if name == "all.plain.zst" || name == "all.bin" {
            let ply = Some(vec![(0.0, 0.5)]);
            options.sampling = Some(SamplingOptions { ply, ..SamplingOptions::default() });
            let both = kept(&mut open(&options));
            options.one_in = 1;
            let sampled = kept(&mut open(&options));
            let expected: Vec<_> = first.iter().zip(sampled).map(|(a, b)| *a && b).collect();
            assert_eq!(both, expected, "{name}");
        }
    }
}
