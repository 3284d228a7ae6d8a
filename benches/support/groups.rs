//! The groups of benches, and the implementations that each group compares: this crate's backends, and the rivals that
//! this processor can run.

use std::cell::RefCell;
use std::rc::Rc;

use setwise::bitboard::Direction;
use setwise::eval::Attacks;
use setwise::{Backend, ByColour, Colour, Kernel, Pieces, Role, leaper, reference};

use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::{Dataset, Reads};
use crate::support::rivals::{self, Question, fills, squares};
use crate::support::single;

type Run = dyn Fn(&Dataset, &mut [AlignedColumn]);
type Prepare = dyn Fn(&Dataset);
type Collect = dyn Fn(&mut [AlignedColumn]);

/// The result by slow and obvious means, for one row of a dataset.
pub type Reference = fn(&Dataset, usize) -> Vec<u64>;

/// One implementation of a group's question for a whole dataset.
pub struct Implementation {
    pub name: String,
    /// How many boards it processes together, as far as we know.
    pub block: usize,
    /// Fills the group's columns for a dataset.
    pub run: Box<Run>,
    /// Converts the dataset before that, off the clock.
    pub prepare: Box<Prepare>,
    /// Fills the columns with the answer after that, off the clock, if `run` leaves it elsewhere.
    pub collect: Box<Collect>,
    /// If this implementation does not compute the group's result: what it computes instead.
    pub instead: Option<Reference>,
}

impl Implementation {
    pub fn new(
        name: impl Into<String>,
        block: usize,
        run: impl Fn(&Dataset, &mut [AlignedColumn]) + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            block,
            run: Box::new(run),
            prepare: Box::new(|_| ()),
            collect: Box::new(|_| ()),
            instead: None,
        }
    }
}

/// A question, and the implementations that answer it.
pub struct Group {
    pub name: &'static str,
    pub reads: Reads,
    /// The number of columns of the result.
    pub columns: usize,
    /// How many boards of the result are adjacent in each row of a column.
    pub together: usize,
    pub reference: Reference,
    pub implementations: Vec<Implementation>,
}

impl Group {
    /// Columns for the answers to a dataset.
    pub fn answers(&self, len: usize) -> Vec<AlignedColumn> {
        (0..self.columns).map(|_| AlignedColumn::new(len * self.together)).collect()
    }

    /// Compares every implementation's whole answer with the reference.
    ///
    /// # Panics
    /// If one is wrong.
    pub fn check(&self, dataset: &Dataset) {
        let expected = self.expected(dataset, self.reference);
        let mut answers = self.answers(dataset.len());
        for implementation in &self.implementations {
            let instead = implementation.instead.map(|reference| self.expected(dataset, reference));
            let expected = instead.as_ref().unwrap_or(&expected);
            for column in &mut answers {
                column.fill(0xdead_beef);
            }
            (implementation.prepare)(dataset);
            (implementation.run)(dataset, &mut answers);
            (implementation.collect)(&mut answers);
            for (at, (answer, expected)) in answers.iter().zip(expected).enumerate() {
                let wrong = answer.iter().zip(&**expected).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "{}: {}, column {at}", self.name, implementation.name);
            }
        }
    }

    fn expected(&self, dataset: &Dataset, reference: Reference) -> Vec<AlignedColumn> {
        let mut expected = self.answers(dataset.len());
        for row in 0..dataset.len() {
            for (at, answer) in reference(dataset, row).into_iter().enumerate() {
                let (column, place) = (at / self.together, at % self.together);
                expected[column][row * self.together + place] = answer;
            }
        }
        expected
    }
}

/// A rival for one question.
fn rival(
    name: &'static str,
    block: usize,
    question: Question,
    answer: impl Fn(Question, &Dataset, &mut [AlignedColumn]) + 'static,
) -> Implementation {
    Implementation::new(name, block, move |dataset, answers| answer(question, dataset, answers))
}

