"""Training batches from files: ``setwise.Loader``."""

import dataclasses
import json
import multiprocessing
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _policy, _setwise, _tables
from ._features import PADDED
from ._moves import policy_index, policy_mask
from ._query import check_range, listed
from ._report import Report, of_counts
from ._sampling import Sampling
from ._setwise import FeatureSet

Inputs = npt.NDArray[np.int32] | tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]


@dataclasses.dataclass(slots=True)
class Batch:
    """A batch of a ``Loader``: one writable array per quantity.

    Attributes
    ----------
    inputs
        The inputs of the two sides: ``int32`` arrays of shape [n, padded] with -1 after the last input, or
        ``(offsets, indices)`` as in ``features``. ``None`` without ``features``.
    turn
        ``uint8``: the side to move, 0 = white. Always 0 in bulletformat, whose boards are flipped so that white is to
        move.
    piece_count
        ``uint8``: the number of pieces.
    score, result, ply
        ``int32``, ``int8`` and ``uint32``: evaluation and result for the side to move, and half-moves since the start
        of the game. ``None`` if one of the files lacks it.
    move
        ``uint16``: the move that was played or found best, encoded as in ``legal_moves``; 0 for no move. ``None``
        unless ``labels`` includes it or ``policy`` is given.
    policy
        ``int64``: the class of the move, -1 for no class. ``None`` without ``policy``.
    legal
        ``bool``: the mask of legal moves, shape [n, classes]; empty for an invalid position. ``None`` without
        ``legal=True``.
    columns
        The requested columns, by name.
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
    """Loads training batches from files of positions. Needs only numpy.

    Iterate over it with ``for batch in loader``. Every batch is a ``Batch``. Each loop is the next epoch and is
    shuffled differently, even if you left the previous loop early.

    Parameters
    ----------
    paths
        One or several files, which may differ in format: packed records (``.bullet``, ``.data``, ``.marlin``, ``.vf``,
        ``.bin``, ``.binpack``, ``.plain``, ``.lc0``, and ``.tar`` with chunks of lc0); games (``.pgn``), with evaluations
        in comments (``[%eval 0.31]``, or ``+0.31/12 1.2s`` of engines, with a warning); text with one FEN per line,
        optionally followed by ``| score | result`` for white or by ``[1.0] 32`` (``.fen``, ``.epd``, ``.txt``); and
        tables with a column of FENs, or of games called ``movetext`` (``.parquet``, ``.arrow``, ``.csv``, ``.jsonl``).
        All formats except Parquet, which is compressed inside, may be compressed with gzip or zstd. A folder means all files in it and
        its subfolders, in the order of their names. Tables in memory are accepted too: objects with
        ``__arrow_c_stream__`` (tables of pyarrow and polars, data frames of pandas), data sets of Hugging Face, and
        iterables of Arrow record batches, which are read completely.
    features
        The feature set of the inputs: one of ``feature_sets()``, several joined by ``+``, or a ``FeatureSet``. By default,
        batches have no inputs. A position in a text file without exactly one king per side has no inputs.
    columns
        Numeric columns to compute from boards, side to move, castling rights and en passant square, by name, pattern or
        preset. ``game_hash`` is the hash that ``split`` uses. Other columns, such as clocks, are only for ``where``.
    padded
        The width of padded rows of inputs, as in ``features``. By default, inputs are lists with offsets.
    perspectives
        The order of the two sides' inputs: ``"colours"`` for white, then black; ``"mover"`` for the side to move first.
    batch_size
        The number of rows per batch. The last batch of an epoch may have fewer; ``drop_last=True`` drops such a batch.
    shuffle
        The number of rows in the shuffle buffer, which needs 56 bytes per row. Units of some thousand rows from all
        parts of the files are read in a random order, and the rows in the buffer are shuffled. 0 keeps the order of the
        files. PGN, viriformat, ``.plain``, lc0 and small binpack files are read once before the first batch to find
        their units.
    seed
        The seed for shuffling, ``one_in`` and ``sampling``. Every epoch is shuffled differently.
    epochs
        The number of times that a loop reads the files; ``None`` repeats forever.
    fixed
        Give every epoch the same rows in the same order, for validation. By default each epoch is shuffled differently,
        and ``one_in`` and ``sampling`` select other rows.
    batches
        The number of batches of each loop, so that all ranks of distributed training have equally many. A loop reads
        the files as often as necessary, whatever ``epochs`` says, and all its batches are complete. The rows of a small
        shard are repeated more often than those of a large one.
    spill
        Compressed files, archives, and tables that do not consist of many small parts cannot be read from the middle.
        To shuffle such a file, its units are written to another file before the first batch, compressed to about the
        original size. ``True`` uses a temporary file. The path of a folder keeps the units there for other processes
        and later runs; those of a table in memory serve only copies of the loader. ``False`` reads such files
        sequentially, with a warning: then only the buffer shuffles their rows.
    shard
        ``(index, count)``: read every ``count``-th unit, starting with unit ``index``. The units of other shards are
        not decoded. With otherwise equal arguments, the shards together cover every row exactly once. The numbers of
        rows differ: a warning says so if there are few units per shard, and ``batches`` makes loops equally long.
    where
        Conditions for rows, as in the module. ``left_out`` counts the rows that each condition drops. Conditions are
        evaluated before inputs and columns are computed. They can also use ``piece_count``, ``capture`` and tags of
        games.
    split
        ``("train", 0.95)`` selects about that share of the games, and ``("test", 0.95)`` the others. Games are
        assigned by a hash of all their positions, so the split does not depend on seed, shard or file. Fixed-size
        records, ``.plain``, text and tables of FENs do not record games: their positions are assigned one by one. In
        binpack, a game is a chain of consecutive positions. The split is a condition on the column ``game_hash``, evaluated
        before those of ``where``.
    one_in
        Keep a row with probability ``1 / one_in``, decided by ``seed``, epoch and the row's index. Dropped fixed-size
        records and lines are not even decoded.
    sampling
        A ``Sampling`` or the name of one: ``"nnue-pytorch-2026-07"`` samples like that trainer. Random numbers depend
        on ``seed``, epoch and the row's index. The distribution of piece counts is steered separately in each shard
        and epoch. ``sampled_out`` counts the dropped rows. Labels, ``one_in``, outcome and ply are tested first, then
        the conditions of ``where``, then the number of pieces. Each dropped row is counted once.
    report
        Count rows for the method ``report``. The default is ``True`` with ``sampling``, else ``False``.
    input_format
        The format of all files, by default determined by their extensions: ``"text"``, ``"pgn"``, ``"bullet"``,
        ``"marlin"``, ``"viri"``, ``"bin"``, ``"binpack"``, ``"plain"``, ``"lc0"``, ``"parquet"``, ``"arrow"``,
        ``"csv"`` or ``"jsonl"``.
    preset
        The public data set whose schema the tables have: ``"lichess-evals"``, ``"lichess-position-evaluations"``,
        ``"fishnet-evals"``, ``"lichess-games"``, ``"lichess-puzzles"``, or ``"none"``. By default it is recognised by
        the columns, with a warning, unless ``fen_column`` or ``movetext_column`` is given. Folder names such as
        ``year=2025`` are columns of these tables for use in conditions. ``docs/files.md`` in the repository describes
        the columns of each.
    fen_column, movetext_column, score_column, mate_column, result_column, move_column
        The columns of tables for FENs, games, scores, moves to mate (used for rows without a score), results, and moves
        in UCI notation. By default ``fen``, else ``movetext``; ``score``, or else ``cp`` or ``eval`` with ``mate``;
        ``result``, ``wdl``, ``outcome`` or ``winner``; and ``move``, in upper or lower case. A warning names the
        columns used. Results are 1, 0, -1; or 1.0, 0.5, 0.0; or 1-0, 1/2-1/2, 0-1; or white, draw, black. A mate in n
        is a score of 32000 - n. Rows without a FEN are skipped. In tables of games only the result can be in a column,
        ``result`` by default, for white.
    scores_of, results_of
        The point of view of the scores of tables, and of numeric results: ``"mover"`` or ``"white"``. By default,
        ``score`` and ``result`` are for the side to move, and ``cp``, ``eval`` and ``mate`` for white.
    loss_is
        The encoding of a loss in a column of results: -1 or 0. Required if the values are ambiguous, because a zero
        could be a draw or a loss.
    labels
        The labels of batches: any of ``"score"``, ``"result"`` and ``"move"``, or ``[]``. By default, scores and
        results if every file has them.
    policy
        The move encoding of a policy network, one of ``policies()``. Batches get ``move`` and its class, ``policy``.
    legal
        Add the mask of legal moves to batches. This needs ``policy``.
    on_missing
        The handling of rows with a missing label: ``"raise"``, ``"skip"``, or a number to use instead. The default is
        ``"skip"`` with ``sampling``, else ``"raise"``. Conditions see missing labels as null.
        Missing labels are nulls of tables, results of ``*``, positions of games without an evaluation, and scores of
        32002, which mean no score in Stockfish's data.
    errors
        The handling of invalid lines, records and games: ``"raise"``, ``"skip"``, or for games ``"keep"`` the positions
        up to the error. viriformat and binpack cannot be read beyond an invalid record, which always raises an error.
    backend
        See the module.
    threads
        The number of threads, by default one per processor. Batches do not depend on it.

    A loader can be pickled, and passed to other processes by fork or spawn. The copy continues from the same point.

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
        features: str | FeatureSet | None = None,
        *,
        columns: str | Sequence[str] | None = None,
        padded: int | None = None,
        perspectives: Literal["colours", "mover"] = "colours",
        batch_size: int = 16_384,
        shuffle: int = 0,
        seed: int = 0,
        epochs: int | None = 1,
        fixed: bool = False,
        batches: int | None = None,
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
        if isinstance(sampling, str):
            of["sampling"] = sampling = Sampling.named(sampling)
        elif not isinstance(sampling, Sampling | None):
            raise TypeError(f"`sampling` is a `Sampling` or the name of one, found {type(sampling).__name__}")
        of |= {
            "paths": _tables.sources(paths, input_format),
            "columns": listed("columns", columns),
            "spill": spill if isinstance(spill, bool) else os.fspath(spill),
            "fixed": bool(fixed),
            "drop_last": bool(drop_last),
            "where": listed("where", where),
            "report": sampling is not None if report is None else bool(report),
            "labels": None if labels is None else listed("labels", labels),
        }
        for name, least in (("batch_size", 1), ("shuffle", 0), ("one_in", 1), ("seed", 0), ("epochs", 0), ("batches", 1)):
            check_range(name, of[name], least)
        check_range("padded", padded, 1, PADDED)
        if policy is not None:
            _policy.size(policy)
        elif legal:
            raise ValueError(f"`legal=True` needs `policy`, an encoding of moves: one of {', '.join(f'`{name}`' for name in _policy.POLICIES)}")
        self._core = self._open()
        always, once = self._core.warnings
        for warning in always:
            warnings.warn(warning, stacklevel=2)
        _say(once)

    def _open(self) -> _setwise.Loader:
        of = self._arguments
        sampling = None if of["sampling"] is None else dataclasses.astuple(of["sampling"])
        return _setwise.Loader({**of, "sampling": sampling})

    def with_shard(self, index: int, count: int) -> "Loader":
        """Returns a loader with the same arguments for another shard, at its start."""
        other = object.__new__(Loader)
        other._arguments = {**self._arguments, "shard": (index, count)}
        other._core = other._open()
        return other

    def __iter__(self) -> Iterator[Batch]:
        """Iterates over the batches of the next epochs.

        The first loop after ``load_state_dict``, ``skip`` or a copy continues from that point.
        """
        self._core.begin_loop()
        self._loop = loop = object()
        return self._batches(loop)

    def _batches(self, loop: object) -> Iterator[Batch]:
        while True:
            if self._loop is not loop:
                raise RuntimeError("a new loop over this loader has begun, so this one cannot go on")
            if (batch := self._core.next_batch()) is None:
                return
            fields, columns, positions = batch
            policy, legal = self._classes(*positions, fields["move"]) if positions is not None else (None, None)
            yield Batch(**fields, policy=policy, legal=legal, columns=columns)

    def _classes(self, boards: Any, state: Any, moves: Any) -> tuple[Any, Any]:
        """Returns the training targets of a policy: the class of each move, and the mask of legal moves, if requested."""
        of = self._arguments
        options = {"state": state, "errors": "null", "backend": of["backend"], "threads": of["threads"]}
        played = policy_index(boards, moves, of["policy"], **options)
        return played, policy_mask(boards, of["policy"], **options) if of["legal"] else None

    def skip(self, batches: int) -> bool:
        """Skips batches without computing their inputs, so that the next loop continues after them.

        Returns ``False`` if there are fewer batches.
        """
        return self._core.skip(batches)

    def restart(self) -> None:
        """Returns to the start of the first epoch and resets the counts."""
        self._core.restart()

    @property
    def epoch(self) -> int:
        """The epoch of the latest batch, from 0; after the last batch, the number of epochs."""
        return self._core.epoch

    @property
    def _counts(self) -> Any:
        return json.loads(self._core.counts)

    @property
    def left_out(self) -> dict[str, int]:
        """The number of rows read so far that each condition of ``where`` dropped.

        Conditions are evaluated after ``one_in`` and the outcome and ply of ``sampling``.
        """
        counts: dict[str, int] = {}
        for condition, count in zip(self._core.conditions, self._counts["left_out"]):
            counts[condition] = counts.get(condition, 0) + count
        return counts

    @property
    def missing(self) -> int:
        """The number of rows read so far with a missing label, which were skipped or got the number ``on_missing``."""
        return int(self._counts["left_out"][-1])

    @property
    def not_sampled(self) -> int:
        """The number of labelled rows read so far that ``one_in`` dropped, before the conditions of ``where``."""
        return int(self._counts["not_sampled"])

    @property
    def sampled_out(self) -> dict[str, int]:
        """The number of rows read so far that ``sampling`` dropped.

        Rows are dropped by the outcome, by the ply, or, after the conditions of ``where``, by the number of pieces.
        """
        return dict(zip(("outcome", "ply", "pieces"), self._counts["sampled"]))

    def report(self) -> Report:
        """Returns counts of rows by ply, number of pieces and result.

        ``seen`` counts the rows with complete labels read so far, and ``kept`` the ones that also passed ``one_in``,
        ``sampling`` and ``where``. Rows that ``one_in`` drops before they are decoded are not counted. ``print`` shows
        the report as text, notebooks as a picture.

        Raises
        ------
        ValueError
            If rows are not counted.
        """
        if not self._arguments["report"]:
            raise ValueError("rows are not counted: set `report=True`")
        return of_counts(self._counts["tally"])

    @property
    def invalid(self) -> int:
        """The number of invalid lines, records and games that were skipped, or kept in part."""
        return int(self._counts["invalid"])

    def state_dict(self) -> dict[str, Any]:
        """Returns the state of the loader after the latest batch: a few numbers, whatever the size of the buffer.

        Signal handlers and other threads can call it at any time.
        """
        return dict(json.loads(self._core.state()))

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues after the batch at which ``state_dict`` was called.

        The next loop yields the remaining batches, and later loops the following epochs. Only the current contents of
        the buffer are read again.

        Raises
        ------
        ValueError
            If the state belongs to a loader with different files, order or rows.
        """
        self._core.resume(json.dumps(state))

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


_said: set[str] = set()


def _say(decided: list[str]) -> None:
    """Warns once about the sources of labels."""
    for line in decided:
        if line not in _said and multiprocessing.parent_process() is None:
            _said.add(line)
            warnings.warn(line, stacklevel=3)
