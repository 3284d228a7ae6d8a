//! Every row once: in each epoch, over all shards, over both parts of a split, and among kept and dropped rows.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringViewArray};
use arrow_ipc::writer::FileWriter;
use setwise_formats::Field;
use setwise_loader::{Batch, Loader, Options, Spill, Split};
use setwise_table::{DataSetChoice, OnInvalid, OnMissing, SamplingOptions, Side};

use super::samplings::games;
use super::{FILES, Folder, Key, ROWS, batches, key, message, open, size, sorted};

#[test]
fn every_epoch_has_every_row_once() {
    let folder = Folder::new();
    for name in FILES {
        let expected = folder.rows(name);
        for threads in [1, 3] {
            let mut options = folder.options(name);
            options.threads = Some(threads);
            assert_eq!(batches(&mut open(&options)).concat(), expected, "{name}");
            options.shuffle = 700;
            let mut loader = open(&options);
            let [first, second] = [(); 2].map(|()| batches(&mut loader).concat());
            assert!(first != second && first != expected, "{name}: shuffled");
            let expected = sorted(expected.clone());
            assert_eq!(sorted(first.clone()), expected, "{name}");
            assert_eq!(sorted(second.clone()), expected, "{name}");
            options.epochs = Some(2);
            assert_eq!(batches(&mut open(&options)).concat().len(), 2 * expected.len());
            (options.epochs, options.fixed) = (Some(1), true);
            let mut loader = open(&options);
            let loops = [(); 2].map(|()| batches(&mut loader));
            assert_eq!(loops[0], loops[1], "{name}: fixed");
            assert_eq!(loops[0].concat(), first, "{name}: fixed");
        }
    }
    // Also the rows of a single unit come in another order.
    let few = std::fs::read(folder.path("all.marlin")).expect("the file");
    folder.write("few.marlin", &few[..100 * 32]);
    let mut loader = open(&Options { shuffle: 700, ..folder.options("few.marlin") });
    let [first, second] = [(); 2].map(|()| batches(&mut loader).concat());
    assert!(first != second && sorted(first) == sorted(second));
}

#[test]
fn batches_do_not_depend_on_threads() {
    let folder = Folder::new();
    let mut options = Options::new(FILES.map(|name| folder.path(name)));
    (options.shuffle, options.one_in, options.batch_size) = (5000, 2, 64);
    options.on_missing = Some(OnMissing::Skip);
    for pieces in [None, Some(vec![(0.0, 1.0), (16.0, 0.5), (32.0, 1.0)])] {
        let of = |threads| {
            let sampling =
                SamplingOptions { pieces: pieces.clone(), max_skipped: 0.5, ..Default::default() };
            let mut options = Options { threads: Some(threads), ..options.clone() };
            options.sampling = Some(sampling);
            let mut loader = open(&options);
            loader.next_batch().expect("valid rows");
            let early = loader.place();
            loader.restart();
            (batches(&mut loader), loader.counts().clone(), loader.place(), early)
        };
        let found = of(1);
        assert_eq!(found, of(4));
        assert_eq!(found.1.sampled[2] > 0, pieces.is_some());
    }
}

/// The index of a row decides whether it is kept, so neither the order of the units nor their place matters.
#[test]
fn one_in_keeps_the_same_rows_in_any_order() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(folder.path("all.txt")).expect("a text");
    let row = |line: &str| line.replace(" | ", ",") + "\n";
    let rows: String = text.lines().map(row).collect();
    folder.write("some.csv", format!("fen,cp,white_result\n{rows}").as_bytes());
    let game = |score: usize| format!("1. e4 {{ [%eval {}] }} e5 1-0\n", score as f64 / 100.0);
    folder.write("some.pgn", (0..ROWS).map(game).collect::<String>().as_bytes());
    folder.write("some.vf", &games().0);
    for name in ["all.marlin", "all.txt.gz", "all.plain.zst", "some.csv", "some.pgn", "some.vf"] {
        let mut options = folder.options(name);
        let all = batches(&mut open(&options)).concat().len();
        options.one_in = 3;
        let expected = sorted(batches(&mut open(&options)).concat());
        assert!((all / 4..all / 2).contains(&expected.len()), "{name}: {}", expected.len());
        for (shuffle, spill) in [(1, Spill::Off), (1, Spill::Temporary), (700, Spill::Temporary)] {
            (options.shuffle, options.spill) = (shuffle, spill);
            let found = sorted(batches(&mut open(&options)).concat());
            assert_eq!(found, expected, "{name}, {shuffle}, {:?}", options.spill);
        }
    }
}

