"""Compares ``setwise.torch.NnuePytorch`` with the loader of the trainer nnue-pytorch: rows per second and peak memory.

    git clone https://github.com/official-stockfish/nnue-pytorch && (cd nnue-pytorch && ./compile_data_loader.sh)
    for i in $(seq 130); do cat nnue-pytorch/.pgo/small.binpack; done > 130.binpack
    python bindings/python/bench/nnue_pytorch.py nnue-pytorch 130.binpack --batches 256
    python bindings/python/bench/nnue_pytorch.py nnue-pytorch 130.binpack --sampling --cores 2

The trainer's code needs Python 3.12. Both loaders read the same file, with a shuffle buffer of 2^20 rows, in turns, each
in a new process that is bound to the cores. The figures are medians over the rounds of the ratio in a round. A last run
of each measures the memory: the largest proportional set size of the process and its children.

    pip install tyro torchmetrics schedulefree numba chess
    python bindings/python/bench/nnue_pytorch.py nnue-pytorch nnue-pytorch/.pgo/small.binpack --train --batches 60

With ``--train``, prints the rows that only one of the loaders has, without a filter. Then trains the trainer's network on
both, with its loss and its default filter, from the same weights, on the CPU, and prints the loss on the same rows after
each round.
"""

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

FEATURES = "Full_Threats+PP_3Wide+HalfKAv2_hm"
NO_SCORE = 32_002
OURS = {
    "threads": "threads of one loader",
    "workers": "workers of a DataLoader",
}


def theirs(file, batch_size, sampling, *, cyclic=False, workers=1):
    """Batches of the trainer's own loader."""
    from data_loader import DataloaderSkipConfig, SparseBatchDataset
    from data_loader.config import DataloaderDDPConfig

    config = DataloaderSkipConfig() if sampling else DataloaderSkipConfig(False, False, soft_early_fen_skipping=0)
    return SparseBatchDataset(FEATURES, [str(file)], batch_size, cyclic, workers, config, DataloaderDDPConfig(0, 1))


def ours(file, batch_size, sampling, **options):
    """Batches of this package."""
    from setwise.torch import NnuePytorch

    options |= {"sampling": "nnue-pytorch-2026-07"} if sampling else {"on_missing": NO_SCORE}
    return NnuePytorch(file, batch_size=batch_size, shuffle=1 << 20, **options)


def run(of):
    """Reads the batches in this process, and prints the number of rows and the seconds."""
    from torch.utils.data import DataLoader

    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: of.cores]))
    arguments = (of.file, 16_384, of.sampling)
    if of.run == "theirs":
        data = theirs(*arguments, workers=of.cores)
    elif of.run == "threads":
        data = ours(*arguments, threads=of.cores)
    else:
        data = DataLoader(ours(*arguments, threads=1), batch_size=None, num_workers=of.cores)
    start = time.perf_counter()
    rows = sum(len(batch[0]) for batch in itertools.islice(data, of.batches))
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


def child(name, measures_memory=False):
    """Runs a loader in a new process."""
    process, peak = subprocess.Popen([sys.executable, *sys.argv, "--run", name], stdout=subprocess.PIPE, text=True), 0
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


def compare_speed(of):
    ratios = {name: [] for name in OURS}
    for _ in range(of.rounds):
        base = child("theirs")
        print(f"nnue-pytorch: {base['rows']:,} rows in {base['seconds']:.2f} s", flush=True)
        for name in OURS:
            found = child(name)
            ratios[name].append(found["rows"] / found["seconds"] / base["rows"] * base["seconds"])
            print(f"{name}: {found['rows']:,} rows in {found['seconds']:.2f} s: {ratios[name][-1]:.2f}", flush=True)
    memory = {name: child(name, measures_memory=True)["memory"] for name in ["theirs", *OURS]}
    print(f"cores: {of.cores}, {'default sampling' if of.sampling else 'no filter'}, memory {memory['theirs'] >> 20} MB")
    for name, what in OURS.items():
        speed, size = statistics.median(ratios[name]), memory[name] / memory["theirs"]
        spread = f"{min(ratios[name]):.2f} to {max(ratios[name]):.2f}"
        print(f"{what}: {speed:.2f} ({spread}) times as fast, {size:.2f} times the memory ({memory[name] >> 20} MB)")


