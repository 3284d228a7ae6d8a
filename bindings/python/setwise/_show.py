"""Pictures of positions, and heat maps of many."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._query import Errors, Progress, _callback, _positions, _query, check_range, listed


class Drawing:
    """A drawing of a position with sets of squares. Notebooks show it as a picture, ``print`` as text."""

    def __init__(self, text: str, svg: str) -> None:
        self._text, self._svg = text, svg

    def _repr_svg_(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return self._text


def show(fen: str, columns: str | Sequence[str] | None = None) -> Drawing:
    """Draws a position with sets of squares.

    Parameters
    ----------
    fen
        A FEN, or ``"startpos"``.
    columns
        Names and presets of columns that are sets of squares, and patterns, which select only such columns;
        ``"attackers"``, a heat map of the number of pieces of each side that attack each square; ``"threats"``, arrows
        from piece to piece; or ``"legal"``, arrows for legal moves. By default ``"attackers"``, which text shows as
        ``white_all`` and ``black_all``.

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
    return Drawing(*_setwise.show(fen, None if columns is None else listed("columns", columns)))


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
        boards = [(name, after[g], shares[g, c], False) for g in range(len(plies)) for c, name in enumerate(columns)]
        super().__init__(*_drawn(_positions_of(int(rows.sum())), len(columns), boards))

    def versus(self, other: "Heat", names: tuple[str, str] = ("first", "second")) -> Drawing:
        """Draws these positions and others side by side, and the difference of the shares in percentage points.

        Both have the same columns. Plies are not distinguished.

        >>> fens = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]
        >>> one, all = (setwise.heat(positions, "white_rook") for positions in (fens[:1], fens))
        >>> print(str(one.versus(all, ("with a rook", "all"))).splitlines()[-2])
        1   +0.0 +50.0 +50.0 +50.0 +50.0  +0.0  +0.0  +0.0
        """
        if self.columns != other.columns:
            raise ValueError(f"the columns differ: {', '.join(self.columns)} and {', '.join(other.columns)}")
        rows = [int(heat.rows.sum()) for heat in (self, other)]
        if 0 in rows:
            raise ValueError(f"`{names[rows.index(0)]}` has no positions")
        one, two = (heat.squares.sum(axis=0) / count for heat, count in zip((self, other), rows))
        boards: list[tuple[str, str, npt.NDArray[np.float64], bool]] = []
        for c, column in enumerate(self.columns):
            titles = [f", {name}, n = {count:,}" for name, count in zip(names, rows)]
            boards += [(column, titles[0], one[c], False), (column, titles[1], two[c], False)]
            boards.append((column, f", {names[0]} minus {names[1]}", one[c] - two[c], True))
        return Drawing(*_drawn(" and ".join(map(_positions_of, rows)), 1, boards))


def _positions_of(count: int) -> str:
    return f"{count:,} position" + ("s" if count != 1 else "")


def _drawn(
    note: str, maps: int, boards: Sequence[tuple[str, str, npt.NDArray[np.float64], bool]]
) -> tuple[str, str]:
    """The text and the picture of boards: the name of the column, the rest of the title, shares, and if they are differences."""
    return _setwise.draw_heat(note, maps, [(name, more, board.ravel().tolist(), d) for name, more, board, d in boards])


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
        Names and presets of columns that are sets of squares, and patterns, which select only such columns.
    by_ply
        Group positions by this number of half-moves, according to the move number of the FEN; by default there is one
        group. FENs without a move number are not counted.
    errors, backend, threads, progress
        See the module.

    Examples
    --------
    >>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 30"]
    >>> heat = setwise.heat(fens, "white_rook", by_ply=20)
    >>> heat.plies, heat.rows, heat.squares[:, 0, 0, :4].tolist()
    ([0, 40], array([1, 1], dtype=uint64), [[0, 1, 0, 0], [0, 1, 1, 1]])
    """
    check_range("by_ply", by_ply, 1, 1 << 32)
    query = _query(columns, errors=errors, backend=backend, threads=threads)
    names, plies, rows, squares = _setwise.heat(_positions(positions), query, by_ply, _callback(progress))
    return Heat(names, plies, np.array(rows, np.uint64), squares.reshape(len(plies), len(names), 8, 8))
