"""Pictures of rows: what is drawn is where the bodies are, and what cannot be drawn is said."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import gjk


@pytest.fixture
def shapes():
    shapes = gjk.Shapes()
    shapes.box(half_extents=(1, 2, 3))
    shapes.sphere(0.5)
    shapes.segment((0, 0, -1), (0, 0, 1))
    return shapes


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def drawn(monkeypatch):
    """The corners of what is drawn, a body each."""
    bodies = []

    class Recorded(Poly3DCollection):
        def __init__(self, corners, **kept):
            bodies.append(np.reshape(corners, (-1, 3)))
            super().__init__(corners, **kept)

    monkeypatch.setattr("mpl_toolkits.mplot3d.art3d.Poly3DCollection", Recorded)
    return bodies


def test_bodies_are_where_their_poses_say(shapes, drawn):
    turned = gjk.Poses(translation=[[0, 0, 0], [10, 0, 0]], quat_wxyz=[[1, 0, 0, 0], [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]])
    ax = gjk.plot(shapes, [1, 0], 1, pose_a=turned, row=1)
    box, ball = drawn
    # A quarter turn about z swaps the box's first two sides.
    assert np.allclose(box.min(axis=0), [8, -1, -3]) and np.allclose(box.max(axis=0), [12, 1, 3])
    assert np.linalg.norm(ball, axis=1).max() <= 0.5 + 1e-6 and np.linalg.norm(ball, axis=1).min() > 0.4
    spans = np.ptp([ax.get_xlim3d(), ax.get_ylim3d(), ax.get_zlim3d()], axis=1)
    assert np.allclose(spans, spans[0]) and spans[0] > 12.4


def test_an_answer_is_told_and_its_points_are_drawn(shapes):
    apart = gjk.Poses(translation=[3, 0, 0])
    found = gjk.contact(shapes, 0, 1, pose_b=apart)
    ax = gjk.plot(shapes, 0, 1, pose_b=apart, found=found)
    assert ax.get_title() == "row 0: separated, 1.5"
    ends = np.array(ax.lines[0].get_data_3d()).T
    assert np.allclose(ends, [found.point_a[0], found.point_b[0]])
    assert gjk.plot(shapes, 0, 1, found=gjk.classify(shapes, 0, 1)).get_title() == "row 0: overlapping"
    wrong = gjk.contact(shapes, 0, 1, pose_b=gjk.Poses(translation=[np.nan, 0, 0]), errors="column")
    assert gjk.plot(shapes, 0, 1, found=wrong).get_title().startswith("row 0: wrong row")


def test_meshes_and_bodies_without_an_area(shapes, drawn):
    plate = gjk.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    above = gjk.Poses(translation=[0, 0, 2])
    found = gjk.meshes.contact(plate, shapes, 1, pose_b=above, reach=2)
    ax = gjk.plot(shapes, plate, 1, pose_b=above, found=found)
    assert ax.get_title() == "row 0: separated, 1.5" and len(drawn) == 2
    gjk.plot(None, plate, [plate, plate], row=1)
    assert len(drawn) == 4 and np.array_equal(drawn[3], plate.vertices)
    ax = gjk.plot(shapes, 2, 1, ax=plt.figure().add_subplot(projection="3d"))
    assert len(drawn) == 5 and np.allclose(sorted(ax.lines[0].get_data_3d()[2]), [-1, 1])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"row": 2}, "row 2 does not exist: pose_b has 2 rows"),
        ({"row": -1}, "row is -1: it must be a whole number of at least 0"),
        ({"row": True}, "row is True: it must be a whole number of at least 0"),
        ({"a": 9}, "shape 9 of 3 does not exist"),
        ({"a": [0, 0, 0], "row": 1, "pose_b": None, "b": [1, 1]}, None),
        ({"a": [0, 0, 0], "row": 2, "pose_b": None, "b": [1, 1]}, "row 2 does not exist: b has 2 rows"),
        ({"shapes": None}, "shapes is a NoneType: expected gjk.Shapes, which has the shape of a"),
        ({"ax": 3}, "ax is a int: expected axes of projection 3d"),
        ({"pose_b": gjk.Poses(translation=[0, np.inf, 0])}, "row 0: pose_b: translation is inf: every number must be finite"),
    ],
)
def test_what_cannot_be_drawn_is_said(shapes, change, told):
    given = {"shapes": shapes, "a": 0, "b": 1, "pose_b": gjk.Poses(translation=[[3, 0, 0], [0, 0, 0]]), **change}
    if told is None:
        gjk.plot(**given)
        return
    with pytest.raises(gjk.GjkError) as error:
        gjk.plot(**given)
    assert str(error.value) == told


def test_an_answer_of_fewer_rows(shapes):
    with pytest.raises(gjk.GjkError, match="row 1 does not exist: found has 1 rows"):
        gjk.plot(shapes, 0, [1, 1], found=gjk.contact(shapes, 0, 1), row=1)
