//! Checks every documented panic: that it occurs, its message, and that its location is in the caller's code.

use setwise::bitboard::Direction;
use setwise::legal::State;
use setwise::{
    Backend, Batch, Buffer, Colour, Column, ColumnKind, Kernel, Lists, Needs, Pieces, Positions,
    Role, Shape, line, reference,
};

use crate::common::panics::check;

fn kernel() -> Kernel {
    Kernel::detect()
}

/// Two backends that are always available.
fn two_kernels() -> [Kernel; 2] {
    [Backend::Scalar, Backend::Lanes].map(|backend| Kernel::new(backend).expect("always there"))
}

const THREE: [Pieces; 3] = [Pieces::START; 3];

/// The names of the sets of positions in messages.
const SETS: [&str; 8] =
    ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"];

#[test]
fn lengths_of_slider_calls() {
    let long = [0; 9];
    for (wrong, name) in ["orthogonal", "diagonal", "attacks"].into_iter().enumerate() {
        // Shorter and longer than a block, and around the right length.
        for (right, other) in [(4, 3), (4, 5), (4, 0), (0, 4)] {
            let rows = |place| if place == wrong { other } else { right };
            let message =
                format!("column `{name}` has {other} rows, but column `occupied` has {right}");
            check(&message, || {
                let (orthogonal, diagonal) = (&long[..rows(0)], &long[..rows(1)]);
                kernel().slider_attacks(
                    orthogonal,
                    diagonal,
                    &long[..right],
                    &mut vec![0; rows(2)],
                );
            });
        }
    }
    for name in ["orthogonal", "diagonal"] {
        check(&format!("column `{name}` has 3 rows, but column `occupied` has 4"), || {
            let rows = |column| if column == name { 3 } else { 4 };
            let mut rays = [[0; 4]; 8];
            let rays = rays.each_mut().map(|ray| &mut ray[..]);
            let (orthogonal, diagonal) = (&long[..rows("orthogonal")], &long[..rows("diagonal")]);
            kernel().slider_rays(orthogonal, diagonal, &long[..4], rays);
        });
    }
    for (place, direction) in Direction::ALL.into_iter().enumerate() {
        let name = direction.name();
        check(&format!("column `{name}` has 5 rows, but column `occupied` has 4"), || {
            let mut rays = [(); 8].map(|()| vec![0; 4]);
            rays[place].push(0);
            let rays = rays.each_mut().map(|ray| &mut ray[..]);
            kernel().slider_rays(&long[..4], &long[..4], &long[..4], rays);
        });
    }
}

/// A buffer of each type, with some values if they are not lists.
struct Buffers {
    bytes: Vec<u8>,
    numbers: Vec<u16>,
    inputs: Vec<u32>,
    boards: Vec<u64>,
    number_lists: Lists<u16>,
    input_lists: Lists<u32>,
}

impl Buffers {
    fn new(values: usize) -> Self {
        Self {
            bytes: vec![0; values],
            numbers: vec![0; values],
            inputs: vec![0; values],
            boards: vec![0; values],
            number_lists: Lists::new(),
            input_lists: Lists::new(),
        }
    }

    /// Each of them, with a description of its contents.
    fn each(&mut self) -> [(&'static str, Buffer<'_>); 6] {
        [
            ("u8", (&mut self.bytes).into()),
            ("u16", (&mut self.numbers).into()),
            ("u32", (&mut self.inputs).into()),
            ("u64", (&mut self.boards).into()),
            ("lists of u16", (&mut self.number_lists).into()),
            ("lists of u32", (&mut self.input_lists).into()),
        ]
    }
}

/// The name of a column's type in messages.
fn words(column: Column) -> String {
    let lists = if column.shape() == Shape::List { "lists of " } else { "" };
    format!("{lists}{}", column.value_type())
}

