"""Computes the squares attacked by chess pieces, and other columns, for millions of positions in one call.

>>> import setwise
>>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * 1000
>>> table = setwise.maps(fens)
>>> hex(table["white_all"][999])
'0xffff7e'

A bitboard is a number of 64 bits with a bit for each square: a1 = bit 0, h1 = bit 7, h8 = bit 63. Positions are a
column of FENs (anything with Arrow's PyCapsules, such as a column of polars, pyarrow or pandas; a list of ``str``; an
array of numpy) or boards (arrays of numpy, or a table with the eight columns ``setwise.BOARDS``). A ``setwise.Table``
comes back. It has these capsules too, and its columns are numpy arrays.

The functions share these options:

columns
    Names, patterns such as ``"white_*"`` and presets such as ``"counts"``, in the order of the output. A pattern skips
    columns that are there already. ``setwise.columns()`` lists all names. By default, the sixteen attack maps.
feature_set
    The set of network inputs for the columns ``white_features`` and ``black_features``, one of ``feature_sets()``.
errors
    What to do with an invalid row: ``"raise"`` a ``FenError``, ``"skip"`` the row, or make its columns ``"null"``. A row
    without text is not invalid: its columns are null.
signed
    Signed integers with the same bits, for programs without unsigned ones.
backend
    The vector instructions, one of ``backends()``, which lists them from the simplest to the fastest. By default the
    last, which is the fastest.
threads
    The number of threads, by default one for each processor.
progress
    A function that is called with the number of rows that are done and the number of all rows, some twenty times a
    second; or ``True`` for a line of text on standard error.

Calls release the GIL, and rows keep their order. Ctrl-C ends every call within a fraction of a second. Columns of a
``Table`` are read-only views of Arrow's memory; ``.copy()`` gives a writable array, which ``torch.from_numpy`` takes
without a warning. The arrays of ``attacks``, ``pieces``, ``threats``, ``features`` and ``planes`` are writable.
"""

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._error import FenError
from ._progress import callback as _callback
from ._setwise import Reader, Schema, Table, __version__, backends, columns

__all__ = [
    "BOARDS",
    "Drawing",
    "FenError",
    "Reader",
    "Schema",
    "Table",
    "__version__",
    "attacks",
    "backends",
    "columns",
    "feature_sets",
    "features",
    "maps",
    "maps_table",
    "pieces",
    "planes",
    "read",
    "schema",
    "show",
    "threats",
]

Errors = Literal["raise", "skip", "null"]
Progress = Callable[[int, int], object] | bool | None
Lists = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]

#: The eight boards of a position, in the order in which arrays have them.
BOARDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black")


@lru_cache(maxsize=128)
def _compiled(
    columns: tuple[str, ...] | None,
    feature_set: str | None,
    errors: str,
    signed: bool,
    backend: str | None,
    threads: int | None,
) -> _setwise.Query:
    return _setwise.Query(columns, feature_set, errors, signed, backend, threads)


def _query(
    columns: str | Sequence[str] | None,
    *,
    feature_set: str | None = None,
    errors: str = "raise",
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
) -> _setwise.Query:
    """The compiled query of the options of a call. The last ones are kept, so that small calls are cheap."""
    if columns is not None:
        columns = (columns,) if isinstance(columns, str) else tuple(columns)
    return _compiled(columns, feature_set, errors, signed, backend, threads)


def _rows_stay(errors: str) -> str:
    if errors == "skip":
        raise ValueError("`errors` is `raise` or `null` here: each row of an array belongs to a position")
    return errors


def _words(array: Any, what: str) -> npt.NDArray[np.uint64]:
    """Boards as native ``uint64`` whose elements are aligned, copied only if they are not."""
    if np.ma.is_masked(array):
        raise ValueError(f"{what} have masked rows, which are no positions; `filled(0)` makes them empty boards")
    array = np.asarray(array)
    if array.dtype.kind not in "iu" or array.dtype.itemsize != 8:
        raise TypeError(f"{what} are uint64 or int64, found {array.dtype}")
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    words: npt.NDArray[np.uint64] = np.require(array, requirements="A").view(np.uint64)
    return words


