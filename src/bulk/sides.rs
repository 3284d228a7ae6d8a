//! Bitboards and numbers of each side. The rows of the catalogue say what a column needs. The loops here compute what
//! is requested and nothing else.

use super::blocks::{Columns, by_blocks, next};
use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::{Block, MapColumns, MapScratch};
use crate::columns::Kind;
use crate::columns::catalogue::{ATTACKS, NUMBERS, OTHERS, catalogue};
use crate::dispatch::BlockTask;
use crate::eval::{self, Cumulative, Rays};
use crate::leaper;
use crate::pieces::{ByColour, Colour, Pieces, Role};

/// The attack maps.
pub(super) type AttackColumns<'a> = Columns<'a, u64, { 2 * ATTACKS }>;

/// The other bitboards.
pub(super) type OtherColumns<'a> = Columns<'a, u64, { 2 * OTHERS }>;

/// The numbers.
pub(super) type NumberColumns<'a> = Columns<'a, u16, { 2 * NUMBERS }>;

impl Kernel {
    pub(super) fn fill_attacks(self, positions: &Positions<'_>, columns: &mut AttackColumns<'_>) {
        let wanted = AttackSlots::wanted(columns);
        let of_roles = (wanted[0] | wanted[1]) & OF_SLIDERS != 0;
        // A block without roles takes less, so that fewer rows are few: three eighths of it.
        let rows = positions.len() + if of_roles { 0 } else { positions.len() / 3 };
        if self.are_few(rows) {
            return self.few_attacks(positions, columns);
        }
        by_blocks(self, *positions, columns, move |positions, columns| {
            if of_roles {
                self.run_blocks(FillAttacks { positions, columns });
            } else {
                self.run_blocks(FillWithoutRoles { positions, columns });
            }
        });
    }

    pub(super) fn fill_others(self, positions: Positions<'_>, columns: &mut OtherColumns<'_>) {
        by_blocks(self, positions, columns, move |positions, columns| {
            self.run_blocks(FillOthers { positions, columns });
        });
    }

    pub(super) fn fill_numbers(self, positions: Positions<'_>, columns: &mut NumberColumns<'_>) {
        by_blocks(self, positions, columns, move |positions, columns| {
            self.run_blocks(FillNumbers { positions, columns });
        });
    }
}

/// The destination of a block's bitboards: the requested columns, and the row at which the block starts. `FIRST` is the
/// kind of the first column. It is made anew for each block, so that values that do not change while columns are
/// written can stay in registers.
struct BoardSlots<'a, 'b, const FIRST: usize, const COUNT: usize> {
    wanted: [u32; 2],
    at: usize,
    columns: &'b mut Columns<'a, u64, COUNT>,
}

type AttackSlots<'a, 'b> = BoardSlots<'a, 'b, 0, { 2 * ATTACKS }>;

type OtherSlots<'a, 'b> = BoardSlots<'a, 'b, ATTACKS, { 2 * OTHERS }>;

impl<'a, 'b, const FIRST: usize, const COUNT: usize> BoardSlots<'a, 'b, FIRST, COUNT> {
    /// The requested kinds of each side: bits by [`Kind::bit`].
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

    /// Whether any of these kinds is requested for a side.
    #[inline(always)]
    fn wants(&self, side: Colour, kinds: u32) -> bool {
        self.wanted[side as usize] & kinds != 0
    }

    /// Stores a block in a column, if it is requested.
    #[inline(always)]
    fn put<B: Block>(&mut self, side: Colour, kind: Kind, boards: B) {
        let place = side as usize * (COUNT / 2) + kind.place() - FIRST;
        if let Some(column) = &mut self.columns[place] {
            boards.store(&mut column[self.at..self.at + B::COUNT]);
        }
    }
}

/// The destination of a block's numbers.
struct NumberSlots<'a, 'b> {
    at: usize,
    columns: &'b mut NumberColumns<'a>,
}

impl NumberSlots<'_, '_> {
    /// Whether a number is requested for a side.
    #[inline(always)]
    fn wants(&self, side: Colour, kind: Kind) -> bool {
        self.columns[side as usize * NUMBERS + kind.place()].is_some()
    }

    /// Stores a block of numbers in a column, if it is requested.
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
    /// The side that owns the columns, while a side's attacks are at hand.
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

/// Generates a type for each section of bitboards, which knows what the section is computed from and fills the
/// requested columns, and a function for the numbers of a role.
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

                /// Whether a requested column needs a side's attacks.
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

        /// Stores the numbers of a role: attacks by a side on sets of squares.
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

/// The maps of single slider roles, and `twice`: each of them requires all of them.
const OF_SLIDERS: u32 =
    Kind::Bishop.bit() | Kind::Rook.bit() | Kind::Queen.bit() | Kind::Twice.bit();

/// Fills the requested attack maps of one block. The cost for each side depends on what is requested for it: the three
/// maps of leapers are computed together; `all` adds one union of sliders; a map of bishops, rooks or queens, or
/// `twice`, requires all maps.
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

/// Fills the requested attack maps that do not need the rays of single roles.
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

/// Fills the other requested bitboards of one block.
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

/// Fills the requested numbers of one block.
#[inline(always)]
fn fill_numbers<B: Block>(position: &Pieces<B>, out: &mut NumberSlots<'_, '_>) {
    let mut side = 0;
    while side < 2 {
        let colour = Colour::ALL[side];
        let enemy = colour.opponent();
        let free = !position.colour(colour);
        let safe = free.without(leaper::pawns(enemy, position.of(enemy, Role::Pawn)));
        let ring = leaper::kings(position.of(enemy, Role::King));
        // The loop must stay a loop: unrolled, it would be six times the code and no faster.
        let mut role = 0;
        while role < 6 {
            fill_numbers_of_role(position, colour, Role::ALL[role], [free, safe, ring], out);
            role += 1;
        }
        side += 1;
    }
}

/// Computes attack maps for at least one block of rows.
struct FillAttacks<'a, 'b> {
    positions: Positions<'a>,
    columns: AttackColumns<'b>,
}

impl BlockTask for FillAttacks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Block>(mut self) {
        let rows = self.positions.len();
        let wanted = AttackSlots::wanted(&self.columns);
        let mut scratch = B::Scratch::new();
        let mut block = Some(0);
        while let Some(at) = block {
            if B::Scratch::USED {
                let mut maps = MapColumns { columns: &mut self.columns, at };
                scratch.fill(&self.positions.block(at, B::COUNT), &mut maps);
            } else {
                let mut out = AttackSlots::new(wanted, at, &mut self.columns);
                fill_attacks(&self.positions.load::<B>(at), &mut out);
            }
            block = next::<B>(at, rows);
        }
    }
}

/// Computes attack maps that need no rays of single roles, for at least one block of rows.
struct FillWithoutRoles<'a, 'b> {
    positions: Positions<'a>,
    columns: AttackColumns<'b>,
}

impl BlockTask for FillWithoutRoles<'_, '_> {
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

/// Computes all other bitboards for at least one block of rows.
struct FillOthers<'a, 'b> {
    positions: Positions<'a>,
    columns: OtherColumns<'b>,
}

impl BlockTask for FillOthers<'_, '_> {
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

/// Computes numbers for at least one block of rows.
struct FillNumbers<'a, 'b> {
    positions: Positions<'a>,
    columns: NumberColumns<'b>,
}

impl BlockTask for FillNumbers<'_, '_> {
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
