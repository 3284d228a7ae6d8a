//! Compares the rows of loaders with those of the readers of the same files.

mod batches;
mod inputs;
mod refusals;
mod rows;
mod samplings;

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};

use setwise::Fen;
use setwise_files::FileFormat;
use setwise_formats::{Format, Reader, Records, Writer};
use setwise_loader::{Loader, Options, Row};
use setwise_table::OnMissing;
use tempfile::TempDir;

/// What identifies a row: pieces, side to move, score and result.
type Key = ([u64; 8], bool, i32, i8);

/// A folder with the same positions in several formats, and the rows that the readers of these files find.
struct Folder {
    folder: TempDir,
}

/// The number of rows of each file.
const ROWS: usize = 2100;

/// The files of a folder.
const FILES: [&str; 6] =
    ["all.marlin", "all.bullet", "all.txt", "all.txt.gz", "games.binpack", "all.plain.zst"];

impl Folder {
    fn new() -> Self {
        let folder = Self { folder: tempfile::tempdir().expect("a folder") };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sample = fs::read_to_string(root.join("data/sample.epd")).expect("the sample");
        let fens: Vec<Fen> = sample.lines().filter_map(|line| Fen::parse(line).ok()).collect();
        let valid = |fen: &&Fen| {
            let of = fen.pieces;
            [of.white, of.black].iter().all(|side| (of.kings & side).count_ones() == 1)
                && (of.white | of.black).count_ones() <= 32
                && of.pawns & 0xff00_0000_0000_00ff == 0
        };
        let fens: Vec<&Fen> = fens.iter().filter(valid).collect();
        let mut records = Records::new();
        let mut text = String::new();
        for row in 0..ROWS {
            let fen = fens[row * 7919 % fens.len()];
            records.push_fen(fen);
            let (score, result) = (row as i32 - ROWS as i32 / 2, (row % 3) as i8 - 1);
            records.score.push(score);
            records.result.push(result);
            records.ply.push(row as u32 % 200);
            records.moves.push(None);
            let sign = if records.turn[row] == setwise::Colour::White { 1 } else { -1 };
            let white = f64::from(i32::from(result) * sign + 1) / 2.0;
            text += &format!("{} | {} | {white:.1}\n", records.fen(row), score * sign);
        }
        records.extra.resize(ROWS, 0);
        folder.write("all.txt", text.as_bytes());
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, text.as_bytes()).expect("memory");
        folder.write("all.txt.gz", &packed.finish().expect("memory"));
        for (name, format) in [("all.marlin", Format::Marlin), ("all.bullet", Format::Bullet)] {
            folder.write(name, &folder.packed(format, &records));
        }
        let plain = folder.packed(Format::Plain, &records);
        folder.write("all.plain.zst", &zstd::encode_all(&plain[..], 1).expect("memory"));
        let games = root.join("crates/formats/tests/data/games.binpack");
        folder.write("games.binpack", &fs::read(games).expect("the games"));
        folder
    }

    fn packed(&self, format: Format, records: &Records) -> Vec<u8> {
        let mut writer = Writer::new(format, Vec::new()).expect("a format that can be written");
        writer.write(records).expect("rows that the format can hold");
        writer.finish().expect("memory")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file");
    }

    fn options(&self, name: &str) -> Options {
        let mut options = Options::new([self.path(name)]);
        options.batch_size = 50;
        options.threads = Some(1);
        // Some rows of `games.binpack` have no score.
        options.on_missing = Some(OnMissing::Null);
        options
    }

    /// The rows of a file in order, by the reader of its format.
    fn rows(&self, name: &str) -> Vec<Key> {
        let mut bytes = fs::read(self.path(name)).expect("the file");
        let format = match name {
            "all.txt" | "all.txt.gz" => return self.rows("all.marlin"), // the same rows
            "all.plain.zst" => {
                bytes = zstd::decode_all(&bytes[..]).expect("zstd");
                Format::Plain
            }
            name => {
                FileFormat::of_name(name.as_ref()).and_then(FileFormat::packed).expect("packed")
            }
        };
        let mut reader = Reader::new(format, Cursor::new(bytes));
        let (mut batch, mut rows) = (Records::new(), Vec::new());
        while reader.read(1000, &mut batch).expect("valid rows") > 0 {
            rows.extend((0..batch.len()).map(|row| key_of(&batch, row)));
        }
        assert!(rows.len() > 1000, "{name}: {}", rows.len());
        rows
    }
}

fn open(options: &Options) -> Loader {
    Loader::open(options.clone()).expect("valid options")
}

fn key_of(records: &Records, row: usize) -> Key {
    let turn = records.turn.get(row).is_some_and(|turn| *turn == setwise::Colour::Black);
    (records.pieces[row].sets(), turn, records.score[row], records.result[row])
}

fn key(row: &Row) -> Key {
    (row.pieces().sets(), row.turn == setwise::Colour::Black, row.score, row.result)
}

/// The batches of the next loop.
fn batches(loader: &mut Loader) -> Vec<Vec<Key>> {
    loader.begin_loop();
    loader.map(|batch| batch.expect("valid rows").rows.iter().map(key).collect()).collect()
}

fn sorted(mut rows: Vec<Key>) -> Vec<Key> {
    rows.sort_unstable();
    rows
}

/// The message of an error.
fn message<T>(result: Result<T, setwise_loader::Error>) -> String {
    match result {
        Ok(_) => panic!("expected an error"),
        Err(error) => error.to_string(),
    }
}

/// The size of a file in bytes.
fn size(path: &Path) -> u64 {
    File::open(path).and_then(|file| file.metadata()).expect("a file").len()
}