#[test]
fn a_byte_order_mark_moves_no_unit() {
    let folder = Folder::new();
    let plain = zstd::decode_all(&std::fs::read(folder.path("all.plain.zst")).expect("a file")[..]);
    let text = std::fs::read(folder.path("all.txt")).expect("a file");
    for (name, bytes) in [("mark.plain", plain.expect("zstd")), ("mark.txt", text)] {
        folder.write(name, &[b"\xef\xbb\xbf", &bytes[..]].concat());
        for shuffle in [0, 300] {
            let mut options = folder.options(name);
            options.shuffle = shuffle;
            let found = sorted(batches(&mut open(&options)).concat());
            assert_eq!(found, sorted(folder.rows("all.plain.zst")), "{name}, {shuffle}");
        }
    }
}

#[test]
fn shards_are_disjoint_and_complete() {
    let folder = Folder::new();
    for name in FILES {
        for (shuffle, count) in [(0, 2), (300, 3)] {
            let mut rows = Vec::new();
            for index in 0..count {
                let mut options = folder.options(name);
                (options.shuffle, options.shard) = (shuffle, (index, count));
                let shard = batches(&mut open(&options)).concat();
                // The games are a single block, and so a single unit if they are read in order.
                assert!(!shard.is_empty() || name == "games.binpack", "{name}");
                rows.extend(shard);
            }
            assert_eq!(sorted(rows), sorted(folder.rows(name)), "{name}");
        }
    }
}

#[test]
fn every_shard_has_the_same_number_of_batches() {
    let folder = Folder::new();
    for index in 0..5 {
        let mut options = folder.options("all.marlin");
        (options.shard, options.batches, options.batch_size) = ((index, 5), Some(31), 40);
        let mut loader = open(&options);
        for _ in 0..3 {
            let found = batches(&mut loader);
            assert_eq!((found.len(), found.concat().len()), (31, 31 * 40));
        }
    }
    let mut options = folder.options("all.marlin");
    options.batches = Some(3);
    for (skipped, is_there) in [(2, true), (3, true), (5, false)] {
        let mut loader = open(&options);
        assert_eq!(loader.skip_batches(skipped).expect("valid rows"), is_there);
        let found = [(); 3].map(|()| batches(&mut loader).len() as u64);
        assert_eq!(found, [3_u64.saturating_sub(skipped), 3, 3]);
    }
    // After a loop, batches of the next one are skipped.
    for batches_of_loop in [None, Some(3)] {
        options.batches = batches_of_loop;
        let mut loader = open(&options);
        let all = batches(&mut loader).len();
        assert!(loader.skip_batches(2).expect("valid rows"));
        assert_eq!(batches(&mut loader).len(), all - 2);
    }
    (options.batch_size, options.batches, options.shard) = (2000, Some(1), (1, 2));
    assert!(
        message(open(&options).next_batch())
            .contains("shard 1 of 2 has no complete batch of 2000 rows")
    );
}

#[test]
fn the_parts_of_a_split_are_disjoint_and_complete() {
    let folder = Folder::new();
    for name in FILES {
        let mut parts = Vec::new();
        for split in [Split::Train(0.7), Split::Test(0.7)] {
            let mut options = folder.options(name);
            (options.split, options.columns) = (Some(split), vec!["game_hash".to_owned()]);
            let mut loader = open(&options);
            let rows: Vec<_> =
                loader.by_ref().flat_map(|batch| batch.expect("valid rows").rows).collect();
            let dropped = folder.rows(name).len() - rows.len();
            assert_eq!(loader.counts().left_out, [dropped as u64, 0]);
            parts.push(rows);
        }
        let hashes =
            |part: usize| parts[part].iter().map(|row| row.game_hash).collect::<HashSet<_>>();
        assert!(hashes(0).is_disjoint(&hashes(1)), "{name}");
        let share = parts[0].len() as f64 / folder.rows(name).len() as f64;
        assert!((0.5..0.9).contains(&share), "{name}: {share}");
        let rows: Vec<Key> = parts.concat().iter().map(super::key).collect();
        assert_eq!(sorted(rows), sorted(folder.rows(name)), "{name}");
    }
}

