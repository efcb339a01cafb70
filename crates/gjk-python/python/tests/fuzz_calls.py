"""Random calls of the package, most of them wrong: each must be answered well, or refused with a message.

    python crates/gjk-python/python/tests/fuzz_calls.py --calls 100000 --seed 1 --processes 2

A call is made of its seed and its number alone, so that `--only NUMBER` repeats one. A finding is an exception of another kind than the documented ones, a
panic, a warning, a call that does not end, a process that dies, an answer that contradicts itself, a row that is another one when it is asked alone, or a
ball that is not where its closed form says. Exit codes: 0 without findings, 1 with, 2 for wrong arguments.
"""

import argparse
import json
import multiprocessing
import sys
import time
import traceback
import warnings
from fractions import Fraction

import gjk
import gjk.fcl as fcl
import numpy as np
from fuzz_maker import JUNK, OPTIONS, Maker, made_shapes, must, refused
from fuzz_motions import FAMILIES

try:
    import gjk.arrow
    import pyarrow as pa
except ImportError:
    pa = None

#: Seconds after which a call does not end.
LIMIT = 60.0

def rows_of(make, shapes):
    """The parameters of a query over rows, and how it is called."""
    rows = int(make.rng.integers(1, 6)) if not make.once(12) else int(make.rng.integers(0, 300))
    a, b = (make.ids(rows, len(shapes)) for _ in range(2))
    return a, b, make.pose(rows), make.pose(rows)


def convex(make):
    shapes = made_shapes(make)
    query = make.one((gjk.classify, gjk.distance, gjk.contact))
    a, b, pose_a, pose_b = rows_of(make, shapes)
    found = query(shapes, a, b, pose_a, pose_b, **make.options())
    repr(found)
    check_rows(found, query is gjk.contact)
    check_balls(found, shapes, (a, b), (pose_a, pose_b), query is gjk.contact)
    check_single(make, query, found, shapes, (a, b), (pose_a, pose_b))
    if make.once(4):
        # Into arrays that hold something else.
        old = make.one((found, gjk.contact(shapes, 0, 0, pose_a), "far"))
        again = refused(lambda: query(shapes, a, b, pose_a, pose_b, errors="column", out=old))
        if again is not None:
            must(again.verdict is old.verdict, "verdicts are not where they are wanted")
            check_rows(again, query is gjk.contact)


def check_rows(found, signed):
    n, wrong = len(found), found.verdict == gjk.Verdict.WRONG_ROW
    must(sorted(found.errors) == np.flatnonzero(wrong).tolist(), f"wrong rows {np.flatnonzero(wrong)}, told {sorted(found.errors)}")
    must(np.isin(found.verdict, [0, 1, 2, 3, 255]).all(), f"verdicts {found.verdict}")
    if found.lower is None:
        return
    for column, shape in ((found.lower, (n,)), (found.upper, (n,)), (found.normal, (n, 3)), (found.point_a, (n, 3)), (found.point_b, (n, 3))):
        must(column.shape == shape and column.dtype == np.float64, f"a column of {column.shape} for {n} rows")
        must(np.isnan(column[wrong]).all(), "a number in a wrong row")
        must(not np.isnan(column[~wrong]).any(), "NaN in a right row")
    lower, upper, verdict = found.lower[~wrong], found.upper[~wrong], found.verdict[~wrong]
    must((lower <= upper).all(), f"intervals {lower} to {upper}")
    must((lower[verdict == 0] >= 0).all() and (upper[verdict == 0] > 0).all(), "apart, and at no distance")
    must((lower[verdict == 1] == 0).all() and (upper[verdict == 1] == 0).all(), "touching, and at a distance")
    deep = verdict == 2
    must((upper[deep] <= 0).all() and (not signed or (lower[deep] < 0).all()), f"overlapping, and not deep: {lower[deep]} to {upper[deep]}")
    must(signed or (lower >= 0).all(), "a negative distance")
    must((np.abs(np.linalg.norm(found.normal[~wrong], axis=1) - 1) < 1e-6).all(), f"normals {found.normal[~wrong]}")


