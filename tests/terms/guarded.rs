//! Runs terms on buffers next to faulting pages, and with columns of mismatched lengths.

use std::fmt::Debug;

use setwise::{Backend, Batch, Boards, Kernel, Pieces, Positions, Term};

use crate::common::{Random, on_every_backend};
use crate::guard_pages::{Forms, Guard, MOST, guarded, lengths, sample, say};
use crate::operators::{Arithmetic, Beside, Bytes, Inputs, Words, arithmetic};

on_every_backend! {
    terms
}

/// The numbers of [`Arithmetic`], stored as `i32`.
struct Wide;

/// The occupied squares within a set from the caller.
struct Given;

setwise::term! {
    impl Term for Wide {
        type Input = ();
        type Value = i32;

        fn eval<B: Boards>(&self, position: &Pieces<B>, _: ()) -> B::Numbers {
            arithmetic(position)
        }
    }

    impl Term for Given {
        type Input = u64;
        type Value = u64;

        fn eval<B: Boards>(&self, position: &Pieces<B>, squares: B) -> B {
            position.occupied() & squares
        }
    }
}

fn terms(kernel: Kernel) {
    let mut random = Random::new(22);
    let squares: Vec<u64> = (0..MOST).map(|_| random.board()).collect();
    let several = squares.iter().map(|&set| (set, [set as i16, 5], (set as u8, 7), set as i32));
    let several: Vec<_> = several.collect();
    let mut calls = 0;
    for (guard, rows) in lengths() {
        let forms = Forms::new(kernel, guard, rows);
        for positions in forms.each() {
            eval(kernel, &Beside, positions, guard, 1);
            eval(kernel, &Arithmetic, positions, guard, 1);
            eval(kernel, &Bytes, positions, guard, 1);
            eval(kernel, &Words, positions, guard, 1);
            eval(kernel, &Wide, positions, guard, 1);
            eval_with(kernel, &Given, positions, &squares[..rows], guard);
            eval_with(kernel, &Inputs, positions, &several[..rows], guard);
            calls += 7;
        }
    }
    say(kernel, "terms", calls);
}

/// Evaluates a term in bulk, against a guard, and one position at a time.
fn eval<T: Term<Input = (), Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    guard: Guard,
    garbage: T::Value,
) {
    let mut values = guarded(guard, || vec![garbage; positions.len()]);
    kernel.eval(term, positions, &mut values);
    let one = sample().positions[..values.len()].iter().map(|pieces| term.one(pieces, ()));
    assert!(values.iter().copied().eq(one), "{guard:?} {values:?}");
}

fn eval_with<T: Term<Value: Debug + PartialEq>>(
    kernel: Kernel,
    term: &T,
    positions: Positions<'_>,
    inputs: &[T::Input],
    guard: Guard,
) {
    let one = sample().positions.iter().zip(inputs);
    let one: Vec<T::Value> = one.map(|(pieces, &input)| term.one(pieces, input)).collect();
    let inputs = guarded(guard, || inputs.to_vec());
    // Before the call, each element contains the result of the next row.
    let mut values = guarded(guard, || one.clone());
    values.rotate_left(1.min(one.len()));
    kernel.eval_with(term, positions, &inputs, &mut values);
    assert_eq!(values, one, "{guard:?}");
}

#[test]
#[cfg(panic = "unwind")]
fn lengths_and_backends_of_terms() {
    use crate::common::panics::check;

    const THREE: [Pieces; 3] = [Pieces::START; 3];
    let kernel = Kernel::detect();
    for rows in [2, 4] {
        let mut values = vec![0; rows];
        let message = format!("column `values` has {rows} rows, but column `positions` has 3");
        check(&message, || kernel.eval(&Beside, &THREE, &mut values));
        check(&message, || kernel.eval_with(&Given, &THREE, &[0; 3], &mut values));
        check(&format!("column `inputs` has {rows} rows, but column `positions` has 3"), || {
            kernel.eval_with(&Given, &THREE, &vec![0; rows], &mut [0; 3]);
        });
    }
    let [scalar, lanes] = [Backend::Scalar, Backend::Lanes].map(Kernel::new);
    let batches = Batch::positions(scalar.expect("always there"), &THREE);
    let lanes = lanes.expect("always there");
    let message = "the batches were made for scalar, but the kernel is lanes";
    check(message, || lanes.eval(&Beside, &batches, &mut [0; 3]));
    check(message, || lanes.eval_with(&Given, &batches, &[0; 3], &mut [0; 3]));
}
