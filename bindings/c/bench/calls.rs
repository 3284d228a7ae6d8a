//! Measures each call of the C interface beside the same call of Rust through a kernel: `make -C bindings/c bench`.
//!
//! Both versions run alternately on the same positions, and their answers are compared first. The compiler does not
//! inline exported functions into this program, so it calls them as an engine in C does.

use std::ffi::CString;
use std::hint::black_box;
use std::time::Instant;

use setwise::legal::{Move, State};
use setwise::position::PositionKernel;
use setwise::{ByColour, Colour, Fen, Kernel, Pieces, position};
use setwise_c::{
    changes::*, feature_sets::*, inputs::*, kernel::*, legal::*, pieces::*, position::*, threats::*,
};
use setwise_nnue::position::NnueKernel;
use setwise_nnue::{FeatureSet, InputBuffers, PairFilter, SquareChange, ThreatChange, ThreatList};

/// A position, and a move in it.
#[repr(align(64))]
struct Node {
    pieces: Pieces,
    state: State,
    mailbox: [u8; 64],
    played: Move,
    /// The squares that the move changes; then these, and another piece that leaves the board.
    changes: [Vec<SquareChange>; 2],
}

impl Node {
    fn of(line: &str, choice: usize) -> Option<Self> {
        let fen = Fen::parse(line).ok()?;
        let (pieces, state) = (fen.pieces, State::from(&fen));
        let moves: Vec<_> = position::legal(&pieces, state)?.moves().collect();
        let played = *moves.get(choice % moves.len().max(1))?;
        let (changes, count) = SquareChange::of_move(&pieces, state, played);
        let mut changes = changes[..count].to_vec();
        changes.sort_by_key(|change| change.code() != 0); // the origin first
        let mailbox = pieces.codes();
        let another = mailbox.iter().enumerate().position(|(at, code)| {
            !matches!(code, 0 | 6 | 14)
                && changes.iter().all(|change| usize::from(change.square()) != at)
        });
        let mut more_changes = changes.clone();
        more_changes.extend(another.map(|at| SquareChange::remove(at as u8)));
        Some(Self { pieces, state, mailbox, played, changes: [changes, more_changes] })
    }

    /// The orthogonal sliders, the diagonal sliders, and the occupied squares.
    fn sliders(&self) -> [u64; 3] {
        let Pieces { bishops, rooks, queens, .. } = self.pieces;
        [rooks | queens, bishops | queens, self.pieces.occupied()]
    }

    /// The pieces as C's type, which has the same bytes.
    fn c_pieces(&self) -> *const setwise_pieces {
        (&raw const self.pieces).cast()
    }
}

/// The rounds, in each of which both versions process all positions.
const ROUNDS: usize = 61;

