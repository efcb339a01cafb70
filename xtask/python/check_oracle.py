"""Checks `gjk check` on robots against coal (PyPI), sharing nothing with the library: own URDF reading, own mesh reading, own kinematics,
hulls by Qhull, and a third opinion where the two differ.

python check_oracle.py make-states ROBOT.urdf --states N --seed S -o states.csv
    uniform within limits; continuous joints within +-pi; row 0 is all zeros clamped into the limits. Mimic joints get no column.
python check_oracle.py coal ROBOT.urdf [--srdf F] --states states.csv [-o truth.jsonl]
    coal alone: loads the robot and prints pairs, verdict counts, and time.
python check_oracle.py compare REPORT.json ROBOT.urdf [--srdf F] --states states.csv [--package NAME=DIR]...
    REPORT: what `gjk check ROBOT.urdf [--srdf F] --states states.csv --all-pairs --json` printed.
    Every pair of every state: verdict and signed distance against coal. Where they differ by more than 1e-6 of the pair's size (or one
    says overlapping and the other not; `--tolerance 0` for every pair), a third method decides who is wrong:
      hulls, boxes, spheres, capsules  apart: least norm in the difference of the vertices, to a proven gap; overlapping: the facets of
                                       the Minkowski difference (Qhull over all vertex differences)
      cylinders                        the smooth oracle's interval (oracle.py)
    Exit code 1 when the report was wrong anywhere, or when pairs are missing or too many.

Semantics, as the report's format says: one hull for each <collision> element; a body pair's signed distance is the least over its part pairs;
links joined by one joint are skipped, and the SRDF's disable_collisions; links without <collision> are no bodies; meshes are scaled by the
element's scale; package://NAME/... is a folder NAME beside or above the URDF; extensions and file names in the wrong case are read; a sphere of
radius 0 is a point; mimic joints follow (multiplier, offset) and are not clamped.
"""

import argparse
import collections
import csv
import itertools
import json
import math
import pathlib
import struct
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np

# ---------------------------------------------------------------- meshes


def read_stl(data):
    count = struct.unpack("<I", data[80:84])[0] if len(data) >= 84 else 0
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), count=count, offset=84)
        return rows["v"].reshape(-1, 3).astype(float)
    text = data.decode("ascii", "replace").split()
    return np.array([[float(x) for x in text[i + 1 : i + 4]] for i, w in enumerate(text) if w == "vertex"])


def read_obj(data):
    rows = (line.split() for line in data.decode("utf-8", "replace").splitlines())
    vertices = np.array([[float(x) for x in r[1:4]] for r in rows if r[:1] == ["v"]])
    used = set()
    for line in data.decode("utf-8", "replace").splitlines():
        r = line.split()
        if r[:1] == ["f"]:
            for k in (int(w.split("/")[0]) for w in r[1:]):
                used.add(k - 1 if k > 0 else len(vertices) + k)
    return vertices[sorted(used)] if used else vertices


def read_collada(data):
    """Vertices of every instanced geometry, node matrices, unit and up-axis applied."""
    root = ET.fromstring(data)
    ns = root.tag[: root.tag.index("}") + 1] if "}" in root.tag else ""
    find = lambda e, path: e.find("/".join(ns + p for p in path.split("/")))
    unit, up = find(root, "asset/unit"), find(root, "asset/up_axis")
    scale = float(unit.get("meter", 1)) if unit is not None else 1.0
    base = np.diag([scale, scale, scale, 1.0])
    if up is not None and up.text.strip() == "Y_UP":
        base = base @ np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])
    if up is not None and up.text.strip() == "X_UP":
        base = base @ np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    by_id = {e.get("id"): e for e in root.iter() if e.get("id")}

    def geometry(e):
        out = []
        for source in e.iter(ns + "input"):
            if source.get("semantic") == "POSITION":
                array = find(by_id[source.get("source")[1:]], "float_array")
                out.append(np.array(array.text.split(), float).reshape(-1, 3))
        return np.concatenate(out)

    points = []

    def walk(node, m):
        for e in node:
            tag = e.tag.removeprefix(ns)
            v = np.array(e.text.split(), float) if tag in ("matrix", "translate", "scale", "rotate") else None
            step = np.eye(4)
            if tag == "matrix":
                step = v.reshape(4, 4)
            elif tag == "translate":
                step[:3, 3] = v
            elif tag == "scale":
                step = np.diag([*v, 1.0])
            elif tag == "rotate":
                step[:3, :3] = axis_angle(v[:3], math.radians(v[3]))
            m = m @ step
        for e in node:
            tag = e.tag.removeprefix(ns)
            if tag == "instance_geometry":
                g = geometry(by_id[e.get("url")[1:]])
                points.append(g @ m[:3, :3].T + m[:3, 3])
            elif tag == "node":
                walk(e, m)
            elif tag == "instance_node":
                walk(by_id[e.get("url")[1:]], m)

    for visual in root.iter(ns + "visual_scene"):
        for node in visual.findall(ns + "node"):
            walk(node, base)
    return np.concatenate(points)


