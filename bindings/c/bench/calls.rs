//! Measures each call of the C interface beside the same call of Rust through a kernel: `make -C bindings/c bench`.
//!
//! This program is linked with the static library, as an engine in C is, and calls the functions of its header. Both
//! versions run alternately on the same positions, and their answers are compared first.

use std::ffi::{CString, c_char};
use std::hint::black_box;
use std::time::Instant;

use setwise::bitboard::ByDirection;
use setwise::eval::Attacks;
use setwise::legal::State;
use setwise::position::{KingFacts, SliderAttacksByRole};
use setwise::{ByColour, Colour, Fen, Kernel, Pieces, position};
use setwise_nnue::position::NnueKernel;
use setwise_nnue::{
    FeatureSet, InputBuffers, PairFilter, SquareChange, Threat, ThreatChange, ThreatList,
};

/// A kernel or a feature set of the C library.
#[repr(C)]
struct Opaque([u8; 0]);

type CKernel = *const Opaque;

/// `setwise_input_changes`.
#[repr(C)]
struct CInputChanges {
    added: *mut u32,
    removed: *mut u32,
    capacity: usize,
    added_count: usize,
    removed_count: usize,
    is_anew: u8,
}

/// `setwise_state`.
#[repr(C)]
#[derive(Clone, Copy)]
struct CState([u8; 4]);

// The functions as in `include/setwise/`. Positions and answers are Rust's types, which have the same bytes.
#[allow(improper_ctypes, reason = "the types have the layout of the header's")]
unsafe extern "C" {
    fn setwise_kernel_find(name: *const c_char) -> CKernel;
    fn setwise_feature_set_find(name: *const c_char) -> *const Opaque;
    fn setwise_sliders_attacks(kernel: CKernel, a: u64, b: u64, occupied: u64) -> u64;
    fn setwise_sliders_rays(kernel: CKernel, a: u64, b: u64, occupied: u64) -> ByDirection<u64>;
    fn setwise_pieces_slider_attacks(kernel: CKernel, of: *const Pieces) -> SliderAttacksByRole;
    fn setwise_pieces_attacks(kernel: CKernel, of: *const Pieces) -> ByColour<Attacks<u64>>;
    fn setwise_pieces_attacks_by(
        kernel: CKernel,
        of: *const Pieces,
        colour: u8,
        occupied: u64,
    ) -> Attacks<u64>;
    fn setwise_pieces_attacked(
        kernel: CKernel,
        of: *const Pieces,
        colour: u8,
        occupied: u64,
    ) -> u64;
    fn setwise_pieces_see(
        of: *const Pieces,
        played: u16,
        values: *const i32,
        threshold: i32,
    ) -> i32;
    fn setwise_pieces_attackers(
        kernel: CKernel,
        of: *const Pieces,
        colour: u8,
        targets: u64,
        occupied: u64,
    ) -> u64;
    fn setwise_pieces_checkers(kernel: CKernel, of: *const Pieces, colour: u8) -> u64;
    fn setwise_pieces_pinned(kernel: CKernel, of: *const Pieces, colour: u8) -> u64;
    fn setwise_pieces_king_danger(kernel: CKernel, of: *const Pieces, colour: u8) -> u64;
    fn setwise_pieces_king_facts(kernel: CKernel, of: *const Pieces, colour: u8) -> KingFacts;
    fn setwise_pieces_both_king_facts(kernel: CKernel, of: *const Pieces) -> ByColour<KingFacts>;
    fn setwise_pieces_legal_moves(
        kernel: CKernel,
        of: *const Pieces,
        state: CState,
        moves: *mut u16,
        capacity: usize,
    ) -> i32;
    fn setwise_pieces_legal_count(kernel: CKernel, of: *const Pieces, state: CState) -> i32;
    fn setwise_pieces_play(
        kernel: CKernel,
        of: *const Pieces,
        state: CState,
        played: u16,
        after: *mut Pieces,
    ) -> CState;
    fn setwise_pieces_threats(
        kernel: CKernel,
        of: *const Pieces,
        threats: *mut Threat,
        capacity: usize,
    ) -> usize;
    fn setwise_mailbox_threat_changes(
        kernel: CKernel,
        mailbox: *const u8,
        changes: *const SquareChange,
        change_count: usize,
        set: *const Opaque,
        records: *mut ThreatChange,
        capacity: usize,
        count: *mut usize,
    ) -> i32;
    fn setwise_mailbox_input_changes(
        kernel: CKernel,
        mailbox: *const u8,
        changes: *const SquareChange,
        change_count: usize,
        set: *const Opaque,
        sides: *mut CInputChanges,
    ) -> i32;
    fn setwise_pieces_inputs(
        kernel: CKernel,
        of: *const Pieces,
        set: *const Opaque,
        white: *mut u32,
        black: *mut u32,
        capacity: usize,
        counts: *mut usize,
    ) -> i32;
    fn setwise_pieces_perspective_inputs(
        kernel: CKernel,
        of: *const Pieces,
        set: *const Opaque,
        colour: u8,
        inputs: *mut u32,
        capacity: usize,
        count: *mut usize,
    ) -> i32;
}

