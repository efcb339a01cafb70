#!/usr/bin/env python3
"""Queries over rows as called from Python, here and by other libraries; lines of CSV for the harness: compare.py [--rounds N] [--quick] [--data DIR]

`cargo xtask bench python` makes the environment, builds the module and runs this. A line is: workload, operation, rows a call, engine, round, nanoseconds
a row, rows judged, rows answered otherwise than we do, and the largest relative error of a distance against our interval.

What is fair: shapes are made once, outside the clock, and so are arrays of numbers. Inside it is all that a caller does for a row: of peers two
transforms are set, one query is called and its answer is read; of ours `Poses` are made and one call answers all rows, on one thread. The clock is the
processor time of the process. Engines take turns within a round.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coal
import fcl
import gjk
import numpy as np
import trimesh

#: Rows that peers are asked: their time grows with the rows.
FEW = 1_000
MANY = 1_000_000
SHAPES = 32
#: A distance of a peer further outside our interval, by the size of the shapes, is another answer.
OFF = 1e-6
OVERLAPPING = int(gjk.Verdict.OVERLAPPING)

#: A series is timed for so many nanoseconds at least.
LONG = 20_000_000

Answers = tuple[np.ndarray, np.ndarray | None]


@dataclass
class Rows:
    """Pairs of shapes at poses: what every engine is asked."""

    kind: str
    #: Of each shape, what makes it: half extents, half height and radius, or vertices.
    made_of: list[Any]
    shape_a: np.ndarray
    shape_b: np.ndarray
    at: tuple[np.ndarray, np.ndarray]
    #: Quaternions, x y z w.
    turn: tuple[np.ndarray, np.ndarray]

    def first(self, count: int) -> Rows:
        """The same, of the first rows."""
        cut = [[array[:count] for array in pair] for pair in ((self.shape_a, self.shape_b), self.at, self.turn)]
        (a, b), at, turn = cut
        return Rows(self.kind, self.made_of, a, b, (at[0], at[1]), (turn[0], turn[1]))

    def __len__(self) -> int:
        return len(self.shape_a)


def rows(kind: str, count: int) -> Rows:
    """Random rows, of which some overlap and some do not."""
    random = np.random.default_rng(7)
    if kind == "box":
        made_of: list[Any] = list(random.uniform(0.2, 0.8, (SHAPES, 3)))
    elif kind == "capsule":
        made_of = list(random.uniform((0.2, 0.1), (0.8, 0.4), (SHAPES, 2)))
    else:
        points = random.normal(size=(SHAPES, 32, 3))
        made_of = list(points / np.linalg.norm(points, axis=2, keepdims=True) * random.uniform(0.3, 0.8, (SHAPES, 1, 1)))
    shape_a, shape_b = random.integers(0, SHAPES, (2, count)).astype(np.uint32)
    at_a, at_b = random.uniform(-0.8, 0.8, (2, count, 3))
    turn = random.normal(size=(2, count, 4))
    turn_a, turn_b = turn / np.linalg.norm(turn, axis=2, keepdims=True)
    return Rows(kind, made_of, shape_a, shape_b, (at_a, at_b), (turn_a, turn_b))


def matrices(turn: np.ndarray) -> np.ndarray:
    """Rotations of unit quaternions."""
    x, y, z, w = turn.T
    columns = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.ascontiguousarray(np.moveaxis(np.array(columns), 2, 0))


class Ours:
    """This library: one call for all rows, or a call a row."""

    name = "gjk"

    def __init__(self, given: Rows, step: int) -> None:
        self.given, self.step = given, step
        self.shapes = gjk.Shapes()
        for made_of in given.made_of:
            if given.kind == "box":
                self.shapes.box(half_extents=tuple(made_of))
            elif given.kind == "capsule":
                self.shapes.capsule(half_height=made_of[0], radius=made_of[1])
            else:
                self.shapes.hull(made_of)

    def _asked(self, query: Callable[..., gjk.Answers]) -> Iterator[gjk.Answers]:
        given, shapes = self.given, self.shapes
        (at_a, at_b), (turn_a, turn_b), a, b = given.at, given.turn, given.shape_a, given.shape_b
        for start in range(0, len(given), self.step):
            some = slice(start, start + self.step)
            pose_a = gjk.Poses(translation=at_a[some], quat_xyzw=turn_a[some])
            pose_b = gjk.Poses(translation=at_b[some], quat_xyzw=turn_b[some])
            yield query(shapes, a[some], b[some], pose_a=pose_a, pose_b=pose_b, threads=1)

    def boolean(self) -> Answers:
        if self.step == 1:
            return np.array([found.verdict[0] == OVERLAPPING for found in self._asked(gjk.classify)]), None
        return np.concatenate([found.overlaps for found in self._asked(gjk.classify)]), None

    def distance(self) -> Answers:
        return self._told(gjk.distance)

    def signed(self) -> Answers:
        return self._told(gjk.contact)

    def _told(self, query: Callable[..., gjk.Answers]) -> Answers:
        if self.step == 1:
            rows = [(found.verdict[0] == OVERLAPPING, found.lower[0]) for found in self._asked(query) if found.lower is not None]
            return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        several = list(self._asked(query))
        return np.concatenate([found.overlaps for found in several]), np.concatenate([found.lower for found in several if found.lower is not None])


class PythonFcl:
    """python-fcl: objects are made once, a row sets their transforms."""

    name = "python-fcl"

    def __init__(self, given: Rows) -> None:
        self.given = given
        made = [self._shape(given.kind, made_of) for made_of in given.made_of]
        self.first = [fcl.CollisionObject(shape) for shape in made]
        self.second = [fcl.CollisionObject(shape) for shape in made]
        # Its quaternions are w x y z.
        self.turn = [np.ascontiguousarray(np.roll(turn, 1, axis=1)) for turn in given.turn]

    @staticmethod
    def _shape(kind: str, made_of: np.ndarray) -> Any:
        if kind == "box":
            return fcl.Box(*(2 * made_of))
        if kind == "capsule":
            return fcl.Capsule(made_of[1], 2 * made_of[0])
        faces = trimesh.convex.convex_hull(made_of).faces
        return fcl.Convex(made_of, len(faces), np.hstack([np.full((len(faces), 1), 3), faces]).ravel())

    def _placed(self, row: int) -> tuple[Any, Any]:
        given = self.given
        a, b = self.first[given.shape_a[row]], self.second[given.shape_b[row]]
        a.setTransform(fcl.Transform(self.turn[0][row], given.at[0][row]))
        b.setTransform(fcl.Transform(self.turn[1][row], given.at[1][row]))
        return a, b

    def boolean(self) -> Answers:
        request = fcl.CollisionRequest()
        found = [fcl.collide(*self._placed(row), request, fcl.CollisionResult()) > 0 for row in range(len(self.given))]
        return np.array(found), None

    def distance(self) -> Answers:
        return self._told(fcl.DistanceRequest(enable_nearest_points=True))

    def signed(self) -> Answers:
        return self._told(fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True))

    def _told(self, request: Any) -> Answers:
        found = np.empty(len(self.given))
        for row in range(len(found)):
            result = fcl.DistanceResult()
            found[row] = fcl.distance(*self._placed(row), request, result)
        return found <= 0, found


class Coal:
    """coal: shapes are made once, a row sets two transforms."""

    name = "coal"

    def __init__(self, given: Rows) -> None:
        self.given = given
        self.shapes = [self._shape(given.kind, made_of) for made_of in given.made_of]
        self.turn = [matrices(turn) for turn in given.turn]
        self.places = coal.Transform3s(), coal.Transform3s()

    @staticmethod
    def _shape(kind: str, made_of: np.ndarray) -> Any:
        if kind == "box":
            return coal.Box(*(2 * made_of))
        if kind == "capsule":
            return coal.Capsule(made_of[1], 2 * made_of[0])
        points = coal.StdVec_Vec3s()
        points.extend(list(made_of))
        return coal.Convex.convexHull(points, False, None)

    def _placed(self, row: int) -> tuple[Any, Any, Any, Any]:
        given, (place_a, place_b) = self.given, self.places
        place_a.setTransform(self.turn[0][row], given.at[0][row])
        place_b.setTransform(self.turn[1][row], given.at[1][row])
        return self.shapes[given.shape_a[row]], place_a, self.shapes[given.shape_b[row]], place_b

    def boolean(self) -> Answers:
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.enable_contact = False
        found = np.empty(len(self.given), dtype=bool)
        for row in range(len(found)):
            result.clear()
            found[row] = coal.collide(*self._placed(row), request, result) > 0
        return found, None

    def distance(self) -> Answers:
        return self._told(signed=False)

    def signed(self) -> Answers:
        return self._told(signed=True)

    def _told(self, *, signed: bool) -> Answers:
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.enable_signed_distance = signed
        found = np.empty(len(self.given))
        for row in range(len(found)):
            result.clear()
            found[row] = coal.distance(*self._placed(row), request, result)
        return found <= 0, found


class Trimesh:
    """trimesh's manager of two objects: all pairs of shapes have one, made outside the clock."""

    name = "trimesh"

    def __init__(self, given: Rows) -> None:
        self.given = given
        self.places = [self._matrix(at, turn) for at, turn in zip(given.at, given.turn)]
        made = [self._mesh(given.kind, made_of) for made_of in given.made_of]
        self.managers: dict[tuple[int, int], Any] = {}
        for a, b in zip(given.shape_a.tolist(), given.shape_b.tolist()):
            if (a, b) not in self.managers:
                manager = trimesh.collision.CollisionManager()
                manager.add_object("a", made[a])
                manager.add_object("b", made[b])
                self.managers[a, b] = manager

    @staticmethod
    def _mesh(kind: str, made_of: np.ndarray) -> Any:
        if kind == "box":
            return trimesh.creation.box(extents=2 * made_of)
        if kind == "capsule":
            return trimesh.creation.capsule(height=2 * made_of[0], radius=made_of[1], count=[8, 8])
        return trimesh.convex.convex_hull(made_of)

    @staticmethod
    def _matrix(at: np.ndarray, turn: np.ndarray) -> np.ndarray:
        found = np.tile(np.eye(4), (len(at), 1, 1))
        found[:, :3, :3], found[:, :3, 3] = matrices(turn), at
        return found

    def boolean(self) -> Answers:
        found = np.empty(len(self.given), dtype=bool)
        for row, (a, b) in enumerate(zip(self.given.shape_a.tolist(), self.given.shape_b.tolist())):
            manager = self.managers[a, b]
            manager.set_transform("a", self.places[0][row])
            manager.set_transform("b", self.places[1][row])
            found[row] = manager.in_collision_internal()
        return found, None


