"""The compiled module; ``setwise`` documents its functions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, final, overload

import numpy as np
import numpy.typing as npt

__all__ = [
    "FeatureSet",
    "Loader",
    "Positions",
    "Query",
    "Reader",
    "Schema",
    "Table",
    "__version__",
    "arrays",
    "backends",
    "columns",
    "feature_rows",
    "feature_sets",
    "fill",
    "heat",
    "heat_svg",
    "is_board",
    "lists",
    "maps",
    "maps_table",
    "named_sampling",
    "read",
    "schema",
    "show",
    "successors",
    "table_of_stream",
]

__version__: str

_Progress = Callable[[int, int], object] | None

@final
class Positions:
    def __new__(
        cls,
        positions: Any,
        state: tuple[
            npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]
        ]
        | None = None,
    ) -> Positions: ...
    def __len__(self) -> int: ...

@final
class FeatureSet:
    def __new__(cls, name: str, blocks: Sequence[Mapping[str, Any]] | None = None) -> FeatureSet: ...
    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> int: ...
    @property
    def row_width(self) -> int: ...
    @property
    def max_inputs(self) -> int: ...
    @property
    def blocks(self) -> list[dict[str, Any]]: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class Query:
    def __new__(
        cls,
        columns: Sequence[str] | None,
        feature_set: str | FeatureSet | None,
        errors: str,
        signed: bool,
        backend: str | None,
        threads: int | None,
        conditions: Sequence[str],
    ) -> Query: ...

@final
class Table:
    @property
    def num_rows(self) -> int: ...
    @property
    def num_columns(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    @property
    def schema(self) -> Schema: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    @overload
    def __getitem__(self, key: str, /) -> npt.NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice, /) -> Table: ...
    def slice(self, offset: int, length: int | None = None) -> Table: ...
    def head(self, n: int = 5) -> Table: ...
    def lists(self, name: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]: ...
    def to_numpy(self) -> dict[str, npt.NDArray[Any]]: ...
    def to_pyarrow(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def _repr_html_(self) -> str: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes, Any]]: ...

@final
class Schema:
    @property
    def names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def to_pyarrow(self) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Reader:
    @property
    def schema(self) -> Schema: ...
    @property
    def left_out(self) -> list[int]: ...
    def __iter__(self) -> Iterator[Table]: ...
    def __next__(self) -> Table: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Loader:
    def __new__(
        cls,
        paths: Sequence[str | PathLike[str]],
        tables: tuple[Sequence[Any], dict[str, Any], Sequence[str], str | int],
        spills: tuple[Sequence[str], bool] | None,
        query: Query,
        has_features: bool,
        input_format: str | None,
        batch_size: int,
        shuffle: int,
        seed: int,
        epochs: int | None,
        shard: tuple[int, int],
        one_in: int,
        sampling: Any,
        tallies: bool,
        threads: int | None,
        padded: int | None,
        is_mover: bool,
        drop_last: bool,
    ) -> Loader: ...
    @property
    def epoch(self) -> int: ...
    @property
    def counts(self) -> tuple[list[int], int, int, list[int], list[int]]: ...
    @property
    def decided(self) -> list[str]: ...
    def streams(self) -> list[PathLike[str]]: ...
    def begin_loop(self, epoch: int | None = None) -> None: ...
    def next_batch(self) -> dict[str, Any] | None: ...
    def skip(self, batches: int) -> bool: ...
    def state(
        self,
    ) -> tuple[tuple[int, int, int, int, int, int], tuple[list[int], int, int, list[int], list[int]], list[float] | None]: ...
    def resume(
        self,
        place: tuple[int, int, int, int, int, int],
        counts: tuple[list[int], int, int, list[int], list[int]],
        steering: Sequence[float] | None,
    ) -> None: ...

def backends() -> list[str]:
    """The backends that the processor can run, from the simplest to the fastest. Calls use the last by default."""

def columns() -> dict[str, str]:
    """The columns for a position in text, and the meaning of each."""

def maps(positions: Positions, query: Query, index: Any, progress: _Progress) -> Table: ...
def maps_table(
    table: Any, fen_column: str | None, query: Query, index: Any, progress: _Progress
) -> Table: ...
def schema(query: Query) -> Schema: ...
def is_board(name: str) -> bool: ...
def fill(
    positions: Positions, query: Query, out: npt.NDArray[np.uint64], strict: bool, progress: _Progress
) -> None: ...
def lists(
    positions: Positions, query: Query, strict: bool, progress: _Progress
) -> list[tuple[npt.NDArray[np.int64], npt.NDArray[Any]]]: ...
def feature_sets() -> list[tuple[str, int]]: ...
def feature_rows(
    positions: Positions,
    query: Query,
    strict: bool,
    width: int,
    threads: int | None,
    progress: _Progress,
) -> list[npt.NDArray[np.int32]]: ...
def read(
    path: str | PathLike[str],
    query: Query,
    named: bool,
    keep: Sequence[str] | None,
    input_format: str | None,
    batch_size: int,
    threads: int | None,
) -> Reader: ...
def heat(
    positions: Positions, query: Query, plies: int | None, progress: _Progress
) -> tuple[list[int], list[int], npt.NDArray[np.uint64]]: ...
def named_sampling(name: str) -> tuple[Any, ...]: ...
def heat_svg(note: str, maps: int, boards: list[tuple[str, str, list[float]]]) -> str: ...
def show(fen: str, columns: list[str] | None) -> tuple[str, str]: ...
def successors(
    boards: npt.NDArray[np.uint64],
    state: tuple[
        npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]
    ],
    strict: bool,
    backend: str | None,
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.uint16],
    npt.NDArray[np.uint64],
    tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.int16]],
]: ...
def table_of_stream(stream: bytes, index: Any) -> Table: ...
