"""Keeps the corpus true.

python corpus.py fill FILE...     writes `expect` into the lines that lack one (review what it wrote before you commit it)
python corpus.py verify [FILE...] recomputes every expectation and prints the disagreements; all of corpus/ when no file is named
python corpus.py count            cases by file, query, scalar, dimension, verdict

The files are the source of truth: `verify` never writes. The oracle (oracle.py) shares no code with the library.

What `fill` writes
  verdict          one string when it is certain; a list where a smooth pair's interval may straddle 0, or where the rounding of an inexact
                   pose decides (avoid such cases: choose numbers whose sums are exact).
  signed_distance  the truth rounded once to f64; left out for `intersects`, for `distance` of overlapping bodies, and for `penetration` of separated ones.
  tolerance        absolute: size * 1e-12 (f64) or 3e-6 (f32); smooth pairs size * 1e-7 or 1e-5. size = the largest coordinate of A - B.
                   Inexact poses add 4 units in the last place of the largest world coordinate.
                   A case with `iterations_max` gets neither, and may be undecided.
  normal           only where it is unique (or one of a few: a list) and well-conditioned, and the pair is not smooth.
"""

import collections
import json
import math
import pathlib
import sys
from fractions import Fraction as F

import numpy as np

import oracle

CORPUS = pathlib.Path(__file__).resolve().parents[2] / "corpus"
KEYS = ["id", "dim", "scalar", "query", "a", "b", "options", "note", "source", "expect"]


def ulp(x, scalar):
    return float(np.spacing(np.float32(x))) if scalar == "f32" else math.ulp(x)


def rounded_up(x):
    """x to two significant digits, upwards."""
    if x <= 0:
        return 0.0
    k = math.floor(math.log10(x)) - 1
    return float(f"{math.ceil(x / 10.0**k - 1e-9)}e{k}") if k > -320 else x


def truth(case):
    """(expect as `fill` would write it, the oracle's answer)."""
    scalar, query = case.get("scalar", "f64"), case.get("query", "contact")
    t = oracle.answer(case)
    tol = oracle.tolerance(case, t["exact"], t["size"])
    posed = oracle.posed_verdicts(case)
    a, b, dim = oracle.read_pair(case)
    if posed is None or not exactly_posed(case, scalar):
        tol += 4 * ulp(max(oracle.bounding(a, dim), oracle.bounding(b, dim)), scalar)
    verdicts = list(t["verdicts"])
    if posed is not None and len(posed) > 1:
        verdicts += sorted(posed - set(verdicts))
    sd = t["sd"]
    if not t["exact"] and verdicts == ["separated"] and sd < 10 * tol or verdicts == ["overlapping"] and not t["exact"] and -sd < 10 * tol:
        verdicts.append("undecided")
    first = verdicts[0]
    if "iterations_max" in case.get("options", {}):  # a limit may leave the question open, and the interval wide
        return {"verdict": verdicts + ["undecided"]}, t
    expect = {"verdict": verdicts[0] if len(verdicts) == 1 else verdicts}
    if query == "contact" or (query == "distance" and first != "overlapping") or (query == "penetration" and first != "separated"):
        expect["signed_distance"] = plain(float(oracle.to_mp(sd)) + 0.0)
        expect["tolerance"] = max(rounded_up(tol), 1.5e-45 if scalar == "f32" else 5e-324)
        normals = t["normals"]
        if normals is not None and t["exact"] and len(normals) <= 8 and len(verdicts) == 1:
            kind, length = t["core"]
            if kind != "separated" or float(length) > 1e3 * tol:
                normals = [[plain(x + 0.0) for x in n] for n in sorted(normals)]
                expect["normal"] = normals[0] if len(normals) == 1 else normals
    return expect, t


def exactly_posed(case, scalar):
    """Whether every world vertex is a number of the scalar."""
    for body in oracle.read_pair(case)[:2]:
        core = oracle.core_and_radius(body, int(case.get("dim", 3)))
        if core is None:
            return False
        try:
            if oracle.round_vertices(core[0], scalar) != core[0]:
                return False
        except OverflowError:
            return False
    return True


