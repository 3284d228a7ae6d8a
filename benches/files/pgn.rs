//! Nanoseconds a position, from the text of games to columns: all of it, without comments, and the cutting alone.
//!
//! The games are those of the tests, which compare every position. They are short and have many variations and long
//! comments; dumps of games have a clock and an evaluation behind each move, as the second file here.

use std::hint::black_box;
use std::io::Read;

use criterion::{BenchmarkId, Criterion, Throughput};
use setwise_formats::pgn::{Chunk, Options, Replayer, Rows, Splitter};

const GAMES: &[u8] = include_bytes!("../../crates/formats/tests/data/games.pgn.gz");

pub fn games(criterion: &mut Criterion) {
    let mut annotated = Vec::new();
    flate2::read::GzDecoder::new(GAMES).read_to_end(&mut annotated).expect("gzip");
    let dump = dump(&annotated);
    let positions = [replay(&annotated, Options::default()), replay(&dump, Options::default())];
    assert_eq!(positions[0], positions[1]);
    for (name, file) in [("annotated", &annotated), ("dump", &dump)] {
        let mut benches = criterion.benchmark_group(name);
        benches.throughput(Throughput::Elements(positions[0] as u64));
        let mut bench = |what: &str, options: Options| {
            benches.bench_function(BenchmarkId::new(what, positions[0]), |bencher| {
                bencher.iter(|| replay(file, options.clone()));
            });
        };
        bench("replay", Options::default());
        let mut options = Options::default();
        options.comments = false;
        bench("without comments", options);
        let mut options = Options::default();
        options.san = true;
        options.tags = ["White", "Black", "Event"].map(String::from).to_vec();
        bench("with SAN and tags", options);
        benches.bench_function(BenchmarkId::new("split", positions[0]), |bencher| {
            bencher.iter(|| split(file));
        });
        benches.finish();
    }
}

/// Replays a file; the number of positions.
fn replay(file: &[u8], options: Options) -> usize {
    let mut splitter = Splitter::new(file).chunk_bytes(1 << 16);
    let mut replayer = Replayer::new(options);
    let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
    let mut positions = 0;
    while splitter.read_chunk(&mut chunk).expect("a slice") {
        rows.clear();
        replayer.chunk(&chunk, &mut rows).expect("right games");
        positions += black_box(&rows).len();
    }
    positions
}

fn split(file: &[u8]) -> u64 {
    let mut splitter = Splitter::new(file).chunk_bytes(1 << 16);
    let mut chunk = Chunk::default();
    while splitter.read_chunk(&mut chunk).expect("a slice") {
        black_box(&chunk);
    }
    splitter.games()
}

/// The same games in the form of Lichess's dumps.
fn dump(file: &[u8]) -> Vec<u8> {
    let mut options = Options::default();
    options.san = true;
    options.tags = ["FEN", "Variant"].map(String::from).to_vec();
    let mut replayer = Replayer::new(options);
    let mut splitter = Splitter::new(file);
    let (mut chunk, mut rows) = (Chunk::default(), Rows::default());
    while splitter.read_chunk(&mut chunk).expect("a slice") {
        replayer.chunk(&chunk, &mut rows).expect("right games");
    }
    let mut dump = String::new();
    for (number, game) in rows.games.iter().enumerate() {
        dump += "[Event \"Rated Blitz game\"]\n[Site \"https://lichess.org/abcdefgh\"]\n";
        for (tag, name) in rows.tags.iter().zip(["FEN", "Variant"]) {
            if let Some(value) = tag.get(number) {
                dump += &format!("[{name} \"{value}\"]\n");
            }
        }
        dump += "[Result \"*\"]\n\n";
        for row in game.first_row..game.first_row + game.rows {
            let (turn, ply) = (rows.turn[row] as usize, row - game.first_row);
            if let Some(san) = rows.san.get(row) {
                let dots = [".", "..."][turn];
                let eval = (ply * 37 % 400) as f64 / 100.0 - 2.0;
                let clock = format!("0:{:02}:{:02}", 59 - ply / 2, ply * 7 % 60);
                dump +=
                    &format!("{}{dots} {san} {{ [%eval {eval:.2}] [%clk {clock}] }} ", ply / 2 + 1);
            }
        }
        dump += "*\n\n";
    }
    dump.into_bytes()
}
