//! Properties that hold for any bytes, shared with the fuzz target.

use std::io::{self, BufRead, BufReader, Read};

use setwise::{Colour, position};
use setwise_formats::pgn::{
    Chunk, Error, ErrorKind, OnError, Options, Replayer, Rows, Splitter, Texts,
};

/// Reads a file in chunks of about `bytes` bytes.
pub(crate) fn read(file: &[u8], options: Options, bytes: usize) -> Result<Rows, Error> {
    read_from(file, options, bytes)
}

fn read_from(input: impl BufRead, options: Options, bytes: usize) -> Result<Rows, Error> {
    let mut splitter = Splitter::new(input).max_game_bytes(1 << 17);
    let mut replayer = Replayer::new(options);
    let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
    let mut games = 0;
    while splitter.read_chunk(bytes, &mut chunk).expect("no errors of reading") {
        assert_eq!(chunk.first_game(), games + 1);
        games += chunk.games() as u64;
        assert_eq!(splitter.games(), games);
        replayer.chunk(&chunk, &mut rows)?;
    }
    assert!(chunk.is_last());
    assert!(!splitter.read_chunk(bytes, &mut chunk).expect("still at the end"));
    Ok(rows)
}

/// Returns a limited number of bytes at a time.
struct Pipe<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let some = self.step.min(buffer.len());
        self.bytes.read(&mut buffer[..some])
    }
}

/// Options that request everything, and keep games up to their errors.
pub(crate) fn all() -> Options {
    let mut options = Options::default();
    options.san = true;
    options.tags = vec!["White".into(), "FEN".into()];
    options.on_error = OnError::Keep;
    options
}

/// Checks that any bytes are read to the end without a panic, with the same result for any chunk size, and that every
/// position can result from the previous move.
pub(crate) fn any_bytes(bytes: &[u8]) {
    let rows = read(bytes, all(), 1 << 20).expect("errors are kept");
    check(&rows);
    for (step, chunk_bytes) in [(1, 1), (7, 100), (4096, 4096)] {
        let pipe = BufReader::with_capacity(step, Pipe { bytes, step });
        let mut other = read_from(pipe, all(), chunk_bytes).expect("errors are kept");
        for (reject, expected) in other.rejects.iter_mut().zip(&rows.rejects) {
            assert_eq!(reject.text.len(), expected.text.len());
            reject.text = expected.text.clone();
        }
        assert_eq!(other, rows, "in chunks of {chunk_bytes}");
    }

    // Every kind of line break ends a line.
    for line_break in [&b"\r"[..], b"\r\n"] {
        if !bytes.contains(&b'\r') {
            let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            let other = read(&lines.join(line_break), all(), 1 << 20).expect("errors are kept");
            let lines = |rows: &Rows| {
                let games = rows.games.iter().map(|game| (game.number, game.line, game.result));
                let rejects =
                    rows.rejects.iter().map(|reject| (reject.error.line(), reject.error.column()));
                (games.collect::<Vec<_>>(), rejects.collect::<Vec<_>>())
            };
            assert_eq!(lines(&other), lines(&rows));
            assert_eq!(
                (&other.records.pieces, &other.records.moves),
                (&rows.records.pieces, &rows.records.moves)
            );
            assert_eq!((&other.eval, &other.tags), (&rows.eval, &rows.tags));
        }
    }

    // `Skip` omits complete games, and `Stop` stops at the first of them.
    let mut options = all();
    options.on_error = OnError::Skip;
    let skipped = read(bytes, options.clone(), 1 << 20).expect("errors are kept");
    check(&skipped);
    assert_eq!(skipped.rejects, rows.rejects);
    let rejected = |game: &u64| rows.rejects.iter().any(|reject| reject.error.game() == *game);
    assert!(!skipped.game.iter().any(rejected));
    options.on_error = OnError::Stop;
    let stopped = read(bytes, options, 1 << 20);
    assert_eq!(stopped.err().as_ref(), rows.rejects.first().map(|reject| &reject.error));

    // With fewer options, the positions are the same.
    let mut less = Options::default();
    less.comments = false;
    less.on_error = OnError::Keep;
    let less = read(bytes, less, 1 << 20).expect("errors are kept");
    assert_eq!(
        (&less.records.pieces, &less.records.moves),
        (&rows.records.pieces, &rows.records.moves)
    );
    assert!(less.clock.is_empty() && less.san.is_empty() && less.tags.is_empty());

    // With valid variations, the main line is the same.
    let mut options = all();
    options.variations = true;
    let varied = read(bytes, options, 1 << 20).expect("errors are kept");
    assert_eq!(varied.variation.len(), varied.len());
    if varied.rejects == rows.rejects {
        let main = (0..varied.len()).filter(|&row| varied.variation[row] == 0);
        let main = main.map(|row| {
            (varied.records.fen(row), varied.records.ply[row], varied.records.moves[row])
        });
        let alone = (0..rows.len())
            .map(|row| (rows.records.fen(row), rows.records.ply[row], rows.records.moves[row]));
        assert!(main.eq(alone));
    }

    // Any bytes as a single game.
    let mut one = Rows::default();
    let _ = Replayer::new(all()).game(bytes, 1, 1, &mut one);
    check(&one);
}

