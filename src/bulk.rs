//! Slices in, slices out: blocks, tails, and one dispatch for each call.

use core::ops::Range;

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

impl Positions<'_> {
    /// How many positions there are.
    ///
    /// # Panics
    /// If the columns differ in length; the message names the column.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Columns(columns) => {
                const NAMES: [&str; 7] =
                    ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white"];
                let rows = columns.black.len();
                for (name, column) in NAMES.into_iter().zip(columns.sets()) {
                    same_length(name, column.len(), "black", rows);
                }
                rows
            }
            Self::Rows(pieces) => pieces.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        same_length("attacks", attacks.len(), "occupied", occupied.len());
        self.run(SliderAttacks { sliders: Sliders::new(occupied, orthogonal, diagonal), attacks });
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
        for (direction, ray) in Direction::ALL.iter().zip(&rays) {
            same_length(direction.name(), ray.len(), "occupied", occupied.len());
        }
        self.run(SliderRays { sliders: Sliders::new(occupied, orthogonal, diagonal), rays });
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
        let positions = positions.into();
        let rows = positions.len();
        for (map, column) in maps.iter() {
            same_length(map.name(), column.len(), "white", rows);
        }
        self.run(AttackMaps { positions, maps });
    }
}

/// The columns that say where the sliders stand.
struct Sliders<'a> {
    occupied: &'a [u64],
    orthogonal: &'a [u64],
    diagonal: &'a [u64],
}

impl<'a> Sliders<'a> {
    fn new(occupied: &'a [u64], orthogonal: &'a [u64], diagonal: &'a [u64]) -> Self {
        same_length("orthogonal", orthogonal.len(), "occupied", occupied.len());
        same_length("diagonal", diagonal.len(), "occupied", occupied.len());
        Self { occupied, orthogonal, diagonal }
    }
}

/// Panics if a column has not the length it should have.
#[track_caller]
fn same_length(column: &str, length: usize, model: &str, expected: usize) {
    assert!(
        length == expected,
        "column `{column}` has {length} rows, but column `{model}` has {expected}"
    );
}

/// Calls `work` for every block of rows, with the boards of each input column and the place of the block
/// in the output. The last rows that fill no block are padded with empty boards.
#[inline(always)]
fn blocks<B: Boards, const N: usize>(
    rows: usize,
    inputs: [&[u64]; N],
    mut work: impl FnMut([B; N], Range<usize>),
) {
    let mut at = 0;
    while rows - at >= B::COUNT {
        let mut boards = [B::empty(); N];
        let mut i = 0;
        while i < N {
            boards[i] = B::load(&inputs[i][at..at + B::COUNT]);
            i += 1;
        }
        work(boards, at..at + B::COUNT);
        at += B::COUNT;
    }
    if at < rows {
        let mut boards = [B::empty(); N];
        let mut i = 0;
        while i < N {
            let mut padded = [0; MOST_BOARDS];
            padded[..rows - at].copy_from_slice(&inputs[i][at..]);
            boards[i] = B::load(&padded[..B::COUNT]);
            i += 1;
        }
        work(boards, at..rows);
    }
}

/// Stores a block, or as much of it as there is room for.
#[inline(always)]
fn store<B: Boards>(boards: B, to: &mut [u64]) {
    if to.len() == B::COUNT {
        boards.store(to);
    } else {
        let mut padded = [0; MOST_BOARDS];
        boards.store(&mut padded[..B::COUNT]);
        to.copy_from_slice(&padded[..to.len()]);
    }
}

/// No backend has more boards in a block.
const MOST_BOARDS: usize = 64;

struct SliderAttacks<'a> {
    sliders: Sliders<'a>,
    attacks: &'a mut [u64],
}

impl Task for SliderAttacks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let inputs = [occupied, orthogonal, diagonal];
        blocks(occupied.len(), inputs, |[occupied, orthogonal, diagonal], rows| {
            store(B::slider_attacks(occupied, orthogonal, diagonal), &mut self.attacks[rows]);
        });
    }
}

struct SliderRays<'a, 'b> {
    sliders: Sliders<'a>,
    rays: [&'b mut [u64]; 8],
}

impl Task for SliderRays<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let inputs = [occupied, orthogonal, diagonal];
        let [north, south, east, west, north_east, north_west, south_east, south_west] = self.rays;
        blocks(occupied.len(), inputs, |[occupied, orthogonal, diagonal]: [B; 3], rows| {
            let ray = |sliders: B, direction, column: &mut [u64]| {
                store(sliders.ray(direction, occupied), &mut column[rows.clone()]);
            };
            ray(orthogonal, Direction::North, north);
            ray(orthogonal, Direction::South, south);
            ray(orthogonal, Direction::East, east);
            ray(orthogonal, Direction::West, west);
            ray(diagonal, Direction::NorthEast, north_east);
            ray(diagonal, Direction::NorthWest, north_west);
            ray(diagonal, Direction::SouthEast, south_east);
            ray(diagonal, Direction::SouthWest, south_west);
        });
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
        let maps = self.maps;
        let mut fill = |position: Position<B>, rows: Range<usize>| {
            let white = maps::attacks(&position, Colour::White);
            let black = maps::attacks(&position, Colour::Black);
            for (map, column) in maps.iter_mut() {
                let of = match map.colour {
                    Colour::White => &white,
                    Colour::Black => &black,
                };
                store(pick(of, map.kind), &mut column[rows.clone()]);
            }
        };
        match self.positions {
            Positions::Columns(columns) => {
                let rows = columns.white.len();
                blocks(rows, columns.sets(), |sets, rows| fill(Position::from_sets(sets), rows));
            }
            Positions::Rows(pieces) => {
                let mut at = 0;
                while pieces.len() - at >= B::COUNT {
                    let rows = at..at + B::COUNT;
                    fill(B::load_pieces(&pieces[rows.clone()]), rows);
                    at += B::COUNT;
                }
                if at < pieces.len() {
                    let mut padded = [Pieces::EMPTY; MOST_BOARDS];
                    padded[..pieces.len() - at].copy_from_slice(&pieces[at..]);
                    fill(B::load_pieces(&padded[..B::COUNT]), at..pieces.len());
                }
            }
        }
    }
}

#[inline(always)]
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
