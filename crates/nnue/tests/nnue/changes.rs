//! Changes of threats and inputs by moves: compares every backend with full lists from the ray walk, along random legal
//! games of cozy-chess.

use crate::common::{Random, on_every_backend};
use crate::oracle::{expected, expected_input, expected_list, odd_set, own_sets};
use cozy_chess::{Board, Color, Piece, Square};
use setwise::legal::State;
use setwise::{ByColour, Colour, Kernel, Pieces, Role, piece_code};
use setwise_nnue::{
    BlockInputs, ChangeError, FeatureBlock, FeatureError, FeatureSet, InputBuffers, InputChanges,
    MAX_THREATS, Mirror, PairFilter, SquareChange, Threat, ThreatChange, buffer_len, position,
};
use std::mem::MaybeUninit;

on_every_backend! {
    along_games
    any_squares_of_any_board
    pairs_that_a_filter_leaves_out
    buffers_of_every_length
    squares_named_twice
    inputs_along_games
    inputs_of_any_squares
    inputs_of_one_position
    buffers_for_inputs
    errors_of_inputs
}

/// A pair with its pieces: the squares `from` and `to`, and the codes.
type Pair = [u8; 4];

/// The codes of the squares of a cozy-chess board.
fn codes_of(board: &Board) -> [u8; 64] {
    let mut codes = [0; 64];
    for square in Square::ALL {
        let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) else {
            continue;
        };
        let role = match piece {
            Piece::Pawn => 1,
            Piece::Knight => 2,
            Piece::Bishop => 3,
            Piece::Rook => 4,
            Piece::Queen => 5,
            Piece::King => 6,
        };
        codes[square as usize] = role + if color == Color::White { 0 } else { 8 };
    }
    codes
}

/// Converts codes to sets.
fn pieces_of(codes: &[u8; 64]) -> Pieces {
    let mut pieces = Pieces::EMPTY;
    for (square, &code) in codes.iter().enumerate() {
        match code {
            0 => {}
            7 => pieces.black |= 1 << square,
            _ => pieces.put(
                Colour::ALL[usize::from(code / 8)],
                Role::ALL[usize::from(code % 8 - 1)],
                square as u8,
            ),
        }
    }
    pieces
}

/// All pairs of a board, sorted.
fn pairs_of(codes: &[u8; 64]) -> Vec<Pair> {
    let with_codes = |threat: Threat| {
        let (from, to) = (threat.from(), threat.to());
        [from, to, codes[usize::from(from)], codes[usize::from(to)]]
    };
    let mut pairs: Vec<Pair> = expected(&pieces_of(codes)).into_iter().map(with_codes).collect();
    pairs.sort_unstable();
    pairs
}

/// The elements of `all` that are not in `others`; both are sorted.
fn less(all: &[Pair], others: &[Pair]) -> Vec<Pair> {
    all.iter().copied().filter(|pair| others.binary_search(pair).is_err()).collect()
}

/// Returns the squares on which two boards differ, in random order.
fn changes_between(before: &[u8; 64], after: &[u8; 64], random: &mut Random) -> Vec<SquareChange> {
    let mut changes: Vec<SquareChange> = (0..64)
        .filter(|&square| before[square] != after[square])
        .map(|square| SquareChange::new(square as u8, after[square]))
        .collect();
    for last in (1..changes.len()).rev() {
        changes.swap(last, random.below(last + 1));
    }
    changes
}

const GUARD: u32 = 0x0102_3425;

/// Returns the records, and checks that nothing is written outside a sufficient buffer.
fn records(
    kernel: Kernel,
    before: &[u8; 64],
    changes: &[SquareChange],
    filter: &PairFilter,
) -> Vec<ThreatChange> {
    let len = buffer_len(changes.len());
    let mut words = vec![ThreatChange::from_bits(GUARD); len + 16];
    let guard = words[0];
    let count = setwise_nnue::NnueKernel::of(kernel)
        .threat_changes(before, changes, filter, &mut words[8..8 + len])
        .expect("a buffer that suffices");
    assert!(words[..8].iter().chain(&words[8 + len..]).all(|&word| word == guard));
    let mut places = vec![MaybeUninit::uninit(); len];
    let again = position::threat_changes(before, changes, filter, &mut places).expect("the same");
    // SAFETY: these elements were written.
    let again: Vec<_> =
        places[..again].iter().map(|place| unsafe { place.assume_init() }).collect();
    assert_eq!(again, words[8..8 + count]);
    again
}

