"""The names of python-fcl: closed forms, and what is said to be different."""

import gjk.fcl as fcl
import numpy as np
import pytest


def at(geom, *place):
    return fcl.CollisionObject(geom, fcl.Transform(np.array(place, dtype=float)))


def model(*boxes):
    """A model of boxes, each a middle and a size."""
    made = fcl.BVHModel()
    made.beginModel()
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    for middle, size in boxes:
        made.addSubModel(corners * size + middle, faces)
    made.endModel()
    return made


CUBE = ((0, 0, 0), 1.0)
GEOMETRIES = {
    "box": lambda: fcl.Box(1, 1, 1),
    "sphere": lambda: fcl.Sphere(0.5),
    "capsule": lambda: fcl.Capsule(0.5, 1.0),
    "cylinder": lambda: fcl.Cylinder(0.5, 1.0),
    "ellipsoid": lambda: fcl.Ellipsoid(0.5, 0.5, 0.5),
    "convex": lambda: fcl.Convex(np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]), 0, []),
    "model": lambda: model(CUBE),
}


@pytest.mark.parametrize("a", GEOMETRIES)
@pytest.mark.parametrize("b", GEOMETRIES)
def test_bodies_half_a_unit_about_the_origin(a, b):
    one, other = at(GEOMETRIES[a](), 0, 0, 0), at(GEOMETRIES[b](), 3, 0, 0)
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    result = fcl.DistanceResult()
    assert np.isclose(fcl.distance(one, other, request, result), 2.0, atol=1e-6)
    assert np.allclose(result.nearest_points[1] - result.nearest_points[0], [2, 0, 0], atol=1e-3)
    assert result.o1 is one.geom and result.o2 is other.geom
    assert fcl.collide(one, other) == 0
    other.setTranslation([0.75, 0, 0])
    assert fcl.collide(one, other) == 1
    assert np.isclose(fcl.distance(one, other, request), -0.25, atol=1e-6)
    contacts = fcl.CollisionResult()
    assert fcl.collide(one, other, fcl.CollisionRequest(enable_contact=True), contacts) >= 1
    assert contacts.is_collision and contacts.contacts[0].o1 is one.geom


def test_bodies_that_touch_collide():
    for a, b in (("box", "box"), ("model", "model"), ("model", "box"), ("box", "convex")):
        assert fcl.collide(at(GEOMETRIES[a](), 0, 0, 0), at(GEOMETRIES[b](), 1, 0, 0)) == 1, (a, b)


def test_a_contact_points_from_the_first_to_the_second():
    for a, b in (("box", "box"), ("model", "box"), ("box", "model"), ("sphere", "box")):
        result = fcl.CollisionResult()
        one, other = at(GEOMETRIES[a](), 0, 0, 0), at(GEOMETRIES[b](), 0.9, 0, 0)
        fcl.collide(one, other, fcl.CollisionRequest(enable_contact=True), result)
        (contact,) = result.contacts
        assert np.allclose(contact.normal, [1, 0, 0], atol=1e-6), (a, b)
        assert np.isclose(contact.penetration_depth, 0.1, atol=1e-6)
        assert 0.4 - 1e-6 <= contact.pos[0] <= 0.5 + 1e-6


def test_models_are_surfaces():
    room, chair = model(((0, 0, 0), 9.0)), model(CUBE)
    assert fcl.collide(at(room, 0, 0, 0), at(chair, 0, 0, 0)) == 0
    assert np.isclose(fcl.distance(at(room, 0, 0, 0), at(chair, 0, 0, 0)), 4.0)
    assert fcl.collide(at(room, 0, 0, 0), at(fcl.Sphere(1), 0, 0, 0)) == 0
    assert fcl.collide(at(room, 0, 0, 0), at(chair, 4.2, 0, 0)) == 1


def test_contacts_of_models_are_pairs_of_triangles():
    result = fcl.CollisionResult()
    wanted = fcl.CollisionRequest(num_max_contacts=1000, enable_contact=True)
    count = fcl.collide(at(model(CUBE), 0, 0, 0), at(model(CUBE), 0.5, 0.25, 0.125), wanted, result)
    assert count == len(result.contacts) > 3
    assert all(0 <= c.b1 < 12 and 0 <= c.b2 < 12 and np.abs(c.pos).max() <= 0.5 for c in result.contacts)
    two = model(CUBE, ((2, 0, 0), 1.0))
    signed = fcl.DistanceRequest(enable_signed_distance=True)
    assert fcl.distance(at(two, 0, 0, 0), at(model(CUBE), 0, 0, 0.75), signed) == pytest.approx(-0.25, abs=1e-3)


def test_the_least_of_several_calls_is_kept():
    result = fcl.DistanceResult()
    for x in (5, 3, 4):
        fcl.distance(at(fcl.Sphere(1), 0, 0, 0), at(fcl.Sphere(1), x, 0, 0), None, result)
    assert np.isclose(result.min_distance, 1.0)
    assert fcl.distance(at(fcl.Sphere(1), 0, 0, 0), at(fcl.Sphere(1), 1, 0, 0)) == -1.0


