//! Messages for moves that cannot be played.

use setwise::Colour;

use super::board::Refusal;
use super::san::San;
use crate::board::{Board, PAWN};
use crate::error::Square;

pub(crate) const fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

fn role_name(role: usize) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"].get(role).copied().unwrap_or("piece")
}

/// The message for a rejected move in algebraic notation.
#[cold]
pub(crate) fn of_move(board: &Board, san: &San, refusal: Refusal) -> String {
    let (side, role, to) = (name(board.turn()), role_name(san.role), Square(san.to));
    match refusal {
        Refusal::NoPiece if san.origins == !0 => format!("no {side} {role} can go to {to}"),
        Refusal::NoPiece => {
            let place = match san.origins.count_ones() {
                1 => format!("on {}", Square(san.origins.trailing_zeros() as u8)),
                _ if san.from_file.is_some() => {
                    format!(
                        "on the {}-file",
                        char::from(b'a' + (san.origins.trailing_zeros() % 8) as u8)
                    )
                }
                _ => format!("on rank {}", san.origins.trailing_zeros() / 8 + 1),
            };
            format!("no {side} {role} {place} can go to {to}")
        }
        _ => other(refusal, role),
    }
}

/// The message for a rejected move from square to square.
#[cold]
pub(crate) fn of_squares(board: &Board, from: u8, to: u8, refusal: Refusal) -> String {
    let side = name(board.turn());
    match (refusal, board.own_role(from)) {
        (Refusal::NoPiece, None) => format!("no {side} piece stands on {}", Square(from)),
        (Refusal::NoPiece, Some(role)) => {
            let (role, from, to) = (role_name(role), Square(from), Square(to));
            format!("the {role} on {from} cannot go to {to}")
        }
        (Refusal::NoRight | Refusal::Blocked | Refusal::Through(_), _) => {
            of_castling(to > from, refusal)
        }
        (_, role) => other(refusal, role_name(role.unwrap_or(PAWN))),
    }
}

/// The message for rejected castling.
#[cold]
pub(crate) fn of_castling(kings_side: bool, refusal: Refusal) -> String {
    let side = if kings_side { "king's" } else { "queen's" };
    match refusal {
        Refusal::NoRight => format!("there is no right to castle on the {side} side"),
        Refusal::Blocked => "a piece is in the way of king or rook".into(),
        Refusal::Through(square) => format!("the king would be attacked on {}", Square(square)),
        _ => other(refusal, "king"),
    }
}

fn other(refusal: Refusal, role: &str) -> String {
    match refusal {
        Refusal::Check => "it leaves the king in check".into(),
        Refusal::Several(mut origins) => {
            let mut names = Vec::new();
            while origins != 0 {
                names.push(Square(origins.trailing_zeros() as u8).to_string());
                origins &= origins - 1;
            }
            format!("the {role}s on {} can make it", names.join(" and "))
        }
        Refusal::Promotion { expected: true } => {
            "a pawn on the last rank must become a piece, as in e8=Q".into()
        }
        Refusal::Promotion { expected: false } => {
            "only a pawn on the last rank becomes another piece".into()
        }
        _ => "it is illegal".into(),
    }
}
