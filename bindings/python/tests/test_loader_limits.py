"""What a ``Loader`` needs of the system: few open files, however many it reads; and Ctrl-C stops it at once."""

import gzip
import json
import re
import signal
import subprocess
import sys
import textwrap

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import setwise

FEN = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 {}"
GAME = '[Event "{}"]\n\n1. e4 {{ [%eval 0.{}] }} e5 {{ [%eval 0.2] }} 1-0\n\n'
FILES = 100


def write(folder, kind):
    for number in range(1, FILES + 1):
        path, score = folder / f"{number:03}.{kind}", number
        line = f"{FEN.format(number)} | {score} | 1.0\n"
        table = pa.table({"fen": [FEN.format(number)], "score": [score], "result": [1]})
        if kind == "txt":
            path.write_text(line)
        elif kind == "txt.gz":
            path.write_bytes(gzip.compress(line.encode()))
        elif kind in ("pgn", "pgn.gz"):
            text = GAME.format(number, number % 9 + 1).encode()
            path.write_bytes(gzip.compress(text) if kind.endswith("gz") else text)
        elif kind == "parquet":
            pa.parquet.write_table(table, path)
        elif kind == "arrow":
            pa.feather.write_feather(table, path, compression="uncompressed")
        elif kind == "csv":
            path.write_text(f"fen,score,result\n{FEN.format(number)},{score},1\n")
        else:
            path.write_text(json.dumps(table.to_pylist()[0]) + "\n")


@pytest.mark.parametrize("kind", ["txt", "txt.gz", "pgn", "pgn.gz", "parquet", "arrow", "csv", "jsonl"])
def test_many_files_need_few_descriptors(tmp_path, kind):
    """Reads a hundred files where a process may have forty open."""
    (tmp_path / "in").mkdir()
    (tmp_path / "spill").mkdir()
    write(tmp_path / "in", kind)
    options = {"scores_of": "mover", "results_of": "mover", "preset": "none", "loss_is": -1} if "." not in kind else {}
    if kind in ("txt", "pgn"):
        options = {}
    run = f"""
        import resource, sys, warnings
        import setwise
        warnings.simplefilter("ignore")
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
        # One loader after another, and both at once.
        held = []
        for more in ({{}}, {{"shuffle": 1000}}, {{"shuffle": 1000, "spill": {str(tmp_path / "spill")!r}}},
                     {{"shuffle": 1000, "spill": False}}):
            for _ in range(2):
                loader = setwise.Loader({str(tmp_path / "in")!r}, **more, **{options!r}, on_missing="skip", threads=1)
                rows = sorted(score for batch in loader for score in batch.score.tolist())
                held.append(loader)
            print(len(rows), sum(rows))
        assert "pyarrow" not in sys.modules
    """
    env = {"PYTHONPATH": ":".join(sys.path), "OMP_NUM_THREADS": "1", "PATH": ""}
    found = subprocess.run([sys.executable, "-c", textwrap.dedent(run)], capture_output=True, text=True, env=env)
    assert found.returncode == 0, found.stderr
    expected = {"pgn": (2 * FILES, None), "pgn.gz": (2 * FILES, None)}.get(kind, (FILES, FILES * (FILES + 1) // 2))
    lines = [tuple(map(int, line.split())) for line in found.stdout.splitlines()]
    assert len(lines) == 4 and len({*lines}) == 1
    assert lines[0][0] == expected[0] and expected[1] in (None, lines[0][1])


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
@pytest.mark.parametrize("call, expected", [
    ("setwise.features([sys.argv[1]] * 20_000, padded=65_535)", "MemoryError: .*Unable to allocate"),
    ("list(setwise.Loader(sys.argv[2], 'nnue-pytorch-2026-07', padded=65_535, batch_size=1 << 30))",
     "ValueError: no memory for 1310700000 numbers .*`batch_size`"),
])  # fmt: skip
def test_rows_without_memory_are_an_error(tmp_path, call, expected):
    """Padded rows of 5 GB where a process may have 3 GB."""
    path = tmp_path / "many.txt"
    path.write_text(f"{FEN.format(1)} | 5 | 1.0\n" * 20_000)
    limit = f"import resource, sys, setwise; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)); {call}"
    found = subprocess.run([sys.executable, "-c", limit, FEN.format(1), path], capture_output=True, text=True)
    assert re.search(expected, found.stderr.splitlines()[-1]), found.stderr


def test_ctrl_c_in_the_first_batch_is_a_keyboard_interrupt(tmp_path):
    """A signal is pending when the first array is made, which imports numpy's interface for other languages."""
    (tmp_path / "one.txt").write_text(f"{FEN.format(1)} | 5 | 1.0\n" * 2000)
    run = f"""
        import os, signal
        import setwise
        loader = setwise.Loader({str(tmp_path / "one.txt")!r}, batch_size=1000)
        # Deliver the signal within the call: a blocked signal is pending as soon as it is unblocked by another thread.
        import threading, time
        for delay in range(20):
            try:
                loader = setwise.Loader({str(tmp_path / "one.txt")!r}, batch_size=1000, shuffle=2000)
                thread = threading.Timer(delay / 20000, lambda: os.kill(os.getpid(), signal.SIGINT))
                thread.start()
                for batch in loader:
                    pass
                while True:
                    time.sleep(1)
            except KeyboardInterrupt:
                thread.join()
        print("done")
    """
    env = {"PYTHONPATH": ":".join(sys.path)}
    found = subprocess.run([sys.executable, "-c", textwrap.dedent(run)], capture_output=True, text=True, env=env)
    assert (found.returncode, found.stdout) == (0, "done\n"), found.stderr


def test_the_interface_of_numpy_is_imported_with_the_package():
    """Runs with a signal pending: an array is made in a call that a signal does not leave."""
    run = """
        import signal
        import numpy as np
        import setwise
        # `from_vec` imports `numpy._core.multiarray` at its first use; by then it must be done.
        import sys
        class Blocked:
            def find_spec(self, name, path=None, target=None):
                raise AssertionError(f"imported {name}")
        names = [name for name in sys.modules if name.startswith("numpy._core.multiarray") or name.startswith("numpy.core")]
        for name in names:
            del sys.modules[name]
        sys.meta_path.insert(0, Blocked())
        boards = setwise._setwise.lists(setwise._setwise.Positions(["8/8/8/8/8/8/8/K6k w - - 0 1"]),
                                        setwise._query._query("threats"), None)
        print(boards[0][0][0].tolist())
    """
    env = {"PYTHONPATH": ":".join(sys.path)}
    found = subprocess.run([sys.executable, "-c", textwrap.dedent(run)], capture_output=True, text=True, env=env)
    assert (found.returncode, found.stdout) == (0, "[0, 0]\n"), found.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_the_filling_of_the_buffer(tmp_path, interrupted, threads):
    """While the buffer fills, and while units are found."""
    line = f"{FEN.format(1)} | 5 | 1.0\n"
    (tmp_path / "many.txt").write_text(line * 2_000_000)
    files = [tmp_path / "many.txt"] * 16  # no processor reads them within the time
    loader = setwise.Loader(files, shuffle=1 << 21, threads=threads, where="white_mobility_bishop > 100")
    with interrupted():
        next(iter(loader))
    (tmp_path / "many.txt.gz").write_bytes(gzip.compress((line * 500_000).encode(), 1))
    loader = setwise.Loader([tmp_path / "many.txt.gz"] * 32, shuffle=1000, threads=threads)
    with interrupted():
        next(iter(loader))
    signal.setitimer(signal.ITIMER_REAL, 0)