def test_managers():
    rng = np.random.default_rng(5)
    places = rng.uniform(-4, 4, (60, 3))
    objects = [at(fcl.Sphere(0.7) if k % 2 else fcl.Box(1, 1, 1), *place) for k, place in enumerate(places)]
    manager, other = fcl.DynamicAABBTreeCollisionManager(), fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(objects[:30])
    other.registerObjects(objects[30:])
    manager.setup()

    def pairs(first, second):
        return {(a, b) for a in first for b in second if a < b and fcl.collide(objects[a], objects[b])}

    def asked(*args):
        seen = set()

        def every(a, b, _):
            if fcl.collide(a, b):
                seen.add(tuple(sorted((objects.index(a), objects.index(b)))))
            return False

        manager.collide(*args, None, every)
        return seen

    assert asked() == pairs(range(30), range(30))
    assert asked(other) == pairs(range(30), range(30, 60))
    assert asked(objects[40]) == pairs(range(30), [40])
    least = min(fcl.distance(a, b, fcl.DistanceRequest(enable_signed_distance=True)) for a in objects[:30] for b in objects[30:])
    apart = fcl.DistanceData()
    lonely = at(fcl.Sphere(1), 20, 0, 0)
    manager.distance(lonely, apart, fcl.defaultDistanceCallback)
    expected = min(fcl.distance(a, lonely) for a in objects[:30])
    assert np.isclose(apart.result.min_distance, expected) and least < 0
    manager.unregisterObject(objects[0])
    assert manager.size() == 29 and not manager.empty()
    with pytest.raises(RuntimeError, match="of a callback"):

        def failing(a, b, _):
            raise RuntimeError("of a callback")

        manager.collide(other, None, failing)


