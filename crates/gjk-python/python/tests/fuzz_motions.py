"""Random calls about motions, manifolds and gradients over rows, in space and in the plane: the families of `fuzz_calls.py` for them.

Each answer is held against itself, against the row alone, and where both bodies are balls against their closed forms in fractions.
"""

import json
from fractions import Fraction

import gjk
import numpy as np
from fuzz_maker import JUNK, OPTIONS, made_shapes, must, refused


class Sides:
    """A set of shapes of the plane or of space, with the parameters that both bodies of rows have."""

    def __init__(self, make):
        self.make = make
        self.is_planar = bool(make.once(3))
        self.dim = 2 if self.is_planar else 3
        self.shapes = planar_shapes(make) if self.is_planar else made_shapes(make)
        self.rows = int(make.rng.integers(1, 6)) if not make.once(12) else int(make.rng.integers(0, 90))
        self.kind = gjk.PlanarMotions if self.is_planar else gjk.Motions

    def ids(self):
        return self.make.ids(self.rows, len(self.shapes))

    def count(self):
        return 1 if self.make.once(4) else self.rows

    def pose(self):
        make = self.make
        if not self.is_planar:
            return make.pose(self.rows)
        rows, way = self.count(), make.rng.integers(4)
        if way == 0:
            return None
        if way == 1:
            matrix = np.tile(np.eye(3), (rows, 1, 1))
            matrix[:, :2] += make.rng.integers(-2, 3, (rows, 2, 3)) / 4
            return make.laid(matrix if make.once(2) else matrix[:, :2]) if not make.once(6) else make.array((rows, 3, 3))
        given = {}
        if not make.once(5):
            given["translation"] = make.array((rows, 2))
        if make.once(2):
            given["angle"] = make.array((rows,)) if not make.once(4) else make.number()
        return gjk.PlanarPoses(**given)

    def vectors(self):
        return self.make.array((self.count(), self.dim))

    def vertices(self, ids):
        """A vertex for each of those of the shape of each row, mostly."""
        counts = {"point": 1, "segment": 2, "triangle": 3}
        specs = json.loads(self.shapes.to_json())
        sizes = [len(spec["points"]) if spec["shape"] == "convex" else counts.get(spec["shape"], 2) for spec in specs]
        ids = np.asarray(ids)
        if ids.dtype.kind not in "iu" or self.make.once(8):
            return {"vertices": self.make.array((self.count(), 3, self.dim))}
        lengths = [sizes[k] if 0 <= k < len(sizes) else 1 for k in ids.reshape(-1).tolist()]
        given = {"vertices": self.make.array((sum(lengths), self.dim))}
        if len(lengths) != 1:
            given["offsets"] = np.concatenate([[0], np.cumsum(lengths)]) if not self.make.once(12) else self.make.array((len(lengths),))
        return given

    def motion(self, ids):
        make = self.make
        if make.once(5):
            return self.kind(**self.vertices(ids))
        if make.once(5):
            return None if not make.once(6) else make.one(JUNK)
        given = {}
        if make.once(4):
            given["to"] = self.pose()
            if make.once(3):
                given["rotation"] = make.one(["slerp", "nlerp"]) if not make.once(6) else make.one(JUNK)
        if "to" not in given or make.once(20):
            if not make.once(4):
                given["velocity"] = self.vectors()
            if not make.once(4):
                given["angular"] = make.array((self.count(),)) if self.is_planar else self.vectors()
        if make.once(3):
            given["center"] = self.vectors()
        return self.kind(**given)

    def policies(self):
        make, given = self.make, {}
        if make.once(2):
            given["max_time"] = make.one((1.0, 4.0, 0.0, 1000.0)) if not make.once(8) else make.number()
        if make.once(4):
            given["distance"] = make.one((0.5, 0.25, 1.0)) if not make.once(6) else make.number()
        for name, words in (("start", ("hit", "approach", "exit")), ("touch", ("counts", "passes"))):
            if make.once(4):
                given[name] = make.one(words) if not make.once(30) else make.one(JUNK)
        if given.get("start") == "approach" and self.rows > 3:
            # Of cylinders about one axis such a row may take seconds: each of some fifty contacts ends at the limit of its polytope.
            del given["start"]
        return {**given, **make.options()}


