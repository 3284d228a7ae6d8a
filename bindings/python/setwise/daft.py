"""Columns of positions with Daft, on one machine or on a Ray cluster (``DAFT_RUNNER=ray``).

    import daft
    import setwise.daft

    games = daft.read_parquet("games/*.parquet", file_path_column="path")
    setwise.daft.maps(games, file_column="path").write_parquet("maps")
"""

import importlib
from collections.abc import Sequence
from typing import Any

import setwise
from setwise._error import placed
from setwise._query import _beside, _frame_stays

__all__ = ["maps"]


def maps(
    frame: Any,
    columns: str | Sequence[str] | None = None,
    *,
    fen_column: str | None = None,
    file_column: str | None = None,
    feature_set: str | setwise.FeatureSet | None = None,
    **options: Any,
) -> Any:
    """Appends columns to a ``daft.DataFrame`` with a column of FENs.

    Parameters
    ----------
    frame
        The positions.
    fen_column
        The column of the positions; by default the one called ``fen``, in upper or lower case.
    file_column
        The ``file_path_column`` with which ``daft.read_parquet`` read the frame.
    columns, feature_set, options
        As in ``setwise.maps``, without ``errors="skip"`` and ``where``, because the frame keeps its rows: use
        ``errors="null"``, and filter the frame. Calls use one thread, since Daft calls from several.

    Raises
    ------
    FenError
        When the frame is used. With ``file_column`` it names the file, and its row if the file has this text in a
        column of the same name; otherwise the row of a piece.
    """
    _frame_stays(**options)
    daft, pyarrow = map(importlib.import_module, ("daft", "pyarrow"))
    options = {"threads": 1, **options, "feature_set": feature_set}
    signed = options.get("signed", False)
    stay, made = _beside(frame.column_names, columns, fen_column, feature_set=feature_set, signed=signed)
    struct = daft.DataType.from_arrow_type(pyarrow.struct(list(made)))

    if fen_column is None:
        fen_column = max(name for name in frame.column_names if name.lower() == "fen")  # lower case comes last

    def of_rows(fens: Any, files: Any) -> Any:
        try:
            made = setwise.maps(fens.to_arrow(), columns, **options)
        except setwise.FenError as error:
            file = files.to_pylist()[error.row] if file_column else None
            if file is None:
                raise
            try:
                row = _row(file, fen_column, error.text)
            except Exception:  # the frame has other texts or names than the file, or the file is not Parquet
                raise placed(error, f"{file} (rows of a piece)", error.row) from None
            raise placed(error, file, row) from None
        return pyarrow.table(made).to_struct_array().combine_chunks()

    function = daft.func.batch(return_dtype=struct, unnest=True)(of_rows)
    return frame.select(*stay, function(frame[fen_column], frame[file_column or fen_column]))


def _row(path: str, column: str, text: str) -> int:
    """The first row of a Parquet file with this text."""
    fs, parquet = map(importlib.import_module, ("pyarrow.fs", "pyarrow.parquet"))
    system, path = fs.FileSystem.from_uri(path) if "://" in path else (None, path)
    rows: list[str | None] = parquet.read_table(path, filesystem=system, columns=[column])[column].to_pylist()
    return rows.index(text)