/// A position, and a move in it.
#[repr(align(64))]
struct Node {
    pieces: Pieces,
    state: State,
    c_state: CState,
    mailbox: [u8; 64],
    played: setwise::legal::Move,
    /// The squares that the move changes.
    changes: Vec<SquareChange>,
    /// These, and another piece that leaves the board.
    more_changes: Vec<SquareChange>,
}

impl Node {
    fn of(line: &str, choice: usize) -> Option<Self> {
        let fen = Fen::parse(line).ok()?;
        let (pieces, state) = (fen.pieces, State::from(&fen));
        let moves: Vec<_> = position::legal(&pieces, state)?.moves().collect();
        let played = *moves.get(choice % moves.len().max(1))?;
        let (after, _) = position::play(&pieces, state, played);
        let (old, new) = (pieces.codes(), after.codes());
        let mut changes: Vec<_> = (0..64_u8)
            .filter(|&at| old[usize::from(at)] != new[usize::from(at)])
            .map(|at| SquareChange::new(at, new[usize::from(at)]))
            .collect();
        changes.sort_by_key(|change| change.code() != 0); // the origin first
        let another = old.iter().enumerate().position(|(at, code)| {
            !matches!(code, 0 | 6 | 14)
                && changes.iter().all(|change| usize::from(change.square()) != at)
        });
        let mut more_changes = changes.clone();
        more_changes.extend(another.map(|at| SquareChange::remove(at as u8)));
        let is_black = u8::from(state.turn() == Colour::Black);
        let castling = state.castling();
        let square = state.en_passant().unwrap_or(64);
        let c_state = CState([is_black, castling.white, castling.black, square]);
        Some(Self { pieces, state, c_state, mailbox: old, played, changes, more_changes })
    }
}

/// The rounds, in each of which both versions process all positions.
const ROUNDS: usize = 61;

/// Compares the answers of both versions, measures them alternately, and prints the medians in nanoseconds a call.
fn row<A: PartialEq + std::fmt::Debug>(
    name: &str,
    nodes: &[Node],
    mut rust: impl FnMut(&Node) -> A,
    mut c: impl FnMut(&Node) -> A,
) {
    for node in nodes {
        assert_eq!(rust(node), c(node), "{name}");
    }
    let mut times = [[0.0; ROUNDS]; 2];
    let [of_rust, of_c] = &mut times;
    for (rust_time, c_time) in of_rust.iter_mut().zip(of_c) {
        *rust_time = time(nodes, &mut rust);
        *c_time = time(nodes, &mut c);
    }
    let [rust, c] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    println!("| `{name}` | {rust:.1} | {c:.1} | {:.2} |", c / rust);
}

