"""Reads tables as Arrow streams for ``setwise.Loader``, with pyarrow."""

import contextlib
import functools
import importlib
import itertools
import os
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _setwise

ROWS = 4096
"""The maximum number of rows per unit. Small files have smaller units, so that each has a few dozen."""

FORMATS = {
    "parquet": ("parquet",),
    "arrow": ("arrow", "feather", "ipc"),
    "csv": ("csv",),
    "jsonl": ("jsonl", "ndjson"),
}


def format_of(path: str, input_format: str | None) -> str | None:
    """Returns the format of a table, or ``None`` for other files."""
    if input_format is not None:
        return input_format if input_format in FORMATS else None
    name = os.path.basename(path).lower()
    for compression in (".gz", ".zst"):
        name = name.removesuffix(compression)
    ending = name.rpartition(".")[2]
    return next((name for name, endings in FORMATS.items() if ending in endings), None)


def arrow(part: str = "") -> Any:
    """Imports a module of pyarrow."""
    return importlib.import_module("pyarrow" + part)


class Table:
    """A file with a table. Iterating over it yields the Arrow batch of each unit."""

    def __init__(self, path: str, input_format: str, fen: str | None) -> None:
        try:
            arrow()
        except ImportError as error:
            raise ImportError(f"{path}: tables need pyarrow: install the package `pyarrow`") from error
        self._path, self._format, self._fen = path, input_format, fen
        self.columns: list[str] = []
        """The columns to read."""
        self.groups: str | None = None
        """The column whose runs of equal values are not split between units."""
        self.previous: Table | None = None
        self.following: Table | None = None
        """The tables before and after this one, which may share a run of equal values: the first of them has it."""
        self.positions = 1
        """The approximate number of positions per row."""

    @property
    def size(self) -> int:
        """The approximate size in bytes."""
        return os.path.getsize(self._path)

    @property
    def identity(self) -> str:
        """A text that differs for other contents, also of tables from which this one takes rows."""
        near = [self, *(table for table in (self.previous, self.following) if table is not None and self.groups is not None)]
        return repr([table._own_identity() for table in near])

    def _own_identity(self) -> Any:
        return os.path.abspath(self._path), self.size, os.stat(self._path).st_mtime_ns

    def __fspath__(self) -> str:
        return self._path

    @property
    def schema(self) -> Any:
        """Names and types of the columns."""
        with self._named():
            if self._format == "parquet":
                return arrow(".parquet").read_schema(self._path)
            return self._stream().schema

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Adds the name of the file to errors of pyarrow."""
        lib = arrow().lib
        try:
            yield
        except (lib.ArrowException, OSError) as error:
            if getattr(error, "errno", None) is not None:
                raise
            raise ValueError(f"{self._path}: {error}") from error

    def _stream(self) -> Any:
        """Opens the file as batches."""
        pa = arrow()
        match self._format:
            case "csv":
                # The FEN column stays text even if it looks like numbers. So do columns whose first values are empty.
                text = {self._fen: pa.string()} if self._fen is not None else {}
                while True:
                    convert = arrow(".csv").ConvertOptions(column_types=text)
                    file = pa.input_stream(self._path, compression="detect")
                    stream = arrow(".csv").open_csv(file, convert_options=convert)
                    empty = {field.name: pa.string() for field in stream.schema if pa.types.is_null(field.type)}
                    if not empty:
                        return stream
                    text |= empty
            case "jsonl":
                return arrow(".json").open_json(pa.input_stream(self._path, compression="detect"))
            case _:
                try:
                    return pa.ipc.open_file(pa.memory_map(self._path))
                except pa.ArrowInvalid:
                    return pa.ipc.open_stream(pa.memory_map(self._path))

    @property
    def parts(self) -> int:
        """The number of parts that can be read separately; 0 if the table is a stream."""
        with self._named():
            return 0 if self.groups is not None else len(self._starts) - 1

    def part(self, index: int) -> tuple[int, Any]:
        """Returns the index of the first row of a part, and its rows."""
        with self._named():
            return self._starts[index], self._selected(_joined(self._rows(index)))

    def _rows(self, index: int) -> Any:
        """Returns the rows of a part as a table."""
        if self._format == "parquet":
            return self._file.read_row_group(index, columns=self.columns, use_threads=False)
        return arrow().Table.from_batches([self._file.get_batch(index)])

    @property
    def _file(self) -> Any:
        """The file with its parts. Only the files used last stay open, because there may be thousands."""
        file = _OPEN.pop(self, None)
        if file is None:
            file = (
                arrow(".parquet").ParquetFile(self._path, memory_map=True)
                if self._format == "parquet"
                else self._stream()
            )
        _OPEN[self] = file
        while len(_OPEN) > _MAX_OPEN:
            with contextlib.suppress(StopIteration, KeyError):
                _OPEN.pop(next(iter(_OPEN)))
        return file

    @functools.cached_property
    def _starts(self) -> list[int]:
        """The index of the first row of each part, and the total number of rows."""
        if self._format == "parquet":
            of = self._file.metadata
            sizes = [of.row_group(i).num_rows for i in range(of.num_row_groups)]
        else:
            parts = self._format == "arrow" and hasattr(self._file, "get_batch")
            sizes = [len(batch) for batch in _batches(self._file)] if parts else []
        return [0, *itertools.accumulate(sizes)]

    def __iter__(self) -> Iterator[Any]:
        with self._named():
            for unit in self._slices() if self.groups is None else self._whole(self.groups):
                yield self._selected(unit)

    def _slices(self) -> Iterator[Any]:
        """Yields the rows of units."""
        # An estimate for all formats except Parquet.
        count = os.path.getsize(self._path) // 64
        if self._format == "parquet":
            count = self._starts[-1]
        elif self._path.endswith((".gz", ".zst")):
            count *= 4
        rows = max(min(max(count * self.positions // 128, ROWS // 32), ROWS) // self.positions, 1)
        if self._format == "parquet":
            batches = self._file.iter_batches(ROWS, columns=self.columns, use_threads=False)
        else:
            batches = _batches(self._stream())
        for batch in batches:
            for start in range(0, len(batch), rows):
                yield batch.slice(start, rows)

    def _whole(self, column: str) -> Iterator[Any]:
        """Yields slices that do not split runs of equal values of the column.

        The last slice includes the rows at the start of the following tables that continue its run.
        """
        held: list[Any] = []
        for part in self._own(column):
            values = part.column(column)
            end = max(np.flatnonzero(_differ(values, values[-1])), default=-1) + 1
            if end > 0:
                yield _joined(arrow().Table.from_batches([*held, part.slice(0, end)]))
                held = []
            held.append(part.slice(end))
        if any(map(len, held)):
            whole, table = arrow().Table.from_batches(held), self.following
            last = held[-1].column(column)[-1]
            while table is not None and table.groups == column:
                rows, goes_on = table._first(column, last)
                whole = arrow().concat_tables([whole, *(part.select(whole.column_names).cast(whole.schema) for part in rows)])
                table = table.following if goes_on else None
            yield _joined(whole)

    def _own(self, column: str) -> Iterator[Any]:
        """Yields slices in which the rows at the start that continue the run of a previous table are nulls.

        So they are skipped, and the others keep their numbers in messages.
        """
        last = None if self.previous is None or self.previous.groups != column else self.previous._last
        for part in self._slices():
            if last is not None:
                is_other = _differ(part.column(column), last)
                begin = int(np.argmax(is_other)) if is_other.any() else len(part)
                last = last if begin == len(part) else None
                at = part.schema.names.index(column)
                nulls = arrow().nulls(begin, part.schema.field(at).type)
                values = arrow().concat_arrays([nulls, part.column(at).slice(begin)])
                part = part.set_column(at, part.schema.field(at).with_nullable(True), values)
            if len(part) > 0:
                yield part

    def _first(self, column: str, value: Any) -> tuple[list[Any], bool]:
        """Returns the rows at the start with this value of the column, and whether these are all rows."""
        rows: list[Any] = []
        for part in self._slices():
            if (is_other := _differ(part.column(column), value)).any():
                return [*rows, arrow().Table.from_batches([part.slice(0, int(np.argmax(is_other)))])], False
            rows.append(arrow().Table.from_batches([part]))
        return rows, True

    @functools.cached_property
    def _last(self) -> Any:
        """The value in the last row of the column ``groups``, also of previous tables; ``None`` for null."""
        assert self.groups is not None
        starts, last = self._starts, None
        # If parts can be read separately, the last one suffices.
        parts = (self._rows(index) for index in range(len(starts) - 2, -1, -1) if starts[index] < starts[index + 1])
        part = next(parts, None)
        for part in [part] if part is not None else self._slices():
            last = part.column(self.groups)[-1] if len(part) > 0 else last
        if last is None and self.previous is not None and self.previous.groups == self.groups:
            return self.previous._last
        return last if last is not None and last.is_valid else None

    def _selected(self, batch: Any) -> Any:
        """Returns the columns to read."""
        # The reader expects the columns in the order of the schema.
        return batch.select([name for name in batch.schema.names if name in self.columns])


def _differ(values: Any, value: Any) -> npt.NDArray[np.bool_]:
    """Returns which values differ from a value. A null differs from everything."""
    compute = arrow(".compute")
    differ = compute.fill_null(compute.not_equal(compute.cast(values, value.type), value), True)
    flags: npt.NDArray[np.bool_] = differ.to_numpy(zero_copy_only=False)
    return flags


def _joined(table: Any) -> Any:
    """Returns the rows of a table as one batch."""
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else arrow().RecordBatch.from_pylist([], table.schema)


def _batches(file: Any) -> Any:
    """Returns the batches of a file with random access, or of a stream."""
    return map(file.get_batch, range(file.num_record_batches)) if hasattr(file, "get_batch") else file


_OPEN: weakref.WeakKeyDictionary[Table, Any] = weakref.WeakKeyDictionary()
"""The open files, the one used last at the end."""

_MAX_OPEN = 64


class Memory(Table):
    """A table in memory, whose parts are ranges of rows."""

    def __init__(self, name: str, table: Any) -> None:
        super().__init__(name, "memory", None)
        self._table = table
        self._token = os.urandom(16).hex()
        # Copies in other processes share it.

    def _own_identity(self) -> Any:
        return self._token

    @property
    def size(self) -> int:
        return int(self._table.nbytes)

    @property
    def schema(self) -> Any:
        return self._table.schema

    @functools.cached_property
    def _starts(self) -> list[int]:
        rows = self._table.num_rows
        return [*range(0, rows, max(min(max(rows // 128, ROWS // 128), ROWS // self.positions), 1)), rows]

    def _rows(self, index: int) -> Any:
        start, end = self._starts[index : index + 2]
        return self._table.slice(start, end - start)

    def _slices(self) -> Iterator[Any]:
        return (_joined(self._rows(index)) for index in range(len(self._starts) - 1))


def is_table(thing: Any) -> bool:
    """Returns whether an object is an Arrow table, a record batch, or a stream of batches."""
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")


def sources(paths: Any) -> list[Any]:
    """Returns the files, folders and tables in memory that an argument names."""
    if isinstance(paths, Mapping):
        names = ", ".join(f"`{name}`" for name in paths)
        raise TypeError(f"expected files or tables, found {type(paths).__name__} of {names}: pass one of them")
    if isinstance(paths, (str, os.PathLike)) or is_table(paths) or hasattr(paths, "with_format"):
        paths = [paths]
    found = [_of_hugging_face(source) if hasattr(source, "with_format") else source for source in paths]
    if not found:
        raise ValueError("there are no files: the list of paths is empty")
    for source in found:
        if not isinstance(source, (str, os.PathLike)) and not is_table(source):
            raise TypeError(
                "expected files, or tables with `__arrow_c_stream__` (of pyarrow, polars or pandas), found "
                f"{type(source).__name__}: for rows, use `pyarrow.Table.from_pylist`"
            )
    return in_memory(found)


def _of_hugging_face(data: Any) -> Any:
    """Returns the rows of a data set of Hugging Face as a table of pyarrow."""
    if not hasattr(data, "__getitem__"):
        raise TypeError(
            f"expected files or tables, found {type(data).__name__}, a stream: pass its files, or a `datasets.Dataset`"
        )
    return data.with_format("arrow")[:]


def in_memory(sources: list[Any]) -> list[Any]:
    """Returns files and tables in memory. Batches are combined to one table."""
    batches = [source for source in sources if hasattr(source, "__arrow_c_array__")]
    tables = [source for source in sources if is_table(source) and not hasattr(source, "__arrow_c_array__")]
    if not batches and not tables:
        return sources
    try:
        pa = arrow()
    except ImportError as error:
        raise ImportError("tables need pyarrow: install the package `pyarrow`") from error
    found = [pa.table(table) for table in tables]
    if batches:
        found.append(pa.Table.from_batches([pa.record_batch(batch) for batch in batches]))
    files = [source for source in sources if not is_table(source)]
    return [*files, *(Memory(f"table {number}", table) for number, table in enumerate(found, 1))]


def table_of(path: Any, input_format: str | None, fen: str | None) -> Table | None:
    """Returns a table, or ``None`` for other files."""
    if isinstance(path, Memory):
        return path
    name = format_of(path, input_format)
    return None if name is None else Table(path, name, fen)


def files(path: Any, input_format: str | None) -> list[Any]:
    """Lists the files of a folder, or returns a path or a table."""
    return [path] if isinstance(path, Memory) else [os.fspath(file) for file in _setwise.files(path, input_format)]


def link(sources: list[Any]) -> None:
    """Tells each table which tables stand before and after it."""
    for one, other in itertools.pairwise(sources):
        if isinstance(one, Table) and isinstance(other, Table):
            one.following, other.previous = other, one
