"""Positions a second from a file to batches: medians of some rounds, all in one run. Runs with one thread are timed by the
processor time of the process, so that other programs matter less; those with two by the clock.

    setwise convert data/sample.epd -o sample.marlin --lossy --on-invalid skip
    python python/bench/loader.py sample.marlin --repeat 2000

The file is repeated until it has enough records, and read once before, so that it is in the system's cache.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import setwise


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="packed records of one size")
    parser.add_argument("--repeat", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--features", default=next(iter(setwise.feature_sets())))
    parser.add_argument("--padded", type=int, default=160)
    of = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all" + of.file.suffix)
        path.write_bytes(of.file.read_bytes() * of.repeat)
        features = {"features": of.features, "padded": of.padded}
        shuffle = {"shuffle": 1 << 18}
        runs = {
            "boards, in order": {"threads": 1},
            "boards, shuffled": {"threads": 1, **shuffle},
            "inputs, in order": {"threads": 1, **features},
            "inputs, shuffled": {"threads": 1, **features, **shuffle},
            "lists of inputs, shuffled": {"threads": 1, "features": of.features, **shuffle},
            "inputs, shuffled, 2 threads": {"threads": 2, **features, **shuffle},
            "inputs, one in 10 by chance": {"threads": 1, **features, **shuffle, "one_in": 10},
            "inputs, some by a condition": {"threads": 1, **features, **shuffle, "where": "piece_count <= 8"},
            "inputs, one condition, all stay": {"threads": 1, **features, **shuffle, "where": "checkers >= 0"},
        }
        times = {name: [] for name in runs}
        rows = {}
        for _ in range(of.rounds):
            for name, options in runs.items():
                loader = setwise.Loader(path, batch_size=16_384, **options)
                clock = time.process_time if options["threads"] == 1 else time.perf_counter
                start = clock()
                rows[name] = sum(len(batch) for batch in loader)
                times[name].append(clock() - start)
        read = rows["boards, in order"]
        size = path.stat().st_size
        base = statistics.median(times["inputs, shuffled"])
        print(f"{read:,} records, {size / 1e6:.0f} MB, {of.features}, rows of {of.padded}")
        print(f"{'':32} {'read':>9} {'kept':>10} {'MB/s':>6} {'against all, shuffled':>21}")
        for name, seconds in times.items():
            median = statistics.median(seconds)
            print(f"{name:32} {read / median / 1e6:7.2f} M {rows[name]:10,} {size / median / 1e6:6.0f} {base / median:19.2f} x")


if __name__ == "__main__":
    main()
