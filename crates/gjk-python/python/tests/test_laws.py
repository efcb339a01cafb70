"""Laws of rows, on cases that hypothesis chooses: always the same ones, and a failing one is made small."""

from fractions import Fraction

import gjk
import numpy as np
import pytest
from gjk import Poses, Verdict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

settings.register_profile(
    "laws", derandomize=True, database=None, deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("laws")

COLUMNS = ("verdict", "lower", "upper", "normal", "point_a", "point_b")
QUERIES = (gjk.classify, gjk.distance, gjk.contact)
KINDS = 10

# Turns that take the lattice to itself, as quaternions whose matrices need no rounding.
LATTICE_TURNS = [(0, 0, 0, 1), (1, 0, 0, 0), (1, 1, 1, 1), (-1, 1, 1, -1), (1, -1, -1, 1)]

# Coordinates of a lattice make bodies touch and faces lie in one plane; others are what most rows have.
coordinate = st.one_of(st.integers(-6, 6).map(lambda k: k / 4), st.floats(-2, 2, width=32))
vector = st.tuples(coordinate, coordinate, coordinate)
turn = st.one_of(
    st.sampled_from(LATTICE_TURNS),
    st.tuples(*[st.floats(-1, 1, width=32)] * 4).filter(lambda q: sum(x * x for x in q) > 0.01),
)
row = st.tuples(st.integers(0, KINDS - 1), st.integers(0, KINDS - 1), vector, turn, vector, turn)
rows = st.lists(row, min_size=1, max_size=24).map(lambda given: Given(*zip(*given)))


class Given:
    """Columns of rows."""

    def __init__(self, a, b, at_a, turn_a, at_b, turn_b):
        self.a, self.b = np.array(a), np.array(b)
        self.at_a, self.at_b = np.array(at_a, dtype=float), np.array(at_b, dtype=float)
        self.turn_a, self.turn_b = np.array(turn_a, dtype=float), np.array(turn_b, dtype=float)

    def __repr__(self):
        return f"Given({self.a.tolist()}, {self.b.tolist()}, {self.at_a.tolist()}, {self.turn_a.tolist()}, {self.at_b.tolist()}, {self.turn_b.tolist()})"

    def at(self, chosen):
        columns = (self.a, self.b, self.at_a, self.turn_a, self.at_b, self.turn_b)
        return Given(*(column[chosen] for column in columns))

    def poses(self, scale=1.0):
        first = Poses(translation=self.at_a * scale, quat_xyzw=self.turn_a)
        return first, Poses(translation=self.at_b * scale, quat_xyzw=self.turn_b)

    def ask(self, query=gjk.contact, **options):
        return query(set_of(), self.a, self.b, *self.poses(), **options)


def set_of(scale=1.0):
    """A shape of each kind."""
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5 * scale, 0.25 * scale, 1.0 * scale))
    shapes.sphere(0.5 * scale)
    shapes.capsule(half_height=0.75 * scale, radius=0.25 * scale, axis="x")
    shapes.hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.5]]) * scale)
    shapes.point((0.0, 0.0, 0.0))
    shapes.segment((0, 0, -0.5 * scale), (0, 0, 0.5 * scale))
    shapes.triangle((0, 0, 0), (scale, 0, 0), (0, scale, 0))
    shapes.cylinder(half_height=0.5 * scale, radius=0.25 * scale)
    shapes.ellipsoid((0.5 * scale, 0.25 * scale, 0.75 * scale))
    shapes.rounded(0, radius=0.125 * scale)
    return shapes


def equal(one, other, columns=COLUMNS):
    for name in columns:
        first, second = getattr(one, name), getattr(other, name)
        assert (first is None) == (second is None), name
        assert first is None or np.array_equal(first, second, equal_nan=first.dtype.kind == "f"), (name, first, second)


def picked(found, chosen):
    """Some rows of answers."""
    columns = {name: getattr(found, name) for name in COLUMNS}
    return gjk.Answers(**{name: None if c is None else c[chosen] for name, c in columns.items()}, errors={})


