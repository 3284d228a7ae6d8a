"""Converts Arrow tables to pandas frames."""

from typing import Any


def frame(table: Any, index: Any) -> Any:
    """A pyarrow table as a pandas frame, with this index unless it is ``None``."""
    import pandas  # type: ignore[import-untyped]
    import pyarrow  # type: ignore[import-untyped]

    nullable = {
        pyarrow.int8(): pandas.Int8Dtype(),
        pyarrow.int16(): pandas.Int16Dtype(),
        pyarrow.int32(): pandas.Int32Dtype(),
        pyarrow.int64(): pandas.Int64Dtype(),
        pyarrow.uint8(): pandas.UInt8Dtype(),
        pyarrow.uint16(): pandas.UInt16Dtype(),
        pyarrow.uint32(): pandas.UInt32Dtype(),
        pyarrow.uint64(): pandas.UInt64Dtype(),
    }
    # pyarrow converts integers with nulls to floating-point numbers, which have 53 bits.
    with_nulls = {column.type for column in table.columns if column.null_count}
    of_table = table.to_pandas(types_mapper=lambda type_: nullable.get(type_) if type_ in with_nulls else None)
    if index is not None:
        of_table.index = index
    return of_table
