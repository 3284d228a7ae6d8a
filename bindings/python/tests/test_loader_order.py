"""Tests the order of ``Loader``: shuffling draws evenly from all parts of a file; each loop is a complete epoch."""

import gc
import gzip
import itertools
import json
import os
import signal
import struct
import sys
import tempfile
import types
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import setwise

ROWS = 20_000
DATA = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data"
E1, E8, FIRST_PAWN = 4, 60, 16


def placement(row):
    """Returns the board of a row: its number in binary, as pawns on the third and fourth rank."""
    ranks = []
    for rank in (row >> 8, row & 255):
        squares = "".join("P" if rank >> file & 1 else "1" for file in range(8))
        ranks.append(squares)
    return "4k3/8/8/8/" + "/".join(ranks) + "/8/4K3"


def nibbles(row, pawn, king, other_king):
    """Returns occupied squares, and the codes of the pieces on them, the low half of a byte first."""
    occupied = 1 << E1 | 1 << E8 | row << FIRST_PAWN
    codes = [king] + [pawn] * row.bit_count() + [other_king]
    codes += [0] * (32 - len(codes))
    return occupied, bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))


def marlin(row):
    occupied, codes = nibbles(row, 0, 5, 13)
    return struct.pack("<Q", occupied) + codes + struct.pack("<BBHhBB", 64, 0, 1, row - ROWS // 2, 1, 0)


def viri(row):
    """Packs a game of two moves, in which each king moves one square sideways."""
    moves = struct.pack("<HhHh", E1 | (E1 - 1) << 6, 0, E8 | (E8 - 1) << 6, 0)
    return marlin(row) + moves + bytes(4)


def binpack(rows):
    """Packs a block with a game of one position for each row."""
    games = b""
    for row in rows:
        occupied, codes = nibbles(row, 0, 10, 11)
        games += struct.pack(">Q", occupied) + codes + struct.pack(">HHHHH", 0, 0, 0, 0, 0)
    return b"BINP" + struct.pack("<I", len(games)) + games


def bytes_of(kind):
    rows = range(ROWS)
    if kind == "marlin":
        return b"".join(map(marlin, rows))
    if kind == "vf":
        return b"".join(map(viri, rows))
    if kind == "binpack":
        return binpack(rows[: ROWS // 3]) + binpack(rows[ROWS // 3 :])
    if kind == "pgn":
        game = '[Event "{}"]\n[SetUp "1"]\n[FEN "{} w - - 0 1"]\n\n1. Kd1 {{ [Event "no game"] }} Kd8 *\n\n'
        return "".join(game.format(row, placement(row)) for row in rows).encode()
    return "".join(f"{placement(row)} w - - 0 1\n" for row in rows).encode()


KINDS = ["marlin", "vf", "binpack", "pgn", "txt"]
TABLES = ["parquet", "groups.parquet", "arrow", "feather", "batches.feather", "csv", "csv.gz", "jsonl"]
NAMES = [kind + ending for kind in KINDS for ending in ("", ".gz", ".zst")] + ["txt.frames.zst", "txt.members.gz"] + TABLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("order")
    for kind in KINDS:
        of_kind = bytes_of(kind)
        (folder / f"all.{kind}").write_bytes(of_kind)
        (folder / f"all.{kind}.gz").write_bytes(gzip.compress(of_kind, 1))
        (folder / f"all.{kind}.zst").write_bytes(pa.compress(of_kind, "zstd", asbytes=True))
    pieces = [of_kind[start : start + 100_001] for start in range(0, len(of_kind), 100_001)]
    (folder / "all.txt.frames.zst").write_bytes(b"".join(pa.compress(piece, "zstd", asbytes=True) for piece in pieces))
    (folder / "all.txt.members.gz").write_bytes(b"".join(gzip.compress(piece, 1) for piece in pieces))
    table = pa.table({"fen": [f"{placement(row)} w - - 0 1" for row in range(ROWS)], "row": list(range(ROWS))})
    pa.parquet.write_table(table, folder / "all.parquet")
    pa.parquet.write_table(table, folder / "all.groups.parquet", row_group_size=150)
    for name, new, rows in [("arrow", pa.ipc.new_stream, 3000), ("feather", pa.ipc.new_file, None),
                            ("batches.feather", pa.ipc.new_file, 100)]:  # fmt: skip
        with new(folder / f"all.{name}", table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)
    pa.csv.write_csv(table, folder / "all.csv")
    (folder / "all.csv.gz").write_bytes(gzip.compress((folder / "all.csv").read_bytes(), 1))
    (folder / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    return folder


@pytest.fixture(params=NAMES)
def path(request, folder):
    return folder / f"all.{request.param}"


def open_(path, **options):
    format = {"input_format": "text"} if ".txt." in str(path) else {}
    return setwise.Loader(path, columns="pawns", labels=[], **{**format, "batch_size": 100, "shuffle": ROWS // 10, **options})


def row(batch):
    """Returns the numbers of the rows in the file."""
    return (np.asarray(batch.columns["pawns"]).astype(np.uint64) >> np.uint64(FIRST_PAWN)).astype(np.int64)


def rows(batches):
    return [row(batch).tolist() for batch in batches]


def flat(lists):
    return [item for some in lists for item in some]


def every_row(path):
    """Lists the numbers of all rows: each position of a game has the number of its row."""
    return sorted(list(range(ROWS)) * (2 if ".vf" in str(path) else 3 if ".pgn" in str(path) else 1))


def test_rows_come_from_everywhere(path):
    """In all formats, positions in the file and in the stream are uncorrelated."""
    assert flat(rows(open_(path, shuffle=0))) == every_row(path)
    for seed in range(4):
        found = rows(open_(path, seed=seed))
        stream = np.array(flat(found))
        assert sorted(stream.tolist()) == every_row(path)
        assert abs(np.corrcoef(np.arange(len(stream)), stream)[0, 1]) < 0.1
        # The same holds in each tenth of the stream, which is about a filling of the buffer.
        for tenth in np.array_split(stream, 10):
            assert np.histogram(tenth, 3, (0, ROWS))[0].min() > len(tenth) / 3 * 0.3
        assert min(found[0]) < 0.3 * ROWS and max(found[0]) > 0.7 * ROWS


def test_each_loop_is_another_epoch(path):
    expected = rows(open_(path, seed=3, epochs=3))
    third = len(expected) // 3
    loader = open_(path, seed=3)
    loops = [rows(loader) for _ in range(3)]
    assert flat(loops) == expected and [len(loop) for loop in loops] == [third] * 3
    assert loops[0] != loops[1] != loops[2] != loops[0] and loader.epoch == 3
    assert all(sorted(flat(loop)) == every_row(path) for loop in loops)
    loader.restart()
    assert rows(loader) == loops[0]


def test_a_state_is_resumed_once(path):
    whole = open_(path, seed=4, where="pawns != 65536")
    loops, states = [], []
    for _ in range(3):
        states.append([whole.state_dict()])
        loops.append([])
        for batch in whole:
            loops[-1].append(row(batch).tolist())
            states[-1].append(whole.state_dict())
    for loop, done in [(0, 7), (1, 0), (1, 1), (1, 60), (1, len(loops[1]))]:
        again = open_(path, seed=4, where="pawns != 65536", threads=1)
        again.load_state_dict(json.loads(json.dumps(states[loop][done])))
        assert rows(again) == loops[loop][done:]
        if loop < 2:
            assert rows(again) == loops[loop + 1]
        assert again.left_out == {"pawns != 65536": (loop + 2) * every_row(path).count(1)}
    ended = open_(path, seed=4, where="pawns != 65536")
    ended.load_state_dict(whole.state_dict())
    assert rows(ended) == rows(whole)


def test_a_loop_that_was_left_is_not_gone_on_with(folder):
    for epochs in (1, 2, None):
        loader = open_(folder / "all.marlin", epochs=epochs)
        expected = rows(batch for batch, _ in zip(open_(folder / "all.marlin", epochs=3), range(3 * ROWS // 100)))
        for _, batch in zip(range(5), loader):
            pass
        old = iter(loader)
        assert rows([next(old)]) == expected[ROWS // 100 :][:1] and loader.epoch == 1
        new = iter(loader)
        assert rows([next(new)]) == expected[2 * ROWS // 100 :][:1] and loader.epoch == 2
        with pytest.raises(RuntimeError, match="new loop"):
            next(old)
        assert loader.skip(3) and rows([next(iter(loader))]) == expected[2 * ROWS // 100 + 4 :][:1]


def test_chains_of_binpack_are_cut_between_games(tmp_path):
    """Games of many positions, whose moves depend on the previous ones."""
    names = ["white", "black", "pawns", "checkers", "legal_count"]

    def found(**options):
        loader = setwise.Loader(DATA / "games.binpack", columns=names, on_missing=0, batch_size=100, **options)
        columns = [
            (batch.score, batch.result, batch.ply, batch.turn, *(batch.columns[name] for name in names)) for batch in loader
        ]
        return [row for batch in columns for row in zip(*(column.tolist() for column in batch))]

    expected = found()
    assert len(expected) > 5000 and sorted(found(shuffle=100)) == sorted(expected)
    shards = [found(shuffle=100, shard=(i, 5)) for i in range(5)]
    assert sorted(flat(shards)) == sorted(expected) and min(map(len, shards)) > len(expected) / 10


def test_without_a_spill_the_buffer_mixes_alone(folder, tmp_path):
    for name in ("marlin.gz", "parquet", "csv"):
        with pytest.warns(UserWarning, match=f"all.{name} can only be read from the front .* about 2,000 rows"):
            loader = open_(folder / f"all.{name}", spill=False)
        stream = np.array(flat(rows(loader)))
        assert sorted(stream.tolist()) == list(range(ROWS)) and stream[:2000].max() < ROWS / 2
        with pytest.raises(ValueError, match="other arguments"):
            open_(folder / f"all.{name}").load_state_dict(loader.state_dict())
        with pytest.raises(OSError, match=f"missing.*: cannot keep the units of .*all.{name}: .*spill"):
            list(open_(folder / f"all.{name}", spill=tmp_path / "missing"))


def test_units_that_are_kept_serve_others(folder, tmp_path, monkeypatch):
    expected = {}
    for name in ("marlin.gz", "binpack.zst", "parquet", "csv"):
        for _ in range(2):
            expected[name] = rows(open_(folder / f"all.{name}", spill=tmp_path))
    kept = {file: file.read_bytes() for file in tmp_path.iterdir()}
    assert len(kept) == 4 and all(file.name.endswith(".units") for file in kept)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name, found in expected.items():
        assert rows(open_(folder / f"all.{name}")) == rows(open_(folder / f"all.{name}", spill=tmp_path)) == found
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == kept
    # With kept units, the file is not read.
    path = tmp_path / "all.marlin.gz"
    path.write_bytes((folder / "all.marlin.gz").read_bytes())
    loader = open_(path, spill=tmp_path)
    found = rows(loader)
    del loader
    state = path.stat()
    path.write_bytes(path.read_bytes()[:1000] + bytes(state.st_size - 1000))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert rows(open_(path, spill=tmp_path)) == found


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:7], lambda b: b[:-1], lambda b: bytes(len(b)),
                                    lambda b: b[:-8] + b"\xff" * 8, lambda b: b[:-40] + b"\xff" * 32 + b[-8:]])  # fmt: skip
def test_damaged_units_are_named(folder, tmp_path, damage):
    def open_kept():
        return open_(folder / "all.csv", spill=tmp_path)

    expected = rows(open_kept())
    [kept] = tmp_path.iterdir()
    # A process that was killed has left this file.
    kept.rename(kept.with_suffix(f".{os.getpid()}-0"))
    assert rows(open_kept()) == expected
    kept.write_bytes(damage(kept.read_bytes()))
    with pytest.raises(OSError, match=f"{kept.name}: cannot read these kept units: .*; remove them"):
        list(open_kept())


def test_numbers_that_are_no_numbers_of_threads(folder):
    for threads in (-1, 0, 1025, 2**32, 2**62):
        with pytest.raises(ValueError, match=f"`threads` must be 1 to 1024, found {threads}"):
            open_(folder / "all.marlin", threads=threads)
        with pytest.raises(ValueError, match=f"`threads` must be 1 to 1024, found {threads}"):
            setwise.maps(["8/8/8/8/8/8/8/8 w - - 0 1"], threads=threads)


class _Tensor(np.ndarray):
    def share_memory_(self):
        return self

    def numpy(self):
        return self.view(np.ndarray)


@pytest.fixture
def dataset_class(monkeypatch):
    """``setwise.torch`` with a stub of the parts of PyTorch that it uses, to test it without PyTorch."""
    torch = types.ModuleType("torch")
    torch.from_numpy, torch.int64 = (lambda array: array), np.int64
    torch.tensor = lambda values: np.array(values).view(_Tensor)
    torch.zeros = lambda shape, dtype: np.zeros(shape, dtype).view(_Tensor)
    torch.distributed = types.ModuleType("torch.distributed")
    torch.distributed.is_available = lambda: False
    torch.utils = types.ModuleType("torch.utils")
    data = torch.utils.data = types.ModuleType("torch.utils.data")
    data.IterableDataset, data.get_worker_info = type("IterableDataset", (), {}), lambda: None
    for name in ("torch", "torch.distributed", "torch.utils", "torch.utils.data"):
        monkeypatch.setitem(sys.modules, name, eval(name))
    monkeypatch.delitem(sys.modules, "setwise.torch", raising=False)
    from setwise.torch import Dataset

    yield Dataset
    del sys.modules["setwise.torch"]


def data_loader(dataset, workers, seed, monkeypatch, most=1 << 30):
    """Imitates ``DataLoader``: yields a batch from each worker in turn, until the worker has no more."""
    if workers == 0:
        monkeypatch.setattr(sys.modules["setwise.torch"], "get_worker_info", lambda: None)
        return rows(types.SimpleNamespace(columns=batch) for batch in itertools.islice(dataset, most))
    found, iterators = [], {id_: iter(dataset) for id_ in range(workers)}
    while iterators and len(found) < most:
        for id_, iterator in list(iterators.items()):
            info = types.SimpleNamespace(id=id_, num_workers=workers, seed=seed + id_)
            monkeypatch.setattr(sys.modules["setwise.torch"], "get_worker_info", lambda info=info: info)
            if (batch := next(iterator, None)) is None:
                del iterators[id_]
            else:
                found.append(row(types.SimpleNamespace(columns=batch)).tolist())
    return found[:most]


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_each_loop_over_a_dataset_is_another_epoch(folder, dataset_class, workers, monkeypatch):
    def fresh():
        return dataset_class(folder / "all.marlin", columns="pawns", batch_size=100, shuffle=2000, seed=5)

    data = fresh()
    loops = [data_loader(Copies(data, workers), workers, seed, monkeypatch) for seed in (7, 70, 700)]
    assert loops[0] != loops[1] != loops[2] != loops[0]
    assert all(sorted(flat(loop)) == list(range(ROWS)) for loop in loops)


class Copies:
    """Returns a data set, or for each worker a copy of it, as processes have, with the memory that they share."""

    def __init__(self, dataset, workers):
        self.dataset, self.workers = dataset, workers

    def __iter__(self):
        if self.workers == 0:
            return iter(self.dataset)
        copy = object.__new__(type(self.dataset))
        copy.__setstate__(self.dataset.__getstate__())
        return iter(copy)


OPTIONS = {"columns": "pawns", "batch_size": 100, "shuffle": 2000, "seed": 5}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep them")
def test_folders_of_killed_processes_are_deleted(folder, dataset_class, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    alive = dataset_class(folder / "all.marlin.gz", **OPTIONS)
    [of_alive] = tmp_path.iterdir()
    child = os.fork()
    if child == 0:
        try:
            data = dataset_class(folder / "all.marlin.gz", **OPTIONS)
            next(iter(data))
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    [of_killed] = {*tmp_path.iterdir()} - {of_alive}
    assert [file.suffix for file in of_killed.iterdir()] == [".units"]
    of_other_host = tmp_path / f"setwise-other.{uuid.uuid4()}-1"
    of_other_host.mkdir()
    next_one = dataset_class(folder / "all.marlin.gz", **OPTIONS)
    left = {*tmp_path.iterdir()}
    assert of_killed not in left and {of_alive, of_other_host} < left and len(left) == 3
    assert sorted(flat(data_loader(alive, 0, 0, monkeypatch))) == list(range(ROWS))
    del alive, next_one
    gc.collect()
    assert [*tmp_path.iterdir()] == [of_other_host]


@pytest.mark.parametrize("options", [{}, {"sampling": setwise.Sampling(pieces={0: 0.5, 16: 1.0, 32: 0.2})}, {"batches": 70}])
@pytest.mark.parametrize("workers", [0, 1, 3])
def test_a_dataset_resumes_after_every_batch(folder, dataset_class, workers, options, monkeypatch):
    """Compares the rest of a loop, and the next loop, with those of a data set that was not interrupted."""
    options = {**OPTIONS, **options}
    data = dataset_class(folder / "all.marlin", **options)
    whole = data_loader(Copies(data, workers), workers, 7, monkeypatch)
    after = data_loader(Copies(data, workers), workers, 8, monkeypatch)
    count = len(whole)
    assert "batches" not in options or count == 70
    monkeypatch.setattr(setwise.Loader, "skip", lambda self, count: count == 0 or pytest.fail("decoded again"))
    # A worker publishes its latest places, so read on no further than a DataLoader prefetches.
    for done in [0, 1, 2, 3, *range(7, count, count // 8), count - 1, count]:
        data = dataset_class(folder / "all.marlin", **options)
        if done:
            taken = data_loader(Copies(data, workers), workers, 1, monkeypatch, done + 4)
            assert taken == whole[: done + 4]
        state = json.loads(json.dumps(data.state_dict(done)))
        resumed = dataset_class(folder / "all.marlin", **options)
        resumed.load_state_dict(state)
        assert data_loader(Copies(resumed, workers), workers, 2, monkeypatch, 3) == whole[done : done + 3], done
        again = resumed.state_dict(min(done + 2, count))
        resumed = dataset_class(folder / "all.marlin", **options)
        resumed.load_state_dict(again)
        assert data_loader(Copies(resumed, workers), workers, 3, monkeypatch) == whole[done + 2 :], done
        assert data_loader(Copies(resumed, workers), workers, 4, monkeypatch) == after


def test_an_old_state_is_exact_too(folder, dataset_class, monkeypatch):
    data = dataset_class(folder / "all.marlin", **OPTIONS)
    whole = data_loader(Copies(data, 3), 3, 7, monkeypatch)
    resumed = dataset_class(folder / "all.marlin", **OPTIONS)
    resumed.load_state_dict(data.state_dict(10))
    assert data_loader(Copies(resumed, 3), 3, 8, monkeypatch) == whole[10:]
    for number in (-1, len(whole) + 1):
        with pytest.raises(ValueError, match=f"no state after {number} batches"):
            data.state_dict(number)
    assert data.state_dict(len(whole))["batches"] == len(whole)


CHANGES = {
    "seed": {"seed": 6}, "batch_size": {"batch_size": 101}, "shuffle": {"shuffle": 2001}, "one_in": {"one_in": 2},
    "where": {"split": ("train", 0.9)}, "sampling": {"sampling": setwise.Sampling(pieces={0: 1.0, 32: 0.5})}, "world": {"world": 2},
    "rank": {"rank": 1, "world": 2}, "epochs": {"epochs": 2}, "fixed": {"fixed": True}, "batches": {"batches": 9},
    "files": {},
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_a_dataset_refuses_the_state_of_another(folder, dataset_class, name, tmp_path, monkeypatch):
    data = dataset_class(folder / "all.marlin", **OPTIONS)
    data_loader(data, 0, 0, monkeypatch, 5)
    path = folder / "all.marlin"
    if name == "files":
        path = tmp_path / "other.marlin"
        path.write_bytes(marlin(0) * 500)
    other = dataset_class(path, **{**OPTIONS, **CHANGES[name]})
    with pytest.raises(ValueError, match=f"other files or other arguments: .*`{name}`"):
        other.load_state_dict(data.state_dict(3))
    loaders = [setwise.Loader(folder / "all.marlin", **OPTIONS)]
    if not {"rank", "world", "epochs"} & {*CHANGES[name]}:
        loaders.append(setwise.Loader(path, **{**OPTIONS, **CHANGES[name]}))
        with pytest.raises(ValueError, match=f"other files or other arguments: .*`{name}`"):
            loaders[1].load_state_dict(loaders[0].state_dict())


def test_a_dataset_refuses_states_that_are_none(folder, dataset_class, monkeypatch):
    data = dataset_class(folder / "all.marlin", **OPTIONS)
    data_loader(Copies(data, 3), 3, 0, monkeypatch, 9)
    state = data.state_dict(6)
    for wrong in ({"epoch": -1}, {"batches": -5}, {"epoch": "1"}):
        with pytest.raises(ValueError, match=f"`{next(iter(wrong))}` of a state is a number from 0"):
            data.load_state_dict({**state, **wrong})
    for wrong, match in [
        ({**state, "bathces": 3}, "not a state of a data set, it has an unknown `bathces`"),
        ({name: value for name, value in state.items() if name != "ends"}, "it has no `ends`"),
        ({**state, "places": state["places"][:2]}, "`places` and `ends` of the state are not those of this data set"),
        ({**state, "places": [[5, 2]] * 3}, "`places` and `ends` of the state are not those of this data set"),
        ({"epoch": 1, "batches": 3}, "not a state of a loader"),
    ]:
        with pytest.raises(ValueError, match=match):
            data.load_state_dict(wrong)
    for workers in (0, 2, 4):
        data.load_state_dict(state)
        with pytest.raises(ValueError, match="the state is of a data set with `num_workers=3`, found `num_workers="):
            data_loader(Copies(data, workers), workers, 5, monkeypatch)


def test_a_dataset_refuses_to_be_batched_again(folder, dataset_class):
    """Imitates how a ``DataLoader`` without ``batch_size=None`` takes the iterator."""

    def fetcher(dataset, auto_collation):
        return iter(dataset)

    data = dataset_class(folder / "all.marlin", **OPTIONS)
    with pytest.raises(ValueError, match="pass it `batch_size=None`"):
        fetcher(data, True)
    assert next(fetcher(data, False))


def test_fixed_epochs_are_equal(folder, dataset_class, monkeypatch):
    options = {**OPTIONS, "one_in": 3, "sampling": setwise.Sampling(pieces={0: 0.5, 16: 1.0, 32: 0.2})}
    for fixed in (False, True):
        loader = setwise.Loader(folder / "all.marlin", **options, fixed=fixed)
        data = dataset_class(folder / "all.marlin", **options, fixed=fixed)
        twice = setwise.Loader(folder / "all.marlin", **options, fixed=fixed, epochs=2)
        first, second = rows(loader), rows(loader)
        assert first and (first == second) == fixed
        assert (data_loader(data, 0, 0, monkeypatch) == data_loader(data, 0, 0, monkeypatch)) == fixed
        assert rows(twice) == first + second


def test_every_shard_has_the_same_number_of_batches(tmp_path):
    (tmp_path / "small.marlin").write_bytes(b"".join(map(marlin, range(200))))
    with pytest.warns(UserWarning, match="2 units of rows, so there are none for 6 of the 8 shards.*`batches`"):
        setwise.Loader(tmp_path / "small.marlin", shard=(0, 8))
    for shard, size in ((0, 128), (1, 72)):
        loader = setwise.Loader(tmp_path / "small.marlin", columns="pawns", shard=(shard, 2), batch_size=50, batches=4)
        loops = [rows(loader), rows(loader)]
        assert [[len(batch) for batch in loop] for loop in loops] == [[50] * 4] * 2
        resumed = setwise.Loader(tmp_path / "small.marlin", columns="pawns", shard=(shard, 2), batch_size=50, batches=4)
        for _, batch in zip(range(3), resumed):
            state = resumed.state_dict()
        again = setwise.Loader(tmp_path / "small.marlin", columns="pawns", shard=(shard, 2), batch_size=50, batches=4)
        again.load_state_dict(state)
        assert rows(again) == loops[0][3:] and rows(again) == loops[1]
        assert len({*flat(loops[0])}) == size // 50 * 50
    with pytest.raises(ValueError, match="shard 5 of 8 has no complete batch"):
        list(setwise.Loader(tmp_path / "small.marlin", shard=(5, 8), batches=1))


def test_every_rank_of_a_dataset_has_the_same_number_of_batches(folder, dataset_class, monkeypatch):
    for workers in (0, 1, 3):
        found = []
        for rank in range(2):
            data = dataset_class(folder / "all.marlin", **OPTIONS, rank=rank, world=2, batches=40)
            found.append([data_loader(Copies(data, workers), workers, seed, monkeypatch) for seed in (1, 2)])
        assert [[len(loop) for loop in loops] for loops in found] == [[40, 40], [40, 40]]
        assert found[0][0] != found[0][1] and not {*flat(found[0][0])} & {*flat(found[1][0])}


def test_the_tuples_of_nnue_pytorch(folder, dataset_class):
    of_class = sys.modules["setwise.torch"].NnuePytorch
    loader = setwise.Loader(folder / "all.marlin", "nnue-pytorch-2026-07", padded=288, batch_size=100, shuffle=2000)
    for batch, tuple_ in zip(loader, of_class(folder / "all.marlin", batch_size=100, shuffle=2000), strict=True):
        us, them, white, black, outcome, score, piece_count = tuple_
        assert [array.dtype.name for array in tuple_] == ["float32"] * 2 + ["int32"] * 2 + ["float32"] * 2 + ["int64"]
        n = len(batch)
        assert [array.shape for array in tuple_] == [(n, 1)] * 2 + [(n, 288)] * 2 + [(n, 1)] * 2 + [(n,)]
        assert (white == batch.inputs[0]).all() and (black == batch.inputs[1]).all()
        assert (us[:, 0] == (batch.turn == 0)).all() and (us + them == 1).all()
        assert (outcome[:, 0] * 2 - 1 == batch.result).all() and (score[:, 0] == batch.score).all()
        assert (piece_count == batch.piece_count).all()
    with pytest.raises(ValueError, match="`labels` follows from the trainer"):
        of_class(folder / "all.marlin", labels=[])


def test_rows_are_those_of_the_loader_of_nnue_pytorch(dataset_class):
    """Compares with batches that the trainer's own loader (July 2026) made of the same file without a filter."""
    games = Path(__file__).parents[3] / "crates" / "formats" / "tests" / "data" / "games.binpack"
    of_class = sys.modules["setwise.torch"].NnuePytorch
    found = set()
    for us, them, white, black, outcome, score, piece_count in of_class(games, batch_size=1000, on_missing="skip"):
        columns = (column[:, 0].tolist() for column in (us, outcome, score))
        inputs = ([" ".join(map(str, np.sort(row[row >= 0]).tolist())) for row in side] for side in (white, black))
        found.update(zip(*columns, piece_count.tolist(), *inputs))
        assert (them == 1 - us).all()
    with gzip.open(Path(__file__).parents[3] / "tests" / "data" / "trainer-batches.tsv.gz", "rt") as lines:
        # One row has the score -32002, which the trainer keeps.
        assert len(found) + 1 == int(next(lines).split()[0])
        for line in lines:
            us, outcome, score, pieces, white, black = line.rstrip("\n").split("\t")
            assert (float(us), float(outcome), float(score), int(pieces), white, black) in found
