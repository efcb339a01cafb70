"""trimesh's collision manager over exact queries: the same methods, and answers for many transforms at once.

What is more than trimesh has: `ignore` leaves out pairs; shapes of equal meshes are built once; minimal distances are those of all pairs, also where some overlap;
`in_collision_many` asks many transforms in one call; `clearance` tells the pairs nearer than a length.

Examples
--------
>>> import gjk.interop.trimesh as collision
>>> from types import SimpleNamespace  # anything with vertices and faces
>>> import numpy as np
>>> corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
>>> faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
>>> cube = SimpleNamespace(vertices=corners, faces=np.array(faces))
>>> manager = collision.CollisionManager()
>>> manager.add_object("left", cube)
>>> moved = np.eye(4); moved[0, 3] = 3.0
>>> manager.add_object("right", cube, moved)
>>> round(manager.min_distance_internal(), 6)
2.0
>>> moved[0, 3] = 0.5
>>> manager.in_collision_single(cube, moved, return_names=True)
(True, {'left'})
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import fcl
from .._rows import Poses
from ..meshes import Mesh, meets

EXTERNAL = "__external"


class ContactData:
    """A contact of two objects, with trimesh's names."""

    def __init__(self, names: tuple[str, str], contact: fcl.Contact) -> None:
        self.names = set(names)
        self.normal, self.point, self.depth = contact.normal, contact.pos, contact.penetration_depth
        self._triangles = {names[0]: contact.b1, names[1]: contact.b2}

    def index(self, name: str) -> int:
        """The triangle of an object; -1 for a convex one, whose triangles are not asked."""
        return self._triangles[name]


class DistanceData:
    """The least distance of two objects, with trimesh's names."""

    def __init__(self, names: tuple[str, str], result: fcl.DistanceResult) -> None:
        self.names = set(names)
        self.distance = result.min_distance
        self._triangles = {names[0]: result.b1, names[1]: result.b2}
        self._points: dict[str, np.ndarray] = dict(zip(names, result.nearest_points))

    def index(self, name: str) -> int:
        """The nearest triangle of an object; -1 for a convex one, whose triangles are not asked."""
        return self._triangles[name]

    def point(self, name: str) -> np.ndarray:
        """The nearest point of an object."""
        return self._points[name]


