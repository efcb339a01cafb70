"""Gradients of the signed distance over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _gjk
from ._gjk import GjkError

if TYPE_CHECKING:
    import numpy as np

    from ._gjk import PlanarShapes, Shapes
    from ._rows import Motions, PlanarMotions


@dataclass(frozen=True)
class Gradients:
    """The gradients of rows, as columns: `n` rows with `m` vertices in all. `d` is 3 and `g` 6, in the plane 2 and 3.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `Verdict`, as `contact` has them; 255 for a row that is wrong, whose numbers are NaN.
    exact : ndarray of bool, shape (n,)
        Whether the verdict rests on exact signs.
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the signed distance.
    normal, point_a, point_b : ndarray of float64, shape (n, d)
        Unit, from A to B; a point of each body, in the world, that the signed distance is between.
    unique : ndarray of bool, shape (n,)
        Whether the signed distance is proved to have this derivative. Else the gradient is one of several, or nothing is proved.
    gradient_a, gradient_b : ndarray of float64, shape (n, g)
        The derivative by the pose of each body: first by its translation, then by a turn about it, along the world's axes; in the plane counter-clockwise.
    along_lower, along_upper : ndarray of float64, shape (n,), or None
        Ends of an interval that contains how fast the signed distance changes along the motions that were given, from now on; NaN where nothing is proved.
        None if none were given.
    along_inside_lower, along_inside_upper : ndarray of float64, shape (n,), or None
        Of bodies that touch the same as of bodies that go deeper, where `along` is that of bodies that part; NaN of all others.
    vertex_offsets : ndarray of int64, shape (n + 1,)
        The vertices of row `k` are those from `vertex_offsets[k]` up to, but without, `vertex_offsets[k + 1]`; a unique gradient has none.
    vertex_normal, vertex_point_a, vertex_point_b : ndarray of float64, shape (m, d)
        Normals with their points that are as good as the row's own.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    normal: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    unique: np.ndarray
    gradient_a: np.ndarray
    gradient_b: np.ndarray
    along_lower: np.ndarray | None
    along_upper: np.ndarray | None
    along_inside_lower: np.ndarray | None
    along_inside_upper: np.ndarray | None
    vertex_offsets: np.ndarray
    vertex_normal: np.ndarray
    vertex_point_a: np.ndarray
    vertex_point_b: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    def vertices_of(self, row: int) -> slice:
        """Which vertices are those of a row: `found.vertex_normal[found.vertices_of(7)]`."""
        row = range(len(self))[row]
        return slice(int(self.vertex_offsets[row]), int(self.vertex_offsets[row + 1]))

    def __repr__(self) -> str:
        return f"Gradients({len(self)} rows: {int(self.unique.sum())} unique, {len(self.errors)} wrong)"


def gradient(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    along: tuple[Motions | PlanarMotions | None, Motions | PlanarMotions | None] | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> Gradients:
    """Tell how the signed distance of each row changes with its poses.

    Parameters
    ----------
    shapes, a, b, pose_a, pose_b
        As in `classify`.
    along : pair of Motions, in the plane PlanarMotions, optional
        How A and B move, None for a body that rests: then it is told too how fast the signed distance changes along these motions.
    errors, threads
        As in `ray_cast`.

    Returns
    -------
    Gradients

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube, ball = shapes.box(half_extents=(1, 1, 1)), shapes.sphere(0.5)
    >>> found = gjk.gradient(shapes, cube, [ball, cube], pose_b=gjk.Poses(translation=[0.5, 0.25, 3]), along=(None, gjk.Motions(velocity=[0, 0, -2])))
    >>> found.unique.tolist(), found.gradient_b[0].tolist(), found.gradient_a[0].tolist()
    ([True, False], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, -0.25, 0.5, 0.0])
    >>> bool((found.along_lower <= -2).all() and (found.along_upper >= -2).all())
    True
    """
    if along is not None and not (isinstance(along, (tuple, list)) and len(along) == 2):
        raise GjkError(f"along is a {type(along).__name__}: it must be a pair, the motion of A and that of B")
    pair = None if along is None else (along[0], along[1])
    columns, wrong = _gjk.answer_gradients(shapes, (a, b, pose_a, pose_b), pair, errors, threads)
    return Gradients(**columns, errors=wrong)
