"""Attack maps of a table of positions, on a Spark cluster: Parquet in, Parquet out.

    spark-submit --master spark://HOST:7077 spark.py games.parquet maps.parquet

The input has its positions in a column `fen`. The output has all columns of the input, followed by the maps.
`docs/cluster.md` describes how to install the packages on the workers, and how much memory these need.
"""

import argparse
from collections.abc import Iterator

import pyarrow
import setwise
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import StructType

COLUMNS = None  # the sixteen attack maps; or names, patterns and presets, as ["*_all", "checkers", "mobility"]


# 1. A function on batches of rows. Spark calls it once per partition, in a Python process next to the executor, and
#    passes Arrow data, so rows do not become Python objects. A task has one core, hence one thread. Spark has no
#    unsigned integers; `signed` returns the same 64 bits as signed ones.
def add_maps(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    for batch in batches:
        table = setwise.maps_table(batch, COLUMNS, signed=True, threads=1)
        yield from pyarrow.table(table).to_batches()


# 2. Spark plans before it reads any row, so it needs the schema of the output. All new columns are nullable, because a
#    row without a position has no maps.
def with_maps(positions: DataFrame) -> DataFrame:
    schema = StructType(list(positions.schema.fields))
    for field in pyarrow.schema(setwise.schema(COLUMNS, signed=True)):
        schema.add(field.name, from_arrow_type(field.type), nullable=True)
    return positions.mapInArrow(add_maps, schema)


# 3. Read, compute, write. Nothing is computed before `write`, and nothing is collected in the driver.
if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("input", help="Parquet: a file or a folder, wherever Spark can read")
    arguments.add_argument("output", help="the folder to write; it must not exist")
    paths = arguments.parse_args()

    spark = SparkSession.builder.appName("setwise").getOrCreate()
    with_maps(spark.read.parquet(paths.input)).write.parquet(paths.output)
    spark.stop()
