//! Threats, listed as in today's trainers and engines: by a loop over pieces with a lookup per piece.
//!
//! The indices of inputs are the sums of two table entries, as in Stockfish: one table is indexed by attacker, victim
//! and the order of their squares, the other by attacker and both squares.

use std::sync::LazyLock;

use cozy_chess::{
    BitBoard, Color, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use setwise::{Colour, Pieces, Role};
use setwise_nnue::{FeatureSet, Threat};

/// A buffer for the pairs of a position. Its length is a power of two, larger than needed, to avoid bounds checks.
pub type Buffer = [u16; 512];

/// Calls a function for every pair, with the attacker's colour and role and both squares.
#[inline(always)]
fn each_pair(pieces: &Pieces, mut call: impl FnMut(Color, Role, u8, u8)) {
    let occupied = BitBoard(pieces.white | pieces.black);
    for (colour, own) in [(Color::White, pieces.white), (Color::Black, pieces.black)] {
        let mut each = |role: Role, set: u64, attacks: &dyn Fn(Square) -> BitBoard| {
            for from in BitBoard(set & own) {
                for to in attacks(from) & occupied {
                    call(colour, role, from as u8, to as u8);
                }
            }
        };
        each(Role::Pawn, pieces.pawns, &|square| get_pawn_attacks(square, colour));
        each(Role::Knight, pieces.knights, &get_knight_moves);
        each(Role::Bishop, pieces.bishops, &|square| get_bishop_moves(square, occupied));
        each(Role::Rook, pieces.rooks, &|square| get_rook_moves(square, occupied));
        each(Role::Queen, pieces.queens, &|square| {
            get_rook_moves(square, occupied) | get_bishop_moves(square, occupied)
        });
        each(Role::King, pieces.kings, &get_king_moves);
    }
}

/// Lists the pairs of a position, piece by piece, by cozy-chess's magics.
#[inline(always)]
pub fn magic(pieces: &Pieces, buffer: &mut Buffer) -> usize {
    let mut len = 0;
    each_pair(pieces, |_, _, from, to| {
        buffer[len & 511] = u16::from(from) | u16::from(to) << 8;
        len += 1;
    });
    len
}

/// The piece on each square, as 6 times the colour plus the role, or 12 for an empty square.
#[inline(always)]
fn mailbox(pieces: &Pieces) -> [u8; 64] {
    let mut mailbox = [12; 64];
    for (colour, own) in [pieces.white, pieces.black].into_iter().enumerate() {
        for (role, set) in pieces.sets()[..6].iter().enumerate() {
            for square in BitBoard(set & own) {
                mailbox[square as usize] = (6 * colour + role) as u8;
            }
        }
    }
    mailbox
}

/// The tables of a feature set.
pub struct Inputs {
    /// The first index by attacker, victim, and order of squares; `NONE` for pairs without an input.
    pieces: [[[u32; 2]; 12]; 12],
    /// The index within it by attacker and squares.
    squares: Box<[[[u16; 64]; 64]; 12]>,
}

const NONE: u32 = u32::MAX;

/// The tables of Stockfish's feature set of August 2026.
pub static INPUTS: LazyLock<Inputs> = LazyLock::new(|| {
    let view = FeatureSet::STOCKFISH_THREATS_2026_08.seen_from(Colour::White, 0);
    let mut inputs = Inputs {
        pieces: [[[NONE; 2]; 12]; 12],
        squares: vec![[[0; 64]; 64]; 12].into_boxed_slice().try_into().expect("twelve pieces"),
    };
    let piece = |at: usize| (Colour::ALL[at / 6], Role::ALL[at % 6]);
    let pairs = || (0..64).flat_map(|from| (0..64).map(move |to| Threat::new(from, to)));
    for attacker in 0..12 {
        let input = |victim, pair| view.input_of(piece(attacker), pair, piece(victim));
        // A victim of another role has inputs for every pair of squares or for none.
        let victims = (0..12).filter(|victim| victim % 6 != attacker % 6);
        let other =
            victims.max_by_key(|&victim| pairs().filter_map(|pair| input(victim, pair)).count());
        let other = other.expect("there are other roles");
        let Some(lowest) = pairs().filter_map(|pair| input(other, pair)).min() else { continue };
        for pair in pairs() {
            let Some(place) = input(other, pair).map(|input| input - lowest) else { continue };
            let lower = usize::from(pair.from() < pair.to());
            inputs.squares[attacker][usize::from(pair.from())][usize::from(pair.to())] =
                place as u16;
            for victim in 0..12 {
                if let Some(input) = input(victim, pair) {
                    inputs.pieces[attacker][victim][lower] = input - place;
                }
            }
        }
    }
    inputs
});

/// The orientation of a perspective: the bits to flip in squares, and whether to swap colours.
#[derive(Clone, Copy)]
struct View {
    flip: u8,
    swap: bool,
}

impl View {
    #[inline(always)]
    fn of(pieces: &Pieces, colour: Colour) -> Self {
        let king = pieces.of(colour, Role::King).trailing_zeros() as u8;
        let mirror = if king & 4 == 0 { 0 } else { 7 };
        Self {
            flip: mirror ^ if colour == Colour::Black { 56 } else { 0 },
            swap: colour == Colour::Black,
        }
    }
}

impl Inputs {
    #[inline(always)]
    fn input(&self, view: View, attacker: usize, victim: usize, from: u8, to: u8) -> u32 {
        let swapped = |piece: usize| if view.swap { (piece + 6) % 12 } else { piece };
        let (attacker, victim) = (swapped(attacker), swapped(victim));
        let (from, to) = (usize::from((from ^ view.flip) & 63), usize::from((to ^ view.flip) & 63));
        let base = self.pieces[attacker][victim][usize::from(from < to)];
        if base == NONE { NONE } else { base + u32::from(self.squares[attacker][from][to]) }
    }

    /// Calls a function with the inputs of one perspective.
    #[inline(always)]
    fn each(&self, pieces: &Pieces, mailbox: &[u8; 64], view: View, mut call: impl FnMut(u32)) {
        each_pair(pieces, |colour, role, from, to| {
            let attacker = 6 * colour as usize + role as usize;
            let victim = usize::from(mailbox[usize::from(to)]);
            let input = self.input(view, attacker, victim, from, to);
            if input != NONE {
                call(input);
            }
        });
    }

    /// Lists the inputs of both perspectives as trainers do: all pairs for one, then all pairs for the other.
    #[inline(always)]
    pub fn twice(&self, pieces: &Pieces, buffers: &mut [Buffer; 2]) -> [usize; 2] {
        let mailbox = mailbox(pieces);
        let mut lens = [0; 2];
        for ((colour, buffer), len) in Colour::ALL.into_iter().zip(buffers).zip(&mut lens) {
            self.each(pieces, &mailbox, View::of(pieces, colour), |input| {
                buffer[*len & 511] = input as u16;
                *len += 1;
            });
        }
        lens
    }

    /// Lists the inputs of both perspectives in one loop over the pairs.
    #[inline(always)]
    pub fn once(&self, pieces: &Pieces, [white, black]: &mut [Buffer; 2]) -> [usize; 2] {
        let mailbox = mailbox(pieces);
        let views = Colour::ALL.map(|colour| View::of(pieces, colour));
        let mut lens = [0; 2];
        each_pair(pieces, |colour, role, from, to| {
            let attacker = 6 * colour as usize + role as usize;
            let victim = usize::from(mailbox[usize::from(to)]);
            for (side, buffer) in [&mut *white, &mut *black].into_iter().enumerate() {
                let input = self.input(views[side], attacker, victim, from, to);
                if input != NONE {
                    buffer[lens[side] & 511] = input as u16;
                    lens[side] += 1;
                }
            }
        });
        lens
    }
}

/// A buffer for the inputs of all blocks.
pub type LongBuffer = [u32; 1024];

/// For each square on ranks 2 to 7, the later squares on its own and on neighbouring files.
static LATER: [u64; 64] = {
    let (mut later, mut square) = ([0; 64], 8);
    while square < 56 {
        let mut other = square + 1;
        while other < 56 {
            let files = (square % 8) as i8 - (other % 8) as i8;
            if -1 <= files && files <= 1 {
                later[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    later
};

/// For each pawn index, the number of pairs of pawns with smaller indices.
static PAIRS_BELOW: [u32; 96] = {
    let (mut pairs, mut pawn) = ([0; 96], 1);
    while pawn < 96 {
        pairs[pawn] = pairs[pawn - 1] + pawn as u32 - 1;
        pawn += 1;
    }
    pairs
};

impl Inputs {
    /// Lists threats, pairs of pawns, and pieces by the king's square, as trainers do: all blocks for one perspective,
    /// then all blocks for the other.
    #[inline(always)]
    pub fn all_blocks(&self, pieces: &Pieces, buffers: &mut [LongBuffer; 2]) -> [usize; 2] {
        /// The first indices of the second and the third block.
        const STARTS: [u32; 2] = [59_808, 59_808 + 4_560];
        let mailbox = mailbox(pieces);
        let mut lens = [0; 2];
        for (side, buffer) in buffers.iter_mut().enumerate() {
            let colour = Colour::ALL[side];
            let view = View::of(pieces, colour);
            let len = &mut lens[side];
            self.each(pieces, &mailbox, view, |input| {
                buffer[*len & 1023] = input;
                *len += 1;
            });
            let number = |square: Square| {
                let is_enemy = (mailbox[square as usize] >= 6) != view.swap;
                usize::from(square as u8 ^ view.flip) - 8 + if is_enemy { 48 } else { 0 }
            };
            let pawns = pieces.pawns & (pieces.white | pieces.black) & 0x00ff_ffff_ffff_ff00;
            for pawn in BitBoard(pawns) {
                let own = number(pawn);
                for partner in BitBoard(pawns & LATER[pawn as usize]) {
                    let other = number(partner);
                    let (high, low) = (own.max(other), own.min(other));
                    buffer[*len & 1023] = STARTS[0] + PAIRS_BELOW[high] + low as u32;
                    *len += 1;
                }
            }
            // This block mirrors the board if the king is not on files e to h.
            let flip = view.flip ^ 7;
            let king = pieces.of(colour, Role::King).trailing_zeros() as u8 ^ flip;
            let bucket = 31 - 4 * u32::from(king / 8) - u32::from(king % 8 - 4);
            for square in BitBoard(pieces.white | pieces.black) {
                let piece = u32::from(mailbox[square as usize]);
                let plane = 2 * (piece % 6) + u32::from((piece >= 6) != view.swap);
                let square = u32::from(square as u8 ^ flip);
                buffer[*len & 1023] = STARTS[1] + 768 * bucket + 64 * plane + square;
                *len += 1;
            }
        }
        lens
    }
}
