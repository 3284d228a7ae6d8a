"""Which rows of files a ``Loader`` samples: ``setwise.Sampling`` and ``setwise.WinRate``."""

import dataclasses
from collections.abc import Mapping, Sequence

from . import _setwise

Points = Mapping[float, float] | Sequence[tuple[float, float]]


_MODEL = _setwise.named_sampling("nnue-pytorch-2026-07")[0]


@dataclasses.dataclass(frozen=True)
class WinRate:
    """A model of the result of a game, from the score of a position and its ply.

    With ``m = min(ply, max_ply) / ply_unit`` and ``x``, the score times ``score_scale`` within ``max_score`` of 0, the side to
    move wins with probability ``1 / (1 + exp((a - x) / b))`` and loses with ``1 / (1 + exp((a + x) / b))``. ``a`` and ``b`` are
    cubic polynomials of ``m``, whose coefficients are given from that of ``m ** 3`` down. The default is the model of
    nnue-pytorch (July 2026).

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
    """Keeps rows with probabilities. A ``Loader`` draws them from its seed, after ``where``, and counts what is left out.

    Parameters
    ----------
    outcome
        Keeps a row with the probability that this model gives to the result of its game.
    ply
        Probabilities at some plies, ``{0: 0.1, 20: 1.0}``, interpolated in between.
    pieces
        The wanted distribution over numbers of pieces: weights at some numbers, ``{8: 0.4, 16: 1.0, 32: 0.75}``, with a cubic
        spline in between. It is steered by the rows that the other probabilities have left: the most overrepresented
        number is kept with the probability ``1 - max_skipped``, the others so that the distribution is as wanted.
    max_skipped
        See ``pieces``.
    where
        Conditions for rows, which the loader puts behind its own.
    placeholder_zeros
        Takes a score of 0 in packed records as missing, if the game was not drawn and the last score before it was above
        this, either way.

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
        where = (self.where,) if isinstance(self.where, str) else tuple(self.where)
        object.__setattr__(self, "where", where)
        limit = self.placeholder_zeros
        if limit is not None and not 0 <= limit < 1 << 31:
            raise ValueError(f"`placeholder_zeros` is a score of at least 0, found {limit}")

    @classmethod
    def named(cls, name: str) -> "Sampling":
        """The sampling of a trainer: ``"nnue-pytorch-2026-07"`` is its default."""
        outcome, *others = _setwise.named_sampling(name)
        return cls(WinRate(*outcome), *others)
