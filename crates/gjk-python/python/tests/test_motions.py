"""Rays, casts, times of impact, manifolds and gradients over rows: closed forms, layouts, wrong rows, threads, and the lines of `gjk query`."""

import doctest
import json
import pickle
import subprocess
import sys
import threading
import time
from pathlib import Path

import gjk
import numpy as np
import pytest
from gjk import ManifoldKind, Meeting, Motions, PlanarMotions, PlanarPoses, PlanarShapes, Poses, RowError, Verdict

CORPUS = Path(__file__).parents[4] / "corpus" / "motion"


def cubes(*half):
    shapes = gjk.Shapes()
    for extent in half:
        shapes.box(half_extents=(extent,) * 3)
    return shapes


def test_rays_at_a_box():
    shapes = cubes(1)
    found = gjk.ray_cast(shapes, 0, [[-3, 0, 0], [-3, 1, 1], [-3, 0, 2], [0, 0, 0], [1, 0, 0]], [2, 0, 0])
    assert found.verdict_names() == ["hits", "hits", "free", "starts_overlapping", "starts_touching"]
    assert found.verdict.dtype == np.uint8 and found.grazing.tolist() == [False, True, False, False, True]
    assert found.exact.all() and found.hits.tolist() == [True, True, False, True, True]
    assert found.time_lower[[0, 1, 3, 4]].tolist() == [1, 1, 0, 0] and np.isnan(found.time_lower[2])
    assert found.time_upper[0] == 1 and found.exit_lower[0] == 2
    assert found.normal[0].tolist() == [-1, 0, 0] and found.point_a[0].tolist() == found.point_b[0].tolist() == [-1, 0, 0]
    assert np.isnan(found.normal[2]).all() and np.isnan(found.signed_lower[0])
    assert found.signed_lower[3] <= -1 <= found.signed_upper[3]
    assert found.stop_names()[2] == "separating_plane" and found.iterations.dtype == np.uint32
    assert repr(found) == "MotionAnswers(5 rows: 1 free, 2 hits, 1 starts_touching, 1 starts_overlapping)"


def test_hits_of_one_among_many_are_in_the_order_of_time():
    shapes = cubes(1)
    at = np.array([[9, 0, 0], [3, 0.5, 0], [-5, 0, 0], [0.5, 0, 0], [3, 0, 0.5], [6, 0, 0]], float)
    found = gjk.ray_cast(shapes, 0, [0, 0, 0], [1, 0, 0], Poses(translation=at))
    hits = gjk.all_hits(found)
    assert hits.rows.tolist() == [3, 1, 4, 5, 0] and hits.first.tolist() == [True, False, False, False, False]
    assert hits.of.tolist() == [0] and hits.offsets.tolist() == [0, 5] and hits.rows.dtype == hits.of.dtype == np.int64
    assert repr(hits) == "Hits(5 of 1, 1 may be the first)"
    by_ray = gjk.all_hits(found, [7, -1, 7, 5, -1, 7])
    assert by_ray.of.tolist() == [-1, 5, 7] and by_ray.offsets.tolist() == [0, 2, 3, 5]
    assert by_ray.rows.tolist() == [1, 4, 3, 5, 0] and by_ray.first.tolist() == [True, True, True, True, False]
    assert by_ray.rows[by_ray.hits_of(-1)].tolist() == [5, 0] and len(by_ray) == 3
    with pytest.raises(IndexError):
        by_ray.hits_of(3)
    wrong = gjk.ray_cast(shapes, 0, [0, 0, 0], [1, 0, 0], Poses(translation=[[np.nan, 0, 0], [-5, 0, 0]]), errors="column")
    assert gjk.all_hits(wrong, [1, 2]).offsets.tolist() == [0, 0, 0] and gjk.all_hits(wrong).rows.size == 0
    none = gjk.ray_cast(shapes, 0, np.zeros((0, 3)), [1, 0, 0])
    assert len(gjk.all_hits(none)) == 0 and gjk.all_hits(none).offsets.tolist() == [0]
    spun = gjk.time_of_impact(shapes, 0, 0, None, Poses(translation=at[:2] + [0, 0, 4]), motion_b=Motions(velocity=[0, 0, -8], angular=[0, 0, 1]))
    assert gjk.all_hits(spun).rows.tolist() == ([] if not spun.hits.any() else np.flatnonzero(spun.hits).tolist())
    for of, told in ([1, 2], r"of has shape \[2\]: expected \(6,\)"), ([0.5] * 6, "of has 0.5: it must be whole numbers"), ("far", "of is no array"):
        with pytest.raises(gjk.GjkError, match=told):
            gjk.all_hits(found, of)
    with pytest.raises(gjk.GjkError, match="found.verdict is no column of answers: give what ray_cast"):
        gjk.all_hits(None)


def test_the_options_of_a_motion():
    shapes = cubes(1)
    origin = [[-3, 0, 0], [0, 0, 0], [-3, 1, 0]]
    names = lambda **options: gjk.ray_cast(shapes, 0, origin, [1, 0, 0], **options).verdict_names()
    assert names(max_time=2) == ["hits", "starts_overlapping", "hits"]
    assert names(max_time=1.5) == ["free", "starts_overlapping", "free"]
    assert names(max_time=np.inf) == names()
    assert names(touch="passes") == ["hits", "starts_overlapping", "free"]
    assert names(start="exit") == ["hits", "exits", "hits"]
    # From the middle of a box every way out is away from the deepest point.
    assert names(start="approach")[1] == "free"
    swept = gjk.ray_cast(shapes, 0, origin[0], [1, 0, 0], distance=0.5)
    assert swept.time_lower[0] <= 1.5 <= swept.time_upper[0] <= 1.5 + 1e-12
    inside = gjk.ray_cast(shapes, 0, origin[1], [1, 0, 0], start="exit")
    assert inside.time_lower[0] <= 1 <= inside.time_upper[0]


