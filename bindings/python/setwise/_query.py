"""Arguments that the functions share: queries, positions, boards and their state, and reports of progress."""

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._setwise import FeatureSet

Errors = Literal["raise", "skip", "null"]
Progress = Callable[[int, int], object] | bool | None
Lists = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]

#: The eight boards of a position, in the order of the columns of arrays.
BOARDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black")


#: The rest of a position's state, in the order that ``state=`` expects.
STATE = ("turn", "castling_white", "castling_black", "en_passant")

_CLOCKS = ("halfmove_clock", "fullmove_number")


# Recent queries are cached to keep small calls cheap.
_compiled = lru_cache(maxsize=128)(_setwise.Query)


def listed(argument: str, names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Returns the names of an argument, or its single name."""
    if not hasattr(names, "__iter__") and names is not None:
        raise TypeError(f"`{argument}` is a str or a list of them, found {type(names).__name__}")
    return () if names is None else (names,) if isinstance(names, str) else tuple(names)


def check_range(name: str, value: int | None, least: int, below: int = 1 << 63) -> None:
    """Rejects a number of an argument outside a range."""
    if not hasattr(value, "__index__") and value is not None:
        raise TypeError(f"`{name}` is an integer, found {type(value).__name__}")
    if value is not None and not least <= value < below:
        raise ValueError(f"`{name}` must be at least {least}, and below 2 ** {below.bit_length() - 1}, found {value}")


def _query(
    columns: str | Sequence[str] | None,
    *,
    feature_set: str | FeatureSet | None = None,
    errors: str = "raise",
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
    where: str | Sequence[str] | None = None,
) -> _setwise.Query:
    """The compiled query for the options of a call."""
    names = None if columns is None else listed("columns", columns)
    return _compiled(names, feature_set, errors, signed, backend, threads, listed("where", where))


def _rows_stay(errors: str) -> str:
    if errors == "skip":
        raise ValueError("`errors` is `raise` or `null` here: each row of an array belongs to a position")
    return errors


def _frame_stays(errors: str = "raise", where: str | Sequence[str] | None = None, **_: Any) -> None:
    """Rejects options that drop rows, for engines that put a column next to the others of a frame."""
    option = '`errors="skip"`' if errors == "skip" else "`where`"
    if errors == "skip" or listed("where", where):
        raise ValueError(
            f'{option} drops rows, and a column has a value for each row of the frame: use `errors="null"` and filter the '
            "frame, or call `setwise.maps_table`"
        )


def _beside(
    names: Sequence[str], columns: str | Sequence[str] | None, fen_column: str | None, **options: Any
) -> tuple[list[str], Any]:
    """The columns of a frame that stay if ``maps_table`` appends these columns, and the pyarrow schema of these."""
    pyarrow = importlib.import_module("pyarrow")
    query = _query(columns, **options)
    made = pyarrow.schema(_setwise.schema(query))
    empty = pyarrow.table([pyarrow.array([], "string")] * len(names), list(names))
    table = _setwise.maps_table(empty, fen_column, query, None, None)
    return table.column_names[: table.num_columns - len(made)], made


def _words(array: Any, what: str) -> npt.NDArray[np.uint64]:
    """Boards as native ``uint64`` with aligned elements, copied only if necessary."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        raise ValueError(f"{what} have masked rows, which are no positions; `filled(0)` makes them empty boards")
    array = np.asarray(array)
    if array.dtype.kind not in "iu" or array.dtype.itemsize != 8:
        raise TypeError(f"{what} are uint64 or int64, found {array.dtype}")
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    words: npt.NDArray[np.uint64] = np.require(array, requirements="A").view(np.uint64)
    return words


def _state(state: Any, rows: int) -> Any:
    """Converts the state of boards and their clocks for the compiled module: native integers, -1 for no square."""
    if state is None:
        return None, None
    if (found := len(state) if hasattr(state, "__len__") else type(state).__name__) not in (4, 6):
        raise ValueError(f"`state` is four arrays ({', '.join(STATE)}), or six with {' and '.join(_CLOCKS)}, found {found}")
    signed = (array.astype(np.int64) if np.ma.is_masked(array) and array.dtype.kind == "u" else array for array in state)
    arrays = [np.ma.filled(array, -1) if np.ma.is_masked(array) else np.asarray(array) for array in signed]
    for name, array in zip(STATE + _CLOCKS, arrays):
        if array.dtype.kind not in "iub" or array.shape != (rows,):
            raise ValueError(f"`{name}` of `state` is integers of shape [{rows}], found {array.dtype} {list(array.shape)}")
        least, most = (-1, 63) if name == "en_passant" else (0, {"turn": 1, **dict.fromkeys(_CLOCKS, 2**32 - 1)}.get(name, 255))
        if rows and not (least <= array.min() and array.max() <= most):
            raise ValueError(f"`{name}` of `state` is {least} to {most}, found {array.min()} to {array.max()}")
    types = (np.uint8, np.uint8, np.uint8, np.int16, np.uint32, np.uint32)
    native = tuple(np.ascontiguousarray(array, dtype) for array, dtype in zip(arrays, types))
    return native[:4], native[4:] or None


def _positions(positions: Any, state: Any = None) -> _setwise.Positions:
    """Converts positions for the compiled module."""
    if isinstance(positions, np.ndarray) and (positions.ndim == 2 or positions.dtype.kind in "biufcmMV"):
        boards = _words(positions, "boards")
        if boards.ndim != 2 or boards.shape[1] != 8:
            raise ValueError(f"boards have the shape [n, 8], found {list(boards.shape)}")
        # Contiguous columns are read in place, too.
        are_columns = boards.flags.f_contiguous and not boards.flags.c_contiguous
        sets = list(boards.T) if are_columns else np.ascontiguousarray(boards)
        return _setwise.Positions(sets, *_state(state, len(boards)))
    if isinstance(positions, list | tuple) and positions and isinstance(positions[0], np.ndarray):
        if len(positions) != 8:
            raise ValueError(f"a position is eight boards ({', '.join(BOARDS)}), found {len(positions)}")
        columns = [_words(column, name) for name, column in zip(BOARDS, positions)]
        for name, column in zip(BOARDS, columns):
            if column.ndim != 1:
                raise ValueError(f"{name} have the shape [n], found {list(column.shape)}")
        contiguous = [np.ascontiguousarray(column) for column in columns]
        return _setwise.Positions(contiguous, *_state(state, len(contiguous[0])))
    if state is not None:
        raise ValueError("`state` goes with boards in arrays of numpy; FENs and tables have their own")
    return _setwise.Positions(positions)


def _index(rows: Any) -> Any:
    """Returns the index of a pandas series or frame, or ``None`` for other objects."""
    pandas = sys.modules.get("pandas")
    # Another thread may be importing pandas at this moment. Then no pandas object exists yet.
    types = tuple(getattr(pandas, name) for name in ("Series", "DataFrame") if hasattr(pandas, name))
    is_pandas = isinstance(rows, types)
    return rows.index if is_pandas else None


def _check_answers(source: _setwise.Positions, nulls: npt.NDArray[np.bool_] | None, errors: str) -> None:
    """Raises an error for the first row with a position but no result, unless ``errors`` is ``"null"``."""
    if errors != "raise" or nulls is None:
        return
    table = _setwise.maps(source, _query(("kings", "white", "black"), errors="null"), None, None)
    bad = nulls & ~np.ma.getmaskarray(table["kings"])
    if not bad.any():
        return
    row = int(bad.argmax())
    for side in ("white", "black"):
        if (kings := int(table["kings"][row] & table[side][row]).bit_count()) != 1:
            raise ValueError(f"row {row}: {side.title()} has {kings} kings, and needs exactly one")
    raise ValueError(f"row {row} is no valid position: the side not to move is in check, or a square has two pieces")


def _with_state(positions: Any, state: Any) -> _setwise.Positions:
    """Converts positions, and requires their state if they are boards."""
    source = _positions(positions, state)
    if not source.has_state:
        raise ValueError(
            f"moves and FENs depend on more than boards: `state=` takes {', '.join(STATE)}, and tables need these columns"
        )
    return source


def _callback(progress: Progress) -> Callable[[int, int], object] | None:
    """Returns the function to call with the number of finished rows and the total number of rows, if any."""
    if not isinstance(progress, bool):
        return progress
    start = time.monotonic()

    def bar(done: int, rows: int) -> None:
        """Writes the progress of a call, overwriting the same line."""
        share = done / rows if rows else 1.0
        line = f"\r[{'#' * round(30 * share):30}] {share:4.0%} of {rows:,} rows, {time.monotonic() - start:.1f} s"
        print(line, end="\n" if done == rows else "", file=sys.stderr, flush=True)

    return bar if progress else None
