"""Threats and the inputs of networks."""

from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from . import _setwise
from ._query import Lists, Progress, _callback, _check_answers, _positions, _query, _rows_stay, check_range
from ._setwise import FeatureSet

#: Rows of inputs are narrower, to fit into memory.
PADDED = 1 << 16


def threats(
    positions: Any,
    *,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint16]]:
    """Lists the threats of each position: all pairs of a piece and an occupied square that it attacks.

    The column ``threats`` of ``maps`` has the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as in ``maps``.
    errors, backend, threads, progress
        See the module. A null row, or an invalid row with ``errors="null"``, has an empty list.

    Returns
    -------
    offsets : int64 array, shape [n + 1]
        The pairs of position ``i`` are ``pairs[offsets[i]:offsets[i + 1]]``.
    pairs : uint16 array
        ``from + 256 * to``: the square of the attacker and the square of the attacked piece, which may have either
        colour.

    Examples
    --------
    >>> offsets, pairs = setwise.threats(["7k/4n3/8/5N2/8/8/8/K7 w - - 0 1"])
    >>> offsets
    array([0, 2])
    >>> sorted(zip((pairs % 256).tolist(), (pairs // 256).tolist()))
    [(37, 52), (52, 37)]
    """
    query = _query("threats", errors=_rows_stay(errors), backend=backend, threads=threads)
    [lists], _ = _setwise.lists(_positions(positions), query, _callback(progress))
    return lists


@overload
def features(
    positions: Any,
    feature_set: str | FeatureSet = ...,
    *,
    padded: None = None,
    errors: Literal["raise", "null"] = ...,
    backend: str | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> tuple[Lists, Lists]: ...
@overload
def features(
    positions: Any,
    feature_set: str | FeatureSet = ...,
    *,
    padded: int,
    errors: Literal["raise", "null"] = ...,
    backend: str | None = ...,
    threads: int | None = ...,
    progress: Progress = ...,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def features(
    positions: Any,
    feature_set: str | FeatureSet = "stockfish-threats-2026-08",
    *,
    padded: int | None = None,
    errors: Literal["raise", "null"] = "raise",
    backend: str | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Any:
    """Lists the inputs of a network, from the perspectives of white and of black.

    The columns ``white_features`` and ``black_features`` of ``maps`` have the same lists.

    Parameters
    ----------
    positions
        FENs or boards, as in ``maps``. Each side must have exactly one king.
    feature_set
        One of ``feature_sets()``, several joined by ``+`` (``"stockfish-threats-2026-08+halfka-hm"``), or a
        ``FeatureSet``. Each block of a set has its own range of indices, and lists have the inputs block by block.
    padded
        Return padded rows of this width instead of lists. Trainers use ``FeatureSet(name).row_width``: 128 for
        Stockfish's threats, 288 for ``"nnue-pytorch-2026-07"``. No position has more than ``max_inputs`` inputs per
        side.
    errors, backend, threads, progress
        See the module. A null row has no inputs. With ``errors="null"``, invalid rows and rows without exactly one king
        per side have no inputs either.

    Returns
    -------
    (offsets, indices), (offsets, indices)
        For white and for black: the inputs of position ``i`` are ``indices[offsets[i]:offsets[i + 1]]``. ``offsets`` is
        ``int64`` of shape [n + 1], ``indices`` is ``int32``. Pass them to ``torch.sparse_csr_tensor`` as
        ``crow_indices`` and ``col_indices``. ``torch.nn.EmbeddingBag`` needs ``include_last_offset=True`` to accept all
        ``n + 1`` offsets; without it, pass ``offsets[:-1]``, or it returns one row too many.
    white, black : int32 arrays, shape [n, padded]
        With ``padded``: rows with -1 after the last input.

    Raises
    ------
    FenError
        At the first invalid row.
    ValueError
        If a side does not have exactly one king, or has more inputs than the width.

    Examples
    --------
    >>> fen = "7k/4n3/8/5N2/8/8/8/K7 w - - 0 1"
    >>> (offsets, inputs), black = setwise.features([fen])
    >>> offsets
    array([0, 1])
    >>> white, black = setwise.features([fen], padded=4)
    >>> white[0].tolist() == inputs.tolist() + [-1, -1, -1]
    True
    """
    query = _query(
        ("white_features", "black_features"),
        feature_set=feature_set,
        errors=_rows_stay(errors),
        signed=True,
        backend=backend,
        threads=threads,
    )
    check_range("padded", padded, 1, PADDED)
    source = _positions(positions)
    sides: Any
    if padded is None:
        sides, nulls = _setwise.lists(source, query, _callback(progress))
    else:
        sides, nulls = _setwise.feature_rows(source, query, padded, threads, _callback(progress))
    _check_answers(source, nulls, errors)
    return tuple(sides)
