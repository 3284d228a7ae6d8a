"""Compares labels of ``Loader``, and missing labels, with plain reading by python-chess and pyarrow."""

import io
import struct
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import setwise

NONE = 32002
ROWS = 6000


@pytest.fixture(scope="module")
def boards():
    fens = (Path(__file__).parents[3] / "data" / "sample.epd").read_text().splitlines()
    boards = [chess.Board(fen, chess960=True) for fen in fens]
    boards = [board for board in boards if len(board.pieces(6, True)) == len(board.pieces(6, False)) == 1][:250]
    return [boards[i * 7919 % len(boards)] for i in range(ROWS)]


def rows(loader):
    """Returns score, result and side to move of all rows."""
    batches = list(loader)
    empty = [None] * ROWS
    return [
        (score, result, turn == 0)
        for batch in batches
        for score, result, turn in zip(
            empty if batch.score is None else batch.score.tolist(),
            empty if batch.result is None else batch.result.tolist(),
            batch.turn.tolist(),
        )
    ]


def of_table(path, missing=None):
    """Returns ``cp``, ``mate`` and ``result`` of a table as read by pyarrow and python-chess."""
    read = []
    for row in pa.parquet.read_table(path).to_pylist():
        turn = row["fen"].split()[1] == "w"
        score = None
        if row["mate"] is not None:
            score = chess.engine.Mate(row["mate"])
        elif row["cp"] is not None:
            score = chess.engine.Cp(row["cp"])
        if score is not None:
            score = chess.engine.PovScore(score, chess.WHITE).pov(turn).score(mate_score=32_000)
        result = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}.get(row.get("Result"))
        result = result if result is None or turn else -result
        if missing == "skip" and (score is None or ("Result" in row and result is None)):
            continue
        read.append((score, result, turn))
    return read


def fishnet(boards, every=7):
    """The columns of ``Lichess/fishnet-evals``: exactly one of ``cp`` and ``mate``, for white."""
    mates = [i % 5 == 1 for i in range(ROWS)]
    nulls = [every is not None and i % every == 2 for i in range(ROWS)]
    return {
        "fen": [board.fen() for board in boards],
        "cp": pa.array([None if n or m else i - 3000 for i, (m, n) in enumerate(zip(mates, nulls))], pa.int16()),
        "mate": pa.array(
            [(i % 9 + 1) * (-1) ** i if m and not n else None for i, (m, n) in enumerate(zip(mates, nulls))], pa.int8()
        ),
        "move": ["e2e4"] * ROWS,
        "nodes": list(range(ROWS)),
    }


def test_the_schema_of_fishnet_evals(tmp_path, boards):
    path = tmp_path / "evals.parquet"
    pa.parquet.write_table(pa.table(fishnet(boards, every=None)), path, row_group_size=2500)
    with pytest.warns(UserWarning, match=r"evals.parquet: .*scores: `cp` and `mate`, for white"):
        loader = setwise.Loader(path, batch_size=999)
    assert rows(loader) == of_table(path)
    assert max(score for score, *_ in of_table(path)) == 31_999
    half = setwise.Loader(path, scores_of="mover")
    assert [score for score, *_ in rows(half)][1] == -31_998
    kept = rows(setwise.Loader(path, where="score > 31000 or score < -31000"))
    assert kept == [row for row in of_table(path) if abs(row[0]) > 31_000]
    assert rows(setwise.Loader(path, where="mate is not null")) == kept


def test_nulls_of_both_columns_are_missing(tmp_path, boards):
    path = tmp_path / "nulls.parquet"
    pa.parquet.write_table(pa.table(fishnet(boards)), path, row_group_size=2500)
    with pytest.raises(ValueError, match=r"nulls.parquet: row 2: column `cp` and `mate`: no score; set `on_missing` to \"skip\" to leave"):
        list(setwise.Loader(path))
    expected = of_table(path, "skip")
    skipping = setwise.Loader(path, on_missing="skip")
    assert rows(skipping) == expected
    assert skipping.missing == ROWS - len(expected) > 500
    assert rows(setwise.Loader(path, where="score is not null")) == expected
    nothing = setwise.Loader(path, where="score is null", on_missing=0)
    assert [row[0] for row in rows(nothing)] == [0] * (ROWS - len(expected))
    filled = [row if row[0] is not None else (-17, *row[1:]) for row in of_table(path)]
    assert rows(setwise.Loader(path, on_missing=-17)) == filled
    assert all(batch.score is None for batch in setwise.Loader(path, labels=[]))
    shards = [setwise.Loader(path, on_missing="skip", shuffle=500, shard=(i, 3)) for i in range(3)]
    assert sorted(row for shard in shards for row in rows(shard)) == sorted(rows(setwise.Loader(path, on_missing="skip")))


