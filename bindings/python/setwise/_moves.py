"""Legal moves, the positions after them, and their classes in policy networks."""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _policy, _setwise
from ._query import BOARDS, STATE, Progress, _callback, _check_answers, _query, _rows_stay, _with_state

#: The number of positions whose classes of moves are looked up together.
_PART = 1 << 13


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
        ``"type"``: AlphaZero's 73 planes, the origins of moves for each of its types of moves, from the point of view of
        the side to move: if black is to move, the board is flipped vertically. Types 0 to 55 are ``7 * direction + distance -
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
        ``role`` is the promotion piece: 0 knight, 1 bishop, 2 rook, 3 queen. The destination of castling is as in
        ``legal``: two squares from the king's origin, or in Chess960 the square of its rook.

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


class _Part(NamedTuple):
    """The legal moves of consecutive positions."""

    #: The positions.
    rows: slice
    #: For each move the index of its position among these, the move, and the move with castling as in encodings.
    of_row: npt.NDArray[np.int64]
    legal: npt.NDArray[np.uint16]
    by_rook: npt.NDArray[np.uint16]
    #: The sides to move.
    turns: npt.NDArray[np.uint8]


def _legal_parts(
    positions: Any, state: Any, errors: Literal["raise", "null"], backend: str | None, threads: int | None, progress: Progress
) -> tuple[int, Iterator[_Part]]:
    """Returns the number of positions, and their legal moves in parts, so that Ctrl-C takes effect between them."""
    source = _with_state(positions, state)
    query = _query("legal_moves", errors=_rows_stay(errors), backend=backend, threads=threads)
    [(offsets, moves)], nulls = _setwise.lists(source, query, _callback(progress))
    _check_answers(source, nulls, errors)
    table = _setwise.maps(source, _query(("turn", "white", "black"), errors="null", threads=threads), None, None)
    turns, white, black = (np.ma.filled(table[name], 0) for name in ("turn", "white", "black"))

    def part(rows: slice) -> _Part:
        ends = offsets[rows.start : rows.stop + 1]
        of_row = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
        legal = moves[ends[0] : ends[-1]]
        by_rook = _policy.castling_by_rook(legal, of_row, white[rows] | black[rows])
        return _Part(rows, of_row, legal, by_rook, turns[rows])

    return len(turns), (part(slice(start, start + _PART)) for start in range(0, len(turns), _PART))


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
    count, parts = _legal_parts(positions, state, errors, backend, threads, progress)
    mask = np.zeros((count, width), bool)
    for rows, of_row, _, by_rook, turns in parts:
        mask[rows][of_row, _policy.table(policy)[turns[of_row], by_rook]] = True
    return mask


def _wanted(moves: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Converts moves in UCI notation or 16-bit integers to the format of ``_policy.from_uci``. Other objects become -1."""
    bits, wanted = moves, np.full(len(moves), -1)
    if moves.dtype.kind not in "iu":
        items = moves.tolist()
        bits = np.array([move if isinstance(move, int) and 0 <= move < 1 << 16 else -1 for move in items], np.int64)
        # Bytes beyond ASCII become characters that no move has.
        texts = [move.decode("latin-1") if isinstance(move, bytes) else move for move in items]
        texts = [text if isinstance(text, str) else "" for text in texts]
        wanted = _policy.from_uci(np.array(texts, np.str_))
    bits = bits.astype(np.int64)
    return np.where((bits >= 0) & (bits < 1 << 16), _policy.named(bits), wanted)


def _places(part: _Part, wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Returns the place of the wanted move of each position among all legal moves, -1 if it is not legal."""
    numbers = part.legal.astype(np.int64)
    place = np.full(len(wanted), -1)
    [same] = np.nonzero(_policy.named(numbers) == wanted[part.of_row])
    place[part.of_row[same]] = same
    # Castling also matches its other notations (the king to its rook, to the g-file or to the c-file), unless these
    # denote another legal move.
    [castles] = np.nonzero(numbers >> 14 == 3)
    origin, target = numbers[castles] >> 6 & 63, numbers[castles] & 63
    east = target > origin
    two = part.by_rook[castles] >> 14 == 3
    rook = np.where(two, np.where(east, origin | 7, origin & 56), target)
    for other in (rook, np.where(east, origin & 56 | 6, origin & 56 | 2)):
        row = part.of_row[castles]
        named = ((other | origin << 6) == wanted[row]) & (place[row] < 0)
        place[row[named]] = castles[named]
    return place


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
        ``legal_moves``. A null is a missing move.
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
    count, parts = _legal_parts(positions, state, errors, backend, threads, progress)
    played = np.asarray(np.ma.filled(moves.astype(object), None) if isinstance(moves, np.ma.MaskedArray) else moves)
    if played.shape != (count,):
        raise ValueError(f"there are {count} positions, and moves of shape {list(played.shape)}")
    if played.dtype.kind == "f" and all(move != move or move.is_integer() for move in played):
        # Packages convert integers with nulls to these.
        played = np.array([None if move != move else int(move) for move in played], object)
    if count and played.dtype.kind not in "iuOSUT":
        raise TypeError(f"moves are text in UCI notation or 16-bit integers, found {played.dtype}")
    indices = np.full(count, -1, np.int64)
    for part in parts:
        place = _places(part, _wanted(played[part.rows]))
        [some] = np.nonzero(place >= 0)
        found = indices[part.rows]
        found[some] = table[part.turns[some], part.by_rook[place[some]]]
        if errors == "raise" and (found < 0).any():
            bad = int(np.argmax(found < 0))
            row, move = part.rows.start + bad, played[part.rows][bad : bad + 1].tolist()[0]
            if place[bad] >= 0:
                raise ValueError(f"row {row}: `{policy}` has no class for {move!r}")
            raise ValueError(f"row {row}: {move!r} is not a legal move")
    return indices
