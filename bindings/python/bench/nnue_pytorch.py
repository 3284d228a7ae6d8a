"""Compares ``setwise.torch.NnuePytorch`` with the loader of the trainer nnue-pytorch: rows per second and peak memory.

    git clone https://github.com/official-stockfish/nnue-pytorch && (cd nnue-pytorch && ./compile_data_loader.sh)
    for i in $(seq 130); do cat nnue-pytorch/.pgo/small.binpack; done > 130.binpack
    python bindings/python/bench/nnue_pytorch.py nnue-pytorch 130.binpack --batches 256
    python bindings/python/bench/nnue_pytorch.py nnue-pytorch 130.binpack --sampling --cores 2

Both loaders read the same file, with a shuffle buffer of 2^20 rows, in turns, each in a new process that is bound to the
cores. The figures are medians over the rounds of the ratio in a round. A last run of each measures the memory: the
largest proportional set size of the process and its children.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

BATCH = 16_384
THEIRS = "Full_Threats+PP_3Wide+HalfKAv2_hm"
OURS = {
    "threads": "threads of one loader",
    "workers": "workers of a DataLoader",
}


def theirs(of):
    """Batches of the trainer's own loader."""
    os.chdir(of.trainer)
    sys.path.insert(0, str(of.trainer))
    from data_loader import DataloaderSkipConfig, SparseBatchDataset
    from data_loader.config import DataloaderDDPConfig

    config = DataloaderSkipConfig() if of.sampling else DataloaderSkipConfig(False, False, soft_early_fen_skipping=0)
    options = {"cyclic": False, "num_workers": of.cores, "config": config, "ddp_config": DataloaderDDPConfig(0, 1)}
    return SparseBatchDataset(THEIRS, [str(of.file)], BATCH, **options)


def ours(of):
    """Batches of this package."""
    from torch.utils.data import DataLoader

    from setwise.torch import NnuePytorch

    sampling = {"sampling": "nnue-pytorch-2026-07"} if of.sampling else {"on_missing": 0}
    with_threads = of.run == "threads"
    options = {"threads": of.cores if with_threads else 1, "shuffle": 1 << 20, **sampling}
    data = NnuePytorch(of.file, batch_size=BATCH, **options)
    return data if with_threads else DataLoader(data, batch_size=None, num_workers=of.cores)


def run(of):
    """Reads the batches, and prints the number of rows and the seconds."""
    data = theirs(of) if of.run == "theirs" else ours(of)
    start, rows = time.perf_counter(), 0
    batches = iter(data)
    for batch in itertools.islice(batches, of.batches):
        rows += len(batch[0])
    print(json.dumps({"rows": rows, "seconds": time.perf_counter() - start}), flush=True)


def memory_of(process):
    """The proportional set size in bytes of a process and its children."""
    sizes = [0]
    for entry in [process, *Path(f"/proc/{process}/task/{process}/children").read_text().split()]:
        try:
            lines = Path(f"/proc/{entry}/smaps_rollup").read_text().splitlines()
            sizes += [int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return sum(sizes)


def child(of, name, measures_memory=False):
    """Runs a loader in a new process."""
    command = [sys.executable, __file__, str(of.trainer), str(of.file), "--cores", str(of.cores), "--run", name]
    command += ["--sampling"] if of.sampling else []
    command += [] if of.batches is None else ["--batches", str(of.batches)]
    process, peak = subprocess.Popen(command, stdout=subprocess.PIPE, text=True), 0
    while measures_memory and process.poll() is None:
        try:
            peak = max(peak, memory_of(process.pid))
        except (FileNotFoundError, ProcessLookupError):
            break
        time.sleep(0.02)
    output, _ = process.communicate()
    if process.returncode:
        sys.exit(process.returncode)
    return {**json.loads(output.splitlines()[-1]), "memory": peak}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trainer", type=Path, help="the checkout of nnue-pytorch, with its loader built")
    parser.add_argument("file", type=Path, help="a binpack")
    parser.add_argument("--sampling", action="store_true", help="the trainer's default filter; none otherwise")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--batches", type=int, help="the number of batches to read; all by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", choices=["theirs", *OURS], help=argparse.SUPPRESS)
    of = parser.parse_args()
    of.trainer, of.file = of.trainer.absolute(), of.file.absolute()
    if of.run:
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: of.cores]))
        return run(of)
    ratios = {name: [] for name in OURS}
    for _ in range(of.rounds):
        base = child(of, "theirs")
        print(f"nnue-pytorch: {base['rows']:,} rows in {base['seconds']:.2f} s", flush=True)
        for name in OURS:
            found = child(of, name)
            ratios[name].append(found["rows"] / found["seconds"] / base["rows"] * base["seconds"])
            print(f"{name}: {found['rows']:,} rows in {found['seconds']:.2f} s: {ratios[name][-1]:.2f}", flush=True)
    memory = {name: child(of, name, measures_memory=True)["memory"] for name in ["theirs", *OURS]}
    print(f"cores: {of.cores}, {'default sampling' if of.sampling else 'no filter'}, memory {memory['theirs'] >> 20} MB")
    for name, what in OURS.items():
        speed, size = statistics.median(ratios[name]), memory[name] / memory["theirs"]
        spread = f"{min(ratios[name]):.2f} to {max(ratios[name]):.2f}"
        print(f"{what}: {speed:.2f} ({spread}) times as fast, {size:.2f} times the memory ({memory[name] >> 20} MB)")


if __name__ == "__main__":
    main()
