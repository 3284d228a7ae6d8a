//! Slices in, slices out: blocks, tails, and one dispatch for each call.
//!
//! Every block is full. If the rows are no multiple of a block, the last one ends with the last row and does
//! some rows for the second time, which gives the same answers again; so there is no second kernel for
//! tails. Only a call with less than one block is padded, outside the loop, because a call near the loop
//! makes the compiler give up registers in it.
//!
//! Each question is a [`Task`] with one loop in it, and [`Kernel::run`] compiles that loop once for every
//! backend, inside the function that enables the backend's instructions.

use crate::backend::{Kernel, Task};
use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::maps::{self, Count, Kind, Map, NumberSink, Sink};
use crate::numbers::Numbers;
use crate::pieces::{Colour, Pieces, Position};

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

    /// One of them.
    pub(crate) fn get(&self, row: usize) -> Pieces {
        match self {
            Self::Columns(columns) => Position::from_sets(columns.sets().map(|column| column[row])),
            Self::Rows(pieces) => pieces[row],
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
    /// `orthogonal` are the sliders along ranks and files, `diagonal` those along diagonals; queens stand
    /// in both. The sliders may stand in `occupied` or not, the answer is the same; but only those of a
    /// set stop each other by themselves, so a bishop stops a rook only if `occupied` has it.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::Kernel;
    /// let rook_on_a1 = [1; 100];
    /// let mut attacks = [0; 100];
    /// Kernel::detect().slider_attacks(&[0; 100], &rook_on_a1, &[0; 100], &mut attacks);
    /// assert_eq!(attacks, [0x0101_0101_0101_01fe; 100]);
    /// ```
    pub fn slider_attacks(
        self,
        occupied: &[u64],
        orthogonal: &[u64],
        diagonal: &[u64],
        attacks: &mut [u64],
    ) {
        same_length("attacks", attacks.len(), "occupied", occupied.len());
        let sliders = Sliders::new(occupied, orthogonal, diagonal);
        let (rows, block) = (attacks.len(), self.backend().boards());
        if rows < block {
            let mut padded = [0; MOST_BOARDS];
            let mut inputs = [[0; MOST_BOARDS]; 3];
            let sliders = sliders.padded(&mut inputs, block);
            self.run(SliderAttacks::<false> { sliders, attacks: &mut padded[..block] });
            attacks.copy_from_slice(&padded[..rows]);
        } else if rows < STREAM_FROM {
            self.run(SliderAttacks::<false> { sliders, attacks });
        } else {
            self.run(SliderAttacks::<true> { sliders, attacks });
        }
    }

    /// For every row, the rays of its sliders, a column for each direction in the order of
    /// [`Direction::ALL`]. The union of all is what [`slider_attacks`](Self::slider_attacks) gives.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::Kernel;
    /// let bishop_on_a1 = [1; 5];
    /// let mut rays = [[0; 5]; 8];
    /// let columns = rays.each_mut().map(|ray| &mut ray[..]);
    /// Kernel::detect().slider_rays(&[0; 5], &[0; 5], &bishop_on_a1, columns);
    /// let [.., north_east, _, _, _] = rays;
    /// assert_eq!(north_east, [0x8040_2010_0804_0200; 5]);
    /// ```
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
        let sliders = Sliders::new(occupied, orthogonal, diagonal);
        let (rows, block) = (occupied.len(), self.backend().boards());
        if rows < block {
            let mut padded = [[0; MOST_BOARDS]; 8];
            let mut inputs = [[0; MOST_BOARDS]; 3];
            let sliders = sliders.padded(&mut inputs, block);
            let rays_padded = padded.each_mut().map(|ray| &mut ray[..block]);
            self.run(SliderRays { sliders, rays: rays_padded });
            for (ray, padded) in rays.into_iter().zip(&padded) {
                ray.copy_from_slice(&padded[..rows]);
            }
        } else {
            self.run(SliderRays { sliders, rays });
        }
    }

    /// For every position the chosen maps, a column each.
    ///
    /// The input is read once, and only the columns that are asked for are written. What is computed for a
    /// side goes by what is asked of it: the leapers' three maps together; for `all` one union of sliders
    /// besides; for any map of bishops, rooks, queens or `twice` everything; and the maps that count, pin or
    /// look through men only where they are asked for.
    ///
    /// # Panics
    /// If the columns differ in length, or a map is asked for twice; the message names the column.
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
        let (rows, block) = (positions.len(), self.backend().boards());
        let beyond_attacks = maps.iter().any(|(map, _)| !Map::DEFAULT.contains(map));
        let mut columns = [const { [const { None }; Kind::ALL.len()] }; 2];
        for (map, column) in &mut *maps {
            same_length(map.name(), column.len(), "white", rows);
            let place: &mut Option<&mut [u64]> =
                &mut columns[map.colour as usize][map.kind as usize];
            assert!(place.is_none(), "column `{map}` is asked for twice");
            *place = Some(column);
        }
        if rows < block {
            // Few rows: a full block with empty positions after the last, for some of the maps at a time.
            let mut pieces = [Pieces::EMPTY; MOST_BOARDS];
            for (row, pieces) in pieces[..rows].iter_mut().enumerate() {
                *pieces = positions.get(row);
            }
            let positions = Positions::Rows(&pieces[..block]);
            for maps in maps.chunks_mut(Map::DEFAULT.len()) {
                let mut padded = [[0; MOST_BOARDS]; Map::DEFAULT.len()];
                let mut columns = [const { [const { None }; Kind::ALL.len()] }; 2];
                for ((map, _), padded) in maps.iter().zip(&mut padded) {
                    columns[map.colour as usize][map.kind as usize] = Some(&mut padded[..block]);
                }
                self.run(AttackMaps::<true> { positions, columns });
                for ((_, column), padded) in maps.iter_mut().zip(&padded) {
                    column.copy_from_slice(&padded[..rows]);
                }
            }
        } else if beyond_attacks {
            self.run(AttackMaps::<true> { positions, columns });
        } else {
            self.run(AttackMaps::<false> { positions, columns });
        }
    }
}

