"""The truth about one pair of convex bodies, computed slowly and without any of the library's code.

`answer(case)` takes one line of the query format (a dict read by `load_cases`) and says what is so:
verdict, signed distance (with the interval it is known to), and the right normals.

How it knows
  Numbers   are read as decimals and rounded once to the case's scalar; from there on they are `Fraction`s. A quaternion is homogenised
            (its matrix divided by |q|^2) and a 2D angle becomes a rational tangent of the half angle (60 digits), so every
            rotation here is exactly orthogonal and rational.
  Bodies    are trees of Poly (points), BallMap (a linear image of the unit ball: ball, disc, ellipsoid), Sum, and Hull. A capsule is
            segment + ball, a cylinder segment + disc, a cone the hull of a disc and its apex.
  Exact     When both bodies are points plus a ball (polytope, ball, capsule, rounded polytope) everything is decided in rationals:
            - distance: the minimum-norm point v of M = A - B, found by growing a simplex and accepted only when every vertex w of M
              has v.w >= v.v, which proves it;
            - depth: the least h(n)/|n| over a superset of M's facet normals (all cross products of differences of A's points and
              of B's points), h the support function of M;
            - radii enter by comparing squares.
  Smooth    pairs get an interval: apart, the same loop in 50 digits with lower bound v.w/|v| and upper bound |v|; overlapping, an inner
            polytope grown towards the nearest facet (Qhull) for the lower bound and h(n), polished, for the upper.
            signed distance = max over unit n of -(h_A(n) + h_B(-n)) in both cases.

`python oracle.py selftest` checks the exact part against brute force over all features, and the smooth part against closed forms.
"""

import itertools
import json
import math
import sys
import time
from decimal import Decimal
from fractions import Fraction as F

import mpmath as mp
import numpy as np

mp.mp.dps = 50

# ---------------------------------------------------------------- numbers


def round_to(scalar, number):
    """The float of `scalar` nearest to a decimal number, ties to even, as a Fraction. Raises on overflow."""
    exact = F(number)
    value = float(exact)  # correctly rounded by CPython
    if scalar == "f64":
        if math.isinf(value):
            raise OverflowError(number)
        return F(value)
    with np.errstate(over="ignore", under="ignore"):
        near = np.float32(value)
        around = [near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf))]
    around = [c for c in around if np.isfinite(c)]
    if np.isinf(near) or not around:
        raise OverflowError(number)
    even = lambda c: int(np.float32(c).view(np.uint32)) & 1
    best = min(around, key=lambda c: (abs(F(float(c)) - exact), even(c)))
    return F(float(best))


def to_mp(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, F) else mp.mpf(x)


def sqrt_exact(q):
    """The square root of a Fraction when it is rational, else None."""
    n, d = math.isqrt(q.numerator), math.isqrt(q.denominator)
    return F(n, d) if n * n == q.numerator and d * d == q.denominator else None


def root(q):
    """sqrt of a Fraction: a Fraction when rational, else an mpf."""
    r = sqrt_exact(q)
    return r if r is not None else mp.sqrt(to_mp(q))


def root_f(q):
    """sqrt of a Fraction as an mpf."""
    return mp.sqrt(to_mp(q))


# ---------------------------------------------------------------- small vectors (any number type)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def neg(a):
    return tuple(-x for x in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def mat_vec(m, v):
    return tuple(dot(row, v) for row in m)


def mat_mul(a, b):
    cols = list(zip(*b))
    return [[dot(row, col) for col in cols] for row in a]


def transpose(m):
    return [list(row) for row in zip(*m)]


def rank(vectors):
    """Rank over the rationals."""
    rows = [list(map(F, v)) for v in vectors]
    r = 0
    for col in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(r, len(rows)) if rows[i][col] != 0), None)
        if pivot is None:
            continue
        rows[r], rows[pivot] = rows[pivot], rows[r]
        for i in range(r + 1, len(rows)):
            if rows[i][col] != 0:
                k = rows[i][col] / rows[r][col]
                rows[i] = [x - k * y for x, y in zip(rows[i], rows[r])]
        r += 1
    return r


