"""Batches of ``setwise.Loader`` as PyTorch tensors, for ``torch.utils.data.DataLoader`` with any number of workers.

>>> from torch.utils.data import DataLoader  # doctest: +SKIP
>>> from setwise.torch import Dataset  # doctest: +SKIP
>>> data = Dataset("data.binpack", features="stockfish-threats-2026-08", padded=128, shuffle=1 << 20)  # doctest: +SKIP
>>> for batch in DataLoader(data, batch_size=None, num_workers=2, pin_memory=True):  # doctest: +SKIP
...     white, black = batch["inputs"]  # doctest: +SKIP

Workers, and ranks of ``torch.distributed`` if it is initialized, divide the units of the files among themselves, and do
not decode each other's units. Each loop over the ``DataLoader`` is the next epoch and is shuffled differently. The
tensors share the memory of arrays that nothing else uses, so they are writable and can be pinned.
"""

import contextlib
import dataclasses
import importlib
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import numpy as np

try:
    import torch  # type: ignore[import-not-found,unused-ignore]
    import torch.distributed  # type: ignore[import-not-found,unused-ignore]
    from torch.utils.data import (  # type: ignore[import-not-found,unused-ignore]
        IterableDataset,
        get_worker_info,
    )
except ImportError as error:
    raise ImportError("`setwise.torch` needs PyTorch: install the package `torch`") from error

from ._loader import Batch, Loader
from ._setwise import FeatureSet, check_fingerprint

_T = TypeVar("_T")

if TYPE_CHECKING:
    NnueBatch = tuple[
        torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor
    ]

    class Tensors(dict[str, Any]):
        """The tensors of a batch by name: the attributes of ``setwise.Batch`` that are not ``None``, and its columns."""

        @overload
        def __getitem__(  # type: ignore[overload-overlap,unused-ignore]
            self, name: Literal["inputs"], /
        ) -> tuple[Any, Any]: ...
        @overload
        def __getitem__(self, name: str, /) -> torch.Tensor: ...
        def __getitem__(self, name: str, /) -> Any: ...
else:
    Tensors = dict


__all__ = ["Dataset", "NnuePytorch", "Tensors", "tensors"]


def tensors(batch: Batch) -> Tensors:
    """Returns the arrays of a batch as tensors, by the names of its attributes, without copies. ``None`` is omitted.

    ``ply`` and unsigned columns wider than a byte become signed tensors of the same size, because PyTorch cannot
    compute with unsigned ones.
    """

    def tensor(array: Any) -> Any:
        if isinstance(array, tuple):
            return tuple(tensor(part) for part in array)
        if array.dtype.kind == "u" and array.dtype.itemsize > 1:
            array = array.view(array.dtype.str.replace("u", "i"))
        return torch.from_numpy(array)

    named = {field.name: getattr(batch, field.name) for field in dataclasses.fields(batch) if field.name != "columns"}
    return Tensors({name: tensor(array) for name, array in {**named, **batch.columns}.items() if array is not None})


