"""Compares ``maps`` and ``maps_table`` with python-chess, for every kind of input."""

import copy
import multiprocessing
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor

import chess
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import setwise
import setwise.polars

MAPS = setwise.schema().names
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def same(table, expected, rows=slice(None)):
    for name in table.column_names:
        assert table[name].tolist() == expected[name][rows], name


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_maps_are_those_of_python_chess(fens, expected, threads):
    table = setwise.maps(fens, threads=threads)
    assert table.column_names == MAPS and len(MAPS) == 16
    assert len(table) == table.num_rows == len(fens)
    same(table, expected)


def test_other_columns_have_their_types(fens, expected):
    names = ["checkers", *setwise.BOARDS, "turn", "halfmove_clock", "white_mobility_knight"]
    table = setwise.maps(fens, names)
    dtypes = {name: str(table[name].dtype) for name in names}
    assert dtypes["turn"] == "uint8" and dtypes["halfmove_clock"] == "uint32"
    assert dtypes["checkers"] == "uint64" and dtypes["white_mobility_knight"] == "uint16"
    same(setwise.maps(fens, names[:-1]), expected)


def test_signed_columns_have_the_same_bits(fens):
    names = [*MAPS, "white_mobility_knight", "turn", "halfmove_clock"]
    plain, signed = setwise.maps(fens, names), setwise.maps(fens, names, signed=True)
    for name in names:
        assert signed[name].dtype.kind == "i" and signed[name].itemsize == plain[name].itemsize
        assert (signed[name].view(plain[name].dtype) == plain[name]).all()
    assert signed.schema == setwise.schema(names, signed=True) != setwise.schema(names)


def kinds(fens):
    """Returns the same text in the types of all packages."""
    array = pa.array(fens)
    yield "list", fens
    yield "tuple", tuple(fens)
    yield "generator", (fen for fen in fens)
    yield "numpy", np.array(fens)
    yield "numpy objects", np.array(fens, object)
    yield "numpy StringDType", np.array(fens, np.dtypes.StringDType())
    yield "utf8", array
    yield "large_utf8", array.cast(pa.large_string())
    yield "utf8_view", array.cast(pa.string_view())
    yield "dictionary", array.dictionary_encode()
    yield "chunked", pa.chunked_array([array[:1], array[1:1], array[1:4000], array[4000:]])
    yield "polars", pl.Series(fens)
    yield "polars categories", pl.Series(fens, dtype=pl.Categorical)
    yield "polars in chunks", pl.concat([pl.Series(fens[:77]), pl.Series(fens[77:])], rechunk=False)
    yield "pandas", pd.Series(fens)
    yield "pandas objects", pd.Series(fens, dtype=object)


def test_every_kind_of_text_gives_the_same(fens, expected):
    for kind, text in kinds(fens):
        print(kind)
        same(setwise.maps(text, ["white_all", "black_twice"]), expected)


def test_slices_begin_where_they_begin(fens, expected):
    rows = slice(13, 913)
    for kind, text in kinds(fens):
        if hasattr(text, "__getitem__") and "chunk" not in kind:
            same(setwise.maps(text[rows], ["white_all", "turn"]), expected, rows)
    same(setwise.maps(pa.chunked_array([pa.array(fens)])[rows], ["white_all"]), expected, rows)


@pytest.mark.parametrize("nothing", [[], pa.array([], pa.string()), pa.chunked_array([], pa.string()),
                                     np.array([], "U9"), pl.Series([], dtype=pl.String)])
def test_nothing_gives_columns_without_rows(nothing):
    table = setwise.maps(nothing, ["white_all", "threats"])
    assert len(table) == 0 and table["white_all"].dtype == np.uint64 and len(table["white_all"]) == 0
    assert table.to_pyarrow().schema.names == ["white_all", "threats"]
    assert setwise.pieces(nothing).shape == (0, 8)
    offsets, pairs = setwise.threats(nothing)
    assert offsets.tolist() == [0] and len(pairs) == 0


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_nulls_give_nulls(missing, fens, expected):
    text = [missing, *fens, missing]
    table = setwise.maps(text, ["white_all", "threats"], threads=2)
    column = table["white_all"]
    assert isinstance(column, np.ma.MaskedArray)
    assert column.mask.nonzero()[0].tolist() == [0, len(fens) + 1]
    assert column[1:-1].tolist() == expected["white_all"]
    assert table.to_pyarrow()["threats"].null_count == 2
    boards = setwise.pieces(text)
    assert not boards[0].any() and boards[1:-1, 6].tolist() == expected["white"]


