"""What is proved of robots: what the command says of the same files, and what closed forms say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gjk
from gjk.robot import PathVerdict

LINK = '<link name="{}"><collision><origin xyz="{} {} {}"/><geometry>{}</geometry></collision></link>'
JOINT = (
    '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><origin xyz="{} {} {}"/><axis xyz="{}"/>'
    '<limit lower="{}" upper="{}" effort="1" velocity="1"/></joint>'
)
BOX = '<box size="1 1 1"/>'

#: An arm whose hand reaches back to the base only with the elbow bent by more than 2.5.
ARM = (
    '<robot name="arm">'
    + LINK.format("base", 0, 0, 0.05, '<box size="0.2 0.2 0.1"/>')
    + LINK.format("upper", 0, 0, 0.2, '<box size="0.06 0.06 0.4"/>')
    + LINK.format("hand", 0, 0, 0.36, '<sphere radius="0.05"/>')
    + JOINT.format("shoulder", "revolute", "base", "upper", 0, 0, 0.1, "0 1 0", -2, 2)
    + JOINT.format("elbow", "revolute", "upper", "hand", 0, 0, 0.4, "0 1 0", -3, 3)
    + "</robot>"
)

#: Two boxes of half size 0.5 on slides along x and y; the second one stands at x = 2.
SLIDERS = (
    '<robot name="sliders">'
    + LINK.format("base", 0, 0, -5, '<sphere radius="0.1"/>')
    + LINK.format("one", 0, 0, 0, BOX)
    + LINK.format("other", 0, 0, 0, BOX)
    + JOINT.format("x", "prismatic", "base", "one", 0, 0, 0, "1 0 0", -3, 3)
    + JOINT.format("y", "prismatic", "base", "other", 2, 0, 0, "0 1 0", -3, 3)
    + "</robot>"
)

CELL = {
    "bodies": [
        {"name": "wall", "pose": {"translation": [-3, 0, 0]}, "parts": [{"shape": "box", "half_extents": [0.5, 2, 2]}]},
        {"name": "floor", "pose": {"translation": [0, 0, -6.1]}, "parts": [{"shape": "box", "half_extents": [9, 9, 1]}]},
    ]
}


def command(*arguments: Any) -> Any:
    """What the command prints as JSON."""
    ran = subprocess.run([sys.executable, "-m", "gjk", *map(str, arguments), "--json"], capture_output=True, text=True, encoding="utf-8")
    assert ran.returncode in (0, 1), ran.stderr
    return json.loads(ran.stdout)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def agree(entries: list[dict[str, Any]], found: gjk.robot.Edges | gjk.robot.Path, names: list[str]) -> None:
    """Each row says what the command's entry says, to the bit."""
    assert found.verdict_names() == [entry["verdict"] for entry in entries]
    for row, entry in enumerate(entries):
        assert found.spans[row] == entry["spans"]
        if entry["verdict"] == "free":
            assert np.isnan(found.time[row]).all() and found.pair_names()[row] is None
            continue
        events = [entry["first"]] if "first" in entry else []
        event = next(event for event in events + entry.get("open", []) if event["verdict"] == entry["verdict"])
        assert found.time[row].tolist() == event["t"]
        assert found.pair_names()[row] == (event["a"], event["b"])
        assert dict(zip(names, found.state[row])) == event["state"]


