//! Compares all kernels and rivals in one process, alternating between them, so that clock drift affects all equally.
//!
//! Every round runs each of them briefly on boards in the cache; a ratio is the median over the rounds. This program
//! measures all published figures, while `cargo bench` compares a kernel with itself over time.
//!
//! ```text
//! cargo run --release -p setwise-benches -- sliders --boards 4096 --rounds 400 --input typical
//! cargo run --release -p setwise-benches -- --publish
//! ```
//!
//! Where an emulator runs it, times say nothing, but instructions can be counted: `benches/instructions`.

#[allow(dead_code, unreachable_pub, reason = "each program uses a part of it")]
#[path = "../support/mod.rs"]
mod support;

mod conditions;
mod publish;

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs, io};

use conditions::Conditions;
use publish::{Machine, median};
use support::all;
use support::fresh::{Boards, Work};
use support::groups::{Group, Implementation};
use support::inputs::Input;

/// The time for which each implementation runs in each round.
const TURN: Duration = Duration::from_micros(150);

/// The time for which an implementation runs before its turn if it uses 512-bit registers, or if the previous one did.
/// Intel's processors lower their clock while such registers are in use and for two thirds of a millisecond after.
const SETTLE: Duration = Duration::from_millis(1);

const HELP: &str = "\
Compares all kernels and rivals in one process, alternating between them.

    ratios [GROUP]... [--boards N] [--rounds N] [--input NAME]
    ratios [GROUP]... [--boards N] [--input NAME] --passes N --only NAME
    ratios --calls [--rounds N]
    ratios --publish [--rounds N]

GROUP is part of a group's name; without one, all groups run. Each line has the median time per board, and the speed
as a multiple of the first implementation's.

    --boards N     number of boards that stay in the cache [4096]
    --rounds N     number of rounds [400; with --publish 40]
    --input NAME   typical or dense [typical]
    --calls        print the table of calls for one position: their time as a multiple of the usual loop's
    --passes N     time nothing: run the implementation NAME of --only N times, to count its instructions
    --only NAME    see --passes, without which it has no effect and is refused
    --publish      measure everything, and write benches/results/MACHINE.csv, the tables of benches/RESULTS.md and
                   README.md, and docs/chart.svg; takes some minutes
    --help         print this text
";

struct Options {
    groups: Vec<String>,
    boards: Option<usize>,
    rounds: Option<usize>,
    input: Option<Input>,
    calls: bool,
    passes: Option<usize>,
    only: Option<String>,
    publish: bool,
}

impl Options {
    /// Fails if an option has no effect with the others.
    fn check(&self) -> Result<(), String> {
        let Self { groups, boards, rounds, input, passes, only, .. } = self;
        let of_groups = !groups.is_empty() || boards.is_some() || input.is_some();
        let counts = passes.is_some() || only.is_some();
        if self.calls && self.publish || (self.calls || self.publish) && (of_groups || counts) {
            return Err(
                "--calls and --publish measure what they need, and accept only --rounds".into()
            );
        }
        if passes.is_some() != only.is_some() {
            return Err("--passes N and --only NAME are used together, and time nothing".into());
        }
        if counts && rounds.is_some() {
            return Err("--rounds has no effect with --passes".into());
        }
        Ok(())
    }
}