def planar_shapes(make):
    shapes = gjk.PlanarShapes()
    ways = (
        lambda: shapes.circle(make.length()),
        lambda: shapes.box(half_extents=(make.length(), make.length())),
        lambda: shapes.ellipse((make.length(), make.length())),
        lambda: shapes.capsule(half_height=make.length(), radius=make.length(), axis=make.one("xy") if not make.once(20) else make.one(("z", "", 1))),
        lambda: shapes.hull(make.array((int(make.rng.integers(1, 9)), 2))),
        lambda: shapes.segment(make.vector()[:2], make.vector()[:2]),
        lambda: shapes.triangle(make.vector()[:2], make.vector()[:2], make.vector()[:2]),
        lambda: shapes.rounded(int(make.rng.integers(-1, 4)), radius=make.length()),
    )
    for _ in range(int(make.rng.integers(1, 5))):
        refused(make.one(ways))
    if not len(shapes):
        shapes.circle(0.5)
    if make.once(10):
        must(gjk.PlanarShapes.from_json(shapes.to_json()) == shapes, "shapes are others after JSON")
    return shapes


def columns(found):
    return {name: of for name, of in vars(found).items() if isinstance(of, np.ndarray)}


def check_columns(found, dim, codes):
    """What all kinds of answers are held to; which rows are right."""
    n = len(found)
    repr(found)
    wrong = found.verdict == 255
    must(sorted(found.errors) == np.flatnonzero(wrong).tolist(), f"wrong rows {np.flatnonzero(wrong)}, told {sorted(found.errors)}")
    must(np.isin(found.verdict, [*range(codes), 255]).all(), f"verdicts {found.verdict}")
    for name, of in columns(found).items():
        if len(of) == n and of.dtype == np.float64 and not name.startswith(("vertex_", "point_", "separation_")):
            must(np.isnan(of[wrong]).all(), f"a number in a wrong row of {name}")
        if name in ("normal",):
            lengths = np.linalg.norm(of, axis=1)
            must(of.shape == (n, dim) and (np.isnan(lengths) | (np.abs(lengths - 1) < 1e-6)).all(), f"normals {of}")
    return ~wrong


def ends_in_order(lower, upper, what):
    must((np.isnan(lower) == np.isnan(upper)).all() and not (lower > upper).any(), f"{what} from {lower} to {upper}")


def picked(given, row, count):
    """One row of a parameter."""
    if given is None:
        return None
    if isinstance(given, (gjk.Poses, gjk.PlanarPoses, gjk.Motions, gjk.PlanarMotions)):
        kind, parts = type(given), given._parameters
        if "vertices" in parts:
            offsets = parts["offsets"]
            k = row if len(offsets) > 2 else 0
            return kind(vertices=parts["vertices"][offsets[k] : offsets[k + 1]])
        return kind(**{name: picked(of, row, count) for name, of in parts.items()})
    array = np.asarray(given)
    return array[[row if len(array) > 1 else 0]] if array.ndim else array


def id_of(given, row):
    flat = np.asarray(given).reshape(-1)
    return int(flat[row if len(flat) > 1 else 0])


def check_alone(make, found, alone):
    """A row is what it is alone."""
    if not len(found):
        return
    k = int(make.rng.integers(len(found)))
    one = alone(k)
    ragged = {"offsets": "offsets", "vertex_offsets": "vertex_offsets"}
    for name, of in columns(found).items():
        other = getattr(one, name)
        if name in ragged:
            must(of[k + 1] - of[k] == other[1] - other[0], f"row {k} alone: {name}")
            continue
        if name.startswith("vertex_"):
            of = of[found.vertices_of(k)]
        elif isinstance(found, gjk.Manifolds) and name in ("point_a", "point_b", "separation_lower", "separation_upper", "id", "exchanged_id"):
            of = of[found.points_of(k)]
        else:
            of = of[[k]]
        must(np.array_equal(of, other, equal_nan=of.dtype.kind == "f"), f"row {k} alone: {name} {of}, {other}")


