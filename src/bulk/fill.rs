//! `Kernel::fill`: the columns of the catalogue, computed in blocks. What each column needs is in the expressions of
//! the catalogue's rows; here they become loops that compute what is requested and nothing else.

use super::blocks::{Columns, by_blocks, next, rows_of};
#[cfg(feature = "std")]
use super::lists;
use super::positions::{Positions, same_length};
use super::request::{Buffer, Request};
use super::whole;
use crate::backend::{Kernel, Task};
use crate::boards::block::{Block, MAX_BOARDS, MapColumns, MapRoom};
use crate::columns::catalogue::{ATTACKS, COLUMNS, NUMBERS, OTHERS, Section, TO_MOVE, catalogue};
use crate::columns::{Column, Kind, Shape};
use crate::eval::{self, Attacks, Cumulative, Rays};
use crate::leaper;
use crate::pieces::{ByColour, Colour, Pieces, Role};

/// How many rows are asked about several kinds of columns before the next: 128 KiB of positions.
const ROWS_TOGETHER: usize = 2048;

/// The attack maps.
type AttackColumns<'a> = Columns<'a, u64, { 2 * ATTACKS }>;

/// The other bitboards.
type OtherColumns<'a> = Columns<'a, u64, { 2 * OTHERS }>;

/// The numbers.
type NumberColumns<'a> = Columns<'a, u16, { 2 * NUMBERS }>;

impl Kernel {
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

    /// For every position the requested columns, of any [type](Column::value_type) and
    /// [shape](crate::columns::Shape).
    ///
    /// Each input is read once for each of three kinds of columns: attack maps, other bitboards, numbers. Work
    /// that no requested column needs is skipped. Of the attack maps those of pawns, knights and kings come together,
    /// of both sides; a side's `all` adds one union of sliders; a side's bishops, rooks, queens and `twice` come
    /// together, at the cost of all. Other columns cost what their function in [`eval`](crate::eval) costs, for one
    /// side, and numbers what one role costs. Lists cost what [`threats`](Self::threats) and
    /// [`features`](Self::features) cost; both sides' features of one set come together.
    ///
    /// Lists are replaced; they grow as needed and keep their allocation from call to call.
    ///
    /// # Panics
    /// If a buffer does not have as many values as the positions need or holds another type than its column, if a
    /// column is requested twice, if it [needs](Column::needs) a state that the positions do not have or a
    /// [set of inputs](Column::needs_feature_set) that is not there, or if the positions are batches that were made
    /// for another backend. The message names the column.
    ///
    /// ```
    /// use setwise::{Column, Kernel, Kind, Lists, Pieces};
    /// let positions = vec![Pieces::START; 100]; // or an array, columns of `u64`, batches
    /// let (mut attacked, mut mobility) = (vec![0_u64; 100], vec![0_u16; 100]);
    /// let mut threats = Lists::<u16>::new();
    /// Kernel::detect().fill(
    ///     &positions,
    ///     &mut [
    ///         Column::white(Kind::All).to(&mut attacked),
    ///         "white_mobility_knight".parse::<Column>()?.to(&mut mobility),
    ///         Column::THREATS.to(&mut threats),
    ///     ],
    /// );
    /// assert_eq!(attacked[99], 0x0000_0000_00ff_ff7e);
    /// assert_eq!(mobility[99], 4);
    /// assert_eq!(threats.items().len(), 100 * 40);
    /// # Ok::<(), setwise::columns::UnknownColumn>(())
    /// ```
    #[track_caller]
    pub fn fill<'a>(self, positions: impl Into<Positions<'a>>, requests: &mut [Request<'_>]) {
        self.answer(positions.into(), requests);
    }

