//! The rules of chess on sliced boards, and the number of legal moves, in loops over the ranks.
//!
//! Unrolled over eight ranks, the code would have some 5,000 instructions, too many for a core's first-level cache. Here
//! the body of each loop handles one rank, and data passes from loop to loop in memory.

use crate::boards::bytes::{Bytes, eight, rank_east};
use crate::boards::called;
use crate::boards::sliced::Sliced;
use crate::boards::word_numbers::WordNumbers;
use crate::pieces::Pieces;

/// A set's ranks, with two empty ones below and above: rank `k` is at `k + 2`.
pub(super) type Ranks<V> = [V; 12];

/// The rays of sliders, indexed by the directions below. Opposite directions are four apart.
type EightRays<V> = [Ranks<V>; 8];

const NORTH: usize = 0;
const EAST: usize = 1;
const NORTH_EAST: usize = 2;
const NORTH_WEST: usize = 3;
const SOUTH: usize = 4;
const WEST: usize = 5;
const SOUTH_WEST: usize = 6;
const SOUTH_EAST: usize = 7;

/// The sets of a block, from the point of view of the side to move: its pawns move north.
pub(crate) struct Scratch<V> {
    pub(super) occupied: Ranks<V>,
    pub(super) own: Side<V>,
    pub(super) enemy: Side<V>,
    /// The rays of the enemy's sliders, which pass through the mover's king; later those of the mover's sliders.
    of_sliders: EightRays<V>,
    of_king: EightRays<V>,
    /// The squares on which the king would be in check; later one square per king move, castling and en passant.
    pub(super) danger: Ranks<V>,
    /// The checkers; later the destinations allowed for pieces other than the king, including own squares.
    pub(super) answers: Ranks<V>,
    /// The squares between the king and an enemy slider that gives check, or the only piece between the king and an
    /// enemy slider, along files, ranks and both diagonals; later the sliders that may move along these lines.
    pub(super) lines: [Ranks<V>; 4],
    /// The pawns that may push (at first, the occupied squares without the mover's king), and those that may capture.
    pub(super) pushers: Ranks<V>,
    pub(super) right: Ranks<V>,
    pub(super) left: Ranks<V>,
}

pub(super) struct Side<V> {
    pub(super) all: Ranks<V>,
    pub(super) pawns: Ranks<V>,
    pub(super) knights: Ranks<V>,
    diagonal: Ranks<V>,
    orthogonal: Ranks<V>,
    pub(super) king: Ranks<V>,
}

impl<V: Bytes> Default for Scratch<V> {
    #[inline(always)]
    fn default() -> Self {
        let none = [V::splat(0); 12];
        let side = || Side {
            all: none,
            pawns: none,
            knights: none,
            diagonal: none,
            orthogonal: none,
            king: none,
        };
        Self {
            occupied: none,
            own: side(),
            enemy: side(),
            of_sliders: [none; 8],
            of_king: [none; 8],
            danger: none,
            answers: none,
            lines: [none; 4],
            pushers: none,
            right: none,
            left: none,
        }
    }
}

/// The sides to move that are valid and in check, and their special moves. The other rules are in [`Scratch`].
pub(super) struct Rules<V> {
    /// All bits of the lanes with valid positions, and of those in check.
    pub(super) valid: V,
    check: V,
    /// The rooks with which the king castles to the east and to the west, on rank 1.
    castles: [V; 2],
    /// The pawns that capture en passant to the north-east and to the north-west, on rank 5.
    pub(super) en_passant: [V; 2],
}

impl<V: Bytes> Rules<V> {
    /// The king's destinations on rank 1 when it castles to the east and to the west: the rook's square in Chess960, or
    /// two squares away if the king is on the e-file and the rook in the corner.
    #[inline(always)]
    pub(super) fn castling_destinations(&self, king: V) -> [V; 2] {
        let [east, west] = self.castles;
        let home = king.and(V::splat(1 << 4)).nonzero();
        let standard = |rook: V, corner: u8| home.and(rook.and(V::splat(corner)).nonzero());
        [
            V::select(standard(east, 1 << 7), V::splat(1 << 6), east),
            V::select(standard(west, 1), V::splat(1 << 2), west),
        ]
    }
}

