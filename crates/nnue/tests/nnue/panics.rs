//! Documented panics and their messages.

use setwise::{ByColour, Colour, Kernel, Lists, Pieces, Positions};
use setwise_nnue::{Column, FeatureSet, KernelExt, Sides, Threat, columns};

use crate::common::panics::check;

const THREE: [Pieces; 3] = [Pieces::START; 3];

fn kernel() -> Kernel {
    Kernel::detect()
}

#[test]
fn rows_of_features() {
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    for (rows, name) in [([383, 384], "white"), ([384, 385], "black"), ([384, 0], "black")] {
        let [mut white, mut black] = rows.map(|numbers| vec![0; numbers]);
        let numbers = if name == "white" { white.len() } else { black.len() };
        let message = format!("`{name}` has {numbers} numbers, but 3 rows of 128 are needed");
        check(&message, || {
            let rows = ByColour { white: &mut white[..], black: &mut black[..] };
            let _ = kernel().feature_rows(set, &THREE, 128, rows);
        });
    }
    // The product overflows, and the wrapped product would be 0.
    check(
        &format!(
            "`white` has 0 numbers, but 4 rows of {} are needed",
            1_usize << (usize::BITS - 2)
        ),
        || {
            let rows = ByColour { white: &mut [][..], black: &mut [][..] };
            let _ = kernel().feature_rows(set, &[Pieces::START; 4], 1 << (usize::BITS - 2), rows);
        },
    );
}

#[test]
fn features_by_turn() {
    let set = &FeatureSet::HALFKA_HM;
    let message = "these inputs depend on the side to move; pass it to `Positions::with_turns`";
    check(message, || {
        let (mut mover, mut other) = (Lists::<u32>::new(), Lists::<u32>::new());
        let sides = Sides::ByTurn { mover: &mut mover, other: &mut other };
        let _ = kernel().features(set, &THREE, sides);
    });
    check(message, || {
        let [mut mover, mut other] = [[0; 96]; 2];
        let sides = Sides::ByTurn { mover: &mut mover[..], other: &mut other[..] };
        let _ = kernel().feature_rows(set, &THREE, 32, sides);
    });
    check("`other` has 95 numbers, but 3 rows of 32 are needed", || {
        let ([mut mover, mut other], turns) = ([[0; 96]; 2], [Colour::White; 3]);
        let positions = Positions::from(&THREE).with_turns(&turns);
        let sides = Sides::ByTurn { mover: &mut mover[..], other: &mut other[..95] };
        let _ = kernel().feature_rows(set, positions, 32, sides);
    });
}

#[test]
fn columns_that_cannot_be_filled() {
    let set = FeatureSet::ALL[0];
    for column in [Column::Threats, Column::Features(Colour::Black)] {
        let holds = column.value_type();
        let fill = |request: setwise_nnue::Request<'_>| {
            columns::fill(kernel(), &THREE, &mut [request.feature_set(set)]);
        };
        check(
            &format!("column `{column}` holds lists of {holds}, but its buffer holds u64"),
            || {
                fill(column.to(&mut [0_u64; 3]));
            },
        );
        let (mut narrow, mut wide, mut valid) =
            (Lists::<u16>::new(), Lists::<u32>::new(), [true; 2]);
        let message =
            format!("the validity of column `{column}` has 2 rows, but column `positions` has 3");
        check(&message, || {
            let request = if column == Column::Threats {
                column.to(&mut narrow)
            } else {
                column.to(&mut wide)
            };
            fill(request.validity(&mut valid));
        });
    }
    let attackers = Column::Attackers(Colour::White);
    check("column `white_attackers` holds u8, but its buffer holds u64", || {
        columns::fill(kernel(), &THREE, &mut [attackers.to(&mut [0_u64; 192])]);
    });
    check("column `white_attackers` has 191 values, but 3 positions have 64 each", || {
        columns::fill(kernel(), &THREE, &mut [attackers.to(&mut [0_u8; 191])]);
    });
    let (mut a, mut b) = (Lists::<u16>::new(), Lists::<u16>::new());
    check("column `threats` is requested twice", || {
        columns::fill(
            kernel(),
            &THREE,
            &mut [Column::Threats.to(&mut a), Column::Threats.to(&mut b)],
        );
    });
    let mut lists = Lists::<u32>::new();
    check("column `white_features` needs a feature set: `Request::feature_set`", || {
        columns::fill(kernel(), &THREE, &mut [Column::Features(Colour::White).to(&mut lists)]);
    });
}

#[test]
fn squares_that_are_none() {
    fn must_use<T>(_: T) {}
    for square in [64, 65, 127, 128, u8::MAX] {
        let check = |call: &dyn Fn()| check("a square is 0 to 63", call);
        check(&|| must_use(Threat::new(square, 0)));
        check(&|| must_use(Threat::new(0, square)));
        check(&|| must_use(FeatureSet::ALL[0].seen_from(Colour::White, square)));
    }
}
