"""Models of MuJoCo and Pinocchio: distances are those of MuJoCo and of coal. Where they are not installed the tests say SKIPPED."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gjk

TETRAHEDRON = "0 0 0  0.4 0 0  0 0.3 0  0 0 0.5"

MODEL = f"""
<mujoco>
  <asset><mesh name="corner" vertex="{TETRAHEDRON}"/></asset>
  <worldbody>
    <geom name="ground" type="plane" size="1 1 1" pos="0 0 -3"/>
    <body name="arm" pos="0 0 0.5" euler="10 20 30"><joint type="hinge" axis="0 0 1"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.1 0 0" euler="5 0 40"/>
      <body name="hand" pos="0.5 0 0"><joint type="hinge" axis="0 1 0"/><geom type="capsule" size="0.1 0.3"/></body>
    </body>
    <body name="ball" pos="0.6 0.9 0.4"><freejoint/><geom type="sphere" size="0.15"/></body>
    <body name="egg" pos="-0.7 0.5 0.6"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
    <body name="can" pos="-0.5 -0.8 0.2"><freejoint/><geom type="cylinder" size="0.15 0.25"/></body>
    <body name="corner" pos="0.9 -0.6 0.3"><freejoint/><geom type="mesh" mesh="corner"/></body>
    <body name="ghost" pos="0 0 0.5"><geom type="sphere" size="1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude body1="ball" body2="egg"/></contact>
