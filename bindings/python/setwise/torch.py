"""Batches of ``setwise.Loader`` as tensors of PyTorch, for ``torch.utils.data.DataLoader`` with any number of workers.

>>> from torch.utils.data import DataLoader  # doctest: +SKIP
>>> from setwise.torch import Dataset  # doctest: +SKIP
>>> data = Dataset("data.binpack", features="stockfish-threats-2026-08", padded=128, shuffle=1 << 20)  # doctest: +SKIP
>>> for batch in DataLoader(data, batch_size=None, num_workers=2, pin_memory=True):  # doctest: +SKIP
...     white, black = batch["inputs"]  # doctest: +SKIP

A worker takes its share of the units of the files, and so does a rank of ``torch.distributed`` if that is initialized.
What others take is not decoded. Each loop over the ``DataLoader`` is the next epoch, in another order. The tensors share memory with arrays that nobody else uses, so they can be written and
pinned.
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
    """The arrays of a batch as tensors, without a copy, under the names of its attributes; what is not there is missing.

    ``ply`` and columns of unsigned numbers become the signed tensors of the same size, which PyTorch can compute with.
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

    ``rank`` and ``world`` are those of ``torch.distributed`` by default, or 0 and 1. With workers, ``threads`` is 1 unless
    it is given. Each loop reads ``epochs`` epochs, which follow those of the loop before; workers agree on them by memory
    that they share, and by the seed that PyTorch draws for them in each loop.
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
            # A folder for all workers and loops. Only this process deletes it.
            folder = options["spill"] = tempfile.mkdtemp(prefix="setwise-")
            weakref.finalize(self, _delete, folder, os.getpid())
        self._args, self._options = args, options
        Loader(*args, **{**options, "epochs": 0})  # to fail here, and not in a worker
        # The number of the latest loop, and above it the token of its workers; the loop that is resumed, and where.
        self._shared = torch.tensor([_TO_COME << _BITS, 0, 0]).share_memory_()
        self._loops = 0
        self._idle: dict[tuple[int, ...], Loader] = {}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        index, count = (worker.id, worker.num_workers) if worker is not None else (0, 1)
        options = dict(self._options)
        if worker is not None:
            options.setdefault("threads", 1)
        loop = self._begin_loop(worker)
        # A DataLoader takes a batch of each worker in turn, and the first one now is that of the shard whose turn it is.
        resumed, done = self._shared[1:].tolist()
        turns, turn = divmod(done if loop == resumed else 0, count)
        index = (index + turn) % count
        shard = (self._rank * count + index, self._world * count)
        # A loader that has been used knows where the units of the files are.
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
        """The number of this loop: one more than that of the last, unless another worker has begun it.

        All workers of a loop have the same token. They may read and write at once: whoever begins it writes the same.
        """
        self._loops += 1
        token = _ALONE
        if worker is not None:
            # Workers that persist keep their seed.
            token = 2 + hash((worker.seed - worker.id, self._loops)) % (1 << 38)
        last, loop = divmod(int(self._shared[0]), 1 << _BITS)
        if last != _TO_COME and (last != token or token == _ALONE):
            loop += 1
        self._shared[0] = token << _BITS | loop
        return loop

    def state_dict(self, batches: int) -> dict[str, int]:
        """The state after so many batches of this rank have been taken in the latest loop over the ``DataLoader``."""
        return {"epoch": int(self._shared[0]) % (1 << _BITS), "batches": batches}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """The next loop begins behind these batches, with as many workers as then, if none of them had come to the end of
        its units, and later loops are the epochs after it. The rows before are decoded again, but no inputs are made of
        them. ``{"epoch": 0, "batches": 0}`` is the start."""
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


# Bits of the number of a loop; and tokens of a loop to come, and of one without workers.
_BITS = 24
_TO_COME, _ALONE = 0, 1
