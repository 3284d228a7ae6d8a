"""Batches for training, from files: ``setwise.Loader``."""

import dataclasses
import hashlib
import importlib
import json
import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _policy, _setwise, _tables
from ._report import Report, of_counts
from ._sampling import Sampling

Inputs = npt.NDArray[np.int32] | tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]


@dataclasses.dataclass(slots=True)
class Batch:
    """Rows of a ``Loader``, as arrays that may be written.

    Attributes
    ----------
    inputs
        The inputs of the two sides, if ``features`` is given: arrays of ``int32`` of shape [n, padded] with -1 after the
        last input, or ``(offsets, indices)`` as ``features`` returns them. ``None`` without ``features``.
    turn
        ``uint8``: the side to move, 0 = white. Bulletformat does not say: its boards are turned so that white is to move.
    piece_count
        ``uint8``: the number of pieces.
    score, result, ply
        ``int32``, ``int8`` and ``uint32``: evaluation and result for the side to move, half-moves since the start of the
        game. ``None`` if one of the files does not say.
    move
        ``uint16``: the move that was played or found best, as ``legal_moves`` has it; 0 if there is none. ``None`` unless
        ``labels`` has it, or ``policy`` is given.
    policy
        ``int64``: the class of the move, -1 where there is none. ``None`` without ``policy``.
    legal
        ``bool``: the classes of legal moves, shape [n, classes]. ``None`` without ``legal=True``.
    columns
        The columns that were requested, by name.
    """

    inputs: tuple[Inputs, Inputs] | None
    turn: npt.NDArray[np.uint8]
    piece_count: npt.NDArray[np.uint8]
    score: npt.NDArray[np.int32] | None
    result: npt.NDArray[np.int8] | None
    ply: npt.NDArray[np.uint32] | None
    move: npt.NDArray[np.uint16] | None
    policy: npt.NDArray[np.int64] | None
    legal: npt.NDArray[np.bool_] | None
    columns: dict[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.turn)


