"""Tests batches of ``Loader``: every row occurs once; shuffling, shards and resuming; and filters, compared with a
plain loop with python-chess."""

import contextlib
import copy
import gzip
import importlib.util
import json
import multiprocessing
import os
import pickle
import struct
import threading
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

import setwise

DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"
ROWS = 20_000


def marlin(board: chess.Board, score: int, result: int) -> bytes:
    """Packs a record, following the format's specification. Score and result are for white."""
    occupied, codes = 0, []
    for square in chess.SQUARES:
        if (piece := board.piece_at(square)) is not None:
            occupied |= 1 << square
            is_castling_rook = piece.piece_type == chess.ROOK and board.castling_rights >> square & 1
            code = 6 if is_castling_rook else piece.piece_type - 1
            codes.append(code | (0 if piece.color else 8))
    codes += [0] * (32 - len(codes))
    nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
    turn = (0 if board.turn else 0x80) | (64 if board.ep_square is None else board.ep_square)
    tail = struct.pack("<BBHhBB", turn, board.halfmove_clock, board.fullmove_number, score, result + 1, 0)
    return struct.pack("<Q", occupied) + nibbles + tail


@pytest.fixture(scope="module")
def boards():
    fens = (Path(__file__).parents[3] / "data" / "sample.epd").read_text().splitlines()
    boards = [chess.Board(fen, chess960=True) for fen in fens]
    return [board for board in boards if chess.popcount(board.occupied) <= 32 and len(board.pieces(6, True)) == 1
            and len(board.pieces(6, False)) == 1][:500]


