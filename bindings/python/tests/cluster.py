"""Runs ``setwise.spark``, ``.ray`` and ``.daft`` on real clusters: processes of this machine, on its loopback interface.

    python bindings/python/tests/cluster.py                                  # all three: two minutes on two free cores
    python bindings/python/tests/cluster.py spark --figures --rows 2000000   # speed, and times of the steps

- Spark: a master, and two workers of one core each. The job runs twice; the second time, one worker and its executor
  are killed while it runs.
- Ray: two nodes of one core each, which run Ray Data and Daft. Ray's job runs twice; the second time, the processes of
  one node's tasks are killed while it runs.
- Daft without a cluster: one process.

Every output is compared row by row with the output of one process for the same files. Needs setwise, pyarrow,
`pyspark[sql]` with Java 17 or later, `ray[data]`, daft, and Linux, because processes are found in /proc.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import resource
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import setwise

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "sample.epd"

# The programs of docs/cluster.md: they read the folder of the first argument and write that of the second.
JOBS = {
    "spark": """
import setwise.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
setwise.spark.maps(spark.read.parquet(source)).write.parquet(output)
spark.stop()
""",
    "ray": """
import ray
import setwise.ray

ray.init()
maps = setwise.ray.maps(source)
maps.write_parquet(output)
print(maps.stats())
""",
    "daft": """
import daft
import setwise.daft

games = daft.read_parquet(source + "/*.parquet", file_path_column="path")
setwise.daft.maps(games, file_column="path").exclude("path").write_parquet(output)
""",
}
FILES = 16
SECONDS = 900  # the timeout of a step
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # for processes too short for the optimizing compiler


# Processes


def processes() -> dict[int, tuple[int, float]]:
    """Lists all processes of this machine with their parent and the CPU time of themselves and their dead children."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        ticks = sum(map(int, fields[11:15]))
        found[int(path.parent.name)] = int(fields[1]), ticks / os.sysconf("SC_CLK_TCK")
    return found


def descendants(ancestor: int) -> list[int]:
    """Lists all descendants of a process; parents come before children."""
    parents = processes()
    found = [ancestor]
    for pid in found:  # the list grows
        found += [child for child, (parent, _) in parents.items() if parent == pid]
    return found[1:]


