"""Which squares does each piece attack? Columns for millions of chess positions by one call.

>>> import setwise
>>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * 1000
>>> table = setwise.maps(fens)
>>> hex(table["white_all"][999])
'0xffff7e'

Boards are numbers of 64 bits: a1 = bit 0, h1 = bit 7, h8 = bit 63. Columns of text may be anything with
Arrow's PyCapsules (polars, pyarrow, pandas, DuckDB ...), lists of ``str`` and arrays of numpy; tables come back
as ``setwise.Table``, which has these capsules too, and gives its columns as numpy arrays. Work is done without
the GIL, by as many threads as there are processors unless ``threads`` says otherwise, and results are in the
order of the rows. Ctrl-C ends every call within a fraction of a second.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._error import FenError
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

Errors = Literal["raise", "null"]

#: The eight boards of a position, in the order in which arrays have them.
BOARDS = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black")


def _names(columns: str | Sequence[str] | None) -> list[str] | None:
    if columns is None:
        return None
    return [columns] if isinstance(columns, str) else list(columns)


def maps(
    fens: Any,
    columns: str | Sequence[str] | None = None,
    *,
    errors: Errors = "raise",
    signed: bool = False,
    threads: int | None = None,
) -> Table:
    """Columns of maps for a column of positions.

    Parameters
    ----------
    fens
        FEN or EPD, a position a row: an Arrow array (of ``utf8``, ``large_utf8``, ``utf8_view`` or a dictionary
        of these, in chunks or not), a list of ``str``, or a numpy array of ``str``. A null or ``None`` gives
        nulls.
    columns
        The names of the columns, in order; ``setwise.columns()`` lists them. Without it, the sixteen attack
        maps: ``white_pawn`` to ``white_king``, ``white_all``, ``white_twice``, and the same of black.
    errors
        What to do with a row that is no position: ``"raise"`` a ``FenError``, or make it ``"null"``.
    signed
        Signed integers with the same bits, for programs that have no unsigned ones.
    threads
        How many; by default one for each processor.

    Returns
    -------
    Table
        A row for each position. Maps are ``uint64``, numbers ``uint16`` or smaller, ``threats`` lists of ``uint16``.

    Raises
    ------
    FenError
        At the first row that is no position.
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
    return _setwise.maps(fens, _names(columns), errors, signed, threads)


def maps_table(
    table: Any,
    fen: str | None = "fen",
    columns: str | Sequence[str] | None = None,
    *,
    errors: Errors = "raise",
    signed: bool = False,
    threads: int | None = None,
) -> Table:
    """A table with columns of maps behind those that it has.

    Parameters
    ----------
    table
        A table or record batch of anything that speaks Arrow. Its columns are passed on as they are.
    fen
        The column that holds the positions. ``None`` finds a column called ``fen``, in whatever capitals.
    columns, errors, signed, threads
        As ``maps`` has them.

    Examples
    --------
    >>> import pyarrow
    >>> games = pyarrow.table({"fen": ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"], "elo": [2851]})
    >>> setwise.maps_table(games, columns=["white_rook"])
    <setwise.Table: 1 rows, fen: Utf8, elo: Int64, white_rook: UInt64>
    """
    return _setwise.maps_table(table, fen, _names(columns), errors, signed, threads)


def schema(columns: str | Sequence[str] | None = None, *, signed: bool = False) -> Schema:
    """The schema of what ``maps`` returns for these columns, each with its meaning as metadata.

    >>> setwise.schema(["white_all", "white_mobility_knight"], signed=True)
    <setwise.Schema: white_all: Int64, white_mobility_knight: Int16>
    """
    return _setwise.schema(_names(columns), signed)


