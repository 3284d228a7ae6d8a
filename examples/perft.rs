//! Perft: counts the positions after all sequences of legal moves, many positions at a time. It supports Chess960.
//!
//! ```text
//! perft FEN DEPTH             the number of positions after DEPTH moves, on the last line
//! perft --suite FILE          check every line of a table `fen depth nodes ...` with at most 5 million nodes
//!       --limit NODES         check every line with at most NODES nodes
//!       --divide              also print the number for each first move
//!       --kinds               count captures, checks, mates and so on; takes several times as long
//!       --threads N           split the first moves among N threads
//!       --backend NAME        use this backend instead of the fastest
//!       --single              process one position at a time, for comparison
//!
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --example perft -- --suite perft.tsv
//! ```
//!
//! Each level of the tree has a buffer of [`ROWS`] successors. Parents are processed as long as their successors fit;
//! then the next level is computed from these successors. On the last level, moves are only counted, block by block
//! ([`Column::LEGAL_COUNT`]). So memory use is bounded and stays in the L2 cache. There is no hash table: every
//! position is counted.

use std::ops::AddAssign;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use setwise::legal::{Move, MoveKind, State, Status};
use setwise::{
    Column, Fen, Kernel, Pieces, Positions, SuccessorBuffers, SuccessorPieces, position,
};

/// The number of successors on each level, at least the maximum of one position. Each takes 74 bytes.
const ROWS: usize = 1024;

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The pieces.
    pub pieces: Pieces,
    /// The side to move, castling rights, and the en passant square.
    pub state: State,
}

impl Board {
    /// Reads FEN.
    ///
    /// # Errors
    /// If the line is not FEN, if a side does not have exactly one king, or if the side not to move is in check.
    pub fn parse(line: &str) -> Result<Self, String> {
        let fen: Fen = line.parse().map_err(|error| format!("{line}: {error:#}"))?;
        let board = Self { pieces: fen.pieces, state: State::from(&fen) };
        position::legal(&board.pieces, board.state).map(|_| board).ok_or_else(|| {
            format!("{line}: each side needs one king, and only the mover's may be in check")
        })
    }

    /// The legal moves, and the positions after them.
    pub fn successors(&self) -> impl Iterator<Item = (Move, Self)> {
        let legal = position::legal(&self.pieces, self.state);
        let moves = legal.into_iter().flat_map(|legal| legal.moves());
        moves.map(|played| {
            let (pieces, state) = position::play(&self.pieces, self.state, played);
            (played, Self { pieces, state })
        })
    }
}

/// The number of positions after `depth` legal moves, one position at a time.
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position::legal(&board.pieces, board.state).map_or(0, |legal| legal.count().into()),
        _ => {
            let (mut nodes, Board { pieces, state }) = (0, *board);
            for played in position::legal(&pieces, state).expect("a valid position").moves() {
                let (pieces, state) = position::play(&pieces, state, played);
                nodes += perft(&Board { pieces, state }, depth - 1);
            }
            nodes
        }
    }
}

/// Counts of the last moves by kind, as in the tables of the chess programming wiki.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// All moves.
    pub nodes: u64,
    /// Captures, en passant included.
    pub captures: u64,
    /// Captures en passant.
    pub en_passant: u64,
    /// Castling.
    pub castles: u64,
    /// Promotions.
    pub promotions: u64,
    /// Moves that give check, including mates.
    pub checks: u64,
    /// Mates.
    pub mates: u64,
}

impl AddAssign for Kinds {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.en_passant += other.en_passant;
        self.castles += other.castles;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.mates += other.mates;
    }
}

/// Positions and the moves that lead to them.
#[derive(Debug)]
struct Level {
    pieces: Vec<Pieces>,
    states: Vec<State>,
    moves: Vec<Move>,
    offsets: Vec<usize>,
}

/// Counts positions, many at a time.
#[derive(Debug)]
pub struct Perft {
    kernel: Kernel,
    /// True if the last moves are counted by kind.
    kinds: bool,
    levels: Vec<Level>,
}

impl Perft {
    /// Creates a counter that uses a kernel. With `kinds` it counts moves by kind, otherwise only nodes.
    #[must_use]
    pub fn new(kernel: Kernel, kinds: bool) -> Self {
        Self { kernel, kinds, levels: Vec::new() }
    }