@pytest.mark.parametrize("rows", [1, 3])
def test_a_column_of_nulls_alone(rows):
    """Arrow gives it no type of text."""
    for nulls in (pl.Series([None] * rows), pa.nulls(rows), pa.chunked_array([pa.nulls(rows)]),
                  pd.Series([None] * rows, dtype=object)):  # fmt: skip
        table = setwise.maps(nulls, ["white_all", "fen"]).to_pyarrow()
        assert table.column_names == ["white_all", "fen"] and [c.null_count for c in table.columns] == [rows] * 2
    frame = pd.DataFrame({"fen": nulls, "elo": pd.Series([2851] * rows, dtype="int64")})
    frames = (frame, pl.DataFrame({"fen": [None] * rows, "elo": [2851] * rows}))
    for of_table in (*frames, pa.table({"fen": pa.nulls(rows), "elo": [2851] * rows})):
        table = setwise.maps_table(of_table, "white_all")
        assert table["elo"].tolist() == [2851] * rows and table["white_all"].tolist() == [None] * rows


def test_frames_of_polars_with_a_column_of_nulls(fens, expected):
    """Polars exports this type with a buffer, which Arrow does not allow."""
    boards = setwise.maps(fens, setwise.BOARDS).to_polars()
    assert (setwise.attacks(boards.with_columns(note=pl.lit(None))) == setwise.attacks(boards)).all()
    games = pl.DataFrame({"fen": fens, "mate": [None] * len(fens), "lists": [[None]] * len(fens)})
    for frame in (games, pl.concat([games[:7], games[7:]], rechunk=False), games[:0]):
        table = setwise.maps_table(frame, "white_all")
        assert table["white_all"].tolist() == expected["white_all"][: len(frame)]
        assert table.to_polars().drop("white_all").equals(frame)
    games = games.with_columns(score=pl.int_range(pl.len()), result=pl.lit("1-0"))
    [batch] = setwise.Loader(games, scores_of="mover", batch_size=10_000)
    assert batch.score.tolist() == list(range(len(fens)))


def test_nulls_in_arrow_at_any_bit(fens):
    text = pa.array([fen if i % 3 else None for i, fen in enumerate(fens)])
    for start in (0, 1, 7, 8, 9, 64):
        nulls = setwise.maps(text[start:], "white_all")["white_all"].mask
        assert (nulls == (np.arange(start, len(fens)) % 3 == 0)).all()


def test_bad_rows_raise_or_become_null(fens):
    rows = [*fens, *["4k3/8"] * 3, START]
    with pytest.raises(setwise.FenError) as caught:
        setwise.maps(rows, threads=2)
    error = caught.value
    assert (error.row, error.text, error.column) == (len(fens), "4k3/8", 6)
    assert str(error) == f'row {len(fens)}, character 6: expected 8 ranks, found 2: "4k3/8"'
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.row == error.row

    rows[len(fens) + 1] = "\ud800"  # not valid as UTF-8
    column = setwise.maps(rows, "white_all", errors="null")["white_all"]
    assert column.mask.nonzero()[0].tolist() == [len(fens), len(fens) + 1, len(fens) + 2]
    assert int(column[-1]) == 0xFFFF7E
    with pytest.raises(setwise.FenError, match="row 1, character 1: .*found '\ufffd'"):
        setwise.maps([START, "\ud800"])