def differing(ours: Answers, theirs: Answers, size: float, *, has_depth: bool) -> tuple[int, float]:
    """Rows that are answered otherwise, and the largest error of a distance by the size; ours are held against intervals by the tests."""
    other = ours[0] != theirs[0]
    if ours[1] is None or theirs[1] is None:
        return int(other.sum()), 0.0
    error = np.abs(ours[1] - theirs[1]) / size
    if not has_depth:
        # What overlaps has no distance where none with a sign is asked for: each library has a number of its own there.
        error[ours[0] | theirs[0]] = 0.0
    return int((other | (error > OFF)).sum()), float(error.max(initial=0.0))


def say(workload: str, query: str, count: int, engine: str, turn: int, ns: float, judged: int = 0, differ: int = 0, error: float = 0.0) -> None:
    """A line for the harness."""
    print(f"{workload},{query},{count},{engine},{turn},{ns:.2f},{judged},{differ},{error:.2e}", flush=True)


def timed(ask: Callable[[], Answers]) -> tuple[float, Answers]:
    """Nanoseconds of the process, and what was found: the mean of as many calls as take long enough for the clock, after one that is not timed."""
    ask()
    calls, start = 0, time.process_time_ns()
    while time.process_time_ns() - start < LONG or not calls:
        found = ask()
        calls += 1
    return (time.process_time_ns() - start) / calls, found


