"""Computes the squares attacked by chess pieces, and other columns, for millions of positions in one call.

>>> import setwise
>>> fens = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] * 1000
>>> table = setwise.maps(fens)
>>> hex(table["white_all"][999])
'0xffff7e'

A bitboard is a 64-bit number with one bit for each square: a1 = bit 0, h1 = bit 7, h8 = bit 63. Positions are a column
of FENs (any Arrow PyCapsule object, such as a polars, pyarrow or pandas column; a list of ``str``; a numpy array) or
boards (numpy arrays, or a table with the eight columns ``setwise.BOARDS``). The result is a ``setwise.Table``. It is a
PyCapsule object too, and its columns are numpy arrays.

The functions share these options:

columns
    Names, patterns such as ``"white_*"`` and presets such as ``"counts"``, in the order of the output. A pattern skips
    columns that are selected already or that the input lacks, and the inputs of networks unless it ends in
    ``features``. ``setwise.columns()`` lists all names. A computed set with ``_squares`` after its name is the number
    of its squares: ``"white_all_squares"``. By default, the sixteen attack maps.
feature_set
    The set of network inputs for the columns ``white_features`` and ``black_features``: one of ``feature_sets()``,
    several joined by ``+``, or your own ``FeatureSet``.
errors
    The handling of invalid rows: ``"raise"`` a ``FenError``, ``"skip"`` the row, or set its columns to ``"null"``. A
    row without text is not invalid: its columns are null.
signed
    Return signed integers with the same bits, for programs that do not support unsigned ones.
where
    One or several conditions that select rows, such as ``"checkers = 0 and piece_count > 6"``. Compare columns (``=``,
    ``!=``, ``<``, ``<=``, ``>``, ``>=``) with numbers, text in quotes, ``true``, ``false`` or other columns, or test
    for ``is null``, and combine tests with ``and``, ``or``, ``not`` and parentheses. Columns used here need not be
    requested. A bitboard is a number, 0 if it is empty. A comparison with null is never true. Other rows are dropped
    before any columns are computed for them.
backend
    The vector instructions to use: one of ``backends()``, by default the last one, which is the fastest.
threads
    The number of threads, 1 to 1024, by default one per processor.
progress
    A function that is called about twenty times a second with the number of finished rows and the total number of rows;
    or ``True`` for a progress bar on standard error.

Calls release the GIL, and rows keep their order. Ctrl-C stops every call within a fraction of a second. Columns of a
``Table`` are read-only views of Arrow's memory; ``.copy()`` returns a writable array, which ``torch.from_numpy``
accepts without a warning. The arrays of ``attacks``, ``pieces``, ``threats``, ``features`` and ``planes`` are writable.
"""

import sys

from ._error import FenError
from ._features import features, threats
from ._loader import Batch, Loader
from ._maps import attacks, maps, maps_table, pieces, planes, read, schema, to_fen
from ._moves import Successors, legal, legal_moves, policies, policy_index, policy_mask, successors
from ._query import BOARDS, STATE
from ._report import Report
from ._sampling import Sampling, WinRate
from ._setwise import FeatureSet, Reader, Schema, Table, __version__, backends, columns, feature_sets
from ._show import Drawing, Heat, heat, show

__all__ = [
    "BOARDS",
    "STATE",
    "Batch",
    "Drawing",
    "FeatureSet",
    "FenError",
    "Heat",
    "Loader",
    "Reader",
    "Report",
    "Sampling",
    "Schema",
    "Successors",
    "Table",
    "WinRate",
    "__version__",
    "attacks",
    "backends",
    "columns",
    "feature_sets",
    "features",
    "heat",
    "legal",
    "legal_moves",
    "maps",
    "maps_table",
    "pieces",
    "planes",
    "policies",
    "policy_index",
    "policy_mask",
    "read",
    "schema",
    "show",
    "successors",
    "threats",
    "to_fen",
]


def __dir__() -> list[str]:
    return sorted(__all__)


if sys.modules.get("polars") is not None:
    from . import polars as polars  # registers pl.Expr.setwise
