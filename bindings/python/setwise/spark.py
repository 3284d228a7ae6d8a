"""Columns of positions with Spark.

    import setwise.spark
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.getOrCreate()
    setwise.spark.maps(spark.read.parquet("games.parquet")).write.parquet("maps.parquet")
"""

import importlib
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import setwise
from setwise._error import placed
from setwise._query import _beside

__all__ = ["maps"]

# The columns that name the file and the row of an invalid position. Only Parquet has rows.
_PLACE = {"__setwise_file": "_metadata.file_path", "__setwise_row": "_metadata.row_index"}


def maps(
    frame: Any,
    columns: str | Sequence[str] | None = None,
    *,
    feature_set: str | setwise.FeatureSet | None = None,
    **options: Any,
) -> Any:
    """Appends columns to a ``DataFrame`` with a column of FENs.

    Spark passes Arrow data to a Python process next to each executor, some thousand rows at a time, and nothing is computed
    before the result is used. The new columns are signed, because Spark has no unsigned integers: ``bit_count`` and ``&``
    work on them. Lists become arrays.

    Parameters
    ----------
    frame
        A frame that is read from files, or any other.
    columns, feature_set, options
        As in ``setwise.maps_table``. Calls use one thread.

    Raises
    ------
    FenError
        When the frame is used, within Spark's own exception. It names the row of the partition, and also the file if Spark's
        hidden column ``_metadata`` can be selected from the frame; from Parquet files, the file and its row. After ``cache``,
        ``distinct`` or a join it names no file.
    """
    types = importlib.import_module("pyspark.sql.pandas.types")
    of_query = {"feature_set": feature_set, "signed": True}
    stay, made = _beside(frame.columns, columns, options.get("fen_column"), **of_query)
    schema = importlib.import_module("pyspark.sql.types").StructType([frame.schema[name] for name in stay])
    for field in made:
        schema.add(field.name, types.from_arrow_type(_of_spark(field.type)), nullable=True)  # rows without a position
    options = {"threads": 1, **options, **of_query}
    return _with_places(frame).mapInArrow(partial(_of_batches, columns=columns, options=options), schema)


def _with_places(frame: Any) -> Any:
    """Appends the columns of ``_PLACE`` that Spark knows, unless they change what it computes or may be of other rows."""
    # A column of the files is not in the cache, needs an aggregation of its own, or is of one side of a join.
    operators = r"^[^\w(]*(\*?\(\d+\) *)?(InMemory\w*|CartesianProduct|\w*Aggregate|\w*Join)\b"
    if re.search(operators, _plan(frame), re.MULTILINE):
        return frame
    functions, errors = map(importlib.import_module, ("pyspark.sql.functions", "pyspark.errors"))
    for known in (2, 1):
        places = [functions.col(of).alias(name) for name, of in _PLACE.items()][:known]
        try:
            placed_frame = frame.select("*", *places)
            _ = placed_frame.schema
        except errors.AnalysisException:
            continue
        return placed_frame
    return frame


def _plan(frame: Any) -> str:
    """The plan that ``explain`` prints, an operator per line: output belongs to all threads of the process."""
    again = frame.select("*")  # a frame that is explained itself keeps this plan, even if it is cached later
    if hasattr(again, "_explain_string"):  # Spark Connect
        return str(again._explain_string())
    return str(frame._sc._jvm.PythonSQLUtils.explainString(again._jdf.queryExecution(), "simple"))


def _of_spark(type_: Any) -> Any:
    """Returns the type as Spark knows it: an array of any length for each kind of list."""
    pyarrow, types = map(importlib.import_module, ("pyarrow", "pyarrow.types"))
    is_list = types.is_large_list(type_) or types.is_fixed_size_list(type_)
    return pyarrow.list_(type_.value_type) if is_list else type_


def _of_batches(batches: Iterator[Any], columns: Any, options: dict[str, Any]) -> Iterator[Any]:
    pyarrow, before = importlib.import_module("pyarrow"), 0
    for batch in batches:
        places = [name for name in _PLACE if name in batch.schema.names]
        own = batch.drop_columns(places) if places else batch
        try:
            table = pyarrow.table(setwise.maps_table(own, columns, **options))
            fields = [field.with_type(_of_spark(field.type)) for field in table.schema]
            yield from table.cast(pyarrow.schema(fields)).to_batches()
        except setwise.FenError as error:
            file, row, *_ = *(batch[name][error.row].as_py() for name in places), None, None
            if row is None:
                file, row = f"{file} (rows of a partition)" if file else "a partition", before + error.row
            raise placed(error, file, row) from None
        before += batch.num_rows
