"""Tables as lines of text for ``setwise.Loader``: ``FEN | score | result`` as white sees them. They are read by pyarrow."""

import functools
import importlib
import itertools
import os
from collections.abc import Iterator
from typing import Any

ROWS = 4096
"""Rows of a unit at most, and of a small file fewer, so that it has some dozens."""

FORMATS = {
    "parquet": ("parquet",),
    "arrow": ("arrow", "feather", "ipc"),
    "csv": ("csv",),
    "jsonl": ("jsonl", "ndjson"),
}

RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
"""What is always white's."""


def format_of(path: str, input_format: str | None) -> str | None:
    """The format of a table, or None if the file is something else."""
    if input_format is not None:
        return input_format if input_format in FORMATS else None
    name = os.path.basename(path).lower()
    for compression in (".gz", ".zst"):
        name = name.removesuffix(compression)
    ending = name.rpartition(".")[2]
    return next((name for name, endings in FORMATS.items() if ending in endings), None)


def arrow(part: str = "") -> Any:
    """A module of pyarrow, which is imported when it is needed."""
    return importlib.import_module("pyarrow" + part)


class Table:
    """A file with a table. An iteration gives the number of rows and the lines of each unit."""

    def __init__(self, path: str, input_format: str, columns: dict[str, Any]) -> None:
        try:
            arrow()
        except ImportError as error:
            raise ImportError(f"{path}: tables need pyarrow: install the package `pyarrow`") from error
        self._path, self._format, self._columns = path, input_format, columns
        names = self._names()
        self._fen = self._find(names, "fen")
        self._score = self._find(names, "score")
        self._result = self._find(names, "result")

    @property
    def fields(self) -> tuple[bool, bool]:
        """Whether there are scores, and results."""
        return self._score is not None, self._result is not None

    def _names(self) -> list[str]:
        try:
            if self._format == "parquet":
                return list(arrow(".parquet").read_schema(self._path).names)
            return list(self._stream().schema.names)
        except arrow().ArrowInvalid as error:
            raise ValueError(f"{self._path}: {error}") from error

    def _find(self, names: list[str], what: str) -> str | None:
        wanted: str | None = self._columns[what]
        if wanted is not None:
            if wanted not in names:
                there = ", ".join(f"`{name}`" for name in names)
                raise ValueError(f"{self._path}: no column is called `{wanted}` (`{what}_column`); there are {there}")
            return wanted
        if what != "fen":
            return what if what in names else None
        found = [name for name in names if name.lower() == "fen"]
        if len(found) == 1 or "fen" in found:
            return "fen" if "fen" in found else found[0]
        there = ", ".join(f"`{name}`" for name in names)
        number = "several columns are" if found else "no column is"
        raise ValueError(f"{self._path}: {number} called `fen`: set `fen_column`; there are {there}")

    def _wanted(self) -> list[str]:
        return [name for name in dict.fromkeys((self._fen, self._score, self._result)) if name is not None]

    def _stream(self) -> Any:
        """The file as batches."""
        pa = arrow()
        match self._format:
            case "csv":
                # Text that looks like numbers stays text where a column is named.
                text = {self._fen: pa.string()} if hasattr(self, "_fen") else {}
                convert = arrow(".csv").ConvertOptions(column_types=text)
                return arrow(".csv").open_csv(pa.input_stream(self._path, compression="detect"), convert_options=convert)
            case "jsonl":
                return arrow(".json").open_json(pa.input_stream(self._path, compression="detect"))
            case _:
                source = pa.memory_map(self._path)
                try:
                    return _OfFile(pa.ipc.open_file(source))
                except pa.ArrowInvalid:
                    return pa.ipc.open_stream(pa.memory_map(self._path))

    @property
    def parts(self) -> int:
        """The number of parts that can be read on their own; 0 if the table is a stream."""
        return len(self._starts) - 1

    def part(self, index: int) -> tuple[int, bytes]:
        """The first row of a part, and its lines."""
        pa = arrow()
        try:
            if self._format == "parquet":
                part = self._file.read_row_group(index, columns=self._wanted(), use_threads=False)
            else:
                part = pa.Table.from_batches([self._file.get_batch(index)])
            batches = part.combine_chunks().to_batches()
            return self._starts[index], b"".join(self._lines(batch)[1] for batch in batches)
        except pa.ArrowInvalid as error:
            raise ValueError(f"{self._path}: {error}") from error

    @functools.cached_property
    def _file(self) -> Any:
        if self._format == "parquet":
            return arrow(".parquet").ParquetFile(self._path, memory_map=True)
        return self._stream()

    @functools.cached_property
    def _starts(self) -> list[int]:
        """The first row of each part, and their end."""
        if self._format == "parquet":
            of = self._file.metadata
            sizes = [of.row_group(i).num_rows for i in range(of.num_row_groups)]
        elif self._format == "arrow" and isinstance(self._file, _OfFile):
            sizes = [len(batch) for batch in self._file]
        else:
            sizes = []
        return [0, *itertools.accumulate(sizes)]

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        columns = self._wanted()
        # About, if it is not said.
        count = os.path.getsize(self._path) // 64
        if self._format == "parquet":
            count = self._starts[-1]
        elif self._path.endswith((".gz", ".zst")):
            count *= 4
        rows = min(max(count // 128, ROWS // 32), ROWS)
        try:
            if self._format == "parquet":
                batches = self._file.iter_batches(ROWS, columns=columns, use_threads=False)
            else:
                batches = (batch.select(columns) for batch in self._stream())
            for batch in batches:
                for start in range(0, len(batch), rows):
                    yield self._lines(batch.slice(start, rows))
        except arrow().ArrowInvalid as error:
            raise ValueError(f"{self._path}: {error}") from error

    def _lines(self, batch: Any) -> tuple[int, bytes]:
        pa, pc = arrow(), arrow(".compute")
        fen = batch.column(self._fen).cast(pa.large_string())
        parts = [fen]
        if any(self.fields):
            is_black = pc.match_substring_regex(fen, r"^\s*\S+\s+b")
            parts += [self._scores(batch, is_black), self._results(batch, is_black)]
        lines = pc.binary_join_element_wise(*parts, pa.scalar(" | ", pa.large_string()))
        lines = pc.coalesce(lines, pa.scalar("", pa.large_string()))
        end = pa.scalar("\n", pa.large_string())
        lines = pc.binary_join_element_wise(lines, end, pa.scalar("", pa.large_string()))
        # A fresh array: its text is one line after the other.
        return len(lines), lines.buffers()[2].to_pybytes() if len(lines) else b""

    def _scores(self, batch: Any, is_black: Any) -> Any:
        pa, pc = arrow(), arrow(".compute")
        if self._score is None:
            return pa.repeat(pa.scalar("0", pa.large_string()), len(batch))
        try:
            scores = batch.column(self._score).cast(pa.int64()).fill_null(0)
        except pa.ArrowInvalid as error:
            raise ValueError(f"{self._path}: column `{self._score}`: expected integers: {error}") from error
        if self._columns["scores_of"] == "mover":
            scores = pc.if_else(is_black, pc.negate(scores), scores)
        return scores.cast(pa.large_string())

    def _results(self, batch: Any, is_black: Any) -> Any:
        pa, pc = arrow(), arrow(".compute")
        if self._result is None:
            return pa.repeat(pa.scalar("0.5", pa.large_string()), len(batch))
        # There are few different ones.
        column = batch.column(self._result)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = [self._result_of(value) for value in column.dictionary.to_pylist()]
        indices = column.indices
        numbers = pa.array([number for number, _ in values], pa.int8()).take(indices).fill_null(0)
        of_white = pa.array([is_white for _, is_white in values], pa.bool_()).take(indices).fill_null(True)
        is_turned = pc.and_(is_black, pc.invert(of_white))
        numbers = pc.if_else(is_turned, pc.negate(numbers), numbers)
        texts = pa.array(["0.0", "0.5", "1.0"], pa.large_string())
        return texts.take(pc.add(numbers, pa.scalar(1, pa.int8())))

    def _result_of(self, value: Any) -> tuple[int | None, bool]:
        """A result, and whether it is white's."""
        is_white = self._columns["results_of"] == "white"
        if isinstance(value, str):
            value = value.strip()
            if value in RESULTS:
                return RESULTS[value], True
            # With a point, a win is 1.0 and a loss 0.0; without one, they are 1 and -1.
            try:
                value = float(value) if "." in value else int(value) if value else None
            except ValueError:
                pass
        if value is None:
            return None, True
        if isinstance(value, float) and value in (0, 0.5, 1):
            return int(2 * value - 1), is_white
        if isinstance(value, int) and value in (-1, 0, 1):
            return value, is_white
        expected = "1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1"
        raise ValueError(f"{self._path}: column `{self._result}`: expected {expected}, found {value!r}")


class _OfFile:
    """The batches of an Arrow file."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.schema = file.schema

    def get_batch(self, index: int) -> Any:
        return self._file.get_batch(index)

    def __iter__(self) -> Iterator[Any]:
        return map(self.get_batch, range(self._file.num_record_batches))
