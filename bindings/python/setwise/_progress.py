"""Shows the progress of long calls as a bar of text."""

import sys
import time
from collections.abc import Callable

Callback = Callable[[int, int], object]


def callback(progress: Callback | bool | None) -> Callback | None:
    """Returns the function to call with the number of finished rows and the total number of rows, if any."""
    if not isinstance(progress, bool):
        return progress
    start = time.monotonic()

    def bar(done: int, rows: int) -> None:
        """Writes the progress of a call, overwriting the same line."""
        share = done / rows if rows else 1.0
        line = f"\r[{'#' * round(30 * share):30}] {share:4.0%} of {rows:,} rows, {time.monotonic() - start:.1f} s"
        print(line, end="\n" if done == rows else "", file=sys.stderr, flush=True)

    return bar if progress else None