class _Batches(IterableDataset, Generic[_T]):  # type: ignore[misc,type-arg,unused-ignore]
    """Batches of a loader in the form that ``_of_batch`` gives them."""

    def __init__(self, *args: Any, rank: int | None = None, world: int | None = None, **options: Any) -> None:
        super().__init__()
        if "shard" in options:
            raise ValueError("`shard` follows from the worker and the rank: set `rank` and `world`")
        is_distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
        if rank is None:
            rank = torch.distributed.get_rank() if is_distributed else 0
        if world is None:
            world = torch.distributed.get_world_size() if is_distributed else 1
        self._rank, self._world = rank, world
        if options.get("spill", True) is True:
            # One folder for all workers and loops. Only this process deletes it, unless it is killed.
            options["spill"], lock = _temporary_folder()
            weakref.finalize(self, _delete, options["spill"], os.getpid(), lock)
        self._args, self._options = args, options
        # Raises errors here, not in a worker.
        loader = Loader(*args, **{**options, "epochs": 0}, shard=(rank, world))
        self._of = loader._core.fingerprint()
        del self._of["shard"]
        self._of |= {"rank": str(rank), "world": str(world), "epochs": str(options.get("epochs", 1))}
        # The number of the latest loop, with the token of its workers in the upper bits; its number of workers; the loop
        # to resume, its number of finished batches, and its number of workers if their places are known.
        self._shared = _shared_memory(5)
        self._shared[0] = _TO_COME << _BITS
        # For each shard: the places after its latest batches, the place to resume, and the loop and number of batches at
        # its end. A place is a loop, its number of batches, and the place of the loader.
        width = 2 + len(loader._core.place())
        self._recent = _shared_memory(_WORKERS, _RECENT, width)
        self._resumed = _shared_memory(_WORKERS, width)
        self._ends = _shared_memory(_WORKERS, 2)
        self._loops = 0
        self._idle: dict[tuple[int, ...], Loader] = {}

    def __iter__(self) -> Iterator[_T]:
        if sys._getframe(1).f_locals.get("auto_collation"):
            raise ValueError(
                "`DataLoader` would put the batches of this data set into batches again: pass it `batch_size=None`, and "
                "set the number of rows with `batch_size` of the data set"
            )
        return self._batches()

    def _batches(self) -> Iterator[_T]:
        worker = get_worker_info()
        index, count = (worker.id, worker.num_workers) if worker is not None else (0, 1)
        if count > _WORKERS:
            raise ValueError(f"`num_workers` is at most {_WORKERS}, found {count}")
        options = dict(self._options)
        if worker is not None:
            options.setdefault("threads", 1)
        loop = self._begin_loop(worker)
        self._shared[1] = count
        resumed, finished, workers = self._shared[2:].tolist()
        if loop != resumed:
            finished, workers = 0, count
        elif workers not in (0, count):
            raise ValueError(
                f"the state is of a data set with `num_workers={_named(workers)}`, found `num_workers={_named(count)}`"
            )
        # A DataLoader reads one batch of each worker in turn. Rotate the shards so that the next batch comes from
        # worker 0.
        known = loop == resumed and finished > 0 and workers > 0
        done, turn = self._finished(finished, count, loop if known else None)
        index = (index + turn) % count
        shard = (self._rank * count + index, self._world * count)
        if (batches := options.get("batches")) is not None:
            options["batches"] = batches // count + (index < batches % count) or 1
        # Reuse loaders, which have already found the units of the files.
        key = (os.getpid(), *shard)
        loader = self._idle.pop(key, None) or Loader(*self._args, **options, shard=shard)
        loader._core.begin_loop(loop << 12 if batches is not None else loop * (options.get("epochs", 1) or 1))
        place = self._resumed.numpy()[index] if known else None
        if place is not None and place[0] == loop and place[1] == done[index] > 0:
            loader._core.resume_at(place[2:].view(np.uint64).tolist())
        else:
            loader.skip(done[index])
        if batches is not None and done[index] >= batches // count + (index < batches % count):
            return
        try:
            for batch in loader:
                done[index] += 1
                self._publish(index, loop, done[index], loader)
                yield self._of_batch(batch)
            self._ends[index] = torch.tensor([loop + 1, done[index]])
        finally:
            self._idle[key] = loader

    def _of_batch(self, batch: Batch) -> _T:
        raise NotImplementedError

    def _publish(self, index: int, loop: int, done: int, loader: Loader) -> None:
        """Writes the place after a batch, for ``state_dict`` in the main process."""
        place = self._recent.numpy()[index, done % _RECENT]
        place[1] = 0  # not valid while it is written
        place[2:] = np.array(loader._core.place(), np.uint64).view(np.int64)
        place[0] = loop
        place[1] = done

    def _finished(self, batches: int, count: int, loop: int | None) -> tuple[list[int], int]:
        """Returns how many of the finished batches each worker's shard has, and the shard of the next batch.

        The shards that ended in this loop are left out from then on; ``None`` ignores them.
        """
        ends = [end[1] if loop is not None and end[0] == loop + 1 else None for end in self._ends.tolist()[:count]]
        done, level, turn = [0] * count, 0, 0
        while batches > 0 and (live := [shard for shard, end in enumerate(ends) if end is None or end > level]):
            limits = [end - level for end in ends if end is not None and end > level]
            rounds = min([batches // len(live), *limits])
            for shard in live if rounds else live[:batches]:
                done[shard] += rounds or 1
            if not rounds:
                turn = live[batches % len(live)]
                break
            batches -= rounds * len(live)
            level += rounds
        return done, turn

    def _begin_loop(self, worker: Any) -> int:
        """Returns the number of this loop: one more than the last loop, unless another worker has already begun it.

        All workers of a loop have the same token. Their concurrent accesses are harmless, because all write the same
        value.
        """
        self._loops += 1
        token = _ALONE
        if worker is not None:
            # Persistent workers keep their seed, so the number of the loop is part of the token.
            token = 2 + hash((worker.seed - worker.id, self._loops)) % (1 << 38)
        last, loop = divmod(int(self._shared[0]), 1 << _BITS)
        if last != _TO_COME and (last != token or token == _ALONE):
            loop += 1
        self._shared[0] = token << _BITS | loop
        return loop

    def state_dict(self, batches: int) -> dict[str, Any]:
        """Returns the state after this number of batches of this rank in the latest loop over the ``DataLoader``.

        In a resumed loop, the number includes the batches before the state that was loaded. With workers, a loop begins
        when a worker begins it, which is certain only after its first batch: before that, the latest loop may be the
        previous one.
        """
        last, loop = divmod(int(self._shared[0]), 1 << _BITS)
        count = int(self._shared[1 if last != _TO_COME else 4])
        done, _ = self._finished(batches, count, loop)
        if sum(done) != batches:
            raise ValueError(f"the latest loop has no state after {batches} batches")
        places = []
        for shard, finished in enumerate(done):
            place = self._recent[shard, finished % _RECENT].tolist()
            old = self._resumed[shard].tolist()
            known = next((one for one in (place, old) if finished and one[:2] == [loop, finished]), [loop, finished])
            places.append(known[1:])
        shards = zip(self._ends.tolist(), done)
        ends = [end[1] if end[0] == loop + 1 and end[1] <= finished else None for end, finished in shards]
        return {"epoch": loop, "batches": batches, "places": places, "ends": ends, "of": self._of}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Resumes after the batches of a ``state_dict``.

        The next loop continues after these batches, and later loops are the following epochs. Only the current contents
        of the buffers are read again, if the state is at most 32 batches older than the workers. ``{"epoch": 0,
        "batches": 0}`` is the start.

        Raises
        ------
        ValueError
            If the state belongs to a data set with different files, order, rows, rank or number of workers. The number
            of workers is compared when the next loop begins.
        """
        if dict(state) != {"epoch": 0, "batches": 0}:
            check_fingerprint(state.get("of"), self._of)
            for name in sorted({"epoch", "batches", "places", "ends", "of"} ^ state.keys()):
                found = "an unknown" if name in state else "no"
                raise ValueError(f"this is not a state of a data set, it has {found} `{name}`: pass what `state_dict` returned")
        epoch, batches = state["epoch"], state["batches"]
        for name, value in (("epoch", epoch), ("batches", batches)):
            if not isinstance(value, int) or not 0 <= value < 1 << _BITS:
                raise ValueError(f"`{name}` of a state is a number from 0, found {value!r}")
        places, ends = state.get("places", []), state.get("ends", [])
        widths = {len(place) for place in places} - {1, self._resumed.shape[1] - 1}
        if widths or not len(places) == len(ends) <= _WORKERS:
            raise ValueError("`places` and `ends` of the state are not those of this data set")
        for shard, (place, end) in enumerate(zip(places, ends)):
            self._resumed[shard, 0] = epoch if len(place) > 1 else -1
            self._resumed[shard, 1 : 1 + len(place)] = torch.tensor(place)
            self._ends[shard] = torch.tensor([epoch + 1 if end is not None else 0, end or 0])
        self._shared[2:] = torch.tensor([epoch, batches, len(places)])
        self._shared[0] = _TO_COME << _BITS | epoch

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_idle": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for memory in (self._shared, self._recent, self._resumed, self._ends):
            memory.share_memory_()


class Dataset(_Batches[Tensors]):
    """Batches for ``DataLoader(dataset, batch_size=None, ...)``, as ``tensors``. The arguments are those of ``Loader``.

    ``rank`` and ``world`` default to those of ``torch.distributed``, or to 0 and 1. With workers, ``threads`` defaults
    to 1. Each loop reads the next ``epochs`` epochs. Workers agree on the epoch through shared memory and the seed that
    PyTorch draws for each loop. ``batches`` is the number of batches of each rank, which its workers divide. To resume,
    use ``state_dict(n)`` with the plain ``DataLoader``, not with the ``StatefulDataLoader`` of torchdata.

    Use ``fixed=True`` for validation: otherwise ``sampling`` and ``one_in`` select other rows at every evaluation.
    """

    def _of_batch(self, batch: Batch) -> Tensors:
        return tensors(batch)


class NnuePytorch(_Batches["NnueBatch"]):
    """Batches as the trainer nnue-pytorch takes them, for ``DataLoader(dataset, batch_size=None, ...)``.

    Each batch is ``(us, them, white, black, outcome, score, piece_count)``: whether white is to move and whether black
    is, ``float32`` of shape [n, 1]; the inputs of white and of black, ``int32`` of shape [n, ``padded``] with -1 after
    the last; the result (0, 0.5 or 1) and the score for the side to move, ``float32`` of shape [n, 1]; and the number of
    pieces, ``int64`` of shape [n]. ``features`` is ``"nnue-pytorch-2026-07"`` by default, and ``padded`` the set's
    ``row_width``, 288. The other arguments are those of ``Dataset``.
    """

    def __init__(self, paths: Any, features: str | FeatureSet = "nnue-pytorch-2026-07", **options: Any) -> None:
        for name in ("perspectives", "labels"):
            if name in options:
                raise ValueError(f"`{name}` follows from the trainer: leave it out")
        width = features if isinstance(features, FeatureSet) else FeatureSet(features)
        options = {"padded": width.row_width, **options, "labels": ["score", "result"]}
        super().__init__(paths, features, **options)

    def _of_batch(self, batch: Batch) -> "NnueBatch":
        def column(values: Any) -> Any:
            return torch.from_numpy(values.astype(np.float32)[:, None])

        assert batch.inputs is not None and batch.score is not None and batch.result is not None
        us, (white, black) = batch.turn == 0, batch.inputs
        return (
            column(us),
            column(~us),
            torch.from_numpy(white),
            torch.from_numpy(black),
            column((batch.result + 1) / 2),
            column(batch.score),
            torch.from_numpy(batch.piece_count.astype(np.int64)),
        )


def _shared_memory(*shape: int) -> Any:
    """Returns numbers that all workers share."""
    return torch.zeros(shape, dtype=torch.int64).share_memory_()  # type: ignore[no-untyped-call,unused-ignore]


def _named(workers: int) -> str:
    """One worker and none read the same batches, and leave the same state."""
    return "0` or `1" if workers == 1 else str(workers)


def _temporary_folder() -> tuple[str, int | None]:
    """Makes a folder. On Linux it is locked until this process and its forks end or delete it, and the folders of killed
    processes are deleted.

    Only locked folders get a name that ends with the identities of this start of the system and of the file system:
    where these are the same, a lock is visible to all processes.
    """
    folder, lock = tempfile.mkdtemp(prefix="setwise-"), None
    with contextlib.suppress(ImportError, OSError):
        fcntl = importlib.import_module("fcntl")
        start = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        lock = os.open(folder, os.O_RDONLY)
        end = f".{start}-{os.fstat(lock).st_dev}"
        for other in Path(folder).parent.glob(f"setwise-*{end}"):
            with contextlib.suppress(OSError):
                other_lock = os.open(other, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(other_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if os.fstat(other_lock).st_uid == os.getuid():
                        shutil.rmtree(other)
                finally:
                    os.close(other_lock)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(folder, folder + end)
        folder += end
    return folder, lock


def _delete(folder: str, process: int, lock: int | None) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


# The number of bits for the number of a loop; the tokens of a loop not yet begun, and of a loop without workers.
_BITS = 24
_TO_COME, _ALONE = 0, 1

# The maximum number of workers, and the number of places that each publishes, more than it prefetches.
_WORKERS, _RECENT = 128, 32
