"""Compares arrays of boards with python-chess, and network inputs with Stockfish's own indices."""

import gzip
import threading
import time

import chess
import numpy as np
import pyarrow as pa
import pytest

import setwise
from conftest import DATA

MAPS = setwise.schema().names


def boards_of(expected):
    return np.array([expected[name] for name in setwise.BOARDS], np.uint64).T


def layouts(boards):
    yield np.ascontiguousarray(boards)
    yield np.asfortranarray(boards)
    yield boards.view(np.int64) if boards.flags.c_contiguous else np.ascontiguousarray(boards).view(np.int64)
    yield list(np.ascontiguousarray(boards.T))
    yield tuple(boards.T)
    yield list(np.ascontiguousarray(boards).T)
    strided = np.zeros((2 * len(boards), 16), np.uint64)
    strided[::2, ::2] = boards
    yield strided[::2, ::2]
    yield np.ascontiguousarray(boards[::-1])[::-1]
    unaligned = np.zeros(boards.nbytes + 1, np.uint8)[1:].view(np.uint64).reshape(boards.shape)
    unaligned[...] = boards
    yield unaligned
    columns = np.zeros(boards.nbytes + 1, np.uint8)[1:].view(np.uint64).reshape(8, len(boards))
    columns[...] = boards.T
    yield list(columns)


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
        once = pa.table(dict(zip(setwise.BOARDS, boards.T.copy()))).to_reader(max_chunksize=500)
        for source in (boards, once):
            out[:] = 0
            assert setwise.attacks(source, out=out) is out
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
    with gzip.open(DATA / "full-threats.tsv.gz", "rt") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines]
    fens = [row[0] for row in rows]
    right = [[sorted(map(int, row[side].split())) for row in rows] for side in (1, 2)]
    lists = setwise.features(fens, "stockfish-threats-2026-08", threads=2)
    padded = setwise.features(setwise.pieces(fens), padded=128, threads=2)
    for (offsets, inputs), matrix, of_side in zip(lists, padded, right):
        assert inputs.dtype == np.int32 and matrix.dtype == np.int32 and matrix.shape == (len(fens), 128)
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
        assert inputs.max() < setwise.feature_sets()["stockfish-threats-2026-08"]
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
    few, many = maps[:7, :2], 5_000
    for count in (1 << 14) - 1, 1 << 14, (1 << 14) + 1, 2 * (1 << 14) + 1:
        repeated = setwise.planes(np.tile(few, (many, 1))[:count], dtype)
        assert (repeated == np.tile(planes[:7, :2], (many, 1, 1, 1))[:count]).all()


def test_planes_of_tables(fens):
    table = setwise.maps(fens, ["white_all", "checkers"])
    planes = setwise.planes(table)
    assert planes.shape == (len(fens), 2, 8, 8)
    assert planes[:, 0].sum(axis=(1, 2)).tolist() == [v.bit_count() for v in table["white_all"].tolist()]


def test_an_interrupt_ends_a_long_call(fens):
    """Sends Ctrl-C to a separate process during a call of ``maps`` that takes far more than a second."""
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
    """``maps`` releases the GIL."""
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


@pytest.mark.parametrize("dtype", ["<u8", ">u8", "<i8", ">i8"])
def test_boards_of_any_byte_order_are_read(dtype, expected):
    boards = boards_of(expected)
    right = setwise.attacks(boards)
    for layout in layouts(boards):
        if isinstance(layout, np.ndarray):
            other = layout.astype(dtype)
            assert other.dtype.str == np.dtype(dtype).str
        else:
            other = type(layout)(column.astype(dtype) for column in layout)
        assert (setwise.attacks(other) == right).all()
        assert (setwise.threats(other)[1] == setwise.threats(boards)[1]).all()
        assert (setwise.maps(other, "kings")["kings"] == boards[:, 5]).all()
        assert (setwise.features(other, errors="null")[0][1] == setwise.features(boards, errors="null")[0][1]).all()
    assert (setwise.planes(right.astype(dtype)) == setwise.planes(right)).all()


@pytest.mark.parametrize("dtype", [object, bool, float, np.float32, np.uint32, np.int8, "m8[s]", "M8[s]", complex, "V8"])
def test_other_types_of_boards_are_refused(dtype):
    for call in (setwise.attacks, setwise.threats, setwise.features, setwise.pieces, setwise.maps):
        for boards in (np.zeros((3, 8), dtype), [np.zeros(3, dtype)] * 8):
            with pytest.raises(TypeError, match="uint64 or int64, found"):
                call(boards)
    with pytest.raises(ValueError, match="uint64"):
        setwise.planes(np.zeros((3, 8), dtype))


def test_masked_boards_are_refused(fens):
    table = setwise.maps([*fens[:5], None], "board")
    columns = [table[name] for name in setwise.BOARDS]
    with pytest.raises(ValueError, match="masked"):
        setwise.attacks(columns)
    with pytest.raises(ValueError, match="masked"):
        setwise.threats(np.ma.stack(columns, axis=1))
    assert (setwise.attacks([column.filled(0) for column in columns]) == setwise.attacks(setwise.pieces([*fens[:5], None]))).all()


