"""Scenes: the report is the command's own, and columns say the same; distances against sums in closed form."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.etree import ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

import gjk

ROOT = Path(__file__).parents[4]
ARM = ROOT / "crates/gjk-check/examples/arm.json"

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


def moved(*by: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = by
    return matrix


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    ran = subprocess.run([sys.executable, "-m", "gjk", "check", *map(str, arguments)], capture_output=True, encoding="utf-8")
    assert ran.returncode in (0, 1), ran.stderr
    return ran


@pytest.mark.parametrize(
    ("options", "given"),
    [
        ([], {}),
        (["--clearance", "0.005"], {"clearance": 0.005}),
        (["--touch-band", "0.01"], {"touch_band": 0.01}),
        (["--all-pairs"], {"all_pairs": True}),
        (["--depth", "1%", "--verify"], {"depth": 0.01, "verify": True}),
    ],
)
def test_reports_are_those_of_the_command(tmp_path: Path, options: list[str], given: dict[str, float]) -> None:
    page = tmp_path / "page.html"
    as_json, as_text = command(ARM, *options, "--json"), command(ARM, *options, "--html", page)
    report = gjk.Scene.load(ARM).check(**given)
    assert report.json() == as_json.stdout
    assert report.text() + "\n" == as_text.stdout
    assert report.exit_code == as_json.returncode
    assert report.html(tmp_path / "own.html") == page.read_text(encoding="utf-8")
    assert (tmp_path / "own.html").read_bytes() == page.read_bytes()
    assert report.objections == []


def test_columns_say_what_the_json_says() -> None:
    report = gjk.Scene.load(ARM).check(all_pairs=True, depth=0.1)
    told = json.loads(report.json())["pairs"]
    pairs = report.pairs
    assert len(pairs) == len(told) == 30
    assert [pair["a"] for pair in told] == pairs.name_a.tolist()
    assert [pair["b"] for pair in told] == pairs.name_b.tolist()
    assert [pair["verdict"] for pair in told] == pairs.verdict_names()
    assert [pair["relation"] for pair in told] == pairs.relation_names()
    assert [pair["exact"] for pair in told] == pairs.exact.tolist()
    assert [pair["signed_distance"] for pair in told] == [
        {"lower": lower, "upper": upper} if measured else None for lower, upper, measured in zip(pairs.lower, pairs.upper, pairs.measured)
    ]
    for name in ("normal", "point_a", "point_b"):
        for pair, row in zip(told, getattr(pairs, name)):
            assert (row.tolist() if np.isfinite(row).all() else None) == pair[name]


def test_columns_of_depths() -> None:
    halves = {"one": [(gjk.Mesh(CORNERS, FACES), None)], "other": [(gjk.Mesh(CORNERS, FACES), moved(0.75, 0, 0))]}
    pairs = gjk.Scene.from_bodies(halves).check(depth=0.01).pairs
    assert pairs.reach_a.shape == pairs.reach_b.shape == (1, 2)
    # The deepest corners of a face are on the other's sides: 0.25 from its nearest face at the most.
    assert np.isnan(pairs.reach_a).all() or (pairs.reach_a[0, 0] <= 0.25 <= pairs.reach_a[0, 1] + 1e-12)
    assert pairs.lower[0] <= -0.25 <= pairs.upper[0]


def test_balls_are_apart_by_their_centres_less_their_radii() -> None:
    rng = np.random.default_rng(1)
    centres, radii = rng.uniform(-1, 1, (20, 3)), rng.uniform(0.05, 0.3, 20)
    bodies = {f"ball {k}": [({"shape": "ball", "radius": radius}, moved(*at))] for k, (at, radius) in enumerate(zip(centres, radii))}
    pairs = gjk.Scene.from_bodies(bodies, unit="m").check(all_pairs=True).pairs
    assert len(pairs) == 190
    truth = np.linalg.norm(centres[pairs.a] - centres[pairs.b], axis=1) - radii[pairs.a] - radii[pairs.b]
    assert (pairs.lower - 1e-15 <= truth).all() and (truth <= pairs.upper + 1e-15).all()
    assert ((pairs.verdict == gjk.Verdict.OVERLAPPING) == (truth < 0)).all()


def test_a_scene_of_trimesh_has_its_nodes() -> None:
    class Graph(dict):
        @property
        def nodes_geometry(self) -> list[str]:
            return list(self)

    cube = SimpleNamespace(vertices=CORNERS, faces=FACES)
    turned = moved(3, 0, 0)
    turned[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    graph = Graph({"left": (np.eye(4), "cube"), "right": (moved(1.25, 0, 0), "cube"), "far": (turned, "cube")})
    scene = gjk.Scene.from_trimesh(SimpleNamespace(graph=graph, geometry={"cube": cube}))
    assert scene.bodies == ["left", "right", "far"]
    pairs = scene.check(all_pairs=True).pairs
    # Turned by a quarter about z at 3, it lies from 2 to 3.
    for lower, upper, truth in zip(pairs.lower, pairs.upper, [0.25, 1.0, -0.25], strict=True):
        assert lower <= truth <= upper


def test_a_scene_of_trimesh_itself() -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.Scene()
    scene.add_geometry(trimesh.creation.box((1, 1, 1)), node_name="a")
    scene.add_geometry(trimesh.creation.box((1, 1, 1)), node_name="b", transform=moved(1.5, 0, 0))
    pairs = gjk.Scene.from_trimesh(scene).check(clearance=1.0).pairs
    assert pairs.lower[0] <= 0.5 <= pairs.upper[0]


def test_pairs_that_may_overlap_are_left_out() -> None:
    ball = {"shape": "ball", "radius": 1.0}
    bodies = {name: [(ball, None)] for name in "abc"}
    scene = gjk.Scene.from_bodies(bodies, allow=[("a", "b")])
    assert scene.pair_counts == (2, 0, 1)
    assert scene.check().pairs.name_a.tolist() == ["a", "b"]


def test_a_report_shows_itself() -> None:
    report = gjk.Scene.load(ARM).check(clearance=0.005)
    frame = ElementTree.fromstring(report._repr_html_())
    assert frame.tag == "iframe" and frame.get("sandbox") == "allow-scripts"
    assert frame.get("srcdoc") == report.html()
    assert "\n" not in report._repr_html_()
    assert report.text(1).count("\n") < report.text().count("\n")
    assert repr(report) == "Report(arm.json: 3 pairs: 1 separated, 1 touching, 1 overlapping; exit code 1)"


def test_pandas_has_names_and_words() -> None:
    pytest.importorskip("pandas")
    frame = gjk.Scene.load(ARM).check(clearance=0.005).to_pandas()
    assert frame["verdict"].tolist() == ["touching", "separated", "overlapping"]
    assert {"normal_x", "point_b_z", "reach_a_lower"} <= set(frame.columns)


def test_threads_change_nothing() -> None:
    scene = gjk.Scene.load(ARM)
    assert scene.check(all_pairs=True, threads=1).json() == scene.check(all_pairs=True, threads=3).json()


def test_what_cannot_be_read_says_where_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(gjk.SceneError, match="cannot read the file") as caught:
        gjk.Scene.load(tmp_path / "none.urdf")
    assert caught.value.args[1] == str(tmp_path / "none.urdf")
    (tmp_path / "bad.json").write_text('{"bodies": [{"name": "a", "parts": [{"shape": "ball", "radius": -1}]}]}')
    with pytest.raises(gjk.SceneError, match=r"radius") as caught:
        gjk.Scene.load(tmp_path / "bad.json")
    (tmp_path / "half.json").write_text('{"bodies": [\n')
    with pytest.raises(gjk.SceneError) as caught:
        gjk.Scene.load(tmp_path / "half.json")
    assert caught.value.args[2] == 2 and caught.value.args[3] == "syntax"
    with pytest.raises(gjk.SceneError, match="SRDF file needs a robot"):
        gjk.Scene.load(ARM, srdf=tmp_path / "a.srdf")
    with pytest.raises(gjk.SceneError, match="meshes is"):
        gjk.Scene.load(ARM, meshes="convex")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda scene: scene.check(clearance=-1.0), "clearance is -1.0"),
        (lambda scene: scene.check(touch_band=float("nan")), "touch_band is nan"),
        (lambda scene: scene.check(depth=2.0), "depth is 2.0"),
        (lambda scene: scene.check(threads=0), "threads is 0"),
        (lambda _: gjk.Scene.from_bodies({"a": [("ball", None)]}), "body 'a': a part is str"),
        (lambda _: gjk.Scene.from_bodies({"a": [({"shape": "ball", "radius": 1}, np.zeros((3, 3)))]}), "pose of part 0 is no pose"),
        (lambda _: gjk.Scene.from_bodies({"a": []}), "at least one part"),
        (lambda _: gjk.Scene.from_bodies({}, {"a": np.eye(4)}), "bodies that do not exist: a"),
        (lambda _: gjk.Scene.from_bodies({"a": [(SimpleNamespace(vertices=CORNERS, faces=FACES + 5), None)]}), "names no vertex"),
        (lambda _: gjk.Scene.from_bodies({"a": [(SimpleNamespace(vertices=CORNERS * np.nan, faces=FACES), None)]}), "not finite"),
    ],
)
def test_bad_calls_say_what_is_wrong(call: object, text: str) -> None:
    with pytest.raises(gjk.GjkError, match=text):
        call(gjk.Scene.load(ARM))  # type: ignore[operator]


def test_other_threads_run_meanwhile() -> None:
    bodies = {str(k): [({"shape": "ball", "radius": 0.5}, moved(k % 30, k // 30, 0))] for k in range(600)}
    scene = gjk.Scene.from_bodies(bodies)
    ticks, done = [], threading.Event()

    def count() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    began = time.monotonic()
    scene.check(all_pairs=True)
    ended = time.monotonic()
    done.set()
    counter.join()
    assert sum(began < tick < ended for tick in ticks) > 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_ends_a_check() -> None:
    bodies = {str(k): [({"shape": "ball", "radius": 0.5}, moved(k % 30, k // 30, 0))] for k in range(2500)}
    scene = gjk.Scene.from_bodies(bodies)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            scene.check(all_pairs=True)
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_the_page_is_text_of_one_file() -> None:
    page = io.StringIO(gjk.Scene.load(ARM).check().html()).getvalue()
    assert page.startswith("<!") and page.rstrip().endswith("</html>")
