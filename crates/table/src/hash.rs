//! Hashes of positions and games. They are the same on every machine and in every version, because splits of data sets
//! depend on them.

use setwise::{Colour, Pieces};

use crate::draws::join;
use crate::span::Boards;

/// A hash of the pieces and the side to move.
fn of_position(pieces: &Pieces, turn: Colour) -> u64 {
    pieces.sets().into_iter().fold(turn as u64, join)
}

/// Computes the hash of the game for each position, given the hashes of the positions. It depends on the positions of
/// the game and on their order. `starts` contains the first row of each game.
pub(crate) fn of_games(positions: impl Iterator<Item = u64>, starts: &[usize]) -> Vec<u64> {
    let mut hashes: Vec<u64> = positions.collect();
    let ends = starts.iter().skip(1).copied().chain([hashes.len()]);
    for (&start, end) in starts.iter().zip(ends) {
        if let Some(game) = hashes.get_mut(start..end) {
            let hash = game.iter().fold(0, |hash, position| join(hash, *position));
            game.fill(hash);
        }
    }
    hashes
}

/// Computes the hashes of positions. If the side to move is unknown, white is assumed.
pub(crate) fn of_positions(boards: Boards<'_>, turns: &[Colour]) -> impl Iterator<Item = u64> {
    let turn = |row| turns.get(row).copied().unwrap_or(Colour::White);
    (0..boards.len()).map(move |row| of_position(&boards.pieces(row), turn(row)))
}

#[cfg(test)]
mod tests {
    use setwise::Fen;

    use super::*;

    fn of_game(rows: &[Pieces]) -> u64 {
        of_games(rows.iter().map(|pieces| of_position(pieces, Colour::White)), &[0])[0]
    }

    #[test]
    fn hashes_stay_the_same() {
        let start = Fen::START;
        let mut other = start.pieces;
        other.pawns ^= 1 << 8;
        let hashes = [
            of_position(&start.pieces, Colour::White),
            of_position(&start.pieces, Colour::Black),
            of_position(&other, Colour::White),
            of_position(&Pieces::EMPTY, Colour::White),
            of_game(&[start.pieces, other]),
            of_game(&[other, start.pieces]),
            of_game(&[start.pieces]),
        ];
        assert_eq!(hashes[0], 0x8a02_300d_e5fb_4210, "splits of data sets would change");
        for (at, hash) in hashes.iter().enumerate() {
            assert!(!hashes[..at].contains(hash) && *hash != 0, "{at}");
        }
    }

    #[test]
    fn each_game_has_one_hash() {
        let mut rows = Vec::new();
        for square in 0..10 {
            rows.push(Pieces { pawns: 1 << square, white: 1 << square, ..Pieces::EMPTY });
        }
        let positions = rows.iter().map(|pieces| of_position(pieces, Colour::White));
        let hashes = of_games(positions, &[0, 3, 3, 8]);
        for game in [0..3, 3..8, 8..10] {
            let expected = of_game(&rows[game.clone()]);
            assert!(hashes[game].iter().all(|hash| *hash == expected));
        }
        assert_eq!(of_games([].into_iter(), &[]), Vec::<u64>::new());
    }
}
