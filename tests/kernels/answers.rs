//! Compares every backend with answers from python-chess, column by column.
//!
//! `answers.tsv.gz` and `stress-answers.tsv.gz` are tables with a header row: the FEN, the parsed board, and the maps
//! of both sides, in hexadecimal. `tests/data` has excerpts; `SETWISE_DATA` names a folder with more. A table that is
//! missing rows fails the test.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::common::{data, guarded, least, on_every_backend};
use flate2::read::GzDecoder;
use setwise::bitboard::Direction;
use setwise::{Colour, Column, ColumnKind, Fen, Kernel, Pieces, Positions, Shape, ValueType};

on_every_backend! {
    columns_of_rows
    columns_of_columns
    rays_and_their_union
}

/// The columns of a parsed board, in the order of the fields of [`Pieces`].
const BOARD: [&str; 8] =
    ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];

/// A table of answers.
struct Answers {
    path: PathBuf,
    fens: Vec<String>,
    columns: HashMap<String, Vec<u64>>,
}

impl Answers {
    fn read(path: PathBuf) -> Self {
        let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut lines = BufReader::new(GzDecoder::new(file))
            .lines()
            .map(|line| line.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        let header = lines.next().expect("there is a header row");
        let names: Vec<&str> = header.split('\t').collect();
        assert_eq!(names[0], "fen");
        let mut fens = Vec::new();
        let mut columns = vec![Vec::new(); names.len() - 1];
        for line in lines {
            let (fen, boards) = line.split_once('\t').expect("there are columns after the FEN");
            fens.push(fen.to_owned());
            let mut boards = boards.split('\t');
            for column in &mut columns {
                let board = boards.next().expect("there are as many fields as names");
                column.push(u64::from_str_radix(board, 16).expect("a board is hexadecimal"));
            }
            assert_eq!(boards.next(), None);
        }
        let columns = names[1..].iter().map(|&name| name.to_owned()).zip(columns).collect();
        Self { path, fens, columns }
    }

    fn column(&self, name: &str) -> &[u64] {
        self.columns.get(name).unwrap_or_else(|| panic!("there is no column `{name}`"))
    }

    /// The positions, as a column for each set.
    fn board(&self) -> Pieces<&[u64]> {
        Pieces::from_sets(BOARD.map(|name| self.column(name)))
    }

    /// The positions, one by one.
    fn rows(&self) -> Vec<Pieces> {
        let sets = self.board().sets();
        (0..self.fens.len()).map(|row| Pieces::from_sets(sets.map(|set| set[row]))).collect()
    }

    /// Compares a column with the one in the answers.
    fn check(&self, name: &str, got: &[u64]) {
        self.check_with(name, got, self.column(name));
    }

    fn check_with(&self, name: &str, got: &[u64], expected: &[u64]) {
        assert_eq!(got.len(), expected.len());
        for (row, (got, expected)) in got.iter().zip(expected).enumerate() {
            assert_eq!(
                got,
                expected,
                "{}, column {name}, row {row}: {}",
                self.path.display(),
                self.fens[row]
            );
        }
    }
}

/// Both tables, read once.
fn tables() -> &'static [Answers] {
    static TABLES: OnceLock<Vec<Answers>> = OnceLock::new();
    TABLES.get_or_init(|| {
        [("answers.tsv.gz", 16_000), ("stress-answers.tsv.gz", 2_000)]
            .map(|(name, all)| {
                let answers = Answers::read(data().join(name));
                let rows = answers.fens.len();
                assert!(rows >= least(all), "{name} has only {rows} rows");
                answers
            })
            .into()
    })
}

#[test]
fn fens_are_read_as_the_answers_read_them() {
    for answers in tables() {
        for (fen, pieces) in answers.fens.iter().zip(answers.rows()) {
            assert_eq!(Fen::parse(fen).map(|fen| fen.pieces), Ok(pieces), "{fen}");
        }
    }
}

