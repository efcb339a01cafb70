"""What a row of a query costs from Python, here and in peers; what a call of one row costs; tables and robots.

`cargo xtask bench python` runs it. Shapes are built once. The same rows are asked everywhere. Peers set two transforms a row and are asked in a loop, as
their users do; rotation matrices are made for them before the clock starts. Numbers are the process's own CPU nanoseconds a row, the least of the rounds,
which are taken in turns. Verdicts are compared where ours is proved and no surface is within 1e-6 of the other.
"""

import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gjk
import numpy as np

try:
    import fcl
except ImportError:
    fcl = None
try:
    import coal
except ImportError:
    coal = None
try:
    import trimesh
except ImportError:
    trimesh = None

#: Shapes of a kind.
SHAPES = 32
#: Rows that peers are asked.
PEER_ROWS = 2_000
#: (kind, query): how many times as fast as python-fcl a row is to be; REACH R2.
GOALS = {("box", "boolean"): 20, ("box", "distance"): 20, ("capsule", "boolean"): 20, ("capsule", "distance"): 20, ("hull 32", "boolean"): 12, ("hull 32", "distance"): 12, ("hull 32", "signed"): 15}
QUERIES = {"boolean": gjk.classify, "distance": gjk.distance, "signed": gjk.contact}


class Rows:
    """Pairs of one kind of shape at random poses."""

    def __init__(self, kind, count, seed):
        rng = np.random.default_rng([seed, len(kind)])
        self.kind, self.sizes = kind, rng.uniform(0.2, 0.8, (SHAPES, 3))
        self.points = rng.normal(size=(SHAPES, 32, 3))
        self.points *= 0.5 / np.linalg.norm(self.points, axis=2, keepdims=True)
        self.shapes = gjk.Shapes()
        for k in range(SHAPES):
            x, y, z = self.sizes[k]
            if kind == "box":
                self.shapes.box(half_extents=(x, y, z))
            elif kind == "capsule":
                self.shapes.capsule(half_height=y, radius=x / 2, axis="z")
            else:
                self.shapes.hull(self.points[k])
        self.ids = rng.integers(0, SHAPES, (2, count)).astype(np.uint32)
        turns = rng.normal(size=(2, count, 4))
        self.turns = turns / np.linalg.norm(turns, axis=2, keepdims=True)
        self.at = np.stack([np.zeros((count, 3)), rng.uniform(-1, 1, (count, 3))])
        self.poses = [gjk.Poses(translation=self.at[k], quat_xyzw=self.turns[k]) for k in range(2)]

    def ask(self, query, rows, threads=1):
        poses = [gjk.Poses(translation=self.at[k][:rows], quat_xyzw=self.turns[k][:rows]) for k in range(2)] if rows < len(self.at[0]) else self.poses
        return query(self.shapes, self.ids[0][:rows], self.ids[1][:rows], *poses, threads=threads)

    def matrices(self, rows):
        x, y, z, w = np.moveaxis(self.turns[:, :rows], 2, 0)
        return np.stack(
            [
                np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
                np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1),
                np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1),
            ],
            -2,
        )


