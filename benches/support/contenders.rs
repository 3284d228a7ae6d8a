//! Who competes in which group: this crate's backends by name, and the rivals that this processor can run.

use std::cell::RefCell;
use std::rc::Rc;

use setwise::bitboard::Direction;
use setwise::{Backend, Colour, Kernel, Map, Pieces, Role, leaper, reference};

use crate::support::columns::{Column, slices};
use crate::support::inputs::{Batch, Reads};
use crate::support::rivals::{self, Question, fills, squares};
use crate::support::single;

type Run = dyn Fn(&Batch, &mut [Column]);
type Prepare = dyn Fn(&Batch);
type Collect = dyn Fn(&mut [Column]);

/// The answer by slow and obvious means, for one row of a batch.
type Reference = fn(&Batch, usize) -> Vec<u64>;

/// One way to answer a group's question for a whole batch.
pub struct Contender {
    pub name: &'static str,
    /// How many boards it works on together, as far as we know.
    pub block: usize,
    /// Fills the group's columns for a batch.
    pub run: Box<Run>,
    /// Takes the batch in before that, off the clock.
    pub prepare: Box<Prepare>,
    /// Fills the columns with the answer after that, off the clock, if `run` leaves it elsewhere.
    collect: Box<Collect>,
    /// If this one does not answer the group's question: what it does instead.
    instead: Option<Reference>,
}

impl Contender {
    fn new(
        name: &'static str,
        block: usize,
        run: impl Fn(&Batch, &mut [Column]) + 'static,
    ) -> Self {
        Self {
            name,
            block,
            run: Box::new(run),
            prepare: Box::new(|_| ()),
            collect: Box::new(|_| ()),
            instead: None,
        }
    }
}

/// A question, and everybody who answers it.
pub struct Group {
    pub name: &'static str,
    pub reads: Reads,
    /// How many columns the answer has.
    pub columns: usize,
    /// How many boards of the answer stand together in each row of a column.
    pub together: usize,
    reference: Reference,
    pub contenders: Vec<Contender>,
}

impl Group {
    /// Columns for the answers to a batch.
    pub fn answers(&self, len: usize) -> Vec<Column> {
        (0..self.columns).map(|_| Column::new(len * self.together)).collect()
    }

    /// Compares the whole answer of every contender with the reference.
    ///
    /// # Panics
    /// If one is wrong.
    pub fn check(&self, batch: &Batch) {
        let expected = self.expected(batch, self.reference);
        let mut answers = self.answers(batch.len());
        for contender in &self.contenders {
            let instead = contender.instead.map(|reference| self.expected(batch, reference));
            let expected = instead.as_ref().unwrap_or(&expected);
            for column in &mut answers {
                column.fill(0xdead_beef);
            }
            (contender.prepare)(batch);
            (contender.run)(batch, &mut answers);
            (contender.collect)(&mut answers);
            for (at, (answer, expected)) in answers.iter().zip(expected).enumerate() {
                let wrong = answer.iter().zip(&**expected).position(|(a, b)| a != b);
                assert_eq!(wrong, None, "{}: {}, column {at}", self.name, contender.name);
            }
        }
    }

    fn expected(&self, batch: &Batch, reference: Reference) -> Vec<Column> {
        let mut expected = self.answers(batch.len());
        for row in 0..batch.len() {
            for (at, answer) in reference(batch, row).into_iter().enumerate() {
                let (column, place) = (at / self.together, at % self.together);
                expected[column][row * self.together + place] = answer;
            }
        }
        expected
    }
}

/// A rival, to be asked one question.
fn rival(
    name: &'static str,
    block: usize,
    question: Question,
    answer: impl Fn(Question, &Batch, &mut [Column]) + 'static,
) -> Contender {
    Contender::new(name, block, move |batch, answers| answer(question, batch, answers))
}

