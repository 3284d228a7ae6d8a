//! What an evaluation asks beyond attack maps: how many men attack a square, what hangs, x-rays, checks,
//! pins and mobility. Written once for any number of boards.

use crate::bitboard::Direction;
use crate::boards::Boards;
use crate::leaper;
use crate::pieces::{Colour, Position, Role};

/// The eight rays of a side's sliders, roles joined, in the order of [`Direction::ALL`]: rooks and queens
/// in the first four directions, bishops and queens in the last four.
///
/// All men block. In one direction a square is hit by at most one slider, so a ray says who as well as
/// whether. 8 rays.
///
/// ```
/// use setwise::{eval, Colour, Pieces};
/// let rays = eval::rays(&Pieces::START, Colour::White);
/// assert_eq!(rays[0], 0b1000_1001 << 8); // the rooks and the queen see the pawns ahead of them
/// ```
#[inline(always)]
#[must_use]
pub fn rays<B: Boards>(position: &Position<B>, colour: Colour) -> [B; 8] {
    let (occupied, men) = (position.occupied(), position.colour(colour));
    let orthogonal = men & (position.rooks | position.queens);
    let diagonal = men & (position.bishops | position.queens);
    [
        orthogonal.ray(Direction::North, occupied),
        orthogonal.ray(Direction::South, occupied),
        orthogonal.ray(Direction::East, occupied),
        orthogonal.ray(Direction::West, occupied),
        diagonal.ray(Direction::NorthEast, occupied),
        diagonal.ray(Direction::NorthWest, occupied),
        diagonal.ray(Direction::SouthEast, occupied),
        diagonal.ray(Direction::SouthWest, occupied),
    ]
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

/// How many men of a side attack each square: five bit planes, least significant first.
///
/// `rays` are the side's own ([`rays`]). The eight rays, eight leaps, two captures and eight steps are 26
/// sets that have each square at most once, so carry-save adders count them for all squares at once and
/// five planes are exact for any board. 20 full adders and 9 half ones.
///
/// ```
/// use setwise::{eval, Colour, Pieces};
/// let start = Pieces::START;
/// let rays = eval::rays(&start, Colour::White);
/// let planes = eval::attackers(&start, Colour::White, &rays);
/// assert_eq!(eval::expand(planes)[11], 4); // d2: knight, bishop, queen, king
/// ```
#[inline(always)]
#[must_use]
pub fn attackers<B: Boards>(position: &Position<B>, colour: Colour, rays: &[B; 8]) -> [B; 5] {
    let [p, q] = pawn_captures(colour, position.of(colour, Role::Pawn));
    let sliders = sum_of_8(*rays);
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
    [ones, twos, fours, eights, e | f]
}

/// Bit planes as numbers: `[square]` is how many men attack it, 0 to 31.
///
/// ```
/// assert_eq!(setwise::eval::expand([1, 0, 1, 0, 0])[0], 5);
/// ```
#[must_use]
pub fn expand(planes: [u64; 5]) -> [u8; 64] {
    let mut numbers = [0; 64];
    for (plane, board) in planes.into_iter().enumerate() {
        for (square, number) in numbers.iter_mut().enumerate() {
            *number |= ((board >> square & 1) as u8) << plane;
        }
    }
    numbers
}

/// Sets of attacked squares that grow with the value of the men, as engines keep them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// What a side attacks with its pawns, with its minor men too, with its rooks too, with everything.
/// 16 rays.
///
/// ```
/// use setwise::{eval, Colour, Pieces};
/// let white = eval::cumulative(&Pieces::START, Colour::White);
/// assert_eq!(white.by_pawn, 0x00ff_0000);
/// assert_eq!(white.by_minor & 0xff00, 0b0101_1010 << 8); // b2, d2, e2 and g2
/// ```
#[inline(always)]
#[must_use]
pub fn cumulative<B: Boards>(position: &Position<B>, colour: Colour) -> Cumulative<B> {
    let occupied = position.occupied();
    let queens = position.of(colour, Role::Queen);
    let by_pawn = leaper::pawns(colour, position.of(colour, Role::Pawn));
    let by_minor = by_pawn
        | leaper::knights(position.of(colour, Role::Knight))
        | position.of(colour, Role::Bishop).bishop_attacks(occupied);
    let by_rook = by_minor | position.of(colour, Role::Rook).rook_attacks(occupied);
    let all = by_rook
        | B::slider_attacks(occupied, queens, queens)
        | leaper::kings(position.of(colour, Role::King));
    Cumulative { by_pawn, by_minor, by_rook, all }
}

/// The men of a side that the enemy attacks and that the side does not defend.
///
/// ```
/// use setwise::{eval, Colour, Fen};
/// let pieces = Fen::parse("4k3/8/8/3q4/8/8/3R4/3KN3 w - - 0 1")?.pieces;
/// let own = eval::cumulative(&pieces, Colour::Black);
/// let enemy = eval::cumulative(&pieces, Colour::White);
/// assert_eq!(eval::hanging(&pieces, Colour::Black, &own, &enemy), 1 << 35); // the queen on d5
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn hanging<B: Boards>(
    position: &Position<B>,
    colour: Colour,
    own: &Cumulative<B>,
    enemy: &Cumulative<B>,
) -> B {
    (position.colour(colour) & enemy.all).without(own.all)
}

/// The men of a side that an enemy man of lesser value attacks: minor men that a pawn attacks, rooks that
/// a pawn or a minor man attacks, queens that anything attacks but queens and kings.
///
/// ```
/// use setwise::{eval, Colour, Fen};
/// let pieces = Fen::parse("4k3/8/8/3q4/8/8/3R4/3KN3 w - - 0 1")?.pieces;
/// let enemy = eval::cumulative(&pieces, Colour::White);
/// assert_eq!(eval::attacked_by_lesser(&pieces, Colour::Black, &enemy), 1 << 35); // by the rook
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn attacked_by_lesser<B: Boards>(
    position: &Position<B>,
    colour: Colour,
    enemy: &Cumulative<B>,
) -> B {
    let minor = (position.knights | position.bishops) & enemy.by_pawn;
    let major = (position.rooks & enemy.by_minor) | (position.queens & enemy.by_rook);
    position.colour(colour) & (minor | major)
}

/// The squares that sliders see through exactly one man, of either side: behind it, up to and including
/// the next man.
///
/// `rays` are the sliders' own ([`rays`]). Every ray is launched once more, in its own direction, from the
/// man it hit: 8 rays. To take all men that were hit off the board at once would be wrong: of two men in
/// a row, one hit from either end, both would go, and each slider would see through two; and a man that a
/// file's ray hit would no longer stop a rank's.
///
/// ```
/// use setwise::{eval, Colour, Fen};
/// let pieces = Fen::parse("4k3/8/8/8/8/8/PP6/R3K3 w - - 0 1")?.pieces;
/// let rays = eval::rays(&pieces, Colour::White);
/// let seen = eval::x_rays(&pieces, &rays);
/// assert_eq!(seen, 0x0101_0101_0101_0000 | 0xe0); // the a-file behind the pawn, f1 to h1
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn x_rays<B: Boards>(position: &Position<B>, rays: &[B; 8]) -> B {
    let occupied = position.occupied();
    let [north, south, east, west, north_east, north_west, south_east, south_west] = *rays;
    let files = (north & occupied).ray(Direction::North, occupied)
        | (south & occupied).ray(Direction::South, occupied);
    let ranks = (east & occupied).ray(Direction::East, occupied)
        | (west & occupied).ray(Direction::West, occupied);
    let up = (north_east & occupied).ray(Direction::NorthEast, occupied)
        | (north_west & occupied).ray(Direction::NorthWest, occupied);
    let down = (south_east & occupied).ray(Direction::SouthEast, occupied)
        | (south_west & occupied).ray(Direction::SouthWest, occupied);
    (files | ranks) | (up | down)
}

/// The squares that a side attacks with anything. 8 rays, in one sweep.
///
/// ```
/// use setwise::{eval, Colour, Pieces};
/// assert_eq!(eval::attacked(&Pieces::START, Colour::White), 0x00ff_ff7e);
/// ```
#[inline(always)]
#[must_use]
pub fn attacked<B: Boards>(position: &Position<B>, colour: Colour) -> B {
    attacked_among(position, colour, position.occupied())
}

/// The same with other men in the way.
#[inline(always)]
fn attacked_among<B: Boards>(position: &Position<B>, colour: Colour, occupied: B) -> B {
    let men = position.colour(colour);
    let orthogonal = men & (position.rooks | position.queens);
    let diagonal = men & (position.bishops | position.queens);
    B::slider_attacks(occupied, orthogonal, diagonal)
        | leaper::pawns(colour, position.of(colour, Role::Pawn))
        | leaper::knights(position.of(colour, Role::Knight))
        | leaper::kings(position.of(colour, Role::King))
}

/// The squares that the enemy attacks when a side's kings are taken off the board: where a king may not
/// go, among them those behind it on the line of a check. 8 rays.
///
/// ```
/// use setwise::{eval, Colour, Fen};
/// let pieces = Fen::parse("4k3/8/8/8/8/8/8/r1K5 w - - 0 1")?.pieces;
/// let danger = eval::king_danger(&pieces, Colour::White);
/// assert_eq!(danger & 0xff, 0b1111_1110); // the rook sees through the king to d1 and on
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_danger<B: Boards>(position: &Position<B>, colour: Colour) -> B {
    let occupied = position.occupied().without(position.of(colour, Role::King));
    attacked_among(position, colour.opponent(), occupied)
}

/// Who attacks a side's kings, and who would but for one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingThreats<B> {
    /// The enemy men that attack a king of the side.
    pub checkers: B,
    /// The side's men that alone stand between a king of theirs and an enemy slider on its line.
    pub pinned: B,
    /// The enemy sliders that pin them.
    pub pinners: B,
}