</mujoco>"""


def model() -> tuple[Any, Any, Any]:
    mujoco = pytest.importorskip("mujoco", reason="SKIPPED: MuJoCo is not installed (pip install mujoco)")
    made = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(made)
    data.qpos[:2] = 0.3, -0.4
    # A free joint has a quaternion as w, x, y, z: with another order all below differs.
    for start in range(2, made.nq, 7):
        data.qpos[start + 3 : start + 7] = np.array([0.9, 0.1, 0.2, 0.3]) / np.linalg.norm([0.9, 0.1, 0.2, 0.3])
    mujoco.mj_forward(made, data)
    return mujoco, made, data


def test_distances_are_those_of_mujoco() -> None:
    mujoco, made, data = model()
    from gjk.interop.mujoco import geom_poses, shapes

    found_shapes, ids = shapes(made, skip=True)
    assert (ids < 0).sum() == 1
    at = geom_poses(data)._parameters["matrix"]
    pairs = [(a, b) for b in range(made.ngeom) for a in range(b) if min(ids[a], ids[b]) >= 0]
    a, b = np.array(pairs).T
    found = gjk.distance(found_shapes, ids[a], ids[b], at[a], at[b])
    compared = 0
    for row, (one, other) in enumerate(pairs):
        apart = mujoco.mj_geomDistance(made, data, one, other, 10.0, None)
        if apart > 1e-3:
            # MuJoCo iterates to a tolerance of 1e-6.
            assert found.lower[row] - 1e-5 <= apart <= found.upper[row] + 1e-5, (one, other)
            compared += 1
    assert compared >= 12


def test_a_scene_has_the_bodies_and_the_pairs_of_mujoco() -> None:
    mujoco, made, data = model()
    from gjk.interop.mujoco import body_poses, scene

    with pytest.raises(gjk.GjkError, match="geom ground is of the kind plane"):
        scene(made, data)
    found = scene(made, data, skip=True)
    assert found.bodies == ["arm", "hand", "ball", "egg", "can", "corner"]
    pairs = found.check(all_pairs=True).pairs
    told = set(zip(pairs.name_a.tolist(), pairs.name_b.tolist()))
    assert ("arm", "hand") not in told and ("ball", "egg") not in told and len(told) == 13
    for one, other, lower, upper in zip(pairs.name_a, pairs.name_b, pairs.lower, pairs.upper):
        of = [int(made.body(name).geomadr[0]) for name in (one, other)]
        apart = mujoco.mj_geomDistance(made, data, *of, 10.0, None)
        if apart > 1e-3:
            assert lower - 1e-5 <= apart <= upper + 1e-5
    assert len(body_poses(data)) == made.nbody
    assert len(scene(made, skip=True).bodies) == 6


def coal_and_pinocchio() -> tuple[Any, Any]:
    coal = pytest.importorskip("coal", reason="SKIPPED: Pinocchio is not installed (pip install pin)")
    pin = pytest.importorskip("pinocchio", reason="SKIPPED: Pinocchio is not installed (pip install pin)")
    return coal, pin


def bodies() -> list[dict[str, Any]]:
    return [
        {"shape": "box", "half_extents": [0.1, 0.2, 0.3]},
        {"shape": "ball", "radius": 0.25},
        {"shape": "capsule", "half_height": 0.3, "radius": 0.1, "axis": "z"},
        {"shape": "cylinder", "half_height": 0.3, "radius": 0.2, "axis": "z"},
        {"shape": "cone", "half_height": 0.4, "radius": 0.2, "axis": "z"},
        {"shape": "ellipsoid", "radii": [0.1, 0.2, 0.3]},
        {"shape": "triangle", "a": [0.0, 0.0, 0.0], "b": [0.5, 0.0, 0.0], "c": [0.0, 0.5, 0.25]},
        {"shape": "rounded", "core": {"shape": "box", "half_extents": [0.1, 0.1, 0.1]}, "radius": 0.125},
    ]


def test_geometries_go_to_coal_and_come_back() -> None:
    coal_and_pinocchio()
    from gjk.interop.pinocchio import coal_geometry, part

    for spec in bodies():
        assert part(coal_geometry(spec)) == spec
    mesh = gjk.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    back = part(coal_geometry(mesh))
    assert isinstance(back, gjk.Mesh) and (back.vertices == mesh.vertices).all() and (back.faces == mesh.faces).all()
    with pytest.raises(gjk.GjkError, match="capsule with axis, half_height, radius"):
        coal_geometry({"shape": "capsule", "half_height": 0.3, "radius": 0.1, "axis": "x"})


def test_planes_have_no_counterpart() -> None:
    coal, _ = coal_and_pinocchio()
    from gjk.interop.pinocchio import part

    with pytest.raises(gjk.GjkError, match="Halfspace has no counterpart"):
        part(coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0))


def test_distances_are_those_of_pinocchio_and_coal() -> None:
    coal, pin = coal_and_pinocchio()
    from gjk.interop.pinocchio import coal_geometry, placements, poses_of_xyzquat, scene

    rng = np.random.default_rng(1)
    made, geometry = pin.Model(), pin.GeometryModel()
    parent = 0
    for k, spec in enumerate(bodies()[:5]):
        parent = made.addJoint(parent, pin.JointModelRX(), pin.SE3(pin.utils.rotate("y", 0.4 * k), np.array([0.7, 0.1 * k, 0.0])), f"joint {k}")
        offset = pin.SE3(pin.utils.rotate("z", 0.3 * k), rng.uniform(-0.1, 0.1, 3))
        geometry.addGeometryObject(pin.GeometryObject(f"body {k}", parent, 0, offset, coal_geometry(spec)))
    geometry.addAllCollisionPairs()
    geometry.removeCollisionPair(pin.CollisionPair(0, 1))
    q = rng.uniform(-1, 1, made.nq)
    found = scene(made, geometry, q).check(all_pairs=True).pairs
    told = list(zip(found.a.tolist(), found.b.tolist()))
    assert (0, 1) not in told and len(told) == 9
    data, placed = made.createData(), geometry.createData()
    pin.updateGeometryPlacements(made, data, geometry, placed, q)
    objects = geometry.geometryObjects
    for (a, b), lower, upper in zip(told, found.lower, found.upper):
        at = [coal.Transform3s(placed.oMg[k].rotation, placed.oMg[k].translation) for k in (a, b)]
        apart = coal.distance(objects[a].geometry, at[0], objects[b].geometry, at[1], coal.DistanceRequest(), coal.DistanceResult())
        if apart > 1e-3:
            assert lower - 1e-5 <= apart <= upper + 1e-5, (a, b)
    matrices = placements(made, geometry, q)
    rows = poses_of_xyzquat([pin.SE3ToXYZQUAT(pose) for pose in placed.oMg])
    shapes = gjk.Shapes()
    ball = shapes.sphere(0.5)
    by_matrix, by_quaternion = (gjk.distance(shapes, ball, ball, poses, [np.eye(4)] * len(matrices)) for poses in (matrices, rows))
    assert np.allclose(by_matrix.lower, by_quaternion.lower, atol=1e-12)
    with pytest.raises(gjk.GjkError, match=r"q has shape \(2,\)"):
        placements(made, geometry, [0.0, 0.0])