#[test]
fn columns_that_cannot_be_filled() {
    let positions = || Positions::from(&THREE).with_states(&[State::EMPTY; 3]);
    for &column in Column::ALL {
        let holds = words(column);
        let of_row = if let Shape::Array(count) = column.shape() { count } else { 1 };
        let mut buffers = Buffers::new(3 * of_row);
        for (buffer_holds, wrong) in buffers.each() {
            if buffer_holds == holds {
                continue;
            }
            let message =
                format!("column `{column}` holds {holds}, but its buffer holds {buffer_holds}");
            check(&message, || {
                kernel().fill(positions(), &mut [column.to(wrong)]);
            });
        }
        let mut twice = [Buffers::new(3 * of_row), Buffers::new(3 * of_row)];
        check(&format!("column `{column}` is requested twice"), || {
            let mut requests = twice.each_mut().map(|buffers| {
                let right = buffers.each().into_iter().find(|(words, _)| *words == holds);
                column.to(right.expect("a buffer of each type").1)
            });
            kernel().fill(positions(), &mut requests);
        });
        for rows in [2, 4] {
            let (mut buffers, mut valid) = (Buffers::new(rows * of_row), vec![false; rows]);
            if let Shape::Array(count) = column.shape() {
                for values in [rows * count, 3 * count - 1, 3] {
                    let mut buffers = Buffers::new(values);
                    let right = buffers.each().into_iter().find(|(words, _)| *words == holds);
                    let request = column.to(right.expect("a buffer of each type").1);
                    let message = format!(
                        "column `{column}` has {values} values, but 3 positions have {count} each"
                    );
                    check(&message, || kernel().fill(positions(), &mut [request]));
                }
            }
            if column.shape() == Shape::Value {
                let right = buffers.each().into_iter().find(|(words, _)| *words == holds);
                let request = column.to(right.expect("a buffer of each type").1);
                let message =
                    format!("column `{column}` has {rows} rows, but column `positions` has 3");
                check(&message, || kernel().fill(positions(), &mut [request]));
            }
            let mut buffers = Buffers::new(3 * of_row);
            let right = buffers.each().into_iter().find(|(words, _)| *words == holds);
            let request = column.to(right.expect("a buffer of each type").1).validity(&mut valid);
            let message = format!(
                "the validity of column `{column}` has {rows} rows, but column `positions` has 3"
            );
            check(&message, || kernel().fill(positions(), &mut [request]));
        }
        let mut buffers = Buffers::new(3 * of_row);
        let right = buffers.each().into_iter().find(|(words, _)| *words == holds);
        let request = column.to(right.expect("a buffer of each type").1);
        let missing = match column.needs() {
            Needs::State => {
                "needs the states of the positions; pass them to `Positions::with_states`"
            }
            Needs::Turn => "depends on the side to move; pass it to `Positions::with_turns`",
            _ => continue,
        };
        check(&format!("column `{column}` {missing}"), || kernel().fill(&THREE, &mut [request]));
    }
}

#[test]
fn columns_without_a_side() {
    check("this kind of column has no side", || {
        let _ = Column::white(std::hint::black_box(ColumnKind::LegalMoves));
    });
}

#[test]
fn positions_that_do_not_fit_together() {
    for rows in [2, 4] {
        let message =
            |name| format!("column `{name}` has {rows} rows, but column `positions` has 3");
        check(&message("turns"), || {
            let _ = Positions::from(&THREE).with_turns(&vec![Colour::White; rows]);
        });
        check(&message("states"), || {
            let _ = Positions::from(&THREE).with_states(&vec![State::EMPTY; rows]);
        });
    }
    let [scalar, lanes] = two_kernels();
    for (place, name) in SETS.into_iter().enumerate().take(7) {
        let message = format!("column `{name}` has 2 rows, but column `black` has 3");
        check(&message, || {
            let mut sets = [&[0; 3][..]; 8];
            sets[place] = &[0; 2];
            let _ = Positions::from(Pieces::from_sets(sets));
        });
        let rows = |set: usize| if set == place { 2 } else { 3 };
        let places = Pieces::from_sets([0, 1, 2, 3, 4, 5, 6, 7]);
        check(&message, || {
            let _ = Positions::from(&places.map(|set| vec![0; rows(set)]));
        });
        let batches = places.map(|set| Batch::new(scalar, rows(set)));
        check(&message, || {
            let _ = Positions::from(&batches);
        });
        check(&message, || {
            let _ = Positions::from(batches.each_ref());
        });
        let of = |set| if set == place { lanes } else { scalar };
        check(&format!("batch `{name}` was made for lanes, but batch `black` for scalar"), || {
            let _ = Positions::from(&places.map(|set| Batch::new(of(set), 3)));
        });
    }
}

