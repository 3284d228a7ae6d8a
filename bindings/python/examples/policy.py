"""Trains a small policy on a file with moves, using only numpy, and prints how often its first choice is the move that
was played, in positions of held-out games:

    python bindings/python/examples/policy.py data.binpack --batches 2000

The classes are those of Lc0 by default. The network is linear: the logit of a class is the sum of its weights for all
pieces on their squares, from the point of view of the side to move. The softmax excludes illegal moves.
"""

import argparse

import numpy as np

import setwise


def inputs(batch):
    """Returns one input per piece and square, own pieces first. The board is flipped if black is to move."""
    sets = np.stack([batch.columns[name].view(np.uint64) for name in setwise.BOARDS], axis=1)
    bits = np.unpackbits(sets.view(np.uint8), bitorder="little").reshape(len(sets), 8, 8, 8)
    black = batch.turn == 1
    bits[black] = bits[black, :, ::-1]
    roles, white = bits[:, :6], bits[:, 6:7]
    own = white ^ black[:, None, None, None]
    return np.concatenate([roles & own, roles & ~own], axis=1).reshape(len(sets), 12 * 64).astype(np.float32)


def logits(batch, weights):
    """Computes the logits of the legal moves."""
    return np.where(batch.legal, inputs(batch) @ weights, -np.inf)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="packed records, games or tables with moves")
    parser.add_argument("--policy", default="lc0", choices=list(setwise.policies()))
    parser.add_argument("--batches", type=int, default=1000)
    parser.add_argument("--batch-size", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=0.1)
    of = parser.parse_args()
    options = {"policy": of.policy, "legal": True, "labels": [], "columns": setwise.BOARDS, "batch_size": of.batch_size}
    train = setwise.Loader(of.files, split=("train", 0.9), shuffle=1 << 18, epochs=None, **options)
    weights = np.zeros((12 * 64, setwise.policies()[of.policy]), np.float32)
    squared = np.full_like(weights, 1e-12)  # sums of squared gradients (Adagrad)
    for number, batch in zip(range(of.batches), train):
        rows = np.flatnonzero(batch.policy >= 0)
        scores = logits(batch, weights)[rows]
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        targets = batch.policy[rows]
        loss = -np.log(chances[np.arange(len(rows)), targets]).mean()
        chances[np.arange(len(rows)), targets] -= 1
        gradient = inputs(batch)[rows].T @ chances.astype(np.float32) / len(rows)
        squared += gradient**2
        weights -= of.rate * gradient / np.sqrt(squared)
        if number % 50 == 0:
            print(f"batch {number}: loss {loss:.3f}")
    rows = right = by_chance = 0
    for batch in setwise.Loader(of.files, split=("test", 0.9), **options):
        played = batch.policy >= 0
        rows += played.sum()
        right += (logits(batch, weights).argmax(1) == batch.policy)[played].sum()
        by_chance += (1 / batch.legal.sum(1)[played]).sum()
    print(f"top-1 on {rows:,} held-out positions: {right / rows:.1%}, of a random legal move {by_chance / rows:.1%}")


if __name__ == "__main__":
    main()