def rows_given(given, sides):
    """A parameter as rows of numbers, where it is some."""
    return np.asarray(given, dtype=float).reshape(-1, sides.dim)


def check_motions(found, sides, given):
    right = check_columns(found, sides.dim, 6)
    verdict = found.verdict[right]
    for pair in (("time_lower", "time_upper"), ("exit_lower", "exit_upper"), ("signed_lower", "signed_upper")):
        ends_in_order(*(getattr(found, name)[right] for name in pair), pair[0])
    lower, upper = found.time_lower[right], found.time_upper[right]
    must(np.isnan(lower[verdict == 0]).all(), "free, and at a time")
    timed = np.isin(verdict, [1, 2, 3, 4])
    must(not np.isnan(lower[timed]).any() and (lower[timed] >= 0).all(), f"times {lower[timed]}")
    starts = np.isin(verdict, [2, 3])
    must((lower[starts] == 0).all() and (upper[starts] == 0).all(), "a start in contact at another time")
    end = given.get("max_time", 1.0 if "motion_a" in given or "motion_b" in given else None)
    if end is not None:
        hits = verdict == 1
        must((lower[hits] <= float(np.asarray(end).reshape(-1)[0])).all(), f"hits at {lower[hits]}, after the end {end}")
    must(all(isinstance(name, str) for name in found.stop_names() + found.verdict_names()), "a code without a word")
    must((found.stop[right] < 255).all(), f"stops {found.stop[right]}")
    must(not found.grazing[right][np.isin(verdict, [3])].any(), "overlapping, and grazing")


def check_hits(make, found):
    """The order of hits is that of their times, by what they are of; the first are those that no other is surely before."""
    n = len(found)
    of = make.rng.integers(-2, 3, n) if not make.once(3) else None
    hits = gjk.all_hits(found, of)
    names = np.zeros(n, int) if of is None else of
    starts = np.isin(found.verdict, [2, 3, 4])
    begin = np.where(starts, 0.0, np.where(np.isnan(found.time_lower), 0.0, found.time_lower))
    end = np.where(starts, 0.0, np.where(np.isnan(found.time_upper), np.inf, found.time_upper))
    rows, first = [], []
    for name in sorted(set(names.tolist())):
        here = [k for k in range(n) if names[k] == name and found.verdict[k] not in (0, 255)]
        here.sort(key=lambda k: (begin[k], end[k]))
        rows += here
        first += [bool(begin[k] <= min(end[j] for j in here)) for k in here]
    must(hits.of.tolist() == sorted(set(names.tolist())) and hits.rows.tolist() == rows, f"hits of {names}: {hits.rows}, truth {rows}")
    must(hits.first.tolist() == first and hits.offsets[-1] == len(rows), f"first of {rows}: {hits.first}, truth {first}")


def ball_of(sides, ids, poses, row):
    """Radius and place of a ball of a row, if it is one that is not stretched."""
    spec = json.loads(sides.shapes.to_json())[id_of(ids, row)]
    if spec["shape"] != "ball":
        return None
    if poses is None:
        return Fraction(spec["radius"]), [Fraction(0)] * sides.dim
    if not isinstance(poses, (gjk.Poses, gjk.PlanarPoses)) or "matrix" in poses._parameters:
        return None
    moved = poses._parameters.get("translation", np.zeros((1, sides.dim)))
    return Fraction(spec["radius"]), [Fraction(x) for x in moved[row if len(moved) > 1 else 0]]


