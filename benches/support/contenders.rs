//! Who competes in which group: this crate's backends by name, and the rivals that this processor can run.

use setwise::bitboard::Direction;
use setwise::{Backend, Colour, Kernel, Map, Pieces, Role, leaper, reference};

use crate::support::columns::{Column, slices};
use crate::support::inputs::Batch;
use crate::support::rivals::{kogge_stone, squares};

type Run = dyn Fn(&Batch, &mut [Column]);

/// One way to answer a group's question for a whole batch.
pub struct Contender {
    pub name: &'static str,
    /// How many boards it works on together, as far as we know.
    pub block: usize,
    /// Fills the group's columns for a batch.
    pub run: Box<Run>,
}

impl Contender {
    fn new(
        name: &'static str,
        block: usize,
        run: impl Fn(&Batch, &mut [Column]) + 'static,
    ) -> Self {
        Self { name, block, run: Box::new(run) }
    }
}

/// A question, and everybody who answers it.
pub struct Group {
    pub name: &'static str,
    /// How many columns the answer has.
    pub columns: usize,
    /// The answer by slow and obvious means, for one row of the batch.
    reference: fn(&Batch, usize) -> Vec<u64>,
    pub contenders: Vec<Contender>,
}

impl Group {
    /// Columns for the answers to a batch.
    pub fn answers(&self, len: usize) -> Vec<Column> {
        (0..self.columns).map(|_| Column::new(len)).collect()
    }

    /// Compares the whole answer of every contender with the reference.
    ///
    /// # Panics
    /// If one is wrong.
    pub fn check(&self, batch: &Batch) {
        let mut answers = self.answers(batch.len());
        let expected: Vec<Vec<u64>> =
            (0..batch.len()).map(|row| (self.reference)(batch, row)).collect();
        for contender in &self.contenders {
            for column in &mut answers {
                column.fill(0xdead_beef);
            }
            (contender.run)(batch, &mut answers);
            for (row, expected) in expected.iter().enumerate() {
                let answer: Vec<u64> = answers.iter().map(|column| column[row]).collect();
                assert_eq!(&answer, expected, "{}: {}, row {row}", self.name, contender.name);
            }
        }
    }
}

/// The kernels of this crate that this processor can run.
fn kernels() -> impl Iterator<Item = Kernel> {
    Backend::available().filter_map(Kernel::new)
}

/// All rivals that answer one question and that this processor can run; `$question` names the function
/// that each of their modules has for it.
macro_rules! rivals {
    ($question:ident) => {{
        let mut rivals = vec![
            Contender::new("kogge-stone-scalar", 1, kogge_stone::scalar::$question),
            Contender::new("magic-loop", 1, squares::magic::$question),
        ];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                rivals.push(Contender::new("kogge-stone-avx2", 4, |batch, answers| {
                    // SAFETY: the processor has the features, as just seen.
                    unsafe { kogge_stone::avx2::$question(batch, answers) }
                }));
            }
            if has_avx512() {
                rivals.push(Contender::new("kogge-stone-avx512", 8, |batch, answers| {
                    // SAFETY: the processor has the features, as just seen.
                    unsafe { kogge_stone::avx512::$question(batch, answers) }
                }));
            }
            if let Some(pext) = squares::pext::Pext::detect() {
                rivals.push(Contender::new("pext-loop", 1, move |batch, answers| {
                    // SAFETY: the tables in hand prove that the processor has the features.
                    unsafe { squares::pext::$question(pext, batch, answers) }
                }));
            }
        }
        rivals
    }};
}

/// The kernels of this crate that this processor can run, as contenders.
fn ours(ask: fn(Kernel, &Batch, &mut [Column])) -> impl Iterator<Item = Contender> {
    Backend::available().filter_map(Kernel::new).map(move |kernel| {
        let backend = kernel.backend();
        Contender::new(backend.name(), backend.boards(), move |batch, answers| {
            ask(kernel, batch, answers);
        })
    })
}

/// The union of all eight rays of one side's sliders.
pub fn sliders() -> Group {
    let mut contenders = rivals!(unions);
    contenders.push(Contender::new(
        "kogge-stone-unvectorised",
        1,
        kogge_stone::unvectorised::unions,
    ));
    contenders.extend(ours(|kernel, batch, answers| {
        let Batch { occupied, orthogonal, diagonal, .. } = batch;
        kernel.slider_attacks(occupied, orthogonal, diagonal, &mut answers[0]);
    }));
    Group {
        name: "sliders-bulk",
        columns: 1,
        reference: |batch, row| {
            let (orthogonal, diagonal) = (batch.orthogonal[row], batch.diagonal[row]);
            vec![reference::slider_attacks(batch.occupied[row], orthogonal, diagonal)]
        },
        contenders,
    }
}

/// The eight rays of one side's sliders, a column each.
pub fn rays() -> Group {
    let mut contenders = rivals!(rays);
    contenders.extend(ours(|kernel, batch, answers| {
        let Batch { occupied, orthogonal, diagonal, .. } = batch;
        kernel.slider_rays(occupied, orthogonal, diagonal, slices(answers));
    }));
    Group {
        name: "rays-bulk",
        columns: 8,
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
    let mut contenders = rivals!(maps);
    contenders.extend(ours(|kernel, batch, answers| {
        let columns: [&mut [u64]; 16] = slices(answers);
        let mut of = Map::DEFAULT.iter();
        let mut maps = columns.map(|column| (*of.next().expect("sixteen maps"), column));
        kernel.attack_maps(batch.positions(), &mut maps);
    }));
    Group {
        name: "maps-bulk",
        columns: 16,
        reference: |batch, row| {
            Colour::ALL
                .into_iter()
                .flat_map(|colour| by_squares(&batch.rows[row], colour))
                .collect()
        },
        contenders,
    }
}

/// The eight attack maps of one side, man by man from the ray walk and the leapers' tables.
fn by_squares(pieces: &Pieces, colour: Colour) -> [u64; 8] {
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

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi2")
}
