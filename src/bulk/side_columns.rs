//! Bitboards and numbers of each side. Only work that the requested columns need is done.

use wide::bytemuck::cast_slice_mut;

use super::blocks::{Columns, by_blocks};
use super::one_by_one::{Output, PINS};
use super::positions::Positions;
use crate::backend::Kernel;
use crate::boards::block::{Block, MAX_BOARDS, MapColumns, next, store, store_numbers};
use crate::boards::bytes::Bytes;
use crate::boards::called;
use crate::boards::maps::Scratch;
use crate::boards::sliced::Sliced;
use crate::columns::ColumnKind;
use crate::columns::catalogue::{ATTACKS, NUMBERS, OTHERS};
use crate::dispatch::{Level, Task};
use crate::eval;
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
        let maps = MapSlots { at: 0, columns };
        let by_role = Colour::ALL.into_iter().any(|side| maps.wants(side, &SLIDER_MAPS));
        // Without maps of single slider roles, a block takes less time, so the threshold is lower: 3/8 of a block with
        // `all` of both sides, 2/8 otherwise.
        let both = Colour::ALL.into_iter().all(|side| maps.wants(side, &[ColumnKind::All]));
        let eighths = if by_role { 4 } else { 2 + usize::from(both) };
        if !self.backend().is_sliced() || self.is_small_call(positions.len() * 4 / eighths) {
            return self.small_attacks(positions, columns);
        }
        by_blocks(self, *positions, columns, move |positions, columns| {
            self.run(FillAttacks { positions, columns, by_role });
        });
    }

    pub(super) fn fill_others(self, positions: Positions<'_>, columns: &mut OtherColumns<'_>) {
        for side in Colour::ALL {
            self.fill_few_pins(positions, columns, side);
        }
        if columns.iter().all(Option::is_none) {
            return;
        }
        by_blocks(self, positions, columns, move |positions, columns| {
            self.run_without_gfni(FillBlocks { positions, columns });
        });
    }

    /// Fills a side's columns of pins by rows and removes them, unless they are worth all rays of each block: two or three
    /// columns are, in blocks of more than 16 boards and not in small calls, and a single one if other columns need the
    /// same rays.
    fn fill_few_pins(self, positions: Positions<'_>, columns: &mut OtherColumns<'_>, side: Colour) {
        let mut slots = OtherSlots { at: 0, columns };
        let requested = PINS.iter().filter(|&&kind| slots.wants(side, &[kind])).count();
        let short = self.backend().boards_per_block() <= 16;
        let few = if short || self.is_small_call(positions.len()) { PINS.len() } else { 1 };
        let enemy = side.opponent();
        let has_rays = slots.wants(enemy, &COUNTS) || slots.wants(enemy, &[ColumnKind::XRay]);
        if requested > few || has_rays {
            return;
        }
        for kind in PINS {
            if let Some(sets) = slots.column(side, kind).take() {
                self.fill_one_by_one(positions, Output::Pins(kind, Some(side), sets), None);
            }
        }
    }

    pub(super) fn fill_numbers(self, positions: Positions<'_>, columns: &mut NumberColumns<'_>) {
        by_blocks(self, positions, columns, move |positions, columns| {
            self.run(FillBlocks { positions, columns });
        });
    }
}

/// The destination of a block: the requested columns, and the row at which the block starts. `FIRST` is the place of
/// the first kind of column.
struct Slots<'a, 'b, T, const FIRST: usize, const COUNT: usize> {
    at: usize,
    columns: &'b mut Columns<'a, T, COUNT>,
}

type MapSlots<'a, 'b> = Slots<'a, 'b, u64, 0, { 2 * ATTACKS }>;
type OtherSlots<'a, 'b> = Slots<'a, 'b, u64, ATTACKS, { 2 * OTHERS }>;

impl<'a, T, const FIRST: usize, const COUNT: usize> Slots<'a, '_, T, FIRST, COUNT> {
    /// A side's column of a kind, if it is requested.
    #[inline(always)]
    fn column(&mut self, side: Colour, kind: ColumnKind) -> &mut Option<&'a mut [T]> {
        &mut self.columns[side as usize * (COUNT / 2) + kind.place() - FIRST]
    }

    /// Returns whether any of these kinds is requested for a side.
    #[inline(always)]
    fn wants(&self, side: Colour, kinds: &[ColumnKind]) -> bool {
        let first = side as usize * (COUNT / 2);
        kinds.iter().any(|kind| self.columns[first + kind.place() - FIRST].is_some())
    }
}

