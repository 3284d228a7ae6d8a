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

import dataclasses
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

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

__all__ = ["Dataset", "tensors"]


def tensors(batch: Batch) -> dict[str, Any]:
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
    return {name: tensor(array) for name, array in {**named, **batch.columns}.items() if array is not None}


class Dataset(IterableDataset):  # type: ignore[misc,type-arg,unused-ignore]
    """Batches for ``DataLoader(dataset, batch_size=None, ...)``. The arguments are those of ``setwise.Loader``.

    ``rank`` and ``world`` default to those of ``torch.distributed``, or to 0 and 1. With workers, ``threads`` defaults
    to 1. Each loop reads the next ``epochs`` epochs. Workers agree on the epoch through shared memory and the seed that
    PyTorch draws for each loop.
    """

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
            # One folder for all workers and loops. Only this process deletes it.
            folder = options["spill"] = tempfile.mkdtemp(prefix="setwise-")
            weakref.finalize(self, _delete, folder, os.getpid())
        self._args, self._options = args, options
        Loader(*args, **{**options, "epochs": 0})  # to raise errors here, not in a worker
        # The number of the latest loop, with the token of its workers in the upper bits; the loop to resume, and its
        # number of finished batches.
        self._shared = torch.tensor([_TO_COME << _BITS, 0, 0]).share_memory_()  # type: ignore[no-untyped-call,unused-ignore]
        self._loops = 0
        self._idle: dict[tuple[int, ...], Loader] = {}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        index, count = (worker.id, worker.num_workers) if worker is not None else (0, 1)
        options = dict(self._options)
        if worker is not None:
            options.setdefault("threads", 1)
        loop = self._begin_loop(worker)
        # A DataLoader reads one batch of each worker in turn. Rotate the shards so that the next batch comes from
        # worker 0.
        resumed, done = self._shared[1:].tolist()
        turns, turn = divmod(done if loop == resumed else 0, count)
        index = (index + turn) % count
        shard = (self._rank * count + index, self._world * count)
        # Reuse loaders, which have already found the units of the files.
        place = (os.getpid(), *shard)
        loader = self._idle.pop(place, None) or Loader(*self._args, **options, shard=shard)
        loader._core.begin_loop(loop * (options.get("epochs", 1) or 1))
        loader.skip(turns + (index < turn))
        try:
            for batch in loader:
                yield tensors(batch)
        finally:
            self._idle[place] = loader

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

    def state_dict(self, batches: int) -> dict[str, int]:
        """Returns the state after this number of batches of this rank in the latest loop over the ``DataLoader``."""
        return {"epoch": int(self._shared[0]) % (1 << _BITS), "batches": batches}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Resumes after the batches of a ``state_dict``.

        The next loop continues after these batches, and later loops are the following epochs. The number of workers
        must be the same as before, and none of them may have reached the end of its units. Earlier rows are decoded
        again, but their inputs are not computed. ``{"epoch": 0, "batches": 0}`` is the start.
        """
        epoch = state.get("epoch", 0)
        self._shared[1], self._shared[2] = epoch, state["batches"]
        self._shared[0] = _TO_COME << _BITS | epoch

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_idle": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._shared.share_memory_()


def _delete(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


# The number of bits for the number of a loop; the tokens of a loop not yet begun, and of a loop without workers.
_BITS = 24
_TO_COME, _ALONE = 0, 1