/// The nanoseconds a call takes.
#[inline(never)]
fn time<A>(nodes: &[Node], call: &mut impl FnMut(&Node) -> A) -> f64 {
    let start = Instant::now();
    for node in nodes {
        black_box(call(black_box(node)));
    }
    start.elapsed().as_nanos() as f64 / nodes.len() as f64
}

const SAMPLE: &str = include_str!("../../../data/sample.epd");

fn main() {
    let nodes: Vec<Node> =
        SAMPLE.lines().enumerate().filter_map(|(i, line)| Node::of(line, 7 * i)).collect();
    println!("{} positions; nanoseconds a call", nodes.len());
    for kernel in Kernel::available() {
        let name = kernel.backend().name();
        if std::env::args().skip(1).any(|wanted| !wanted.starts_with('-'))
            && !std::env::args().any(|wanted| wanted == name)
        {
            continue;
        }
        println!("\n{name}:\n\n| call | Rust by kernel | C | ratio |\n|---|--:|--:|--:|");
        all(kernel, &nodes);
    }
}

/// All rows of a kernel.
fn all(kernel: Kernel, nodes: &[Node]) {
    let name = CString::new(kernel.backend().name()).expect("no NUL");
    // SAFETY: the name is NUL-terminated.
    let c = unsafe { setwise_kernel_find(name.as_ptr()) };
    one_position(&kernel.position(), c, nodes);
    legal_moves(&kernel.position(), c, nodes);
    let rust = NnueKernel::of(kernel);
    threats(&rust, c, nodes);
    input_changes(&rust, c, nodes);
    inputs(&rust, c, nodes);
}

/// Times calls of Rust beside those of C.
macro_rules! rows {
    ($nodes:ident; $($name:literal: $rust:expr, $c:expr;)*) => {
        $(row($name, $nodes, $rust, |node| {
            // SAFETY: the kernel is one of the library's, and the pointers are to what the header says.
            #[allow(clippy::redundant_closure_call, reason = "the arguments are those of a row")]
            unsafe { ($c)(node) }
        });)*
    };
}

/// The values of pieces in exchanges.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

fn one_position(rust: &setwise::position::PositionKernel, kernel: CKernel, nodes: &[Node]) {
    let white = Colour::White;
    let sliders = |pieces: &Pieces| {
        let Pieces { bishops, rooks, queens, .. } = *pieces;
        (rooks | queens, bishops | queens, pieces.occupied())
    };
    rows! {
        nodes;
        "sliders_attacks": |node| {
            let (a, b, occupied) = sliders(&node.pieces);
            rust.slider_attacks(a, b, occupied)
        }, |node: &Node| {
            let (a, b, occupied) = sliders(&node.pieces);
            setwise_sliders_attacks(kernel, a, b, occupied)
        };
        "sliders_rays": |node| {
            let (a, b, occupied) = sliders(&node.pieces);
            rust.slider_rays(a, b, occupied)
        }, |node: &Node| {
            let (a, b, occupied) = sliders(&node.pieces);
            setwise_sliders_rays(kernel, a, b, occupied)
        };
        "pieces_slider_attacks": |node| rust.slider_attacks_by_role(&node.pieces),
            |node: &Node| setwise_pieces_slider_attacks(kernel, &raw const node.pieces);
        "pieces_attacks": |node| rust.attacks(&node.pieces),
            |node: &Node| setwise_pieces_attacks(kernel, &raw const node.pieces);
        "pieces_attacks_by": |node| rust.attacks_by(&node.pieces, white, node.pieces.occupied()),
            |node: &Node| {
                setwise_pieces_attacks_by(kernel, &raw const node.pieces, 0, node.pieces.occupied())
            };
        "pieces_attacked": |node| rust.attacked(&node.pieces, white, node.pieces.occupied()),
            |node: &Node| {
                setwise_pieces_attacked(kernel, &raw const node.pieces, 0, node.pieces.occupied())
            };
        "pieces_see": |node| rust.see(&node.pieces, node.played, &VALUES, 0),
            |node: &Node| {
                let played = node.played.bits();
                setwise_pieces_see(&raw const node.pieces, played, VALUES.as_ptr(), 0) != 0
            };
        "pieces_attackers": |node| {
            rust.attackers(&node.pieces, white, 1 << 35, node.pieces.occupied())
        }, |node: &Node| {
            let occupied = node.pieces.occupied();
            setwise_pieces_attackers(kernel, &raw const node.pieces, 0, 1 << 35, occupied)
        };
        "pieces_checkers": |node| rust.checkers(&node.pieces, white),
            |node: &Node| setwise_pieces_checkers(kernel, &raw const node.pieces, 0);
        "pieces_pinned": |node| rust.pinned(&node.pieces, white),
            |node: &Node| setwise_pieces_pinned(kernel, &raw const node.pieces, 0);
        "pieces_king_danger": |node| rust.king_danger(&node.pieces, white),
            |node: &Node| setwise_pieces_king_danger(kernel, &raw const node.pieces, 0);
        "pieces_king_facts": |node| rust.king_facts(&node.pieces, white),
            |node: &Node| setwise_pieces_king_facts(kernel, &raw const node.pieces, 0);
        "pieces_both_king_facts": |node| rust.both_king_facts(&node.pieces),
            |node: &Node| setwise_pieces_both_king_facts(kernel, &raw const node.pieces);
    }
}

