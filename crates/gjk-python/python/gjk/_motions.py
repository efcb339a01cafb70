"""Rays, casts and times of impact over arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from . import _gjk, _rows

if TYPE_CHECKING:
    import numpy as np

    from ._gjk import PlanarShapes, Shapes
    from ._rows import Motions, PlanarMotions

#: Why the work on a motion ended, by the codes of the column `stop`.
STOPS = tuple(_gjk.motion_stops())


class Meeting(IntEnum):
    """How two bodies in motion meet; the numbers in the column of verdicts."""

    FREE = 0
    HITS = 1
    STARTS_TOUCHING = 2
    STARTS_OVERLAPPING = 3
    EXITS = 4
    UNDECIDED = 5
    WRONG_ROW = 255


@dataclass(frozen=True)
class MotionAnswers:
    """The answers of rows about motions, as columns. Of what an answer does not have the numbers are NaN; `d` is 3, in the plane 2.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `Meeting`; 255 for a row that is wrong, whose numbers are NaN.
    exact : ndarray of bool, shape (n,)
        Whether the verdict rests on exact signs: of rays and casts of polytopes, rounded or not.
    time_lower, time_upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the time of the verdict: first contact, or the end of contact where it exits; 0 for a start in contact. Where it
        is undecided there is no contact before the lower end, and if the upper one is finite there is one until then. NaN where it is free.
    exit_lower, exit_upper : ndarray of float64, shape (n,)
        The time at which contact ends, where it is known: of rays and casts of polytopes.
    normal : ndarray of float64, shape (n, d)
        Unit, from A to B at the contact; of a ray out of the body.
    point_a, point_b : ndarray of float64, shape (n, d)
        On the bodies, in the world, at `time_upper`; of a ray both are the place that it hits.
    grazing : ndarray of bool, shape (n,)
        There is contact, and it is known that no inner point is ever met.
    signed_lower, signed_upper : ndarray of float64, shape (n,)
        Ends of the signed distance of a start in contact.
    iterations : ndarray of uint32, shape (n,)
        Steps of the search.
    stop : ndarray of uint8, shape (n,)
        Why the work ended: `stop_names` has the words.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    time_lower: np.ndarray
    time_upper: np.ndarray
    exit_lower: np.ndarray
    exit_upper: np.ndarray
    normal: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    grazing: np.ndarray
    signed_lower: np.ndarray
    signed_upper: np.ndarray
    iterations: np.ndarray
    stop: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def hits(self) -> np.ndarray:
        """Whether there is contact from the start on or later: false where it is free, undecided or wrong."""
        found: np.ndarray = (self.verdict > Meeting.FREE) & (self.verdict < Meeting.UNDECIDED)
        return found

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [Meeting(int(code)).name.lower() for code in self.verdict]

    def stop_names(self) -> list[str]:
        """Why the work on each row ended, in words."""
        return [STOPS[code] if code < len(STOPS) else "wrong_row" for code in self.stop.tolist()]

    def __repr__(self) -> str:
        return f"MotionAnswers({_rows.counted(self.verdict, Meeting)})"


def ray_cast(
    shapes: Shapes | PlanarShapes,
    a: Any,
    origin: Any,
    direction: Any,
    pose_a: Any = None,
    *,
    max_time: float | None = None,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    errors: str = "raise",
    threads: int | None = None,
) -> MotionAnswers:
    """Tell when the ray of each row meets its body: the point `origin + t * direction` for `t >= 0`.

    Parameters
    ----------
    shapes : Shapes or PlanarShapes
        What the numbers name.
    a : int or array_like of int, shape (n,)
        The shape of the body.
    origin, direction : array_like, shape (3,) or (n, 3), in the plane (2,) or (n, 2)
        Where the point starts, and how far it moves in a unit of time. Times are in lengths of `direction`, which need not be unit; zero is a point at rest.
    pose_a : Poses, PlanarPoses or array_like, optional
        Where the body is, as in `classify`. Of all four parameters those of one row are for all rows.
    max_time : float, optional
        The end of the motion, which belongs to it; none if left out.
    distance : float
        Contact is a signed distance of at most this.
    start : {"hit", "approach", "exit"}
        What a start in contact means: it is the answer; it is one only if the motion goes deeper, and else passed over; the end of contact is the answer.
    touch : {"counts", "passes"}
        Whether a contact without common inner points is one, or passed over: then it is free, and `grazing`.
    errors : {"raise", "column"}
        What a wrong row does (a number that is not finite, an unknown shape): raise `RowError`, or be named in `MotionAnswers.errors`.
    threads : int, optional
        1 stays on the caller's thread. All processors if left out, for more than 32 rows. Answers do not depend on it.

    Returns
    -------
    MotionAnswers

    Raises
    ------
    RowError
        For the first row that is wrong, unless `errors="column"`.
    GjkError
        For parameters of other shapes, and options out of range.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(1, 1, 1))
    >>> found = gjk.ray_cast(shapes, cube, [[-3, 0, 0], [-3, 1, 0], [-3, 2, 0]], [1, 0, 0])
    >>> found.verdict_names(), found.grazing.tolist()
    (['hits', 'hits', 'free'], [False, True, False])
    >>> found.time_lower.tolist(), found.normal[0].tolist()
    ([2.0, 2.0, nan], [-1.0, 0.0, 0.0])
    """
    columns, wrong = _gjk.answer_rays(shapes, (a, pose_a), (origin, direction), (max_time, distance, start, touch), errors, threads)
    return MotionAnswers(**columns, errors=wrong)


