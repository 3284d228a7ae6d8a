"""The modules for Ray, Spark and Daft: values, errors that name file and row. ``cluster.py`` runs them on clusters."""

import os
import random
import sys

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import setwise

FENS = ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", None, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * 50
COLUMNS = ["white_rook", "checkers"]


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    except Exception as error:  # no Java
        pytest.skip(f"Spark does not start: {error}")
    yield session
    session.stop()


@pytest.fixture
def files(tmp_path):
    """Eight files of positions, one of them empty, and the table of all rows."""
    table = pyarrow.table({"id": range(len(FENS)), "fen": FENS})
    for file in range(8):
        pyarrow.parquet.write_table(table.slice(25 * file, 25), tmp_path / f"{file}.parquet")
    return tmp_path, table


def invalid(tmp_path):
    pyarrow.parquet.write_table(pyarrow.table({"id": range(90), "fen": FENS[:70] + ["4k3/8"] * 20}), tmp_path / "5.parquet")
    return r"5\.parquet: (column `fen`, )?row 70, character 6: expected 8 ranks"


def rows(table, signed=False):
    expected = pyarrow.table(setwise.maps_table(table, COLUMNS, signed=signed))
    return expected.sort_by("id").to_pylist()


def test_ray(ray, files):
    import setwise.ray

    folder, table = files
    maps = setwise.ray.maps(folder, COLUMNS, batch_size=10).materialize()
    assert pyarrow.concat_tables(ray.get(maps.to_arrow_refs())).sort_by("id").to_pylist() == rows(table)
    assert maps.num_blocks() >= 8, "files share tasks"
    blocks = setwise.ray.maps(ray.data.read_parquet(str(folder)), COLUMNS)
    assert pyarrow.concat_tables(ray.get(blocks.to_arrow_refs())).sort_by("id").to_pylist() == rows(table)
    for year in (2023, 2024):
        (folder / "years" / f"year={year}" / "by=a%20b").mkdir(parents=True)
        pyarrow.parquet.write_table(table.slice(year % 100, 1), folder / "years" / f"year={year}" / "by=a%20b" / "0.parquet")
    # An independent reader of folders takes years for numbers; Ray's keeps the text.
    expected = pyarrow.dataset.dataset(folder / "years", partitioning="hive").to_table()
    expected = expected.set_column(2, "year", expected["year"].cast("string"))
    made = setwise.ray.maps(folder / "years", COLUMNS)
    assert pyarrow.concat_tables(ray.get(made.to_arrow_refs())).sort_by("id").to_pylist() == rows(expected)
    message = invalid(folder)
    with pytest.raises(Exception, match=message):
        setwise.ray.maps([folder / "5.parquet"], COLUMNS, batch_size=10).materialize()


