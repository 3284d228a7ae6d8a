//! What an evaluation asks of a position: attack maps, the number of attackers of each square, hanging
//! pieces, x-rays, checks, pins and mobility. Written once, for any number of boards.

use core::ops::Index;

use crate::bitboard::{ByDirection, Direction};
use crate::boards::{Boards, Numbers, SliderAttacks};
use crate::leaper;
use crate::pieces::{ByColour, Colour, Pieces, Role};

/// One side's attack maps: what each role attacks, all of them together, and where at least two pieces do.
///
/// A square is attacked if a piece of the side could capture an enemy there. So the squares of the side's own
/// pieces are included (those pieces are defended), pins are ignored, pawns attack diagonally ahead whether
/// or not the square is occupied, and en passant and castling attack nothing. All pieces block.
///
/// The fields lie in memory in the order in which they stand here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Attacks<T> {
    /// Attacked by pawns.
    pub pawn: T,
    /// Attacked by knights.
    pub knight: T,
    /// Attacked by bishops.
    pub bishop: T,
    /// Attacked by rooks.
    pub rook: T,
    /// Attacked by queens.
    pub queen: T,
    /// Attacked by kings.
    pub king: T,
    /// Attacked by anything.
    pub all: T,
    /// Attacked by at least two pieces.
    pub twice: T,
}

impl<T> Attacks<T> {
    /// The maps in the order of the fields.
    ///
    /// ```
    /// use setwise::{Pieces, position};
    /// let white = position::attacks(&Pieces::START).white;
    /// assert_eq!(white.into_array()[6], white.all);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn into_array(self) -> [T; 8] {
        let Self { pawn, knight, bishop, rook, queen, king, all, twice } = self;
        [pawn, knight, bishop, rook, queen, king, all, twice]
    }
}

/// Squares that were hit, and squares that were hit more than once.
#[derive(Clone, Copy)]
struct Hits<B> {
    once: B,
    twice: B,
}

impl<B: Boards> Hits<B> {
    /// Two sets whose squares are hit once each.
    #[inline(always)]
    fn of_two(a: B, b: B) -> Self {
        Self { once: a | b, twice: a & b }
    }

    /// Three sets whose squares are hit once each.
    #[inline(always)]
    fn of_three(a: B, b: B, c: B) -> Self {
        Self { once: a | b | c, twice: B::majority(a, b, c) }
    }

    /// All hits of three together.
    #[inline(always)]
    fn join(a: Self, b: Self, c: Self) -> Self {
        let sum = Self::of_three(a.once, b.once, c.once);
        Self { once: sum.once, twice: (a.twice | b.twice | c.twice) | sum.twice }
    }
}

/// The attack maps of one side. 16 rays, and about 110 operations for leapers and `twice`.
///
/// ```
/// use setwise::{Colour, Pieces, eval};
/// let white = eval::attacks_by(&Pieces::START, Colour::White);
/// assert_eq!(white.pawn, 0x0000_0000_00ff_0000);
/// ```
#[inline(always)]
#[must_use]
pub fn attacks_by<B: Boards>(position: &Pieces<B>, colour: Colour) -> Attacks<B> {
    attacks_of(position, position.occupied(), position.colour(colour), colour)
}

/// [`attacks_by`], given all pieces and the side's own.
#[inline(always)]
pub(crate) fn attacks_of<B: Boards>(
    position: &Pieces<B>,
    occupied: B,
    own: B,
    colour: Colour,
) -> Attacks<B> {
    let (bishops, rooks, queens) =
        (own & position.bishops, own & position.rooks, own & position.queens);
    let sliders = B::attacks_of_roles(bishops, rooks, queens, occupied);
    join_sliders(position, own, colour, sliders)
}

/// The attack maps of one side, given those of its sliders.
#[inline(always)]
pub(crate) fn with_sliders<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    sliders: SliderAttacks<B>,
) -> Attacks<B> {
    join_sliders(position, position.colour(colour), colour, sliders)
}