    /// The positions after `depth` legal moves.
    pub fn count(&mut self, board: &Board, depth: u32) -> Kinds {
        while self.levels.len() < depth as usize {
            self.levels.push(Level {
                pieces: vec![Pieces::EMPTY; ROWS],
                states: vec![State::EMPTY; ROWS],
                moves: vec![Move::default(); ROWS],
                offsets: vec![0; ROWS + 1],
            });
        }
        let Self { kernel, kinds, levels } = self;
        match depth {
            0 => Kinds { nodes: 1, ..Kinds::default() },
            _ => {
                let levels = &mut levels[..depth as usize];
                count(*kernel, *kinds, levels, &[board.pieces], &[board.state])
            }
        }
    }
}

/// Counts the positions after as many moves as there are `levels`.
fn count(
    kernel: Kernel,
    kinds: bool,
    levels: &mut [Level],
    pieces: &[Pieces],
    states: &[State],
) -> Kinds {
    let mut sum = Kinds::default();
    let [level, rest @ ..] = levels else { return sum };
    if rest.is_empty() && !kinds {
        let mut counts = [0_u16; ROWS];
        let counts = &mut counts[..pieces.len()];
        let positions = Positions::from(pieces).with_states(states).known_valid();
        kernel.fill(positions, &mut [Column::LEGAL_COUNT.to(&mut *counts)]);
        sum.nodes = counts.iter().map(|&count| u64::from(count)).sum();
        return sum;
    }
    let mut first = 0;
    while first < pieces.len() {
        let parents = &pieces[first..];
        let buffers = SuccessorBuffers::new(
            SuccessorPieces::Rows(&mut level.pieces),
            &mut level.states,
            &mut level.moves,
            &mut level.offsets[..=parents.len()],
        );
        let positions = Positions::from(parents).with_states(&states[first..]);
        let written = kernel.write_successors(positions, buffers);
        let rows = written.successors;
        if rest.is_empty() {
            sum += of_kinds(kernel, &parents[..written.parents], level, rows);
        } else {
            sum += count(kernel, kinds, rest, &level.pieces[..rows], &level.states[..rows]);
        }
        first += written.parents;
    }
    sum
}

/// Counts the successors of a level by the kind of their last moves.
fn of_kinds(kernel: Kernel, parents: &[Pieces], level: &Level, rows: usize) -> Kinds {
    let Level { pieces, states, moves, offsets } = level;
    let mut kinds = Kinds { nodes: rows as u64, ..Kinds::default() };
    let mut status = [0_u8; ROWS];
    let successors = Positions::from(&pieces[..rows]).with_states(&states[..rows]);
    kernel.fill(successors, &mut [Column::STATUS.to(&mut status[..rows])]);
    for (&status, played) in status[..rows].iter().zip(moves) {
        kinds.checks +=
            u64::from(status == Status::Check as u8 || status == Status::Checkmate as u8);
        kinds.mates += u64::from(status == Status::Checkmate as u8);
        kinds.en_passant += u64::from(played.kind() == MoveKind::EnPassant);
        kinds.castles += u64::from(played.kind() == MoveKind::Castling);
        kinds.promotions += u64::from(matches!(played.kind(), MoveKind::Promotion(_)));
    }
    for (parent, ends) in parents.iter().zip(offsets.windows(2)) {
        let men = |pieces: &Pieces| pieces.occupied().count_ones();
        let captures = pieces[ends[0]..ends[1]].iter().filter(|after| men(after) < men(parent));
        kinds.captures += captures.count() as u64;
    }
    kinds
}

/// The result of a suite.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The lines counted.
    pub lines: u32,
    /// The positions counted.
    pub nodes: u64,
    /// The lines whose count differs from the suite's.
    pub wrong: Vec<String>,
}

