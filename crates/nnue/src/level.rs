//! The code for a level: the fastest whose instructions it has. The portable code serves all others.

#[cfg(target_arch = "x86_64")]
use crate::avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512;
use crate::number::Place;
use crate::pairs::{BUFFER, Sets, Threat};
use crate::pawn_pairs::{PawnList, PawnPairs};
use crate::piece_square::{PieceSquare, SquareList};
use crate::portable;
use setwise::Pieces;
use setwise::dispatch::Level;
#[cfg(target_arch = "x86_64")]
use setwise::processor::Features;

/// Returns the first of some expressions whose instructions a level has: with AVX-512 if there is one, with AVX2, or the
/// portable one.
macro_rules! by_level {
    ($level:ty, $(avx512: $avx512:expr,)? avx2: $avx2:expr, portable: $portable:expr) => {{
        $(
            #[cfg(target_arch = "x86_64")]
            if const { $crate::level::has_avx512::<$level>() } {
                return $avx512;
            }
        )?
        #[cfg(target_arch = "x86_64")]
        if const { $crate::level::has_avx2::<$level>() } {
            return $avx2;
        }
        $portable
    }};
}
pub(crate) use by_level;

/// Whether code with a level may use AVX-512 and GFNI.
pub(crate) const fn has_avx512<L: Level>() -> bool {
    #[cfg(target_arch = "x86_64")]
    return enables::<L>(Features::Avx512Gfni);
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether code with a level may use AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn has_avx2<L: Level>() -> bool {
    enables::<L>(Features::Avx2)
}

#[cfg(target_arch = "x86_64")]
const fn enables<L: Level>(features: Features) -> bool {
    match L::FEATURES {
        Some(set) => set.includes(features),
        None => false,
    }
}

/// Who attacks whom: writes the pairs to the front of `buffer`, and says how many there are. The rest of `buffer` is
/// unspecified.
#[inline(always)]
pub(crate) fn pairs<L: Level>(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    by_level!(
        L,
        avx512: avx512::pairs::pairs(sets, buffer),
        avx2: {
            #[cfg(feature = "std")]
            if !setwise::processor::has_fast_pext() {
                return portable_pairs(sets, buffer);
            }
            avx2::pairs::pairs(sets, buffer)
        },
        portable: portable::pairs(sets, buffer)
    )
}

/// The pairs where `pext` is microcode: some twenty of them would take longer than everything else.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[cold]
#[inline(never)]
fn portable_pairs(sets: Sets, buffer: &mut [Threat; BUFFER]) -> usize {
    portable::pairs(sets, buffer)
}

/// What stands on each square, as a [code](setwise::piece_code). No square holds two pieces.
#[inline(always)]
pub(crate) fn codes<L: Level>(pieces: &Pieces) -> [u8; 64] {
    by_level!(
        L,
        avx512: avx512::tables::codes(pieces),
        avx2: avx2::tables::codes(pieces),
        portable: pieces.codes()
    )
}

/// Lists the pawns of a position. No square holds two pieces.
#[inline(always)]
pub(crate) fn list_pawns<L: Level>(block: &PawnPairs, pieces: &Pieces, list: &mut PawnList) {
    by_level!(
        L,
        avx2: avx2::pawn_pairs::list(block, pieces, list),
        portable: block.list(pieces, list)
    )
}

/// Writes the inputs of pawn pairs behind `lens` others, and returns how many there are then.
#[inline(always)]
pub(crate) fn pawn_pairs<L: Level, N: Place>(
    block: &PawnPairs,
    list: &PawnList,
    flips: [u8; 2],
    first: u32,
    lens: [usize; 2],
    buffers: [&mut [N]; 2],
) -> [usize; 2] {
    by_level!(
        L,
        avx2: avx2::pawn_pairs::write(block, list, flips, first, lens, buffers),
        portable: block.write(list, flips, first, lens, buffers)
    )
}

/// Lists the squares with pieces.
#[inline(always)]
pub(crate) fn list_squares<L: Level>(squares: u64, list: &mut SquareList) {
    list.set = squares;
    by_level!(
        L,
        avx512: avx512::tables::list(squares, &mut list.squares),
        avx2: avx2::tables::list(squares, &mut list.squares),
        portable: ()
    )
}

/// Writes the inputs of pieces and squares behind `lens` others, and returns how many there are then. The codes are those
/// of all squares.
#[inline(always)]
pub(crate) fn piece_square<L: Level, N: Place>(
    block: &PieceSquare,
    codes: &[u8; 64],
    list: &SquareList,
    firsts: [u32; 2],
    flips: [u8; 2],
    lens: [usize; 2],
    buffers: [&mut [N]; 2],
) -> [usize; 2] {
    by_level!(
        L,
        avx2: avx2::piece_square::write(block, codes, list, firsts, flips, lens, buffers),
        portable: block.write(codes, list.set, firsts, flips, lens, buffers)
    )
}