def parts(poses, row):
    """The translation of a row, where it has no matrix."""
    if poses is None:
        return [Fraction(0)] * 3
    if not isinstance(poses, gjk.Poses) or poses._kind == "matrix":
        return None
    moved = poses._parameters.get("translation", np.zeros((1, 3)))
    return [Fraction(x) for x in moved[row if len(moved) > 1 else 0]]


def check_balls(found, shapes, ids, poses, signed):
    specs = json.loads(shapes.to_json())
    first, second = (np.broadcast_to(np.asarray(of).reshape(-1), len(found)) for of in ids)
    for k in range(min(len(found), 4)):
        if k in found.errors:
            continue
        a, b = specs[int(first[k])], specs[int(second[k])]
        at = [parts(of, k) for of in poses]
        if a["shape"] != "ball" or b["shape"] != "ball" or None in at:
            continue
        reach = Fraction(a["radius"]) + Fraction(b["radius"])
        square = sum((y - x) ** 2 for x, y in zip(*at))
        truth = 0 if square > reach**2 else 1 if square == reach**2 else 2
        must(found.verdict[k] == truth, f"balls in row {k}: verdict {found.verdict[k]}, truth {truth}")
        if found.lower is None or (truth == 2 and not signed):
            continue
        lower, upper = found.lower[k], found.upper[k]
        low = Fraction(lower) + reach if np.isfinite(lower) else Fraction(0)
        must(low <= 0 or low**2 <= square, f"balls in row {k}: lower end {lower}")
        if np.isfinite(upper):
            must(Fraction(upper) + reach >= 0 and (Fraction(upper) + reach) ** 2 >= square, f"balls in row {k}: upper end {upper}")


def row_of(poses, row):
    if poses is None:
        return None
    given = (poses if isinstance(poses, gjk.Poses) else gjk.Poses(matrix=poses))._parameters
    return gjk.Poses(**{name: of[[row if len(of) > 1 else 0]] for name, of in given.items()})


def check_single(make, query, found, shapes, ids, poses):
    """One row by itself."""
    if not len(found):
        return
    k = int(make.rng.integers(len(found)))
    a, b = (int(np.broadcast_to(np.asarray(of).reshape(-1), len(found))[k]) for of in ids)
    alone = query(shapes, a, b, row_of(poses[0], k), row_of(poses[1], k), errors="column", threads=1)
    for name in ("verdict", "lower", "upper", "normal", "point_a", "point_b"):
        one, other = getattr(found, name), getattr(alone, name)
        must(one is None or np.array_equal(one[k], other[0], equal_nan=True), f"row {k} alone: {name} {one is None or one[k]}, {other}")


CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])


