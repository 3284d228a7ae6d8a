//! Runs the checks of the fuzz target without a fuzzer, on seeds and valid games with random changes of bytes and
//! tokens, and on endless texts.

use std::io::BufReader;
use std::path::Path;
use std::time::{Duration, Instant};

use setwise_formats::pgn::{Chunk, Replayer, Rows, Splitter};

use crate::pgn::games::unpacked;
use crate::pgn::oracles;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

const TOKENS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\\",
    ";",
    "%",
    "\n",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    "\0",
    "$1",
    "1-0",
    "0-1",
    "1/2-1/2",
    "½-½",
    "*",
    "O-O",
    "O-O-O",
    "0-0",
    "e8=Q",
    "exd6",
    "e.p.",
    "Nf3",
    "Nbd2",
    "R1a3",
    "Kh1",
    "e2e4",
    "--",
    "Z0",
    "!?",
    "+",
    "#",
    "[%clk 0:00:01]",
    "[%clk",
    "[%eval 0.3]",
    "[%eval #-3,20]",
    "[%eval 99999999999]",
    "[%emt 0:0:1.5]",
    "[FEN \"",
    "[Variant \"Chess960\"]",
    "[Event \"",
    "[Elo \"2269\"]",
    "[Elo \"?\" ",
    "\u{e9}1-0",
    "\u{e9}1.",
    "[SetUp \"1\"]",
    "\u{feff}",
    "\u{80}",
    "1.",
    "1...",
    "99999999999999999999",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "♘",
    "\u{fffd}",
];

/// Changes a file in some random places.
fn changed(file: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let length = 1 << random.below(9);
        let end = (at + random.below(length)).min(bytes.len());
        match random.below(7) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.splice(at..at, TOKENS[random.below(TOKENS.len())].bytes()).for_each(drop),
            2 => bytes.splice(at..end, TOKENS[random.below(TOKENS.len())].bytes()).for_each(drop),
            3 => {
                let again = bytes[at..end].repeat(1 + random.below(5));
                bytes.splice(at..at, again).for_each(drop);
            }
            4 => {
                let other = &others[random.below(others.len())];
                let from = random.below(other.len());
                let some = other[from..].iter().copied().take(random.below(200));
                bytes.splice(at..at, some).for_each(drop);
            }
            5 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            _ => bytes.truncate(bytes.len().max(1) - random.below(3).min(bytes.len())),
        }
    }
    bytes
}

/// Runs for a number of seconds.
fn run(seconds: u64, seed: u64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/pgn");
    let mut seeds: Vec<Vec<u8>> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| std::fs::read(entry.expect("an entry").path()).expect("a file"))
        .filter(|bytes| bytes.len() < 1 << 14)
        .collect();
    let pgn = unpacked("games.pgn.gz");
    seeds
        .extend(pgn.split("\n[Event ").take(100).map(|game| format!("[Event {game}").into_bytes()));
    let mut random = Random(seed);
    let (start, mut files) = (Instant::now(), 0);
    while start.elapsed() < Duration::from_secs(seconds) {
        let file = changed(&seeds[random.below(seeds.len())], &seeds, &mut random);
        let kept = file.clone();
        let outcome = std::panic::catch_unwind(|| oracles::any_bytes(&file));
        if outcome.is_err() {
            panic!("these bytes fail: {}", kept.escape_ascii());
        }
        files += 1;
    }
    println!("{files} files");
}

/// A tag among the moves, complete or not, or a move among the tags: no move is lost and no game is added without an
/// error.
#[test]
fn tags_and_moves_in_each_others_place() {
    let pgn = unpacked("games.pgn.gz");
    let mut random = Random(0x40);
    let read = |text: &str| {
        oracles::read(text.as_bytes(), oracles::all(), 1 << 20).expect("errors are kept")
    };
    let mut games = 0;
    for game in pgn.split("\n[Event ").skip(1).take(300) {
        let game = format!("[Event {}", game.trim_end());
        let rows = read(&game);
        if !rows.rejects.is_empty() || !rows.games[0].complete || rows.len() < 4 {
            continue;
        }
        games += 1;
        let moves = game.find("\n\n").expect("a blank line") + 2;
        // Replaces an occurrence of one of the signs with a word.
        let mut changed = |signs: &[char], range: std::ops::Range<usize>, word: &str| {
            let places = game[range.clone()].match_indices(signs).map(|(at, _)| range.start + at);
            let places: Vec<usize> = places.collect();
            let at = places[random.below(places.len())];
            [&game[..at], word, &game[at..]].concat()
        };
        for tag in ["[Elo \"9\"]", "\n[Elo \"9\"]\n", "\n[Elo \"?\" ", " [Elo ? ", "[Elo \"?]"] {
            let text = changed(&[' ', '\n'], moves..game.len(), tag);
            let found = read(&text);
            let is_whole = found.games.len() == 1 && found.records.moves == rows.records.moves;
            assert!(is_whole || !found.rejects.is_empty(), "{text}");
        }
        for word in ["e4 ", "1. e4", "Nf3"] {
            let text = changed(&['\n'], 0..moves - 1, word);
            assert!(!read(&text).rejects.is_empty(), "{text}");
        }
        let text = changed(&[' ', '\n'], 0..moves - 2, "\n1. d4 d5");
        assert!(!read(&text).rejects.is_empty(), "{text}");
    }
    assert!(games > 150, "{games} games");
}