def kill(pids: list[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def cpu_seconds() -> float:
    """Returns the CPU time of all processes that this script has started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = processes()
    running = sum(found[pid][1] for pid in descendants(os.getpid()) if pid in found)
    return used.ru_utime + used.ru_stime + running


class Group:
    """Processes, each with a log. At the end of the group they are killed, together with all their descendants."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.environment = environment

    def __enter__(self) -> Group:
        self.folder.mkdir()
        return self

    def __exit__(self, *_: object) -> None:
        # The next round finds processes that were started in the meantime.
        while left := descendants(os.getpid()):
            kill(left)
            reap()

    def start(self, name: str, *command: object) -> subprocess.Popen[bytes]:
        with self.log(name).open("wb") as log:
            return subprocess.Popen(
                [str(word) for word in command],
                cwd=self.folder,
                env=os.environ | self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def job(self, job: str) -> Path:
        """Writes the program of a job."""
        path = self.folder / f"{job}_job.py"
        path.write_text("import sys\n\n_, source, output = sys.argv\n" + JOBS[job])
        return path

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def wait_for(self, name: str, pattern: str, process: subprocess.Popen[bytes]) -> str:
        """Waits until a process logs a pattern, and returns the pattern's group."""
        for _ in until(SECONDS):
            if found := re.search(pattern, self.log(name).read_text(errors="replace")):
                return found[1]
            if process.poll() is not None:
                break
        self.fail(name, f"no '{pattern}'")

    def finish(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Waits until a process has ended successfully."""
        try:
            status = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.fail(name, f"not done after {SECONDS} s")
        if status != 0:
            self.fail(name, f"ended with {status}")

    def fail(self, name: str, why: str) -> NoReturn:
        log = self.log(name).read_text(errors="replace")
        raise SystemExit(f"{log[-6000:]}\n{name}: {why}")


def reap() -> None:
    """Reaps processes that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
    time.sleep(0.05)


def until(seconds: float) -> Iterator[None]:
    """Yields ten times a second until the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.1)


# Input and expected output


def make_input(folder: Path, positions: Path, rows: int) -> pyarrow.Table:
    """Writes files of positions with additional columns, one of them without rows. Returns all rows."""
    lines = [line for line in positions.read_text().splitlines() if line and line[0] != "#"]
    ids = range(rows)
    table = pyarrow.table(
        {
            "id": pyarrow.array(ids, pyarrow.int64()),
            "fen": [None if i % 997 == 5 else lines[i % len(lines)] for i in ids],
            "rating": pyarrow.array([None if i % 7 == 0 else i % 3000 for i in ids], pyarrow.int16()),
            "moves": pyarrow.array([["e2e4", "e7e5", str(i)][: i % 4] for i in ids]),
        }
    )
    folder.mkdir()
    in_a_file = -(-rows // (FILES - 1))
    for file in range(FILES):
        part = table.slice(file * in_a_file, in_a_file)
        pyarrow.parquet.write_table(part, folder / f"{file:03}.parquet")
    return table


def difference(expected: pyarrow.Table, output: pyarrow.Table) -> str | None:
    """Describes the first error of an output, whose rows may have any order, or returns ``None``."""
    if output.column_names != expected.column_names:
        return f"columns {output.column_names}, expected {expected.column_names}"
    if output.num_rows != expected.num_rows:
        return f"{output.num_rows} rows, expected {expected.num_rows}"
    output = output.sort_by("id")
    for name in expected.column_names:
        theirs, ours = output[name], expected[name]
        if pyarrow.types.is_integer(ours.type) and theirs.type != ours.type:
            return f"{name} is {theirs.type}, expected {ours.type}"
        # Text and lists have several Arrow types for the same values.
        if not theirs.cast(ours.type).equals(ours):
            pairs = zip(theirs.to_pylist(), ours.to_pylist(), strict=True)
            row, (their, our) = next((row, pair) for row, pair in enumerate(pairs) if pair[0] != pair[1])
            return f"{name} of row {row} is {their!r}, expected {our!r}"
    return None


def differences_are_found(expected: pyarrow.Table) -> None:
    """Tests that each kind of fault is detected."""
    few = expected.slice(0, 1000)
    assert difference(few, few.take(list(reversed(range(1000))))) is None
    last = few.num_columns - 1
    wrong = few[last].to_pylist()
    wrong[500] += 1
    other = few[last].cast("uint64", safe=False)
    faults = {
        "a row is missing": few.slice(1),
        "a row is there twice": few.take([*range(1000), 500]),
        "a row is there instead of another": few.take([*range(999), 0]),
        "a value is wrong": few.set_column(last, few.field(last), [wrong]),
        "a column is missing": few.drop_columns(["moves"]),
        "a column has another type": few.set_column(last, few.column_names[last], other),
    }
    for fault, table in faults.items():
        assert difference(few, table) is not None, fault


def check(name: str, expected: pyarrow.Table, output: Path) -> None:
    if wrong := difference(expected, pyarrow.dataset.dataset(output).to_table()):
        raise SystemExit(f"{name}: {wrong}")
    print(f"{name}: {expected.num_rows} rows, all as expected", flush=True)


# One process


def one_process(source: Path, output: Path) -> dict[str, float]:
    """Computes the output in this process, from file to file with two threads, and measures the time of each step."""
    output.mkdir()
    spent = {"read": 0.0, "compute": 0.0, "write": 0.0}

    def timed(part: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        start = time.perf_counter()
        result = function(*arguments, **options)
        spent[part] += time.perf_counter() - start
        return result

    def convert(file: Path) -> None:
        table = timed("read", pyarrow.parquet.read_table, file, use_threads=False)
        maps = timed("compute", setwise.maps_table, table, signed=True, threads=1)
        timed("write", pyarrow.parquet.write_table, pyarrow.table(maps), output / file.name)

    start, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(convert, sorted(source.iterdir())))
    return spent | {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}


# Spark


class Spark:
    """A master and two workers of one core each."""

    def __init__(self, group: Group, figures: bool) -> None:
        self.group = group
        self.figures = figures
        self.home = Path(group.environment["SPARK_HOME"])
        master = self.daemon("master", "master.Master")
        self.master = group.wait_for("master", r"Starting Spark master at (spark://\S+)", master)
        options = "--cores", 1, "--memory", "1g"
        self.workers = []
        for name in ("worker-1", "worker-2"):
            work = "--work-dir", group.folder / name
            self.workers.append(self.daemon(name, "worker.Worker", *options, *work, self.master))
        for name, worker in zip(("worker-1", "worker-2"), self.workers, strict=True):
            group.wait_for(name, "(Successfully registered)", worker)

    def daemon(self, name: str, kind: str, *arguments: object) -> subprocess.Popen[bytes]:
        address = "--host", "127.0.0.1", "--port", 0, "--webui-port", 0
        command = self.home / "bin/spark-class", f"org.apache.spark.deploy.{kind}"
        return self.group.start(name, *command, *address, *arguments)

    def submit(self, name: str, source: Path, output: Path) -> subprocess.Popen[bytes]:
        self.events = self.group.folder / f"{name}-events"
        self.events.mkdir()
        configuration = {
            # No task starts before both executors are registered.
            "spark.cores.max": 2,
            "spark.scheduler.minRegisteredResourcesRatio": 1,
            "spark.scheduler.maxRegisteredResourcesWaitingTime": f"{SECONDS}s",
            # One task per file.
            "spark.sql.files.maxPartitionBytes": max(file.stat().st_size for file in source.iterdir()),
            "spark.driver.extraJavaOptions": QUICK,
            "spark.executor.extraJavaOptions": "" if self.figures else QUICK,
            "spark.ui.port": 0,
            "spark.eventLog.enabled": True,
            "spark.eventLog.dir": self.events.as_uri(),
            "spark.eventLog.compress": False,
            "spark.eventLog.rolling.enabled": False,
        }
        options = [word for item in configuration.items() for word in ("--conf", "=".join(map(str, item)))]
        command = self.home / "bin/spark-submit", "--master", self.master, *options
        return self.group.start(name, *command, self.group.job("spark"), source, output)

    def wait_for_tasks(self, name: str, job: subprocess.Popen[bytes], enough: int) -> None:
        """Waits until both executors have finished tasks, and together at least ``enough``."""
        port = self.group.wait_for(name, r"Successfully started service 'SparkUI' on port (\d+)", job)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def get(path: str) -> Any:
            with opener.open(f"http://127.0.0.1:{port}/api/v1/applications{path}", timeout=10) as answer:
                return json.load(answer)

        for _ in until(SECONDS):
            if job.poll() is not None:
                break
            try:
                application = get("")[0]["id"]
                executors = get(f"/{application}/executors")
            except (OSError, IndexError, ValueError):  # not yet available, or already gone
                continue
            done = [executor["completedTasks"] for executor in executors if executor["id"] != "driver"]
            if len(done) == 2 and min(done) > 0 and sum(done) >= enough:
                return
        self.group.fail(name, f"never saw {enough} tasks of two executors end")

    def report(self, name: str) -> Report:
        (log,) = self.events.iterdir()
        return Report([json.loads(line) for line in log.read_text().splitlines()])


class Report:
    """The data in Spark's event log about a job."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        ended = [event for event in events if event["Event"] == "SparkListenerTaskEnd"]
        # The stage that does the work; another stage reads the schema of the input.
        stage = statistics.mode(event["Stage ID"] for event in ended)
        self.tasks = [event for event in ended if event["Stage ID"] == stage]
        self.done = [task for task in self.tasks if task["Task End Reason"]["Reason"] == "Success"]
        self.removed = [event for event in events if event["Event"] == "SparkListenerExecutorRemoved"]
        self.first = min(task["Task Info"]["Launch Time"] for task in self.tasks) / 1000
        self.last = max(task["Task Info"]["Finish Time"] for task in self.done) / 1000

    def seconds(self, metric: str) -> float:
        """Sums a metric in milliseconds over the successful tasks."""
        found = [
            int(item["Update"])
            for task in self.done
            for item in task["Task Info"]["Accumulables"]
            if item["Name"] == metric and "Update" in item
        ]
        assert found, f"Spark has no metric '{metric}'"
        return sum(found) / 1000


def spark(folder: Path, source: Path, signed: pyarrow.Table, figures: bool) -> None:
    import pyspark

    environment = {
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "SPARK_CONF_DIR": str(folder / "spark"),
        "SPARK_LOCAL_DIRS": str(folder / "spark" / "scratch"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
    }
    with Group(folder / "spark", **environment) as group:
        began = time.perf_counter()
        cluster = Spark(group, figures)
        print(f"Spark: master and workers are up after {time.perf_counter() - began:.1f} s", flush=True)

        submitted, cpu = time.time(), cpu_seconds()
        group.finish("job", cluster.submit("job", source, folder / "spark-maps"))
        ended, cpu = time.time(), cpu_seconds() - cpu
        check("Spark", signed, folder / "spark-maps")
        report = cluster.report("job")
        assert len(report.done) == len(report.tasks) and not report.removed
        assert len({task["Task Info"]["Executor ID"] for task in report.done}) == 2, "one executor did nothing"
        alone = one_process(source, folder / "alone")
        check("one process", signed, folder / "alone")
        print_figures(report, submitted, ended, cpu, alone)

        job = cluster.submit("killed", source, folder / "spark-killed-maps")
        cluster.wait_for_tasks("killed", job, FILES // 3)
        worker = cluster.workers.pop()
        kill([worker.pid, *descendants(worker.pid)])
        group.finish("killed", job)
        check("Spark with a worker killed", signed, folder / "spark-killed-maps")
        assert not list((folder / "spark-killed-maps").glob("_temporary"))
        print_killed(cluster.report("killed"))


def print_figures(report: Report, submitted: float, ended: float, cpu: float, alone: dict[str, float]) -> None:
    run = report.seconds("internal.metrics.executorRunTime")
    scan, python = report.seconds("scan time"), report.seconds("time to execute Python code")
    job = report.last - report.first
    print(
        f"  Spark, two workers of one core: {ended - submitted:.1f} s, of which start"
        f" {report.first - submitted:.1f}, tasks {job:.1f}, end {ended - report.last:.1f}; {cpu:.1f} s of CPU\n"
        f"    in the tasks {run:.1f} s: reading {scan:.1f}, Python {python:.1f},"
        f" the rest (hand over, write) {run - scan - python:.1f}\n"
        f"  one process, two threads: {alone['seconds']:.2f} s; {alone['cpu']:.2f} s of CPU\n"
        f"    in the threads: reading {alone['read']:.2f}, computing {alone['compute']:.2f},"
        f" writing {alone['write']:.2f}\n"
        f"  Spark's throughput per core beside one process: {alone['seconds'] / job:.3f} in the tasks,"
        f" {alone['seconds'] / (ended - submitted):.3f} from start to end, {alone['cpu'] / cpu:.3f} by CPU",
        flush=True,
    )


def print_killed(report: Report) -> None:
    """Prints what happened to the tasks, and checks that the worker was killed while there was work for it."""
    (removed,) = (event for event in report.removed if event["Timestamp"] / 1000 < report.last)
    dead, when = removed["Executor ID"], removed["Timestamp"]
    of_dead = [task for task in report.done if task["Task Info"]["Executor ID"] == dead]
    before = [task for task in report.done if task["Task Info"]["Finish Time"] <= when]
    lost = len(report.tasks) - len(report.done)
    assert of_dead and set(map(id, of_dead)) <= set(map(id, before))
    assert FILES // 3 <= len(before) <= FILES - FILES // 4, f"{len(before)} of {FILES} tasks were done"
    print(
        f"  killed after {len(before)} of {len(report.done)} tasks, {len(of_dead)} of which it had done;"
        f" {lost} lost and run again by the other worker; lost because: {removed['Removed Reason']}",
        flush=True,
    )


# Ray and Daft


def ray_cluster(group: Group) -> tuple[str, int]:
    """Starts two nodes of one core each on two addresses of the loopback interface. Returns an address and a node."""
    options = "--num-cpus", 1, "--object-store-memory", 300_000_000, "--block"
    ray = Path(sys.executable).with_name("ray")
    at = "--head", "--port=0", "--node-ip-address", "127.0.0.2", "--include-dashboard=false"
    folder = "--temp-dir", group.environment["RAY_TMPDIR"]
    head = group.start("head", ray, "start", *at, *folder, *options)
    address = group.wait_for("head", r"--address='([^']+)'", head)
    to = "--address", address, "--node-ip-address", "127.0.0.3"
    node = group.start("node", ray, "start", *to, *options)
    group.wait_for("node", "(Ray runtime started)", node)
    return address, node.pid


def start(group: Group, name: str, job: str, source: Path, output: Path) -> subprocess.Popen[bytes]:
    return group.start(name, sys.executable, group.job(job), source, output)


def run(group: Group, name: str, job: str, source: Path, output: Path) -> None:
    group.finish(name, start(group, name, job, source, output))


def kill_tasks(group: Group, node: int, name: str, job: subprocess.Popen[bytes], output: Path) -> None:
    """Kills the processes of a node's tasks when a quarter of the output is there."""
    for _ in until(SECONDS):
        if job.poll() is not None:
            break
        if len(list(output.glob("*.parquet"))) < FILES // 4:
            continue
        tasks = [pid for pid in descendants(node) if b"ray::" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        if tasks:
            kill(tasks)
            done = len(list(output.glob("*.parquet")))
            print(f"  killed {len(tasks)} processes of one node when {done} of {FILES} files were written", flush=True)
            return
    group.fail(name, "it ended before its tasks could be killed")


def ray(folder: Path, source: Path, unsigned: pyarrow.Table, _: bool) -> None:
    # The folder has a short name, because paths of sockets are limited. Ray's ports are open to the network, so they
    # require a token.
    with tempfile.TemporaryDirectory(prefix="ray-") as sockets:
        environment = {
            "RAY_TMPDIR": sockets,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            "DO_NOT_TRACK": "true",
        }
        with Group(folder / "ray", **environment) as group:
            group.environment["RAY_ADDRESS"], node = ray_cluster(group)
            run(group, "ray-job", "ray", source, folder / "ray-maps")
            check("Ray Data", unsigned, folder / "ray-maps")
            # The job prints statistics: a line with the operator, then lines with stars.
            if not re.search(r"_of_file.*(?:\n\*.*)*; 2 nodes used", group.log("ray-job").read_text()):
                group.fail("ray-job", "the maps were not computed on two nodes")
            output = folder / "ray-killed-maps"
            job = start(group, "ray-killed", "ray", source, output)
            kill_tasks(group, node, "ray-killed", job, output)
            group.finish("ray-killed", job)
            check("Ray Data with tasks killed", unsigned, output)
            group.environment["DAFT_RUNNER"] = "ray"
            run(group, "daft-job", "daft", source, folder / "daft-on-ray-maps")
            check("Daft on Ray", unsigned, folder / "daft-on-ray-maps")


def daft(folder: Path, source: Path, unsigned: pyarrow.Table, _: bool) -> None:
    with Group(folder / "daft", DO_NOT_TRACK="true") as group:
        run(group, "daft-job", "daft", source, folder / "daft-maps")
        check("Daft", unsigned, folder / "daft-maps")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("which", nargs="*", help="spark, ray, daft; all of them by default")
    arguments.add_argument("--positions", type=Path, default=SAMPLE, help="a file of FENs, one a line")
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--figures", action="store_true", help="let Spark compile as well as it can")
    chosen = arguments.parse_args()
    parts = {"spark": spark, "ray": ray, "daft": daft}
    if unknown := set(chosen.which) - set(parts):
        arguments.error(f"unknown: {', '.join(unknown)}")
    # Orphaned processes become children of this one, so that all of them are found.
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))

    with tempfile.TemporaryDirectory(prefix="setwise-cluster-") as name:
        folder = Path(name)
        table = make_input(folder / "in", chosen.positions, chosen.rows)
        signed, unsigned = (
            pyarrow.table(setwise.maps_table(table, signed=signed)) for signed in (True, False)
        )
        differences_are_found(signed)
        for part in chosen.which or parts:
            start = time.perf_counter()
            parts[part](folder, folder / "in", signed if part == "spark" else unsigned, chosen.figures)
            print(f"{part}: {time.perf_counter() - start:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
