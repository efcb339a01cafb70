"""Random values for `fuzz_calls.py` and `fuzz_motions.py`, most of them wrong."""

import warnings

import gjk
import numpy as np

NUMBERS = ("f8", "f8", "f8", "f4", "f2", ">f8", "i8", "i4", "u1", "O", "?", "c16", "U8")
SPECIAL = (np.nan, np.inf, -np.inf, 1e308, -1e300, 1e-310, 5e-324, 0.0, -0.0)
JUNK = (None, "far", b"far", {}, object(), 10**400, 2**70, 1 + 2j, [[1], [1, 2]], np.datetime64("2020-01-01"), np.array("x"), lambda: 0)
OPTIONS = ("raise", "column")


class Wrong(Exception):
    """An answer that is wrong."""


def must(holds, told):
    if not holds:
        raise Wrong(told)


class Maker:
    """Random values, of one generator."""

    def __init__(self, seed, number):
        self.rng = np.random.default_rng([seed, number])

    def once(self, in_so_many):
        return self.rng.integers(in_so_many) == 0

    def one(self, of):
        return of[self.rng.integers(len(of))]

    def number(self):
        if self.once(12):
            return self.one(SPECIAL)
        if self.once(60):
            return self.one(JUNK)
        return float(self.one((self.rng.normal(), self.rng.integers(-4, 5) / 2, abs(self.rng.normal()))))

    def length(self):
        """A length that a shape may have, mostly."""
        value = self.number()
        return abs(value) + 0.125 if isinstance(value, float) and not self.once(8) else value

    def vector(self, of=None):
        return tuple((of or self.number)() for _ in range(3 if not self.once(12) else self.rng.integers(6)))

    def array(self, shape):
        """Numbers in any type and layout."""
        if self.once(40):
            return self.one(JUNK)
        if self.once(25):
            shape = self.one(((), (0,), (0, 3), (3, 0), (1, 1, 1, 1), (2, 7), (*shape, 1), shape[:-1]))
        values = self.rng.normal(size=shape) if self.once(2) else self.rng.integers(-4, 5, shape) / 2
        if self.once(8) and values.size:
            values.flat[self.rng.integers(values.size)] = self.one(SPECIAL)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.laid(np.asarray(values).astype(self.one(NUMBERS)))

    def laid(self, values):
        way = self.rng.integers(8)
        if way == 0:
            return np.asfortranarray(values) if values.ndim else values
        if way == 1:
            return values[::-1].copy()[::-1] if values.ndim else values
        if way == 2 and values.ndim:
            wide = np.zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
            wide[..., ::2] = values
            return wide[..., ::2]
        if way == 3:
            return values.tolist()
        if way == 4:
            values.setflags(write=False)
        return values

    def pose(self, rows):
        """Poses of so many rows, or of one."""
        rows = 1 if self.once(4) else rows
        way = self.rng.integers(6)
        if way == 0:
            return None
        if way == 1:
            matrix = np.tile(np.eye(4), (rows, 1, 1))
            matrix[:, :3] += self.rng.integers(-2, 3, (rows, 3, 4)) / 4
            return self.laid(matrix if self.once(2) else matrix[:, :3]) if not self.once(6) else self.array((rows, 4, 4))
        given = {}
        if not self.once(5):
            given["translation"] = self.array((rows, 3))
        if not self.once(3):
            given[self.one(("quat_xyzw", "quat_wxyz"))] = self.array((rows, 4))
        if self.once(40):
            given["matrix"] = self.array((rows, 3, 4))
        return gjk.Poses(**given)

    def ids(self, rows, count):
        if self.once(30):
            return self.array((rows,))
        if self.once(3):
            return int(self.rng.integers(count))
        ids = self.rng.integers(0, count + self.once(10), rows)
        return self.laid(ids.astype(self.one(("i8", "u4", "u1", ">i2", "u8"))))

    def options(self):
        """What all queries over rows take."""
        given = {}
        if self.once(2):
            given["errors"] = self.one(OPTIONS) if not self.once(30) else self.one(JUNK)
        if self.once(3):
            given["threads"] = self.one((1, 2, None)) if not self.once(20) else self.one((0, -1, 1.5, "two", 2**70, *JUNK))
        return given


def made_shapes(make):
    """A set of shapes; one that is refused is not in it."""
    shapes = gjk.Shapes()
    for _ in range(int(make.rng.integers(1, 5))):
        refused(lambda: add_shape(make, shapes))
    if not len(shapes):
        shapes.sphere(0.5)
    if make.once(10):
        again = gjk.Shapes.from_json(shapes.to_json())
        must(again == shapes and len(again) == len(shapes), "shapes are others after JSON")
    return shapes


def add_shape(make, shapes):
    kind = make.rng.integers(10)
    if kind < 3:
        name = ("capsule", "cylinder", "cone")[kind]
        axis = make.one("xyz") if not make.once(20) else make.one(("w", "", 1, None))
        return getattr(shapes, name)(half_height=make.length(), radius=make.length(), axis=axis)
    if kind == 3:
        return shapes.box(half_extents=make.vector(make.length))
    if kind == 4:
        return shapes.ellipsoid(make.vector(make.length))
    if kind == 5:
        return shapes.hull(make.array((int(make.rng.integers(1, 12)), 3)))
    if kind == 6:
        return shapes.triangle(make.vector(), make.vector(), make.vector())
    if kind == 7:
        return shapes.rounded(int(make.rng.integers(-1, 5)) if not make.once(9) else make.one(JUNK), radius=make.length())
    if kind == 8:
        return shapes.segment(make.vector(), make.vector())
    return shapes.sphere(make.length())


def refused(call, also=()):
    """What a call returns; nothing where it is refused as documented."""
    try:
        return call()
    except (gjk.GjkError, TypeError, *also) as error:
        must(str(error), f"{type(error).__name__} without a message")
        return None
