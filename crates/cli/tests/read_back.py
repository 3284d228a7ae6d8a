"""Reads the program's output with NumPy and PyArrow, which share no code with it, and runs the Python
examples in README.md and docs/files.md.

    python3 crates/cli/tests/read_back.py target/release/setwise data/sample.epd

Without numpy and pyarrow, prints that the check is skipped and exits successfully.
"""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy
    import pyarrow
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet
except ImportError as missing:
    print(f"SKIPPED: the files were not read back in Python: {missing}")
    sys.exit(0)

program, positions = (Path(argument).resolve() for argument in sys.argv[1:3])
kinds = ["pawn", "knight", "bishop", "rook", "queen", "king", "all", "twice"]
names = [f"{side}_{kind}" for side in ("white", "black") for kind in kinds]
lines = [line for line in positions.read_text().splitlines() if line and line[0] != "#"]


def maps(output, *options):
    subprocess.run([program, "maps", "--quiet", positions, "-o", output, *options], check=True)
    return output


def check(table, first=()):
    assert table.column_names == [*first, *names], table.column_names
    numbers = table.select(names)
    assert {str(column.type) for column in numbers.columns} == {"uint64"}, numbers.schema
    assert all(column.null_count == 0 for column in table.columns)
    assert not any(field.nullable for field in table.schema)
    assert table.num_rows == len(lines)
    return numpy.column_stack([column.to_numpy() for column in numbers.columns])


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    array = numpy.load(maps(folder / "maps.npy"), allow_pickle=False)
    assert array.shape == (len(lines), 16), array.shape
    assert array.dtype == numpy.uint64 and array.flags["C_CONTIGUOUS"], array.dtype

    for compression in ("zstd", "lz4", "snappy", "none"):
        output = maps(folder / "maps.parquet", "--compression", compression)
        assert (check(pyarrow.parquet.read_table(output)) == array).all(), compression
    with_fen = pyarrow.parquet.read_table(maps(folder / "fen.parquet", "--columns", "fen,default"))
    assert (check(with_fen, ["fen"]) == array).all()
    assert with_fen["fen"].to_pylist() == lines

    with_fen = pyarrow.feather.read_table(maps(folder / "maps.feather", "--columns", "fen,default"))
    assert (check(with_fen, ["fen"]) == array).all()
    assert with_fen["fen"].to_pylist() == lines

    signed = pyarrow.parquet.read_table(maps(folder / "signed.parquet", "--signed"))
    assert {str(column.type) for column in signed.columns} == {"int64"}, signed.schema
    same = numpy.column_stack([column.to_numpy() for column in signed.columns])
    assert (same.view(numpy.uint64) == array).all()
    # Readers that guess types read signed numbers correctly.
    table = pyarrow.csv.read_csv(maps(folder / "signed.csv", "--signed"))
    same = numpy.column_stack([column.to_numpy() for column in table.columns])
    assert same.dtype == numpy.int64 and (same.view(numpy.uint64) == array).all()

    # Numbers from 2^63 on need the unsigned type stated.
    types = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.uint64()))
    table = pyarrow.csv.read_csv(maps(folder / "maps.csv"), convert_options=types)
    assert table.column_names == names
    assert (numpy.column_stack([column.to_numpy() for column in table.columns]) == array).all()

# Squares that are attacked twice are attacked.
columns = dict(zip(names, array.T, strict=True))
for side in ("white", "black"):
    assert (columns[f"{side}_twice"] & ~columns[f"{side}_all"] == 0).all()
print(f"numpy {numpy.__version__} and pyarrow {pyarrow.__version__} read {len(lines)} rows back")

root = Path(__file__).resolve().parents[3]
pages = [(root / page).read_text() for page in ("README.md", "docs/files.md")]
examples = [code for page in pages for code in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]
# The tests of the Python package run its examples.
examples = [example for example in examples if not re.search(r"^import setwise$", example, re.MULTILINE)]
assert len(examples) >= 5, "the pages have examples in Python"
ran = 0
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    maps("maps.parquet")
    maps("maps.csv", "--columns", "fen,default")
    maps("threats.parquet", "--columns", "threats")
    for example in examples:
        modules = ("duckdb", "pandas", "polars")
        missing = [name for name in modules if name in example and not importlib.util.find_spec(name)]
        if missing:
            print(f"SKIPPED: an example in Python: no {missing[0]}")
            continue
        found = {}
        exec(example, found)
        ran += 1
        if "planes" in found:
            assert found["planes"].shape == (len(lines), 8, 8)
            counts = [board.bit_count() for board in columns["white_all"].tolist()]
            assert found["planes"].sum(axis=(1, 2)).tolist() == counts
        if "meanings" in found:
            assert list(found["meanings"]) == names and all(found["meanings"].values())
        if "csv" in found:
            table = found["csv"] if hasattr(found["csv"], "column_names") else found["csv"].to_arrow()
            assert table.column_names == ["fen", *names]
            for name in names:
                assert table[name].to_pylist() == columns[name].tolist(), name
    os.chdir("/")
    print(f"ran {ran} examples in Python")
