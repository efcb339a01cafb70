"""Judges the answers of `gjk query` without sharing any code with it.

python judge.py ANSWERS.jsonl CASES.jsonl [--all]
    ANSWERS  what `gjk query CASES.jsonl` printed, one object a line in the same order (certificates are judged where present).
    Prints a table of counts, then the failing ids with reasons (the first 60; all with --all). Exit code 1 when anything failed.

What is judged
  verdict      against the exact oracle (oracle.py). Where a pose is not exact in the scalar, the verdicts of the vertices rounded to f64,
               and to f32 for f32 cases, are right too (`rounded pose` in the table); a rotation may also move the truth by 8 ulp.
  interval     contains the truth, compared in rationals or 50 digits after reading the bounds back as floats of the scalar (or of f64: either
               will do); its sign agrees with the verdict; it is no wider than asked is NOT judged, the table shows the widest.
  normal       unit; and right: the bodies' separation along it is the signed distance (true for ties too).
  witnesses    each on its body and extreme along the normal; their difference is signed distance times normal.
  certificate  exactly, as the format's Exactness section says:
               separated   {direction}: the bodies' projections are strictly apart, either sign
               touching    {direction, pairs, weights?}: the plane supports both without gap; the pairs' differences have the origin in their hull
               overlapping {pairs}: the origin is strictly inside the hull of the pairs' differences
               Bodies with a radius R: the same against R: gap > R |d|; gap = R |d| and the hull's least norm = R; least norm < R.
               Only when both bodies are posed exactly; else it is counted as skipped.
  proved       polytopes and rounded polytopes: `exact` is true.

Assumptions about `pairs` (indices into the input's own points): convex, point, segment (a, b), triangle (a, b, c) as written; box corner k has +
on axis i when bit i of k is set; capsule 0 = minus end, 1 = plus end; ball 0; rounded = its core's. Other shapes: pairs are skipped, only checks
free of coordinates are made (counts, directions).
"""

import collections
import sys
from decimal import Decimal
from fractions import Fraction as F

import mpmath as mp

import corpus
import oracle
from oracle import add, dot, mat_vec, neg, sub, to_mp


def raw_points(spec, dim, scalar):
    """The points that `pairs` index, posed, in input order; None for shapes without an agreed order."""
    num = lambda x: oracle.round_to(scalar, x)
    kind, vec = spec["shape"], lambda v: tuple(num(x) for x in v)
    if kind == "convex":
        points = [vec(p) for p in spec["points"]]
    elif kind == "point":
        points = [vec(spec["point"])]
    elif kind == "segment":
        points = [vec(spec["a"]), vec(spec["b"])]
    elif kind == "triangle":
        points = [vec(spec["a"]), vec(spec["b"]), vec(spec["c"])]
    elif kind == "ball":
        points = [tuple([F(0)] * dim)]
    elif kind == "box":
        h = vec(spec["half_extents"])
        points = [tuple(h[i] if k >> i & 1 else -h[i] for i in range(dim)) for k in range(1 << dim)]
    elif kind == "capsule":
        k, h = oracle.AXES[spec["axis"]], num(spec["half_height"])
        points = [tuple(s * h if i == k else F(0) for i in range(dim)) for s in (-1, 1)]
    elif kind == "rounded":
        points = raw_points(spec["core"], dim, scalar)
    else:
        return None
    if points is None:
        return None
    m, t = oracle.read_pose(spec.get("pose", {}), dim, num)
    return [add(mat_vec(m, p), t) for p in points]


def rational(x, scalar="f64"):
    """A number of a certificate: integers and "p/q" strings exactly, decimals as floats."""
    if isinstance(x, str):
        return F(x)
    x = Decimal(x)
    return F(x) if x == x.to_integral_value() else oracle.round_to(scalar, x)