/// Compares the answers of both versions, measures them alternately, and prints the medians in nanoseconds a call.
fn row<A, B>(
    name: &str,
    nodes: &[Node],
    mut rust: impl FnMut(&Node) -> A,
    mut c: impl FnMut(&Node) -> B,
) {
    for node in nodes {
        assert_eq!(bytes_of(&rust(node)), bytes_of(&c(node)), "{name}");
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

/// The bytes of an answer. Those of C have the same bytes as Rust's.
fn bytes_of<T>(answer: &T) -> &[u8] {
    // SAFETY: the answers are integers, and arrays and structs of integers without padding.
    unsafe { std::slice::from_raw_parts(std::ptr::from_ref(answer).cast(), size_of::<T>()) }
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
    ($nodes:ident, $node:ident; $($name:expr => $rust:expr, $c:expr;)*) => {
        $(row(
            $name,
            $nodes,
            |$node| $rust,
            // SAFETY: the kernel is one of the library's, and the pointers are to what the header says.
            |$node| unsafe { $c },
        );)*
    };
}

/// The values of pieces in exchanges.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

fn one_position(rust: &PositionKernel, kernel: *const setwise_kernel, nodes: &[Node]) {
    let white = Colour::White;
    rows! {
        nodes, node;
        "sliders_attacks" => {
            let [orthogonal, diagonal, occupied] = node.sliders();
            rust.slider_attacks(orthogonal, diagonal, occupied)
        }, {
            let [orthogonal, diagonal, occupied] = node.sliders();
            setwise_sliders_attacks(kernel, orthogonal, diagonal, occupied)
        };
        "sliders_rays" => {
            let [orthogonal, diagonal, occupied] = node.sliders();
            rust.slider_rays(orthogonal, diagonal, occupied)
        }, {
            let [orthogonal, diagonal, occupied] = node.sliders();
            setwise_sliders_rays(kernel, orthogonal, diagonal, occupied)
        };
        "pieces_slider_attacks" => rust.slider_attacks_by_role(&node.pieces),
            setwise_pieces_slider_attacks(kernel, node.c_pieces());
        "pieces_attacks" => rust.attacks(&node.pieces),
            setwise_pieces_attacks(kernel, node.c_pieces());
        "pieces_attacks_by" => rust.attacks_by(&node.pieces, white, node.pieces.occupied()),
            setwise_pieces_attacks_by(kernel, node.c_pieces(), 0, node.pieces.occupied());
        "pieces_attacked" => rust.attacked(&node.pieces, white, node.pieces.occupied()),
            setwise_pieces_attacked(kernel, node.c_pieces(), 0, node.pieces.occupied());
        "pieces_see" => i32::from(rust.see(&node.pieces, node.played, &VALUES, 0)),
            setwise_pieces_see(node.c_pieces(), node.played.bits(), VALUES.as_ptr(), 0);
        "pieces_attackers" => rust.attackers(&node.pieces, white, 1 << 35, node.pieces.occupied()),
            setwise_pieces_attackers(kernel, node.c_pieces(), 0, 1 << 35, node.pieces.occupied());
        "pieces_checkers" => rust.checkers(&node.pieces, white),
            setwise_pieces_checkers(kernel, node.c_pieces(), 0);
        "pieces_pinned" => rust.pinned(&node.pieces, white),
            setwise_pieces_pinned(kernel, node.c_pieces(), 0);
        "pieces_king_danger" => rust.king_danger(&node.pieces, white),
            setwise_pieces_king_danger(kernel, node.c_pieces(), 0);
        "pieces_king_facts" => rust.king_facts(&node.pieces, white),
            setwise_pieces_king_facts(kernel, node.c_pieces(), 0);
        "pieces_both_king_facts" => rust.both_king_facts(&node.pieces),
            setwise_pieces_both_king_facts(kernel, node.c_pieces());
    }
}

fn legal_moves(rust: &PositionKernel, kernel: *const setwise_kernel, nodes: &[Node]) {
    let mut moves = [0; SETWISE_MAX_LEGAL_MOVES];
    rows! {
        nodes, node;
        "pieces_legal_count" => {
            rust.legal(&node.pieces, node.state).map_or(-1, |legal| legal.count() as i32)
        }, setwise_pieces_legal_count(kernel, node.c_pieces(), node.state.into());
        "pieces_legal_moves" => {
            let mut moves = [0; SETWISE_MAX_LEGAL_MOVES];
            let legal = rust.legal(&node.pieces, node.state);
            legal.map_or(-1, |legal| black_box(legal.write_moves(&mut moves)) as i32)
        }, {
            let (to, capacity) = (moves.as_mut_ptr(), moves.len());
            setwise_pieces_legal_moves(kernel, node.c_pieces(), node.state.into(), to, capacity)
        };
        "pieces_play" => rust.play(&node.pieces, node.state, node.played).0, {
            let (played, mut after) = (node.played.bits(), Pieces::EMPTY);
            let to = (&raw mut after).cast();
            setwise_pieces_play(kernel, node.c_pieces(), node.state.into(), played, to);
            after
        };
    }
}

/// The feature set of the calls for a network, as Rust and C name it.
fn feature_set() -> (&'static FeatureSet, *const setwise_feature_set) {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let name = CString::new(set.name()).expect("no NUL");
    // SAFETY: the name is NUL-terminated.
    (set, unsafe { setwise_feature_set_find(name.as_ptr()) })
}

fn threats(rust: &NnueKernel, kernel: *const setwise_kernel, nodes: &[Node]) {
    let mut list = ThreatList::default();
    let mut c_list = [setwise_threat::default(); SETWISE_MAX_THREATS];
    rows! {
        nodes, node;
        "pieces_threats" => {
            rust.write_threats(&node.pieces, &mut list);
            list.as_slice().len()
        }, setwise_pieces_threats(kernel, node.c_pieces(), c_list.as_mut_ptr(), c_list.len());
    }
    let mut records = [ThreatChange::default(); SETWISE_MAX_MOVE_CHANGES];
    let mut c_records = [0; SETWISE_MAX_MOVE_CHANGES];
    for (squares, of) in ["two", "three"].into_iter().enumerate() {
        rows! {
            nodes, node;
            &format!("mailbox_threat_changes ({of} squares)") => {
                let (codes, changes) = (&node.mailbox, &node.changes[squares]);
                let count = rust.threat_changes(codes, changes, &PairFilter::ALL, &mut records);
                let count = count.expect("a large buffer");
                [count, records[count / 2].bits() as usize]
            }, {
                let (changes, mut count) = (&node.changes[squares], 0);
                setwise_mailbox_threat_changes(
                    kernel,
                    node.mailbox.as_ptr(),
                    changes.as_ptr().cast(),
                    changes.len(),
                    std::ptr::null(),
                    c_records.as_mut_ptr(),
                    c_records.len(),
                    &raw mut count,
                );
                [count, c_records[count / 2] as usize]
            };
        }
    }
}

fn input_changes(rust: &NnueKernel, kernel: *const setwise_kernel, nodes: &[Node]) {
    const CAPACITY: usize = SETWISE_MAX_MOVE_INPUTS;
    let (set, c_set) = feature_set();
    let mut buffers = [[0; CAPACITY]; 4];
    let mut c_buffers = [[0; CAPACITY]; 4];
    rows! {
        nodes, node;
        "mailbox_input_changes" => {
            let [a, b, c, d] = &mut buffers;
            let to = ByColour {
                white: InputBuffers { added: a, removed: b },
                black: InputBuffers { added: c, removed: d },
            };
            let both = rust.input_changes(set, &node.mailbox, &node.changes[0], to);
            let both = both.expect("a king a side");
            [both.white.added, both.black.removed]
        }, {
            let [a, b, c, d] = c_buffers.each_mut().map(|inputs| inputs.as_mut_ptr());
            let mut sides = [(a, b), (c, d)].map(|(added, removed)| setwise_input_changes {
                added,
                removed,
                capacity: CAPACITY,
                added_count: 0,
                removed_count: 0,
                is_anew: 0,
            });
            let (mailbox, to) = (node.mailbox.as_ptr(), sides.as_mut_ptr());
            let (changes, count) = (node.changes[0].as_ptr().cast(), node.changes[0].len());
            setwise_mailbox_input_changes(kernel, mailbox, changes, count, c_set, to);
            [sides[0].added_count, sides[1].removed_count]
        };
    }
}

fn inputs(rust: &NnueKernel, kernel: *const setwise_kernel, nodes: &[Node]) {
    const CAPACITY: usize = SETWISE_MAX_INPUTS;
    let (set, c_set) = feature_set();
    let [mut white, mut black, mut c_white, mut c_black] = [[0; CAPACITY]; 4];
    rows! {
        nodes, node;
        "pieces_inputs" => {
            let to = ByColour { white: &mut white[..], black: &mut black[..] };
            let counts = rust.inputs(set, &node.pieces, to).expect("a king a side");
            [counts.white, counts.black]
        }, {
            let mut counts = [0; 2];
            let (pieces, to) = (node.c_pieces(), counts.as_mut_ptr());
            let (white, black) = (c_white.as_mut_ptr(), c_black.as_mut_ptr());
            setwise_pieces_inputs(kernel, pieces, c_set, white, black, CAPACITY, to);
            counts
        };
        "pieces_perspective_inputs" => {
            let of_black = rust.perspective_inputs(set, &node.pieces, Colour::Black, &mut black);
            of_black.expect("a king a side")
        }, {
            let (pieces, to, mut count) = (node.c_pieces(), c_black.as_mut_ptr(), 0);
            let at = &raw mut count;
            setwise_pieces_perspective_inputs(kernel, pieces, c_set, 1, to, CAPACITY, at);
            count
        };
    }
}
