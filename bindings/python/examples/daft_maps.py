"""Attack maps of a table of positions with Daft, on all cores of a machine: Parquet in, Parquet out.

    python daft_maps.py 'games/*.parquet' maps

With `DAFT_RUNNER=ray RAY_ADDRESS=HOST:6379` the same program runs on a Ray cluster.
"""

import sys

import daft
import pyarrow
import setwise

COLUMNS = None  # the sixteen attack maps; or names, patterns and presets, as ["*_all", "checkers", "mobility"]

# A Daft function returns one column; `unnest` expands a struct to one column per field.
MAPS = daft.DataType.from_arrow_type(pyarrow.struct(list(pyarrow.schema(setwise.schema(COLUMNS)))))


# Daft calls this from several threads, with some thousand rows at a time, so each call uses one thread.
@daft.func.batch(return_dtype=MAPS, unnest=True)
def maps(fens: daft.Series) -> pyarrow.Array:
    columns = setwise.maps(fens.to_arrow(), COLUMNS, threads=1)
    return pyarrow.table(columns).to_struct_array().combine_chunks()


if __name__ == "__main__":
    source, output = sys.argv[1:]
    positions = daft.read_parquet(source)
    positions.select("*", maps(positions["fen"])).write_parquet(output)