def made_mesh(make):
    way = make.rng.integers(4)
    if way == 0:
        return gjk.Mesh(make.laid(CUBE.copy()), make.laid(FACES.astype(make.one(("i8", "i4", "u2", ">i8")))))
    if way == 1:
        return gjk.Mesh(CUBE[:4] + make.rng.integers(-1, 2, (4, 3)) / 4, [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    count = int(make.rng.integers(3, 8))
    faces = make.rng.integers(0, count + make.once(20), (int(make.rng.integers(0, 8)), 3))
    return gjk.Mesh(make.array((count, 3)), faces if not make.once(10) else make.array((3, 3)))


def meshes(make):
    a, b = made_mesh(make), made_mesh(make)
    rows = int(make.rng.integers(0, 4))
    poses, options = (make.pose(rows), make.pose(rows)), make.options()
    way = make.rng.integers(24)
    if way == 0:
        found = gjk.meshes.depth(a, b, *poses, **options)
        right = [k for k in range(len(found)) if k not in found.errors]
        must((found.lower[right] <= found.upper[right]).all(), f"depths {found.lower} to {found.upper}")
        must((found.upper[right] <= 0).all(), f"depths up to {found.upper}")
        return
    if way < 4:
        sides = gjk.meshes.side_of(a, make.array((4, 3)))
        must(np.isin(sides, [0, 1, 2, 255]).all(), f"sides {sides}")
        return
    if way < 7:
        return against_shapes(make, a, rows, options)
    lists = (a, [b] * rows if make.once(5) else b)
    related, met = gjk.meshes.relation(*lists, *poses, **options), gjk.meshes.meets(*lists, *poses, **options)
    reach = make.one((np.inf, 1.0, make.number()))
    found = gjk.meshes.distance(*lists, *poses, reach=reach, **options)
    right = [k for k in range(len(found)) if k not in found.errors]
    must(len(related) == len(met) == len(found), "queries of the same rows have other counts")
    must(related.errors == met.errors == found.errors, f"wrong rows: {related.errors}, {met.errors}, {found.errors}")
    must((found.lower[right] <= found.upper[right]).all(), f"distances {found.lower} to {found.upper}")
    must(np.isnan(np.delete(found.lower, right)).all(), "a number in a wrong row")
    must(not (met.meets[right] & (found.lower[right] > 0)).any(), f"meet, and are apart: {found.lower[right]}")
    must(not (~met.meets[right] & (found.upper[right] == 0)).any(), "do not meet, and are at no distance")
    surfaces = np.isin(related.relation[right], [1, 2, 3, 6])
    must((met.meets[right] | ~surfaces)[related.exact[right]].all(), f"relation {related.names()}, and they do not meet")


def against_shapes(make, mesh, rows, options):
    shapes = made_shapes(make)
    ids, poses = make.ids(rows, len(shapes)), (make.pose(rows), make.pose(rows))
    reach = abs(make.number()) if not make.once(4) else np.inf
    found = gjk.meshes.contact(mesh, shapes, ids, *poses, reach=reach, **options)
    wrong = found.verdict == 255
    must(sorted(found.errors) == np.flatnonzero(wrong).tolist(), f"wrong rows {np.flatnonzero(wrong)}, told {sorted(found.errors)}")
    must((found.lower[~wrong] <= found.upper[~wrong]).all(), f"distances {found.lower} to {found.upper}")
    must(np.isnan(found.lower[wrong]).all(), "a number in a wrong row")
    must((found.lower[found.verdict == 0] >= 0).all() and (found.upper[found.verdict == 0] > 0).all(), "apart, and at no distance")
    must((found.upper[found.verdict == 2] <= 0).all(), "overlapping, and at a distance")
    must((found.verdict[found.inside] == 2).all(), "inside, and not overlapping")


def tables(make):
    shapes, rows = made_shapes(make), int(make.rng.integers(0, 6))

    def column(width):
        wild = make.array((rows, width))
        lists = [list(row) for row in make.rng.normal(size=(rows, width))]
        kind = make.one((pa.list_(pa.float64(), width), pa.list_(pa.float64(), width), pa.list_(pa.float64()), pa.list_(pa.float32(), width), pa.list_(pa.int64())))
        if make.once(4) and lists:
            lists[int(make.rng.integers(rows))] = make.one((None, [None] * width, [np.nan] * width, [0.0] * width))
        try:
            return pa.array(lists, kind) if not make.once(8) else pa.array(wild)
        except Exception:  # what Arrow itself refuses never reaches the package
            return pa.nulls(rows)

    given = {"id": list(range(rows))}
    for side in "ab":
        ids = make.rng.integers(0, len(shapes) + make.once(8), rows)
        given[f"shape_{side}"] = pa.array([None if make.once(20) else int(k) for k in ids], make.one((pa.uint32(), pa.int64(), pa.int8())))
        for name, width in (("translation", 3), (make.one(("quat_xyzw", "quat_wxyz", "matrix", "quat")), 4)):
            if make.once(2):
                given[f"{name}_{side}"] = column(12 if name == "matrix" else width)
    given = {name: given[name] for name in given if not make.once(40)}
    table = pa.table({name: of for name, of in given.items() if len(of) == rows})
    found = gjk.arrow.label(table, shapes, what=make.one(("contact", "distance", "classify", "near")), **make.options())
    must(found.num_rows == table.num_rows, "a table of another length")
    told, verdict = found["error"].is_valid().to_pylist(), found["verdict"].is_valid().to_pylist()
    must(all(x != y for x, y in zip(told, verdict)), "a row with both or none of a verdict and an error")


def geometry(make):
    kind = make.rng.integers(8)
    if kind == 0:
        return fcl.Box(*make.vector(make.length))
    if kind == 1:
        return fcl.Sphere(make.length())
    if kind == 2:
        return fcl.Ellipsoid(*make.vector(make.length))
    if kind == 3:
        return fcl.TriangleP(make.vector(), make.vector(), make.vector())
    if kind == 4:
        model = fcl.BVHModel()
        model.beginModel(4, 4)
        model.addSubModel(make.array((4, 3)), [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
        if not make.once(20):
            model.endModel()
        return model
    return make.one((fcl.Capsule, fcl.Cone, fcl.Cylinder))(make.length(), make.length())


def objects(make):
    """python-fcl's names: there a `ValueError` is what a wrong parameter gets."""

    def placed():
        turn = make.one((np.eye(3), make.array((4,)), make.array((3, 3))))
        return fcl.CollisionObject(geometry(make), fcl.Transform(turn, make.array((3,))))

    one, other = placed(), placed()
    result = fcl.CollisionResult()
    count = fcl.collide(one, other, fcl.CollisionRequest(num_max_contacts=3, enable_contact=make.once(2)), result)
    must(bool(count) == result.is_collision == bool(result.contacts), f"{count} contacts, {result.is_collision}")
    apart = fcl.distance(one, other, fcl.DistanceRequest(True, make.once(2)))
    must(apart == apart, "a distance that is NaN")
    must(not (result.is_collision and apart > 1e-6 * (1 + abs(apart))), f"collide at a distance of {apart}")


def part(make):
    """What a body of a scene may have, and where."""
    ways = (
        lambda: {"shape": "ball", "radius": make.length()},
        lambda: {"shape": "box", "half_extents": list(make.vector(make.length))},
        lambda: {make.one(("shape", "form")): make.one(("ball", "cube", 7)), "radius": make.length()},
        lambda: made_mesh(make),
    )
    at = np.eye(4)
    at[:3, 3] = make.rng.integers(-2, 3, 3) / 2
    return make.one(ways)(), make.one((None, at)) if not make.once(20) else make.array((4, 4))


def scenes(make):
    names = [str(make.one(("one", "two", "a/b", "", "ü", "x" * 300))) + str(k) for k in range(int(make.rng.integers(0, 5)))]
    bodies = {name: [part(make) for _ in range(int(make.rng.integers(1, 3)) if not make.once(20) else 0)] for name in names}
    poses = {name: part(make)[1] for name in names if make.once(3)}
    allow = [(make.one(names), make.one(names))] if names and make.once(4) else ()
    scene = gjk.Scene.from_bodies(bodies, poses, allow=allow, meshes=make.one(("exact", "hull")) if not make.once(30) else make.one(JUNK))
    wished = {"clearance": make.one((None, None, 0.5, make.number())), "touch_band": make.one((None, None, 1e-6, make.number()))}
    report = scene.check(**wished, all_pairs=bool(make.once(2)), verify=bool(make.once(3)), threads=make.one((1, 2, None)))
    pairs = report.pairs
    must(not report.objections, f"its own answers are wrong: {report.objections}")
    must(report.exit_code in (0, 1), f"exit code {report.exit_code}")
    must((pairs.lower <= pairs.upper).all(), f"intervals {pairs.lower} to {pairs.upper}")
    must((pairs.a < pairs.b).all() and np.isin(pairs.verdict, [0, 1, 2, 3]).all(), f"verdicts {pairs.verdict} of {pairs.a}, {pairs.b}")
    must((pairs.verdict != 2).all() or report.exit_code == 1, "an overlap, and exit code 0")
    must(json.loads(report.json()) and report.text() and report.html(), "a report without a text")


def robots(make):
    """Balls on a chain of joints along an axis, or about one."""
    count = int(make.rng.integers(1, 5))
    radii = [make.one((0.25, 0.5, 0.125)) for _ in range(count + 1)]
    kinds = [make.one(("prismatic", "prismatic", "continuous", "revolute", "floating", "fixed") if make.once(8) else ("prismatic", "continuous")) for _ in range(count)]
    links = "".join(f'<link name="l{k}"><collision><geometry><sphere radius="{r}"/></geometry></collision></link>' for k, r in enumerate(radii))
    joints = "".join(
        f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>'
        for k, kind in enumerate(kinds)
    )
    text = f'<robot name="r">{links}{joints}</robot>'
    if make.once(30):
        text = text[: int(make.rng.integers(len(text)))]
    robot = gjk.Robot.from_string(text, include_adjacent=True)
    width, rows = len(robot.joints), int(make.rng.integers(0, 5))
    q = make.array((rows, width)) if not make.once(6) else {make.one(("j0", "j1", "nobody")): make.array((rows,))}
    clearance = make.one((None, 0.25, 1.0, make.number()))
    given = {"errors": make.one(OPTIONS), "threads": make.one((1, 2, None)), "pairs": bool(make.once(2))}
    found = robot.check(q, clearance, **given)
    wrong = found.verdict == 255
    must(sorted(found.errors) == np.flatnonzero(wrong).tolist(), f"wrong states {np.flatnonzero(wrong)}, told {sorted(found.errors)}")
    must(np.array_equal(np.isnan(found.clearance), wrong), f"clearances {found.clearance}, wrong {wrong}")
    must((found.clearance[~wrong] <= (clearance or 0.0)).all(), f"clearances {found.clearance} of at most {clearance}")
    must((found.clearance[found.verdict == 2] < 0).all(), f"overlaps at {found.clearance}")
    for row in np.flatnonzero(~wrong)[:2]:
        check_chain(found, int(row), robot, q, radii, kinds, clearance or 0.0)


def check_chain(found, row, robot, q, radii, kinds, clearance):
    """Balls along a line, each as far from the one before as its joint says: turning about that line moves none."""
    if isinstance(q, dict) or len(found.errors) or not set(kinds) <= {"prismatic", "continuous"}:
        return
    values = iter(np.asarray(q)[row].astype(float) if np.ndim(q) == 2 else np.asarray(q).astype(float))
    places = [Fraction(0)]
    for kind in kinds:
        value = Fraction(float(next(values)))
        places.append(places[-1] + 1 + (value if kind == "prismatic" else 0))
    apart = [abs(y - x) - Fraction(r) - Fraction(s) for k, (x, r) in enumerate(zip(places, radii)) for y, s in zip(places[:k], radii)]
    least, slack = min(apart), Fraction(1, 10**12) * (1 + max(map(abs, places)))
    must(found.clearance[row] <= least + slack, f"state {row}: clearance {found.clearance[row]}, and it is {float(least)}")
    if least < clearance - slack:
        must(found.clearance[row] >= least - slack, f"state {row}: clearance {found.clearance[row]}, and it is {float(least)}")
    if abs(least) > slack:
        must((found.verdict[row] == 2) == (least < 0), f"state {row}: verdict {found.verdict[row]}, distance {float(least)}")


def object_motions(make):
    """Objects of python-fcl's names on their way to other transforms."""

    def place():
        turn = make.one((np.eye(3), make.array((4,)), make.rng.normal(size=4)))
        return fcl.Transform(turn, make.array((3,)) if make.once(4) else make.rng.integers(-8, 9, 3) / 2)

    one, other = (fcl.CollisionObject(geometry(make), place()) for _ in range(2))
    kind = make.one((0, 0, 1, 1, 2)) if not make.once(30) else make.one((3, *JUNK))
    request = fcl.ContinuousCollisionRequest(ccd_motion_type=kind, toc_err=make.one((1e-4, 1e-2, make.number() if make.once(9) else 1e-6)))
    result = fcl.ContinuousCollisionResult()
    time_of = fcl.continuousCollide(one, place(), other, place(), request, result)
    must(0 <= time_of <= 1 and time_of == result.time_of_contact, f"time {time_of}, {result.time_of_contact}")
    must(result.is_collide or time_of == 1, f"no contact at {time_of}")
    if fcl.collide(one, other):
        must(result.is_collide and time_of == 0, f"in contact at the start, and then at {time_of}")


CALLS = [
    (convex, (), 16),
    (meshes, (), 4),
    (objects, (ValueError,), 4),
    (object_motions, (ValueError, NotImplementedError), 2),
    (scenes, (), 2),
    (robots, (), 2),
    *((family, (), 3) for family in FAMILIES),
] + ([(tables, (), 4)] if pa else [])


def call(seed, number, family=None):
    """Makes a call; what is wrong with it, or nothing."""
    make = Maker(seed, number)
    calls = [entry for entry in CALLS if family in (None, entry[0].__name__)]
    weights = np.array([weight for *_, weight in calls], dtype=float)
    what, also, _ = calls[make.rng.choice(len(calls), p=weights / weights.sum())]
    try:
        refused(lambda: what(make), also)
    except BaseException as error:  # a panic is no `Exception`
        if isinstance(error, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{what.__name__}: {type(error).__name__}: {error} ({last.name}, line {last.lineno})"
    return None


def work(seed, family, numbers, at, findings):
    """A process: it says which call it is at."""
    warnings.simplefilter("error")
    for number in numbers:
        at.value = number
        told = call(seed, number, family)
        if told:
            findings.put((number, told))
    at.value = -1


def watched(given, numbers):
    """Runs calls in processes, and yields what is wrong."""
    findings = multiprocessing.SimpleQueue()
    running = []
    for k in range(given.processes):
        at = multiprocessing.Value("q", numbers.start, lock=False)
        process = multiprocessing.Process(target=work, args=(given.seed, given.family, numbers[k :: given.processes], at, findings))
        process.start()
        running.append([process, at, at.value, time.monotonic()])
    began = time.monotonic()
    while running:
        time.sleep(0.05)
        while not findings.empty():
            yield findings.get()
        for entry in list(running):
            process, at, seen, since = entry
            if at.value != seen:
                entry[2:] = at.value, time.monotonic()
            elif process.is_alive() and time.monotonic() - since > LIMIT:
                process.kill()
                process.join()
                yield at.value, f"does not end in {LIMIT:g} s; the rest of its process is left out"
            if not process.is_alive():
                running.remove(entry)
                if process.exitcode and process.exitcode != -9:
                    yield at.value, f"the process died with {process.exitcode}; the rest of it is left out"
        progress(max([at.value for _, at, *_ in running], default=numbers.stop) - numbers.start, len(numbers), began)
    while not findings.empty():
        yield findings.get()


def progress(done, total, began):
    if sys.stderr.isatty() and total:
        bar = "#" * (30 * done // total)
        print(f"\r[{bar:30}] {done} of {total} calls, {time.monotonic() - began:.0f} s", end="", file=sys.stderr)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--family", choices=[family.__name__ for family, *_ in CALLS], help="calls of one kind alone")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one call alone")
    given = parser.parse_args(arguments)
    numbers = range(given.calls) if given.only is None else range(given.only, given.only + 1)
    began, count = time.monotonic(), 0
    for number, told in watched(given, numbers):
        count += 1
        print(f"--seed {given.seed}{f' --family {given.family}' if given.family else ''} --only {number}: {told}", flush=True)
    print(f"{len(numbers)} calls, seed {given.seed}, {time.monotonic() - began:.0f} s: {count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
