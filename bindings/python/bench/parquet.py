"""Measures Parquet to Parquet with the sixteen attack maps, against a plain rewrite of the resulting file by pyarrow: the
processor time and the time by the clock, medians of ratios over rounds in turns.

    python bindings/python/bench/parquet.py FENS.txt
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import setwise


def with_maps(source, target):
    """Adds the maps to a table, a batch at a time."""
    file, writer = pq.ParquetFile(source), None
    for batch in file.iter_batches(1 << 17):
        columns = pa.table(setwise.maps(batch.column("fen")))
        table = pa.Table.from_batches([batch])
        for name in columns.column_names:
            table = table.append_column(name, columns[name])
        writer = writer or pq.ParquetWriter(target, table.schema)
        writer.write_table(table)
    writer.close()


def rewrite(source, target):
    file = pq.ParquetFile(source)
    with pq.ParquetWriter(target, file.schema_arrow) as writer:
        for batch in file.iter_batches(1 << 17):
            writer.write_batch(batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a FEN per line")
    parser.add_argument("--rounds", type=int, default=5)
    of = parser.parse_args()
    fens = [line for line in of.file.read_text().splitlines() if line]
    fens = (fens * (1_000_000 // len(fens) + 1))[:1_000_000]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        source, maps, again = (Path(folder, name) for name in ("fens.parquet", "maps.parquet", "again.parquet"))
        pq.write_table(pa.table({"fen": fens, "score": list(range(len(fens)))}), source)
        for _ in range(of.rounds):
            seconds = []
            for call, files in ((with_maps, (source, maps)), (rewrite, (maps, again))):
                start = time.perf_counter(), time.process_time()
                call(*files)
                seconds.append((time.perf_counter() - start[0], time.process_time() - start[1]))
            ratios.append([ours / theirs for ours, theirs in zip(*seconds)])
    for name, found in zip(("by the clock", "processor time"), zip(*ratios)):
        print(f"{name}: {statistics.median(found):.2f} times a rewrite ({min(found):.2f} to {max(found):.2f})")


if __name__ == "__main__":
    main()