def test_the_schema_of_position_evaluations(tmp_path, boards):
    """A column ``line`` belongs to the table, and FENs have no counters."""
    table = fishnet(boards, every=None)
    table["fen"] = [" ".join(fen.split()[:4]) for fen in table["fen"]]
    table["line"] = ["e2e4 e7e5" if i % 3 else "d2d4" for i in range(ROWS)]
    table["depth"] = [i % 40 for i in range(ROWS)]
    path = tmp_path / "evaluations.parquet"
    pa.parquet.write_table(pa.table(table), path)
    expected = of_table(path)
    assert rows(setwise.Loader(path)) == expected
    assert rows(setwise.Loader(path, where="line = 'd2d4' and depth >= 20")) == [
        row for i, row in enumerate(expected) if i % 3 == 0 and i % 40 >= 20
    ]


MOVES = "1. e4 {[%eval 0.24] [%clk 0:03:00]} e5 2. Qh5 {[%eval -0.61]} Ke7 {[%eval #1]} 3. Qxe5#"
GAMES = [("1-0", MOVES), ("*", "1. d4 {[%eval 0.1]} d5 {[%eval #-12]}"), ("0-1", "1. f3 e5 {[%eval -0.9]} 2. g4 Qh4#")]


def of_games():
    """Returns the labels that python-chess finds in the games."""
    read = []
    for result, moves in GAMES:
        node = chess.pgn.read_game(io.StringIO(f'[Result "{result}"]\n\n{moves} {result}\n'))
        white = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(result)
        while node is not None:
            turn = node.turn()
            score = node.eval()
            score = None if score is None else score.pov(turn).score(mate_score=32_000)
            read.append((score, white if white is None or turn else -white, turn))
            node = node.next()
    return read


@pytest.mark.parametrize("form", ["games.pgn", "games.parquet", "games.csv"])
def test_games_and_the_schema_of_standard_chess_games(tmp_path, form):
    path = tmp_path / form
    if form == "games.pgn":
        path.write_text("".join(f'[Event "x"]\n[Result "{result}"]\n\n{moves} {result}\n\n' for result, moves in GAMES))
    else:
        columns = {"Event": ["x"] * 3, "Result": [result for result, _ in GAMES], "movetext": [moves for _, moves in GAMES]}
        write = pa.parquet.write_table if form.endswith("parquet") else pa.csv.write_csv
        write(pa.table(columns), path)
    expected = of_games()
    with pytest.raises(ValueError, match=r"1, position 1: no score|row 0, position 1: no score"):
        list(setwise.Loader(path))
    there = [row for row in expected if None not in row]
    assert 3 < len(there) < len(expected)
    assert rows(setwise.Loader(path, on_missing="skip")) == there
    assert rows(setwise.Loader(path, where="score is not null and result is not null")) == there
    scored = [(row[0], None, row[2]) for row in expected if row[0] is not None]
    assert rows(setwise.Loader(path, labels="score", on_missing="skip")) == scored
    assert rows(setwise.Loader(path, labels="score", where="eval > 0")) == [
        row for row in scored if (row[0] if row[2] else -row[0]) > 0 and abs(row[0]) < 31_000
    ]
    filled = [(score or 0, result or 0, turn) for score, result, turn in expected]
    assert rows(setwise.Loader(path, on_missing=0)) == filled


def marlin(score, result, black):
    """Packs a record of marlinformat: kings on e1 and e8, score and result for white."""
    head = struct.pack("<Q", 1 << 4 | 1 << 60) + bytes([0x5 | 0xD << 4]) + bytes(15)
    return head + struct.pack("<BBHhBB", 0x80 * black | 64, 0, 1, score, result, 0)


@pytest.mark.parametrize("score", [NONE, -NONE])
def test_32002_is_no_score(tmp_path, score):
    path = tmp_path / "a.marlin"
    records = [(17, 2, 0), (score, 2, 0), (-40, 0, 1), (score, 1, 1)]
    path.write_bytes(b"".join(marlin(*record) for record in records))
    with pytest.raises(ValueError, match=r"record 2: no score; set `on_missing` to \"skip\" to leave"):
        list(setwise.Loader(path))
    assert rows(setwise.Loader(path, on_missing="skip")) == [(17, 1, True), (40, 1, False)]
    assert rows(setwise.Loader(path, where="score is not null")) == [(17, 1, True), (40, 1, False)]
    assert [row[0] for row in rows(setwise.Loader(path, on_missing=3))] == [17, 3, 40, 3]
    assert [row[1] for row in rows(setwise.Loader(path, labels="result"))] == [1, 1, 1, 0]
    table = pa.table({"fen": ["4k3/8/8/8/8/8/8/4K3 w - - 0 1"] * 2, "score": [score, 5]})
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    assert [row[0] for row in rows(setwise.Loader(tmp_path / "a.parquet", on_missing="skip"))] == [5]


FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("numbers", [pa.int8(), pa.float64()])
@pytest.mark.parametrize("shuffle", [0, 5000])
def test_the_first_loss_may_come_late(shuffle, numbers):
    results = [1, 0] * 4000 + [-1] * 4000
    table = pa.table({"fen": [FEN] * len(results), "score": [5] * len(results), "result": pa.array(results, numbers)})
    loader = setwise.Loader(table, shuffle=shuffle, seed=1, threads=1)
    read = np.concatenate([batch.result for batch in loader]).tolist()
    assert sorted(read) == sorted(results)
    with pytest.raises(ValueError, match="is a loss -1 or 0"):
        setwise.Loader(table.slice(0, 8000), shuffle=shuffle)


@pytest.mark.parametrize("results", [[1, 0, 1, 0], ["1", "0.5", "0"], [1.0, 0.0], ["0", "1"], ["1", "-1", "0.5"]])
def test_doubtful_results_are_errors(tmp_path, results):
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"fen": [FEN] * len(results), "result": results}), path)
    with pytest.raises(ValueError, match=r"a.parquet: .*is a loss -1 or 0\? .`loss_is`."):
        list(setwise.Loader(path))
    if "-1" not in results:
        values = [float(result) for result in results]
        read = rows(setwise.Loader(path, loss_is=0))
        assert [row[1] for row in read] == [int(2 * value - 1) for value in values]
    if 0.5 not in [float(result) for result in results]:
        assert [row[1] for row in rows(setwise.Loader(path, loss_is=-1))] == [int(float(result)) for result in results]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([1, 0, -1], [1, 0, -1]),
        ([1.0, 0.5, 0.0], [1, 0, -1]),
        (["1-0", "1/2-1/2", "0-1"], [1, 0, -1]),
        (["white", "draw", "black"], [1, 0, -1]),
        (["1.0", "0.5", "0.0"], [1, 0, -1]),
    ],
)
def test_results_in_words_and_numbers(tmp_path, results, expected):
    path = tmp_path / "a.parquet"
    for turn, name in (("w", "result"), ("b", "result"), ("b", "wdl")):
        table = pa.table({"fen": [FEN.replace(" w ", f" {turn} ")] * 3, name: results})
        pa.parquet.write_table(table, path)
        is_word = isinstance(results[0], str) and "." not in results[0]
        if name == "wdl" and not is_word:
            with pytest.raises(ValueError, match=r"white's or the side to move's\? .`results_of`."):
                list(setwise.Loader(path))
        sides = {} if name == "result" or is_word else {"results_of": "white"}
        sign = -1 if turn == "b" and (is_word or sides) else 1
        assert [row[1] for row in rows(setwise.Loader(path, **sides))] == [sign * result for result in expected]


def test_missing_results(tmp_path):
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"fen": [FEN] * 5, "result": ["1-0", "*", None, "", "0-1"]}), path)
    with pytest.raises(ValueError, match=r"a.parquet: row 1: column `result`: no result"):
        list(setwise.Loader(path))
    assert [row[1] for row in rows(setwise.Loader(path, on_missing="skip"))] == [1, -1]
    assert [row[1] for row in rows(setwise.Loader(path, on_missing=0))] == [1, 0, 0, 0, -1]
    with pytest.raises(ValueError, match="no result"):
        list(setwise.Loader(path, on_missing=5))
    (tmp_path / "a.txt").write_text(f"{FEN} | 3 | 1.0\n{FEN} | | 0.5\n{FEN}\n{FEN} | 4 | *\n")
    with pytest.raises(ValueError, match=r"a.txt:2: no score"):
        list(setwise.Loader(tmp_path / "a.txt"))
    assert rows(setwise.Loader(tmp_path / "a.txt", on_missing="skip")) == [(3, 1, True)]