def _positions(positions: Any) -> _setwise.Positions:
    """Positions as the compiled half takes them."""
    if isinstance(positions, np.ndarray) and (positions.ndim == 2 or positions.dtype.kind in "biufcmMV"):
        boards = _words(positions, "boards")
        if boards.ndim != 2 or boards.shape[1] != 8:
            raise ValueError(f"boards have the shape [n, 8], found {list(boards.shape)}")
        return _setwise.Positions(boards if boards.flags.forc else np.ascontiguousarray(boards))
    if isinstance(positions, list | tuple) and positions and isinstance(positions[0], np.ndarray):
        if len(positions) != 8:
            raise ValueError(f"a position is eight boards ({', '.join(BOARDS)}), found {len(positions)}")
        columns = [_words(column, name) for name, column in zip(BOARDS, positions)]
        for name, column in zip(BOARDS, columns):
            if column.ndim != 1:
                raise ValueError(f"{name} have the shape [n], found {list(column.shape)}")
        return _setwise.Positions([np.ascontiguousarray(column) for column in columns])
    return _setwise.Positions(positions)


def _index(rows: Any) -> Any:
    """The index of a series or frame of pandas, else ``None``."""
    pandas = sys.modules.get("pandas")
    # Another thread may be importing it just now; then nobody has an object of it.
    types = tuple(getattr(pandas, name) for name in ("Series", "DataFrame") if hasattr(pandas, name))
    is_pandas = isinstance(rows, types)
    return rows.index if is_pandas else None


