"""The queries of two objects, and the callbacks that managers call with pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _gjk, meshes
from .data import (
    CollisionData,
    CollisionRequest,
    CollisionResult,
    Contact,
    DistanceData,
    DistanceRequest,
    DistanceResult,
)
from .geometry import BVHModel, CollisionObject

# The codes of verdicts.
_SEPARATED = 0
_UNDECIDED = 3


@dataclass(frozen=True)
class _Found:
    """How two objects are to each other, from the first to the second."""

    collides: bool
    distance: float
    normal: Any
    points: tuple[Any, Any]
    triangles: tuple[int, int] = (-1, -1)

    def swapped(self) -> _Found:
        normal = tuple(-x for x in self.normal)
        return replace(self, normal=normal, points=self.points[::-1], triangles=self.triangles[::-1])


def _told(told: tuple[Any, ...], triangles: tuple[int, int] = (-1, -1)) -> _Found:
    verdict, lower, upper, normal, point_a, point_b = told
    if lower == -np.inf and upper == np.inf:
        raise ValueError("nothing is known of the distance: the bodies are too large, or too far away")
    # What is not decided collides, so that its distance is the one at which it does.
    distance = min(lower, 0.0) if verdict == _UNDECIDED else (lower + upper) / 2
    return _Found(verdict != _SEPARATED, distance, normal, (point_a, point_b), triangles)


def _found(o1: CollisionObject, o2: CollisionObject) -> _Found:
    """The distance of surfaces, and where they meet the depth of the bodies, if these have one."""
    shape_a, shape_b = o1.geom._built(), o2.geom._built()
    mesh_a, mesh_b = o1.geom._mesh, o2.geom._mesh
    at_a, at_b = o1._placed(), o2._placed()
    if mesh_a is None and mesh_b is None:
        return _told(_gjk.shape_contact(shape_a, at_a, shape_b, at_b))
    if mesh_a is None:
        return _found(o2, o1).swapped()
    if mesh_b is None:
        told = _gjk.mesh_contact(mesh_a, at_a, shape_b, at_b, float("inf"))
        found = None if told is None else _told(told)
    else:
        both = _gjk.mesh_distance(mesh_a, at_a, mesh_b, at_b)
        found = None if both is None else _told(*both)
    if found is None:
        raise ValueError("a model without triangles is nowhere")
    return _deep(found, o1, o2) if found.collides else found


def _deep(found: _Found, o1: CollisionObject, o2: CollisionObject) -> _Found:
    """Surfaces that meet: how deep the bodies are in one another."""
    hull_a, hull_b = (of._convex if isinstance(of, BVHModel) else of._shape for of in (o1.geom, o2.geom))
    if hull_a is not None and hull_b is not None:
        deep = _told(_gjk.shape_contact(hull_a, o1._placed(), hull_b, o2._placed()))
        return replace(deep, collides=True, triangles=found.triangles)
    if o1.geom._mesh is None or o2.geom._mesh is None:
        return found
    lower = _gjk.mesh_escape(o1.geom._mesh, o1._placed(), o2.geom._mesh, o2._placed())
    return found if lower is None else replace(found, distance=-lower)


def _collides(o1: CollisionObject, o2: CollisionObject) -> bool:
    shape_a, shape_b = o1.geom._built(), o2.geom._built()
    mesh_a, mesh_b = o1.geom._mesh, o2.geom._mesh
    at_a, at_b = o1._placed(), o2._placed()
    if mesh_a is None and mesh_b is None:
        return _gjk.shape_verdict(shape_a, at_a, shape_b, at_b) != _SEPARATED
    if mesh_a is None:
        return _collides(o2, o1)
    if mesh_b is None:
        told = _gjk.mesh_contact(mesh_a, at_a, shape_b, at_b, 0.0)
        return told is not None and told[0] != _SEPARATED
    return bool(_gjk.mesh_meetings(mesh_a, at_a, mesh_b, at_b, 1))


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Tell whether two objects share a point, and add what is asked for to the result. Returns how many contacts were found, one without `enable_contact`."""
    request = CollisionRequest() if request is None else request
    result = CollisionResult() if result is None else result
    most = max(1, request.num_max_contacts)
    if not request.enable_contact:
        found = [Contact()] if _collides(o1, o2) else []
    elif o1.geom._mesh is not None and o2.geom._mesh is not None:
        meetings = _gjk.mesh_meetings(o1.geom._mesh, o1._placed(), o2.geom._mesh, o2._placed(), most)
        found = [_meeting(*met) for met in meetings]
    else:
        found = _contact(o1, o2)
    for contact in found:
        contact.o1, contact.o2 = o1.geom, o2.geom
    result.is_collision = result.is_collision or bool(found)
    result.contacts.extend(found)
    return len(found)


def _contact(o1: CollisionObject, o2: CollisionObject) -> list[Contact]:
    if not _collides(o1, o2):
        return []
    found = _found(o1, o2)
    contact = Contact()
    contact.b1, contact.b2 = found.triangles
    contact.normal = np.array(found.normal)
    # Each half: the sum may be beyond the largest float.
    contact.pos = np.array(found.points[0]) / 2 + np.array(found.points[1]) / 2
    contact.penetration_depth = max(0.0, -found.distance)
    return [contact]


def _meeting(triangles: tuple[int, int], point: tuple[float, float, float]) -> Contact:
    contact = Contact()
    contact.b1, contact.b2 = triangles
    contact.pos = np.array(point)
    return contact


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """Measure how far two objects are apart. Where they meet: -1, or with `enable_signed_distance` minus their depth; 0 of two models without."""
    request = DistanceRequest() if request is None else request
    result = DistanceResult() if result is None else result
    found = _found(o1, o2)
    measured = found.distance
    if found.collides and not request.enable_signed_distance:
        measured = 0.0 if o1.geom._mesh is not None and o2.geom._mesh is not None else -1.0
    if measured < result.min_distance:
        result.min_distance = measured
        result.o1, result.o2 = o1.geom, o2.geom
        result.b1, result.b2 = found.triangles
        if request.enable_nearest_points:
            result.nearest_points = [np.array(point) for point in found.points]
    return measured


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Collide the two, and end once there are as many contacts as were asked for."""
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    enough = len(cdata.result.contacts) >= cdata.request.num_max_contacts
    cdata.done = not cdata.request.enable_cost and cdata.result.is_collision and enough
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Measure the two, and end once some overlap."""
    if not cdata.done:
        distance(o1, o2, cdata.request, cdata.result)
        cdata.done = cdata.result.min_distance <= 0.0
    return cdata.done, cdata.result.min_distance
