//! The expected columns. The library computes them in one call for all positions, with the backend that shares the
//! least code with the others. Only this file calls the library for columns.

use setwise::{Backend, Colour, Fen, Kernel, Needs, Pieces, Positions, Shape, ValueType};
use setwise_nnue::{Column, columns};

/// The folder with the answers of other programs: `SETWISE_DATA`, which has all of them, or the library's excerpts.
pub(crate) fn data() -> String {
    let excerpts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");
    std::env::var("SETWISE_DATA").unwrap_or(excerpts.into())
}

/// The names of the columns of the preset `all` that the library computes, in the order of the preset.
pub(crate) fn names() -> Vec<&'static str> {
    let values = Column::ALL
        .iter()
        .filter(|column| column.shape() == Shape::Value && column.needs() != Needs::State);
    values.map(|column| column.name()).collect()
}

/// The names of the default columns.
pub(crate) fn default_names() -> Vec<&'static str> {
    let kinds = ["pawn", "knight", "bishop", "rook", "queen", "king", "all", "twice"];
    let named = |side: &str| kinds.map(|kind| format!("{side}_{kind}"));
    let names = [named("white"), named("black")].concat();
    names.into_iter().map(|name| column(&name).name()).collect()
}

fn column(name: &str) -> Column {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns whether a column has 16 bits per position instead of 64.
pub(crate) fn is_narrow(name: &str) -> bool {
    column(name).value_type() == ValueType::U16
}

pub(crate) fn meaning(name: &str) -> &'static str {
    column(name).meaning()
}

/// Computes the cells of some columns for these lines, each of which must be a position.
pub(crate) fn columns(lines: &[&str], names: &[&str]) -> Vec<Vec<u64>> {
    let fens: Vec<Fen> = lines.iter().map(|line| Fen::parse(line).expect(line)).collect();
    names.iter().map(|name| cells(&fens, name)).collect()
}

fn cells(fens: &[Fen], name: &str) -> Vec<u64> {
    let of = |cell: fn(&Fen) -> u64| fens.iter().map(cell).collect();
    match name {
        "turn" => of(|fen| fen.turn as u64),
        "pawns" => of(|fen| fen.pieces.pawns),
        "knights" => of(|fen| fen.pieces.knights),
        "bishops" => of(|fen| fen.pieces.bishops),
        "rooks" => of(|fen| fen.pieces.rooks),
        "queens" => of(|fen| fen.pieces.queens),
        "kings" => of(|fen| fen.pieces.kings),
        "white" => of(|fen| fen.pieces.white),
        "black" => of(|fen| fen.pieces.black),
        _ => computed(fens, column(name)),
    }
}

fn computed(fens: &[Fen], column: Column) -> Vec<u64> {
    let kernel = Kernel::new(Backend::Scalar).unwrap();
    let pieces: Vec<Pieces> = fens.iter().map(|fen| fen.pieces).collect();
    let turns: Vec<Colour> = fens.iter().map(|fen| fen.turn).collect();
    let positions = Positions::from(&pieces).with_turns(&turns);
    if column.value_type() == ValueType::U16 {
        let mut cells = vec![0_u16; pieces.len()];
        columns::fill(kernel, positions, &mut [column.to(&mut cells)]);
        return cells.into_iter().map(u64::from).collect();
    }
    let mut cells = vec![0_u64; pieces.len()];
    columns::fill(kernel, positions, &mut [column.to(&mut cells)]);
    cells
}