#[test]
fn labels_of_text_may_follow_other_lines() {
    let folder = Folder::new();
    let text = std::fs::read_to_string(folder.path("all.txt")).expect("a text");
    let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    // What the text begins with; and the numbers of invalid rows and of rows without labels.
    for (start, counts) in [
        ("\u{feff}", [0, 0]),
        ("fen | score | result\n", [1, 0]),
        (bare, [0, 1]),
        (&format!("\u{feff}\n# a comment | 1 | 0.5\nG | 20 | 1.0\n{bare}"), [1, 1]),
        (&("# a long comment\n".repeat(1 << 15) + "\n"), [0, 0]),
    ] {
        // Without the last line end.
        let text = start.to_owned() + text.trim_end();
        folder.write("some.txt", text.as_bytes());
        folder.write("some.txt.zst", &zstd::encode_all(text.as_bytes(), 1).expect("memory"));
        for (name, shuffle) in [("some.txt", 0), ("some.txt", 700), ("some.txt.zst", 0)] {
            let mut options = Options { shuffle, ..folder.options(name) };
            (options.on_missing, options.on_invalid) = (Some(OnMissing::Skip), OnInvalid::Skip);
            let mut loader = open(&options);
            let found = batches(&mut loader).concat();
            assert_eq!(sorted(found), sorted(folder.rows("all.txt")), "{name}: {start}");
            assert_eq!([loader.counts().invalid, loader.counts().left_out[0]], counts, "{start}");
        }
    }
    folder.write("some.txt", b"PK\x03\x04");
    assert!(message(Loader::open(folder.options("some.txt"))).contains("it is a Zip archive"));
}

#[test]
fn kept_units_are_read_again() {
    let folder = Folder::new();
    let spill = folder.path("spill");
    std::fs::create_dir(&spill).expect("a folder");
    for name in ["all.txt.gz", "all.plain.zst"] {
        let mut options = folder.options(name);
        options.shuffle = 500;
        let expected = batches(&mut open(&options));
        options.spill = Spill::Folder(spill.clone());
        assert_eq!(batches(&mut open(&options)), expected);
        let files = || {
            std::fs::read_dir(&spill).expect("a folder").map(|entry| entry.expect("a file").path())
        };
        let units = files().find(|path| size(path) > 0).expect("kept units");
        assert_eq!(files().count(), 1);
        // The file itself is not read again.
        let change = |byte: u8| {
            let mut bytes = std::fs::read(folder.path(name)).expect("a file");
            let modified =
                folder.path(name).metadata().and_then(|of| of.modified()).expect("a time");
            *bytes.last_mut().expect("bytes") ^= byte;
            folder.write(name, &bytes);
            let file =
                std::fs::File::options().write(true).open(folder.path(name)).expect("a file");
            file.set_modified(modified).expect("a time");
        };
        change(1);
        assert_eq!(batches(&mut open(&options)), expected);
        change(1);
        // Other conditions have other units, and damaged units are an error.
        options.conditions = vec!["turn = 0".to_owned()];
        assert!(batches(&mut open(&options)).len() < expected.len());
        assert_eq!(files().count(), 2);
        options.conditions.clear();
        let mut bytes = std::fs::read(&units).expect("the kept units");
        // No flipped bit gives other rows or blames another file.
        let far = (0..bytes.len()).step_by(bytes.len() / 40);
        for at in far.chain(bytes.len() - 20..bytes.len()) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            std::fs::write(&units, flipped).expect("a file");
            let keys = |batch: Batch| batch.rows.iter().map(key).collect::<Vec<_>>();
            let read: Result<Vec<_>, _> = open(&options).map(|batch| batch.map(keys)).collect();
            match read {
                // The format of zstd has bits that it ignores.
                Ok(read) => assert_eq!(read, expected, "{name}, byte {at}"),
                Err(error) => {
                    let expected = format!("{}: cannot read these kept units", units.display());
                    assert!(error.to_string().contains(&expected), "{at}: {error}");
                }
            }
        }
        bytes[..100].fill(0);
        for damaged in [&bytes, &b"damaged"[..]] {
            std::fs::write(&units, damaged).expect("a file");
            let mut loader = open(&options);
            let found = loader.find_map(Result::err).expect("damaged units").to_string();
            assert!(found.contains("cannot read these kept units"), "{found}");
            assert!(found.contains(&units.display().to_string()), "{found}");
        }
        // A file of another time has other units.
        let file = std::fs::File::options().write(true).open(folder.path(name)).expect("a file");
        file.set_modified(std::time::UNIX_EPOCH).expect("a time");
        assert_eq!(batches(&mut open(&options)), expected);
        assert_eq!(files().count(), 3);
        files().for_each(|path| std::fs::remove_file(path).expect("a file"));
        // A file that cannot be read leaves nothing there.
        let bytes = std::fs::read(folder.path(name)).expect("a file");
        let cut = format!("cut.{name}");
        folder.write(&cut, &bytes[..bytes.len() / 2]);
        let of_cut = Options { paths: vec![folder.path(&cut).into()], ..options.clone() };
        assert!(open(&of_cut).find_map(Result::err).is_some());
        assert_eq!(files().count(), 0);
        assert!(open(&options).warnings().is_empty());
        options.spill = Spill::Off;
        let mut loader = open(&options);
        assert!(loader.warnings()[0].contains("can only be read from the front to the end"));
        assert_eq!(sorted(batches(&mut loader).concat()), sorted(folder.rows(name)));
    }
}

