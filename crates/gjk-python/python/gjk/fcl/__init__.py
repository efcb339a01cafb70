"""The names of python-fcl over exact queries: `import gjk.fcl as fcl`, or `gjk.fcl.install()` where python-fcl is absent.

What is the same: the names, the arguments, and what results hold. A `BVHModel` is the surface of its triangles, as there: what is within a closed one
without meeting it does not collide.

What is different
-----------------
- Verdicts are exact: bodies that touch collide, whatever their sizes, and no two bodies that are apart do. Curved bodies of which it cannot be told (their numbers
  have too few digits where they are) collide, at a distance of at most 0.
- Distances are the middle of a proved interval. `enable_signed_distance` gives minus the depth of shapes, and of a model that is convex; of other models
  minus the length of a translation that separates them.
- Of equally deep directions another one may be chosen.
- A contact of two models has a depth of 0: how deep two triangles overlap says nothing of the bodies. `b1` and `b2` are -1 for a shape, and for a model in a
  contact with a shape.
- What a callback raises reaches the caller.
- `OcTree`, `Halfspace` and `Plane` are not there, and raise `NotImplementedError`. Cost sources stay empty. Solver types are not looked at.
- `continuousCollide` proves its times: no contact is passed over, and the time of contact is never after it. Motions are lines, lines with a turn, and screws;
  splines are not there. `help(gjk.fcl.continuousCollide)` says the rest.
"""

from __future__ import annotations

import importlib.util
import sys

from .data import (
    CCDMotionType,
    CCDSolverType,
    CollisionData,
    CollisionRequest,
    CollisionResult,
    Contact,
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    CostSource,
    DistanceData,
    DistanceRequest,
    DistanceResult,
    GJKSolverType,
)
from .geometry import (
    NODE_TYPE,
    OBJECT_TYPE,
    Box,
    BVHModel,
    Capsule,
    CollisionGeometry,
    CollisionObject,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Halfspace,
    OcTree,
    Plane,
    Sphere,
    Transform,
    TriangleP,
)
from .manager import DynamicAABBTreeCollisionManager
from .motion import continuousCollide
from .queries import collide, defaultCollisionCallback, defaultDistanceCallback, distance

__all__ = [
    "NODE_TYPE",
    "OBJECT_TYPE",
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "CostSource",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Halfspace",
    "OcTree",
    "Plane",
    "Sphere",
    "Transform",
    "TriangleP",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
    "install",
]


def install() -> bool:
    """Make `import fcl` this module, unless python-fcl is there; whether it is now. Call it before what imports `fcl`, such as trimesh."""
    known = sys.modules.get("fcl")
    if known is None and importlib.util.find_spec("fcl") is None:
        sys.modules["fcl"] = sys.modules[__name__]
        known = sys.modules[__name__]
    return known is sys.modules[__name__]
