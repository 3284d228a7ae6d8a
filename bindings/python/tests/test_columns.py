"""Compares columns with the library's catalogue (names, types and meanings), and tests their selection."""

import re
from pathlib import Path

import chess
import numpy as np
import pyarrow as pa
import pytest

import setwise

ROOT = Path(__file__).parents[3]
SET = "stockfish-threats-2026-08"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def documented(page):
    """Yields the table rows of a page that begin with a name."""
    for line in (ROOT / "docs" / page).read_text().splitlines():
        if line.startswith("| `"):
            yield [cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def arrow(type_):
    """Parses a type in the notation of the catalogue's page."""
    if type_.startswith("list of"):
        return pa.large_list(pa.field("item", arrow(type_.removeprefix("list of ").strip("`")), nullable=False))
    if found := re.fullmatch(r"(\d+) × `?(u\d+)`?", type_):
        return pa.list_(pa.field("item", arrow(found[2]), nullable=False), int(found[1]))
    return {"u8": pa.uint8(), "u16": pa.uint16(), "u32": pa.uint32(), "u64": pa.uint64()}[type_]


def test_all_columns_of_the_catalogue_are_there():
    columns = setwise.columns()
    rows = [row for row in documented("columns.md") if len(row) == 4]
    assert len(rows) >= 85 and len({row[0] for row in rows}) == len(rows)
    for name, type_, needs, meaning in rows:
        assert columns[name] == meaning
        field = pa.schema(setwise.schema(name, feature_set=SET)).field(name)
        assert field.metadata[b"description"] == meaning.encode()
        assert field.type == arrow(type_), name
        assert (b"feature_set" in field.metadata) == ("feature set" in needs)
    # In addition, there are the fields of a FEN, which the other tests compare with python-chess.
    given = {"fen", "line", "rest", *setwise.BOARDS, "piece_count", "material", "turn", "castling_white", "castling_black",
             "en_passant", "halfmove_clock", "fullmove_number"}
    assert set(columns) == {row[0] for row in rows} | given


def test_every_column_comes_out_of_a_position():
    names = list(setwise.columns())
    table = setwise.maps([START], names, feature_set=SET)
    assert table.column_names == names
    assert table.schema == setwise.schema(names, feature_set=SET)
    row = table.to_pyarrow().to_pylist()[0]
    assert (row["fen"], row["line"], row["rest"], row["en_passant"]) == (START, 1, "", None)
    assert (row["castling_white"], row["castling_black"], row["fullmove_number"]) == (0x81, 0x81, 1)


def test_presets_and_patterns_choose_columns():
    presets = {row[0]: row[2] for row in documented("columns.md") if len(row) == 3 and row[0] != "name"}
    assert {"default", "all", "counts", "mobility", "rings"} <= set(presets)
    for preset in presets:
        assert len(setwise.schema(preset)) > 4
    assert setwise.schema("default") == setwise.schema()
    assert setwise.schema(["white_all", "*_all"]).names == ["white_all", "black_all"]
    assert set(setwise.schema("board").names) == {*setwise.BOARDS, "turn"}
    assert len(setwise.schema("*_count_*")) == len(setwise.schema("counts")) == 10
    with pytest.raises(ValueError, match="`nothing_\\*`; `setwise.columns"):
        setwise.schema("nothing_*")
    with pytest.raises(ValueError, match="`feature_set` to one of .*`stockfish-threats-2026-08`"):
        setwise.schema("white_features")
    with pytest.raises(ValueError, match="`stockfish`.*`stockfish-threats-2026-08`"):
        setwise.schema("white_features", feature_set="stockfish")


def test_every_backend_gives_the_same(fens):
    names = ["default", "checkers", "threats", "black_features"]
    fens = fens[:300]
    table = setwise.maps(fens, names, feature_set=SET, backend="scalar").to_pyarrow()
    backends = setwise.backends()
    assert backends[0] == "scalar" and len(backends) > 2
    for backend in backends[1:]:
        assert setwise.maps(fens, names, feature_set=SET, backend=backend).to_pyarrow() == table
    assert (setwise.attacks(setwise.pieces(fens), backend="wide") == setwise.attacks(setwise.pieces(fens))).all()
    with pytest.raises(ValueError, match="no backend is called `sse`"):
        setwise.maps(fens, backend="sse")


def test_lists_are_columns_like_others(fens):
    table = setwise.maps([*fens, None], ["threats", "white_features", "black_features"], feature_set=SET)
    offsets, pairs = table.lists("threats")
    expected = setwise.threats([*fens, None])
    assert offsets.tolist() == expected[0].tolist() and pairs.tolist() == expected[1].tolist()
    assert not offsets.flags.writeable and expected[0].flags.writeable and expected[1].flags.writeable
    for name, (offsets, inputs) in zip(("white_features", "black_features"), setwise.features([*fens, None])):
        assert table.lists(name)[0].tolist() == offsets.tolist()
        assert table.lists(name)[1].tolist() == inputs.tolist()
        assert inputs.flags.writeable
    rows = slice(37, 99)
    offsets, pairs = table[rows].lists("threats")
    assert [pairs[a:b].tolist() for a, b in zip(offsets, offsets[1:])] == table.to_pyarrow()["threats"][rows].to_pylist()
    two = setwise.maps_table(pa.concat_tables([pa.table({"fen": fens[:50]}), pa.table({"fen": fens[50:]})]), "threats")
    assert two.lists("threats")[0].tolist() == table[: len(fens)].lists("threats")[0].tolist()
    # Null rows of a caller's column may have items.
    marks = pa.LargeListArray.from_arrays([0, 3, 5, 9], pa.array(range(9)), mask=pa.array([False, True, False]))
    table = setwise.maps_table(pa.table({"fen": fens[:3], "marks": marks}), "checkers")
    assert [array.tolist() for array in table.lists("marks")] == [[0, 3, 3, 7], marks.flatten().to_pylist()]
    with pytest.raises(TypeError, match="not lists"):
        setwise.maps(fens[:1]).lists("white_all")


def test_attackers_of_each_square(fens):
    """Compares with python-chess; batteries are walked ray by ray."""
    boards = [chess.Board(fen, chess960=True) for fen in fens[:300]]
    sides = ((chess.WHITE, "white"), (chess.BLACK, "black"))
    for backend in setwise.backends():
        names = [f"{side}_{kind}" for kind in ("attackers", "battery_attackers") for _, side in sides]
        table = setwise.maps(fens[:300], names, backend=backend, threads=2)
        for colour, side in sides:
            plain, battery = table[f"{side}_attackers"], table[f"{side}_battery_attackers"]
            assert plain.shape == (300, 64) and plain.dtype == np.uint8
            for row, board in enumerate(boards):
                expected = [len(board.attackers(colour, square)) for square in range(64)]
                assert plain[row].tolist() == expected
                for square, behind in hidden(board, colour):
                    expected[square] += behind
                assert battery[row].tolist() == expected


def hidden(board, colour):
    """Yields each square once for each slider that attacks it only through sliders of its colour on the same line."""
    for steps, roles in (((1, 8), (chess.ROOK, chess.QUEEN)), ((7, 9), (chess.BISHOP, chess.QUEEN))):
        sliders = [square for role in roles for square in board.pieces(role, colour)]
        for square in sliders:
            for step in [*steps, *(-step for step in steps)]:
                last, through = square, False
                while 0 <= (to := last + step) < 64 and chess.square_distance(last, to) == 1:
                    if through:
                        yield to, 1
                    if board.piece_at(to) and to not in sliders:
                        break
                    through = through or to in sliders
                    last = to


def test_patterns():
    every, of_white = setwise.schema("*").names, setwise.schema("white_*").names
    assert every == setwise.schema("all").names and len(every) > 90
    # Lists and arrays, but not the inputs of networks, which need a feature set.
    assert {"white_all", "white_attackers", "white_mobility_king"} <= set(of_white)
    assert not [name for name in of_white if name.endswith(("_features", "_squares"))]
    inputs = setwise.schema("*_features", feature_set="halfka-hm").names
    assert inputs == ["white_features", "black_features"]
    # Texts have neither the captures en passant nor the evaluations of games.
    assert setwise.maps([START], ["e*", "mat*"]).to_pyarrow().column_names == ["en_passant", "material"]


def test_numbers_of_squares(fens):
    names = ["white_all", "black_pinned", "checkers"]
    table = setwise.maps(fens, [*names, *(f"{name}_squares" for name in names)])
    for name in names:
        squares = table[f"{name}_squares"]
        assert squares.dtype == np.uint8 and (squares == np.bitwise_count(table[name])).all()
    assert "white_all_squares" not in setwise.schema("white_*").names
    assert setwise.schema("white_a*_squares").names == ["white_all_squares"]
    kept = setwise.maps(fens, "white_all_squares", where="white_all_squares > 30")["white_all_squares"]
    expected = table["white_all_squares"]
    assert kept.tolist() == expected[expected > 30].tolist() and 0 < len(kept) < len(fens)
    boards = setwise.pieces(fens)
    assert (setwise.maps(boards, "white_all_squares")["white_all_squares"] == expected).all()