def test_scores_and_results_are_found_by_name_or_named(tmp_path):
    path = tmp_path / "a.parquet"

    def read(table, **options):
        pa.parquet.write_table(pa.table({"fen": [FEN.replace(" w ", " b ")] * 2, **table}), path)
        return [row[0] for row in rows(setwise.Loader(path, **options))]

    assert read({"score": [3, 4]}) == [3, 4]
    assert read({"CP": [3, 4]}) == [-3, -4]
    assert read({"eval": ["#-3", "+25"]}) == [31_997, -25]
    assert read({"mine": [3.0, 4.0]}, score_column="mine", scores_of="white") == [-3, -4]
    assert read({"mate": [1, -1]}) == [-31_999, 31_999]
    assert read({"score": [3, None], "mate": [None, 2]}, mate_column="mate") == [3, 31_998]
    for table, options, message in [
        ({"mine": [3, 4]}, {"score_column": "mine"}, r"white's or the side to move's\? .`scores_of`."),
        ({"score": [3, 4], "cp": [3, 4]}, {}, "`score` or `cp`: which one is the score. .`score_column`."),
        ({"cp": [3, 4], "mate": [None, 2]}, {}, "row 1, column `mate`: expected a score or a mate, found both: 4 and 2"),
        ({"cp": [3, 4]}, {"labels": "result"}, "it has no result .`labels`."),
        ({"cp": [3, 4]}, {"labels": "moves"}, "`labels` are any of `score`, `result` and `move`, found `moves`"),
        ({"cp": [3, 4]}, {"on_missing": "null"}, "`on_missing` is `raise`, `skip` or a number, found 'null'"),
        ({"cp": [3, 4]}, {"loss_is": 1}, "`loss_is` is -1 or 0, found 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            read(table, **options)


def test_columns_have_no_false_zeros(tmp_path):
    """Nulls are -1, and castling rights of the h-file (bit 7) are not negative."""
    path = tmp_path / "a.fen"
    path.write_text(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\n4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2\n8/8/8/8/8/8/8/K6K w - - 0 1\n"
    )
    (batch,) = setwise.Loader(path, columns=["castling_white", "en_passant", "status", "legal_count"])
    boards = [chess.Board(fen) for fen in path.read_text().splitlines()]
    rooks = [sum(1 << chess.square_file(s) for s in chess.SquareSet(b.castling_rights & chess.BB_RANK_1)) for b in boards]
    assert batch.columns["castling_white"].tolist() == rooks == [129, 0, 0]
    assert batch.columns["castling_white"].dtype == np.uint8
    assert batch.columns["en_passant"].tolist() == [-1, chess.D6, -1]
    assert batch.columns["legal_count"].tolist() == [boards[0].legal_moves.count(), boards[1].legal_moves.count(), -1]
    assert batch.columns["status"].tolist()[2] == -1
    assert all(not isinstance(column, np.ma.MaskedArray) for column in batch.columns.values())


def test_folders(tmp_path):
    for name in ("b.txt", "deep/c.txt", "a.txt", "_no.txt", ".no.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"{FEN} | {ord(Path(name).stem)} | 1.0\n" if len(Path(name).stem) == 1 else "none\n")
    assert [row[0] for row in rows(setwise.Loader(tmp_path))] == [ord("a"), ord("b"), ord("c")]
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="empty: the folder has no files"):
        setwise.Loader(tmp_path / "empty")


def test_damaged_tables_are_plain_errors(tmp_path):
    path = tmp_path / "a.arrow"
    path.write_bytes(b"ARROW1\0\0" + bytes(40))
    with pytest.raises(ValueError, match=r"a.arrow: "):
        setwise.Loader(path)
    nested = pa.table({"fen": [FEN], "score": [[1]]})
    pa.parquet.write_table(nested, tmp_path / "a.parquet")
    with pytest.raises((ValueError, TypeError), match="column `score` holds List"):
        setwise.Loader(tmp_path / "a.parquet")
    path = tmp_path / "b.parquet"
    scored = pa.table({"fen": [FEN] * 2, "score": [11111, 22222]})
    pa.parquet.write_table(scored, path, write_page_checksum=True, compression="none", use_dictionary=False)
    assert len(rows(setwise.Loader(path))) == 2
    number = (22222).to_bytes(8, "little")
    content = path.read_bytes().split(number)
    path.write_bytes((22223).to_bytes(8, "little").join(content))
    with pytest.raises(ValueError, match=r"b.parquet: it is damaged: the checksum of a page is wrong"):
        rows(setwise.Loader(path))
    with pytest.raises(ValueError, match=r"'e2e5' is not a legal move"):
        setwise.policy_index([FEN], np.array(["e2e5"]), "lc0")


def test_planes_are_those_of_numpy():
    maps = np.random.default_rng(3).integers(0, 1 << 63, (40_000, 3), np.uint64)
    for dtype in (np.uint8, np.float32, bool):
        squares = setwise.planes(maps, dtype)
        assert squares.dtype == dtype and squares.shape == (40_000, 3, 8, 8)
        for square in (0, 17, 63):
            assert (squares[:, :, square // 8, square % 8] == (maps >> np.uint64(square) & np.uint64(1))).all()


def test_a_heat_map_has_a_scale_for_each_map_and_a_row_for_each_group():
    fens = [FEN, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 30"]
    heat = setwise.heat(fens, ["white_all", "black_all", "white_pinned"], by_ply=20)
    svg = heat._repr_svg_()
    assert svg.count("n = 1") == 6
    titles = [line for line in svg.replace("<text", "\n<text").splitlines() if "from ply" in line]
    heights = [line.split('y="')[1].split('"')[0] for line in titles]
    assert len(set(heights[:3])) == 1 and len(set(heights)) == 2
    assert "1 position" in str(setwise.heat(fens[:1])) and "1 positions" not in str(setwise.heat(fens[:1]))
