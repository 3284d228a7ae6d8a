//! Legal moves.

use std::{format, println, string::{String, ToString}, vec, vec::Vec};

use super::*;
use crate::{Backend, Fen, Kernel, Pieces, Role};

/// The moves of planes in UCI, sorted.
fn moves(planes: &[u64; PLANES], fen: &Fen, chess960: bool) -> Vec<String> {
    let mut moves = Vec::new();
    let flip = if fen.turn == Colour::Black { 56 } else { 0 };
    for (index, &plane) in planes.iter().enumerate() {
        for square in 0..64_i32 {
            if plane >> square & 1 == 0 {
                continue;
            }
            let (file, rank) = (square % 8, square / 8);
            let (files, ranks, promotion) = match index {
                0..56 => {
                    let (files, ranks) = DIRECTIONS[index / 7].offset();
                    let distance = (index % 7 + 1) as i32;
                    (i32::from(files) * distance, i32::from(ranks) * distance, "")
                }
                56..64 => {
                    let (files, ranks) = LEAPS[index - 56];
                    (i32::from(files), i32::from(ranks), "")
                }
                _ => ((index as i32 - 64) % 3 - 1, 1, ["n", "b", "r"][(index - 64) / 3]),
            };
            let (to_file, to_rank) = (file + files, rank + ranks);
            assert!((0..8).contains(&to_file) && (0..8).contains(&to_rank), "plane {index}, {square}");
            let (from, to) = ((square ^ flip) as u8, ((to_file + 8 * to_rank) ^ flip) as u8);
            let role = fen.pieces.at(from).expect("a piece").1;
            let promotion = match (role, to_rank) {
                (Role::Pawn, 7) if promotion.is_empty() => "q",
                _ => promotion,
            };
            let mut to = to;
            let corner = if files > 0 { from | 7 } else { from & 56 };
            let rook = fen.pieces.of(fen.turn, Role::Rook) >> corner & 1 == 1;
            if chess960 && role == Role::King && from % 8 == 4 && files.abs() == 2 && rook {
                to = if files > 0 { to | 7 } else { to & 56 };
            }
            let name = |square: u8| {
                format!("{}{}", (b'a' + square % 8) as char, (b'1' + square / 8) as char)
            };
            moves.push(format!("{}{}{promotion}", name(from), name(to)));
        }
    }
    moves.sort();
    moves
}

#[test]
#[ignore = "needs SETWISE_DATA"]
fn quick() {
    use std::io::Read;
    let mut text = String::new();
    let path = std::env::var("SETWISE_DATA").unwrap() + "/legal-moves.tsv.gz";
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let lines: Vec<[&str; 4]> = text.lines().map(|line| {
        let mut parts = line.split('\t');
        [(); 4].map(|()| parts.next().unwrap())
    }).collect();
    let fens: Vec<Fen> = lines.iter().map(|line| line[0].parse().unwrap()).collect();
    let pieces: Vec<Pieces> = fens.iter().map(|fen| fen.pieces).collect();
    let states: Vec<State> = fens.iter().map(State::from).collect();
    for kernel in Backend::available().filter_map(Kernel::new) {
        let mut planes = vec![[0; PLANES]; fens.len()];
        let mut counts = vec![0; fens.len()];
        let mut status = vec![0; fens.len()];
        kernel.legal_planes(&pieces, &states, &mut planes);
        kernel.legal_counts(&pieces, &states, &mut counts);
        kernel.legal_status(&pieces, &states, &mut status);
        let mut wrong = 0;
        for (row, line) in lines.iter().enumerate() {
            let expected: Vec<String> = line[3].split_whitespace().map(ToString::to_string).collect();
            let moves = moves(&planes[row], &fens[row], line[1] == "chess960");
            let code = ["-", "check", "checkmate", "stalemate"].iter().position(|&s| s == line[2]).unwrap();
            if moves != expected || usize::from(counts[row]) != expected.len() || usize::from(status[row]) != code {
                wrong += 1;
                if wrong < 4 {
                    println!("{} {}: {} {} status {}\n{:?}\n{:?}", kernel.backend(), line[0], counts[row], expected.len(), status[row], moves, expected);
                }
            }
        }
        assert_eq!(wrong, 0, "{}", kernel.backend());
    }
}
