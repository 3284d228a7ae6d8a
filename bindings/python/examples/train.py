"""Trains a small network on a file of positions, with numpy on the CPU: from a file to weights in one page.

    python train.py data.binpack --batches 2000
    python train.py games.pgn.zst --where 'eval is not null and checkers = 0 and capture = 0'

The inputs are those of a feature set, for the side to move and for the other side, with the same weights for both. Each
side's accumulator is the sum of rows of one table, clipped to 0 ... 1. One output follows, to which the material is
added. The target is a mixture of score and result. At the end, the loss on held-out rows is compared with those of two
simple models: the same guess for all positions (whose loss is the variance), and a linear model of material.
"""

import argparse
import sys
import time

import numpy as np

import setwise

ROLES = ("pawns", "knights", "bishops", "rooks", "queens")


def popcount(boards):
    """Counts the squares in each set."""
    return np.unpackbits(np.ascontiguousarray(boards).view(np.uint8).reshape(-1, 8), axis=1).sum(1)


def material(batch):
    """Returns the material of the side to move minus that of the other side, by role, in units of four pieces."""
    own = np.where(batch.turn == 0, batch.columns["white"], batch.columns["black"])
    other = np.where(batch.turn == 0, batch.columns["black"], batch.columns["white"])
    of = [popcount(own & batch.columns[role]) - popcount(other & batch.columns[role]).astype(int) for role in ROLES]
    return np.stack(of, axis=1).astype(np.float32) / 4


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def targets(batch, scale, share):
    """Returns the expected result for the side to move, 0 to 1: a mixture of score and result."""
    return (share * sigmoid(batch.score / scale) + (1 - share) * (batch.result + 1) / 2).astype(np.float32)


def sums(table, lists):
    """Returns, for each list of row numbers, the sum of these rows of a table."""
    offsets, inputs = lists
    result = np.zeros((len(offsets) - 1, table.shape[1]), table.dtype)
    filled = offsets[1:] > offsets[:-1]  # `reduceat` does not support empty ranges
    if filled.any():
        result[filled] = np.add.reduceat(table[inputs], offsets[:-1][filled], axis=0)
    return result


