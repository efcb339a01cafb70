"""Shapes as JSON: the same bits after a round trip, equality by content, pickles, places of what is wrong."""

import copy
import json
import pickle

import numpy as np
import pytest

import gjk


def all_kinds():
    shapes = gjk.Shapes()
    shapes.point((1, 2, 3))
    shapes.segment((0, 0, 0), (0.1, 0, 0))
    shapes.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0))
    shapes.sphere(1 / 3)
    shapes.box(half_extents=(0.1, 0.2, 5e-324))
    shapes.capsule(half_height=1, radius=0.1, axis="x")
    shapes.cylinder(half_height=1, radius=0.1, axis="y")
    shapes.cone(half_height=1, radius=0.1)
    shapes.ellipsoid((1, 2, 3))
    shapes.hull(np.random.default_rng(0).normal(size=(50, 3)))
    shapes.rounded(shapes.rounded(9, radius=0.5), radius=0.25)
    return shapes


def test_a_round_trip_changes_no_bit():
    shapes = all_kinds()
    text = shapes.to_json()
    again = gjk.Shapes.from_json(text)
    assert again.to_json() == text and len(again) == 12
    assert [entry["shape"] for entry in json.loads(text)][3:5] == ["ball", "box"]
    rng = np.random.default_rng(1)
    n = 2000
    a, b = rng.integers(0, 12, (2, n))
    at = gjk.Poses(translation=rng.normal(size=(n, 3)), quat_xyzw=rng.normal(size=(n, 4)))
    one, other = gjk.contact(shapes, a, b, at), gjk.contact(again, a, b, at)
    for column in ("verdict", "lower", "upper", "normal", "point_a", "point_b"):
        assert getattr(one, column).tobytes() == getattr(other, column).tobytes()


def test_equal_by_content():
    assert all_kinds() == all_kinds() and gjk.Shapes() == gjk.Shapes()
    other = all_kinds()
    other.sphere(1.0)
    assert all_kinds() != other and all_kinds() != "shapes"
    with pytest.raises(TypeError):
        hash(other)


def test_pickles_and_copies():
    shapes = all_kinds()
    for again in (pickle.loads(pickle.dumps(shapes)), copy.copy(shapes), copy.deepcopy(shapes)):
        assert again == shapes
        again.sphere(1.0)
        assert len(shapes) == 12


@pytest.mark.parametrize(
    ("text", "at", "told"),
    [
        ('[{"shape":"ball","radius":1},{"shape":"ball","radius":-1}]', "[1].radius", "-1 is negative"),
        ('[{"shape":"ball"}]', "[0].radius", "missing"),
        ('[{"shape":"bal","radius":1}]', "[0].shape", "the shapes are point"),
        ('[{"shape":"box","half_extents":[1,1]}]', "[0].half_extents", "expected 3 numbers, found 2"),
        ('[{"shape":"ball","radius":1,"color":"red"}]', "[0].color", "unknown key"),
        ('[{"shape":"convex","points":[[0,0,0],[0,NaN,0]]}]', "[0].points[1][1]", "no NaN"),
        ('[{"shape":"rounded","radius":1,"core":{"shape":"cone","half_height":0,"radius":1,"axis":"z"}}]', "[0].core.half_height", "half_height"),
        ('{"shape":"ball","radius":1}', "", "expected an array, found an object"),
        ("[", "", "not JSON"),
    ],
)
def test_what_is_wrong_has_a_place(text, at, told):
    with pytest.raises(gjk.ShapeError) as caught:
        gjk.Shapes.from_json(text)
    said, where, kind = caught.value.args
    assert where == at and told in said and kind


@pytest.mark.parametrize("name", ["GjkError", "RowError", "SceneError", "ShapeError"])
def test_errors_pickle_and_are_named_as_callers_name_them(name):
    error = getattr(gjk, name)("what is wrong", 1, "a")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.args == error.args
    assert type(error).__module__ == "gjk"
