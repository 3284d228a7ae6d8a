"""Tests public data sets and formats of other trainers in ``Loader``: files in each schema are written from games that
python-chess replays, and every label and move is compared with what was written."""

import gzip
import io
import json
import math
import struct
import tarfile
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pyarrow as pa
import pytest
from test_loader_tables import write

import setwise

DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"
BOARDS = list(setwise.BOARDS)


@pytest.fixture(scope="module")
def games():
    """Games from the standard start position: the board before each move, and the move."""
    text, found = io.StringIO(gzip.decompress((DATA / "games.pgn.gz").read_bytes()).decode()), []
    while sum(map(len, found)) < 3000 and (game := chess.pgn.read_game(text)) is not None:
        board, rows = game.board(), []
        if game.errors or board.chess960 or board.fen() != chess.STARTING_FEN:
            continue
        for move in game.mainline_moves():
            rows.append((board.copy(stack=False), move))
            board.push(move)
        if len(rows) > 1:
            found.append(rows)
    return found


@pytest.fixture(scope="module")
def rows(games):
    return [row for game in games for row in game]


def score(n):
    """Returns a score for white: the columns `cp` and `mate`, and the score of the loader."""
    value = n * 37 % 1201 - 600
    if n % 5 > 0:
        return value, None, value
    mate = (1 + n % 9) * (1 if value > 0 else -1)
    return None, mate, (32_000 if mate > 0 else -32_000) - mate


def expected(board, of_white=None, move=None, **more):
    """Returns a row in the form of batches."""
    sets = [board.pieces_mask(role, True) | board.pieces_mask(role, False) for role in range(1, 7)]
    mover = None if of_white is None else of_white if board.turn else -of_white
    uci = "0000" if move is None else board.uci(move)
    return (*sets, *(board.occupied_co[side] for side in (True, False)), board.turn, mover, uci, *more.values())


def read(paths, labels, more=(), **options):
    """Returns the rows of a loader, and the loader."""
    loader = setwise.Loader(paths, columns=BOARDS, labels=labels, batch_size=300, **options)
    found = []
    for batch in loader:
        columns = [batch.columns[name].view(np.uint64).tolist() for name in BOARDS]
        scores = [None] * len(batch) if batch.score is None else batch.score.tolist()
        moves = ["0000"] * len(batch) if batch.move is None else map(uci, batch.move.tolist())
        others = [getattr(batch, name).tolist() for name in more]
        found += zip(*columns, (batch.turn == 0).tolist(), scores, moves, *others)
    return found, loader


def uci(bits):
    promotion = bits >> 12 & 3
    return chess.Move(bits >> 6 & 63, bits & 63, promotion + 2 if bits >> 14 == 1 else None).uci()


def check(paths, labels, wanted, more=(), **options):
    """Checks rows in the order of the files, and that shuffling, shards and resuming yield all of them."""
    assert read(paths, labels, more, **options)[0] == wanted
    options |= {"seed": 3, "shuffle": 700}
    whole, _ = read(paths, labels, more, threads=2, **options)
    assert sorted(map(repr, whole)) == sorted(map(repr, wanted)) and whole != wanted
    shards = [read(paths, labels, more, shard=(i, 3), **options)[0] for i in range(3)]
    assert sorted(map(repr, (row for shard in shards for row in shard))) == sorted(map(repr, wanted))
    loader = setwise.Loader(paths, labels=labels, batch_size=300, **options)
    batches = iter(loader)
    next(batches), next(batches)
    again = setwise.Loader(paths, labels=labels, batch_size=300, **options)
    again.load_state_dict(json.loads(json.dumps(loader.state_dict())))
    assert [batch.turn.tolist() for batch in again] == [batch.turn.tolist() for batch in batches]


def check_split(paths, labels, games, **options):
    """Checks that a split does not divide games."""
    train, test = (read(paths, labels, split=(part, 0.5), **options)[0] for part in ("train", "test"))
    rows = [row[: len((train + test)[0])] for game in games for row in game]
    assert sorted(map(repr, train + test)) == sorted(map(repr, rows)) and min(len(train), len(test)) > 100
    for game in games:
        found = [part for part in (train, test) if part[: len(game)] == rows[: len(game)]]
        assert found, game[0]
        del found[0][: len(game)], rows[: len(game)]


def said(paths, text, **options):
    with pytest.warns(UserWarning, match=text):
        setwise.Loader(paths, **options)