def test_casts_move_one_body_or_both():
    shapes = cubes(1)
    there = Poses(translation=[5, 0, 0])
    found = gjk.shape_cast(shapes, 0, 0, None, there, velocity_a=[1, 0, 0], velocity_b=[[-2, 0, 0], [1, 0, 0], [0.5, 0, 0]])
    assert found.verdict_names() == ["hits", "free", "hits"]
    assert found.time_upper[[0, 2]].tolist() == [1, 6]
    assert found.normal[0].tolist() == [1, 0, 0] and found.point_a[0, 0] == 2
    resting = gjk.shape_cast(shapes, 0, 0, None, there)
    assert resting.verdict_names() == ["free"]


def test_impacts_by_velocities_and_to_a_pose():
    shapes = cubes(1)
    there = Poses(translation=[2.2, 0, 0])
    spin = gjk.time_of_impact(shapes, 0, 0, None, there, motion_b=Motions(angular=[0, 0, 3]))
    # A square of half diagonal 2**0.5 that turns by an angle reaches cos(angle) + sin(angle) to its side.
    angle = np.arcsin(1.2 / np.sqrt(2)) - np.pi / 4
    assert spin.verdict_names() == ["hits"] and spin.time_upper[0] - spin.time_lower[0] < 1e-11
    assert spin.time_lower[0] - 1e-12 <= angle / 3 <= spin.time_upper[0] + 1e-12
    half = 1.0
    ends = Poses(translation=[2.2, 0, 0], quat_xyzw=[0, 0, np.sin(half / 2), np.cos(half / 2)])
    to = gjk.time_of_impact(shapes, 0, 0, None, there, motion_b=Motions(to=ends, rotation="slerp"))
    assert to.time_lower[0] == pytest.approx(angle, abs=1e-11)
    long = gjk.time_of_impact(shapes, 0, 0, None, there, motion_b=Motions(angular=[0, 0, 3]), max_time=angle / 6)
    assert long.verdict_names() == ["free"] and not long.exact[0]
    passing = Poses(translation=[1 + 2**0.5 + 1e-6, 0, 0])
    assert gjk.time_of_impact(shapes, 0, 0, None, passing, motion_b=Motions(angular=[0, 0, 3])).verdict_names() == ["free"]
    few = gjk.time_of_impact(shapes, 0, 0, None, passing, motion_b=Motions(angular=[0, 0, 3]), pieces_max=1)
    assert few.verdict_names() == ["undecided"] and few.stop_names() == ["pieces_limit"]
    about = gjk.time_of_impact(shapes, 0, 0, None, there, motion_b=Motions(angular=[0, 0, 3], center=[[0, 0, 0], [5, 0, 0]]))
    assert about.time_lower[0] == spin.time_lower[0] and about.time_lower[1] != spin.time_lower[0]


def test_vertices_that_move_by_themselves():
    shapes = PlanarShapes()
    floor, bar = shapes.box(half_extents=(10, 1)), shapes.segment((0, 1), (2, 1))
    kite = shapes.hull(np.array([[0, 1], [1, 1.5], [0, 3], [-1, 1.5], [0, 2.0]]))
    below = PlanarPoses(translation=[0, -1])
    tips = PlanarMotions(vertices=[[0, 1], [2, -3]])
    assert repr(tips) == "PlanarMotions(1, vertices)" and len(tips) == 1
    found = gjk.time_of_impact(shapes, floor, bar, below, motion_b=tips)
    assert found.verdict_names() == ["hits"] and found.time_lower[0] <= 0.25 <= found.time_upper[0]
    several = PlanarMotions(vertices=[[[0, 1], [2, -3]], [[0, -1], [2, 1]], [[0, 2], [2, 2]]])
    found = gjk.time_of_impact(shapes, floor, bar, below, motion_b=several)
    assert found.verdict_names() == ["hits", "hits", "free"] and abs(found.time_lower[1] - 0.5) < 1e-11
    # The point that is inside at the start leaves the hull; a pose takes the body along.
    goes = np.array([[0, -3], [2, 1], [0, 1], [1, 1.5], [0, 3], [-1, 1.5], [0, -2]])
    ragged = PlanarMotions(vertices=goes, offsets=[0, 2, 7])
    at = PlanarPoses(translation=[0, 1])
    found = gjk.time_of_impact(shapes, floor, [bar, kite], below, at, motion_b=ragged)
    assert found.verdict_names() == ["hits", "hits"]
    assert np.allclose(found.time_lower, [0.5, 0.75], rtol=0, atol=1e-11)
    again = pickle.loads(pickle.dumps(ragged))
    assert repr(again) == repr(ragged) == "PlanarMotions(2, vertices)"
    equal(gjk.time_of_impact(shapes, floor, [bar, kite], below, at, motion_b=again), found)
    wrong = gjk.time_of_impact(shapes, floor, [bar, floor, kite], below, motion_b=tips, errors="column")
    assert wrong.errors == {
        1: "body b: the vertices of shape 0 cannot move by themselves: it must be a hull, segment, triangle or point",
        2: "body b: vertices: there are 2, and the shape has 5: give one for each, in its order",
    }
    away = PlanarMotions(vertices=[[0, 1], [np.inf, 0]])
    assert gjk.time_of_impact(shapes, floor, bar, motion_b=away, errors="column").errors == {0: "body b: vertices: every number must be finite"}
    with pytest.raises(RowError, match="body b: vertices: a rate is that of a body that keeps its shape"):
        gjk.gradient(shapes, floor, bar, below, along=(None, tips))