def faces_of(points):
    """The facets of a hull of points on a sphere, by numbers of the points."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    outward = np.einsum("ij,ij->i", np.cross(points[hull.simplices[:, 1]] - points[hull.simplices[:, 0]], points[hull.simplices[:, 2]] - points[hull.simplices[:, 0]]), points[hull.simplices[:, 0]])
    return np.where((outward < 0)[:, None], hull.simplices[:, ::-1], hull.simplices)


class PythonFcl:
    name = "python-fcl"

    def __init__(self, rows):
        def geometry(k):
            x, y, z = rows.sizes[k]
            if rows.kind == "box":
                return fcl.Box(2 * x, 2 * y, 2 * z)
            if rows.kind == "capsule":
                return fcl.Capsule(x / 2, 2 * y)
            faces = faces_of(rows.points[k])
            return fcl.Convex(rows.points[k], len(faces), np.hstack([np.full((len(faces), 1), 3), faces]).ravel())

        self.objects = [[fcl.CollisionObject(geometry(k)) for k in range(SHAPES)] for _ in range(2)]
        self.rows, (self.turn_a, self.turn_b) = rows, rows.matrices(PEER_ROWS)

    def ask(self, query, count):
        (all_a, all_b), (ids_a, ids_b), (at_a, at_b) = self.objects, self.rows.ids, self.rows.at
        signed, told = query == "signed", []
        for k in range(count):
            a, b = all_a[ids_a[k]], all_b[ids_b[k]]
            a.setTransform(fcl.Transform(self.turn_a[k], at_a[k]))
            b.setTransform(fcl.Transform(self.turn_b[k], at_b[k]))
            if query == "boolean":
                told.append(fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult()) > 0)
            else:
                told.append(fcl.distance(a, b, fcl.DistanceRequest(True, signed), fcl.DistanceResult()))
        return told


class Coal:
    name = "coal"

    def __init__(self, rows):
        def geometry(k):
            x, y, z = rows.sizes[k]
            if rows.kind == "box":
                return coal.Box(2 * x, 2 * y, 2 * z)
            if rows.kind == "capsule":
                return coal.Capsule(x / 2, 2 * y)
            points = coal.StdVec_Vec3s()
            points.extend([np.array(p) for p in rows.points[k]])
            return coal.Convex.convexHull(points, True, "")

        self.shapes = [geometry(k) for k in range(SHAPES)]
        self.rows, (self.turn_a, self.turn_b) = rows, rows.matrices(PEER_ROWS)

    def ask(self, query, count):
        (ids_a, ids_b), (at_a, at_b), told = self.rows.ids, self.rows.at, []
        for k in range(count):
            a, b = self.shapes[ids_a[k]], self.shapes[ids_b[k]]
            first, second = coal.Transform3s(self.turn_a[k], at_a[k]), coal.Transform3s(self.turn_b[k], at_b[k])
            if query == "boolean":
                told.append(coal.collide(a, first, b, second, coal.CollisionRequest(), coal.CollisionResult()) > 0)
            else:
                request = coal.DistanceRequest()
                request.enable_signed_distance = query == "signed"
                told.append(coal.distance(a, first, b, second, request, coal.DistanceResult()))
        return told


class Trimesh:
    """Two objects in a manager, which is what its users have; it asks python-fcl."""

    name = "trimesh"

    def __init__(self, rows):
        def mesh(k):
            x, y, z = rows.sizes[k]
            if rows.kind == "box":
                return trimesh.creation.box(2 * rows.sizes[k])
            if rows.kind == "capsule":
                return trimesh.creation.capsule(height=2 * y, radius=x / 2, count=[8, 8])
            return trimesh.Trimesh(rows.points[k], faces_of(rows.points[k]))

        self.managers, self.rows = {}, rows
        self.meshes, (self.turn_a, self.turn_b) = [mesh(k) for k in range(SHAPES)], rows.matrices(PEER_ROWS)

    def ask(self, query, count):
        told = []
        for k in range(count):
            pair = self.rows.ids[0][k] % 4, self.rows.ids[1][k] % 4
            if pair not in self.managers:
                manager = self.managers[pair] = trimesh.collision.CollisionManager()
                for name, shape in zip("ab", pair):
                    manager.add_object(name, self.meshes[shape])
            manager, at = self.managers[pair], np.tile(np.eye(4), (2, 1, 1))
            at[:, :3, :3], at[:, :3, 3] = (self.turn_a[k], self.turn_b[k]), self.rows.at[:, k]
            manager.set_transform("a", at[0])
            manager.set_transform("b", at[1])
            told.append(manager.in_collision_internal())
        return told


def cpu_ns(call, rows, rounds):
    """The least of some rounds, a row."""
    least = []
    for _ in range(rounds):
        start = time.process_time_ns()
        call()
        least.append((time.process_time_ns() - start) / rows)
    return min(least)


def disagreements(rows, told, query):
    """How many of a peer's answers differ from ours where these are clear."""
    ours = rows.ask(gjk.contact, len(told))
    clear = (ours.verdict != 3) & (np.minimum(np.abs(ours.lower), np.abs(ours.upper)) > 1e-6)
    if query == "boolean":
        return int((np.array(told) != (ours.upper < 0))[clear].sum())
    truth = ours.upper if query == "signed" else np.maximum(ours.upper, 0)
    reach = np.maximum(np.array(told), -np.inf if query == "signed" else 0)
    return int((np.abs(reach - truth) > 1e-3)[clear & (ours.upper - ours.lower < 1e-6)].sum())


def one_row(rows, query, rounds):
    """A call of one row, with poses as a user has them."""
    calls = 500
    at = [(rows.at[k][:calls], rows.turns[k][:calls]) for k in range(2)]

    def loop():
        for k in range(calls):
            poses = [gjk.Poses(translation=t[k], quat_xyzw=q[k]) for t, q in at]
            query(rows.shapes, int(rows.ids[0][k]), int(rows.ids[1][k]), *poses)

    return cpu_ns(loop, calls, rounds)


