"""One ray or one moving body against many: which rows hit, in the order of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _gjk

if TYPE_CHECKING:
    import numpy as np

    from ._motions import MotionAnswers


@dataclass(frozen=True)
class Hits:
    """Hits in the order of time, by what they are of: those of `of[k]` are from `offsets[k]` up to `offsets[k + 1]`.

    Attributes
    ----------
    of : ndarray of int64, shape (g,)
        The rays or bodies that rows are about, in ascending order.
    offsets : ndarray of int64, shape (g + 1,)
        Where the hits of each begin, and where the last ones end.
    rows : ndarray of int64, shape (h,)
        The rows that are neither free nor wrong, of each by `time_lower`, then by `time_upper`, then as they are given. Undecided rows are among them, as
        the times from which on they may hit.
    first : ndarray of bool, shape (h,)
        Whether each may be the first: several where bodies are met at once, or where intervals of times overlap.
    """

    of: np.ndarray
    offsets: np.ndarray
    rows: np.ndarray
    first: np.ndarray

    def __len__(self) -> int:
        return len(self.of)

    def hits_of(self, k: int) -> slice:
        """Where the hits of `of[k]` are in `rows` and `first`."""
        k = range(len(self.of))[k]
        return slice(int(self.offsets[k]), int(self.offsets[k + 1]))

    def __repr__(self) -> str:
        return f"Hits({len(self.rows)} of {len(self.of)}, {int(self.first.sum())} may be the first)"


def all_hits(found: MotionAnswers, of: Any = None) -> Hits:
    """Put the answers about one ray or one moving body against many in the order of time.

    Times are intervals. Where two of them share a number, either body may be met first, and both are told: bodies that are met at once are never reduced
    to whichever came first.

    Parameters
    ----------
    found : MotionAnswers
        What `ray_cast`, `shape_cast` or `time_of_impact` returned.
    of : array_like of int, shape (n,), optional
        Which ray or body each row is about. All rows are about one if it is left out.

    Returns
    -------
    Hits

    Raises
    ------
    GjkError
        `of` has another length, or is no whole numbers.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(1, 1, 1))
    >>> at = gjk.Poses(translation=[[9, 0, 0], [3, 0, 0], [-5, 0, 0], [3, 2, 0]])
    >>> found = gjk.ray_cast(shapes, cube, [0, 1, 0], [1, 0, 0], at)
    >>> hits = gjk.all_hits(found)
    >>> hits.rows.tolist(), hits.first.tolist()
    ([1, 3, 0], [True, True, False])
    """
    verdict, lower, upper = (getattr(found, name, None) for name in ("verdict", "time_lower", "time_upper"))
    return Hits(**_gjk.order_hits(verdict, lower, upper, of))
