#!/usr/bin/env python3
"""Checks what `gjk check --certificates FILE` wrote: python3 check_certificates.py FILE

Python's integers and fractions are all that it uses. It shows what a checker has to do, and is slow: seconds for a few hundred triangles that touch.
Where a surface takes part it checks that bodies are separated, distances, and how far the surface reaches into a solid. docs/meshes.md, "Certificates", says why this is enough.
"""

import json
import sys
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm


def minus(a, b): return [x - y for x, y in zip(a, b)]
def dot(a, b): return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
def cross(a, b): return [a[k - 2] * b[k - 1] - a[k - 1] * b[k - 2] for k in range(3)]
def sign(x): return (x > 0) - (x < 0)
def first(signs): return next((s for s in signs if s), 0)


def primitive(d):
    """The same direction, in lowest terms."""
    whole = lcm(*(Fraction(x).denominator for x in d))
    factor = gcd(*(int(x * whole) for x in d))
    return tuple(int(x * whole) // factor for x in d)


class Body:
    """Triangles with exact corners. A slant keeps lines upward from running along the walls of parts."""

    def __init__(self, data):
        exact = [[Fraction(x) for x in p] for p in data["vertices"]]
        self.vertices = exact
        slanted = [[x + 1021 * z, y + 2039 * z, z] for x, y, z in exact]
        self.numbers = data["triangles"]
        self.corners = [[slanted[v] for v in t] for t in self.numbers]
        self.normals = [cross(minus(b, a), minus(c, a)) for a, b, c in self.corners]
        self.solid, self.reversed = data["solid"], data["reversed"]
        # A triangle without an area is a segment of a surface, and bounds nothing of a solid.
        self.piece = [p if any(n) or not self.solid else None for p, n in zip(data["pieces"], self.normals)]
        self.pieces = {}
        for t, p in enumerate(data["pieces"]):
            if p is not None:
                self.pieces.setdefault(p, []).append(t)

    def check_closed(self):
        for triangles in self.pieces.values():
            balance = {}
            for t in triangles:
                for u, v in zip(self.numbers[t], self.numbers[t][1:] + self.numbers[t][:1]):
                    balance[min(u, v), max(u, v)] = balance.get((min(u, v), max(u, v)), 0) + (1 if u < v else -1)
            if any(balance.values()):
                raise ValueError("a piece is not closed")

    def points(self, piece):
        return (self.vertices[v] for t in self.pieces[piece] for v in self.numbers[t])

    def on(self, t, p):
        """The edges of a triangle that a point of it is on; None where it is not of it."""
        n, c = self.normals[t], self.corners[t]
        if not any(n):
            return [] if not self.solid and self.on_segment(t, p) else None
        if dot(n, minus(p, c[0])):
            return None
        sides = [sign(dot(n, cross(minus(c[(k + 1) % 3], c[k]), minus(p, c[k])))) for k in range(3)]
        return None if min(sides) < 0 else [k for k in range(3) if not sides[k]]

    def on_segment(self, t, p):
        """Whether a point is on a triangle without an area."""
        c = self.corners[t]
        ends = [(minus(p, c[k]), minus(p, c[(k + 1) % 3])) for k in range(3)]
        return any(not any(cross(d, e)) and dot(d, e) <= 0 for d, e in ends)

    def winding(self, piece, p, by):
        """How often a piece winds around p, moved along the directions of `by`, each by ever less."""
        number = 0
        for t in self.pieces[piece]:
            c, n = self.corners[t], self.normals[t]
            up = sign(n[2])
            if not up or max(x[2] for x in c) < p[2]:
                continue
            for k in range(3):
                e, d = minus(c[(k + 1) % 3], c[k]), minus(p, c[k])
                turns = [e[0] * d[1] - e[1] * d[0]] + [e[0] * d[1] - e[1] * d[0] for d in by] + [-e[1], e[0]]
                if up * first(map(sign, turns)) <= 0:
                    break
            else:
                heights = [dot(n, minus(p, c[0]))] + [dot(n, d) for d in by] + n
                number += up if up * first(map(sign, heights)) < 0 else 0
        return number

    def has_inside(self, piece, p, by=()):
        return (-1 if self.reversed else 1) * self.winding(piece, p, by) >= 1


def common_points(a, i, b, j):
    """The corners of what two triangles share."""
    found = []
    for (own, s), (other, t) in (((a, i), (b, j)), ((b, j), (a, i))):
        if not any(other.normals[t]):
            found += [p for p in own.corners[s] if other.on_segment(t, p)]
            continue
        heights = [dot(other.normals[t], minus(p, other.corners[t][0])) for p in own.corners[s]]
        for k in range(3):
            p, q, hp, hq = own.corners[s][k], own.corners[s][(k + 1) % 3], heights[k], heights[(k + 1) % 3]
            if not hp:
                found += [p] if other.on(t, p) is not None else []
            elif sign(hp) == -sign(hq):
                at = [(x * hq - y * hp) / (hq - hp) for x, y in zip(p, q)]
                found += [at] if other.on(t, at) is not None else []
    for k in range(3):
        for m in range(3):
            p, r = a.corners[i][k], b.corners[j][m]
            e, f = minus(a.corners[i][(k + 1) % 3], p), minus(b.corners[j][(m + 1) % 3], r)
            axis = cross(e, f)
            if any(axis) and not dot(axis, minus(r, p)):
                s, u = (dot(cross(minus(r, p), g), axis) / Fraction(dot(axis, axis)) for g in (f, e))
                if 0 < s < 1 and 0 < u < 1:
                    found.append([x + s * y for x, y in zip(p, e)])
    return {tuple(p) for p in found}


def beside(bodies, pieces, p):
    """What is inside of both pieces, and of one alone, beside a point of both surfaces."""
    sectors = []
    for body, piece in zip(bodies, pieces):
        for t in body.pieces[piece]:
            on = body.on(t, p)
            if on is not None:
                c = body.corners[t]
                edges = [minus(c[(k + 1) % 3], c[k]) for k in range(3)]
                sectors.append((body.normals[t], [edges[k] for k in on], [edges[k] for k in on] or edges[:1]))
    corners = {primitive([s * x for x in e]) for _, _, ends in sectors for e in ends for s in (1, -1)}
    for (n, on, _), (m, over, _) in combinations(sectors, 2):
        for d in (cross(n, m), cross(m, n)):
            if any(d) and all(dot(n, cross(e, d)) >= 0 for e in on) and all(dot(m, cross(e, d)) >= 0 for e in over):
                corners.add(primitive(d))
    planes = {max(primitive(n), primitive([-x for x in n])) for n, _, _ in sectors}
    facts = set()
    for v in corners:
        for n in planes:
            if not dot(n, v):
                for along in (cross(n, v), cross(v, n)):
                    by = (v, along, cross(v, along))
                    facts.add(tuple(body.has_inside(piece, p, by) for body, piece in zip(bodies, pieces)))
    return facts


def cut_leaves(bodies, cut, gap):
    """The pairs of triangles that a cut leaves, after all its gaps are found to be as wide."""
    for k in range(2):
        if sorted(cut["order"][k]) != list(range(len(bodies[k].numbers))):
            raise ValueError("an order is none of all triangles")
    left, nodes = [], iter(cut["nodes"])
    open_ = [[(0, len(cut["order"][0])), (0, len(cut["order"][1]))]]
    while open_:
        ranges = open_.pop()
        if any(low == high for low, high in ranges):
            continue
        node = next(nodes)
        parts = [cut["order"][k][slice(*ranges[k])] for k in range(2)]
        if node == "near":
            left += [(i, j) for i in parts[0] for j in parts[1]]
        elif "split" in node:
            body, at = node["split"]
            low, high = ranges[body]
            if not low < at < high:
                raise ValueError("a range is split outside of it")
            halves = [(at, high), (low, at)]
            open_ += [[h, ranges[1]] if body == 0 else [ranges[0], h] for h in halves]
        else:
            axis = [Fraction(x) for x in node["apart"]]
            far = [[dot(axis, bodies[k].vertices[v]) for t in parts[k] for v in bodies[k].numbers[t]] for k in range(2)]
            between = min(far[1]) - max(far[0])
            if between <= 0 or between * between < gap * gap * dot(axis, axis):
                raise ValueError("an axis does not tell two parts as far apart")
    return left


def connected(body, piece):
    """The sets of triangles that corners connect."""
    sets = {}
    for t in body.pieces[piece]:
        joined = {id(sets[v]): sets[v] for v in body.numbers[t] if v in sets}.values()
        whole = (set().union(*(s[0] for s in joined)) | {t}, set().union(*(s[1] for s in joined)) | set(body.numbers[t]))
        for v in whole[1]:
            sets[v] = whole
    return [s[0] for s in {id(s): s for s in sets.values()}.values()]


def relation(line):
    """The relation that a line's certificate proves; None for what is not checked here."""
    bodies = [Body(data) for data in line["bodies"]]
    for body in bodies:
        if body.solid:
            body.check_closed()
    facts, met, meets = {}, set(), False

    def look(pairs):
        nonlocal meets
        for i, j in pairs:
            points = common_points(bodies[0], i, bodies[1], j)
            meets |= bool(points)
            pieces = (bodies[0].piece[i], bodies[1].piece[j])
            if None not in pieces:
                for p in points:
                    met.update([(0, i, pieces[1]), (1, j, pieces[0])])
                    if all(body.solid for body in bodies):
                        facts.setdefault(pieces, set()).update(beside(bodies, pieces, p))

    def middle(k, t, piece):
        own, other = bodies[k], bodies[1 - k]
        p = [sum(x) / 3 for x in zip(*own.corners[t])]
        if any(other.on(s, p) is not None for s in other.pieces[piece]):
            raise ValueError("a middle is on the other surface")
        inside = other.has_inside(piece, p)
        for s in (1, -1):
            mine = own.has_inside(own.piece[t], p, ([s * x for x in own.normals[t]],))
            key = (own.piece[t], piece) if k == 0 else (piece, own.piece[t])
            facts.setdefault(key, set()).add((mine, inside) if k == 0 else (inside, mine))

    if line["cut"]:
        look(cut_leaves(bodies, line["cut"], 0))
        if not all(body.solid for body in bodies):
            return None if meets else "separated"
        for k in range(2):
            for own in bodies[k].pieces:
                for connected_set in connected(bodies[k], own):
                    for piece in bodies[1 - k].pieces:
                        with_area = [t for t in connected_set if bodies[k].piece[t] is not None]
                        if with_area and not any((k, t, piece) in met for t in with_area):
                            middle(k, with_area[0], piece)
    elif not all(body.solid for body in bodies):
        return None
    else:
        look(s["triangles"] for s in line["sights"] if "triangles" in s)
        for s in line["sights"]:
            if "piece" in s:
                middle(s["body"], s["triangle"], s["piece"])

    def left(k, piece):
        """Whether something of body k is outside of a piece of the other."""
        beyond = (True, False) if k == 0 else (False, True)
        if any(beyond in found for key, found in facts.items() if key[1 - k] == piece):
            return True
        mine = [p for own in bodies[k].pieces for p in bodies[k].points(own)]
        box = list(bodies[1 - k].points(piece))
        return any(max(s * p[x] for p in mine) > max(s * p[x] for p in box) for s in (1, -1) for x in range(3))

    overlap = any((True, True) in found for found in facts.values())
    within = [any(not left(k, piece) for piece in bodies[1 - k].pieces) for k in range(2)]
    if not line["cut"]:
        return "overlapping" if overlap and within == [False, False] else None
    if not overlap:
        return "touching" if meets else "separated"
    return {(True, True): "equal", (True, False): "inside", (False, True): "contains"}.get(tuple(within), "overlapping")


def check_distance(line):
    """Whether both ends of the distance are proved."""
    of = line["distance"]
    bodies = [Body(data) for data in of["bodies"] or line["bodies"]]
    if of["cut"] and cut_leaves(bodies, of["cut"], Fraction(of["lower"])):
        raise ValueError("the cut leaves pairs")
    weights = [Fraction(w) for w in of["weights"]]
    if sum(weights) != 1 or min(weights) < 0:
        raise ValueError("the weights are none")
    i, j = of["triangles"]
    ends = [(bodies[0].vertices[bodies[0].numbers[i][p]], bodies[1].vertices[bodies[1].numbers[j][q]]) for p, q in of["pairs"]]
    between = [sum(w * (b[x] - a[x]) for w, (a, b) in zip(weights, ends)) for x in range(3)]
    return dot(between, between) <= Fraction(of["upper"]) ** 2


def check_ball(data, center, radius, inside):
    """Finds a ball to be inside of a piece."""
    own = [t for t, p in enumerate(data["pieces"]) if p == inside["piece"]]
    piece = Body({**data, "triangles": [data["triangles"][t] for t in own], "pieces": [0] * len(own)})
    point = Body({"vertices": [center], "triangles": [[0, 0, 0]], "pieces": [None], "solid": False, "reversed": False})
    piece.check_closed()
    if not (own and piece.solid) or cut_leaves([point, piece], inside["cut"], radius):
        raise ValueError("a ball is not told to be in a piece")
    if not piece.has_inside(0, point.corners[0][0]):
        raise ValueError("a ball's center is outside")


def is_near(p, corners, length):
    """Whether a point is so near to a corner, an edge or the face of a triangle."""
    edges, to = [minus(corners[k - 2], corners[k]) for k in range(3)], [minus(p, c) for c in corners]
    normal, over = cross(edges[0], edges[1]), True
    for e, d in zip(edges, to):
        along, whole = dot(d, e), dot(e, e)
        if dot(d, d) <= length ** 2 or 0 <= along <= whole and dot(d, d) * whole - along ** 2 <= length ** 2 * whole:
            return True
        over &= dot(cross(normal, e), d) >= 0
    return over and any(normal) and dot(normal, to[0]) ** 2 <= length ** 2 * dot(normal, normal)


def check_cover(surface, other, cover, upper):
    """Finds all points of a surface to be outside of a solid of one piece, or so near to its triangles."""
    own, solid = Body(surface), Body(other)
    solid.check_closed()
    if not solid.solid or list(solid.pieces) != [0]:
        raise ValueError("a cover is of a solid of one piece")
    nodes, outside = iter(cover["nodes"]), []
    for numbers, piece in zip(own.numbers, surface["pieces"]):
        open_ = [] if piece is None else [[own.vertices[v] for v in numbers]]
        while open_:
            part, node = open_.pop(), next(nodes)
            if node == "outside":
                outside.append(part)
            elif "near" in node:
                t = node["near"]
                if other["pieces"][t] is None or not all(is_near(p, [solid.vertices[v] for v in solid.numbers[t]], upper) for p in part):
                    raise ValueError("a part of a cover is farther")
            else:
                edge, share = node["split"][0], Fraction(node["split"][1])
                if not 0 < share < 1:
                    raise ValueError("a part is cut outside of it")
                a, b, c = (part[(edge + k) % 3] for k in range(3))
                at = [x + share * (y - x) for x, y in zip(a, b)]
                open_ += [[at, b, c], [a, at, c]]
    if next(nodes, None) is not None:
        raise ValueError("a cover goes on after its end")
    numbers = {}
    triangles = [[numbers.setdefault(tuple(p), len(numbers)) for p in part] for part in outside]
    parts = Body({"vertices": list(numbers), "triangles": triangles, "pieces": [0] * len(triangles), "solid": False, "reversed": False})
    for i, j in cut_leaves([parts, solid], cover["cut"], 0):
        if parts.piece[i] is None or common_points(parts, i, solid, j):
            raise ValueError("a part that is said to be outside meets the body")
    for together in connected(parts, 0) if triangles else []:
        if solid.has_inside(0, parts.corners[min(together)][0]):
            raise ValueError("a part that is said to be outside is inside")


def check_depth(line):
    """How many numbers are proved: the thickness, the escape, the ends of protrusions."""
    of, proved = line["depth"], 0
    bodies = of["bodies"] or line["bodies"]
    ball, escape = of["ball"], of["escape"]
    if ball:
        for data, inside in zip(bodies, ball["inside"], strict=True):
            check_ball(data, ball["center"], Fraction(ball["radius"]), inside)
        proved += 1
    if escape:
        by = [Fraction(x) for x in escape["by"]]
        moved = [[Fraction(x) + y for x, y in zip(p, by)] for p in bodies[0]["vertices"]]
        after = {"bodies": [{**bodies[0], "vertices": moved}, bodies[1]], "cut": escape["cut"], "sights": []}
        if dot(by, by) > Fraction(escape["length"]) ** 2 or relation(after) not in ("separated", "touching"):
            raise ValueError("a translation does not separate")
        proved += 1
    for k, reach in enumerate(of["protrusion"]):
        if not reach:
            continue
        point = reach["point"]
        if point:
            radius, weights = Fraction(point["ball"]["radius"]), [Fraction(w) for w in point["weights"]]
            center = [Fraction(x) for x in point["ball"]["center"]]
            corners = [bodies[k]["vertices"][v] for v in bodies[k]["triangles"][point["triangle"]]]
            at = [sum(w * Fraction(p[x]) for w, p in zip(weights, corners)) / sum(weights) for x in range(3)]
            off, room = minus(at, center), radius - Fraction(reach["lower"])
            if min(weights) < 0 or room < 0 or dot(off, off) > room * room or bodies[k]["pieces"][point["triangle"]] is None:
                raise ValueError("a point is not as deep")
            check_ball(bodies[1 - k], center, radius, point["ball"]["inside"][0])
        proved += bool(point) or reach["lower"] <= 0
        if reach["cover"]:
            check_cover(bodies[k], bodies[1 - k], reach["cover"], Fraction(reach["upper"]))
        proved += bool(reach["cover"]) or bool(escape) and escape["length"] <= reach["upper"]
    return proved


def main():
    proved, unchecked, distances, depths, wrong = 0, 0, 0, 0, 0
    for line in map(json.loads, open(sys.argv[1], encoding="utf-8")):
        try:
            found = relation(line)
            if found not in (None, line["relation"]):
                raise ValueError(f"it is {found}")
            proved, unchecked = proved + (found is not None), unchecked + (found is None)
            if line["distance"]:
                if not check_distance(line):
                    raise ValueError("it is not as near")
                distances += 1
            if line["depth"]:
                depths += check_depth(line)
        except (ValueError, KeyError, IndexError, StopIteration) as error:
            wrong += 1
            print(f"state {line['state']}: {line['a']} and {line['b']}, {line['relation']}: {error!r}")
    print(f"{proved} relations proved, {unchecked} not checked here, {distances} distances proved, {depths} numbers of depths proved, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