#[test]
fn kept_units_have_no_data_of_other_rows() {
    let folder = Folder::new();
    let spill = folder.path("spill");
    std::fs::create_dir(&spill).expect("a folder");
    let text = std::fs::read_to_string(folder.path("all.txt")).expect("a file");
    let fens = text.lines().map(|line| line.split_once(" |").map(|(fen, _)| fen));
    let views: ArrayRef = Arc::new(fens.collect::<StringViewArray>());
    let keys = Int32Array::from_iter_values(0..ROWS as i32);
    let dictionary: ArrayRef = Arc::new(DictionaryArray::new(keys, views.clone()));
    let scores: ArrayRef = Arc::new(Int32Array::from_iter_values(0..ROWS as i32));
    for fen in [views, dictionary] {
        let rows = [("fen", fen), ("score", scores.clone()), ("result", scores.clone())];
        let rows = RecordBatch::try_from_iter(rows).expect("columns of one length");
        let mut writer = FileWriter::try_new(Vec::new(), rows.schema_ref()).expect("memory");
        writer.write(&rows).expect("memory");
        folder.write("some.arrow", &writer.into_inner().expect("memory"));
        let mut options = folder.options("some.arrow");
        options.labels = Some(vec![Field::Score]);
        options.shuffle = 500;
        options.spill = Spill::Folder(spill.clone());
        let rows = sorted(batches(&mut open(&options)).concat());
        assert_eq!(rows.len(), ROWS);
        let units = std::fs::read_dir(&spill).expect("a folder").next().expect("kept units");
        let units = units.expect("a file").path();
        assert!(size(&units) < size(&folder.path("some.arrow")), "{}", size(&units));
        std::fs::remove_file(units).expect("a file");
    }
}

#[test]
fn dropped_rows_are_counted_once() {
    let folder = Folder::new();
    let sampling = SamplingOptions::named("nnue-pytorch-2026-07").expect("a sampling");
    for (name, one_in) in [("games.binpack", 1), ("games.binpack", 2), ("all.plain.zst", 3)] {
        let mut options = folder.options(name);
        (options.sampling, options.one_in) = (Some(sampling.clone()), one_in);
        options.on_missing = None;
        options.conditions = vec!["piece_count > 4".to_owned()];
        let mut loader = open(&options);
        let kept = batches(&mut loader).concat();
        let counts = loader.counts();
        assert_eq!(loader.conditions().len(), 3);
        let dropped = counts.left_out.iter().chain(&counts.sampled).sum::<u64>();
        let all = kept.len() as u64 + dropped + counts.not_sampled + counts.invalid;
        assert_eq!(all, folder.rows(name).len() as u64, "{name}: {counts:?}");
        let expected: HashSet<Key> = folder.rows(name).into_iter().collect();
        assert!(!kept.is_empty() && kept.iter().all(|row| expected.contains(row)), "{name}");
        // By ply, by number of pieces, by result: the rows seen, then those kept.
        let tally = counts.tally[325..].to_vec();
        for range in [0..256, 256..321, 321..325] {
            assert_eq!(tally[range].iter().sum::<u64>(), kept.len() as u64);
        }
    }
    let mut options = folder.options("all.marlin");
    options.one_in = 4;
    let mut loader = open(&options);
    let kept = batches(&mut loader).concat().len();
    assert!((400..650).contains(&kept));
    assert_eq!(loader.counts().not_sampled, ROWS as u64 - kept as u64);
    loader.restart();
    assert_eq!(loader.counts().not_sampled, 0);
    // Rows of bulletformat have no ply.
    let mut loader = open(&Options { report: Some(true), ..folder.options("all.bullet") });
    batches(&mut loader);
    for tally in loader.counts().tally.chunks(325) {
        assert_eq!(tally[..256].iter().sum::<u64>(), 0);
        assert_eq!(tally[256..321].iter().sum::<u64>(), ROWS as u64);
    }
}

