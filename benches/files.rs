//! Benches of the readers: packed records, the same positions in FEN, games in binpack, and games in PGN.

use std::hint::black_box;
use std::io::Read;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use setwise::Fen;
use setwise_formats::pgn::{Chunk, Options, Replayer, Rows, Splitter};
use setwise_formats::{Format, Reader, Records, Writer};

const SAMPLE: &str = include_str!("../data/sample.epd");

/// Games of random moves; the `README.md` of their folder describes them.
const BINPACK: &[u8] = include_bytes!("../crates/formats/tests/data/games.binpack");

/// The tests' games, which are short, with many variations and long comments.
const PGN: &[u8] = include_bytes!("../crates/formats/tests/data/games.pgn.gz");

/// The number of rows in a batch, which stays in the second-level cache.
const ROWS: usize = 4096;

/// Creates a group of benches that report the time per position.
fn group<'a>(
    criterion: &'a mut Criterion,
    name: &str,
    positions: usize,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(positions as u64));
    group
}

/// Random positions of the sample, each about 16 times.
fn positions() -> Vec<Fen> {
    let sample: Vec<Fen> =
        SAMPLE.lines().map(|line| Fen::parse(line).expect("a position")).collect();
    let mut random = crate::support::random::Random::new(1);
    (0..16 * sample.len()).map(|_| sample[random.below(sample.len())]).collect()
}

/// Reads a file and returns the number of rows.
fn read(format: Format, file: &[u8], batch: &mut Records) -> usize {
    let mut reader = Reader::new(format, file);
    while reader.read(ROWS, batch).expect("the file is right") > 0 {
        black_box(&*batch);
    }
    reader.records() as usize
}

pub fn records(criterion: &mut Criterion) {
    let fens = positions();
    let lines: Vec<String> = fens.iter().map(Fen::to_string).collect();
    let mut batch = Records::new();
    fens.iter().for_each(|fen| batch.push_fen(fen));

    let mut benches = group(criterion, "records", fens.len());
    for &format in Format::ALL.iter().filter(|format| !format.has_games()) {
        let Ok(mut writer) = Writer::new(format, Vec::new()) else { continue };
        if format == Format::PackedSfen {
            // The format stores castling only with rooks in corners.
            batch.castling.clear();
        }
        writer.write(&batch).expect("it can be written");
        let file = writer.finish().expect("a vector");
        let mut rows = Records::new();
        assert_eq!(read(format, &file, &mut rows), fens.len());
        benches.bench_function(BenchmarkId::new(format.name(), fens.len()), |bencher| {
            bencher.iter(|| read(format, &file, &mut rows));
        });
    }
    benches.bench_function(BenchmarkId::new("fen", fens.len()), |bencher| {
        bencher.iter(|| {
            let white = |line: &String| Fen::parse(line).expect("a position").pieces.white;
            lines.iter().fold(0, |all, line| all ^ white(line))
        });
    });
    benches.finish();
}

pub fn binpack(criterion: &mut Criterion) {
    let mut batch = Records::new();
    let rows = read(Format::Binpack, BINPACK, &mut batch);
    let mut benches = group(criterion, "games", rows);
    benches.bench_function(BenchmarkId::new("binpack", rows), |bencher| {
        bencher.iter(|| read(Format::Binpack, BINPACK, &mut batch));
    });
    benches.finish();
}

/// Replays the text of games to columns with comments, without them, and with texts; one bench only splits the text.
pub fn pgn(criterion: &mut Criterion) {
    let mut annotated = Vec::new();
    flate2::read::GzDecoder::new(PGN).read_to_end(&mut annotated).expect("gzip");
    let dump = dump(&annotated);
    let positions = replay(&annotated, &Options::default());
    assert_eq!(positions, replay(&dump, &Options::default()));
    for (name, file) in [("annotated", &annotated), ("dump", &dump)] {
        let mut benches = group(criterion, name, positions);
        let mut without_comments = Options::default();
        without_comments.comments = false;
        let mut with_texts = Options::default();
        with_texts.san = true;
        with_texts.tags = ["White", "Black", "Event"].map(String::from).to_vec();
        for (bench, options) in [
            ("replay", Options::default()),
            ("without comments", without_comments),
            ("with SAN and tags", with_texts),
        ] {
            benches.bench_function(BenchmarkId::new(bench, positions), |bencher| {
                bencher.iter(|| replay(file, &options));
            });
        }
        benches.bench_function(BenchmarkId::new("split", positions), |bencher| {
            bencher.iter(|| chunks(file, |chunk| _ = black_box(chunk)));
        });
        benches.finish();
    }
}

/// Splits a file into chunks and calls `each` for each chunk.
fn chunks(file: &[u8], mut each: impl FnMut(&Chunk)) {
    let mut splitter = Splitter::new(file);
    let mut chunk = Chunk::default();
    while splitter.read_chunk(1 << 16, &mut chunk).expect("a slice") {
        each(&chunk);
    }
}

/// Replays a file and returns the number of positions.
fn replay(file: &[u8], options: &Options) -> usize {
    let (mut replayer, mut rows) = (Replayer::new(options.clone()), Rows::default());
    let mut positions = 0;
    chunks(file, |chunk| {
        rows.clear();
        replayer.chunk(chunk, &mut rows).expect("right games");
        positions += black_box(&rows).len();
    });
    positions
}

/// Converts games to the style of Lichess's dumps, which have a clock and an evaluation after each move.
fn dump(file: &[u8]) -> Vec<u8> {
    let mut options = Options::default();
    options.san = true;
    options.tags = ["FEN", "Variant"].map(String::from).to_vec();
    let (mut replayer, mut rows) = (Replayer::new(options), Rows::default());
    chunks(file, |chunk| replayer.chunk(chunk, &mut rows).expect("right games"));
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
            let (turn, ply) = (rows.records.turn[row] as usize, row - game.first_row);
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
