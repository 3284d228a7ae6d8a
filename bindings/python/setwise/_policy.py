"""Classes of legal moves in policy networks: tables from 16-bit moves to indices.

Each encoding is computed by a rule, which is derived from the source named in its comment. The tests compare the
results with the published tables.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

#: Encodings of moves and their numbers of classes.
POLICIES = {"alphazero": 4672, "pgx": 4672, "lc0": 1858, "uci": 1968}

# Steps in files and ranks: of queens, clockwise from north, and of knights, clockwise from two north and one east.
_WAYS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
_LINES = [(n * files, n * ranks) for files, ranks in _WAYS for n in range(1, 8)]
_LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
_KNIGHT, _BISHOP, _ROOK, _QUEEN = range(4)
_PROMOTION, _CASTLING = 1, 3

# Origin, target and promotion role.
_Move = tuple[int, int, int | None]


def _targets(origin: int, steps: list[tuple[int, int]]) -> list[int]:
    """Returns the squares that a piece with these steps attacks on an empty board."""
    targets = [(origin % 8 + files, origin // 8 + ranks) for files, ranks in steps]
    return sorted(8 * rank + file for file, rank in targets if 0 <= file < 8 and 0 <= rank < 8)


def _moves() -> list[_Move]:
    """Lists all moves from the point of view of the side to move: queens and knights by origin, then all promotions."""
    moves: list[_Move] = [
        (origin, target, None) for origin in range(64) for target in _targets(origin, _LINES + _LEAPS)
    ]
    for origin in range(48, 56):
        for target in range(max(56, origin + 7), min(63, origin + 9) + 1):
            moves += [(origin, target, role) for role in (_QUEEN, _ROOK, _BISHOP, _KNIGHT)]
    return moves


def _plane(move: _Move, steps: list[tuple[int, int]], roles: list[int], files: list[int]) -> int:
    """Returns the place of a move among steps, which follow underpromotions to these roles on these files."""
    origin, target, role = move
    east, north = target % 8 - origin % 8, target // 8 - origin // 8
    if role is None or role == _QUEEN:
        return 9 + steps.index((east, north))
    return 3 * roles.index(role) + files.index(east)


def _alphazero(move: _Move) -> int:
    """Returns ``64 * plane + square``, with the planes of ``setwise.legal``: underpromotions are the last nine."""
    plane = _plane(move, _LINES + _LEAPS, [_KNIGHT, _BISHOP, _ROOK], [-1, 0, 1])
    return 64 * ((plane - 9) % 73) + move[0]


# pgx/_src/games/chess_utils.py: seven distances south (7 to 1), north (1 to 7), west, east, south-west, north-east,
# north-west (7 to 1), south-east (1 to 7), then knights.
_PGX_WAYS = [(0, 1), (1, 0), (1, 1), (1, -1)]
_PGX_LINES = [(n * files, n * ranks) for files, ranks in _PGX_WAYS for n in (*range(-7, 0), *range(1, 8))]
_PGX_LEAPS = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (2, -1), (2, 1), (1, -2), (1, 2)]


def _pgx(move: _Move) -> int:
    """Returns ``73 * square + plane`` in the order of pgx: squares file by file, underpromotions first."""
    plane = _plane(move, _PGX_LINES + _PGX_LEAPS, [_ROOK, _BISHOP, _KNIGHT], [0, 1, -1])
    return 73 * (8 * (move[0] % 8) + move[0] // 8) + plane


def _lc0() -> dict[_Move, int]:
    """lczero-training, tf/policy_index.py: by origin and target, then promotions to a queen, a rook and a bishop.

    A promotion to a knight is the move without a promotion.
    """
    classes = {move: index for index, move in enumerate(move for move in _moves() if move[2] != _KNIGHT)}
    knights = [move for move in _moves() if move[2] == _KNIGHT]
    return classes | {(origin, target, role): classes[origin, target, None] for origin, target, role in knights}


def _uci() -> dict[_Move, int]:
    """searchless_chess, src/utils.py: all moves in UCI notation, queens and knights by origin, then promotions."""
    moves: list[_Move] = [
        (origin, target, None) for origin in range(64) for steps in (_LINES, _LEAPS) for target in _targets(origin, steps)
    ]
    for rank, up in ((1, -8), (6, 8)):
        for file in range(8):
            for files in (0, -1, 1):
                if 0 <= file + files < 8:
                    origin = 8 * rank + file
                    roles = (_QUEEN, _ROOK, _BISHOP, _KNIGHT)
                    moves += [(origin, origin + up + files, role) for role in roles]
    return {move: index for index, move in enumerate(moves)}


def size(policy: str) -> int:
    """Returns the number of classes of an encoding."""
    if policy not in list(POLICIES):
        names = ", ".join(f"`{name}`" for name in POLICIES)
        raise ValueError(f"no policy is called `{policy}`; there are {names}")
    return POLICIES[policy]


@lru_cache(maxsize=len(POLICIES))
def table(policy: str) -> npt.NDArray[np.int16]:
    """Returns the index of each 16-bit move for white and for black to move, -1 for no class: shape [2, 65536]."""
    size(policy)
    classes = {
        "alphazero": lambda: {move: _alphazero(move) for move in _moves()},
        "pgx": lambda: {move: _pgx(move) for move in _moves()},
        "lc0": _lc0,
        "uci": _uci,
    }[policy]()
    indices = np.full((2, 1 << 16), -1, np.int16)
    for black in (0, 1):
        # All encodings except UCI are from the point of view of the side to move.
        turned = 56 if black and policy != "uci" else 0
        for bits in range(1 << 16):
            target, origin, role, special = bits & 0x3F, bits >> 6 & 0x3F, bits >> 12 & 3, bits >> 14
            if special != _PROMOTION and role:
                continue
            if special == _CASTLING and policy == "lc0" and abs(target - origin) == 2:
                target += 1 if target > origin else -2
            move = (origin ^ turned, target ^ turned, role if special == _PROMOTION else None)
            indices[black, bits] = classes.get(move, -1)
    indices.flags.writeable = False
    return indices


def castling_by_rook(
    moves: npt.NDArray[np.uint16], rows: npt.NDArray[np.int64], occupied: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint16]:
    """Removes the castling mark from 16-bit moves of the king to its own rook (Chess960).

    Castling by two squares with a rook in the corner stays marked.
    """
    moves = moves.copy()
    [castles] = np.nonzero(moves >> 14 == _CASTLING)
    squares = np.uint64(1) << (moves[castles] & 0x3F).astype(np.uint64)
    to_rook = castles[occupied[rows[castles]] & squares != 0]
    moves[to_rook] &= 0xFFF
    return moves


def named(moves: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Converts 16-bit moves to the format of ``from_uci``."""
    return (moves & 0xFFF) + np.where(moves >> 14 == _PROMOTION, ((moves >> 12 & 3) + 1) << 12, 0)


def from_uci(moves: npt.NDArray[np.str_]) -> npt.NDArray[np.int64]:
    """Parses UCI moves to destination + 64 * origin, plus 4096 * (1 + role) for a promotion. Other text becomes -1."""
    codes = np.ascontiguousarray(moves.astype("U5")).view(np.uint32).reshape(len(moves), 5).astype(np.int64)
    files, ranks = codes[:, [0, 2]] - ord("a"), codes[:, [1, 3]] - ord("1")
    roles = np.full(128, -1)
    roles[[0, *map(ord, "nbrq")]] = range(5)
    role = roles[np.minimum(codes[:, 4], 127)]
    role[moves.astype("U6") != moves.astype("U5")] = -1
    squares = 8 * ranks + files
    is_move = (np.minimum(files, ranks) >= 0).all(1) & (np.maximum(files, ranks) < 8).all(1) & (role >= 0)
    return np.where(is_move, squares[:, 1] + 64 * squares[:, 0] + 4096 * role, -1)