#[test]
fn rows_without_a_label_are_counted() {
    let folder = Folder::new();
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let labels = [("32002", "1.0"), ("", "0.5"), ("5", "*"), ("6", "0.0"), ("7", "1.0")];
    let rows = |join: &str| -> String {
        let row = |(score, result)| [fen, score, result].join(join) + "\n";
        labels.map(row).concat()
    };
    folder.write("some.txt", rows("|").as_bytes());
    folder.write("some.csv", ("fen,score,outcome\n".to_owned() + &rows(",")).as_bytes());
    for (name, on_missing, label, kept, missing) in [
        ("some.txt", OnMissing::Skip, None, 1, 3),
        ("some.txt", OnMissing::Value(0), None, 4, 3),
        ("some.csv", OnMissing::Value(0), None, 4, 3),
        ("some.txt", OnMissing::Null, None, 4, 0),
        ("some.txt", OnMissing::Value(9), Some(Field::Score), 4, 2),
        ("some.csv", OnMissing::Value(1), Some(Field::Result), 4, 1),
    ] {
        for (report, threads) in [(false, 1), (true, 1), (false, 2)] {
            let mut options = Options { threads: Some(threads), ..folder.options(name) };
            (options.on_missing, options.report) = (Some(on_missing), Some(report));
            options.labels = label.map(|label| vec![label]);
            options.tables.labels.results_of = name.ends_with("csv").then_some(Side::White);
            options.conditions = vec!["score is null or score < 7".to_owned()];
            let mut loader = open(&options);
            assert_eq!(batches(&mut loader).concat().len(), kept, "{name} {on_missing:?}");
            assert_eq!(loader.counts().left_out[1], missing, "{name} {on_missing:?} {label:?}");
        }
    }
}

#[test]
fn evaluations_of_engines_comments_are_said() {
    let folder = Folder::new();
    let game = |comment: &str| format!("[White \"a\"]\n\n1. e4 {{{comment}}} e5 *\n\n");
    folder.write("none.pgn", game("[%eval 0.31]").as_bytes());
    folder.write("first.pgn", game("+0.31/12 1.2s").as_bytes());
    folder.write("second.pgn", game("-M7/30 0.5s").as_bytes());
    let names = ["none.pgn", "first.pgn", "second.pgn"].map(|name| folder.path(name));
    let mut options = Options { on_missing: Some(OnMissing::Skip), ..Options::new(names) };
    let said = open(&options).decided().to_vec();
    let [line] = &said[..] else { panic!("one line for all files: {said:?}") };
    let path = folder.path("first.pgn");
    let expected = "evaluations from engines' comments such as +0.31/12 1.2s, for the side that moved, mates in \
                    half-moves";
    assert_eq!(*line, format!("{}: {expected}", path.display()));
    // The first evaluation is far from the start.
    let far = "1. e4 e5 1-0\n\n".repeat(9000) + &game("+0.31/12 1.2s");
    folder.write("far.pgn", far.as_bytes());
    let skips = Options { on_missing: Some(OnMissing::Skip), ..folder.options("far.pgn") };
    assert_eq!(
        open(&skips).decided(),
        [format!("{}: {expected}", folder.path("far.pgn").display())]
    );
    // A loss, which tells what a zero is, is far from the start.
    let far = "1. e4 e5,0\n".repeat(9000) + "1. e4 e5,-1\n";
    folder.write(
        "far.csv",
        ("movetext,Res\n1. e4 {+0.31/12 1.2s} e5,1\n".to_owned() + &far).as_bytes(),
    );
    let mut table = Options { on_missing: Some(OnMissing::Skip), ..folder.options("far.csv") };
    table.tables.labels.result = Some("Res".to_owned());
    let expected_of_table = format!("{}: {expected}", folder.path("far.csv").display());
    let decided = open(&table).decided().to_vec();
    assert!(decided.contains(&expected_of_table));
    // What is decided about two tables alike is said once.
    table.paths.push(table.paths[0].clone());
    assert_eq!(open(&table).decided(), decided);
    // Not even if all is said about a table beside the games.
    options.paths.push(table.paths[0].clone());
    options.tables = table.tables.clone();
    options.tables.labels.scores_of = Some(Side::White);
    options.tables.labels.results_of = Some(Side::White);
    options.tables.data_set = DataSetChoice::Off;
    assert_eq!(open(&options).decided(), said);
    options.labels = Some(vec![Field::Result]);
    assert!(open(&options).decided().is_empty());
}