#[test]
fn batches_that_do_not_fit_together() {
    let [scalar, lanes] = two_kernels();
    let new = |kernel, rows| Batch::new(kernel, rows);
    for row in [4, 63, 64, usize::MAX] {
        let message = format!("row {row} is out of range for 4 boards");
        check(&message, || {
            let _ = new(kernel(), 4).get(row);
        });
        check(&message, || new(kernel(), 4).set(row, 1));
    }
    for rows in [0, 3, 5, 64, 65] {
        check(&format!("the column has {rows} rows, but the batch has 4"), || {
            new(kernel(), 4).copy_to(&mut vec![0; rows]);
        });
    }
    for (wrong, name) in ["occupied", "orthogonal", "diagonal"].into_iter().enumerate() {
        for rows in [3, 5, 65] {
            let message = format!("batch `{name}` has {rows} rows, but the result has 4");
            check(&message, || {
                let [occupied, orthogonal, diagonal] =
                    [0, 1, 2].map(|place| new(scalar, if place == wrong { rows } else { 4 }));
                new(scalar, 4).slider_attacks(&orthogonal, &diagonal, &occupied);
            });
        }
        check(&format!("batch `{name}` was made for lanes, but the result for scalar"), || {
            let [occupied, orthogonal, diagonal] =
                [0, 1, 2].map(|place| new(if place == wrong { lanes } else { scalar }, 4));
            new(scalar, 4).slider_attacks(&orthogonal, &diagonal, &occupied);
        });
    }
    for (wrong, name) in ["sliders", "occupied"].into_iter().enumerate() {
        for rows in [3, 5, 65] {
            check(&format!("batch `{name}` has {rows} rows, but the result has 4"), || {
                let [sliders, occupied] =
                    [0, 1].map(|place| new(scalar, if place == wrong { rows } else { 4 }));
                new(scalar, 4).ray(Direction::North, &sliders, &occupied);
            });
        }
        check(&format!("batch `{name}` was made for lanes, but the result for scalar"), || {
            let [sliders, occupied] =
                [0, 1].map(|place| new(if place == wrong { lanes } else { scalar }, 4));
            new(scalar, 4).ray(Direction::North, &sliders, &occupied);
        });
    }
}

#[test]
fn batches_of_another_backend() {
    let [scalar, lanes] = two_kernels();
    let batches = Batch::positions(scalar, &THREE);
    let message = "the batches were made for scalar, but the kernel is lanes";
    check(message, || lanes.fill(&batches, &mut []));
}

#[test]
fn squares_that_are_none() {
    fn must_use<T>(_: T) {}
    for square in [64, 65, 127, 128, u8::MAX] {
        let check = |call: &dyn Fn()| check("a square is 0 to 63", call);
        check(&|| must_use(line::rank_attacks(square, 0)));
        check(&|| must_use(line::file_attacks(square, 0)));
        check(&|| must_use(line::diagonal_attacks(square, 0)));
        check(&|| must_use(line::antidiagonal_attacks(square, 0)));
        check(&|| must_use(line::rook_attacks(square, 0)));
        check(&|| must_use(line::bishop_attacks(square, 0)));
        check(&|| must_use(line::queen_attacks(square, 0)));
        check(&|| must_use(line::rook_relevant_occupancy(square)));
        check(&|| must_use(line::bishop_relevant_occupancy(square)));
        check(&|| must_use(line::line_through(square, 0)));
        check(&|| must_use(line::line_through(0, square)));
        check(&|| must_use(line::between(square, 0)));
        check(&|| must_use(line::between(0, square)));
        check(&|| must_use(reference::ray_from(square, Direction::North, 0)));
        check(&|| Pieces::EMPTY.clone().put(Colour::White, Role::King, square));
        check(&|| must_use(Pieces::START.at(square)));
        check(&|| must_use(Pieces::from_iter([(Colour::White, Role::King, square)])));
    }
}