fn legal_moves(rust: &setwise::position::PositionKernel, kernel: CKernel, nodes: &[Node]) {
    let mut moves = [0; 512];
    rows! {
        nodes;
        "pieces_legal_count": |node| {
            rust.legal(&node.pieces, node.state).map_or(-1, |legal| legal.count() as i32)
        }, |node: &Node| setwise_pieces_legal_count(kernel, &raw const node.pieces, node.c_state);
        "pieces_legal_moves": |node| {
            let mut moves = [0; 512];
            let legal = rust.legal(&node.pieces, node.state);
            legal.map_or(-1, |legal| black_box(legal.write_moves(&mut moves)) as i32)
        }, |node: &Node| {
            let (pieces, state) = (&raw const node.pieces, node.c_state);
            setwise_pieces_legal_moves(kernel, pieces, state, moves.as_mut_ptr(), moves.len())
        };
        "pieces_play": |node| rust.play(&node.pieces, node.state, node.played).0,
            |node: &Node| {
                let mut after = Pieces::EMPTY;
                let (pieces, played) = (&raw const node.pieces, node.played.bits());
                setwise_pieces_play(kernel, pieces, node.c_state, played, &raw mut after);
                after
            };
    }
}

/// The feature set of the calls for a network, as Rust and C name it.
fn feature_set() -> (&'static FeatureSet, *const Opaque) {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let name = CString::new(set.name()).expect("no NUL");
    // SAFETY: the name is NUL-terminated.
    (set, unsafe { setwise_feature_set_find(name.as_ptr()) })
}

fn threats(rust: &NnueKernel, kernel: CKernel, nodes: &[Node]) {
    let mut list = ThreatList::default();
    let mut threats = [rust.threats(&Pieces::START).as_slice()[0]; 420];
    row(
        "pieces_threats",
        nodes,
        |node| {
            rust.write_threats(&node.pieces, &mut list);
            list.as_slice().len()
        },
        |node| {
            // SAFETY: the pointers are to what the header says.
            unsafe {
                setwise_pieces_threats(kernel, &raw const node.pieces, threats.as_mut_ptr(), 420)
            }
        },
    );

    let mut records = [ThreatChange::default(); 200];
    let mut c_records = [ThreatChange::default(); 200];
    let mut by_rust = |codes: &[u8; 64], changes: &[SquareChange]| {
        let count = rust.threat_changes(codes, changes, &PairFilter::ALL, &mut records);
        let count = count.expect("a large buffer");
        (count, records[count / 2])
    };
    let mut by_c = |codes: &[u8; 64], changes: &[SquareChange]| {
        let mut count = 0;
        let (mailbox, squares) = (codes.as_ptr(), changes.len());
        let (changes, records, all) = (changes.as_ptr(), c_records.as_mut_ptr(), std::ptr::null());
        let count_at = &raw mut count;
        // SAFETY: the pointers are to what the header says.
        unsafe {
            setwise_mailbox_threat_changes(
                kernel, mailbox, changes, squares, all, records, 200, count_at,
            );
        }
        (count, c_records[count / 2])
    };
    row(
        "mailbox_threat_changes (two squares)",
        nodes,
        |node| by_rust(&node.mailbox, &node.changes),
        |node| by_c(&node.mailbox, &node.changes),
    );
    row(
        "mailbox_threat_changes (three squares)",
        nodes,
        |node| by_rust(&node.mailbox, &node.more_changes),
        |node| by_c(&node.mailbox, &node.more_changes),
    );
}