def check_meeting(found, row, reach, apart, move, end, slack=0):
    """Balls that are so far apart and move so, in fractions, with default policies. `slack` is that of times, in parts of them."""
    a, b = sum(v * v for v in move), sum(v * s for v, s in zip(move, apart))
    c = sum(s * s for s in apart) - reach * reach
    verdict = gjk.Meeting(int(found.verdict[row]))
    if found.stop_names()[row] == "overflow":
        # Bodies and motions beyond the range of floats.
        must(verdict == gjk.Meeting.UNDECIDED, f"balls in row {row}: {verdict.name}, beyond the range of floats")
        return
    if c <= 0:
        right = gjk.Meeting.STARTS_OVERLAPPING if c < 0 else gjk.Meeting.STARTS_TOUCHING
        must(verdict == right, f"balls in row {row}: {verdict.name}, truth {right.name}")
        return
    must(verdict in (0, 1, 5), f"balls in row {row} are apart: {verdict.name}")

    def gap(t):
        return a * t * t + 2 * b * t + c

    meets = a > 0 and b < 0 and b * b >= a * c and (end is None or -b / a <= end or gap(end) <= 0)
    if verdict != gjk.Meeting.UNDECIDED:
        must((verdict == gjk.Meeting.HITS) == meets, f"balls in row {row}: {verdict.name}, meets {meets}")
    lower, upper = found.time_lower[row], found.time_upper[row]
    if not meets or not np.isfinite(lower):
        return
    low = Fraction(lower) * (1 - slack)
    must(low <= -b / a and gap(low) >= 0, f"balls in row {row}: time from {lower}, and they meet before")
    if np.isfinite(upper):
        high = Fraction(upper) * (1 + slack)
        must(high >= -b / a or gap(high) <= 0, f"balls in row {row}: time to {upper}, and they do not meet until then")


def is_plain(options):
    return options.get("start", "hit") == "hit" and options.get("touch", "counts") == "counts"


def reach_of(options):
    return Fraction(float(np.asarray(options.get("distance", 0.0)).reshape(-1)[0]))


def end_of(options, usual=None):
    end = options.get("max_time", usual)
    end = None if end is None else float(np.asarray(end).reshape(-1)[0])
    return None if end is None or end == np.inf else Fraction(end)


def rays(make):
    sides = Sides(make)
    body, at = sides.ids(), sides.pose()
    origin, direction, options = sides.vectors(), sides.vectors(), sides.policies()
    found = gjk.ray_cast(sides.shapes, body, origin, direction, at, **options)
    check_motions(found, sides, options)
    check_hits(make, found)
    plain = {name: of for name, of in options.items() if name not in ("errors", "threads")}
    check_alone(
        make,
        found,
        lambda k: gjk.ray_cast(
            sides.shapes, id_of(body, k), row_vector(origin, sides, k), row_vector(direction, sides, k), picked(at, k, len(found)), errors="column", threads=1, **plain
        ),
    )
    for k in range(min(len(found), 4) if is_plain(options) else 0):
        ball = None if k in found.errors else ball_of(sides, body, at, k)
        if ball is not None:
            start, move = ([Fraction(x) for x in row_vector(of, sides, k)[0]] for of in (origin, direction))
            check_meeting(found, k, ball[0] + reach_of(options), [s - c for s, c in zip(start, ball[1])], move, end_of(options))


def row_vector(given, sides, row):
    array = rows_given(given, sides)
    return array[[row if len(array) > 1 else 0]]


def both_balls(sides, bodies, poses, row):
    balls = [ball_of(sides, ids, at, row) for ids, at in zip(bodies, poses)]
    if None in balls:
        return None
    (r, s), (q, t) = balls
    return r + q, [y - x for x, y in zip(s, t)]


