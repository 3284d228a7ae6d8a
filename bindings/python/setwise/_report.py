"""Counts of the rows that a ``Loader`` has read and kept, as text and as an SVG picture."""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]

# The counts of the extension: plies 0 to 255 (the last includes later plies), 0 to 64 pieces, and results.
_SIZES = {"ply": 256, "pieces": 65, "result": 4}
_RESULTS = ("lost", "drawn", "won", "none")


@dataclasses.dataclass(frozen=True)
class Report:
    """Counts of the rows that a ``Loader`` has read and kept, by ``ply``, ``pieces`` and ``result``.

    ``print`` shows it as text, notebooks as a picture.

    Attributes
    ----------
    seen, kept
        Counts by name. The counts by ``ply`` and ``pieces`` are indexed by that number; the last ply includes all later
        plies. The counts by ``result`` are the rows that are lost, drawn and won for the side to move, and those
        without a result. Names for which the files have no data are omitted.
    """

    seen: Mapping[str, Counts]
    kept: Mapping[str, Counts]

    def __str__(self) -> str:
        return "\n\n".join(_table(name, self.seen[name], self.kept[name]) for name in self.seen)

    def _repr_svg_(self) -> str:
        """Draws the picture for notebooks: light bars are shares of the rows seen, dark bars of the rows kept."""
        return _drawing(self)


def of_counts(counts: Sequence[int]) -> Report:
    """Converts the counts of the extension, which are empty before the first unit, to a report."""
    both = np.zeros((2, sum(_SIZES.values())), np.int64)
    both.flat[: len(counts)] = counts
    ends = np.cumsum(list(_SIZES.values()))[:-1]
    seen, kept = (dict(zip(_SIZES, np.split(half, ends))) for half in both)
    names = [name for name in _SIZES if seen[name].any() or name == "pieces"]
    return Report({name: seen[name] for name in names}, {name: kept[name] for name in names})


def _rows(name: str, seen: Counts, kept: Counts) -> list[tuple[str, int, int]]:
    """Returns a label and two counts for each range of numbers."""
    width = {"ply": 8, "pieces": 2, "result": 1}[name]
    if name == "pieces" and not seen[33:].any():  # only damaged boards have more than 32
        seen, kept = seen[:33], kept[:33]
    rows = []
    for start in range(0, len(seen), width):
        end = min(start + width, len(seen)) - 1
        label = _RESULTS[start] if name == "result" else str(start) if start == end else f"{start} to {end}"
        if name == "ply" and end == len(seen) - 1:
            label = f"{start} on"
        rows.append((label, int(seen[start : end + 1].sum()), int(kept[start : end + 1].sum())))
    inside = [at for at, row in enumerate(rows) if row[1]]
    if name == "result":
        return [rows[at] for at in inside]
    return rows[min(inside, default=0) : max(inside, default=0) + 1]


def _drawing(report: Report) -> str:
    """Draws bars of the shares of the rows seen and kept, as SVG."""
    parts: list[str] = []
    left, height = 0, 150
    for name in report.seen:
        rows = _rows(name, report.seen[name], report.kept[name])
        sums = max(1, sum(row[1] for row in rows)), max(1, sum(row[2] for row in rows))
        most = max((max(row[1] / sums[0], row[2] / sums[1]) for row in rows), default=1) or 1
        step = 26 if name == "result" else 10
        parts.append(f'<text x="{left}" y="12">{name}</text>')
        for at, (label, *counts) in enumerate(rows):
            title = f"{name} {label}: {counts[0]:,} seen, {counts[1]:,} kept"
            bars = ""
            for count, of, color, inset in zip(counts, sums, ("#c9d4e3", "#2f5f9e"), (0, step // 4)):
                tall = round(110 * count / of / most, 1)
                place = f'x="{left + at * step + inset}" y="{round(130 - tall, 1)}" width="{step - 1 - 2 * inset}"'
                bars += f'<rect {place} height="{tall}" fill="{color}"/>'
            parts.append(f"<g><title>{title}</title>{bars}</g>")
            if name == "result" or at in (0, len(rows) - 1):
                parts.append(f'<text x="{left + at * step}" y="144">{label.split()[0]}</text>')
        left += max(60, len(rows) * step) + 30
    size = f'width="{left}" height="{height}" viewBox="0 0 {left} {height}"'
    style = 'font-family="sans-serif" font-size="10" fill="#444"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{"".join(parts)}</svg>'


def _table(name: str, seen: Counts, kept: Counts) -> str:
    """Formats one line for each range of numbers, with the number of rows and bars of their shares."""
    rows = _rows(name, seen, kept)
    all_seen, all_kept = max(1, int(seen.sum())), max(1, int(kept.sum()))
    most = max((max(s / all_seen, k / all_kept) for _, s, k in rows), default=1) or 1
    lines = [f"{name:>12} {'seen':>13} {'kept':>13}   kept  share of the rows seen (\u2591) and kept (\u2588)"]
    for label, one_seen, one_kept in rows:
        of_seen, of_kept = (round(30 * n / all_n / most) for n, all_n in ((one_seen, all_seen), (one_kept, all_kept)))
        bar = "\u2588" * of_kept + "\u2591" * (of_seen - of_kept)
        line = f"{label:>12} {one_seen:>13,} {one_kept:>13,} {one_kept / max(1, one_seen):>6.1%}  {bar}"
        lines.append(line.rstrip())
    return "\n".join(lines)
