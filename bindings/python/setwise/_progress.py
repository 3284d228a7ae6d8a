"""Shows the progress of long calls as a line of text."""

import sys
import time
from collections.abc import Callable

Callback = Callable[[int, int], object]


def callback(progress: Callback | bool | None) -> Callback | None:
    """The function to call with the number of finished rows and of all rows, if any."""
    if progress is None or progress is False:
        return None
    return _Bar() if progress is True else progress


class _Bar:
    """Writes the progress of a call, always over the same line."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, done: int, rows: int) -> None:
        seconds = time.monotonic() - self._start
        share = done / rows if rows else 1.0
        bar = ("#" * round(30 * share)).ljust(30)
        end = "\n" if done == rows else ""
        print(f"\r[{bar}] {share:4.0%} of {rows:,} rows, {seconds:.1f} s", end=end, file=sys.stderr, flush=True)
