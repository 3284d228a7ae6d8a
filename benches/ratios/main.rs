//! Compares all kernels and rivals in one process, alternating between them, so that clock drift affects all alike.
//!
//! Every round runs each of them briefly on boards in the cache; a ratio is the median over the rounds. All published
//! figures come from here; `cargo bench` compares a kernel with itself over time.
//!
//! ```text
//! cargo run --release -p setwise-benches -- sliders --boards 4096 --rounds 400 --input typical
//! cargo run --release -p setwise-benches -- --publish
//! ```

#[allow(dead_code, unreachable_pub, reason = "each program takes what it needs of it")]
#[path = "../support/mod.rs"]
mod support;

mod publish;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;
use std::{env, fs, io};

use publish::{Machine, Measured, median};
use support::fresh::Work;
use support::groups::{self, Group, Implementation};
use support::inputs::{Input, Reads};
use support::{changes, legal, one_slider, threats};

/// How long each implementation runs in each round.
const TURN: Duration = Duration::from_micros(150);

/// Boards that no cache holds.
const IN_MEMORY: usize = 1 << 19;

/// All groups, in the order in which they run.
fn all() -> Vec<Group> {
    vec![
        groups::sliders(),
        groups::rays(),
        groups::maps(),
        groups::sliced(),
        groups::memory(),
        groups::memory_maps(),
        groups::position_latency(),
        groups::position_throughput(),
        groups::position_maps(),
        threats::pairs(),
        threats::features(),
        threats::blocks(),
        threats::position(),
        changes::group(),
    ]
    .into_iter()
    .chain(legal::groups())
    .chain(one_slider::groups())
    .collect()
}

const HELP: &str = "\
Compares all kernels and rivals in one process, alternating between them.

    ratios [GROUP]... [--boards N] [--rounds N] [--input NAME]
    ratios --publish [--rounds N]

GROUP is part of a group's name; without one, all groups run. Each line has the median time for a board, and the
speed as a multiple of two rivals'.

    --boards N     boards in the cache [4096]
    --rounds N     turns of each [400; for --publish 40]
    --input NAME   typical or dense [typical]
    --publish      measures everything, and writes benches/results/MACHINE.csv, the tables of benches/RESULTS.md and
                   README.md, and docs/chart.svg; some minutes
    --help         this text
";

struct Options {
    groups: Vec<String>,
    boards: usize,
    rounds: Option<usize>,
    input: Input,
    publish: bool,
}

/// The options; none if only the help is wanted.
fn options() -> Result<Option<Options>, String> {
    let mut options = Options {
        groups: Vec::new(),
        boards: 4096,
        rounds: None,
        input: Input::Typical,
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
            "--boards" => options.boards = number(value()?)?,
            "--rounds" => options.rounds = Some(number(value()?)?),
            "--input" => {
                let name = value()?;
                options.input = Input::named(&name).ok_or(format!("there is no input {name}"))?;
            }
            "--publish" => options.publish = true,
            _ if argument.starts_with('-') => return Err(format!("there is no option {argument}")),
            _ => options.groups.push(argument),
        }
    }
    Ok(Some(options))
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("error: {error} (--help lists the options)");
            return ExitCode::FAILURE;
        }
    };
    let few = options.rounds.unwrap_or(40);
    if options.publish {
        return match publish(few) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        };
    }
    let Options { groups: chosen, boards, input, .. } = options;
    let rounds = options.rounds.unwrap_or(400);
    let groups = all();
    let names: Vec<&str> = groups.iter().map(|group| group.name).collect();
    if let Some(unknown) = chosen.iter().find(|&part| !names.iter().any(|name| name.contains(part)))
    {
        eprintln!("error: no group's name contains {unknown}; there are {}", names.join(", "));
        return ExitCode::FAILURE;
    }
    let (mut work, mut games) = (None, None);
    for group in groups {
        if chosen.is_empty() || chosen.iter().any(|name| group.name.contains(name)) {
            let of_games = group.reads == Reads::Legal;
            let (work, name) = if of_games {
                (games.get_or_insert_with(|| Work::games(boards)), "games")
            } else {
                (work.get_or_insert_with(|| Work::new(input, boards)), input.name())
            };
            println!("{}, {boards} boards ({name}): {}", group.name, work.census());
            compare(&group, work, rounds);
            println!();
        }
    }
    ExitCode::SUCCESS
}