called! {
/// Applies the rules to a block of positions: pins, checks, king danger. Validity is not checked if all positions are
/// known to be valid.
pub(super) fn rules<'a, V: Bytes>(
    pieces: &'a Pieces<Sliced<V>>,
    state: &'a Sliced<V>,
    known_valid: bool,
    s: &'a mut Scratch<V>,
) -> Rules<V> {
    let (pieces, state) = (&pieces.each_ref().map(|set| &set.ranks), &state.ranks);
    let black = state[3].nonzero();
    view(pieces, black, s);
    let valid = if known_valid { V::splat(0xff) } else { is_valid(pieces, s) };
    let [lines, diagonals] = [&s.enemy.orthogonal, &s.enemy.diagonal];
    rays([lines, lines, diagonals, diagonals], &s.pushers, &mut s.of_sliders);
    rays([&s.own.king; 4], &s.occupied, &mut s.of_king);
    let [check, double] = checks(s);
    let (danger, diagonals) = (s.danger[2], s.lines[2][6].or(s.lines[3][6]));
    targets(s, check.xor(V::splat(0xff)), valid, valid.and_not(double));

    let rook = V::select(black, pieces.rooks[7], pieces.rooks[0]).and(s.own.all[2]);
    let rights = V::select(black, state[7], state[0]).and(rook).and(valid);
    let square = V::select(black, state[2], state[5]).and_not(s.occupied[7]);
    let (castles, en_passant) = (castles(s, rights, danger), en_passant(s, square, diagonals));
    Rules { valid, check, castles, en_passant }
}

/// The number of legal moves, -1 if a position is invalid; and 1 if the mover is in check. A promotion counts as four.
///
/// In each direction, at most one slider can move to a given square, so eight sets of rays are the moves of sliders.
/// Eight more are those of knights. Carry-save adders sum them, and those of the others, before bits are counted.
pub(crate) fn count_moves<'a, V: Bytes>(
    pieces: &'a Pieces<Sliced<V>>,
    state: &'a Sliced<V>,
    known_valid: bool,
    s: &'a mut Scratch<V>,
) -> [WordNumbers<V>; 2] {
    let none = V::splat(0);
    let Rules { valid, check, castles, en_passant } = rules(pieces, state, known_valid, s);
    s.danger[2] = s.danger[2].or(castles[0]).or(castles[1]);
    s.danger[6] = s.danger[6].or(en_passant[0]).or(en_passant[1]);
    // A double step needs two free squares.
    let steps = s.pushers[3].and_not(s.occupied[4].or(s.occupied[5])).and(s.answers[5]);

    let [files, ranks, diagonals, antidiagonals] = &s.lines;
    rays([files, ranks, diagonals, antidiagonals], &s.occupied, &mut s.of_sliders);
    let [mut low, mut high, mut straight, mut left] = [none; 4];
    let (mut n, count) = (0, eight());
    while n < count {
        let k = (n & 7) + 2;
        let (answers, occupied) = (s.answers[k], s.occupied[k]);
        let captures = answers.and(s.enemy.all[k]);
        let targets = answers.and_not(s.own.all[k]);
        straight = s.pushers[k - 1].and(answers.and_not(occupied));
        straight = straight.or(s.right[k - 1].east().and(captures));
        left = s.left[k - 1].west().and(captures);
        let mut sets = [none; 16];
        let mut i = 0;
        while i < 8 {
            sets[i] = s.of_sliders[i][k].and(targets);
            i += 1;
        }
        let [a, b, c, d] = [
            s.own.knights[k - 2],
            s.own.knights[k + 2],
            s.own.knights[k - 1],
            s.own.knights[k + 1],
        ];
        sets[8] = a.east().and(targets);
        sets[9] = a.west().and(targets);
        sets[10] = b.east().and(targets);
        sets[11] = b.west().and(targets);
        sets[12] = c.two_east().and(targets);
        sets[13] = c.two_west().and(targets);
        sets[14] = d.two_east().and(targets);
        sets[15] = d.two_west().and(targets);
        let sum = WordNumbers::widen(sum(sets, [straight, left, s.danger[k]]));
        low = low.plus16(sum.low);
        high = high.plus16(sum.high);
        n += 1;
    }
    // A move to the last rank is four promotions, so it adds three.
    let promotions = straight.count_ones().plus(left.count_ones());
    let more = promotions.plus(promotions).plus(promotions).plus(steps.count_ones());
    let (more, less) = (WordNumbers::widen(more), WordNumbers::widen(V::splat(1).and_not(valid)));
    let moves = WordNumbers { low, high } + more - less;
    [moves, WordNumbers::widen(check.and(V::splat(1)))]
}
}