def _boards(boards: Any) -> Any:
    """Boards as the compiled half takes them: ``[n, 8]`` with rows or columns in one piece, or eight ``[n]``."""
    if isinstance(boards, np.ndarray):
        if boards.dtype.kind == "O" or boards.dtype.itemsize != 8 or boards.dtype.kind not in "iu":
            raise TypeError(f"boards are uint64 or int64, found {boards.dtype}")
        if boards.ndim != 2 or boards.shape[1] != 8:
            raise ValueError(f"boards have the shape [n, 8], found {list(boards.shape)}")
        if not (boards.flags.forc and boards.flags.aligned):
            boards = np.require(boards, requirements=("C", "A"))
        return boards.view(np.uint64)
    columns = [np.require(column, requirements=("C", "A")) for column in boards]
    if len(columns) != 8:
        raise ValueError(f"a position is eight boards ({', '.join(BOARDS)}), found {len(columns)}")
    for name, column in zip(BOARDS, columns):
        if column.ndim != 1 or column.dtype.itemsize != 8 or column.dtype.kind not in "iu":
            raise TypeError(f"{name} are uint64 or int64 [n], found {column.dtype} {list(column.shape)}")
    return [column.view(np.uint64) for column in columns]


def _rows(boards: Any) -> int:
    return len(boards) if isinstance(boards, np.ndarray) else len(boards[0])


def _boards_of(positions: Any, threads: int | None) -> Any:
    """Boards of what is either boards or text."""
    if isinstance(positions, np.ndarray) and positions.dtype.kind in "iufb":
        return _boards(positions)
    if isinstance(positions, list | tuple) and positions and isinstance(positions[0], np.ndarray):
        return _boards(positions)
    return pieces(positions, threads=threads)


def attacks(
    pieces: npt.NDArray[np.uint64] | Sequence[npt.NDArray[np.uint64]],
    *,
    out: npt.NDArray[np.uint64] | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.uint64]:
    """The sixteen attack maps of boards.

    Parameters
    ----------
    pieces : uint64 array, shape [n, 8]
        Pawns, knights, bishops, rooks, queens and kings of both colours, all white pieces, all black pieces; or
        these eight as arrays of shape [n]. They are read where they lie. (``int64`` is read as the same bits.)
    out : uint64 array, shape [n, 16]
        Where the maps go, if they shall not go into a new array. Nothing is copied if each of its columns lies in
        one piece, as those of a result of this function do.
    threads
        How many; by default one for each processor.

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
    boards = _boards(pieces)
    rows = _rows(boards)
    if out is None:
        # Columns lie some pages and a cache line apart: written at the same places of their pages, they
        # would fight for the same places of the caches, and take a third longer.
        apart = -rows % 512 + 8 if rows > 4096 else 0
        out = np.empty((16, rows + apart), np.uint64)[:, :rows].T
    if out.shape != (rows, 16) or out.dtype != np.uint64:
        raise ValueError(f"out is uint64 [{rows}, 16], found {out.dtype} {list(out.shape)}")
    if out.flags.aligned and (out.strides[0] == 8 or rows < 2):
        _setwise.attacks(boards, out.T, threads)
    else:
        out[...] = attacks(boards, threads=threads)
    return out


def pieces(fens: Any, *, errors: Errors = "raise", threads: int | None = None) -> npt.NDArray[np.uint64]:
    """The boards of positions.

    Parameters
    ----------
    fens, errors, threads
        As ``maps`` has them. A null, or with ``errors="null"`` a row that is no position, is an empty board.

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
    text = _setwise.Text(fens)
    out = np.empty((8, len(text)), np.uint64)
    _setwise.pieces(text, out, errors, threads)
    return out.T