def test_manifolds_are_ragged():
    shapes = cubes(0.5)
    shapes.sphere(0.5)
    at = Poses(translation=[[0, 0, 1], [0, 0, 3], [0.25, 0.25, 1], [0, 0, 1.25]])
    found = gjk.manifold(shapes, 0, [0, 0, 0, 1], pose_b=at, prediction=0.5)
    assert found.kind.tolist() == [ManifoldKind.FACE_FACE, ManifoldKind.POINT, ManifoldKind.FACE_FACE, ManifoldKind.POINT]
    assert found.kind_names()[0] == "face_face" and found.verdict.tolist() == [1, 0, 1, 0]
    assert found.offsets.tolist() == [0, 4, 4, 8, 9] and found.offsets.dtype == np.int64
    assert found.counts.tolist() == [4, 0, 4, 1] and found.rows.tolist() == [0] * 4 + [2] * 4 + [3]
    assert found.points_of(-1) == slice(8, 9) and found.id.dtype == np.uint64 and len(set(found.id[:4].tolist())) == 4
    assert found.area.tolist() == [1, 0, 0.5625, 0] and found.complete.all()
    between = found.point_b - found.point_a - ((found.separation_lower + found.separation_upper) / 2)[:, None] * found.normal[found.rows]
    assert np.abs(between).max() < 1e-12
    with pytest.raises(IndexError):
        found.points_of(4)
    few = gjk.manifold(shapes, 0, 0, pose_b=at, points_max=1)
    assert few.counts.tolist() == [1, 0, 1, 0] and few.complete.tolist() == [False, True, False, True]
    assert gjk.manifold(shapes, 0, 0, pose_b=at, points_max="all").counts.tolist() == [4, 0, 4, 0]


def test_ids_last_from_step_to_step():
    shapes = cubes(0.5)
    at = np.array([0.25, 0.125, 1.0]) + np.linspace(0, 0.01, 5)[:, None] * [1, 1, 0]
    found = gjk.manifold(shapes, 0, 0, pose_b=Poses(translation=at))
    ids = found.id.reshape(5, 4)
    assert all(set(row) == set(ids[0]) for row in ids.tolist())


def same_columns(found, other):
    return all(np.array_equal(getattr(found, name), getattr(other, name), equal_nan=True) for name in ("lower", "normal", "offsets", "point_a", "id"))


def test_a_track_has_the_answers_of_no_track_and_knows_its_points():
    shapes = cubes(0.5)
    track = gjk.ManifoldTrack(shapes, 0, 0, errors="column")
    impulses = None
    for step in range(6):
        at = np.array([[0.25 + 0.001 * step, 0.1, 1], [0, 0, 9], [0.25, 0.1, 1 if step != 3 else np.nan]])
        found = track.step(pose_b=Poses(translation=at))
        assert same_columns(found, gjk.manifold(shapes, 0, 0, pose_b=Poses(translation=at), errors="column"))
        assert len(track.before) == len(found.id) and track.before.dtype == np.int64
        impulses = track.carried(impulses) + 1
    assert impulses[found.points_of(0)].tolist() == [6] * 4
    # The last row was wrong in the fourth step.
    assert impulses[found.points_of(2)].tolist() == [2] * 4
    vectors = track.carried(np.arange(24.0).reshape(8, 3), new=-1.0)
    assert vectors.shape == (8, 3) and vectors[0].tolist() == (np.arange(3) + 3 * track.before[0]).tolist()


def test_a_track_that_raises_forgets():
    shapes = cubes(0.5)
    track = gjk.ManifoldTrack(shapes, 0, 0, points_max=2)
    here = Poses(translation=[0.25, 0, 1])
    track.step(pose_b=here)
    assert track.before.tolist() == [-1, -1]
    track.step(pose_b=here)
    assert track.before.tolist() == [0, 1]
    with pytest.raises(RowError):
        track.step(pose_b=Poses(translation=[np.nan, 0, 1]))
    assert track.before.tolist() == [] and len(track.carried()) == 0
    track.step(pose_b=here)
    assert track.before.tolist() == [-1, -1] and track.carried(np.zeros(0), new=7.0).tolist() == [7, 7]