def test_the_first_bad_row_is_named_whatever_the_threads(fens):
    rows = (fens * 40)[:40_000]
    for row in (39_999, 20_000, 7):
        rows[row] = "?"
        for _ in range(5):
            with pytest.raises(setwise.FenError) as caught:
                setwise.maps(pa.chunked_array([rows[:30_000], rows[30_000:]]), threads=8)
            assert caught.value.row == row


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: setwise.maps([START], ["whit_all"]), ValueError, "white_all"),
        (lambda: setwise.maps([START], ["score"]), ValueError, "`score` is not in this input"),
        (lambda: setwise.maps([START], ["white", "white"]), ValueError, "twice"),
        (lambda: setwise.schema(["score"]), ValueError, "score"),
        (lambda: setwise.maps(START), TypeError, "put it into a list"),
        (lambda: setwise.maps(7), TypeError, "found int"),
        (lambda: setwise.maps([START, 7]), TypeError, "row 1: expected str or None, found int"),
        (lambda: setwise.maps(pa.array([7])), TypeError, "Int64"),
        (lambda: setwise.maps([START], errors="ignore"), ValueError, "`raise`, `skip` or `null`"),
        (lambda: setwise.maps([START], threads=0), ValueError, "`threads` must be 1 to 1024, found 0"),
        (lambda: setwise.maps_table({"fen": [START]}), TypeError, "found dict"),
        (lambda: setwise.maps_table(pa.array([START])), TypeError, "found StringArray, a column of Utf8"),
        (lambda: setwise.maps_table(pl.Series([START])), TypeError, "found Series, a column of Utf8View"),
        (lambda: setwise.maps_table(pl.Series([{"fen": START}, None])), ValueError, "put the nulls into the columns"),
        (lambda: setwise.maps_table(pa.table({"f": [START]})), ValueError, "the only column is `f` .`fen_column`."),
        (lambda: setwise.maps([START], 7), TypeError, "`columns` is a str or a list of them, found int"),
        (lambda: setwise.maps([START], "white_features", feature_set=7), TypeError, "a name or a `FeatureSet`, found int"),
        (lambda: setwise.maps(np.zeros((1, 8), np.uint64), state=7), ValueError, "four arrays .*, or six .*, found int"),
        (lambda: setwise.maps_table(pa.table({"fen": [7]})), TypeError, "column `fen` holds Int64"),
        (lambda: setwise.maps_table(pa.RecordBatchReader.from_batches(
            pa.schema({"fen": pa.string()}), iter([pa.record_batch({"fen": [None]})]))), ValueError, "types of its schema"),
        (lambda: setwise.maps([START])["white"], KeyError, "white_all"),
        (lambda: setwise.maps([START], "threats")["threats"], TypeError, "pyarrow"),
        (lambda: setwise.features([START], "stockfish"), ValueError, "stockfish-threats-2026-08"),
        (lambda: setwise.attacks(np.zeros((3, 7), np.uint64)), ValueError, r"\[n, 8\]"),
        (lambda: setwise.attacks(np.zeros((3, 8))), TypeError, "float64"),
        (lambda: setwise.attacks([np.zeros(3, np.uint64)] * 7), ValueError, "found 7"),
        (lambda: setwise.attacks([np.zeros(i, np.uint64) for i in range(8)]), ValueError, "lengths"),
        (lambda: setwise.attacks(np.zeros((3, 8), np.uint64), out=np.zeros((3, 8), np.uint64)),
         ValueError, r"\[3, 16\]"),
        (lambda: setwise.features(["8/8/8/8/8/8/8/K7 w - - 0 1"]), ValueError, "king"),
        (lambda: setwise.features([START], padded=3), ValueError, "3"),
        (lambda: setwise.features([START], padded=0), ValueError, "at least 1"),
        (lambda: setwise.features([START], padded=1 << 40), ValueError, r"`padded` .* below 2 \*\* 16"),
    ],
)
def test_what_is_wrong_is_said(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_tables_keep_their_columns(fens, expected):
    table = pa.table({"n": range(len(fens)), "FEN": fens}, metadata={"source": "here"})
    chunked = pa.concat_tables([table[:5], table[5:1500], table[1500:]])
    for games in (table, chunked, table.to_batches()[0], pl.DataFrame(table), table.to_pandas()):
        result = setwise.maps_table(games, columns=["white_all", "turn"])
        assert result.column_names == ["n", "FEN", "white_all", "turn"]
        arrow = result.to_pyarrow()
        assert arrow["FEN"].to_pylist() == fens
        assert result["n"].tolist() == list(range(len(fens)))
        assert result["white_all"].tolist() == expected["white_all"]
    assert setwise.maps_table(chunked, fen_column="FEN").to_pyarrow().schema.metadata[b"source"] == b"here"
    with pytest.raises(setwise.FenError, match="column `FEN`, row 2, character 1"):
        setwise.maps_table(pa.table({"FEN": [START, START, "?"]}), fen_column="FEN")
    with pytest.raises(ValueError, match="`white_all` would stand in the output twice"):
        setwise.maps_table(pa.table({"fen": [START], "white_all": [1]}))


def test_tables_without_rows():
    result = setwise.maps_table(pa.table({"fen": pa.array([], pa.string())}))
    assert len(result) == 0 and result.num_columns == 17 and result["white_all"].size == 0


def test_everybody_takes_tables(fens, expected):
    table = maps = setwise.maps(fens, ["white_all", "turn"])
    assert pa.table(table)["white_all"].to_pylist() == expected["white_all"]
    assert pl.DataFrame(table)["white_all"].to_list() == expected["white_all"]
    assert table.to_polars().shape == table.to_pandas().shape == (len(fens), 2)
    assert pa.schema(table.schema) == pa.table(table).schema == table.schema.to_pyarrow()
    assert duckdb.sql("select sum(turn) from maps").fetchall() == [(sum(expected["turn"]),)]
    field = pa.schema(table.schema).field("white_all")
    assert field.metadata[b"description"] == setwise.columns()["white_all"].encode()


def test_numpy_sees_the_column_where_it_lies(fens):
    table = setwise.maps(fens)
    column = table["white_all"]
    assert not column.flags.writeable
    assert column.ctypes.data == table["white_all"].ctypes.data
    buffers = pa.table(table)["white_all"].chunk(0).buffers()
    assert column.ctypes.data == buffers[1].address
    copy = column.copy()
    del table
    assert (column == copy).all()


def test_polars_has_a_namespace(fens, expected):
    games = pl.DataFrame({"fen": [*fens, None]})
    maps = pl.col("fen").setwise.maps(["white_all", "checkers"])
    for frame in (games.with_columns(maps.struct.unnest()),
                  games.lazy().with_columns(maps.struct.unnest()).collect(engine="streaming")):
        assert frame.columns == ["fen", "white_all", "checkers"]
        assert frame["white_all"].to_list() == [*expected["white_all"], None]
    assert games["fen"].setwise.maps("turn").struct.field("turn").to_list()[:-1] == expected["turn"]
    with pytest.raises(ValueError, match="did you mean"):
        pl.col("fen").setwise.maps("whit_all")
    # Polars would repeat the value of a single row that is left.
    for options in ({"errors": "skip"}, {"where": ["white_rook != 0"]}):
        with pytest.raises(ValueError, match='drops rows.*use `errors="null"` and filter'):
            pl.col("fen").setwise.maps("white_rook", **options)
    assert len(games["fen"].setwise.maps("turn", where="turn = 0")) == expected["turn"].count(0)


def test_threads_may_call_at_once(fens, expected):
    failed = []

    def call():
        try:
            for threads in (1, 3):
                same(setwise.maps(fens, threads=threads), expected)
        except BaseException as error:  # for the test's thread
            failed.append(error)

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not failed


def test_bad_rows_can_be_left_out(fens, expected):
    rows = ["?", *fens[:5000], "4k3/8", None, *fens[:4000], "?"]
    good = [row for row in rows if row not in ("?", "4k3/8")]
    table = setwise.maps(rows, ["line", "fen", "white_all", "threats"], errors="skip", threads=3)
    arrow = table.to_pyarrow()
    assert arrow["fen"].to_pylist() == good
    assert [rows[line - 1] for line in table["line"].tolist()] == good
    assert arrow["white_all"].to_pylist() == [*expected["white_all"][:5000], None, *expected["white_all"][:4000]]
    n = len(fens[:5000])
    assert arrow["threats"].to_pylist()[n + 1 :] == setwise.maps(fens[:4000], "threats").to_pyarrow()["threats"].to_pylist()

    games = pa.table({"fen": rows, "n": range(len(rows))})
    for chunk in (games, pa.concat_tables([games[:3], games[3:3], games[3:]])):
        skipped = setwise.maps_table(chunk, "white_all", errors="skip").to_pyarrow()
        assert skipped["fen"].to_pylist() == good
        assert [rows[n] for n in skipped["n"].to_pylist()] == good
        assert skipped["white_all"].to_pylist() == arrow["white_all"].to_pylist()
    with pytest.raises(ValueError, match="`raise` or `null` here"):
        setwise.pieces(rows, errors="skip")


def test_pandas_keeps_its_index(fens, expected):
    rows = [*fens[:500], None, "?"]
    names = ["white_all", "turn"]
    white = dict(enumerate(expected["white_all"][:500]))
    games = pd.DataFrame({"fen": rows, "n": range(502)}, index=[f"game {i}" for i in range(502)])
    games = games.sample(frac=1, random_state=3)
    maps = setwise.maps(games["fen"], names, errors="null").to_pandas()
    assert maps["white_all"].dtype == pd.UInt64Dtype()
    for joined in (games.join(maps), setwise.maps_table(games, names, errors="null").to_pandas()):
        assert joined.columns.tolist() == ["fen", "n", *names]
        assert joined.index.equals(games.index)
        for n, value in zip(joined["n"], joined["white_all"]):
            assert value is pd.NA if n >= 500 else value == white[n]
    skipped = setwise.maps(games["fen"], names, errors="skip").to_pandas()
    assert skipped.index.tolist() == [label for label in games.index if label != "game 501"]
    named = games.rename_axis("id")
    assert setwise.maps_table(named, names, errors="null").column_names == ["fen", "n", *names]
    assert setwise.maps_table(named, names, errors="null").to_pandas().index.equals(named.index)
    part = setwise.maps_table(games, names, errors="null")[10:20].to_pandas()
    assert part.index.equals(games.index[10:20])
    # A range index is restored without a column.
    plain = setwise.maps_table(pd.DataFrame({"fen": fens[:3]}), names).to_pandas()
    assert plain.index.tolist() == [0, 1, 2] and plain["white_all"].dtype == np.uint64


def test_tables_are_cut_shown_and_pickled(fens, expected):
    games = pa.table({"fen": [*fens[:100], None], "text": pa.array(["<b>&"] * 101).dictionary_encode()})
    chunked = pa.concat_tables([games[:7], games[7:50], games[50:]])
    for table in (setwise.maps_table(games, ["white_all", "threats"]), setwise.maps_table(chunked, ["white_all", "threats"])):
        whole = table.to_pyarrow()
        for rows in (slice(0, 5), slice(3, 60), slice(99, 300), slice(None), slice(-4, None), slice(200, 300)):
            assert table[rows].to_pyarrow().combine_chunks() == whole[rows].combine_chunks()
        assert table.head().to_pyarrow().num_rows == 5 and len(table.head(1000)) == 101
        assert table.slice(90).to_pyarrow().equals(whole.slice(90)) and len(table.slice(200, 3)) == 0
        for again in (pickle.loads(pickle.dumps(table)), pickle.loads(pickle.dumps(table[5:9]))):
            assert again.schema == table.schema
        for again in (pickle.loads(pickle.dumps(table.schema)), copy.copy(table.schema), copy.deepcopy(table.schema)):
            assert again == table.schema and again.to_pyarrow().equals(whole.schema, check_metadata=True)
        assert pickle.loads(pickle.dumps(table)).to_pyarrow().equals(whole)
        html = table._repr_html_()
        assert html.count("<tr>") == 12 and "101 rows, 4 columns" in html
        assert f"{expected['white_all'][3]:#018x}" in html and "&lt;b&gt;&amp;" in html and "<b>" not in html
        assert "<td></td>" in table[100:]._repr_html_()
    # Slices share the text of views, which is not written with each of them.
    views = pa.table({"fen": fens[:100], "text": pa.array([fen * 9 for fen in fens[:100]]).cast(pa.string_view())})
    sizes = [len(pickle.dumps(setwise.maps_table(pa.Table.from_batches(views.to_batches(max_chunksize=rows)), "turn")))
             for rows in (100, 10)]
    assert sizes[1] < 2 * sizes[0]
    arrays = pa.FixedSizeListArray.from_arrays(pa.array(range(300), pa.int16()), 3)
    games = pa.table({"fen": fens[:100], "three": arrays})
    for table in (setwise.maps_table(games, "turn"), setwise.maps_table(pa.concat_tables([games[:7], games[7:]]), "turn")):
        assert table["three"].tolist() == arrays.to_pylist() and table[3:9]["three"].tolist() == arrays[3:9].to_pylist()
    for name, cut in (("n", lambda: table.head(-1)), ("offset", lambda: table.slice(-1)), ("length", lambda: table.slice(0, -1))):
        with pytest.raises(ValueError, match=f"`{name}` must be at least 0, found -1"):
            cut()
    with pytest.raises(IndexError, match="step 1"):
        table[::2]
    with pytest.raises(TypeError, match="found int"):
        table[3]


def test_errors_survive_whoever_makes_them_again(fens):
    rows = [*fens[:10], 'a "bad"\t\\ row\u200b é']
    with pytest.raises(setwise.FenError) as caught:
        setwise.maps(rows)
    error = caught.value
    for again in (pickle.loads(pickle.dumps(error)), setwise.FenError(str(error)),
                  setwise.FenError(f"FenError: {error}\n\nin the expression: x")):
        assert (again.row, again.text, again.column) == (10, rows[10], error.column)
    assert setwise.FenError("something else").row == -1
    frame = pl.DataFrame({"fen": rows})
    with pytest.raises(setwise.FenError) as caught:
        frame["fen"].setwise.maps("turn")
    assert (caught.value.row, caught.value.text) == (10, rows[10])
    for call in (lambda: frame.with_columns(pl.col("fen").setwise.maps("turn")),
                 lambda: frame.lazy().with_columns(pl.col("fen").setwise.maps("turn")).collect(),
                 lambda: frame.lazy().with_columns(pl.col("fen").setwise.maps("turn")).collect(engine="streaming")):
        with pytest.raises(setwise.FenError) as caught:
            call()
        # Polars may cut the column into pieces, to which row numbers are relative.
        assert caught.value.row in range(11) and caught.value.text == rows[10]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(setwise.FenError) as caught:
            pool.submit(setwise.maps, rows).result()
    assert (caught.value.row, caught.value.text) == (10, rows[10])


def test_progress_is_reported(fens, capsys):
    rows = pa.array(fens * 100)
    for call in (lambda p: setwise.maps(rows, progress=p, threads=1),
                 lambda p: setwise.maps_table(pa.table({"fen": rows}), progress=p),
                 lambda p: setwise.pieces(rows, progress=p),
                 lambda p: setwise.features(rows, progress=p)):
        calls = []
        call(lambda done, all_: calls.append((done, all_)))
        assert calls[0] == (0, len(rows)) and calls[-1] == (len(rows), len(rows))
        assert calls == sorted(calls)
    setwise.maps(rows, progress=True)
    assert "100% of 100,000 rows" in capsys.readouterr().err.replace("499,900", "100,000").replace(f"{len(rows):,}", "100,000")

    def stop(done, all_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        setwise.maps(rows, progress=stop)


def test_where_leaves_rows_out(fens):
    fens = fens[:500]
    checks = [chess.Board(fen, chess960=True).is_check() for fen in fens]
    counts = [chess.popcount(chess.Board(fen, chess960=True).occupied) for fen in fens]
    expected = [row + 1 for row in range(len(fens)) if not checks[row] and counts[row] > 10]
    table = setwise.maps(fens, ["line", "white_all"], where="checkers = 0 and piece_count > 10")
    assert table["line"].tolist() == expected and 0 < len(expected) < len(fens)
    assert table["white_all"].tolist() == setwise.maps([fens[row - 1] for row in expected], "white_all")[
        "white_all"
    ].tolist()
    ids = pa.table({"fen": fens, "id": list(range(len(fens)))})
    beside = pa.table(setwise.maps_table(ids, "white_all", where=["id >= 100", "piece_count > 10", "checkers = 0"]))
    assert beside.column_names == ["fen", "id", "white_all"]
    assert beside["id"].to_pylist() == [row - 1 for row in expected if row > 100]
    with pytest.raises(ValueError, match="condition `checkers`, character 9: expected a comparison"):
        setwise.maps(fens, where="checkers")
    with pytest.raises(ValueError, match="did you mean `piece_count`"):
        setwise.maps(fens, where="piece_cont > 3")
