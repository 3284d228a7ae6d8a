"""Positions of games for the tests, with the maps that python-chess computes for them."""

import contextlib
import gzip
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import pytest

SAMPLE = Path(__file__).parents[3] / "data" / "sample.epd"
# Reference results of other programs: all of them, or excerpts.
DATA = Path(os.environ.get("SETWISE_DATA", Path(__file__).parents[3] / "tests" / "data"))
ROLES = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]


@pytest.fixture
def interrupted() -> Iterator[Callable[[], contextlib.AbstractContextManager[None]]]:
    """A context that a signal leaves after some tenths of a second, as Ctrl-C would."""

    class Interruption(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Interruption

    @contextlib.contextmanager
    def interrupted() -> Iterator[None]:
        start = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Interruption):
            yield
        assert time.monotonic() - start < 5  # a fraction of a second, unless the machine is busy

    before = signal.signal(signal.SIGALRM, interrupt)
    yield interrupted
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def fens() -> list[str]:
    """Some thousand positions, or more with SETWISE_DATA."""
    with gzip.open(DATA / "positions.epd.gz", "rt") as lines:
        more = lines.read().splitlines()
    return SAMPLE.read_text().splitlines() + random.Random(1).sample(more, min(len(more), 4000))


@pytest.fixture(scope="session")
def expected(fens: list[str]) -> dict[str, list[int]]:
    """Columns by name, computed by python-chess, which shares no code with this package."""
    columns: dict[str, list[int]] = {}
    for fen in fens:
        for name, value in of_one(chess.Board(fen, chess960=True)).items():
            columns.setdefault(name, []).append(value)
    return columns


def of_one(board: chess.Board) -> dict[str, int]:
    values: dict[str, int] = {}
    for colour, side in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        all_ = twice = 0
        for role in ROLES:
            of_role = 0
            for square in board.pieces(role, colour):
                attacks = board.attacks_mask(square)
                of_role |= attacks
                twice |= all_ & attacks
                all_ |= attacks
            values[f"{side}_{chess.piece_name(role)}"] = of_role
        values[f"{side}_all"], values[f"{side}_twice"] = all_, twice
    values["checkers"] = board.checkers_mask()
    for role in ROLES:
        values[chess.piece_name(role) + "s"] = board.pieces_mask(role, True) | board.pieces_mask(role, False)
    values["white"], values["black"] = board.occupied_co[True], board.occupied_co[False]
    values["turn"] = 0 if board.turn else 1
    values["halfmove_clock"] = board.halfmove_clock
    return values
