//! The groups of benches, and the implementations that each group compares: this library's backends, and rivals.
//! Implementations that this processor cannot run are omitted.

#[cfg(target_arch = "x86_64")]
use setwise::processor::Features;
use setwise::{Batch, Column, Kernel, Request};

use crate::support::columns::{AlignedColumn, slices};
use crate::support::inputs::{Dataset, Reads};
use crate::support::rivals::{self, Question, fills, squares};
use crate::support::single;

/// An implementation of a group's question for a dataset.
pub struct Implementation {
    pub name: String,
    /// The number of boards that it processes together, if known, else 1.
    pub block: usize,
    /// True if it computes the group's results, which a plain copy does not.
    pub answers: bool,
    pub steps: Box<dyn Steps>,
}

/// The steps of an implementation on a dataset.
pub trait Steps {
    /// Converts the dataset. This step is not timed.
    fn prepare(&mut self, dataset: &Dataset);

    /// Fills the group's columns, or stores the result in the state.
    fn run(&mut self, dataset: &Dataset, answers: &mut [AlignedColumn]);

    /// Fills the columns with a stored result. This step is not timed.
    fn collect(&mut self, answers: &mut [AlignedColumn]);
}

/// Functions with shared state.
struct Stateful<S, P, R, C> {
    state: S,
    prepare: P,
    run: R,
    collect: C,
}

impl<S, P, R, C> Steps for Stateful<S, P, R, C>
where
    P: Fn(&mut S, &Dataset),
    R: Fn(&mut S, &Dataset, &mut [AlignedColumn]),
    C: Fn(&S, &mut [AlignedColumn]),
{
    fn prepare(&mut self, dataset: &Dataset) {
        (self.prepare)(&mut self.state, dataset);
    }

    fn run(&mut self, dataset: &Dataset, answers: &mut [AlignedColumn]) {
        (self.run)(&mut self.state, dataset, answers);
    }

    fn collect(&mut self, answers: &mut [AlignedColumn]) {
        (self.collect)(&self.state, answers);
    }
}

impl Implementation {
    /// Creates an implementation that fills the columns directly from the dataset.
    pub fn new(
        name: impl Into<String>,
        block: usize,
        run: impl Fn(&Dataset, &mut [AlignedColumn]) + 'static,
    ) -> Self {
        let run = move |(): &mut (), dataset: &Dataset, answers: &mut [AlignedColumn]| {
            run(dataset, answers);
        };
        Self::with_state(name, block, (), |(), _| (), run, |(), _| ())
    }

    /// Creates an implementation that keeps its input or its result in a state; see [`Steps`].
    pub fn with_state<S: 'static>(
        name: impl Into<String>,
        block: usize,
        state: S,
        prepare: impl Fn(&mut S, &Dataset) + 'static,
        run: impl Fn(&mut S, &Dataset, &mut [AlignedColumn]) + 'static,
        collect: impl Fn(&S, &mut [AlignedColumn]) + 'static,
    ) -> Self {
        let steps = Box::new(Stateful { state, prepare, run, collect });
        Self { name: name.into(), block, answers: true, steps }
    }

    /// Creates an implementation whose state is its result.
    pub fn with_result<S: Default + 'static>(
        name: impl Into<String>,
        block: usize,
        run: impl Fn(&mut S, &Dataset) + 'static,
        collect: impl Fn(&S, &mut [AlignedColumn]) + 'static,
    ) -> Self {
        let run = move |state: &mut S, dataset: &Dataset, _: &mut [AlignedColumn]| {
            run(state, dataset);
        };
        Self::with_state(name, block, S::default(), |_, _| (), run, collect)
    }

    /// Creates an implementation for a kernel of this library, whose state is its result.
    pub fn of_kernel<S: Default + 'static>(
        kernel: Kernel,
        run: impl Fn(&mut S, &Dataset) + 'static,
        collect: impl Fn(&S, &mut [AlignedColumn]) + 'static,
    ) -> Self {
        let backend = kernel.backend();
        Self::with_result(backend.name(), backend.boards_per_block(), run, collect)
    }
}

/// The implementations of a question, to be compared.
pub struct Group {
    pub name: &'static str,
    pub reads: Reads,
    /// The number of columns of the result.
    pub columns: usize,
    /// The number of words per board in each column.
    pub per_board: usize,
    /// The implementations. All are compared with the first, which is a rival in nearly all groups.
    pub implementations: Vec<Implementation>,
}

impl Group {
    /// Allocates columns for the results of a dataset.
    pub fn columns(&self, len: usize) -> Vec<AlignedColumn> {
        (0..self.columns).map(|_| AlignedColumn::new(len * self.per_board)).collect()
    }

