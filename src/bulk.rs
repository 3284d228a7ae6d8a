//! Slices in, slices out: blocks, tails, and one dispatch for each call.
//!
//! Every block is full. If the number of rows is no multiple of a block, the last block ends with the last row and
//! computes some rows for the second time, with the same result; so there is no second kernel for tails.
//! Only a call with less than one block is padded, and that happens outside the loop, because a call near the
//! loop makes the compiler give up registers in it.
//!
//! Each question is a [`Task`] with one loop in it, and [`Kernel::run`] compiles that loop once for every
//! backend, inside the function that enables the backend's instructions.

#[cfg(feature = "std")]
pub(crate) mod batch;
#[cfg(feature = "std")]
pub(crate) mod lists;
pub(crate) mod positions;

#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::ops::Range;

use self::positions::{Positions, load, same_length};
use crate::backend::{Kernel, Task};
use crate::bitboard::{ByDirection, Direction};
use crate::boards::block::{Block, MAX_BOARDS, MapColumns, MapRoom};
use crate::columns::{
    self, AttackColumns, AttackSlots, Column, Columns, NumberColumns, NumberSlots, OtherColumns,
    OtherSlots, Requests, ValueType,
};
use crate::eval::Attacks;
use crate::pieces::{ByColour, Colour, Pieces};

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
    /// Kernel::detect().slider_attacks(&rook_on_a1, &[0; 100], &[0; 100], &mut attacks);
    /// assert_eq!(attacks, [0x0101_0101_0101_01fe; 100]);
    /// ```
    #[track_caller]
    pub fn slider_attacks(
        self,
        orthogonal: &[u64],
        diagonal: &[u64],
        occupied: &[u64],
        attacks: &mut [u64],
    ) {
        same_length("attacks", attacks.len(), "occupied", occupied.len());
        let sliders = Sliders::new(occupied, orthogonal, diagonal);
        let (rows, block) = (attacks.len(), self.backend().boards_per_block());
        if rows < block {
            let mut inputs = [[0; MAX_BOARDS]; 3];
            let sliders = sliders.padded(&mut inputs, block);
            padded([Some(attacks)], block, |columns| {
                for attacks in columns.into_iter().flatten() {
                    self.run(SliderAttacks::<false> { sliders, attacks });
                }
            });
        } else if rows < STREAM_FROM {
            self.run(SliderAttacks::<false> { sliders, attacks });
        } else {
            self.run(SliderAttacks::<true> { sliders, attacks });
        }
    }

    /// For every row, the rays of its sliders, a column for each direction ([`ByDirection`], or an
    /// array in the order of [`Direction::ALL`]). Their union is what [`slider_attacks`](Self::slider_attacks) gives.
    ///
    /// # Panics
    /// If the slices differ in length; the message names the column.
    ///
    /// ```
    /// use setwise::Kernel;
    /// let bishop_on_a1 = [1; 5];
    /// let mut rays = [[0; 5]; 8];
    /// let columns = rays.each_mut().map(|ray| &mut ray[..]);
    /// Kernel::detect().slider_rays(&[0; 5], &bishop_on_a1, &[0; 5], columns);
    /// let [.., north_east, _, _, _] = rays;
    /// assert_eq!(north_east, [0x8040_2010_0804_0200; 5]);
    /// ```
    #[track_caller]
    pub fn slider_rays<'a>(
        self,
        orthogonal: &[u64],
        diagonal: &[u64],
        occupied: &[u64],
        rays: impl Into<ByDirection<&'a mut [u64]>>,
    ) {
        let ByDirection(rays) = rays.into();
        for (direction, ray) in Direction::ALL.iter().zip(&rays) {
            same_length(direction.name(), ray.len(), "occupied", occupied.len());
        }
        self.rays(Sliders::new(occupied, orthogonal, diagonal), rays);
    }

    /// [`slider_rays`](Self::slider_rays) once what is generic is done, so that the kernels are compiled here and
    /// not again in every crate that calls them.
    fn rays(self, sliders: Sliders<'_>, rays: [&mut [u64]; 8]) {
        let (rows, block) = (sliders.occupied.len(), self.backend().boards_per_block());
        if rows < block {
            let mut inputs = [[0; MAX_BOARDS]; 3];
            let sliders = sliders.padded(&mut inputs, block);
            padded(rays.map(Some), block, |columns| {
                let rays = columns.map(|column| column.unwrap_or_default());
                self.run(SliderRays { sliders, rays });
            });
        } else {
            self.run(SliderRays { sliders, rays });
        }
    }

    /// For every position the sixteen attack maps, a column each, in named fields.
    ///
    /// # Panics
    /// If a column has not as many rows as there are positions (the message names it), or the positions are
    /// batches that were made for another backend.
    ///
    /// ```
    /// use setwise::{ByColour, Kernel, Pieces, eval::Attacks};
    /// let positions = [Pieces::START; 100];
    /// let mut maps = [[0; 100]; 16];
    /// let [a, b, c, d, e, f, g, h, rest @ ..] = maps.each_mut().map(|map| &mut map[..]);
    /// let white =
    ///     Attacks { pawn: a, knight: b, bishop: c, rook: d, queen: e, king: f, all: g, twice: h };
    /// let [a, b, c, d, e, f, g, h] = rest;
    /// let black =
    ///     Attacks { pawn: a, knight: b, bishop: c, rook: d, queen: e, king: f, all: g, twice: h };
    /// Kernel::detect().attacks(&positions, ByColour { white, black });
    /// assert_eq!(maps[6], [0x0000_0000_00ff_ff7e; 100]); // white's `all`
    /// ```
    #[track_caller]
    pub fn attacks<'a>(
        self,
        positions: impl Into<Positions<'a>>,
        attacks: ByColour<Attacks<&mut [u64]>>,
    ) {
        let positions = positions.into();
        let columns = [attacks.white, attacks.black].map(Attacks::into_array);
        for (column, values) in Column::DEFAULT.iter().zip(columns.iter().flatten()) {
            same_length(column, values.len(), "positions", positions.len());
        }
        positions.check(self);
        let [white, black] = columns.map(|side| side.map(Some));
        let [a, b, c, d, e, f, g, h] = white;
        let [i, j, k, l, m, n, o, p] = black;
        self.fill_attacks(positions, [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]);
    }

    /// For every position the chosen columns, bitboards and numbers alike.
    ///
    /// Each input is read once for each of three kinds of columns: attack maps, other bitboards, numbers. Work
    /// that no requested column needs is skipped. Of the attack maps those of pawns, knights and kings come together,
    /// of both sides; a side's `all` adds one union of sliders; a side's bishops, rooks, queens and `twice` come
    /// together, at the cost of all. Other columns cost what their function in [`eval`](crate::eval) costs, for one
    /// side, and numbers what one role costs.
    ///
    /// # Panics
    /// If a buffer has not as many rows as there are positions or holds another type than its column, if a column
    /// is asked for twice, if a column about the side to move is asked for without
    /// [turns](Positions::with_turns), or if the positions are batches that were made for another backend. The
    /// message names the column.
    ///
    /// ```
    /// use setwise::{Column, Kernel, Kind, Pieces, Role};
    /// let positions = vec![Pieces::START; 100]; // or an array, columns of `u64`, batches
    /// let (mut attacked, mut mobility) = (vec![0_u64; 100], vec![0_u16; 100]);
    /// Kernel::detect().fill(
    ///     &positions,
    ///     &mut [
    ///         (Column::white(Kind::All), (&mut attacked).into()),
    ///         ("white_mobility_knight".parse()?, (&mut mobility).into()),
    ///     ],
    /// );
    /// assert_eq!(attacked[99], 0x0000_0000_00ff_ff7e);
    /// assert_eq!(mobility[99], 4);
    /// # Ok::<(), setwise::columns::UnknownColumn>(())
    /// ```
    #[track_caller]
    pub fn fill<'a>(
        self,
        positions: impl Into<Positions<'a>>,
        columns: &mut [(Column, Buffer<'_>)],
    ) {
        let positions = positions.into();
        positions.check(self);
        let mut requests = Requests::new();
        for (column, buffer) in columns {
            let column = *column;
            same_length(column, buffer.len(), "positions", positions.len());
            let is_new = match (column.value_type(), buffer) {
                (ValueType::U64, Buffer::U64(values)) => requests.boards(column, values),
                (ValueType::U16, Buffer::U16(values)) => requests.numbers(column, values),
                (holds, _) => panic!("column `{column}` holds {holds:?}, but its buffer does not"),
            };
            assert!(is_new, "column `{column}` is asked for twice");
        }
        let to_move = requests.to_move.iter().any(Option::is_some);
        assert!(
            !to_move || positions.turns().is_some(),
            "columns about the side to move need `Positions::with_turns`"
        );
        self.answer(positions, requests);
    }

    /// [`fill`](Self::fill) once what is generic is done, so that the kernels are compiled here and not again
    /// in every crate that calls them.
    fn answer(self, positions: Positions<'_>, mut requests: Requests<'_>) {
        let asked = [
            requests.attacks.iter().any(Option::is_some),
            requests.others.iter().any(Option::is_some),
            requests.numbers.iter().any(Option::is_some),
        ];
        // Two or three kinds of columns read the positions as often, so that goes by parts that stay in the
        // cache.
        let several = asked.iter().filter(|&&asked| asked).count() > 1;
        let together = if several { ROWS_TOGETHER } else { positions.len().max(1) };
        let mut at = 0;
        while at < positions.len() {
            let part = at..positions.len().min(at + together);
            let positions = positions.rows(part.clone());
            let [attacks, others, numbers] = asked;
            if attacks {
                self.fill_attacks(positions, rows_of(&mut requests.attacks, part.clone()));
            }
            if others {
                self.fill_others(positions, rows_of(&mut requests.others, part.clone()));
            }
            if numbers {
                self.fill_numbers(positions, rows_of(&mut requests.numbers, part.clone()));
            }
            at = part.end;
        }
        if requests.to_move.iter().any(Option::is_some) {
            self.fill_to_move(positions, requests.to_move);
        }
    }

    fn fill_attacks(self, positions: Positions<'_>, columns: AttackColumns<'_>) {
        by_blocks(self, positions, columns, |positions, columns| {
            if columns::want_roles(AttackSlots::wanted(&columns)) {
                self.run(FillAttacks { positions, columns });
            } else {
                self.run(FillWithoutRoles { positions, columns });
            }
        });
    }

    fn fill_others(self, positions: Positions<'_>, columns: OtherColumns<'_>) {
        by_blocks(self, positions, columns, |positions, columns| {
            self.run(FillOthers { positions, columns });
        });
    }

    fn fill_numbers(self, positions: Positions<'_>, columns: NumberColumns<'_>) {
        by_blocks(self, positions, columns, |positions, columns| {
            self.run(FillNumbers { positions, columns });
        });
    }

    /// White's rows or black's, by whose turn it is.
    fn fill_to_move(self, positions: Positions<'_>, columns: [Option<&mut [u64]>; 2]) {
        const ROWS: usize = 4 * MAX_BOARDS;
        let turns = positions.turns().unwrap_or_default();
        let mut both = [[0; ROWS]; 4];
        let [mut checkers, mut pinned] = columns;
        let mut at = 0;
        while at < positions.len() {
            let part = at..positions.len().min(at + ROWS);
            let sides = both.each_mut().map(|column| &mut column[..part.len()]);
            self.fill_others(positions.rows(part.clone()), columns::king_threats(sides));
            for (column, [white, black]) in
                [(&mut checkers, [&both[0], &both[1]]), (&mut pinned, [&both[2], &both[3]])]
            {
                let Some(column) = column else { continue };
                for (i, (value, turn)) in
                    column[part.clone()].iter_mut().zip(&turns[part.clone()]).enumerate()
                {
                    *value = match turn {
                        Colour::White => white[i],
                        Colour::Black => black[i],
                    };
                }
            }
            at = part.end;
        }
    }
}