/// Parses the options; `None` for `--help`.
fn options() -> Result<Option<Options>, String> {
    let mut options = Options {
        groups: Vec::new(),
        boards: None,
        rounds: None,
        input: None,
        calls: false,
        passes: None,
        only: None,
        publish: false,
    };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |value: String| match value.parse() {
            Ok(0) | Err(_) => Err(format!("{value} is not a number above 0")),
            Ok(number) => Ok(number),
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--boards" => options.boards = Some(number(value()?)?),
            "--rounds" => options.rounds = Some(number(value()?)?),
            "--input" => {
                let name = value()?;
                let input = Input::named(&name).ok_or(format!("there is no input {name}"))?;
                options.input = Some(input);
            }
            "--calls" => options.calls = true,
            "--passes" => options.passes = Some(number(value()?)?),
            "--only" => options.only = Some(value()?),
            "--publish" => options.publish = true,
            _ if argument.starts_with('-') => return Err(format!("there is no option {argument}")),
            _ => options.groups.push(argument),
        }
    }
    options.check()?;
    Ok(Some(options))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The program that reads the output, such as `head`, has ended.
        Err(error)
            if error
                .downcast_ref()
                .is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = options().map_err(|error| format!("{error} (--help lists the options)"))?;
    let mut stdout = io::stdout();
    match options {
        Some(Options { publish: true, rounds, .. }) => publish(rounds.unwrap_or(40))?,
        Some(Options { calls: true, rounds, .. }) => {
            writeln!(stdout, "{}\n", Conditions::now())?;
            let is_call = |group: &Group| publish::is_quoted_call(group.name);
            let machine =
                Machine { speeds: speeds(rounds.unwrap_or(100), is_call), ..Machine::default() };
            write!(stdout, "{}", publish::calls(&machine))?;
        }
        Some(options) => print(&options, &mut stdout)?,
        None => write!(stdout, "{HELP}")?,
    }
    Ok(())
}

/// Measures and prints the requested groups.
fn print(options: &Options, to: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let mut groups = all();
    let names: Vec<&str> = groups.iter().map(|group| group.name).collect();
    let is_unknown = |part: &&String| !names.iter().any(|name| name.contains(*part));
    if let Some(part) = options.groups.iter().find(is_unknown) {
        let names = names.join(", ");
        return Err(format!("no group's name contains {part}; there are {names}").into());
    }
    if !options.groups.is_empty() {
        groups.retain(|group| options.groups.iter().any(|part| group.name.contains(part)));
    }
    let input = options.input.unwrap_or(Input::Typical);
    let mut boards = Boards::new(input, options.boards.unwrap_or(4096));
    for group in &mut groups {
        let (work, input) = boards.of(group);
        if let (Some(passes), Some(only)) = (options.passes, &options.only) {
            let mut answers = group.columns(work.len());
            let mut all = group.implementations.iter_mut();
            let found = all.find(|implementation| implementation.name == *only);
            let implementation = found.ok_or(format!("{} has no {only}", group.name))?;
            work.time(implementation, group.reads, passes as u64, &mut answers);
            continue;
        }
        writeln!(to, "{}", Conditions::now())?;
        writeln!(to, "{}, {} boards ({input}): {}", group.name, work.len(), work.census())?;
        compare(group, work, options.rounds.unwrap_or(400), to)?;
        writeln!(to)?;
    }
    Ok(())
}

/// Measures groups: the group, the implementation, and its speed as a multiple of the first's.
fn speeds(rounds: usize, is_wanted: impl Fn(&Group) -> bool) -> Vec<(String, String, f64)> {
    let mut speeds = Vec::new();
    let mut boards = Boards::new(Input::Typical, 4096);
    for mut group in all().into_iter().filter(is_wanted) {
        eprintln!("{}", group.name);
        let (work, _) = boards.of(&group);
        let times = times(&mut group, work, rounds);
        for (Implementation { name, .. }, of_this) in group.implementations.iter().zip(&times) {
            let speed = publish::speed(&times[0], of_this);
            speeds.push((group.name.to_owned(), name.clone(), speed));
        }
    }
    speeds
}

