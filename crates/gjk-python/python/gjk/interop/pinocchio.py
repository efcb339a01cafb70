"""Geometry models of Pinocchio, and the geometries of coal that they hold, as scenes and shapes.

Pinocchio (`pip install pin`) is imported when a function needs it. Its quaternions, and those of coal's text, are x, y, z, w; SE3 as seven numbers is a
translation and such a quaternion: `poses_of_xyzquat` says so by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._gjk import GjkError
from .._rows import Poses, vectors
from ..meshes import Mesh
from ..scene import Scene

__all__ = ["coal_geometry", "part", "placements", "poses_of_xyzquat", "scene"]


def part(geometry: Any) -> Mapping[str, Any] | Mesh:
    """What a geometry of coal is here: a mapping with the keys of a shape of `gjk query`, or a mesh as it is.

    Parameters
    ----------
    geometry : coal.CollisionGeometry
        Box, sphere, capsule, cylinder, cone, ellipsoid, triangle, convex polyhedron, or a model of triangles. A swept radius is kept.

    Raises
    ------
    GjkError
        A plane, a half-space, a height field or an octree: there is none here.
    """
    kind = type(geometry).__name__
    if kind.startswith("BVHModel"):
        triangles = [geometry.tri_indices(k) for k in range(geometry.num_tris)]
        # Coal's triangles have no end that `list` would find.
        faces = [[triangle[0], triangle[1], triangle[2]] for triangle in triangles]
        return Mesh(np.array(geometry.vertices(), dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3))
    spec: dict[str, Any]
    if kind == "Box":
        spec = {"shape": "box", "half_extents": _numbers(geometry.halfSide)}
    elif kind == "Sphere":
        spec = {"shape": "ball", "radius": float(geometry.radius)}
    elif kind in ("Capsule", "Cylinder", "Cone"):
        spec = {"shape": kind.lower(), "half_height": float(geometry.halfLength), "radius": float(geometry.radius), "axis": "z"}
    elif kind == "Ellipsoid":
        spec = {"shape": "ellipsoid", "radii": _numbers(geometry.radii)}
    elif kind == "TriangleP":
        spec = {"shape": "triangle", "a": _numbers(geometry.a), "b": _numbers(geometry.b), "c": _numbers(geometry.c)}
    elif kind.startswith("Convex"):
        spec = {"shape": "convex", "points": np.array(geometry.points(), dtype=float).reshape(-1, 3).tolist()}
    else:
        raise GjkError(f"coal's {kind} has no counterpart: leave it out of the geometry model")
    radius = float(geometry.getSweptSphereRadius())
    return {"shape": "rounded", "core": spec, "radius": radius} if radius > 0 else spec


def coal_geometry(what: Any) -> Any:
    """The geometry of coal for a shape or a mesh: the way back of `part`.

    Parameters
    ----------
    what : mapping, or anything with `vertices` and `faces`
        A box, ball, ellipsoid, triangle, a capsule, cylinder or cone along z, one of these rounded, or a mesh.

    Returns
    -------
    coal.CollisionGeometry

    Raises
    ------
    GjkError
        A shape that coal does not have so.
    """
    import coal

    if not isinstance(what, Mapping):
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(what.faces), len(what.vertices))
        model.addVertices(np.asarray(what.vertices, dtype=float))
        model.addTriangles(np.asarray(what.faces, dtype=np.int64))
        model.endModel()
        return model
    kind = what["shape"]
    if kind == "rounded":
        core = coal_geometry(what["core"])
        core.setSweptSphereRadius(core.getSweptSphereRadius() + what["radius"])
        return core
    if kind == "box":
        return coal.Box(2 * np.asarray(what["half_extents"], dtype=float))
    if kind == "ball":
        return coal.Sphere(what["radius"])
    if kind in ("capsule", "cylinder", "cone") and what.get("axis", "z") == "z":
        made = {"capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone}[kind]
        return made(what["radius"], 2 * what["half_height"])
    if kind == "ellipsoid":
        return coal.Ellipsoid(*what["radii"])
    if kind == "triangle":
        return coal.TriangleP(*(np.asarray(what[corner], dtype=float) for corner in "abc"))
    raise GjkError(f"a {kind} with {', '.join(sorted(set(what) - {'shape'}))} has no counterpart in coal")


def placements(model: Any, geometry_model: Any, q: Any = None) -> np.ndarray:
    """Where the geometry objects are in the world.

    Parameters
    ----------
    model : pinocchio.Model
    geometry_model : pinocchio.GeometryModel
    q : array_like, shape (model.nq,), optional
        A configuration as Pinocchio has it; the neutral one if left out.

    Returns
    -------
    ndarray of float64, shape (n, 4, 4)
        In the order of `geometry_model.geometryObjects`.
    """
    import pinocchio as pin

    q = pin.neutral(model) if q is None else np.asarray(q, dtype=float)
    if q.shape != (model.nq,):
        raise GjkError(f"q has shape {q.shape}: expected ({model.nq},)")
    data, placed = model.createData(), geometry_model.createData()
    pin.updateGeometryPlacements(model, data, geometry_model, placed, q)
    return np.array([pose.homogeneous for pose in placed.oMg]).reshape(-1, 4, 4)


def poses_of_xyzquat(rows: Any) -> Poses:
    """Poses of rows of seven numbers, as `pinocchio.SE3ToXYZQUAT` writes them: a translation, and a quaternion as x, y, z, w.

    Parameters
    ----------
    rows : array_like, shape (7,) or (n, 7)
    """
    numbers = vectors("rows", rows, 7)
    return Poses(translation=numbers[:, :3], quat_xyzw=numbers[:, 3:])


def scene(model: Any, geometry_model: Any, q: Any = None, *, meshes: str = "exact") -> Scene:
    """A scene of a geometry model: a body a geometry object, by its name, where a configuration puts it.

    Parameters
    ----------
    model, geometry_model, q
        As of `placements`.
    meshes : {"exact", "hull"}
        What a mesh that is not convex is taken for.

    Returns
    -------
    Scene
        If the geometry model has collision pairs, all others may overlap.

    Raises
    ------
    GjkError
        A geometry that has no counterpart.
    """
    objects = list(geometry_model.geometryObjects)
    known: dict[int, Any] = {}
    # Objects that share a geometry share the mesh here.
    bodies = {thing.name: [(known.setdefault(id(thing.geometry), part(thing.geometry)), None)] for thing in objects}
    if len(bodies) < len(objects):
        raise GjkError("two geometry objects have one name: give each its own")
    poses = dict(zip(bodies, placements(model, geometry_model, q)))
    wanted = {frozenset((pair.first, pair.second)) for pair in geometry_model.collisionPairs}
    names = list(bodies)
    allow = [(names[a], names[b]) for b in range(len(names)) for a in range(b) if wanted and frozenset((a, b)) not in wanted]
    return Scene.from_bodies(bodies, poses, allow=allow, name=model.name or "pinocchio", meshes=meshes)


def _numbers(vector: Any) -> list[float]:
    return [float(x) for x in np.asarray(vector).reshape(-1)]
