"""Queries of meshes over rows: closed forms, laws, and what is wrong with a call."""

import pickle

import gjk
import numpy as np
import pytest

FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]


def box(size=1.0, middle=0.0):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    return gjk.Mesh(corners * size / 2 + middle, FACES)


def u_bracket():
    """Three bars around a slot that is open upward: its hull fills the slot."""
    parts = [((-3, -1, 0), (-1, 1, 4)), ((1, -1, 0), (3, 1, 4)), ((-1, -1, 0), (1, 1, 1))]
    vertices, faces = [], []
    for low, high in parts:
        first = len(vertices)
        vertices += [[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        faces += [[first + v for v in face] for face in FACES]
    return gjk.Mesh(vertices, faces)


def along_x(*at):
    return gjk.Poses(translation=[[x, 0, 0] for x in at])


def test_relations_of_boxes():
    found = gjk.meshes.relation(box(2.0), box(), pose_b=along_x(0, 1, 1.5, 2, 0.5))
    assert found.names() == ["contains", "overlapping", "touching", "separated", "contains"]
    assert found.exact.all() and list(found.collides) == [True, True, False, False, True]
    assert (found.triangles[3] == -1).all() and np.isnan(found.point[3]).all()
    assert found.point[2][0] == 1.0
    back = gjk.meshes.relation(box(), box(2.0), pose_a=along_x(0, 1, 1.5, 2, 0.5))
    assert back.names() == ["inside", "overlapping", "touching", "separated", "inside"]


def test_a_slot_is_free():
    slotted, pin = u_bracket(), box(1.0)
    assert slotted.kind == "solid" and slotted.shells >= 1
    free = gjk.meshes.relation(slotted, pin, pose_b=gjk.Poses(translation=[0, 0, 3]))
    assert free.names() == ["separated"]
    found = gjk.meshes.distance(slotted, pin, pose_b=gjk.Poses(translation=[0, 0, 3]))
    assert found.lower[0] <= 0.5 <= found.upper[0] <= 0.5 + 1e-9


def test_one_mesh_a_row_and_poses_of_all_kinds():
    small, large = box(1.0), box(2.0)
    found = gjk.meshes.relation([small, large, small], small, pose_b=along_x(1.25, 1.25, 0))
    assert found.names() == ["separated", "overlapping", "equal"]
    turned = np.eye(4)
    turned[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert gjk.meshes.relation(small, small, pose_b=turned).names() == ["equal"]
    assert len(gjk.meshes.relation([], small)) == 0


def test_distances_and_their_options():
    found = gjk.meshes.distance(box(), box(), pose_b=along_x(0, 1, 3, 9), reach=5.0)
    for row, truth in enumerate([0.0, 0.0, 2.0]):
        assert found.lower[row] <= truth <= found.upper[row] <= truth + 1e-9
    assert found.lower[3] == 5.0 and np.isinf(found.upper[3]) and found.triangles[3][0] == -1
    gap = found.point_b[2] - found.point_a[2]
    assert np.allclose(gap, [2, 0, 0]) and np.allclose(found.normal[2], [1, 0, 0])
    near = gjk.meshes.closer_than(box(), box(), 1.0, pose_b=along_x(1.5, 2.5))
    assert list(near.is_closer) == [True, False] and near.known.all()
    touching = gjk.meshes.meets(box(), box(), pose_b=along_x(1, 1.5))
    assert list(touching.meets) == [True, False]


def test_depths():
    found = gjk.meshes.depth(box(), box(), pose_b=along_x(0.75))
    assert found.lower[0] <= -0.25 <= found.upper[0]
    assert found.reach_a[0][0] <= 0.25 <= found.reach_a[0][1] and found.exact[0]


def test_sides_and_surfaces():
    assert list(gjk.meshes.side_of(box(), [[0, 0, 0], [0.5, 0, 0], [2, 0, 0], [np.nan, 0, 0]])) == [2, 1, 0, 255]
    sheet = gjk.Mesh([[-5, -5, 0], [5, -5, 0], [0, 5, 0]], [[0, 1, 2]])
    assert sheet.kind == "surface" and "open" in sheet.reason
    assert gjk.meshes.relation(sheet, box()).names() == ["crossing"]
    with pytest.raises(gjk.GjkError, match="surface"):
        gjk.meshes.side_of(sheet, [0, 0, 0])


def test_any_layout_is_the_same():
    poses = np.tile(np.eye(4), (7, 1, 1))
    poses[:, 0, 3] = np.linspace(0, 3, 7)
    expected = gjk.meshes.distance(box(), box(), pose_b=poses)
    wide = np.zeros((7, 8, 4))
    wide[:, ::2] = poses
    for given in (np.asfortranarray(poses), wide[:, ::2], poses[:, :3], poses.tolist()):
        found = gjk.meshes.distance(box(), box(), pose_b=given, threads=1)
        assert (found.lower == expected.lower).all() and (found.point_a == expected.point_a).all()


def test_a_mesh_pickles():
    again = pickle.loads(pickle.dumps(u_bracket()))
    assert repr(again) == repr(u_bracket())


def test_what_is_wrong_is_said():
    with pytest.raises(gjk.ShapeError, match="face 0"):
        gjk.Mesh([[0, 0, 0]], [[0, 0, -1]])
    with pytest.raises(gjk.ShapeError, match="whole numbers"):
        gjk.Mesh([[0, 0, 0]], [[0.0, 1.0, 2.0]])
    with pytest.raises(gjk.ShapeError):
        gjk.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, np.nan]], [[0, 1, 2]])
    with pytest.raises(gjk.ShapeError):
        gjk.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 3]])
    with pytest.raises(gjk.GjkError, match="expected gjk.Mesh"):
        gjk.meshes.relation(box(), [1])
    with pytest.raises(gjk.GjkError, match="different lengths"):
        gjk.meshes.relation([box(), box()], box(), pose_b=along_x(0, 1, 2))
    with pytest.raises(gjk.RowError, match="row 1, body b"):
        gjk.meshes.relation(box(), box(), pose_b=along_x(0, np.nan))
    found = gjk.meshes.relation(box(), box(), pose_b=along_x(0, np.nan), errors="column")
    assert found.names() == ["equal", "wrong_row"] and list(found.errors) == [1]
    with pytest.raises(gjk.GjkError, match="reach"):
        gjk.meshes.distance(box(), box(), reach=-1.0)
    for reach in (10**400, 1j, [1.0, 2.0], np.nan):
        with pytest.raises(gjk.GjkError, match="reach"):
            gjk.meshes.distance(box(), box(), reach=reach)


