"""Probabilities with which a ``Loader`` keeps rows: ``setwise.Sampling`` and ``setwise.WinRate``."""

import dataclasses
from collections.abc import Mapping, Sequence

from . import _setwise
from ._query import listed

Points = Mapping[float, float] | Sequence[tuple[float, float]]

_MODEL = _setwise.named_sampling("nnue-pytorch-2026-07")[0]


@dataclasses.dataclass(frozen=True)
class WinRate:
    """A model that predicts the result of a game from the score and the ply of a position.

    Let ``m = min(ply, max_ply) / ply_unit``, and let ``x`` be the score times ``score_scale``, clamped to ``max_score``
    in both directions. The side to move wins with probability ``1 / (1 + exp((a - x) / b))`` and loses with
    ``1 / (1 + exp((a + x) / b))``. ``a`` and ``b`` are cubic polynomials of ``m``; their coefficients start with that of
    ``m ** 3``. The default is the model of nnue-pytorch (July 2026).

    Examples
    --------
    >>> setwise.WinRate().a
    (-3.68389304, 30.07065921, -60.52878723, 149.53378557)
    """

    a: tuple[float, float, float, float] = tuple(_MODEL[0])
    b: tuple[float, float, float, float] = tuple(_MODEL[1])
    max_ply: int = _MODEL[2]
    ply_unit: float = _MODEL[3]
    score_scale: float = _MODEL[4]
    max_score: float = _MODEL[5]

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            object.__setattr__(self, name, tuple(float(number) for number in getattr(self, name)))
            if len(getattr(self, name)) != 4:
                raise ValueError(f"`{name}` has the four coefficients of a cubic polynomial")


@dataclasses.dataclass(frozen=True)
class Sampling:
    """Probabilities with which a ``Loader`` keeps rows. The loader draws from its seed, and counts the dropped rows.

    Parameters
    ----------
    outcome
        Keep a row with the probability of its game's result under this model.
    ply
        Keep a row with a probability that depends on its ply: probabilities at some plies, such as
        ``{0: 0.1, 20: 1.0}``, interpolated in between.
    pieces
        The desired distribution of the number of pieces: weights at some numbers, such as
        ``{8: 0.4, 16: 1.0, 32: 0.75}``, with a cubic spline in between. Probabilities follow from running counts of the
        rows that passed the other tests: rows with the most overrepresented number are kept with probability
        ``1 - max_skipped``, and others so that the desired distribution results.
    max_skipped
        See ``pieces``.
    where
        Conditions for rows, appended to those of the loader.
    placeholder_zeros
        Treat a score of 0 in packed records as missing if the game was not drawn and the absolute value of the previous
        score was above this number.

    Examples
    --------
    >>> import dataclasses
    >>> sampling = setwise.Sampling.named("nnue-pytorch-2026-07")
    >>> sampling.ply
    ((0.0, 0.1), (6.0, 0.15), (10.0, 0.25), (18.0, 0.75), (20.0, 1.0))
    >>> later = dataclasses.replace(sampling, ply={11: 0.0, 12: 0.5, 20: 1.0})  # none at or before ply 11
    """

    outcome: WinRate | None = None
    ply: Points | None = None
    pieces: Points | None = None
    max_skipped: float = 0.975
    where: str | Sequence[str] = ()
    placeholder_zeros: int | None = None

    def __post_init__(self) -> None:
        for name in ("ply", "pieces"):
            if (points := getattr(self, name)) is not None:
                pairs = points.items() if isinstance(points, Mapping) else points
                object.__setattr__(self, name, tuple(sorted((float(x), float(y)) for x, y in pairs)))
        object.__setattr__(self, "where", listed("where", self.where))
        limit = self.placeholder_zeros
        if limit is not None and not 0 <= limit < 1 << 31:
            raise ValueError(f"`placeholder_zeros` is a score of at least 0, found {limit}")

    @classmethod
    def named(cls, name: str) -> "Sampling":
        """Returns the default sampling of a trainer, such as ``"nnue-pytorch-2026-07"``."""
        outcome, *others = _setwise.named_sampling(name)
        return cls(outcome and WinRate(*outcome), *others)