/// Castling with coinciding squares, and other special moves: the squares that change, each once, and the records.
#[test]
fn squares_of_moves() {
    for (fen, played, expected) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "-e1 Rf1 Kg1 -h1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "Rf1 Kg1"),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "Rf1 -h1"),
        ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", "e1f1", "-e1 Kg1"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "-a1 -b1 Kc1 Rd1"),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1", "-b1 Rd1"),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", "Kc1 Rd1"),
        ("1rk5/8/8/8/8/8/8/4K3 b b - 0 1", "c8b8", "-b8 rd8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "-d5 -e5 Pd6"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "pe3 -d4 -e4"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "-e7 Qd8"),
        ("4k3/8/8/8/8/8/3p4/5K2 b - - 0 1", "d2d1n", "nd1 -d2"),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4", "-d2 Pd4"),
        ("4k3/8/8/8/r7/8/8/R4K2 b - - 0 1", "a4a1", "ra1 -a4"),
    ] {
        let fen: setwise::Fen = fen.parse().expect("FEN");
        let (pieces, state) = (fen.pieces, State::from(&fen));
        let legal = setwise::position::legal(&pieces, state).expect("a position");
        let played = legal.moves().find(|legal| legal.to_string() == played).expect(expected);
        let (changes, count) = SquareChange::of_move(&pieces, state, played);
        let changes = &changes[..count];
        let named: Vec<String> = changes
            .iter()
            .map(|change| {
                let (file, rank) = (b'a' + change.square() % 8, b'1' + change.square() / 8);
                let piece = b"-PNBRQK??pnbrqk"[usize::from(change.code())];
                String::from_utf8(vec![piece, file, rank]).expect("ASCII")
            })
            .collect();
        assert_eq!(named.join(" "), expected, "{played} in {fen}");
        let mut after = pieces.codes();
        for change in changes {
            after[usize::from(change.square())] = change.code();
        }
        let [old, new] = [pairs_of(&pieces.codes()), pairs_of(&after)];
        for kernel in setwise::Backend::available().flat_map(Kernel::new) {
            let records = records(kernel, &pieces.codes(), changes, &PairFilter::ALL);
            assert_eq!(pairs_in(&records, false), less(&old, &new), "{played} in {fen}");
            assert_eq!(pairs_in(&records, true), less(&new, &old), "{played} in {fen}");
        }
    }
}