/// Compares the bitboards that a backend computes from the same positions in either layout.
fn check_columns<'a>(kernel: Kernel, answers: &'a Answers, positions: impl Into<Positions<'a>>) {
    let turn = |fen: &String| match fen.split(' ').nth(1) {
        Some("w") => Colour::White,
        Some("b") => Colour::Black,
        other => panic!("{other:?} is no side to move"),
    };
    let turns: Vec<Colour> = answers.fens.iter().map(turn).collect();
    let is_bitboard =
        |column: &&Column| column.value_type() == ValueType::U64 && column.shape() == Shape::Value;
    let columns: Vec<Column> = Column::ALL.iter().filter(is_bitboard).copied().collect();
    let mut values = vec![vec![0_u64; turns.len()]; columns.len()];
    let mut requests: Vec<_> = columns
        .iter()
        .zip(&mut values)
        .map(|(column, values)| column.to(&mut values[..]))
        .collect();
    kernel.fill(positions.into().with_turns(&turns), &mut requests);

    let got = |column| &values[columns.iter().position(|&c| c == column).expect("a bitboard")];
    answers.check("checkers", got(Column::CHECKERS));
    answers.check("pinned_stm", got(Column::PINNED));
    let (white, black) =
        (got(Column::white(ColumnKind::Pinned)), got(Column::black(ColumnKind::Pinned)));
    let opponents: Vec<u64> = turns
        .iter()
        .enumerate()
        .map(|(row, turn)| if *turn == Colour::White { black[row] } else { white[row] })
        .collect();
    answers.check("pinned_opp", &opponents);

    for (column, got) in columns.iter().zip(&values) {
        let Some(colour) = column.colour() else { continue };
        let side = if colour == Colour::White { "w" } else { "b" };
        match column.kind() {
            ColumnKind::CountBit0 => answers.check(&format!("{side}_c0"), got),
            ColumnKind::CountBit1 => answers.check(&format!("{side}_c1"), got),
            ColumnKind::CountBit2 => answers.check(&format!("{side}_c2"), got),
            ColumnKind::CountBit3 => answers.check(&format!("{side}_c3"), got),
            ColumnKind::CountBit4 => assert!(got.iter().all(|&plane| plane == 0)),
            _ if Column::DEFAULT.contains(column) => {
                answers.check(&format!("{side}_{}", &column.name()["white_".len()..]), got);
            }
            // The answers omit it.
            _ => {}
        }
    }
}

fn columns_of_rows(kernel: Kernel) {
    for answers in tables() {
        check_columns(kernel, answers, &answers.rows()[..]);
    }
}

fn columns_of_columns(kernel: Kernel) {
    for answers in tables() {
        check_columns(kernel, answers, answers.board());
    }
}

fn rays_and_their_union(kernel: Kernel) {
    for answers in tables() {
        let rows = answers.rows();
        let occupied: Vec<u64> = rows.iter().map(Pieces::occupied).collect();
        for side in ["w", "b"] {
            let own = |pieces: &Pieces| if side == "w" { pieces.white } else { pieces.black };
            let orthogonal: Vec<u64> =
                rows.iter().map(|pieces| own(pieces) & (pieces.rooks | pieces.queens)).collect();
            let diagonal: Vec<u64> =
                rows.iter().map(|pieces| own(pieces) & (pieces.bishops | pieces.queens)).collect();

            let rays = guarded(rows.len(), |rays| {
                kernel.slider_rays(&orthogonal, &diagonal, &occupied, rays);
            });
            for (direction, ray) in Direction::ALL.into_iter().zip(&rays) {
                answers.check(&format!("{side}_{}", compass(direction)), ray);
            }

            let [union] = guarded(rows.len(), |[union]| {
                kernel.slider_attacks(&orthogonal, &diagonal, &occupied, union);
            });
            let by_role = ["bishop", "rook", "queen"].map(|role| format!("{side}_{role}"));
            let [bishop, rook, queen] = by_role.each_ref().map(|name| answers.column(name));
            let expected: Vec<u64> =
                (0..rows.len()).map(|row| bishop[row] | rook[row] | queen[row]).collect();
            answers.check_with(&by_role.join(" | "), &union, &expected);
        }
    }
}

/// A direction as written in the answers: `N`, `SE`.
fn compass(direction: Direction) -> String {
    direction.name().split('-').map(|word| word[..1].to_uppercase()).collect()
}
