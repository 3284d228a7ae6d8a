//! Slices in, slices out: blocks, tails, and one dispatch for each call.

use core::mem::MaybeUninit;

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
        self.attack_maps_of(positions.into(), maps);
    }

    /// [`attack_maps`](Self::attack_maps) once what is generic is done, so that the kernels are compiled
    /// here and not again in every crate that calls them.
    fn attack_maps_of(self, positions: Positions<'_>, maps: &mut [(Map, &mut [u64])]) {
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

/// Some rows that are worked on together: as many as `B` has boards, or the last ones, which are padded
/// with empty boards.
#[derive(Clone, Copy)]
struct Block {
    at: usize,
    rows: usize,
}

impl Block {
    /// The block that follows, or none.
    #[inline(always)]
    fn next<B: Boards>(at: usize, rows: usize) -> Option<Self> {
        let rest = rows - at;
        if rest == 0 {
            return None;
        }
        Some(Self { at, rows: if rest < B::COUNT { rest } else { B::COUNT } })
    }

    /// The block's rows of a column.
    #[inline(always)]
    fn load<B: Boards>(self, column: &[u64]) -> B {
        let rows = &column[self.at..self.at + self.rows];
        let mut padded = MaybeUninit::uninit();
        B::load(if self.rows == B::COUNT { rows } else { pad(rows, &mut padded, 0, B::COUNT) })
    }

    /// The block's positions.
    #[inline(always)]
    fn load_pieces<B: Boards>(self, pieces: &[Pieces]) -> Position<B> {
        let rows = &pieces[self.at..self.at + self.rows];
        let mut padded = MaybeUninit::uninit();
        B::load_pieces(if self.rows == B::COUNT {
            rows
        } else {
            pad(rows, &mut padded, Pieces::EMPTY, B::COUNT)
        })
    }

    /// Puts boards into the block's rows of a column.
    #[inline(always)]
    fn store<B: Boards>(self, boards: B, column: &mut [u64]) {
        let rows = &mut column[self.at..self.at + self.rows];
        if self.rows == B::COUNT {
            boards.store(rows);
        } else {
            let mut padded = [0; MOST_BOARDS];
            boards.store(&mut padded[..B::COUNT]);
            rows.copy_from_slice(&padded[..rows.len()]);
        }
    }
}

/// No backend has more boards in a block.
const MOST_BOARDS: usize = 64;

/// The rows, and empty ones after them, `count` in all.
#[cold]
#[inline(never)]
fn pad<'a, T: Copy>(
    rows: &[T],
    padded: &'a mut MaybeUninit<[T; MOST_BOARDS]>,
    empty: T,
    count: usize,
) -> &'a [T] {
    let padded = padded.write([empty; MOST_BOARDS]);
    padded[..rows.len()].copy_from_slice(rows);
    &padded[..count]
}

struct SliderAttacks<'a> {
    sliders: Sliders<'a>,
    attacks: &'a mut [u64],
}

impl Task for SliderAttacks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let mut at = 0;
        while let Some(block) = Block::next::<B>(at, occupied.len()) {
            let [occupied, orthogonal, diagonal]: [B; 3] =
                [block.load(occupied), block.load(orthogonal), block.load(diagonal)];
            block.store(B::slider_attacks(occupied, orthogonal, diagonal), self.attacks);
            at += block.rows;
        }
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
        let [north, south, east, west, north_east, north_west, south_east, south_west] = self.rays;
        let mut at = 0;
        while let Some(block) = Block::next::<B>(at, occupied.len()) {
            let [occupied, orthogonal, diagonal]: [B; 3] =
                [block.load(occupied), block.load(orthogonal), block.load(diagonal)];
            block.store(orthogonal.ray(Direction::North, occupied), north);
            block.store(orthogonal.ray(Direction::South, occupied), south);
            block.store(orthogonal.ray(Direction::East, occupied), east);
            block.store(orthogonal.ray(Direction::West, occupied), west);
            block.store(diagonal.ray(Direction::NorthEast, occupied), north_east);
            block.store(diagonal.ray(Direction::NorthWest, occupied), north_west);
            block.store(diagonal.ray(Direction::SouthEast, occupied), south_east);
            block.store(diagonal.ray(Direction::SouthWest, occupied), south_west);
            at += block.rows;
        }
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
        let rows = self.positions.len();
        let mut at = 0;
        while let Some(block) = Block::next::<B>(at, rows) {
            let position: Position<B> = match self.positions {
                Positions::Columns(columns) => Position {
                    pawns: block.load(columns.pawns),
                    knights: block.load(columns.knights),
                    bishops: block.load(columns.bishops),
                    rooks: block.load(columns.rooks),
                    queens: block.load(columns.queens),
                    kings: block.load(columns.kings),
                    white: block.load(columns.white),
                    black: block.load(columns.black),
                },
                Positions::Rows(pieces) => block.load_pieces(pieces),
            };
            let white = maps::attacks(&position, Colour::White);
            let black = maps::attacks(&position, Colour::Black);
            let mut i = 0;
            while i < self.maps.len() {
                let (map, column) = &mut self.maps[i];
                let of = match map.colour {
                    Colour::White => &white,
                    Colour::Black => &black,
                };
                block.store(pick(of, map.kind), column);
                i += 1;
            }
            at += block.rows;
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