/// Kogge-Stone over the dataset, for each instruction set.
fn kogge_stone(question: Question) -> Vec<Implementation> {
    let mut rivals = Vec::new();
    rivals.push(rival("kogge-stone-scalar", 1, question, fills::scalar));
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            rivals.push(rival("kogge-stone-avx2", 4, question, |question, dataset, answers| {
                // SAFETY: the processor has the features, as just seen.
                unsafe { fills::avx2(question, dataset, answers) }
            }));
        }
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi2")
        {
            rivals.push(rival("kogge-stone-avx512", 8, question, |question, dataset, answers| {
                // SAFETY: the processor has the features, as just seen.
                unsafe { fills::avx512(question, dataset, answers) }
            }));
        }
    }
    rivals
}

/// Magics and PEXT, in loops over the pieces.
fn tables(question: Question) -> Vec<Implementation> {
    let mut rivals = Vec::new();
    rivals.push(rival("magic-loop", 1, question, squares::magic));
    #[cfg(target_arch = "x86_64")]
    if let Some(tables) = squares::pext::Pext::detect() {
        rivals.push(rival("pext-loop", 1, question, move |question, dataset, answers| {
            // SAFETY: the tables prove that the processor has PEXT, and so all of BMI.
            unsafe { squares::pext::pext(tables, question, dataset, answers) }
        }));
        if question == Question::Unions && is_x86_feature_detected!("avx2") {
            rivals.push(Implementation::new("pext-gather", 4, move |dataset, answers| {
                // SAFETY: as above, and the processor has AVX2, as just seen.
                unsafe { squares::pext::gather(tables, dataset, answers) }
            }));
        }
    }
    rivals
}

/// A direction in each lane, for each instruction set.
fn four_directions(question: Question) -> Vec<Implementation> {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_mut, unused_variables, reason = "there are none")
    )]
    let mut rivals = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use crate::support::rivals::four_directions::{Avx2, Avx512, avx2, avx512};
        if let Some(token) = Avx2::detect() {
            rivals.push(rival(
                "four-directions-avx2",
                1,
                question,
                move |question, dataset, answers| {
                    // SAFETY: the token proves that the processor has the features.
                    unsafe { avx2(token, question, dataset, answers) }
                },
            ));
        }
        if let Some(token) = Avx512::detect() {
            rivals.push(rival(
                "four-directions-avx512",
                1,
                question,
                move |question, dataset, answers| {
                    // SAFETY: the token proves that the processor has the features.
                    unsafe { avx512(token, question, dataset, answers) }
                },
            ));
        }
    }
    rivals
}

/// All implementations that take one position at a time.
fn singles(question: Question) -> Vec<Implementation> {
    let mut rivals = vec![rival("kogge-stone-scalar", 1, question, fills::unvectorised)];
    rivals.extend(tables(question));
    rivals.extend(four_directions(question));
    rivals.extend(one_by_one(question));
    rivals
}

/// This crate, one position at a time: inlined, and through each kernel that differs there.
fn one_by_one(question: Question) -> Vec<Implementation> {
    let mut ours = vec![rival(single::built_in(), 1, question, single::inlined)];
    // `lanes` and `wide` use what the build enables, so they are like the inlined one.
    let kernels = Backend::available()
        .filter(|backend| !matches!(backend, Backend::Lanes | Backend::Wide))
        .filter_map(|backend| Kernel::new(backend).ok());
    for kernel in kernels {
        let name = format!("in-hand-{}", kernel.backend());
        ours.push(Implementation::new(name, 1, move |dataset, answers| {
            single::in_hand(kernel, question, dataset, answers);
        }));
    }
    ours
}

/// The kernels of this crate that this processor can run; `ask` runs the question on one of them.
pub fn ours(
    ask: fn(Kernel, &Dataset, &mut [AlignedColumn]),
) -> impl Iterator<Item = Implementation> {
    Kernel::available().map(move |kernel| {
        let backend = kernel.backend();
        Implementation::new(backend.name(), backend.boards_per_block(), move |dataset, answers| {
            ask(kernel, dataset, answers);
        })
    })
}