def test_a_track_of_the_plane_and_of_several_threads():
    shapes = PlanarShapes()
    box = shapes.box(half_extents=(1, 1))
    track = gjk.ManifoldTrack(shapes, box, box)
    for _ in range(2):
        found = track.step(pose_b=PlanarPoses(translation=[0.5, 2]))
    assert found.counts.tolist() == [2] and track.before.tolist() == [0, 1]
    shapes = cubes(0.5)
    track = gjk.ManifoldTrack(shapes, 0, 0)
    at = Poses(translation=np.array([[0.25, 0.125, 1.0]] * 200))
    done = []
    threads = [threading.Thread(target=lambda: done.append(len(track.step(pose_b=at)))) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert done == [200] * 8


def test_gradients_are_what_differences_say():
    shapes = cubes(1)
    shapes.sphere(0.5)
    at, step = np.array([0.5, 0.25, 2.0]), 1e-6
    found = gjk.gradient(shapes, 0, 1, pose_b=Poses(translation=at))
    assert found.unique.all() and found.gradient_a.shape == (1, 6) and found.along_lower is None
    moves = np.vstack([step * np.eye(3), -step * np.eye(3)])
    moved = gjk.contact(shapes, 0, 1, pose_b=Poses(translation=at + moves))
    middle = (moved.lower + moved.upper) / 2
    assert np.allclose((middle[:3] - middle[3:]) / (2 * step), found.gradient_b[0, :3], atol=1e-6)
    along = (Motions(velocity=[0, 0, 1], angular=[1, 0, 0]), None)
    rated = gjk.gradient(shapes, 0, 1, pose_b=Poses(translation=at), along=along)
    rate = found.gradient_a[0] @ [0, 0, 1, 1, 0, 0]
    assert rated.along_lower[0] <= rate + 1e-12 and rate - 1e-12 <= rated.along_upper[0]
    leaves = gjk.gradient(shapes, 0, 0, pose_b=Poses(translation=[[2, 0.5, 2], [3, 0, 0]]), along=(None, Motions(velocity=[3, 0, 4])))
    assert leaves.along_lower[0] <= 5 <= leaves.along_upper[0] and leaves.along_inside_lower[0] <= 4 <= leaves.along_inside_upper[0]
    assert np.isnan(leaves.along_inside_lower[1]) and rated.along_inside_lower is not None and found.along_inside_upper is None
    several = gjk.gradient(shapes, 0, 0, pose_b=Poses(translation=[[0, 0, 3], [0, 0, 2]]))
    assert not several.unique.any() and np.diff(several.vertex_offsets).tolist()[0] == 4
    assert np.array_equal(several.vertex_normal[several.vertices_of(0)], np.tile([0.0, 0, 1], (4, 1)))


def test_the_plane():
    shapes = PlanarShapes()
    box, disc = shapes.box(half_extents=(1, 1)), shapes.circle(0.5)
    away = PlanarPoses(translation=[[3, 0], [0, 0]], angle=[0.0, 0.1])
    found = gjk.contact(shapes, box, disc, pose_b=away)
    assert found.verdict.tolist() == [0, 2] and found.normal.shape == (2, 2) and found.lower[0] <= 1.5 <= found.upper[0]
    hit = gjk.ray_cast(shapes, box, [-3, 0.5], [1, 0])
    assert hit.time_lower[0] <= 2 <= hit.time_upper[0] <= 2 + 1e-12 and hit.point_a.shape == (1, 2)
    fall = gjk.shape_cast(shapes, box, disc, None, PlanarPoses(translation=[0, 3.5]), velocity_b=[0, -2])
    assert fall.time_lower[0] <= 1 <= fall.time_upper[0]
    spin = gjk.time_of_impact(shapes, box, box, None, PlanarPoses(translation=[2.2, 0]), motion_b=PlanarMotions(angular=[3, 0]))
    assert spin.verdict_names() == ["hits", "free"]
    bears = gjk.manifold(shapes, box, box, pose_b=PlanarPoses(translation=[0.5, 2]))
    assert bears.counts.tolist() == [2] and bears.kind_names() == ["edge_edge"] and bears.point_a.shape == (2, 2)
    turn = gjk.gradient(shapes, box, disc, pose_b=PlanarPoses(translation=[0.5, 2]), along=(PlanarMotions(angular=1.0), None))
    assert turn.gradient_a.shape == (1, 3) and turn.gradient_a[0].tolist() == [0, -1, -0.5]
    assert turn.along_lower[0] <= -0.5 <= turn.along_upper[0]
    whole = np.array([[0.0, -1, 3], [1, 0, 0], [0, 0, 1]])
    assert np.array_equal(gjk.contact(shapes, box, disc, pose_b=whole).verdict, gjk.contact(shapes, box, disc, pose_b=whole[:2]).verdict)
    assert PlanarShapes.from_json(shapes.to_json()) == pickle.loads(pickle.dumps(shapes)) == shapes and len(shapes) == 2
    for kind in (lambda: shapes.capsule(half_height=1, radius=0.5, axis="z"), lambda: PlanarShapes.from_json('[{"shape":"cone","half_height":1,"radius":1,"axis":"x"}]')):
        with pytest.raises(gjk.ShapeError):
            kind()


CALLS = {
    "rays": lambda shapes, at, **options: gjk.ray_cast(shapes, 0, [-3, 0.25, 0.125], [1, 0, 0.0625], at, **options),
    "casts": lambda shapes, at, **options: gjk.shape_cast(shapes, 1, 0, None, at, velocity_a=[1, 0.5, 0.25], **options),
    "impacts": lambda shapes, at, **options: gjk.time_of_impact(
        shapes, 1, 0, None, at, motion_a=Motions(velocity=[1, 0, 0], angular=[0.5, 1, 0]), **options
    ),
    "manifolds": lambda shapes, at, **options: gjk.manifold(shapes, 0, 1, None, at, prediction=1.0, **options),
    "gradients": lambda shapes, at, **options: gjk.gradient(shapes, 0, 1, None, at, along=(None, Motions(angular=[1, 2, 3])), **options),
}


def columns(found):
    return {name: of for name, of in vars(found).items() if isinstance(of, np.ndarray)}


def equal(one, other):
    for name, of in columns(one).items():
        right = getattr(other, name)
        assert of.dtype == right.dtype and np.array_equal(of, right, equal_nan=of.dtype.kind == "f"), (name, of, right)


def bodies_of(rows, seed=5):
    """Rows of boxes and hulls about the origin, that are neither level nor symmetric."""
    rng, shapes = np.random.default_rng(seed), gjk.Shapes()
    for _ in range(4):
        shapes.hull(rng.normal(size=(12, 3)))
    shapes.box(half_extents=(0.5, 0.75, 1.25))
    shapes.rounded(0, radius=0.25)
    at = [Poses(translation=rng.uniform(-2.5, 2.5, (rows, 3)), quat_xyzw=rng.normal(size=(rows, 4))) for _ in range(2)]
    return shapes, rng.integers(0, 6, rows), rng.integers(0, 6, rows), *at, rng


def test_exchanged_bodies():
    shapes, a, b, at_a, at_b, rng = bodies_of(200)
    v, w, turn, spin = rng.normal(size=(4, 200, 3))
    one = gjk.shape_cast(shapes, a, b, at_a, at_b, velocity_a=v, velocity_b=w)
    other = gjk.shape_cast(shapes, b, a, at_b, at_a, velocity_a=w, velocity_b=v)
    assert np.array_equal(one.verdict, other.verdict) and len(set(one.verdict.tolist())) >= 3
    assert np.all((one.time_lower <= other.time_upper) | np.isnan(one.time_lower))
    motions = Motions(velocity=v, angular=turn), Motions(velocity=w, angular=spin)
    one = gjk.time_of_impact(shapes, a, b, at_a, at_b, motion_a=motions[0], motion_b=motions[1])
    other = gjk.time_of_impact(shapes, b, a, at_b, at_a, motion_a=motions[1], motion_b=motions[0])
    assert np.array_equal(one.verdict, other.verdict) and (one.verdict == Meeting.HITS).sum() > 10
    assert np.all((one.time_lower <= other.time_upper + 1e-12) | np.isnan(one.time_lower))
    one, other = gjk.manifold(shapes, a, b, at_a, at_b, prediction=9.0), gjk.manifold(shapes, b, a, at_b, at_a, prediction=9.0)
    # Of bodies apart there is one normal; of deep ones the other order may find another that is as good within the interval.
    for k in np.flatnonzero(one.verdict == Verdict.SEPARATED):
        assert sorted(one.id[one.points_of(k)]) == sorted(other.exchanged_id[other.points_of(k)]), k
    one, other = gjk.gradient(shapes, a, b, at_a, at_b), gjk.gradient(shapes, b, a, at_b, at_a)
    alike = one.unique & other.unique & (one.verdict == Verdict.SEPARATED)
    assert alike.sum() > 100
    assert np.allclose(one.gradient_a[alike], other.gradient_b[alike], atol=1e-5)


def test_a_common_motion_is_none():
    shapes, a, b, at_a, at_b, rng = bodies_of(100)
    v, common = rng.integers(-8, 9, (2, 100, 3)) / 4
    one = gjk.shape_cast(shapes, a, b, at_a, at_b, velocity_b=v)
    equal_times = gjk.shape_cast(shapes, a, b, at_a, at_b, velocity_a=common, velocity_b=v + common)
    assert np.array_equal(one.verdict, equal_times.verdict)
    assert np.all((one.time_lower <= equal_times.time_upper) & (equal_times.time_lower <= one.time_upper) | np.isnan(one.time_lower))


def test_rays_are_casts_of_a_point():
    shapes, a, _, at_a, _, rng = bodies_of(100)
    origin = rng.uniform(-4, 4, (100, 3))
    direction = at_a._parameters["translation"] + rng.normal(size=(100, 3)) / 2 - origin
    point = shapes.point((0.0, 0.0, 0.0))
    one = gjk.ray_cast(shapes, a, origin, direction, at_a)
    other = gjk.shape_cast(shapes, a, point, at_a, Poses(translation=origin), velocity_b=direction)
    assert np.array_equal(one.verdict, other.verdict) and (one.verdict == Meeting.HITS).sum() > 20
    assert np.all((one.time_lower <= other.time_upper) & (other.time_lower <= one.time_upper) | np.isnan(one.time_lower))


def test_one_body_against_many_is_a_loop():
    shapes, a, b, at_a, at_b, rng = bodies_of(40)
    v = rng.normal(size=(40, 3))
    first = row_pose(at_a, slice(1))
    calls = {
        "rays": lambda k: gjk.ray_cast(shapes, a[0], v[k], -v[k] + [0.25, 0, 0], first),
        "casts": lambda k: gjk.shape_cast(shapes, a[0], b[k], first, row_pose(at_b, k), velocity_b=v[k]),
        "impacts": lambda k: gjk.time_of_impact(
            shapes, a[0], b[k], first, row_pose(at_b, k), motion_a=Motions(velocity=v[k], angular=v[:1]), pieces_max=100
        ),
        "manifolds": lambda k: gjk.manifold(shapes, a[0], b[k], first, row_pose(at_b, k), prediction=2.0),
        "gradients": lambda k: gjk.gradient(shapes, a[0], b[k], first, row_pose(at_b, k)),
    }
    for what, call in calls.items():
        whole = call(slice(None))
        assert len(whole) == 40
        for k in range(40):
            alone = call(slice(k, k + 1))
            for name in ("verdict", "normal", "time_lower", "time_upper", "lower", "upper", "area", "gradient_b"):
                of = getattr(whole, name, None)
                assert of is None or np.array_equal(of[[k]], getattr(alone, name), equal_nan=True), (what, name, k)


def row_pose(poses, rows):
    return Poses(**{name: of[rows] for name, of in poses._parameters.items()})


def test_layouts_and_types_are_no_matter():
    shapes = cubes(1, 0.5)
    at = np.array([[0.5, 0.25, 2.0], [0.25, 0.5, 3.5], [-0.75, 0.125, 2.25]])
    turn = np.array([[0.5, 0.25, 0.125]])
    expected = gjk.time_of_impact(shapes, 0, 1, None, Poses(translation=at), motion_b=Motions(velocity=-at, angular=turn))
    assert "hits" in expected.verdict_names()
    wide = np.full((6, 7), np.nan)
    wide[::2, 2:5] = at
    for way in (np.asfortranarray(at), wide[::2, 2:5], at.astype(np.float32), at.astype(">f8"), at.tolist(), at.astype(object), at[::-1].copy()[::-1]):
        negative = -np.asarray(way, dtype=None if not isinstance(way, list) else float)
        found = gjk.time_of_impact(shapes, np.array([0], ">i2"), [1], None, Poses(translation=way), motion_b=Motions(velocity=negative, angular=turn.astype(np.float32)))
        equal(found, expected)
    rays = gjk.ray_cast(shapes, 0, at.astype(np.float32), (-at).astype(np.float32))
    equal(rays, gjk.ray_cast(shapes, 0, at, -at))


@pytest.mark.parametrize("what", CALLS)
def test_no_rows_and_one_row(what):
    shapes = cubes(1, 0.5)
    empty = CALLS[what](shapes, Poses(translation=np.zeros((0, 3))))
    one = CALLS[what](shapes, None)
    assert len(empty) == 0 and len(one) == 1 and empty.errors == one.errors == {}
    for name, of in columns(empty).items():
        assert of.dtype == getattr(one, name).dtype and of.shape[1:] == getattr(one, name).shape[1:], name
    assert columns(empty).keys() == columns(one).keys()
    equal(pickle.loads(pickle.dumps(one)), one)


@pytest.mark.parametrize("what", CALLS)
def test_wrong_rows_are_named_and_change_no_other(what):
    shapes = cubes(1, 0.5)
    at = np.array([[0.0, 0, 2], [np.nan, 0, 0], [0, 0, 1.25]])
    side = "a" if what == "rays" else "b"
    with pytest.raises(RowError) as raised:
        CALLS[what](shapes, Poses(translation=at))
    assert raised.value.args == (f"row 1, body {side}: translation is NaN: every number must be finite", 1, side)
    found = CALLS[what](shapes, Poses(translation=at), errors="column")
    right = CALLS[what](shapes, Poses(translation=at[[0, 2]]))
    assert found.errors == {1: f"body {side}: translation is NaN: every number must be finite"}
    assert found.verdict[1] == Verdict.WRONG_ROW == Meeting.WRONG_ROW
    for name, of in columns(found).items():
        if len(of) == 3:
            assert np.array_equal(of[[0, 2]], getattr(right, name), equal_nan=of.dtype.kind == "f"), name
            assert of.dtype.kind != "f" or np.isnan(of[1]).all(), name
    if what in ("manifolds", "gradients"):
        offsets = found.offsets if what == "manifolds" else found.vertex_offsets
        assert offsets[1] == offsets[2]


@pytest.mark.parametrize("what", CALLS)
def test_threads_are_no_matter_and_others_run_meanwhile(what):
    shapes = cubes(1, 0.5)
    rng = np.random.default_rng(3)
    at = Poses(translation=rng.uniform(-2, 2, (2000, 3)), quat_xyzw=rng.normal(size=(2000, 4)))
    alone = CALLS[what](shapes, at, threads=1)
    equal(CALLS[what](shapes, at, threads=2), alone)
    found = []
    several = [threading.Thread(target=lambda: found.append(CALLS[what](shapes, at))) for _ in range(3)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    assert len(found) == 3
    for one in found:
        equal(one, alone)


def test_the_interpreter_is_free_meanwhile():
    shapes, a, b, at_a, at_b, rng = bodies_of(20_000)
    motion = Motions(velocity=rng.normal(size=(20_000, 3)), angular=rng.normal(size=(20_000, 3)))
    ended, steps = threading.Event(), []

    def count():
        while not ended.wait(0.001):
            steps.append(time.monotonic())

    other = threading.Thread(target=count)
    other.start()
    began = time.monotonic()
    gjk.time_of_impact(shapes, a, b, at_a, at_b, motion_b=motion, threads=1)
    took = time.monotonic() - began
    ended.set()
    other.join()
    # At 1 ms a step another thread took many while this one was in one call.
    assert len(steps) > 5 and took > 0.02


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda s: gjk.ray_cast(s, 0, [0, 0], [1, 0, 0]), r"origin has shape \(2,\): expected \(3,\) or \(n, 3\)"),
        (lambda s: gjk.ray_cast(s, 0, np.zeros((2, 3)), np.ones((3, 3))), "columns of different lengths: .* origin has 2, direction has 3"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], "far"), "direction is no array of numbers"),
        (lambda s: gjk.ray_cast(s, 0, [0, np.nan, 0], [1, 0, 0]), "row 0, ray: origin: every number must be finite"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, np.inf]), "row 0, ray: direction: every number must be finite"),
        (lambda s: gjk.ray_cast(s, 7, [0, 0, 0], [1, 0, 0]), "row 0, body a: shape 7 of 1 does not exist"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], max_time=-1), "max_time is -1: it must be 0 or more"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], max_time=np.nan), "max_time is NaN: it must be 0 or more"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], max_time=[1, 2]), r"max_time has shape \(2,\): expected one number"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], distance=-0.5), "distance is -0.5: it must be 0 or more"),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], start="hits"), 'start is \'hits\': it must be "hit" or "approach" or "exit"'),
        (lambda s: gjk.ray_cast(s, 0, [0, 0, 0], [1, 0, 0], touch=None), 'touch is None: it must be "counts" or "passes"'),
        (lambda s: gjk.shape_cast(s, 0, 0, velocity_b=[np.nan, 0, 0]), "row 0, body b: velocity: every number must be finite"),
        (lambda s: gjk.time_of_impact(s, 0, 0, max_time=np.inf), "max_time is inf: every number must be finite"),
        (lambda s: gjk.time_of_impact(s, 0, 0, time_resolution=-1), "time_resolution is -1: it must be 0 or more"),
        (lambda s: gjk.time_of_impact(s, 0, 0, pieces_max=-1), "pieces_max is -1: it must be a whole number"),
        (lambda s: gjk.time_of_impact(s, 0, 0, motion_a=[1, 0, 0]), "motion_a is a list: it must be gjk.Motions"),
        (lambda s: gjk.time_of_impact(s, 0, 0, motion_b=PlanarMotions()), "motion_b is a PlanarMotions: it must be gjk.Motions"),
        (lambda s: gjk.time_of_impact(s, 0, 0, motion_a=Motions(angular=[0, 0, np.inf])), "row 0, body a: angular: every number must be finite"),
        (lambda s: gjk.time_of_impact(s, 0, 0, motion_a=Motions(to=2 * np.eye(4)[:3])), "row 0, body a: to: it shears, mirrors or scales"),
        (lambda s: gjk.time_of_impact(s, 0, 0, pose_a=2 * np.eye(4)[:3], motion_a=Motions(to=np.eye(4))), "row 0, body a: pose: it shears"),
        (lambda s: Motions(to=np.eye(4), velocity=[1, 0, 0]), "either a pose that it goes to, or velocities"),
        (lambda s: Motions(velocity=[1, 0]), r"velocity has shape \(2,\): expected \(3,\) or \(n, 3\)"),
        (lambda s: Motions(vertices=[[1, 2]]), r"vertices has shape \[1, 2\]: expected \(k, 3\), \(n, k, 3\), or \(m, 3\) with offsets"),
        (lambda s: Motions(vertices=np.zeros((2, 2, 3)), offsets=[0, 2]), r"vertices has shape \[2, 2, 3\]: expected"),
        (lambda s: Motions(vertices=np.zeros((2, 3)), offsets=[0, 1]), "offsets must be whole numbers that rise from 0 to 2"),
        (lambda s: Motions(vertices=np.zeros((2, 3)), offsets=[0, 1.5, 2]), "offsets must be whole numbers that rise from 0 to 2"),
        (lambda s: Motions(vertices=np.zeros((2, 3)), offsets=[]), "offsets must be whole numbers"),
        (lambda s: Motions(offsets=[0, 1]), "offsets are of vertices: give vertices"),
        (lambda s: Motions(vertices=np.zeros((2, 3)), center=[0, 0, 0]), "has no velocity, angular, center or to"),
        (lambda s: Motions(vertices=np.zeros((2, 3)), rotation="nlerp"), "of a motion by velocities"),
        (lambda s: Motions(to=np.eye(4), rotation="lerp"), "rotation is 'lerp': it must be \"slerp\" or \"nlerp\""),
        (lambda s: Motions(rotation="slerp"), "of a motion by velocities"),
        (lambda s: Motions(velocity=np.zeros((2, 3)), angular=np.zeros((3, 3))), "columns of different lengths"),
        (lambda s: PlanarMotions(angular=[[1, 2]]), r"angular has shape \(1, 2\): expected one number or \(n,\)"),
        (lambda s: gjk.manifold(s, 0, 0, prediction=-1), "prediction is -1: it must be finite, and 0 or more"),
        (lambda s: gjk.manifold(s, 0, 0, points_max=0), 'points_max is 0: it must be a whole number from 1 to 64, or "all"'),
        (lambda s: gjk.manifold(s, 0, 0, cos_max_tilt=0.25), "cos_max_tilt is 0.25: it must be from 0.5 to 1"),
        (lambda s: gjk.gradient(s, 0, 0, along=Motions()), "along is a Motions: it must be a pair"),
        (lambda s: gjk.gradient(s, 0, 0, along=(None, 7)), r"along\[1\] is a int: it must be gjk.Motions"),
        (lambda s: PlanarPoses(matrix=np.eye(4)), r"matrix has shape \(4, 4\): expected \(3, 3\), \(2, 3\)"),
        (lambda s: PlanarPoses(matrix=np.eye(3), angle=1), "give nothing else"),
    ],
)
def test_what_is_wrong_is_told(call, told):
    with pytest.raises(gjk.GjkError, match=told):
        call(cubes(1))


