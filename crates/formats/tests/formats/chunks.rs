//! Writes lc0's chunks and `.plain` text from positions that another library has replayed. It shares no code with the
//! readers.

use std::io::Read as _;

/// A position of a game.
pub(crate) struct Position {
    pub(crate) fen: String,
    pub(crate) played: String,
    pub(crate) score: i32,
    pub(crate) ply: u32,
    pub(crate) result: i32,
}

impl Position {
    pub(crate) fn is_black(&self) -> bool {
        self.fen.contains(" b ")
    }

    /// Pieces by rank and file, both from 0.
    fn pieces(&self) -> Vec<(char, usize, usize)> {
        let mut pieces = Vec::new();
        for (rank, row) in self.fen.split(' ').next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        pieces.push((letter, 7 - rank, file));
                        file += 1;
                    }
                }
            }
        }
        pieces
    }
}

/// The positions of the tests' file, as read by `sfbinpack`.
pub(crate) fn positions() -> Vec<Position> {
    let mut text = String::new();
    let file = &include_bytes!("../data/games.tsv.gz")[..];
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        Position {
            fen: cells[0].to_owned(),
            played: cells[1].to_owned(),
            score: cells[2].parse().unwrap(),
            ply: cells[3].parse().unwrap(),
            result: cells[4].parse().unwrap(),
        }
    });
    rows.collect()
}

/// The value of a position's best move.
pub(crate) fn value(position: &Position) -> f32 {
    (position.score % 100) as f32 / 100.0
}

/// All moves of a policy: those of queens and knights, ordered by their squares, then promotions.
fn policy() -> Vec<String> {
    let name = |file: i32, rank: i32| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
    let mut moves = Vec::new();
    for origin in 0..64 {
        let (file, rank) = (origin % 8, origin / 8);
        let mut targets = Vec::new();
        for (x, y) in (-7..=7).flat_map(|x| (-7..=7).map(move |y| (x, y))) {
            let leaps = x * x + y * y == 5;
            let slides = (x, y) != (0, 0) && (x == 0 || y == 0 || x * x == y * y);
            if (leaps || slides) && (0..8).contains(&(file + x)) && (0..8).contains(&(rank + y)) {
                targets.push((rank + y, file + x));
            }
        }
        targets.sort_unstable();
        moves.extend(targets.iter().map(|(r, f)| name(file, rank) + &name(*f, *r)));
    }
    for file in 0..8 {
        for to in (file - 1).max(0)..=(file + 1).min(7) {
            moves.extend(["q", "r", "b"].map(|role| name(file, 6) + &name(to, 7) + role));
        }
    }
    assert_eq!(moves.len(), 1858);
    moves
}

/// A file of the given version, with one record per position.
pub(crate) fn file(positions: &[Position], version: u32) -> Vec<u8> {
    let moves = policy();
    let mut file = Vec::new();
    for (at, position) in positions.iter().enumerate() {
        let turned = |rank: usize| if position.is_black() { 7 - rank } else { rank };
        let mut planes = [0u8; 832];
        for back in 0..8 {
            // A game continues while the ply increases.
            let Some(earlier) = at.checked_sub(back).map(|at| &positions[at]) else { break };
            if earlier.ply + back as u32 != position.ply {
                break;
            }
            for (letter, rank, file) in earlier.pieces() {
                let role = "pnbrqk".find(letter.to_ascii_lowercase()).unwrap();
                let is_ours = letter.is_lowercase() == position.is_black();
                let plane = 13 * back + role + if is_ours { 0 } else { 6 };
                planes[8 * plane + turned(rank)] |= 0x80 >> file;
            }
        }
        let rights = position.fen.split(' ').nth(2).unwrap();
        let order = if position.is_black() { "qkQK" } else { "QKqk" };
        let index = |castling: bool| {
            let mut played = position.played.clone();
            // The king's move to its rook, or by two squares.
            let squares = [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e8h8", "e8g8"), ("e8a8", "e8c8")];
            let is_king = position.pieces().iter().any(|&(letter, rank, file)| {
                letter.eq_ignore_ascii_case(&'k')
                    && file == 4
                    && played.starts_with(&format!("e{}", rank + 1))
            });
            for (rook, king) in squares.iter().filter(|_| is_king && rights != "-") {
                if played == *rook || played == *king {
                    played = if castling { rook } else { king }.to_string();
                }
            }
            let flip = |c: char| match c.to_digit(10) {
                Some(rank) if position.is_black() => char::from_digit(9 - rank, 10).unwrap(),
                _ => c,
            };
            let played: String = played.trim_end_matches('n').chars().map(flip).collect();
            moves.iter().position(|other| *other == played).unwrap() as u16
        };
        let start = file.len();
        file.extend(version.to_le_bytes());
        file.extend(1u32.to_le_bytes());
        (0..1858).for_each(|n| file.extend((n as f32 / 1858.0).to_le_bytes()));
        file.extend(planes);
        file.extend(order.chars().map(|right| u8::from(rights.contains(right))));
        file.push(u8::from(position.is_black()));
        file.push(position.fen.split(' ').nth(4).unwrap().parse().unwrap());
        file.extend([0, 0]);
        let floats = [0.0, value(position), 0.0, 0.25, 0.0, 0.0, 9.0, position.result as f32];
        floats.iter().for_each(|value: &f32| file.extend(value.to_le_bytes()));
        file.extend(f32::from(u8::from(position.result == 0)).to_le_bytes());
        file.extend([0xff; 6 * 4 + 4]);
        file.extend(index(at % 2 == 0).to_le_bytes());
        file.extend(index(at % 2 == 1).to_le_bytes());
        file.resize(start + if version == 6 { 8356 } else { 8396 }, 0);
    }
    file
}

/// The text of `.plain`.
pub(crate) fn plain(positions: &[Position]) -> String {
    let record = |Position { fen, played, score, ply, result }: &Position| {
        format!("fen {fen}\nmove {played}\nscore {score}\nply {ply}\nresult {result}\ne\n")
    };
    positions.iter().map(record).collect()
}
