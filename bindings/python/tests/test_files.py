"""Tests packed records, pictures, stubs and the examples of the documentation."""

import doctest
import errno
import importlib
import json
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import chess
import pyarrow as pa
import pytest

import setwise

ROOT = Path(__file__).parents[3]


def marlin(board: chess.Board, score: int) -> bytes:
    """Packs a record of marlinformat, following its specification."""
    codes = []
    for square in chess.scan_forward(board.occupied):
        piece = board.piece_at(square)
        role = 6 if board.castling_rights & (1 << square) else piece.piece_type - 1
        codes.append(role | (0 if piece.color else 8))
    nibbles = bytearray(16)
    for i, code in enumerate(codes):
        nibbles[i // 2] |= code << 4 * (i % 2)
    turn = 0 if board.turn else 0x80
    en_passant = 64 if board.ep_square is None else board.ep_square
    return struct.pack("<Q16sBBHhBB", board.occupied, bytes(nibbles), turn | en_passant, board.halfmove_clock,
                       board.fullmove_number, score, 1, 0)


@pytest.fixture
def file(tmp_path, fens):
    path = tmp_path / "games.marlin"
    boards = [chess.Board(fen, chess960=True) for fen in fens]
    path.write_bytes(b"".join(marlin(board, i % 100) for i, board in enumerate(boards)))
    return path


def test_records_are_read_in_batches(file, fens, expected):
    assert [len(batch) for batch in setwise.read(file, batch_size=1 << 60)] == [len(fens)]
    batches = list(setwise.read(file, batch_size=999))
    assert [len(batch) for batch in batches][:-1] == [999] * (len(fens) // 999)
    for name in (*setwise.BOARDS, "turn", "halfmove_clock"):
        assert [value for batch in batches for value in batch[name].tolist()] == expected[name]
    assert batches[0]["score"].tolist() == [s if t == 0 else -s for s, t in
                                            zip([i % 100 for i in range(999)], expected["turn"])]


def test_records_are_a_stream_of_arrow(file, expected):
    table = pa.table(setwise.read(str(file), ["white_all", "checkers"], batch_size=1000))
    assert table["white_all"].to_pylist() == expected["white_all"]
    assert table["checkers"].to_pylist() == expected["checkers"]
    signed = pa.table(setwise.read(file, "white_all", signed=True, input_format="marlin"))
    assert signed.schema.field("white_all").type == pa.int64()
    assert setwise.read(file, "white_all").schema.names == ["white_all"]


def test_bad_records_are_named_and_nothing_before_them_is_lost(file, expected):
    records = bytearray(file.read_bytes())
    records[32 * 500 + 31 - 7] = 0x7F  # the square of en passant
    file.write_bytes(bytes(records) + b"abc")
    reader = setwise.read(file, ["white_all"], batch_size=100_000)
    assert next(reader)["white_all"].tolist() == expected["white_all"][:500]
    with pytest.raises(ValueError, match="games.marlin: .*501"):
        next(reader)
    assert next(reader)["white_all"].tolist() == expected["white_all"][501:]
    with pytest.raises(ValueError, match="32 bytes"):
        next(reader)
    with pytest.raises(StopIteration):
        next(reader)


def test_files_that_cannot_be_read(tmp_path):
    nothing = tmp_path / "nothing.bin"
    for call in (setwise.read, setwise.Loader, lambda path: setwise.Loader([__file__, str(path)])):
        with pytest.raises(FileNotFoundError) as caught:
            call(nothing)
        assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(nothing))
    for name, advice in (("some.txt", "pass its lines to `maps`"), ("some.csv", "pass its rows to `maps_table`")):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(ValueError, match=f"{name}: it is .*, not records or games; {advice}, or the file to `Loader`"):
            setwise.read(tmp_path / name)
    with pytest.raises(ValueError, match="it is a folder; pass its files"):
        setwise.read(tmp_path)
    with pytest.raises(ValueError, match="cannot infer the format from the file name.*`binpack`"):
        setwise.read(__file__)
    assert list(setwise.read(tmp_path / "some.txt", input_format="bin")) == []
    with pytest.raises(ValueError, match="score"):
        (tmp_path / "some.vf").write_bytes(b"")
        setwise.read(tmp_path / "some.vf", ["scores"])
    with pytest.raises(ValueError, match="at least 1"):
        setwise.read(tmp_path / "some.vf", batch_size=0)


def test_drawings(fens, expected):
    for i in range(0, 50, 10):
        drawing = setwise.show(fens[i], "black_all")
        lines = str(drawing).splitlines()
        board = str(chess.Board(fens[i])).splitlines()
        for rank in range(8):
            assert lines[1 + rank].startswith(f"{8 - rank}  {board[rank]}")
        crosses = "".join(line[22 + 3 :].replace(" ", "") for line in lines[1:9])
        squares = [8 * (7 - k // 8) + k % 8 for k in range(64)]
        assert sum(1 << s for s, c in zip(squares, crosses) if c == "x") == expected["black_all"][i]
        assert f"{expected['black_all'][i]:#018x}" in lines[-1]
    for name in ("black_all", "attackers", "threats", "checkers", "pawns"):
        picture = setwise.show("startpos", name)._repr_svg_()
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("svg") and len(list(root.iter())) > 100
    with pytest.raises(setwise.FenError, match="8 ranks"):
        setwise.show("4k3/8")
    with pytest.raises(ValueError, match="attackers"):
        setwise.show("startpos", "white_mobility_knight")


def test_the_version_is_that_of_the_library():
    assert f'\nversion = "{setwise.__version__}"' in (ROOT / "Cargo.toml").read_text()
    assert "wide" in setwise.backends()


def test_every_module_is_imported_without_what_it_does_not_need():
    program = """
import sys
for module in ("pyarrow", "polars", "pandas"):
    sys.modules[module] = None
import setwise
table = setwise.maps(["8/8/8/8/8/8/8/K7 w - - 0 1"])
assert table["white_all"].tolist() == [770], table["white_all"]
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_types(tmp_path):
    """mypy accepts the package and its stubs, and the stubs match the package."""
    package = Path(setwise.__file__).parent
    env = dict(os.environ)
    if "site-packages" not in package.parts:
        env["MYPYPATH"] = str(package.parent)
    for check in (["mypy", "--strict", "-p", "setwise"], ["mypy.stubtest", "setwise._setwise"]):
        subprocess.run([sys.executable, "-m", *check], check=True, cwd=tmp_path, env=env)


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_first_loop_of_the_page_has_types(tmp_path, checker):
    """The checkers accept the first example about training in their strict modes."""
    pytest.importorskip(checker)
    page = (ROOT / "docs" / "training.md").read_text()
    example = page.split("```python\n")[1].split("```")[0]
    assert "setwise.Loader(" in example and "for batch in loader:" in example
    check_types(tmp_path, checker, example, ("own, other = batch.inputs", "own, other = batch.input"))


def test_the_batches_of_torch_have_types(tmp_path):
    pytest.importorskip("pyright")
    pytest.importorskip("torch")
    example = """
import torch

from setwise import FeatureSet
from setwise.torch import Dataset, NnuePytorch

Dataset("data.binpack", FeatureSet("halfka-hm"))
for batch in Dataset("data.binpack", "halfka-hm", padded=64):
    white, black = batch["inputs"]
    scores: torch.Tensor = batch["score"]
    print(white, black, scores.shape, batch["white_all"].dtype)
for us, them, first, second, outcome, score, pieces in NnuePytorch("data.binpack"):
    both: torch.Tensor = us - them + first + second + outcome + score + pieces
"""
    check_types(tmp_path, "pyright", example, ('batch["score"]', 'batch["score"].nothing'))


def check_types(tmp_path, checker, example, change):
    """A checker accepts an example in its strict mode, and refuses it after a change."""
    (tmp_path / "loop.py").write_text(example)
    package = str(Path(setwise.__file__).parents[1])
    settings = {"typeCheckingMode": "strict", "extraPaths": [package], "include": ["loop.py"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = ["mypy", "--strict", "loop.py"] if checker == "mypy" else ["pyright", "--pythonpath", sys.executable]
    env = {**os.environ, "MYPYPATH": package} if "site-packages" not in package else None
    run = subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    (tmp_path / "loop.py").write_text(example.replace(*change))
    assert subprocess.run([sys.executable, "-m", *command], cwd=tmp_path, env=env, capture_output=True).returncode != 0


OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("module", ["setwise", *(f"setwise.{name}" for name in ("_error", "_features", "_loader", "_maps", "_moves", "_show", "polars"))])
def test_examples_of_the_documentation(module):
    of_module = importlib.import_module(module)
    failed, tried = doctest.testmod(of_module, extraglobs={"setwise": setwise}, optionflags=OPTIONS)
    assert tried and not failed


def test_the_readme_runs_as_it_stands(monkeypatch):
    """Runs the examples in the folder of the files that they read."""
    monkeypatch.chdir(ROOT)
    page = (ROOT / "bindings" / "python" / "README.md").read_text()
    examples = [text.split("```")[0] for text in page.split("```python\n")[1:]]
    assert len(examples) == 5
    for example in examples:
        assert 3 <= example.count("\n") <= 15
        exec(compile(example, "README.md", "exec"), {"__name__": "__main__"})


def test_the_recipe_for_hugging_face_keeps_nulls():
    """Runs the recipe of the readme, and compares the column that it adds."""
    datasets = pytest.importorskip("datasets")
    page = (ROOT / "bindings" / "python" / "README.md").read_text()
    example = page.split("**Hugging Face**")[1].split("```python\n")[1].split("```")[0]
    names = {}
    exec(compile(example, "README.md", "exec"), names)
    assert names["dataset"]["white_all"][:] == [*setwise.maps(names["dataset"]["fen"][:1], "white_all")["white_all"], None]
    rows = datasets.Dataset.from_dict({"fen": [None, None]}).with_format("arrow")
    assert rows.map(names["add_maps"], batched=True).with_format(None)["white_all"][:] == [None, None]


def test_the_tour_runs(tmp_path):
    """Runs the notebook from the first cell to the last."""
    import nbclient
    import nbformat

    notebook = nbformat.read(ROOT / "bindings" / "python" / "examples" / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png", "image/svg+xml"} <= kinds


def test_bad_records_can_be_left_out(file, expected):
    records = bytearray(file.read_bytes())
    records[32 * 500 + 31 - 7] = 0x7F  # the square of en passant
    file.write_bytes(records)
    for size in (100_000, 100, 500, 501):
        skipped = pa.table(setwise.read(file, ["white_all", "line"], errors="skip", batch_size=size))
        assert skipped["white_all"].to_pylist() == expected["white_all"][:500] + expected["white_all"][501:]
        assert skipped["line"].to_pylist()[498:502] == [499, 500, 502, 503]
        null = pa.table(setwise.read(file, "white_all", errors="null", batch_size=size))["white_all"].to_pylist()
        assert null == [*expected["white_all"][:500], None, *expected["white_all"][501:]]


def test_batches_are_positions(file, fens, expected):
    offset, boards = 0, setwise.pieces(fens)
    for batch in setwise.read(file, batch_size=700):
        rows = slice(offset, offset + len(batch))
        assert (setwise.attacks(batch) == setwise.attacks(boards[rows])).all()
        assert (setwise.threats(batch)[1] == setwise.threats(boards[rows])[1]).all()
        if offset == 0:
            assert (setwise.features(batch, padded=200)[1] == setwise.features(boards[rows], padded=200)[1]).all()
        offset += len(batch)
    assert offset == len(fens)


def test_several_maps_are_drawn_at_once(fens, expected):
    drawing = setwise.show(fens[3], ["white_all", "*_twice", "black_all"])
    for name in ("white_all", "white_twice", "black_twice", "black_all"):
        assert name in str(drawing) and f"{expected[name][3]:#018x}" in str(drawing)
        assert name in drawing._repr_svg_()
    default = setwise.show(fens[3])
    assert f"{expected['black_all'][3]:#018x}" in str(default)
    assert default._repr_svg_() == setwise.show(fens[3], "attackers")._repr_svg_()
    # Patterns select only what can be drawn.
    drawing = setwise.show(fens[3], "white_*")
    assert all(name in str(drawing) for name in ("white_all", "white_pinned", "white_count_0")) and "mobility" not in str(drawing)
    with pytest.raises(ValueError, match="no names"):
        setwise.show(fens[3], [])
    with pytest.raises(ValueError, match="not a set of squares"):
        setwise.show(fens[3], "threat*")
