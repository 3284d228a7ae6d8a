"""The sources that a ``Loader`` takes, and the errors for others."""

import os
import warnings

import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

import setwise

FEN = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 {}"


def test_data_sets_of_hugging_face_are_read():
    datasets = pytest.importorskip("datasets")
    fens = [FEN.format(1), FEN.format(2), FEN.format(3)]
    data = datasets.Dataset.from_dict({"fen": fens, "score": [1, 2, 3], "result": [1, 0, -1]})
    options = {"scores_of": "mover", "results_of": "mover", "preset": "none"}
    assert [batch.score.tolist() for batch in setwise.Loader(data, **options)] == [[1, 2, 3]]
    chosen = data.filter(lambda row: row["score"] != 2)
    assert [batch.score.tolist() for batch in setwise.Loader([chosen], **options)] == [[1, 3]]
    with pytest.raises(TypeError, match="found IterableDataset, a stream: pass its files"):
        setwise.Loader(data.to_iterable_dataset())
    with pytest.raises(TypeError, match="found DatasetDict of `train`: pass one of them"):
        setwise.Loader(datasets.DatasetDict(train=data))


def test_other_sources_are_named():
    with pytest.raises(TypeError, match="found dict: for rows, use `pyarrow.Table.from_pylist`"):
        setwise.Loader([{"fen": FEN.format(1)}])
    rows = pa.table({"fen": [FEN.format(1)]})
    with pytest.raises(TypeError, match="found LazyFrame: call `collect` first, or pass its files"):
        setwise.Loader(pl.from_arrow(rows).lazy())
    with pytest.raises(TypeError, match="found InMemoryDataset: call `to_table` first, or pass its files"):
        setwise.Loader(pyarrow.dataset.dataset(rows))
    with pytest.raises(TypeError, match="found dict of `fen`: pass one of them"):
        setwise.Loader({"fen": [FEN.format(1)]})
    for other in (b"games.pgn", 7):
        with pytest.raises(TypeError, match=f"expected files, or tables .* found {type(other).__name__}"):
            setwise.Loader(other)
    with pytest.raises(TypeError, match="`sampling` is a `Sampling` or the name of one, found int"):
        setwise.Loader("games.pgn", sampling=5)
    with pytest.raises(ValueError, match="no files: the list of paths is empty"):
        setwise.Loader([])
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing), pytest.raises(ValueError, match="not a file.* write what comes from a pipe"):
        setwise.Loader(f"/dev/fd/{reading}", input_format="text")


def test_dir_lists_the_public_names():
    assert dir(setwise) == sorted(setwise.__all__)


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n"])
def test_every_line_break_ends_lines(tmp_path, line_break):
    """Text, tables and games, also from units that begin anywhere in the file."""
    fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"
    count = 20_000
    lines = [f"{fen} | {n} | 1.0" for n in range(count)]
    (tmp_path / "a.txt").write_bytes(line_break.join(["# a comment", *lines, ""]).encode())
    (tmp_path / "a.csv").write_bytes(line_break.join(["fen,score", *(f"{fen},{n}" for n in range(count)), ""]).encode())
    record = f"fen {fen}\nmove a1a8\nscore {{}}\nply 0\nresult 1\ne\n"
    plain = "".join(record.format(n) for n in range(count)).replace("\n", line_break)
    (tmp_path / "a.plain").write_bytes(plain.encode())
    for name in ("a.txt", "a.csv", "a.plain"):
        for options in ({}, {"shuffle": 1000}):
            loader = setwise.Loader(tmp_path / name, labels="score", scores_of="mover" if name == "a.csv" else None, **options)
            scores = [score for batch in loader for score in batch.score.tolist()]
            assert sorted(scores) == list(range(count)), name
            assert options or scores == list(range(count)), name


def test_invalid_records_of_plain_are_skipped(tmp_path):
    record = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove {}\nscore {}\nply 0\nresult 1\ne\n"
    path = tmp_path / "a.plain"
    path.write_text(record.format("e2e5", 1) + record.format("e2e4", 2) + "x\ne\n" + record.format("d2d4", 3))
    said = "record 1, byte 61: line 2: expected a legal move in UCI notation, found `move e2e5`"
    for columns in (["game_hash"], ["turn"]):
        with pytest.raises(ValueError, match=said):
            list(setwise.Loader(path, columns=columns))
        loader = setwise.Loader(path, columns=columns, labels="score", errors="skip")
        assert [score for batch in loader for score in batch.score.tolist()] == [2, 3] and loader.invalid == 2
    with pytest.raises(ValueError, match=said):
        list(setwise.read(path))
    for size in (1, 100):
        tables = list(setwise.read(path, errors="skip", batch_size=size))
        assert [score for table in tables for score in table["score"].tolist()] == [2, 3]
        tables = list(setwise.read(path, "legal_count", errors="null", batch_size=size))
        assert [row for table in tables for row in pa.table(table)["legal_count"].to_pylist()] == [None, 20, None, 20]


def test_missing_scores_say_what_to_do(tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 { [%eval 0.3] } e5 *\n")
    with pytest.raises(ValueError, match='no score .*; set `on_missing` to "skip" to leave such rows out, or to a number'):
        list(setwise.Loader(path, labels="score"))
    assert sum(map(len, setwise.Loader(path, labels="score", on_missing="skip"))) == 1


@pytest.mark.parametrize("options", [{}, {"scores_of": "white", "results_of": "white", "preset": "none"}])
def test_evaluations_of_engines_are_said(tmp_path, options):
    """Also if the points of view of tables are named, from the last of many files, and from tables of games."""
    expected = "last[.].*: evaluations from engines' comments such as"
    folder = tmp_path / "games"
    folder.mkdir()
    for n in range(300):
        (folder / f"{n:03}.pgn").write_text("1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } *\n")
    skip = {"on_missing": "skip"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        setwise.Loader(folder, **skip)
    (folder / "last.pgn").write_text("1. e4 {+0.31/12 1.2s} e5 {-0.20/11 1.0s} *\n")
    with pytest.warns(UserWarning, match=expected) as said:
        setwise.Loader(folder, **skip)
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        setwise.Loader(folder, labels=["result"], **skip)
    path = tmp_path / "last.parquet"
    moves = ["1. e4 {+0.31/12 1.2s} e5 {-0.20/11 1.0s} *"]
    pa.parquet.write_table(pa.table({"movetext": moves}), path)
    with pytest.warns(UserWarning, match=expected) as said:
        setwise.Loader(path, **skip, **options)
    # What the options do not name about tables is said, too.
    assert len(said) == (1 if "preset" in options else 2)
