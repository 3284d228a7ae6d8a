"""Converts Arrow tables to pandas frames."""

from typing import Any


def frame(table: Any, index: Any) -> Any:
    """Converts a pyarrow table to a pandas frame, with this index unless it is ``None``."""
    import pandas  # type: ignore[import-untyped]
    import pyarrow  # type: ignore[import-untyped]

    names = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64")
    nullable = {getattr(pyarrow, name.lower())(): getattr(pandas, f"{name}Dtype")() for name in names}
    # pyarrow converts integers with nulls to floating-point numbers, which have 53 bits.
    with_nulls = {column.type for column in table.columns if column.null_count}
    of_table = table.to_pandas(types_mapper=lambda type_: nullable.get(type_) if type_ in with_nulls else None)
    if index is not None:
        of_table.index = index
    return of_table
