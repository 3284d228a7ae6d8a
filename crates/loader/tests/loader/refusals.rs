//! Errors name the option, or the file and the row; states of other loaders are refused.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::{ArrayRef, DictionaryArray, RecordBatch, StringArray, types::Int8Type};
use setwise_formats::Field;
use setwise_loader::{Hooks, Loader, Options, Source, Spill, Split, State, Table};
use setwise_table::{DataSetChoice, Loss, OnInvalid, OnMissing, SamplingOptions, Side};

use super::{Folder, ROWS, batches, key, message, open};

/// A name or a message, and the change of options that it is about.
type Change = (&'static str, fn(&mut Options));

#[test]
fn states_of_loaders_with_other_rows_are_refused() {
    let folder = Folder::new();
    let options = folder.options("all.marlin");
    let state = open(&options).state();
    let changes: [Change; 16] = [
        ("seed", |options| options.seed = 6),
        ("shuffle", |options| options.shuffle = 2000),
        ("batch_size", |options| options.batch_size = 1000),
        ("shard", |options| options.shard = (1, 2)),
        ("one_in", |options| options.one_in = 2),
        ("where", |options| options.conditions = vec!["turn = 0".to_owned()]),
        ("where", |options| options.split = Some(Split::Train(0.9))),
        ("sampling", |options| options.sampling = Some(SamplingOptions::default())),
        ("drop_last", |options| options.drop_last = true),
        ("errors", |options| options.on_invalid = OnInvalid::Skip),
        ("on_missing", |options| options.on_missing = Some(OnMissing::Skip)),
        ("fixed", |options| options.fixed = true),
        ("batches", |options| options.batches = Some(3)),
        ("labels", |options| options.labels = Some(vec![Field::Score])),
        ("order", |options| options.spill = Spill::Off),
        ("files", |options| options.paths.push(options.paths[0].clone())),
    ];
    for (name, change) in changes {
        let mut other = options.clone();
        change(&mut other);
        let found = message(open(&other).resume(&state));
        assert!(
            found.contains("of a loader with other files or other arguments")
                && found.contains(&format!("`{name}`")),
            "{found}"
        );
    }
    let mut same = options;
    (same.threads, same.epochs) = (Some(2), Some(3));
    same.columns = vec!["white_all".to_owned()];
    open(&same).resume(&state).expect("the same rows in the same order");
    let mut cut = state;
    cut.place.truncate(3);
    assert!(message(open(&same).resume(&cut)).contains("the place of the state"));
}

/// A score from white's point of view would be read as the mover's.
#[test]
fn options_of_tables_need_a_table() {
    let changes: [Change; 10] = [
        ("preset", |options| {
            options.tables.data_set = DataSetChoice::Use("lichess-evals".parse().unwrap())
        }),
        ("fen_column", |options| options.tables.fen = Some("x".to_owned())),
        ("movetext_column", |options| options.tables.movetext = Some("x".to_owned())),
        ("score_column", |options| options.tables.labels.score = Some("x".to_owned())),
        ("mate_column", |options| options.tables.labels.mate = Some("x".to_owned())),
        ("result_column", |options| options.tables.labels.result = Some("x".to_owned())),
        ("move_column", |options| options.tables.labels.played = Some("x".to_owned())),
        ("scores_of", |options| options.tables.labels.scores_of = Some(Side::White)),
        ("results_of", |options| options.tables.labels.results_of = Some(Side::Mover)),
        ("loss_is", |options| options.tables.labels.loss_is = Some(Loss::Zero)),
    ];
    let folder = Folder::new();
    folder.write("some.txt", b"4k3/8/8/8/8/8/8/4K3 b - - 0 1 | 30 | 1.0\n");
    for name in ["all.marlin", "some.txt"] {
        for (option, change) in changes {
            let mut options = folder.options(name);
            change(&mut options);
            let found = message(Loader::open(options));
            assert_eq!(found, format!("`{option}` is for tables, and there are none"));
        }
    }
}

#[test]
fn states_of_files_with_other_contents_are_refused() {
    let (folder, other) = (Folder::new(), Folder::new());
    let state = open(&folder.options("all.marlin")).state();
    let resumed = |bytes: &[u8]| {
        other.write("all.marlin", bytes);
        open(&other.options("all.marlin")).resume(&state)
    };
    let bytes = std::fs::read(folder.path("all.marlin")).expect("a file");
    resumed(&bytes).expect("the same file in another folder");
    let reversed: Vec<u8> = bytes.chunks(32).rev().flatten().copied().collect();
    assert!(message(resumed(&reversed)).ends_with(": `files`"));
    for record in [0, ROWS / 2, ROWS - 1] {
        let mut changed = bytes.clone();
        changed[32 * record..32 * (record + 1)].copy_from_slice(&bytes[32 * 7..32 * 8]);
        assert!(message(resumed(&changed)).ends_with(": `files`"), "record {record}");
    }
    // The state is of the file that the loader opened.
    let opened = open(&folder.options("all.marlin"));
    folder.write("all.marlin", &reversed);
    assert_eq!(opened.state(), state);
}

#[test]
fn states_of_tables_with_other_rows_are_refused() {
    let fens: Vec<_> = (0..100).map(|row| format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {row}")).collect();
    let fens: Vec<_> = fens.iter().map(String::as_str).collect();
    let table = |fens: &[&str], rows_of_batch: usize| {
        let batch = |rows: &[&str]| {
            let texts: ArrayRef = Arc::new(StringArray::from(rows.to_vec()));
            // The keys depend on the order of the batch.
            let dictionary: DictionaryArray<Int8Type> = rows.iter().copied().collect();
            let columns = [("fen", texts), ("again", Arc::new(dictionary))];
            RecordBatch::try_from_iter(columns).expect("equal lengths")
        };
        let batches: Vec<_> = fens.chunks(rows_of_batch).map(batch).collect();
        let source = Source::Table(Table::new("table 1", "", batches[0].schema(), batches));
        open(&Options { labels: Some(Vec::new()), ..Options::new([source]) })
    };
    let state = table(&fens, 100).state();
    table(&fens, 7).resume(&state).expect("the same rows");
    for row in [0, 50, 99] {
        let mut changed = fens.clone();
        changed[row] = fens[20];
        assert!(message(table(&changed, 100).resume(&state)).ends_with(": `files`"), "row {row}");
    }
}

#[test]
fn wrong_options_are_named() {
    let folder = Folder::new();
    let changes: [Change; 15] = [
        ("`seed` must be at least 0, and below 2 ** 63", |options| options.seed = 1 << 63),
        ("`batch_size` must be at least 1", |options| options.batch_size = 0),
        ("`one_in` must be at least 1", |options| options.one_in = 0),
        ("`batches` must be at least 1", |options| options.batches = Some(0)),
        ("`threads` must be 1 to 1024, found 0", |options| options.threads = Some(0)),
        ("1024, found 1025", |options| options.threads = Some(1025)),
        ("`shard` is (index, count) with an index below the count, found (2, 2)", |options| {
            options.shard = (2, 2)
        }),
        ("name a set of them with `features`", |options| options.padded = Some(9)),
        ("`split` has the share", |options| options.split = Some(Split::Test(1.0))),
        ("`labels` are any of", |options| options.labels = Some(vec![Field::Ply])),
        ("did you mean `checkers`", |options| options.conditions = vec!["checkrs = 0".to_owned()]),
        ("column `move` is not in this input", |options| {
            options.conditions = vec!["move = 'e2e4'".to_owned()]
        }),
        ("`threats` is not one number per row", |options| {
            options.columns = vec!["threats".to_owned()]
        }),
        ("batches cannot have the column `see`", |options| {
            options.columns = vec!["see".to_owned()]
        }),
        ("set `input_format` to one of", |options| {
            options.input_format = Some("nothing".to_owned())
        }),
    ];
    // A pattern selects only numbers that boards have.
    let mut options = folder.options("all.marlin");
    options.columns = vec!["m*".to_owned()];
    let names: Vec<_> = open(&options).columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, ["material"]);
    for (expected, change) in changes {
        let mut options = folder.options("all.marlin");
        change(&mut options);
        let found = message(Loader::open(options));
        assert!(found.contains(expected), "{found}");
    }
    let mut options = folder.options("all.txt");
    let ply = Some(vec![(0.0, 0.5)]);
    options.sampling = Some(SamplingOptions { ply, ..SamplingOptions::default() });
    assert!(message(Loader::open(options)).ends_with("all.txt: it has no ply (`sampling`)"));
    folder.write("cut.binpack", b"BINP\x01\0\0\0");
    let found = message(Loader::open(folder.options("cut.binpack")));
    assert!(found.ends_with("byte 0: the file ends within the block that begins here"), "{found}");
    assert!(message(Loader::open(Options::new::<&str>([]))).contains("the list of paths is empty"));
    assert!(message(Loader::open(folder.options("none.marlin"))).contains("none.marlin: "));
}

#[test]
fn errors_name_the_file_and_the_row() {
    let folder = Folder::new();
    let mut bad = std::fs::read(folder.path("all.marlin")).expect("a file");
    bad[32 * 2000..32 * 2001].fill(0xff);
    folder.write("bad.marlin", &bad);
    folder.write(
        "bad.txt",
        b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 3 | 1.0\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n8/8\n",
    );
    folder.write("head.binpack", b"NOPE1234");
    let found = |name: &str| {
        let mut options = folder.options(name);
        options.on_missing = Some(OnMissing::Skip);
        match Loader::open(options) {
            Ok(mut loader) => loader.find_map(Result::err).expect("an error").to_string(),
            Err(error) => error.to_string(),
        }
    };
    let text = found("bad.marlin");
    let (_, after) = text.split_once("bad.marlin: records after ").expect("the file");
    let (first, after) = after.split_once(": record ").expect("the first record of the unit");
    let record = after.split(',').next().expect("a record");
    assert_eq!(first.parse::<u64>().unwrap() + record.parse::<u64>().unwrap(), 2001, "{text}");
    assert!(found("bad.txt").contains("bad.txt:3:4: expected 8 ranks"), "{}", found("bad.txt"));
    assert!(found("head.binpack").contains("head.binpack: byte 0: expected \"BINP\""));
    // A table among several files.
    let columns: [(&str, &str, &[u8], &str); 5] = [
        ("position.csv", "", b"position\n8/8\n", "no column is called `fen`"),
        ("empty.jsonl", "", b"", "it is empty: expected a JSON object on each line"),
        ("two.csv", "", b"fen,cp,eval\n8/8,1,2\n", "`cp` or `eval`: which one is the score?"),
        ("bool.jsonl", "", b"{\"fen\":\"8/8\",\"result\":true}\n", "column `result` holds Boolean"),
        ("bare.csv", "result = 0", b"fen\n8/8\n", "column `result` is not in this input"),
    ];
    for (name, condition, bytes, expected) in columns {
        folder.write(name, bytes);
        let mut options = folder.options("all.marlin");
        options.paths.push(folder.path(name).into());
        options.conditions.extend((!condition.is_empty()).then(|| condition.to_owned()));
        let found = message(Loader::open(options));
        let path = folder.path(name).display().to_string();
        assert!(found.starts_with(&path) && found.contains(expected), "{found}");
    }
    let mut options = folder.options("bad.marlin");
    options.on_invalid = OnInvalid::Skip;
    let mut loader = open(&options);
    assert_eq!(super::batches(&mut loader).concat().len(), super::ROWS - 1);
    assert_eq!(loader.counts().invalid, 1);
    // A resumed loader continues with the batch that failed.
    let mut narrow = folder.options("all.marlin");
    (narrow.features, narrow.padded) = (Some("halfka-hm".parse().expect("a set")), Some(1));
    let mut failed = open(&narrow);
    assert!(message(failed.next_batch()).contains("inputs, and `padded` is 1"));
    narrow.padded = Some(64);
    let mut wide = open(&narrow);
    wide.resume(&failed.state()).expect("the same rows");
    assert_eq!(super::batches(&mut wide).concat(), folder.rows("all.marlin"));
}

#[test]
fn files_that_change_or_cannot_be_read_again_are_refused() {
    let folder = Folder::new();
    let mut rows = "fen,score,result\n".to_owned();
    for row in 0..ROWS {
        rows += &format!("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1,{row},1\n");
    }
    folder.write("rows.csv", rows.as_bytes());
    let row = b"{\"fen\":\"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\",\"score\":1,\"result\":0}\n";
    folder.write("row.jsonl", row);
    folder.write("rows.jsonl", &row.repeat(90_000));
    let plain = zstd::decode_all(&std::fs::read(folder.path("all.plain.zst")).unwrap()[..]);
    folder.write("all.plain", &plain.unwrap());
    for (name, ending) in [
        ("all.txt", Some("\n")),
        ("all.marlin", None),
        ("all.plain", Some("e\n")),
        ("rows.csv", Some("\n")),
        ("row.jsonl", None),
        ("rows.jsonl", Some("\n")),
    ] {
        let bytes = std::fs::read(folder.path(name)).unwrap();
        let half = String::from_utf8_lossy(&bytes[..bytes.len() / 2]);
        let end = ending.map_or(0, |ending| half.rfind(ending).unwrap() + ending.len());
        for shuffle in [0, 500] {
            let mut options = folder.options(name);
            options.shuffle = shuffle;
            options.labels = Some(vec![Field::Score]);
            let mut loader = open(&options);
            folder.write(name, &bytes[..end]);
            let found = loader.find_map(Result::err).map(|error| error.to_string());
            let found = found.unwrap_or_default();
            let path = folder.path(name).display().to_string();
            assert!(
                found.starts_with(&path) && found.contains("it was changed while it was read"),
                "{name}, shuffle {shuffle}: {found}"
            );
            folder.write(name, &bytes);
        }
    }
    #[cfg(unix)]
    for format in ["text", "marlin", "jsonl"] {
        let mut options = Options::new(["/dev/null"]);
        options.input_format = Some(format.to_owned());
        let found = message(Loader::open(options));
        assert!(found.starts_with("/dev/null: not a file; a loader reads its files several times"));
    }
}

#[test]
fn an_interrupted_batch_stays_the_next_one() {
    let folder = Folder::new();
    let mut options = folder.options("all.marlin");
    options.features = Some("halfka-hm".parse().expect("a set"));
    let mut whole = open(&options);
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    options.hooks.check = Arc::new(move || match count.fetch_add(1, Ordering::Relaxed) {
        2 => Err(io::Error::other("interrupted").into()),
        _ => Ok(()),
    });
    let mut loader = open(&options);
    let mut rows = Vec::new();
    let error = loop {
        match loader.next_batch() {
            Ok(batch) => rows.extend(batch.expect("a batch").rows.iter().map(key)),
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "interrupted");
    let state = loader.state();
    options.hooks = Hooks::default();
    let mut resumed = open(&options);
    resumed.resume(&state).expect("the same rows");
    rows.extend(batches(&mut resumed).concat());
    assert_eq!(rows, batches(&mut whole).concat());
}

#[test]
fn states_that_no_loader_has_are_refused() {
    let folder = Folder::new();
    let mut options = folder.options("all.marlin");
    options.shuffle = 400;
    let mut loader = open(&options);
    loader.next_batch().expect("valid rows");
    let state = loader.state();
    let text = serde_json::to_string(&state).expect("a state");
    for (from, to) in [("{", "{\"epoch\":3,"), ("\"counts\":{", "\"counts\":{\"seen\":1,")] {
        let unknown = text.replacen(from, to, 1);
        let error = serde_json::from_str::<State>(&unknown).expect_err("an unknown field");
        assert!(error.to_string().contains("unknown field"), "{error}");
    }
    // The first epoch, the batches, the epoch, the unit, the row, and the batch of the buffer.
    let [start, turn, epoch, unit, row, batch] = state.place[..] else { panic!("six numbers") };
    for place in [
        [start + 1, turn, epoch, unit, row, batch],
        [start, 1 << 63, epoch, unit, row, batch],
        [start, turn, 1 << 63, unit, row, batch],
        [start, turn, epoch, 9999, row, batch],
        [start, turn, epoch, unit, 9999, batch],
        [start, turn, epoch, unit, row, 9999],
        [start, turn, epoch, unit, row, u64::MAX],
        [start, turn, epoch, u64::MAX, row, batch],
    ] {
        let wrong = State { place: place.to_vec(), ..state.clone() };
        let found = message(open(&options).resume(&wrong));
        assert!(found.contains("the place of the state is not one of this loader"), "{found}");
    }
    let mut wrong = state.clone();
    wrong.counts.left_out.push(0);
    assert!(message(open(&options).resume(&wrong)).contains("the counts of the state"));
    let mut wrong = state.clone();
    wrong.counts.tally = vec![0; 3];
    assert!(message(open(&options).resume(&wrong)).contains("the counts of the state"));
    open(&options).resume(&state).expect("its own state");
}