/// Checkers, pinned men and pinners of a side; `enemy_rays` are the other side's ([`rays`]).
///
/// Of several kings each counts, and each blocks: a king that stands between another and a slider is
/// pinned too. Without a king all three are empty. A man pinned to its king is in both the king's ray and
/// the slider's, from the other end; a ray launched once more from there finds the pinner. 16 rays.
///
/// ```
/// use setwise::{eval, Colour, Fen};
/// let pieces = Fen::parse("4r1k1/8/8/8/7b/8/4N3/4K3 w - - 0 1")?.pieces;
/// let rays = eval::rays(&pieces, Colour::Black);
/// let white = eval::king_threats(&pieces, Colour::White, &rays);
/// assert_eq!(white.checkers, 1 << 31); // the bishop on h4
/// assert_eq!(white.pinned, 1 << 12); // the knight on e2
/// assert_eq!(white.pinners, 1 << 60); // the rook on e8
/// # Ok::<(), setwise::fen::FenError>(())
/// ```
#[inline(always)]
#[must_use]
pub fn king_threats<B: Boards>(
    position: &Position<B>,
    colour: Colour,
    enemy_rays: &[B; 8],
) -> KingThreats<B> {
    let (occupied, enemy) = (position.occupied(), colour.opponent());
    let (men, kings) = (position.colour(colour), position.of(colour, Role::King));
    let orthogonal = position.colour(enemy) & (position.rooks | position.queens);
    let diagonal = position.colour(enemy) & (position.bishops | position.queens);
    let pawns = leaper::pawns(colour, kings) & position.of(enemy, Role::Pawn);
    let knights = leaper::knights(kings) & position.of(enemy, Role::Knight);
    let others = leaper::kings(kings) & position.of(enemy, Role::King);
    let mut threats = KingThreats {
        checkers: (pawns | knights) | others,
        pinned: B::empty(),
        pinners: B::empty(),
    };
    macro_rules! look {
        ($($direction:ident $sliders:ident $opposite:literal,)*) => {
            $(
                let seen = kings.ray(Direction::$direction, occupied);
                let pinned = seen & men & enemy_rays[$opposite];
                let behind = pinned.ray(Direction::$direction, occupied);
                threats.checkers = threats.checkers | (seen & $sliders);
                threats.pinned = threats.pinned | pinned;
                threats.pinners = threats.pinners | (behind & $sliders);
            )*
        };
    }
    // Where the rays of the opposite direction stand in `Direction::ALL`.
    look! {
        North orthogonal 1,
        South orthogonal 0,
        East orthogonal 3,
        West orthogonal 2,
        NorthEast diagonal 7,
        NorthWest diagonal 6,
        SouthEast diagonal 5,
        SouthWest diagonal 4,
    }
    threats
}