@pytest.fixture(scope="module")
def rows(boards):
    """Board, score and result for white. All scores differ."""
    return [(boards[i * 7919 % len(boards)], i - ROWS // 2, i % 3 - 1) for i in range(ROWS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("loader")
    records = {id(board): marlin(board, 0, 0) for board, _, _ in rows}
    packed = [bytearray(records[id(board)]) for board, _, _ in rows]
    for record, (_, score, result) in zip(packed, rows):
        record[28:31] = struct.pack("<hB", score, result + 1)
    (folder / "all.marlin").write_bytes(b"".join(packed))
    (folder / "first.marlin").write_bytes(b"".join(packed[:13_001]))
    (folder / "rest.marlin.gz").write_bytes(gzip.compress(b"".join(packed[13_001:]), 1))
    fens = {id(board): board.fen() for board, _, _ in rows}
    lines = [f"{fens[id(board)]} | {score} | {result / 2 + 0.5}" for board, score, result in rows]
    (folder / "all.txt").write_text("# comment\n\n" + "\n".join(lines))
    (folder / "all.epd.gz").write_bytes(gzip.compress("\r\n".join(lines).encode(), 1))
    return folder


KINDS = [["all.marlin"], ["first.marlin", "rest.marlin.gz"], ["all.txt"], ["all.epd.gz"]]


@pytest.fixture(params=KINDS, ids=lambda names: names[-1])
def paths(request, folder):
    return [folder / name for name in request.param]


def scores(batches):
    """Returns scores for white, which identify the rows."""
    return [np.where(batch.turn == 1, -batch.score, batch.score).tolist() for batch in batches]


def flat(lists):
    return [item for some in lists for item in some]


def test_rows_are_those_of_the_files(paths, rows):
    batches = list(setwise.Loader(paths, batch_size=1000))
    assert [len(batch) for batch in batches] == [1000] * (ROWS // 1000)
    assert flat(scores(batches)) == [score for _, score, _ in rows]
    board = rows
    turns = np.concatenate([batch.turn for batch in batches])
    results = np.concatenate([batch.result for batch in batches])
    counts = np.concatenate([batch.piece_count for batch in batches])
    for i in range(0, ROWS, 37):
        board, _, result = rows[i]
        assert turns[i] == (0 if board.turn else 1)
        assert results[i] == (result if board.turn else -result)
        assert counts[i] == chess.popcount(board.occupied)


@pytest.mark.parametrize("shuffle", [1, 3000, 100_000])
def test_shuffled_rows_are_all_there_once(paths, shuffle):
    def run(seed, **options):
        loader = setwise.Loader(paths, batch_size=700, shuffle=shuffle, seed=seed, **options)
        return scores(loader)

    first = run(1, threads=1)
    assert sorted(flat(first)) == list(range(-ROWS // 2, ROWS // 2))
    assert [len(batch) for batch in first] == [700] * (ROWS // 700) + [ROWS % 700]
    assert first == run(1, threads=3)
    assert first != run(2)
    assert first[0] != sorted(first[0])
    two = run(1, epochs=2)
    assert two[: len(first)] == first and len(two) == 2 * len(first)
    assert two[len(first) :] != first and sorted(flat(two[len(first) :])) == sorted(flat(first))
    assert [len(batch) for batch in run(1, drop_last=True)] == [700] * (ROWS // 700)


def test_units_come_in_another_order_each_epoch(tmp_path, rows):
    units, of_unit = 64, 4096
    path = tmp_path / "units.marlin"
    board = next(board for board, _, _ in rows if board.turn)
    path.write_bytes(b"".join(marlin(board, unit, 0) * of_unit for unit in range(units)))
    firsts, seen = set(), []
    for batch in setwise.Loader(path, shuffle=1, seed=1, epochs=5, batch_size=of_unit):
        if len(seen) % units == 0:
            firsts.add(frozenset(batch.score.tolist()))
        seen.append(batch.score)
    assert len(seen) == 5 * units and len(firsts) == 5
    assert np.array_equal(np.bincount(np.concatenate(seen)), np.full(units, 5 * of_unit))


@pytest.mark.parametrize("shuffle", [0, 5000])
def test_shards_have_every_row_once(paths, shuffle):
    whole = setwise.Loader(paths, batch_size=512, shuffle=shuffle, one_in=3, where="turn = 0")
    expected = sorted(flat(scores(whole)))
    for count in (1, 2, 3, 7):
        shards = [whole.with_shard(index, count) for index in range(count)]
        assert sorted(flat(flat(scores(shard) for shard in shards))) == expected
        assert sum(shard.left_out["turn = 0"] for shard in shards) == whole.left_out["turn = 0"]
        assert sum(shard.not_sampled for shard in shards) == whole.not_sampled


@pytest.mark.parametrize("length", [63, 64, 65])
def test_lines_that_begin_where_units_do(tmp_path, length):
    lines = [f"4k3/8/8/8/8/8/8/4K3 w - - 0 1 | {i} | 0.5".ljust(length - 1) + "\n" for i in range(10_000)]
    (tmp_path / "all.txt").write_text("".join(lines))
    assert flat(scores(setwise.Loader(tmp_path / "all.txt"))) == list(range(10_000))
    shards = [setwise.Loader(tmp_path / "all.txt", shard=(i, 2)) for i in range(2)]
    assert sorted(flat(flat(scores(shard) for shard in shards))) == list(range(10_000))


def test_shards_do_not_decode_what_others_take(folder, tmp_path):
    bad = bytearray((folder / "all.marlin").read_bytes())
    unit = ROWS // 128
    bad[32 * unit : 64 * unit] = b"\xff" * (32 * unit)  # the second unit
    (tmp_path / "bad.marlin").write_bytes(bad)
    lines = (folder / "all.txt").read_bytes().splitlines(keepends=True)
    spoiled, at, unit = b"", 0, sum(map(len, lines)) // 128
    for line in lines:
        spoiled += line if not unit <= at < 2 * unit else b"x" * (len(line) - 1) + b"\n"
        at += len(line)
    (tmp_path / "bad.txt").write_bytes(spoiled)
    for name in ("bad.marlin", "bad.txt"):
        good = setwise.Loader(tmp_path / name, shard=(0, 2), batch_size=100)
        assert len(flat(scores(good))) > 4096
        with pytest.raises(ValueError, match=name):
            list(setwise.Loader(tmp_path / name, shard=(1, 2), batch_size=100))


@pytest.mark.parametrize(("shuffle", "shard", "step"), [(0, (1, 2), 1), (2000, (1, 2), 1), (2000, (0, 1), 2), (7777, (0, 1), 3)])
def test_resumed_batches_are_the_same(paths, shuffle, shard, step):
    def fresh():
        return setwise.Loader(paths, batch_size=900, shuffle=shuffle, seed=5, epochs=2, shard=shard,
                              where=["checkers = 0", "score < 9000"], one_in=2)  # fmt: skip

    whole, states, batches = fresh(), [], []
    states.append(whole.state_dict())
    for batch in whole:
        batches.append(batch)
        states.append(whole.state_dict())
    assert len(batches) > 6
    all_scores, counts = scores(batches), (whole.left_out, whole.not_sampled)
    for done, state in list(enumerate(states))[::step]:
        again = fresh()
        again.load_state_dict(json.loads(json.dumps(state)))
        assert scores(again) == all_scores[done:], done
        assert (again.left_out, again.not_sampled) == counts, done
        skipped = fresh()
        assert skipped.skip(done)
        assert scores(skipped) == all_scores[done:]
    assert not fresh().skip(len(batches) + 1)
    other = setwise.Loader(paths, batch_size=901, shuffle=shuffle)
    with pytest.raises(ValueError, match="other arguments"):
        other.load_state_dict(states[0])


@pytest.mark.parametrize(("batch_size", "pieces"), [(ROWS // 128, None), (ROWS // 128 + 1, None), (1, {0: 1, 32: 1})])
def test_a_state_after_an_error_has_each_row_once(folder, tmp_path, batch_size, pieces):
    """Also if the rows before the error fill batches exactly."""
    good = (folder / "all.marlin").read_bytes()
    unit = ROWS // 128
    bad = bytearray(good)
    bad[32 * unit * 5 : 32 * unit * 5 + 32] = b"\xff" * 32
    path = tmp_path / "all.marlin"
    path.write_bytes(bad)
    options = {"batch_size": batch_size, "threads": 1, "sampling": setwise.Sampling(pieces=pieces)}
    loader = setwise.Loader(path, **options)
    before = []
    with pytest.raises(ValueError, match="records after 780"):
        for batch in loader:
            before.append(batch)
    assert before
    state = json.loads(json.dumps(loader.state_dict()))
    path.write_bytes(good)
    mended = setwise.Loader(path, **options)
    expected = flat(scores(mended))
    mended.load_state_dict(state)
    assert flat(scores(before)) + flat(scores(mended)) == expected


def test_a_batch_that_fails_is_read_again(folder):
    options = {"features": "stockfish-threats-2026-08", "batch_size": 1000, "shuffle": 3000}
    narrow = setwise.Loader(folder / "all.marlin", padded=1, **options)
    with pytest.raises(ValueError, match="`padded` is 1"):
        list(narrow)
    wide = setwise.Loader(folder / "all.marlin", padded=128, **options)
    expected = scores(wide)
    wide.load_state_dict(narrow.state_dict())
    assert scores(wide) == expected


def test_numbers_of_numpy_as_arguments(folder, tmp_path):
    options = {"seed": 3, "batch_size": 100, "shuffle": 500, "one_in": 2, "on_missing": 0, "shard": (0, 2)}
    plain = setwise.Loader(folder / "all.marlin", drop_last=True, **options)
    options = {name: np.int64(value) if isinstance(value, int) else value for name, value in options.items()}
    loader = setwise.Loader(folder / "all.marlin", drop_last=np.bool_(True), **options)
    assert loader.state_dict() == plain.state_dict()
    assert scores(pickle.loads(pickle.dumps(loader))) == scores(plain)
    (tmp_path / "lost.csv").write_text("fen,result\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,0\n")
    [batch] = setwise.Loader(tmp_path / "lost.csv", labels="result", results_of="mover", loss_is=np.int64(0))
    assert batch.result.tolist() == [-1]


def test_ctrl_c_stops_a_search_for_rows(folder, tmp_path, interrupted):
    """Neither conditions that drop all rows nor ``skip`` return before the end."""
    endless = tmp_path / "endless.marlin"
    os.mkfifo(endless)

    def write():
        with contextlib.suppress(BrokenPipeError), endless.open("wb") as pipe:
            while True:
                pipe.write((folder / "all.marlin").read_bytes())

    threading.Thread(target=write, daemon=True).start()
    reader = setwise.read(endless, where="piece_count > 32")
    with interrupted():
        next(reader)
    del reader
    files = [folder / "all.txt"] * 200
    with interrupted():
        list(setwise.Loader(files, where="piece_count > 32", threads=1))
    loader = setwise.Loader(files)
    with interrupted():
        loader.skip(10**6)
    # The loader has not lost its place.
    rest = loader.with_shard(0, 1)
    rest.load_state_dict(loader.state_dict())
    assert np.array_equal(next(iter(rest)).score, next(iter(loader)).score)


def test_unknown_keys_of_a_state_are_refused(paths):
    loader = setwise.Loader(paths, shuffle=3)
    state = loader.state_dict()
    counts = {**state, "counts": {**state["counts"], "seen": 1}}
    for wrong, what in (({**state, "epoch": 1}, "unknown field `"), (counts, "unknown field `"), ({}, "missing field `place`.$")):
        with pytest.raises(ValueError, match=f"not a state of a loader: pass what `state_dict` returned .{what}"):
            loader.load_state_dict(wrong)
    loader.load_state_dict(state)


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 6},
        {"shuffle": 2000},
        {"batch_size": 1000},
        {"shard": (1, 2)},
        {"one_in": 2},
        {"where": "turn = 0"},
        {"drop_last": True},
        {"errors": "skip"},
    ],
)
def test_states_of_loaders_with_other_rows_are_refused(paths, changed):
    options = {"seed": 5, "shuffle": 3000, "batch_size": 900}
    state = setwise.Loader(paths, **options).state_dict()
    setwise.Loader(paths, columns="white_all", threads=1, epochs=3, **options).load_state_dict(state)
    with pytest.raises(ValueError, match="other arguments"):
        setwise.Loader(paths, **{**options, **changed}).load_state_dict(state)


def test_filters_are_those_of_a_plain_loop(paths, rows):
    """Conditions on checks, pieces, scores, results and moves. A row is counted by the first one that it fails."""
    conditions = {
        "checkers = 0": lambda board, score, result: not board.is_check(),
        "piece_count > 6 and piece_count < 30": lambda board, score, result: 6 < chess.popcount(board.occupied) < 30,
        "score > -3000 and score <= 4000": lambda board, score, result: (
            -3000 < (score if board.turn else -score) <= 4000
        ),
        "not (result = 0 or result = 1 and turn = 1)": lambda board, score, result: (
            (result if board.turn else -result) == -1 or result == 1 and board.turn
        ),
        "fullmove_number >= 10 or legal_count > 30": lambda board, score, result: (
            board.fullmove_number >= 10 or board.legal_moves.count() > 30
        ),
    }
    legal = {}

    def holds(condition, row):
        # Listing moves is slow, and there are few different boards.
        if "legal" not in condition:
            return conditions[condition](*row)
        return legal.setdefault(id(row[0]), conditions[condition](*row))

    expected, counts = [], dict.fromkeys(conditions, 0)
    for row in rows:
        failed = next((one for one in conditions if not holds(one, row)), None)
        if failed is None:
            expected.append(row[1])
        else:
            counts[failed] += 1
    twice = [*conditions, *conditions]
    loader = setwise.Loader(paths, where=twice, shuffle=3000, batch_size=100)
    assert sorted(flat(scores(loader))) == expected
    assert loader.left_out == counts and all(counts.values()) and len(expected) > 100


def test_one_in_some_are_kept(paths):
    def run(**options):
        loader = setwise.Loader(paths, one_in=10, epochs=1, **options)
        return flat(scores(loader)), loader

    kept, loader = run()
    assert ROWS / 10 * 0.85 < len(kept) < ROWS / 10 * 1.15
    lines = 2 if "all.txt" in str(paths) else 0  # a comment and a blank line may be counted, too
    assert 0 <= loader.not_sampled + len(kept) - ROWS <= lines
    assert kept == sorted(kept) and kept == run()[0]
    assert kept != run(seed=1)[0]


def test_games_and_their_moves(tmp_path):
    pgn = gzip.open(DATA / "games.pgn.gz", "rb").read()
    path = tmp_path / "games.pgn"
    path.write_bytes(pgn)
    table = setwise.read(path, ["turn", "piece_count", "checkers", "fullmove_number"], keep=["ply", "move", "WhiteElo"],
                         errors="skip")  # fmt: skip
    expected = []
    for batch in table:
        columns = {name: batch[name] for name in ("turn", "piece_count", "ply", "checkers")}
        expected += zip(*(column.tolist() for column in columns.values()))
    kept = [row[:3] for row in expected if row[3] == 0 and row[2] >= 10]
    conditions = ["checkers = 0", "ply >= 10"]
    loader = setwise.Loader(path, where=conditions, errors="skip", labels=[], batch_size=1000)
    got = [row for batch in loader for row in zip(batch.turn.tolist(), batch.piece_count.tolist(), batch.ply.tolist())]
    assert got == kept and len(kept) > 1000
    assert sum(loader.left_out.values()) == len(expected) - len(kept)
    shuffled = [setwise.Loader(path, where=conditions, errors="skip", labels=[], shuffle=10_000, shard=(i, 2)) for i in range(2)]
    got = [row for one in shuffled for batch in one
           for row in zip(batch.turn.tolist(), batch.piece_count.tolist(), batch.ply.tolist())]  # fmt: skip
    assert sorted(got) == sorted(kept)
    strong = setwise.Loader(path, where="WhiteElo >= 2000 or White = 'nobody'", errors="skip", labels=[])
    assert 0 <= sum(len(batch) for batch in strong) < len(expected)


def test_captures_are_those_of_python_chess(tmp_path):
    games = DATA / "games.binpack"
    names = ["fen", "move", "capture"]
    count = kept = 0
    board = chess.Board()
    for batch in setwise.read(games, names):
        columns = batch.to_pyarrow().to_pydict()
        for fen, move, capture in zip(*(columns[name] for name in names)):
            board.set_fen(fen)
            assert capture == (move is not None and board.is_capture(chess.Move.from_uci(move))), (fen, move)
            count, kept = count + 1, kept + (not capture)
    loader = setwise.Loader(games, where="capture = 0", labels=[])
    assert sum(len(batch) for batch in loader) == kept
    assert loader.left_out == {"capture = 0": count - kept} and 0 < kept < count
    shards = [setwise.Loader(games, where="capture = 0", labels=[], shard=(i, 3)) for i in range(3)]
    assert sum(len(batch) for shard in shards for batch in shard) == kept


def test_inputs_and_columns_belong_to_their_rows(folder, rows):
    by_score = {score: board for board, score, _ in rows}
    options = {"columns": ["white_all", "checkers", "white_mobility_queen"], "batch_size": 64, "shuffle": 4096}
    name = next(iter(setwise.feature_sets()))
    for perspectives in ("colours", "mover"):
        lists = setwise.Loader(folder / "all.marlin", name, perspectives=perspectives, **options)
        padded = setwise.Loader(folder / "all.marlin", name, padded=200, perspectives=perspectives, **options)
        for _, of_lists, of_rows in zip(range(5), lists, padded):
            assert scores([of_lists]) == scores([of_rows])
            fens = [by_score[score].fen() for score in scores([of_rows])[0]]
            both = setwise.features(fens, name)
            for i, fen in enumerate(fens):
                swapped = perspectives == "mover" and " b " in fen
                for side in range(2):
                    offsets, items = both[1 - side if swapped else side]
                    expected = items[offsets[i] : offsets[i + 1]].tolist()
                    offsets, items = of_lists.inputs[side]
                    assert items[offsets[i] : offsets[i + 1]].tolist() == expected
                    row = of_rows.inputs[side][i].tolist()
                    assert row == expected + [-1] * (200 - len(expected))
            table = setwise.maps(fens, options["columns"])
            for column in options["columns"]:
                assert (of_rows.columns[column].astype(np.uint64) == table[column].astype(np.uint64)).all()
            of_rows.inputs[0][:] = 3  # writable
            of_rows.columns["white_all"][:] = 3
            of_rows.turn[:] = 0
    with pytest.raises(ValueError, match="inputs, and `padded` is 3"):
        list(setwise.Loader(folder / "all.marlin", name, padded=3))


def numbers(batch):
    """Lists all arrays of the inputs of a batch."""
    return [array for side in batch.inputs for array in (side if isinstance(side, tuple) else (side,))]


def same_inputs(one, other):
    return all(np.array_equal(*arrays) for arrays in zip(numbers(one), numbers(other), strict=True))


@pytest.mark.parametrize("perspectives", ["colours", "mover"])
def test_threads_make_the_same_inputs(folder, perspectives):
    """Several threads compute parts of batches, and later batches do not overwrite earlier ones."""
    options = {"features": "nnue-pytorch-2026-07", "perspectives": perspectives, "batch_size": 3000, "shuffle": 8000}
    for padded in (None, 288):
        one = list(setwise.Loader(folder / "all.marlin", padded=padded, threads=1, **options))
        for threads in (2, 5):
            more = list(setwise.Loader(folder / "all.marlin", padded=padded, threads=threads, **options))
            assert scores(more) == scores(one) and len(one) == 7
            for of_one, of_more in zip(one, more):
                assert (of_one.piece_count == of_more.piece_count).all() and (of_one.turn == of_more.turn).all()
                assert same_inputs(of_one, of_more)
        again = setwise.Loader(folder / "all.marlin", padded=padded, threads=1, **options)
        for held, batch in zip(one, again):
            assert same_inputs(held, batch)
            numbers(batch)[-1][:] = 7  # this memory is reused


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("perspectives", ["colours", "mover"])
def test_positions_without_kings_have_no_inputs(tmp_path, boards, perspectives, threads):
    odd = ["8/8/8/3q4/8/8/8/4K3 {} - - 0 1", "4k3/8/8/8/8/8/8/8 {} - - 0 1", "kk6/8/8/8/8/8/8/4K3 {} - - 0 1"]
    fens = []
    for i in range(2000):
        fen = odd[i // 3 % 3].format("wb"[i % 2]) if i in (0, 255, 256, 257, 700, 701, 1999) else boards[i % 300].fen()
        fens.append(fen)
    (tmp_path / "all.txt").write_text("\n".join(fens))
    options = {"features": "nnue-pytorch-2026-07", "perspectives": perspectives, "threads": threads}
    (lists,) = setwise.Loader(tmp_path / "all.txt", **options)
    (padded,) = setwise.Loader(tmp_path / "all.txt", padded=288, **options)
    both = setwise.features(fens, options["features"], errors="null")
    for i, fen in enumerate(fens):
        for side in range(2):
            other = perspectives == "mover" and " b " in fen
            offsets, items = both[1 - side if other else side][:2]
            expected = items[offsets[i] : offsets[i + 1]].tolist()
            offsets, items = lists.inputs[side]
            assert items[offsets[i] : offsets[i + 1]].tolist() == expected, (i, side)
            assert padded.inputs[side][i].tolist() == expected + [-1] * (288 - len(expected)), (i, side)
    assert (np.diff(lists.inputs[0][0]) == 0).sum() == 7
    (tmp_path / "wide.txt").write_text("\n".join(["4k3/8/8/8/8/8/8/4K3 w - - 0 1"] * 777 + [odd[0].format("w"), chess.STARTING_FEN]))
    with pytest.raises(ValueError, match="row 778 of the batch has 96 inputs, and `padded` is 12"):
        list(setwise.Loader(tmp_path / "wide.txt", padded=12, **options))


def test_columns_know_the_state_of_their_rows(tmp_path):
    """The buffer keeps castling rights and en passant squares."""
    fens = []
    board = chess.Board()
    for move in "e4 a6 e5 d5 exd6 Nc6 Nf3 e6 Be2 Bxd6 O-O Nf6 h3 O-O a4 b5 axb5 axb5 Rxa8 Qe7".split():
        board.push_san(move)
        fens.append(board.fen(en_passant="fen"))
    (tmp_path / "all.txt").write_text("\n".join(fens))
    names = ["legal_count", "white_pawn", "castling_white", "castling_black"]
    (batch,) = setwise.Loader(tmp_path / "all.txt", columns=names, shuffle=100)
    rows = {}
    for fen in fens:
        of = chess.Board(fen)
        files = [sum(1 << chess.square_file(square) for square in chess.SquareSet(of.castling_rights & rank))
                 for rank in (chess.BB_RANK_1, chess.BB_RANK_8)]  # fmt: skip
        white_pawn = int(of.pieces(chess.PAWN, True))
        attacked = 0
        for square in chess.SquareSet(white_pawn):
            attacked |= int(of.attacks(square))
        rows.setdefault((of.legal_moves.count(), attacked, *files), []).append(fen)
    found = list(zip(*(batch.columns[name].tolist() for name in names)))
    found = [(count, pawn % (1 << 64), white, black) for count, pawn, white, black in found]
    assert sorted(found) == sorted(key for key, fens in rows.items() for _ in fens)


def _rows_of(loader):
    return flat(scores(loader))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_loaders_go_to_other_processes(folder, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    loader = setwise.Loader(folder / "all.marlin", batch_size=1000, shuffle=5000)
    used, expected = scores([next(iter(loader))]), scores(loader.with_shard(0, 1))
    with multiprocessing.get_context(method).Pool(2) as pool:
        shards = pool.map(_rows_of, [loader.with_shard(i, 2) for i in range(2)])
        rest = pool.map(_rows_of, [loader])[0]
    assert sorted(flat(shards)) == list(range(-ROWS // 2, ROWS // 2))
    assert used + [rest] == [expected[0], flat(expected[1:])]
    loader.restart()
    assert scores([next(iter(loader))]) == used


@pytest.mark.parametrize("options", [{}, {"shuffle": 5000}, {"shuffle": 5000, "spill": False}], ids=str)
@pytest.mark.filterwarnings("ignore:without `spill`", "ignore:This process")
def test_a_forked_process_reads_alone(folder, tmp_path, options):
    """Parent and child continue from the same point, and do not share the place in an open file."""
    path = tmp_path / "large.marlin.gz"  # larger than any buffer
    path.write_bytes(gzip.compress((folder / "all.marlin").read_bytes() * 5, 0))
    loader = setwise.Loader(path, batch_size=1000, threads=1, **options)
    expected = [some.sum() for some in map(np.array, scores(loader.with_shard(0, 1)))]
    batches = iter(loader)
    for _ in range(3):
        next(batches)
    children = []
    for is_new_loop in (False, True):
        read, write = os.pipe()
        if (child := os.fork()) == 0:
            with os.fdopen(write, "wb") as answer:
                try:
                    pickle.dump(scores(loader if is_new_loop else batches), answer)
                except BaseException as error:
                    pickle.dump(repr(error), answer)
            os._exit(0)
        os.close(write)
        children.append((child, read))
    found = [scores(batches)]
    for child, read in children:
        with os.fdopen(read, "rb") as answer:
            found.append(pickle.load(answer))
        os.waitpid(child, 0)
    assert [[sum(some) for some in rest] for rest in found] == [expected[3:]] * 3


def test_copies_go_on_alone(folder):
    loader = setwise.Loader(folder / "all.txt", batch_size=1000, shuffle=5000)
    next(iter(loader))
    one, two = copy.deepcopy(loader), pickle.loads(pickle.dumps(loader))
    assert scores(one) == scores(two) == scores(loader.with_shard(0, 1))[1:]
    assert repr(one).startswith("<setwise.Loader: ") and one.epoch == 1
    # The next epoch.
    assert scores(one) == scores(two) == scores(loader)


def test_wrong_arguments_say_what_is_wrong(folder, tmp_path):
    path = folder / "all.marlin"
    for options, message in [
        ({"batch_size": 0}, "`batch_size` must be at least 1"),
        ({"shuffle": -1}, "`shuffle` must be at least 0"),
        ({"epochs": -1}, "`epochs`"),
        ({"padded": 0, "features": "stockfish-threats-2026-08"}, "`padded`"),
        ({"padded": 1 << 40, "features": "stockfish-threats-2026-08"}, r"`padded` .* below 2 \*\* 16"),
        ({"padded": 32}, "name a set"),
        ({"features": "nobodys"}, "nobodys"),
        ({"shard": (2, 2)}, r"`shard` is .*, found \(2, 2\)"),
        ({"split": ("trai", 0.5)}, "`split` is .*, found `trai`"),
        ({"perspectives": "mine"}, "`perspectives`"),
        ({"errors": "null"}, "`errors`"),
        ({"errors": "keep"}, "keep"),
        ({"where": "checkrs = 0"}, "did you mean `checkers`"),
        ({"where": "checkers = 0 ply"}, "character 14"),
        ({"where": "variation > 3"}, "column `variation` is not in this input"),
        ({"where": "capture = 0"}, "column `capture` is not in this input"),
        ({"columns": "threats"}, "is not one number per row"),
        ({"columns": "white_al"}, "did you mean"),
        ({"input_format": "nothing"}, "no format is called `nothing`; `input_format` is one of `text`, "),
    ]:
        with pytest.raises(ValueError, match=message):
            setwise.Loader(path, **options)
    shard = r"`shard` is \(index, count\) with an index below the count, found "
    split = r"`split` is \(\"train\", share\) or \(\"test\", share\), with the share of `train`, found "
    for options, message in [
        ({"shard": 3}, shard + "3"),
        ({"shard": (0,)}, shard + r"\(0,\)"),
        ({"shard": ("a", 2)}, shard + r"\('a', 2\)"),
        ({"split": 0.5}, split + "0.5"),
        ({"split": ("train", "x")}, split + r"\('train', 'x'\)"),
        ({"labels": 3}, "`labels` is a str or a list of them, found int"),
        ({"columns": 3}, "`columns` is a str or a list of them, found int"),
        ({"where": [3]}, "`where`: 'int' object"),
        ({"seed": "x"}, "`seed` is an integer, found str"),
        ({"features": 3}, "`features`: a feature set is a name or a `FeatureSet`, found int"),
    ]:
        with pytest.raises(TypeError, match="^" + message):
            setwise.Loader(path, **options)
    (tmp_path / "cut.marlin").write_bytes(path.read_bytes()[:100])
    (tmp_path / "cut.binpack").write_bytes((DATA / "games.binpack").read_bytes()[:1000])
    (tmp_path / "bad.txt").write_text("4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 3 | 1.0\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n8/8\n")
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(ValueError, match="cut.marlin: records after 0: record 4, byte 96"):
        list(setwise.Loader(tmp_path / "cut.marlin"))
    with pytest.raises(ValueError, match="ends within the block"):
        setwise.Loader(tmp_path / "cut.binpack")
    # The header of a block begins with BINP.
    head = b"NOPE" + (DATA / "games.binpack").read_bytes()[4:]
    (tmp_path / "head.binpack.gz").write_bytes(gzip.compress(head))
    for shuffle in [0, 4096]:
        with pytest.raises(ValueError, match="head.binpack.gz.*BINP"):
            list(setwise.Loader(tmp_path / "head.binpack.gz", shuffle=shuffle))
    with pytest.raises(setwise.FenError, match="bad.txt:3:4: expected 8 ranks"):
        list(setwise.Loader(tmp_path / "bad.txt", on_missing="skip"))
    loader = setwise.Loader(tmp_path / "bad.txt", errors="skip", on_missing="skip")
    assert scores(loader) == [[3]] and (loader.invalid, loader.missing) == (1, 1)
    assert list(setwise.Loader([tmp_path / "empty.txt"], epochs=None)) == []
    with pytest.raises(ValueError, match="no files: the list of paths is empty"):
        setwise.Loader([], epochs=None)
    assert list(setwise.Loader(path, where="piece_count = 0", epochs=None)) == []


def test_torch_takes_the_batches(folder):
    try:
        import torch
        from torch.utils.data import DataLoader
    except ImportError:
        pytest.skip("PyTorch is not installed")
    from setwise.torch import Dataset

    name = next(iter(setwise.feature_sets()))
    for workers in (0, 2):
        for context in [None] if workers == 0 else ["fork", "spawn"]:
            data = Dataset(folder / "all.marlin", name, padded=200, batch_size=1000, shuffle=4000)
            loaded = list(DataLoader(data, batch_size=None, num_workers=workers, multiprocessing_context=context))
            seen = torch.cat([torch.where(batch["turn"] == 1, -batch["score"], batch["score"]) for batch in loaded])
            assert sorted(seen.tolist()) == list(range(-ROWS // 2, ROWS // 2))
            assert loaded[0]["inputs"][0].dtype == torch.int32 and loaded[0]["inputs"][0].shape[1] == 200
            expected, loops = [one["score"].tolist() for one in loaded], []
            states = {done: data.state_dict(done) for done in (0, 1, 5, 6)}
            for done, persistent in [(1, False), (5, False), (0, False), (6, workers > 0)]:
                data.load_state_dict(states[done])
                rest = DataLoader(data, batch_size=None, num_workers=workers, multiprocessing_context=context,
                                  persistent_workers=persistent)  # fmt: skip
                loops.append([[one["score"].tolist() for one in rest] for _ in range(3)])
                assert loops[-1][0] == expected[done:] and data.state_dict(0)["epoch"] == 2
                assert loops[-1][1:] == loops[0][1:]
            first, second, third = loops[-1]
            assert first != second != third != first and sorted(flat(second)) == sorted(flat(third))
    with pytest.raises(ValueError, match="set `rank` and `world`"):
        Dataset(folder / "all.marlin", shard=(0, 2))


def test_ranks_of_torch_share_the_rows(folder):
    pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from setwise.torch import Dataset

    seen = []
    for rank in range(2):
        data = Dataset(folder / "all.marlin", rank=rank, world=2, batch_size=1000, shuffle=4000, where="score != 0")
        for batch in DataLoader(data, batch_size=None, num_workers=2):
            seen += np.where(batch["turn"] == 1, -batch["score"], batch["score"]).tolist()
    assert sorted(seen) == [score for score in range(-ROWS // 2, ROWS // 2) if score]


@pytest.mark.filterwarnings("ignore:.*pin_memory.*")
def test_tensors_can_be_written_and_pinned(folder):
    """Without an accelerator, PyTorch ignores ``pin_memory`` with a warning."""
    pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from setwise.torch import Dataset, tensors

    name = "nnue-pytorch-2026-07"
    for padded in (None, 288):
        data = Dataset(folder / "all.marlin", name, columns="white_all", padded=padded)
        for workers in (0, 1):
            for batch in DataLoader(data, batch_size=None, num_workers=workers, pin_memory=True):
                (batch["inputs"][0] if padded else batch["inputs"][0][1]).fill_(7)
                batch["score"] += 1
                batch["white_all"] += 1
    loader = setwise.Loader(folder / "all.marlin", name, batch_size=500)
    held = [tensors(batch) for batch in loader]
    again = [tensors(batch) for batch in setwise.Loader(folder / "all.marlin", name, batch_size=500)]
    for one, other in zip(held, again):  # memory is not reused while a tensor holds it
        for (offsets, items), (expected, values) in zip(one["inputs"], other["inputs"]):
            assert (offsets == expected).all() and (items == values).all()


def test_a_bag_of_embeddings_learns(folder):
    """Runs the ten lines of the documentation, which learn the number of pieces far better than a guess."""
    torch = pytest.importorskip("torch")
    from torch.utils.data import DataLoader

    from setwise.torch import Dataset

    torch.manual_seed(0)
    data = Dataset(folder / "all.marlin", "halfka-hm", perspectives="mover", batch_size=1000, shuffle=4000, epochs=20,
                   threads=1)  # fmt: skip
    table = torch.nn.EmbeddingBag(setwise.feature_sets()["halfka-hm"], 16, mode="sum", include_last_offset=True)
    torch.nn.init.normal_(table.weight, std=0.1)
    output = torch.nn.Linear(32, 1)
    adam = torch.optim.Adam([*table.parameters(), *output.parameters()], 0.01)
    losses = []
    for batch in DataLoader(data, batch_size=None):
        sides = [table(inputs, offsets) for offsets, inputs in batch["inputs"]]
        found = output(torch.cat(sides, 1).clamp(0, 1))[:, 0]
        wanted = batch["piece_count"] / 32  # the scores of these rows are arbitrary
        loss = ((found - wanted) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    assert losses[-1] < 0.2 * wanted.var(), losses


def test_a_network_learns_more_than_material(tmp_path):
    """Runs the training example on positions of games whose scores depend on material and on hanging pieces."""
    pgn = tmp_path / "games.pgn"
    pgn.write_bytes(gzip.open(DATA / "games.pgn.gz", "rb").read())
    names = ["pawns", "knights", "bishops", "rooks", "queens", "white", "black", "white_hanging", "black_hanging"]
    lines, seen = [], set()
    for batch in setwise.read(pgn, ["fen", *names], keep=[], errors="skip", where="fullmove_number > 3"):
        of = {name: batch[name] for name in names}

        def count(boards):
            return np.bitwise_count(boards).astype(int)

        worth = dict(zip(names[:5], (100, 300, 300, 500, 900)))
        score = sum(worth[role] * (count(of[role] & of["white"]) - count(of[role] & of["black"])) for role in worth)
        score = score + 150 * (count(of["black_hanging"]) - count(of["white_hanging"]))
        for fen, one in zip(batch.to_pyarrow()["fen"].to_pylist(), score.tolist()):
            if (place := fen.split(" ")[0]) not in seen:
                seen.add(place)
                lines.append(f"{fen} | {one} | {0.5 + 0.5 * np.sign(one)}\n")
    assert len(lines) > 10_000
    (tmp_path / "all.txt").write_text("".join(lines))
    spec = importlib.util.spec_from_file_location("train", Path(__file__).parents[1] / "examples" / "train.py")
    train = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(train)
    out = tmp_path / "network.npz"
    losses = train.main([str(tmp_path / "all.txt"), "--batches", "250", "--batch-size", "512", "--validation", "5",
                         "--share", "1", "--output", str(out), "--threads", "1"])  # fmt: skip
    guess, linear, network = losses.values()
    print(losses)
    assert network < 0.9 * linear < 0.9 * guess
    weights = np.load(out)
    assert weights["table"].shape[1] == len(weights["bias"]) == len(weights["output"]) // 2
