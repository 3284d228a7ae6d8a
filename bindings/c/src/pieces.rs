//! Positions in C, and their construction from bitboards, a mailbox, or FEN.

use std::ffi::c_char;

use setwise::{CodeMap, Colour, Fen, Pieces, Role, piece_code};

use crate::buffers::checked;
use crate::error::{Failure, bail, setwise_status};
use crate::kernel::{chosen, setwise_kernel};

/// White, as the colour argument of a function.
pub const SETWISE_WHITE: u8 = 0;

/// Black. Any value other than SETWISE_WHITE means black.
pub const SETWISE_BLACK: u8 = 1;

/// Marks a missing square.
pub const SETWISE_NO_SQUARE: u8 = 64;

/// A position: a set of squares for each role (of both colours) and for each colour (of all roles). Squares are
/// numbered 0 to 63, a1 = 0, h1 = 7, a8 = 56, and a set has one bit for each. The blockers are the union of `white` and
/// `black`. A position may have any number of kings, including none.
///
/// Reading is fastest if the position is aligned to 64 bytes; this is not required.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_pieces {
    pub pawns: u64,
    pub knights: u64,
    pub bishops: u64,
    pub rooks: u64,
    pub queens: u64,
    pub kings: u64,
    pub white: u64,
    pub black: u64,
}

impl From<setwise_pieces> for Pieces {
    #[inline(always)]
    fn from(pieces: setwise_pieces) -> Self {
        let setwise_pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
        Self { pawns, knights, bishops, rooks, queens, kings, white, black }
    }
}

impl From<Pieces> for setwise_pieces {
    #[inline(always)]
    fn from(pieces: Pieces) -> Self {
        let Pieces { pawns, knights, bishops, rooks, queens, kings, white, black } = pieces;
        Self { pawns, knights, bishops, rooks, queens, kings, white, black }
    }
}

/// Converts a colour from C.
#[inline(always)]
pub(crate) fn colour(colour: u8) -> Colour {
    if colour == SETWISE_WHITE { Colour::White } else { Colour::Black }
}

/// Creates a position from twelve sets: six for white (pawns, knights, bishops, rooks, queens, kings), six for black.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_from_bitboards(
    white: *const u64,
    black: *const u64,
    pieces: *mut setwise_pieces,
) -> setwise_status {
    // SAFETY: the pointers are the caller's.
    checked(|arrays| unsafe {
        let sides = [*arrays.read_array("white", white)?, *arrays.read_array("black", black)?];
        let [pieces] = arrays.write_array("pieces", pieces)?;
        *pieces = Pieces::from_bitboards(sides).into();
        Ok(())
    })
}

/// Creates a position from the pieces on the 64 squares from a1 to h8: 0 for none, 1 to 6 for white's pawn, knight,
/// bishop, rook, queen and king, 9 to 14 for black's. If a square has another value, the status is
/// SETWISE_STATUS_PIECE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_from_mailbox(
    mailbox: *const u8,
    pieces: *mut setwise_pieces,
) -> setwise_status {
    // SAFETY: the pointers are the caller's.
    checked(|arrays| unsafe {
        let mailbox: &[u8; 64] = arrays.read_array("mailbox", mailbox)?;
        let [pieces] = arrays.write_array("pieces", pieces)?;
        let mut sides = [[0; 6]; 2];
        for (square, &code) in mailbox.iter().enumerate().filter(|(_, code)| **code != 0) {
            if !matches!(code, 1..=6 | 9..=14) {
                bail!(Piece, "square {square} holds {code}, expected 0, 1 to 6 or 9 to 14");
            }
            sides[usize::from(code >> 3)][usize::from(code & 7) - 1] |= 1 << square;
        }
        *pieces = Pieces::from_bitboards(sides).into();
        Ok(())
    })
}

/// Writes the piece on each of the 64 squares, encoded as in setwise_pieces_from_mailbox(); 7 for a square with a
/// colour but no role, which blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_pieces_to_mailbox(
    pieces: *const setwise_pieces,
    mailbox: *mut u8,
) -> setwise_status {
    // SAFETY: the pointers are the caller's.
    checked(|arrays| unsafe {
        let [pieces] = arrays.read_array("pieces", pieces)?;
        *arrays.write_array("mailbox", mailbox)? = Pieces::from(*pieces).codes();
        Ok(())
    })
}