/// Measures everything and writes it into the documents.
fn publish(rounds: usize) -> io::Result<()> {
    let mut measured = Vec::new();
    let (mut work, mut games) = (Work::new(Input::Typical, 4096), Work::games(4096));
    let mut large = Work::new(Input::Typical, IN_MEMORY);
    for group in all() {
        eprintln!("{}", group.name);
        let work = match group.reads {
            _ if group.name.starts_with("memory") => &mut large,
            Reads::Legal => &mut games,
            _ => &mut work,
        };
        let names = group.implementations.iter().map(|implementation| implementation.name.clone());
        let times = names.zip(times(&group, work, rounds)).collect();
        measured.push(Measured { group: group.name, times });
    }
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
            "{}, {}, {flags}, by `ratios --publish --rounds {rounds}`: medians of turns on one core",
            printed("date", &["--utc", "+%F"])?,
            compiler.split(" (").next().unwrap_or_default(),
        ),
        commit: printed("git", &["describe", "--always", "--dirty"])?,
        kernels: publish::kernels(root)?,
        speeds: Machine::speeds(&measured),
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

/// The processor's name with its family and model, since names can be vague; and a name for its file.
fn processor() -> (String, String) {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |wanted: &str| {
        let mut fields = text.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| env::consts::ARCH.into());
    let number = |name| field(name).unwrap_or_else(|| "unknown".into());
    let (family, model) = (number("cpu family"), number("model"));
    let design = match (&*family, model.parse::<u32>().unwrap_or_default()) {
        ("25", 16..=31 | 96..) => ", Zen 4",
        ("25", _) => ", Zen 3",
        ("26", _) => ", Zen 5",
        _ => "",
    };
    let maker = name.split(' ').next().unwrap_or_default().to_lowercase();
    (format!("{name} (family {family} model {model}{design})"), format!("{maker}-{family}-{model}"))
}

/// Times in nanoseconds for a board, by implementation and round. All answers are checked before.
fn times(group: &Group, work: &mut Work, rounds: usize) -> Vec<Vec<f64>> {
    work.check(group);
    let boards = work.len();
    let mut answers = group.answers(boards);
    let mut time = |implementation: &Implementation, passes| {
        work.time(implementation, group.reads, passes, &mut answers).as_secs_f64()
    };
    let passes: Vec<u64> = group
        .implementations
        .iter()
        .map(|implementation| (TURN.as_secs_f64() / time(implementation, 3) * 3.0).max(1.0) as u64)
        .collect();

    let mut times = vec![Vec::with_capacity(rounds); group.implementations.len()];
    for _ in 0..rounds {
        for ((implementation, &passes), times) in
            group.implementations.iter().zip(&passes).zip(&mut times)
        {
            // The first pass is a warm-up and does not count.
            time(implementation, 1);
            times.push(time(implementation, passes) * 1e9 / passes as f64 / boards as f64);
        }
    }
    times
}

/// Prints the time per board of each implementation, and its speed relative to two of them.
fn compare(group: &Group, work: &mut Work, rounds: usize) {
    let times = times(group, work, rounds);
    let against = |name: &str| {
        let at =
            group.implementations.iter().position(|implementation| implementation.name == name);
        at.map(|at| times[at].clone())
    };
    // Of each pair of rivals, one is in a group.
    let named = |rivals: &[(&str, &'static str)]| {
        rivals.iter().find_map(|(name, title)| Some((against(name)?, *title)))
    };
    let first = named(&[
        ("kogge-stone-scalar", "x scalar"),
        ("byteboard-avx2", "x bytebrd"),
        ("pext", "x PEXT"),
    ]);
    let second = named(&[
        ("magic-loop", "x magic"),
        ("cozy-chess", "x cozy"),
        ("line", "x line"),
        ("separate", "x separt"),
    ]);
    let title =
        |rival: &Option<(Vec<f64>, &'static str)>| rival.as_ref().map_or("", |rival| rival.1);
    println!(
        "{:<25} {:>6} {:>9} {:>9} {:>9}",
        "kernel",
        "block",
        "ns/board",
        title(&first),
        title(&second)
    );
    for (implementation, times) in group.implementations.iter().zip(&times) {
        // Empty where the group does not have the rival.
        let ratio = |rival: &Option<(Vec<f64>, &str)>| {
            rival.as_ref().map_or(String::new(), |(rival, _)| {
                let ratios = rival.iter().zip(times).map(|(rival, time)| rival / time);
                format!("{:.2}", median(ratios.collect()))
            })
        };
        println!(
            "{:<25} {:>6} {:>9.3} {:>9} {:>9}",
            implementation.name,
            implementation.block,
            median(times.clone()),
            ratio(&first),
            ratio(&second)
        );
    }
}