    /// [`fill`](Self::fill) once what is generic is done, so that the kernels are compiled here and not again
    /// in every crate that calls them.
    #[track_caller]
    fn answer(self, positions: Positions<'_>, requests: &mut [Request<'_>]) {
        positions.check(self);
        let mut seen = [false; COLUMNS];
        for request in &*requests {
            check(&positions, request);
            let again = core::mem::replace(&mut seen[request.column.place()], true);
            assert!(!again, "column `{}` is requested twice", request.column);
        }
        let mut sorted = Sorted::new();
        #[cfg(feature = "std")]
        let mut features = [None, None];
        for request in requests {
            let column = request.column;
            if let Some(rows) = &mut request.validity
                && !column.is_nullable()
            {
                rows.fill(true);
            }
            let validity = request.validity.as_deref_mut();
            match (column.section(), &mut request.buffer) {
                (Section::Boards, Buffer::U64(values)) => sorted.boards(column, values),
                (Section::Numbers, Buffer::U16(values)) => sorted.numbers(column, values),
                #[cfg(feature = "std")]
                (Section::Features, Buffer::ListU32(lists)) => {
                    let side = usize::from(column.colour() == Some(Colour::Black));
                    let set = request.feature_set.expect("it was checked");
                    features[side] = Some(lists::Features { set, lists, validity });
                }
                #[cfg(feature = "std")]
                (Section::Lists, buffer) => {
                    lists::fill(self, positions, column.kind(), buffer, validity);
                }
                (_, buffer) => whole::fill(self, positions, column.kind(), buffer, validity),
            }
        }
        self.fill_values(positions, sorted);
        #[cfg(feature = "std")]
        lists::fill_features(self, positions, features);
    }

    /// Bitboards and numbers.
    fn fill_values(self, positions: Positions<'_>, mut columns: Sorted<'_>) {
        let requested = [
            columns.attacks.iter().any(Option::is_some),
            columns.others.iter().any(Option::is_some),
            columns.numbers.iter().any(Option::is_some),
        ];
        // Two or three kinds of columns read the positions as often, so that goes by parts that stay in the
        // cache.
        let several = requested.iter().filter(|&&requested| requested).count() > 1;
        let together = if several { ROWS_TOGETHER } else { positions.len().max(1) };
        let mut at = 0;
        while at < positions.len() {
            let part = at..positions.len().min(at + together);
            let positions = positions.rows(part.clone());
            let [attacks, others, numbers] = requested;
            if attacks {
                self.fill_attacks(positions, rows_of(&mut columns.attacks, part.clone()));
            }
            if others {
                self.fill_others(positions, rows_of(&mut columns.others, part.clone()));
            }
            if numbers {
                self.fill_numbers(positions, rows_of(&mut columns.numbers, part.clone()));
            }
            at = part.end;
        }
        if columns.to_move.iter().any(Option::is_some) {
            self.fill_to_move(positions, columns.to_move);
        }
    }

    fn fill_attacks(self, positions: Positions<'_>, columns: AttackColumns<'_>) {
        by_blocks(self, positions, columns, |positions, columns| {
            let wanted = AttackSlots::wanted(&columns);
            if (wanted[0] | wanted[1]) & OF_SLIDERS != 0 {
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
    fn fill_to_move(self, positions: Positions<'_>, mut columns: ToMoveColumns<'_>) {
        const ROWS: usize = 4 * MAX_BOARDS;
        let turns = positions.state().turns.unwrap_or_default();
        let mut both = [[[0; ROWS]; TO_MOVE.len()]; 2];
        let mut at = 0;
        while at < positions.len() {
            let part = at..positions.len().min(at + ROWS);
            let mut sides = Sorted::new();
            for (colour, columns) in Colour::ALL.into_iter().zip(&mut both) {
                for (kind, column) in TO_MOVE.into_iter().zip(columns) {
                    sides.boards(Column::of(colour, kind), &mut column[..part.len()]);
                }
            }
            self.fill_values(positions.rows(part.clone()), sides);
            let [whites, blacks] = &both;
            for ((column, white), black) in columns.iter_mut().zip(whites).zip(blacks) {
                let Some(column) = column else { continue };
                let rows = column[part.clone()].iter_mut().zip(&turns[part.clone()]);
                for (i, (value, turn)) in rows.enumerate() {
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

/// Panics if a request does not fit the positions, or its buffer does not fit its column.
#[track_caller]
fn check(positions: &Positions<'_>, request: &Request<'_>) {
    let Request { column, buffer, feature_set, validity } = request;
    let (value_type, values) = buffer.holds();
    let rows = positions.len();
    let is_list = column.shape() == Shape::List;
    if value_type != column.value_type() || values.is_none() != is_list {
        let [lists, buffer_lists] =
            [is_list, values.is_none()].map(|lists| if lists { "lists of " } else { "" });
        panic!(
            "column `{column}` holds {lists}{}, but its buffer holds {buffer_lists}{value_type}",
            column.value_type()
        );
    }
    match (column.shape(), values) {
        (Shape::Value, Some(values)) => same_length(column, values, "positions", rows),
        (Shape::Array(count), Some(values)) => assert!(
            rows.checked_mul(count) == Some(values),
            "column `{column}` has {values} values, but {rows} positions have {count} each"
        ),
        _ => {}
    }
    if let Some(validity) = validity {
        assert!(
            validity.len() == rows,
            "the validity of column `{column}` has {} rows, but column `positions` has {rows}",
            validity.len()
        );
    }
    assert!(
        !column.needs_feature_set() || feature_set.is_some(),
        "column `{column}` needs a set of inputs: `Request::feature_set`"
    );
    positions.state().check(*column);
}

/// The columns of the side to move.
type ToMoveColumns<'a> = [Option<&'a mut [u64]>; TO_MOVE.len()];

/// The bitboards and numbers that a call requests, sorted by what fills them.
struct Sorted<'a> {
    attacks: AttackColumns<'a>,
    others: OtherColumns<'a>,
    numbers: NumberColumns<'a>,
    to_move: ToMoveColumns<'a>,
}

impl<'a> Sorted<'a> {
    fn new() -> Self {
        Self {
            attacks: [const { None }; 2 * ATTACKS],
            others: [const { None }; 2 * OTHERS],
            numbers: [const { None }; 2 * NUMBERS],
            to_move: [const { None }; TO_MOVE.len()],
        }
    }

    fn boards(&mut self, column: Column, values: &'a mut [u64]) {
        let kind = column.kind();
        let place = kind.place();
        let to = match column.colour() {
            None => {
                let place = TO_MOVE.iter().position(|&other| other == kind);
                &mut self.to_move[place.expect("a kind of the side to move")]
            }
            Some(side) if place < ATTACKS => &mut self.attacks[side as usize * ATTACKS + place],
            Some(side) => &mut self.others[side as usize * OTHERS + place - ATTACKS],
        };
        *to = Some(values);
    }

    fn numbers(&mut self, column: Column, values: &'a mut [u16]) {
        let side = usize::from(column.colour() == Some(Colour::Black));
        self.numbers[side * NUMBERS + column.kind().place()] = Some(values);
    }
}

/// Where the bitboards of a block go: the columns that are requested, and where the block starts in them. `FIRST` is
/// the kind of the first column. It is made anew for each block, so that what does not change while columns
/// are written can stay in registers.
struct BoardSlots<'a, 'b, const FIRST: usize, const COUNT: usize> {
    wanted: [u32; 2],
    at: usize,
    columns: &'b mut Columns<'a, u64, COUNT>,
}

type AttackSlots<'a, 'b> = BoardSlots<'a, 'b, 0, { 2 * ATTACKS }>;

type OtherSlots<'a, 'b> = BoardSlots<'a, 'b, ATTACKS, { 2 * OTHERS }>;

impl<'a, 'b, const FIRST: usize, const COUNT: usize> BoardSlots<'a, 'b, FIRST, COUNT> {
    /// The kinds that are requested, of each side: bits by [`Kind::bit`].
    #[inline(always)]
    fn wanted(columns: &Columns<'_, u64, COUNT>) -> [u32; 2] {
        let mut wanted = [0; 2];
        for (i, column) in columns.iter().enumerate() {
            if column.is_some() {
                wanted[i / (COUNT / 2)] |= 1 << (FIRST + i % (COUNT / 2));
            }
        }
        wanted
    }

    #[inline(always)]
    fn new(wanted: [u32; 2], at: usize, columns: &'b mut Columns<'a, u64, COUNT>) -> Self {
        Self { wanted, at, columns }
    }

    /// Whether any of these kinds is requested, of one side.
    #[inline(always)]
    fn wants(&self, side: Colour, kinds: u32) -> bool {
        self.wanted[side as usize] & kinds != 0
    }

    /// Puts a block into a column, if it is requested.
    #[inline(always)]
    fn put<B: Block>(&mut self, side: Colour, kind: Kind, boards: B) {
        let place = side as usize * (COUNT / 2) + kind.place() - FIRST;
        if let Some(column) = &mut self.columns[place] {
            boards.store(&mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// Where the numbers of a block go.
struct NumberSlots<'a, 'b> {
    at: usize,
    columns: &'b mut NumberColumns<'a>,
}

impl NumberSlots<'_, '_> {
    /// Whether a number is requested, of one side.
    #[inline(always)]
    fn wants(&self, side: Colour, kind: Kind) -> bool {
        self.columns[side as usize * NUMBERS + kind.place()].is_some()
    }

    /// Puts a block of numbers into a column, if it is requested.
    #[inline(always)]
    fn put<B: Block>(&mut self, side: Colour, kind: Kind, numbers: B::Numbers) {
        if let Some(column) = &mut self.columns[side as usize * NUMBERS + kind.place()] {
            B::store_numbers(numbers, &mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// Whose attacks a group of columns is computed from, and whose columns they are.
#[derive(Clone, Copy)]
enum Whose {
    /// The side's own columns, from its own attacks.
    Own,
    /// The enemy's columns, from the side's attacks.
    Enemy,
    /// The side's own columns, from both sides' attacks.
    Both,
}

impl Whose {
    /// Whose columns they are, where a side's attacks are at hand.
    #[inline(always)]
    const fn columns(self, side: Colour) -> Colour {
        match self {
            Self::Own | Self::Both => side,
            Self::Enemy => side.opponent(),
        }
    }

    /// The bit of a kind, if it is computed from the attacks of its own side.
    const fn own(self, kind: Kind) -> u32 {
        if matches!(self, Self::Own | Self::Both) { kind.bit() } else { 0 }
    }

    /// The bit of a kind, if it is computed from the attacks of the other side.
    const fn enemy(self, kind: Kind) -> u32 {
        if matches!(self, Self::Enemy | Self::Both) { kind.bit() } else { 0 }
    }
}

/// Writes a type for each section of bitboards, which knows what it is computed from and fills what is requested of it,
/// and a function for the numbers of a role.
macro_rules! fills {
    (
        boards {$(
            $section:ident($position:ident, $side:ident $(, $name:ident: $type:ty)*) {$(
                $whose:ident = $group:expr => {$(
                    $kind:ident: $board_type:ty [$($flag:ident)*] $board_name:literal, $meaning:literal = $part:tt;
                )*}
            )*}
        )*}
        to_move $to_move:tt
        numbers($counts:ident, $($squares:ident),*) {$(
            $number_whose:ident $number:ident: $number_type:ty [$($number_flag:ident)*] $number_name:literal,
                $number_meaning:literal = $number_value:expr;
        )*}
        $($rest:tt)*
    ) => {
        $(
            struct $section;

            #[allow(dead_code, reason = "not every section needs attacks that are computed before")]
            impl $section {
                const OWN: u32 = 0 $($(| Whose::$whose.own(Kind::$kind))*)*;
                const ENEMY: u32 = 0 $($(| Whose::$whose.enemy(Kind::$kind))*)*;

                /// Whether anything is requested that needs a side's attacks.
                #[inline(always)]
                fn needs<const FIRST: usize, const COUNT: usize>(
                    side: Colour,
                    out: &BoardSlots<'_, '_, FIRST, COUNT>,
                ) -> bool {
                    out.wants(side, Self::OWN) || out.wants(side.opponent(), Self::ENEMY)
                }

                #[inline(always)]
                fn fill<B: Block, const FIRST: usize, const COUNT: usize>(
                    $position: &Pieces<B>,
                    $side: Colour,
                    $($name: $type,)*
                    out: &mut BoardSlots<'_, '_, FIRST, COUNT>,
                ) {
                    $(
                        if out.wants(Whose::$whose.columns($side), 0 $(| Kind::$kind.bit())*) {
                            let group = $group;
                            $(out.put(Whose::$whose.columns($side), Kind::$kind, group.$part);)*
                        }
                    )*
                }
            }
        )*

        /// Puts a role's numbers: the attacks of a side on sets of squares.
        #[inline(always)]
        fn fill_numbers_of_role<B: Block>(
            position: &Pieces<B>,
            side: Colour,
            role: Role,
            [$($squares),*]: [B; [$(stringify!($squares)),*].len()],
            out: &mut NumberSlots<'_, '_>,
        ) {
            if false $(|| out.wants(Whose::$number_whose.columns(side), Kind::$number(role)))* {
                let $counts = eval::attacker_counts_by_role(position, side, role);
                $(
                    let columns = Whose::$number_whose.columns(side);
                    if out.wants(columns, Kind::$number(role)) {
                        out.put::<B>(columns, Kind::$number(role), $number_value);
                    }
                )*
            }
        }
    };
}

catalogue!(fills);

/// The sliders' maps of one role, and `twice`, which bring all others.
const OF_SLIDERS: u32 =
    Kind::Bishop.bit() | Kind::Rook.bit() | Kind::Queen.bit() | Kind::Twice.bit();

/// Fills the attack maps that are requested, of one block. What a side costs goes by what is requested of it: the
/// leapers' three maps come together; `all` adds one union of sliders; a map of bishops, rooks or queens, or
/// `twice`, brings all.
#[inline(always)]
fn fill_attacks<B: Block>(position: &Pieces<B>, out: &mut AttackSlots<'_, '_>) {
    let occupied = position.occupied();
    // By index from memory: a choice by colour would be a branch that copies eight vectors.
    let sides = [position.white, position.black];
    let mut side = 0;
    while side < 2 {
        let (colour, own) = (Colour::ALL[side], sides[side]);
        if out.wants(colour, OF_SLIDERS) {
            ByAttacks::fill(position, colour, occupied, own, out);
        } else {
            fill_side_without_roles(position, colour, out);
        }
        side += 1;
    }
}

/// Fills the attack maps that are requested and need no rays of single roles.
#[inline(always)]
fn fill_without_roles<B: Block>(position: &Pieces<B>, out: &mut AttackSlots<'_, '_>) {
    let mut side = 0;
    while side < 2 {
        fill_side_without_roles(position, Colour::ALL[side], out);
        side += 1;
    }
}

/// The same for one side.
#[inline(always)]
fn fill_side_without_roles<B: Block>(
    position: &Pieces<B>,
    colour: Colour,
    out: &mut AttackSlots<'_, '_>,
) {
    if !out.wants(colour, !0) {
        return;
    }
    let pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
    let knight = leaper::knights(position.of(colour, Role::Knight));
    let king = leaper::kings(position.of(colour, Role::King));
    out.put(colour, Kind::Pawn, pawn);
    out.put(colour, Kind::Knight, knight);
    out.put(colour, Kind::King, king);
    if out.wants(colour, Kind::All.bit()) {
        let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
        let slider = B::slider_attacks(orthogonal, diagonal, position.occupied());
        out.put(colour, Kind::All, (pawn | knight) | (king | slider));
    }
}

/// Fills the other bitboards that are requested, of one block.
#[inline(always)]
fn fill_others<B: Block>(position: &Pieces<B>, out: &mut OtherSlots<'_, '_>) {
    if ByValue::needs(Colour::White, out) || ByValue::needs(Colour::Black, out) {
        let none = eval::no_attacks();
        let mut sides = ByColour { white: none, black: none };
        let mut side = 0;
        while side < 2 {
            let colour = Colour::ALL[side];
            if ByValue::needs(colour, out) {
                sides[colour] = eval::cumulative_of(position, colour);
            }
            side += 1;
        }
        let mut side = 0;
        while side < 2 {
            ByValue::fill(position, Colour::ALL[side], &sides, out);
            side += 1;
        }
    }
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        if ByRays::needs(colour, out) {
            ByRays::fill(position, colour, &eval::rays(position, colour), out);
        }
        ByPosition::fill(position, colour, out);
        side += 1;
    }
}

/// Fills the numbers that are requested, of one block.
#[inline(always)]
fn fill_numbers<B: Block>(position: &Pieces<B>, out: &mut NumberSlots<'_, '_>) {
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        let enemy = colour.opponent();
        let free = !position.colour(colour);
        let safe = free.without(leaper::pawns(enemy, position.of(enemy, Role::Pawn)));
        let ring = leaper::kings(position.of(enemy, Role::King));
        // A loop that stays one: written out six times it would be six times the code and no faster.
        let mut role = 0;
        while role < 6 {
            fill_numbers_of_role(position, colour, Role::ALL[role], [free, safe, ring], out);
            role += 1;
        }
        side += 1;
    }
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
                fill_attacks(&self.positions.load::<B>(at), &mut out);
            }
            block = next::<B>(at, rows);
        }
    }
}

/// Attack maps that need no rays of single roles, at least a block of rows.
struct FillWithoutRoles<'a, 'b> {
    positions: Positions<'a>,
    columns: AttackColumns<'b>,
}

impl Task for FillWithoutRoles<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let rows = self.positions.len();
        let wanted = AttackSlots::wanted(&self.columns);
        let mut block = Some(0);
        while let Some(at) = block {
            let position = self.positions.load::<B>(at);
            fill_without_roles(&position, &mut AttackSlots::new(wanted, at, &mut self.columns));
            block = next::<B>(at, rows);
        }
    }
}

/// All other bitboards, at least a block of rows.
struct FillOthers<'a, 'b> {
    positions: Positions<'a>,
    columns: OtherColumns<'b>,
}

impl Task for FillOthers<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let rows = self.positions.len();
        let wanted = OtherSlots::wanted(&self.columns);
        let mut block = Some(0);
        while let Some(at) = block {
            let position = self.positions.load::<B>(at);
            fill_others(&position, &mut OtherSlots::new(wanted, at, &mut self.columns));
            block = next::<B>(at, rows);
        }
    }
}

/// Numbers, at least a block of rows.
struct FillNumbers<'a, 'b> {
    positions: Positions<'a>,
    columns: NumberColumns<'b>,
}

impl Task for FillNumbers<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let rows = self.positions.len();
        let mut block = Some(0);
        while let Some(at) = block {
            let position = self.positions.load::<B>(at);
            fill_numbers(&position, &mut NumberSlots { at, columns: &mut self.columns });
            block = next::<B>(at, rows);
        }
    }
}