def casts(make):
    sides = Sides(make)
    bodies, poses, options = (sides.ids(), sides.ids()), (sides.pose(), sides.pose()), sides.policies()
    moves = [sides.vectors() if not make.once(4) else None for _ in range(2)]
    found = gjk.shape_cast(sides.shapes, *bodies, *poses, velocity_a=moves[0], velocity_b=moves[1], **options)
    check_motions(found, sides, options)
    check_hits(make, found)
    plain = {name: of for name, of in options.items() if name not in ("errors", "threads")}

    def alone(k):
        first, second = (None if of is None else row_vector(of, sides, k) for of in moves)
        at = [picked(of, k, len(found)) for of in poses]
        ids = [id_of(of, k) for of in bodies]
        return gjk.shape_cast(sides.shapes, *ids, *at, velocity_a=first, velocity_b=second, errors="column", threads=1, **plain)

    check_alone(make, found, alone)
    for k in range(min(len(found), 4) if is_plain(options) else 0):
        balls = None if k in found.errors else both_balls(sides, bodies, poses, k)
        if balls is not None:
            v, w = ([Fraction(0)] * sides.dim if of is None else [Fraction(x) for x in row_vector(of, sides, k)[0]] for of in moves)
            check_meeting(found, k, balls[0] + reach_of(options), balls[1], [y - x for x, y in zip(v, w)], end_of(options))


def impacts(make):
    sides = Sides(make)
    bodies, poses, options = (sides.ids(), sides.ids()), (sides.pose(), sides.pose()), sides.policies()
    motions = sides.motion(bodies[0]), sides.motion(bodies[1])
    options["pieces_max"] = make.one((10, 50, 200)) if not make.once(20) else make.one((0, -1, 2**40, 1.5, *JUNK))
    if make.once(4):
        options["time_resolution"] = make.one((1e-3, 1e-6, 0.0)) if not make.once(8) else make.number()
    found = gjk.time_of_impact(sides.shapes, *bodies, *poses, motion_a=motions[0], motion_b=motions[1], **options)
    check_motions(found, sides, {"motion_a": motions[0], **options})
    check_hits(make, found)
    plain = {name: of for name, of in options.items() if name not in ("errors", "threads")}

    def alone(k):
        first, second = (picked(of, k, len(found)) for of in motions)
        at = [picked(of, k, len(found)) for of in poses]
        ids = [id_of(of, k) for of in bodies]
        return gjk.time_of_impact(sides.shapes, *ids, *at, motion_a=first, motion_b=second, errors="column", threads=1, **plain)

    check_alone(make, found, alone)
    for k in range(min(len(found), 4) if is_plain(options) else 0):
        balls = None if k in found.errors else both_balls(sides, bodies, poses, k)
        lines = [None if balls is None else line_of(of, sides, k) for of in motions]
        if None not in lines:
            move = [y - x for x, y in zip(*lines)]
            check_meeting(found, k, balls[0] + reach_of(options), balls[1], move, end_of(options, 1.0), Fraction(1, 2**40))


def line_of(motion, sides, row):
    """The velocity of a ball whose turn moves it nowhere."""
    if motion is None:
        return [Fraction(0)] * sides.dim
    if not motion._parameters.keys() <= {"velocity", "angular"}:
        return None
    velocity = motion._parameters.get("velocity", np.zeros((1, sides.dim)))
    return [Fraction(x) for x in velocity[row if len(velocity) > 1 else 0]]