def test_a_flat_triangle_meets_what_it_pierces():
    flat = gjk.Mesh([[0, 0, -1], [0, 0, 0], [0, 0, 2]], [[2, 0, 1]])
    at = gjk.Poses(translation=[-0.73046875, 1.36230469, -0.57861328])
    turned = gjk.Poses(quat_wxyz=[0.49772265, -0.43100399, 0.0, 0.09981729], translation=[-0.48630473, 0.6340907, 2.21882013])
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    cube = gjk.Mesh(corners, FACES)
    # In fractions: its ends are on both sides of the plane of the face 2, 3, 7, and the line passes inside of the three edges.
    assert gjk.meshes.distance(flat, cube, at, turned).upper[0] == 0.0
    assert gjk.meshes.meets(flat, cube, at, turned).meets.all()
    assert gjk.meshes.relation(flat, cube, at, turned).names() == ["crossing"]


def test_shapes_against_a_mesh_by_closed_forms():
    shapes = gjk.Shapes()
    ball, cube = shapes.sphere(0.5), shapes.box(half_extents=(0.25, 0.25, 0.25))
    body = box(2.0)
    found = gjk.meshes.contact(body, shapes, [ball] * 5, pose_b=along_x(3, 1.5, 1.25, 0.25, 9), reach=2.0)
    assert found.verdict.tolist() == [0, 1, 2, 2, 0]
    assert found.inside.tolist() == [False, False, False, True, False] and found.exact.all()
    assert found.lower[0] <= 1.5 <= found.upper[0] <= 1.5 + 1e-12
    assert (found.lower[1:4] == [0, -np.inf, -np.inf]).all() and (found.upper[1:4] == 0).all()
    # Nothing within reach.
    assert (found.lower[4], found.upper[4], found.triangle[4]) == (2.0, np.inf, -1) and np.isnan(found.normal[4]).all()
    assert found.triangle[0] in (2, 3)
    np.testing.assert_allclose(found.normal[0], [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.point_b[0], [2.5, 0, 0], atol=1e-12)
    # Rows of several shapes and meshes are the rows alone.
    both = gjk.meshes.contact([body, box()], shapes, [cube, ball], pose_b=along_x(1.5, 1.5), reach=1.0)
    for k, (mesh, shape) in enumerate(((body, cube), (box(), ball))):
        alone = gjk.meshes.contact(mesh, shapes, shape, pose_b=along_x(1.5), reach=1.0, threads=1)
        assert (alone.verdict[0], alone.lower[0], alone.upper[0]) == (both.verdict[k], both.lower[k], both.upper[k])
    many = gjk.meshes.contact(body, shapes, ball, pose_b=along_x(*np.linspace(0, 4, 100)), reach=5.0)
    middles = np.linspace(0, 4, 100)
    assert (many.verdict == np.where(middles > 1.5, 0, 2)).all()


def test_what_is_wrong_with_shapes_against_a_mesh():
    shapes = gjk.Shapes()
    ball = shapes.sphere(0.5)
    with pytest.raises(gjk.RowError, match="row 1, body b: shape 7 of 1 does not exist"):
        gjk.meshes.contact(box(), shapes, [ball, 7])
    found = gjk.meshes.contact(box(), shapes, [ball, 7], errors="column")
    assert list(found.errors) == [1] and found.verdict[1] == 255 and np.isnan(found.lower[1])
    with pytest.raises(gjk.GjkError, match="reach is -1: it must be a number of at least 0"):
        gjk.meshes.contact(box(), shapes, ball, reach=-1)
    with pytest.raises(gjk.GjkError, match="shapes is a list: expected gjk.Shapes"):
        gjk.meshes.contact(box(), [ball], ball)
    with pytest.raises(gjk.GjkError, match=r"mesh has a float: expected gjk\.Mesh"):
        gjk.meshes.contact([1.0], shapes, ball)


def grid(n=6):
    at = np.linspace(-3, 3, n + 1)
    corners = np.array([[x, y, 0.0] for x in at for y in at])
    faces = []
    for i in range(n):
        for j in range(n):
            a, b, c, d = i * (n + 1) + j, (i + 1) * (n + 1) + j, (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1
            faces += [[a, b, c], [a, c, d]]
    return gjk.Mesh(corners, faces)


def test_rays_against_a_mesh_by_closed_forms():
    body = box(2.0)
    origins = [[-5, 0.25, 0.5], [-5, 1, 0], [-5, 3, 0], [0, 0.25, 0.5]]
    found = gjk.meshes.ray_cast(body, origins, [2, 0, 0])
    assert found.verdict_names() == ["hits", "hits", "free", "starts_overlapping"]
    assert found.exact.all() and found.grazing.tolist() == [False, True, False, False] and found.inside.tolist() == [False, False, False, True]
    assert found.time_lower[0] <= 2 <= found.time_upper[0] and np.isnan(found.time_lower[2])
    assert found.exit_lower[3] <= 0.5 <= found.exit_upper[3]
    assert found.normal[0].tolist() == [-1, 0, 0] and found.triangle[0] >= 0 and found.triangle[2] == -1
    exits = gjk.meshes.ray_cast(body, origins, [2, 0, 0], start="exit")
    assert exits.verdict_names()[3] == "exits" and exits.time_lower[3] <= 0.5 <= exits.time_upper[3]
    turned = gjk.meshes.ray_cast(body, [0, 0, 9], [0, 0, -1], gjk.Poses(translation=np.c_[np.zeros(100), np.zeros(100), np.linspace(0, 3, 100)]))
    np.testing.assert_allclose(turned.time_upper, 8 - np.linspace(0, 3, 100), rtol=1e-12)


def test_shapes_in_motion_against_a_mesh():
    shapes = gjk.Shapes()
    cube = shapes.box(half_extents=(0.5, 0.5, 0.5))
    floor = grid()
    above = gjk.Poses(translation=[0.3, 0.1, 2])
    found = gjk.meshes.shape_cast(floor, shapes, cube, pose_b=above, velocity_b=[[0, 0, -1], [0, 0, 1], [0, 0, 0]])
    assert found.verdict_names() == ["hits", "free", "free"] and found.exact.all()
    assert found.time_lower[0] <= 1.5 <= found.time_upper[0] and found.normal[0].tolist() == [0, 0, 1]
    up = gjk.meshes.shape_cast(floor, shapes, cube, pose_b=above, velocity_a=[0, 0, 1], max_time=1.4)
    assert up.verdict_names() == ["free"]
    spin = gjk.Motions(velocity=[0, 0, -3], angular=[[0, 0, 0], [0, 0, 2]])
    found = gjk.meshes.time_of_impact(floor, shapes, cube, pose_b=above, motion_b=spin)
    assert found.verdict_names() == ["hits"] * 2
    np.testing.assert_allclose(found.time_upper, 0.5, atol=1e-9)
    with pytest.raises(gjk.RowError, match="the end of a contact is told of rays"):
        gjk.meshes.shape_cast(floor, shapes, cube, start="exit")
    with pytest.raises(gjk.RowError, match="a surface has no inside"):
        gjk.meshes.ray_cast(floor, [0, 0, 1], [0, 0, 1], start="exit")
    with pytest.raises(gjk.RowError, match="row 1, body b"):
        gjk.meshes.ray_cast(floor, [[0, 0, 1], [np.nan, 0, 1]], [0, 0, 1])
    wrong = gjk.meshes.ray_cast(floor, [[0, 0, 1], [np.nan, 0, 1]], [0, 0, -1], errors="column")
    assert wrong.verdict[1] == 255 and list(wrong.errors) == [1] and wrong.verdict_names()[0] == "hits"


def test_manifolds_of_a_mesh():
    shapes = gjk.Shapes()
    cube = shapes.box(half_extents=(0.75, 0.5, 0.5))
    floor = grid()
    x = np.linspace(-1, 1, 81)
    poses = gjk.Poses(translation=np.c_[x, 0.5 * x, np.full(81, 0.49)])
    found = gjk.meshes.manifold(floor, shapes, cube, pose_b=poses)
    assert (found.counts == 4).all() and (found.patch == 0).all() and (found.face == 0).all()
    np.testing.assert_allclose(found.normal, np.tile([0, 0, 1], (324, 1)), atol=1e-12)
    np.testing.assert_allclose(found.separation_upper, -0.01, atol=1e-12)
    ids = {frozenset(found.id[found.points_of(k)].tolist()) for k in range(81)}
    assert len(ids) == 1 and len(set(found.triangle.tolist())) > 4
    below = gjk.meshes.manifold(floor, shapes, cube, pose_b=gjk.Poses(translation=[0, 0, -0.49]), sides="front")
    assert below.counts.tolist() == [0] and below.verdict.tolist() == [2]
    inside = gjk.meshes.manifold(box(2.0), shapes, cube)
    assert inside.inside.all() and inside.counts.tolist() == [0]
    with pytest.raises(gjk.GjkError, match="sides is 'back'|sides is \"back\""):
        gjk.meshes.manifold(floor, shapes, cube, sides="back")
    with pytest.raises(gjk.GjkError, match="prediction"):
        gjk.meshes.manifold(floor, shapes, cube, prediction=-1)
