"""Compares batches that ``Loader`` reads from tables with the rows that were written."""

import gzip
import json
import pickle
import threading
from pathlib import Path

import chess
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import setwise

ROWS = 10_000
FORMATS = ["parquet", "arrow", "feather", "csv", "csv.gz", "jsonl", "jsonl.gz"]


@pytest.fixture(scope="module")
def rows():
    """Board, and score and result for the side to move. All scores differ."""
    fens = (Path(__file__).parents[3] / "data" / "sample.epd").read_text().splitlines()
    boards = [chess.Board(fen, chess960=True) for fen in fens]
    boards = [board for board in boards if len(board.pieces(6, True)) == len(board.pieces(6, False)) == 1][:300]
    return [(boards[i * 7919 % len(boards)], i - ROWS // 2, i * 31 % 3 - 1) for i in range(ROWS)]


def write(path, table):
    """Writes a table in the format of the name."""
    name = path.name
    if name.endswith("parquet"):
        pa.parquet.write_table(table, path, row_group_size=3000)
    elif name.endswith("arrow"):
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=5000)
    elif name.endswith("feather"):
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    else:
        out = gzip.open(path, "wb") if name.endswith("gz") else open(path, "wb")
        with out:
            if ".csv" in name:
                pa.csv.write_csv(table, out)
            else:
                out.writelines(json.dumps(row).encode() + b"\n" for row in table.to_pylist())


def of_loader(loader):
    """Lists score, result, side to move and number of pieces of each row."""
    return [
        row
        for batch in loader
        for row in zip(batch.score.tolist(), batch.result.tolist(), batch.turn.tolist(), batch.piece_count.tolist())
    ]


def of_board(board, score, result):
    return score, result, 0 if board.turn else 1, chess.popcount(board.occupied)


@pytest.mark.parametrize("ending", FORMATS)
def test_rows_are_those_of_the_table(tmp_path, rows, ending):
    table = {"other": list(range(ROWS)), "FEN": [board.fen() for board, _, _ in rows], "score": [s for _, s, _ in rows],
             "result": [r for _, _, r in rows]}  # fmt: skip
    path = tmp_path / f"all.{ending}"
    write(path, pa.table(table))
    expected = [of_board(*row) for row in rows]
    assert of_loader(setwise.Loader(path, batch_size=700)) == expected
    shuffled = setwise.Loader(path, batch_size=700, shuffle=2000, threads=2)
    state, batches = None, []
    for at, batch in enumerate(shuffled):
        batches.append(batch.score.tolist())
        if at == 5:
            state = shuffled.state_dict()
    flat = [score for batch in batches for score in batch]
    assert sorted(flat) == sorted(s for _, s, _ in rows) != flat
    again = setwise.Loader(path, batch_size=700, shuffle=2000)
    again.load_state_dict(state)
    assert [batch.score.tolist() for batch in again] == batches[6:]
    shards = [setwise.Loader(path, shard=(i, 3), where="score > 0 and piece_count < 30", one_in=2) for i in range(3)]
    whole = setwise.Loader(path, where="score > 0 and piece_count < 30", one_in=2)
    kept = of_loader(whole)
    assert sorted(row for shard in shards for row in of_loader(shard)) == sorted(kept)
    assert set(kept) <= {row for row in expected if row[0] > 0 and row[3] < 30} and len(kept) > 500


@pytest.mark.parametrize(
    ("results", "of"),
    [
        (["0-1", "1/2-1/2", "1-0"], "white always"),
        (pa.array(["0-1", "1/2-1/2", "1-0"]).dictionary_encode(), "white always"),
        ([-1, 0, 1], "white"),
        ([0.0, 0.5, 1.0], "white"),
        (["-1", "0", "1"], "mover"),
        (["0.0", " 0.5", "1.0 "], "mover"),
    ],
)
def test_whose_scores_and_results_are(tmp_path, rows, results, of):
    """Values for white are negated for black."""
    rows = rows[:999]
    indices = pa.array([result + 1 for _, _, result in rows])
    column = results.take(indices) if isinstance(results, pa.Array) else pa.array(results).take(indices)
    fens, scores = [board.fen() for board, _, _ in rows], pa.array([float(score) for _, score, _ in rows])
    path = tmp_path / "all.parquet"
    write(path, pa.table({"position": fens, "cp": scores, "outcome": column}))
    options = {"fen_column": "position", "score_column": "cp", "result_column": "outcome", "scores_of": "white"}
    if of != "white always":
        options["results_of"] = of
    expected = []
    for board, score, result in rows:
        sign = 1 if board.turn else -1
        expected.append(of_board(board, sign * score, result if of == "mover" else sign * result))
    assert of_loader(setwise.Loader(path, **options)) == expected
    options["scores_of"] = "mover"
    assert [row[0] for row in of_loader(setwise.Loader(path, **options))] == [score for _, score, _ in rows]


def test_what_a_table_does_not_say(tmp_path, rows):
    fens = [board.fen() for board, _, _ in rows[:5000]]
    only = tmp_path / "only.parquet"
    write(only, pa.table({"fen": fens}))
    batches = list(setwise.Loader(only, "halfka-hm"))
    assert sum(len(batch) for batch in batches) == 5000
    assert all(batch.score is None and batch.result is None for batch in batches)
    scored = tmp_path / "scored.parquet"
    write(scored, pa.table({"fen": fens[:2] + [None, None] + fens[2:4], "score": [5, None, 6, 6, 7, 8]}))
    (batch,) = setwise.Loader(scored, on_missing=0)
    assert batch.score.tolist() == [5, 0, 7, 8] and batch.result is None
    ended = tmp_path / "ended.parquet"
    write(ended, pa.table({"fen": fens[:4], "result": [1, None, None, -1]}))
    (batch,) = setwise.Loader(ended, on_missing=0)
    assert batch.result.tolist() == [1, 0, 0, -1] and batch.score is None
    records = tmp_path / "one.txt"
    records.write_text(f"{fens[0]} | 3 | 1.0\n")
    (batch,) = setwise.Loader([scored, records], on_missing=0)
    assert len(batch) == 5 and batch.score is not None and batch.result is None


def test_errors_of_tables_say_where(tmp_path, rows):
    fens = [board.fen() for board, _, _ in rows[:6000]]
    path = tmp_path / "bad.parquet"
    write(path, pa.table({"fen": [*fens[:5000], "8/8 w", *fens[5000:]], "score": list(range(6001))}))
    with pytest.raises(setwise.FenError, match=r"bad.parquet: row 5000, character \d+: expected 8 ranks"):
        list(setwise.Loader(path))
    loader = setwise.Loader(path, errors="skip")
    assert [score for batch in loader for score in batch.score.tolist()] == [*range(5000), *range(5001, 6001)]
    assert loader.invalid == 1
    for table, options, message in [
        ({"position": fens}, {}, "no column is called `fen`: say which one holds the positions; the only column is `position`"),
        ({"FEN": fens, "Fen": fens}, {}, "several columns may hold the positions"),
        ({"fen": fens}, {"score_column": "cp"}, "no column is called `cp`; the only column is `fen` .`score_column`"),
        ({"fen": fens, "score": [0.5] * 6000}, {}, "row 0, column `score`: expected an integer as the score, found `0.5`"),
        ({"fen": fens, "result": ["won"] * 6000}, {}, "column `result`: expected 1, 0 or -1, .* found `won`"),
        ({"fen": fens, "result": [2] * 6000}, {}, "column `result`: .* found `2`"),
        ({"fen": fens, "result": ["White"] * 6000}, {}, "0-1, or white, draw or black as the result, found `White`"),
        ({"fen": fens, "result": [1.0, 0.25, 0.0] * 2000}, {}, "without -1 or 0.5 .`0.25` is no result.: is a loss -1 or 0"),
        ({"fen": fens, "result": [1, 0, 2, 3] * 1500}, {}, "without -1 or 0.5 .`2` is no result.: is a loss -1 or 0"),
        ({"fen": fens}, {"where": "score > 0"}, "column `score` is not in this input"),
        ({"fen": fens, "score": [0] * 6000}, {"where": "result = 0"}, "column `result` is not in this input"),
        ({"fen": fens}, {"scores_of": "black"}, "`scores_of` is `mover` or `white`"),
    ]:
        write(path, pa.table(table))
        with pytest.raises(ValueError, match=message):
            list(setwise.Loader(path, **options))
    (tmp_path / "no.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(ValueError, match="no.parquet"):
        setwise.Loader(tmp_path / "no.parquet")


def test_other_threads_look_at_a_loader_that_reads_a_table(tmp_path, rows):
    """Access from other threads while a loader reads must not deadlock."""
    path = tmp_path / "all.parquet"
    write(path, pa.table({"fen": [board.fen() for board, _, _ in rows], "score": [s for _, s, _ in rows]}))
    loader = setwise.Loader(path, batch_size=100, epochs=3)
    over = threading.Event()

    def look():
        while not over.is_set():
            assert loader.epoch >= 0 and loader.invalid == 0 and loader.state_dict()["place"]

    looking = threading.Thread(target=look)
    looking.start()
    try:
        assert sum(len(batch) for batch in loader) == 3 * ROWS
    finally:
        over.set()
        looking.join()
    assert np.array(loader.state_dict()["place"][0]) == 3


def in_memory(rows):
    return pa.table({"FEN": [board.fen() for board, _, _ in rows], "score": [s for _, s, _ in rows],
                     "result": [r for _, _, r in rows]})  # fmt: skip


@pytest.mark.parametrize("kind", ["table", "polars", "pandas", "batches", "stream", "both"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tables_in_memory(rows, kind):
    """Objects with Arrow's interface yield all rows, in order and shuffled, after resuming and in another process."""
    table = in_memory(rows)
    expected = [of_board(*row) for row in rows]

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    def source():
        match kind:
            case "table":
                return table
            case "polars":
                return pytest.importorskip("polars").from_arrow(table)
            case "pandas":
                return table.to_pandas()
            case "batches":
                return iter(table.to_batches(max_chunksize=700))
            case "stream":
                return Stream()
            case _:
                return [table.slice(0, 4000), table.slice(4000)]

    assert of_loader(setwise.Loader(source(), batch_size=700)) == expected
    loader = setwise.Loader(source(), batch_size=700, shuffle=2000, threads=2, epochs=2)
    batches = iter(loader)
    first = [next(batches).score.tolist() for _ in range(4)]
    again = pickle.loads(pickle.dumps(loader))
    state = loader.state_dict()
    rest = [batch.score.tolist() for batch in batches]
    assert sorted(score for batch in first + rest for score in batch) == sorted(2 * [s for _, s, _ in rows])
    assert [batch.score.tolist() for batch in again] == rest
    other = setwise.Loader(source(), batch_size=700, shuffle=2000, epochs=2)
    other.load_state_dict(state)
    assert [batch.score.tolist() for batch in other] == rest


def test_kept_units_of_a_table_in_memory(tmp_path):
    """No other table reads them, but its copies do."""
    for number in range(20):
        data = {"fen": ["4k3/8/8/8/8/8/8/4K3 w - -"], "line": ["e1e2"], "depth": [1], "knodes": [1], "mate": [None]}
        loader = setwise.Loader(pa.table({**data, "cp": [number]}), labels="score", shuffle=100, spill=tmp_path)
        copy = pickle.dumps(loader)
        for of in (loader, pickle.loads(copy)):
            assert [batch.score.tolist() for batch in of] == [[number]]
        del loader, of
    assert len(list(tmp_path.iterdir())) == 20


def test_games_of_a_table_in_memory():
    table = pa.table({"movetext": ["1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 1-0"] * 300, "Result": ["1-0"] * 300})
    [batch] = setwise.Loader(table, labels=["result", "move"])
    assert len(batch) == 900 and batch.result.tolist()[:3] == [1, -1, 1] and batch.move[0] == 12 << 6 | 28


def test_wrong_tables_in_memory(tmp_path):
    with pytest.raises(ValueError, match="no column is called `fen`"):
        setwise.Loader(pa.table({"other": [1]}))
    with pytest.raises(ValueError, match="table 1: row 1"):
        list(setwise.Loader(pa.table({"fen": ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "wrong"]}), labels=[]))
    assert list(setwise.Loader(pa.table({"fen": pa.array([], pa.string())}), labels=[])) == []
