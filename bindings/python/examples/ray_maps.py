"""Attack maps of a table of positions with Ray Data, on a Ray cluster: Parquet in, Parquet out.

    RAY_ADDRESS=HOST:6379 python ray_maps.py games maps

Without `RAY_ADDRESS` it starts a local cluster on this machine.
"""

import sys

import pyarrow
import ray
import setwise

COLUMNS = None  # the sixteen attack maps; or names, patterns and presets, as ["*_all", "checkers", "mobility"]


# Ray calls this on any node with a free core, so each call uses one thread.
def add_maps(positions: pyarrow.Table) -> pyarrow.Table:
    return pyarrow.table(setwise.maps_table(positions, COLUMNS, threads=1))


if __name__ == "__main__":
    source, output = sys.argv[1:]
    ray.init()
    positions = ray.data.read_parquet(source)
    # Without a batch size, a batch has all rows that a task has read, and the input is not copied.
    maps = positions.map_batches(add_maps, batch_format="pyarrow", batch_size=None)
    maps.write_parquet(output)
    print(maps.stats())
