"""Columns of positions, boards and files."""

import importlib
import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._query import BOARDS, Errors, Progress, _callback, _index, _positions, _query, _rows_stay, _with_state, listed
from ._setwise import FeatureSet, Reader, Schema, Table


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
        One row for each position. Bitboards are ``uint64``, lists ``large_list``, arrays of one length
        ``fixed_size_list``; ``schema`` returns the type of each column. If ``positions`` is a pandas series,
        ``to_pandas`` keeps its index.

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
    columns: str | Sequence[str] | None = None, *, feature_set: str | FeatureSet | None = None, signed: bool = False
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
        in one of them, or in ``turn``, ``castling_white`` or ``castling_black``, is an empty board. Native ``uint64`` and ``int64`` arrays are read in place, other byte orders are
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
    if out is not None:
        if out.shape != (rows, 16) or out.dtype != np.dtype(np.uint64):
            raise ValueError(f"`out` is native uint64 of shape [{rows}, 16], found {out.dtype} {list(out.shape)}")
        if not out.flags.writeable:
            raise ValueError("`out` is read-only")
        if _overlaps_itself(out):
            raise ValueError("elements of `out` overlap")
    if out is not None and out.flags.aligned and (out.strides[0] == 8 or rows < 2):
        maps = out
    else:
        # The distance between columns is a number of pages and a cache line. Columns at the same offsets within pages
        # would compete for the same cache sets, and the call would take a third longer.
        apart = -rows % 512 + 8 if rows > 4096 else 0
        maps = np.empty((16, rows + apart), np.uint64)[:, :rows].T
    _setwise.fill(boards, query, maps.T, _callback(progress))
    if out is None or out is maps:
        return maps
    out[...] = maps
    return out


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
            sets = others[0] in ("legal_planes", "legal_targets")
            advice = f'pass its array, `table["{others[0]}"]`' if sets else "pass a table without it"
            raise ValueError(f"column `{others[0]}` is not a set of squares: {advice}")
        maps = np.stack([np.ma.filled(maps[name], 0) for name in maps.column_names], axis=1)
    if not isinstance(maps, np.ndarray):
        raise TypeError(f"`maps` is an array or a `Table`, found {type(maps).__name__}")
    if maps.ndim != 2 or maps.dtype.itemsize != 8 or maps.dtype.kind not in "iu":
        raise ValueError(f"`maps` is uint64 of shape [n, k], found {maps.dtype} {list(maps.shape)}")
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
        added before these; ``depth`` (of the search that gave the evaluation) and ``variation`` on request. If the
        list has anything but tags, only the listed columns are kept. ``[]`` keeps none.
    input_format
        ``"pgn"``, ``"bullet"``, ``"marlin"``, ``"viri"``, ``"bin"``, ``"binpack"``, ``"plain"`` or ``"lc0"``; by default
        determined by the file extension.
    errors
        The handling of invalid input. A game that cannot be replayed: ``"raise"``, ``"skip"``, or ``"keep"`` its
        positions up to the error. An invalid packed record: ``"raise"``, ``"skip"`` or ``"null"``. If its end is unknown,
        as in viriformat and binpack, nothing can be read after it, so it always raises an error.
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
        that each condition of ``where`` has dropped so far. In a forked process, call ``read`` again.

    Raises
    ------
    ValueError
        For an invalid record or game, once the rows before it are returned. For a game it is a ``FenError`` whose
        ``row`` is the number of the game. The next batch starts after an invalid packed record, if its end is known.
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
    os.stat(os.fspath(path))  # an error that names the file
    query = _query(columns, feature_set=feature_set, errors=errors, where=where, signed=signed, backend=backend, threads=1)
    kept = None if keep is None else listed("keep", keep)
    return _setwise.read(path, query, columns is not None, kept, input_format, batch_size, threads)