/// The pairs of some records, sorted.
fn pairs_in(records: &[ThreatChange], added: bool) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = records
        .iter()
        .filter(|record| record.is_added() == added)
        .map(|record| {
            let bits = record.bits();
            assert_eq!(bits & 0x70f0_c0c0, 0, "bits without a meaning in {bits:08x}");
            let [from, to, attacker, _] = bits.to_le_bytes();
            assert_eq!(record.threat(), Threat::new(from, to));
            assert_eq!(record.attacker_code(), attacker);
            assert_eq!(u32::from(record.victim_code()), bits >> 24 & 15);
            [from, to, attacker, record.victim_code()]
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Checks that the records of a whole change are exactly the difference between two full lists.
fn check(kernel: Kernel, before: &[u8; 64], after: &[u8; 64], random: &mut Random) {
    check_lists(kernel, [before, after], [&pairs_of(before), &pairs_of(after)], random);
}

fn check_lists(
    kernel: Kernel,
    [before, after]: [&[u8; 64]; 2],
    [old, new]: [&[Pair]; 2],
    random: &mut Random,
) {
    let changes = changes_between(before, after, random);
    let records = records(kernel, before, &changes, &PairFilter::ALL);
    assert_eq!(pairs_in(&records, false), less(old, new), "{before:?} {changes:?}");
    assert_eq!(pairs_in(&records, true), less(new, old), "{before:?} {changes:?}");
}

/// Changes squares one by one, in random order, and applies the records of each step to the list.
fn check_steps(
    kernel: Kernel,
    before: &[u8; 64],
    after: &[u8; 64],
    [old, new]: [&[Pair]; 2],
    random: &mut Random,
) {
    let (mut codes, mut list) = (*before, old.to_vec());
    for change in changes_between(before, after, random) {
        let records = records(kernel, &codes, &[change], &PairFilter::ALL);
        for removed in pairs_in(&records, false) {
            let place = list.binary_search(&removed).expect("a pair of the list");
            list.remove(place);
        }
        for added in pairs_in(&records, true) {
            let place = list.binary_search(&added).expect_err("a new pair");
            list.insert(place, added);
        }
        codes[usize::from(change.square())] = change.code();
    }
    assert_eq!(list, new, "{before:?} {after:?}");
}

/// Counts special moves, to check that each kind has occurred.
#[derive(Default, Debug)]
struct Census {
    moves: usize,
    captures: usize,
    promotions: usize,
    en_passant: usize,
    castling: usize,
    nulls: usize,
}

/// Plays random games, and checks making and undoing every move with each kernel.
fn play(kernels: &[Kernel], games: usize, seed: u64) -> Census {
    let mut random = Random::new(seed);
    let mut census = Census::default();
    for game in 0..games {
        let mut board = match game % 4 {
            0 => Board::default(),
            1 | 2 => Board::chess960_startpos(random.below(960) as u32),
            _ => {
                Board::double_chess960_startpos(random.below(960) as u32, random.below(960) as u32)
            }
        };
        let (mut codes, mut pairs) = (codes_of(&board), pairs_of(&codes_of(&board)));
        for _ in 0..120 {
            let mut moves = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            if moves.is_empty() {
                break;
            }
            // Prefer rare moves half of the time.
            let rare = |mv: &&cozy_chess::Move| {
                mv.promotion.is_some()
                    || board.color_on(mv.to) == Some(board.side_to_move())
                    || board.piece_on(mv.from) == Some(Piece::Pawn)
                        && mv.from.file() != mv.to.file()
            };
            let rare: Vec<_> = moves.iter().filter(rare).copied().collect();
            let from = if !rare.is_empty() && random.below(2) == 0 { &rare } else { &moves };
            let mv = from[random.below(from.len())];
            census.moves += 1;
            census.captures += usize::from(board.color_on(mv.to) == Some(!board.side_to_move()));
            census.promotions += usize::from(mv.promotion.is_some());
            census.castling += usize::from(board.color_on(mv.to) == Some(board.side_to_move()));
            census.en_passant += usize::from(
                board.piece_on(mv.from) == Some(Piece::Pawn)
                    && mv.from.file() != mv.to.file()
                    && board.piece_on(mv.to).is_none(),
            );
            if random.below(16) == 0
                && let Some(passed) = board.null_move()
            {
                census.nulls += 1;
                for &kernel in kernels {
                    check_lists(kernel, [&codes, &codes_of(&passed)], [&pairs; 2], &mut random);
                }
            }
            board.play(mv);
            let after = codes_of(&board);
            let new = pairs_of(&after);
            for &kernel in kernels {
                check_lists(kernel, [&codes, &after], [&pairs, &new], &mut random);
                check_lists(kernel, [&after, &codes], [&new, &pairs], &mut random);
                check_steps(kernel, &codes, &after, [&pairs, &new], &mut random);
            }
            (codes, pairs) = (after, new);
        }
    }
    census
}

fn along_games(kernel: Kernel) {
    let Census { moves, captures, promotions, en_passant, castling, nulls } =
        play(&[kernel], 60, 31);
    let counts = [moves / 100, captures / 50, promotions, en_passant, castling, nulls / 10];
    assert!(counts.into_iter().all(|count| count >= 5), "{counts:?}");
}

/// Tests all backends together, because the expected lists take most of the time.
#[test]
#[ignore = "ten thousand games, a minute"]
fn along_ten_thousand_games() {
    let kernels: Vec<Kernel> = setwise::Backend::available().flat_map(Kernel::new).collect();
    let play_some = |seed| play(&kernels, 2500, seed);
    std::thread::scope(|scope| {
        for seed in 32..36 {
            scope.spawn(move || play_some(seed));
        }
    });
}

/// A random board that need not be legal, including occupied squares without a role.
fn random_codes(random: &mut Random) -> [u8; 64] {
    let (crowd, kinds) = (random.below(9), 1 + random.below(14));
    let mut codes = [0; 64];
    for code in &mut codes {
        if random.below(8) < crowd {
            *code = CODES[(random.below(kinds) + crowd) % CODES.len()];
        }
    }
    codes
}

const CODES: [u8; 13] = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14];

fn any_squares_of_any_board(kernel: Kernel) {
    let mut random = Random::new(33);
    for round in 0..3000 {
        let before = random_codes(&mut random);
        let mut after = before;
        for _ in 0..random.below(if round % 8 == 0 { 64 } else { 6 }) {
            after[random.below(64)] =
                if random.below(2) == 0 { 0 } else { CODES[random.below(CODES.len())] };
        }
        check(kernel, &before, &after, &mut random);
        let (old, new) = (pairs_of(&before), pairs_of(&after));
        check_steps(kernel, &before, &after, [&old, &new], &mut random);
        // Squares may also keep their contents.
        let mut changes = changes_between(&before, &after, &mut random);
        let expected = records(kernel, &before, &changes, &PairFilter::ALL);
        let same: Vec<u8> = (0..64)
            .filter(|&square| before[usize::from(square)] == after[usize::from(square)])
            .collect();
        for &square in same.iter().take(random.below(4)) {
            let place = random.below(changes.len() + 1);
            changes.insert(place, SquareChange::new(square, before[usize::from(square)]));
        }
        assert_eq!(records(kernel, &before, &changes, &PairFilter::ALL), expected);
    }
    // Remove all queens from a full board, then add them all.
    let (queens, nothing) = ([5; 64], [0; 64]);
    check(kernel, &queens, &nothing, &mut random);
    check(kernel, &nothing, &queens, &mut random);
    check(kernel, &queens, &[13; 64], &mut random);
    let all = changes_between(&queens, &[13; 64], &mut random);
    assert_eq!(records(kernel, &queens, &all, &PairFilter::ALL).len(), 2 * MAX_THREATS);
    assert_eq!(buffer_len(64), 2 * MAX_THREATS + 8);
}

/// Every backend returns the same records in the same order, with and without a filter.
fn pairs_that_a_filter_leaves_out(kernel: Kernel) {
    let mut random = Random::new(34);
    let scalar = Kernel::new(setwise::Backend::Scalar).expect("it is always there");
    for round in 0..2000 {
        let before = random_codes(&mut random);
        let mut after = random_codes(&mut random);
        for square in 0..64 {
            if random.below(20) != 0 {
                after[square] = before[square];
            }
        }
        let changes = changes_between(&before, &after, &mut random);
        let all = records(kernel, &before, &changes, &PairFilter::ALL);
        assert_eq!(all, records(scalar, &before, &changes, &PairFilter::ALL));
        let victims = [(); 16].map(|()| random.next() as u16);
        let own = PairFilter::new(victims);
        let filter = match round % 4 {
            0 => FeatureSet::STOCKFISH_THREATS_2026_08.pair_filter(),
            1 => FeatureSet::STOCKFISH_THREATS_2025_11.pair_filter(),
            _ => &own,
        };
        for (attacker, &victims) in victims.iter().enumerate() {
            for victim in 0..16 {
                let counts = CODES.contains(&victim)
                    && CODES.contains(&(attacker as u8))
                    && attacker != 7
                    && victims >> victim & 1 == 1;
                assert_eq!(own.has(attacker as u8, victim), counts, "{attacker} {victim}");
            }
        }
        let expected: Vec<ThreatChange> = all
            .into_iter()
            .filter(|record| filter.has(record.attacker_code(), record.victim_code()))
            .collect();
        assert_eq!(records(kernel, &before, &changes, filter), expected, "{before:?} {changes:?}");
    }
}

/// Pairs that a set's filter excludes never have an input; pairs that it includes have one on some squares.
#[test]
fn filters_of_feature_sets() {
    for set in [&FeatureSet::STOCKFISH_THREATS_2025_11, &FeatureSet::NNUE_PYTORCH_2026_07] {
        let BlockInputs::Threats(table) = set.blocks()[0].inputs else { panic!("no threats") };
        for attacker in CODES.into_iter().filter(|&code| code != 7) {
            for victim in CODES.into_iter().filter(|&code| code != 7) {
                // In the middle of the board, every piece can attack. Both directions are tried, because some pairs
                // count once.
                let any = [(27, 36), (36, 27), (27, 28), (27, 44), (44, 27), (27, 34), (34, 27)];
                let has = any.into_iter().any(|(from, to)| {
                    let mut codes = [0; 64];
                    (codes[from], codes[to]) = (attacker, victim);
                    let threat = Threat::new(from as u8, to as u8);
                    let pieces = pieces_of(&codes);
                    Colour::ALL
                        .into_iter()
                        .any(|side| expected_input(&table, &pieces, side, 4, threat).is_some())
                });
                assert_eq!(set.pair_filter().has(attacker, victim), has, "{attacker} {victim}");
            }
        }
        assert!(!set.pair_filter().has(piece_code(Colour::White, Role::Queen), 7));
    }
}

fn buffers_of_every_length(kernel: Kernel) {
    let mut random = Random::new(35);
    let guard = ThreatChange::from_bits(GUARD);
    for _ in 0..40 {
        let before = random_codes(&mut random);
        let mut after = before;
        for _ in 0..1 + random.below(3) {
            after[random.below(64)] = CODES[random.below(CODES.len())];
        }
        let changes = changes_between(&before, &after, &mut random);
        let expected = records(kernel, &before, &changes, &PairFilter::ALL);
        let needed = expected.len();
        for len in 0..=buffer_len(changes.len()) {
            let mut words = vec![guard; len + 16];
            let result = setwise_nnue::NnueKernel::of(kernel).threat_changes(
                &before,
                &changes,
                &PairFilter::ALL,
                &mut words[8..8 + len],
            );
            let (inside, outside) = (&words[8..8 + len], [&words[..8], &words[8 + len..]]);
            assert!(outside.into_iter().flatten().all(|&word| word == guard), "{len}");
            if len < needed {
                let (len, needed) = (len as u16, needed as u16);
                assert_eq!(result, Err(ChangeError::Buffer { len, needed }));
                assert!(inside.iter().all(|&word| word == guard), "{len}");
            } else {
                assert_eq!(result, Ok(needed));
                assert_eq!(inside[..needed], expected);
            }
        }
    }
    let error = ChangeError::Buffer { len: 3, needed: 5 };
    assert_eq!(error.to_string(), "the buffer has 3 records, but 5 are needed");
}

fn squares_named_twice(kernel: Kernel) {
    let guard = ThreatChange::from_bits(GUARD);
    let mut buffer = [guard; buffer_len(3)];
    let codes = Pieces::START.codes();
    let [off, other, on] =
        [SquareChange::remove(9), SquareChange::new(63, 3), SquareChange::new(9, 1)];
    for changes in [&[off, on][..], &[off, other, on]] {
        let result = setwise_nnue::NnueKernel::of(kernel).threat_changes(
            &codes,
            changes,
            &PairFilter::ALL,
            &mut buffer,
        );
        assert_eq!(result, Err(ChangeError::Twice(9)));
        assert_eq!(result.expect_err("twice").to_string(), "square 9 changes twice");
        assert!(buffer.iter().all(|&word| word == guard));
    }
}

#[test]
fn codes_of_positions() {
    let mut random = Random::new(36);
    for _ in 0..500 {
        let codes = random_codes(&mut random);
        assert_eq!(pieces_of(&codes).codes(), codes);
        // A square with several pieces has the code of the piece that `at` returns.
        let pieces = Pieces::from_sets(Pieces::EMPTY.sets().map(|_| random.board()));
        for (square, code) in pieces.codes().into_iter().enumerate() {
            let expected = match pieces.at(square as u8) {
                Some((colour, role)) => piece_code(colour, role),
                None => 7 * u8::from(pieces.occupied() >> square & 1 == 1),
            };
            assert_eq!(code, expected, "{square} {pieces:x?}");
        }
    }
}

#[test]
fn records_as_numbers() {
    for bits in [0x8e0f_3f06_u32, 0x0102_0304, 0x8102_0304] {
        let record = ThreatChange::from_bits(bits);
        assert_eq!(record.bits(), bits);
        assert_eq!(ThreatChange::from_bits(bits | 0x70f0_c0c0), record);
        assert_eq!(record.is_added(), bits >> 31 == 1);
    }
    let record = ThreatChange::from_bits(0x8e05_1b0c);
    assert_eq!(record.attacker(), Some((Colour::White, Role::Queen)));
    assert_eq!(record.victim(), Some((Colour::Black, Role::King)));
    assert_eq!(record.to_string(), "+e2-d4");
    assert_eq!(ThreatChange::from_bits(0x0705_1b0c).victim(), None);
}

/// Computes the inputs of a side by the formulas, in the order of the lists.
fn inputs_by_formula(set: &FeatureSet, codes: &[u8; 64], colour: Colour) -> Vec<u32> {
    let pieces = pieces_of(codes);
    let king = codes.iter().position(|&code| code == piece_code(colour, Role::King));
    let king = king.expect("a king") as u8;
    expected_list(set, &pieces, colour, king)
}

/// Updated lists equal lists computed from scratch, after each move is made and undone.
fn inputs_along_games(kernel: Kernel) {
    let mut random = Random::new(41);
    let odd = [odd_set(Mirror::KingToFilesEToH), odd_set(Mirror::Never)];
    let own = own_sets();
    let sets: Vec<&FeatureSet> = FeatureSet::ALL.iter().copied().chain(&odd).chain(&own).collect();
    let mut anew = [0; 2];
    for game in 0..2 * sets.len() {
        let set = sets[game % sets.len()];
        let mut board = Board::chess960_startpos(random.below(960) as u32);
        let mut codes = codes_of(&board);
        let mut lists = Colour::ALL.map(|colour| inputs_by_formula(set, &codes, colour));
        lists.iter_mut().for_each(|list| list.sort_unstable());
        for _ in 0..60 {
            let mut moves = Vec::new();
            board.generate_moves(|some| {
                moves.extend(some);
                false
            });
            if moves.is_empty() {
                break;
            }
            board.play(moves[random.below(moves.len())]);
            let after = codes_of(&board);
            let mut new = Colour::ALL.map(|colour| inputs_by_formula(set, &after, colour));
            new.iter_mut().for_each(|list| list.sort_unstable());
            for (before, after, old, new) in
                [(&codes, &after, &lists, &new), (&after, &codes, &new, &lists)]
            {
                let changes = changes_between(before, after, &mut random);
                let mut buffers = [(); 4].map(|()| vec![u32::MAX; set.changes_len(changes.len())]);
                let [a, b, c, d] = &mut buffers;
                let counts = setwise_nnue::NnueKernel::of(kernel)
                    .input_changes(
                        set,
                        before,
                        &changes,
                        ByColour {
                            white: InputBuffers { added: a, removed: b },
                            black: InputBuffers { added: c, removed: d },
                        },
                    )
                    .expect("a king a side");
                for (side, colour) in Colour::ALL.into_iter().enumerate() {
                    let InputChanges { added, removed, is_anew } = counts[colour];
                    let [king, to] = [before, after].map(|codes| {
                        let own = piece_code(colour, Role::King);
                        codes.iter().position(|&code| code == own).expect("a king")
                    });
                    let other = |block: &FeatureBlock| is_other(block, colour, king, to);
                    assert_eq!(is_anew, set.blocks().iter().any(other));
                    if is_anew {
                        assert_eq!((added, removed), (0, 0));
                        anew[side] += 1;
                        continue;
                    }
                    let mut list = old[side].clone();
                    for gone in &buffers[2 * side + 1][..removed] {
                        let place = list.binary_search(gone).expect("an input of the list");
                        list.remove(place);
                    }
                    list.extend(&buffers[2 * side][..added]);
                    list.sort_unstable();
                    assert_eq!(list, new[side], "{colour:?} {before:?} {changes:?}");
                    // The same changes from stored records.
                    let all = records(kernel, before, &changes, &PairFilter::ALL);
                    let view = set.perspective(&pieces_of(after), colour).expect("a king");
                    let (mut new, mut gone) = (vec![0_u32; all.len()], vec![0_u32; all.len()]);
                    let counts = view.input_changes(&all, &mut new, &mut gone).expect("space");
                    let mut places =
                        [(); 2].map(|()| vec![MaybeUninit::<u32>::uninit(); all.len()]);
                    let [to_new, to_gone] = &mut places;
                    assert_eq!(view.input_changes(&all, to_new, to_gone).expect("space"), counts);
                    for (places, (values, count)) in
                        places.iter().zip([(&new, counts[0]), (&gone, counts[1])])
                    {
                        // SAFETY: these elements were written.
                        let written =
                            places[..count].iter().map(|place| unsafe { place.assume_init() });
                        assert!(written.eq(values[..count].iter().copied()));
                    }
                    if set.blocks().iter().all(is_of_threats) {
                        assert_eq!(counts, [added, removed]);
                    }
                    // In sets with other blocks, the changes of threats come first.
                    assert_eq!(new[..counts[0]], buffers[2 * side][..counts[0]]);
                    assert_eq!(gone[..counts[1]], buffers[2 * side + 1][..counts[1]]);
                }
            }
            (codes, lists) = (after, new);
        }
    }
    assert!(anew.into_iter().all(|count| count > 10), "{anew:?}");
}

fn is_of_threats(block: &FeatureBlock) -> bool {
    matches!(block.inputs, BlockInputs::Threats(_))
}

/// Returns whether a block's inputs change when a king moves from one square to another.
fn is_other(block: &FeatureBlock, colour: Colour, from: usize, to: usize) -> bool {
    let crossed = from % 8 / 4 != to % 8 / 4;
    match block.inputs {
        BlockInputs::Threats(table) => crossed && table.mirror != Mirror::Never,
        BlockInputs::PawnPairs(table) => crossed && table.mirror != Mirror::Never,
        BlockInputs::PieceSquare(table) => {
            let bucket = |square: usize| {
                let (file, rank) = (square % 8, square / 8);
                let file = match table.mirror {
                    Mirror::KingToFilesAToD => file.min(7 - file),
                    Mirror::KingToFilesEToH => file.max(7 - file),
                    _ => file,
                };
                table.buckets[file + 8 * if colour == Colour::White { rank } else { 7 - rank }]
            };
            (crossed && table.mirror != Mirror::Never) || bucket(from) != bucket(to)
        }
        _ => unreachable!("there is no other block"),
    }
}

/// For any changes on any board, applying the changes of all blocks to one list yields the other.
fn inputs_of_any_squares(kernel: Kernel) {
    let mut random = Random::new(44);
    let own = own_sets();
    for set in FeatureSet::ALL.iter().copied().chain(&own) {
        for _ in 0..60 {
            let before = with_kings(&mut random);
            let mut after = before;
            for _ in 0..1 + random.below(8) {
                let square = random.below(64);
                if before[square] % 8 != 6 {
                    let code = CODES[random.below(CODES.len())];
                    after[square] = if code % 8 == 6 { 0 } else { code };
                }
            }
            let mut changes = changes_between(&before, &after, &mut random);
            // Include a square that keeps its contents.
            let same = (0..64).find(|&square| before[square] == after[square]).expect("a king");
            changes.push(SquareChange::new(same as u8, before[same]));
            let mut buffers = [(); 4].map(|()| vec![u32::MAX; set.changes_len(changes.len())]);
            let [a, b, c, d] = &mut buffers;
            let to = ByColour {
                white: InputBuffers { added: a, removed: b },
                black: InputBuffers { added: c, removed: d },
            };
            let counts =
                setwise_nnue::NnueKernel::of(kernel).input_changes(set, &before, &changes, to);
            let counts = counts.expect("a king a side");
            for (side, colour) in Colour::ALL.into_iter().enumerate() {
                let mut list = inputs_by_formula(set, &before, colour);
                for gone in &buffers[2 * side + 1][..counts[colour].removed] {
                    let place = list.iter().position(|input| input == gone);
                    list.swap_remove(place.expect("an input of the list"));
                }
                list.extend(&buffers[2 * side][..counts[colour].added]);
                let mut right = inputs_by_formula(set, &after, colour);
                list.sort_unstable();
                right.sort_unstable();
                assert_eq!(list, right, "{} {colour:?} {before:?} {changes:?}", set.name());
            }
        }
    }
}

/// A random board that need not be legal, with one king per side.
fn with_kings(random: &mut Random) -> [u8; 64] {
    let mut codes = random_codes(random).map(|code| if code % 8 == 6 { code - 1 } else { code });
    let white = random.below(64);
    codes[white] = 6;
    codes[(white + 1 + random.below(63)) % 64] = 14;
    codes
}

fn inputs_of_one_position(kernel: Kernel) {
    let mut random = Random::new(42);
    let own = own_sets();
    let odd = odd_set(Mirror::KingToFilesEToH);
    for set in FeatureSet::ALL.iter().copied().chain([&odd]).chain(&own) {
        for _ in 0..80 {
            let codes = with_kings(&mut random);
            let right = Colour::ALL.map(|colour| inputs_by_formula(set, &codes, colour));
            let lens = right.each_ref().map(Vec::len);
            let pieces = pieces_of(&codes);
            // Buffers of the exact length, of the length for direct writes, longer, and one shorter.
            for width in [
                lens,
                [set.buffer_len(); 2],
                [lens[0], set.buffer_len() + 8],
                [set.buffer_len() - 1, lens[1]],
            ] {
                let mut sides = width.map(|width| vec![GUARD; width + 16]);
                let [white, black] = &mut sides;
                let to = ByColour {
                    white: &mut white[8..8 + width[0]],
                    black: &mut black[8..8 + width[1]],
                };
                let counts = setwise_nnue::NnueKernel::of(kernel)
                    .inputs(set, &pieces, to)
                    .expect("wide enough");
                for (side, colour) in Colour::ALL.into_iter().enumerate() {
                    assert_eq!(sides[side][8..8 + counts[colour]], right[side], "{codes:?}");
                    // The same from one perspective alone.
                    let mut alone = vec![GUARD; width[side] + 16];
                    let to = &mut alone[8..8 + width[side]];
                    let count = setwise_nnue::NnueKernel::of(kernel)
                        .perspective_inputs(set, &pieces, colour, to)
                        .expect("wide enough");
                    assert_eq!(alone[8..8 + count], right[side], "{codes:?}");
                    let (front, back) = (&alone[..8], &alone[8 + width[side]..]);
                    assert!(front.iter().chain(back).all(|&word| word == GUARD));
                    let (front, back) = (&sides[side][..8], &sides[side][8 + width[side]..]);
                    assert!(front.iter().chain(back).all(|&word| word == GUARD));
                }
            }
            for (side, colour) in Colour::ALL.into_iter().enumerate() {
                let Some(few) = lens[side].checked_sub(1) else { continue };
                let mut width = lens;
                width[side] = few;
                let mut sides = width.map(|width| vec![GUARD as i32; width]);
                let [white, black] = &mut sides;
                let error = FeatureError::Width { row: 0, colour, inputs: lens[side], width: few };
                let result = setwise_nnue::NnueKernel::of(kernel).inputs(
                    set,
                    &pieces,
                    ByColour { white, black },
                );
                assert_eq!(result, Err(error));
                assert!(sides.iter().flatten().all(|&word| word == GUARD as i32));
                let result = setwise_nnue::NnueKernel::of(kernel).perspective_inputs(
                    set,
                    &pieces,
                    colour,
                    &mut sides[side],
                );
                assert_eq!(result, Err(error));
                assert!(sides.iter().flatten().all(|&word| word == GUARD as i32));
            }
        }
    }
    // On squares with several pieces, the first counts.
    let mut crowded = Pieces::START;
    crowded.rooks |= 0xff00;
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let mut lists = [[[0_u16; MAX_THREATS + 32]; 2]; 2];
    let counts = [Pieces::START, crowded].map(|pieces| {
        let [white, black] = &mut lists[usize::from(pieces.rooks != Pieces::START.rooks)];
        setwise_nnue::NnueKernel::of(kernel)
            .inputs(set, &pieces, ByColour { white, black })
            .expect("a king a side")
    });
    assert_eq!(counts[0], counts[1]);
    assert_eq!(lists[0][0][..counts[0].white], lists[1][0][..counts[0].white]);
}

fn buffers_for_inputs(kernel: Kernel) {
    let mut random = Random::new(43);
    let sets = [&FeatureSet::STOCKFISH_THREATS_2025_11, &FeatureSet::NNUE_PYTORCH_2026_07];
    for set in sets.into_iter().cycle().take(120) {
        let before = with_kings(&mut random);
        let mut after = before;
        for _ in 0..1 + random.below(6) {
            let square = random.below(64);
            if before[square] % 8 != 6 {
                after[square] = CODES[random.below(5)];
            }
        }
        let changes = changes_between(&before, &after, &mut random);
        let ask = |changes: &[SquareChange], [a, b, c, d]: [&mut [i32]; 4]| {
            setwise_nnue::NnueKernel::of(kernel).input_changes(
                set,
                &before,
                changes,
                ByColour {
                    white: InputBuffers { added: a, removed: b },
                    black: InputBuffers { added: c, removed: d },
                },
            )
        };
        let mut large = [(); 4].map(|()| vec![-1; set.changes_len(changes.len())]);
        let counts = ask(&changes, large.each_mut().map(|list| &mut list[..]));
        let counts = counts.expect("large buffers");
        let lens = [counts.white, counts.black].map(|side| [side.added, side.removed]).concat();
        // A square that keeps its piece adds and removes nothing.
        let kept = (0..64).find(|&at| before[at] != 0 && before[at] == after[at]).expect("a king");
        let kept = [&changes[..], &[SquareChange::new(kept as u8, before[kept])]].concat();
        let mut same = [(); 4].map(|()| vec![-1; set.changes_len(kept.len())]);
        assert_eq!(ask(&kept, same.each_mut().map(|list| &mut list[..])), Ok(counts));
        for (i, len) in lens.iter().copied().enumerate() {
            assert_eq!(same[i][..len], large[i][..len]);
        }
        for few in 0..=4 {
            // One buffer is short, and the others are large or just long enough.
            let is_short = few < 4 && lens[few] > 0;
            let spare = if is_short { random.below(2) * large[0].len() } else { 0 };
            let mut guarded = [0, 1, 2, 3].map(|i| {
                let len = if i == few { lens[i].saturating_sub(1) } else { lens[i] + spare };
                vec![GUARD as i32; 16 + len]
            });
            let result = ask(
                &changes,
                guarded.each_mut().map(|list| {
                    let end = list.len() - 8;
                    &mut list[8..end]
                }),
            );
            if is_short {
                let colour = Colour::ALL[few / 2];
                let needed = [lens[few / 2 * 2], lens[few / 2 * 2 + 1]];
                assert_eq!(result, Err(FeatureError::Changes { colour, needed }));
                assert!(guarded.iter().flatten().all(|&word| word == GUARD as i32));
            } else {
                assert_eq!(result, Ok(counts));
                for (list, (large, &len)) in guarded.iter().zip(large.iter().zip(&lens)) {
                    assert_eq!(list[8..8 + len], large[..len]);
                    assert!(list[..8].iter().chain(&list[8 + len..]).all(|&w| w == GUARD as i32));
                }
            }
        }
    }
}

fn errors_of_inputs(kernel: Kernel) {
    let codes = Pieces::START.codes();
    let ask = |set: &FeatureSet, codes: &[u8; 64], changes: &[SquareChange]| {
        let mut buffers = [[GUARD as u16; buffer_len(3)]; 4];
        let [a, b, c, d] = &mut buffers;
        let result = setwise_nnue::NnueKernel::of(kernel).input_changes(
            set,
            codes,
            changes,
            ByColour {
                white: InputBuffers { added: a, removed: b },
                black: InputBuffers { added: c, removed: d },
            },
        );
        assert!(buffers.iter().flatten().all(|&word| word == GUARD as u16));
        result.expect_err("an error")
    };
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let kings = |colour, kings| FeatureError::Kings { row: 0, colour, kings };
    assert_eq!(ask(set, &codes, &[SquareChange::remove(60)]), kings(Colour::Black, 0));
    let second = SquareChange::put(30, Colour::White, Role::King);
    assert_eq!(ask(set, &codes, &[second]), kings(Colour::White, 2));
    let mut none = codes;
    none[4] = 5;
    assert_eq!(ask(set, &none, &[second]), kings(Colour::White, 0));
    let twice = [SquareChange::remove(8), SquareChange::remove(8)];
    let error = ask(set, &codes, &twice);
    assert_eq!(error, FeatureError::Squares(ChangeError::Twice(8)));
    assert_eq!(error.to_string(), "square 8 changes twice");
    let wide = &FeatureSet::STOCKFISH_THREATS_2025_11;
    let error = ask(wide, &codes, &[SquareChange::remove(8)]);
    let numbers = FeatureError::Numbers(wide.inputs());
    assert_eq!(error, numbers);
    let mut narrow = [[0_u16; 64]; 2];
    let [white, black] = &mut narrow;
    let result = setwise_nnue::NnueKernel::of(kernel).inputs(
        wide,
        &Pieces::START,
        ByColour { white, black },
    );
    assert_eq!(result, Err(numbers));
    let kernel = setwise_nnue::NnueKernel::of(kernel);
    let result = kernel.perspective_inputs(wide, &Pieces::START, Colour::White, &mut narrow[0]);
    assert_eq!(result, Err(numbers));
    let mut one_king = Pieces::START;
    one_king.kings &= one_king.white;
    for colour in Colour::ALL {
        let result = kernel.perspective_inputs(set, &one_king, colour, &mut narrow[0]);
        let row = FeatureError::Kings { row: 0, colour: Colour::Black, kings: 0 };
        assert_eq!(result, Err(row));
    }
}