/// [`with_sliders`], given the side's own pieces.
#[inline(always)]
fn join_sliders<B: Boards>(
    position: &Pieces<B>,
    own: B,
    colour: Colour,
    sliders: SliderAttacks<B>,
) -> Attacks<B> {
    let pawns = own & position.pawns;
    let pawn = match colour {
        Colour::White => Hits::of_two(pawns.north_west(), pawns.north_east()),
        Colour::Black => Hits::of_two(pawns.south_west(), pawns.south_east()),
    };

    // What two knights of one rank, or a knight's two sides, hit together stays so when the rank moves.
    let knights = own & position.knights;
    let (east, west) = (knights.east(), knights.west());
    let far = Hits::of_two(east, west);
    let near = Hits::of_two(east.east(), west.west());
    let knight =
        Hits::of_three(far.once.north().north(), far.once.south().south(), near.once.north());
    let last = near.once.south();
    let knight = Hits {
        once: knight.once | last,
        twice: (knight.twice | (knight.once & last))
            | (far.twice.north().north() | far.twice.south().south())
            | (near.twice.north() | near.twice.south()),
    };

    let kings = own & position.kings;
    let sides = Hits::of_two(kings.east(), kings.west());
    let row = Hits { once: sides.once | kings, twice: sides.twice | (sides.once & kings) };
    let king = Hits::of_three(sides.once, row.once.north(), row.once.south());
    let king = Hits {
        once: king.once,
        twice: (king.twice | sides.twice) | (row.twice.north() | row.twice.south()),
    };

    let leapers = Hits::join(pawn, knight, king);
    Attacks {
        pawn: pawn.once,
        knight: knight.once,
        bishop: sliders.bishop,
        rook: sliders.rook,
        queen: sliders.queen,
        king: king.once,
        all: leapers.once | sliders.once,
        twice: (leapers.twice | sliders.twice) | (leapers.once & sliders.once),
    }
}

/// One side's rays in all eight directions, roles joined: [`rays`].
///
/// A ray is indexed by its [`Direction`]: rooks and queens have the orthogonal ones, bishops and queens the
/// diagonal ones. In one direction at most one slider attacks a square, so a ray tells which slider as well
/// as whether.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rays<B> {
    colour: Colour,
    rays: ByDirection<B>,
}

impl<B> Rays<B> {
    /// The side whose sliders these are.
    #[inline(always)]
    #[must_use]
    pub fn colour(&self) -> Colour {
        self.colour
    }
}

impl<B> Index<Direction> for Rays<B> {
    type Output = B;

    #[inline(always)]
    fn index(&self, direction: Direction) -> &B {
        &self.rays[direction]
    }
}

/// The rays of a side's sliders in all eight directions. All pieces block. 8 rays.
///
/// ```
/// use setwise::{Colour, Pieces, bitboard::Direction, eval};
/// let rays = eval::rays(&Pieces::START, Colour::White);
/// // The rooks and the queen attack the pawns ahead of them.
/// assert_eq!(rays[Direction::North], 0b1000_1001 << 8);
/// ```
#[inline(always)]
#[must_use]
pub fn rays<B: Boards>(position: &Pieces<B>, colour: Colour) -> Rays<B> {
    let occupied = position.occupied();
    let (orthogonal, diagonal) = (position.orthogonal(colour), position.diagonal(colour));
    let [north, south, east, west] = rook_rays(orthogonal, occupied);
    let [north_east, north_west, south_east, south_west] = bishop_rays(diagonal, occupied);
    let rays = [north, south, east, west, north_east, north_west, south_east, south_west];
    Rays { colour, rays: ByDirection(rays) }
}

/// A knight's eight leaps, apart: no square twice in one of them.
#[inline(always)]
fn knight_leaps<B: Boards>(knights: B) -> [B; 8] {
    let (north, south) = (knights.north(), knights.south());
    let (far_north, far_south) = (north.north(), south.south());
    [
        far_north.east(),
        far_north.west(),
        far_south.east(),
        far_south.west(),
        north.east().east(),
        north.west().west(),
        south.east().east(),
        south.west().west(),
    ]
}

/// A king's eight steps, apart.
#[inline(always)]
fn king_steps<B: Boards>(kings: B) -> [B; 8] {
    let (north, south) = (kings.north(), kings.south());
    [
        north,
        south,
        kings.east(),
        kings.west(),
        north.east(),
        north.west(),
        south.east(),
        south.west(),
    ]
}

