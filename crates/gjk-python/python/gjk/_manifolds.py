"""Contact manifolds over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _gjk, _rows

if TYPE_CHECKING:
    from ._gjk import PlanarShapes, Shapes


class ManifoldKind(IntEnum):
    """What bears on what; the numbers in the column of kinds."""

    FACE_FACE = 0
    FACE_EDGE = 1
    EDGE_EDGE = 2
    POINT = 3
    WRONG_ROW = 255


@dataclass(frozen=True)
class Manifolds:
    """The manifolds of rows, as columns: `n` rows with `m` points in all. `d` is 3, in the plane 2.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `Verdict`, as `contact` has them; 255 for a row that is wrong, whose numbers are NaN and which has no points.
    exact : ndarray of bool, shape (n,)
        Whether the verdict rests on exact signs.
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the signed distance.
    normal : ndarray of float64, shape (n, d)
        Unit, from A to B: that of every point of the row.
    kind : ndarray of uint8, shape (n,)
        The numbers of `ManifoldKind`.
    area : ndarray of float64, shape (n,)
        Of the polygon of all points, before it was reduced; 0 in the plane.
    complete : ndarray of bool, shape (n,)
        Whether no point was left out.
    offsets : ndarray of int64, shape (n + 1,)
        The points of row `k` are those from `offsets[k]` up to, but without, `offsets[k + 1]`.
    point_a, point_b : ndarray of float64, shape (m, d)
        On the bodies, in the world: apart by the separation along the normal.
    separation_lower, separation_upper : ndarray of float64, shape (m,)
        Ends of an interval that contains how far the supporting faces are apart there: negative in overlap.
    id : ndarray of uint64, shape (m,)
        A hash of what meets there: the same from step to step as long as the same features meet.
    exchanged_id : ndarray of uint64, shape (m,)
        The id that the point has when the bodies are exchanged.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    normal: np.ndarray
    kind: np.ndarray
    area: np.ndarray
    complete: np.ndarray
    offsets: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    separation_lower: np.ndarray
    separation_upper: np.ndarray
    id: np.ndarray
    exchanged_id: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def counts(self) -> np.ndarray:
        """How many points each row has."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> np.ndarray:
        """The row of each point."""
        return np.repeat(np.arange(len(self)), self.counts)

    def points_of(self, row: int) -> slice:
        """Which points are those of a row: `found.point_a[found.points_of(7)]`."""
        row = range(len(self))[row]
        return slice(int(self.offsets[row]), int(self.offsets[row + 1]))

    def kind_names(self) -> list[str]:
        """The kinds in words."""
        return [ManifoldKind(int(code)).name.lower() for code in self.kind]

    def __repr__(self) -> str:
        return f"Manifolds({_rows.counted(self.kind, ManifoldKind)}; {len(self.id)} points)"


def manifold(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    prediction: float = 0.0,
    points_max: int | str | None = None,
    cos_max_tilt: float | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> Manifolds:
    """Tell at which points the bodies of each row bear on each other.

    Parameters
    ----------
    shapes, a, b, pose_a, pose_b
        As in `classify`.
    prediction : float
        Points up to this separation. A row has no point if, and only if, its signed distance is proved to be greater.
    points_max : int or "all", optional
        At most so many points a row, 1 to 64: 4 if left out.
    cos_max_tilt : float, optional
        A face counts as facing the other body within the angle of this cosine, 0.5 to 1: that of 15 degrees if left out.
    errors, threads
        As in `ray_cast`.

    Returns
    -------
    Manifolds

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(0.5, 0.5, 0.5))
    >>> found = gjk.manifold(shapes, cube, cube, pose_b=gjk.Poses(translation=[[0.25, 0, 1], [0, 0, 2]]))
    >>> found
    Manifolds(2 rows: 1 face_face, 1 point; 4 points)
    >>> found.counts.tolist(), float(found.area[0])
    ([4, 0], 0.75)
    >>> sorted(found.point_a[found.points_of(0)][:, :2].tolist())
    [[-0.25, -0.5], [-0.25, 0.5], [0.5, -0.5], [0.5, 0.5]]
    """
    columns, wrong = _gjk.answer_manifolds(shapes, (a, b, pose_a, pose_b), (prediction, points_max, cos_max_tilt), errors, threads, None)
    return Manifolds(**columns, errors=wrong)


class ManifoldTrack:
    """The manifolds of the same pairs from step to step of a simulation, and which point was which in the step before.

    Each step has the answers of `manifold`, to the last bit, and uses again what the step before left where that is proved to hold.

    Parameters
    ----------
    shapes, a, b
        As in `classify`: row `k` of a step goes on from row `k` of the one before.
    prediction, points_max, cos_max_tilt, errors, threads
        As in `manifold`.

    Attributes
    ----------
    before : ndarray of int64, shape (m,)
        Of each point of the last step: its number among the points of the step before, or -1 where it was not there.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(0.5, 0.5, 0.5))
    >>> track = gjk.ManifoldTrack(shapes, cube, cube)
    >>> impulse = None
    >>> for x in (0.25, 0.26, 0.27):
    ...     found = track.step(pose_b=gjk.Poses(translation=[x, 0, 1]))
    ...     impulse = track.carried(impulse) + 1.0
    >>> impulse.tolist(), track.before.tolist()
    ([3.0, 3.0, 3.0, 3.0], [0, 1, 2, 3])
    """

    def __init__(
        self,
        shapes: Shapes | PlanarShapes,
        a: Any,
        b: Any,
        *,
        prediction: float = 0.0,
        points_max: int | str | None = None,
        cos_max_tilt: float | None = None,
        errors: str = "raise",
        threads: int | None = None,
    ) -> None:
        self._bodies = (shapes, a, b)
        self._how = ((prediction, points_max, cos_max_tilt), errors, threads)
        self._forget()

    def _forget(self) -> None:
        self._kept = _gjk.ManifoldCaches()
        self.before = np.empty(0, np.int64)

    def step(self, pose_a: Any = None, pose_b: Any = None) -> Manifolds:
        """The manifolds at the poses of a step, as in `classify`. A step that raises forgets what was before; of a row that is wrong nothing stays."""
        shapes, a, b = self._bodies
        try:
            columns, wrong = _gjk.answer_manifolds(shapes, (a, b, pose_a, pose_b), *self._how, self._kept)
        except BaseException:
            self._forget()
            raise
        self.before = columns.pop("before")
        return Manifolds(**columns, errors=wrong)

    def carried(self, values: Any = None, new: Any = 0.0) -> np.ndarray:
        """What belonged to the points of the step before, an entry each, for those of the last step; `new` for points that were not there. Without values all are."""
        if values is None:
            return np.full(len(self.before), new)
        values = np.asarray(values)
        found = np.full((len(self.before), *values.shape[1:]), new, np.result_type(values, new))
        stays = self.before >= 0
        found[stays] = values[self.before[stays]]
        return found