#[test]
fn files_changed_at_random() {
    run(2, 0x2026);
}

/// `SETWISE_FUZZ=600 cargo test --release -p setwise-formats --test pgn -- --ignored --nocapture for_long`
#[test]
#[ignore = "takes as long as SETWISE_FUZZ says, in seconds"]
fn files_changed_at_random_for_long() {
    let seconds = std::env::var("SETWISE_FUZZ").ok().and_then(|text| text.parse().ok());
    run(seconds.unwrap_or(20), std::process::id().into());
}

/// Repeats a text, up to a number of bytes.
struct Endless {
    before: &'static [u8],
    again: &'static [u8],
    at: u64,
    bytes: u64,
}

impl std::io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let wanted = (buffer.len() as u64).min(self.bytes - self.at) as usize;
        for byte in &mut buffer[..wanted] {
            let at = self.at as usize;
            *byte = match self.before.get(at) {
                Some(first) => *first,
                None => self.again[(at - self.before.len()) % self.again.len()],
            };
            self.at += 1;
        }
        Ok(wanted)
    }
}

/// Reads a number of bytes of each endless text. Each text is one rejected game, and the memory is bounded.
fn endless(bytes: u64) {
    for (before, again) in [
        (&b"1. e4 {"[..], &b"x"[..]),
        (b"1. e4 {", b"\n"),
        (b"1. e4 {", b"{"),
        (b"1. e4 ", b"("),
        (b"1. e4 ", b"(1. d4 "),
        (b"1. e4 ;", b"x"),
        (b"1. e4", b"5"),
        (b"[White \"", b"\\"),
        (b"[White \"", b"x"),
        (b"1. e4 ", b"$1 "),
        (b"1. e4 ", b"[%clk "),
        (b"1. e4 {", b"[%eval 1"),
        (b"", b"Nf3 Nf6 Ng1 Ng8 "),
    ] {
        let input = Endless { before, again, at: 0, bytes };
        let input = BufReader::with_capacity(1 << 16, input);
        let mut splitter = Splitter::new(input).max_game_bytes(1 << 20);
        let mut replayer = Replayer::new(oracles::all());
        let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
        let mut games = 0;
        while splitter.read_chunk(1 << 20, &mut chunk).expect("no errors") {
            assert!(chunk.bytes().len() <= 3 << 20, "{}", again.escape_ascii());
            rows.clear();
            replayer.chunk(&chunk, &mut rows).expect("kept");
            assert!(rows.len() <= 1 << 16);
            games += rows.rejects.len();
        }
        assert_eq!((games, splitter.offset()), (1, bytes), "{}", again.escape_ascii());
    }
}

#[test]
fn texts_without_end() {
    endless(4 << 20);
}

/// The processor time of this thread, which other processes do not change; elsewhere than on Unix, the time.
fn now() -> Duration {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the call writes the time, and nothing else.
        let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
        assert_eq!(result, 0);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }
}

/// The time is proportional to the number of bytes, for each token repeated alone, and together with tokens that may
/// end the construct that it begins.
#[test]
fn time_is_linear() {
    let time = |text: &[u8]| {
        let start = now();
        oracles::read(text, oracles::all(), 1 << 20).expect("errors are kept");
        now() - start
    };
    for before in ["", "1. e4 ", "1. e4 {", "1. e4 (", "[White \""] {
        for after in ["", "\n", "\u{e9}"] {
            for token in TOKENS {
                let again = [token, after].concat();
                let text = |bytes: usize| [before, &again.repeat(bytes / again.len())].concat();
                let texts = [1 << 14, 1 << 16].map(text);
                // With quadratic time, a quarter of the bytes would take a sixteenth. Interrupts disturb some runs.
                let mut least = [Duration::MAX; 2];
                let is_linear = (0..200).any(|_| {
                    for (least, text) in least.iter_mut().zip(&texts) {
                        *least = time(text.as_bytes()).min(*least);
                    }
                    least[1] < 8 * least[0] + Duration::from_millis(1)
                });
                assert!(is_linear, "{:?} and then {again:?}", before);
            }
        }
    }
}

#[test]
#[ignore = "reads 13 GB, where SETWISE_FUZZ is set"]
fn lines_of_a_gigabyte() {
    if std::env::var_os("SETWISE_FUZZ").is_none() {
        return eprintln!("SKIPPED: lines of a gigabyte: no SETWISE_FUZZ");
    }
    endless(1 << 30);
}