/// Fills in the sets, flipping the boards on which black moves.
#[inline(always)]
fn view<V: Bytes>(pieces: &Pieces<&[V; 8]>, black: V, s: &mut Scratch<V>) {
    let (mut n, count) = (0, eight());
    while n < count {
        let (k, turned) = (n & 7, 7 - (n & 7));
        let view = |set: &[V; 8]| V::select(black, set[turned], set[k]);
        let own = V::select(black, pieces.black[turned], pieces.white[k]);
        let enemy = V::select(black, pieces.white[turned], pieces.black[k]);
        let (pawns, knights, king) = (view(pieces.pawns), view(pieces.knights), view(pieces.kings));
        let (bishops, rooks, queens) =
            (view(pieces.bishops), view(pieces.rooks), view(pieces.queens));
        let (diagonal, orthogonal) = (bishops.or(queens), rooks.or(queens));
        let k = k + 2;
        for (side, all) in [(&mut s.own, own), (&mut s.enemy, enemy)] {
            side.all[k] = all;
            side.pawns[k] = all.and(pawns);
            side.knights[k] = all.and(knights);
            side.diagonal[k] = all.and(diagonal);
            side.orthogonal[k] = all.and(orthogonal);
            side.king[k] = all.and(king);
        }
        s.occupied[k] = own.or(enemy);
        s.pushers[k] = own.and_not(king).or(enemy);
        n += 1;
    }
}

/// Computes the rays of sliders along files, ranks and both diagonals.
#[inline(always)]
fn rays<V: Bytes>(sliders: [&Ranks<V>; 4], occupied: &Ranks<V>, rays: &mut EightRays<V>) {
    let [files, ranks, diagonals, antidiagonals] = sliders;
    let [mut line, mut east, mut west] = [V::splat(0); 3];
    let (mut n, count) = (0, eight());
    while n < count {
        let k = (n & 7) + 2;
        let o = occupied[k];
        rays[NORTH][k] = line;
        rays[NORTH_EAST][k] = east;
        rays[NORTH_WEST][k] = west;
        line = V::extend(line, files[k], o);
        east = V::extend(east, diagonals[k], o).east();
        west = V::extend(west, antidiagonals[k], o).west();
        n += 1;
    }
    let [mut line, mut east, mut west] = [V::splat(0); 3];
    while n > 0 {
        n -= 1;
        let k = (n & 7) + 2;
        let o = occupied[k];
        rays[SOUTH][k] = line;
        rays[SOUTH_EAST][k] = east;
        rays[SOUTH_WEST][k] = west;
        line = V::extend(line, files[k], o);
        east = V::extend(east, antidiagonals[k], o).east();
        west = V::extend(west, diagonals[k], o).west();
        rays[EAST][k] = rank_east(ranks[k], o);
        rays[WEST][k] = V::rank_west(ranks[k], o);
    }
}

/// The squares of a rank that are a knight's move away from a set.
#[inline(always)]
fn leaps<V: Bytes>(set: &Ranks<V>, k: usize) -> V {
    let (far, near) = (set[k - 2].or(set[k + 2]), set[k - 1].or(set[k + 1]));
    far.east().or(far.west()).or(near.two_east().or(near.two_west()))
}

/// The squares of a rank that are a king's move away from a set.
#[inline(always)]
fn around<V: Bytes>(set: &Ranks<V>, k: usize) -> V {
    let near = set[k - 1].or(set[k + 1]);
    let all = near.or(set[k]);
    near.or(all.east()).or(all.west())
}

/// Computes danger, checkers and lines. Returns masks of the lanes in which the mover is in check and in double check.
#[inline(always)]
fn checks<V: Bytes>(s: &mut Scratch<V>) -> [V; 2] {
    let [mut check, mut double] = [V::splat(0); 2];
    let (mut n, count) = (0, eight());
    while n < count {
        let k = (n & 7) + 2;
        let pawns = s.enemy.pawns[k + 1];
        let mut danger = leaps(&s.enemy.knights, k).or(around(&s.enemy.king, k));
        danger = danger.or(pawns.east().or(pawns.west()));
        let king = s.own.king[k - 1];
        let mut checkers = leaps(&s.own.king, k).and(s.enemy.knights[k]);
        checkers = checkers.or(king.east().or(king.west()).and(s.enemy.pawns[k]));
        let mut axis = 0;
        while axis < 4 {
            let (there, back) = (s.of_king[axis][k], s.of_king[axis + 4][k]);
            let (from_back, from_there) = (s.of_sliders[axis][k], s.of_sliders[axis + 4][k]);
            s.lines[axis][k] = there.and(from_there).or(back.and(from_back));
            danger = danger.or(from_there.or(from_back));
            let sliders = if axis < 2 { s.enemy.orthogonal[k] } else { s.enemy.diagonal[k] };
            checkers = checkers.or(there.or(back).and(sliders));
            axis += 1;
        }
        double = double.or(check.and(checkers));
        check = check.or(checkers);
        s.danger[k] = danger;
        s.answers[k] = checkers;
        n += 1;
    }
    [check.nonzero(), double.or(check.and(check.minus(V::splat(1)))).nonzero()]
}

