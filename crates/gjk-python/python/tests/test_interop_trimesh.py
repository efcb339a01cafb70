"""trimesh's manager: what its own tests ask, and what it does not have. Nothing here needs trimesh."""

from types import SimpleNamespace

import numpy as np
import pytest
from gjk.interop.trimesh import CollisionManager, scene_to_collision

FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def cube(*middles):
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    middles = middles or [(0, 0, 0)]
    vertices = np.vstack([corners + middle for middle in middles])
    faces = np.vstack([np.array(FACES) + 8 * k for k in range(len(middles))])
    return SimpleNamespace(vertices=vertices, faces=faces)


def at(x, y=0.0, z=0.0):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def test_one_against_many():
    manager = CollisionManager()
    manager.add_object("near", cube())
    manager.add_object("far", cube(), at(5))
    assert manager.in_collision_single(cube()) is True
    hit, names, contacts = manager.in_collision_single(cube(), at(5.25), return_names=True, return_data=True)
    assert hit is True and names == {"far"}
    assert np.isclose(contacts[0].depth, 0.75) and np.allclose(contacts[0].normal, [1, 0, 0])
    assert manager.in_collision_single(cube(), at(-5), return_names=True) == (False, set())
    assert manager.in_collision_internal() is False
    manager.add_object("third", cube(), at(5.5))
    assert manager.in_collision_internal(return_names=True) == (True, {("far", "third")})
    manager.set_transform("third", at(9))
    assert manager.in_collision_internal() is False
    manager.remove_object("third")
    with pytest.raises(ValueError, match="third"):
        manager.remove_object("third")


def test_least_distances_are_of_all_pairs():
    manager = CollisionManager()
    manager.add_object("a", cube(), at(5))
    assert np.isclose(manager.min_distance_single(cube()), 4)
    assert np.isclose(manager.min_distance_single(cube(), at(5.75)), -0.25)
    manager.add_object("b", cube(), at(-5))
    assert np.isclose(manager.min_distance_internal(), 9)
    distance, name = manager.min_distance_single(cube(), at(-2), return_name=True)
    assert np.isclose(distance, 2) and name == "b"
    # Of several that overlap the deepest counts, not the first one.
    manager.add_object("c", cube(), at(5.1))
    manager.add_object("d", cube(), at(-5.9))
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert np.isclose(distance, -0.9) and names == ("a", "c")
    assert np.isclose(np.linalg.norm(data.point("a") - data.point("c")), 0.9)
    assert np.isclose(manager.min_distance_internal(name="b"), -0.1)
    assert set(manager.clearance(0.0)) == {("a", "c"), ("b", "d")}


def test_two_managers():
    one, other = CollisionManager(), CollisionManager()
    one.add_object("a", cube())
    one.add_object("b", cube(), at(5))
    other.add_object("a", cube(), at(5.5))
    assert one.in_collision_other(other, return_names=True) == (True, {("b", "a")})
    distance, names, data = one.min_distance_other(other, return_names=True, return_data=True)
    assert np.isclose(distance, -0.5) and names == ("b", "a")


def test_pairs_that_are_ignored():
    manager = CollisionManager(ignore=[("b", "a")])
    manager.add_object("a", cube())
    manager.add_object("b", cube(), at(0.5))
    manager.add_object("c", cube(), at(4))
    assert manager.in_collision_internal() is False
    assert np.isclose(manager.min_distance_internal(), 2.5)


def test_many_transforms():
    manager = CollisionManager()
    manager.add_object("two", cube((0, 0, 0), (3, 0, 0)))
    manager.add_object("up", cube(), at(0, 0, 9))
    transforms = np.array([at(x) for x in (0.5, 1, 1.5, 2, 9)])
    found = manager.in_collision_many(cube(), transforms)
    assert list(found["two"]) == [True, True, False, True, False] and not found["up"].any()


def test_a_scene():
    graph = {"n0": (at(0), "cube"), "n1": (at(0.5), "cube")}

    class Graph:
        nodes_geometry = list(graph)

        def __getitem__(self, node):
            return graph[node]

    scene = SimpleNamespace(graph=Graph(), geometry={"cube": cube()})
    manager, objects = scene_to_collision(scene)
    assert manager.in_collision_internal() and set(objects) == {"n0", "n1"}
