//! Loops, and states from which they continue.

use setwise_formats::Field;
use setwise_loader::{Options, State};
use setwise_table::SamplingOptions;

use super::{FILES, Folder, batches, key, message, open};

/// Options in which every part of a state matters.
fn options(folder: &Folder, name: &str, shuffle: usize, pieces: bool) -> Options {
    let mut options = folder.options(name);
    (options.shuffle, options.epochs, options.seed) = (shuffle, Some(2), 5);
    (options.batch_size, options.one_in) = (40, 2);
    options.conditions = vec!["checkers = 0".to_owned()];
    let pieces = pieces.then(|| vec![(0.0, 1.0), (16.0, 0.5), (32.0, 1.0)]);
    options.sampling =
        Some(SamplingOptions { pieces, max_skipped: 0.5, ..SamplingOptions::default() });
    options
}

#[test]
fn resumed_at_every_tenth_batch_the_rest_is_the_same() {
    let folder = Folder::new();
    for name in FILES {
        let more: &[_] =
            if name == "all.marlin" { &[(0, true), (5000, false)] } else { &[(0, false)] };
        for &(shuffle, pieces) in [(400, true)].iter().chain(more) {
            let options = options(&folder, name, shuffle, pieces);
            let mut loader = open(&options);
            let (mut states, mut all) = (vec![loader.state()], Vec::new());
            while let Some(batch) = loader.next_batch().expect("valid rows") {
                all.push(batch.rows.iter().map(key).collect::<Vec<_>>());
                states.push(loader.state());
            }
            assert!(all.len() > 10, "{name}: {}", all.len());
            let counts = loader.counts().clone();
            let later = batches(&mut loader);
            for done in (10..states.len()).step_by(10) {
                let text = serde_json::to_string(&states[done]).expect("a state");
                let state: State = serde_json::from_str(&text).expect("a state");
                let mut resumed = open(&options);
                resumed.resume(&state).expect("its own state");
                assert_eq!(resumed.state(), states[done], "{name} {shuffle} {done}");
                assert_eq!(batches(&mut resumed), all[done..], "{name} {shuffle} {done}");
                assert_eq!(*resumed.counts(), counts);
                if done == 10 {
                    assert_eq!(batches(&mut resumed), later, "{name}: the next loop");
                }
                let mut skipped = open(&options);
                assert!(skipped.skip_batches(done as u64).expect("valid rows"));
                assert_eq!(batches(&mut skipped), all[done..], "{name} {shuffle} {done}");
            }
            assert!(!open(&options).skip_batches(all.len() as u64 + 1).expect("valid rows"));
        }
    }
}

#[test]
fn a_place_has_the_counts_of_steering_if_its_loader_steers() {
    let folder = Folder::new();
    for pieces in [false, true] {
        let options = options(&folder, "all.marlin", 0, pieces);
        let mut loader = open(&options);
        loader.next_batch().expect("reads").expect("a batch");
        let mut state = loader.state();
        assert_eq!(state.place.len() > 6, pieces);
        open(&options).resume(&state).expect("its own state");
        state.place.resize(if pieces { 6 } else { 7 }, 0);
        let found = message(open(&options).resume(&state));
        assert!(found.contains("the place of the state is not one of this loader"), "{found}");
    }
}

#[test]
fn loops_of_a_number_of_batches_resume_also_at_their_end() {
    let folder = Folder::new();
    let mut options = options(&folder, "all.marlin", 400, true);
    options.batches = Some(70); // more than an epoch
    let mut loader = open(&options);
    let mut states = vec![loader.state()];
    let mut all = Vec::new();
    while let Some(batch) = loader.next_batch().expect("valid rows") {
        all.push(batch.rows.iter().map(key).collect::<Vec<_>>());
        states.push(loader.state());
    }
    let later = [(); 2].map(|()| batches(&mut loader));
    for done in [0, 9, 35, 69, 70] {
        let mut resumed = open(&options);
        resumed.resume(&states[done]).expect("its own state");
        if done < 70 {
            assert_eq!(batches(&mut resumed), all[done..], "{done}");
        }
        assert_eq!([(); 2].map(|()| batches(&mut resumed)), later, "{done}");
    }
}

#[test]
fn a_loop_that_is_left_early_is_followed_by_the_next_epoch() {
    let folder = Folder::new();
    let mut options = folder.options("all.marlin");
    options.shuffle = 1000;
    let mut whole = open(&options);
    let loops = [(); 3].map(|()| batches(&mut whole));
    let mut left = open(&options);
    left.begin_loop();
    assert!(left.next_batch().expect("valid rows").is_some());
    assert_eq!(batches(&mut left), loops[1]);
    assert_eq!((left.epoch(), batches(&mut left)), (2, loops[2].clone()));
    left.begin_loop_at(1);
    assert_eq!(batches(&mut left), loops[1]);
    left.restart();
    assert_eq!(batches(&mut left), loops[0]);
    // An endless loop ends if no epoch has a row.
    let mut none = folder.options("all.marlin");
    (none.epochs, none.conditions) = (None, vec!["piece_count > 64".to_owned()]);
    assert!(open(&none).next_batch().expect("valid rows").is_none());
}

#[test]
fn the_labels_are_those_asked_for() {
    let folder = Folder::new();
    let mut options = folder.options("games.binpack");
    let fields = |options: &Options| {
        let has = open(options).fields();
        [Field::Score, Field::Result, Field::Move, Field::Ply].map(|field| has.contains(field))
    };
    assert_eq!(fields(&options), [true, true, false, true]);
    options.labels = Some(vec![Field::Move]);
    assert_eq!(fields(&options), [false, false, true, true]);
    let batch = open(&options).next_batch().expect("valid rows").expect("rows");
    assert!(batch.rows.iter().all(|row| row.played > 0));
    options.labels = Some(Vec::new());
    options.moves = true;
    assert_eq!(fields(&options), [false, false, true, true]);
}

#[test]
fn warnings_count_the_units_that_shuffling_makes_of_blocks() {
    let folder = Folder::new();
    let games = std::fs::read(folder.path("games.binpack")).expect("a block");
    folder.write("ten.binpack", &games.repeat(10));
    for (shuffle, empty, expected) in
        [(0, 6, "there are none for 6 of the 16 shards"), (1000, 0, "")]
    {
        let open_shard = |index| {
            let shard = (index, 16);
            open(&Options { shuffle, shard, ..folder.options("ten.binpack") })
        };
        let warnings = open_shard(0).warnings().concat();
        assert!(
            warnings.contains(expected) && warnings.is_empty() == expected.is_empty(),
            "{warnings}"
        );
        let is_empty = |index: &u64| batches(&mut open_shard(*index)).is_empty();
        assert_eq!((0..16).filter(is_empty).count(), empty);
    }
}
