//! `setwise successors`: writes the positions after all legal moves, as a table that `setwise maps` can read.

use std::io::Write as _;

use anyhow::Result;
use indicatif::ProgressBar;
use setwise::legal::State;
use setwise::{Fen, Kernel, Positions, Successors};
use setwise_table::{Error, LineContent};

use crate::args::SuccessorsArguments;
use crate::input::{self, LineReader};
use crate::output::Output;

pub(crate) fn run(arguments: &SuccessorsArguments) -> Result<()> {
    let files = input::files(&arguments.inputs)?;
    input::check(&files)?;
    let mut output = Output::create(&arguments.output, &files, &[])?;
    let mut reader = LineReader::new(&files, ProgressBar::hidden());
    let mut successors = Successors::new();
    let mut text = b"parent,move,fen\n".to_vec();
    loop {
        output.write_all(&text).map_err(|error| output.not_written(error))?;
        text.clear();
        let lines = reader.batch(4096, 1 << 20)?;
        if lines.count == 0 {
            break;
        }
        let (mut parents, mut numbers, mut halfmoves) = (Vec::new(), Vec::new(), Vec::new());
        for line in lines.iter() {
            let wrong = |character, reason| Error::Invalid(Box::new(line.bad(character, reason)));
            match line.content() {
                LineContent::Blank | LineContent::Comment => {}
                LineContent::Invalid(character, reason) => {
                    return Err(wrong(character, reason).into());
                }
                LineContent::Position(fen, _) => {
                    if setwise::position::legal(&fen.pieces, State::from(&fen)).is_none() {
                        let reason =
                            "each side needs one king, and only the mover's may be in check";
                        return Err(wrong(1, reason.to_owned()).into());
                    }
                    numbers.push(line.number);
                    halfmoves.push(u16::try_from(fen.halfmove_clock).unwrap_or(u16::MAX));
                    parents.push(fen);
                }
            }
        }
        let pieces: Vec<_> = parents.iter().map(|fen| fen.pieces).collect();
        let states: Vec<_> = parents.iter().map(State::from).collect();
        let positions = Positions::from(&pieces).with_states(&states).with_halfmoves(&halfmoves);
        Kernel::detect().successors(positions, &mut successors);
        let parents = parents.iter().zip(numbers).zip(successors.offsets().windows(2));
        for ((parent, number), ends) in parents {
            for at in ends[0]..ends[1] {
                let (played, state) = (successors.moves()[at], successors.states()[at]);
                let fen = Fen {
                    pieces: successors.pieces()[at],
                    turn: state.turn(),
                    castling: state.castling(),
                    en_passant: state.en_passant(),
                    halfmove_clock: successors.halfmoves()[at].into(),
                    fullmove_number: parent.fullmove_number.saturating_add(parent.turn as u32),
                };
                writeln!(text, "{number},{played},{fen}")?;
            }
        }
    }
    Output::finish(vec![output])
}
