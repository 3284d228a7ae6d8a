//! `answers FILE ROWS` prints every column of the first `ROWS` positions of a file as JSON: for each position an object
//! of names and values. Bitboards are decimal strings, lists are arrays, and undefined values are null.

use std::error::Error;
use std::fmt::Write;

use setwise::legal::State;
use setwise::{Backend, Fen, Kernel, Lists, Shape, ValueType};
use setwise_nnue::{Column, Request, columns};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(rows)) = (arguments.next(), arguments.next()) else {
        return Err("usage: answers FILE ROWS".into());
    };
    let text = std::fs::read_to_string(file)?;
    let mut json = String::from("[");
    for (i, line) in text.lines().take(rows.parse()?).enumerate() {
        let fen = Fen::parse(line)?;
        json.push_str(if i > 0 { ",\n{" } else { "\n{" });
        write!(json, "\"fen\": \"{fen}\"")?;
        for &column in Column::ALL.iter().filter(|column| !column.needs_feature_set()) {
            write!(json, ", \"{column}\": {}", value(&fen, column)?)?;
        }
        json.push('}');
    }
    println!("{json}\n]");
    Ok(())
}

/// Formats the value of a column as JSON.
fn value(fen: &Fen, column: Column) -> Result<String, Box<dyn Error>> {
    let count = if let Shape::Array(count) = column.shape() { count } else { 1 };
    let (mut bytes, mut shorts) = (vec![0_u8; count], vec![0_u16; count]);
    let (mut sets, mut lists) = (vec![0_u64; count], Lists::<u16>::new());
    let mut valid = [true];
    let request: Request<'_> = match (column.shape(), column.value_type()) {
        (Shape::List, _) => column.to(&mut lists),
        (_, ValueType::U8) => column.to(&mut bytes),
        (_, ValueType::U16) => column.to(&mut shorts),
        _ => column.to(&mut sets),
    };
    let (pieces, turn, state) = ([fen.pieces], [fen.turn], [State::from(fen)]);
    let positions = setwise::Positions::from(&pieces).with_turns(&turn).with_states(&state);
    let scalar = Kernel::new(Backend::Scalar)?;
    columns::fill(scalar, positions, &mut [request.validity(&mut valid)]);
    let values: Vec<String> = match (column.shape(), column.value_type()) {
        _ if !valid[0] => return Ok("null".into()),
        (Shape::List, _) => lists.items().iter().map(u16::to_string).collect(),
        (_, ValueType::U8) => bytes.iter().map(u8::to_string).collect(),
        (_, ValueType::U16) => shorts.iter().map(u16::to_string).collect(),
        _ => sets.iter().map(|set| format!("\"{set}\"")).collect(),
    };
    Ok(if column.shape() == Shape::Value {
        values[0].clone()
    } else {
        format!("[{}]", values.join(", "))
    })
}