impl<const FIRST: usize, const COUNT: usize> Slots<'_, '_, u64, FIRST, COUNT> {
    /// Stores a block in a column, if it is requested.
    #[inline(always)]
    fn store<B: Block>(&mut self, side: Colour, kind: ColumnKind, boards: B) {
        let at = self.at;
        if let Some(column) = self.column(side, kind) {
            store(&boards, &mut column[at..at + B::COUNT]);
        }
    }
}

/// The bits of the number of attackers.
const COUNTS: [ColumnKind; 5] = [
    ColumnKind::CountBit0,
    ColumnKind::CountBit1,
    ColumnKind::CountBit2,
    ColumnKind::CountBit3,
    ColumnKind::CountBit4,
];

/// The maps of single slider roles, and `twice`: they are computed together.
const SLIDER_MAPS: [ColumnKind; 4] =
    [ColumnKind::Bishop, ColumnKind::Rook, ColumnKind::Queen, ColumnKind::Twice];

/// The other attack maps.
const OTHER_MAPS: [ColumnKind; 4] =
    [ColumnKind::Pawn, ColumnKind::Knight, ColumnKind::King, ColumnKind::All];

/// Attack maps for at least one block of rows.
struct FillAttacks<'a, 'b> {
    positions: Positions<'a>,
    columns: AttackColumns<'b>,
    /// True if any of [`SLIDER_MAPS`] is requested.
    by_role: bool,
}

impl Task for FillAttacks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(self, _level: L) {
        if self.by_role {
            all_maps::<L::Vector>(self.positions, self.columns);
        } else {
            other_maps::<L::Vector>(self.positions, self.columns);
        }
    }
}

/// Other columns for at least one block of rows.
struct FillBlocks<'a, C> {
    positions: Positions<'a>,
    columns: C,
}

impl Task for FillBlocks<'_, OtherColumns<'_>> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(mut self, _level: L) {
        let mut block = Some(0);
        while let Some(at) = block {
            other_bitboards::<L::Boards>(&mut self.columns, &self.positions.load(at), at);
            block = next(at, self.positions.len(), L::BOARDS);
        }
    }
}

impl Task for FillBlocks<'_, NumberColumns<'_>> {
    type Output = ();

    #[inline(always)]
    fn run<L: Level>(mut self, _level: L) {
        let mut block = Some(0);
        while let Some(at) = block {
            numbers::<L::Boards>(&mut self.columns, &self.positions.load(at), at);
            block = next(at, self.positions.len(), L::BOARDS);
        }
    }
}

called! {
    fn all_maps<'a, V: Bytes>(positions: Positions<'a>, columns: AttackColumns<'a>) -> () {
        let (mut scratch, mut boards) = (Scratch::<V>::default(), [[0; MAX_BOARDS]; 8]);
        let (mut columns, mut block) = (columns, Some(0));
        while let Some(at) = block {
            let mut maps = MapColumns { columns: &mut columns, at };
            scratch.fill(&positions.block::<Sliced<V>>(at, &mut boards), &mut maps);
            block = next(at, positions.len(), V::COUNT);
        }
    }

    /// Attack maps, none of them among [`SLIDER_MAPS`]: those of leapers, and `all` with one union of sliders.
    fn other_maps<'a, V: Bytes>(positions: Positions<'a>, columns: AttackColumns<'a>) -> () {
        let (mut columns, mut block) = (columns, Some(0));
        while let Some(at) = block {
            let position = &positions.load::<Sliced<V>>(at);
            let mut out = MapSlots { at, columns: &mut columns };
            for side in Colour::ALL {
                if !out.wants(side, &OTHER_MAPS) {
                    continue;
                }
                let pawn = leaper::pawns(side, position.of(side, Role::Pawn));
                let knight = leaper::knights(position.of(side, Role::Knight));
                let king = leaper::kings(position.of(side, Role::King));
                out.store(side, ColumnKind::Pawn, pawn);
                out.store(side, ColumnKind::Knight, knight);
                out.store(side, ColumnKind::King, king);
                if out.wants(side, &[ColumnKind::All]) {
                    let (orthogonal, diagonal) = (position.orthogonal(side), position.diagonal(side));
                    let sliders = eval::slider_attacks(&orthogonal, &diagonal, &position.occupied());
                    out.store(side, ColumnKind::All, (pawn | knight) | (king | sliders));
                }
            }
            block = next(at, positions.len(), V::COUNT);
        }
    }
}

