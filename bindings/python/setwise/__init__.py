"""Computes the squares attacked by chess pieces, and other columns, for millions of positions in one call.

>>> import setwise
>>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * 1000
>>> table = setwise.maps(fens)
>>> hex(table["white_all"][999])
'0xffff7e'

A bitboard is a 64-bit number with one bit for each square: a1 = bit 0, h1 = bit 7, h8 = bit 63. Positions are a column
of FENs (any Arrow PyCapsule object, such as a polars, pyarrow or pandas column; a list of ``str``; a numpy array) or
boards (numpy arrays, or a table with the eight columns ``setwise.BOARDS``). The result is a ``setwise.Table``. It is a
PyCapsule object too, and its columns are numpy arrays.

The functions share these options:

columns
    Names, patterns such as ``"white_*"`` and presets such as ``"counts"``, in the order of the output. A pattern skips
    columns that are selected already. ``setwise.columns()`` lists all names. By default, the sixteen attack maps.
feature_set
    The set of network inputs for the columns ``white_features`` and ``black_features``: one of ``feature_sets()``,
    several joined by ``+``, or your own ``FeatureSet``.
errors
    The handling of invalid rows: ``"raise"`` a ``FenError``, ``"skip"`` the row, or set its columns to ``"null"``. A
    row without text is not invalid: its columns are null.
signed
    Return signed integers with the same bits, for programs that do not support unsigned ones.
where
    One or several conditions that select rows, such as ``"checkers = 0 and piece_count > 6"``. Compare columns (``=``,
    ``!=``, ``<``, ``<=``, ``>``, ``>=``) with numbers, text in quotes, ``true``, ``false`` or other columns, or test
    for ``is null``, and combine tests with ``and``, ``or``, ``not`` and parentheses. Columns used here need not be
    requested. A bitboard is a number, 0 if it is empty. A comparison with null is never true. Other rows are dropped
    before any columns are computed for them.
backend
    The vector instructions to use: one of ``backends()``, by default the last one, which is the fastest.
threads
    The number of threads, by default one per processor.
progress
    A function that is called about twenty times a second with the number of finished rows and the total number of rows;
    or ``True`` for a progress bar on standard error.

Calls release the GIL, and rows keep their order. Ctrl-C stops every call within a fraction of a second. Columns of a
``Table`` are read-only views of Arrow's memory; ``.copy()`` returns a writable array, which ``torch.from_numpy``
accepts without a warning. The arrays of ``attacks``, ``pieces``, ``threats``, ``features`` and ``planes`` are writable.
"""

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import _policy, _setwise
from ._error import FenError
from ._loader import Batch, Loader
from ._progress import callback as _callback
from ._report import Report
from ._sampling import Sampling, WinRate
from ._setwise import FeatureSet, Reader, Schema, Table, __version__, backends, columns

__all__ = [
    "BOARDS",
    "STATE",
    "Batch",
    "Drawing",
    "FeatureSet",
    "FenError",
    "Heat",
    "Loader",
    "Reader",
    "Report",
    "Sampling",
    "Schema",
    "Successors",
    "Table",
    "WinRate",
    "__version__",
    "attacks",
    "backends",
    "columns",
    "feature_sets",
    "features",
    "heat",
    "legal",
    "legal_moves",
    "maps",
    "maps_table",
    "pieces",
    "planes",
    "policies",
    "policy_index",
    "policy_mask",
    "read",
    "schema",
    "show",
    "successors",
    "threats",
    "to_fen",
]

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
    if columns is not None:
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
    conditions = () if where is None else (where,) if isinstance(where, str) else tuple(where)
    return _compiled(columns, feature_set, errors, signed, backend, threads, conditions)


def _rows_stay(errors: str) -> str:
    if errors == "skip":
        raise ValueError("`errors` is `raise` or `null` here: each row of an array belongs to a position")
    return errors


def _words(array: Any, what: str) -> npt.NDArray[np.uint64]:
    """Boards as native ``uint64`` with aligned elements, copied only if necessary."""
    if np.ma.is_masked(array):
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
    if len(state) not in (4, 6):
        raise ValueError(
            f"`state` is four arrays ({', '.join(STATE)}), or six ({', '.join(_CLOCKS)}), found {len(state)}"
        )
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


