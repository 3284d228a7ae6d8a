//! The pictures, in the order of the page.

use setwise::bitboard::{Direction, EAST_BARRIER, flip_vertical, reverse_ranks};
use setwise::reference;

use super::svg::Anchor::{End, Middle, Start};
use super::svg::Look::{Code, Heading, Label};
use super::svg::{CELL, Kind, Picture};

const FILES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// Where lines of bits start, behind the expressions.
const LEFT: usize = 200;

/// Where what is said of a line of eight bits starts.
const NOTES: usize = LEFT + 8 * CELL + 16;

fn has(set: u64, square: usize) -> bool {
    set >> square & 1 == 1
}

/// The bits that each bit of `a` lends to the one below it in `a - b`, a place up: where a borrow comes in.
fn borrows(a: u8, b: u8) -> u8 {
    a ^ b ^ a.wrapping_sub(b)
}

/// A line of eight bits: the expression, its value, what is said of it, and the kind of each bit that is set.
type Line<'a> = (&'a str, u8, &'a str, &'a dyn Fn(usize) -> Kind);

/// Lines of bits, one below another.
fn lines(picture: &mut Picture, top: usize, lines: &[Line<'_>]) {
    for (i, (name, bits, note, kind)) in lines.iter().enumerate() {
        let y = top + i * (CELL + 8);
        picture.bits::<8>((LEFT, y), name, u64::from(*bits), kind);
        picture.text((NOTES, y + 20), Label, Start, note);
    }
}

/// One slider: the borrow from the slider to the first blocker.
pub(crate) fn borrow() -> String {
    let (o, r) = (0b1010_0101_u8, 0b100);
    let difference = o.wrapping_sub(2 * r);
    let mut picture = Picture::new(
        (830, 250),
        "One slider: subtraction finds its ray",
        "A rook on c, other pieces on a, f and h. 2r is d. d borrows from e, e borrows from f, f pays. The difference \
         and o differ in d, e and f, which is what the rook attacks towards h.",
    );
    picture.names((LEFT, 28), &FILES);
    let pieces = |bit| if bit == 2 { Kind::Slider } else { Kind::Blocker };
    lines(
        &mut picture,
        38,
        &[
            ("o", o, "the pieces: the rook on c, others on a, f and h", &pieces),
            ("2r", 2 * r, "the rook, doubled: one square on", &|_| Kind::Slider),
            (
                "borrow",
                borrows(o, 2 * r),
                "d is empty and borrows from e; e is empty, from f",
                &|_| Kind::One,
            ),
            ("o - 2r", difference, "f can pay: it is gone, and the borrow ends", &|_| Kind::One),
            (
                "o ^ (o - 2r)",
                o ^ difference,
                "what has changed: d, e and the blocker on f",
                &|_| Kind::Ray,
            ),
        ],
    );
    picture.finish()
}

/// The other way: the same on the reversed line.
pub(crate) fn reversal() -> String {
    let (o, r) = (0b1010_0101_u8, 0b10_0000_u8);
    let (o2, r2) = (o.reverse_bits(), r.reverse_bits());
    let difference = o2.wrapping_sub(2 * r2);
    let mut picture = Picture::new(
        (830, 306),
        "The other way: reverse, subtract, reverse",
        "The rook is on f now. The line is reversed, h first. There the borrow runs from the rook to the blocker on c. \
         Reversed again, the answer is e, d and c.",
    );
    picture.names((LEFT, 28), &FILES);
    let rook = |bit| move |at| if at == bit { Kind::Slider } else { Kind::Blocker };
    lines(&mut picture, 38, &[("o", o, "the rook on f, others on a, c and h", &rook(5))]);
    picture.names((LEFT, 98), &["h", "g", "f", "e", "d", "c", "b", "a"]);
    lines(
        &mut picture,
        108,
        &[
            ("o' = reverse(o)", o2, "the same pieces, h first", &rook(2)),
            ("2r'", 2 * r2, "one square on, towards a", &|_| Kind::Slider),
            ("o' - 2r'", difference, "the borrow runs to c", &|_| Kind::One),
            ("o' ^ (o' - 2r')", o2 ^ difference, "e, d and c, in the reversed order", &|_| {
                Kind::Ray
            }),
        ],
    );
    lines(
        &mut picture,
        266,
        &[(
            "reverse(...)",
            (o2 ^ difference).reverse_bits(),
            "and in the usual order, a first",
            &|_| Kind::Ray,
        )],
    );
    picture.finish()
}

/// Two rooks that face each other: the rays must be joined by or.
pub(crate) fn facing() -> String {
    let r = 0b0100_0010;
    let east = reference::ray(r, Direction::East, 0) as u8;
    let west = reference::ray(r, Direction::West, 0) as u8;
    let mut picture = Picture::new(
        (830, 250),
        "Rays of a set meet: join them by or",
        "Rooks on b and g. To the east they attack c to h, to the west f to a. The xor of both loses c to f, between \
         the rooks. The or has all of a to h.",
    );
    picture.names((LEFT, 28), &FILES);
    let ray = |_| Kind::Ray;
    lines(
        &mut picture,
        38,
        &[
            ("r", r as u8, "rooks on b and g, nothing else", &|_| Kind::Slider),
            ("east", east, "c to g from b; h from g", &ray),
            ("west", west, "f to b from g; a from b", &ray),
            ("east ^ west", east ^ west, "lost: the squares that both attack", &ray),
            ("east | west", east | west, "right", &ray),
        ],
    );
    for bit in 0..8 {
        if (east & west) >> bit & 1 == 1 {
            picture.frame((LEFT + bit * CELL, 38 + 3 * (CELL + 8)), (CELL, CELL));
        }
    }
    picture.finish()
}

/// A set of sliders: each passes on one borrow of its own.
pub(crate) fn set() -> String {
    let (o, r) = (0b1010_0000_u8, 0b1010_u8);
    let t = o & !r;
    let mut picture = Picture::new(
        (830, 288),
        "A set of sliders: one subtraction for all of them",
        "Rooks on b and d, pieces on f and h. In t - r the rook on b borrows from c, c from d. d is a rook itself: it \
         has nothing, owes one for itself and one for b, and passes on one borrow. e borrows from f, f pays. The answer \
         is c, d, e and f.",
    );
    picture.names((LEFT, 28), &FILES);
    let pieces = |bit| if (r >> bit & 1) == 1 { Kind::Slider } else { Kind::Blocker };
    lines(
        &mut picture,
        38,
        &[
            ("o | r", o | r, "rooks on b and d, others on f and h", &pieces),
            ("t = o & !r", t, "only the others can pay", &pieces),
            ("r", r, "every rook takes one from its own square", &pieces),
            ("borrow", borrows(t, r), "into c, d, e, f: it never counts more than one", &|_| {
                Kind::One
            }),
            ("t - r", t.wrapping_sub(r), "what is left when all have paid", &|_| Kind::One),
            (
                "(o | r) ^ (t - r)",
                (o | r) ^ t.wrapping_sub(r),
                "c and d from b; e and f from d",
                &|_| Kind::Ray,
            ),
        ],
    );
    picture.finish()
}

/// Two ranks of a word, without and with the overflow barrier.
pub(crate) fn barrier() -> String {
    let mut picture = Picture::new(
        (720, 400),
        "Two ranks of one word: the barrier stops the borrow",
        "A rook on c1 with nothing behind it, pieces on c2 and e2. Without a barrier the borrow runs past h1 into rank \
         2, and a2, b2 and c2 are wrong. With h1 and h2 set, h1 pays, and the answer is d1 to h1.",
    );
    let names: Vec<String> =
        (1..3).flat_map(|rank| FILES.map(|file| format!("{file}{rank}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (rook, others) = (0b100_u64, 0b0001_0100 << 8);
    let right = reference::ray(rook, Direction::East, others) & 0xffff;
    for (top, heading, barrier) in
        [(30, "without a barrier", 0), (228, "with the h-file as a barrier", EAST_BARRIER & 0xffff)]
    {
        let (o, r) = (others | rook | barrier, rook & !barrier);
        let t = o & !r;
        let difference = t.wrapping_sub(r) & 0xffff;
        let kind = |bit: usize| match 1_u64 << bit {
            bit if rook & bit != 0 => Kind::Slider,
            bit if barrier & bit != 0 => Kind::Barrier,
            _ => Kind::Blocker,
        };
        let ray = |bit| if has(right, bit) { Kind::Ray } else { Kind::Wrong };
        picture.text((LEFT, top - 4), Heading, Start, heading);
        picture.names((LEFT, top + 18), &names);
        for (i, (name, bits, kind)) in [
            ("o | r", o, &kind as &dyn Fn(usize) -> Kind),
            ("t - r", difference, &|_| Kind::One),
            ("(o | r) ^ (t - r)", o ^ difference, &ray),
        ]
        .into_iter()
        .enumerate()
        {
            let y = top + 26 + i * (CELL + 8);
            picture.bits::<16>((LEFT, y), name, bits, kind);
            picture.line((LEFT + 8 * CELL, y - 3), (LEFT + 8 * CELL, y + CELL + 3));
        }
    }
    let entries = [
        (Kind::Slider, "1", "rook"),
        (Kind::Barrier, "1", "barrier"),
        (Kind::Ray, "1", "attacked"),
        (Kind::Wrong, "1", "wrong"),
    ];
    picture.legend((LEFT, 372), &entries);
    picture.finish()
}

/// What `swap_bytes` and the rank-wise reversal turn round.
pub(crate) fn boards() -> String {
    let mut picture = Picture::new(
        (790, 330),
        "What the two reversals turn round",
        "A queen on e5 and three of its rays, to the south, the west and the south-west, the squares numbered from the \
         queen. On the board all three run towards lower bits. With swap_bytes the rays to the south and the south-west \
         run towards higher bits, the one to the west does not. With the bits of each rank reversed only the ray to the \
         west runs towards higher bits.",
    );
    let queen = 36;
    let rays = [(Direction::South, 0), (Direction::West, 5), (Direction::SouthWest, 3)];
    type Turn = fn(u64) -> u64;
    let same: Turn = |board| board;
    let turned: [(&str, [&str; 2], Turn); 3] = [
        ("board", ["three rays that run", "towards lower bits"], same),
        ("swap_bytes", ["south and south-west run", "towards higher bits now"], flip_vertical),
        ("reverse_ranks", ["west runs", "towards higher bits now"], reverse_ranks),
    ];
    for (i, (name, captions, turn)) in turned.into_iter().enumerate() {
        let (x, side) = (30 + i * 260, 26);
        picture.text((x + 4 * side, 26), Code, Middle, name);
        picture.board((x, 38), side, |square| {
            for (direction, shade) in rays {
                let mut here = 1 << queen;
                for distance in ["1", "2", "3", "4"] {
                    here = direction.step(here);
                    if turn(here) == 1 << square {
                        return (Kind::Shade(shade), distance);
                    }
                }
            }
            if turn(1 << queen) == 1 << square { (Kind::Slider, "Q") } else { (Kind::Empty, "") }
        });
        for (line, caption) in captions.into_iter().enumerate() {
            picture.text((x + 4 * side, 268 + 18 * line), Label, Middle, caption);
        }
    }
    let entries = [
        (Kind::Shade(0), "1", "south"),
        (Kind::Shade(5), "1", "west"),
        (Kind::Shade(3), "1", "south-west"),
    ];
    picture.legend((240, 304), &entries);
    picture.finish()
}

/// Wrapped diagonals.
pub(crate) fn wrapped() -> String {
    let mut picture = Picture::new(
        (640, 330),
        "Wrapped diagonals",
        "Left: the wrapped diagonal of d1 to h5 and a6 to c8, with a bishop on e2. Its ray f3, g4, h5 ends on the \
         h-file, where the barrier is, so the borrow does not reach a6. Right: all eight wrapped diagonals, numbered by \
         file less rank modulo 8; each has one square on every rank and on every file.",
    );
    let number = |square: usize| (square % 8 + 8 - square / 8) % 8;
    let (bishop, side) = (1 << 12, 32);
    let ray = reference::ray(bishop, Direction::NorthEast, 0);
    picture.text((40 + 4 * side, 24), Heading, Middle, "one wrapped diagonal");
    picture.board((40, 36), side, |square| match () {
        () if has(bishop, square) => (Kind::Slider, "B"),
        () if has(ray & EAST_BARRIER, square) => (Kind::Barrier, "x"),
        () if has(ray, square) => (Kind::Ray, "x"),
        () if number(square) == number(12) => (Kind::One, ""),
        () => (Kind::Empty, ""),
    });
    picture.coordinates((40, 36), side);
    picture.text((360 + 4 * side, 24), Heading, Middle, "all eight");
    picture.board((360, 36), side, |square| {
        let number = number(square);
        (Kind::Shade(number), ["0", "1", "2", "3", "4", "5", "6", "7"][number])
    });
    picture.coordinates((360, 36), side);
    picture.finish()
}

/// Boards, and the registers that hold one rank of all of them.
pub(crate) fn slicing() -> String {
    let mut picture = Picture::new(
        (800, 310),
        "Slicing: equal ranks of many boards in one register",
        "On the left boards 0, 1 and 63, each a column of eight bytes, a byte for each rank. On the right eight \
         registers: the register for rank 8 holds the bytes of rank 8 of boards 0 to 63, and so on down to rank 1.",
    );
    const BYTE: (usize, usize) = (76, 26);
    let numbers = ["0", "1", "...", "63"];
    for (i, number) in numbers.into_iter().enumerate() {
        let x = 20 + i * 60;
        let heading = if i == 2 { number.to_owned() } else { format!("board {number}") };
        picture.text((x + 26, 40), Label, Middle, &heading);
        if i == 2 {
            continue;
        }
        for rank in 0..8 {
            picture.block((x, 52 + (7 - rank) * BYTE.1), (52, BYTE.1), Kind::Shade(rank));
            let name = format!("rank {}", rank + 1);
            picture.cell_text((x + 26, 52 + (7 - rank) * BYTE.1 + 18), &name);
        }
    }
    picture.arrow(&[(270, 156), (330, 156)]);
    picture.text((300, 144), Label, Middle, "transpose");
    let left = 430;
    picture.text((left + 2 * BYTE.0, 24), Heading, Middle, "eight registers of 64 bytes");
    for (i, number) in numbers.into_iter().enumerate() {
        picture.text((left + i * BYTE.0 + 38, 44), Label, Middle, number);
    }
    for rank in 0..8 {
        let y = 52 + (7 - rank) * BYTE.1;
        picture.text((left - 10, y + 18), Code, End, &format!("ranks[{rank}]"));
        for i in 0..4 {
            picture.block((left + i * BYTE.0, y), BYTE, Kind::Shade(rank));
            let name = if i == 2 { "...".to_owned() } else { format!("rank {}", rank + 1) };
            picture.cell_text((left + i * BYTE.0 + 38, y + 18), &name);
        }
    }
    picture.text((20, 290), Label, Start, "north: the next register");
    picture.text((190, 290), Label, Start, "east: every byte doubled (x + x)");
    picture.text((left, 290), Label, Start, "nothing runs from one byte into the next");
    picture.finish()
}

/// A sweep along files and one along diagonals.
pub(crate) fn sweep() -> String {
    let mut picture = Picture::new(
        (830, 350),
        "A sweep: the ray is handed from rank to rank",
        "Two boards with sliders on a1, c2 and f4 and blockers on c5 and h6. On the left rays to the north: each rank \
         hands the ray to the rank above it. On the right rays to the north-east: the ray is moved one file to the east \
         before it is handed on.",
    );
    let (sliders, blockers, side) = (1 | 1 << 10 | 1 << 29, 1 << 34 | 1 << 47, 30);
    for (x, heading, direction) in
        [(110, "north", Direction::North), (540, "north-east", Direction::NorthEast)]
    {
        let ray = reference::ray(sliders, direction, blockers);
        picture.text((x + 4 * side, 24), Heading, Middle, heading);
        picture.board((x, 36), side, |square| match () {
            () if has(sliders, square) => (Kind::Slider, "S"),
            () if has(blockers & ray, square) => (Kind::Blocker, "x"),
            () if has(blockers, square) => (Kind::Blocker, ""),
            () if has(ray, square) => (Kind::Ray, "x"),
            () => (Kind::Empty, ""),
        });
        for rank in 0..8 {
            let y = 36 + (7 - rank) * side;
            picture.text((x - 10, y + 20), Code, End, &format!("ranks[{rank}]"));
            if rank < 7 {
                let right = x + 8 * side;
                picture.arrow(&[
                    (right + 4, y + 15),
                    (right + 16, y + 15),
                    (right + 16, y - 15),
                    (right + 5, y - 15),
                ]);
            }
        }
    }
    let formulas = [
        (110, "ray[k+1] =      slider[k] | (ray[k] & !occupied[k])"),
        (110, "ray[k+1] = east(slider[k] | (ray[k] & !occupied[k]))"),
    ];
    for (i, (x, formula)) in formulas.into_iter().enumerate() {
        let which = ["north", "north-east"][i];
        picture.text((x - 10, 308 + 22 * i), Label, End, which);
        picture.code((x, 308 + 22 * i), formula);
    }
    picture.finish()
}

/// The transpose of 16 boards in eight registers of 16 bytes, round by round.
pub(crate) fn transpose() -> String {
    let mut picture = Picture::new(
        (826, 172),
        "Transposing 16 boards in four rounds of unpacking",
        "Five panels of eight registers with 16 bytes each, coloured by the rank that a byte is. In memory every \
         register holds two whole boards. After each of four rounds of unpacking the colours are sorted further, until \
         after the fourth every register holds one rank of all 16 boards.",
    );
    let mut registers: [[usize; 16]; 8] =
        std::array::from_fn(|number| std::array::from_fn(|place| 16 * number + place));
    let panels = [
        ("in memory", "b3 b2 b1 | b0 k2 k1 k0", 0),
        ("after round 1", "b3 b2 b0 | k2 k1 k0 b1", 1),
        ("after round 2", "b3 k2 b0 | k1 k0 b1 b2", 2),
        ("after round 3", "k1 k2 b0 | k0 b1 b2 b3", 4),
        ("after round 4", "k1 k2 k0 | b1 b2 b3 b0", 1),
    ];
    for (i, (heading, bits, step)) in panels.into_iter().enumerate() {
        if step > 0 {
            registers = round(registers, step);
        }
        let (x, side) = (15 + i * 163, 9);
        picture.text((x + 8 * side, 24), Label, Middle, heading);
        for (number, register) in registers.iter().enumerate() {
            for (place, byte) in register.iter().enumerate() {
                let at = (x + place * side, 36 + number * 12);
                picture.cell(at, side, Kind::Shade(byte % 8), "");
            }
        }
        picture.small_code((x + 8 * side, 154), bits);
    }
    for (number, register) in registers.iter().enumerate() {
        let rank = [0, 1, 4, 5, 2, 3, 6, 7][number];
        assert!(register.iter().all(|byte| byte % 8 == rank), "a register for each rank");
    }
    picture.finish()
}

/// Unpacks registers `i` and `i + step`: the bytes of their lower halves in turns, and those of their upper halves.
fn round(registers: [[usize; 16]; 8], step: usize) -> [[usize; 16]; 8] {
    let mut out = registers;
    for i in (0..8).filter(|i| i & step == 0) {
        let both = [registers[i], registers[i + step]];
        out[i] = std::array::from_fn(|place| both[place % 2][place / 2]);
        out[i + step] = std::array::from_fn(|place| both[place % 2][8 + place / 2]);
    }
    out
}

/// What the union of eight rays takes for 64 boards with AVX-512 and GFNI, as counted at the head of
/// `src/boards/sliced.rs`.
const OPERATIONS: [(&str, usize, usize); 4] =
    [("transposes", 120, 5), ("sweeps", 64, 6), ("ranks", 64, 1), ("union", 24, 3)];

/// The operations of a block, and how many cycles they need at the least.
pub(crate) fn operations() -> String {
    let mut picture = Picture::new(
        (760, 210),
        "272 operations for 64 boards",
        "A bar of 272 operations: 120 for transposes, 64 for sweeps, 64 for ranks, 24 for the union. Two shorter bars \
         below: at two operations a cycle they need at least 136 cycles, at four at least 68.",
    );
    const SCALE: usize = 2;
    let left = 150;
    picture.text((left - 10, 62), Label, End, "operations");
    let mut x = left;
    for (name, number, shade) in OPERATIONS {
        picture.block((x, 40), (number * SCALE, 34), Kind::Shade(shade));
        picture.text((x + number * SCALE / 2, 30), Label, Middle, name);
        picture.cell_text((x + number * SCALE / 2, 62), &number.to_string());
        x += number * SCALE;
    }
    let all: usize = OPERATIONS.iter().map(|(_, number, _)| number).sum();
    picture.text((x + 10, 62), Label, Start, &all.to_string());
    for (i, (ports, name)) in [(2, "two ports"), (4, "four ports")].into_iter().enumerate() {
        let (y, cycles) = (96 + i * 48, all.div_ceil(ports));
        picture.text((left - 10, y + 22), Label, End, name);
        picture.block((left, y), (cycles * SCALE, 34), Kind::One);
        let note = format!("at least {cycles} cycles, {:.2} a board", cycles as f64 / 64.0);
        picture.text((left + cycles * SCALE + 10, y + 22), Label, Start, &note);
    }
    picture.finish()
}

/// A pin: two rays that meet.
pub(crate) fn pin() -> String {
    let mut picture = Picture::new(
        (760, 270),
        "A pin: two rays that meet on a piece",
        "White king on e1, white knight on e4, black rook on e8. The king's ray to the north is e2, e3, e4. The rook's \
         ray to the south is e7, e6, e5, e4. Both have e4, where a white piece stands: it is pinned.",
    );
    let (king, knight, rook) = (1 << 4, 1 << 28, 1 << 60);
    let occupied = king | knight | rook;
    let from_king = reference::ray(king, Direction::North, occupied);
    let from_rook = reference::ray(rook, Direction::South, occupied);
    let both = from_king & from_rook & knight;
    let panels = [
        ("the king's ray, north", from_king),
        ("the rook's ray, south", from_rook),
        ("in both, and white: pinned", both),
    ];
    for (i, (heading, ray)) in panels.into_iter().enumerate() {
        let (x, side) = (40 + i * 245, 25);
        picture.text((x + 4 * side, 24), Label, Middle, heading);
        picture.board((x, 36), side, |square| {
            let label = match () {
                () if has(king, square) => "K",
                () if has(knight, square) => "N",
                () if has(rook, square) => "r",
                () => "",
            };
            let kind = match () {
                () if has(ray, square) => Kind::Ray,
                () if has(rook, square) => Kind::Slider,
                () if has(occupied, square) => Kind::Blocker,
                () => Kind::Empty,
            };
            (kind, label)
        });
        picture.coordinates((x, 36), side);
    }
    picture.finish()
}
