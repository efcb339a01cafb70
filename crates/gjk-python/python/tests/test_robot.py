"""Robots: verdicts are those of the command, poses and distances those of formulas written here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import gjk

ROOT = Path(__file__).parents[4]
ARMS = ROOT / "crates/gjk-cli/tests/data/two_arms.urdf"
SRDF = ROOT / "crates/gjk-cli/tests/data/two_arms.srdf"

LENGTHS = (1.0, 0.75, 0.5)


def planar() -> gjk.Robot:
    """Three links that turn about z, each a ball at its end."""
    links = "".join(
        f'<link name="l{k}"><collision><origin xyz="{length} 0 0"/><geometry><sphere radius="0.2"/></geometry></collision></link>'
        for k, length in enumerate((0.0, *LENGTHS))
    )
    before = (0.0, *LENGTHS)
    joints = "".join(
        f'<joint name="j{k}" type="continuous"><parent link="l{k}"/><child link="l{k + 1}"/><origin xyz="{before[k]} 0 0"/><axis xyz="0 0 1"/></joint>'
        for k in range(3)
    )
    return gjk.Robot.from_string(f'<robot name="planar">{links}{joints}</robot>', include_adjacent=True)


def ends(q: np.ndarray) -> np.ndarray:
    """The balls' centres by sums of angles: (m, 4, 2)."""
    angles = np.cumsum(q, axis=1)
    steps = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * np.array(LENGTHS)[None, :, None]
    return np.concatenate([np.zeros((len(q), 1, 2)), np.cumsum(steps, axis=1)], axis=1)


def test_clearance_is_that_of_the_formula() -> None:
    robot, q = planar(), np.random.default_rng(1).uniform(-np.pi, np.pi, (500, 3))
    centres = ends(q)
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    apart = np.stack([np.linalg.norm(centres[:, a] - centres[:, b], axis=1) - 0.4 for a, b in pairs], axis=1)
    truth = apart.min(axis=1)
    found = robot.check(q, clearance=0.25)
    sure = np.abs(truth) > 1e-12
    assert (found.collides == (truth < 0))[sure].all()
    near = truth < 0.25 - 1e-12
    assert np.allclose(found.clearance[near], truth[near], atol=1e-12, rtol=0)
    assert (found.clearance[~near] <= 0.25).all() and (found.clearance[~near] >= 0.25 - 1e-12).all()
    assert (found.clearance <= truth + 1e-12).all()
    nearest = [pairs[k] for k in apart.argmin(axis=1)]
    assert [tuple(pair) for pair in found.nearest[near].tolist()] == [pair for pair, is_near in zip(nearest, near) if is_near]
    assert found.nearest_names()[int(np.argmax(near))] == tuple(f"l{k}" for k in nearest[int(np.argmax(near))])


def test_poses_are_those_of_the_formula() -> None:
    robot, q = planar(), np.random.default_rng(2).uniform(-np.pi, np.pi, (50, 3))
    poses = robot.poses(q)
    assert poses.shape == (50, 4, 4, 4) and robot.links == ("l0", "l1", "l2", "l3")
    tips = poses @ np.array([[0, 0, 0, 1], [1.0, 0, 0, 1], [0.75, 0, 0, 1], [0.5, 0, 0, 1]])[None, :, :, None]
    assert np.allclose(tips[..., :2, 0], ends(q), atol=1e-12, rtol=0)
    assert (poses[..., 3, :] == [0, 0, 0, 1]).all()


@pytest.mark.parametrize("clearance", [None, 0.125])
@pytest.mark.parametrize("srdf", [None, SRDF])
def test_verdicts_are_those_of_the_command_on_random_states(clearance: float | None, srdf: Path | None) -> None:
    options = ["--clearance", str(clearance)] if clearance is not None else []
    options += ["--srdf", str(srdf)] if srdf is not None else []
    ran = subprocess.run(
        [sys.executable, "-m", "gjk", "check", str(ARMS), "--random", "300", "--seed", "7", "--json", *options], capture_output=True, encoding="utf-8"
    )
    told = json.loads(ran.stdout)
    robot = gjk.Robot.from_urdf(ARMS, srdf=srdf)
    q = robot.sample(300, seed=7)
    assert_same(robot.check(q, clearance=clearance), told["pairs"])
    assert robot.report(q, clearance=clearance).json() == ran.stdout