/// One row's union of rays, by the ray walk.
fn union_by_walk(dataset: &Dataset, row: usize) -> Vec<u64> {
    let (orthogonal, diagonal) = (dataset.orthogonal[row], dataset.diagonal[row]);
    vec![reference::slider_attacks(orthogonal, diagonal, dataset.occupied[row])]
}

/// A group about the union of one side's rays.
fn unions(name: &'static str, implementations: Vec<Implementation>) -> Group {
    let (reads, reference) = (Reads::Sliders, union_by_walk as Reference);
    Group { name, reads, columns: 1, together: 1, reference, implementations }
}

/// A group about the attack maps of both sides.
fn sixteen_maps(name: &'static str, implementations: Vec<Implementation>) -> Group {
    let (reads, reference) = (Reads::Positions, maps_by_walk as Reference);
    Group { name, reads, columns: 16, together: 1, reference, implementations }
}

/// The union of all eight rays of one side's sliders.
pub fn sliders() -> Group {
    let question = Question::Unions;
    let mut implementations = kogge_stone(question);
    implementations.extend(tables(question));
    implementations.extend(ours(|kernel, dataset, answers| {
        let Dataset { occupied, orthogonal, diagonal, .. } = dataset;
        kernel.slider_attacks(orthogonal, diagonal, occupied, &mut answers[0]);
    }));
    implementations.push(copy_of_sliders());
    unions("sliders-bulk", implementations)
}

/// The union of boards from memory.
pub fn memory() -> Group {
    Group { name: "memory", ..sliders() }
}

/// The attack maps of boards from memory.
pub fn memory_maps() -> Group {
    Group { name: "memory-maps", ..maps() }
}

/// A loop that reads and writes as much as the union, without any work.
fn copy_of_sliders() -> Implementation {
    Implementation {
        instead: Some(|dataset, row| {
            vec![dataset.occupied[row] ^ dataset.orthogonal[row] ^ dataset.diagonal[row]]
        }),
        ..Implementation::new("copy", 1, rivals::copy)
    }
}

/// A loop that reads and writes as much as the attack maps: each of the eight sets goes to two columns.
fn copy_of_positions() -> Implementation {
    Implementation {
        instead: Some(|dataset, row| {
            let sets = dataset.columns().map(|set| set[row]);
            (0..16).map(|column| sets[column % 8]).collect()
        }),
        ..Implementation::new("copy", 1, |dataset: &Dataset, answers| {
            let sets = dataset.columns();
            for (column, answers) in answers.iter_mut().enumerate() {
                answers.copy_from_slice(sets[column % 8]);
            }
        })
    }
}

/// The eight rays of one side's sliders, a column each.
pub fn rays() -> Group {
    let mut implementations = kogge_stone(Question::Rays);
    implementations.extend(tables(Question::Rays));
    implementations.extend(ours(|kernel, dataset, answers| {
        let Dataset { occupied, orthogonal, diagonal, .. } = dataset;
        kernel.slider_rays(orthogonal, diagonal, occupied, slices(answers));
    }));
    Group {
        name: "rays-bulk",
        reads: Reads::Sliders,
        columns: 8,
        together: 1,
        reference: |dataset, row| {
            let ray = |direction: Direction| {
                let sliders =
                    if direction.is_orthogonal() { &dataset.orthogonal } else { &dataset.diagonal };
                reference::ray(sliders[row], direction, dataset.occupied[row])
            };
            Direction::ALL.map(ray).to_vec()
        },
        implementations,
    }
}

/// All sixteen attack maps of both sides; ours from columns, and from rows.
pub fn maps() -> Group {
    let mut implementations = kogge_stone(Question::Maps);
    implementations.extend(tables(Question::Maps));
    implementations.extend(ours(|kernel, dataset, answers| {
        kernel.attacks(dataset.positions(), attacks_of(answers));
    }));
    let from_rows = ours(|kernel, dataset, answers| {
        kernel.attacks(&dataset.rows, attacks_of(answers));
    });
    implementations.extend(from_rows.map(|implementation| Implementation {
        name: format!("rows-{}", implementation.name),
        ..implementation
    }));
    implementations.push(copy_of_positions());
    sixteen_maps("maps-bulk", implementations)
}