/// By how many men of one role and side each square is attacked: four bit planes, least significant
/// first. At most 8, so they are exact.
///
/// ```
/// use setwise::{eval, Colour, Pieces, Role};
/// let twice = eval::attackers_of(&Pieces::START, Colour::White, Role::Pawn)[1];
/// assert_eq!(twice, 0b0111_1110 << 16);
/// ```
#[inline(always)]
#[must_use]
pub fn attackers_of<B: Boards>(position: &Position<B>, colour: Colour, role: Role) -> [B; 4] {
    let (occupied, men) = (position.occupied(), position.of(colour, role));
    match role {
        Role::Pawn => {
            let [a, b] = pawn_captures(colour, men);
            [a ^ b, a & b, B::empty(), B::empty()]
        }
        Role::Knight => sum_of_8(knight_leaps(men)),
        Role::King => sum_of_8(king_steps(men)),
        Role::Bishop => {
            let [ones, twos, fours] = sum_of_4(bishop_rays(men, occupied));
            [ones, twos, fours, B::empty()]
        }
        Role::Rook => {
            let [ones, twos, fours] = sum_of_4(rook_rays(men, occupied));
            [ones, twos, fours, B::empty()]
        }
        Role::Queen => {
            let [a, b, c, d] = rook_rays(men, occupied);
            let [e, f, g, h] = bishop_rays(men, occupied);
            sum_of_8([a, b, c, d, e, f, g, h])
        }
    }
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

/// How many attacks fall on the squares of a set, of as many men as the bit planes of
/// [`attackers_of`] count. With the squares that own men do not occupy, that is mobility.
///
/// ```
/// use setwise::{eval, Boards, Colour, Numbers, Pieces, Role};
/// let start = Pieces::START;
/// let knights = eval::attackers_of(&start, Colour::White, Role::Knight);
/// let mut mobility = [0i16];
/// eval::count_on(&knights, !start.white).store(&mut mobility);
/// assert_eq!(mobility, [4]);
/// ```
#[inline(always)]
#[must_use]
pub fn count_on<B: Boards>(planes: &[B; 4], squares: B) -> B::Numbers {
    let [ones, twos, fours, eights] = *planes;
    let low = (ones & squares).count() + (twos & squares).count() * 2;
    let high = (fours & squares).count() + (eights & squares).count() * 2;
    low + high * 4
}