def assert_same(found: object, told: list[dict[str, object]]) -> None:
    pairs = found.pairs  # type: ignore[attr-defined]
    assert told
    assert pairs.state.tolist() == [pair["state"] for pair in told]
    assert pairs.name_a.tolist() == [pair["a"] for pair in told]
    assert pairs.name_b.tolist() == [pair["b"] for pair in told]
    assert pairs.verdict_names() == [pair["verdict"] for pair in told]
    bounds = [(pair["signed_distance"] or {}) for pair in told]
    for name, column in (("lower", pairs.lower), ("upper", pairs.upper)):
        assert all(bound.get(name, value) == value for bound, value in zip(bounds, column.tolist()))  # type: ignore[attr-defined]
    overlaps = {pair["state"] for pair in told if pair["verdict"] == "overlapping"}
    assert set(np.flatnonzero(found.collides)) == overlaps  # type: ignore[attr-defined]


def test_verdicts_are_those_of_the_command_on_states_of_a_file(tmp_path: Path) -> None:
    values = np.linspace(0, 0.5, 41)
    states = tmp_path / "states.csv"
    states.write_text("slide_left\n" + "".join(f"{value!r}\n" for value in values.tolist()))
    ran = subprocess.run([sys.executable, "-m", "gjk", "check", str(ARMS), "--states", str(states), "--json"], capture_output=True, encoding="utf-8")
    robot = gjk.Robot.from_urdf(ARMS)
    by_name, by_row = robot.check({"slide_left": values}), robot.check(values[:, None])
    assert_same(by_name, json.loads(ran.stdout)["pairs"])
    assert (by_name.verdict == by_row.verdict).all()


def test_verdicts_are_those_of_the_command_on_meshes() -> None:
    folder = Path(os.environ.get("GJK_DATA", ROOT.parent / "shared/data")) / "robots/ur5"
    if not folder.exists():
        pytest.skip("SKIPPED: there is no data (GJK_DATA)")
    urdf, srdf = folder / "ur5_robot.urdf", folder / "ur5.srdf"
    options = ["--srdf", str(srdf), "--random", "60", "--seed", "2", "--clearance", "0.01", "--json"]
    ran = subprocess.run([sys.executable, "-m", "gjk", "check", str(urdf), *options], capture_output=True, encoding="utf-8")
    robot = gjk.Robot.from_urdf(urdf, srdf)
    assert_same(robot.check(robot.sample(60, seed=2), clearance=0.01), json.loads(ran.stdout)["pairs"])


def test_joints_that_follow_are_not_set() -> None:
    robot = gjk.Robot.from_urdf(ARMS)
    assert [(joint.name, joint.kind, joint.lower, joint.upper) for joint in robot.joints] == [("slide_left", "prismatic", 0.0, 0.5)]
    with pytest.raises(gjk.GjkError, match="no joint 'slide_right' to set: those to set are slide_left"):
        robot.check({"slide_right": [0.1]})


def test_joints_left_out_stay_at_zero() -> None:
    robot = planar()
    q = np.array([[0.0, 1.0, 0.0], [0.0, 2.0, 0.0]])
    assert (robot.poses({"j1": q[:, 1]}) == robot.poses(q)).all()
    assert robot.poses(q[0]).shape == (1, 4, 4, 4)
    assert (robot.poses({"j1": q[:, 1], "j2": 0.5}) == robot.poses(np.array([[0.0, 1.0, 0.5], [0.0, 2.0, 0.5]]))).all()


def test_samples_are_within_limits_and_do_not_depend_on_their_count() -> None:
    robot = gjk.Robot.from_urdf(ARMS)
    q = robot.sample(100, seed=3)
    assert q.shape == (100, 1) and (q >= 0).all() and (q <= 0.5).all()
    assert (robot.sample(10, seed=3) == q[:10]).all()
    assert (robot.sample(100, seed=4) != q).any()