/// How many rows are asked about several kinds of columns before the next: 128 KiB of positions.
const ROWS_TOGETHER: usize = 2048;

/// Where a column's values go: a `u64` or a `u16` for each position.
///
/// Slices, arrays and vectors convert into it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Buffer<'a> {
    /// For columns of bitboards.
    U64(&'a mut [u64]),
    /// For columns of numbers.
    U16(&'a mut [u16]),
}

impl Buffer<'_> {
    /// The number of values.
    fn len(&self) -> usize {
        match self {
            Self::U64(values) => values.len(),
            Self::U16(values) => values.len(),
        }
    }
}

macro_rules! buffer {
    ($($variant:ident $type:ty,)*) => {
        $(
            impl<'a> From<&'a mut [$type]> for Buffer<'a> {
                fn from(values: &'a mut [$type]) -> Self {
                    Self::$variant(values)
                }
            }

            impl<'a, const ROWS: usize> From<&'a mut [$type; ROWS]> for Buffer<'a> {
                fn from(values: &'a mut [$type; ROWS]) -> Self {
                    Self::$variant(values)
                }
            }

            #[cfg(feature = "std")]
            impl<'a> From<&'a mut Vec<$type>> for Buffer<'a> {
                fn from(values: &'a mut Vec<$type>) -> Self {
                    Self::$variant(values)
                }
            }
        )*
    };
}