impl Kernel {
    /// For every position the chosen counts, a column each.
    ///
    /// Only what is asked for is computed. The numbers are exact for any board, whatever stands on it.
    ///
    /// # Panics
    /// If the columns differ in length, or a count is asked for twice; the message names the column.
    ///
    /// ```
    /// use setwise::{Kernel, Pieces};
    /// let positions = [Pieces::START; 100];
    /// let mut mobility = [0; 100];
    /// Kernel::detect().attack_counts(
    ///     &positions[..],
    ///     &mut [("white_mobility_knight".parse()?, &mut mobility[..])],
    /// );
    /// assert_eq!(mobility, [4; 100]);
    /// # Ok::<(), setwise::maps::UnknownCount>(())
    /// ```
    pub fn attack_counts<'a>(
        self,
        positions: impl Into<Positions<'a>>,
        counts: &mut [(Count, &mut [u16])],
    ) {
        self.attack_counts_of(positions.into(), counts);
    }

    /// [`attack_counts`](Self::attack_counts), compiled here and once.
    fn attack_counts_of(self, positions: Positions<'_>, counts: &mut [(Count, &mut [u16])]) {
        let (rows, block) = (positions.len(), self.backend().boards());
        let mut columns = [const { None }; Count::ALL.len()];
        for (count, column) in &mut *counts {
            same_length(count.name(), column.len(), "white", rows);
            let place: &mut Option<&mut [u16]> = &mut columns[count.index()];
            assert!(place.is_none(), "column `{count}` is asked for twice");
            *place = Some(column);
        }
        if rows < block {
            let mut pieces = [Pieces::EMPTY; MOST_BOARDS];
            for (row, pieces) in pieces[..rows].iter_mut().enumerate() {
                *pieces = positions.get(row);
            }
            let positions = Positions::Rows(&pieces[..block]);
            let mut padded = [[0; MOST_BOARDS]; Count::ALL.len()];
            for (column, padded) in columns.iter_mut().zip(&mut padded) {
                *column = column.is_some().then_some(&mut padded[..block]);
            }
            self.run(AttackCounts { positions, columns });
            for (count, column) in counts {
                column.copy_from_slice(&padded[count.index()][..rows]);
            }
        } else {
            self.run(AttackCounts { positions, columns });
        }
    }
}