#[inline(always)]
fn other_bitboards<B: Block>(columns: &mut OtherColumns<'_>, position: &Pieces<B>, at: usize) {
    let mut out = OtherSlots { at, columns };

    let mut attacks = ByColour { white: eval::no_attacks(), black: eval::no_attacks() };
    for side in Colour::ALL {
        let own = [ColumnKind::ByMinor, ColumnKind::ByRook, ColumnKind::Hanging];
        let enemy = [ColumnKind::Hanging, ColumnKind::AttackedByLesser];
        if out.wants(side, &own) || out.wants(side.opponent(), &enemy) {
            attacks[side] = eval::cumulative_of(position, side);
        }
    }
    for side in Colour::ALL {
        out.store(side, ColumnKind::ByMinor, attacks[side].by_minor);
        out.store(side, ColumnKind::ByRook, attacks[side].by_rook);
        if out.wants(side, &[ColumnKind::Hanging]) {
            out.store(side, ColumnKind::Hanging, eval::hanging(position, side, &attacks));
        }
        if out.wants(side, &[ColumnKind::AttackedByLesser]) {
            let attacked = eval::attacked_by_lesser(position, side, &attacks);
            out.store(side, ColumnKind::AttackedByLesser, attacked);
        }
    }
    for side in Colour::ALL {
        let enemy = side.opponent();
        let (counts, pins) = (out.wants(side, &COUNTS), out.wants(enemy, &PINS));
        if counts || pins || out.wants(side, &[ColumnKind::XRay]) {
            let rays = &eval::rays(position, side);
            if counts {
                let planes = eval::attacker_counts(position, rays).planes();
                let mut plane = 0;
                while plane < COUNTS.len() {
                    out.store(side, COUNTS[plane], planes[plane]);
                    plane += 1;
                }
            }
            if out.wants(side, &[ColumnKind::XRay]) {
                out.store(side, ColumnKind::XRay, eval::x_rays(position, rays));
            }
            if pins {
                let threats = eval::king_threats(position, rays);
                out.store(enemy, ColumnKind::Pinned, threats.pinned);
                out.store(enemy, ColumnKind::Checkers, threats.checkers);
                out.store(enemy, ColumnKind::Pinners, threats.pinners);
            }
        }
        if out.wants(side, &[ColumnKind::KingDanger]) {
            out.store(side, ColumnKind::KingDanger, eval::king_danger(position, side));
        }
        let (king, none) = (position.of(side, Role::King), B::empty());
        out.store(side, ColumnKind::PawnChecks, leaper::pawns(side, king));
        out.store(side, ColumnKind::KnightChecks, leaper::knights(king));
        for (kind, rook, bishop) in
            [(ColumnKind::BishopChecks, none, king), (ColumnKind::RookChecks, king, none)]
        {
            if out.wants(side, &[kind]) {
                out.store(side, kind, B::slider_attacks(rook, bishop, position.occupied()));
            }
        }
    }
}

#[inline(always)]
fn numbers<B: Block>(columns: &mut NumberColumns<'_>, position: &Pieces<B>, at: usize) {
    let mut out = Slots::<u16, 0, { 2 * NUMBERS }> { at, columns };
    for side in Colour::ALL {
        let enemy = side.opponent();
        let free = !position.colour(side);
        let safe = free.without(leaper::pawns(enemy, position.of(enemy, Role::Pawn)));
        let ring = leaper::kings(position.of(enemy, Role::King));
        for role in Role::ALL {
            let [mobility, safe_mobility, king_ring] = [
                ColumnKind::Mobility(role),
                ColumnKind::SafeMobility(role),
                ColumnKind::KingRing(role),
            ];
            if !out.wants(side, &[mobility, safe_mobility]) && !out.wants(enemy, &[king_ring]) {
                continue;
            }
            let counts = eval::attacker_counts_by_role(position, side, role);
            let requests =
                [(side, mobility, &free), (side, safe_mobility, &safe), (enemy, king_ring, &ring)];
            for (side, kind, &squares) in requests {
                if let Some(column) = out.column(side, kind) {
                    let column = cast_slice_mut(&mut column[at..at + B::COUNT]);
                    store_numbers::<B>(counts.sum_on(squares), column);
                }
            }
        }
    }
}