buffer!(U64 u64, U16 u16,);

/// Some rows of every column.
fn rows_of<'b, T, const COUNT: usize>(
    columns: &'b mut Columns<'_, T, COUNT>,
    rows: Range<usize>,
) -> Columns<'b, T, COUNT> {
    let mut parts = [const { None }; COUNT];
    for (part, column) in parts.iter_mut().zip(columns) {
        if let Some(column) = column {
            *part = Some(&mut column[rows.clone()]);
        }
    }
    parts
}

/// Runs a question about positions on whole blocks, and on a padded one if there are rows left.
pub(crate) fn by_blocks<T: Copy + Default, const COUNT: usize>(
    kernel: Kernel,
    positions: Positions<'_>,
    mut columns: Columns<'_, T, COUNT>,
    run: impl Fn(Positions<'_>, Columns<'_, T, COUNT>),
) {
    let block = kernel.backend().boards_per_block();
    let (rows, whole) = (positions.len(), positions.in_blocks(block));
    if whole > 0 {
        run(positions.rows(0..whole), rows_of(&mut columns, 0..whole));
    }
    if whole < rows {
        let mut room = [Pieces::EMPTY; MAX_BOARDS];
        let positions = positions.rows(whole..rows).padded(&mut room, block);
        padded(rows_of(&mut columns, whole..rows), block, |columns| run(positions, columns));
    }
}