    /// Compares the complete results of all implementations with those of the first.
    ///
    /// # Panics
    /// If they differ.
    pub fn check(&mut self, dataset: &Dataset) {
        let [mut expected, mut answers] = [(); 2].map(|()| self.columns(dataset.len()));
        for (i, implementation) in self.implementations.iter_mut().enumerate() {
            for column in &mut answers {
                column.fill(0xdead_beef);
            }
            implementation.steps.prepare(dataset);
            implementation.steps.run(dataset, &mut answers);
            implementation.steps.collect(&mut answers);
            if i == 0 {
                std::mem::swap(&mut expected, &mut answers);
            } else if implementation.answers {
                for (at, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
                    let difference = answer.iter().zip(&**expected).position(|(a, b)| a != b);
                    assert_eq!(
                        difference, None,
                        "{}: {}, column {at}",
                        self.name, implementation.name
                    );
                }
            }
        }
    }
}

/// A rival's implementation of one question.
fn rival(
    name: &'static str,
    block: usize,
    question: Question,
    answer: impl Fn(Question, &Dataset, &mut [AlignedColumn]) + 'static,
) -> Implementation {
    Implementation::new(name, block, move |dataset, answers| answer(question, dataset, answers))
}

/// Kogge-Stone over the dataset, with each instruction set.
fn kogge_stone(question: Question) -> Vec<Implementation> {
    let mut rivals = Vec::new();
    rivals.push(rival("kogge-stone-scalar", 1, question, fills::scalar));
    #[cfg(target_arch = "x86_64")]
    {
        if Features::Avx2.is_available() {
            rivals.push(rival("kogge-stone-avx2", 4, question, |question, dataset, answers| {
                // SAFETY: the processor has the features.
                unsafe { fills::avx2(question, dataset, answers) }
            }));
        }
        if Features::Avx512.is_available() {
            rivals.push(rival("kogge-stone-avx512", 8, question, |question, dataset, answers| {
                // SAFETY: the processor has the features.
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
            // SAFETY: the tables prove that the processor has AVX2 and BMI.
            unsafe { squares::pext::pext(tables, question, dataset, answers) }
        }));
        if question == Question::Unions {
            rivals.push(Implementation::new("pext-gather", 4, move |dataset, answers| {
                // SAFETY: as above.
                unsafe { squares::pext::gather(tables, dataset, answers) }
            }));
        }
    }
    rivals
}

/// One direction per lane, with each instruction set.
fn four_directions(question: Question) -> Vec<Implementation> {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_mut, unused_variables, reason = "there are none")
    )]
    let mut rivals = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        use crate::support::rivals::four_directions::{FourDirections, avx2, avx512};
        rivals.extend(FourDirections::detect().map(|token| {
            rival("four-directions-avx2", 1, question, move |question, dataset, answers| {
                // SAFETY: the token proves that the processor has the features.
                unsafe { avx2(token, question, dataset, answers) }
            })
        }));
        rivals.extend(FourDirections::detect().map(|token| {
            rival("four-directions-avx512", 1, question, move |question, dataset, answers| {
                // SAFETY: the token proves that the processor has the features.
                unsafe { avx512(token, question, dataset, answers) }
            })
        }));
    }
    rivals
}

/// All implementations that process one position at a time.
fn singles(question: Question) -> Vec<Implementation> {
    let mut rivals = vec![rival("kogge-stone-scalar", 1, question, fills::unvectorised)];
    rivals.extend(tables(question));
    rivals.extend(four_directions(question));
    rivals.extend(one_by_one(question));
    rivals
}

/// This library, one position at a time: inlined, and through each kernel with other instructions.
fn one_by_one(question: Question) -> Vec<Implementation> {
    let mut ours = vec![rival(single::built_in(), 1, question, single::inlined)];
    ours.extend(single::kernels().map(|(name, kernel)| {
        Implementation::new(name, 1, move |dataset, answers| {
            single::in_hand(kernel, question, dataset, answers);
        })
    }));
    ours
}

/// An implementation for each kernel of this library that this processor can run. `run` computes the results.
pub fn ours(
    run: fn(Kernel, &Dataset, &mut [AlignedColumn]),
) -> impl Iterator<Item = Implementation> {
    Kernel::available().map(move |kernel| {
        let backend = kernel.backend();
        Implementation::new(backend.name(), backend.boards_per_block(), move |dataset, answers| {
            run(kernel, dataset, answers);
        })
    })
}

/// A group for the union of one side's rays.
fn unions(name: &'static str, implementations: Vec<Implementation>) -> Group {
    Group { name, reads: Reads::Sliders, columns: 1, per_board: 1, implementations }
}

