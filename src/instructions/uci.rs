//! Moves in the text of UCI, resolved among the legal moves.

use core::fmt;

use super::legal::Legal;
use crate::legal::{Move, MoveKind};
use crate::pieces::Role;

/// Why a text is not a legal move: [`Legal::parse_uci`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UciError {
    /// The text is not two squares, with or without a letter for a promotion.
    Syntax,
    /// It is a move, but not a legal one.
    Illegal,
}

impl fmt::Display for UciError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Syntax => {
                "expected two squares, then n, b, r or q for a promotion, as in e2e4 or e7e8q"
            }
            Self::Illegal => "the move is not legal in this position",
        })
    }
}

impl core::error::Error for UciError {}

impl Legal {
    /// Finds the legal move that a text in UCI notation names. Castling is the king's move (`e1g1`), unless that is also
    /// an ordinary move, or, as in Chess960, king takes rook (`e1h1`). Only moves that the
    /// [restrictions](Self::captures) keep are found.
    ///
    /// ```
    /// use setwise::{Fen, position};
    /// let fen = Fen::parse("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a valid position");
    /// assert_eq!(legal.parse_uci("e1h1")?, legal.parse_uci("e1g1")?);
    /// assert_eq!(legal.parse_uci("b7a8n")?.to_string(), "b7a8n");
    /// assert_eq!(legal.parse_uci("b7a8"), Err(position::UciError::Illegal)); // promotes to what?
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the text is not a move, or not a legal one.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciError> {
        let ([from, to], promotion) = parts(text.as_bytes()).ok_or(UciError::Syntax)?;
        self.find(from, to, promotion).ok_or(UciError::Illegal)
    }

    /// Finds the legal move between two squares, with castling as in [`parse_uci`](Self::parse_uci). Returns `None` for other
    /// moves, and for squares above 63.
    ///
    /// ```
    /// use setwise::{Fen, Role, position};
    /// let fen = Fen::parse("4k3/1P6/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let legal = position::legal(&fen.pieces, (&fen).into()).expect("a valid position");
    /// assert_eq!(legal.find(49, 57, Some(Role::Queen)).expect("legal").to_string(), "b7b8q");
    /// assert_eq!(legal.find(4, 7, None), legal.find(4, 6, None)); // the king takes its rook, or goes to g1
    /// assert_eq!(legal.find(4, 20, None), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(&self, from: u8, to: u8, promotion: Option<Role>) -> Option<Move> {
        if from > 63 || to > 63 {
            return None;
        }
        let takes_rook = from == self.king && self.castling >> to & 1 == 1;
        let standard = takes_rook && self.king % 8 == 4 && matches!(to % 8, 0 | 7);
        let to = match (standard, to > from) {
            (false, _) => to,
            (true, true) => from + 2,
            (true, false) => from - 2,
        };
        if standard && self.castling >> to & 1 == 1 {
            return None; // another rook is in the way
        }
        let is = |played: &Move| {
            let becomes = match played.kind() {
                MoveKind::Promotion(role) => Some(role),
                MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castling => None,
            };
            (played.from(), played.to(), becomes) == (from, to, promotion)
        };
        let moves = self.from_squares(1 << from);
        moves.to_squares(1 << to).moves().find(is).or_else(|| {
            let castles = |played: &Move| {
                let king_to = from & 56 | if played.to() > from { 6 } else { 2 };
                played.kind() == MoveKind::Castling && king_to == to && promotion.is_none()
            };
            if takes_rook {
                return None;
            }
            moves.moves().find(castles)
        })
    }
}

/// The squares and the promotion of a move.
fn parts(text: &[u8]) -> Option<([u8; 2], Option<Role>)> {
    let (&[a, b, c, d], rest) = text.split_first_chunk::<4>()?;
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < 8 && rank < 8).then(|| rank * 8 + file)
    };
    let promotion = match rest {
        [] => None,
        [b'n'] => Some(Role::Knight),
        [b'b'] => Some(Role::Bishop),
        [b'r'] => Some(Role::Rook),
        [b'q'] => Some(Role::Queen),
        _ => return None,
    };
    Some(([square(a, b)?, square(c, d)?], promotion))
}
