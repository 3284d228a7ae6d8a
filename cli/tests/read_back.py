"""Reads what the program writes with NumPy and PyArrow, which share no code with it, and runs the README's
examples for pandas and polars.

    python3 cli/tests/read_back.py target/release/setwise data/sample.epd

Without Python's numpy and pyarrow there is nothing to do: that is said aloud, and is no failure.
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
    with_fen = pyarrow.parquet.read_table(maps(folder / "fen.parquet", "--with-fen"))
    assert (check(with_fen, ["fen"]) == array).all()
    assert with_fen["fen"].to_pylist() == lines

    with_fen = pyarrow.feather.read_table(maps(folder / "maps.arrow", "--with-fen"))
    assert (check(with_fen, ["fen"]) == array).all()
    assert with_fen["fen"].to_pylist() == lines

    # Numbers above 2^63 need to be told that they have no sign.
    types = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.uint64()))
    table = pyarrow.csv.read_csv(maps(folder / "maps.csv"), convert_options=types)
    assert table.column_names == names
    assert (numpy.column_stack([column.to_numpy() for column in table.columns]) == array).all()

# A fact that anybody can check: squares that are attacked twice are attacked.
columns = dict(zip(names, array.T, strict=True))
for side in ("white", "black"):
    assert (columns[f"{side}_twice"] & ~columns[f"{side}_all"] == 0).all()
print(f"numpy {numpy.__version__} and pyarrow {pyarrow.__version__} read {len(lines)} rows back")

readme = (Path(__file__).resolve().parents[2] / "README.md").read_text()
examples = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
assert len(examples) >= 2, "the README has examples in Python"
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    maps("maps.parquet")
    for example in examples:
        missing = [name for name in ("pandas", "polars") if name in example and not importlib.util.find_spec(name)]
        if missing:
            print(f"SKIPPED: an example of the README: no {missing[0]}")
            continue
        found = {}
        exec(example, found)
        if "planes" in found:
            assert found["planes"].shape == (len(lines), 8, 8)
            counts = [board.bit_count() for board in columns["white_all"].tolist()]
            assert found["planes"].sum(axis=(1, 2)).tolist() == counts
    os.chdir("/")
    print(f"ran {len(examples)} examples of the README")