/// Measures everything and updates the documents.
fn publish(rounds: usize) -> io::Result<()> {
    let speeds = speeds(rounds, |_| true);
    let printed = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let compiler = printed("rustc", &["--version"])?;
    let flags =
        env::var("RUSTFLAGS").map_or("no flags".into(), |flags| format!("RUSTFLAGS='{flags}'"));
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let (name, key) = processor();
    let mut machine = Machine {
        name,
        run: format!(
            "{}, {}, {flags}, by `ratios --publish --rounds {rounds}`: medians of turns on one core, {}",
            printed("date", &["--utc", "+%F"])?,
            compiler.split(" (").next().unwrap_or_default(),
            Conditions::now(),
        ),
        commit: printed("git", &["describe", "--always", "--dirty"])?,
        kernels: publish::kernels(root)?,
        speeds,
    };
    let [folder, results, readme, chart] =
        ["benches/results", "benches/RESULTS.md", "README.md", "docs/chart.svg"]
            .map(|name| root.join(name));
    fs::create_dir_all(&folder)?;
    let file = folder.join(format!("{key}.csv"));
    if let Ok(earlier) = fs::read_to_string(&file) {
        machine.keep_python(Machine::of_csv(&earlier));
    }
    fs::write(file, machine.to_csv())?;
    let machines = publish::machines(root)?;
    fs::write(&results, publish::results(&fs::read_to_string(&results)?, &machines))?;
    fs::write(&readme, publish::readme(&fs::read_to_string(&readme)?, &machines))?;
    fs::write(chart, publish::chart(&machines))
}

/// The processor's name with its family and model, since names can be ambiguous, and the name of its file.
fn processor() -> (String, String) {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |wanted: &str| {
        let mut fields = text.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| env::consts::ARCH.into());
    let number = |name| field(name).unwrap_or_else(|| "unknown".into());
    let (family, model) = (number("cpu family"), number("model"));
    // Virtual machines can change the model, but not these instructions.
    let has_amx = field("flags").is_some_and(|flags| flags.contains("amx_tile"));
    let design = match (&*family, model.parse::<u32>().unwrap_or_default()) {
        ("25", 16..=31 | 96..) => ", Zen 4",
        ("25", _) => ", Zen 3",
        ("26", _) => ", Zen 5",
        ("6", 207) if has_amx => ", Emerald Rapids",
        ("6", _) if has_amx => ", Sapphire Rapids or later",
        _ => "",
    };
    let maker = name.split(' ').next().unwrap_or_default().to_lowercase();
    (format!("{name} (family {family} model {model}{design})"), format!("{maker}-{family}-{model}"))
}

/// Checks all results, then measures the time per board in nanoseconds, by implementation and round.
fn times(group: &mut Group, work: &mut Work, rounds: usize) -> Vec<Vec<f64>> {
    work.check(group);
    let boards = work.len();
    let mut answers = group.columns(boards);
    let mut time = |implementation: &mut Implementation, passes| {
        work.time(implementation, group.reads, passes, &mut answers).as_secs_f64()
    };
    let implementations = &mut group.implementations;
    let each: Vec<f64> = implementations.iter_mut().map(|one| time(one, 3) / 3.0).collect();
    let passes = |i: usize, time: Duration| (time.as_secs_f64() / each[i]).max(1.0) as u64;
    let is_wide = |one: &Implementation| one.name.contains("avx512");
    let mut order: Vec<usize> = (0..each.len()).collect();
    order.sort_by_key(|&i| is_wide(&implementations[i]));

    let mut times = vec![Vec::with_capacity(rounds); each.len()];
    let mut was_wide = false;
    for _ in 0..rounds {
        for &i in &order {
            let one = &mut implementations[i];
            // The first passes are a warm-up and are not counted.
            let warm_up = if is_wide(one) || was_wide { passes(i, SETTLE) } else { 1 };
            was_wide = is_wide(one);
            time(one, warm_up);
            let passes = passes(i, TURN);
            times[i].push(time(one, passes) * 1e9 / passes as f64 / boards as f64);
        }
    }
    times
}

/// Prints each implementation's time per board, and its speed as a multiple of that of the first implementation.
fn compare(
    group: &mut Group,
    work: &mut Work,
    rounds: usize,
    to: &mut impl Write,
) -> io::Result<()> {
    let times = times(group, work, rounds);
    writeln!(to, "{:<25} {:>6} {:>9} {:>9}", "kernel", "block", "ns/board", "x first")?;
    for (Implementation { name, block, .. }, of_this) in group.implementations.iter().zip(&times) {
        let (time, speed) = (median(of_this.clone()), publish::speed(&times[0], of_this));
        writeln!(to, "{name:<25} {block:>6} {time:>9.3} {speed:>9.2}")?;
    }
    Ok(())
}