fn input_changes(rust: &NnueKernel, kernel: CKernel, nodes: &[Node]) {
    let (set, c_set) = feature_set();
    let mut buffers = [[0_u32; 272]; 4];
    let mut c_buffers = [[0_u32; 272]; 4];
    row(
        "mailbox_input_changes",
        nodes,
        |node| {
            let [a, b, c, d] = &mut buffers;
            let to = ByColour {
                white: InputBuffers { added: a, removed: b },
                black: InputBuffers { added: c, removed: d },
            };
            let both = rust.input_changes(set, &node.mailbox, &node.changes, to);
            let both = both.expect("a king a side");
            (both.white.added, both.black.removed)
        },
        |node| {
            let [a, b, c, d] = &mut c_buffers;
            let side = |added: &mut [u32; 272], removed: &mut [u32; 272]| CInputChanges {
                added: added.as_mut_ptr(),
                removed: removed.as_mut_ptr(),
                capacity: 272,
                added_count: 0,
                removed_count: 0,
                is_anew: 0,
            };
            let mut sides = [side(a, b), side(c, d)];
            let (mailbox, changes) = (node.mailbox.as_ptr(), node.changes.as_ptr());
            let (count, sides_at) = (node.changes.len(), sides.as_mut_ptr());
            // SAFETY: the pointers are to what the header says.
            unsafe {
                setwise_mailbox_input_changes(kernel, mailbox, changes, count, c_set, sides_at);
            }
            (sides[0].added_count, sides[1].removed_count)
        },
    );
}

fn inputs(rust: &NnueKernel, kernel: CKernel, nodes: &[Node]) {
    let (set, c_set) = feature_set();
    let mut inputs = [[0_u32; 888]; 2];
    let mut c_inputs = [[0_u32; 888]; 2];
    row(
        "pieces_inputs",
        nodes,
        |node| {
            let [white, black] = &mut inputs;
            let to = ByColour { white: &mut white[..], black: &mut black[..] };
            let counts = rust.inputs(set, &node.pieces, to).expect("a king a side");
            [counts.white, counts.black]
        },
        |node| {
            let mut counts = [0; 2];
            let [white, black] = c_inputs.each_mut().map(|side| side.as_mut_ptr());
            let (pieces, counts_at) = (&raw const node.pieces, counts.as_mut_ptr());
            // SAFETY: the pointers are to what the header says.
            unsafe { setwise_pieces_inputs(kernel, pieces, c_set, white, black, 888, counts_at) };
            counts
        },
    );
    let ([own, _], [c_own, _]) = (&mut inputs, &mut c_inputs);
    row(
        "pieces_perspective_inputs",
        nodes,
        |node| {
            let of_black = rust.perspective_inputs(set, &node.pieces, Colour::Black, &mut own[..]);
            of_black.expect("a king a side")
        },
        |node| {
            let mut count = 0;
            let (pieces, to) = (&raw const node.pieces, c_own.as_mut_ptr());
            let count_at = &raw mut count;
            // SAFETY: the pointers are to what the header says.
            unsafe {
                setwise_pieces_perspective_inputs(kernel, pieces, c_set, 1, to, 888, count_at);
            }
            count
        },
    );
}