def convex(kind: str, rounds: int, many: int) -> None:
    """All engines and operations on shapes of a kind."""
    large = rows(kind, many)
    few = large.first(FEW)
    size = 1.6
    engines: list[tuple[int, Any]] = [(FEW, Ours(few, FEW)), (1, Ours(few, 1)), (many, Ours(large, many))]
    engines += [(1, PythonFcl(few)), (1, Coal(few)), (1, Trimesh(few))]
    for query in ("boolean", "distance", "signed"):
        asked = [(step, engine) for step, engine in engines if hasattr(engine, query)]
        truth = getattr(engines[0][1], query)()
        for turn in range(rounds):
            for step, engine in asked[turn % len(asked) :] + asked[: turn % len(asked)]:
                spent, found = timed(getattr(engine, query))
                some = (found[0][:FEW], None if found[1] is None else found[1][:FEW])
                differ, error = differing(truth, some, size, has_depth=query == "signed")
                # A capsule of a mesh is another shape.
                judged = 0 if engine.name == "trimesh" and kind == "capsule" else FEW
                say(kind, query, step, engine.name, turn, spent / len(engine.given), judged, differ if judged else 0, error)


def parquet(rounds: int, many: int) -> None:
    """A file of box rows to a file with their answers, on all processors: the wall's time, since threads read and write meanwhile."""
    import gjk.arrow
    import pyarrow as pa
    import pyarrow.parquet as pq

    given = rows("box", many)
    shapes = Ours(given, many).shapes
    lists = {
        f"{name}_{body}": pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1])
        for name, pair in (("translation", given.at), ("quat_xyzw", given.turn))
        for body, array in zip("ab", pair)
    }
    table = pa.table({"id": np.arange(many), "shape_a": given.shape_a, "shape_b": given.shape_b, **lists})
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "in.parquet"
        pq.write_table(table, source)
        for turn in range(rounds):
            start = time.perf_counter_ns()
            done = gjk.arrow.label_parquet(source, Path(folder) / f"out-{turn}.parquet", shapes)
            spent = time.perf_counter_ns() - start
            say("box", "label", many, "gjk", turn, spent / many, done.rows, done.wrong)


