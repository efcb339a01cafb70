#!/usr/bin/env python3
"""Holds the relations of `gjk check --certificates FILE` against an exact boolean: python3 exact_boolean.py FILE

Needs `pip install libigl` (its module of CGAL). Of every two solids the intersection is built with exact numbers: it is empty unless they share volume.
Whether the surfaces meet is asked of CGAL too. Prints the counts, and each pair of which the two do not say the same. Exit code 1 if there is one.
"""

import collections
import json
import sys

import numpy
from igl.copyleft.cgal import intersect_other, mesh_boolean

SHARE_VOLUME = {"overlapping", "inside", "contains", "equal"}


def arrays(body):
    vertices = numpy.array(body["vertices"], dtype=float, order="F")
    triangles = numpy.array(body["triangles"], dtype=numpy.int64)
    if body["reversed"]:
        triangles = triangles[:, ::-1]
    return vertices, numpy.asfortranarray(triangles)


def truth(a, b):
    """One of: overlap, touch, apart."""
    (va, fa), (vb, fb) = arrays(a), arrays(b)
    if len(mesh_boolean(va, fa, vb, fb, "intersect")[1]):
        return "overlap"
    meeting = intersect_other(va, fa, vb, fb, detect_only=True, first_only=True)[0]
    return "touch" if len(meeting) else "apart"


def said(relation):
    return "overlap" if relation in SHARE_VOLUME else "touch" if relation == "touching" else "apart"


def main(path):
    agreed, differ, left_out = collections.Counter(), [], 0
    with open(path) as lines:
        for line in lines:
            pair = json.loads(line)
            a, b = pair["bodies"]
            if not (a["solid"] and b["solid"]):
                left_out += 1
                continue
            ours, theirs = said(pair["relation"]), truth(a, b)
            if ours == theirs:
                agreed[ours] += 1
            else:
                differ.append((pair["a"], pair["b"], pair["relation"], theirs))
    print(f"{sum(agreed.values())} pairs of solids agree: {dict(agreed)}; {left_out} pairs with a surface left out; {len(differ)} differ")
    for a, b, ours, theirs in differ:
        print(f"  {a}  {b}: {ours}, the exact boolean: {theirs}")
    return 1 if differ else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
