"""A row of a query as a picture by matplotlib, which is asked for when it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _gjk
from ._gjk import GjkError, Shapes
from .meshes import Mesh

#: The two bodies, told apart by colour-blind eyes too, and what is between them.
_COLORS = ("#0072b2", "#e69f00", "#222222")


def plot(
    shapes: Shapes | None,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    found: Any = None,
    row: int = 0,
    ax: Any = None,
) -> Any:
    """Draw one row of a query: both bodies in space, and of an answer its points, verdict and interval.

    It needs matplotlib (``pip install gjk[plot]``). A smooth shape is drawn by points of its boundary, so that the picture only comes near it.

    Parameters
    ----------
    shapes : Shapes or None
        What the numbers name; `None` where both bodies are meshes.
    a, b : int or array_like of int, Mesh or sequence of Mesh
        The bodies, as the query had them: one for all rows, or one a row.
    pose_a, pose_b : Poses or array_like, optional
        As in `classify`.
    found : Answers, ShapeContacts or Distances, optional
        What a query of these rows answered. Nothing is asked anew.
    row : int
        Which row.
    ax : Axes3D, optional
        Where to draw. A new figure if left out.

    Returns
    -------
    Axes3D
        With axes of one scale.

    Raises
    ------
    GjkError
        A row or a body that does not exist, or no matplotlib.
    RowError
        A pose that is wrong.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> table, ball = shapes.box(half_extents=(1, 1, 0.1)), shapes.sphere(0.3)
    >>> above = gjk.Poses(translation=[[0, 0, 0.6], [0, 0, 0.3]])
    >>> found = gjk.contact(shapes, table, ball, pose_b=above)
    >>> gjk.plot(shapes, table, ball, pose_b=above, found=found, row=1).get_title()
    'row 1: overlapping, -0.1'
    """
    row = _row(row)
    bodies = [
        _placed(shapes, name, body, pose, row)
        for name, body, pose in (("a", a, pose_a), ("b", b, pose_b))
    ]
    ax = _axes() if ax is None else ax
    if not hasattr(ax, "add_collection3d"):
        raise GjkError(f"ax is a {type(ax).__name__}: expected axes of projection 3d")
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    drawn = []
    for (corners, triangles, edges), color in zip(bodies, _COLORS):
        if len(triangles):
            ax.add_collection3d(Poly3DCollection(corners[triangles], facecolors=color, linewidth=0, alpha=0.4, shade=True))
        if len(edges):
            ax.add_collection3d(Line3DCollection(corners[edges], color=color, linewidth=0.6))
        if not len(triangles):
            ax.plot(*corners.T, color=color, marker="o")
        drawn.append(corners)
    if found is not None:
        drawn.append(_answer(ax, found, row))
    every = np.concatenate(drawn)
    middle = (every.min(axis=0) + every.max(axis=0)) / 2
    half = max(float((every.max(axis=0) - every.min(axis=0)).max()) / 2, np.finfo(float).tiny)
    for axis, at in zip("xyz", middle):
        getattr(ax, f"set_{axis}lim")(at - half, at + half)
        getattr(ax, f"set_{axis}label")(axis)
    ax.set_box_aspect((1, 1, 1))
    return ax


def _row(row: Any) -> int:
    if isinstance(row, bool) or not isinstance(row, (int, np.integer)) or row < 0:
        raise GjkError(f"row is {row!r}: it must be a whole number of at least 0")
    return int(row)


def _axes() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise GjkError("a picture needs matplotlib: pip install gjk[plot]") from None
    return pyplot.figure().add_subplot(projection="3d")


def _placed(shapes: Shapes | None, name: str, body: Any, pose: Any, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners in the world, triangles of them, and edges."""
    matrix = _gjk.matrix_of_row(f"pose_{name}", pose, row)
    if isinstance(body, Sequence) and len(body) and isinstance(body[0], Mesh):
        body = body[_place(name, len(body), row)]
    corners: np.ndarray
    triangles: np.ndarray
    edges: np.ndarray
    if isinstance(body, Mesh):
        corners, triangles = body.vertices, body.faces
        edges = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    else:
        if not isinstance(shapes, Shapes):
            raise GjkError(f"shapes is a {type(shapes).__name__}: expected gjk.Shapes, which has the shape of {name}")
        numbers = _gjk.ids(name, body)
        corners, triangles, edges = _gjk.drawn_shape(shapes, int(numbers[_place(name, len(numbers), row)]))
    return corners @ matrix[:, :3].T + matrix[:, 3], triangles, edges


def _place(name: str, count: int, row: int) -> int:
    if count == 1:
        return 0
    if row >= count:
        raise GjkError(f"row {row} does not exist: {name} has {count} rows")
    return row


def _answer(ax: Any, found: Any, row: int) -> np.ndarray:
    """Draws an answer, and returns its points."""
    if row >= len(found):
        raise GjkError(f"row {row} does not exist: found has {len(found)} rows")
    title = f"row {row}"
    if hasattr(found, "verdict"):
        from . import Verdict

        title += f": {Verdict(int(found.verdict[row])).name.lower().replace('_', ' ')}"
    lower, upper = getattr(found, "lower", None), getattr(found, "upper", None)
    if lower is not None and upper is not None:
        digits = [f"{end[row]:.6g}" for end in (lower, upper)]
        title += f", {digits[0]}" if digits[0] == digits[1] else f", {digits[0]} to {digits[1]}"
    ax.set_title(title)
    points = [getattr(found, f"point_{name}", None) for name in "ab"]
    if points[0] is None or points[1] is None:
        return np.empty((0, 3))
    ends = np.array([points[0][row], points[1][row]])
    if not np.isfinite(ends).all():
        return np.empty((0, 3))
    ax.plot(*ends.T, color=_COLORS[2], marker="o", markersize=4, linewidth=1.5, zorder=10)
    return ends