/// Kogge-Stone over the batch, for each set of instructions.
fn kogge_stone(question: Question) -> Vec<Contender> {
    let mut rivals = Vec::new();
    rivals.push(rival("kogge-stone-scalar", 1, question, fills::scalar));
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            rivals.push(rival("kogge-stone-avx2", 4, question, |question, batch, answers| {
                // SAFETY: the processor has the features, as just seen.
                unsafe { fills::avx2(question, batch, answers) }
            }));
        }
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("bmi2")
        {
            rivals.push(rival("kogge-stone-avx512", 8, question, |question, batch, answers| {
                // SAFETY: the processor has the features, as just seen.
                unsafe { fills::avx512(question, batch, answers) }
            }));
        }
    }
    rivals
}

/// Magics and PEXT, in loops over the men.
fn tables(question: Question) -> Vec<Contender> {
    let mut rivals = Vec::new();
    rivals.push(rival("magic-loop", 1, question, squares::magic));
    #[cfg(target_arch = "x86_64")]
    if let Some(tables) = squares::pext::Pext::detect() {
        rivals.push(rival("pext-loop", 1, question, move |question, batch, answers| {
            // SAFETY: the tables in hand prove that the processor has PEXT, and so all of BMI.
            unsafe { squares::pext::pext(tables, question, batch, answers) }
        }));
    }
    rivals
}

/// Everybody who takes positions one at a time.
fn singles(question: Question) -> Vec<Contender> {
    let mut rivals = vec![
        rival("kogge-stone-scalar", 1, question, fills::unvectorised),
        rival("dumb7fill-scalar", 1, question, fills::dumb7_unvectorised),
        rival("hyperbola-per-square", 1, question, squares::hyperbola),
    ];
    rivals.extend(tables(question));
    #[cfg(target_arch = "x86_64")]
    {
        use crate::support::rivals::four_directions::{Avx2, Avx512, avx2, avx512};
        if let Some(token) = Avx2::detect() {
            rivals.push(rival(
                "four-directions-avx2",
                1,
                question,
                move |question, batch, answers| {
                    // SAFETY: the token in hand proves that the processor has the features.
                    unsafe { avx2(token, question, batch, answers) }
                },
            ));
        }
        if let Some(token) = Avx512::detect() {
            rivals.push(rival(
                "four-directions-avx512",
                1,
                question,
                move |question, batch, answers| {
                    // SAFETY: the token in hand proves that the processor has the features.
                    unsafe { avx512(token, question, batch, answers) }
                },
            ));
        }
    }
    rivals.extend(one_by_one(question));
    rivals
}

/// This crate, one position at a time: inlined, and with the kernels in hand that differ there.
fn one_by_one(question: Question) -> Vec<Contender> {
    let mut ours =
        vec![Contender::new(single::BuiltIn::name(), 1, move |batch: &Batch, answers: &mut _| {
            single::answer(single::BuiltIn, question, batch, answers);
        })];
    for (backend, name) in [
        (Backend::Scalar, "in-hand-scalar"),
        (Backend::Avx2, "in-hand-avx2"),
        (Backend::Avx2Gfni, "in-hand-avx2-gfni"),
        (Backend::Avx512, "in-hand-avx512"),
        (Backend::Avx512Gfni, "in-hand-avx512-gfni"),
    ] {
        if let Some(kernel) = Kernel::new(backend) {
            ours.push(Contender::new(name, 1, move |batch, answers| {
                single::answer(kernel.position(), question, batch, answers);
            }));
        }
    }
    ours
}

/// The kernels of this crate that this processor can run, to be asked what `ask` asks.
fn ours(ask: fn(Kernel, &Batch, &mut [Column])) -> impl Iterator<Item = Contender> {
    Backend::available().filter_map(Kernel::new).map(move |kernel| {
        let backend = kernel.backend();
        Contender::new(backend.name(), backend.boards(), move |batch, answers| {
            ask(kernel, batch, answers);
        })
    })
}

/// One row's union of rays, by the ray walk.
fn union_by_walk(batch: &Batch, row: usize) -> Vec<u64> {
    let (orthogonal, diagonal) = (batch.orthogonal[row], batch.diagonal[row]);
    vec![reference::slider_attacks(batch.occupied[row], orthogonal, diagonal)]
}