/// A group for the attack maps of both sides.
fn sixteen_maps(name: &'static str, implementations: Vec<Implementation>) -> Group {
    Group { name, reads: Reads::Positions, columns: 16, per_board: 1, implementations }
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

/// The union of all eight rays, on boards from memory.
pub fn memory() -> Group {
    Group { name: "memory", ..sliders() }
}

/// All sixteen attack maps, on boards from memory.
pub fn memory_maps() -> Group {
    Group { name: "memory-maps", ..maps() }
}

/// A loop that reads and writes as many bytes as the union, without computation.
fn copy_of_sliders() -> Implementation {
    Implementation { answers: false, ..Implementation::new("copy", 1, rivals::copy) }
}

/// A loop that reads and writes as many bytes as the attack maps, by copying each of the eight sets to two columns.
fn copy_of_positions() -> Implementation {
    let copy = Implementation::new("copy", 1, |dataset: &Dataset, answers| {
        let sets = dataset.columns();
        for (column, answers) in answers.iter_mut().enumerate() {
            answers.copy_from_slice(sets[column % 8]);
        }
    });
    Implementation { answers: false, ..copy }
}

/// The eight rays of one side's sliders, one column each.
pub fn rays() -> Group {
    let mut implementations = kogge_stone(Question::Rays);
    implementations.extend(tables(Question::Rays));
    implementations.extend(ours(|kernel, dataset, answers| {
        let Dataset { occupied, orthogonal, diagonal, .. } = dataset;
        kernel.slider_rays(orthogonal, diagonal, occupied, slices(answers));
    }));
    Group { name: "rays-bulk", reads: Reads::Sliders, columns: 8, per_board: 1, implementations }
}

/// All sixteen attack maps of both sides. Our kernels compute them from columns and from rows.
pub fn maps() -> Group {
    let mut implementations = kogge_stone(Question::Maps);
    implementations.extend(tables(Question::Maps));
    implementations.extend(ours(|kernel, dataset, answers| {
        kernel.fill(dataset.positions(), &mut sixteen(answers));
    }));
    let from_rows = ours(|kernel, dataset, answers| {
        kernel.fill(&dataset.rows, &mut sixteen(answers));
    });
    implementations.extend(from_rows.map(|implementation| Implementation {
        name: format!("rows-{}", implementation.name),
        ..implementation
    }));
    implementations.push(copy_of_positions());
    sixteen_maps("maps-bulk", implementations)
}

/// Requests the sixteen columns.
fn sixteen(answers: &mut [AlignedColumn]) -> [Request<'_>; 16] {
    let mut columns = Column::DEFAULT.iter();
    slices(answers).map(|answers| columns.next().expect("sixteen columns").to(answers))
}

/// The union for boards that are sliced already, into a batch that stays sliced. Rivals do not benefit from this.
pub fn sliced() -> Group {
    let mut implementations = kogge_stone(Question::Unions);
    implementations.extend(tables(Question::Unions));
    implementations.extend(Kernel::available().map(stays_sliced));
    unions("sliced-bulk", implementations)
}

/// A kernel on batches of occupied squares, of two sets of sliders, and of their attacks.
fn stays_sliced(kernel: Kernel) -> Implementation {
    let backend = kernel.backend();
    Implementation::with_state(
        backend.name(),
        backend.boards_per_block(),
        [(); 4].map(|()| Batch::new(kernel, 0)),
        move |[occupied, orthogonal, diagonal, attacks], dataset| {
            *occupied = Batch::from_column(kernel, &dataset.occupied);
            *orthogonal = Batch::from_column(kernel, &dataset.orthogonal);
            *diagonal = Batch::from_column(kernel, &dataset.diagonal);
            if attacks.len() != dataset.len() {
                *attacks = Batch::new(kernel, dataset.len());
            }
        },
        |[occupied, orthogonal, diagonal, attacks], _, _| {
            attacks.slider_attacks(orthogonal, diagonal, occupied);
        },
        |[.., attacks], answers| attacks.copy_to(&mut answers[0]),
    )
}

/// The union for one position at a time, where each call depends on the previous result.
pub fn position_latency() -> Group {
    unions("position-latency", singles(Question::ChainedUnions))
}

/// The union for one position at a time, where the processor can overlap calls.
pub fn position_throughput() -> Group {
    unions("position-throughput", singles(Question::Unions))
}

/// All sixteen attack maps of one position at a time.
pub fn position_maps() -> Group {
    sixteen_maps("position-maps", singles(Question::Maps))
}