def test_shapes_of_something_else():
    with pytest.raises(TypeError, match=r"shapes is a list: it must be gjk.Shapes or gjk.PlanarShapes"):
        gjk.manifold([], 0, 0)


def test_motions_pickle():
    for motions in (
        Motions(velocity=[[1, 0, 0], [2, 0, 0]], angular=[0, 0, 1], center=[1, 1, 1]),
        Motions(to=Poses(translation=[1, 2, 3])),
        PlanarMotions(velocity=[1, 2], angular=[1, 2, 3]),
        PlanarMotions(to=PlanarPoses(angle=0.5)),
        Motions(vertices=np.zeros((2, 4, 3))),
    ):
        again = pickle.loads(pickle.dumps(motions))
        assert type(again) is type(motions) and repr(again) == repr(motions) and len(again) == len(motions)
    again = pickle.loads(pickle.dumps(PlanarPoses(translation=[[1, 2]], angle=[0.5, 0.25])))
    assert len(again) == 2 and np.array_equal(again._parameters["angle"], [0.5, 0.25])


def test_the_examples_of_the_page():
    page = CORPUS.parents[1] / "docs" / "python.md"
    # Fences are no part of what is printed: each block ends with an empty line.
    found = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert found.attempted >= 15 and not found.failed


# The lines of the corpus, by rows.