def test_batches_of_boards_are_positions(fens, expected):
    """Tables with the eight boards, such as batches of ``read``."""
    import polars as pl

    table = setwise.maps(fens, "board")
    right = setwise.maps(fens, ["default", "checkers"]).to_pyarrow()
    for boards in (table, table.to_pyarrow(), table.to_polars(), table.to_pandas(), setwise.maps(fens, "board", signed=True),
                   pa.concat_tables([table.to_pyarrow()[:9], table.to_pyarrow()[9:]])):
        assert setwise.maps(boards, ["default", "checkers"]).to_pyarrow().equals(right)
        assert (setwise.pieces(boards) == boards_of(expected)).all()
        assert (setwise.attacks(boards) == setwise.attacks(boards_of(expected))).all()
        assert (setwise.threats(boards)[1] == setwise.threats(fens)[1]).all()
    with pytest.raises(ValueError, match="`checkers` depends on more than boards: pass `state`, or a table with its columns"):
        setwise.maps(boards_of(expected), "checkers")
    for frame in (pl.DataFrame({"fen": fens}), pa.table({"fen": fens}), table.to_polars().drop("kings")):
        for call in (setwise.maps, setwise.features, setwise.attacks):
            with pytest.raises(TypeError, match="maps_table"):
                call(frame)
    with pytest.raises(TypeError, match="LazyFrame.*collect"):
        setwise.maps_table(pl.LazyFrame({"fen": fens}))
    with pytest.raises(TypeError, match="maps_table"):
        setwise.maps(pl.LazyFrame({"fen": fens}))
    for one in (fens[0], np.array(fens[0])):
        with pytest.raises(TypeError, match="found one str: put it into a list"):
            setwise.maps(one)


def test_output_that_overlaps_is_refused(expected):
    boards = boards_of(expected)[:10]
    right = setwise.attacks(boards)
    memory = np.zeros(16 * 10 + 200, np.uint64)
    strided = np.lib.stride_tricks.as_strided
    for strides in ((8, 8), (8, 72), (0, 8), (8, 0), (16, 8), (8, -72), (4, 80)):
        with pytest.raises(ValueError, match="overlap"):
            setwise.attacks(boards, out=strided(memory[144:], (10, 16), strides))
    for strides in ((8, 80), (8, 88), (128, 8), (136, 8)):
        out = strided(memory, (10, 16), strides)
        assert setwise.attacks(boards, out=out) is out and (out == right).all()
    both = np.zeros((24, 10), np.uint64)
    both[:8] = boards.T
    assert (setwise.attacks(both[:8].T, out=both[8:].T) == right).all()
    with pytest.raises(ValueError, match="boards overlap"):
        setwise.attacks(both[:8].T, out=both[7:23].T)
    table = pa.table(dict(zip(setwise.BOARDS, both)))  # without a copy
    fens = pa.array(["8/8/8/8/8/8/8/K7 w - - 0 1"] * 10)
    texts = pa.Array.from_buffers(fens.type, 10, [None, fens.buffers()[1], pa.py_buffer(both[20:])])
    for source in (list(both[:8]), table, pa.concat_tables([table[:4], table[4:]]), texts):
        with pytest.raises(ValueError, match="boards overlap"):
            setwise.attacks(source, out=both[7:23].T)
    both[8:] = 0
    assert (setwise.attacks(table, out=both[8:].T) == right).all()
    with pytest.raises(ValueError, match="native uint64"):
        setwise.attacks(boards, out=np.zeros((10, 16), ">u8"))
    readonly = np.zeros((10, 16), np.uint64)
    readonly.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        setwise.attacks(boards, out=readonly)
    unaligned = np.zeros(10 * 16 * 8 + 1, np.uint8)[1:].view(np.uint64).reshape(16, 10).T
    assert (setwise.attacks(boards, out=unaligned) == right).all() and (unaligned == right).all()


def test_rows_without_inputs(fens):
    one_king = "8/8/8/8/8/8/8/K7 w - - 0 1"
    rows = [fens[0], None, fens[1]]
    for (offsets, inputs), matrix in zip(setwise.features(rows), setwise.features(rows, padded=200)):
        assert offsets[1] == offsets[2] and offsets[3] == len(inputs)
        assert (matrix[1] == -1).all() and (matrix[2] >= 0).sum() == offsets[3] - offsets[2]
    with pytest.raises(ValueError, match="row 3: Black has 0 kings"):
        setwise.features([*rows, one_king])
    with pytest.raises(setwise.FenError) as caught:
        setwise.features([*rows, one_king, "?"])
    assert caught.value.row == 4
    (offsets, inputs), _ = setwise.features([*rows, one_king, "?"], errors="null")
    assert offsets[3:].tolist() == [len(inputs)] * 3
    with pytest.raises(ValueError, match="row 0: White has 0 kings"):
        setwise.features(np.zeros((2, 8), np.uint64), padded=3)
    dictionary = __import__("pyarrow").array([fens[0], None, fens[0]]).dictionary_encode()
    assert setwise.features(dictionary)[0][0][1] == setwise.features(dictionary)[0][0][2]