def threats(
    positions: Any, *, threads: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """Who attacks whom: for each position all pairs of a piece and an occupied square that it attacks.

    Parameters
    ----------
    positions
        FENs as ``maps`` takes them, or boards as ``attacks`` takes them.
    threads
        How many; by default one for each processor.

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
    return _setwise.threats(_boards_of(positions, threads), threads)


def feature_sets() -> dict[str, int]:
    """The sets of inputs that ``features`` knows, and how many inputs each has.

    >>> setwise.feature_sets()["stockfish-2026-08"]
    59808
    """
    return dict(_setwise.feature_sets())


def features(
    positions: Any,
    set: str = "stockfish-2026-08",
    *,
    padded: int | None = None,
    threads: int | None = None,
) -> Any:
    """The inputs that a network has for threats, as white and as black sees them.

    Parameters
    ----------
    positions
        FENs as ``maps`` takes them, or boards as ``attacks`` takes them. A side has one king.
    set
        The name of a set, one of ``feature_sets()``.
    padded
        The width of rows, if rows are wanted; no position has more than 420 inputs a side, and Stockfish's
        trainer has rows of 128.
    threads
        How many; by default one for each processor.

    Returns
    -------
    (offsets, indices), (offsets, indices)
        For white and for black: the inputs of position ``i`` are ``indices[offsets[i]:offsets[i + 1]]``,
        ``int64`` of shape [n + 1] and ``int32``. ``torch.sparse_csr_tensor`` takes them as ``crow_indices`` and
        ``col_indices``; ``torch.nn.EmbeddingBag`` as ``offsets[:-1]`` and ``input``.
    white, black : int32 arrays, shape [n, padded]
        If ``padded`` is given: rows with -1 behind the last input.

    Raises
    ------
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
    boards = _boards_of(positions, threads)
    if padded is None:
        return _setwise.features(boards, set, threads)
    if padded < 1:
        raise ValueError(f"padded is a width of at least 1, found {padded}")
    white, black = (np.empty((_rows(boards), padded), np.int32) for _ in range(2))
    _setwise.feature_rows(boards, set, white, black, threads)
    return white, black


def planes(maps: Any, dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """Maps as planes of eight by eight squares, as networks take them.

    Parameters
    ----------
    maps : uint64 array, shape [n, k]
        What ``attacks`` or ``pieces`` returns; a ``Table`` of maps does as well.
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
        maps = np.stack([maps[name] for name in maps.column_names], axis=1)
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
    format: str | None = None,
    batch_size: int = 65_536,
    signed: bool = False,
) -> Reader:
    """The positions of a file that engines train on, batch by batch.

    Parameters
    ----------
    path
        A file of packed records.
    columns
        The names of the columns. Without it, what a record says: the eight boards, and of ``turn``,
        ``castling_white``, ``castling_black``, ``en_passant``, ``halfmove_clock``, ``fullmove_number``, ``score``,
        ``result``, ``move``, ``ply`` and ``extra`` those that the format has. Maps can be asked for as well.
    format
        ``"bullet"``, ``"marlin"``, ``"viri"``, ``"bin"`` or ``"binpack"``; by default what the file's name ends with.
    batch_size
        The most rows of a batch.
    signed
        Signed integers with the same bits.

    Returns
    -------
    Reader
        An iterator of ``Table``. Whatever takes a stream of Arrow takes it too: ``pyarrow.table(reader)`` is the
        whole file, ``pyarrow.RecordBatchReader.from_stream(reader)`` its batches.

    Raises
    ------
    ValueError
        At a record that is not one of the format, after the rows before it. Where all records have one size, the
        next batch goes on behind it.
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
    """
    os.stat(path)  # an error that names the file
    return _setwise.read(path, _names(columns), format, batch_size, signed)


class Drawing:
    """A position and a map: a picture in notebooks, text when printed."""

    def __init__(self, text: str, svg: str) -> None:
        self._text, self._svg = text, svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text


def show(fen: str, map: str = "white_all") -> Drawing:
    """Draws a position with a map.

    Parameters
    ----------
    fen
        A FEN, or ``"startpos"``.
    map
        The name of a column that is a set of squares; or ``"attackers"``, a heat map of how many pieces of each side
        attack each square; or ``"threats"``, arrows from piece to piece.

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
    return Drawing(*_setwise.show(fen, map))


if sys.modules.get("polars") is not None:
    from . import polars as polars  # registers pl.Expr.setwise