def manifolds(make):
    sides = Sides(make)
    bodies, poses, options = (sides.ids(), sides.ids()), (sides.pose(), sides.pose()), make.options()
    if make.once(2):
        options["prediction"] = make.one((0.5, 1.0, 4.0)) if not make.once(8) else make.number()
    if make.once(2):
        options["points_max"] = make.one((1, 2, 3, 8, "all")) if not make.once(10) else make.one((0, 65, 1.5, *JUNK))
    if make.once(4):
        options["cos_max_tilt"] = make.one((0.5, 0.9, 1.0)) if not make.once(8) else make.number()
    found = gjk.manifold(sides.shapes, *bodies, *poses, **options)
    right = check_columns(found, sides.dim, 4)
    ends_in_order(found.lower[right], found.upper[right], "signed distances")
    offsets, m = found.offsets, len(found.id)
    must(offsets[0] == 0 and offsets[-1] == m and (found.counts >= 0).all() and len(offsets) == len(found) + 1, f"offsets {offsets}, {m} points")
    must(found.point_a.shape == found.point_b.shape == (m, sides.dim) and len(found.exchanged_id) == m, "columns of points")
    must(not found.counts[~right].any() and (found.kind[~right] == 255).all(), "points of a wrong row")
    most = options.get("points_max", 4)
    must(most == "all" or (found.counts <= most).all(), f"{found.counts} points of at most {most}")
    ends_in_order(found.separation_lower, found.separation_upper, "separations")
    prediction = float(np.asarray(options.get("prediction", 0.0)).reshape(-1)[0])
    huge = ~(np.isfinite(found.lower) & np.isfinite(found.upper))
    must(((found.counts == 0) == (found.lower > prediction))[right & ~huge].all(), f"counts {found.counts}, distances from {found.lower}, prediction {prediction}")
    for k in range(min(len(found), 4)):
        ids = found.id[found.points_of(k)].tolist()
        must(len(set(ids)) == len(ids) or sides.is_planar, f"row {k}: ids {ids}")
    verdict = gjk.classify(sides.shapes, *bodies, *poses, errors="column").verdict
    must(np.array_equal(found.verdict, verdict), f"verdicts {found.verdict}, of classify {verdict}")
    plain = {name: of for name, of in options.items() if name not in ("errors", "threads")}

    def alone(k):
        at = [picked(of, k, len(found)) for of in poses]
        return gjk.manifold(sides.shapes, *(id_of(of, k) for of in bodies), *at, errors="column", threads=1, **plain)

    check_alone(make, found, alone)


def gradients(make):
    sides = Sides(make)
    bodies, poses, options = (sides.ids(), sides.ids()), (sides.pose(), sides.pose()), make.options()
    along = None
    if make.once(2):
        along = (sides.motion(bodies[0]), sides.motion(bodies[0])) if not make.once(20) else make.one(JUNK)
    found = gjk.gradient(sides.shapes, *bodies, *poses, along=along, **options)
    right = check_columns(found, sides.dim, 4)
    ends_in_order(found.lower[right], found.upper[right], "signed distances")
    dim, wide = sides.dim, 3 if sides.is_planar else 6
    must(found.gradient_a.shape == found.gradient_b.shape == (len(found), wide), "columns of gradients")
    must(np.array_equal(found.gradient_b[right, :dim], found.normal[right]), "by B's place, and not the normal")
    must(np.array_equal(found.gradient_a[right, :dim], -found.normal[right]), "by A's place, and not minus the normal")
    must(not (found.unique & (np.diff(found.vertex_offsets) > 0)).any(), "unique, and one of several")
    must(not found.unique[~right].any() and not np.diff(found.vertex_offsets)[~right].any(), "a gradient of a wrong row")
    must((along is None) == (found.along_lower is None), "a rate that was not asked for")
    if along is not None:
        ends_in_order(found.along_lower, found.along_upper, "rates")
    verdict = gjk.classify(sides.shapes, *bodies, *poses, errors="column").verdict
    # Motions may have more rows than the bodies.
    verdict = np.broadcast_to(verdict, len(found))
    must(np.array_equal(found.verdict[right], verdict[right]), f"verdicts {found.verdict}, of classify {verdict}")

    def alone(k):
        at = [picked(of, k, len(found)) for of in poses]
        pair = None if along is None else tuple(picked(of, k, len(found)) for of in along)
        return gjk.gradient(sides.shapes, *(id_of(of, k) for of in bodies), *at, along=pair, errors="column", threads=1)

    check_alone(make, found, alone)


FAMILIES = (rays, casts, impacts, manifolds, gradients)