/// Counts every line of a suite with at most `limit` nodes. The columns are the FEN, the depth and the nodes, separated
/// by tabs; the first line is a header.
///
/// # Errors
/// If a line has any other form.
pub fn run_suite(
    suite: &str,
    limit: u64,
    mut perft: impl FnMut(&Board, u32) -> u64,
) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    for (number, line) in suite.lines().enumerate().skip(1) {
        let mut columns = line.split('\t');
        let mut next = |name| columns.next().ok_or(format!("line {}: no {name}", number + 1));
        let (fen, depth, expected) = (next("fen")?, next("depth")?, next("nodes")?);
        let number = |word: &str| word.parse::<u64>().map_err(|error| format!("{word}: {error}"));
        let expected = number(expected)?;
        if expected > limit {
            continue;
        }
        let nodes = perft(&Board::parse(fen)?, number(depth)? as u32);
        outcome.lines += 1;
        outcome.nodes += nodes;
        if nodes != expected {
            outcome.wrong.push(format!("{fen}, depth {depth}: {nodes}, expected {expected}"));
        }
    }
    Ok(outcome)
}

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: perft FEN DEPTH | perft --suite FILE [--limit NODES]\n       \
    [--divide] [--kinds] [--threads N] [--backend NAME] [--single]";

/// The command line.
struct Options {
    single: bool,
    divide: bool,
    kinds: bool,
    threads: usize,
    kernel: Kernel,
}

fn run(arguments: &[String]) -> Result<(), String> {
    let mut options = Options {
        single: false,
        divide: false,
        kinds: false,
        threads: 1,
        kernel: Kernel::detect(),
    };
    let (mut suite, mut limit, mut words) = (None, 5_000_000, Vec::new());
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        match argument {
            "--single" => options.single = true,
            "--divide" => options.divide = true,
            "--kinds" => options.kinds = true,
            "--threads" => options.threads = number("threads", value()?)?,
            "--limit" => limit = number("limit", value()?)?,
            "--suite" => suite = Some(value()?),
            "--backend" => {
                let backend = value()?.parse().map_err(|error| format!("{error}"))?;
                options.kernel = Kernel::new(backend).map_err(|error| error.to_string())?;
            }
            word if word.starts_with("--") => return Err(USAGE.into()),
            word => words.push(word),
        }
    }
    if let Some(path) = suite {
        let suite = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let start = Instant::now();
        let count = |board: &Board, depth| of_options(&options, board, depth).nodes;
        let Outcome { lines, nodes, wrong } = run_suite(&suite, limit, count)?;
        let seconds = start.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds / 1e6;
        println!(
            "{lines} lines, {nodes} nodes, {seconds:.2} s, {speed:.1} million nodes per second"
        );
        return if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) };
    }
    // The FEN may be one argument or several.
    let [fen @ .., depth] = &words[..] else { return Err(USAGE.into()) };
    let found = of_options(&options, &Board::parse(&fen.join(" "))?, number("depth", depth)?);
    if options.kinds {
        let Kinds { captures, en_passant, castles, promotions, checks, mates, .. } = found;
        println!(
            "captures {captures}, en passant {en_passant}, castles {castles}, promotions {promotions}, checks {checks}, \
             mates {mates}"
        );
    }
    println!("{}", found.nodes);
    Ok(())
}

fn number<T: std::str::FromStr<Err: std::fmt::Display>>(
    name: &str,
    word: &str,
) -> Result<T, String> {
    word.parse().map_err(|error| format!("{name} {word}: {error}"))
}

/// Counts according to the command line. With `--divide` or several threads, it counts each first move separately.
fn of_options(options: &Options, board: &Board, depth: u32) -> Kinds {
    let &Options { single, divide, kinds, threads, kernel } = options;
    let of_one = |counter: &mut Perft, board: &Board, depth| match single {
        true => Kinds { nodes: perft(board, depth), ..Kinds::default() },
        false => counter.count(board, depth),
    };
    if depth < 2 || (threads < 2 && !divide) {
        return of_one(&mut Perft::new(kernel, kinds), board, depth);
    }
    let firsts: Vec<(Move, Board)> = board.successors().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut counter, mut found) = (Perft::new(kernel, kinds), Vec::new());
        while let Some((played, board)) = firsts.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.push((played, of_one(&mut counter, board, depth - 1)));
        }
        found
    };
    let mut found: Vec<(&Move, Kinds)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    found.sort_by_key(|(played, _)| played.bits());
    let mut sum = Kinds::default();
    for (played, kinds) in found {
        if divide {
            println!("{played}: {}", kinds.nodes);
        }
        sum += kinds;
    }
    sum
}