/// Calls with columns of a whole block in place of shorter ones, and copies what comes into their rows.
fn padded<T: Copy + Default, const COUNT: usize>(
    mut columns: Columns<'_, T, COUNT>,
    block: usize,
    run: impl FnOnce(Columns<'_, T, COUNT>),
) {
    let mut room = [[T::default(); MAX_BOARDS]; COUNT];
    let mut places = [const { None }; COUNT];
    for ((place, room), column) in places.iter_mut().zip(&mut room).zip(&columns) {
        *place = column.is_some().then_some(&mut room[..block]);
    }
    run(places);
    for (column, room) in columns.iter_mut().zip(&room) {
        if let Some(column) = column {
            column.copy_from_slice(&room[..column.len()]);
        }
    }
}

/// Where the block after the one at `at` starts, or none after the last. All blocks are full: the last one ends
/// with the last row, and overlaps the one before it where it must.
#[inline(always)]
pub(crate) fn next<B: Block>(at: usize, rows: usize) -> Option<usize> {
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

/// Puts boards into a column's rows from `at` on.
#[inline(always)]
fn store<B: Block>(boards: B, column: &mut [u64], at: usize) {
    boards.store(&mut column[at..at + B::COUNT]);
}

/// The columns that say where the sliders stand.
#[derive(Clone, Copy)]
struct Sliders<'a> {
    occupied: &'a [u64],
    orthogonal: &'a [u64],
    diagonal: &'a [u64],
}

impl<'a> Sliders<'a> {
    #[track_caller]
    fn new(occupied: &'a [u64], orthogonal: &'a [u64], diagonal: &'a [u64]) -> Self {
        same_length("orthogonal", orthogonal.len(), "occupied", occupied.len());
        same_length("diagonal", diagonal.len(), "occupied", occupied.len());
        Self { occupied, orthogonal, diagonal }
    }

    /// The same in columns of `block` rows, with empty boards after the last.
    fn padded<'b>(&self, room: &'b mut [[u64; MAX_BOARDS]; 3], block: usize) -> Sliders<'b> {
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
    fn run<B: Block>(self) {
        let Sliders { occupied, orthogonal, diagonal } = self.sliders;
        let line = rows_to_line(self.attacks);
        let mut block = Some(0);
        while let Some(at) = block {
            let attacks =
                B::slider_attacks(load(orthogonal, at), load(diagonal, at), load(occupied, at));
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
    fn run<B: Block>(self) {
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

/// Writes a task that fills columns of one kind, at least a block of rows.
macro_rules! fill {
    ($($(#[$doc:meta])* $task:ident: $columns:ident, $slots:ident by $fill:path;)*) => {
        $(
            $(#[$doc])*
            struct $task<'a, 'b> {
                positions: Positions<'a>,
                columns: $columns<'b>,
            }

            impl Task for $task<'_, '_> {
                type Output = ();

                #[inline(always)]
                fn run<B: Block>(mut self) {
                    let rows = self.positions.len();
                    let wanted = $slots::wanted(&self.columns);
                    let mut block = Some(0);
                    while let Some(at) = block {
                        let position = self.positions.load::<B>(at);
                        $fill(&position, &mut $slots::new(wanted, at, &mut self.columns));
                        block = next::<B>(at, rows);
                    }
                }
            }
        )*
    };
}

/// Attack maps, at least a block of rows.
struct FillAttacks<'a, 'b> {
    positions: Positions<'a>,
    columns: AttackColumns<'b>,
}

impl Task for FillAttacks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let rows = self.positions.len();
        let wanted = AttackSlots::wanted(&self.columns);
        let mut room = B::Room::new();
        let mut block = Some(0);
        while let Some(at) = block {
            if B::Room::USED {
                let mut maps = MapColumns { columns: &mut self.columns, at };
                room.fill(&self.positions.block(at, B::COUNT), &mut maps);
            } else {
                let mut out = AttackSlots::new(wanted, at, &mut self.columns);
                columns::fill_attacks(&self.positions.load::<B>(at), &mut out);
            }
            block = next::<B>(at, rows);
        }
    }
}

fill! {
    /// Attack maps that need no rays of single roles.
    FillWithoutRoles: AttackColumns, AttackSlots by columns::fill_without_roles;
    /// All other bitboards.
    FillOthers: OtherColumns, OtherSlots by columns::fill_others;
    /// Numbers.
    FillNumbers: NumberColumns, NumberSlots by columns::fill_numbers;
}

#[cfg(test)]
mod tests {
    use super::rows_to_line;

    /// A place in a cache line for each word.
    #[repr(align(64))]
    struct Lines([u64; 24]);

    #[test]
    fn streams_begin_with_a_whole_line() {
        let lines = Lines([0; 24]);
        for start in 0..16 {
            let column = &lines.0[start..];
            let rows = rows_to_line(column);
            assert!(rows < 8, "{rows} rows to the next line from row {start}");
            assert_eq!((start + rows) % 8, 0, "{rows} rows to the next line from row {start}");
        }
    }
}