/// A mask of the lanes with valid positions: each square is empty or has one piece, each side has one king, and the
/// side not to move is not in check.
#[inline(always)]
fn is_valid<V: Bytes>(pieces: &Pieces<&[V; 8]>, s: &mut Scratch<V>) -> V {
    let [mut wrong, mut kings, mut enemy_kings] = [V::splat(0); 3];
    // Rays from the enemy king, which is in check if they reach one of the mover's sliders.
    rays([&s.enemy.king; 4], &s.occupied, &mut s.of_king);
    let (mut n, count) = (0, eight());
    while n < count {
        let k = n & 7;
        let (pawns, knights, bishops) = (pieces.pawns[k], pieces.knights[k], pieces.bishops[k]);
        let (rooks, queens, king) = (pieces.rooks[k], pieces.queens[k], pieces.kings[k]);
        let (white, black) = (pieces.white[k], pieces.black[k]);
        let (minor, major, others) = (knights.or(bishops), rooks.or(queens), pawns.or(king));
        let roles = minor.or(major).or(others);
        wrong = wrong.or(knights.and(bishops)).or(rooks.and(queens)).or(pawns.and(king));
        wrong = wrong.or(minor.and(major)).or(others.and(minor.or(major)));
        wrong = wrong.or(white.and(black)).or(roles.xor(white.or(black)));
        let k = k + 2;
        let ray = |direction: usize| s.of_king[direction][k];
        let lines = ray(NORTH).or(ray(SOUTH)).or(ray(EAST).or(ray(WEST)));
        let north = ray(NORTH_EAST).or(ray(NORTH_WEST));
        let diagonals = north.or(ray(SOUTH_EAST).or(ray(SOUTH_WEST)));
        wrong = wrong.or(lines.and(s.own.orthogonal[k])).or(diagonals.and(s.own.diagonal[k]));
        let above = s.enemy.king[k + 1];
        wrong = wrong.or(above.east().or(above.west()).and(s.own.pawns[k]));
        wrong = wrong.or(leaps(&s.enemy.king, k).and(s.own.knights[k]));
        wrong = wrong.or(around(&s.enemy.king, k).and(s.own.king[k]));
        // Two kings of one side are on the same file, or on two files of the union of all ranks.
        wrong = wrong.or(kings.and(s.own.king[k])).or(enemy_kings.and(s.enemy.king[k]));
        kings = kings.or(s.own.king[k]);
        enemy_kings = enemy_kings.or(s.enemy.king[k]);
        n += 1;
    }
    let many = |union: V| union.and(union.minus(V::splat(1)));
    wrong = wrong.or(many(kings)).or(many(enemy_kings));
    kings.nonzero().and(enemy_kings.nonzero()).and_not(wrong.nonzero())
}

/// Turns checkers into answers, danger into the king's moves and lines into sliders that may move along them, and
/// removes pinned knights.
#[inline(always)]
fn targets<V: Bytes>(s: &mut Scratch<V>, no_check: V, valid: V, allowed: V) {
    let (mut n, count) = (0, eight());
    while n < count {
        let k = (n & 7) + 2;
        let [file, rank, diagonal, antidiagonal] =
            [s.lines[0][k], s.lines[1][k], s.lines[2][k], s.lines[3][k]];
        let lines = file.or(rank).or(diagonal.or(antidiagonal));
        let own = s.own.all[k];
        let answers = s.answers[k].or(lines.and_not(s.occupied[k])).or(no_check);
        s.answers[k] = answers.and(allowed);
        s.danger[k] = around(&s.own.king, k).and(valid.and_not(own.or(s.danger[k])));
        let unpinned = V::splat(0xff).and_not(lines.and(own));
        let (file, diagonal) = (file.or(unpinned), diagonal.or(unpinned));
        let antidiagonal = antidiagonal.or(unpinned);
        s.lines[0][k] = s.own.orthogonal[k].and(file);
        s.lines[1][k] = s.own.orthogonal[k].and(rank.or(unpinned));
        s.lines[2][k] = s.own.diagonal[k].and(diagonal);
        s.lines[3][k] = s.own.diagonal[k].and(antidiagonal);
        s.own.knights[k] = s.own.knights[k].and(unpinned);
        s.pushers[k] = s.own.pawns[k].and(file);
        s.right[k] = s.own.pawns[k].and(diagonal);
        s.left[k] = s.own.pawns[k].and(antidiagonal);
        n += 1;
    }
}