/// A map from the piece codes of an engine's mailbox to those of setwise_pieces_from_mailbox(): for each byte from 0 to
/// 15, the code of its piece. Initialized by setwise_code_map_init(), used by setwise_mailbox_codes().
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_code_map {
    pub codes: [u8; 16],
}

/// Initializes a map from twelve different bytes from 0 to 15: an engine's codes for white's pawn, knight, bishop,
/// rook, queen and king, then for black's. Every other byte is an empty square.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_code_map_init(
    own: *const u8,
    map: *mut setwise_code_map,
) -> setwise_status {
    // SAFETY: the pointers are the caller's.
    checked(|arrays| unsafe {
        let own: &[u8; 12] = arrays.read_array("own", own)?;
        let [map] = arrays.write_array("map", map)?;
        let mut codes = [0; 16];
        let all = Colour::ALL.into_iter().flat_map(|of| Role::ALL.map(|role| (of, role)));
        for (&byte, (colour, role)) in own.iter().zip(all) {
            let place = codes.get_mut(usize::from(byte)).filter(|place| **place == 0);
            let Some(place) = place else {
                let twice = if byte < 16 { " twice" } else { "" };
                bail!(Piece, "expected twelve different bytes from 0 to 15, found {byte}{twice}");
            };
            *place = piece_code(colour, role);
        }
        *map = setwise_code_map { codes };
        Ok(())
    })
}

/// Converts the 64 squares of a mailbox from an engine's codes to the codes that setwise_mailbox_threat_changes() and
/// other functions read. The code for a byte above 15 is unspecified.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_mailbox_codes(
    kernel: *const setwise_kernel,
    map: *const setwise_code_map,
    mailbox: *const u8,
    codes: *mut u8,
) -> setwise_status {
    // SAFETY: the kernel is null or one of ours, and the other pointers are the caller's.
    checked(|arrays| unsafe {
        let [map] = arrays.read_array("map", map)?;
        let mailbox = arrays.read_array("mailbox", mailbox)?;
        let codes = arrays.write_array("codes", codes)?;
        *codes = chosen(kernel).position().codes(&CodeMap::from_codes(map.codes), mailbox);
        Ok(())
    })
}

/// The contents of a line of FEN.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct setwise_fen {
    pub pieces: setwise_pieces,
    /// Half-moves since the last capture or pawn move; 0 if missing from the line.
    pub halfmove_clock: u32,
    /// The move number; 1 if missing from the line.
    pub fullmove_number: u32,
    /// SETWISE_WHITE or SETWISE_BLACK; white if missing from the line.
    pub turn: u8,
    /// The files of white's castling rooks, a = bit 0 to h = bit 7. Files also work for Chess960.
    pub castling_white: u8,
    /// The files of black's castling rooks.
    pub castling_black: u8,
    /// The square behind the pawn that has just made a double step, or SETWISE_NO_SQUARE.
    pub en_passant: u8,
}

/// Parses FEN or EPD, including Shredder-FEN; trailing fields may be missing. The rules of chess are not checked.
/// `length` is in bytes; the text may include a line end.
///
/// If the text is not FEN, the status is SETWISE_STATUS_FEN. setwise_error_message() then says what was expected and
/// what was found, and `*error_column` is the column of the first wrong character, counted from 1. After success it is
/// 0. `error_column` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setwise_fen_parse(
    text: *const c_char,
    length: usize,
    fen: *mut setwise_fen,
    error_column: *mut usize,
) -> setwise_status {
    // SAFETY: the pointers are the caller's.
    checked(|arrays| unsafe {
        let text = arrays.read("text", text.cast::<u8>(), length)?;
        let [fen] = arrays.write_array("fen", fen)?;
        let parsed = Fen::parse(text);
        if !error_column.is_null() {
            let [column] = arrays.write_array("error_column", error_column)?;
            *column = parsed.err().map_or(0, |error| error.column());
        }
        let parsed =
            parsed.map_err(|error| Failure::new(setwise_status::Fen, format!("{error:#}")))?;
        *fen = setwise_fen {
            pieces: parsed.pieces.into(),
            halfmove_clock: parsed.halfmove_clock,
            fullmove_number: parsed.fullmove_number,
            turn: parsed.turn as u8,
            castling_white: parsed.castling.white,
            castling_black: parsed.castling.black,
            en_passant: parsed.en_passant.unwrap_or(SETWISE_NO_SQUARE),
        };
        Ok(())
    })
}