READERS = {".stl": read_stl, ".obj": read_obj, ".dae": read_collada}


def resolve(name, urdf, packages):
    """The file a URDF means: package:// beside or above it, wrong case forgiven."""
    if name.startswith("package://"):
        package, _, rest = name[len("package://") :].partition("/")
        roots = [pathlib.Path(packages[package])] if package in packages else []
        roots += [folder / package for folder in urdf.resolve().parents]
    else:
        rest, roots = name.removeprefix("file://"), [urdf.resolve().parent]
    for root in roots:
        path = root
        for piece in pathlib.PurePosixPath(rest).parts:
            exact = path / piece
            if not exact.exists() and path.is_dir():
                exact = next((p for p in sorted(path.iterdir()) if p.name.lower() == piece.lower()), exact)
            path = exact
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name} (for {urdf.name})")


# ---------------------------------------------------------------- robot


def axis_angle(axis, angle):
    x, y, z = axis / np.linalg.norm(axis)
    c, s = math.cos(angle), math.sin(angle)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + s * k + (1 - c) * (k @ k)


def origin(e):
    """The 4x4 matrix of an <origin> child."""
    m, o = np.eye(4), e.find("origin")
    if o is not None:
        r, p, y = (float(x) for x in o.get("rpy", "0 0 0").split())
        rot = axis_angle(np.array([0, 0, 1.0]), y) @ axis_angle(np.array([0, 1.0, 0]), p) @ axis_angle(np.array([1.0, 0, 0]), r)
        m[:3, :3], m[:3, 3] = rot, [float(x) for x in o.get("xyz", "0 0 0").split()]
    return m


class Part:
    """One convex part: vertices plus a radius (hull, box, sphere, capsule), or a cylinder."""

    def __init__(self, geometry, pose, urdf, packages, cache):
        g = next(x for x in geometry if x.tag in ("mesh", "box", "sphere", "cylinder", "capsule"))
        self.pose, self.radius, self.kind, self.half = pose, 0.0, g.tag, 0.0
        if g.tag == "box":
            h = np.array([float(x) for x in g.get("size").split()]) / 2
            self.half = h
            self.points = np.array(list(itertools.product(*zip(-h, h))))
        elif g.tag == "sphere":
            self.points, self.radius = np.zeros((1, 3)), float(g.get("radius"))
        elif g.tag in ("cylinder", "capsule"):
            self.half, self.radius = float(g.get("length")) / 2, float(g.get("radius"))
            self.points = np.array([[0, 0, -self.half], [0, 0, self.half]])
        else:
            scale = tuple(float(x) for x in g.get("scale", "1 1 1").split())
            key = (g.get("filename"), scale)
            if key not in cache:
                path = resolve(key[0], urdf, packages)
                points = READERS[path.suffix.lower()](path.read_bytes()) * np.array(scale)
                cache[key] = hull_of(points)
            self.points, self.faces = cache[key]
        self.shape = self.coal_shape()

    def coal_shape(self):
        import coal

        if self.kind == "box":
            return coal.Box(*(2 * self.half))
        if self.kind == "sphere":
            return coal.Sphere(self.radius)
        if self.kind == "cylinder":
            return coal.Cylinder(self.radius, 2 * self.half)
        if self.kind == "capsule":
            return coal.Capsule(self.radius, 2 * self.half)
        points, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for p in self.points:
            points.append(p)
        for f in self.faces:
            faces.append(coal.Triangle(*(int(i) for i in f)))
        return coal.Convex(points, faces)