/// All groups that ask about a batch.
pub fn groups() -> Vec<Group> {
    vec![
        sliders(),
        rays(),
        maps(),
        sliced(),
        memory(),
        position_latency(),
        position_throughput(),
        position_sets(),
        position_maps(),
    ]
}

/// The union of all eight rays of one side's sliders.
pub fn sliders() -> Group {
    let question = Question::Unions;
    let mut contenders = kogge_stone(question);
    contenders.extend([
        rival("kogge-stone-unvectorised", 1, question, fills::unvectorised),
        rival("dumb7fill-scalar", 1, question, fills::dumb7),
        rival("hyperbola-per-square", 1, question, squares::hyperbola),
    ]);
    contenders.extend(tables(question));
    contenders.extend(ours(|kernel, batch, answers| {
        let Batch { occupied, orthogonal, diagonal, .. } = batch;
        kernel.slider_attacks(occupied, orthogonal, diagonal, &mut answers[0]);
    }));
    Group {
        name: "sliders-bulk",
        reads: Reads::Sliders,
        columns: 1,
        together: 1,
        reference: union_by_walk,
        contenders,
    }
}

/// The union of boards from memory, beside a loop that reads and writes as much without any work.
pub fn memory() -> Group {
    let mut group = Group { name: "memory", ..sliders() };
    let copy = Contender {
        instead: Some(|batch, row| {
            vec![batch.occupied[row] ^ batch.orthogonal[row] ^ batch.diagonal[row]]
        }),
        ..Contender::new("copy", 1, rivals::copy)
    };
    group.contenders.insert(0, copy);
    group
}

/// The eight rays of one side's sliders, a column each.
pub fn rays() -> Group {
    let mut contenders = kogge_stone(Question::Rays);
    contenders.extend(tables(Question::Rays));
    contenders.extend(ours(|kernel, batch, answers| {
        let Batch { occupied, orthogonal, diagonal, .. } = batch;
        kernel.slider_rays(occupied, orthogonal, diagonal, slices(answers));
    }));
    Group {
        name: "rays-bulk",
        reads: Reads::Sliders,
        columns: 8,
        together: 1,
        reference: |batch, row| {
            let ray = |direction: Direction| {
                let sliders =
                    if direction.is_orthogonal() { &batch.orthogonal } else { &batch.diagonal };
                reference::ray(sliders[row], direction, batch.occupied[row])
            };
            Direction::ALL.map(ray).to_vec()
        },
        contenders,
    }
}

/// All sixteen attack maps of both sides.
pub fn maps() -> Group {
    let mut contenders = kogge_stone(Question::Maps);
    contenders.extend(tables(Question::Maps));
    contenders.push(rival(
        "magic-loop-pawn-shifts",
        1,
        Question::MapsWithPawnShifts,
        squares::magic,
    ));
    contenders.extend(ours(|kernel, batch, answers| {
        let columns: [&mut [u64]; 16] = slices(answers);
        let mut of = Map::DEFAULT.iter();
        let mut maps = columns.map(|column| (*of.next().expect("sixteen maps"), column));
        kernel.attack_maps(batch.positions(), &mut maps);
    }));
    Group {
        name: "maps-bulk",
        reads: Reads::Positions,
        columns: 16,
        together: 1,
        reference: maps_by_walk,
        contenders,
    }
}

/// The union again, of boards that are sliced already, into a batch that stays sliced; the rivals have
/// nothing to gain by that.
pub fn sliced() -> Group {
    let mut contenders = kogge_stone(Question::Unions);
    contenders.extend(tables(Question::Unions));
    contenders.extend(Backend::available().filter_map(Kernel::new).map(stays_sliced));
    Group {
        name: "sliced-bulk",
        reads: Reads::Sliders,
        columns: 1,
        together: 1,
        reference: union_by_walk,
        contenders,
    }
}

