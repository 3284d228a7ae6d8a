"""Batches of ``setwise.Loader`` as tensors of PyTorch, for ``torch.utils.data.DataLoader`` with any number of workers.

>>> from torch.utils.data import DataLoader  # doctest: +SKIP
>>> from setwise.torch import Dataset  # doctest: +SKIP
>>> data = Dataset("data.binpack", features="stockfish-threats-2026-08", padded=128, shuffle=1 << 20)  # doctest: +SKIP
>>> for batch in DataLoader(data, batch_size=None, num_workers=2, pin_memory=True):  # doctest: +SKIP
...     white, black = batch["inputs"]  # doctest: +SKIP

A worker takes its share of the units of the files, and so does a rank of ``torch.distributed`` if that is initialized.
What others take is not decoded. The tensors share memory with arrays that nobody else uses, so they can be written and
pinned.
"""

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

    named = {name: getattr(batch, name) for name in ("inputs", "turn", "piece_count", "score", "result", "ply")}
    return {name: tensor(array) for name, array in {**named, **batch.columns}.items() if array is not None}


class Dataset(IterableDataset):  # type: ignore[misc,type-arg,unused-ignore]
    """Batches for ``DataLoader(dataset, batch_size=None, ...)``. The arguments are those of ``setwise.Loader``.

    ``rank`` and ``world`` are those of ``torch.distributed`` by default, or 0 and 1. With workers, ``threads`` is 1 unless
    it is given.
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
        self._args, self._options = args, options
        self._done = 0
        Loader(*args, **{**options, "epochs": 0})  # to fail here, and not in a worker

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = get_worker_info()
        index, count = (worker.id, worker.num_workers) if worker is not None else (0, 1)
        options = dict(self._options)
        if worker is not None:
            options.setdefault("threads", 1)
        # A DataLoader takes a batch of each worker in turn, and the first one now is that of the shard whose turn it is.
        turns, turn = divmod(self._done, count)
        index = (index + turn) % count
        shard = (self._rank * count + index, self._world * count)
        loader = Loader(*self._args, **options, shard=shard)
        loader.skip(turns + (index < turn))
        for batch in loader:
            yield tensors(batch)

    def state_dict(self, batches: int) -> dict[str, int]:
        """The state after so many batches of this rank have been taken from the ``DataLoader``."""
        return {"batches": batches}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Iterations from now on begin behind these batches, with as many workers as then, if none of them had come to the
        end of its units. The rows before are decoded again, but no inputs are made of them. ``{"batches": 0}`` is the
        start."""
        self._done = state["batches"]