/// Panics if a column has not the length it should have.
#[track_caller]
pub(crate) fn same_length(column: &str, length: usize, model: &str, expected: usize) {
    assert!(
        length == expected,
        "column `{column}` has {length} rows, but column `{model}` has {expected}"
    );
}

/// No backend has more boards in a block.
pub(crate) const MOST_BOARDS: usize = 64;

/// Where the block after the one at `at` starts, or none after the last. All blocks are full: the last
/// one ends with the last row, and overlaps the one before it where it must.
#[inline(always)]
pub(crate) fn next<B: Boards>(at: usize, rows: usize) -> Option<usize> {
    let rest = rows - at - B::COUNT;
    match rest {
        0 => None,
        _ if rest < B::COUNT => Some(at + rest),
        _ => Some(at + B::COUNT),
    }
}

/// From how many rows on a column is written past the caches. Smaller ones may still be there when they
/// are read; larger ones would only push out what is. (For the call alone it pays earlier: 3 % slower for 32,768
/// boards, 17 % faster for 131,072, 10 % for a million, and 2.7 times as fast for four million.)
const STREAM_FROM: usize = 1 << 20;

/// How many rows of a column lie before the first whole cache line.
fn rows_to_line(column: &[u64]) -> usize {
    column.as_ptr().align_offset(64)
}

/// The boards of a column's rows from `at` on.
#[inline(always)]
fn load<B: Boards>(column: &[u64], at: usize) -> B {
    B::load(&column[at..at + B::COUNT])
}

/// Puts boards into a column's rows from `at` on.
#[inline(always)]
fn store<B: Boards>(boards: B, column: &mut [u64], at: usize) {
    boards.store(&mut column[at..at + B::COUNT]);
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

    /// The same in columns of `block` rows, with empty boards after the last.
    fn padded<'b>(&self, room: &'b mut [[u64; MOST_BOARDS]; 3], block: usize) -> Sliders<'b> {
        for (room, column) in room.iter_mut().zip([self.occupied, self.orthogonal, self.diagonal]) {
            room[..column.len()].copy_from_slice(column);
        }
        let [occupied, orthogonal, diagonal] = room.each_ref().map(|column| &column[..block]);
        Sliders { occupied, orthogonal, diagonal }
    }
}

/// At least one block of rows. Loops of their own for what goes past the caches and what does not: both
/// stores in one loop cost a tenth of its speed.
struct SliderAttacks<'a, 'b, const STREAM: bool> {
    sliders: Sliders<'a>,
    attacks: &'b mut [u64],
}

impl<const STREAM: bool> Task for SliderAttacks<'_, '_, STREAM> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(self) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let line = rows_to_line(self.attacks);
        let mut block = Some(0);
        while let Some(at) = block {
            let attacks =
                B::slider_attacks(load(occupied, at), load(orthogonal, at), load(diagonal, at));
            if STREAM {
                attacks.stream(&mut self.attacks[at..at + B::COUNT]);
            } else {
                store(attacks, self.attacks, at);
            }
            block = next::<B>(at, self.attacks.len());
            if STREAM && at == 0 && 0 < line && line < B::COUNT {
                // From here on in whole lines; the few rows in between are done twice.
                block = Some(line);
            }
        }
        if STREAM {
            B::fence();
        }
    }
}

/// At least one block of rows.
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
        let mut block = Some(0);
        while let Some(at) = block {
            let (blockers, o, d): (B, B, B) =
                (load(occupied, at), load(orthogonal, at), load(diagonal, at));
            store(o.ray(Direction::North, blockers), north, at);
            store(o.ray(Direction::South, blockers), south, at);
            store(o.ray(Direction::East, blockers), east, at);
            store(o.ray(Direction::West, blockers), west, at);
            store(d.ray(Direction::NorthEast, blockers), north_east, at);
            store(d.ray(Direction::NorthWest, blockers), north_west, at);
            store(d.ray(Direction::SouthEast, blockers), south_east, at);
            store(d.ray(Direction::SouthWest, blockers), south_west, at);
            block = next::<B>(at, occupied.len());
        }
    }
}

