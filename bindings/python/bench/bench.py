"""Benchmarks the Python package: ratios within one run on one core, as medians of alternating rounds. All times are
processor times, not wall-clock times.

    taskset -c 0 python bindings/python/bench/bench.py data/sample.epd

Compares ``setwise.maps`` and ``setwise.attacks`` with Kogge-Stone in numpy and with a plain copy of the same number of
bytes. The results are compared before any timing. ``--parquet`` instead compares Parquet to Parquet with the sixteen maps
with a plain rewrite of the resulting file by pyarrow.

``--publish benches/results/MACHINE.csv`` adds the figure that the README quotes to the file that ``ratios --publish``
has written for the machine. ``SETWISE_WRITE=1 cargo test figures`` then copies it to the documents.
"""

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import setwise


def with_numpy(boards: np.ndarray) -> np.ndarray:
    """Computes the sixteen maps of boards ``[n, 8]`` in typical numpy: Kogge-Stone over whole columns."""
    pawns, knights, bishops, rooks, queens, kings, white, black = boards.T
    a, h = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
    ab, gh = a | a << np.uint64(1), h | h >> np.uint64(1)
    empty = ~(white | black)

    def step(squares: np.ndarray, by: int, reached: np.uint64 = ~np.uint64(0)) -> np.ndarray:
        return (squares << np.uint64(by) if by > 0 else squares >> np.uint64(-by)) & reached

    def ray(sliders: np.ndarray, by: int, reached: np.uint64) -> np.ndarray:
        free = empty & reached
        for times in 1, 2, 4:
            sliders = sliders | free & step(sliders, by * times)
            free = free & step(free, by * times)
        return step(sliders, by, reached)

    files = {-1: ~h, 0: ~np.uint64(0), 1: ~a}
    orthogonal, diagonal = [(8, 0), (-8, 0), (1, 1), (-1, -1)], [(9, 1), (7, -1), (-7, 1), (-9, -1)]
    leaps = {"knight": [(17, ~a), (15, ~h), (10, ~ab), (6, ~gh), (-6, ~ab), (-10, ~gh), (-15, ~a), (-17, ~h)],
             "king": [(by, files[east]) for by, east in orthogonal + diagonal]}
    maps = []
    for own, forward in (white, [(9, ~a), (7, ~h)]), (black, [(-7, ~a), (-9, ~h)]):
        knight = [step(knights & own, *leap) for leap in leaps["knight"]]
        sets = [[step(pawns & own, *leap) for leap in forward], knight]
        for role, lines in (bishops, diagonal), (rooks, orthogonal), (queens, orthogonal + diagonal):
            sets.append([ray(role & own, by, files[east]) for by, east in lines])
        sets.append([step(kings & own, *leap) for leap in leaps["king"]])
        all_, twice = np.zeros_like(white), np.zeros_like(white)
        for one in (one for role in sets for one in role):
            twice |= all_ & one
            all_ |= one
        maps += [np.bitwise_or.reduce(role) for role in sets] + [all_, twice]
    return np.stack(maps, axis=1)


def seconds(work: Callable[[], object]) -> float:
    """Measures processor time, including system calls and excluding other processes."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def in_turns(rounds: int, *ways: Callable[[], object]) -> list[float]:
    """Measures several ways in turns, and returns the median of each."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, of_way in zip(ways, times):
            of_way.append(seconds(way))
    return [statistics.median(of_way) for of_way in times]


def publish(file: Path, ratio: float) -> None:
    """Writes the speed of ``attacks`` relative to numpy to the file of a machine, replacing an earlier figure."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("python-maps,")]
    lines += ["python-maps,kogge-stone-numpy,1.000", f"python-maps,attacks,{ratio:.3f}"]
    file.write_text("\n".join(lines) + "\n")


def speed(fens: list[str], rounds: int, results: Path | None) -> None:
    rows, text = len(fens), pa.array(fens, pa.string())
    table = setwise.maps(text, threads=1)
    maps = np.stack([table[name] for name in table.column_names], axis=1)
    boards = np.ascontiguousarray(setwise.pieces(text))
    out = setwise.attacks(boards)
    assert (out == maps).all()
    assert (with_numpy(boards) == maps).all()
    columns = [np.ascontiguousarray(column) for column in boards.T]
    copied = np.zeros((2, rows, 12), np.uint64)
    fills, copy, text_to_maps, ours_columns, ours_rows = in_turns(
        rounds,
        lambda: with_numpy(boards),
        lambda: np.copyto(copied[0], copied[1]),
        lambda: setwise.maps(text, threads=1),
        lambda: setwise.attacks(columns, out=out, threads=1),
        lambda: setwise.attacks(boards, out=out, threads=1),
    )
    print(f"{rows} rows, medians of {rounds} rounds in turns")
    print(f"maps of text, time of attacks of [n, 8]:        {text_to_maps / ours_rows:5.1f}")
    print(f"attacks of [n, 8] against Kogge-Stone in numpy: {fills / ours_rows:5.1f} times as fast")
    print(f"attacks, time of a plain copy of as many bytes: {ours_rows / copy:.2f} of [n, 8], "
          f"{ours_columns / copy:.2f} of eight columns")
    if results is not None:
        publish(results, fills / ours_rows)


def rewrite(source: Path, target: Path, change: Callable[[pa.RecordBatch], object]) -> None:
    """Writes the changed batches of a Parquet file to another."""
    file, writer = pq.ParquetFile(source), None
    for batch in file.iter_batches(1 << 17):
        table = pa.table(change(batch))
        writer = writer or pq.ParquetWriter(target, table.schema)
        writer.write_table(table)
    writer.close()


def parquet(fens: list[str], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, maps, again = (Path(folder, name) for name in ("fens.parquet", "maps.parquet", "again.parquet"))
        pq.write_table(pa.table({"fen": fens, "score": list(range(len(fens)))}), source)
        ours, plain = in_turns(
            rounds,
            lambda: rewrite(source, maps, setwise.maps_table),
            lambda: rewrite(maps, again, lambda batch: batch),
        )
    print(f"Parquet with maps, time of a plain rewrite by pyarrow: {ours / plain:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Figures of the Python package.")
    parser.add_argument("positions", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--parquet", action="store_true")
    parser.add_argument("--publish", type=Path, metavar="CSV")
    options = parser.parse_args()
    sample = [line.strip() for line in options.positions.read_text().splitlines()]
    fens = (sample * (options.rows // len(sample) + 1))[: options.rows]
    if options.parquet:
        parquet(fens, options.rounds)
    else:
        speed(fens, options.rounds, options.publish)


if __name__ == "__main__":
    main()
