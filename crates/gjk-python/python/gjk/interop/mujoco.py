"""Models of MuJoCo as scenes and shapes.

MuJoCo is imported when a function needs it. Its quaternions are w, x, y, z, and lie so in `MjModel` and `MjData`. Its meshes collide as their hulls,
and so do they here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._gjk import GjkError, Shapes
from .._rows import Poses
from ..scene import Scene

__all__ = ["body_poses", "geom_poses", "part", "scene", "shapes"]

def part(model: Any, geom: int) -> Mapping[str, Any]:
    """What a geom is here: a mapping with the keys of a shape of `gjk query`. A mesh is its hull, as it is to MuJoCo.

    Parameters
    ----------
    model : mujoco.MjModel
    geom : int
        The geom's number.

    Raises
    ------
    GjkError
        A plane, a height field or a field of signed distances: there is none here.
    """
    kind = _kind(model, geom)
    size = [float(x) for x in model.geom_size[geom]]
    if kind == "sphere":
        return {"shape": "ball", "radius": size[0]}
    if kind in ("capsule", "cylinder"):
        return {"shape": kind, "half_height": size[1], "radius": size[0], "axis": "z"}
    if kind == "ellipsoid":
        return {"shape": "ellipsoid", "radii": size}
    if kind == "box":
        return {"shape": "box", "half_extents": size}
    if kind == "mesh":
        mesh = int(model.geom_dataid[geom])
        start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        return {"shape": "convex", "points": np.asarray(model.mesh_vert[start : start + count], dtype=float).tolist()}
    raise GjkError(f"geom {_name(model.geom(geom), 'geom', geom)} is of the kind {kind}, which has no counterpart: leave it out, or use skip=True")


def shapes(model: Any, *, skip: bool = False) -> tuple[Shapes, np.ndarray]:
    """The shapes of all geoms.

    Parameters
    ----------
    model : mujoco.MjModel
    skip : bool
        Leave out geoms that have no counterpart.

    Returns
    -------
    shapes : Shapes
    ids : ndarray of int64, shape (ngeom,)
        The number of each geom's shape; -1 where it was left out.
    """
    specs: list[Mapping[str, Any]] = []
    ids = np.full(model.ngeom, -1, dtype=np.int64)
    for geom in range(model.ngeom):
        if skip and not _has_counterpart(model, geom):
            continue
        ids[geom] = len(specs)
        specs.append(part(model, geom))
    return Shapes.from_json(json.dumps(specs)), ids


def geom_poses(data: Any) -> Poses:
    """Where the geoms are in the world (`geom_xpos`, `geom_xmat`), a row a geom.

    Parameters
    ----------
    data : mujoco.MjData
        After `mj_forward` or `mj_kinematics`.
    """
    return Poses(matrix=np.concatenate([np.asarray(data.geom_xmat).reshape(-1, 3, 3), np.asarray(data.geom_xpos)[:, :, None]], axis=2))


def body_poses(data: Any) -> Poses:
    """Where the bodies are in the world (`xpos`, `xquat`), a row a body, the world first. Parameters are those of `geom_poses`."""
    return Poses(translation=data.xpos, quat_wxyz=data.xquat)


def scene(model: Any, data: Any = None, *, skip: bool = False) -> Scene:
    """A scene of a model: a body a body of MuJoCo, the union of its geoms that collide with anything.

    Pairs of bodies that MuJoCo never tests may overlap: those welded together, parents and children, excluded pairs, and those none of whose geoms have
    types that fit. Of two other bodies all geoms are compared. Explicit pairs (`<pair>`) are not looked at.

    Parameters
    ----------
    model : mujoco.MjModel
    data : mujoco.MjData, optional
        Where the bodies are, after `mj_forward` or `mj_kinematics`; the model's initial state if left out.
    skip : bool
        Leave out geoms that have no counterpart, such as a ground plane.

    Raises
    ------
    GjkError
        A geom that has no counterpart, unless `skip`.
    """
    import mujoco

    if data is None:
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
    bodies: dict[str, list[tuple[Any, Any]]] = {}
    of_body: dict[int, list[int]] = {}
    for geom in range(model.ngeom):
        collides = model.geom_contype[geom] or model.geom_conaffinity[geom]
        if collides and not (skip and not _has_counterpart(model, geom)):
            of_body.setdefault(int(model.geom_bodyid[geom]), []).append(geom)
    poses = {}
    for body, geoms in sorted(of_body.items()):
        name = _name(model.body(body), "body", body)
        bodies[name] = [(part(model, geom), _matrix(model.geom_pos[geom], model.geom_quat[geom])) for geom in geoms]
        poses[name] = _matrix(data.xpos[body], data.xquat[body])
    numbers, names = sorted(of_body), list(bodies)
    never = [
        (names[i], names[j])
        for j, b in enumerate(numbers)
        for i, a in enumerate(numbers[:j])
        if _is_filtered(model, a, b) or not _types_fit(model, of_body[a], of_body[b])
    ]
    return Scene.from_bodies(bodies, poses, allow=never, name="mujoco")


def _kind(model: Any, geom: int) -> str:
    import mujoco

    return str(mujoco.mjtGeom(int(model.geom_type[geom])).name.removeprefix("mjGEOM_").lower())


def _has_counterpart(model: Any, geom: int) -> bool:
    return _kind(model, geom) in ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


def _is_filtered(model: Any, a: int, b: int) -> bool:
    """Whether MuJoCo never tests two bodies, the lower one first."""
    import mujoco

    if (a << 16) + b in model.exclude_signature or (b << 16) + a in model.exclude_signature:
        return True
    welded = [int(model.body_weldid[body]) for body in (a, b)]
    if welded[0] == welded[1]:
        return True
    if model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_FILTERPARENT) or 0 in welded:
        return False
    parents = [int(model.body_weldid[model.body_parentid[body]]) for body in welded]
    return welded[0] == parents[1] or welded[1] == parents[0]


def _types_fit(model: Any, a: list[int], b: list[int]) -> bool:
    kind, fits = model.geom_contype, model.geom_conaffinity
    return any(kind[one] & fits[other] or kind[other] & fits[one] for one in a for other in b)


def _matrix(translation: Any, quat_wxyz: Any) -> np.ndarray:
    import mujoco

    matrix, rows = np.eye(4), np.zeros(9)
    mujoco.mju_quat2Mat(rows, np.asarray(quat_wxyz, dtype=float))
    matrix[:3, :3], matrix[:3, 3] = rows.reshape(3, 3), translation
    return matrix


def _name(named: Any, what: str, number: int) -> str:
    return str(named.name) or f"{what} {number}"
