//! Legal moves in the program: as columns of a file, and as drawings.

use setwise::legal::{Move, MoveKind};
use setwise::{Fen, position};

use crate::run::Folder;

/// The expected columns, from the code for one position, which works piece by piece.
fn expected(fen: &Fen) -> [String; 4] {
    let Some(legal) = position::legal(&fen.pieces, fen.into()) else { return Default::default() };
    let spaced = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(" ");
    let mut moves = vec![0; legal.count() as usize];
    legal.write_moves(&mut moves);
    [
        spaced(&mut moves.iter().map(u16::to_string)),
        spaced(&mut legal.targets().iter().map(u64::to_string)),
        legal.count().to_string(),
        (legal.status() as u8).to_string(),
    ]
}

fn check(fens: &[&str]) {
    let folder = Folder::new();
    folder.write("a.fen", &(fens.join("\n") + "\n"));
    let csv = folder.succeed(
        "maps a.fen -q -o - -f csv -c legal_moves,legal_targets,legal_count,status,legal_planes",
    );
    let csv = String::from_utf8(csv).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("legal_moves,legal_targets,legal_count,status,legal_planes"));
    for fen in fens {
        let position: Fen = fen.parse().unwrap();
        let cells: Vec<&str> = lines.next().unwrap().split(',').collect();
        let expected = expected(&position);
        assert_eq!(cells[..4], expected, "{fen}");
        // The planes contain the origin of each move. They are empty if the position is invalid.
        let planes = cells[4].split_whitespace().map(|plane| plane.parse::<u64>().unwrap());
        let (planes, origins) =
            planes.fold((0, 0), |(n, all), plane| (n + 1, all + plane.count_ones()));
        let valid = !expected[2].is_empty();
        assert_eq!(planes, if valid { 73 } else { 0 }, "{fen}");
        assert_eq!(origins, if valid { expected[2].parse().unwrap() } else { 0 }, "{fen}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn columns_of_legal_moves() {
    let mut fens: Vec<&str> =
        include_str!("../../../../data/sample.epd").lines().take(300).collect();
    fens.extend([
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/8/8/8/8/8/8/5KR1 w G - 0 1",
    ]);
    check(&fens);
}

#[test]
fn legal_moves_of_the_shared_positions() {
    use std::io::Read;
    let path = format!("{}/legal-moves.tsv.gz", crate::answers::data());
    let file = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let fens: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    check(&fens);
    // The moves of python-chess. In Chess960 it always writes castling as the king's move to its rook.
    let folder = Folder::new();
    folder.write("a.fen", &(fens.join("\n") + "\n"));
    let csv = folder.succeed("maps a.fen -q -o - -f csv -c legal_moves");
    for (line, known) in String::from_utf8(csv).unwrap().lines().skip(1).zip(text.lines()) {
        let parts: Vec<&str> = known.split('\t').collect();
        // An empty list is an empty cell in quotation marks.
        let mut found: Vec<String> = line
            .trim_matches('"')
            .split_whitespace()
            .map(|bits| {
                let played = Move::from_bits(bits.parse().unwrap()).unwrap();
                let (from, to) = (played.from(), played.to());
                let goes_two = from % 8 == 4 && from.abs_diff(to) == 2;
                if played.kind() != MoveKind::Castling || !goes_two || parts[1] != "chess960" {
                    return played.to_string();
                }
                let rook = if to > from { from | 7 } else { from & 56 };
                Move::new(from, rook, MoveKind::Castling).to_string()
            })
            .collect();
        found.sort();
        assert_eq!(found.join(" "), parts[3], "{}", parts[0]);
    }
}

#[test]
fn legal_moves_are_shown() {
    let folder = Folder::new();
    let fen = "r3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let shown = String::from_utf8(folder.succeed(&format!("show {fen} --map legal"))).unwrap();
    let below: Vec<&str> = shown.lines().skip_while(|line| !line.contains("legal moves")).collect();
    assert_eq!(
        below,
        [
            "26 legal moves by white",
            "Ra1  b1 c1 d1 a2 a3 a4 a5 a6 a7 xa8",
            "Ke1  c1 d1 f1 g1 d2 e2 f2",
            "Rh1  f1 g1 h2 h3 h4 h5 h6 h7 h8",
        ]
    );
    assert_eq!(
        shown,
        String::from_utf8(folder.succeed(&format!("show {fen} --map legal_moves"))).unwrap()
    );
    folder.succeed(&format!("show {fen} --map legal --svg a.svg"));
    let picture = String::from_utf8(folder.read("a.svg")).unwrap();
    assert_eq!(picture.matches("<line ").count(), 26 + 2); // and two in the legend
    assert!(picture.contains("legal moves of white pieces"));
    let bad = String::from_utf8(folder.succeed("show 8/8/8/8/8/8/8/8 --map legal")).unwrap();
    assert!(bad.contains("no legal moves: the position is invalid"), "{bad}");
}
