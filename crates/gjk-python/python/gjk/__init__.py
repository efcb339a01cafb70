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

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from ._gjk import VERSION as __version__
from ._gjk import GjkError, RowError, Shapes, ShapeError, answer_rows, instruction_set

__all__ = [
    "Answers",
    "GjkError",
    "Poses",
    "RowError",
    "ShapeError",
    "Shapes",
    "Verdict",
    "__version__",
    "classify",
    "contact",
    "distance",
    "instruction_set",
]


class Verdict(IntEnum):
    """How two bodies are to each other; the numbers in the column of verdicts."""

    SEPARATED = 0
    TOUCHING = 1
    OVERLAPPING = 2
    UNDECIDED = 3
    WRONG_ROW = 255


class Poses:
    """Where bodies are: one pose for all rows, or one a row.

    Give a matrix, or a translation and a quaternion whose order is in its name; nothing is guessed.

    Parameters
    ----------
    translation : array_like, shape (3,) or (n, 3), optional
        In the world, in the unit of the shapes. Zero if left out.
    quat_xyzw, quat_wxyz : array_like, shape (4,) or (n, 4), optional
        A rotation, of any length but zero. None if both are left out.
    matrix : array_like, shape (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4), optional
        A map of points, by rows; of four rows the last is 0 0 0 1. It may stretch and mirror.

    Raises
    ------
    GjkError
        Parameters that do not go together, or have another shape.

    Examples
    --------
    >>> import gjk
    >>> len(gjk.Poses(translation=[[0, 0, 0], [1, 0, 0]]))
    2
    >>> gjk.Poses(quat_xyzw=[0, 0, 0, 1])
    Poses(1, quat_xyzw)
    """

    __slots__ = ("_given",)

    def __init__(
        self,
        *,
        translation: Any = None,
        quat_xyzw: Any = None,
        quat_wxyz: Any = None,
        matrix: Any = None,
    ) -> None:
        if matrix is not None:
            if not (translation is None and quat_xyzw is None and quat_wxyz is None):
                raise GjkError("a matrix has a translation and a rotation of its own: give nothing else")
            numbers = _numbers("matrix", matrix)
            if numbers.shape[-2:] not in ((4, 4), (3, 4)) or numbers.ndim not in (2, 3):
                raise GjkError(f"matrix has shape {numbers.shape}: expected (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4)")
            rows = numbers.reshape(-1, numbers.shape[-2] * 4)
            self._given: dict[str, Any] = {"kind": "matrix", "numbers": rows, "translation": None}
            return
        if quat_xyzw is not None and quat_wxyz is not None:
            raise GjkError("quat_xyzw and quat_wxyz are both given: one rotation has one order")
        kind = "quat_wxyz" if quat_wxyz is not None else "quat_xyzw"
        rotation = quat_wxyz if quat_wxyz is not None else quat_xyzw
        numbers = _vectors(kind, (0.0, 0.0, 0.0, 1.0) if rotation is None else rotation, 4)
        moved = _vectors("translation", (0.0, 0.0, 0.0) if translation is None else translation, 3)
        _length([("translation", len(moved)), (kind, len(numbers))])
        self._given = {"kind": kind, "numbers": numbers, "translation": moved}

    def __len__(self) -> int:
        moved = self._given["translation"]
        return int(max(len(self._given["numbers"]), 0 if moved is None else len(moved)))

    def __repr__(self) -> str:
        return f"Poses({len(self)}, {self._given['kind']})"


