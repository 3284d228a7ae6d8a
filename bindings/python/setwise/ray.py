"""Columns of positions with Ray Data.

    import ray
    import setwise.ray

    ray.init()
    setwise.ray.maps("games").write_parquet("maps")
"""

import importlib
import os
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import setwise
from setwise._error import placed

__all__ = ["maps"]


def maps(
    source: Any, columns: str | Sequence[str] | None = None, *, batch_size: int = 65_536, **options: Any
) -> Any:
    """Appends columns to tables of positions, on any node with a free core.

    Parameters
    ----------
    source
        Parquet files: a folder, a path or a list of paths. Each file has a task of its own, whatever its size: if a worker
        dies, only the files that it was reading are read again. (``ray.data.read_parquet`` puts files of up to 128 MiB in
        all into one task.) Folders called ``year=2024`` add columns of text, as there, unless the files have them. Or a
        ``ray.data.Dataset``, block by block.
    batch_size
        The number of rows of a file that a task holds at a time.
    columns, options
        As in ``setwise.maps_table``. Calls use one thread.

    Returns
    -------
    ray.data.Dataset

    Raises
    ------
    FenError
        When the dataset is consumed, within Ray's own exception. It names the file and the row; for a ``Dataset`` only the
        row within its block.
    """
    data = importlib.import_module("ray.data")
    options = {"threads": 1, **options}
    if isinstance(source, data.Dataset):
        block = partial(_of_block, columns=columns, options=options)
        return source.map_batches(block, batch_format="pyarrow", batch_size=None)
    paths = [os.fspath(path) for path in source] if isinstance(source, list | tuple) else os.fspath(source)
    parquet = importlib.import_module("pyarrow.dataset").dataset(paths, format="parquet")
    files = data.from_items([{"file": file} for file in parquet.files], override_num_blocks=max(1, len(parquet.files)))
    read = partial(_of_file, parquet.filesystem, batch_size, columns=columns, options=options)
    return files.map_batches(read, batch_format="pyarrow", batch_size=1)


def _of_block(table: Any, columns: Any, options: dict[str, Any]) -> Any:
    return importlib.import_module("pyarrow").table(setwise.maps_table(table, columns, **options))


def _of_file(filesystem: Any, batch_size: int, files: Any, columns: Any, options: dict[str, Any]) -> Iterator[Any]:
    pyarrow, parquet = map(importlib.import_module, ("pyarrow", "pyarrow.parquet"))
    folders_of = importlib.import_module("ray.data.datasource").PathPartitionParser.of("hive")
    for path in files["file"].to_pylist():
        folders, before = folders_of(path), 0
        with filesystem.open_input_file(path) as file:
            reader = parquet.ParquetFile(file)
            empty = [reader.schema_arrow.empty_table()] if reader.metadata.num_rows == 0 else []
            for batch in empty or reader.iter_batches(batch_size):
                for name, value in folders.items():
                    if name not in batch.schema.names:
                        batch = batch.append_column(name, pyarrow.repeat(value, batch.num_rows))
                try:
                    yield _of_block(batch, columns, options)
                except setwise.FenError as error:
                    raise placed(error, path, before + error.row) from None
                before += batch.num_rows
