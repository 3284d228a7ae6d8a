//! Slices in, slices out: blocks, tails, and one dispatch for each call.

use crate::backend::{Kernel, Task};
use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::maps::{self, Attacks, Kind, Map};
use crate::position::{Colour, Pieces, Position};

/// Many positions, as a column for each set or as a slice of [`Pieces`].
#[derive(Clone, Copy, Debug)]
pub enum Positions<'a> {
    /// Eight columns of equal length, a position per row.
    Columns(Position<&'a [u64]>),
    /// Position after position.
    Rows(&'a [Pieces]),
}

impl<'a> From<Position<&'a [u64]>> for Positions<'a> {
    fn from(columns: Position<&'a [u64]>) -> Self {
        Self::Columns(columns)
    }
}

impl<'a> From<&'a [Pieces]> for Positions<'a> {
    fn from(rows: &'a [Pieces]) -> Self {
        Self::Rows(rows)
    }
}

impl Kernel {
    /// For every row, the squares that its sliders attack: the union of all eight rays.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    pub fn slider_attacks(
        self,
        occupied: &[u64],
        orthogonal: &[u64],
        diagonal: &[u64],
        attacks: &mut [u64],
    ) {
        let _ = (occupied, orthogonal, diagonal, attacks);
        unimplemented!()
    }

    /// For every row, the rays of its sliders, a column for each direction in the order of
    /// [`Direction::ALL`].
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    pub fn slider_rays(
        self,
        occupied: &[u64],
        orthogonal: &[u64],
        diagonal: &[u64],
        rays: [&mut [u64]; 8],
    ) {
        let _ = (occupied, orthogonal, diagonal, rays, Direction::ALL);
        unimplemented!()
    }

    /// For every position the chosen maps, a column each.
    ///
    /// Only what is asked for is computed; the input is read once.
    ///
    /// # Panics
    /// If the columns differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::{Kernel, Map, Pieces};
    /// let positions = [Pieces::START; 100];
    /// let (white, black): (Map, Map) = ("white_all".parse()?, "black_all".parse()?);
    /// let (mut by_white, mut by_black) = ([0; 100], [0; 100]);
    /// Kernel::detect().attack_maps(
    ///     &positions[..],
    ///     &mut [(white, &mut by_white[..]), (black, &mut by_black[..])],
    /// );
    /// assert_eq!(by_white[99], 0x0000_0000_00ff_ff7e);
    /// assert_eq!(by_black[99], by_white[99].swap_bytes());
    /// # Ok::<(), setwise::maps::UnknownMap>(())
    /// ```
    pub fn attack_maps<'a>(
        self,
        positions: impl Into<Positions<'a>>,
        maps: &mut [(Map, &mut [u64])],
    ) {
        self.run(AttackMaps { positions: positions.into(), maps });
    }
}

struct AttackMaps<'a, 'b, 'c> {
    positions: Positions<'a>,
    maps: &'b mut [(Map, &'c mut [u64])],
}

impl Task for AttackMaps<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let Positions::Rows(rows) = self.positions else { unimplemented!() };
        for (i, block) in rows.chunks_exact(B::COUNT).enumerate() {
            let position = B::load_pieces(block);
            let of = Colour::ALL.map(|colour| maps::attacks(&position, colour));
            for (map, column) in self.maps.iter_mut() {
                pick(&of[map.colour as usize], map.kind)
                    .store(&mut column[i * B::COUNT..(i + 1) * B::COUNT]);
            }
        }
    }
}

fn pick<B: Boards>(attacks: &Attacks<B>, kind: Kind) -> B {
    match kind {
        Kind::Pawn => attacks.pawn,
        Kind::Knight => attacks.knight,
        Kind::Bishop => attacks.bishop,
        Kind::Rook => attacks.rook,
        Kind::Queen => attacks.queen,
        Kind::King => attacks.king,
        Kind::All => attacks.all,
        Kind::Twice => attacks.twice,
    }
}