def hull_of(points):
    from scipy.spatial import ConvexHull

    points = np.unique(points, axis=0)
    hull = ConvexHull(points)
    index = {v: i for i, v in enumerate(hull.vertices)}
    centre = points[hull.vertices].mean(axis=0)
    faces = []
    for simplex in hull.simplices:
        a, b, c = points[simplex]
        i, j, k = (index[v] for v in simplex)
        faces.append((i, j, k) if np.dot(np.cross(b - a, c - a), a - centre) > 0 else (i, k, j))
    return points[hull.vertices], faces


class Robot:
    def __init__(self, urdf, srdf=None, packages=None):
        self.urdf = pathlib.Path(urdf)
        root = ET.parse(urdf).getroot()
        cache = {}
        self.links = {}
        for link in root.findall("link"):
            parts = []
            for c in link.findall("collision"):
                parts.append(Part(c.find("geometry"), origin(c), self.urdf, packages or {}, cache))
            self.links[link.get("name")] = parts
        self.joints = [j for j in root.findall("joint") if j.find("parent") is not None]
        self.bodies = [name for name, parts in self.links.items() if parts]
        rank = {name: i for i, name in enumerate(self.bodies)}
        pair = lambda a, b: tuple(sorted((a, b), key=lambda n: rank[n]))
        self.adjacent = set()
        for j in self.joints:
            a, b = j.find("parent").get("link"), j.find("child").get("link")
            if a in rank and b in rank:
                self.adjacent.add(pair(a, b))
        self.disabled = set()
        if srdf:
            for e in ET.parse(srdf).getroot().findall("disable_collisions"):
                a, b = e.get("link1"), e.get("link2")
                if a in rank and b in rank:
                    self.disabled.add(pair(a, b))
        self.pairs = [p for p in itertools.combinations(self.bodies, 2) if p not in self.adjacent and p not in self.disabled]
        children = {j.find("child").get("link") for j in self.joints}
        self.roots = [n for n in self.links if n not in children]

    def limits(self, joint):
        limit = joint.find("limit")
        if joint.get("type") == "continuous" or limit is None:
            return (-math.pi, math.pi) if joint.get("type") in ("continuous", "revolute") else (0.0, 0.0)
        return float(limit.get("lower", 0)), float(limit.get("upper", 0))

    def movable(self):
        return [j for j in self.joints if j.get("type") in ("revolute", "continuous", "prismatic") and j.find("mimic") is None]

    def poses(self, state):
        """World pose of every link for {joint name: value}; joints not named are at zero."""
        by_name = {j.get("name"): j for j in self.joints}

        def value(j, depth=0):
            mimic = j.find("mimic")
            if mimic is not None and depth < len(by_name):
                return float(mimic.get("multiplier", 1)) * value(by_name[mimic.get("joint")], depth + 1) + float(mimic.get("offset", 0))
            return state.get(j.get("name"), 0.0)

        pose, todo = {r: np.eye(4) for r in self.roots}, list(self.joints)
        while todo:
            rest = []
            for j in todo:
                parent = j.find("parent").get("link")
                if parent not in pose:
                    rest.append(j)
                    continue
                move, kind = np.eye(4), j.get("type")
                if kind in ("revolute", "continuous", "prismatic"):
                    axis = j.find("axis")
                    axis = np.array([float(x) for x in axis.get("xyz", "1 0 0").split()]) if axis is not None else np.array([1.0, 0, 0])
                    if kind == "prismatic":
                        move[:3, 3] = axis / np.linalg.norm(axis) * value(j)
                    else:
                        move[:3, :3] = axis_angle(axis, value(j))
                pose[j.find("child").get("link")] = pose[parent] @ origin(j) @ move
            if len(rest) == len(todo):
                raise ValueError("the joints form no tree")
            todo = rest
        return pose


def read_states(path):
    with open(path, newline="", encoding="utf-8") as f:
        return [{k.strip(): float(v) for k, v in row.items()} for row in csv.DictReader(f)]