class Judge:
    def __init__(self):
        self.table = collections.defaultdict(collections.Counter)
        self.failures = []
        self.widest = (0.0, None)

    def mark(self, what, ok, case_id, why=""):
        self.table[what]["pass" if ok else "FAIL"] += 1
        if not ok:
            self.failures.append((case_id, f"{what}: {why}"))

    def skip(self, what):
        self.table[what]["skip"] += 1

    def case(self, case, got):
        cid, dim, scalar = case.get("id"), int(case.get("dim", 3)), case.get("scalar", "f64")
        if cid is not None and str(got.get("id")) != str(cid):
            return self.mark("order", False, cid, f"answer is for {got.get('id')}")
        if "error" in got:
            return self.mark("answered", False, cid, str(got["error"]))
        self.mark("answered", True, cid)
        t = oracle.answer(case)
        a, b, _ = oracle.read_pair(case)
        exactly = corpus.exactly_posed(case, scalar)
        tol = oracle.tolerance(case, t["exact"], t["size"])
        far = max(oracle.bounding(a, dim), oracle.bounding(b, dim))
        slack = 0 if exactly else 8 * corpus.ulp(far, scalar)
        verdict = self.verdict(case, got, t, slack)
        bounds = self.interval(case, got, t, verdict, slack)
        if got.get("normal") is not None and verdict != "undecided":
            width = float(bounds[1] - bounds[0]) if bounds else 0.0
            self.geometry(cid, scalar, got, t, a, b, 4 * tol + slack + width, verdict)
        if got.get("certificate"):
            self.certificate(case, got["certificate"], t, exactly, verdict, a, b)
        elif t["exact"]:
            self.skip("certificate")
        if t["exact"] and not (oracle.is_smooth(case["a"]) or oracle.is_smooth(case["b"])):
            self.mark("proved", got.get("exact") is True, cid, "`exact` is not true")

    def verdict(self, case, got, t, slack):
        v, cid = got.get("verdict"), case.get("id")
        right = set(t["verdicts"])
        if not t["exact"] and t["lower"] - to_mp(F(slack)) <= 0 <= t["upper"] + to_mp(F(slack)):
            right = {"separated", "touching", "overlapping", "undecided"}
        if not t["exact"] or oracle.is_smooth(case["a"]) or oracle.is_smooth(case["b"]):
            right.add("undecided")
        if v in right:
            self.mark("verdict", True, cid)
        elif t["exact"] and v in (oracle.posed_verdicts(case) or set()):
            self.table["verdict"]["rounded pose"] += 1
        elif slack and v != "undecided" and abs(to_mp(t["sd"])) <= slack:
            self.table["verdict"]["rounded pose"] += 1
        else:
            self.mark("verdict", False, cid, f"{v}, truth {'/'.join(t['verdicts'])} ({float(to_mp(t['sd'])):.6g})")
        return v

    def interval(self, case, got, t, verdict, slack):
        cid, scalar = case.get("id"), case.get("scalar", "f64")
        sd = got.get("signed_distance")
        if sd is None:
            if case.get("query", "contact") != "intersects" and "signed_distance" in case.get("expect", {}):
                self.mark("interval", False, cid, "absent")
            else:
                self.skip("interval")
            return None
        if case.get("query") == "distance" and t["verdicts"][0] == "overlapping":
            self.skip("interval")  # the format leaves open what a distance query says of an overlap
            return None
        readings = []
        for s in {"f64", scalar}:
            try:
                readings.append((oracle.round_to(s, sd["lower"]), oracle.round_to(s, sd["upper"])))
            except OverflowError:
                pass
        low, up = to_mp(t["lower"]), to_mp(t["upper"])
        inside = any(to_mp(lo) <= up + slack and low - slack <= to_mp(hi) for lo, hi in readings)
        lo, hi = readings[0]
        self.mark("interval", inside and lo <= hi, cid, f"[{float(lo):.17g}, {float(hi):.17g}] misses {float(to_mp(t['sd'])):.17g}")
        sign = {"separated": lo > 0, "overlapping": hi < 0, "touching": lo <= 0 <= hi, "undecided": lo <= 0 <= hi}[verdict]
        self.mark("interval sign", sign, cid, f"{verdict} with [{float(lo)}, {float(hi)}]")
        width = float(hi - lo) / t["size"] if t["size"] else 0.0
        if width > self.widest[0]:
            self.widest = (width, cid)
        return lo, hi

    def geometry(self, cid, scalar, got, t, a, b, tol, verdict):
        n = [to_mp(F(x)) for x in got["normal"]]
        length = mp.sqrt(dot(n, n))
        self.mark("normal unit", abs(length - 1) <= (1e-6 if scalar == "f32" else 1e-14), cid, f"length {float(length)}")
        ha, hb = dot(a.support_mp(n), n), dot(b.support_mp(neg(n)), n)
        sd = to_mp(t["sd"])
        smooth = 1 if t["exact"] else 10
        self.mark("normal right", hb - ha >= sd - smooth * tol - t["size"] * (4e-7 if scalar == "f32" else 1e-15), cid, f"separation along it {float(hb - ha):.9g}, not {float(sd):.9g}")
        if got.get("point_a") is None or got.get("point_b") is None:
            return self.skip("witnesses")
        pa, pb = ([to_mp(F(x)) for x in got[k]] for k in ("point_a", "point_b"))
        far = max(abs(x) for x in list(pa) + list(pb))
        tol = smooth * tol + float(far) * (1e-6 if scalar == "f32" else 1e-14)
        along = abs(dot(pa, n) - ha) <= 4 * tol and abs(dot(pb, n) - hb) <= 4 * tol
        self.mark("witness extreme", along, cid, f"{float(dot(pa, n) - ha):.3g} and {float(dot(pb, n) - hb):.3g} off the supporting planes")
        off = max(self.outside(p, body) for p, body in ((got["point_a"], a), (got["point_b"], b)))
        self.mark("witness on body", off <= 4 * tol, cid, f"{float(off):.3g} outside")
        gap = [x - y - sd * k for x, y, k in zip(pb, pa, n)]
        # across the normal a smooth pair's witnesses are only known to the square root
        across = 4 * tol if t["exact"] else max(4 * tol, 40 * (tol * t["size"]) ** 0.5)
        self.mark("witness pair", mp.sqrt(dot(gap, gap)) <= across, cid, f"off by {float(mp.sqrt(dot(gap, gap))):.3g}")

    def outside(self, point, body):
        """How far a point is outside a body."""
        p = tuple(F(x) for x in point)
        core = oracle.core_and_radius(body, len(p))
        if core is not None:
            v = oracle.min_norm_exact(core[0], [p])
            return max(mp.mpf(0), to_mp(oracle.root(dot(v, v))) - to_mp(core[1]))
        return oracle.smooth_distance(body, oracle.Poly([p]), len(p))[0]

    def certificate(self, case, cert, t, exactly, verdict, a, b):
        cid, dim, scalar = case.get("id"), int(case.get("dim", 3)), case.get("scalar", "f64")
        if not exactly or not t["exact"]:
            return self.skip("certificate")
        if cert.get("kind") != verdict:
            return self.mark("certificate", False, cid, f"kind {cert.get('kind')} for {verdict}")
        (pa, ra), (pb, rb) = t["a"], t["b"]
        radius = ra + rb
        why = None
        if verdict in ("separated", "touching"):
            whys = [self.direction(cert, s, pa, pb, radius, verdict, dim) for s in {"f64", scalar}]
            why = None if None in whys else whys[0]
        if why is None and verdict in ("touching", "overlapping"):
            qa, qb = (raw_points(case[k], dim, scalar) for k in "ab")
            if qa is None or qb is None:
                return self.skip("certificate")
            why = self.pairs(cert, qa, qb, radius, verdict, dim, scalar)
        self.mark("certificate", why is None, cid, why)

    def direction(self, cert, scalar, pa, pb, radius, verdict, dim):
        if cert.get("direction") is None:
            return "no direction"
        d = tuple(rational(x, scalar) for x in cert["direction"])
        if len(d) != dim or not any(d):
            return "direction is zero or of the wrong length"
        gap = max(min(dot(p, d) for p in pa) - max(dot(p, d) for p in pb), min(dot(p, d) for p in pb) - max(dot(p, d) for p in pa))
        need = radius * radius * dot(d, d)
        if verdict == "separated":
            return None if gap > 0 and gap * gap > need else f"gap along the direction is {float(gap):.3g}"
        return None if gap >= 0 and gap * gap == need else f"the direction's plane leaves {float(gap):.3g}"

    def pairs(self, cert, qa, qb, radius, verdict, dim, scalar):
        pairs = [(int(i), int(j)) for i, j in cert.get("pairs", [])]
        if not pairs or any(not (0 <= i < len(qa) and 0 <= j < len(qb)) for i, j in pairs):
            return "pairs missing or out of range"
        w = [sub(qa[i], qb[j]) for i, j in pairs]
        origin = [tuple([F(0)] * dim)]
        if verdict == "touching":
            if len(pairs) > dim:
                return f"{len(pairs)} pairs"
            v = oracle.min_norm_exact(w, origin)
            if dot(v, v) != radius * radius:
                return "the origin is not in the hull of the pairs' differences"
            if cert.get("weights") is not None and radius == 0:
                k = [rational(x) for x in cert["weights"]]
                total = tuple(sum(x * p[i] for x, p in zip(k, w)) for i in range(dim))
                if len(k) != len(w) or any(x < 0 for x in k) or not any(k) or any(total):
                    return "the weights do not give the origin"
            return None
        if radius > 0:
            v = oracle.min_norm_exact(w, origin)
            return None if dot(v, v) < radius * radius else "the pairs' differences stay outside the radius"
        return None if oracle.polytopes(w, origin, dim)[0] == "overlapping" else "the origin is not strictly inside the hull of the pairs' differences"

    def report(self, every):
        columns = ["pass", "FAIL", "skip", "rounded pose"]
        print(f"{'':18}" + "".join(f"{c:>14}" for c in columns))
        for what, row in self.table.items():
            print(f"{what:18}" + "".join(f"{row[c]:14}" for c in columns))
        print(f"widest interval: {self.widest[0]:.2g} of the pair's size ({self.widest[1]})")
        shown = self.failures if every else self.failures[:60]
        for cid, why in shown:
            print(f"FAIL {cid}: {why}")
        if len(shown) < len(self.failures):
            print(f"... and {len(self.failures) - len(shown)} more (--all)")


def main(argv):
    names = [x for x in argv if x != "--all"]
    if len(names) != 2:
        print(__doc__)
        return 2
    answers, cases = oracle.load_cases(names[0]), oracle.load_cases(names[1])
    judge = Judge()
    if len(answers) != len(cases):
        judge.mark("order", False, "file", f"{len(answers)} answers for {len(cases)} cases")
    for got, case in zip(answers, cases):
        try:
            judge.case(case, got)
        except Exception as e:  # an answer that cannot be judged is a failure with its reason, not a stop
            judge.mark("readable", False, case.get("id"), f"{type(e).__name__}: {e}")
    judge.report("--all" in argv)
    return 1 if judge.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
