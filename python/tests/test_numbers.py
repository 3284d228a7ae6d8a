"""Arrays of boards in and out, against python-chess and against Stockfish's own indices."""

import gzip
import os
import threading
import time
from pathlib import Path

import chess
import numpy as np
import pytest

import setwise

MAPS = setwise.schema().names


def boards_of(expected):
    return np.array([expected[name] for name in setwise.BOARDS], np.uint64).T


def layouts(boards):
    yield np.ascontiguousarray(boards)
    yield np.asfortranarray(boards)
    yield boards.view(np.int64) if boards.flags.c_contiguous else np.ascontiguousarray(boards).view(np.int64)
    yield list(np.ascontiguousarray(boards.T))
    yield tuple(boards.T)
    strided = np.zeros((2 * len(boards), 16), np.uint64)
    strided[::2, ::2] = boards
    yield strided[::2, ::2]
    yield np.ascontiguousarray(boards[::-1])[::-1]
    unaligned = np.zeros(boards.nbytes + 1, np.uint8)[1:].view(np.uint64).reshape(boards.shape)
    unaligned[...] = boards
    yield unaligned


def test_pieces_are_those_of_python_chess(fens, expected):
    for threads in (1, 3):
        boards = setwise.pieces(fens, threads=threads)
        assert boards.dtype == np.uint64 and boards.shape == (len(fens), 8)
        assert (boards == boards_of(expected)).all()


@pytest.mark.parametrize("rows", [0, 1, 7, 63, 64, 65, 511, 512, 513, 2049, None])
def test_attacks_are_those_of_python_chess(rows, expected):
    boards = boards_of(expected)[:rows]
    right = np.array([expected[name][:rows] for name in MAPS], np.uint64).T
    for layout in layouts(boards):
        for threads in (1, 2):
            maps = setwise.attacks(layout, threads=threads)
            assert maps.dtype == np.uint64 and maps.shape == (len(boards), 16)
            assert (maps == right).all()
    for out in (np.zeros((len(boards), 16), np.uint64), np.zeros((16, len(boards)), np.uint64).T):
        assert setwise.attacks(boards, out=out) is out
        assert (out == right).all()


def test_many_rows_keep_their_order(fens, expected):
    boards = np.tile(boards_of(expected), (20, 1))
    maps = setwise.attacks(boards, threads=4)
    for name, column in zip(MAPS, maps.T):
        assert (column.reshape(20, -1) == np.array(expected[name], np.uint64)).all()
        assert column.flags.c_contiguous


def threats_of(fen):
    board = chess.Board(fen, chess960=True)
    return sorted(
        square + 256 * to
        for square in board.piece_map()
        for to in board.attacks(square)
        if board.piece_at(to)
    )


def test_threats_are_those_of_python_chess(fens, expected):
    for positions in (fens, boards_of(expected), list(np.ascontiguousarray(boards_of(expected).T))):
        offsets, pairs = setwise.threats(positions, threads=3)
        assert offsets.dtype == np.int64 and pairs.dtype == np.uint16
        assert offsets[-1] == len(pairs)
        for i in range(0, len(fens), 5):
            assert sorted(pairs[offsets[i] : offsets[i + 1]].tolist()) == threats_of(fens[i])
    lists = setwise.maps(fens, "threats", threads=3).to_pyarrow()["threats"].to_pylist()
    assert lists == [pairs[a:b].tolist() for a, b in zip(offsets, offsets[1:])]


def test_features_are_stockfishs():
    data = os.environ.get("SETWISE_DATA")
    if data is None:
        pytest.skip("no SETWISE_DATA")
    with gzip.open(Path(data) / "full-threats.tsv.gz", "rt") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    fens = [row[0] for row in rows]
    right = [[sorted(map(int, row[side].split())) for row in rows] for side in (1, 2)]
    assert len(fens) == 4000
    lists = setwise.features(fens, "stockfish-2026-08", threads=2)
    padded = setwise.features(setwise.pieces(fens), padded=128, threads=2)
    for (offsets, inputs), matrix, of_side in zip(lists, padded, right):
        assert inputs.dtype == np.int32 and matrix.dtype == np.int32 and matrix.shape == (4000, 128)
        for i, of_one in enumerate(of_side):
            assert sorted(inputs[offsets[i] : offsets[i + 1]].tolist()) == of_one
            assert sorted(matrix[i, : len(of_one)].tolist()) == of_one
            assert (matrix[i, len(of_one) :] == -1).all()


def test_rows_of_features_are_the_lists(fens):
    fens = fens * 3
    lists, padded = setwise.features(fens, threads=3), setwise.features(fens, padded=64, threads=3)
    for (offsets, inputs), matrix in zip(lists, padded):
        assert np.diff(offsets).tolist() == (matrix >= 0).sum(axis=1).tolist()
        assert matrix[matrix >= 0].tolist() == inputs.tolist()
        assert inputs.max() < setwise.feature_sets()["stockfish-2026-08"]
    with pytest.raises(ValueError, match=f"{len(fens)}"):
        setwise.features([*fens, "8/8/8/8/8/8/8/K7 w - - 0 1"])


@pytest.mark.parametrize("dtype", [np.uint8, np.float32, bool])
def test_planes_have_a_square_each(dtype, expected):
    maps = setwise.attacks(boards_of(expected))
    planes = setwise.planes(maps, dtype)
    assert planes.shape == (len(maps), 16, 8, 8) and planes.dtype == dtype
    for i in range(0, len(maps), 97):
        for k in range(16):
            squares = chess.SquareSet(int(maps[i, k])).tolist()
            assert planes[i, k].ravel().astype(bool).tolist() == squares
    assert (setwise.planes(np.asfortranarray(maps[:70])) == planes[:70]).all()


def test_planes_of_tables(fens):
    table = setwise.maps(fens, ["white_all", "checkers"])
    planes = setwise.planes(table)
    assert planes.shape == (len(fens), 2, 8, 8)
    assert planes[:, 0].sum(axis=(1, 2)).tolist() == [v.bit_count() for v in table["white_all"].tolist()]


def test_an_interrupt_ends_a_long_call(fens):
    """Ctrl-C, in a process of its own, while maps is at work on far more than a second of it."""
    import signal
    import subprocess
    import sys

    program = """
import sys, numpy as np, pyarrow as pa, setwise
text = pa.array(sys.stdin.read().splitlines())
text = pa.chunked_array([text] * 20_000)
print("ready", flush=True)
try:
    setwise.maps(text, ["threats"], threads=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdin.write("\n".join(fens))
    child.stdin.close()
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "interrupted\n"
    assert time.monotonic() - start < 1
    assert child.wait() == 0


def test_other_threads_run_meanwhile(fens):
    """The GIL is free while maps works."""
    counted, over = 0, threading.Event()

    def count():
        nonlocal counted
        while not over.is_set():
            counted += 1
            time.sleep(0.0005)

    text = setwise.maps  # warm
    text(fens)
    counter = threading.Thread(target=count)
    counter.start()
    before, start = counted, time.monotonic()
    setwise.maps(fens * 100, threads=1)
    done, seconds = counted - before, time.monotonic() - start
    over.set()
    counter.join()
    assert done > 20 * seconds
