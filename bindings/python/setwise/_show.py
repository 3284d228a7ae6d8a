"""Pictures of positions, and heat maps of many."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._progress import callback as _callback
from ._query import Errors, Progress, _positions, _query


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