/// At least one block of rows; a side's columns by kind, where they are asked for: all kinds, or only
/// attack maps, which alone are compiled to faster code.
struct AttackMaps<'a, 'b, const ALL: bool> {
    positions: Positions<'a>,
    columns: [[Option<&'b mut [u64]>; Kind::ALL.len()]; 2],
}

impl<const ALL: bool> Task for AttackMaps<'_, '_, ALL> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(mut self) {
        let mut wanted = [0; 2];
        for (wanted, columns) in wanted.iter_mut().zip(&self.columns) {
            for kind in Kind::ALL {
                if columns[kind as usize].is_some() {
                    *wanted |= kind.bit();
                }
            }
        }
        let rows = self.positions.len();
        let mut block = Some(0);
        while let Some(at) = block {
            let position = load_positions::<B>(self.positions, at);
            let mut columns = Columns { at, wanted, columns: &mut self.columns };
            if ALL {
                maps::fill(&position, &mut columns);
            } else {
                maps::fill_attacks(&position, &mut columns);
            }
            block = next::<B>(at, rows);
        }
    }
}

/// The positions of the rows from `at` on.
#[inline(always)]
pub(crate) fn load_positions<B: Boards>(positions: Positions<'_>, at: usize) -> Position<B> {
    match positions {
        Positions::Columns(columns) => Position {
            pawns: load(columns.pawns, at),
            knights: load(columns.knights, at),
            bishops: load(columns.bishops, at),
            rooks: load(columns.rooks, at),
            queens: load(columns.queens, at),
            kings: load(columns.kings, at),
            white: load(columns.white, at),
            black: load(columns.black, at),
        },
        Positions::Rows(pieces) => B::load_pieces(&pieces[at..at + B::COUNT]),
    }
}

/// Both sides' columns, and where the block starts in them.
struct Columns<'a, 'b> {
    at: usize,
    wanted: [u32; 2],
    columns: &'a mut [[Option<&'b mut [u64]>; Kind::ALL.len()]; 2],
}

impl<B: Boards> Sink<B> for Columns<'_, '_> {
    #[inline(always)]
    fn wants(&self, colour: Colour, kinds: u32) -> bool {
        self.wanted[colour as usize] & kinds != 0
    }

    #[inline(always)]
    fn put(&mut self, colour: Colour, kind: Kind, map: B) {
        if let Some(column) = &mut self.columns[colour as usize][kind as usize] {
            store(map, column, self.at);
        }
    }
}

/// At least one block of rows; a column for each count that is asked for.
struct AttackCounts<'a, 'b> {
    positions: Positions<'a>,
    columns: [Option<&'b mut [u16]>; Count::ALL.len()],
}

impl Task for AttackCounts<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Boards>(mut self) {
        let rows = self.positions.len();
        let mut block = Some(0);
        while let Some(at) = block {
            let position = load_positions::<B>(self.positions, at);
            maps::fill_counts(&position, &mut NumberColumns { at, columns: &mut self.columns });
            block = next::<B>(at, rows);
        }
    }
}

/// The columns of numbers, and where the block starts in them.
struct NumberColumns<'a, 'b> {
    at: usize,
    columns: &'a mut [Option<&'b mut [u16]>; Count::ALL.len()],
}

impl<B: Boards> NumberSink<B> for NumberColumns<'_, '_> {
    #[inline(always)]
    fn wants(&self, count: Count) -> bool {
        self.columns[count.index()].is_some()
    }

    #[inline(always)]
    fn put(&mut self, count: Count, numbers: B::Numbers) {
        if let Some(column) = &mut self.columns[count.index()] {
            numbers.store(&mut column[self.at..self.at + B::COUNT]);
        }
    }
}