class Loader:
    """Batches for training, from files of positions. Nothing but numpy is needed.

    Iterate over it: ``for batch in setwise.Loader("data.binpack", features="stockfish-threats-2026-08", padded=128): ...``. Every
    batch is a ``Batch``. Each loop is the next epoch, in another order, also after a loop that was left early.

    Parameters
    ----------
    paths
        A file, or several, which may differ in format: packed records (``.bullet``, ``.data``, ``.marlin``, ``.vf``,
        ``.bin``, ``.binpack``, ``.plain``, ``.lc0``, and ``.tar`` with chunks of lc0), games (``.pgn``), text with a FEN in
        each line (``.fen``, ``.epd``, ``.txt``), and behind it ``| score | result`` as white sees them or nothing, and
        tables with a column of FENs, or of games called ``movetext`` (``.parquet``, ``.arrow``, ``.csv``, ``.jsonl``), which
        need pyarrow. Each may be compressed with gzip or zstd, except Parquet and Arrow. A folder stands for its files and
        those of its folders, in the order of their names.
        Also tables in memory: whatever has ``__arrow_c_stream__`` (tables of pyarrow and polars, data frames of pandas), and
        iterables of Arrow record batches, which are read to their end.
    features
        The feature set of the inputs, one of ``feature_sets()``; by default there are none. A position of text without
        exactly one king for each side has no inputs.
    columns
        Columns of single numbers to compute for each row, by name, pattern or preset. ``game_hash`` is that of ``split``.
    padded
        The width of rows of inputs, as in ``features``; by default inputs are lists with offsets.
    perspectives
        Whose inputs come first: ``"colours"`` for white and black, ``"mover"`` for the side to move and the other.
    batch_size
        The number of rows in a batch. The last of an epoch has fewer, unless ``drop_last``.
    shuffle
        The number of rows in the buffer for shuffling, which takes 56 bytes for each. Units of some thousand rows from all
        parts of the files come in a random order, and the rows in the buffer do. 0 keeps the order of the files. PGN,
        viriformat, ``.plain``, lc0 and small files of binpack are read once before the first batch, to find the units.
    seed
        Seeds both. Another epoch has another order.
    epochs
        How often a loop reads the files; ``None`` for ever.
    spill
        Compressed files, archives, and tables that are not in many small parts, cannot be entered in the middle. To shuffle one,
        its units are written to another file before the first batch, packed to about its size: by default to a temporary
        one. In a folder named here, they stay for other processes and later runs. ``False`` reads such files from the
        front to the end, with a warning: then only the buffer mixes their rows.
    shard
        ``(index, count)``: the loader takes every ``count``-th unit. What others take is not decoded. With the same
        arguments otherwise, the shards together have every row exactly once.
    where
        Conditions for rows, as in the module; ``left_out`` counts the rows of each. Rows are left out before anything is
        made of them. ``piece_count`` and ``capture`` are columns too. Tags of games can be named.
    split
        ``("train", 0.95)`` takes about that share of the games, and ``("test", 0.95)`` the others, by a hash of all positions
        of the game, whatever the seed, the shard and the file. Positions go by themselves where there are no games: in
        records of one size, text and tables of FENs. A game in binpack is a chain of positions that follow each other.
        It is a condition on the column ``game_hash``, and comes before those of ``where``.
    one_in
        Takes a row with probability ``1 / one_in``, which is decided by ``seed``, epoch and place; other records of one
        size, and lines, are not even decoded.
    sampling
        A ``Sampling``, or the name of one: ``"nnue-pytorch-2026-07"`` samples as that trainer does. It is decided by
        ``seed``, epoch and place, and steered by the rows of this shard, from the start of each epoch. ``sampled_out``
        counts the rows that it leaves out. A row is decided by its labels, ``one_in``, outcome and ply, then by the conditions
        of ``where``, then by its number of pieces, and counted once: where it is left out.
    report
        Counts rows for the method ``report``, by default if there is a ``sampling``.
    input_format
        The format of all files, if their names do not say: ``"text"``, ``"pgn"``, ``"bullet"``, ``"marlin"``, ``"viri"``,
        ``"bin"``, ``"binpack"``, ``"plain"``, ``"lc0"``, ``"parquet"``, ``"arrow"``, ``"csv"`` or ``"jsonl"``.
    preset
        The public data set whose columns tables have, or ``"none"``: ``"lichess-evals"``, ``"lichess-position-evaluations"``,
        ``"fishnet-evals"``, ``"lichess-games"``, ``"lichess-puzzles"``. By default it is found by the columns, unless
        ``fen_column`` or ``movetext_column`` is given; a warning says so. Names of folders such as ``year=2025`` are columns of
        these tables, for conditions. See the page on files for what each has.
    fen_column, movetext_column, score_column, mate_column, result_column, move_column
        The columns of tables that hold the FENs or the games, the scores, the moves to a mate where there is no score, the
        results, and the moves in UCI notation. Results are
        1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black. By default ``fen``, else ``movetext``;
        ``score``, ``cp`` or ``eval``, and ``mate`` beside the latter; ``result``, ``wdl``, ``outcome`` or ``winner``; ``move``;
        in upper or lower case.
        A warning says which are used. A mate in n is a score of 32000 - n. A row without a FEN is left out.
    scores_of, results_of
        The side of the scores of tables, and of the results if these are numbers: ``"mover"`` or ``"white"``. By default
        ``score`` and ``result`` are for the side to move, and ``cp``, ``eval`` and ``mate`` for white.
    loss_is
        The number of a lost game in a column of results, -1 or 0. It has to be said where the numbers leave a doubt.
    labels
        The labels that batches have: some of ``"score"``, ``"result"`` and ``"move"``, or ``[]``. By default the scores and
        the results, if every file has them.
    policy
        The encoding of moves of a policy network, one of ``policies()``: batches have ``move`` and its class, ``policy``.
    legal
        Whether they have the classes of the legal moves, too.
    on_missing
        What to do with a row without one of these, which conditions see as null: ``"raise"``, ``"skip"``, or a number to
        take instead. The default is ``"skip"`` if ``sampling`` finds placeholders of scores, else ``"raise"``. Missing are
        nulls of tables, results of ``*``, evaluations that a game does not have, and scores of 32002, which stand for
        none in Stockfish's data.
    errors
        What to do with an invalid line, record or game: ``"raise"``, ``"skip"``, or for games ``"keep"`` the positions up
        to there. Blocks of packed games cannot be read after an invalid move, so that raises in any case.
    backend
        See the module.
    threads
        The number of threads, by default one for each processor. The batches do not depend on it.

    A loader can be pickled, and copied to other processes by fork or spawn: the copy goes on from the same place.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "two.txt")
    >>> _ = file.write_text("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 | 530 | 1.0\\n4k3/8/8/8/8/8/r7/4K3 b - - 0 1 | -490 | 0.0\\n")
    >>> loader = setwise.Loader(file, features="stockfish-threats-2026-08", padded=8, batch_size=2)
    >>> for batch in loader:
    ...     print(batch.score, batch.result, batch.turn, batch.inputs[0].shape)
    [530 490] [1 1] [0 1] (2, 8)
    >>> loader = setwise.Loader(file, columns=["white_rook"], where=["turn = 1", "piece_count > 3"])
    >>> list(loader), loader.left_out
    ([], {'turn = 1': 1, 'piece_count > 3': 1})
    """

    def __init__(
        self,
        paths: Any,
        features: str | None = None,
        *,
        columns: str | Sequence[str] | None = None,
        padded: int | None = None,
        perspectives: Literal["colours", "mover"] = "colours",
        batch_size: int = 16_384,
        shuffle: int = 0,
        seed: int = 0,
        epochs: int | None = 1,
        spill: bool | str | os.PathLike[str] = True,
        shard: tuple[int, int] = (0, 1),
        where: str | Sequence[str] | None = None,
        split: tuple[Literal["train", "test"], float] | None = None,
        one_in: int = 1,
        sampling: Sampling | str | None = None,
        report: bool | None = None,
        drop_last: bool = False,
        input_format: str | None = None,
        preset: str | None = None,
        fen_column: str | None = None,
        movetext_column: str | None = None,
        score_column: str | None = None,
        mate_column: str | None = None,
        result_column: str | None = None,
        move_column: str | None = None,
        scores_of: Literal["mover", "white"] | None = None,
        results_of: Literal["mover", "white"] | None = None,
        loss_is: Literal[-1, 0] | None = None,
        labels: str | Sequence[str] | None = None,
        policy: str | None = None,
        legal: bool = False,
        on_missing: Literal["raise", "skip"] | int | None = None,
        errors: Literal["raise", "skip", "keep"] = "raise",
        backend: str | None = None,
        threads: int | None = None,
    ) -> None:
        of = self._arguments = {name: value for name, value in locals().items() if name != "self"}
        is_one = isinstance(paths, (str, os.PathLike)) or _tables.is_table(paths)
        files = _tables.in_memory([paths] if is_one else list(paths))
        if isinstance(sampling, str):
            of["sampling"] = sampling = Sampling.named(sampling)
        split = of.pop("split")
        where = [*([] if split is None else [_condition(*split)]), *_listed(where), *(sampling.where if sampling else ())]
        if on_missing is None:
            on_missing = "raise" if sampling is None or sampling.placeholder_zeros is None else "skip"
        of |= {
            "paths": [file for path in files for file in _tables.files(path)],
            "columns": _listed(columns),
            "spill": spill if isinstance(spill, bool) else os.fspath(spill),
            "shard": (int(shard[0]), int(shard[1])),
            "where": where,
            "report": sampling is not None if report is None else bool(report),
            "labels": None if labels is None else _listed(labels),
            "on_missing": on_missing if isinstance(on_missing, str) else int(on_missing),
        }
        for name, least in (("batch_size", 1), ("shuffle", 0), ("one_in", 1), ("seed", 0), ("epochs", 0)):
            if (value := of[name]) is not None and not least <= value < 1 << 63:
                raise ValueError(f"`{name}` must be at least {least}, and below 2 ** 63, found {value}")
        if padded is not None and padded < 1:
            raise ValueError(f"`padded` is a width of at least 1, found {padded}")
        if padded is not None and features is None:
            raise ValueError("`padded` is the width of inputs: name a set of them with `features`")
        if perspectives not in ("colours", "mover"):
            raise ValueError(f"`perspectives` is `colours` or `mover`, found `{perspectives}`")
        if errors not in ("raise", "skip", "keep"):
            raise ValueError(f"`errors` is `raise` or `skip`, and for games `keep`, found `{errors}`")
        for name, side in (("scores_of", scores_of), ("results_of", results_of)):
            if side not in (None, "mover", "white"):
                raise ValueError(f"`{name}` is `mover` or `white`, found `{side}`")
        if loss_is not in (None, -1, 0):
            raise ValueError(f"`loss_is` is -1 or 0, found {loss_is!r}")
        if wrong := set(of["labels"] or ()) - {"score", "result", "move"}:
            raise ValueError(f"`labels` are `score`, `result` and `move`, found `{min(wrong)}`")
        if policy is not None:
            _policy.size(policy)
        elif legal:
            raise ValueError("`legal` has the classes of an encoding of moves: name it with `policy`")
        if on_missing not in ("raise", "skip") and not (isinstance(on_missing, int) and -(2**31) < on_missing < 2**31):
            raise ValueError(f"`on_missing` is `raise`, `skip` or a number, found {on_missing!r}")
        for path in of["paths"]:
            _tables.size(path)  # an error that names the file
        self._core = self._open()
        _say(self._core.decided if scores_of is None or results_of is None or preset is None else [])
        if shuffle and spill is False and (streams := self._core.streams()):
            names = ", ".join(str(path) for path in streams)
            warnings.warn(
                f"without `spill`, {names} can only be read from the front to the end: a row is mixed with those about "
                f"{shuffle:,} rows around it",
                stacklevel=2,
            )

    def _open(self) -> _setwise.Loader:
        of = self._arguments
        index, count = of["shard"]
        if not 0 <= index < count:
            raise ValueError(f"`shard` is an index and the number of shards above it, found {(index, count)}")
        features = ["white_features", "black_features"] if of["features"] is not None else []
        columns = [name for name in of["columns"] if name != "game_hash"]
        labels = ["*"] if of["labels"] is None else [*of["labels"]]
        labels += ["game_hash"] * ("game_hash" in of["columns"]) + ["move"] * (of["policy"] is not None)
        query = _setwise.Query(
            [*features, *columns, *self._for_policy], of["features"], of["errors"], True, of["backend"], of["threads"], of["where"]
        )
        tables = [_tables.table_of(path, of["input_format"], of["fen_column"]) for path in of["paths"]]
        spills = self._spills() if of["spill"] else None
        sampling = None if of["sampling"] is None else dataclasses.astuple(of["sampling"])
        arguments = {**of, "tables": tables, "labels": labels, "spills": spills, "sampling": sampling}
        return _setwise.Loader(query, arguments)

    def _spills(self) -> tuple[list[str], bool]:
        """Paths for the units of files, and whether they stay. If so, the name tells what is in them."""
        of = self._arguments
        stay = of["spill"] is not True
        folder = of["spill"] if stay else tempfile.gettempdir()
        paths: list[str] = []
        for path in of["paths"]:
            file: tuple[Any, ...] = id(path), _tables.size(path)
            if isinstance(path, str):
                file = os.path.abspath(path), _tables.size(path), os.stat(path).st_mtime_ns
            key = *file, *(of[name] for name in _OF_UNITS), _ORDER
            name = hashlib.sha256(repr(key).encode()).hexdigest()[:16] if stay else f"{id(self):x}-{len(paths)}"
            paths.append(os.path.join(folder, f"setwise-{name}.units"))
        return paths, stay

    @property
    def _for_policy(self) -> list[str]:
        """The columns that a policy needs besides those that are asked for."""
        of = self._arguments
        if of["policy"] is None:
            return []
        package = importlib.import_module(__package__)
        return [name for name in (*package.BOARDS, *package.STATE[1:]) if name not in of["columns"]]

    def with_shard(self, index: int, count: int) -> "Loader":
        """A loader with the same arguments for another shard, at its start."""
        other = object.__new__(Loader)
        other._arguments = {**self._arguments, "shard": (index, count)}
        other._core = other._open()
        return other

    def __iter__(self) -> Iterator[Batch]:
        """The batches of the next epochs. The first loop after ``load_state_dict``, ``skip`` or a copy goes on from there."""
        self._core.begin_loop()
        self._loop = loop = object()
        return self._batches(loop)

    def _batches(self, loop: object) -> Iterator[Batch]:
        while True:
            if self._loop is not loop:
                raise RuntimeError("a new loop over this loader has begun, so this one cannot go on")
            if (arrays := self._core.next_batch()) is None:
                return
            named = {name: arrays.pop(name, None) for name in _FIELDS}
            yield Batch(**named, **self._classes(named, arrays), columns=arrays)

    def _classes(self, named: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
        """What a policy is trained with. Removes the columns that are there for it alone."""
        of = self._arguments
        if of["policy"] is None:
            return {"policy": None, "legal": None}
        package = importlib.import_module(__package__)
        boards = np.stack([arrays[name].view(np.uint64) for name in package.BOARDS], axis=1)
        options = {
            "state": [named["turn"], *(arrays[name] for name in package.STATE[1:])],
            "backend": of["backend"],
            "threads": of["threads"],
        }
        for name in self._for_policy:
            del arrays[name]
        return {
            "policy": package.policy_index(boards, named["move"], of["policy"], errors="null", **options),
            "legal": package.policy_mask(boards, of["policy"], **options) if of["legal"] else None,
        }

    def skip(self, batches: int) -> bool:
        """Passes over batches without making their inputs, and lets the next loop go on there. False if there are fewer."""
        return self._core.skip(batches)

    def restart(self) -> None:
        """Goes back to the start of the first epoch. Counts start from 0."""
        self._core.resume()

    @property
    def epoch(self) -> int:
        """The epoch of the latest batch, from 0; after the last batch, the number of epochs."""
        return self._core.epoch

    @property
    def left_out(self) -> dict[str, int]:
        """How many of the rows that have been read each condition of ``where`` left out. ``one_in`` and the outcome and ply of
        ``sampling`` come before."""
        return dict(zip(self._arguments["where"], self._core.counts["left_out"]))

    @property
    def missing(self) -> int:
        """How many of the rows that have been read had a label missing, and were skipped or completed."""
        return sum(self._core.counts["left_out"][len(self._arguments["where"]) :])

    @property
    def not_sampled(self) -> int:
        """How many of the rows with labels that have been read ``one_in`` left out, before the conditions of ``where``."""
        return self._core.counts["not_sampled"]

    @property
    def sampled_out(self) -> dict[str, int]:
        """How many of the rows that have been read ``sampling`` left out: by the outcome, then by the ply, and after the
        conditions of ``where`` by the number of pieces."""
        return dict(zip(("outcome", "ply", "pieces"), self._core.counts["sampled"]))

    def report(self) -> Report:
        """The rows that have been read and have their labels, by ply, number of pieces and result; and of these the ones in
        batches, which are left by ``one_in``, ``sampling`` and ``where``. Print it for a picture; notebooks draw one.

        Where ``one_in`` decides before a row is decoded, what it leaves out is not seen.

        Raises
        ------
        ValueError
            If rows are not counted.
        """
        if not self._arguments["report"]:
            raise ValueError("rows are not counted: set `report=True`")
        return of_counts(self._core.counts["tally"])

    @property
    def invalid(self) -> int:
        """How many lines, records or games have been skipped as invalid, or kept in part."""
        return self._core.counts["invalid"]

    def _fingerprint(self) -> str:
        """What the order of rows depends on."""
        free = ("threads", "backend", "epochs", "columns", "features", "padded", "perspectives", "paths", "spill",
                "policy", "legal")
        of = {name: value for name, value in self._arguments.items() if name not in free}
        of["order"] = [_ORDER, self._arguments["spill"] is not False]
        of["sampling"] = repr(of["sampling"])
        of["files"] = [(os.path.basename(path), _tables.size(path)) for path in self._arguments["paths"]]
        return hashlib.sha256(json.dumps(of, sort_keys=True).encode()).hexdigest()[:16]

    def state_dict(self) -> dict[str, Any]:
        """Where the loader is, as plain numbers: behind the batch that was returned last. It is small, whatever the
        buffer."""
        return {**self._core.state(), "of": self._fingerprint()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """The next loop goes on behind the batch at which ``state_dict`` was called, with the same batches as then, and
        those after it with the next epochs. One filling of the buffer is read again; what lies before it is not.

        Raises
        ------
        ValueError
            If the state is of a loader with other files, another order, or other rows.
        """
        if state.get("of") != self._fingerprint():
            raise ValueError("the state is of a loader with other files or other arguments")
        self._core.resume(state)

    def __getstate__(self) -> dict[str, Any]:
        return {"arguments": self._arguments, "state": self.state_dict()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._arguments = state["arguments"]
        self._core = self._open()
        self.load_state_dict(state["state"])

    def __repr__(self) -> str:
        of = self._arguments
        files = f"{len(of['paths'])} files" if len(of["paths"]) != 1 else repr(os.fspath(of["paths"][0]))
        return f"<setwise.Loader: {files}, batches of {of['batch_size']}, shard {of['shard'][0]} of {of['shard'][1]}>"


# Changes when units or their order do: states and kept units of other versions are not used.
_ORDER = 5

# The arguments on which the rows of a unit depend.
_OF_UNITS = ("input_format", "preset", "fen_column", "movetext_column", "score_column", "mate_column", "result_column",
             "move_column", "scores_of", "results_of", "loss_is", "labels", "where", "sampling")


def _listed(names: str | Sequence[str] | None) -> list[str]:
    """Names as a list, of which one may stand alone."""
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _condition(part: str, share: float) -> str:
    """The condition for a part of the games."""
    if part not in ("train", "test"):
        raise ValueError(f"`split` is `train` or `test` and a share, found `{part}`")
    if not 0 < share < 1:
        raise ValueError(f"`split` has the share of `train`, above 0 and below 1, found {share}")
    return f"game_hash {'<' if part == 'train' else '>='} {min(int(share * 2**64), 2**64 - 1)}"


_said: set[str] = set()


def _say(decided: list[str]) -> None:
    """Says once where the labels of tables come from."""
    for line in decided:
        if line not in _said and multiprocessing.parent_process() is None:
            _said.add(line)
            warnings.warn(line, stacklevel=3)


_FIELDS = ("inputs", "turn", "piece_count", "score", "result", "ply", "move")
