"""The query of two objects that move to other transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _gjk
from .._motions import Meeting
from .._rows import length
from .data import CCDMotionType, ContinuousCollisionRequest, ContinuousCollisionResult
from .geometry import BVHModel, CollisionObject, Transform
from .queries import _found

# So many steps of a surface end before the touch is found only where bodies slide along one another.
_STEPS = 10_000

# A matrix that is farther from a rotation, in any entry, does more than to turn.
_TURNED = 1e-6


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """Find when two objects first meet on their way to other transforms: 0 at the start, 1 at the end, and 1 if they do not meet.

    The way is what `ccd_motion_type` says, as FCL has it: `CCDM_TRANS` is a line, and the rotation of the end is not looked at; `CCDM_LINEAR` is a line and
    a turn at a constant rate about the moving origin; `CCDM_SCREW` is a turn about an axis and a slide along it.

    Of shapes and of convex models that start apart the answer is proved: there is no contact before the time, and there is one at most `toc_err` of the way
    after it, or nobody can tell that they do not meet. Of lines the verdict is exact for polytopes. Of other models each step is no longer than the distance
    of the surfaces divided by the greatest speed of any point, and it ends where they are as near as `toc_err` of the way.

    Raises
    ------
    NotImplementedError
        `CCDM_SPLINE`; `CCDM_SCREW` for a model that is not convex, or starts in contact.
    ValueError
        A transform that does more than to turn and to move, where the motion turns; numbers that are not finite.
    """
    request = ContinuousCollisionRequest() if request is None else request
    result = ContinuousCollisionResult() if result is None else result
    motion, near = request.ccd_motion_type, length("toc_err", request.toc_err)
    if not np.isfinite(near):
        raise ValueError(f"toc_err is {near}: it must be finite")
    if motion not in (CCDMotionType.CCDM_TRANS, CCDMotionType.CCDM_LINEAR, CCDMotionType.CCDM_SCREW):
        raise NotImplementedError(f"gjk.fcl has no motion of type {motion}: use CCDM_TRANS, CCDM_LINEAR or CCDM_SCREW")
    ends = [Transform(tf1_end), Transform(tf2_end)]
    if motion == CCDMotionType.CCDM_TRANS:
        for of, end in zip((o1, o2), ends):
            end.setRotation(of._transform._rotation)
    bodies = _bodies(o1, o2)
    if bodies is not None:
        time = _proved(bodies, (o1, o2), ends, motion, near)
    elif motion == CCDMotionType.CCDM_SCREW:
        raise NotImplementedError("gjk.fcl has no screw for models that are not convex, or that start in contact: use CCDM_LINEAR")
    else:
        time = _stepped((o1, o2), ends, near)
    result.is_collide, result.time_of_contact = time is not None, 1.0 if time is None else time
    return result.time_of_contact


def _bodies(o1: CollisionObject, o2: CollisionObject) -> tuple[_gjk.Shape, _gjk.Shape] | None:
    """Both as convex bodies. The surface of a convex model is where its body is first met from outside."""
    shapes = [of.geom._convex if isinstance(of.geom, BVHModel) else of.geom._built() for of in (o1, o2)]
    one, other = shapes
    if one is None or other is None:
        return None
    is_surface = any(isinstance(of.geom, BVHModel) for of in (o1, o2))
    apart = not is_surface or _gjk.shape_verdict(one, o1._placed(), other, o2._placed()) == 0
    return (one, other) if apart else None


def _proved(
    bodies: tuple[_gjk.Shape, _gjk.Shape],
    objects: tuple[CollisionObject, CollisionObject],
    ends: list[Transform],
    motion: int,
    toc_err: float,
) -> float | None:
    """When two convex bodies first meet; what is not decided counts as a contact."""
    starts = [of._transform for of in objects]
    if motion == CCDMotionType.CCDM_TRANS:
        lines = [end._translation - start._translation for start, end in zip(starts, ends)]
        at_a, at_b = objects[0]._placed(), objects[1]._placed()
        told = _gjk.shape_sweep(bodies[0], at_a, lines[0].tolist(), bodies[1], at_b, lines[1].tolist())
    else:
        ways = [(_place(start), _place(end)) for start, end in zip(starts, ends)]
        is_screw = motion == CCDMotionType.CCDM_SCREW
        told = _gjk.shape_impact(bodies[0], ways[0], bodies[1], ways[1], is_screw, toc_err)
    verdict, lower, _ = told
    if verdict == Meeting.FREE:
        return None
    if not np.isfinite(lower):
        raise ValueError("nothing is known of the motion: the bodies are too large, or too far away")
    return lower


def _place(of: Transform) -> tuple[list[float], list[float]]:
    """A transform as a quaternion x, y, z, w and a translation."""
    w, x, y, z = of.getQuatRotation().tolist()
    turned = Transform([w, x, y, z])._rotation
    if not np.abs(turned - of._rotation).max() <= _TURNED:
        raise ValueError(f"a motion that turns needs rotations: {of._rotation.tolist()} is none")
    return [x, y, z, w], of._translation.tolist()


def _stepped(objects: tuple[CollisionObject, CollisionObject], ends: list[Transform], toc_err: float) -> float | None:
    """When surfaces first meet, by steps within which nothing can be passed over."""
    with np.errstate(over="ignore", invalid="ignore"):
        ways = [_Way(of, end) for of, end in zip(objects, ends)]
        speed = ways[0].fastest + ways[1].fastest
    if not np.isfinite(speed):
        raise ValueError("nothing is known of the motion: the bodies are too large, or too far away")
    near = toc_err * speed
    time, moved = 0.0, [CollisionObject(of.geom) for of in objects]
    for _ in range(_STEPS):
        for way, of in zip(ways, moved):
            of.setTransform(way.at(time))
        found = _found(moved[0], moved[1])
        if found.collides or found.distance <= near:
            return time
        if speed == 0.0 or time >= 1.0:
            return None
        time = min(1.0, time + max(found.distance, near) / speed)
    # So near for so long that nobody can say that they do not meet.
    return time


class _Way:
    """From a transform to another: a line and a turn about the moving origin."""

    def __init__(self, of: CollisionObject, end: Transform) -> None:
        start = of._transform
        self._start, self._line = start, end._translation - start._translation
        turn = end._rotation @ start._rotation.T
        cosine = min(1.0, max(-1.0, (np.trace(turn) - 1.0) / 2.0))
        self._angle = float(np.arccos(cosine))
        # The axis is the null space of the turn less one.
        _, _, rows = np.linalg.svd(turn - np.eye(3))
        axis = rows[2]
        skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        if np.trace(skew @ turn) > 0.0:
            skew = -skew
        self._skew = skew
        corners = np.abs(of.geom._bounds(_gjk.Pose(np.eye(3).tolist(), (0.0, 0.0, 0.0)))).max(axis=0)
        # No point of the body is faster; the turn by a float's angle may be off by a rounding.
        self.fastest = float(np.linalg.norm(self._line) + self._angle * np.linalg.norm(corners)) * (1.0 + 1e-9)

    def at(self, time: float) -> Transform:
        """Where it is at a time."""
        angle = self._angle * time
        turn: Any = np.eye(3) + np.sin(angle) * self._skew + (1.0 - np.cos(angle)) * self._skew @ self._skew
        return Transform(turn @ self._start._rotation, self._start._translation + time * self._line)