def evaluations(n, move):
    """Returns evaluations in some order, and the score of the first variation of the first deepest evaluation."""
    depths = [20 + (n // 3 + 7 * at) % 3 for at in range(n % 4 + 1)]
    deepest, best, found = depths.index(max(depths)), 0, []
    for at, depth in enumerate(depths):
        variations = []
        for line in range((n + at) % 3 + 1):
            cp, mate, value = score(n + 100 * at + 1000 * line)
            if (at, line) == (deepest, 0):
                best = value
            # Reading another move would be an error.
            moves = move if (at, line) == (deepest, 0) else "0000"
            variations.append({"cp": cp, "mate": mate, "line": f"{moves} a1a1 h8h8"})
        found.append({"pvs": variations, "knodes": n, "depth": depth})
    return found, best


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet", "memory"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_evaluations_in_lists(tmp_path, rows, ending):
    table, wanted = [], []
    for n, (board, move) in enumerate(rows):
        evals, best = evaluations(n, move.uci())
        table.append({"fen": board.fen().rsplit(" ", 2)[0], "evals": evals})
        wanted.append(expected(board, best, move))
    path = tmp_path / f"evals.{ending}"
    if "jsonl" in ending:
        for evals in (row["evals"] for row in table):
            for variation in (variation for one in evals for variation in one["pvs"]):
                del variation["cp" if variation["cp"] is None else "mate"]
        text = "".join(json.dumps(row) + "\n" for row in table).encode()
        path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text)
    elif ending == "parquet":
        write(path, pa.Table.from_pylist(table))
    else:
        path = pa.Table.from_pylist(table)
    said(path, "preset lichess-evals: scores and moves: the first variation of the deepest of `evals`, scores for white")
    check(path, ["score", "move"], wanted)
    with pytest.raises(ValueError, match="it has no score"):
        setwise.Loader(path, preset="none", labels="score")


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "jsonl", "memory"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_variations_as_rows(tmp_path, rows, ending):
    """One row per position is read, wherever the file is cut."""
    table, wanted, last = [], [], None
    for n, (board, move) in enumerate(rows[:1500]):
        fen = board.fen().rsplit(" ", 2)[0]
        if fen == last:
            continue
        last = fen
        evals, best = evaluations(n, move.uci())
        table += [{"fen": fen, "depth": one["depth"], "knodes": n, **line} for one in evals for line in one["pvs"]]
        wanted.append(expected(board, best, move))
    path, whole = tmp_path / f"rows.{ending}", pa.Table.from_pylist(table)
    if ending == "parquet":
        pa.parquet.write_table(whole, path, row_group_size=17)
    elif ending == "memory":
        path = whole
    else:
        write(path, whole)
    text = "preset lichess-position-evaluations: positions: the first row with the largest `depth` for each `fen`; scores: "
    said(path, f"{text}`cp` and `mate`, for white; moves: the first of `line`")
    check(path, ["score", "move"], wanted)


@pytest.mark.parametrize("ending", ["parquet", "csv", "arrow", "memory"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_position_can_span_files(tmp_path, rows, ending):
    """The deepest row of a position counts, in whichever file it is, and each row is read once."""
    table, wanted = [], []
    for n, (board, move) in enumerate(rows[:60]):
        depths = [20 + (5 * row + n) % 7 for row in range(n % 4 + 1)]
        fen = board.fen().rsplit(" ", 2)[0]
        if table and table[-1]["fen"] == fen:
            continue
        deepest = depths.index(max(depths))
        for row, depth in enumerate(depths):
            line = (move.uci() if row == deepest else "0000") + " a1a1"
            table.append({"fen": fen, "line": line, "depth": depth, "knodes": n, "cp": 100 * n + row, "mate": None})
        wanted.append(expected(board, 100 * n + deepest, move))
    columns = [("fen", pa.string()), ("line", pa.string())]
    schema = pa.schema(columns + [(name, pa.int64()) for name in ("depth", "knodes", "cp", "mate")])
    table, end = pa.Table.from_pylist(table, schema), len(table)
    for cuts in ([5], [1, 2, 3, 4], [7, 7, 8], [40, 60], [0, 11, end], list(range(1, 20))):
        sources = []
        for at, (start, stop) in enumerate(zip([0, *cuts], [*cuts, end])):
            part = table.slice(start, stop - start)
            if ending == "memory":
                sources.append(part)
                continue
            sources.append(tmp_path / f"{len(cuts)}-{at:03}.{ending}")
            write(sources[-1], part)
        options = {"labels": ["score", "move"], "preset": "lichess-position-evaluations"}
        assert read(sources, **options)[0] == wanted, cuts
        whole = read(sources, shuffle=700, seed=3, spill=str(tmp_path), **options)[0]
        shards = [read(sources, shard=(i, 2), shuffle=700, **options)[0] for i in range(2)]
        for found in (whole, sum(shards, [])):
            assert sorted(map(repr, found)) == sorted(map(repr, wanted)), cuts


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl", "arrow", "feather", "memory"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_errors_in_shared_positions_name_the_file_with_the_row(tmp_path, ending):
    """The deepest row of the position is the first row of the second table."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q -"
    columns = {"fen": [fen, fen, "4k3/8/8/8/8/8/8/4K3 w - -"], "line": ["a1a8", "e2e5", "e1e2"], "depth": [20, 30, 20]}
    whole = pa.table({**columns, "knodes": [1, 1, 1], "cp": [1, 2, 3], "mate": pa.nulls(3, pa.int64())})
    sources = [whole.slice(0, 1), whole.slice(1)]
    if ending != "memory":
        for name, part in zip("ab", sources):
            write(tmp_path / f"{name}.{ending}", part)
        sources = [tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"]
    options = {"labels": ["score", "move"], "preset": "lichess-position-evaluations"}
    name = "table 2" if ending == "memory" else f"b.{ending}"
    for shuffle in (0, 100):
        with pytest.raises(ValueError, match=rf"{name}: row 0.*e2e5"):
            list(setwise.Loader(sources, shuffle=shuffle, **options))


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_evaluations_of_one_move(tmp_path, rows, ending):
    table, wanted = [], []
    for n, (board, move) in enumerate(rows):
        cp, mate, value = score(n)
        # The first blocks of the file have no mate.
        if n < 1200 and mate is not None:
            cp, mate, value = 5, None, 5
        table.append({"fen": board.fen(), "move": board.uci(move, chess960=True), "cp": cp, "mate": mate})
        wanted.append(expected(board, value, move))
    assert any(board.uci(move) != board.uci(move, chess960=True) for board, move in rows)
    path = tmp_path / f"moves.{ending}"
    write(path, pa.Table.from_pylist(table))
    said(path, "preset fishnet-evals: scores: `cp` and `mate`, for white; moves: `move`")
    check(path, ["score", "move"], wanted)
    assert read(path, ["score", "move"], preset="fishnet-evals", where="score > 31000")[0] == [
        row for row in wanted if row[9] > 31_000
    ]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_columns_that_are_empty_at_first(tmp_path):
    """CSV readers infer types from the first megabyte."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    path = tmp_path / "late.csv"
    path.write_text("fen,move,cp,mate\n" + f"{fen},a1a8,3,\n" * 40_000 + f"{fen},a1a2,,7\n")
    scores = [score for batch in setwise.Loader(path, labels="score") for score in batch.score.tolist()]
    assert scores == [3] * 40_000 + [31_993]


@pytest.mark.parametrize("ending", ["parquet", "csv.gz"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_puzzles_begin_after_the_first_move(tmp_path, games, ending):
    table, wanted = [], []
    for game in games:
        for (board, first), (after, second) in zip(game, game[1:]):
            moves = f"{first.uci()} {second.uci()} a1a1"
            table.append({"PuzzleId": f"{len(table):05}", "FEN": board.fen(), "Moves": moves, "Rating": len(table)})
            wanted.append(expected(after, None, second))
    path = tmp_path / f"puzzles.{ending}"
    write(path, pa.Table.from_pylist(table))
    said(path, "preset lichess-puzzles: positions: `FEN` after the first of `Moves`; moves: the second of `Moves`")
    check(path, "move", wanted)
    assert len(read(path, "move", where="Rating >= 1000")[0]) == len(table) - 1000
    before = read(path, [], preset="none")[0]
    assert before[0] == expected(games[0][0][0])


@pytest.mark.parametrize("ending", ["parquet", "jsonl.gz"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_games_of_folders(tmp_path, games, ending):
    by_game, of_january = [], 0
    for month, some in (("01", games[:100]), ("12", games[100:])):
        table = []
        for n, game in enumerate(some):
            result = n % 3 - 1
            moves, scores = "", [None]
            for at, (board, move) in enumerate(game):
                moves += f"{board.san(move)} {{ [%eval {-0.5 + at % 90 / 100:.2f}] [%clk 0:01:00] }} "
                scores.append(round(100 * (-0.5 + at % 90 / 100)))
            ended = game[-1][0].copy()
            ended.push(game[-1][1])
            # An evaluation belongs to the position after the move.
            by_game.append([
                expected(board, of_white, move, result=result if board.turn else -result)
                for (board, move), of_white in list(zip([*game, (ended, None)], scores))[1:]
            ])
            of_january += len(game) * (month == "01")
            text = {-1: "0-1", 0: "1/2-1/2", 1: "1-0"}[result]
            table.append({"Event": "e", "Result": text, "WhiteElo": 1500 + n, "movetext": moves + text})
        folder = tmp_path / "data" / "year=2025" / f"month={month}"
        folder.mkdir(parents=True)
        write(folder / f"part.{ending}", pa.Table.from_pylist(table))
    path, labels, wanted = tmp_path / "data", ["score", "result", "move"], [row for game in by_game for row in game]
    said(path, "preset lichess-games: games: `movetext`")
    options = {"on_missing": "skip"}
    check(path, labels, wanted, ["result"], **options)
    assert read(path, labels, ["result"], where="month = 1", **options)[0] == wanted[:of_january]
    assert read(path, labels, ["result"], where="year = 2025 and month = 12", **options)[0] == wanted[of_january:]
    with pytest.raises(ValueError, match="month"):
        setwise.Loader(path, preset="none", where="month = 1")
    few = read(path, labels, ["result"], where="WhiteElo < 1510", movetext_column="movetext", **options)[0]
    assert 0 < len(few) < len(wanted) and set(few) <= set(wanted)
    check_split(path, labels, by_game, **options)


def test_wrong_presets_say_what(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("fen,cp\n4k3/8/8/8/8/8/8/R3K3 w Q - 0 1,3\n")
    with pytest.raises(ValueError, match="no preset is called `lichess`; there are `lichess-evals`, "):
        setwise.Loader(path, preset="lichess")
    with pytest.raises(ValueError, match="no column is called `PuzzleId`"):
        setwise.Loader(path, preset="lichess-puzzles")
    text = tmp_path / "few.fen"
    text.write_text("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n")
    with pytest.raises(ValueError, match="`preset` is for tables, and there are none"):
        setwise.Loader(text, preset="lichess-puzzles")
    assert [len(batch) for batch in setwise.Loader([text, path], preset="none", labels=[])] == [2]


# Chunks of lc0, packed according to their layout.


def lc0_moves():
    """Lists all moves of a policy from the point of view of white."""
    moves, names = [], chess.SQUARE_NAMES
    for origin in range(64):
        for target in range(64):
            x, y = abs(origin % 8 - target % 8), abs(origin // 8 - target // 8)
            if origin != target and (x == 0 or y == 0 or x == y or x * y == 2):
                moves.append(names[origin] + names[target])
    for file in range(8):
        for target in range(max(file - 1, 0), min(file + 1, 7) + 1):
            moves += [names[48 + file] + names[56 + target] + role for role in "qrb"]
    assert len(moves) == 1858
    return moves


def lc0(games, version):
    """Returns the records of each game, and their rows."""
    moves, files, wanted = lc0_moves(), [], []
    for n, game in enumerate(games):
        file, rows = b"", []
        for at, (board, move) in enumerate(game):
            mover = board.turn
            planes = np.zeros(104, np.uint64)
            for back in range(min(8, at + 1)):
                earlier = game[at - back][0]
                for role in range(1, 7):
                    for plane, side in ((13 * back + role - 1, mover), (13 * back + 5 + role, not mover)):
                        mask = earlier.pieces_mask(role, side)
                        planes[plane] = chess.flip_horizontal(mask if mover else chess.flip_vertical(mask))
            seen = board if mover else board.mirror()
            played = move if mover else chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
            index = moves.index(seen.uci(played, chess960=True).removesuffix("n"))
            rights = [getattr(board, f"has_{wing}_castling_rights")(side) for side in (mover, not mover)
                      for wing in ("queenside", "kingside")]  # fmt: skip
            value, result = np.float32((n * 31 + at * 17) % 199 / 100 - 0.99), (n % 3 - 1) * (1 if mover else -1)
            record = struct.pack("<II", version, 1) + np.linspace(0, 1, 1858, dtype="<f4").tobytes() + planes.tobytes()
            record += bytes([*rights, not mover, board.halfmove_clock, 0, 0])
            record += struct.pack("<8f", 0, value, 0, 0.25, 0, 0, 9, result) + bytes(8340 - 8312)
            record += struct.pack("<IHH", 1, 0, index) + bytes(8356 - 8348 if version == 6 else 8396 - 8348)
            file += record
            of_mover = math.floor(90 * math.tan(1.5637541897 * float(value)) + 0.5)
            of_white = of_mover if mover else -of_mover
            rows.append(expected(board, of_white, move, result=result))
        files.append(file)
        wanted.append(rows)
    return files, wanted


def archive(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for n, file in enumerate(files):
            packed = gzip.compress(file, 1)
            info = tarfile.TarInfo(f"training/training.{n}.gz")
            info.size = len(packed)
            tar.addfile(info, io.BytesIO(packed))
    return out.getvalue()


@pytest.mark.parametrize("version", [6, 7])
@pytest.mark.parametrize("kind", ["lc0", "gz", "tar", "tar.gz", "tgz", "folder", "archives"])
def test_chunks_of_lc0(tmp_path, games, version, kind):
    files, by_game = lc0(games[:80], version)
    wanted = [row for game in by_game for row in game]
    path, labels, options = tmp_path / f"training.1.{kind}", ["score", "result", "move"], {}
    match kind:
        case "lc0":
            path.write_bytes(b"".join(files))
        case "gz":
            path.write_bytes(b"".join(map(gzip.compress, files)))
            options["input_format"] = "lc0"
        case "folder" | "archives":
            # The other files of a data set are skipped.
            (path / "sub").mkdir(parents=True)
            for name in ("LICENSE", "sub/README.md", "sub/index.json"):
                (path / name).write_text("no chunk")
            if kind == "archives":
                (path / "1.tar").write_bytes(archive(files[:40]))
                (path / "sub" / "2.tgz").write_bytes(gzip.compress(archive(files[40:]), 1))
            else:
                options["input_format"] = "lc0"
                for n, data in enumerate(files):
                    (path / "sub" / f"training.{n:03}.gz").write_bytes(gzip.compress(data, 1))
        case _:
            data = archive(files)
            path.write_bytes(gzip.compress(data, 1) if kind.endswith("gz") else data)
    check(path, labels, wanted, ["result"], **options)
    if kind != "tar":
        return
    table = pa.table(setwise.read(path, columns=["white", "score", "result"]))
    assert [table[name].to_pylist() for name in ("white", "score", "result")] == [
        [row[column] for row in wanted] for column in (6, 9, 11)
    ]
    check_split(path, labels, by_game)


def test_wrong_chunks_say_where(tmp_path, games):
    files, _ = lc0(games[:2], 6)
    path = tmp_path / "a.lc0"
    path.write_bytes(files[0] + b"\x05\0\0\0" + files[1])
    with pytest.raises(ValueError, match="a.lc0: games from byte .*expected a record of version 6 or 7, found 5"):
        list(setwise.Loader(path))
    path.write_bytes(files[0][:-1])
    with pytest.raises(ValueError, match="a.lc0: games from byte 0 on: record .*expected 8356 bytes"):
        list(setwise.Loader(path))
    with pytest.raises(ValueError, match="it has no ply .`sampling`."):
        setwise.Loader(path, sampling="nnue-pytorch-2026-07")


@pytest.mark.parametrize("ending", ["plain", "plain.gz"])
def test_plain_text(tmp_path, games, ending):
    text, wanted = "", []
    for n, game in enumerate(games):
        for ply, (board, move) in enumerate(game):
            value, result = (n * 37 + ply * 11) % 1201 - 600, (n % 3 - 1) * (1 if board.turn else -1)
            text += f"fen {board.fen()}\nmove {move.uci()}\nscore {value}\nply {ply}\nresult {result}\ne\n"
            more = {"result": result, "ply": ply}
            wanted.append(expected(board, value if board.turn else -value, move, **more))
    path = tmp_path / f"a.{ending}"
    path.write_bytes(gzip.compress(text.encode()) if ending.endswith("gz") else text.encode())
    check(path, ["score", "result", "move"], wanted, ["result", "ply"])
    sampled, loader = read(path, ["score", "result", "move"], ["result", "ply"], sampling=setwise.Sampling(ply={0: 0.5}))
    assert set(sampled) <= set(wanted) and loader.sampled_out["ply"] == len(wanted) - len(sampled)
    bad = tmp_path / "bad.plain"
    bad.write_text(text.replace("score", "value", 3000).replace("value", "score", 2000))
    with pytest.raises(ValueError, match="bad.plain: games from byte .*line .*expected `fen`, `move`, `score`"):
        list(setwise.Loader(bad))
