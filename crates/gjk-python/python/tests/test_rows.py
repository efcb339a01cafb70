"""Queries over arrays: answers known by hand, laws, wrong rows, parameters that do not go together."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gjk
from gjk import Poses, Verdict, _rows, fcl


@pytest.fixture
def shapes():
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5, 0.5, 0.5))
    shapes.sphere(0.25)
    shapes.capsule(half_height=1.0, radius=0.1, axis="x")
    shapes.hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]))
    return shapes


def turned(rng, n):
    q = rng.normal(size=(n, 4))
    return q / np.linalg.norm(q, axis=1)[:, None]


def matrices(xyzw, at):
    x, y, z, w = xyzw.T
    m = np.zeros((len(xyzw), 4, 4))
    m[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    m[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    m[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    m[:, :3, 3], m[:, 3, 3] = at, 1
    return m


def test_cubes_side_by_side(shapes):
    at = np.zeros((4, 3))
    at[:, 0] = [0.5, 1.0, 1.5, 3.0]
    found = gjk.contact(shapes, 0, 0, pose_b=Poses(translation=at))
    assert found.verdict_names() == ["overlapping", "touching", "separated", "separated"]
    assert found.verdict.dtype == np.uint8 and found.normal.shape == (4, 3)
    for k, truth in enumerate([-0.5, 0.0, 0.5, 2.0]):
        assert found.lower[k] <= truth <= found.upper[k] and found.upper[k] - found.lower[k] < 1e-12
    assert np.allclose(found.normal[1:], [1, 0, 0])
    assert list(found.overlaps) == [True, False, False, False]
    apart = gjk.distance(shapes, 0, 0, pose_b=Poses(translation=at))
    assert apart.upper[0] == 0 and apart.lower[2] <= 0.5 <= apart.upper[2]


@pytest.mark.parametrize("query", [gjk.classify, gjk.distance, gjk.contact])
def test_answers_are_written_where_the_caller_wants_them(shapes, query):
    rng = np.random.default_rng(5)
    first, second = (Poses(translation=rng.uniform(-1, 1, (3000, 3)), quat_xyzw=turned(rng, 3000)) for _ in range(2))
    kinds = rng.integers(0, 4, (2, 3000))
    kinds[0, 7] = 99
    old = query(shapes, *kinds, first, second, errors="column")
    arrays = [getattr(old, name) for name, *_ in _rows.COLUMNS]
    fresh = query(shapes, *kinds, second, first, errors="column")
    for threads in (1, 2):
        found = query(shapes, *kinds, second, first, errors="column", threads=threads, out=old)
        for (name, *_), array in zip(_rows.COLUMNS, arrays):
            assert getattr(found, name) is array
            assert array is None or np.array_equal(array, getattr(fresh, name), equal_nan=True)
        assert list(found.errors) == [7]


def test_what_cannot_be_written_into_is_refused(shapes):
    at = Poses(translation=np.zeros((3, 3)))
    found = gjk.contact(shapes, 0, 0, pose_b=at)
    # Verdicts alone are written into more.
    assert gjk.classify(shapes, 0, 0, pose_b=at, out=found).verdict is found.verdict
    read_only = found.upper.copy()
    read_only.flags.writeable = False
    poses = np.zeros((3, 3))
    of = {name: getattr(found, name) for name, *_ in _rows.COLUMNS} | {"errors": {}}
    for names, words in (
        ({"lower": found.lower[:2]}, r"out.lower is float64 of shape \(2,\): contact of 3 rows writes float64 of shape \(3,\)"),
        ({"verdict": found.lower}, "out.verdict is float64"),
        ({"normal": None}, "out.normal is NoneType"),
        ({"upper": read_only}, "out.upper cannot be written into"),
        ({"point_a": np.zeros((3, 6))[:, ::2]}, "out.point_a cannot be written into"),
        ({"lower": found.upper}, "out shares memory with another array"),
        ({"point_a": poses}, "out shares memory with another array"),
    ):
        with pytest.raises(gjk.GjkError, match=words):
            gjk.contact(shapes, 0, 0, pose_b=Poses(translation=poses), out=gjk.Answers(**(of | names)))
    with pytest.raises(gjk.GjkError, match="out.verdict is NoneType"):
        gjk.contact(shapes, 0, 0, out=7)
    with pytest.raises(gjk.GjkError, match="out has 3 rows: there are 2"):
        gjk.contact(shapes, [0, 0], 0, out=found)
    assert gjk.contact(shapes, 0, 0, pose_b=at, out=found).verdict.tolist() == [2, 2, 2]


def test_arrays_that_lie_askew_are_read(shapes):
    # A byte off the numbers' places, in the other order of bytes, every other one, mirrored.
    at = np.random.default_rng(3).uniform(-1, 1, (50, 3))
    truth = gjk.contact(shapes, 0, 3, pose_b=Poses(translation=at))
    askew = np.frombuffer(b"." + at.tobytes(), offset=1).reshape(50, 3)
    assert not askew.flags.aligned
    for laid in (askew, at.astype(">f8"), np.repeat(at, 2, axis=1)[:, ::2], at[::-1].copy()[::-1], np.asfortranarray(at), at.tolist()):
        found = gjk.contact(shapes, 0, 3, pose_b=Poses(translation=laid))
        assert np.array_equal(found.lower, truth.lower) and np.array_equal(found.point_b, truth.point_b)
    for numbers in (np.array([0, 3], ">i8"), np.array([0, 3], np.uint8), [0, 3], np.array([0, 9, 3, 9])[::2]):
        assert gjk.classify(shapes, numbers, 0).verdict.tolist() == gjk.classify(shapes, np.array([0, 3], np.uint32), 0).verdict.tolist()


def test_poses_pickle(shapes):
    rng = np.random.default_rng(4)
    at, turn = rng.normal(size=(6, 3)), turned(rng, 6)
    for poses in (Poses(translation=at), Poses(quat_wxyz=turn), Poses(translation=at, quat_xyzw=turn), Poses(matrix=matrices(turn, at)), Poses(matrix=np.eye(4)[:3])):
        again = pickle.loads(pickle.dumps(poses))
        assert type(again) is Poses and repr(again) == repr(poses) and len(again) == len(poses)
        one, other = (gjk.contact(shapes, 0, 3, pose_b=of) for of in (poses, again))
        assert np.array_equal(one.lower, other.lower)


def test_the_order_of_a_quaternion_is_its_name(shapes):
    # A quarter turn about z takes a long capsule along x to y: it reaches the sphere above, and not the one beside it.
    half = np.sqrt(0.5)
    turn = {"quat_xyzw": [0, 0, half, half], "quat_wxyz": [half, 0, 0, half]}
    at = Poses(translation=[[0, 1.2, 0], [1.2, 0, 0]])
    for name, quaternion in turn.items():
        found = gjk.classify(shapes, 2, 1, pose_a=Poses(**{name: quaternion}), pose_b=at)
        assert found.verdict_names() == ["overlapping", "separated"], name
    swapped = gjk.classify(shapes, 2, 1, pose_a=Poses(quat_xyzw=[half, 0, 0, half]), pose_b=at)
    assert swapped.verdict_names() == ["separated", "overlapping"]


def test_quaternions_and_matrices_are_one_pose(shapes):
    rng = np.random.default_rng(5)
    n = 3000
    a, b = rng.integers(0, 4, (2, n))
    q, p = turned(rng, n), turned(rng, n)
    s, t = rng.normal(size=(n, 3)) * 0.4, rng.normal(size=(n, 3)) * 0.4
    first = gjk.contact(shapes, a, b, Poses(translation=s, quat_xyzw=q), Poses(translation=t, quat_wxyz=p[:, [3, 0, 1, 2]]))
    for rows in (4, 3):
        second = gjk.contact(shapes, a, b, matrices(q, s)[:, :rows], matrices(p, t)[:, :rows])
        # Both round.
        assert np.all(first.lower <= second.upper + 1e-14) and np.all(second.lower <= first.upper + 1e-14)
    assert set(first.verdict) >= {0, 2}


def test_swapped_bodies_have_the_same_numbers(shapes):
    rng = np.random.default_rng(7)
    n = 2000
    a, b = rng.integers(0, 4, (2, n))
    at, to = (Poses(translation=rng.normal(size=(n, 3)) * 0.5, quat_xyzw=turned(rng, n)) for _ in range(2))
    one, other = gjk.contact(shapes, a, b, at, to), gjk.contact(shapes, b, a, to, at)
    assert np.array_equal(one.verdict, other.verdict)
    assert np.all(one.lower <= other.upper) and np.all(other.lower <= one.upper)


def test_broadcast_types_and_strides_change_nothing(shapes):
    rng = np.random.default_rng(9)
    n = 500
    at = rng.normal(size=(n, 3)) * 0.6
    first = gjk.contact(shapes, 0, 3, pose_b=Poses(translation=at))
    wide = np.zeros((2 * n, 6), order="F")
    wide[::2, ::2] = at
    others = [
        gjk.contact(shapes, np.zeros(n, np.int8), np.full(n, 3, np.uint64), pose_b=Poses(translation=at)),
        gjk.contact(shapes, [0], [3], np.eye(4), Poses(translation=wide[::2, ::2])),
        gjk.contact(shapes, 0, 3, None, Poses(translation=at.tolist(), quat_wxyz=[2, 0, 0, 0])),
        gjk.contact(shapes, 0, 3, pose_b=Poses(translation=at[::-1].copy()[::-1])),
    ]
    for other in others:
        for column in ("verdict", "lower", "upper", "normal", "point_a", "point_b"):
            assert np.array_equal(getattr(first, column), getattr(other, column)), column
    single = gjk.classify(shapes, 0, 3, pose_b=Poses(translation=at.astype(np.float32)))
    assert np.array_equal(single.verdict, gjk.classify(shapes, 0, 3, pose_b=Poses(translation=at.astype(np.float32).astype(float))).verdict)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda s: s.box(half_extents=(1, 1)), "expected a sequence of length 3"),
        (lambda s: s.sphere(10**400), "int too large"),
        (lambda s: s.sphere(np.array("x")), "could not convert"),
        (lambda s: s.rounded(-1, radius=1), "out of range"),
        (lambda s: s.get(2**70), "too large"),
    ],
)
def test_a_parameter_of_another_type_is_a_type_error(shapes, call, told):
    with pytest.raises(TypeError) as caught:
        call(shapes)
    assert told in str(caught.value)


def test_no_poses_are_no_rows(shapes):
    none = Poses(translation=np.zeros((0, 3)))
    assert len(none) == 0 and len(Poses(translation=[0, 0, 0], quat_xyzw=np.zeros((0, 4)))) == 0
    assert len(gjk.contact(shapes, 0, 1, none)) == 0


def test_no_rows(shapes):
    found = gjk.contact(shapes, np.zeros(0, int), 1)
    assert len(found) == 0 and found.lower.shape == (0,) and found.normal.shape == (0, 3)


def test_threads_change_no_bit(shapes):
    rng = np.random.default_rng(11)
    n = 5000
    at = Poses(translation=rng.normal(size=(n, 3)) * 0.6, quat_xyzw=turned(rng, n))
    ids = rng.integers(0, 4, n)
    one = gjk.contact(shapes, ids, 3, at, threads=1)
    for threads in (2, 3, None):
        other = gjk.contact(shapes, ids, 3, at, threads=threads)
        assert np.array_equal(one.lower, other.lower) and np.array_equal(one.point_b, other.point_b)


def test_wrong_rows_are_data(shapes):
    n = 5000
    at = np.zeros((n, 3))
    at[:, 0] = 2.0
    q = np.tile([0.0, 0, 0, 1], (n, 1))
    ids = np.zeros(n, int)
    at[10, 1], at[2000, 2], q[30], ids[40], ids[41] = np.nan, np.inf, 0, 4, -1
    found = gjk.contact(shapes, ids, 1, Poses(translation=at, quat_xyzw=q), errors="column")
    assert list(found.errors) == [10, 30, 40, 41, 2000]
    assert found.errors[10] == "body a: translation is NaN: every number must be finite"
    assert found.errors[30] == "body a: quaternion is zero: a rotation needs a non-zero one"
    assert found.errors[40] == "body a: shape 4 of 4 does not exist"
    wrong = np.array(sorted(found.errors))
    assert np.all(found.verdict[wrong] == Verdict.WRONG_ROW) and np.all(np.isnan(found.lower[wrong]))
    right = np.setdiff1d(np.arange(n), wrong)
    assert np.all(found.verdict[right] == Verdict.SEPARATED) and np.all(np.isfinite(found.point_a[right]))
    with pytest.raises(gjk.RowError) as caught:
        gjk.contact(shapes, ids, 1, Poses(translation=at, quat_xyzw=q))
    assert caught.value.args[1:] == (10, "a") and str(caught.value).startswith("row 10, body a: ")


def test_wrong_matrices(shapes):
    m = np.tile(np.eye(4), (4, 1, 1))
    m[1, 3, 0], m[2, 2, 2], m[3, 0, 0] = 1, 0, np.nan
    found = gjk.classify(shapes, 0, 0, m, errors="column")
    assert list(found.errors) == [1, 2, 3]
    assert "last row" in found.errors[1] and "singular" in found.errors[2] and "NaN" in found.errors[3]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda s: Poses(matrix=np.zeros((3, 3))), "shape (3, 3)"),
        (lambda s: Poses(matrix=np.eye(4), translation=[0, 0, 0]), "nothing else"),
        (lambda s: Poses(quat_xyzw=[0, 0, 0, 1], quat_wxyz=[1, 0, 0, 0]), "one order"),
        (lambda s: Poses(quat_xyzw=np.zeros((2, 4)), translation=np.zeros((3, 3))), "translation has 3, quat_xyzw has 2"),
        (lambda s: Poses(translation="far"), "no array of numbers"),
        (lambda s: gjk.classify(s, 0, 0, np.zeros((5, 7))), "quat_xyzw=...) or quat_wxyz"),
        (lambda s: gjk.classify(s, [0, 0], [0, 0, 0]), "a has 2, b has 3"),
        (lambda s: gjk.classify(s, 0.5, 0), "whole numbers"),
        (lambda s: gjk.classify(s, 0, 0, errors="drop"), '"raise" or "column"'),
        (lambda s: gjk.classify(s, 0, 0, threads=0), "at least 1"),
        (lambda s: gjk.classify(s, 0, 0, threads=2**70), "whole number"),
        (lambda s: gjk.classify(s, 0, 0, threads=1.5), "whole number"),
        (lambda s: gjk.classify(s, 0, 0, errors=np.zeros(2)), '"raise" or "column"'),
        (lambda s: Poses(translation=[1j, 0, 0]), "complex"),
        (lambda s: Poses(translation=[10**400, 0, 0]), "no array of numbers"),
        (lambda s: gjk.classify(s, [[0], [0, 1]], 0), "a is no array"),
        (lambda s: gjk.Mesh([[0, 0, 0]], [[0], [0, 1]]), "faces is no array"),
        (lambda s: gjk.Mesh([[0, 0, 0]], np.zeros((0, 3), complex)), "triangle"),
        (lambda s: fcl.Capsule(1.0, 10**400), "lz"),
        (lambda s: fcl.Box(1.0, 1.0, 10**400), "sides"),
        (lambda s: s.sphere(-1.0), "radius is -1"),
        (lambda s: s.hull(np.zeros((3, 2))), "must have 3"),
        (lambda s: s.capsule(half_height=1, radius=1, axis="w"), "axis"),
        (lambda s: s.rounded(99, radius=1), "shape 99 of 4"),
    ],
)
def test_what_is_wrong_is_said(shapes, call, told):
    with pytest.raises(gjk.GjkError) as caught:
        call(shapes)
    assert told in str(caught.value)


def test_a_shape_says_its_field(shapes):
    with pytest.raises(gjk.ShapeError) as caught:
        shapes.box(half_extents=(1, float("nan"), 1))
    text, field, kind = caught.value.args
    assert kind == "not_finite" and "half_extents" in field and field in text


def test_other_threads_run_meanwhile(shapes):
    n = 40_000
    at = Poses(translation=np.random.default_rng(1).normal(size=(n, 3)))
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    gjk.contact(shapes, 3, 3, pose_b=at, threads=1)
    seen = counted[0] - before
    done.set()
    other.join()
    assert seen > 3


def test_shapes_are_added_while_a_call_runs(shapes):
    at = Poses(translation=np.random.default_rng(3).normal(size=(60_000, 3)))
    other = threading.Thread(target=lambda: gjk.contact(shapes, 3, 3, pose_b=at, threads=1))
    other.start()
    added = [shapes.sphere(1.0) for _ in range(200)]
    other.join(timeout=60)
    assert not other.is_alive() and added == list(range(4, 204))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_has_threads_of_its_own(shapes):
    at = Poses(translation=np.random.default_rng(2).normal(size=(20_000, 3)))
    here = gjk.contact(shapes, 3, 0, pose_b=at, threads=2)
    child = os.fork()
    if child == 0:
        there = gjk.contact(shapes, 3, 0, pose_b=at, threads=2)
        os._exit(0 if np.array_equal(here.lower, there.lower) else 1)
    for _ in range(600):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hangs")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_long_call():
    # In the background a shell has its processes ignore Ctrl-C.
    code = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import gjk, numpy as np
s = gjk.Shapes()
h = s.hull(np.random.default_rng(0).normal(size=(200, 3)))
print("ready", flush=True)
try:
    while True:
        gjk.contact(s, h, h, pose_b=gjk.Poses(translation=np.zeros((200_000, 3)), quat_xyzw=np.random.default_rng(1).normal(size=(200_000, 4))))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.5)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=60)
        finally:
            child.kill()
    assert out == "stopped\n" and child.returncode == 0