def robot(rounds: int, count: int, folder: Path) -> None:
    """Random states of PR2, on all processors: the wall's time."""
    if not (folder / "robots/pr2/pr2.urdf").is_file():
        print(f"SKIPPED the robot: no robots/pr2 in {folder}", file=sys.stderr)
        return
    pr2 = gjk.Robot.from_urdf(folder / "robots/pr2/pr2.urdf", folder / "robots/pr2/pr2.srdf")
    states = pr2.sample(count, seed=1)
    for turn in range(rounds):
        for query, clearance in (("check", None), ("clearance", 0.02)):
            start = time.perf_counter_ns()
            pr2.check(states, clearance=clearance)
            say("pr2", query, count, "gjk", turn, (time.perf_counter_ns() - start) / count)


def main() -> None:
    """Say the versions, then measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--data", type=Path, default=Path())
    taken = parser.parse_args()
    for name in ("python-fcl", "coal", "trimesh", "numpy", "pyarrow"):
        print(f"# engine {name}: {importlib.metadata.version(name)}")
    print(f"# engine gjk: {gjk.__version__}, {gjk.instruction_set()}, Python {sys.version.split()[0]}", flush=True)
    many = MANY // 10 if taken.quick else MANY
    for kind in ("box", "capsule", "hull32"):
        convex(kind, taken.rounds, many)
    parquet(taken.rounds, many)
    robot(taken.rounds, 10_000 if taken.quick else 100_000, taken.data)


if __name__ == "__main__":
    main()
