"""Transforms, geometries, and objects at transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _gjk
from .._rows import as_numbers


class OBJECT_TYPE:
    """What a geometry is: a model of triangles, a shape, an octree."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    """The kinds of geometries."""

    (
        BV_UNKNOWN,
        BV_AABB,
        BV_OBB,
        BV_RSS,
        BV_kIOS,
        BV_OBBRSS,
        BV_KDOP16,
        BV_KDOP18,
        BV_KDOP24,
        GEOM_BOX,
        GEOM_SPHERE,
        GEOM_ELLIPSOID,
        GEOM_CAPSULE,
        GEOM_CONE,
        GEOM_CYLINDER,
        GEOM_CONVEX,
        GEOM_PLANE,
        GEOM_HALFSPACE,
        GEOM_TRIANGLE,
        GEOM_OCTREE,
        NODE_COUNT,
    ) = range(21)


class Transform:
    """A rotation and a translation: of nothing, of another transform, or of a matrix (3, 3), a quaternion (w, x, y, z), a translation (3,), or two of them."""

    def __init__(self, *args: Any) -> None:
        self._rotation, self._translation = np.eye(3), np.zeros(3)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._rotation, self._translation = args[0]._rotation.copy(), args[0]._translation.copy()
        elif len(args) == 1:
            given = as_numbers("a transform", args[0])
            if given.shape == (3,):
                self.setTranslation(given)
            else:
                self._turn(given)
        elif len(args) == 2:
            self._turn(as_numbers("a rotation", args[0]))
            self.setTranslation(args[1])
        elif args:
            raise ValueError(f"Transform takes at most a rotation and a translation, and got {len(args)} parameters")

    def _turn(self, given: np.ndarray) -> None:
        if given.shape == (4,):
            self.setQuatRotation(given)
        else:
            self.setRotation(given)

    def getRotation(self) -> np.ndarray:
        """The matrix."""
        return self._rotation.copy()

    def getTranslation(self) -> np.ndarray:
        """The translation."""
        return self._translation.copy()

    def getQuatRotation(self) -> np.ndarray:
        """The rotation as a quaternion w, x, y, z."""
        return _quaternion(self._rotation)

    def setRotation(self, R: Any) -> None:
        """Sets the matrix."""
        rotation = as_numbers("a rotation", R).copy()
        if rotation.shape != (3, 3):
            raise ValueError(f"a rotation has shape (3, 3) or (4,), not {rotation.shape}")
        self._rotation = rotation

    def setQuatRotation(self, q: Any) -> None:
        """Sets the rotation by a quaternion w, x, y, z of any length but zero."""
        w, x, y, z = (float(part) for part in as_numbers("a quaternion", q).reshape(4))
        square = w * w + x * x + y * y + z * z
        if not square > 0.0:
            raise ValueError(f"a quaternion of length 0 is no rotation: {q}")
        s = 2.0 / square
        self._rotation = np.array(
            [
                [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
                [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
                [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
            ]
        )

    def setTranslation(self, T: Any) -> None:
        """Sets the translation."""
        self._translation = as_numbers("a translation", T).reshape(3).copy()


def _quaternion(m: np.ndarray) -> np.ndarray:
    """The quaternion w, x, y, z of a rotation matrix, by the largest of its parts."""
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    squares = np.array([trace, m[0, 0], m[1, 1], m[2, 2]])
    k = int(np.argmax(squares))
    if k == 0:
        q = np.array([1 + trace, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    else:
        i = k - 1
        j, l = (i + 1) % 3, (i + 2) % 3
        q = np.empty(4)
        q[0] = m[l, j] - m[j, l]
        q[1 + i] = 1 + 2 * m[i, i] - trace
        q[1 + j] = m[j, i] + m[i, j]
        q[1 + l] = m[l, i] + m[i, l]
    unit: np.ndarray = q / np.linalg.norm(q)
    return unit


class CollisionGeometry:
    """What a body is made of: a convex shape, or a model of triangles."""

    _node = NODE_TYPE.BV_UNKNOWN

    def __init__(self, shape: _gjk.Shape | None = None, mesh: _gjk.Mesh | None = None) -> None:
        self._shape = shape
        self._mesh = mesh

    def getNodeType(self) -> int:
        """A number of `NODE_TYPE`."""
        return self._node

    def computeLocalAABB(self) -> None:
        """Nothing: boxes are computed where they are asked for."""

    @property
    def aabb_center(self) -> np.ndarray:
        """The middle of the box around it."""
        low, high = self._bounds(_gjk.Pose(_EYE, _ZERO))
        middle: np.ndarray = (low + high) / 2
        return middle

    def _bounds(self, pose: _gjk.Pose) -> np.ndarray:
        return np.array(self._built().bounds(pose))

    def _built(self) -> _gjk.Shape:
        """Its shape; of a model its hull."""
        if self._shape is None:
            raise ValueError("the geometry has no shape yet: a BVHModel needs endModel")
        return self._shape


_EYE = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_ZERO = (0.0, 0.0, 0.0)


def _made(name: str, *args: Any, **options: Any) -> _gjk.Shape:
    shapes = _gjk.Shapes()
    return shapes.get(getattr(shapes, name)(*args, **options))


class Box(CollisionGeometry):
    """A box of sides x, y and z about the origin."""

    _node = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = as_numbers("sides", (x, y, z))
        super().__init__(_made("box", half_extents=(self.side / 2).tolist()))


class Sphere(CollisionGeometry):
    """A ball about the origin."""

    _node = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        super().__init__(_made("sphere", radius))
        self.radius = radius


class Ellipsoid(CollisionGeometry):
    """An ellipsoid of three radii about the origin."""

    _node = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        super().__init__(_made("ellipsoid", (a, b, c)))
        self.radii = np.array([a, b, c], dtype=float)


class _Round(CollisionGeometry):
    """A shape about the z axis, of a radius and a length."""

    _name = ""

    def __init__(self, radius: float, lz: float) -> None:
        length = float(as_numbers("lz", lz).reshape(()))
        super().__init__(_made(self._name, half_height=length / 2, radius=radius, axis="z"))
        self.radius, self.lz = radius, lz


class Capsule(_Round):
    """A capsule about the z axis: `lz` is the length between its two centers."""

    _name, _node = "capsule", NODE_TYPE.GEOM_CAPSULE


class Cone(_Round):
    """A cone about the z axis, its middle at the origin, its tip above."""

    _name, _node = "cone", NODE_TYPE.GEOM_CONE


class Cylinder(_Round):
    """A cylinder about the z axis, its middle at the origin."""

    _name, _node = "cylinder", NODE_TYPE.GEOM_CYLINDER


class TriangleP(CollisionGeometry):
    """A triangle."""

    _node = NODE_TYPE.GEOM_TRIANGLE

    def __init__(self, a: Any, b: Any, c: Any) -> None:
        self.a, self.b, self.c = (as_numbers("a corner", corner).reshape(3).copy() for corner in (a, b, c))
        super().__init__(_made("triangle", tuple(self.a), tuple(self.b), tuple(self.c)))


class Convex(CollisionGeometry):
    """A convex polytope: vertices, how many faces, and for each the number of its corners and these. The hull of the vertices is taken."""

    _node = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: Any, num_faces: int, faces: Any) -> None:
        super().__init__(_made("hull", as_numbers("vertices", vertices)))
        self.num_faces = num_faces
        self.vertices, self.faces = as_numbers("vertices", vertices).copy(), np.array(faces)


class BVHModel(CollisionGeometry):
    """The surface of triangles: `beginModel`, then `addSubModel`, `addTriangle` or `addVertex`, then `endModel`."""

    _node = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[tuple[np.ndarray, np.ndarray]] = []
        self._convex: _gjk.Shape | None = None

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Starts again; the counts are not looked at."""
        self._parts, self._shape, self._mesh = [], None, None
        return 0

    def addVertex(self, x: float, y: float, z: float) -> int:
        """Adds a vertex to the last part."""
        vertices, faces = self._parts.pop() if self._parts else (np.empty((0, 3)), np.empty((0, 3), dtype=np.int64))
        self._parts.append((np.vstack([vertices, [x, y, z]]), faces))
        return 0

    def addTriangle(self, v1: Any, v2: Any, v3: Any) -> int:
        """Adds a triangle of three places."""
        return self.addSubModel([v1, v2, v3], [[0, 1, 2]])

    def addSubModel(self, verts: Any, triangles: Any) -> int:
        """Adds triangles, by their numbers among these vertices."""
        vertices = as_numbers("vertices", verts).reshape(-1, 3)
        self._parts.append((vertices, np.ascontiguousarray(triangles, dtype=np.int64).reshape(-1, 3)))
        return 0

    def endModel(self) -> int:
        """Builds the model."""
        first, vertices, faces = 0, [], []
        for points, corners in self._parts:
            vertices.append(points)
            faces.append(corners + first)
            first += len(points)
        if not vertices:
            raise ValueError("a model needs triangles before endModel")
        points, corners = np.vstack(vertices), np.vstack(faces)
        self._mesh = _gjk.Mesh(points, corners)
        self._convex = self._mesh.convex_shape()
        # For its box.
        self._shape = _made("hull", points)
        self._parts = []
        return 0

    def buildState(self) -> int:
        """2 after `endModel`, as FCL counts."""
        return 0 if self._mesh is None else 2

    @property
    def num_tries_(self) -> int:
        """How many triangles there are."""
        return 0 if self._mesh is None else len(self._mesh)