def plain(x):
    """1.0 as 1, so that lines stay short."""
    return int(x) if x == int(x) and abs(x) < 1e15 else x


def dump(case):
    ordered = {k: case[k] for k in KEYS if k in case}
    ordered.update({k: v for k, v in case.items() if k not in ordered})
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"))


def fill(path):
    lines = []
    for text in open(path, encoding="utf-8"):
        if text.strip():
            case = json.loads(text)
            if "expect" not in case:
                case["expect"], _ = truth(oracle.loads(text))
                print(f"{case['id']}: {json.dumps(case['expect'])}")
                text = dump(case) + "\n"
            lines.append(text)
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(lines)


def same_normals(want, have):
    """Each wanted normal is one of the true ones."""
    want = want if isinstance(want[0], list) else [want]
    return all(any(max(abs(float(x) - y) for x, y in zip(w, h)) < 1e-9 for h in have) for w in want)


def verify_case(case):
    """Reasons why the case's expectation is wrong; empty when it stands."""
    want, bad = case.get("expect"), []
    for key in ("id", "note", "source", "expect", "a", "b"):
        if key not in case:
            bad.append(f"no {key}")
    if bad:
        return bad
    expect, t = truth(case)
    verdicts = want["verdict"] if isinstance(want["verdict"], list) else [want["verdict"]]
    right = expect["verdict"] if isinstance(expect["verdict"], list) else [expect["verdict"]]
    if set(verdicts) != set(right):
        bad.append(f"verdict {verdicts}, oracle {right}")
    if "signed_distance" in want:
        sd = oracle.round_to("f64", want["signed_distance"])
        if abs(oracle.to_mp(sd) - oracle.to_mp(t["sd"])) > float(want["tolerance"]) * 0.01 + 1e-15 * abs(float(sd)):
            bad.append(f"signed_distance {want['signed_distance']}, oracle {float(t['sd']):.17g}")
        if "tolerance" in expect and not 0.5 <= float(want["tolerance"]) / max(expect["tolerance"], 5e-324) <= 2:
            bad.append(f"tolerance {want['tolerance']}, rule {expect['tolerance']}")
    if "normal" in want and (t["normals"] is None or not same_normals(want["normal"], t["normals"])):
        bad.append(f"normal {want['normal']}, oracle {t['normals']}")
    return bad


def files(names):
    return [pathlib.Path(n) for n in names] or sorted(CORPUS.rglob("*.jsonl"))


def verify(names):
    seen, wrong, total = set(), 0, 0
    for path in files(names):
        for case in oracle.load_cases(path):
            total += 1
            try:
                bad = verify_case(case)
            except Exception as e:  # a case that cannot be read is a disagreement, not a stop
                bad = [f"{type(e).__name__}: {e}"]
            if case.get("id") in seen:
                bad.append("id used twice")
            seen.add(case.get("id"))
            if bad:
                wrong += 1
                print(f"{path.name}: {case.get('id')}: {'; '.join(bad)}")
    print(f"{total} cases, {wrong} disagreements")
    return 1 if wrong else 0


def count(names):
    total = collections.Counter()
    for path in files(names):
        cases = oracle.load_cases(path)
        tally = collections.Counter()
        for c in cases:
            v = c["expect"]["verdict"]
            for k in (c.get("query", "contact"), c.get("scalar", "f64"), f"{c.get('dim', 3)}D", v if isinstance(v, str) else "list"):
                tally[k] += 1
                total[k] += 1
        total["cases"] += len(cases)
        print(f"{path.name:20} {len(cases):4}  " + "  ".join(f"{k} {n}" for k, n in sorted(tally.items())))
    print(f"{'all':20} {total.pop('cases'):4}  " + "  ".join(f"{k} {n}" for k, n in sorted(total.items())))
    return 0


def main(argv):
    if argv[:1] == ["fill"] and argv[1:]:
        for name in argv[1:]:
            fill(name)
        return 0
    if argv[:1] == ["verify"]:
        return verify(argv[1:])
    if argv[:1] == ["count"]:
        return count(argv[1:])
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