/// A pawn's two captures, apart.
#[inline(always)]
fn pawn_captures<B: Boards>(colour: Colour, pawns: B) -> [B; 2] {
    let ahead = match colour {
        Colour::White => pawns.north(),
        Colour::Black => pawns.south(),
    };
    [ahead.east(), ahead.west()]
}

/// A full adder for every square: the sum of three bits, and the carry.
#[inline(always)]
fn add<B: Boards>(a: B, b: B, c: B) -> (B, B) {
    (a ^ b ^ c, B::majority(a, b, c))
}

/// How many of four sets have each square: bit planes, least significant first.
#[inline(always)]
fn sum_of_4<B: Boards>(sets: [B; 4]) -> [B; 3] {
    let [a, b, c, d] = sets;
    let (ones, twos) = add(a, b, c);
    let (ones, more) = (ones ^ d, ones & d);
    [ones, twos ^ more, twos & more]
}

/// How many of eight sets have each square: bit planes, least significant first.
#[inline(always)]
fn sum_of_8<B: Boards>(sets: [B; 8]) -> [B; 4] {
    let [a, b, c, d, e, f, g, h] = sets;
    let (ones, two_1) = add(a, b, c);
    let (ones, two_2) = add(ones, d, e);
    let (ones, two_3) = add(ones, f, g);
    let (ones, two_4) = (ones ^ h, ones & h);
    let (twos, four_1) = add(two_1, two_2, two_3);
    let (twos, four_2) = (twos ^ two_4, twos & two_4);
    [ones, twos, four_1 ^ four_2, four_1 & four_2]
}

/// A number for each square of each board, as bit planes: plane `i` has the squares whose number has bit `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SquareCounts<B, const PLANES: usize> {
    planes: [B; PLANES],
}

impl<B: Boards, const PLANES: usize> SquareCounts<B, PLANES> {
    /// The bit planes, least significant first.
    #[inline(always)]
    #[must_use]
    pub fn planes(self) -> [B; PLANES] {
        self.planes
    }

    /// The sum of the numbers on the squares of a set. For counts of attackers this is the number of attacks
    /// that fall on the set; with the squares that the side's own pieces do not occupy, it is mobility.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, Role, eval};
    /// let start = Pieces::START;
    /// let knights = eval::attacker_counts_by_role(&start, Colour::White, Role::Knight);
    /// assert_eq!(i16::from(knights.sum_on(!start.white)), 4);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn sum_on(&self, squares: B) -> B::Numbers {
        let mut sum = B::Numbers::splat(0);
        let mut i = PLANES;
        while i > 0 {
            i -= 1;
            let twice = sum + sum;
            sum = twice + (self.planes[i] & squares).count();
        }
        sum
    }
}

impl<const PLANES: usize> SquareCounts<u64, PLANES> {
    /// The number of each square, a1 to h8.
    ///
    /// ```
    /// use setwise::{Colour, Pieces, eval};
    /// let start = Pieces::START;
    /// let counts = eval::attacker_counts(&start, &eval::rays(&start, Colour::White));
    /// assert_eq!(counts.to_array()[11], 4); // d2: knight, bishop, queen and king
    /// ```
    #[must_use]
    pub fn to_array(self) -> [u8; 64] {
        let mut numbers = [0; 64];
        for (i, plane) in self.planes.into_iter().enumerate() {
            for (square, number) in numbers.iter_mut().enumerate() {
                *number |= ((plane >> square & 1) as u8) << i;
            }
        }
        numbers
    }
}