def primitive(v):
    """The integer vector with no common factor along v (v of ints), or None for zero."""
    g = math.gcd(*v)
    return tuple(x // g for x in v) if g else None


# ---------------------------------------------------------------- bodies


class Poly:
    """The hull of points."""

    def __init__(self, points):
        self.points = list(dict.fromkeys(points))

    def mapped(self, m, t):
        return Poly([add(mat_vec(m, p), t) for p in self.points])

    def support_mp(self, n):
        if not hasattr(self, "_mp"):
            self._mp = [tuple(map(to_mp, p)) for p in self.points]
        return max(self._mp, key=lambda p: dot(p, n))

    def supports(self, n):
        if not hasattr(self, "_np"):
            self._np = np.array([[float(x) for x in p] for p in self.points])
        return self._np[np.argmax(n @ self._np.T, axis=1)]


class BallMap:
    """The image of the unit ball under a matrix, centred at the origin."""

    def __init__(self, m):
        self.m = [list(row) for row in m]

    def mapped(self, m, t):
        image = BallMap(mat_mul(m, self.m))
        return Sum([Poly([tuple(t)]), image])

    def support_mp(self, n):
        if not hasattr(self, "_mp"):
            self._mp = [[to_mp(x) for x in row] for row in self.m]
        local = mat_vec(transpose(self._mp), n)
        length = mp.sqrt(dot(local, local))
        if length == 0:
            return tuple(mp.mpf(0) for _ in n)
        return mat_vec(self._mp, tuple(x / length for x in local))

    def supports(self, n):
        m = np.array([[float(x) for x in row] for row in self.m])
        local = n @ m
        length = np.linalg.norm(local, axis=1, keepdims=True)
        return np.divide(local, length, out=np.zeros_like(local), where=length > 0) @ m.T

    def radius(self):
        """r when this is a ball of rational radius r, else None."""
        g = mat_mul(self.m, transpose(self.m))
        d = len(g)
        if any(g[i][j] != (g[0][0] if i == j else 0) for i in range(d) for j in range(d)):
            return None
        return sqrt_exact(g[0][0])


class Sum:
    def __init__(self, parts):
        self.parts = parts

    def mapped(self, m, t):
        zero = tuple(F(0) for _ in t)
        return Sum([p.mapped(m, t if i == 0 else zero) for i, p in enumerate(self.parts)])

    def support_mp(self, n):
        out = self.parts[0].support_mp(n)
        for p in self.parts[1:]:
            out = add(out, p.support_mp(n))
        return out

    def supports(self, n):
        return sum(p.supports(n) for p in self.parts)


class Hull:
    def __init__(self, parts):
        self.parts = parts

    def mapped(self, m, t):
        return Hull([p.mapped(m, t) for p in self.parts])

    def support_mp(self, n):
        return max((p.support_mp(n) for p in self.parts), key=lambda p: dot(p, n))

    def supports(self, n):
        all_ = np.stack([p.supports(n) for p in self.parts])
        best = np.argmax(np.einsum("kij,ij->ki", all_, n), axis=0)
        return all_[best, np.arange(len(n))]


def simplified(body):
    """Flattens sums, merges points: Poly, or Sum([Poly?, BallMap.., Hull..])."""
    if isinstance(body, (Poly, BallMap)):
        return body
    parts = [simplified(p) for p in body.parts]
    if isinstance(body, Hull):
        if all(isinstance(p, Poly) for p in parts):
            return Poly([q for p in parts for q in p.points])
        return parts[0] if len(parts) == 1 else Hull(parts)
    flat = [q for p in parts for q in (p.parts if isinstance(p, Sum) else [p])]
    polys = [p for p in flat if isinstance(p, Poly)]
    rest = [p for p in flat if not isinstance(p, Poly)]
    rest = [p for p in rest if not (isinstance(p, BallMap) and all(x == 0 for row in p.m for x in row))]
    if polys:
        points = polys[0].points
        for p in polys[1:]:
            points = list(dict.fromkeys(add(x, y) for x in points for y in p.points))
        rest = [Poly(points)] + rest
    return rest[0] if len(rest) == 1 else Sum(rest)


def core_and_radius(body, dim):
    """(points, radius) when the body is a polytope plus a ball, else None."""
    body = simplified(body)
    parts = body.parts if isinstance(body, Sum) else [body]
    points, total = [tuple([F(0)] * dim)], F(0)
    for p in parts:
        if isinstance(p, Poly):
            points = p.points
        elif isinstance(p, BallMap):
            r = p.radius()
            if r is None:
                return None
            total += r
        else:
            return None
    return points, total


# ---------------------------------------------------------------- reading a case


AXES = {"x": 0, "y": 1, "z": 2}


def read_shape(s, dim, num):
    kind = s["shape"]
    vec = lambda v: tuple(num(x) for x in v)
    zero = tuple([F(0)] * dim)
    diag = lambda v: [[v[i] if i == j else F(0) for j in range(dim)] for i in range(dim)]

    def along(k, x):
        return tuple(x if i == k else F(0) for i in range(dim))

    def across(k, r):
        return diag([F(0) if i == k else r for i in range(dim)])

    if kind == "point":
        return Poly([vec(s["point"])])
    if kind == "segment":
        return Poly([vec(s["a"]), vec(s["b"])])
    if kind == "triangle":
        return Poly([vec(s["a"]), vec(s["b"]), vec(s["c"])])
    if kind == "convex":
        return Poly([vec(p) for p in s["points"]])
    if kind == "ball":
        return Sum([Poly([zero]), BallMap(diag([num(s["radius"])] * dim))])
    if kind == "ellipsoid":
        return Sum([Poly([zero]), BallMap(diag(vec(s["radii"])))])
    if kind == "box":
        h = vec(s["half_extents"])
        # corner k has +h on axis i when bit i of k is set
        return Poly([tuple(h[i] if k >> i & 1 else -h[i] for i in range(dim)) for k in range(1 << dim)])
    if kind in ("capsule", "cylinder", "cone"):
        k, h, r = AXES[s["axis"]], num(s["half_height"]), num(s["radius"])
        ends = Poly([along(k, -h), along(k, h)])
        if kind == "capsule":
            return Sum([ends, BallMap(diag([r] * dim))])
        if kind == "cylinder":
            return Sum([ends, BallMap(across(k, r))])
        return Hull([Poly([along(k, h)]), Sum([Poly([along(k, -h)]), BallMap(across(k, r))])])
    if kind == "rounded":
        return Sum([read_shape(s["core"], dim, num), BallMap(diag([num(s["radius"])] * dim))])
    if kind == "sum":
        return Sum([read_shape(p, dim, num) for p in s["of"]])
    if kind == "hull_of":
        return Hull([read_shape(p, dim, num) for p in s["of"]])
    raise ValueError(f"shape {kind}")


def quaternion_matrix(q):
    x, y, z, w = q
    n = dot(q, q)
    return [
        [(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
        [2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n],
        [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n],
    ]


def angle_matrix(angle):
    """A rational rotation within 1e-45 of the angle (exactly orthogonal)."""
    t = mp.tan(to_mp(angle) / 2)
    k = 10**46
    t = F(int(mp.nint(t * k)), k)
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    return [[c, -s], [s, c]]


def read_pose(pose, dim, num):
    """(matrix, translation) of a pose: scale first, then rotation, then translation."""
    m = [[F(int(i == j)) for j in range(dim)] for i in range(dim)]
    t = tuple([F(0)] * dim)
    if "translation" in pose:
        t = tuple(num(x) for x in pose["translation"])
    if "rotation_matrix" in pose:
        m = [[num(x) for x in row] for row in pose["rotation_matrix"]]
    elif "rotation" in pose:
        r = pose["rotation"]
        m = quaternion_matrix([num(x) for x in r]) if dim == 3 else angle_matrix(num(r))
    if "scale" in pose:
        s = [num(x) for x in pose["scale"]]
        m = [[m[i][j] * s[j] for j in range(dim)] for i in range(dim)]
    return m, t


def read_body(spec, dim, scalar):
    num = lambda x: round_to(scalar, x)
    shape = read_shape(spec, dim, num)
    m, t = read_pose(spec.get("pose", {}), dim, num)
    return simplified(shape.mapped(m, t))


def read_pair(case):
    dim, scalar = int(case.get("dim", 3)), case.get("scalar", "f64")
    return read_body(case["a"], dim, scalar), read_body(case["b"], dim, scalar), dim


def loads(text):
    """JSON with every number kept as written."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def load_cases(path):
    with open(path, encoding="utf-8") as f:
        return [loads(line) for line in f if line.strip()]


# ---------------------------------------------------------------- exact: distance


def nearest_in_hull(points):
    """(v, subset, weights): the least-norm point of the hull of at most dim+1 points, over the rationals (or mpf)."""
    best = None
    n = len(points)
    for size in range(1, n + 1):
        for subset in itertools.combinations(range(n), size):
            base = points[subset[0]]
            edges = [sub(points[i], base) for i in subset[1:]]
            weights = solve_gram(edges, base)
            if weights is None or any(w < 0 for w in weights):
                continue
            v = base
            for w, e in zip(weights[1:], edges):
                v = add(v, tuple(w * x for x in e))
            q = dot(v, v)
            if best is None or q < best[0]:
                best = (q, v, subset, weights)
    return best[1], best[2], best[3]


def solve_gram(edges, base):
    """Weights of the affine hull's least-norm point; None when the points are affinely dependent."""
    k = len(edges)
    if k == 0:
        return [1]
    rows = [[dot(edges[i], edges[j]) for j in range(k)] + [-dot(edges[i], base)] for i in range(k)]
    for c in range(k):
        p = max(range(c, k), key=lambda i: abs(rows[i][c]))
        if rows[p][c] == 0:
            return None
        rows[c], rows[p] = rows[p], rows[c]
        for i in range(k):
            if i != c and rows[i][c] != 0:
                f = rows[i][c] / rows[c][c]
                rows[i] = [x - f * y for x, y in zip(rows[i], rows[c])]
    tail = [rows[i][k] / rows[i][i] for i in range(k)]
    return [1 - sum(tail)] + tail


def min_norm_exact(a, b):
    """The least-norm point of conv(a) - conv(b), a and b lists of Fraction points. Proven by its own stop rule."""
    simplex = [sub(a[0], b[0])]
    while True:
        v, subset, _ = nearest_in_hull(simplex)
        vv = dot(v, v)
        if vv == 0:
            return v
        simplex = [simplex[i] for i in subset]
        w = sub(min(a, key=lambda p: dot(p, v)), max(b, key=lambda p: dot(p, v)))
        if dot(v, w) >= vv:
            return v
        simplex.append(w)


# ---------------------------------------------------------------- exact: classification and depth


def to_integers(a, b):
    """Both point sets times one common integer; returns (a, b, scale)."""
    scale = 1
    for p in itertools.chain(a, b):
        for x in p:
            scale = scale * x.denominator // math.gcd(scale, x.denominator)
    up = lambda s: [tuple(int(x * scale) for x in p) for p in s]
    return up(a), up(b), scale


def hull_vertices(points, dim):
    """Drops points that cannot be vertices when there are many (a superset of the vertices stays)."""
    if len(points) <= 12 or rank([sub(p, points[0]) for p in points[1:]]) < dim:
        return points
    from scipy.spatial import ConvexHull

    x = np.array([[float(c) for c in p] for p in points])
    x = (x - x.mean(axis=0)) / np.abs(x - x.mean(axis=0)).max()
    hull = ConvexHull(x)
    inside = np.max(x @ hull.equations[:, :-1].T + hull.equations[:, -1], axis=1) < -1e-9
    return [p for p, i in zip(points, inside) if not i]


def edge_directions(points, dim):
    """A superset of the hull's edge directions, as primitive integer vectors up to sign."""
    pairs = itertools.combinations(range(len(points)), 2)
    if len(points) > 40 and dim == 3:
        from scipy.spatial import ConvexHull

        x = np.array([[float(c) for c in p] for p in points])
        x = (x - x.mean(axis=0)) / np.abs(x - x.mean(axis=0)).max()
        pairs = {tuple(sorted(e)) for t in ConvexHull(x, qhull_options="Qt").simplices for e in itertools.combinations(t, 2)}
    out = set()
    for i, j in pairs:
        e = primitive(sub(points[i], points[j]))
        if e is not None:
            out.add(max(e, neg(e)))
    return list(out)


def candidate_normals(a, b, dim):
    """A superset of the facet normals of conv(a) - conv(b), primitive integer vectors, both signs."""
    dirs = list(set(edge_directions(a, dim)) | set(edge_directions(b, dim)))
    if dim == 2:
        half = {primitive((-e[1], e[0])) for e in dirs}
    elif len(dirs) <= 220:
        half = {primitive(cross(e, f)) for e, f in itertools.combinations(dirs, 2)} - {None}
    else:
        half = filtered_normals(dirs, a, b)
    return list(half | {neg(n) for n in half})


def filtered_normals(dirs, a, b):
    """As candidate_normals, for many directions: floats discard those whose h(n)/|n| is clearly not the least."""
    d = np.array([[float(x) for x in e] for e in dirs])
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    pa, pb = (np.array([[float(x) for x in p] for p in s]) for s in (a, b))
    size = max(np.abs(pa).max(), np.abs(pb).max())
    kept, best, keep = [], np.inf, []
    for i in range(len(dirs) - 1):
        n = np.cross(d[i], d[i + 1 :])
        length = np.linalg.norm(n, axis=1)
        safe = length > 1e-6
        n = n / np.where(safe, length, 1)[:, None]
        pos, negt = (n @ pa.T).max(1) - (n @ pb.T).min(1), (n @ pb.T).max(1) - (n @ pa.T).min(1)
        h = np.minimum(pos, negt)
        best = min(best, h[safe].min(initial=np.inf))
        for k in np.nonzero(~safe | (h < best + 1e-6 * size))[0]:
            keep.append((i, i + 1 + k, h[k] if safe[k] else -np.inf))
    out = set()
    for i, j, h in keep:
        if h < best + 1e-6 * size:
            out.add(primitive(cross(dirs[i], dirs[j])))
    return out - {None}


def support_int(points, n):
    return max(dot(p, n) for p in points)


def is_facet(a, b, n, dim):
    """Whether the face of conv(a) - conv(b) in direction n has dimension dim - 1."""
    ha, hb = support_int(a, n), support_int(b, neg(n))
    fa = [p for p in a if dot(p, n) == ha]
    fb = [p for p in b if -dot(p, n) == hb]
    edges = [sub(p, fa[0]) for p in fa[1:]] + [sub(p, fb[0]) for p in fb[1:]]
    return bool(edges) and rank(edges) == dim - 1


def in_relative_interior(a, b, dim):
    """Whether 0 is in the relative interior of the flat conv(a) - conv(b) that contains 0; drops a coordinate and recurses."""
    edges = [sub(p, a[0]) for p in a[1:]] + [sub(p, b[0]) for p in b[1:]]
    r = rank(edges) if edges else 0
    if r == 0:
        return True
    if dim == 1:
        return min(p[0] for p in a) < max(p[0] for p in b) and min(p[0] for p in b) < max(p[0] for p in a)
    if r == dim:
        return all(support_int(a, n) + support_int(b, neg(n)) > 0 for n in candidate_normals(a, b, dim))
    for k in range(dim):
        drop = lambda p: p[:k] + p[k + 1 :]
        if rank([drop(e) for e in edges]) == r:
            return in_relative_interior([drop(p) for p in a], [drop(p) for p in b], dim - 1)
    raise AssertionError


def polytopes(a, b, dim, slack=0.0):
    """Exact truth for two point sets: (kind, squared length, normals from A to B as integer vectors, or None where not unique).

    The normals of an overlap are all those whose depth is within `slack` of the least: near ties that a float may choose."""
    v = min_norm_exact(a, b)
    vv = dot(v, v)
    if vv > 0:
        return "separated", vv, [neg(v)]
    a, b, scale = to_integers(a, b)
    a, b = hull_vertices(a, dim), hull_vertices(b, dim)
    edges = [sub(p, a[0]) for p in a[1:]] + [sub(p, b[0]) for p in b[1:]]
    r = rank(edges) if edges else 0
    if r < dim:
        normals = None
        if r == dim - 1 and in_relative_interior(a, b, dim):
            n = flat_normal(edges, dim)
            normals = [n, neg(n)]
        return "touching", F(0), normals
    depths = []
    for n in candidate_normals(a, b, dim):
        h = support_int(a, n) + support_int(b, neg(n))
        assert h >= 0
        depths.append((F(h * h, dot(n, n)), n))
    best = min(depths)[0]
    if best > 0 and slack > 0:
        limit = (root_f(best) / scale + slack) * scale
        normals = [n for q, n in depths if q == best or (q <= best * 4 and root_f(q) <= limit and is_facet(a, b, n, dim))]
    else:
        normals = [n for q, n in depths if q == best]
    if best == 0:
        facets = [n for n in normals if is_facet(a, b, n, dim)]
        return "touching", F(0), facets if len(facets) == 1 else None
    return "overlapping", best / (scale * scale), normals


def flat_normal(edges, dim):
    if dim == 2:
        e = next(e for e in edges if any(e))
        return (-e[1], e[0])
    return next(n for n in (cross(e, f) for e, f in itertools.combinations(edges, 2)) if any(n))


# ---------------------------------------------------------------- smooth


def difference_support_mp(a, b, n):
    return sub(a.support_mp(n), b.support_mp(neg(n)))


def smooth_distance(a, b, dim, rounds=400):
    """(lower, upper, v) of the distance of two bodies, in 50 digits; lower < 0 never is claimed, 0 means not proven apart."""
    n = tuple(mp.mpf(1 if i == 0 else 0) for i in range(dim))
    simplex = [difference_support_mp(a, b, n)]
    lower, lower_n, last = mp.mpf(0), None, None
    for _ in range(rounds):
        v, subset, _w = nearest_in_hull(simplex)
        vv = dot(v, v)
        simplex = [simplex[i] for i in subset]
        if vv < mp.mpf(10) ** -60 or (last is not None and vv >= last):
            break
        last = vv
        w = difference_support_mp(a, b, neg(v))
        bound = dot(v, w) / mp.sqrt(vv)
        if bound > lower:
            lower, lower_n = bound, v
        if vv - dot(v, w) <= mp.mpf(10) ** -34 * vv:
            break
        simplex.append(w)
    return lower, mp.sqrt(dot(v, v)), v


def directions(dim, count):
    if dim == 2:
        t = np.linspace(0, 2 * np.pi, count, endpoint=False)
        return np.stack([np.cos(t), np.sin(t)], axis=1)
    k = np.arange(count) + 0.5
    z, t = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    s = np.sqrt(1 - z * z)
    near = np.array([p for p in itertools.product((-1, 0, 1), repeat=3) if any(p)], float)
    return np.concatenate([np.stack([s * np.cos(t), s * np.sin(t), z], axis=1), near / np.linalg.norm(near, axis=1)[:, None]])


def h_np(a, b, n):
    return float(np.einsum("ij,ij->i", a.supports(n) - b.supports(-n), n)[0])


def smooth_depth(a, b, dim, rounds=120):
    """(lower, upper, normals or None) of the depth; None when 0 is not inside the inner polytope (touching or nearly)."""
    from scipy.optimize import minimize
    from scipy.spatial import ConvexHull, QhullError

    dirs = directions(dim, 64 if dim == 2 else 400)
    support = lambda n: a.supports(n) - b.supports(-n)
    points = support(dirs)
    size = np.abs(points).max()
    upper, upper_n, lower = np.inf, None, -np.inf
    deadline = time.monotonic() + 5.0  # solids of revolution: ever more facets tie; the lower bound then stays a little loose
    for _ in range(rounds):
        try:
            hull = ConvexHull(points / size)
        except QhullError:
            return None
        points = points[hull.vertices]
        distance = -hull.equations[:, -1]
        if distance.min() <= 1e-13:
            return None
        lower = distance.min() * size
        near = np.unique(np.round(hull.equations[distance <= distance.min() * (1 + 1e-12), :-1], 12), axis=0)
        near /= np.linalg.norm(near, axis=1)[:, None]
        new = support(near)
        h = np.einsum("ij,ij->i", new, near)
        if h.min() < upper:
            upper, upper_n = h.min(), near[np.argmin(h)]
        if upper - lower <= 1e-10 * size or time.monotonic() > deadline:
            break
        grown = np.concatenate([points, new])
        if len(np.unique(np.round(grown / size, 14), axis=0)) == len(np.unique(np.round(points / size, 14), axis=0)):
            break
        points = grown
    frame = np.linalg.svd(upper_n[None, :])[2][1:]

    def local(x):
        n = upper_n + np.asarray(x) @ frame
        return h_np(a, b, (n / np.linalg.norm(n))[None, :])

    step = 1e-3
    x0 = np.zeros(dim - 1)
    for _ in range(4):
        simplex = np.vstack([x0] + [x0 + step * e for e in np.eye(dim - 1)])
        fit = minimize(local, x0, method="Nelder-Mead", options={"xatol": 1e-13, "fatol": 1e-16, "initial_simplex": simplex, "maxiter": 800})
        if fit.fun <= local(x0):
            x0 = fit.x
        step /= 30
    n = upper_n + x0 @ frame
    n /= np.linalg.norm(n)
    upper = min(upper, h_np(a, b, n[None, :]))
    # every facet that comes close to the least depth: one cluster means that the normal is unique
    close = hull.equations[distance * size <= lower + 2e-4 * size, :-1]
    spread = close[np.arccos(np.clip(close @ n, -1, 1)) > 0.2]
    others = [m for m in spread if h_np(a, b, m[None, :]) <= upper + 1e-2 * size]
    return lower, upper, None if len(others) else [tuple(n)]


def smooth(a, b, dim, size):
    lower, upper, v = smooth_distance(a, b, dim)
    tiny = mp.mpf(size) * mp.mpf(10) ** -12
    if lower > tiny:
        n = tuple(float(-x / upper) for x in v)
        return {"sd": (lower + upper) / 2, "lower": lower, "upper": upper, "normals": [n], "verdicts": ["separated"]}
    deep = smooth_depth(a, b, dim)
    if deep is not None and deep[0] > float(tiny):
        lo, up, normals = deep
        return {"sd": mp.mpf(-up), "lower": mp.mpf(-up), "upper": mp.mpf(-lo), "normals": normals, "verdicts": ["overlapping"]}
    return {"sd": mp.mpf(0), "lower": -tiny, "upper": max(upper, tiny), "normals": None, "verdicts": ["touching", "undecided"]}


# ---------------------------------------------------------------- the answer


def bounding(body, dim):
    """Largest absolute coordinate, as a float."""
    axes = np.concatenate([np.eye(dim), -np.eye(dim)])
    return float(np.abs(body.supports(axes)).max())


def pair_size(a, b, dim):
    """The largest coordinate of A - B: what errors of a distance are measured against."""
    axes = np.concatenate([np.eye(dim), -np.eye(dim)])
    return float(np.abs(np.einsum("ij,ij->i", a.supports(axes) - b.supports(-axes), axes)).max())


def unit(n):
    m = [to_mp(F(x)) for x in n]
    length = mp.sqrt(dot(m, m))
    return [float(x / length) for x in m]


def exact_answer(pa, ra, pb, rb, dim, slack=0.0):
    """The truth for two rounded polytopes: verdict, signed distance (Fraction when rational, else mpf), normals, the cores' verdict and length."""
    kind, q, normals = polytopes(pa, pb, dim, slack)
    radius = ra + rb
    length = root(q)
    if kind == "separated":
        verdict = "separated" if q > radius * radius else "touching" if q == radius * radius else "overlapping"
        sd = length - radius if isinstance(length, F) else length - to_mp(radius)
    else:
        verdict = "overlapping" if radius > 0 else kind
        sd = -(length + radius) if isinstance(length, F) else -(length + to_mp(radius))
    return verdict, sd, normals, (kind, length)


def is_smooth(shape):
    """Whether the input names a shape that is no polytope plus ball."""
    inner = shape.get("of", []) + ([shape["core"]] if "core" in shape else [])
    return shape["shape"] in ("cylinder", "cone", "ellipsoid") or any(map(is_smooth, inner))


def tolerance(case, exact, size):
    """What an answer's signed distance may be off by: scalar, kind of pair, and the pair's size (the corpus rule)."""
    f32 = case.get("scalar") == "f32"
    return size * (3e-6 if f32 else 1e-12) if exact else size * (1e-5 if f32 else 1e-7)


def answer(case):
    """The truth about a case: dict(exact, verdicts, sd, lower, upper, normals, size)."""
    a, b, dim = read_pair(case)
    size = pair_size(a, b, dim)
    ca, cb = core_and_radius(a, dim), core_and_radius(b, dim)
    if ca is not None and cb is not None:
        verdict, sd, normals, core = exact_answer(*ca, *cb, dim, 2 * tolerance(case, True, size))
        # an ellipsoid of equal radii is a ball here, but a program may treat it as the smooth shape that it was called
        verdicts = [verdict, "undecided"] if verdict == "touching" and (is_smooth(case["a"]) or is_smooth(case["b"])) else [verdict]
        return {
            "exact": True, "verdicts": verdicts, "sd": sd, "lower": sd, "upper": sd, "size": size, "dim": dim, "core": core,
            "normals": None if normals is None else [unit(n) for n in normals], "a": ca, "b": cb,
        }
    out = smooth(a, b, dim, size)
    out.update(exact=False, size=size, dim=dim)
    if out["normals"] is not None:
        out["normals"] = [list(n) for n in out["normals"]]
    return out


# ---------------------------------------------------------------- rounded poses


def round_vertices(points, scalar):
    return [tuple(round_to(scalar, x) for x in p) for p in points]


def posed_verdicts(case):
    """The verdicts of the exactly posed bodies and of those whose world vertices are rounded to f64, and to f32 for f32 cases.

    One element means that the verdict does not depend on how a pose is applied; None for smooth pairs."""
    a, b, dim = read_pair(case)
    ca, cb = core_and_radius(a, dim), core_and_radius(b, dim)
    if ca is None or cb is None:
        return None
    out = {exact_answer(*ca, *cb, dim)[0]}
    for scalar in ["f64"] + (["f32"] if case.get("scalar") == "f32" else []):
        try:
            ra = [(round_vertices(c[0], scalar), c[1]) for c in (ca, cb)]
        except OverflowError:
            continue
        if ra[0][0] != ca[0] or ra[1][0] != cb[0]:
            out.add(exact_answer(*ra[0], *ra[1], dim)[0])
    return out


# ---------------------------------------------------------------- self test


def brute_distance_squared(a, b):
    """The least squared norm over all simplices of differences: no loop, no choice. For a handful of points."""
    m = list(dict.fromkeys(sub(p, q) for p in a for q in b))
    best = None
    for size in range(1, len(m[0]) + 1):
        for s in itertools.combinations(m, size):
            w = solve_gram([sub(p, s[0]) for p in s[1:]], s[0])
            if w is None or any(x < 0 for x in w):
                continue
            v = s[0]
            for k, p in zip(w[1:], s[1:]):
                v = add(v, tuple(k * x for x in sub(p, s[0])))
            q = dot(v, v)
            best = q if best is None or q < best else best
    if rank([sub(p, m[0]) for p in m[1:]]) == len(m[0]) and best != 0:
        for s in itertools.combinations(m, len(m[0]) + 1):
            w = solve_gram([sub(p, s[0]) for p in s[1:]], s[0])
            if w is not None and all(x >= 0 for x in w):
                return F(0)
    return best


def brute_depth_squared(a, b, dim):
    """The least squared facet distance, from all dim-subsets of differences."""
    m = list(dict.fromkeys(sub(p, q) for p in a for q in b))
    best = None
    for s in itertools.combinations(m, dim):
        e = [sub(p, s[0]) for p in s[1:]]
        n = (-e[0][1], e[0][0]) if dim == 2 else cross(*e)
        if not any(n):
            continue
        for n in (n, neg(n)):
            h = dot(s[0], n)
            if all(dot(p, n) <= h for p in m):
                q = F(h * h) / dot(n, n) if h >= 0 else F(-1)
                best = q if best is None or q < best else best
    return best


def selftest(count=600):
    import random

    rng, tally = random.Random(7), {}
    for k in range(count):
        dim = 2 + k % 2
        g = rng.choice([1, 2, 3])
        make = lambda: [tuple(F(rng.randint(-g, g)) for _ in range(dim)) for _ in range(rng.randint(1, 4 if dim == 3 else 5))]
        a, b = make(), make()
        kind, q, normals = polytopes(list(dict.fromkeys(a)), list(dict.fromkeys(b)), dim)
        d2 = brute_distance_squared(a, b)
        m = [sub(p, q) for p in a for q in b]
        if d2 > 0:
            want = ("separated", d2)
        elif len(m) < 2 or rank([sub(p, m[0]) for p in m[1:]]) < dim:
            want = ("touching", 0)
        else:
            depth = brute_depth_squared(a, b, dim)
            want = ("overlapping" if depth > 0 else "touching", depth)
        assert (kind, q) == want, (a, b, kind, q, want)
        tally[kind] = tally.get(kind, 0) + 1
    print("exact against brute force:", tally)
    closed = [
        ('{"a":{"shape":"ellipsoid","radii":[2,1,1]},"b":{"shape":"ball","radius":1,"pose":{"translation":[5,0,0]}}}', 2),
        ('{"a":{"shape":"cylinder","half_height":1,"radius":0.5,"axis":"y"},"b":{"shape":"cylinder","half_height":1,"radius":0.5,"axis":"y"}}', -1),
        ('{"a":{"shape":"cylinder","half_height":1,"radius":2,"axis":"y"},"b":{"shape":"cylinder","half_height":1,"radius":2,"axis":"y","pose":{"translation":[0,0.5,0]}}}', -1.5),
        ('{"a":{"shape":"cone","half_height":2,"radius":1,"axis":"z"},"b":{"shape":"point","point":[0,0,0]}}', -1 * 2 / math.sqrt(17) ),
        ('{"a":{"shape":"cone","half_height":1,"radius":1,"axis":"z"},"b":{"shape":"point","point":[0,0,4]}}', 3),
        ('{"a":{"shape":"ellipsoid","radii":[3,2,1]},"b":{"shape":"ellipsoid","radii":[3,2,1]}}', -2),
        ('{"dim":2,"a":{"shape":"ellipsoid","radii":[3,1]},"b":{"shape":"point","point":[0,0]}}', -1),
        ('{"dim":2,"a":{"shape":"ellipsoid","radii":[3,1]},"b":{"shape":"box","half_extents":[1,1],"pose":{"translation":[0,3]}}}', 1),
    ]
    for text, want in closed:
        r = answer(loads(text))
        assert abs(r["sd"] - want) < 1e-9 and r["lower"] - 1e-9 <= want <= r["upper"] + 1e-9, (text, r, want)
        print(f"closed form {want:+.6f}: off by {float(r['sd'] - want):.1e}, interval width {float(r['upper'] - r['lower']):.1e}")


if __name__ == "__main__":
    if sys.argv[1:] == ["selftest"]:
        selftest()
    else:
        print(__doc__)