def random_edges(robot: gjk.Robot, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return robot.sample(n, seed), robot.sample(n, seed + 1)


@pytest.mark.parametrize("text", [ARM, SLIDERS])
def test_edges_are_those_of_the_command(tmp_path: Path, text: str) -> None:
    urdf = written(tmp_path, "robot.urdf", text)
    robot = gjk.Robot.from_urdf(urdf)
    starts, goals = random_edges(robot, 60, 1)
    names = [joint.name for joint in robot.joints]
    header = ",".join([f"{name}:start" for name in names] + [f"{name}:goal" for name in names])
    rows = [",".join(repr(float(x)) for x in row) for row in np.hstack([starts, goals])]
    edges = written(tmp_path, "edges.csv", "\n".join([header, *rows]))
    told = command("edges", urdf, edges)["edges"]
    found = robot.edges(starts, goals)
    agree(told, found, names)
    assert {"free", "hit"} <= set(found.verdict_names())
    assert found.free.sum() == sum(entry["verdict"] == "free" for entry in told)
    near = robot.edges(starts, goals, clearance=0.1, threads=1)
    agree(command("edges", urdf, edges, "--clearance", 0.1)["edges"], near, names)
    assert (near.verdict >= found.verdict).all()


def test_edges_hit_where_the_closed_form_says() -> None:
    robot = gjk.Robot.from_string(SLIDERS)
    rng = np.random.default_rng(7)
    # Box `one` goes from x to x' while `other` stays at y: they meet at x = 1 where |y| < 1.
    starts = np.stack([rng.uniform(-3, 0.9, 400), rng.uniform(-3, 3, 400)], axis=1)
    goals = np.stack([rng.uniform(-3, 3, 400), starts[:, 1]], axis=1)
    found = robot.edges({"x": starts[:, 0], "y": starts[:, 1]}, {"x": goals[:, 0], "y": goals[:, 1]})
    hits = (goals[:, 0] > 1) & (np.abs(starts[:, 1]) < 1)
    assert (found.verdict == np.where(hits, PathVerdict.HIT, PathVerdict.FREE)).all()
    when = ((1 - starts[:, 0]) / (goals[:, 0] - starts[:, 0]))[hits]
    assert (found.time[hits, 0] <= when + 1e-12).all() and (when - 1e-12 <= found.time[hits, 1]).all()
    assert np.allclose(np.diff(found.time[hits], axis=1), 0, atol=1e-6)
    assert np.allclose(found.state[hits, 0], 1, atol=1e-5)
    for threads in (1, 2):
        again = robot.edges(starts, goals, threads=threads)
        for name in ("verdict", "time", "pair", "state", "distance", "spans"):
            assert np.array_equal(getattr(again, name), getattr(found, name), equal_nan=True), name


def test_a_wrong_edge_changes_no_other() -> None:
    robot = gjk.Robot.from_string(SLIDERS)
    starts, goals = np.zeros((3, 2)), np.array([[0.5, 0], [np.nan, 0], [2, 0]])
    with pytest.raises(gjk.RowError) as told:
        robot.edges(starts, goals)
    assert told.value.args[1] == 1 and "`x`" in str(told.value)
    found = robot.edges(starts, goals, errors="column")
    assert found.verdict_names() == ["free", "wrong_row", "hit"] and list(found.errors) == [1]
    # Numbers of which a place cannot be made.
    goals[1, 0] = 1e308
    found = robot.edges(starts, goals, errors="column")
    assert found.verdict_names()[0] == "free" and found.verdict_names()[2] == "hit"
    assert len(robot.edges(np.zeros((0, 2)), np.zeros((0, 2)))) == 0
    for call, text in [
        (lambda: robot.edges(starts, goals[:2]), "3 starts and 2 goals"),
        (lambda: robot.edges(starts[:, :1], goals), "x, y"),
        (lambda: robot.edges(starts, goals, clearance=-1), "clearance"),
        (lambda: robot.edges(starts, goals, clearance=np.inf), "finite"),
        (lambda: robot.edges(starts, goals, spans=0), "spans"),
        (lambda: robot.edges(starts, goals, spans=1.5), "spans"),
        (lambda: robot.edges({"z": [0]}, {"z": [1]}), "'z'"),
    ]:
        with pytest.raises(gjk.GjkError, match=text):
            call()
    grouped = gjk.Robot.from_string(SLIDERS, group_fixed=True)
    with pytest.raises(gjk.GjkError, match="group_fixed"):
        grouped.edges([[0, 0]], [[1, 0]])


def test_a_path_is_that_of_the_command(tmp_path: Path) -> None:
    urdf = written(tmp_path, "robot.urdf", SLIDERS)
    robot = gjk.Robot.from_urdf(urdf)
    times, positions = np.array([0.0, 1, 3, 4]), np.array([[0, 0], [0.5, 0], [2.5, 0], [2.5, 3]])
    csv = "time,x,y\n" + "\n".join(f"{t},{x},{y}" for t, (x, y) in zip(times, positions))
    path = written(tmp_path, "p.csv", csv)
    told = command("path", urdf, path, "--profile", tmp_path / "near.csv", "--slices", 4)
    found = robot.path(times, positions, slices=4)
    agree(told["segments"], found, ["x", "y"])
    assert json.loads(found.json()) == told
    assert not found.is_free and found.degree.tolist() == [1, 1, 1]
    assert found.time[1, 0] <= 1.5 <= found.time[1, 1]
    assert found.deepest[1, 2] >= 0.5 and np.isnan(found.deepest[0]).all()
    rows = (tmp_path / "near.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(found.profile) == len(rows) == 12
    for k, row in enumerate(rows):
        cells = row.split(",")
        assert [float(cells[4]), float(cells[5])] == found.profile.clearance[k].tolist()
    # `one` stands 0.5 before `other` in the end of the first segment.
    assert found.profile.clearance[3, 0] <= 0.5 <= found.profile.clearance[3, 1] + 1e-9
    assert robot.path(times, positions, first=True).verdict_names() == ["free", "hit"]


def test_what_proves_a_path_is_checked_by_the_command(tmp_path: Path) -> None:
    urdf = written(tmp_path, "robot.urdf", SLIDERS)
    robot = gjk.Robot.from_urdf(urdf)
    times, positions = [0.0, 1.0, 3.0], [[0, 0], [0.5, 0], [2.5, 0]]
    path = written(tmp_path, "p.csv", "time,x,y\n0,0,0\n1,0.5,0\n3,2.5,0\n")
    found = robot.path(times, positions, verify=True, certificate=True)
    assert json.loads(found.json()) == command("path", urdf, path, "--verify")
    proof = written(tmp_path, "proof.json", found.certificate or "")
    ran = subprocess.run([sys.executable, "-m", "gjk", "path", urdf, path, "--check-certificate", proof], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("2 segments of 1 pair: 1 proved free at all times")
    assert robot.path(times, positions).certificate is None
    with pytest.raises(gjk.GjkError, match="first=True"):
        robot.path(times, positions, first=True, certificate=True)


def test_velocities_make_a_cubic() -> None:
    robot = gjk.Robot.from_string(SLIDERS)
    times, positions, rates = [0.0, 1.0], [[0, 0], [0.5, 0]], [[8, 0], [-8, 0]]
    assert robot.path(times, positions).is_free
    found = robot.path(times, positions, rates)
    assert found.degree.tolist() == [3] and found.verdict_names() == ["hit"]
    assert robot.path(times, positions, rates, interpolation="linear").is_free
    assert robot.path([0.0], [[0, 0]]).degree.tolist() == [0]
    for call, text in [
        (lambda: robot.path([0.0, 0.0], positions), "times that rise"),
        (lambda: robot.path([0.0], positions), r"expected \(2,\)"),
        (lambda: robot.path([0.0, np.nan], positions), "finite"),
        (lambda: robot.path(times, positions, [[8, 0]]), "velocities"),
        (lambda: robot.path(times, positions, [[8, 0], [np.inf, 0]]), "point 1"),
        (lambda: robot.path(times, positions, interpolation="spline"), "spline"),
        (lambda: robot.path([], np.zeros((0, 2))), "no point"),
        (lambda: robot.path(times, positions, slices=2, tolerance=0), "tolerance"),
    ]:
        with pytest.raises(gjk.GjkError, match=text):
            call()
    with pytest.raises(gjk.SceneError, match="velocities"):
        robot.path(times, positions, interpolation="cubic")


def test_a_matrix_is_that_of_the_command(tmp_path: Path) -> None:
    urdf = written(tmp_path, "arm.urdf", ARM)
    srdf = written(tmp_path, "arm.srdf", '<robot name="arm"><disable_collisions link1="base" link2="hand" reason="Never"/></robot>')
    robot = gjk.Robot.from_urdf(urdf, srdf=srdf)
    matrix = robot.matrix(verify=True, threads=2)
    assert json.loads(matrix.json()) == command("acm", urdf, "--srdf", srdf, "--verify")
    row = matrix.pair_names().index(("base", "hand"))
    assert (matrix.reason[row], matrix.basis[row]) == (None, "witness")
    assert gjk.Robot.from_urdf(urdf).check(matrix.state[row]).collides.tolist() == [True]
    assert 0 < matrix.sampled_fraction[row] < 0.2
    soft = robot.matrix(limits={"elbow": (-2.5, 2.5)}, certificate=True)
    assert (soft.reason[row], soft.basis[row]) == ("never", "proof")
    lower, upper = soft.distance[row]
    assert 0 < lower <= upper < 1.2 * lower
    # A certificate that the command checks.
    proof = written(tmp_path, "proof.json", soft.certificate or "")
    ran = subprocess.run([sys.executable, "-m", "gjk", "acm", urdf, "--check-certificate", proof], capture_output=True, text=True)
    assert ran.returncode == 0 and "1 pair is proved apart" in ran.stdout
    assert robot.matrix(limits={"elbow": (-2.5, 2.5)}, margin=float(upper) + 0.01).reason[row] is None
    # Where the elbow is bent by 3 the hand is in the base.
    assert robot.matrix(default_state={"elbow": 3.0}).reason[row] == "default"
    for call, text in [
        (lambda: robot.matrix(limits="softer"), "softer"),
        (lambda: robot.matrix(limits={"knee": (0, 1)}), "knee"),
        (lambda: robot.matrix(limits={"elbow": (1, 0)}), "no range"),
        (lambda: robot.matrix(limits={"elbow": 1}), "lower and an upper"),
        (lambda: robot.matrix(samples=-1), "samples"),
        (lambda: robot.matrix(width=0), "width"),
        (lambda: robot.matrix(always=2.0), "always"),
        (lambda: robot.matrix(default_state=np.zeros((2, 2))), "2 rows"),
    ]:
        with pytest.raises(gjk.GjkError, match=text):
            call()


def test_what_stands_around_a_robot_and_what_it_carries(tmp_path: Path) -> None:
    urdf, cell = written(tmp_path, "robot.urdf", SLIDERS), written(tmp_path, "cell.json", json.dumps(CELL))
    bar = {"bodies": [{"name": "any", "parts": [{"shape": "box", "half_extents": [0.5, 0.1, 0.1]}]}]}
    held = written(tmp_path, "bar.json", json.dumps(bar))
    at = np.eye(4)
    at[0, 3] = 0.8
    robot = gjk.Robot.from_urdf(urdf, world=cell, attach=[("one", held, at)])
    assert robot.links[-3:] == ("wall", "floor", "bar")
    found = robot.edges([[0, 3], [0, 3], [0, 0]], [[-1, 3], [-2.5, 3], [0.5, 0]])
    assert found.verdict_names() == ["free", "hit", "hit"]
    assert found.pair_names() == [None, ("one", "wall"), ("other", "bar")]
    assert found.time[1, 0] <= 0.8 <= found.time[1, 1] and found.time[2, 0] <= 0.4 <= found.time[2, 1] + 1e-12
    may = gjk.Robot.from_urdf(urdf, attach=[("one", held, at)], attach_touch=["other", "base"])
    assert may.edges([[0, 0]], [[0.5, 0]]).free.tolist() == [True]
    world = gjk.Robot.from_urdf(urdf, world=cell)
    assert json.loads(world.matrix().json()) == command("acm", urdf, "--scene", cell)
    # The pairs of a check: three of links, without the two that a joint joins, and three with each of the world.
    assert world.scene.pair_counts == (1 + 6, 2, 0)
    skewed = np.diag([1.0, 1.0, 2.0, 1.0])
    for call, text in [
        (lambda: gjk.Robot.from_urdf(urdf, world=urdf), "joints may move"),
        (lambda: gjk.Robot.from_urdf(urdf, world=tmp_path / "none.json"), "none.json"),
        (lambda: gjk.Robot.from_urdf(urdf, attach=[("two", held)]), "`two`"),
    ]:
        with pytest.raises(gjk.SceneError, match=text):
            call()
    with pytest.raises(gjk.GjkError, match="keep lengths"):
        gjk.Robot.from_urdf(urdf, attach=[("one", held, skewed)])


def test_a_matrix_is_a_table() -> None:
    pytest.importorskip("pandas")
    frame = gjk.Robot.from_string(ARM).matrix().to_pandas()
    assert frame["action"].tolist() == ["add", "none", "add"] and frame["srdf"].isna().all()
    assert frame.loc[1, "basis"] == "witness" and frame.loc[1, "upper"] < 0


def test_states_are_what_the_command_says(tmp_path: Path) -> None:
    """Random states of the arm and of the slides: verdicts and pairs of `gjk states`, on any number of threads."""
    for text in (ARM, SLIDERS):
        file = tmp_path / "robot.urdf"
        file.write_text(text)
        robot = gjk.Robot.from_urdf(file)
        values = robot.sample(700, seed=3)
        found = robot.states(values)
        said = command("states", file, "--random", 700, "--seed", 3)
        words = {"free": gjk.Verdict.SEPARATED, "touching": gjk.Verdict.TOUCHING, "overlapping": gjk.Verdict.OVERLAPPING, "undecided": gjk.Verdict.UNDECIDED}
        assert found.verdict.tolist() == [words[state["verdict"]] for state in said["states"]]
        pairs = [tuple(state["pair"]) if "pair" in state else None for state in said["states"]]
        assert found.pair_names() == pairs
        assert 0 < found.free.sum() < 700
        alone = robot.states(values, threads=1)
        assert np.array_equal(alone.verdict, found.verdict) and np.array_equal(alone.pair, found.pair)


def test_a_state_that_is_wrong_is_named_and_changes_no_other() -> None:
    robot = gjk.Robot.from_string(SLIDERS)
    values = [[0, 0], [np.nan, 0], [1.5, 0], [1, 0]]
    with pytest.raises(gjk.RowError, match="row 1: joint `x`"):
        robot.states(values)
    found = robot.states(values, errors="column")
    assert found.verdict.tolist() == [gjk.Verdict.SEPARATED, gjk.Verdict.WRONG_ROW, gjk.Verdict.OVERLAPPING, gjk.Verdict.TOUCHING]
    assert list(found.errors) == [1] and found.pair.tolist() == [[-1, -1], [-1, -1], [1, 2], [1, 2]]
    with pytest.raises(gjk.GjkError, match="shape"):
        robot.states([[0, 0, 0]])
    assert len(robot.states(np.zeros((0, 2)))) == 0