def keys(data):
    """Returns a hash and the score of each row, in the order of the hashes."""
    random = np.random.default_rng(1).integers(1 << 63, size=1 << 17, dtype=np.uint64)
    random[-1] = 0  # for the -1 after the last input
    hashes, scores = [], []
    for us, _, white, black, outcome, score, pieces in data:
        labels = [us[:, 0] + 1, outcome[:, 0] * 2 + 5, score[:, 0] + 65_536, pieces + 10]
        columns = [random[white.numpy()].sum(1), *(random[label.numpy().astype(np.int64)] for label in labels)]
        key = random[black.numpy()].sum(1) * np.uint64(3)
        for place, column in enumerate(columns):
            key = key * np.uint64(0x9E3779B97F4A7C15) + (column >> np.uint64(place))
        hashes.append(key)
        scores.append(score[:, 0].numpy().astype(np.int64))
    hashes, scores = np.concatenate(hashes), np.concatenate(scores)
    order = np.argsort(hashes, kind="stable")
    return hashes[order], scores[order]


def compare_rows(file, batch_size):
    """Prints the rows that only one of the loaders has."""
    (their_keys, their_scores), (own_keys, _) = (keys(of(file, batch_size, sampling=False)) for of in (theirs, ours))
    mirrored = their_scores == -NO_SCORE
    print(f"rows without a filter: {len(their_keys):,} and {len(own_keys):,}; scores of -{NO_SCORE}: {mirrored.sum():,}")
    same = np.array_equal(their_keys[~mirrored], own_keys)
    only = [len(np.setdiff1d(a, b)) for a, b in ((their_keys[~mirrored], own_keys), (own_keys, their_keys))]
    print(f"equal as multisets: {same}; rows that only one has: {only[0]:,} and {only[1]:,}")


def train(data, held_out, seed, batches):
    """Returns the trainer's loss on held-out rows after some batches."""
    import torch
    from model.config import ModelConfig, NNUELightningConfig
    from model.nnue import NNUE

    torch.manual_seed(seed)
    trained = NNUE(NNUELightningConfig(features=FEATURES + "^", model_config=ModelConfig(L1=32, L2=8, L3=16)))
    adam = torch.optim.Adam(trained.parameters(), 2e-3)
    for step, batch in enumerate(itertools.islice(data, batches)):
        for group in adam.param_groups:
            group["lr"] = 2e-3 * (1 - step / batches)
        loss = trained.compute_loss(batch, step)
        adam.zero_grad()
        loss.backward()
        adam.step()
        trained.model.clip_weights(True)
    with torch.no_grad():
        return statistics.fmean(trained.compute_loss(batch, batches).item() for batch in held_out)


def compare_training(of):
    """Prints the losses after training on the batches of each loader."""
    batch_size, batches = 2048, of.batches or 60
    compare_rows(of.file, batch_size)
    with tempfile.TemporaryDirectory() as folder:
        # Several copies, so that both loaders mix them in their buffers.
        copies = Path(folder, "copies.binpack")
        copies.write_bytes(of.file.read_bytes() * 8)
        held_out = list(itertools.islice(ours(of.file, batch_size, sampling=True, epochs=None, seed=99), 8))
        differences = []
        for seed in range(of.rounds):
            their_loss = train(theirs(copies, batch_size, sampling=True, cyclic=True), held_out, seed, batches)
            own_data = ours(copies, batch_size, sampling=True, epochs=None, seed=seed)
            own_loss = train(own_data, held_out, seed, batches)
            differences.append(own_loss - their_loss)
            print(f"round {seed}: loss {their_loss:.6f} and {own_loss:.6f}", flush=True)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    print(f"mean difference of the loss: {statistics.fmean(differences):+.6f}, standard error {error:.6f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trainer", type=Path, help="the checkout of nnue-pytorch, with its loader built")
    parser.add_argument("file", type=Path, help="a binpack")
    parser.add_argument("--train", action="store_true", help="compare the rows and the losses instead of the speed")
    parser.add_argument("--sampling", action="store_true", help="the trainer's default filter; none otherwise")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--batches", type=int, help="the number of batches to read (all) or to train on (60)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", choices=["theirs", *OURS], help=argparse.SUPPRESS)
    of = parser.parse_args()
    of.file = of.file.absolute()
    if of.run or of.train:
        os.chdir(of.trainer)
        sys.path.insert(0, str(Path.cwd()))
    if of.run:
        run(of)
    elif of.train:
        compare_training(of)
    else:
        compare_speed(of)


if __name__ == "__main__":
    main()