#[test]
fn results_of_games_can_be_in_a_column() {
    let folder = Folder::new();
    let games = "1. e4 { [%eval 0.1] } 0-1,1-0\n1. d4 { [%eval 0.1] } *,0-1\n";
    folder.write("games.csv", format!("movetext,Res\n{games}").as_bytes());
    let mut options = folder.options("games.csv");
    options.on_missing = Some(OnMissing::Skip);
    options.tables.labels.result = Some("Res".to_owned());
    let read = batches(&mut open(&options)).concat();
    let results: Vec<i8> = read.into_iter().map(|(.., result)| result).collect();
    assert_eq!(results, [-1, 1]);
    options.tables.labels.score = Some("Res".to_owned());
    let found = message(Loader::open(options));
    assert!(found.contains("games have their scores in the movetext (`[%eval]`)"), "{found}");
}

#[test]
fn a_loss_after_many_rows_tells_what_a_zero_is() {
    let folder = Folder::new();
    let table = |first: &str, results: &mut dyn Iterator<Item = &str>| {
        let row = |result: &str| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1,5,{result}\n");
        let rows = results.map(row).collect::<String>();
        folder.write("some.csv", format!("fen,score,result\n{first}{rows}").as_bytes());
    };
    let some = |numbers: [&'static str; 2]| numbers.into_iter().cycle().take(3000);
    for (numbers, loss, expected) in [(["1", "0"], "-1", [1, 0]), (["1.0", "0.0"], "0.5", [1, -1])]
    {
        table("", &mut some(numbers).chain([loss]));
        for shuffle in [0, 1000] {
            let mut loader = open(&Options { shuffle, ..folder.options("some.csv") });
            let mut results: Vec<i8> =
                batches(&mut loader).concat().into_iter().map(|(.., result)| result).collect();
            results.sort_unstable();
            let last = if loss == "-1" { -1 } else { 0 };
            let mut all: Vec<i8> = expected.into_iter().cycle().take(3000).chain([last]).collect();
            all.sort_unstable();
            assert_eq!(results, all, "{loss}, {shuffle}");
        }
        // Also after an invalid row, and after one without a result, at which the loader stops.
        for first in ["", "8/8,5,1\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1,5,\n"] {
            table(first, &mut some(numbers));
            for on_missing in [OnMissing::Null, OnMissing::Stop] {
                let mut options = folder.options("some.csv");
                options.on_missing = Some(on_missing);
                let found = message(Loader::open(options));
                let [file, doubt] = ["some.csv: the results in", "is a loss -1 or 0?"];
                assert!(found.contains(file) && found.contains(doubt), "{first}: {found}");
            }
        }
    }
    // In a column of floats, all zeros have a point.
    let rows = some(["1.0", "0.0"]).chain(["-1.0"]).map(|result| {
        format!("{{\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - -\",\"score\":5,\"result\":{result}}}\n")
    });
    folder.write("some.jsonl", rows.collect::<String>().as_bytes());
    let read = batches(&mut open(&folder.options("some.jsonl"))).concat();
    let of = |wanted: i8| read.iter().filter(|(.., result)| *result == wanted).count();
    assert_eq!([1, 0, -1].map(of), [1500, 1500, 1]);
    // The first part of the table has only ones, which tell nothing; words need no number.
    let ones = || std::iter::repeat_n("1", 70_000);
    table("", &mut ones().chain(["0"]));
    let found = message(Loader::open(folder.options("some.csv")));
    assert!(found.contains("is a loss -1 or 0?"), "{found}");
    table("", &mut ones().chain(["-1"]));
    open(&folder.options("some.csv"));
    // The rows before an invalid one are returned.
    table("", &mut some(["1", "0"]).chain(["win?", "-1"]));
    let mut rows = 0;
    let error = open(&folder.options("some.csv")).find_map(|batch| match batch {
        Ok(batch) => {
            rows += batch.rows.len();
            None
        }
        Err(error) => Some(error.to_string()),
    });
    assert!(rows > 2000, "{rows}");
    assert!(error.is_some_and(|error| error.contains("found `win?`")));
}