/// How many pieces of a side attack each square, 0 to 31. `rays` are the side's own and say which side it is.
///
/// The eight rays, eight leaps, two captures and eight steps are 26 sets that contain each square at most
/// once, so carry-save adders count them for all squares at once, exactly for any board. 20 full adders and
/// 9 half adders.
///
/// ```
/// use setwise::{Colour, Pieces, eval};
/// let start = Pieces::START;
/// let rays = eval::rays(&start, Colour::White);
/// let [ones, twos, fours, eights, sixteens] = eval::attacker_counts(&start, &rays).planes();
/// assert_eq!((ones | twos | fours) & 0xff00, 0xff00); // every pawn is defended
/// assert_eq!(eights | sixteens, 0);
/// ```
#[inline(always)]
#[must_use]
pub fn attacker_counts<B: Boards>(position: &Pieces<B>, rays: &Rays<B>) -> SquareCounts<B, 5> {
    let colour = rays.colour;
    let [p, q] = pawn_captures(colour, position.of(colour, Role::Pawn));
    let sliders = sum_of_8(rays.rays.0);
    let knights = sum_of_8(knight_leaps(position.of(colour, Role::Knight)));
    let kings = sum_of_8(king_steps(position.of(colour, Role::King)));
    let (ones, c) = add(sliders[0], knights[0], kings[0]);
    let (ones, d) = add(ones, p, q);
    let (twos, e) = add(sliders[1], knights[1], kings[1]);
    let (twos, f) = add(twos, c, d);
    let (fours, c) = add(sliders[2], knights[2], kings[2]);
    let (fours, d) = add(fours, e, f);
    let (eights, e) = add(sliders[3], knights[3], kings[3]);
    let (eights, f) = add(eights, c, d);
    // There are fewer than 32, so only one of these is set.
    SquareCounts { planes: [ones, twos, fours, eights, e | f] }
}

/// What a side attacks, in sets that grow with the value of the attacker: [`cumulative`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cumulative<B> {
    /// Attacked by a pawn.
    pub by_pawn: B,
    /// Attacked by a pawn, a knight or a bishop.
    pub by_minor: B,
    /// Attacked by a pawn, a knight, a bishop or a rook.
    pub by_rook: B,
    /// Attacked by anything.
    pub all: B,
}

/// What each side attacks with its pawns, with its minor pieces too, with its rooks too, and with everything.
/// 32 rays.
///
/// ```
/// use setwise::{Pieces, eval};
/// let white = eval::cumulative(&Pieces::START).white;
/// assert_eq!(white.by_pawn, 0x00ff_0000);
/// assert_eq!(white.by_minor & 0xff00, 0b0101_1010 << 8); // b2, d2, e2 and g2
/// ```
#[inline(always)]
#[must_use]
pub fn cumulative<B: Boards>(position: &Pieces<B>) -> ByColour<Cumulative<B>> {
    ByColour {
        white: cumulative_of(position, Colour::White),
        black: cumulative_of(position, Colour::Black),
    }
}

/// One side of [`cumulative`]. 16 rays.
#[inline(always)]
#[must_use]
pub fn cumulative_of<B: Boards>(position: &Pieces<B>, colour: Colour) -> Cumulative<B> {
    let occupied = position.occupied();
    let queens = position.of(colour, Role::Queen);
    let by_pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
    let by_minor = by_pawn
        | leaper::knights(position.of(colour, Role::Knight))
        | position.of(colour, Role::Bishop).bishop_attacks(occupied);
    let by_rook = by_minor | position.of(colour, Role::Rook).rook_attacks(occupied);
    let all = by_rook
        | B::slider_attacks(queens, queens, occupied)
        | leaper::kings(position.of(colour, Role::King));
    Cumulative { by_pawn, by_minor, by_rook, all }
}

/// Nothing attacked: the start of a sum.
#[cfg(feature = "bulk")]
#[inline(always)]
pub(crate) fn no_attacks<B: Boards>() -> Cumulative<B> {
    let empty = B::empty();
    Cumulative { by_pawn: empty, by_minor: empty, by_rook: empty, all: empty }
}

/// The pieces of a side, kings included, that the enemy attacks and that the side does not defend.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4k3/8/8/3q4/8/8/3R4/3KN3 w - - 0 1")?.pieces;
/// let attacks = eval::cumulative(&pieces);
/// assert_eq!(eval::hanging(&pieces, Colour::Black, &attacks), 1 << 35); // the queen on d5
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn hanging<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    attacks: &ByColour<Cumulative<B>>,
) -> B {
    let (own, enemy) = (&attacks[colour], &attacks[colour.opponent()]);
    (position.colour(colour) & enemy.all).without(own.all)
}

