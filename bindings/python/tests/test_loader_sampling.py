"""Compares the sampling of ``Loader`` with the trainer's predicate in plain Python on the same rows, and tests that it
depends only on the seed."""

import copy
import dataclasses
import json
import math
import os
import pickle
import random
import struct
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import chess
import numpy as np
import pytest

import setwise
from setwise._report import Report

NAME = "nnue-pytorch-2026-07"
PRESET = setwise.Sampling.named(NAME)
ROWS = 120_000
NONE = 32_002


def to_unsigned(value):
    """Encodes a 16-bit number like binpack, with the sign in the lowest bit."""
    bits = value & 0xFFFF
    bits ^= 0x7FFF if bits >> 15 else 0
    return (bits << 1 | bits >> 15) & 0xFFFF


def binpack(rows):
    """Packs whole games into blocks. Each row is a chain of one position: two kings and pawns, score, ply, result."""
    blocks = []
    starts = [at for at, row in enumerate(rows) if at == 0 or row[2] <= rows[at - 1][2]][::5]
    for start, end in zip(starts, [*starts[1:], len(rows)]):
        games = b""
        for pawns, score, ply, result in rows[start:end]:
            codes = [10] + [0] * pawns.bit_count() + [11]
            codes += [0] * (32 - len(codes))
            nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
            occupied = 1 << 4 | 1 << 60 | pawns << 16
            of_game = ply | (to_unsigned(result) << 14 & 0xFFFF)
            games += struct.pack(">Q", occupied) + nibbles + struct.pack(">HHHHH", 0, to_unsigned(score), of_game, 0, 0)
        blocks.append(b"BINP" + struct.pack("<I", len(games)) + games)
    return b"".join(blocks)


def games(rows, seed=1):
    """Returns random rows: games with rising ply and falling number of pieces, and some placeholder scores."""
    numbers = random.Random(seed)
    made = []
    while len(made) < rows:
        result, drift = numbers.choice([-1, 0, 0, 1]), 0.0
        squares = numbers.sample(range(32), 30)
        for ply in range(numbers.randrange(12), numbers.randrange(30, 200)):
            drift = drift * 0.97 + result * 6 + numbers.gauss(0, 25)
            if numbers.random() < 0.14 and squares:
                squares.pop()
            score = round(drift) * (1 if ply % 2 == 0 else -1)
            score = numbers.choice([NONE, 0]) if numbers.random() < 0.05 else max(-30_000, min(30_000, score))
            made.append((sum(1 << square for square in squares), score, ply, result if ply % 2 == 0 else -result))
    return made[:rows]


@pytest.fixture(scope="module")
def made():
    return games(ROWS)


@pytest.fixture(scope="module")
def path(tmp_path_factory, made):
    path = tmp_path_factory.mktemp("sampling") / "games.binpack"
    path.write_bytes(binpack(made))
    return path


def read(path, **options):
    """Returns the rows of all batches, and the loader."""
    loader = setwise.Loader(path, columns=["pawns"], batch_size=250, **options)
    found = []
    for batch in loader:
        pawns = batch.columns["pawns"] >> 16
        columns = pawns, batch.score, batch.ply, batch.result
        found += zip(*(column.tolist() for column in columns))
    return found, loader


# The trainer's predicate in plain Python.


def outcome(score, ply, result):
    m = min(ply, 240) / 64
    a = ((-3.68389304 * m + 30.07065921) * m - 60.52878723) * m + 149.53378557
    b = 1.5 * (((-2.0181857 * m + 15.85685038) * m - 29.83452023) * m + 47.59078827)
    x = max(-2000.0, min(2000.0, 100 * score / 208))
    win, loss = 1 / (1 + math.exp((a - x) / b)), 1 / (1 + math.exp((a + x) / b))
    return {1: win, -1: loss, 0: 1 - win - loss}[result]


def early(score, ply, result):
    return float(np.interp(ply, [0, 6, 10, 18, 20], [0.1, 0.15, 0.25, 0.75, 1.0]))


def placeholders(rows):
    """Yields rows with a score."""
    last_ply, last_score = -1, NONE
    for row in rows:
        _, score, ply, result = row
        is_zero = ply > last_ply and last_score != NONE and abs(last_score) > 100 and result != 0 and score == 0
        last_ply = ply
        if score != NONE and not is_zero:
            last_score = score
            yield row