@dataclass(frozen=True)
class Answers:
    """The answers of rows, as columns.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `Verdict`; 255 for a row that is wrong, whose numbers are NaN.
    lower, upper : ndarray of float64, shape (n,), or None
        Ends of an interval that contains the distance, or of `contact` the signed distance: negative in overlap. `None` from `classify`.
    normal, point_a, point_b : ndarray of float64, shape (n, 3), or None
        Unit, from A to B; a point of each body, in the world, that the distance is between.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    lower: np.ndarray | None
    upper: np.ndarray | None
    normal: np.ndarray | None
    point_a: np.ndarray | None
    point_b: np.ndarray | None
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def overlaps(self) -> np.ndarray:
        """Whether the bodies share inner points."""
        found: np.ndarray = self.verdict == Verdict.OVERLAPPING
        return found

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [Verdict(int(code)).name.lower() for code in self.verdict]

    def __repr__(self) -> str:
        counts = {v.name.lower(): int((self.verdict == v).sum()) for v in Verdict}
        shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        return f"Answers({len(self)} rows: {shown or 'none'})"


def classify(
    shapes: Shapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
) -> Answers:
    """Tell how the bodies of each row are to each other.

    Parameters
    ----------
    shapes : Shapes
        What the numbers name.
    a, b : int or array_like of int, shape (n,)
        The shape of each body.
    pose_a, pose_b : Poses or array_like, optional
        Where each body is: `Poses`, or matrices as in `Poses(matrix=...)`; at the origin if left out. Of all four parameters those of one row are for
        all rows.
    errors : {"raise", "column"}
        What a wrong row does (a number that is not finite, a zero quaternion, a singular matrix, an unknown shape): raise `RowError`, or be
        named in `Answers.errors`.
    threads : int, optional
        1 stays on the caller's thread. All processors if left out. Answers do not depend on it.

    Returns
    -------
    Answers
        With verdicts alone.

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
    return _ask("classify", shapes, a, b, pose_a, pose_b, errors, threads)


def distance(
    shapes: Shapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
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
    return _ask("distance", shapes, a, b, pose_a, pose_b, errors, threads)


def contact(
    shapes: Shapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
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
    return _ask("contact", shapes, a, b, pose_a, pose_b, errors, threads)


def _ask(
    what: str,
    shapes: Shapes,
    a: Any,
    b: Any,
    pose_a: Any,
    pose_b: Any,
    errors: str,
    threads: int | None,
) -> Answers:
    if errors not in ("raise", "column"):
        raise GjkError(f'errors is {errors!r}: it must be "raise" or "column"')
    if threads is not None and threads < 1:
        raise GjkError(f"threads is {threads}: it must be at least 1")
    ids_a, ids_b = _ids("a", a), _ids("b", b)
    of_a, of_b = _poses("pose_a", pose_a), _poses("pose_b", pose_b)
    lengths = [("a", len(ids_a)), ("b", len(ids_b))]
    lengths += [(name, len(poses)) for name, poses in (("pose_a", of_a), ("pose_b", of_b)) if poses is not None]
    count = _length(lengths)
    columns, wrong = answer_rows(
        what,
        shapes,
        count,
        {"shape": ids_a, "pose": None if of_a is None else of_a._given, "lacking": None},
        {"shape": ids_b, "pose": None if of_b is None else of_b._given, "lacking": None},
        errors == "raise",
        threads or 0,
    )
    return Answers(
        verdict=columns["verdicts"],
        lower=columns.get("lower"),
        upper=columns.get("upper"),
        normal=columns.get("normal"),
        point_a=columns.get("point_a"),
        point_b=columns.get("point_b"),
        errors=dict(wrong),
    )


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        return np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GjkError(f"{name} is no array of numbers: {error}") from None


def _vectors(name: str, given: Any, width: int) -> np.ndarray:
    numbers = _numbers(name, given)
    if numbers.ndim not in (1, 2) or numbers.shape[-1] != width:
        raise GjkError(f"{name} has shape {numbers.shape}: expected ({width},) or (n, {width})")
    return numbers.reshape(-1, width)


def _ids(name: str, given: Any) -> np.ndarray:
    ids = np.asarray(given)
    if ids.ndim > 1 or (ids.size and ids.dtype.kind not in "iu"):
        raise GjkError(f"{name} has shape {ids.shape} and type {ids.dtype}: expected whole numbers, one or (n,)")
    if ids.size and ids.dtype != np.uint32 and (int(ids.min()) < 0 or int(ids.max()) > 0xFFFF_FFFF):
        # What no shape can have is a row that is wrong, as any other number without a shape.
        ids = np.where((ids < 0) | (ids > 0xFFFF_FFFF), 0xFFFF_FFFF, ids)
    return np.ascontiguousarray(ids, dtype=np.uint32).reshape(-1)


def _poses(name: str, given: Any) -> Poses | None:
    if given is None or isinstance(given, Poses):
        return given
    try:
        return Poses(matrix=given)
    except GjkError as error:
        raise GjkError(f"{name}: {error}; quaternions come as gjk.Poses(quat_xyzw=...) or quat_wxyz") from None


def _length(lengths: list[tuple[str, int]]) -> int:
    """The length of columns, of which those of one row are for all rows."""
    several = {length for _, length in lengths if length != 1}
    if len(several) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths)
        raise GjkError(f"columns of different lengths: {told}")
    return several.pop() if several else 1
