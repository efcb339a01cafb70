"""Certificates: the line of the command, and the proof checked once more here, in fractions."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import gjk

CORNERS = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]


def hulls() -> tuple[gjk.Shapes, list[list[float]], int]:
    shapes = gjk.Shapes()
    return shapes, CORNERS, shapes.hull(np.array(CORNERS))


def exactly(point: list[float], by: list[float]) -> list[Fraction]:
    # As a pose rounds it: sums of the doubles, rounded once; the numbers of these tests need no rounding.
    return [Fraction(x) + Fraction(y) for x, y in zip(point, by)]


@pytest.mark.parametrize("by", [[1.25, 0.25, 0.5], [1.0, 0.25, 0.0], [1.0, 1.0, 1.0], [3.0, -2.0, 8.0]])
def test_the_proof_holds_in_fractions(by: list[float]) -> None:
    shapes, corners, cube = hulls()
    proof = gjk.certificate(shapes, cube, cube, pose_b=gjk.Poses(translation=by))
    assert proof.kind == proof.answer["verdict"]
    d = [Fraction(x) for x in proof.content["direction"]]
    of_a = [sum(x * y for x, y in zip(d, exactly(point, [0, 0, 0]))) for point in corners]
    of_b = [sum(x * y for x, y in zip(d, exactly(point, by))) for point in corners]
    gap = min(of_b) - max(of_a)
    assert gap > 0 if proof.kind == "separated" else gap == 0
    weights = [Fraction(w) for w in proof.content["weights"]]
    assert sum(weights) == 1 and min(weights) >= 0
    nearest = [
        sum(w * (exactly(corners[j], by)[k] - exactly(corners[i], [0, 0, 0])[k]) for w, (i, j) in zip(weights, proof.content["pairs"])) for k in range(3)
    ]
    length = sum(x * x for x in nearest)
    bounds = proof.answer["signed_distance"]
    assert Fraction(bounds["lower"]) ** 2 <= length <= Fraction(bounds["upper"]) ** 2
    assert proof.verify() == []


def test_an_overlap_is_proved_by_facets_around_the_origin() -> None:
    shapes, _, cube = hulls()
    proof = gjk.certificate(shapes, cube, cube, pose_b=gjk.Poses(translation=[0.25, 0.125, 0.0]))
    assert proof.kind == "overlapping"
    assert proof.verify() == []
    assert proof.proved == {"verdict": True, "lower": True, "upper": True}


def test_the_line_is_that_of_the_command() -> None:
    shapes = gjk.Shapes()
    a = shapes.box(half_extents=(0.5, 0.25, 0.125))
    b = shapes.rounded(shapes.hull(np.random.default_rng(3).normal(size=(12, 3))), radius=0.125)
    rng = np.random.default_rng(4)
    specs = json.loads(shapes.to_json())
    for _ in range(20):
        by, turn = rng.uniform(-2, 2, 3), np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn, by
        line = {
            "id": "",
            "a": specs[a],
            "b": {**specs[b], "pose": {"translation": by.tolist(), "rotation_matrix": turn.tolist()}},
            "options": {"certificate": True},
        }
        ran = subprocess.run([sys.executable, "-m", "gjk", "query", "--verify"], input=json.dumps(line) + "\n", capture_output=True, encoding="utf-8")
        assert ran.returncode == 0
        assert gjk.certificate(shapes, a, b, pose_b=pose).to_json() + "\n" == ran.stdout


def test_verdicts_and_intervals_are_those_of_contact() -> None:
    shapes, _, cube = hulls()
    other = shapes.capsule(half_height=0.5, radius=0.25)
    for by in np.random.default_rng(5).uniform(-1.5, 1.5, (30, 3)):
        pose = gjk.Poses(translation=by)
        found = gjk.contact(shapes, cube, other, pose_b=pose)
        proof = gjk.certificate(shapes, cube, other, pose_b=pose)
        assert [proof.answer["verdict"]] == found.verdict_names()
        # Both contain the truth.
        assert proof.answer["signed_distance"]["lower"] <= found.upper[0] and found.lower[0] <= proof.answer["signed_distance"]["upper"]
        assert proof.verify() == []


def test_smooth_shapes_have_an_interval_and_no_proof() -> None:
    shapes = gjk.Shapes()
    cone = shapes.cone(half_height=1.0, radius=0.5)
    proof = gjk.certificate(shapes, cone, cone, pose_b=gjk.Poses(translation=[3, 0, 0]))
    assert (proof.kind, proof.content, proof.verify()) == (None, {}, [])
    assert not any(proof.proved.values())
    assert repr(proof) == "Certificate(none: separated; proved: nothing)"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"pose_b": gjk.Poses(translation=[[0, 0, 0], [1, 0, 0]])}, "pose_b has 2 rows"),
        ({"pose_b": gjk.Poses(translation=[float("nan"), 0, 0])}, "pose_b: translation is NaN"),
        ({"b": 7}, "shape 7 of 1 does not exist"),
        ({"b": [0, 0]}, "b has 2 rows"),
    ],
)
def test_bad_calls_say_what_is_wrong(given: dict[str, object], text: str) -> None:
    shapes, _, cube = hulls()
    with pytest.raises(gjk.GjkError, match=text):
        gjk.certificate(**{"shapes": shapes, "a": cube, "b": cube, **given})  # type: ignore[arg-type]
