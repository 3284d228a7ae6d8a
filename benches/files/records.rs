//! Positions a second, from records and games to rows, with all columns; and the same positions from FEN.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use setwise::Fen;
use setwise_formats::{Format, Reader, Records, Writer};

const SAMPLE: &str = include_str!("../../data/sample.epd");

/// Games of random moves, as the `README.md` beside them says.
const GAMES: &[u8] = include_bytes!("../../crates/formats/tests/data/games.binpack");

/// Rows of a batch: they stay in the second-level cache.
const ROWS: usize = 4096;

/// The sample's positions in some order, 16 times each.
fn positions() -> Vec<Fen> {
    let sample: Vec<Fen> =
        SAMPLE.lines().map(|line| Fen::parse(line).expect("a position")).collect();
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % sample.len()
    };
    (0..16 * sample.len()).map(|_| sample[next()]).collect()
}

/// Reads everything; the sum is there so that nothing is left out.
fn read(format: Format, file: &[u8], batch: &mut Records) -> u64 {
    let mut reader = Reader::new(format, file);
    let mut sum = 0;
    while reader.read(ROWS, batch).expect("the file is right") > 0 {
        sum ^= black_box(&*batch).pieces[0].white;
    }
    sum
}

pub fn records(criterion: &mut Criterion) {
    let fens = positions();
    let lines: Vec<String> = fens.iter().map(Fen::to_string).collect();
    let mut batch = Records::new();
    fens.iter().for_each(|fen| batch.push_fen(fen));

    let mut benches = criterion.benchmark_group("records");
    benches.throughput(Throughput::Elements(fens.len() as u64));
    for &format in Format::ALL.iter().filter(|format| !format.has_games()) {
        let mut file = Vec::new();
        let Ok(mut writer) = Writer::new(format, &mut file) else { continue };
        if format == Format::PackedSfen {
            // It has only the castling of the usual start.
            batch.castling.clear();
        }
        writer.write(&batch).expect("it can be written");

        let mut rows = Records::new();
        let read_rows = Reader::new(format, &file[..]).read(fens.len(), &mut rows);
        assert_eq!(read_rows.expect("the file is right"), fens.len());
        for (row, fen) in fens.iter().enumerate() {
            if format == Format::Bullet {
                let white_to_move = fen.turn == setwise::Colour::White;
                let own =
                    if white_to_move { fen.pieces.white } else { fen.pieces.black.swap_bytes() };
                assert_eq!(rows.pieces[row].white, own);
            } else {
                assert_eq!(rows.pieces[row], fen.pieces);
            }
        }
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

pub fn games(criterion: &mut Criterion) {
    let mut batch = Records::new();
    let mut reader = Reader::new(Format::Binpack, GAMES);
    let rows = reader.read(usize::MAX, &mut batch).expect("the file is right");
    assert_eq!(reader.read(1, &mut Records::new()).expect("the end"), 0);

    let mut benches = criterion.benchmark_group("games");
    benches.throughput(Throughput::Elements(rows as u64));
    benches.bench_function(BenchmarkId::new("binpack", rows), |bencher| {
        bencher.iter(|| read(Format::Binpack, GAMES, &mut batch));
    });
    benches.finish();
}
