"""Nulls of boards in Arrow columns: every function leaves the row's result empty or null."""

import numpy as np
import pyarrow as pa
import pytest

import setwise

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
    "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
]
NULL = 1


def tables():
    """Yields tables of boards and their state with a null in one column of row ``NULL``, and the column's name."""
    whole = pa.table(setwise.maps(FENS, [*setwise.BOARDS, *setwise.STATE]))
    for name in [*setwise.BOARDS, "turn", "castling_white", "castling_black"]:
        column = whole[name].combine_chunks()
        mask = pa.array([row == NULL for row in range(len(FENS))])
        # The values under the nulls stay what they were.
        values = pa.Array.from_buffers(
            column.type, len(column), [pa.array([row != NULL for row in range(len(FENS))]).buffers()[1], column.buffers()[1]]
        )
        assert values.is_null().equals(mask)
        yield name, whole.set_column(whole.column_names.index(name), name, values)
        if name == "pawns":
            signed = [field.with_type(pa.int64()) if field.type == pa.uint64() else field for field in whole.schema]
            yield "signed", whole.set_column(0, name, values).cast(pa.schema(signed), safe=False)
    struct = whole.to_struct_array().combine_chunks()
    yield "struct", pa.StructArray.from_arrays(struct.flatten(), struct.type.names, mask=mask)


def expected(function):
    """The result of a function for FENs, whose null row is ``None``."""
    return function([None if row == NULL else fen for row, fen in enumerate(FENS)])


FUNCTIONS = {
    "attacks": lambda rows: setwise.attacks(setwise.pieces(rows) if isinstance(rows, list) else rows),
    "pieces": setwise.pieces,
    "threats": setwise.threats,
    "features": setwise.features,
    "padded": lambda rows: setwise.features(rows, padded=128),
    "legal": setwise.legal,
    "origins": lambda rows: setwise.legal(rows, "origin"),
    "legal_moves": setwise.legal_moves,
    "successors": lambda rows: (lambda after: (after.offsets, after.moves, after.boards))(setwise.successors(rows)),
    "policy_mask": lambda rows: setwise.policy_mask(rows, "lc0"),
    "policy_index": lambda rows: setwise.policy_index(rows, ["e2e4", "a2a3", "e1e2"], "lc0", errors="null"),
    "heat": lambda rows: (setwise.heat(rows).rows, setwise.heat(rows).squares),
}


def arrays(result):
    return [array for part in result for array in arrays(part)] if isinstance(result, tuple) else [np.asarray(result)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_null_in_any_column_leaves_the_row_empty(name):
    function = FUNCTIONS[name]
    wanted = arrays(expected(function))
    for column, table in tables():
        found = arrays(function(table))
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other, err_msg=f"{name}, null in {column}")


def test_columns_of_a_null_row_are_null():
    names = ["white_all", "threats", "legal_moves", "legal_planes", "status", "piece_count", "white_hanging"]
    wanted = pa.table(expected(lambda rows: setwise.maps(rows, names)))
    for column, table in tables():
        assert pa.table(setwise.maps(table, names)).equals(wanted), column
