"""Signal handlers, other threads and forks while a call is running. Programs that hang are ended by their timeout."""

import os
import subprocess
import sys
import textwrap

import pyarrow as pa
import pytest

import setwise

START = """
    import faulthandler, os, pickle, resource, signal, sys, threading, time, warnings
    import pyarrow as pa
    import setwise

    faulthandler.dump_traceback_later(60, exit=True)
    warnings.simplefilter("ignore")
    record = bytes.fromhex("1000000000000010d50000000000000000000000000000004000010019000100")

    def slow():
        '''Returns a pipe from which a thread sends records for a second.'''
        def send():
            with open("slow.marlin", "wb", buffering=0) as file:
                for _ in range(100):
                    file.write(record * 1000)
                    time.sleep(0.01)
        if not os.path.exists("slow.marlin"):
            os.mkfifo("slow.marlin")
        threading.Thread(target=send).start()
        return "slow.marlin"

    def refused(call):
        try:
            call()
        except RuntimeError as error:
            assert "a signal handler cannot wait" in str(error)
            return True

    def on_signals(handler):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
"""


def run(folder, program):
    command = [sys.executable, "-c", textwrap.dedent(START) + textwrap.dedent(program)]
    env = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    found = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_a_signal_handler_saves_the_state(tmp_path):
    """During a call, it gets the state after the latest batch. Calls that change the loader raise an error."""
    program = """
        open("some.marlin", "wb").write(record * 300_000)
        loader = setwise.Loader("some.marlin", "halfka-hm", batch_size=5000, where="score > 1000 or score < 1000")
        done, saved = 0, []

        def save(*_):
            if refused(lambda: loader.skip(0)):
                assert refused(loader.restart) and refused(lambda: loader.load_state_dict(loader.state_dict()))
                assert loader.epoch == 0 and loader.left_out == {"score > 1000 or score < 1000": 0}
                saved.append((done, loader.state_dict(), pickle.dumps(loader)))

        on_signals(save)
        while len(saved) < 5:
            done = 0
            for batch in loader:
                done += 1
            loader.restart()
        signal.setitimer(signal.ITIMER_REAL, 0)
        for done, state, copy in saved:
            assert state["place"][1] == done
            assert sum(1 for batch in pickle.loads(copy)) == 60 - done
            loader.load_state_dict(state)
            assert sum(1 for batch in loader) == 60 - done
        print("done")
    """
    assert run(tmp_path, program) == "done\n"


def test_counts_of_a_reader_are_known_during_a_call(tmp_path):
    """In a signal handler, which cannot read on, and in another thread."""
    program = """
        reader = setwise.read(slow(), ["white_all"], where="score > 1000")
        seen = []

        def count(*_):
            if refused(lambda: next(reader, None)):
                seen.append(reader.left_out[0])

        on_signals(count)
        assert list(reader) == [] and reader.left_out == [100_000]
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert seen and seen == sorted(seen)

        reader = setwise.read(slow(), ["white_all"], where="score > 1000")
        thread = threading.Thread(target=lambda: list(reader))
        thread.start()
        while thread.is_alive():
            seen.append(reader.left_out[0])
        assert reader.left_out == [100_000]
        print("done")
    """
    assert run(tmp_path, program) == "done\n"


def test_a_signal_ends_the_wait_for_another_thread(tmp_path):
    """The other thread waits for records that nobody sends."""
    program = """
        def stop(*_):
            raise KeyboardInterrupt

        os.mkfifo("slow.marlin")
        os.write(end := os.open("slow.marlin", os.O_RDWR), record)
        source = setwise.read("slow.marlin", ["fen"])
        threading.Thread(target=lambda: list(source), daemon=True).start()
        time.sleep(0.5)
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            next(source)
        except KeyboardInterrupt:
            print("done", flush=True)
            os._exit(0)
    """
    assert run(tmp_path, program) == "done\n"


def test_streams_that_need_other_threads_of_python(tmp_path):
    """A file of Python that Arrow reads in its threads, and a reader that another thread uses. Signals are handled."""
    program = """
        import pyarrow.dataset, pyarrow.parquet
        pa.parquet.write_table(pa.table({"fen": ["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"] * 2000}), "t.parquet", row_group_size=100)
        file = pa.PythonFile(open("t.parquet", "rb"), mode="r")
        fragment = pa.dataset.ParquetFileFormat().make_fragment(file)
        assert len(setwise.maps_table(fragment.scanner(batch_size=100).to_reader(), ["white_all"])) == 2000

        reader = setwise.read(slow(), ["fen"], batch_size=1000, where="score < 1000")
        rows = []
        thread = threading.Thread(target=lambda: rows.extend(len(table) for table in reader))
        thread.start()
        time.sleep(0.1)
        here = len(setwise.maps_table(reader, ["white_all"]))
        thread.join()
        assert sum(rows) + here == 100_000

        def stop(*_):
            raise KeyboardInterrupt

        reader = setwise.read(slow(), ["fen"], batch_size=1000)
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            setwise.maps_table(reader, ["white_all"])
        except KeyboardInterrupt:
            assert 0 < sum(len(table) for table in reader) < 100_000
            print("done")
    """
    assert run(tmp_path, program) == "done\n"


def test_a_fork_while_another_thread_reads(tmp_path):
    """The child continues after the latest batch, also if its first call fails."""
    program = """
        open("some.marlin", "wb").write(record * 300_000)
        loader = setwise.Loader("some.marlin", "halfka-hm", batch_size=5000, epochs=None)
        batches, done, is_over = iter(loader), 0, False

        def read():
            global done
            while not is_over:
                next(batches)
                done += 1

        thread = threading.Thread(target=read)
        thread.start()
        for _ in range(3):
            least = done + 5
            while done < least:
                time.sleep(0.001)
            if (child := os.fork()) == 0:
                signal.alarm(30)
                first = loader.state_dict()["place"][1]
                limits = resource.getrlimit(resource.RLIMIT_NOFILE)
                resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
                try:
                    loader.skip(0)
                    os._exit(3)
                except OSError:
                    resource.setrlimit(resource.RLIMIT_NOFILE, limits)
                assert loader.state_dict()["place"][1] == first >= least
                next(iter(loader))
                assert loader.state_dict()["place"][1] == first + 1
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        is_over = True
        print("done")
    """
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    assert run(tmp_path, program) == "done\n"


def test_a_reader_belongs_to_its_process(tmp_path):
    """A child takes no rows from its parent, also if the parent is just reading."""
    program = """
        open("some.marlin", "wb").write(record * 300_000)
        for threads in (0, 1):
            reader, read = setwise.read("some.marlin", ["white_all"], batch_size=5000), [0]

            def rest():
                read[0] += sum(len(batch) for batch in reader)

            read[0] += len(next(reader))
            thread = threading.Thread(target=rest)
            if threads:
                thread.start()
            if (child := os.fork()) == 0:
                signal.alarm(30)
                for call in (lambda: next(reader), lambda: pa.table(reader)):
                    try:
                        call()
                        os._exit(3)
                    except Exception as error:
                        assert "opened in another process" in str(error), error
                del reader
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
            thread.join() if threads else rest()
            assert read == [300_000], read
        print("done")
    """
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    assert run(tmp_path, program) == "done\n"


def test_arrow_data_passed_twice():
    class Twice:
        def __init__(self):
            self.capsules = pa.array(["4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    column = Twice()
    assert len(setwise.maps(column, ["white_all"])) == 1
    with pytest.raises(ValueError, match="already passed"):
        setwise.maps(column, ["white_all"])