def lines(name):
    """Those that rows can ask: numbers of `f64`, and poses of a turn and a translation."""
    for text in (CORPUS / name).read_text().splitlines():
        line = json.loads(text)
        if line.get("scalar", "f64") == "f64":
            yield line


def set_of(line):
    kind = gjk.Shapes if line.get("dim", 3) == 3 else PlanarShapes
    keys = ("pose", "motion")
    bodies = [{k: v for k, v in line[side].items() if k not in keys} for side in "ab" if side in line]
    return kind.from_json(json.dumps(bodies))


def pose_of(given, dim):
    """A pose of a line, as the row functions take it."""
    given = given or {}
    assert given.keys() <= {"translation", "rotation", "rotation_matrix", "scale"}, given
    at, turn = given.get("translation", [0.0] * dim), given.get("rotation")
    if "rotation_matrix" in given or "scale" in given:
        scale = np.broadcast_to(given.get("scale", 1.0), dim)
        linear = np.array(given.get("rotation_matrix", np.eye(dim)), dtype=float) * scale
        if turn is not None:
            return None
        return np.column_stack([linear, at])
    if dim == 2:
        return PlanarPoses(translation=at, angle=turn or 0.0)
    return Poses(translation=at, quat_xyzw=[0, 0, 0, 1] if turn is None else turn)


