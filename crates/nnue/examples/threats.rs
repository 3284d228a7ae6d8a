//! Threats as pairs, as inputs of a network, and as an accumulator that is updated along a game.
//!
//! ```text
//! cargo run -p setwise-nnue --example threats
//! ```

use setwise::legal::State;
use setwise::position::{UciError, legal_unchecked, play};
use setwise::{ByColour, Colour, Fen, Kernel, Pieces};
use setwise_nnue::{FeatureLists, FeatureSet, KernelExt, position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 1. Pairs. A threat is a pair of squares: the piece on one attacks the piece on the other, or defends it if both
    // are of the same side.
    let start = Pieces::START;
    let threats = position::threats(&start);
    println!(
        "At the start {} pieces attack another. The rook on h1 and its victims:",
        threats.len()
    );
    for threat in threats.iter().filter(|threat| threat.from() == 7) {
        let (_, victim) = threat.victim(&start).expect("a piece stands there");
        println!("  {threat}: a {victim:?}");
    }

    // 2. Inputs. A network identifies a pair by an index, which depends on the two pieces and squares as one side sees
    // the board. A `FeatureSet` defines the pairs that count and their indices.
    let set = &FeatureSet::STOCKFISH_THREATS_2026_08;
    let white = set.perspective(&start, Colour::White)?;
    let inputs = threats.iter().filter_map(|&threat| white.input(&start, threat));
    println!("{} of the {} inputs of `{}` are active.", inputs.count(), set.inputs(), set.name());

    // 3. Many positions. A trainer needs the inputs of both sides for whole batches: contiguous lists, or rows of a
    // fixed width that are padded with -1.
    let game = positions(GAME)?;
    let mut lists = FeatureLists::<u16>::default();
    let kernel = Kernel::detect();
    kernel.features(set, &game, &mut lists)?;
    let longest = lists.white.iter().chain(lists.black.iter()).map(<[u16]>::len).max().unwrap_or(0);
    println!(
        "{} positions of a game have {} active inputs for white, and at most {longest} for one side.",
        game.len(),
        lists.white.items().len()
    );
    let width = 128;
    let mut rows = [vec![0; game.len() * width], vec![0; game.len() * width]];
    let [white, black] = rows.each_mut().map(Vec::as_mut_slice);
    kernel.feature_rows(set, &game, width, ByColour { white, black })?;

    // 4. Along a game. A move changes only a few pairs, so an engine adds their weights to sums or subtracts them. It
    // lists all pairs again only if a king has crossed to the other half of the board, because the king's side then
    // sees the board mirrored.
    let mut accumulator = Accumulator::new(set, &start);
    let (mut steps, mut refreshed) = (0, 0);
    for pair in game.windows(2) {
        let [before, after] = pair else { unreachable!("windows of two") };
        let changes = position::threats_changed(before, after);
        for colour in Colour::ALL {
            let view = set.perspective(before, colour)?;
            if !view.is_same_view(&set.perspective(after, colour)?) {
                accumulator.refresh(set, after, colour);
                refreshed += 1;
                continue;
            }
            let sums = &mut accumulator.sums[colour];
            let old = changes.removed.iter().map(|&threat| (threat, before, -1));
            let new = changes.added.iter().map(|&threat| (threat, after, 1));
            for (threat, pieces, sign) in old.chain(new) {
                if let Some(input) = view.input(pieces, threat) {
                    add(sums, input, sign);
                    steps += 1;
                }
            }
        }
        // The result equals an accumulator computed from scratch.
        assert_eq!(accumulator, Accumulator::new(set, after));
    }
    let anew: usize = lists.white.items().len() + lists.black.items().len();
    println!(
        "Updates take {steps} additions and {refreshed} refreshes, full computation {anew} additions."
    );
    Ok(())
}

/// The sums of the weights of all active inputs, for each side: the first layer of a network, here a tiny one.
#[derive(Debug, PartialEq)]
struct Accumulator {
    sums: ByColour<[i32; 8]>,
}

impl Accumulator {
    fn new(set: &FeatureSet, pieces: &Pieces) -> Self {
        let mut new = Self { sums: ByColour::default() };
        Colour::ALL.into_iter().for_each(|colour| new.refresh(set, pieces, colour));
        new
    }

    /// Computes one side's sums from scratch.
    fn refresh(&mut self, set: &FeatureSet, pieces: &Pieces, colour: Colour) {
        let view = set.perspective(pieces, colour).expect("a king a side");
        let sums = &mut self.sums[colour];
        *sums = [0; 8];
        for threat in &position::threats(pieces) {
            if let Some(input) = view.input(pieces, *threat) {
                add(sums, input, 1);
            }
        }
    }
}

/// Adds the weights of an input, which are learned in a real network and arbitrary here.
fn add(sums: &mut [i32; 8], input: u32, sign: i32) {
    for (i, sum) in (0..).zip(sums) {
        let weight = (8 * input + i).wrapping_mul(0x9e37_79b9) >> 24;
        *sum += sign * (weight as i32 - 128);
    }
}

/// Morphy against two allies, Paris 1858.
const GAME: &str = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 \
                    b7b5 c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";

/// The positions of a game, including the start.
fn positions(moves: &str) -> Result<Vec<Pieces>, UciError> {
    let (mut pieces, mut state) = (Pieces::START, State::from(&Fen::START));
    let mut positions = vec![pieces];
    for text in moves.split_whitespace() {
        let played = legal_unchecked(&pieces, state).parse_uci(text)?;
        (pieces, state) = play(&pieces, state, played);
        positions.push(pieces);
    }
    Ok(positions)
}
