"""Plants faults in a copy of the program and of what is beside it, one at a time, and fails if no test catches one.

    python3 crates/cli/tests/faults.py             all of them; some seconds each
    python3 crates/cli/tests/faults.py WORD ...    those whose name or file has one of the words
    python3 crates/cli/tests/faults.py --list      what there is; also checks that each still finds its place

A fault names the tests that should catch it, as `cargo test --test program` takes names; they run first, all of the
program's only if they pass. `table:heat` are tests of another crate, `c:errors` is a program in `bindings/c/tests`, and
`python:test_maps` is a file of the package's tests, for which SETWISE_PYTHON names an interpreter that has what
`bindings/python/tests/requirements.txt` names; without it, faults of the package are left out.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()

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
    ("castling through an attacked square", "formats/pgn/board.rs",
     "if attackers(&without_king, square, self.us) != 0 {",
     "if attackers(&without_king, square, self.us) != 0 && square == king {", "formats:pgn"),
    ("the pawn behind the square of en passant not looked for", "formats/pgn/board.rs",
     "passed = 1 << back(to, 1) & self.theirs() & self.sets[PAWN];", "passed = 1 << back(to, 1);", "formats:pgn"),
    ("castling with a rook that was captured by a piece", "formats/pgn/board.rs",
     "!(1 << from | 1 << to | rank & king_moves)", "!(1 << from | rank & king_moves)", "formats:pgn"),
    ("castling with a rook that was captured by a pawn", "formats/pgn/board.rs",
     "self.castling &= !bit;", "self.castling &= !(bit & 0);", "formats:pgn"),
    ("an ambiguous move made by the first piece", "formats/pgn/board.rs",
     "_ => Err(Refusal::Several(legal)),", "_ => Ok((legal.trailing_zeros() & 63) as u8),", "formats:pgn"),
    ("a double step over a piece", "formats/pgn/board.rs",
     "let way = bit | if double { 1 << one } else { 0 };", "let way = bit;", "formats:pgn"),
    ("a square of en passant that outlives a move", "formats/pgn/board.rs",
     "        self.en_passant = NO_SQUARE;\n        let rank = 0xff << (56 * (self.us & 1));",
     "        let rank = 0xff << (56 * (self.us & 1));", "formats:pgn"),
    ("plies of a variation counted on", "formats/pgn/movetext.rs", "self.ply -= 1;", "self.ply -= 0;", "formats:pgn"),
    ("what a comment says lost behind a variation", "formats/pgn/movetext.rs",
     "(self.board, self.before, self.notes) = (board, before, notes);",
     "(self.board, self.before) = (board, Some(notes).and(before));", "formats:pgn"),
    ("a result in a variation ends the game", "formats/pgn/movetext.rs",
     "        if self.lines.is_empty() {\n            self.result.get_or_insert(result);",
     "        if self.lines.len() < 2 {\n            self.result.get_or_insert(result);", "formats:pgn"),
    ("a tag in a comment begins a game", "formats/pgn/chunks.rs",
     "(_, b'[') => !self.in_comment(text, start) ||", "(_, b'[') => self.line == start ||", "formats:pgn"),
    ("comments forgotten where a chunk ends", "formats/pgn/chunks.rs",
     "[&mut self.start, &mut self.line, &mut self.searched, &mut self.reader.at]",
     "[&mut self.start, &mut self.line, &mut self.searched]", "formats:pgn"),
    ("games that are too long cut and kept", "formats/pgn/chunks.rs",
     "                self.flaw = Some(Flaw::TooLong);\n", "", "formats:pgn"),
    ("a rank of origin for a pawn", "formats/pgn/san.rs",
     "(_, Some(rank)) if piece != PAWN =>", "(_, Some(rank)) if piece <= KING =>", "formats:pgn"),
    ("a ply that reaches into the result", "formats/binpack.rs", "if ply >= 1 << 14 {", "if ply >= 1 << 15 {",
     "formats:pgn"),
    ("a square of en passant that no pawn can capture on", "formats/binpack.rs",
     "filter(|&square| capturers(square) != 0)", "filter(|&square| capturers(square) < !0)",
     "formats:pgn"),
    ("the difference of a score to the last but one", "formats/binpack.rs",
     "expected = score.wrapping_neg();", "expected = score;", "formats:pgn"),
    ("spare bytes cut to 24 bits", "formats/bullet.rs", "extra >= 1 << 24", "extra >= 1 << 25", "formats:formats"),
    ("a row more than is read", "formats/reader.rs", "if batch.len() == rows {", "if batch.len() > rows {",
     "formats:formats"),
    ("records that are wrong not counted", "formats/reader.rs",
     "self.records += bad as u64 + 1;", "self.records += bad as u64;", "formats:formats"),
    ("half a game left in a file", "formats/game_writer.rs",
     "self.buffer.truncate(start);", "self.buffer.truncate(start.max(self.buffer.len()));", "formats:pgn"),
    ("a clock's highest bit", "formats/packed_sfen.rs", "(clocks >> 22 & 1) << 6", "(clocks >> 22 & 1) << 5",
     "formats:formats"),
    ("a result of white for the mover's", "formats/marlin.rs",
     "if turn == Colour::White { result } else { 2 - result }", "result", "formats:formats"),
    ("tags of a game for one row of it", "table/tags.rs",
     "Tag::Text(cells) => (0..count).for_each(|_| cells.append_option(value)),",
     "Tag::Text(cells) => (0..count).for_each(|row| cells.append_option(value.filter(|_| row == 0))),", "table:games"),
    ("rows of a table for the games of the part before", "table/games.rs",
     "iter::repeat_n(row as u64, games.len() - count)", "iter::repeat_n(row as u64 / 2 * 2, games.len() - count)",
     "table:games"),
    ("games of the last part only", "table/games.rs",
     "        tags.push(&games);\n",
     "        if game + 1 == chunk.games() {\n            tags.push(&games);\n        }\n",
     "table:games"),
    ("a start that a table has not looked at", "table/games.rs",
     "flatten().filter(|fen| !fen.is_empty())", "flatten().filter(|fen| fen.len() > 999)", "table:games"),
    ("conditions on lines evaluated before there are any", "table/filter.rs",
     "matches!(column, Column::Input(Fen | Line | Rest))", "matches!(column, Column::Input(Fen | Rest))",
     "table:conditions"),
    ("one place for two columns of conditions", "table/filter.rs",
     "columns.push(column);\n            columns.len() - 1", "columns.push(column);\n            0",
     "table:conditions"),
    ("levels of conditions that never end", "table/condition.rs",
     "        self.depth -= 1;\n", "", "table:lib"),
    ("a sign behind 0x", "table/condition.rs",
     ".filter(|_| !hex.starts_with('+'))", "", "table:lib"),
    ("values of records without any", "table/values.rs",
     "            [] => cells.fill(0),\n", "", "table:records"),
    ("moves of records without any", "table/values.rs",
     ".chain(std::iter::repeat(None))", "", "table:records"),
    ("-1 is no proof that 0 is a draw", "labels.rs",
     "self.loss_is.is_some() || self.seen.has_minus_one;", "self.loss_is.is_some();", "labels"),
    ("results of white taken for the mover's", "labels.rs",
     "of_side(self.results_of), self.loss_is", "false, self.loss_is", "labels"),
    ("files of runs that still write removed", "output.rs",
     "            && file.try_lock().is_ok()\n", "", "ends"),
    ("files of killed runs that stay", "output.rs",
     "        remove_abandoned(folder, &prefix);\n", "", "ends"),
    ("comments looked through anew at each line", "formats/pgn/chunks.rs",
     "            _ => self.read_to(text, start).brace,", "            None => true,\n            _ => self.read_to(text, start).brace,",
     "formats:pgn"),
    ("words read to their end behind each sign", "formats/pgn/movetext.rs",
     "text.len().min(at + MAX_MOVE)", "text.len()", "formats:pgn"),
    ("tags among moves that are another game", "formats/pgn/chunks.rs",
     "self.flaw.get_or_insert(Flaw::Unfinished);", "", "formats:pgn"),
    ("malformed tags taken", "formats/pgn/replay.rs",
     "                        tags.malformed.get_or_insert(at..tag.end);\n", "", "formats:pgn"),
    ("records of C whose bytes overflow", "c/changes.rs",
     "record_count > isize::MAX as usize / size_of::<ThreatChange>()", "false", "c:threats"),
    ("boards of another byte order as they lie", "bindings/python/setwise/__init__.py",
     'array.astype(array.dtype.newbyteorder("="), copy=False)', "array.astype(array.dtype, copy=False)",
     "python:test_numbers"),
    ("masked rows that are boards", "bindings/python/setwise/__init__.py",
     "    if np.ma.is_masked(array):\n        raise", "    if np.ma.is_masked(array) and what is None:\n        raise",
     "python:test_numbers"),
    ("a square of en passant beyond the board", "bindings/python/setwise/__init__.py",
     "(-1, 63) if name", "(-1, 64) if name", "python:test_legal"),
    ("an array for results that is not aligned", "bindings/python/setwise/__init__.py",
     "if out.flags.aligned and (out.strides", "if (out.strides", "python:test_numbers"),
    ("rows of results that overlap in their last element", "bindings/python/setwise/__init__.py",
     "outer < inner * (count - 1) + array.itemsize", "outer < inner * (count - 1)", "python:test_numbers"),
    ("planes of another byte order", "bindings/python/setwise/__init__.py",
     'maps.astype("<u8", copy=False)', "maps.astype(maps.dtype, copy=False)", "python:test_numbers"),
    ("signs in an error that stay escaped", "bindings/python/setwise/_error.py",
     "_ESCAPED.get(c[2], c[2])", "c[2]", "python:test_maps"),
    ("the index of a frame lost", "bindings/python/setwise/_pandas.py",
     "of_table.index = index", "of_table.attrs = {}", "python:test_maps"),
    ("integers with nulls rounded to floating-point numbers", "bindings/python/setwise/_pandas.py",
     "if type_ in with_nulls else None", "if type_ in () else None", "python:test_maps"),
    ("UCI's moves turned for black", "bindings/python/setwise/_policy.py",
     'if black and policy != "uci" else 0', "if black else 0", "python:test_legal"),
    ("castling on the queen's side to the b-file", "bindings/python/setwise/_policy.py",
     "target += 1 if target > origin else -2", "target += 1 if target > origin else -1", "python:test_legal"),
    ("moves with something behind them", "bindings/python/setwise/_policy.py",
     'role[moves.astype("U6") != moves.astype("U5")] = -1', "role[role < -1] = -1", "python:test_legal"),
    ("castling to a rook's square for all", "bindings/python/setwise/_policy.py",
     "moves[to_rook] &= 0xFFF", "moves[castles] &= 0xFFF", "python:test_legal"),
    ("a loader that goes on with another seed", "bindings/python/setwise/_loader.py",
     'free = ("threads", ', 'free = ("seed", "threads", ', "python:test_loader"),
    ("inputs of the mover exchanged for white", "bindings/python/src/loader/inputs.rs",
     "if *turn == Colour::Black {", "if *turn == Colour::White {", "python:test_loader"),
    ("units of a shard that others take too", "bindings/python/src/loader.rs",
     "if draw.number % shards == shard {", "if draw.number % shards <= shard {", "python:test_loader"),
    ("results of black for white in tables", "bindings/python/setwise/_tables.py",
     '"0-1": -1', '"0-1": 1', "python:test_loader_tables"),
    ("a null result that is a win", "bindings/python/setwise/_tables.py",
     ".take(indices).fill_null(0)", ".take(indices).fill_null(1)", "python:test_loader_tables"),
    ("scores of the mover not turned", "bindings/python/setwise/_tables.py",
     "pc.if_else(is_black, pc.negate(scores), scores)", "scores", "python:test_loader_tables"),
    ("a row of a table lost in each unit", "bindings/python/setwise/_tables.py",
     "batch.slice(start, ROWS)", "batch.slice(start, ROWS - 1)", "python:test_loader_tables"),
    ("black to move seen in any letter", "bindings/python/setwise/_tables.py",
     r"^\s*\S+\s+b", "b", "python:test_loader_tables"),
    ("a copy of a loader that begins anew", "bindings/python/setwise/_loader.py",
     '        self.load_state_dict(state["state"])', "        pass", "python:test_loader"),
    ("counts that are not resumed", "bindings/python/setwise/_loader.py",
     "(list(counts[0]), counts[1], counts[2]))", "([0] * len(counts[0]), 0, 0))", "python:test_loader"),
    ("one order for all epochs", "bindings/python/src/loader/order.rs",
     "Random::of(&[seed, epoch, 1])", "Random::of(&[seed, 0, 1])", "python:test_loader"),
    ("an argument of a first question exchanged", "c/position.rs",
     "ready!(setwise_sliders_orthogonal_attacks(kernel; sliders, occupied))",
     "ready!(setwise_sliders_orthogonal_attacks(kernel; occupied, sliders))", "c:questions"),
    ("the pinners of the other side", "c/position.rs",
     "pinners(pieces, self::colour(colour))", "pinners(pieces, self::colour(u8::from(colour == 0)))", "c:questions"),
    ("arrays of C that are not aligned taken", "c/buffers.rs",
     "if !values.is_aligned() {", "if !values.is_aligned() && count == 0 {", "c:errors"),
    ("arrays of C that overlap at their end", "c/buffers.rs",
     "place.start < other.end && other.start < place.end",
     "(other.start..other.end).contains(&place.start)", "c:errors"),
    ("arrays that C writes compared with what it reads only", "c/buffers.rs",
     "self.inputs.iter().chain(&self.outputs)", "self.inputs.iter().chain(&self.outputs[..0])", "c:errors"),
    ("the threats that fit counted in place of all", "c/threats.rs",
     "    list.as_slice().len()\n", "    written\n", "c:errors"),
    ("offsets of each part of C's lists from zero", "c/fill.rs",
     "*offset = self.values + end;", "*offset = *end;", "c:guard"),
    ("a buffer of lists for bytes in place of values", "c/fill.rs",
     "capacity: bytes / size_of::<T>()", "capacity: bytes", "c:errors"),
    ("the state of C's first part for all", "c/positions.rs",
     "input_slice(values.add(at), length)", "input_slice(values, length)", "c:guard"),
    ("rows of C that are copied from the first on", "c/positions.rs",
     "input_slice(self.rows.add(at), length)", "input_slice(self.rows, length)", "c:guard"),
    ("castling rights of C exchanged", "c/positions.rs",
     "Castling { white, black }", "Castling { white: black, black: white }", "c:legal"),
    ("moves counted as far as they fit", "c/legal.rs",
     "            *to = played.bits();\n        }\n        count += 1;",
     "            *to = played.bits();\n            count += 1;\n        }", "c:legal"),
    ("records of C that are not aligned", "c/changes.rs",
     "is_good: is_there && values.is_aligned()", "is_good: is_there", "c:threats"),
    ("records of C beyond memory", "c/changes.rs",
     "start.wrapping_sub(1) < usize::MAX - len;", "start != 0;", "c:threats"),
    ("any number of squares taken for two", "c/changes.rs",
     "if change_count == 2\n", "if change_count >= 2\n", "c:threats"),
    ("two of C's buffers that are one", "c/changes.rs",
     "are_good!(@apart [$($before)* $output] $($rest)*)", "are_good!(@apart [$($before)*] $($rest)*)", "c:threats"),
    ("the answers of both sides exchanged", "c/changes.rs",
     "(*sides).answer(both.white);\n                (*sides.add(1)).answer(both.black);",
     "(*sides).answer(both.black);\n                (*sides.add(1)).answer(both.white);", "c:threats"),
    ("a mirror for the other", "c/feature_sets.rs",
     "SETWISE_MIRROR_KING_TO_A_TO_D => Ok(Mirror::KingToFilesAToD),",
     "SETWISE_MIRROR_KING_TO_A_TO_D => Ok(Mirror::KingToFilesEToH),", "c:threats"),
]


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    chosen = [fault for fault in FAULTS if not words or any(word in fault[0] or word in fault[1] for word in words)]
    for name, file, old, new, _ in FAULTS:
        found = (ROOT / place(file)).read_text().count(old)
        if found != 1:
            sys.exit(f"{name}: found {found} times in {file}")
    if "--list" in sys.argv:
        print("\n".join(fault[0] for fault in chosen))
        return
    without_python = [fault for fault in chosen if not fault[4].startswith("python:")]
    if "SETWISE_PYTHON" not in os.environ and len(without_python) < len(chosen):
        print("SKIPPED: faults of the Python package, for SETWISE_PYTHON is not set", file=sys.stderr)
        chosen = without_python
    copy = TARGET / "faults"
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    listed = [path for path in listed.split("\0") if path and (ROOT / path).is_file()]
    for path in listed:
        # What has not changed since the last run keeps its time, so that it is not built again. The rest gets the time of
        # now: an older one would leave what was built of the last run's last fault.
        if not (copy / path).is_file() or (copy / path).read_bytes() != (ROOT / path).read_bytes():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, copy / path)
    for path in copy.rglob("*.rs"):
        if str(path.relative_to(copy)) not in listed:
            path.unlink()
    for tests in dict.fromkeys(fault[4] for fault in chosen):
        # The first one builds everything.
        if caught := run(copy, tests, None):
            sys.exit(f"without a fault fails {caught}")
    survivors = []
    for name, file, old, new, first in chosen:
        path = copy / place(file)
        right = path.read_text()
        path.write_text(right.replace(old, new))
        start = time.time()
        caught = run(copy, first) or (None if first.startswith(("c:", "python:")) else run(copy, ""))
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
    if crate == "bindings":
        return file
    if crate == "c":
        return f"bindings/c/src/{name}"
    return f"crates/{crate}/src/{name}" if crate in ("formats", "table") else f"crates/cli/src/{file}"


def run(copy, tests, seconds=900):
    """Runs tests, and says which fail."""
    crate, _, target = tests.rpartition(":")
    environment = os.environ | {"CARGO_TARGET_DIR": str(TARGET / "faults-build")}
    folder = copy
    if crate == "python":
        build = ["cargo", "build", "--quiet", "--release", "--offline", "--lib", "--manifest-path", "bindings/python/Cargo.toml"]
        subprocess.run(build, cwd=copy, env=environment, check=True)
        shutil.copy(TARGET / "faults-build/release/lib_setwise.so", copy / "bindings/python/setwise/_setwise.abi3.so")
        environment["PYTHONPATH"] = str(copy / "bindings/python")
        folder = copy / "bindings/python/tests"
        command = [os.environ["SETWISE_PYTHON"], "-B", "-m", "pytest", "--quiet", "-x", f"{target}.py"]
    elif crate == "c":
        folder = copy / "bindings/c"
        library = "build/libsetwise.a"
        compiler = ["cc", "-O1", "-Iinclude", f"tests/{target}.c", library, "-lpthread", "-ldl", "-lm"]
        for build in (["make", "--silent", library], [*compiler, "-o", f"build/{target}-faults"]):
            subprocess.run(build, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        command = [folder / f"build/{target}-faults"]
    else:
        # The program with the crate that has the most tests beside it, so that what both need is built once for both.
        packages = [f"--package=setwise-{name}" for name in (["formats"] if crate == "formats" else ["cli", "table"])]
        if target == "lib" or crate == "cli":
            packages = [f"--package=setwise-{crate}"]
        if crate:
            which = ["--lib"] if target == "lib" else ["--bins"] if crate == "cli" else ["--test", target]
        else:
            which = ["--test", "program", "--", tests]
        command = ["cargo", "test", "--quiet", "--offline", *packages, *which]
    try:
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"{tests}: no end"
    if result.returncode == 0:
        return None
    if crate == "c":
        failed = [f"{target}.c: {(result.stderr.splitlines() or [result.returncode])[0]}"[:68]]
    elif crate == "python":
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", result.stdout, re.M)
    else:
        failed = sorted(set(re.findall(r"^---- (\S+) stdout", result.stdout, re.M)))
    if not failed:
        sys.exit(f"the fault does not compile, or the tests do not run:\n{result.stderr}")
    return failed[0] + (f" and {len(failed) - 1} more" if len(failed) > 1 else "")


if __name__ == "__main__":
    main()
