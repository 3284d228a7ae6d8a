//! The groups for one king: pinned pieces, and checkers. The rival is the usual loop of an engine, with cozy-chess's
//! tables.

use cozy_chess::{BitBoard, Square};
use setwise::position::{self, PositionKernel};
use setwise::{Colour, Kernel, Pieces, Role, leaper};

use crate::support::groups::{Group, Implementation};
use crate::support::inputs::{Dataset, Reads};

/// Both groups.
pub fn groups() -> Vec<Group> {
    vec![
        group("pinned", usual_pinned, position::pinned, |kernel, pieces, colour| {
            kernel.pinned(pieces, colour)
        }),
        group("checkers", usual_checkers, position::checkers, |kernel, pieces, colour| {
            kernel.checkers(pieces, colour)
        }),
    ]
}

/// Both sides' answers for each position.
fn group(
    name: &'static str,
    usual: impl Fn(&Pieces, Colour) -> u64 + 'static,
    inlined: impl Fn(&Pieces, Colour) -> u64 + 'static,
    by_kernel: impl Fn(PositionKernel, &Pieces, Colour) -> u64 + 'static,
) -> Group {
    let kernel = Kernel::detect().position();
    let implementations = vec![
        implementation("usual-loop", usual),
        implementation("inlined", inlined),
        implementation("in-hand", move |pieces, colour| by_kernel(kernel, pieces, colour)),
    ];
    Group { name, reads: Reads::Legal, columns: 1, per_board: 2, implementations }
}

fn implementation(name: &str, answer: impl Fn(&Pieces, Colour) -> u64 + 'static) -> Implementation {
    Implementation::new(name, 1, move |dataset: &Dataset, answers| {
        let (rows, _) = answers[0].as_chunks_mut::<2>();
        for (row, pieces) in rows.iter_mut().zip(&dataset.rows) {
            *row = Colour::ALL.map(|colour| answer(pieces, colour));
        }
    })
}

/// Looks for sliders on the king's empty lines, and for each at the pieces in between.
#[inline(always)]
fn usual_pinned(pieces: &Pieces, colour: Colour) -> u64 {
    let king = square(pieces.of(colour, Role::King));
    let (occupied, enemy) = (pieces.occupied(), !colour);
    let snipers = cozy_chess::get_rook_rays(king).0 & pieces.orthogonal(enemy)
        | cozy_chess::get_bishop_rays(king).0 & pieces.diagonal(enemy);
    let mut pinned = 0;
    for sniper in BitBoard(snipers) {
        let between = cozy_chess::get_between_rays(king, sniper).0 & occupied;
        if between.is_power_of_two() {
            pinned |= between & pieces.colour(colour);
        }
    }
    pinned
}

/// Looks up what each role would attack from the king's square.
#[inline(always)]
fn usual_checkers(pieces: &Pieces, colour: Colour) -> u64 {
    let king = square(pieces.of(colour, Role::King));
    let (occupied, enemy) = (BitBoard(pieces.occupied()), !colour);
    (cozy_chess::get_rook_moves(king, occupied).0 & pieces.orthogonal(enemy))
        | (cozy_chess::get_bishop_moves(king, occupied).0 & pieces.diagonal(enemy))
        | (cozy_chess::get_knight_moves(king).0 & pieces.of(enemy, Role::Knight))
        | (cozy_chess::get_king_moves(king).0 & pieces.of(enemy, Role::King))
        | (leaper::PAWN_ATTACKS[colour as usize][king as usize] & pieces.of(enemy, Role::Pawn))
}

fn square(king: u64) -> Square {
    Square::index(king.trailing_zeros() as usize & 63)
}