def matrices(turns, at):
    """By the definition of a quaternion's matrix."""
    x, y, z, w = (turns / np.linalg.norm(turns, axis=1)[:, None]).T
    if all(tuple(turn) in LATTICE_TURNS for turn in turns.tolist()):
        x, y, z, w = turns.T / np.abs(turns).sum(axis=1) ** 0.5
    made = np.zeros((len(turns), 3, 4))
    made[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    made[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    made[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    made[:, :, 3] = at
    return made


@pytest.mark.parametrize("query", QUERIES)
@given(of=rows)
def test_a_row_is_what_it_is_alone(query, of):
    whole = of.ask(query)
    for k in range(len(of.a)):
        equal(picked(whole, [k]), of.at([k]).ask(query))


@given(of=rows, data=st.data())
def test_the_order_of_rows_is_no_matter(of, data):
    order = data.draw(st.permutations(range(len(of.a))))
    equal(picked(of.ask(), order), of.at(order).ask())


@given(of=rows, n=st.integers(2, 9))
def test_one_row_for_all_is_that_row_repeated(of, n):
    repeated = of.at(np.zeros(n, int))
    first, second = of.at([0]).poses()
    shapes = set_of()
    expected = repeated.ask()
    equal(expected, gjk.contact(shapes, repeated.a, of.b[0], first, second))
    equal(expected, gjk.contact(shapes, int(of.a[0]), [of.b[0]], repeated.poses()[0], second))
    equal(expected, gjk.contact(shapes, of.a[:1], repeated.b, first, Poses(translation=repeated.at_b, quat_xyzw=of.turn_b[0])))


@given(of=rows)
def test_layouts_and_types_are_no_matter(of):
    # Of 32 bits, so that nothing is lost on the way.
    expected = of.ask()
    wide = np.full((2 * len(of.a), 11), np.nan)
    wide[::2, 1:4] = of.at_b
    ways = {
        "fortran": np.asfortranarray(of.at_b),
        "strided": wide[::2, 1:4],
        "backward": of.at_b[::-1].copy()[::-1],
        "float32": of.at_b.astype(np.float32),
        "big-endian": of.at_b.astype(">f8"),
        "lists": of.at_b.tolist(),
        "objects": of.at_b.astype(object),
    }
    first, _ = of.poses()
    for name, way in ways.items():
        found = gjk.contact(set_of(), of.a.astype(">i2"), of.b.astype(np.uint8), first, Poses(translation=way, quat_xyzw=of.turn_b))
        assert not found.errors, name
        equal(expected, found)


@given(of=rows)
def test_whole_numbers_are_numbers(of):
    whole, turns = np.round(of.at_b).astype(int), np.tile([0, 0, 0, 1], (len(of.a), 1))
    found = gjk.contact(set_of(), of.a, of.b, None, Poses(translation=whole.astype(np.int16), quat_xyzw=turns))
    equal(found, gjk.contact(set_of(), of.a, of.b, None, Poses(translation=whole.astype(float))))


@given(of=rows)
def test_matrices_and_quaternions_agree(of):
    both = [matrices(*pose) for pose in ((of.turn_a, of.at_a), (of.turn_b, of.at_b))]
    one, other = of.ask(), gjk.contact(set_of(), of.a, of.b, *both)
    # Both round, so that bodies which nearly touch may do so in one of them.
    clear = np.abs(one.lower + one.upper) > 1e-9
    assert np.array_equal(one.verdict[clear], other.verdict[clear])
    assert np.all(one.lower <= other.upper + 1e-12) and np.all(other.lower <= one.upper + 1e-12)


@given(of=rows, turns=st.tuples(st.sampled_from(LATTICE_TURNS), st.sampled_from(LATTICE_TURNS)))
def test_turns_of_the_lattice_are_exact(of, turns):
    n = len(of.a)
    of.turn_a, of.turn_b = (np.tile(np.array(turn, dtype=float), (n, 1)) for turn in turns)
    both = [matrices(*pose) for pose in ((of.turn_a, of.at_a), (of.turn_b, of.at_b))]
    equal(of.ask(), gjk.contact(set_of(), of.a, of.b, *both))


@given(of=rows)
def test_swapped_bodies(of):
    swapped = Given(of.b, of.a, of.at_b, of.turn_b, of.at_a, of.turn_a)
    one, other = of.ask(), swapped.ask()
    assert np.array_equal(one.verdict, other.verdict)
    assert np.all(one.lower <= other.upper) and np.all(other.lower <= one.upper)
    # The nearest direction of bodies apart is one; how sure it is follows from the intervals.
    apart = (one.verdict == Verdict.SEPARATED) & (one.lower > 0) & (other.lower > 0)
    off = np.linalg.norm(one.normal[apart] + other.normal[apart], axis=1)
    unsure = [np.sqrt(2 * (1 - found.lower[apart] / found.upper[apart])) for found in (one, other)]
    assert np.all(off <= unsure[0] + unsure[1] + 1e-12), off


@given(of=rows, power=st.integers(-30, 30))
def test_a_power_of_two_scales_all(of, power):
    scale = 2.0**power
    one, other = of.ask(), gjk.contact(set_of(scale), of.a, of.b, *of.poses(scale))
    equal(one, other, ("verdict", "normal"))
    for name in ("lower", "upper", "point_a", "point_b"):
        assert np.array_equal(getattr(one, name) * scale, getattr(other, name)), name


@given(radii=st.tuples(st.floats(1e-3, 4), st.floats(1e-3, 4)), of=rows)
def test_balls_by_their_closed_form(radii, of):
    shapes = gjk.Shapes()
    a, b = (shapes.sphere(radius) for radius in radii)
    reach = sum(Fraction(radius) for radius in radii)
    found = gjk.contact(shapes, a, b, *of.poses())
    for k, (s, t) in enumerate(zip(of.at_a, of.at_b)):
        square = sum((Fraction(y) - Fraction(x)) ** 2 for x, y in zip(s, t))
        lower, upper = (Fraction(end[k]) + reach for end in (found.lower, found.upper))
        assert lower <= 0 or lower**2 <= square, k
        assert upper >= 0 and upper**2 >= square, k
        truth = (square > reach**2) - (square < reach**2)
        assert found.verdict[k] == {1: Verdict.SEPARATED, 0: Verdict.TOUCHING, -1: Verdict.OVERLAPPING}[truth]


@pytest.mark.parametrize("query", QUERIES)
@given(of=rows, data=st.data())
def test_wrong_rows_change_no_other(query, of, data):
    n = len(of.a)
    wrong = data.draw(st.dictionaries(st.integers(0, n - 1), st.sampled_from(["translation", "quaternion", "shape"])))
    before = of.ask(query)
    for k, what in wrong.items():
        if what == "translation":
            of.at_a[k, 1] = np.nan
        elif what == "quaternion":
            of.turn_b[k] = 0.0
        else:
            of.b[k] = KINDS
    found = of.ask(query, errors="column")
    assert set(found.errors) == set(wrong)
    right = np.setdiff1d(np.arange(n), list(wrong))
    equal(picked(before, right), picked(found, right))
    bad = np.array(sorted(wrong), dtype=int)
    assert np.all(found.verdict[bad] == Verdict.WRONG_ROW)
    assert found.lower is None or np.all(np.isnan(found.lower[bad]))


@pytest.mark.parametrize("query", QUERIES)
@settings(max_examples=5)
@given(of=rows, repeated=st.integers(50, 150))
def test_threads_are_no_matter(query, of, repeated):
    of = of.at(np.tile(np.arange(len(of.a)), repeated))
    equal(of.ask(query, threads=1), of.ask(query, threads=2))