def test_planes_are_of_squares_only(fens):
    with pytest.raises(ValueError, match="`white_mobility_king` is not a set of squares"):
        setwise.planes(setwise.maps(fens, ["white_all", "white_mobility_king"]))
    for column in ("line", "turn", "threats"):
        with pytest.raises(ValueError, match=f"`{column}` is not a set of squares: pass a table without it"):
            setwise.planes(setwise.maps(fens, [column, "white_all"]))
    legal = setwise.maps([chess.STARTING_FEN], "legal_planes")
    with pytest.raises(ValueError, match=r'pass its array, `table\["legal_planes"\]`'):
        setwise.planes(legal)
    assert setwise.planes(legal["legal_planes"]).sum() == 20
    with pytest.raises(TypeError, match="`maps` is an array or a `Table`, found tuple"):
        setwise.planes(setwise.legal_moves(fens))
    planes = setwise.planes(setwise.maps([fens[0], None], ["white_all", "white"]))
    assert planes[0].any() and not planes[1].any()
    assert (planes[0] == setwise.planes(setwise.maps([fens[0]], ["white_all", "white"]))[0]).all()


def test_heat_counts_squares(fens, expected):
    rows = [*fens, None, "?"]
    names = ["white_all", "black_twice"]
    sets = np.array([expected[name] for name in names], np.uint64)
    squares = setwise.planes(sets.T, np.uint64)
    for threads in (1, 3):
        heat = setwise.heat(rows, names, errors="skip", threads=threads)
        assert heat.columns == names and heat.plies == [0] and heat.rows.tolist() == [len(fens)]
        assert heat.squares.dtype == np.uint64 and (heat.squares[0] == squares.sum(axis=0)).all()
    ply = np.array([2 * (chess.Board(fen, chess960=True).fullmove_number - 1) + (" b " in fen) for fen in fens])
    heat = setwise.heat(fens, names, by_ply=10)
    # A FEN without a move number has no ply.
    has_number = np.array([len(fen.split()) >= 6 for fen in fens])
    assert heat.plies == sorted({int(p) // 10 * 10 for p in ply[has_number]})
    for i, first in enumerate(heat.plies):
        group = has_number & (ply // 10 * 10 == first)
        assert heat.rows[i] == group.sum() and (heat.squares[i] == squares[group].sum(axis=0)).all()
    assert (setwise.heat(boards_of(expected), names).squares[0] == squares.sum(axis=0)).all()
    text, svg = str(setwise.heat(fens)), setwise.heat(fens)._repr_svg_()
    assert text.startswith(f"{len(fens):,} positions: percents of them\n\nwhite_all\n8 ")
    assert svg.startswith("<svg") and svg.count('class="number"') == 2 * 64 + 2 * 7
    one, all = setwise.heat(fens[:10], names), setwise.heat(fens, names)
    drawing = one.versus(all, ("ten", "all"))
    difference = 100 * (one.squares[0, 0] / 10 - all.squares[0, 0] / len(fens))
    board = str(drawing).split("\n\n")[3].splitlines()
    assert board[0] == f"{names[0]}, ten minus all"
    assert board[8] == "1 " + "".join(f"{share:+6.1f}" for share in difference[0])
    assert drawing._repr_svg_().count('class="number"') == 3 * 64 * len(names) + 7 + 9
    with pytest.raises(ValueError, match="the columns differ"):
        one.versus(setwise.heat(fens))
    with pytest.raises(ValueError, match="`second` has no positions"):
        one.versus(setwise.heat([], names))
    assert setwise.heat([]).squares.shape == (0, 2, 8, 8)
    for names in ("white_mobility_king", "white_mobility_*", ["black_*", "white_mobility_king"], "all"):
        with pytest.raises(TypeError, match="sets of squares"):
            setwise.heat(fens, names)
    # Patterns select only what can be counted.
    every = setwise.maps(fens, "black_*").to_pyarrow()
    heat = setwise.heat(fens, "black_*")
    assert heat.columns == [field.name for field in every.schema if field.type == pa.uint64()] != every.column_names
    sets = np.array([np.ma.filled(every[name].to_numpy(), 0) for name in heat.columns], np.uint64)
    assert (heat.squares[0] == setwise.planes(sets.T, np.uint64).sum(axis=0)).all()
    assert "checkers" not in setwise.heat(boards_of(expected), "*").columns
    for by_ply in (0, 1 << 32):
        with pytest.raises(ValueError, match=f"by_ply.*found {by_ply}"):
            setwise.heat(fens, by_ply=by_ply)
    with pytest.raises(ValueError, match="not in this input"):
        setwise.heat(boards_of(expected), by_ply=10)
    with pytest.raises(setwise.FenError):
        setwise.heat(rows)