def motion_of(given, dim):
    if given is None:
        return None
    kind = Motions if dim == 3 else PlanarMotions
    given = dict(given)
    if "to" in given:
        given["to"] = pose_of(given["to"], dim)
    return kind(**given)


def asked(line):
    """The row of a line."""
    shapes, dim, what = set_of(line), line.get("dim", 3), line["query"]
    options = {k: v for k, v in line.get("options", {}).items() if k not in ("certificate", "trace")}
    at_a, at_b = (pose_of(line.get(side, {}).get("pose"), dim) for side in "ab")
    moves = [line.get(side, {}).get("motion") for side in "ab"]
    if what == "ray":
        return gjk.ray_cast(shapes, 0, line["ray"]["origin"], line["ray"]["direction"], at_a, **options)
    if what == "cast":
        first, second = (None if of is None else of["velocity"] for of in moves)
        return gjk.shape_cast(shapes, 0, 1, at_a, at_b, velocity_a=first, velocity_b=second, **options)
    if what == "toi":
        first, second = (motion_of(of, dim) for of in moves)
        return gjk.time_of_impact(shapes, 0, 1, at_a, at_b, motion_a=first, motion_b=second, **options)
    if what == "manifold":
        return gjk.manifold(shapes, 0, 1, at_a, at_b, **options)
    along = options.pop("along", None)
    pair = None if along is None else tuple(motion_of(along.get(side), dim) for side in "ab")
    return gjk.gradient(shapes, 0, 1, at_a, at_b, along=pair, **options)


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """What `gjk query` answers to the lines that it answers, by their ids."""
    found = {}
    folder = tmp_path_factory.mktemp("lines")
    for path in sorted(CORPUS.glob("*.jsonl")):
        ran = subprocess.run([sys.executable, "-m", "gjk", "query", str(path)], cwd=folder, capture_output=True, text=True, check=False)
        for text in ran.stdout.splitlines():
            told = json.loads(text)
            found[path.name, told["id"]] = told
    return found


