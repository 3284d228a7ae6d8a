"""The namespace ``setwise`` for polars expressions and series.

It is registered if polars is imported before ``setwise``, or when this module is imported.

>>> import polars as pl
>>> import setwise.polars
>>> games = pl.DataFrame({"fen": ["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"], "elo": [2851]})
>>> games.with_columns(pl.col("fen").setwise.maps(["checkers", "white_king"]).struct.unnest())
shape: (1, 4)
┌─────────────────────────────────┬──────┬──────────┬────────────┐
│ fen                             ┆ elo  ┆ checkers ┆ white_king │
│ ---                             ┆ ---  ┆ ---      ┆ ---        │
│ str                             ┆ i64  ┆ u64      ┆ u64        │
╞═════════════════════════════════╪══════╪══════════╪════════════╡
│ 4k3/8/8/8/8/8/4r3/4K3 w - - 0 … ┆ 2851 ┆ 4096     ┆ 14376      │
└─────────────────────────────────┴──────┴──────────┴────────────┘
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

import setwise
from setwise._query import _frame_stays

__all__ = ["SetwiseExpr", "SetwiseSeries"]


@pl.api.register_series_namespace("setwise")
class SetwiseSeries:
    """The namespace ``setwise`` of a series of positions."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def maps(self, columns: str | Sequence[str] | None = None, **options: Any) -> pl.Series:
        """Returns the columns of ``setwise.maps`` as a series of structs."""
        frame = pl.DataFrame(setwise.maps(self._series, columns, **options))
        return frame.to_struct(self._series.name)


@pl.api.register_expr_namespace("setwise")
class SetwiseExpr:
    """The namespace ``setwise`` of an expression of positions."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def maps(self, columns: str | Sequence[str] | None = None, **options: Any) -> pl.Expr:
        """Returns the columns of ``setwise.maps`` as structs; ``.struct.unnest()`` converts them to columns.

        The expression has a value for each row, so it does not take ``errors="skip"`` and ``where``: use
        ``errors="null"``, and ``filter`` the frame.

        Polars may compute a column in pieces. Then the column ``line`` and the ``row`` of a ``FenError`` are relative to
        their piece; use the ``text`` of the error to find the row.
        """
        _frame_stays(**options)
        empty = pl.Series("fen", [], pl.String)
        dtype = SetwiseSeries(empty).maps(columns, **options).dtype
        return self._expr.map_batches(
            lambda series: SetwiseSeries(series).maps(columns, **options),
            return_dtype=dtype,
            is_elementwise=True,
        )