class _Absent:
    """A geometry that is not there."""

    def __init__(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError(f"gjk.fcl has no {type(self).__name__}: use a Box, a Convex or a BVHModel in its place")


class OcTree(_Absent):
    """Not there."""


class Halfspace(_Absent):
    """Not there."""


class Plane(_Absent):
    """Not there."""


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry | None = None, tf: Transform | None = None, _no_instance: bool = False) -> None:
        self.geom = geom if geom is not None else CollisionGeometry()
        self._transform = Transform() if tf is None else Transform(tf)
        self._pose: _gjk.Pose | None = None

    def _placed(self) -> _gjk.Pose:
        if self._pose is None:
            self._pose = _gjk.Pose(self._transform._rotation.tolist(), self._transform._translation.tolist())
        return self._pose

    def _bounds(self) -> np.ndarray:
        return self.geom._bounds(self._placed())

    def getObjectType(self) -> int:
        """A number of `OBJECT_TYPE`."""
        return OBJECT_TYPE.OT_BVH if isinstance(self.geom, BVHModel) else OBJECT_TYPE.OT_GEOM

    def getNodeType(self) -> int:
        """A number of `NODE_TYPE`."""
        return self.geom.getNodeType()

    def getTransform(self) -> Transform:
        """A copy of its transform."""
        return Transform(self._transform)

    def setTransform(self, tf: Transform) -> None:
        """Sets both rotation and translation."""
        self._transform, self._pose = Transform(tf), None

    def getTranslation(self) -> np.ndarray:
        """Its translation."""
        return self._transform.getTranslation()

    def setTranslation(self, vec: Any) -> None:
        """Sets the translation."""
        self._transform.setTranslation(vec)
        self._pose = None

    def getRotation(self) -> np.ndarray:
        """Its rotation matrix."""
        return self._transform.getRotation()

    def setRotation(self, mat: Any) -> None:
        """Sets the rotation by a matrix."""
        self._transform.setRotation(mat)
        self._pose = None

    def getQuatRotation(self) -> np.ndarray:
        """Its rotation as a quaternion w, x, y, z."""
        return self._transform.getQuatRotation()

    def setQuatRotation(self, q: Any) -> None:
        """Sets the rotation by a quaternion w, x, y, z."""
        self._transform.setQuatRotation(q)
        self._pose = None

    def isOccupied(self) -> bool:
        """True: what is not an octree is."""
        return True

    def isFree(self) -> bool:
        """False: what is not an octree is occupied."""
        return False

    def isUncertain(self) -> bool:
        """False."""
        return False