def compare(kind, options, table):
    rows = Rows(kind, options.rows, 7)
    engines = [peer(rows) for peer, module in ((PythonFcl, fcl), (Coal, coal), (Trimesh, trimesh)) if module is not None]
    for name, query in QUERIES.items():
        line = {"kind": kind, "query": name}
        for _ in range(options.rounds):
            for key, call, count in (
                ("gjk 10^3", lambda: rows.ask(query, 1_000), 1_000),
                (f"gjk {options.rows:.0e}", lambda: rows.ask(query, options.rows), options.rows),
            ):
                took = cpu_ns(call, count, 5 if count < 10_000 else 1)
                line[key] = min(took, line.get(key, np.inf))
            for engine in engines:
                if engine.name == "trimesh" and name != "boolean":
                    continue
                took = cpu_ns(lambda: engine.ask(name, PEER_ROWS), PEER_ROWS, 1)
                line[engine.name] = min(took, line.get(engine.name, np.inf))
        line["gjk one row"] = one_row(rows, query, options.rounds)
        for engine in engines:
            # Its capsules are meshes.
            if engine.name != "trimesh":
                line[f"{engine.name} differs"] = disagreements(rows, engine.ask(name, PEER_ROWS), name)
        table.append(line)
        show(line)


def show(line):
    own = max(line[key] for key in line if key.startswith("gjk 1"))
    parts = [f"{line['kind']:8} {line['query']:9}"]
    parts += [f"{key} {line[key]:8.0f}" for key in line if key.startswith("gjk")]
    for peer in ("python-fcl", "coal", "trimesh"):
        if peer in line:
            parts.append(f"{peer} {line[peer]:8.0f} ({line[peer] / own:5.1f}x, {line.get(peer + ' differs', '-')} differ)")
    goal = GOALS.get((line["kind"], line["query"]))
    if goal and "python-fcl" in line:
        parts.append(f"goal {goal}x: {'reached' if line['python-fcl'] / own >= goal else 'NOT REACHED'}")
    print("  ".join(parts), flush=True)


def wall(rows, query, threads):
    start = time.perf_counter_ns()
    rows.ask(query, len(rows.at[0]), threads)
    return (time.perf_counter_ns() - start) / len(rows.at[0])


def others(options, table):
    """Goals of one number each: (what, number, unit, goal, at most)."""
    rows = Rows("box", options.rows, 7)
    table.append({"kind": "box", "query": "boolean, wall, all threads", "ns": min(wall(rows, gjk.classify, None) for _ in range(options.rounds))})
    table.append({"kind": "import", "query": "ms over numpy's", "ns": imported()})
    if label := labelled(options):
        table.append({"kind": "box", "query": "label, Parquet to Parquet, rows/s", "ns": label})
    if options.robot:
        table.append({"kind": "robot", "query": "states/s, all threads", "ns": states(options)})
    for line in table[-4:]:
        if "ns" in line:
            print(f"{line['kind']:8} {line['query']}: {line['ns']:.1f}", flush=True)


def imported():
    def took(module):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
        return time.perf_counter() - start

    rounds = [(took("numpy"), took("gjk")) for _ in range(7)]
    return 1e3 * (statistics.median(gjk for _, gjk in rounds) - statistics.median(numpy for numpy, _ in rounds))


def labelled(options):
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    rows = Rows("box", options.rows, 7)
    columns = {}
    for k, side in enumerate("ab"):
        columns[f"shape_{side}"] = rows.ids[k]
        columns[f"translation_{side}"] = pa.FixedSizeListArray.from_arrays(rows.at[k].ravel(), 3)
        columns[f"quat_xyzw_{side}"] = pa.FixedSizeListArray.from_arrays(rows.turns[k].ravel(), 4)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.parquet"), Path(folder, "out.parquet")
        pq.write_table(pa.table(columns), source)
        least = np.inf
        for _ in range(options.rounds):
            start = time.perf_counter()
            gjk.label_parquet(source, target, rows.shapes, what="classify", restart=True)
            least = min(least, time.perf_counter() - start)
    return options.rows / least


def states(options):
    robot = gjk.Robot.from_urdf(options.robot, srdf=options.srdf)
    q = robot.sample(20_000, seed=1)
    least = np.inf
    for _ in range(options.rounds):
        start = time.perf_counter()
        robot.check(q, pairs=False)
        least = min(least, time.perf_counter() - start)
    return len(q) / least


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--robot", help="a URDF file, for states a second")
    parser.add_argument("--srdf")
    parser.add_argument("--out", type=Path, help="where the table goes, as CSV")
    options = parser.parse_args()
    found = {module.__name__: getattr(module, "__version__", "?") for module in (gjk, fcl, coal, trimesh, np) if module is not None}
    print("CPU ns a row;", ", ".join(f"{name} {version}" for name, version in found.items()), flush=True)
    table = []
    for kind in ("box", "capsule", "hull 32"):
        compare(kind, options, table)
    others(options, table)
    if options.out:
        keys = list(dict.fromkeys(key for line in table for key in line))
        with options.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, keys)
            writer.writeheader()
            writer.writerows({key: f"{x:.1f}" if isinstance(x, float) else x for key, x in line.items()} for line in table)


if __name__ == "__main__":
    main()