def test_states_that_are_wrong_are_data() -> None:
    robot, q = planar(), np.random.default_rng(5).uniform(-np.pi, np.pi, (200, 3))
    right = robot.check(q, clearance=0.1)
    bad = q.copy()
    bad[7, 1], bad[150, 2] = np.nan, -np.inf
    found = robot.check(bad, clearance=0.1, errors="column")
    assert found.errors == {7: "joint `j1` is NaN: every number must be finite", 150: "joint `j2` is -inf: every number must be finite"}
    others = np.delete(np.arange(200), [7, 150])
    assert (found.verdict[others] == right.verdict[others]).all() and (found.clearance[others] == right.clearance[others]).all()
    assert (found.verdict[[7, 150]] == gjk.Verdict.WRONG_ROW).all() and np.isnan(found.clearance[[7, 150]]).all()
    assert not found.collides[[7, 150]].any() and (found.nearest[[7, 150]] == -1).all()
    assert not set(found.pairs.state) & {7, 150}
    assert found.pairs.state.tolist() == [state for state in right.pairs.state.tolist() if state not in (7, 150)]
    for call in (robot.check, robot.poses, robot.report):
        with pytest.raises(gjk.RowError, match="row 7: joint `j1` is NaN") as caught:
            call(bad)
        assert caught.value.args[1] == 7


def test_rows_of_another_width_are_data() -> None:
    robot = planar()
    rows = [[0.0, 0.0, 0.0], [0.0, 1.0], [0.0, 3.14, 0.0], []]
    found = robot.check(rows, errors="column")
    assert found.errors == {1: "it has 2 values: expected 3, one a joint", 3: "it has 0 values: expected 3, one a joint"}
    assert found.collides.tolist() == [False, False, True, False]
    with pytest.raises(gjk.RowError, match="row 1: it has 2 values"):
        robot.check(rows)
    with pytest.raises(gjk.GjkError, match=r"q has shape \(5, 2\): expected \(m, 3\)"):
        robot.check(np.zeros((5, 2)))


def test_what_is_no_number_is_refused() -> None:
    for wrong in (1j, 10**400, "x"):
        with pytest.raises(gjk.GjkError, match="row 1: it is no array of numbers"):
            planar().check([[0.0, 0.0, 0.0], [0.0, wrong, 0.0]])
        with pytest.raises(gjk.GjkError, match="no array of numbers"):
            planar().check({"j1": [wrong]})


def test_a_link_beyond_the_range_of_numbers_is_a_wrong_state() -> None:
    links = "".join(f'<link name="l{k}"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>' for k in range(3))
    joint = '<joint name="j{0}" type="prismatic"><parent link="l{0}"/><child link="l{1}"/><axis xyz="1 0 0"/><limit lower="0" upper="1"/></joint>'
    robot = gjk.Robot.from_string(f'<robot name="far">{links}{joint.format(0, 1)}{joint.format(1, 2)}</robot>')
    # Each value is a number, their sum is none.
    found = robot.check([[0.1, 0.1], [1.7e308, 1.7e308], [1.0, 1.0]], errors="column")
    assert list(found.errors) == [1] and "body `l2`" in found.errors[1] and "beyond the range of numbers" in found.errors[1]
    assert found.collides.tolist() == [True, False, False]


def test_threads_change_nothing() -> None:
    robot = planar()
    q = robot.sample(20_000, seed=1)
    one, three = (robot.check(q, clearance=0.3, threads=threads) for threads in (1, 3))
    for name in ("verdict", "clearance", "nearest"):
        assert (getattr(one, name) == getattr(three, name)).all()
    assert (one.pairs.lower == three.pairs.lower).all() and (one.pairs.state == three.pairs.state).all()
    bare = robot.check(q, clearance=0.3, pairs=False)
    assert len(bare.pairs) == 0 and (bare.clearance == one.clearance).all()


def test_no_states_and_no_robot() -> None:
    robot = planar()
    assert len(robot.check(np.zeros((0, 3)))) == 0
    assert robot.poses(np.zeros((0, 3))).shape == (0, 4, 4, 4)
    with pytest.raises(gjk.GjkError, match="is no robot"):
        gjk.Robot.from_urdf(ROOT / "crates/gjk-check/examples/arm.json")
    with pytest.raises(gjk.SceneError):
        gjk.Robot.from_string("<robot")
    assert repr(robot.check([[0.0, 0.0, 0.0]])) == "Collisions(1 states: 0 collide)"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_ends_a_check() -> None:
    robot = planar()
    q = robot.sample(400_000, seed=1)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            robot.check(q, clearance=0.3)
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
