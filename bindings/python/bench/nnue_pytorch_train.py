"""Compares the rows of ``setwise.torch.NnuePytorch`` with those of nnue-pytorch's own loader, and trains that trainer's
network on both: with its loss and its default filter, from the same weights, on the CPU.

    git clone https://github.com/official-stockfish/nnue-pytorch && (cd nnue-pytorch && ./compile_data_loader.sh)
    pip install tyro torchmetrics schedulefree
    python bindings/python/bench/nnue_pytorch_train.py nnue-pytorch nnue-pytorch/.pgo/small.binpack

Prints the rows that only one of the loaders has, without a filter, and the loss on the same rows after each run.
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

from setwise.torch import NnuePytorch

FEATURES = "Full_Threats+PP_3Wide+HalfKAv2_hm"
BATCH = 2048
NONE = 32_002


def theirs(files, *, filtered, cyclic):
    from data_loader import DataloaderSkipConfig, SparseBatchDataset
    from data_loader.config import DataloaderDDPConfig

    config = DataloaderSkipConfig() if filtered else DataloaderSkipConfig(False, False, soft_early_fen_skipping=0)
    return SparseBatchDataset(FEATURES, files, BATCH, cyclic, 1, config, DataloaderDDPConfig(0, 1))


def ours(files, *, filtered, cyclic, seed=0):
    sampling = {"sampling": "nnue-pytorch-2026-07"} if filtered else {"on_missing": NONE}
    return NnuePytorch(files, batch_size=BATCH, shuffle=1 << 20, epochs=None if cyclic else 1, seed=seed, **sampling)


def keys(data):
    """Returns a hash and the score of each row, in the order of the hashes."""
    random = np.random.default_rng(1).integers(1 << 63, size=1 << 17, dtype=np.uint64)
    random[-1] = 0  # for the -1 after the last input
    hashes, scores = [], []
    for us, _, white, black, outcome, score, pieces in data:
        labels = [us[:, 0] + 1, outcome[:, 0] * 2 + 5, score[:, 0] + 65_536, pieces + 10]
        columns = [random[white.numpy()].sum(1), *(random[label.to(torch.int64).numpy()] for label in labels)]
        key = random[black.numpy()].sum(1) * np.uint64(3)
        for place, column in enumerate(columns):
            key = key * np.uint64(0x9E3779B97F4A7C15) + (column >> np.uint64(place))
        hashes.append(key)
        scores.append(score[:, 0].to(torch.int64).numpy())
    hashes, scores = np.concatenate(hashes), np.concatenate(scores)
    order = np.argsort(hashes, kind="stable")
    return hashes[order], scores[order]


def compare(files):
    """Prints the rows that only one of the loaders has."""
    (their_keys, their_scores), (own_keys, own_scores) = (keys(of(files, filtered=False, cyclic=False)) for of in (theirs, ours))
    mirrored = their_scores == -NONE
    print(f"rows without a filter: {len(their_keys):,} and {len(own_keys):,}; scores of -{NONE}: {mirrored.sum():,}")
    same = np.array_equal(their_keys[~mirrored], own_keys)
    only = [len(np.setdiff1d(a, b)) for a, b in ((their_keys[~mirrored], own_keys), (own_keys, their_keys))]
    print(f"equal as multisets: {same}; rows that only one has: {only[0]:,} and {only[1]:,}")


def network(seed):
    from model.config import ModelConfig, NNUELightningConfig
    from model.nnue import NNUE

    torch.manual_seed(seed)
    return NNUE(NNUELightningConfig(features=FEATURES + "^", model_config=ModelConfig(L1=32, L2=8, L3=16)))


def train(data, held_out, seed, batches):
    """Returns the trainer's loss on held-out rows after some batches."""
    trained = network(seed)
    adam = torch.optim.Adam(trained.parameters(), 2e-3)
    for step, (batch, _) in enumerate(zip(data, range(batches))):
        for group in adam.param_groups:
            group["lr"] = 2e-3 * (1 - step / batches)
        loss = trained.compute_loss(batch, step)
        adam.zero_grad()
        loss.backward()
        adam.step()
        trained.model.clip_weights(True)
    with torch.no_grad():
        return statistics.fmean(trained.compute_loss(batch, batches).item() for batch in held_out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trainer", type=Path, help="the checkout of nnue-pytorch, with its loader built")
    parser.add_argument("file", type=Path, help="a binpack")
    parser.add_argument("--batches", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    of = parser.parse_args()
    file = of.file.absolute()
    os.chdir(of.trainer)
    sys.path.insert(0, str(of.trainer.absolute()))
    compare([str(file)])
    with tempfile.TemporaryDirectory() as folder:
        # Several copies, so that both loaders mix them in their buffers.
        copies = Path(folder, "copies.binpack")
        copies.write_bytes(file.read_bytes() * 8)
        held_out = [batch for batch, _ in zip(ours([str(file)], filtered=True, cyclic=True, seed=99), range(8))]
        differences = []
        for run in range(of.runs):
            losses = {}
            for name, of_data in (("theirs", theirs), ("ours", ours)):
                seed = {"seed": run} if name == "ours" else {}
                data = of_data([str(copies)], filtered=True, cyclic=True, **seed)
                losses[name] = train(data, held_out, run, of.batches)
            differences.append(losses["ours"] - losses["theirs"])
            print(f"run {run}: loss {losses['theirs']:.6f} and {losses['ours']:.6f}", flush=True)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    print(f"mean difference of the loss: {statistics.fmean(differences):+.6f}, standard error {error:.6f}")


if __name__ == "__main__":
    main()