def shape_cast(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    max_time: float | None = None,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    errors: str = "raise",
    threads: int | None = None,
) -> MotionAnswers:
    """Tell when the bodies of each row meet that move in straight lines and do not turn.

    Parameters
    ----------
    shapes, a, b, pose_a, pose_b
        As in `classify`; poses are those at the time 0.
    velocity_a, velocity_b : array_like, shape (3,) or (n, 3), in the plane (2,) or (n, 2), optional
        How far each body moves in a unit of time. It rests if left out.
    max_time, distance, start, touch, errors, threads
        As in `ray_cast`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(1, 1, 1))
    >>> there = gjk.Poses(translation=[5, 0, 0])
    >>> found = gjk.shape_cast(shapes, cube, cube, None, there, velocity_b=[[-2, 0, 0], [2, 0, 0]])
    >>> found.verdict_names(), found.time_upper.tolist()
    (['hits', 'free'], [1.5, nan])
    """
    pair, policies = (a, b, pose_a, pose_b), (max_time, distance, start, touch)
    columns, wrong = _gjk.answer_casts(shapes, pair, (velocity_a, velocity_b), policies, errors, threads)
    return MotionAnswers(**columns, errors=wrong)


def time_of_impact(
    shapes: Shapes | PlanarShapes,
    a: Any,
    b: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    motion_a: Motions | PlanarMotions | None = None,
    motion_b: Motions | PlanarMotions | None = None,
    max_time: float = 1.0,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    time_resolution: float | None = None,
    pieces_max: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> MotionAnswers:
    """Tell when the bodies of each row first meet that move and turn. It is proved that there is no contact before `time_lower`, and contact at `time_upper`.

    Parameters
    ----------
    shapes, a, b, pose_a, pose_b
        As in `classify`; poses are those at the time 0.
    motion_a, motion_b : Motions, in the plane PlanarMotions, optional
        How each body moves from there. It rests if left out.
    max_time : float
        The end of the motion, which belongs to it.
    time_resolution : float, optional
        The part of the motion's duration below which the search ends: 1e-12 if left out. It is never a verdict.
    pieces_max : int, optional
        At most so many proved pieces of the motion: 10000 if left out.
    distance, start, touch, errors, threads
        As in `ray_cast`. With `start="approach"` a start in contact that parts is passed over, and the answer is the first contact after.

    Examples
    --------
    A bar swings through a floor, and is clear of it at both ends of the motion.

    >>> import gjk
    >>> shapes = gjk.PlanarShapes()
    >>> floor, bar = shapes.box(half_extents=(10, 1)), shapes.box(half_extents=(1, 0.05))
    >>> below, above = gjk.PlanarPoses(translation=[0, -1]), gjk.PlanarPoses(translation=[0, 0.9], angle=-0.3)
    >>> found = gjk.time_of_impact(shapes, floor, bar, below, above, motion_b=gjk.PlanarMotions(angular=-3.14))
    >>> found.verdict_names(), round(float(found.time_lower[0]), 9)
    (['hits'], 0.244344533)
    """
    pair, policies = (a, b, pose_a, pose_b), (max_time, distance, start, touch)
    columns, wrong = _gjk.answer_tois(shapes, pair, (motion_a, motion_b), policies, time_resolution, pieces_max, errors, threads)
    return MotionAnswers(**columns, errors=wrong)