/// The rooks with which the king may castle to the east and to the west.
#[inline(always)]
fn castles<V: Bytes>(s: &Scratch<V>, rights: V, danger: V) -> [V; 2] {
    let (king, occupied) = (s.own.king[2], s.occupied[2]);
    let (from_king, to_king) = (to_east(king), to_west(king));
    let rights = rights.and(king.nonzero());
    // The first piece on the king's ray must be the rook. If an enemy rook attacks it from the far side, it shields the
    // king's new square.
    let rook = rights.and(s.of_king[EAST][2].and_not(s.of_sliders[WEST][2]));
    let to = to_west(rook.or(rook.nonzero().and(V::splat(1 << 6))));
    let path = from_king.or(V::splat(0xe0)).and(to);
    let blocked =
        path.and(occupied.and_not(king.or(rook))).or(from_king.and(V::splat(0x7f)).and(danger));
    let eastward = rook.and_not(blocked.nonzero());
    let rook = rights.and(s.of_king[WEST][2].and_not(s.of_sliders[EAST][2]));
    let to = to_east(rook.or(rook.nonzero().and(V::splat(1 << 2))));
    let path = to_king.or(V::splat(0x0f)).and(to);
    // A king on the b-file moves east.
    let king_path = to_king.and(V::splat(0xfc)).or(from_king.and(V::splat(0x07)));
    let blocked = path.and(occupied.and_not(king.or(rook))).or(king_path.and(danger));
    [eastward, rook.and_not(blocked.nonzero())]
}

/// The westernmost square of each rank and all squares to the east of it.
#[inline(always)]
fn to_east<V: Bytes>(set: V) -> V {
    set.or(V::splat(0).minus(set))
}

/// The easternmost square of each rank and all squares to the west of it.
#[inline(always)]
fn to_west<V: Bytes>(set: V) -> V {
    let two = set.or(set.west());
    let four = two.or(two.two_west());
    four.or(four.shift_right::<4>().and(V::splat(0x0f)))
}

/// The pawns on the fifth rank that may capture en passant to either side; `square` is on the sixth.
#[inline(always)]
fn en_passant<V: Bytes>(s: &Scratch<V>, square: V, diagonals: V) -> [V; 2] {
    const K: usize = 4 + 2;
    // The captured pawn must not be the only piece on a diagonal between a bishop and the king. It may be the checker.
    let pawn = square.and(s.enemy.pawns[K]).and_not(diagonals);
    let pawn = pawn.and(s.answers[K].or(s.answers[K + 1]));
    // Nor may the two pawns be the only pieces on a rank between a rook and the king.
    let (east, west) = (s.of_king[EAST][K], s.of_king[WEST][K]);
    let (westward, eastward) = (s.of_sliders[WEST][K], s.of_sliders[EAST][K]);
    let right_alone = east.and(pawn.and(westward).west()).or(pawn.and(west).west().and(eastward));
    let left_alone = pawn.and(east).east().and(westward).or(west.and(pawn.and(eastward).east()));
    let right = s.right[K].and(pawn.west()).and_not(right_alone);
    [right, s.left[K].and(pawn.east()).and_not(left_alone)]
}

/// The number of set bits in 19 bytes, for every lane.
#[inline(always)]
fn sum<V: Bytes>(s: [V; 16], more: [V; 3]) -> V {
    // Full adders: three bits become a sum of the same weight and a carry of twice the weight.
    let add = |a: V, b: V, c: V| {
        let ab = a.xor(b);
        (ab.xor(c), a.and(b).or(c.and(ab)))
    };
    let (a, t0) = add(s[0], s[1], s[2]);
    let (b, t1) = add(s[3], s[4], s[5]);
    let (c, t2) = add(s[6], s[7], s[8]);
    let (d, t3) = add(s[9], s[10], s[11]);
    let (e, t4) = add(s[12], s[13], s[14]);
    let (f, t5) = add(s[15], more[0], more[1]);
    let (a, t6) = add(a, b, c);
    let (b, t7) = add(d, e, f);
    let (ones, t8) = add(a, b, more[2]);
    let (a, f0) = add(t0, t1, t2);
    let (b, f1) = add(t3, t4, t5);
    let (c, f2) = add(t6, t7, t8);
    let (twos, f3) = add(a, b, c);
    let (a, e0) = add(f0, f1, f2);
    let (fours, e1) = (a.xor(f3), a.and(f3));
    let double = |count: V| count.plus(count);
    let eights = e0.count_ones().plus(e1.count_ones());
    let fours = fours.count_ones().plus(double(eights));
    ones.count_ones().plus(double(twos.count_ones().plus(double(fours))))
}
