"""The sources of ``setwise.Loader``: files, folders, and tables in memory; and pandas frames as results."""

import dataclasses
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _setwise


@dataclasses.dataclass(frozen=True, slots=True)
class Memory:
    """A table in memory."""

    name: str
    table: _setwise.Table
    token: str = dataclasses.field(default_factory=lambda: os.urandom(16).hex())
    """Identifies the table and its copies in other processes."""

    def __fspath__(self) -> str:
        return self.name


def sources(paths: Any, input_format: str | None) -> list[Any]:
    """Returns the files, also those in folders, and the tables in memory that an argument names."""
    if isinstance(paths, Mapping):
        names = ", ".join(f"`{name}`" for name in paths)
        raise TypeError(f"expected files or tables, found {type(paths).__name__} of {names}: pass one of them")
    is_one = isinstance(paths, (str, bytes, os.PathLike)) or not isinstance(paths, Iterable)
    if is_one or _is_table(paths) or hasattr(paths, "with_format"):
        paths = [paths]
    found = [_of_hugging_face(source) if hasattr(source, "with_format") else source for source in paths]
    if not found:
        raise ValueError("there are no files: the list of paths is empty")
    for source in found:
        if not isinstance(source, (str, os.PathLike)) and not _is_table(source):
            name = type(source).__name__
            advice = "for rows, use `pyarrow.Table.from_pylist`"
            if name == "LazyFrame" or hasattr(source, "to_table"):
                advice = f"call `{'collect' if name == 'LazyFrame' else 'to_table'}` first, or pass its files"
            raise TypeError(
                "expected files, or tables with `__arrow_c_stream__` (of pyarrow, polars or pandas), found "
                f"{name}: {advice}"
            )
    # Batches are combined to one table.
    batches = [source for source in found if hasattr(source, "__arrow_c_array__")]
    tables = [[source] for source in found if _is_table(source) and not hasattr(source, "__arrow_c_array__")]
    joined = map(_setwise.table_of, [*tables, batches] if batches else tables)
    for file in found:
        if not _is_table(file):
            os.stat(file)  # an error that names the file
    folders = (_setwise.files(source, input_format) for source in found if not _is_table(source))
    files = [os.fspath(file) for folder in folders for file in folder]
    return [*files, *(Memory(f"table {number}", table) for number, table in enumerate(joined, 1))]


def _is_table(thing: Any) -> bool:
    """Returns whether an object is an Arrow table, a record batch, or a stream of batches."""
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__arrow_c_array__")


def _of_hugging_face(data: Any) -> Any:
    """Returns the rows of a data set of Hugging Face as a table of pyarrow."""
    if not hasattr(data, "num_rows"):
        raise TypeError(
            f"expected files or tables, found {type(data).__name__}, a stream: pass its files, or a `datasets.Dataset`"
        )
    return data.with_format("arrow")[:]


def frame(table: Any, index: Any) -> Any:
    """Converts a pyarrow table to a pandas frame, with this index unless it is ``None``."""
    import pandas  # type: ignore[import-untyped]
    import pyarrow  # type: ignore[import-untyped]

    names = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
    nullable = {getattr(pyarrow, name.lower())(): getattr(pandas, f"{name}Dtype")() for name in names}
    # pyarrow converts integers with nulls to floating-point numbers, which have 53 bits.
    with_nulls = {column.type for column in table.columns if column.null_count}
    of_table = table.to_pandas(types_mapper=lambda type_: nullable.get(type_) if type_ in with_nulls else None)
    if index is not None:
        of_table.index = index
    return of_table