def held(told, found, tight):
    """Whether the interval of a row is that of the line, or shares a number with it: both hold the truth."""
    lower, upper = told["lower"], np.inf if told["upper"] is None else told["upper"]
    return found == (lower, upper) or (not tight and found[0] <= upper and lower <= found[1])


def near(told, found):
    return np.allclose(found, told, rtol=0, atol=1e-9 * (1 + np.abs(told).max()))


@pytest.mark.parametrize("name", ["rays.jsonl", "casts.jsonl", "toi.jsonl", "manifolds.jsonl", "gradients.jsonl"])
def test_rows_agree_with_query_lines(name, answered):
    count = 0
    for line in lines(name):
        told = answered[name, line["id"]]
        if "error" in told:
            continue
        found = asked(line)
        # A quaternion of a line and of a row are made matrices apart: the last bit may differ.
        turned = any("rotation" in line.get(side, {}).get("pose", {}) for side in "ab")
        same = lambda told, got, turned=turned: np.array_equal(told, got) or (turned and np.allclose(got, told, rtol=0, atol=1e-15))
        count += 1
        where = line["id"]
        if name in ("rays.jsonl", "casts.jsonl", "toi.jsonl"):
            assert found.verdict_names() == [told["verdict"]], where
            assert bool(found.grazing[0]) == told.get("grazing", False) and bool(found.exact[0]) == told["exact"], where
            if told.get("time"):
                # A single query proves neighbouring floats by signs; rows take an interval of floats. Polygons that turn are told by their sides without a proof.
                tight = name == "toi.jsonl" and not turned and line["dim"] == 3
                assert held(told["time"], (found.time_lower[0], found.time_upper[0]), tight), where
            else:
                assert np.isnan(found.time_lower[0]) and np.isnan(found.time_upper[0]), where
        else:
            names = [Verdict(int(code)).name.lower() for code in found.verdict]
            assert names == [told["verdict"]], where
            signed = told["signed_distance"]
            assert same([signed["lower"], signed["upper"]], [found.lower[0], found.upper[0]]), where
        if name == "manifolds.jsonl":
            # An area beyond the largest float is null.
            area = np.inf if told["area"] is None else told["area"]
            assert found.kind_names() == [told["kind"]] and found.complete[0] == told["complete"], where
            assert same(area, found.area[0]), where
            assert [f"{k:016x}" for k in found.id.tolist()] == [point["id"] for point in told["points"]], where
            assert same([point["point_a"] for point in told["points"]], found.point_a.tolist()), where
            assert same([point["separation"]["lower"] for point in told["points"]], found.separation_lower.tolist()), where
        if name == "gradients.jsonl":
            assert bool(found.unique[0]) == told["unique"], where
            for side in "ab":
                of = told["gradient"][side]
                assert getattr(found, f"gradient_{side}")[0].tolist() == [*of["linear"], *np.atleast_1d(of["angular"])], where
            assert len(found.vertex_normal) == len(told.get("vertices", [])), where
            if told.get("along"):
                assert (found.along_lower[0], found.along_upper[0]) == (told["along"]["lower"], told["along"]["upper"]), where
                inside = told.get("along_inside", {"lower": np.nan, "upper": np.nan})
                ends = [found.along_inside_lower[0], found.along_inside_upper[0]]
                assert np.array_equal(ends, [inside["lower"], inside["upper"]], equal_nan=True), where
        elif told.get("normal") and name == "toi.jsonl":
            assert near(np.array(told["normal"]), found.normal[0]), where
    assert count >= 15