/// The pieces of a side that an enemy piece of lesser value attacks: knights and bishops (of equal value) that
/// a pawn attacks, rooks that a pawn or a minor piece attacks, queens that anything but a queen or a king
/// attacks. Kings have no value here: they are never in the set.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4k3/8/8/3q4/8/8/3R4/3KN3 w - - 0 1")?.pieces;
/// let attacks = eval::cumulative(&pieces);
/// // The rook attacks the queen on d5.
/// assert_eq!(eval::attacked_by_lesser(&pieces, Colour::Black, &attacks), 1 << 35);
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn attacked_by_lesser<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    attacks: &ByColour<Cumulative<B>>,
) -> B {
    let enemy = &attacks[colour.opponent()];
    let minor = (position.knights | position.bishops) & enemy.by_pawn;
    let major = (position.rooks & enemy.by_minor) | (position.queens & enemy.by_rook);
    position.colour(colour) & (minor | major)
}

/// The squares that a side's sliders attack through exactly one piece of either side: behind that piece, up to
/// and including the next one.
///
/// Every ray is cast once more, in its own direction, from the piece it hit: 8 rays. Taking all pieces that
/// were hit off the board at once would be wrong. Of two pieces in a row, one hit from either end, both would
/// go, and each slider would attack through two; and a piece that a ray along a file hit would no longer stop
/// a ray along a rank.
///
/// ```
/// use setwise::{Colour, Fen, board, eval};
/// let pieces = Fen::parse("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")?.pieces;
/// let rays = eval::rays(&pieces, Colour::White);
/// assert_eq!(eval::x_rays(&pieces, &rays), board! {
///     x . . . . . . .
///     x . . . . . . .
///     x . . . . . . .
///     x . . . . . . .
///     x . . . . . . .
///     x . . . . . . .
///     . . . . . . . .
///     . . . . . x x x
/// });
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn x_rays<B: Boards>(position: &Pieces<B>, rays: &Rays<B>) -> B {
    let occupied = position.occupied();
    macro_rules! behind {
        ($direction:ident) => {
            (rays[Direction::$direction] & occupied).ray(Direction::$direction, occupied)
        };
    }
    let files = behind!(North) | behind!(South);
    let ranks = behind!(East) | behind!(West);
    let up = behind!(NorthEast) | behind!(NorthWest);
    let down = behind!(SouthEast) | behind!(SouthWest);
    (files | ranks) | (up | down)
}

/// The squares that a side attacks with anything. 8 rays, in one sweep.
///
/// ```
/// use setwise::{Colour, Pieces, eval};
/// assert_eq!(eval::attacked(&Pieces::START, Colour::White), 0x00ff_ff7e);
/// ```
#[inline(always)]
#[must_use]
pub fn attacked<B: Boards>(position: &Pieces<B>, colour: Colour) -> B {
    attacked_among(position, colour, position.occupied())
}

/// The squares that a side attacks with anything, given the blockers.
#[inline(always)]
fn attacked_among<B: Boards>(position: &Pieces<B>, colour: Colour, occupied: B) -> B {
    B::slider_attacks(position.orthogonal(colour), position.diagonal(colour), occupied)
        | leaper::pawns(colour, position.of(colour, Role::Pawn))
        | leaper::knights(position.of(colour, Role::Knight))
        | leaper::kings(position.of(colour, Role::King))
}

/// The squares that the enemy attacks when all of a side's kings are taken off the board. A king may not go
/// there, and the squares behind it on the line of a check are among them. 8 rays.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4k3/8/8/8/8/8/8/r1K5 w - - 0 1")?.pieces;
/// let danger = eval::king_danger(&pieces, Colour::White);
/// assert_eq!(danger & 0xff, 0b1111_1110); // the rook attacks through the king, d1 and on
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_danger<B: Boards>(position: &Pieces<B>, colour: Colour) -> B {
    let occupied = position.occupied().without(position.of(colour, Role::King));
    attacked_among(position, colour.opponent(), occupied)
}

/// What the enemy does to a side's kings: [`king_threats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KingThreats<B> {
    /// The enemy pieces that attack a king of the side.
    pub checkers: B,
    /// The side's pieces that stand alone between a king of theirs and an enemy slider on its line.
    pub pinned: B,
    /// The enemy sliders that pin them.
    pub pinners: B,
}