class CollisionManager:
    """Meshes by name, at transforms.

    Parameters
    ----------
    ignore : iterable of pairs of names, optional
        Pairs that are never asked about, in either order.
    """

    def __init__(self, ignore: Iterable[tuple[str, str]] = ()) -> None:
        self.ignore = {frozenset(pair) for pair in ignore}
        self._objects: dict[str, fcl.CollisionObject] = {}
        self._names: dict[int, str] = {}
        self._known: dict[bytes, tuple[fcl.CollisionGeometry, Mesh]] = {}
        self._meshes: dict[str, Mesh] = {}
        self._manager = fcl.DynamicAABBTreeCollisionManager()

    def add_object(self, name: str, mesh: Any, transform: Any = None) -> None:
        """Adds a mesh, or replaces the one of that name. Its `vertices` and `faces` are read; `transform` is a (4, 4) matrix."""
        if name in self._objects:
            self.remove_object(name)
        geom, self._meshes[name] = self._geometry(mesh)
        self._objects[name] = fcl.CollisionObject(geom, _transform(transform))
        self._names[id(self._objects[name])] = name
        self._manager.registerObject(self._objects[name])

    def remove_object(self, name: str) -> None:
        """Takes an object out."""
        removed = self._objects.pop(self._there(name))
        del self._names[id(removed)], self._meshes[name]
        self._manager.unregisterObject(removed)

    def set_transform(self, name: str, transform: Any) -> None:
        """Moves an object."""
        self._objects[self._there(name)].setTransform(_transform(transform))

    def in_collision_single(self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether a mesh collides with any object: True or False, and if wanted the set of names, and the contacts."""
        single = fcl.CollisionObject(self._geometry(mesh)[0], _transform(transform))
        names, contacts = self._collisions((single,), return_names or return_data, return_data)
        return _returned(bool(names), return_names and {pair[0] for pair in names}, return_data and contacts)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide: True or False, and if wanted the set of pairs of names, each in order, and the contacts."""
        names, contacts = self._collisions((), return_names or return_data, return_data)
        return _returned(bool(names), return_names and {tuple(sorted(pair)) for pair in names}, return_data and contacts)

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether an object collides with one of another manager: True or False, and if wanted the set of pairs of names, and the contacts."""
        names, contacts = self._collisions((other_manager._manager,), return_names or return_data, return_data, other_manager)
        return _returned(bool(names), return_names and names, return_data and contacts)

    def in_collision_many(self, mesh: Any, transforms: Any, threads: int | None = None) -> dict[str, np.ndarray]:
        """By the name of each object, at which of (n, 4, 4) transforms the mesh's surface meets the object's: arrays of bool, exact."""
        _, exact = self._geometry(mesh)
        poses = Poses(matrix=np.asarray(transforms, dtype=float).reshape(-1, 4, 4))
        placed = {name: _matrix(of) for name, of in self._objects.items()}
        return {
            name: meets(exact, self._meshes[name], poses, Poses(matrix=matrix), threads=threads).meets
            for name, matrix in placed.items()
            if frozenset((name, EXTERNAL)) not in self.ignore
        }

    def min_distance_single(self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False) -> Any:
        """The least signed distance of a mesh and any object, and if wanted the object's name and the data."""
        single = fcl.CollisionObject(self._geometry(mesh)[0], _transform(transform))
        result, names = self._least((single,))
        data = return_data and DistanceData(names, result)
        return _returned(result.min_distance, return_name and names[0], data)

    def min_distance_internal(self, name: str | None = None, return_names: bool = False, return_data: bool = False) -> Any:
        """The least signed distance of two objects, or of the named one and another, and if wanted their names in order and the data."""
        if name is None:
            result, names = self._least(())
        else:
            own = self._objects[self._there(name)]
            self._manager.unregisterObject(own)
            try:
                result, names = self._least((own,))
            finally:
                self._manager.registerObject(own)
        data = return_data and DistanceData(names, result)
        return _returned(result.min_distance, return_names and tuple(sorted(names)), data)

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """The least signed distance of an object and one of another manager, and if wanted their names and the data."""
        result, names = self._least((other_manager._manager,), other_manager)
        data = return_data and DistanceData(names, result)
        return _returned(result.min_distance, return_names and names, data)

    def clearance(self, length: float) -> dict[tuple[str, str], float]:
        """The pairs of objects nearer than a length, each in order, with their signed distances."""
        request = fcl.DistanceRequest(enable_signed_distance=True)
        near: dict[tuple[str, str], float] = {}

        def visit(a: fcl.CollisionObject, b: fcl.CollisionObject, _: Any) -> tuple[bool, float]:
            names = self._asked(a, b)
            if names is not None:
                apart = fcl.distance(a, b, request)
                if apart <= length:
                    near[min(names), max(names)] = apart
            return False, length

        self._manager.distance(None, visit)
        return near

    def _collisions(
        self, others: tuple[Any, ...], all_pairs: bool, with_data: bool, other: CollisionManager | None = None
    ) -> tuple[set[tuple[str, str]], list[ContactData]]:
        most = 100_000 if with_data else 1
        request = fcl.CollisionRequest(num_max_contacts=most, enable_contact=with_data)
        names: set[tuple[str, str]] = set()
        contacts: list[ContactData] = []

        def visit(a: fcl.CollisionObject, b: fcl.CollisionObject, _: Any) -> bool:
            pair = self._asked(a, b, other)
            if pair is None:
                return False
            result = fcl.CollisionResult()
            if fcl.collide(a, b, request, result):
                names.add(pair)
                contacts.extend(ContactData(pair, contact) for contact in result.contacts)
            return bool(names) and not all_pairs

        self._manager.collide(*others, None, visit)
        return names, contacts if with_data else []

    def _least(self, others: tuple[Any, ...], other: CollisionManager | None = None) -> tuple[fcl.DistanceResult, tuple[str, str]]:
        request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
        best, names = fcl.DistanceResult(), (EXTERNAL, EXTERNAL)

        def visit(a: fcl.CollisionObject, b: fcl.CollisionObject, _: Any) -> tuple[bool, float]:
            nonlocal names
            pair = self._asked(a, b, other)
            before = best.min_distance
            if pair is not None:
                fcl.distance(a, b, request, best)
                if best.min_distance < before:
                    names = pair
            return False, max(best.min_distance, 0.0)

        self._manager.distance(*others, None, visit)
        return best, names

    def _asked(self, a: fcl.CollisionObject, b: fcl.CollisionObject, other: CollisionManager | None = None) -> tuple[str, str] | None:
        """The names of two objects, unless the pair is to be ignored."""
        of_b = self._names if other is None else other._names
        names = (self._names[id(a)], of_b.get(id(b), EXTERNAL))
        return None if frozenset(names) in self.ignore else names

    def _there(self, name: str) -> str:
        if name not in self._objects:
            raise ValueError(f"{name} not in collision manager!")
        return name

    def _geometry(self, mesh: Any) -> tuple[fcl.CollisionGeometry, Mesh]:
        vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64)
        key = hashlib.blake2b(vertices.tobytes() + b"|" + faces.tobytes(), digest_size=16).digest()
        if key not in self._known:
            model, exact = fcl.BVHModel(), Mesh(vertices, faces)
            model.addSubModel(vertices, faces)
            model.endModel()
            geom = fcl.CollisionGeometry(model._convex) if model._convex is not None else model
            self._known[key] = (geom, exact)
        return self._known[key]


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, Any]]:
    """A manager of a `trimesh.Scene`'s meshes by the names of its nodes, and the objects by name."""
    manager = CollisionManager()
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        manager.add_object(node, scene.geometry[geometry], transform)
    return manager, dict(manager._objects)


def _transform(matrix: Any) -> fcl.Transform:
    given = np.eye(4) if matrix is None else np.asarray(matrix, dtype=float)
    if given.shape != (4, 4):
        raise ValueError(f"transform must be (4, 4), not {given.shape}")
    return fcl.Transform(given[:3, :3], given[:3, 3])


def _matrix(of: fcl.CollisionObject) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = of.getRotation(), of.getTranslation()
    return matrix


def _returned(first: Any, *wanted: Any) -> Any:
    """The first alone, or with what is wanted: what is False is not."""
    more = tuple(part for part in wanted if part is not False)
    return (first, *more) if more else first