def test_spark(spark, files):
    import setwise.spark
    from pyspark.sql import functions

    folder, table = files
    maps = setwise.spark.maps(spark.read.parquet(str(folder)), COLUMNS)
    assert maps.columns == ["id", "fen", *COLUMNS]
    assert [row.asDict() for row in maps.sort("id").collect()] == rows(table, signed=True)
    lists = ["threats", "legal_moves", "white_attackers", "legal_targets", "black_features"]
    features = {"feature_set": "halfka-hm"}
    made = setwise.spark.maps(spark.read.parquet(str(folder)).orderBy("id").limit(9), lists, **features)
    expected = pyarrow.table(setwise.maps_table(table[:9], lists, signed=True, **features)).to_pylist()
    assert [row.asDict() for row in made.sort("id").collect()] == expected
    # Spark draws again whatever it does not take from the cache.
    draw = functions.udf(lambda _: random.randrange(10**9), "int").asNondeterministic()
    drawn = spark.read.parquet(str(folder)).withColumn("drawn", draw("id")).cache()
    expected = [row.drawn for row in drawn.sort("id").collect()]
    assert [row.drawn for row in setwise.spark.maps(drawn.select("*"), COLUMNS).sort("id").collect()] == expected
    frame = spark.createDataFrame(table.to_pandas())
    assert [row.asDict() for row in setwise.spark.maps(frame, COLUMNS).sort("id").collect()] == rows(table, signed=True)
    for frame in (frame, frame.withColumnRenamed("fen", "FEN")):
        for columns in (["fen"], ["checkers", "fen"], "f*"):
            made = setwise.spark.maps(frame, columns).sort("id")
            expected = pyarrow.table(setwise.maps_table(table, columns, signed=True))
            assert made.columns == expected.column_names
            assert [row.asDict() for row in made.collect()] == expected.to_pylist()
    with pytest.raises(ValueError, match="`checkers` would stand in the output twice"):
        setwise.spark.maps(frame.withColumnRenamed("id", "checkers"), COLUMNS)
    message = invalid(folder)
    read = spark.read.parquet(str(folder))
    for frame in (read, read.select("fen"), read.filter("id > 20")):
        with pytest.raises(Exception, match=message):
            setwise.spark.maps(frame, COLUMNS).collect()
    # Other formats have no numbers of rows. Of the 70 valid rows 23 are null.
    bad = spark.read.parquet(str(folder / "5.parquet")).select("fen").coalesce(1)
    for kind in ("csv", "orc"):
        bad.write.format(kind).save(str(folder / kind))
        frame = spark.read.format(kind).load(str(folder / kind)).toDF("fen").filter("fen is not null and fen != ''")
        with pytest.raises(Exception, match=rf"/{kind}/part-\S+ \(rows of a partition\): column `fen`, row 47, character 6"):
            setwise.spark.maps(frame.coalesce(1), COLUMNS).collect()
    # Of a join, the files may be those of the other side.
    joined = spark.createDataFrame([(7, "4k3/8")], "key int, fen string").join(read.drop("fen"), functions.expr("key = id"))
    for frame in (bad.union(bad), bad.distinct(), bad.cache(), joined):
        with pytest.raises(Exception, match=r"FenError: a partition: column `fen`, row \d+, character 6"):
            setwise.spark.maps(frame, COLUMNS).collect()


def test_daft(files):
    daft = pytest.importorskip("daft")
    import setwise.daft

    folder, table = files
    read = lambda: daft.read_parquet(f"{folder}/*.parquet", file_path_column="path")  # noqa: E731
    maps = setwise.daft.maps(read(), COLUMNS, file_column="path").exclude("path")
    assert maps.to_arrow().sort_by("id").to_pylist() == rows(table)
    for table in (table, table.rename_columns(["id", "FEN"]), table.append_column("FEN", table["fen"])):
        for columns in (COLUMNS, ["fen"], ["checkers", "fen"], "f*"):
            made = setwise.daft.maps(daft.from_arrow(table), columns).to_arrow()
            expected = pyarrow.table(setwise.maps_table(table, columns))
            assert (made.column_names, made.to_pylist()) == (expected.column_names, expected.to_pylist())
    # Daft would repeat the value of a single row that is left.
    for options in ({"errors": "skip"}, {"where": "white_rook != 0"}):
        with pytest.raises(ValueError, match="drops rows"):
            setwise.daft.maps(read(), COLUMNS, **options)
    message = invalid(folder)
    changed = read().with_column("fen", daft.col("fen") + daft.lit(" "))
    renamed = read().with_column_renamed("fen", "position")
    without = read().with_column("path", daft.lit(None).cast(daft.DataType.string()))
    for frame, name, where in (
        (read(), "fen", message),
        (changed, "fen", r"5\.parquet \(rows of a piece\): row \d+, character 6: expected 8 ranks"),
        (renamed, "position", r"5\.parquet \(rows of a piece\): row \d+, character 6: expected 8 ranks"),
        (without, "fen", r"(^|Error: )row \d+, character 6: expected 8 ranks"),
    ):
        with pytest.raises(Exception, match=where):
            setwise.daft.maps(frame, COLUMNS, fen_column=name, file_column="path").collect()