def test_transforms():
    q = np.array([0.5, 0.5, 0.5, 0.5])
    turned = fcl.Transform(q, np.array([1.0, 2, 3]))
    assert np.allclose(turned.getRotation(), [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert np.allclose(fcl.Transform(turned.getRotation()).getQuatRotation(), q)
    assert np.allclose(fcl.Transform(turned).getTranslation(), [1, 2, 3])
    for axis in np.eye(3):
        half = fcl.Transform(np.array([0.0, *axis]))
        assert np.allclose(np.abs(half.getQuatRotation()), [0, *axis])
    with pytest.raises(ValueError):
        fcl.Transform(np.zeros(4))


def test_times_of_contact():
    request, result = fcl.ContinuousCollisionRequest(toc_err=1e-6), fcl.ContinuousCollisionResult()
    box, ball = at(fcl.Box(1, 1, 1), 0, 0, 0), at(fcl.Sphere(0.5), 0, 0, -4)
    time = fcl.continuousCollide(box, fcl.Transform(), ball, fcl.Transform(np.array([0.0, 0, 4])), request, result)
    assert result.is_collide and time == pytest.approx(3 / 8, abs=2e-6) and time <= 3 / 8
    away = fcl.Transform(np.array([0.0, 0, -9]))
    assert fcl.continuousCollide(box, fcl.Transform(), ball, away, request, result) == 1.0 and not result.is_collide
    # A bar of length 10 that turns by 90 degrees about its middle reaches a ball beside it.
    bar, beside = at(fcl.Box(10, 0.2, 0.2), 0, 0, 0), at(fcl.Sphere(0.5), 0, 3, 0)
    quarter = fcl.Transform(np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    # The bar's long side is 0.5 from the ball's centre at the angle whose sine is 0.6 / 3 from its end.
    meets = 1 - np.arcsin(0.6 / 3) / (np.pi / 2)
    for kind in (fcl.CCDMotionType.CCDM_LINEAR, fcl.CCDMotionType.CCDM_SCREW):
        turning = fcl.ContinuousCollisionRequest(toc_err=1e-9, ccd_motion_type=kind)
        time = fcl.continuousCollide(bar, quarter, beside, beside.getTransform(), turning, result)
        assert result.is_collide and meets - 1e-8 <= time == result.time_of_contact <= meets + 1e-12
    # As python-fcl has it: a translation does not look at the rotation of the end.
    assert fcl.continuousCollide(bar, quarter, beside, beside.getTransform(), request, result) == 1.0 and not result.is_collide


def test_the_motions_of_a_request():
    def asked(one, first, other, second, kind):
        result = fcl.ContinuousCollisionResult()
        time = fcl.continuousCollide(one, first, other, second, fcl.ContinuousCollisionRequest(toc_err=1e-9, ccd_motion_type=kind), result)
        assert time == result.time_of_contact
        return time if result.is_collide else None

    linear, screw = fcl.CCDMotionType.CCDM_LINEAR, fcl.CCDMotionType.CCDM_SCREW
    # Half a turn about (2, 0, 0): a screw goes over the top, and a line through the middle.
    over, beside = at(fcl.Sphere(0.25), 0, 0, 0), at(fcl.Sphere(0.25), 2, 0, 0)
    half = fcl.Transform(np.array([0.0, 0, 0, 1]), np.array([4.0, 0, 0]))
    assert asked(over, half, beside, beside.getTransform(), linear) == pytest.approx(1.5 / 4, abs=1e-8)
    assert asked(over, half, beside, beside.getTransform(), screw) is None
    # It passes (2, 2, 0) or (2, -2, 0) on its way.
    tops = [at(fcl.Sphere(0.25), 2, y, 0) for y in (2, -2)]
    assert sum(asked(over, half, top, top.getTransform(), screw) is not None for top in tops) == 1
    # Models: a convex one as its body, another by steps.
    ball, there = at(fcl.Sphere(0.5), -4, 0, 0), fcl.Transform(np.array([4.0, 0, 0]))
    for kind in (fcl.CCDMotionType.CCDM_TRANS, linear, screw):
        assert asked(ball, there, at(model(CUBE), 0, 0, 0), fcl.Transform(), kind) == pytest.approx(3 / 8, abs=1e-8)
    two = at(model(CUBE, ((2, 0, 0), 1.0)), 0, 0, 0)
    assert asked(ball, there, two, fcl.Transform(), linear) == pytest.approx(3 / 8, abs=1e-8)
    with pytest.raises(NotImplementedError, match="not convex"):
        asked(ball, there, two, fcl.Transform(), screw)
    with pytest.raises(NotImplementedError, match="CCDM_TRANS, CCDM_LINEAR or CCDM_SCREW"):
        asked(ball, there, two, fcl.Transform(), fcl.CCDMotionType.CCDM_SPLINE)
    stretched = fcl.Transform(2 * np.eye(3))
    with pytest.raises(ValueError, match="needs rotations"):
        asked(ball, stretched, over, fcl.Transform(), linear)
    with pytest.raises(ValueError, match="toc_err"):
        fcl.continuousCollide(ball, there, over, fcl.Transform(), fcl.ContinuousCollisionRequest(toc_err=-1.0, ccd_motion_type=linear))
    # From within a model there is a way out to its surface.
    assert asked(at(fcl.Sphere(0.1), 0, 0, 0), there, at(model(CUBE), 0, 0, 0), fcl.Transform(), linear) == pytest.approx(0.1, abs=1e-6)


def test_what_is_not_there_says_so():
    with pytest.raises(NotImplementedError, match="Halfspace"):
        fcl.Halfspace(np.array([0.0, 0, 1]), 0.0)
    with pytest.raises(ValueError, match="endModel"):
        fcl.collide(at(fcl.BVHModel(), 0, 0, 0), at(fcl.Sphere(1), 0, 0, 0))
    with pytest.raises(ValueError, match="finite"):
        fcl.collide(at(fcl.Sphere(1), np.nan, 0, 0), at(fcl.Sphere(1), 0, 0, 0))


def test_a_distance_of_which_nothing_is_known_is_no_number():
    turn = [
        [0.33333333333333337, 0.6666666666666666, -0.6666666666666666],
        [-0.6666666666666666, 0.6666666666666667, 0.3333333333333333],
        [0.6666666666666666, 0.3333333333333333, 0.6666666666666667],
    ]
    long = fcl.CollisionObject(fcl.Cylinder(0.125, 1e300), fcl.Transform(turn, [255.0, 2.0, 1.0]))
    turn = [
        [-0.8257022819825479, 0.4357024036206197, -0.3583003726038067],
        [-0.4291064442617911, -0.897428317718638, -0.10242106252962337],
        [-0.36617400374933023, 0.0691796938119071, 0.9279713190299991],
    ]
    ball = fcl.CollisionObject(fcl.Sphere(1.3601226965197002), fcl.Transform(turn, [0.5, -2.0, 5e-324]))
    with pytest.raises(ValueError, match="too large"):
        fcl.distance(ball, long)


def test_what_is_not_decided_collides_at_no_distance() -> None:
    # The numbers of a triangle so far away have steps of 1,024; a ball is so large that a tetrahedron has no size beside it.
    far = [0.0, -9.223372036854776e18, 0.0]
    triangle = fcl.TriangleP([1, 1, 0.1625], [1.7, 0.4375, 1.18], [-2, 0.56, -2.14])
    tilted = fcl.Transform([0.9, 0.1, 0.2, 0.3], far)
    ball = fcl.CollisionObject(fcl.Sphere(1e308), fcl.Transform([1e308, -1.0, 1.5]))
    model = fcl.BVHModel()
    model.beginModel(4, 4)
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    model.addSubModel(np.array(corners, dtype=float), [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]])
    model.endModel()
    pairs = (
        (fcl.CollisionObject(triangle, fcl.Transform([1, 0, 0, 0], far)), fcl.CollisionObject(fcl.Cylinder(1.625, 1.35), tilted)),
        (fcl.CollisionObject(model), ball),
    )
    undecided = 0
    for one, other in pairs:
        result = fcl.CollisionResult()
        fcl.collide(one, other, fcl.CollisionRequest(enable_contact=True), result)
        for signed in (False, True):
            assert not result.is_collision or fcl.distance(one, other, fcl.DistanceRequest(True, signed)) <= 0
        undecided += result.is_collision
    assert undecided == 2