def steered(rows, seed=5, pieces_of=lambda row: row[0].bit_count() + 2):
    """Counts rows by the number of pieces."""
    x, y = [0, 8, 16, 24, 32], [0, 0.4, 1, 1, 0.75]
    slopes = [y[1] - y[0], *((y[i + 1] - y[i - 1]) / 2 for i in (1, 2, 3)), y[4] - y[3]]
    wanted = []
    for pieces in range(33):
        i = min(pieces // 8, 3)
        t = (pieces - x[i]) / 8
        value = (2 * t**3 - 3 * t**2 + 1) * y[i] + (t**3 - 2 * t**2 + t) * slopes[i]
        value += (-2 * t**3 + 3 * t**2) * y[i + 1] + (t**3 - t**2) * slopes[i + 1]
        wanted.append(max(0.0, value))
    numbers, seen, total, alpha, steps = random.Random(seed), [0.0] * 33, 0.0, 1.0, 0
    for row in rows:
        pieces = pieces_of(row)
        seen[pieces] += 1
        total += 1
        steps += 1
        if steps in (100, 500, 1000, 2500, 5000) or steps % 10_000 == 0:
            ratios = [total * w / (sum(wanted) * n) for w, n in zip(wanted, seen) if w > 0 and n > 0]
            alpha = 0.025 / min(ratios)
        if steps % 10_000 == 0:
            seen, total = [n / 2 for n in seen], total / 2
        if numbers.random() < alpha * total * wanted[pieces] / (sum(wanted) * seen[pieces]):
            yield row


def assert_alike(found, expected, variance, what):
    """Returns whether counts are within five standard deviations."""
    far = np.abs(found - expected) > 5 * np.sqrt(variance) + 3
    assert not far.any(), f"{what}: {np.flatnonzero(far)}: {found[far]}, expected {expected[far]}"


VIEWS = {
    "ply": lambda row: row[2],
    "pieces": lambda row: row[0].bit_count() + 2,
    "result": lambda row: row[3] + 1,
    "score": lambda row: max(0, min(40, row[1] // 25 + 20)),
}


def histogram(view, rows, weights=None):
    return np.bincount([view(row) for row in rows], weights=weights, minlength=256).astype(float)


@pytest.mark.parametrize("names", [["outcome"], ["ply"], ["outcome", "ply"]], ids="+".join)
def test_rows_are_kept_with_the_trainers_probabilities(path, made, names):
    sampling = setwise.Sampling(**{name: getattr(PRESET, name) for name in names})
    rows = [row for row in made if row[1] != NONE]
    found, loader = read(path, sampling=sampling, on_missing="skip", seed=7)
    formulas = {"outcome": outcome, "ply": early}
    kept = np.array([math.prod(formulas[name](*row[1:]) for name in names) for row in rows])
    for name, view in VIEWS.items():
        expected, variance = (histogram(view, rows, weights) for weights in (kept, kept * (1 - kept)))
        assert_alike(histogram(view, found), expected, variance, name)
    out = loader.sampled_out
    assert sum(out.values()) == len(rows) - len(found) and out["pieces"] == 0
    assert {name for name, count in out.items() if count} == set(names)
    assert loader.missing == len(made) - len(rows)
    # Rows stay in order.
    rest = iter(rows)
    assert all(row in rest for row in found)


def test_numbers_of_pieces_are_steered(path, made):
    sampling = setwise.Sampling(pieces=PRESET.pieces)
    rows = [row for row in made if row[1] != NONE]
    found, loader = read(path, sampling=sampling, on_missing="skip")
    expected = list(steered(rows))
    for name, view in VIEWS.items():
        a, b = histogram(view, found), histogram(view, expected)
        assert_alike(a, b, a + b, name)
    assert loader.sampled_out == {"outcome": 0, "ply": 0, "pieces": len(rows) - len(found)}
    assert 0.02 < len(found) / len(rows) < 0.5


def test_a_preset_samples_as_the_trainer(path, made):
    found, loader = read(path, sampling=NAME)
    numbers = random.Random(3)
    scored = list(placeholders(made))
    few = [row for row in scored if numbers.random() < outcome(*row[1:]) * early(*row[1:])]
    expected = list(steered(few))
    for name, view in VIEWS.items():
        a, b = histogram(view, found), histogram(view, expected)
        assert_alike(a, b, a + b, name)
    assert loader.missing == len(made) - len(scored) > 3000
    assert set(found) <= set(scored) and loader.left_out == dict.fromkeys(PRESET.where, 0)
    assert len(found) + sum(loader.sampled_out.values()) == len(scored)
    assert read(path, sampling=PRESET)[0] == found != read(path, sampling=NAME, seed=1)[0]


def plain(rows):
    names = ["fen", "move", "score", "ply", "result"]
    return "".join("".join(f"{name} {value}\n" for name, value in zip(names, row)) + "e\n" for row in rows)


def test_placeholders_of_plain_do_not_depend_on_units(tmp_path):
    """Every second score is a placeholder, so that each unit that begins within a game would show."""
    rows = [(game, ply % 2 * 500, ply, 1) for game in range(300) for ply in range(1 + game % 7, 60)]
    path = tmp_path / "games.plain"
    path.write_text(plain(("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2", *row[1:]) for row in rows))
    found, _ = read(path, sampling=setwise.Sampling(placeholder_zeros=100), on_missing="skip")
    assert [row[1:] for row in found] == [row[1:] for row in placeholders(rows)]


@pytest.fixture(scope="module")
def positions(fens):
    """Positions of games with a legal move and random labels: FEN, move, score, ply, result; and whether the trainer
    considers them quiet."""
    numbers, rows = random.Random(11), []
    for fen in fens:
        board = chess.Board(fen)
        if not board.is_valid() or not (moves := list(board.legal_moves)):
            continue
        board.halfmove_clock, board.fullmove_number = min(board.halfmove_clock, 100), min(board.fullmove_number, 400)
        for _ in range(40):
            move, result = numbers.choice(moves), numbers.choice([-1, 0, 1])
            quiet = not board.is_check() and (not board.is_capture(move) or board.is_en_passant(move))
            # Avoid a score of 0, which may be a placeholder.
            score = numbers.choice([NONE, 1, *(round(150 * result + numbers.gauss(0, 150)) | 1 for _ in range(8))])
            rows.append((board.fen(), move.uci(), score, numbers.randrange(60), result, quiet))
    assert len(rows) > 30_000
    return rows


PROGRAM = os.environ.get("SETWISE_PROGRAM")


@pytest.mark.parametrize("ending", ["plain", pytest.param("bin", marks=pytest.mark.skipif(
    PROGRAM is None, reason="`SETWISE_PROGRAM` names no program"))])  # fmt: skip
def test_the_loader_and_the_program_keep_what_the_trainer_keeps(tmp_path, positions, ending):
    """Compares with quiet positions by python-chess. For fixed-size records, the program selects the loader's rows."""
    path = tmp_path / f"all.{ending}"
    (tmp_path / "all.plain").write_text(plain(positions))

    def convert(*arguments):
        subprocess.run([PROGRAM, "convert", "-q", *arguments], check=True, cwd=tmp_path)

    if ending == "bin":
        convert("all.plain", "-o", "all.bin")
    views = {"ply": lambda row: row[1], "result": lambda row: row[2] + 1, "pieces": lambda row: row[3],
             "score": lambda row: max(0, min(40, row[0] // 25 + 20))}  # fmt: skip

    def of_loader(sampling, **options):
        found = []
        for batch in setwise.Loader(path, sampling=sampling, on_missing="skip", seed=7, **options):
            found += zip(*(column.tolist() for column in (batch.score, batch.ply, batch.result, batch.piece_count)))
        return found

    rows = [(*row[2:5], sum(map(str.isalpha, row[0].split()[0])), row[5]) for row in positions if row[2] != NONE]
    kept = np.array([outcome(*row[:3]) * early(*row[:3]) * row[4] for row in rows])
    found = of_loader(dataclasses.replace(PRESET, pieces=None))
    for name, view in views.items():
        expected, variance = (histogram(view, rows, weights) for weights in (kept, kept * (1 - kept)))
        assert_alike(histogram(view, found), expected, variance, name)
    numbers = random.Random(2)
    expected = list(steered((row for row, chance in zip(rows, kept) if numbers.random() < chance), pieces_of=views["pieces"]))
    found = of_loader(NAME)
    sampled = {"loader": found}
    if ending == "bin":

        def of_program(*options):
            convert("all.bin", "-o", "less.plain", "--sampling", NAME, *(options or ("--seed", "7")))
            lines = [line.split() for line in (tmp_path / "less.plain").read_text().splitlines()]
            columns = [[int(line[1]) for line in lines if line[0] == name] for name in ("score", "ply", "result")]
            return list(zip(*columns, (sum(map(str.isalpha, line[1])) for line in lines if line[0] == "fen")))

        sampled["program"] = of_program()
        assert sampled["program"] == found
        third = of_loader(NAME, one_in=3)
        assert of_program("--one-in", "3", "--seed", "7") == third and 0 < len(third) < len(found)
        assert of_program("--seed", "8") != found
    for name, view in views.items():
        for which, found in sampled.items():
            a, b = histogram(view, found), histogram(view, expected)
            assert_alike(a, b, a + b, f"{which} by {name}")


def test_conditions_of_a_preset_come_after_others(path):
    loader = setwise.Loader(path, sampling=NAME, where="score > 50")
    assert list(loader.left_out) == ["score > 50", "checkers = 0", "capture = 0 or en_passant_capture = 1"]


@pytest.mark.parametrize("shuffle", [0, 10_000])
def test_the_seed_decides(path, shuffle):
    options = {"sampling": PRESET, "shuffle": shuffle, "epochs": 2, "seed": 9, "one_in": 2}
    expected, whole = read(path, **options, threads=1)
    assert read(path, **options, threads=3)[0] == expected
    assert len({row[:2] for row in expected}) < len(expected)  # both epochs
    fresh = setwise.Loader(path, columns=["pawns"], batch_size=250, **options)
    batches, states = [], []
    for batch in fresh:
        batches.append((batch.columns["pawns"].tolist(), batch.score.tolist()))
        states.append(json.loads(json.dumps(fresh.state_dict())))
    assert len(batches) > 5
    for at in (0, 2, len(batches) - 2):
        again = setwise.Loader(path, columns=["pawns"], batch_size=250, **{**options, "threads": 1})
        again.load_state_dict(states[at])
        rest = [(batch.columns["pawns"].tolist(), batch.score.tolist()) for batch in again]
        assert rest == batches[at + 1 :]
        assert again.sampled_out == whole.sampled_out and again.not_sampled == whole.not_sampled
    left = setwise.Loader(path, columns=["pawns"], batch_size=250, **options)
    next(iter(left))
    for other in (pickle.loads(pickle.dumps(left)), copy.copy(left)):
        rest = [(batch.columns["pawns"].tolist(), batch.score.tolist()) for batch in other]
        assert rest == batches[1:]
    left.restart()
    assert left.sampled_out == {"outcome": 0, "ply": 0, "pieces": 0}
    with pytest.raises(ValueError, match="the place of the state is not one of this loader"):
        left.load_state_dict({**states[0], "place": states[0]["place"][:6]})  # without the counts of sampling
    other = setwise.Loader(path, **{**options, "sampling": None}, on_missing="skip")
    with pytest.raises(ValueError, match="other arguments"):
        other.load_state_dict(states[0])


def test_shards_share_what_does_not_depend_on_order(path):
    sampling = setwise.Sampling(outcome=setwise.WinRate(), ply=PRESET.ply)
    whole, _ = read(path, sampling=sampling, on_missing="skip", shuffle=1000)
    shards = [read(path, sampling=sampling, on_missing="skip", shuffle=1000, shard=(i, 3))[0] for i in range(3)]
    assert sorted(whole) == sorted(row for shard in shards for row in shard) and min(map(len, shards)) > 0


def test_batches_need_not_have_what_decides(path):
    sampling = setwise.Sampling(outcome=setwise.WinRate())
    with pytest.raises(ValueError, match="no score"):
        list(setwise.Loader(path, sampling=sampling, on_missing="raise"))
    loader = setwise.Loader(path, sampling=sampling, labels=[], batch_size=ROWS)
    [batch] = loader
    assert batch.score is None and batch.result is None
    labelled, _ = read(path, sampling=sampling, on_missing="skip")
    assert batch.ply.tolist() == [row[2] for row in labelled]


def test_viriformat_keeps_what_its_default_filter_keeps():
    """Compares with the definition: no tactical moves (captures and promotions), no checks, ply, score and pieces."""
    games = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data" / "games.binpack"

    def rows(**options):
        loader = setwise.Loader(games, labels=["score", "result", "move"], columns=setwise.BOARDS, on_missing="skip", **options)
        for batch in loader:
            arrays = [batch.columns[name].astype(np.uint64) for name in setwise.BOARDS]
            yield from zip(*(array.tolist() for array in (*arrays, batch.turn, batch.ply, batch.score, batch.move)))

    def stays(row):
        *sets, turn, ply, score, played = row
        board = chess.Board(None)
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings = sets[:6]
        board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK] = sets[6:]
        board.occupied, board.turn = sets[6] | sets[7], turn == 0
        destination, origin = played & 63, played >> 6 & 63
        is_pawn = board.pawns >> origin & 1
        captures = board.occupied >> destination & 1 or is_pawn and (origin - destination) % 8
        promotes = is_pawn and destination // 8 in (0, 7)
        quiet = not (captures or promotes or board.is_check())
        return quiet and ply >= 16 and abs(score) < 31_339 and board.occupied.bit_count() >= 4

    assert setwise.Sampling.named("viriformat-3").outcome is None
    every = list(rows())
    expected = [row for row in every if stays(row)]
    assert list(rows(sampling="viriformat-3")) == expected
    assert 100 < len(expected) < len(every) - 100
    # Rows without a score are skipped and counted as such, unless `on_missing` says otherwise.
    for on_missing, more in [(None, 0), (0, 1)]:
        loader = setwise.Loader(games, sampling="viriformat-3", on_missing=on_missing)
        kept = sum(len(batch.score) for batch in loader)
        assert loader.missing > 0 and (kept > len(expected)) == more
    with pytest.raises(ValueError, match="no score"):
        list(setwise.Loader(games, sampling="viriformat-3", on_missing="raise"))


def test_wrong_samplings_say_what(path, tmp_path):
    def fails(match, sampling, file=path):
        with pytest.raises(ValueError, match=match):
            setwise.Loader(file, sampling=sampling)

    fails("`sampling` is one of `nnue-pytorch-2026-07`, `viriformat-3`, found `nnue`", "nnue")
    fails("`sampling`: expected a probability of 0 to 1 for a ply, found 1.5", setwise.Sampling(ply={0: 1.5}))
    fails("`sampling`: expected points with a rising ply", setwise.Sampling(ply=[(3, 0.5), (3, 1)]))
    fails("`sampling`: expected a number of pieces of 0 to 32, found 40", setwise.Sampling(pieces={40: 1}))
    fails("`sampling`: expected a weight above 0", setwise.Sampling(pieces={8: 0}))
    fails("below 1, found 1", setwise.Sampling(pieces={8: 1}, max_skipped=1))
    fails("b above 0 for every ply, found 0", setwise.Sampling(outcome=setwise.WinRate(b=(0, 0, 0, 0))))
    text = tmp_path / "few.txt"
    text.write_text("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 | 530 | 1.0\n")
    fails("few.txt: it has no ply .`sampling`.", PRESET, text)
    assert len(list(setwise.Loader(text, sampling=setwise.Sampling(pieces={3: 1})))) <= 1
    with pytest.raises(ValueError, match="four coefficients"):
        setwise.WinRate(a=(1, 2))
    with pytest.raises(ValueError, match="`placeholder_zeros` is a score of at least 0, found -1"):
        dataclasses.replace(PRESET, placeholder_zeros=-1)


def counted(rows):
    """Counts rows in the form of a report."""
    pieces = np.bincount([row[0].bit_count() + 2 for row in rows], minlength=65)
    results = np.bincount([row[3] + 1 for row in rows], minlength=4)
    return {"ply": np.bincount([min(row[2], 255) for row in rows], minlength=256), "pieces": pieces, "result": results}


def same(report, seen, kept):
    for found, expected in ((report.seen, seen), (report.kept, kept)):
        assert list(found) == ["ply", "pieces", "result"]
        assert all(found[name].tolist() == expected[name].tolist() for name in found)


def test_a_report_counts_what_was_seen_and_kept(path, made):
    scored = list(placeholders(made))
    found, loader = read(path, sampling=NAME, one_in=2, threads=2)
    same(loader.report(), counted(scored), counted(found))
    few = [row for row in made if row[2] > 100]
    found, loader = read(path, where="ply > 100", report=True, on_missing=0)
    same(loader.report(), counted(made), counted(few))
    # Counting continues after resuming.
    half = setwise.Loader(path, sampling=NAME, one_in=2, batch_size=250)
    next(iter(half))
    again = setwise.Loader(path, sampling=NAME, one_in=2, batch_size=250)
    again.load_state_dict(json.loads(json.dumps(half.state_dict())))
    list(again)
    whole = read(path, sampling=NAME, one_in=2)
    same(again.report(), counted(scored), counted(whole[0]))
    again.restart()
    assert not again.report().seen["pieces"].any()


def test_a_report_names_numbers_of_pieces_that_exist():
    def last(pieces):
        counts = np.bincount([pieces], minlength=65)
        return str(Report({"pieces": counts}, {"pieces": counts})).splitlines()[-1].split()

    assert last(32)[:2] == ["32", "1"] and last(31)[:4] == ["30", "to", "31", "1"]
    assert last(33)[:4] == ["32", "to", "33", "1"]  # a damaged board


def test_each_row_is_counted_once(path, made):
    """Tests labels, ``one_in``, outcome and ply first, then conditions, then pieces, with any number of threads."""
    conditions = ["ply > 12", "abs(score) < 200", "piece_count > 9"]
    for threads in (1, 2):
        found, loader = read(path, sampling=PRESET, where=conditions, one_in=3, threads=threads, shuffle=1000)
        left_out, sampled_out = loader.left_out, loader.sampled_out
        counts = [loader.missing, loader.not_sampled, *left_out.values(), *sampled_out.values(), len(found)]
        assert sum(counts) == len(made) and min(list(left_out.values())[:3]) > 0
        assert loader.missing == len(made) - len(list(placeholders(made)))
        assert all(ply > 12 and abs(score) < 200 and pawns.bit_count() > 7 for pawns, score, ply, _ in found)
    # Among the rows that `one_in` keeps, the first condition drops the same share as without it.
    early = sum(row[2] <= 12 for row in placeholders(made))
    assert abs(left_out["ply > 12"] - early * 0.1 / 3) < early * 0.1


def test_a_condition_on_text_comes_after_sampling(tmp_path):
    """Conditions on tags see only rows that passed the sampling."""
    games = [f'[White "{"ab"[i % 2]}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n' for i in range(500)]
    path = tmp_path / "games.pgn"
    path.write_text("\n".join(games))
    options = {"labels": "result", "where": "White = 'a'", "sampling": setwise.Sampling(ply={0: 0.5}), "on_missing": "skip"}
    loader = setwise.Loader(path, **options)
    kept = sum(len(batch) for batch in loader)
    out = loader.sampled_out["ply"]
    assert kept + out + loader.left_out["White = 'a'"] == 2500 and loader.report().seen["pieces"].sum() == 2500
    assert abs(out - 1250) < 150 and abs(kept - 625) < 110 and loader.report().kept["pieces"].sum() == kept


def test_a_missing_label_is_named_with_its_place(path, made):
    """The record's number is right even if earlier rows were not unpacked."""
    number = next(at for at, row in enumerate(made, 1) if row[1] == NONE)
    with pytest.raises(ValueError, match=f"record {number}\\b"):
        list(setwise.Loader(path, sampling=setwise.Sampling(ply={0: 0.3}), on_missing="raise"))


def test_a_report_is_a_drawing_in_notebooks(path):
    _, loader = read(path, sampling=NAME)
    report = loader.report()
    drawing = ElementTree.fromstring(report._repr_svg_())
    titles = [title.text for title in drawing.iter("{http://www.w3.org/2000/svg}title")]
    won = f"result won: {report.seen['result'][2]:,} seen, {report.kept['result'][2]:,} kept"
    assert won in titles and len(report._repr_svg_()) < 20_000
    heights = [float(bar.get("height")) for bar in drawing.iter("{http://www.w3.org/2000/svg}rect")]
    assert max(heights) == 110 and min(heights) >= 0


def test_a_report_is_a_small_picture(tmp_path):
    path = tmp_path / "games.binpack"
    path.write_bytes(binpack([(7, 100, 9, 1), (7, 50, 10, -1), (255, 0, 11, 0), (255, 0, 300, 0)]))
    loader = setwise.Loader(path, where="ply < 400", report=True)
    assert str(loader.report()).splitlines()[0].split()[:3] == ["pieces", "seen", "kept"]
    list(loader)
    lines = str(loader.report()).splitlines()
    assert [line.split()[:1] for line in lines if line[:1] == " " and "seen" in line] == [["ply"], ["pieces"], ["result"]]
    assert "      4 to 5             2             2 100.0%  " + "█" * 30 in lines
    assert "         won             1             1 100.0%  " + "█" * 15 in lines
    assert lines[1].startswith("     8 to 15             3             3 100.0%")
    assert "      248 on             1             1 100.0%  " + "█" * 10 in lines
    # Text has no plies, and these lines have no results.
    text = tmp_path / "few.fen"
    text.write_text("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n")
    loader = setwise.Loader(text, report=True)
    list(loader)
    assert list(loader.report().seen) == ["pieces"] and loader.report().kept["pieces"][3] == 1
    with pytest.raises(ValueError, match="`report=True`"):
        setwise.Loader(text).report()