def make_states(robot, count, seed, out):
    rng, joints = np.random.default_rng(seed), robot.movable()
    writer = csv.writer(out)
    writer.writerow([j.get("name") for j in joints])
    for k in range(count):
        row = []
        for j in joints:
            low, high = robot.limits(j)
            row.append(repr(float(min(max(0.0, low), high) if k == 0 else rng.uniform(low, high))))
        writer.writerow(row)


# ---------------------------------------------------------------- distances


def coal_distance(a, ta, b, tb):
    import coal

    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-9
    request.gjk_max_iterations = request.epa_max_iterations = 512
    t = lambda m: coal.Transform3s(m[:3, :3], m[:3, 3])
    return coal.distance(a.shape, t(ta), b.shape, t(tb), request, result)


def world(part, pose):
    m = pose @ part.pose
    return part.points @ m[:3, :3].T + m[:3, 3], m


def least_norm(a, b):
    """(lower, upper) of the distance of two hulls: Wolfe's corral with least squares, to a gap near the float's end."""
    corral, weights = None, None
    d = a.mean(0) - b.mean(0)
    w = (a[np.argmin(a @ d)] - b[np.argmax(b @ d)])[None, :]
    corral, weights, v = w, np.ones(1), w[0]
    best = 0.0
    for _ in range(200):
        i, j = np.argmin(a @ v), np.argmax(b @ v)
        w = a[i] - b[j]
        vv = float(v @ v)
        if vv == 0:
            return 0.0, 0.0
        best = max(best, float(v @ w) / math.sqrt(vv))
        if vv - v @ w <= 1e-15 * max(vv, float(np.abs(corral).max()) ** 2) or (np.abs(corral - w).max(axis=1) == 0).any():
            break
        corral, weights = np.vstack([corral, w]), np.append(weights, 0.0)
        while True:
            n = len(corral)
            system = np.block([[corral @ corral.T, np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
            x = np.linalg.lstsq(system, np.append(np.zeros(n), 1.0), rcond=None)[0][:n]
            if (x >= -1e-14).all():
                weights = np.clip(x, 0, None)
                weights /= weights.sum()
                break
            ratio = [weights[k] / (weights[k] - x[k]) if x[k] < 0 and weights[k] > x[k] else 1.0 for k in range(n)]
            weights = weights + min(ratio) * (x - weights)
            keep = weights > 1e-15
            corral, weights = corral[keep], weights[keep] / weights[keep].sum()
        new = weights @ corral
        if new @ new >= vv:
            break
        v = new
    return max(best, 0.0), float(np.linalg.norm(v))


def facet_depth(a, b):
    """Depth of two overlapping hulls from all facets of the difference of all vertices; None when the origin is not inside."""
    from scipy.spatial import ConvexHull

    m = (a[:, None, :] - b[None, :, :]).reshape(-1, 3)
    if len(m) > 6000:  # keep what matters: extreme points in many directions, grown until the nearest facets are true
        dirs = np.random.default_rng(1).normal(size=(2000, 3))
        keep = {(int(i), int(j)) for i, j in zip(np.argmax(dirs @ a.T, 1), np.argmin(dirs @ b.T, 1))}
        for _ in range(60):
            index = np.array(sorted(keep))
            hull = ConvexHull(a[index[:, 0]] - b[index[:, 1]])
            order = np.argsort(-hull.equations[:, -1])[:64]
            near = hull.equations[order, :-1]
            new = {(int(i), int(j)) for i, j in zip(np.argmax(near @ a.T, 1), np.argmin(near @ b.T, 1))}
            h = (near @ a.T).max(1) - (near @ b.T).min(1)
            if -hull.equations[:, -1].max() >= h.min() - 1e-13 or new <= keep:
                break
            keep |= new
        offset = -hull.equations[:, -1].max()
    else:
        offset = -ConvexHull(m, qhull_options="Qt").equations[:, -1].max()
    return offset if offset > 0 else None


def third_opinion(a, ta, b, tb, size):
    """(lower, upper) of the signed distance of two parts, by neither program."""
    pa, ma = world(a, ta)
    pb, mb = world(b, tb)
    if "cylinder" in (a.kind, b.kind):
        import oracle

        bodies = []
        for part, points, m in ((a, pa, ma), (b, pb, mb)):
            f = lambda x: [oracle.F(float(y)) for y in x]
            body = oracle.Poly([tuple(f(p)) for p in points])
            if part.kind == "cylinder":
                disc = m[:3, :3] @ np.diag([part.radius, part.radius, 0])
                body = oracle.Sum([body, oracle.BallMap([f(row) for row in disc])])
            elif part.radius:
                body = oracle.Sum([body, oracle.BallMap([[oracle.F(part.radius) if i == j else oracle.F(0) for j in range(3)] for i in range(3)])])
            bodies.append(body)
        t = oracle.smooth(*bodies, 3, size)
        return float(t["lower"]), float(t["upper"])
    radius = a.radius + b.radius
    low, up = least_norm(pa, pb)
    if low > 1e-12 * size:
        return low - radius, up - radius
    if len(pa) * len(pb) < 4:
        return -radius, -radius
    try:
        depth = facet_depth(pa, pb)
    except Exception:  # Qhull refuses flat differences: then the cores at most touch
        depth = None
    if depth is None:
        return low - radius, up - radius
    return -depth - radius, -depth - radius


def part_pairs(robot, name_a, name_b):
    return itertools.product(robot.links[name_a], robot.links[name_b])


def pair_size(robot, poses, x, y):
    """Half the diagonal of the box around both bodies, about: the length that errors are measured against."""
    corners = []
    for name in (x, y):
        for p in robot.links[name]:
            w = world(p, poses[name])[0]
            corners += [w.min(0) - p.radius, w.max(0) + p.radius]
    corners = np.array(corners)
    return float(np.linalg.norm(corners.max(0) - corners.min(0)))


def body_distance(robot, poses, x, y):
    return min(coal_distance(p, poses[x] @ p.pose, q, poses[y] @ q.pose) for p, q in part_pairs(robot, x, y))


def body_third(robot, poses, x, y, size):
    both = [third_opinion(p, poses[x], q, poses[y], size) for p, q in part_pairs(robot, x, y)]
    low, up = min(b[0] for b in both), min(b[1] for b in both)
    return min(low, up), max(low, up)  # rounding may cross two bounds that meet


# ---------------------------------------------------------------- commands


def run_coal(args):
    robot, started = Robot(args.urdf, args.srdf, packages(args)), time.time()
    states, tally, out = read_states(args.states), collections.Counter(), open(args.output, "w", encoding="utf-8") if args.output else None
    for k, state in enumerate(states):
        poses = robot.poses(state)
        for x, y in robot.pairs:
            d = body_distance(robot, poses, x, y)
            tally["overlapping" if d < 0 else "separated"] += 1
            if out:
                out.write(json.dumps({"state": k, "a": x, "b": y, "signed_distance": d}) + "\n")
    print(f"{robot.urdf.name}: {len(robot.links)} links, {len(robot.bodies)} bodies, {sum(map(len, robot.links.values()))} parts")
    print(f"pairs {len(robot.pairs)} (adjacent {len(robot.adjacent)}, disabled {len(robot.disabled - robot.adjacent)}), states {len(states)}: {dict(tally)}, {time.time() - started:.1f} s")
    return 0


def compare(args):
    try:
        report = json.load(open(args.report, encoding="utf-8"))
    except (OSError, ValueError) as e:
        print(f"{args.report}: not a report: {e}")
        return 2
    robot, states = Robot(args.urdf, args.srdf, packages(args)), read_states(args.states)
    poses = [robot.poses(s) for s in states]
    wanted = {(k, frozenset(p)): p for k in range(len(states)) for p in robot.pairs}
    got, problems = {}, []
    for e in report["pairs"]:
        key = (e.get("state", 0), frozenset((e["a"], e["b"])))
        if key not in wanted:
            problems.append(f"not a pair to report: state {key[0]} {e['a']} {e['b']}")
        elif key in got:
            problems.append(f"reported twice: state {key[0]} {e['a']} {e['b']}")
        got[key] = e
    for key, p in wanted.items():
        if key not in got:
            problems.append(f"missing: state {key[0]} {p[0]} {p[1]}")
    tally, disputes, largest, differing = collections.Counter(), [], 0.0, 0
    for key, (x, y) in wanted.items():
        if key not in got:
            continue
        e, at = got[key], poses[key[0]]
        size, theirs = pair_size(robot, at, x, y), body_distance(robot, at, x, y)
        low, up = e["signed_distance"]["lower"], e["signed_distance"]["upper"]
        ours = (low + up) / 2
        gap = max(low - theirs, theirs - up, 0.0)
        tally["pairs"] += 1
        tally[e["verdict"]] += 1
        tally["exact" if e.get("exact") else "by interval"] += 1
        if not low <= up or {"separated": low <= 0, "overlapping": up >= 0, "touching": low > 0 or up < 0}.get(e["verdict"], False):
            problems.append(f"verdict against interval: state {key[0]} {x} {y} {e['verdict']} [{low}, {up}]")
        flip = (e["verdict"] == "overlapping") != (theirs < 0) and abs(theirs) > 1e-9 * size
        differing += flip
        if not flip and gap <= args.tolerance * size:
            largest = max(largest, gap / size)
            continue
        lo3, up3 = body_third(robot, at, x, y, size)
        mid, room = (lo3 + up3) / 2, 1e-9 * size + (up3 - lo3)
        right = low - room <= up3 and lo3 <= up + room
        coal_right = lo3 - args.tolerance * size - room <= theirs <= up3 + args.tolerance * size + room
        if right and coal_right and not flip:
            tally["arbitrated, both right"] += 1
            largest = max(largest, max(low - up3, lo3 - up, 0.0) / size)
            continue
        who = "coal" if right and not coal_right else "neither" if right else "REPORT" if coal_right else "both"
        if right and up - low > 1e-5 * size:
            who = "wide interval"
        tally[f"at fault: {who}"] += 1
        disputes.append((gap / size, key[0], x, y, e["verdict"], ours, theirs, mid, who))
        largest = max(largest, (max(low - up3, lo3 - up, 0.0)) / size)
    print(f"{robot.urdf.name}: " + ", ".join(f"{k} {v}" for k, v in tally.items()))
    print(f"verdict differences with coal: {differing}; largest difference accepted or proven, relative to pair size: {largest:.2g}")
    if disputes:
        print(f"{'state':>5} {'a':24} {'b':24} {'verdict':12} {'report':>14} {'coal':>14} {'third':>14}  at fault")
        for _, k, x, y, v, o, t, m, who in sorted(disputes, reverse=True)[: args.show]:
            print(f"{k:5} {x:24} {y:24} {v:12} {o:14.9g} {t:14.9g} {m:14.9g}  {who}")
        if len(disputes) > args.show:
            print(f"... {len(disputes)} disputes in all")
    for p in problems[: args.show]:
        print("PROBLEM", p)
    if len(problems) > args.show:
        print(f"... {len(problems)} problems in all")
    wrong = tally["at fault: REPORT"] + tally["at fault: both"]
    return 1 if wrong or problems else 0


def packages(args):
    return dict(p.split("=", 1) for p in args.package)


def main():
    top = argparse.ArgumentParser(description="Checks `gjk check` on robots against coal.", epilog=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(dest="command", required=True)
    for name in ("make-states", "coal", "compare"):
        p = commands.add_parser(name)
        if name == "compare":
            p.add_argument("report")
            p.add_argument("--show", type=int, default=40)
            p.add_argument("--tolerance", type=float, default=1e-6, help="relative difference from coal that goes to arbitration; 0 arbitrates every pair")
        p.add_argument("urdf")
        p.add_argument("--srdf")
        p.add_argument("--package", action="append", default=[], metavar="NAME=DIR")
        if name == "make-states":
            p.add_argument("--states", type=int, default=20)
            p.add_argument("--seed", type=int, default=1)
        else:
            p.add_argument("--states", required=True)
        if name != "compare":
            p.add_argument("-o", "--output")
    args = top.parse_args()
    if args.command == "make-states":
        out = open(args.output, "w", newline="", encoding="utf-8") if args.output else sys.stdout
        make_states(Robot(args.urdf, None, packages(args)), args.states, args.seed, out)
        return 0
    return {"coal": run_coal, "compare": compare}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
