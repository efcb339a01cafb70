"""Certified convex collision queries over arrays of numpy.

Shapes are made once and named by number; a row is a pair of shapes at two poses. Answers are columns: a verdict that is exact for polytopes, and
an interval that contains the true distance.

Examples
--------
>>> import gjk, numpy as np
>>> shapes = gjk.Shapes()
>>> table = shapes.box(half_extents=(1, 1, 0.05))
>>> finger = shapes.capsule(half_height=0.04, radius=0.01)
>>> above = gjk.Poses(translation=[[0.3, 0.2, 0.11], [0.3, 0.2, 0.05]])
>>> found = gjk.contact(shapes, table, finger, pose_b=above)
>>> found.verdict_names()
['separated', 'overlapping']
>>> bool(found.lower[0] <= 0.01 <= found.upper[0])
True
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from . import _rows, meshes
from ._certificate import Certificate, certificate
from ._gjk import VERSION as __version__
from ._gjk import Answers, GjkError, PlanarShapes, RowError, SceneError, Shapes, ShapeError, answer_rows, instruction_set
from ._gradients import Gradients, gradient
from ._hits import Hits, all_hits
from ._manifolds import ManifoldKind, Manifolds, ManifoldTrack, manifold
from ._motions import Meeting, MotionAnswers, ray_cast, shape_cast, time_of_impact
from ._plot import plot
from ._rows import Motions, PlanarMotions, PlanarPoses, Poses
from .meshes import Mesh
from .robot import Robot
from .scene import Report, Scene

__all__ = [
    "Answers",
    "Certificate",
    "GjkError",
    "Gradients",
    "Hits",
    "ManifoldKind",
    "ManifoldTrack",
    "Manifolds",
    "Meeting",
    "Mesh",
    "MotionAnswers",
    "Motions",
    "PlanarMotions",
    "PlanarPoses",
    "PlanarShapes",
    "Poses",
    "Report",
    "Robot",
    "RowError",
    "Scene",
    "SceneError",
    "ShapeError",
    "Shapes",
    "Verdict",
    "__version__",
    "all_hits",
    "certificate",
    "classify",
    "contact",
    "distance",
    "gradient",
    "instruction_set",
    "manifold",
    "meshes",
    "plot",
    "ray_cast",
    "shape_cast",
    "time_of_impact",
]


def _text(error: GjkError) -> str:
    return str(error.args[0]) if error.args else ""


# The other arguments are for programs: the row, the field, the file.
setattr(GjkError, "__str__", _text)


class Verdict(IntEnum):
    """How two bodies are to each other; the numbers in the column of verdicts."""

    SEPARATED = 0
    TOUCHING = 1
    OVERLAPPING = 2
    UNDECIDED = 3
    WRONG_ROW = 255


def classify(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
    out: Answers | None = None,
) -> Answers:
    """Tell how the bodies of each row are to each other.

    Parameters
    ----------
    shapes : Shapes or PlanarShapes
        What the numbers name.
    a, b : int or array_like of int, shape (n,)
        The shape of each body.
    pose_a, pose_b : Poses, in the plane PlanarPoses, or array_like, optional
        Where each body is: `Poses`, or matrices as in `Poses(matrix=...)`; at the origin if left out. Of all four parameters those of one row are for
        all rows.
    errors : {"raise", "column"}
        What a wrong row does (a number that is not finite, a zero quaternion, a singular matrix, an unknown shape): raise `RowError`, or be
        named in `Answers.errors`.
    threads : int, optional
        1 stays on the caller's thread. All processors if left out, for more than 256 rows. Answers do not depend on it.
    out : Answers, optional
        Answers of as many rows to this question, whose arrays are written into instead of new ones. After an error they hold what was found until then.

    Returns
    -------
    Answers
        With verdicts alone; with the arrays of `out` where that is given.

    Raises
    ------
    RowError
        For the first row that is wrong, unless `errors="column"`.
    GjkError
        For parameters of other shapes.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(1.0)
    >>> gjk.classify(shapes, ball, ball, pose_b=gjk.Poses(translation=[[1, 0, 0], [2, 0, 0], [3, 0, 0]])).verdict_names()
    ['overlapping', 'touching', 'separated']
    """
    into = None if out is None else _rows.writable(out, "classify")
    return answer_rows("classify", shapes, a, b, pose_a, pose_b, errors, threads, into)


def distance(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
    out: Answers | None = None,
) -> Answers:
    """Measure how far apart the bodies of each row are: 0 where they touch or overlap. Parameters and errors are those of `classify`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(1.0)
    >>> found = gjk.distance(shapes, ball, ball, pose_b=gjk.Poses(translation=[3, 0, 0]))
    >>> bool(found.lower[0] <= 1.0 <= found.upper[0])
    True
    """
    into = None if out is None else _rows.writable(out, "distance")
    return answer_rows("distance", shapes, a, b, pose_a, pose_b, errors, threads, into)


def contact(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
    out: Answers | None = None,
) -> Answers:
    """Measure the signed distance of each row: minus the depth where the bodies overlap. Parameters and errors are those of `classify`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(1.0)
    >>> found = gjk.contact(shapes, ball, ball, pose_b=gjk.Poses(translation=[[1.5, 0, 0], [float("nan"), 0, 0]]), errors="column")
    >>> bool(found.lower[0] <= -0.5 <= found.upper[0])
    True
    >>> found.errors
    {1: 'body b: translation is NaN: every number must be finite'}
    """
    into = None if out is None else _rows.writable(out, "contact")
    return answer_rows("contact", shapes, a, b, pose_a, pose_b, errors, threads, into)