/// A kernel's batches of men, sliders and attacks.
fn stays_sliced(kernel: Kernel) -> Contender {
    let sets = || [(); 4].map(|()| setwise::Batch::new(kernel, 0));
    let batches = Rc::new(RefCell::new(sets()));
    let (prepared, collected) = (Rc::clone(&batches), Rc::clone(&batches));
    let backend = kernel.backend();
    Contender {
        prepare: Box::new(move |batch| {
            let [occupied, orthogonal, diagonal, attacks] = &mut *prepared.borrow_mut();
            *occupied = setwise::Batch::from_column(kernel, &batch.occupied);
            *orthogonal = setwise::Batch::from_column(kernel, &batch.orthogonal);
            *diagonal = setwise::Batch::from_column(kernel, &batch.diagonal);
            if attacks.len() != batch.len() {
                *attacks = setwise::Batch::new(kernel, batch.len());
            }
        }),
        collect: Box::new(move |answers| collected.borrow()[3].copy_to(&mut answers[0])),
        ..Contender::new(backend.name(), backend.boards(), move |_, _| {
            let [occupied, orthogonal, diagonal, attacks] = &mut *batches.borrow_mut();
            attacks.slider_attacks(occupied, orthogonal, diagonal);
        })
    }
}

/// The union for one position at a time, as soon as the last one's answer is known.
pub fn position_latency() -> Group {
    Group {
        name: "position-latency",
        reads: Reads::Sliders,
        columns: 1,
        together: 1,
        reference: union_by_walk,
        contenders: singles(Question::ChainedUnions),
    }
}

/// The union for one position at a time, as many as the processor can overlap.
pub fn position_throughput() -> Group {
    Group {
        name: "position-throughput",
        reads: Reads::Sliders,
        columns: 1,
        together: 1,
        reference: union_by_walk,
        contenders: singles(Question::Unions),
    }
}

/// Both sides' eight sets of sliders for one position at a time.
pub fn position_sets() -> Group {
    Group {
        name: "position-sets",
        reads: Reads::Positions,
        columns: 1,
        together: 8,
        reference: |batch, row| {
            let pieces = &batch.rows[row];
            let set = |(colour, role, orthogonal)| {
                let sliders = pieces.of(colour, role);
                let (orthogonal, diagonal) = if orthogonal { (sliders, 0) } else { (0, sliders) };
                reference::slider_attacks(pieces.occupied(), orthogonal, diagonal)
            };
            let kind = |role, orthogonal| {
                Colour::ALL.into_iter().flat_map(move |colour| {
                    [(colour, role, orthogonal), (colour, Role::Queen, orthogonal)]
                })
            };
            kind(Role::Rook, true).chain(kind(Role::Bishop, false)).map(set).collect()
        },
        contenders: singles(Question::Sets),
    }
}

/// All sixteen attack maps of one position at a time.
pub fn position_maps() -> Group {
    let question = Question::Maps;
    let mut contenders = vec![rival("kogge-stone-scalar", 1, question, fills::unvectorised)];
    contenders.extend(tables(question));
    let pawns = Question::MapsWithPawnShifts;
    contenders.push(rival("magic-loop-pawn-shifts", 1, pawns, squares::magic));
    contenders.extend(one_by_one(question));
    Group {
        name: "position-maps",
        reads: Reads::Positions,
        columns: 16,
        together: 1,
        reference: maps_by_walk,
        contenders,
    }
}

/// The attack maps of one row, by the ray walk and the leapers' tables.
fn maps_by_walk(batch: &Batch, row: usize) -> Vec<u64> {
    Colour::ALL.into_iter().flat_map(|colour| side_by_walk(&batch.rows[row], colour)).collect()
}

/// The eight attack maps of one side, man by man.
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
            Role::Pawn => leaper::PAWN_ATTACKS[colour as usize][square],
            Role::Knight => leaper::KNIGHT_ATTACKS[square],
            Role::Bishop => slide(&Direction::ALL[4..]),
            Role::Rook => slide(&Direction::ALL[..4]),
            Role::Queen => slide(&Direction::ALL),
            Role::King => leaper::KING_ATTACKS[square],
        };
        let [.., all, twice] = &mut maps;
        *twice |= *all & seen;
        *all |= seen;
        maps[role as usize] |= seen;
    }
    maps
}