fn check(rows: &Rows) {
    let columns = [
        rows.records.turn.len(),
        rows.records.castling.len(),
        rows.records.en_passant.len(),
        rows.records.halfmove_clock.len(),
        rows.records.fullmove_number.len(),
        rows.game.len(),
        rows.records.ply.len(),
        rows.records.moves.len(),
        rows.san.len(),
        rows.clock.len(),
        rows.elapsed.len(),
        rows.eval.len(),
        rows.depth.len(),
        rows.records.score.len(),
        rows.records.result.len(),
    ];
    assert!(columns.iter().all(|&length| length == rows.len()), "{columns:?}");
    assert!(rows.tags.iter().all(|tag: &Texts| tag.len() == rows.games.len()));
    let mut next = 0;
    for game in &rows.games {
        assert_eq!(game.first_row, next);
        assert!(game.rows > 0 && game.line > 0);
        next += game.rows;
        for row in game.first_row..next {
            let last = row + 1 == next;
            assert_eq!(rows.san.get(row).is_none(), last);
            assert!(!last || rows.records.moves[row].is_none());
            let fen = rows.records.fen(row);
            assert_eq!(setwise::Fen::parse(fen.to_string()).expect("FEN").pieces, fen.pieces);
            if row > game.first_row {
                let mover = fen.turn.opponent();
                assert_eq!(rows.records.turn[row - 1], mover);
                assert_eq!(position::checkers(&fen.pieces, mover), 0, "{fen}");
                step(rows, row);
            }
        }
    }
    assert_eq!(next, rows.len());
    for reject in &rows.rejects {
        let text = reject.error.to_string();
        assert!(text.starts_with(&format!("game {}, line ", reject.error.game())), "{text}");
        let with_move = matches!(reject.error.kind(), ErrorKind::Illegal | ErrorKind::Ambiguous);
        assert_eq!(reject.error.position().is_some(), with_move, "{text}");
    }
}

/// Checks the numbers of pieces before and after a move.
fn step(rows: &Rows, row: usize) {
    let (before, after) = (&rows.records.pieces[row - 1], &rows.records.pieces[row]);
    let mover = rows.records.turn[row - 1];
    let count = |set: u64| set.count_ones();
    assert_eq!(count(before.colour(mover)), count(after.colour(mover)));
    let theirs = before.colour(mover.opponent());
    assert!(count(theirs) - count(after.colour(mover.opponent())) <= 1);
    let roles = [after.pawns, after.knights, after.bishops, after.rooks, after.queens, after.kings];
    assert_eq!(roles.iter().map(|role| count(*role)).sum::<u32>(), count(after.occupied()));
    assert_eq!(after.white & after.black, 0);
    for colour in [Colour::White, Colour::Black] {
        assert_eq!(count(after.kings & after.colour(colour)), 1);
    }
    if rows.records.moves[row - 1].is_none() {
        assert_eq!(before, after);
    }
}
