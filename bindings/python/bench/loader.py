"""Measures positions per second from a file to batches of 16,384: medians of several rounds, all in one run. Runs with
one thread measure the processor time of the process, so that other programs matter less. Runs with two threads measure
wall-clock time, and are compared with the wall-clock time of one thread.

    setwise convert data/sample.epd -o sample.marlin --on-missing 0
    python bindings/python/bench/loader.py sample.marlin
    python bindings/python/bench/loader.py data.binpack --repeat 1

The file is repeated until it has enough records, and read once in advance, so that it is in the system's cache.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import setwise


def kernel_alone(path, features, rounds=5):
    """Measures the seconds per position for lists from boards in the cache: a lower bound for any loader."""
    names = ["pawns", "knights", "bishops", "rooks", "queens", "kings", "white", "black"]
    batch = next(iter(setwise.Loader(path, columns=names, labels=[], batch_size=2048)))
    boards = np.ascontiguousarray(np.stack([batch.columns[name] for name in names], axis=1))
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(20):
            setwise.features(boards, features, threads=1)
        times.append((time.process_time() - start) / (20 * len(boards)))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="packed records, text or games")
    parser.add_argument("--repeat", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--features", default="nnue-pytorch-2026-07")
    parser.add_argument("--padded", type=int, default=288)
    of = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all" + of.file.suffix)
        path.write_bytes(of.file.read_bytes() * of.repeat)
        lists = {"features": of.features}
        padded = {"features": of.features, "padded": of.padded}
        shuffle = {"shuffle": 1 << 18}
        runs = {
            "boards, in order": {"threads": 1},
            "boards, shuffled": {"threads": 1, **shuffle},
            "lists of inputs, in order": {"threads": 1, **lists},
            "lists of inputs, shuffled": {"threads": 1, **lists, **shuffle},
            "lists, the side to move first": {"threads": 1, **lists, **shuffle, "perspectives": "mover"},
            "rows of inputs, shuffled": {"threads": 1, **padded, **shuffle},
            "lists, one thread by the clock": {"threads": 1, **lists, **shuffle},
            "lists, two threads by the clock": {"threads": 2, **lists, **shuffle},
            "lists, one in 10 by chance": {"threads": 1, **lists, **shuffle, "one_in": 10},
            "lists, some by a condition": {"threads": 1, **lists, **shuffle, "where": "piece_count <= 8"},
            "lists, one condition, all stay": {"threads": 1, **lists, **shuffle, "where": "checkers >= 0"},
        }
        times = {name: [] for name in runs}
        rows, alone = {}, []
        for _ in range(of.rounds):
            alone.append(kernel_alone(path, of.features))
            for name, options in runs.items():
                loader = setwise.Loader(path, batch_size=16_384, on_missing=0, **options)
                clock = time.perf_counter if "clock" in name else time.process_time
                start = clock()
                rows[name] = sum(len(batch) for batch in loader)
                times[name].append(clock() - start)
        read = rows["boards, in order"]
        size = path.stat().st_size
        medians = {name: statistics.median(seconds) for name, seconds in times.items()}
        all_of_them, one_thread = "lists of inputs, shuffled", "lists, one thread by the clock"
        print(f"{read:,} records, {size / 1e6:.0f} MB, {of.features}, rows of {of.padded}")
        print(f"{'':32} {'read':>9} {'kept':>10} {'MB/s':>6} {'against lists':>21}")
        for name, median in medians.items():
            ratio = medians[one_thread if "clock" in name else all_of_them] / median
            print(f"{name:32} {read / median / 1e6:7.2f} M {rows[name]:10,} {size / median / 1e6:6.0f} {ratio:19.2f} x")
        kernel = statistics.median(alone)
        share = kernel * rows[all_of_them] / medians[all_of_them]
        print(f"the kernel alone: {1e-6 / kernel:.2f} M a second, which is {share:.2f} of the time of shuffled lists")


if __name__ == "__main__":
    main()