/// Checkers, pinned pieces and pinners of the side that `enemy_rays` are aimed at.
///
/// Every king counts, and every king blocks: one that stands between another and a slider is pinned too.
/// Without a king all three sets are empty. A pinned piece is in the king's ray and, from the other end, in the
/// slider's; a ray cast once more from the piece finds the pinner. 16 rays.
///
/// ```
/// use setwise::{Colour, Fen, eval};
/// let pieces = Fen::parse("4r1k1/8/8/8/7b/8/4N3/4K3 w - - 0 1")?.pieces;
/// let white = eval::king_threats(&pieces, &eval::rays(&pieces, Colour::Black));
/// assert_eq!(white.checkers, 1 << 31); // the bishop on h4
/// assert_eq!(white.pinned, 1 << 12); // the knight on e2
/// assert_eq!(white.pinners, 1 << 60); // the rook on e8
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_threats<B: Boards>(position: &Pieces<B>, enemy_rays: &Rays<B>) -> KingThreats<B> {
    let (occupied, enemy) = (position.occupied(), enemy_rays.colour);
    let colour = enemy.opponent();
    let (own, kings) = (position.colour(colour), position.of(colour, Role::King));
    let (orthogonal, diagonal) = (position.orthogonal(enemy), position.diagonal(enemy));
    let pawns = leaper::pawns(colour, kings) & position.of(enemy, Role::Pawn);
    let knights = leaper::knights(kings) & position.of(enemy, Role::Knight);
    let others = leaper::kings(kings) & position.of(enemy, Role::King);
    let mut threats = KingThreats {
        checkers: (pawns | knights) | others,
        pinned: B::empty(),
        pinners: B::empty(),
    };
    macro_rules! look {
        ($($direction:ident $sliders:ident,)*) => {
            $(
                let from_king = kings.ray(Direction::$direction, occupied);
                let pinned = from_king & own & enemy_rays[Direction::$direction.opposite()];
                let behind = pinned.ray(Direction::$direction, occupied);
                threats.checkers |= from_king & $sliders;
                threats.pinned |= pinned;
                threats.pinners |= behind & $sliders;
            )*
        };
    }
    look! {
        North orthogonal,
        South orthogonal,
        East orthogonal,
        West orthogonal,
        NorthEast diagonal,
        NorthWest diagonal,
        SouthEast diagonal,
        SouthWest diagonal,
    }
    threats
}

/// How many pieces of one role and side attack each square: 0 to 8.
///
/// ```
/// use setwise::{Colour, Pieces, Role, eval};
/// let counts = eval::attacker_counts_by_role(&Pieces::START, Colour::White, Role::Pawn);
/// let [_, twos, _, _] = counts.planes();
/// assert_eq!(twos, 0b0111_1110 << 16);
/// ```
#[inline(always)]
#[must_use]
pub fn attacker_counts_by_role<B: Boards>(
    position: &Pieces<B>,
    colour: Colour,
    role: Role,
) -> SquareCounts<B, 4> {
    let (occupied, pieces) = (position.occupied(), position.of(colour, role));
    let planes = match role {
        Role::Pawn => {
            let [a, b] = pawn_captures(colour, pieces);
            [a ^ b, a & b, B::empty(), B::empty()]
        }
        Role::Knight => sum_of_8(knight_leaps(pieces)),
        Role::King => sum_of_8(king_steps(pieces)),
        Role::Bishop => {
            let [ones, twos, fours] = sum_of_4(bishop_rays(pieces, occupied));
            [ones, twos, fours, B::empty()]
        }
        Role::Rook => {
            let [ones, twos, fours] = sum_of_4(rook_rays(pieces, occupied));
            [ones, twos, fours, B::empty()]
        }
        Role::Queen => {
            let [a, b, c, d] = rook_rays(pieces, occupied);
            let [e, f, g, h] = bishop_rays(pieces, occupied);
            sum_of_8([a, b, c, d, e, f, g, h])
        }
    };
    SquareCounts { planes }
}

#[inline(always)]
fn rook_rays<B: Boards>(rooks: B, occupied: B) -> [B; 4] {
    [
        rooks.ray(Direction::North, occupied),
        rooks.ray(Direction::South, occupied),
        rooks.ray(Direction::East, occupied),
        rooks.ray(Direction::West, occupied),
    ]
}

#[inline(always)]
fn bishop_rays<B: Boards>(bishops: B, occupied: B) -> [B; 4] {
    [
        bishops.ray(Direction::NorthEast, occupied),
        bishops.ray(Direction::NorthWest, occupied),
        bishops.ray(Direction::SouthEast, occupied),
        bishops.ray(Direction::SouthWest, occupied),
    ]
}