def maps(
    positions: Any,
    columns: str | Sequence[str] | None = None,
    *,
    state: Any = None,
    feature_set: str | FeatureSet | None = None,
    errors: Errors = "raise",
    where: str | Sequence[str] | None = None,
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Table:
    """Computes columns for positions.

    Parameters
    ----------
    positions
        A column with a FEN or EPD in each row: an Arrow array (of ``utf8``, ``large_utf8``, ``utf8_view`` or a
        dictionary of these, chunked or not), a list of ``str``, or a numpy array of ``str``; or boards, as in
        ``attacks``. A null or ``None`` results in nulls. For a table with a column of FENs, see ``maps_table``.
    state
        The side to move, castling rights and en passant squares of boards, as in ``legal``.
    columns, feature_set, errors, signed, where, backend, threads, progress
        See the module. With ``errors="skip"``, the column ``line`` has the original row number, counting from 1.

    Returns
    -------
    Table
        One row for each position. Bitboards are ``uint64``, numbers ``uint16`` or smaller, lists ``large_list``. If
        ``positions`` is a pandas series, ``to_pandas`` keeps its index.

    Raises
    ------
    FenError
        At the first invalid row.
    ValueError
        If a column does not exist. The message suggests the nearest name.

    Examples
    --------
    >>> table = setwise.maps(["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", None], ["checkers", "white_king"])
    >>> table["checkers"]
    masked_array(data=[4096, --],
                 mask=[False,  True],
           fill_value=...)
    >>> table
    <setwise.Table: 2 rows, checkers: UInt64, white_king: UInt64>
    """
    query = _query(
        columns, feature_set=feature_set, errors=errors, where=where, signed=signed, backend=backend, threads=threads
    )
    return _setwise.maps(_positions(positions, state), query, _index(positions), _callback(progress))


def maps_table(
    table: Any,
    columns: str | Sequence[str] | None = None,
    *,
    fen_column: str | None = None,
    feature_set: str | FeatureSet | None = None,
    errors: Errors = "raise",
    where: str | Sequence[str] | None = None,
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Table:
    """Appends new columns to a table.

    Parameters
    ----------
    table
        Any Arrow table or record batch. Its columns are passed through unchanged. The index of a pandas frame does not
        become a column; ``to_pandas`` restores it.
    fen_column
        The column with the positions; by default the one called ``fen``, in upper or lower case.
    columns, feature_set, errors, signed, where, backend, threads, progress
        See the module.

    Examples
    --------
    >>> import pyarrow
    >>> games = pyarrow.table({"fen": ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"], "elo": [2851]})
    >>> setwise.maps_table(games, "white_rook")
    <setwise.Table: 1 rows, fen: Utf8, elo: Int64, white_rook: UInt64>
    """
    query = _query(
        columns, feature_set=feature_set, errors=errors, where=where, signed=signed, backend=backend, threads=threads
    )
    index = _index(table)
    if index is not None:
        table = importlib.import_module("pyarrow").Table.from_pandas(table, preserve_index=False)
    return _setwise.maps_table(table, fen_column, query, index, _callback(progress))


def schema(
    columns: str | Sequence[str] | None = None, *, feature_set: str | None = None, signed: bool = False
) -> Schema:
    """Returns the schema of the table that ``maps`` returns for these columns. Field metadata contains their meanings.

    >>> setwise.schema(["white_all", "white_mobility_knight"], signed=True)
    <setwise.Schema: white_all: Int64, white_mobility_knight: Int16>
    """
    return _setwise.schema(_query(columns, feature_set=feature_set, signed=signed))


def _overlaps_itself(array: npt.NDArray[Any]) -> bool:
    """Returns whether elements of a two-dimensional array may share memory, because its strides are not nested."""
    if 0 in array.shape:
        return False
    (inner, count), (outer, others) = sorted((abs(s), n) for s, n in zip(array.strides, array.shape))
    overlap = count > 1 and inner < array.itemsize
    return overlap or (others > 1 and outer < inner * (count - 1) + array.itemsize)


def attacks(
    pieces: Any,
    *,
    out: npt.NDArray[np.uint64] | None = None,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.uint64]:
    """Computes the sixteen attack maps of boards.

    Parameters
    ----------
    pieces : uint64 array, shape [n, 8]
        Pawns, knights, bishops, rooks, queens and kings of both colours, all white pieces, all black pieces; or these
        eight as arrays of shape [n]; or a table with these columns, such as a batch of ``read``, where a row with a null
        in one of them is an empty board. Native ``uint64`` and ``int64`` arrays are read in place, other byte orders are
        converted, and other types are rejected.
    out : uint64 array, shape [n, 16]
        The array to write to, by default a new one. Nothing is copied if each of its columns is contiguous, as in
        results of this function. Its elements must not overlap each other or the boards.
    backend, threads, progress
        See the module.

    Returns
    -------
    uint64 array, shape [n, 16]
        The columns of ``setwise.schema()``, each contiguous: for white the squares attacked by pawns, knights, bishops,
        rooks, queens and king, by any of them, and by at least two pieces; then the same eight for black.

    Examples
    --------
    >>> start = setwise.pieces(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
    >>> maps = setwise.attacks(start)
    >>> maps.shape, hex(maps[0, 6])
    ((1, 16), '0xffff7e')
    """
    boards = _positions(pieces)
    rows = len(boards)
    query = _query(None, backend=backend, threads=threads)
    if out is None:
        # The distance between columns is a number of pages and a cache line. Columns at the same offsets within pages
        # would compete for the same cache sets, and the call would take a third longer.
        apart = -rows % 512 + 8 if rows > 4096 else 0
        out = np.empty((16, rows + apart), np.uint64)[:, :rows].T
    elif out.shape != (rows, 16) or out.dtype != np.dtype(np.uint64):
        raise ValueError(f"`out` is native uint64 of shape [{rows}, 16], found {out.dtype} {list(out.shape)}")
    elif not out.flags.writeable:
        raise ValueError("`out` is read-only")
    elif _overlaps_itself(out):
        raise ValueError("elements of `out` overlap")
    if out.flags.aligned and (out.strides[0] == 8 or rows < 2):
        if any(np.may_share_memory(out, board) for board in _arrays(pieces)):
            raise ValueError("`out` and the boards overlap")
        _setwise.fill(boards, query, out.T, _callback(progress))
    else:
        out[...] = attacks(pieces, backend=backend, threads=threads, progress=progress)
    return out


def _arrays(pieces: Any) -> Sequence[npt.NDArray[Any]]:
    if isinstance(pieces, np.ndarray):
        return [pieces]
    return pieces if isinstance(pieces, list | tuple) else []


def pieces(
    positions: Any,
    *,
    errors: Literal["raise", "null"] = "raise",
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.uint64]:
    """Returns the boards of positions.

    Parameters
    ----------
    positions
        FENs as in ``maps``, or a table of boards such as a batch of ``read``.
    errors, threads, progress
        See the module. A null row, or an invalid row with ``errors="null"``, becomes eight empty boards.

    Returns
    -------
    uint64 array, shape [n, 8]
        The columns of ``setwise.BOARDS``, each contiguous.

    Examples
    --------
    >>> boards = setwise.pieces(["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"])
    >>> dict(zip(setwise.BOARDS, boards[0].tolist()))["rooks"]
    1
    """
    source = _positions(positions)
    out = np.empty((8, len(source)), np.uint64)
    query = _query(BOARDS, errors=_rows_stay(errors), threads=threads)
    _setwise.fill(source, query, out, _callback(progress))
    return out.T


def threats(
    positions: Any,
    *,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """Lists the threats of each position: all pairs of a piece and an occupied square that it attacks.

    The column ``threats`` of ``maps`` has the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as in ``maps``.
    errors, backend, threads, progress
        See the module. A null row, or an invalid row with ``errors="null"``, has an empty list.

    Returns
    -------
    offsets : int64 array, shape [n + 1]
        The pairs of position ``i`` are ``pairs[offsets[i]:offsets[i + 1]]``.
    pairs : uint16 array
        ``from + 256 * to``: the square of the attacker and the square of the attacked piece, which may have either
        colour.

    Examples
    --------
    >>> offsets, pairs = setwise.threats(["7k/4n3/8/5N2/8/8/8/K7 w - - 0 1"])
    >>> offsets
    array([0, 2])
    >>> sorted(zip((pairs % 256).tolist(), (pairs // 256).tolist()))
    [(37, 52), (52, 37)]
    """
    query = _query("threats", errors=_rows_stay(errors), backend=backend, threads=threads)
    [lists], _ = _setwise.lists(_positions(positions), query, _callback(progress))
    return lists


def feature_sets() -> dict[str, int]:
    """Lists the named feature sets with the number of inputs of each. ``FeatureSet(name)`` has more details.

    >>> setwise.feature_sets()["stockfish-threats-2026-08"]
    59808
    """
    return dict(_setwise.feature_sets())


@overload
def features(
    positions: Any,
    feature_set: str | FeatureSet = ...,
    *,
    padded: None = None,
    errors: Literal["raise", "null"] = ...,
    backend: str | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> tuple[Lists, Lists]: ...
@overload
def features(
    positions: Any,
    feature_set: str | FeatureSet = ...,
    *,
    padded: int,
    errors: Literal["raise", "null"] = ...,
    backend: str | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def features(
    positions: Any,
    feature_set: str | FeatureSet = "stockfish-threats-2026-08",
    *,
    padded: int | None = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Any:
    """Lists the inputs of a network, from the perspectives of white and of black.

    The columns ``white_features`` and ``black_features`` of ``maps`` have the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as in ``maps``. Each side must have exactly one king.
    feature_set
        One of ``feature_sets()``, several joined by ``+`` (``"stockfish-threats-2026-08+halfka-hm"``), or a
        ``FeatureSet``. Each block of a set has its own range of indices, and lists have the inputs block by block.
    padded
        Return padded rows of this width instead of lists. Trainers use ``FeatureSet(name).row_width``: 128 for
        Stockfish's threats, 288 for ``"nnue-pytorch-2026-07"``. No position has more than ``max_inputs`` inputs per
        side.
    errors, backend, threads, progress
        See the module. A null row has no inputs. With ``errors="null"``, invalid rows and rows without exactly one king
        per side have no inputs either.

    Returns
    -------
    (offsets, indices), (offsets, indices)
        For white and for black: the inputs of position ``i`` are ``indices[offsets[i]:offsets[i + 1]]``. ``offsets`` is
        ``int64`` of shape [n + 1], ``indices`` is ``int32``. Pass them to ``torch.sparse_csr_tensor`` as
        ``crow_indices`` and ``col_indices``. ``torch.nn.EmbeddingBag`` needs ``include_last_offset=True`` to accept all
        ``n + 1`` offsets; without it, pass ``offsets[:-1]``, or it returns one row too many.
    white, black : int32 arrays, shape [n, padded]
        With ``padded``: rows with -1 after the last input.

    Raises
    ------
    FenError
        At the first invalid row.
    ValueError
        If a side does not have exactly one king, or has more inputs than the width.

    Examples
    --------
    >>> fen = "7k/4n3/8/5N2/8/8/8/K7 w - - 0 1"
    >>> (offsets, inputs), black = setwise.features([fen])
    >>> offsets
    array([0, 1])
    >>> white, black = setwise.features([fen], padded=4)
    >>> white[0].tolist() == inputs.tolist() + [-1, -1, -1]
    True
    """
    query = _query(
        ("white_features", "black_features"),
        feature_set=feature_set,
        errors=_rows_stay(errors),
        signed=True,
        backend=backend,
        threads=threads,
    )
    if padded is not None and padded < 1:
        raise ValueError(f"`padded` is a width of at least 1, found {padded}")
    source = _positions(positions)
    sides: Any
    if padded is None:
        sides, nulls = _setwise.lists(source, query, _callback(progress))
    else:
        sides, nulls = _setwise.feature_rows(source, query, padded, threads, _callback(progress))
    _check_answers(source, nulls, errors)
    return tuple(sides)


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
    first = positions if isinstance(positions, np.ndarray) else next(iter(_arrays(positions)), None)
    if state is None and isinstance(first, np.ndarray) and first.dtype.kind in "iu":
        raise ValueError(f"moves and FENs depend on more than boards: `state=` takes {', '.join(STATE)}")
    return _positions(positions, state)


def legal(
    positions: Any,
    by: Literal["type", "origin"] = "type",
    *,
    state: Any = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.uint64]:
    """Computes the legal moves of positions as bitboards.

    The columns ``legal_planes`` and ``legal_targets`` of ``maps`` have the same arrays. ``planes`` expands them to
    squares.

    Parameters
    ----------
    positions
        FENs as in ``maps``; a table of boards with the columns ``setwise.STATE``, such as a batch of ``read``; or
        boards as in ``attacks``, with ``state``. Chess and Chess960 are supported.
    by
        ``"type"``: the origins of moves, for each of AlphaZero's 73 types of moves, from the point of view of the side
        to move: if black is to move, the board is flipped vertically. Types 0 to 55 are ``7 * direction + distance -
        1``, with directions clockwise from north, and include promotions to a queen. Types 56 to 63 are knight moves,
        clockwise from two north and one east. Types 64 to 72 are ``64 + 3 * role + way``: promotions to a knight, a
        bishop and a rook, each to the north-west, north and north-east.

        ``"origin"``: the destinations of moves, for each origin from a1 to h8.

        Castling is a king move by two squares if the king is on the e-file and the rook in a corner. Otherwise
        (Chess960) it is the king's move to its rook's square.
    state
        Four arrays of shape [n]: the side to move (0 = white, 1 = black), the files of white's castling rooks (a = bit
        0), the files of black's, and the en passant square or -1.
    errors, backend, threads, progress
        See the module. Rows in which a side does not have exactly one king, or the side not to move is in check, are
        invalid: ``"raise"`` raises an error, and ``"null"`` leaves them empty, like null rows.

    Returns
    -------
    uint64 array, shape [n, 73] or [n, 64]

    Examples
    --------
    >>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    >>> types = setwise.legal(fens)
    >>> types.shape, hex(types[0, 0]) # eight pawns can go one square north
    ((1, 73), '0xff00')
    >>> hex(setwise.legal(fens, "origin")[0, 6]) # the knight of g1 to f3 and h3
    '0xa00000'
    >>> setwise.planes(types, bool).shape
    (1, 73, 8, 8)
    """
    if by not in ("type", "origin"):
        raise ValueError(f"`by` is `type` or `origin`, found `{by}`")
    column, length = ("legal_planes", 73) if by == "type" else ("legal_targets", 64)
    query = _query(column, errors=_rows_stay(errors), backend=backend, threads=threads)
    source = _with_state(positions, state)
    out = np.empty((len(source), length), np.uint64)
    _check_answers(source, _setwise.fill(source, query, out.reshape(1, -1), _callback(progress)), errors)
    return out


def legal_moves(
    positions: Any,
    *,
    state: Any = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """Lists the legal moves of positions, ordered by origin, destination and promotion.

    The column ``legal_moves`` of ``maps`` has the same lists.

    Parameters
    ----------
    positions, state, errors, backend, threads, progress
        As in ``legal``.

    Returns
    -------
    offsets : int64 array, shape [n + 1]
    moves : uint16 array
        The moves of position ``i`` are ``moves[offsets[i]:offsets[i + 1]]``. Each is ``destination + 64 * origin + 4096
        * role + 16384 * special``. ``special`` is 1 for a promotion, 2 for en passant, 3 for castling and 0 otherwise.
        ``role`` is the promotion piece: 0 knight, 1 bishop, 2 rook, 3 queen.

    Examples
    --------
    >>> offsets, moves = setwise.legal_moves(["8/8/8/8/8/5k2/7p/7K b - - 0 1"])
    >>> [(int(move >> 6 & 63), int(move & 63)) for move in moves[:2]]
    [(21, 12), (21, 13)]
    """
    query = _query("legal_moves", errors=_rows_stay(errors), backend=backend, threads=threads)
    source = _with_state(positions, state)
    [lists], nulls = _setwise.lists(source, query, _callback(progress))
    _check_answers(source, nulls, errors)
    return lists


class Successors(NamedTuple):
    """The result of ``successors``: the positions after all legal moves of positions."""

    #: int64, shape [n + 1]: the successors of position ``i`` are rows ``offsets[i]`` to ``offsets[i + 1] - 1``.
    offsets: npt.NDArray[np.int64]
    #: uint16, shape [m]: the move that leads to each successor, encoded as in ``legal_moves``.
    moves: npt.NDArray[np.uint16]
    #: uint64, shape [m, 8]: the boards of each successor, in the order of ``BOARDS``.
    boards: npt.NDArray[np.uint64]
    #: Four arrays of shape [m], as ``state=`` expects them.
    state: tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]
    ]


def successors(
    positions: Any,
    *,
    state: Any = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
) -> Successors:
    """Computes the positions after all legal moves of positions, in the order of ``legal_moves``.

    Parameters
    ----------
    positions, state, errors, backend
        As in ``legal``. Rows without a position have no successors.
    threads
        The number of threads that read the positions. Successors are computed on one thread.

    Examples
    --------
    >>> after = setwise.successors(["8/8/8/8/8/5k2/7p/7K b - - 0 1"] * 2)
    >>> after.offsets, after.boards.shape
    (array([ 0,  7, 14]), (14, 8))
    >>> setwise.maps(after.boards, "status", state=after.state)["status"].tolist()[:7]  # one move is stalemate
    [0, 0, 0, 3, 0, 0, 0]
    """
    query = _query((*BOARDS, *STATE, "legal_count"), errors=_rows_stay(errors), backend=backend, threads=threads)
    table = _setwise.maps(_with_state(positions, state), query, None, None)
    boards = np.stack([np.ma.filled(table[name], 0) for name in BOARDS], axis=1)
    invalid = np.ma.getmaskarray(table["legal_count"]) & boards.any(axis=1)
    if errors == "raise" and invalid.any():
        raise ValueError(
            f"row {invalid.argmax()} is no valid position: each side needs one king, only the mover's may be in check, and "
            "a square holds one piece"
        )
    turn, white, black = (np.ma.filled(table[name], 0) for name in STATE[:3])
    squares = np.ma.filled(table["en_passant"].astype(np.int16), -1)
    return Successors(*_setwise.successors(boards, (turn, white, black, squares), backend))


def to_fen(
    positions: Any,
    state: Any = None,
    *,
    errors: Literal["raise", "null"] = "raise",
    threads: int | None = None,
    progress: Progress = None,
) -> list[str | None]:
    """Writes positions as FENs.

    Parameters
    ----------
    positions
        Boards as in ``legal``.
    state
        As in ``legal``. Two more arrays are the half-move clocks and the move numbers, which are 0 and 1 otherwise. Tables
        have them in the columns ``halfmove_clock`` and ``fullmove_number``.
    errors, threads, progress
        See the module. A null row, or with ``errors="null"`` one that no FEN describes, becomes ``None``.

    Examples
    --------
    >>> after = setwise.successors(["8/8/8/8/8/5k2/7p/7K b - - 0 1"])
    >>> setwise.to_fen(after.boards[:2], [array[:2] for array in after.state])
    ['8/8/8/8/8/8/4k2p/7K w - - 0 1', '8/8/8/8/8/8/5k1p/7K w - - 0 1']
    """
    query = _query("fen", errors=_rows_stay(errors), threads=threads)
    return _setwise.to_fen(_with_state(positions, state), query, _callback(progress))


def policies() -> dict[str, int]:
    """Lists the move encodings of ``policy_mask`` and ``policy_index`` with the number of classes of each.

    ``alphazero``
        ``64 * type + square``, with the types of ``legal``, from the point of view of the side to move.
    ``pgx``
        The actions of pgx's chess environment (``pgx/_src/games/chess_utils.py``).
    ``lc0``
        The moves of Lc0's networks (``tf/policy_index.py`` of lczero-training). A promotion to a knight is encoded as
        the move without a promotion, and castling as the king's move to its rook's square.
    ``uci``
        All moves in UCI notation, in the order of DeepMind's searchless_chess (``src/utils.py``). The board is not
        flipped.

    >>> setwise.policies()["lc0"]
    1858
    """
    return dict(_policy.POLICIES)


def _legal_of(
    positions: Any, state: Any, errors: Literal["raise", "null"], backend: str | None, threads: int | None, progress: Progress
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16], npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Returns the row of each legal move, the move, the move with castling as in encodings, and the sides to move."""
    offsets, moves = legal_moves(
        positions, state=state, errors=errors, backend=backend, threads=threads, progress=progress
    )
    query = _query(("turn", "white", "black"), errors="null", threads=threads)
    table = _setwise.maps(_positions(positions, state), query, None, None)
    turns, white, black = (np.ma.filled(table[name], 0) for name in ("turn", "white", "black"))
    rows = np.repeat(np.arange(len(turns)), np.diff(offsets))
    return rows, moves, _policy.castling_by_rook(moves, rows, white | black), turns


def policy_mask(
    positions: Any,
    policy: str,
    *,
    state: Any = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.bool_]:
    """Computes masks of the legal moves among the classes of a policy network.

    Parameters
    ----------
    positions, state, errors, backend, threads, progress
        As in ``legal``.
    policy
        One of ``policies()``.

    Returns
    -------
    bool array, shape [n, policies()[policy]]

    Examples
    --------
    >>> start = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    >>> int(setwise.policy_mask(start, "lc0").sum())
    20
    """
    width = _policy.size(policy)
    rows, _, moves, turns = _legal_of(positions, state, errors, backend, threads, progress)
    mask = np.zeros((len(turns), width), bool)
    indices = _policy.table(policy)[turns[rows], moves]
    has_class = indices >= 0 # some castling moves of Chess960 have no class
    mask[rows[has_class], indices[has_class]] = True
    return mask


def policy_index(
    positions: Any,
    moves: Any,
    policy: str,
    *,
    state: Any = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.int64]:
    """Returns the class of one legal move of each position, as a training target.

    Parameters
    ----------
    positions, state, backend, threads, progress
        As in ``legal``.
    moves
        One move per position: in UCI notation (castling as ``e1g1`` or ``e1h1``), or in the 16-bit encoding of
        ``legal_moves``.
    policy
        One of ``policies()``.
    errors
        The handling of null rows, missing and illegal moves, and moves without a class: ``"raise"`` raises an error,
        ``"null"`` returns -1.

    Returns
    -------
    int64 array, shape [n]

    Examples
    --------
    >>> start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    >>> setwise.policy_index([start, start], ["e2e4", "g1f3"], "lc0").tolist()
    [322, 159]
    """
    table = _policy.table(policy)
    of_row, legal, by_rook, turns = _legal_of(positions, state, errors, backend, threads, progress)
    rows = len(turns)
    played = np.asarray(moves if not np.ma.is_masked(moves) else moves.astype(object).filled(None))
    if played.shape != (rows,):
        raise ValueError(f"there are {rows} positions, and moves of shape {list(played.shape)}")
    if rows and played.dtype.kind not in "iuOSUT":
        raise TypeError(f"moves are text in UCI notation or 16-bit integers, found {played.dtype}")
    bits = played
    wanted = np.full(rows, -1)
    if played.dtype.kind not in "iu":
        items = played.tolist()
        bits = np.array([move if isinstance(move, int) else -1 for move in items], np.int64)
        texts = [move if isinstance(move, str | bytes) else "" for move in items]
        wanted = _policy.from_uci(np.array(texts, np.str_))
    bits = bits.astype(np.int64)
    wanted = np.where((bits >= 0) & (bits < 1 << 16), _policy.named(bits), wanted)
    numbers = legal.astype(np.int64)
    place = np.full(rows, -1)
    [same] = np.nonzero(_policy.named(numbers) == wanted[of_row])
    place[of_row[same]] = same
    # Castling also matches its other notations (the king to its rook, to the g-file or to the c-file), unless these
    # denote another legal move.
    [castles] = np.nonzero(numbers >> 14 == 3)
    origin, target = numbers[castles] >> 6 & 63, numbers[castles] & 63
    east = target > origin
    two = by_rook[castles] >> 14 == 3
    rook = np.where(two, np.where(east, origin | 7, origin & 56), target)
    for other in (rook, np.where(east, origin & 56 | 6, origin & 56 | 2)):
        row = of_row[castles]
        named = ((other | origin << 6) == wanted[row]) & (place[row] < 0)
        place[row[named]] = castles[named]
    indices = np.full(rows, -1, np.int64)
    [some] = np.nonzero(place >= 0)
    indices[some] = table[turns[some], by_rook[place[some]]]
    if errors == "raise" and (indices < 0).any():
        bad = int(np.argmax(indices < 0))
        if place[bad] >= 0:
            raise ValueError(f"row {bad}: `{policy}` has no class for {played[bad : bad + 1].tolist()[0]!r}")
        raise ValueError(f"row {bad}: {played[bad : bad + 1].tolist()[0]!r} is not a legal move")
    return indices


def planes(maps: Any, dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """Converts maps to planes of eight by eight squares, as inputs of networks.

    Parameters
    ----------
    maps : uint64 array, shape [n, k]
        The result of ``attacks``, ``pieces`` or ``legal``; or a ``Table`` with only sets of squares as columns. A null
        becomes an empty plane.
    dtype
        ``numpy.uint8``, ``numpy.float32``, or any other numpy type.

    Returns
    -------
    array, shape [n, k, 8, 8]
        1 for each square of the map, 0 for the others: ``planes[i, j, rank, file]``, from rank 1 and the a-file.

    Examples
    --------
    >>> start = setwise.pieces(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])
    >>> setwise.planes(start)[0, setwise.BOARDS.index("white")]
    array([[1, 1, 1, 1, 1, 1, 1, 1],
           [1, 1, 1, 1, 1, 1, 1, 1],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0],
           [0, 0, 0, 0, 0, 0, 0, 0]], dtype=uint8)
    """
    if isinstance(maps, Table):
        others = [name for name in maps.column_names if not _setwise.is_board(name)]
        if others:
            raise ValueError(
                f"column `{others[0]}` is not a set of squares: ask for maps alone, or stack the columns that are"
            )
        maps = np.stack([np.ma.filled(maps[name], 0) for name in maps.column_names], axis=1)
    if maps.ndim != 2 or maps.dtype.itemsize != 8 or maps.dtype.kind not in "iu":
        raise ValueError(f"maps are uint64 [n, k], found {maps.dtype} {list(maps.shape)}")
    # Little-endian: rank 1 is the first byte, and the a-file its lowest bit.
    ranks = np.ascontiguousarray(maps.astype("<u8", copy=False)).view(np.uint8).reshape(*maps.shape, 8, 1)
    squares = np.empty((*maps.shape, 8, 8), dtype)
    # Convert in parts, so that Ctrl-C takes effect between them.
    for start in range(0, len(maps), 1 << 14):
        rows = slice(start, start + (1 << 14))
        squares[rows] = np.unpackbits(ranks[rows], axis=-1, bitorder="little")
    return squares


def read(
    path: str | os.PathLike[str],
    columns: str | Sequence[str] | None = None,
    *,
    keep: str | Sequence[str] | None = None,
    input_format: str | None = None,
    feature_set: str | FeatureSet | None = None,
    errors: Errors | Literal["keep"] = "raise",
    where: str | Sequence[str] | None = None,
    signed: bool = False,
    backend: str | None = None,
    batch_size: int = 65_536,
    threads: int | None = None,
) -> Reader:
    """Reads a file of games or packed training positions, batch by batch.

    Parameters
    ----------
    path
        A file of games in PGN, or of packed records; plain, or compressed with gzip or zstd. Every position of a game
        has a row, including the first and the last.
    columns
        See the module. By default all data of a position: the eight boards, and those of ``turn``, ``castling_white``,
        ``castling_black``, ``en_passant``, ``halfmove_clock``, ``fullmove_number``, ``score``, ``result``, ``move``,
        ``ply`` and ``extra`` that the format stores.
    keep
        Columns of the source to precede the computed ones. For games, the default is all of ``game``, ``ply``,
        ``move`` (UCI; null at the end), ``san``, ``clock`` and ``elapsed`` (seconds), ``eval`` (centipawns for white),
        ``mate`` and ``result`` (for the side to move). Names of tags, such as ``["White", "WhiteElo", "UTCDate"]``, are
        added before these; ``depth`` (of the search, in comments of engines' matches) and ``variation`` on request. If the
        list has any of the default columns, only the listed columns are kept. ``[]`` keeps none.
    input_format
        ``"pgn"``, ``"bullet"``, ``"marlin"``, ``"viri"``, ``"bin"`` or ``"binpack"``; by default determined by the file
        extension.
    errors
        The handling of invalid input. A game that cannot be replayed: ``"raise"``, ``"skip"``, or ``"keep"`` its
        positions up to the error. An invalid record of a fixed size or of ``.plain``: ``"raise"``, ``"skip"`` or
        ``"null"``. In packed games, nothing can be read after an invalid record, so it always raises an error.
    batch_size
        The maximum number of rows per batch.
    threads
        The number of threads that replay games, by default one per processor.
    feature_set, signed, where, backend
        See the module.

    Returns
    -------
    Reader
        An iterator of ``Table``. Pass batches with the eight boards to ``attacks``, ``threats`` or ``features``. The
        reader is also an Arrow stream: ``pyarrow.table(reader)`` reads the whole file, and
        ``pyarrow.RecordBatchReader.from_stream(reader)`` reads it batch by batch. ``reader.left_out`` counts the rows
        that each condition of ``where`` has dropped so far.

    Raises
    ------
    ValueError
        For an invalid record or game, once the rows before it are returned. For a game it is a ``FenError`` whose
        ``row`` is the number of the game. With fixed-size records, the next batch starts after the invalid one.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "kings.marlin")
    >>> _ = file.write_bytes(bytes.fromhex(
    ...     "1000000000000010" "d500000000000000" "0000000000000000" "4000010019000100"))
    >>> for batch in setwise.read(file, ["white_king", "score"]):
    ...     print(hex(batch["white_king"][0]), batch["score"])
    0x3828 [25]
    >>> file = file.with_name("greco.pgn")
    >>> _ = file.write_text("1. e4 e5 2. Qh5 { [%clk 0:02:58] } Ke7 3. Qxe5# 1-0")
    >>> for batch in setwise.read(file, ["white_queen"], keep=["ply", "san", "clock"]):
    ...     print(batch["ply"], batch["clock"], hex(batch["white_queen"][5]))
    [0 1 2 3 4 5] [-- -- -- 178.0 -- --] 0x5438ef38448200
    """
    os.stat(path)  # an error that names the file
    query = _query(columns, feature_set=feature_set, errors=errors, where=where, signed=signed, backend=backend, threads=1)
    if threads is not None and threads < 1:
        raise ValueError("`threads` must be at least 1")
    kept = None if keep is None else [keep] if isinstance(keep, str) else list(keep)
    return _setwise.read(path, query, columns is not None, kept, input_format, batch_size, threads)


class Drawing:
    """A drawing of a position with sets of squares. Notebooks show it as a picture, ``print`` as text."""

    def __init__(self, text: str, svg: str) -> None:
        self._text, self._svg = text, svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text


def show(fen: str, columns: str | Sequence[str] | None = None) -> Drawing:
    """Draws a position with sets of squares.

    Parameters
    ----------
    fen
        A FEN, or ``"startpos"``.
    columns
        Names, patterns or presets of columns that are sets of squares; ``"attackers"``, a heat map of the number of
        pieces of each side that attack each square; ``"threats"``, arrows from piece to piece; or ``"legal"``, arrows
        for legal moves. By default ``"attackers"``, which text shows as ``white_all`` and ``black_all``.

    Examples
    --------
    >>> print(setwise.show("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "white_rook"))
                          white_rook
    8  . . . . k . . .    8  x . . . . . . .
    7  . . . . . . . .    7  x . . . . . . .
    6  . . . . . . . .    6  x . . . . . . .
    5  . . . . . . . .    5  x . . . . . . .
    4  . . . . . . . .    4  x . . . . . . .
    3  . . . . . . . .    3  x . . . . . . .
    2  . . . . . . . .    2  x . . . . . . .
    1  R . . . K . . .    1  . x x x x . . .
    <BLANKLINE>
       a b c d e f g h       a b c d e f g h
    white to move         0x010101010101011e
    """
    names = [columns] if isinstance(columns, str) else columns
    return Drawing(*_setwise.show(fen, names if names is None else list(names)))


class Heat(Drawing):
    """The frequency of each square in sets of squares, over many positions.

    Notebooks show it as a picture, ``print`` as text.

    Attributes
    ----------
    columns
        The names of the columns.
    plies
        The first ply of each group; ``[0]`` if there are no groups.
    rows : uint64 array, shape [groups]
        The number of positions of each group.
    squares : uint64 array, shape [groups, columns, 8, 8]
        The number of these positions whose set contains the square: ``squares[group, column, rank, file]``, from rank 1
        and the a-file.
    """

    def __init__(
        self, columns: list[str], plies: list[int], rows: npt.NDArray[np.uint64], squares: npt.NDArray[np.uint64]
    ) -> None:
        self.columns, self.plies, self.rows, self.squares = columns, plies, rows, squares
        shares = squares / rows[:, None, None, None]
        after = [f", from ply {ply}, n = {n:,}" if len(plies) > 1 else "" for ply, n in zip(plies, rows.tolist())]
        boards = [(name, after[g], shares[g, c]) for g in range(len(plies)) for c, name in enumerate(columns)]
        note = f"{int(rows.sum()):,} position" + ("s" if rows.sum() != 1 else "")
        flat = [(name, more, board.ravel().tolist()) for name, more, board in boards]
        text = [f"{note}: percents of them"]
        for name, more, board in boards:
            ranks = ("".join(f"{100 * share:6.1f}" for share in rank) for rank in board[::-1])
            lines = [f"{8 - i} {rank}" for i, rank in enumerate(ranks)]
            text.append("\n".join([name + more, *lines, "  " + "".join(f"{file:>6}" for file in "abcdefgh")]))
        super().__init__("\n\n".join(text), _setwise.heat_svg(note, len(columns), flat) if flat else "")


def heat(
    positions: Any,
    columns: str | Sequence[str] = ("white_all", "black_all"),
    *,
    by_ply: int | None = None,
    errors: Errors = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Heat:
    """Counts how often each square is in sets of squares, over all positions, without storing the sets.

    Parameters
    ----------
    positions
        FENs or boards, as in ``maps``. Rows without a position are not counted.
    columns
        Names, patterns or presets of columns that are sets of squares.
    by_ply
        Group positions by this number of half-moves, according to the move number of the FEN; by default there is one
        group.
    errors, backend, threads, progress
        See the module.

    Examples
    --------
    >>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 30"]
    >>> heat = setwise.heat(fens, "white_rook", by_ply=20)
    >>> heat.plies, heat.rows, heat.squares[:, 0, 0, :4].tolist()
    ([0, 40], array([1, 1], dtype=uint64), [[0, 1, 0, 0], [0, 1, 1, 1]])
    """
    if by_ply is not None and by_ply < 1:
        raise ValueError(f"`by_ply` is at least 1, found {by_ply}")
    query = _query(columns, errors=errors, backend=backend, threads=threads)
    names = _setwise.schema(query).names
    plies, rows, squares = _setwise.heat(_positions(positions), query, by_ply, _callback(progress))
    return Heat(names, plies, np.array(rows, np.uint64), squares.reshape(len(plies), len(names), 8, 8))


def __dir__() -> list[str]:
    return sorted(__all__)


if sys.modules.get("polars") is not None:
    from . import polars as polars  # registers pl.Expr.setwise