/// The sixteen columns by name.
fn attacks_of(answers: &mut [AlignedColumn]) -> ByColour<Attacks<&mut [u64]>> {
    let columns: [_; 16] = slices(answers);
    let mut columns = columns.into_iter();
    let mut next = || columns.next().expect("sixteen columns");
    ByColour::new(|_| Attacks {
        pawn: next(),
        knight: next(),
        bishop: next(),
        rook: next(),
        queen: next(),
        king: next(),
        all: next(),
        twice: next(),
    })
}

/// The union again, of boards that are sliced already, into a batch that stays sliced. The rivals do not gain from
/// that.
pub fn sliced() -> Group {
    let mut implementations = kogge_stone(Question::Unions);
    implementations.extend(tables(Question::Unions));
    implementations.extend(Kernel::available().map(stays_sliced));
    unions("sliced-bulk", implementations)
}

/// A kernel on batches: occupied, two sets of sliders, and their attacks.
fn stays_sliced(kernel: Kernel) -> Implementation {
    let sets = || [(); 4].map(|()| setwise::Batch::new(kernel, 0));
    let batches = Rc::new(RefCell::new(sets()));
    let (prepared, collected) = (Rc::clone(&batches), Rc::clone(&batches));
    let backend = kernel.backend();
    Implementation {
        prepare: Box::new(move |dataset| {
            let [occupied, orthogonal, diagonal, attacks] = &mut *prepared.borrow_mut();
            *occupied = setwise::Batch::from_column(kernel, &dataset.occupied);
            *orthogonal = setwise::Batch::from_column(kernel, &dataset.orthogonal);
            *diagonal = setwise::Batch::from_column(kernel, &dataset.diagonal);
            if attacks.len() != dataset.len() {
                *attacks = setwise::Batch::new(kernel, dataset.len());
            }
        }),
        collect: Box::new(move |answers| collected.borrow()[3].copy_to(&mut answers[0])),
        ..Implementation::new(backend.name(), backend.boards_per_block(), move |_, _| {
            let [occupied, orthogonal, diagonal, attacks] = &mut *batches.borrow_mut();
            attacks.slider_attacks(orthogonal, diagonal, occupied);
        })
    }
}

/// The union for one position at a time; each call depends on the previous result.
pub fn position_latency() -> Group {
    unions("position-latency", singles(Question::ChainedUnions))
}

/// The union for one position at a time, as many as the processor can overlap.
pub fn position_throughput() -> Group {
    unions("position-throughput", singles(Question::Unions))
}

/// All sixteen attack maps of one position at a time.
pub fn position_maps() -> Group {
    sixteen_maps("position-maps", singles(Question::Maps))
}

/// The attack maps of one row, by the ray walk and the leapers' tables.
fn maps_by_walk(dataset: &Dataset, row: usize) -> Vec<u64> {
    Colour::ALL.into_iter().flat_map(|colour| side_by_walk(&dataset.rows[row], colour)).collect()
}

/// The eight attack maps of one side, piece by piece.
fn side_by_walk(pieces: &Pieces, colour: Colour) -> [u64; 8] {
    let mut maps = [0; 8];
    for square in 0..64 {
        let Some((_, role)) = pieces.at(square).filter(|&(of, _)| of == colour) else {
            continue;
        };
        let slide = |directions: &[Direction]| {
            directions.iter().fold(0, |seen, &direction| {
                seen | reference::ray_from(square, direction, pieces.occupied())
            })
        };
        let seen = match role {
            Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][usize::from(square)],
            Role::Knight => leaper::KNIGHT_ATTACKS[usize::from(square)],
            Role::Bishop => slide(&Direction::ALL[4..]),
            Role::Rook => slide(&Direction::ALL[..4]),
            Role::Queen => slide(&Direction::ALL),
            Role::King => leaper::KING_ATTACKS[usize::from(square)],
        };
        let [.., all, twice] = &mut maps;
        *twice |= *all & seen;
        *all |= seen;
        maps[role as usize] |= seen;
    }
    maps
}