def maps(
    positions: Any,
    columns: str | Sequence[str] | None = None,
    *,
    feature_set: str | None = None,
    errors: Errors = "raise",
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Table:
    """Columns of positions.

    Parameters
    ----------
    positions
        A column with a FEN or EPD in each row: an Arrow array (of ``utf8``, ``large_utf8``, ``utf8_view`` or a dictionary
        of these, in chunks or not), a list of ``str``, or a numpy array of ``str``. A null or ``None`` gives nulls.
        Or boards, as ``attacks`` takes them. For a table with a column of FENs, see ``maps_table``.
    columns, feature_set, errors, signed, backend, threads, progress
        As the module explains. With ``errors="skip"``, the column ``line`` tells which rows are there; it counts from 1.

    Returns
    -------
    Table
        A row for each position. Bitboards are ``uint64``, numbers ``uint16`` or smaller, lists ``large_list``. If
        ``positions`` is a series of pandas, ``to_pandas`` has its index.

    Raises
    ------
    FenError
        At the first invalid row.
    ValueError
        If a column is not known; the message names the nearest.

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
        columns, feature_set=feature_set, errors=errors, signed=signed, backend=backend, threads=threads
    )
    return _setwise.maps(_positions(positions), query, _index(positions), _callback(progress))


def maps_table(
    table: Any,
    columns: str | Sequence[str] | None = None,
    *,
    fen_column: str | None = None,
    feature_set: str | None = None,
    errors: Errors = "raise",
    signed: bool = False,
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Table:
    """A table with new columns after its own.

    Parameters
    ----------
    table
        A table or record batch of anything that speaks Arrow. Its columns are passed on unchanged. The index of a frame
        of pandas does not become a column; ``to_pandas`` has it.
    fen_column
        The column that holds the positions; by default the one that is called ``fen``, in capitals or not.
    columns, feature_set, errors, signed, backend, threads, progress
        As the module explains.

    Examples
    --------
    >>> import pyarrow
    >>> games = pyarrow.table({"fen": ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"], "elo": [2851]})
    >>> setwise.maps_table(games, "white_rook")
    <setwise.Table: 1 rows, fen: Utf8, elo: Int64, white_rook: UInt64>
    """
    query = _query(
        columns, feature_set=feature_set, errors=errors, signed=signed, backend=backend, threads=threads
    )
    index = _index(table)
    if index is not None:
        table = importlib.import_module("pyarrow").Table.from_pandas(table, preserve_index=False)
    return _setwise.maps_table(table, fen_column, query, index, _callback(progress))


def schema(
    columns: str | Sequence[str] | None = None, *, feature_set: str | None = None, signed: bool = False
) -> Schema:
    """The schema of what ``maps`` returns for these columns. Each field has its meaning as metadata.

    >>> setwise.schema(["white_all", "white_mobility_knight"], signed=True)
    <setwise.Schema: white_all: Int64, white_mobility_knight: Int16>
    """
    return _setwise.schema(_query(columns, feature_set=feature_set, signed=signed))


def _overlaps_itself(array: npt.NDArray[Any]) -> bool:
    """Whether elements of an array of two dimensions may share memory: whether its strides are not nested."""
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
    """The sixteen attack maps of boards.

    Parameters
    ----------
    pieces : uint64 array, shape [n, 8]
        Pawns, knights, bishops, rooks, queens and kings of both colours, all white pieces, all black pieces; or
        these eight as arrays of shape [n]; or a table with these columns, such as a batch of ``read``. They are read where
        they lie if they are native ``uint64`` or ``int64``; another byte order is converted, and another type refused.
    out : uint64 array, shape [n, 16]
        Where the maps go, if not into a new array. Nothing is copied if each of its columns lies in one piece, as those
        of a result of this function do. Its elements must not overlap each other or the boards.
    backend, threads, progress
        As the module explains.

    Returns
    -------
    uint64 array, shape [n, 16]
        The columns of ``setwise.schema()``, each of which is contiguous: for white the squares attacked by
        pawns, knights, bishops, rooks, queens and king, by any of them, and by at least two pieces; then the
        same for black.

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
        # Columns lie some pages and a cache line apart: written at the same places of their pages, they
        # would fight for the same places of the caches, and take a third longer.
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
    """The boards of positions.

    Parameters
    ----------
    positions
        FENs as ``maps`` takes them, or a table of boards such as a batch of ``read``.
    errors, threads, progress
        As the module explains. A null, or with ``errors="null"`` an invalid row, is an empty board.

    Returns
    -------
    uint64 array, shape [n, 8]
        The columns of ``setwise.BOARDS``, each of which is contiguous.

    Examples
    --------
    >>> boards = setwise.pieces(["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"])
    >>> dict(zip(setwise.BOARDS, boards[0].tolist()))["rooks"]
    1
    """
    source = _positions(positions)
    out = np.empty((8, len(source)), np.uint64)
    _setwise.fill(source, _query(BOARDS, errors=_rows_stay(errors), threads=threads), out, _callback(progress))
    return out.T


def threats(
    positions: Any,
    *,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """Who attacks whom: for each position all pairs of a piece and an occupied square that it attacks.

    The column ``threats`` of ``maps`` has the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as ``maps`` takes them.
    errors, backend, threads, progress
        As the module explains. A null, or with ``errors="null"`` an invalid row, has an empty list.

    Returns
    -------
    offsets : int64 array, shape [n + 1]
        The pairs of position ``i`` are ``pairs[offsets[i]:offsets[i + 1]]``.
    pairs : uint16 array
        ``from + 256 * to``: the square of the attacker and that of the attacked piece, of either colour.

    Examples
    --------
    >>> offsets, pairs = setwise.threats(["7k/4n3/8/5N2/8/8/8/K7 w - - 0 1"])
    >>> offsets
    array([0, 2])
    >>> sorted(zip((pairs % 256).tolist(), (pairs // 256).tolist()))
    [(37, 52), (52, 37)]
    """
    query = _query("threats", errors=_rows_stay(errors), backend=backend, threads=threads)
    [lists] = _setwise.lists(_positions(positions), query, False, _callback(progress))
    return lists


def feature_sets() -> dict[str, int]:
    """The feature sets that ``features`` knows, and how many inputs each has.

    >>> setwise.feature_sets()["stockfish-2026-08"]
    59808
    """
    return dict(_setwise.feature_sets())


@overload
def features(
    positions: Any,
    feature_set: str = ...,
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
    feature_set: str = ...,
    *,
    padded: int,
    errors: Literal["raise", "null"] = ...,
    backend: str | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def features(
    positions: Any,
    feature_set: str = "stockfish-2026-08",
    *,
    padded: int | None = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Any:
    """The inputs that a network has for threats, from the perspectives of white and of black.

    The columns ``white_features`` and ``black_features`` of ``maps`` have the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as ``maps`` takes them. Each side has one king.
    feature_set
        One of ``feature_sets()``.
    padded
        The width of rows, if rows are wanted. No position has more than 420 inputs a side, and Stockfish's
        trainer has rows of 128.
    errors, backend, threads, progress
        As the module explains. A null has no inputs. Neither have an invalid row and one without exactly one king a side,
        with ``errors="null"``.

    Returns
    -------
    (offsets, indices), (offsets, indices)
        For white and for black: the inputs of position ``i`` are ``indices[offsets[i]:offsets[i + 1]]``,
        ``int64`` of shape [n + 1] and ``int32``. ``torch.sparse_csr_tensor`` takes them as ``crow_indices`` and
        ``col_indices``. ``torch.nn.EmbeddingBag`` takes all ``n + 1`` offsets only with ``include_last_offset=True``;
        without it, give it ``offsets[:-1]``, or it returns a row too many.
    white, black : int32 arrays, shape [n, padded]
        If ``padded`` is given: rows with -1 after the last input.

    Raises
    ------
    FenError
        At the first invalid row.
    ValueError
        If a side has not exactly one king, or more inputs than the width.

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
    strict = errors == "raise"
    if padded is None:
        return tuple(_setwise.lists(_positions(positions), query, strict, _callback(progress)))
    if padded < 1:
        raise ValueError(f"`padded` is a width of at least 1, found {padded}")
    return tuple(
        _setwise.feature_rows(_positions(positions), query, strict, padded, threads, _callback(progress))
    )


def planes(maps: Any, dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """Maps as planes of eight by eight squares, as networks take them.

    Parameters
    ----------
    maps : uint64 array, shape [n, k]
        What ``attacks`` or ``pieces`` returns; or a ``Table`` whose columns are all sets of squares. A null is a plane
        without squares.
    dtype
        ``numpy.uint8``, ``numpy.float32``, or whatever else numpy has.

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
    # Little-endian: the byte of rank 1 comes first, and in it the bit of the a-file.
    ranks = np.ascontiguousarray(maps.astype("<u8", copy=False)).view(np.uint8)
    squares = np.unpackbits(ranks.reshape(*maps.shape, 8, 1), axis=-1, bitorder="little")
    return squares.astype(dtype, copy=False)


def read(
    path: str | os.PathLike[str],
    columns: str | Sequence[str] | None = None,
    *,
    keep: str | Sequence[str] | None = None,
    input_format: str | None = None,
    feature_set: str | None = None,
    errors: Errors | Literal["keep"] = "raise",
    signed: bool = False,
    backend: str | None = None,
    batch_size: int = 65_536,
    threads: int | None = None,
) -> Reader:
    """The positions of a file of games, or of training data for engines, batch by batch.

    Parameters
    ----------
    path
        A file of games in PGN, or of packed records; plain, or compressed with gzip or zstd. Every position of a game
        has a row, from the start to the end.
    columns
        As the module explains. By default what is said of each position: the eight boards, and of ``turn``,
        ``castling_white``, ``castling_black``, ``en_passant``, ``halfmove_clock``, ``fullmove_number``, ``score``,
        ``result``, ``move``, ``ply`` and ``extra`` those that the format has.
    keep
        Columns that come first. Of games these are by default all of ``game``, ``ply``, ``move`` (UCI; null at the end),
        ``san``, ``clock`` and ``elapsed`` (seconds), ``eval`` (centipawns as white sees it), ``mate`` and ``result`` (of
        the side to move). Names of tags, as ``["White", "WhiteElo", "UTCDate"]``, come before these; name some of both
        for just those, or ``[]`` for none.
    input_format
        ``"pgn"``, ``"bullet"``, ``"marlin"``, ``"viri"``, ``"bin"`` or ``"binpack"``; by default what the file's name
        ends with.
    errors
        What to do with a game that cannot be replayed: ``"raise"``, ``"skip"``, or ``"keep"`` its positions up to there.
        What to do with an invalid record where all records have one size: ``"raise"``, ``"skip"`` or ``"null"``. In
        packed games nothing can be read after an invalid record, so it raises in any case.
    batch_size
        The largest number of rows of a batch.
    threads
        How many threads replay games; by default one for each processor.
    feature_set, signed, backend
        As the module explains.

    Returns
    -------
    Reader
        An iterator of ``Table``, which ``attacks``, ``threats`` and ``features`` take if they have the boards. Whatever
        takes a stream of Arrow takes the reader too: ``pyarrow.table(reader)`` is the whole file,
        ``pyarrow.RecordBatchReader.from_stream(reader)`` its batches.

    Raises
    ------
    ValueError
        At an invalid record or game, after the rows before it (``FenError`` for a game, whose number is its ``row``). Where all records have one size, the next batch starts after it.
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
    query = _query(columns, feature_set=feature_set, errors=errors, signed=signed, backend=backend, threads=1)
    if threads is not None and threads < 1:
        raise ValueError("`threads` must be at least 1")
    kept = None if keep is None else [keep] if isinstance(keep, str) else list(keep)
    return _setwise.read(path, query, columns is not None, kept, input_format, batch_size, threads)


class Drawing:
    """A position with sets of squares: a picture in notebooks, text when printed."""

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
        Names, patterns or presets of columns that are sets of squares; ``"attackers"``, a heat map of how many pieces of
        each side attack each square; or ``"threats"``, arrows from piece to piece. By default the attackers, which are
        drawn as ``white_all`` and ``black_all`` in text.

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


if sys.modules.get("polars") is not None:
    from . import polars as polars  # registers pl.Expr.setwise
