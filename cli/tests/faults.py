"""Plants faults in a copy of the program, one at a time, and fails if its tests do not catch one.

    python3 cli/tests/faults.py             all of them; some seconds each
    python3 cli/tests/faults.py WORD ...    those whose name has one of the words
    python3 cli/tests/faults.py --list      what there is; also checks that each still finds its place

A fault names the tests that should catch it, as `cargo test --test program` takes names; they run first, the others
only if they pass. `table:heat` are tests of another crate.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What is wrong, where, what stands there and what is put in its place, and who should catch it.
FAULTS = [
    ("a batch that ends by its bytes drops the rest", "input.rs",
     "    Ok(false)\n}", "    Ok(text.len() >= bytes)\n}", "batches"),
    ("batches that never end by their bytes", "input.rs",
     "while *lines > 0 && text.len() < bytes {", "while *lines > 0 && bytes > 0 {", "batches"),
    ("an input that goes away is skipped", "input.rs",
     "open(path, &self.progress).with_context(wrong)?",
     "open(path, &self.progress).or_else(|_| text(io::empty())).with_context(wrong)?", "errors"),
    ("lines numbered from the start of the batch", "input.rs",
     "self.line += (before - left) as u64;", "self.line = 1 + (before - left) as u64;", "batches"),
    ("a byte order mark that is no text", "input.rs",
     "head.drain(..3);", "head.drain(..0);", "inputs"),
    ("whatever follows a gzip member is dropped", "input.rs",
     "Some(_) => return Err(something_else()),", "Some(_) => {}", "inputs"),
    ("values wrong after the first chunk", "table/values.rs",
     "&mut cast_slice_mut(&mut self.own)[start..self.used]",
     "&mut cast_slice_mut(&mut self.own)[..self.used - start]", "batches"),
    ("the state of the first rows for all", "table/values.rs",
     "column.get(rows.clone()).unwrap_or(&[])", "column.get(..rows.len()).unwrap_or(&[])", "packed"),
    ("no text after the first rows", "table/values.rs",
     "cells.append_option(text.map(String::from_utf8_lossy));",
     "cells.append_option(text.filter(|_| cells.len() < 20).map(String::from_utf8_lossy));", "batches"),
    ("rows skipped among the numbers and not beside them", "table/finished.rs",
     "if skipped.is_empty() || columns.is_empty() {", "if rows > 0 {", "tables"),
    ("a FEN that is asked for passed along too", "table/query.rs",
     "input.passed.retain(|place| *place != fen);", "input.passed.retain(|place| *place <= fen);", "tables"),
    ("what is null in a column null in none", "table/values.rs",
     "_ => NullBuffer::union(nulls.as_ref(), own.as_ref()),", "_ => own.or(None),", "tables"),
    ("rows of a table numbered anew in each part", "import/interface.rs",
     "self.next += rows as u64;", "self.next = 1;", "tables"),
    ("records numbered anew in each part", "table/records.rs",
     "*records += rows as u64;", "*records = 0;", "packed"),
    ("numbers cut to a byte in a .npy file", "export/npy.rs",
     "fill(cells, column.as_primitive::<UInt16Type>(), u64::from)",
     "fill(cells, column.as_primitive::<UInt16Type>(), |n| u64::from(n as u8))", "batches"),
    ("a .npy header with the rows of the last batch", "export/npy.rs",
     "self.rows += rows;", "self.rows = rows;", "batches"),
    ("a header in every batch of a CSV file", "export/csv.rs",
     "text(&batch, false)", "text(&batch, true)", "batches"),
    ("the columns of a row group in another order", "export/parquet.rs",
     "for chunk in columns.into_iter().flatten() {", "for chunk in columns.into_iter().rev().flatten() {", "batches"),
    ("a batch without rows loses its rejects", "maps.rs",
     "if let Some(rejects) = &mut rejects {",
     "if let Some(rejects) = &mut rejects\n                && done.rows > 0\n            {", "batches"),
    ("nothing but bad lines is a success", "maps.rs",
     "if total.rows == 0\n", "if total.rows == u64::MAX\n", "errors"),
    ("the count of invalid rows capped", "table/rows.rs",
     "self.report.invalid += 1;", "self.report.invalid = (self.report.invalid + 1).min(5);", "batches"),
    ("blanks kept at the end of the text", "table/lines.rs",
     "rows.push(&fen, text, line.number)", "rows.push(&fen, line.text, line.number)", "batches"),
    ("a line of exactly the longest length refused", "table/lines.rs",
     "let too_long = self.text.len() > MAX_LINE;", "let too_long = self.text.len() >= MAX_LINE;", "errors"),
    ("what stands behind many blanks not seen", "table/lines.rs",
     "let too_long = self.text.len() > MAX_LINE;", "let too_long = text.len() > MAX_LINE;", "errors"),
    ("a queue without bounds", "table/threads.rs",
     "state.bytes > 0 && state.bytes + weight > limit", "state.bytes > 0 && weight > limit + state.bytes",
     "batches"),
    ("memory of its own for each thread", "signals.rs",
     "libc::mallopt(libc::M_ARENA_MAX, 1);", "libc::mallopt(libc::M_ARENA_MAX, 64);", "memory"),
    ("standard input as output", "output.rs",
     "true => Handle::stdin().ok(),", "true => None,", "errors"),
    ("standard output as input", "output.rs",
     "            let file = stdout().with_context(wrong)?;\n            refuse(&file, inputs, others, &name)?;",
     "            let file = stdout().with_context(wrong)?;", "errors"),
    ("outputs that collide compared by name", "output.rs",
     "if theirs.is_some_and(|theirs| theirs == output) {",
     "if theirs.is_some_and(|theirs| theirs == output) && other.name == name {", "errors"),
    ("a new file only for its owner", "output.rs",
     "from_mode(0o666)", "from_mode(0o600)", "errors"),
    ("a link to no file yet replaced by a file", "output.rs",
     "Ok(target) => path = folder.join(target),", "Ok(_) => return Ok(full),", "errors"),
    ("a run that fails at its end keeps its rejects", "output.rs",
     "in renamed.into_iter().rev() {", "in renamed.into_iter().rev().take(0) {", "errors"),
    ("a file renamed before it is written", "output.rs",
     "            output.flush().map_err(|error| output.not_written(error))?;",
     "            let _ = output.flush();", "errors"),
    ("signals heard that were ignored", "signals.rs",
     "heard.into_iter().filter(|&signal| !is_ignored(signal))", "heard", "ends"),
    ("SIGHUP not heard", "signals.rs", "[SIGHUP, SIGINT,", "[SIGINT,", "ends"),
    ("a limit for files that kills", "signals.rs",
     "flag::register(SIGXFSZ,", "flag::register(SIGXFSZ.min(10),", "ends"),
    ("a closed standard output written to", "signals.rs",
     "STDOUT_WAS_CLOSED.store(flags == -1", "STDOUT_WAS_CLOSED.store(flags == -2", "ends"),
    ("spare bytes looked at in the first batch only", "convert.rs",
     "if self.keep_extra\n", "if self.keep_extra && self.counts.rows == 0\n", "packed"),
    ("a second row that does not fit not changed", "convert.rs",
     "limited != Some(row)", "limited.is_none()", "packed"),
    ("a row behind one that does not fit lost", "convert.rs", "row += 1;", "row += 2;", "packed"),
    ("nothing but rows that do not fit is a success", "convert.rs",
     "self.first.get_or_insert(error);\n                    row", "row", "packed"),
    ("rows that do not fit changed without --lossy", "convert.rs",
     "if unfit && self.lossy &&", "if unfit &&", "packed"),
    ("castling of a row that does not fit lost for both", "formats/records.rs",
     "castling.black &= rooks[1];", "castling.black &= rooks[0];", "formats:formats"),
    ("a clock beyond what its bits hold", "formats/records.rs",
     "([0x81; 2], 127, u16::MAX.into())", "([0x81; 2], 255, u16::MAX.into())", "formats:formats"),
    ("a number of the move whose ply does not fit", "formats/records.rs", "1 << 15)", "1 << 16)", "formats:formats"),
    ("a score without its sign", "formats/records.rs",
     "(*score).clamp(-i32::from(i16::MAX), i16::MAX.into())", "(*score).clamp(0, i16::MAX.into())", "formats:formats"),
    ("queens along ranks and files let en passant be", "formats/game.rs",
     "attacks(ROOK, king, occupied) & (rooks | queens)", "attacks(ROOK, king, occupied) & rooks", "formats:lib"),
    ("a buffer that grows beyond its size", "formats/writer.rs",
     "self.buffer.len() + SIZE > BUFFER", "self.buffer.len() > BUFFER", "formats:formats"),
    ("records counted by those that were written well", "formats/writer.rs",
     "self.offset += SIZE as u64;", "self.offset += 1;", "packed"),
    ("007 a number", "import/types.rs", "[b'0', b'0'..=b'9', ..] => Self::Text,",
     "[b'0', b'0'..=b'9', ..] => Self::Integer,", "cli:types"),
    ("an integer and a float an integer", "import/types.rs",
     "(Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Float,",
     "(Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Integer,", "tables"),
    ("a later cell of another type let through", "import/types.rs",
     "let fits = expected.join(kind()) == expected;", "let fits = expected.join(kind()) == kind() || true;", "tables"),
    ("a key that comes twice", "import/json.rs", "if column.len() > row {", "if column.len() > row + 1 {", "tables"),
    ("a place in the string for one in the line", "import/json.rs",
     "start + error.column()", "error.column()", "tables"),
    ("a record with more cells than names", "import/csv.rs",
     "record.len() != self.fields", "record.len() < self.fields", "tables"),
    ("a quote behind another delimiter not seen", "import/cut.rs",
     "record[at - 1] == delimiter", "record[at - 1] == b','", "tables"),
    ("a folder read backwards", "input.rs", "entries.sort();", "entries.sort_by(|a, b| b.cmp(a));", "tables"),
    ("a folder's metadata read", "input.rs", "&& !name.starts_with(b\"_\")", "", "tables"),
    ("an extension in capitals not known", "input.rs",
     "extension.eq_ignore_ascii_case(known)", "extension == *known", "packed"),
    ("a table of any width", "import/interface.rs",
     "if self.all() && columns > MAX_COLUMNS {", "if self.all() && columns > 100 * MAX_COLUMNS {", "tables"),
    ("a file of Arrow in a pipe", "export/arrow.rs",
     "match output.can_rewrite() {", "match output.can_rewrite() || true {", "tables"),
    ("rows left out counted without those before", "table/rows.rs",
     "self.skipped.push(self.nulls.len() + self.skipped.len());", "self.skipped.push(self.nulls.len());", "tables"),
    ("a row without text stops where rows are skipped", "table/chunks.rs",
     "None if !self.plan().leaves_out_nulls() =>", "None =>", "tables"),
    ("the first of two columns of one name", "table/input.rs",
     "(Some((place, _)), None) => Ok(place),", "(Some((place, _)), _) => Ok(place),", "tables"),
    ("rows behind those left out not moved up", "table/collect.rs",
     "row * from..row * (from + rows), row * to", "row * from..row * (from + rows), row * from", "table:collect"),
    ("a row counted for each part", "table/collect.rs", "rows_now += part.rows;", "rows_now += part.rows + 1;",
     "table:collect"),
    ("sums of squares that overflow", "table/heat.rs", ".take(255)", ".take(256)", "table:heat"),
    ("a ply without whose turn it is", "table/heat.rs",
     ".saturating_add(turn.into())", ".saturating_add(u32::from(turn) * 0)", "table:heat"),
    ("a position that is not there counted", "table/heat.rs",
     "is_none_or(|sets| sets.is_valid(*row))", "is_none_or(|sets| sets.is_valid(*row) || true)", "table:heat"),
    ("a comparison with a null that is true", "table/truth.rs",
     "const UNKNOWN: u8 = 1;", "const UNKNOWN: u8 = 2;", "table:conditions"),
    ("a column on the right compared as on the left", "table/truth.rs",
     "Self::Less => Self::Greater,", "Self::Less => Self::Less,", "table:conditions"),
    ("rows left out counted by every condition", "table/filter.rs",
     "let is_out = *kept && truth != TRUE;", "let is_out = truth != TRUE;", "table:conditions"),
    ("rows without a position that have values for conditions", "table/kept.rs",
     "*valid &= is_valid.is_none_or(|is_valid| is_valid(start + row));",
     "*valid &= is_valid.is_none_or(|is_valid| is_valid(row));", "table:conditions"),
    ("rows left out by columns of a table not left out beside the numbers", "table/kept.rs",
     "stays = late.is_none_or(|late| late[of_kept]);", "stays = late.is_none_or(|late| late[0]);", "table:conditions"),
    ("rows that are skipped forgotten where others are left out", "table/kept.rs",
     "while let Some(row) = skipped.next_if_eq(&at) {", "while let Some(row) = skipped.next_if(|_| false) {",
     "table:conditions"),
    ("castling that captures its rook", "table/values.rs",
     "MoveKind::Castling => false,", "MoveKind::Castling => true,", "table:conditions"),
    ("columns that only conditions need written too", "table/rows.rs",
     "passed.truncate(plan.passed());", "passed.truncate(usize::MAX);", "table:conditions"),
    ("black's score as white sees it", "table/labels.rs",
     "setwise::Colour::Black => (-score, -result),", "setwise::Colour::Black => (score, -result),", "labels"),
    ("white's score for the mover's", "labels.rs",
     "side == Side::White && position.turn == Colour::Black", "side == Side::White && false", "labels"),
    ("castling to the square of the king", "labels.rs",
     "to = file.map(|file| rank | file).next().unwrap_or(to);", "to = file.map(|_| to).next().unwrap_or(to);", "labels"),
    ("a position without a move written as a game", "convert.rs",
     "if one.moves.iter().flatten().next().is_none() {", "if one.moves.is_empty() {", "labels"),
]


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    chosen = [fault for fault in FAULTS if not words or any(word in fault[0] for word in words)]
    for name, file, old, new, _ in FAULTS:
        found = (ROOT / place(file)).read_text().count(old)
        if found != 1:
            sys.exit(f"{name}: found {found} times in {file}")
    if "--list" in sys.argv:
        print("\n".join(fault[0] for fault in chosen))
        return
    copy = ROOT / "target/faults"
    shutil.rmtree(copy, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in filter(None, listed.split("\0")):
        if (ROOT / path).is_file():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            # With the time of now: an older one would leave what was built of the last run's last fault.
            shutil.copy(ROOT / path, copy / path)
    if caught := run(copy, ""):
        sys.exit(f"without a fault fails {caught}")
    survivors = []
    for name, file, old, new, first in chosen:
        path = copy / place(file)
        right = path.read_text()
        path.write_text(right.replace(old, new))
        start = time.time()
        caught = run(copy, first) or run(copy, "")
        path.write_text(right)
        print(f"{name:<52}{caught or 'SURVIVES':<70}{time.time() - start:>4.0f} s", flush=True)
        if not caught:
            survivors.append(name)
    if survivors:
        sys.exit(f"not caught: {', '.join(survivors)}")
    print(f"all {len(chosen)} faults were caught")


def place(file):
    """Where a file is: in the program, or in one of the crates below it."""
    crate, _, name = file.partition("/")
    return f"{crate}/src/{name}" if crate in ("formats", "table") else f"cli/src/{file}"


def run(copy, tests):
    """Runs tests, and says which fail."""
    crate, _, target = tests.rpartition(":")
    if crate:
        which = ["--lib"] if target == "lib" else ["--bins"] if crate == "cli" else ["--test", target]
        arguments = ["-p", f"setwise-{crate}", *which]
    else:
        arguments = ["-p", "setwise-cli", "--test", "program", "--", tests]
    command = ["cargo", "test", "--quiet", "--offline", *arguments]
    environment = os.environ | {"CARGO_TARGET_DIR": str(ROOT / "target/faults-build")}
    try:
        result = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return f"{tests}: no end"
    if result.returncode == 0:
        return None
    failed = sorted(set(re.findall(r"^---- (\S+) stdout", result.stdout, re.M)))
    if not failed:
        sys.exit(f"the fault does not compile, or the tests do not run:\n{result.stderr}")
    return failed[0] + (f" and {len(failed) - 1} more" if len(failed) > 1 else "")


main()
