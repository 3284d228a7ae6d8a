//! Positions one after the other into columns: a few wait, so that the kernel gets many at once.

use std::time::{Duration, Instant};

use arrow_array::ArrayRef;
use arrow_buffer::NullBufferBuilder;
use setwise::fen::Castling;
use setwise::{Colour, Fen, Pieces};
use setwise_formats::Fields;

use crate::error::Error;
use crate::fill::{Boards, Columns, Game, Input};
use crate::maps::Maps;

/// Makes columns of positions that come one by one; [`Maps::builder`] makes it.
///
/// ```
/// use arrow_array::{cast::AsArray, types::UInt64Type, Array};
/// use setwise::Fen;
/// use setwise_table::Maps;
///
/// let maps = Maps::default().columns(["white_all".parse()?, "turn".parse()?]);
/// let mut builder = maps.builder(1000)?;
/// builder.push(&Fen::START);
/// builder.push_null();
/// let columns = builder.finish();
/// assert_eq!(columns[0].as_primitive::<UInt64Type>().value(0), 0x0000_0000_00ff_ff7e);
/// assert!(columns[1].is_null(1));
/// # Ok::<(), setwise_table::Error>(())
/// ```
pub struct Builder<'a> {
    maps: &'a Maps,
    chunk: Chunk,
    columns: Columns,
    nulls: NullBufferBuilder,
    computing: Duration,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(maps: &'a Maps, rows: usize) -> Result<Self, Error> {
        maps.check(Fields::FEN)?;
        Ok(Self {
            maps,
            chunk: Chunk::new(maps.chunk.min(rows)),
            columns: Columns::new(&maps.columns, rows),
            nulls: NullBufferBuilder::new(rows),
            computing: Duration::ZERO,
        })
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, fen: &Fen) {
        self.nulls.append_non_null();
        self.chunk.push(fen);
        if self.chunk.pieces.len() >= self.maps.chunk {
            self.compute();
        }
    }

    /// Appends a row of nulls.
    pub fn push_null(&mut self) {
        self.nulls.append_null();
        self.chunk.push(&NOTHING);
        if self.chunk.pieces.len() >= self.maps.chunk {
            self.compute();
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn compute(&mut self) {
        let start = clock();
        self.columns.fill(self.maps.kernel, self.chunk.input());
        self.chunk.clear();
        self.computing += start.map_or(Duration::ZERO, |start| start.elapsed());
    }

    /// The columns, in the order in which they were asked for.
    #[must_use]
    pub fn finish(self) -> Vec<ArrayRef> {
        self.finish_timed().0
    }

    /// The columns, and how long the kernel took.
    #[must_use]
    pub fn finish_timed(mut self) -> (Vec<ArrayRef>, Duration) {
        self.compute();
        let nulls = self.nulls.finish();
        (self.columns.finish(self.maps.signed, nulls.as_ref()), self.computing)
    }
}

/// Now, but not every wasm has a clock.
pub(crate) fn clock() -> Option<Instant> {
    (!cfg!(target_family = "wasm")).then(Instant::now)
}

/// Some positions, waiting for their columns.
struct Chunk {
    pieces: Vec<Pieces>,
    turns: Vec<Colour>,
    castling: Vec<Castling>,
    en_passant: Vec<Option<u8>>,
    halfmove_clocks: Vec<u32>,
    fullmove_numbers: Vec<u32>,
}

impl Chunk {
    fn new(capacity: usize) -> Self {
        Self {
            pieces: Vec::with_capacity(capacity),
            turns: Vec::with_capacity(capacity),
            castling: Vec::with_capacity(capacity),
            en_passant: Vec::with_capacity(capacity),
            halfmove_clocks: Vec::with_capacity(capacity),
            fullmove_numbers: Vec::with_capacity(capacity),
        }
    }

    #[inline(always)]
    fn push(&mut self, fen: &Fen) {
        self.pieces.push(fen.pieces);
        self.turns.push(fen.turn);
        self.castling.push(fen.castling);
        self.en_passant.push(fen.en_passant);
        self.halfmove_clocks.push(fen.halfmove_clock);
        self.fullmove_numbers.push(fen.fullmove_number);
    }

    fn clear(&mut self) {
        self.pieces.clear();
        self.turns.clear();
        self.castling.clear();
        self.en_passant.clear();
        self.halfmove_clocks.clear();
        self.fullmove_numbers.clear();
    }

    fn input(&self) -> Input<'_> {
        Input {
            boards: Boards::Rows(&self.pieces),
            turns: &self.turns,
            castling: &self.castling,
            en_passant: &self.en_passant,
            halfmove_clocks: &self.halfmove_clocks,
            fullmove_numbers: &self.fullmove_numbers,
            game: Game::default(),
        }
    }
}

/// What stands below a null: an empty board, of which every computed column is 0.
const NOTHING: Fen = Fen {
    pieces: Pieces::EMPTY,
    turn: Colour::White,
    castling: Castling::NONE,
    en_passant: None,
    halfmove_clock: 0,
    fullmove_number: 0,
};