class Network:
    """The network in numpy, trained with Adam."""

    def __init__(self, inputs, hidden, rate, seed):
        random = np.random.default_rng(seed)
        self.rate, self.step = rate, 0
        self.weights = {
            "table": random.normal(0, 0.1, (inputs, hidden)).astype(np.float32),
            "bias": np.full(hidden, 0.25, np.float32),
            "output": random.normal(0, hidden**-0.5, 2 * hidden).astype(np.float32),
            "material": np.zeros(len(ROLES), np.float32),
            "constant": np.zeros(1, np.float32),
        }
        self.moments = {name: [np.zeros_like(w), np.zeros_like(w)] for name, w in self.weights.items()}

    def forward(self, batch):
        own, other = (sums(self.weights["table"], lists) + self.weights["bias"] for lists in batch.inputs)
        both = np.concatenate([own, other], axis=1)
        hidden = np.clip(both, 0, 1)
        counts = material(batch)
        w = self.weights
        return sigmoid(hidden @ w["output"] + counts @ w["material"] + w["constant"]), both, hidden, counts

    def train(self, batch, expected):
        """Makes one training step. Returns the mean squared error before it."""
        found, both, hidden, counts = self.forward(batch)
        error = found - expected
        slope = 2 * error * found * (1 - found) / len(error)
        of_hidden = slope[:, None] * self.weights["output"] * ((both > 0) & (both < 1))
        size = len(self.weights["bias"])
        self.step += 1
        self.update("output", hidden.T @ slope)
        self.update("material", counts.T @ slope)
        self.update("constant", slope.sum(keepdims=True))
        self.update("bias", of_hidden[:, :size].sum(0) + of_hidden[:, size:].sum(0))
        self.update_table(batch.inputs, (of_hidden[:, :size], of_hidden[:, size:]))
        return float(np.mean(error**2))

    def update_table(self, inputs, slopes):
        """Updates the rows of the table that a batch uses. All other rows have no gradient."""
        names = np.concatenate([items for _, items in inputs])
        if len(names) == 0:
            return
        rows = [np.repeat(slope, np.diff(offsets), axis=0) for (offsets, _), slope in zip(inputs, slopes)]
        order = np.argsort(names, kind="stable")
        names = names[order]
        starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]]))
        self.update("table", np.add.reduceat(np.concatenate(rows)[order], starts, axis=0), names[starts])

    def update(self, name, slope, rows=slice(None)):
        first, second = self.moments[name]
        first[rows] = 0.9 * first[rows] + 0.1 * slope
        second[rows] = 0.999 * second[rows] + 0.001 * slope**2
        mean, spread = first[rows] / (1 - 0.9**self.step), second[rows] / (1 - 0.999**self.step)
        self.weights[name][rows] -= (self.rate * mean / (np.sqrt(spread) + 1e-8)).astype(np.float32)

    def predict(self, batch):
        return self.forward(batch)[0]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="files with scores and results, in any format of setwise.Loader")
    parser.add_argument("--features", default="stockfish-threats-2026-08", choices=list(setwise.feature_sets()))
    parser.add_argument("--where", action="append", default=[], help="a condition for rows")
    parser.add_argument("--hidden", type=int, default=16, help="size of the accumulator of a side")
    parser.add_argument("--batch-size", type=int, default=4096)
    parser.add_argument("--batches", type=int, default=1000, help="number of training steps")
    parser.add_argument("--shuffle", type=int, default=1 << 18, help="rows in the shuffle buffer")
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--scale", type=float, default=400, help="the score at which a win is likely (73 %%)")
    parser.add_argument("--share", type=float, default=0.7, help="weight of the score in the target; the rest is the result")
    parser.add_argument("--validation", type=int, default=16, help="number of shards, of which one is for validation")
    parser.add_argument("--output", default="network.npz", help="output file for the weights")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int)
    of = parser.parse_args(arguments)

    # One of `validation` shards is for validation. The others are for training, in turn.
    def loader(shard, **options):
        return setwise.Loader(
            of.files, of.features, columns=[*ROLES, "white", "black"], perspectives="mover", where=of.where,
            batch_size=of.batch_size, seed=of.seed, threads=of.threads, shard=shard, on_missing="skip", **options,
        )  # fmt: skip

    validation = list(loader((0, of.validation)))
    rows = sum(len(batch) for batch in validation)
    if rows == 0 or validation[0].score is None or validation[0].result is None:
        sys.exit("the files have no rows with score and result for validation: fewer shards (--validation)?")
    shards = [loader((i, of.validation), shuffle=of.shuffle // of.validation + 1, epochs=None)
              for i in range(1, of.validation)]  # fmt: skip
    turns = [iter(shard) for shard in shards]

    inputs = setwise.feature_sets()[of.features]
    network = Network(inputs, of.hidden, of.rate, of.seed)
    expected = [targets(batch, of.scale, of.share) for batch in validation]
    products, sides = np.zeros((len(ROLES) + 1,) * 2), np.zeros(len(ROLES) + 1)
    total, start, recent, seen = 0.0, time.monotonic(), [], 0
    print(f"{inputs:,} inputs, {of.hidden} numbers a side; {rows:,} positions for validation")
    step = 0
    while step < of.batches and turns:
        batch = next(turns[step % len(turns)], None)
        if batch is None:  # this shard has no rows
            del turns[step % len(turns)]
            continue
        wanted = targets(batch, of.scale, of.share)
        # The sums for the normal equations of the linear model.
        with_one = np.concatenate([material(batch), np.ones((len(batch), 1), np.float32)], axis=1)
        products, sides = products + with_one.T @ with_one, sides + with_one.T @ wanted
        total, seen = total + float(wanted.sum()), seen + len(batch)
        recent.append(network.train(batch, wanted))
        step += 1
        if step % max(of.batches // 10, 1) == 0 or step == of.batches:
            loss = compare(network.predict, validation, expected)
            rate = seen / (time.monotonic() - start)
            print(f"batch {step:6,}: loss {np.mean(recent):.5f}, validation {loss:.5f}, {rate:9,.0f} positions a second")
            recent.clear()
    if step == 0:
        sys.exit("the files have no rows to train on")

    linear = np.linalg.lstsq(products, sides, rcond=None)[0]
    losses = {
        "the same guess for all": compare(lambda batch: np.float32(total / seen), validation, expected),
        "linear in material": compare(lambda batch: material(batch) @ linear[:-1] + linear[-1], validation, expected),
        "the network": compare(network.predict, validation, expected),
    }
    for name, loss in losses.items():
        print(f"{name:>24}: {loss:.5f}")
    np.savez(of.output, **network.weights)
    print(f"weights are in {of.output}")
    for shard in shards[:1]:
        for condition, count in shard.left_out.items():
            print(f"left out of the first shard by {condition!r}: {count:,}")
    return losses


def compare(predict, batches, expected):
    """Returns the mean squared error over all rows."""
    errors = sum(float(np.sum((predict(batch) - of_batch) ** 2)) for batch, of_batch in zip(batches, expected))
    return errors / sum(len(batch) for batch in batches)


if __name__ == "__main__":
    main()
