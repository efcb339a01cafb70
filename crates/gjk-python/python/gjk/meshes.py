"""Queries of meshes as they are: solids and surfaces, never their hulls.

A row is two meshes at two poses. Relations and meetings are exact for the vertices as the poses round them; distances and depths are intervals
that contain the truth.

Examples
--------
>>> import gjk, numpy as np
>>> corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
>>> faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
>>> cube = gjk.Mesh(corners, faces)
>>> cube
Mesh(solid, 12 triangles, 1 shells)
>>> found = gjk.meshes.relation(cube, cube, pose_b=gjk.Poses(translation=[[0, 0, 0], [0.5, 0, 0], [1, 0, 0], [1.5, 0, 0]]))
>>> found.names()
['equal', 'overlapping', 'touching', 'separated']
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _gjk, _rows
from ._gjk import GjkError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Depths",
    "Distances",
    "Meetings",
    "Mesh",
    "Nearness",
    "Relation",
    "Relations",
    "ShapeContacts",
    "Side",
    "closer_than",
    "contact",
    "depth",
    "distance",
    "meets",
    "relation",
    "side_of",
]


class Mesh:
    """A mesh of triangles as it is: a solid, or a surface. It does not change.

    Parameters
    ----------
    vertices : array_like, shape (n, 3)
        Places, in a frame and a unit of its own. Vertices are welded where they are equal, never by distance.
    faces : array_like of int, shape (m, 3)
        Numbers of vertices, counter-clockwise seen from outside.

    Attributes
    ----------
    vertices, faces : ndarray
        As given; not to be written to.

    Raises
    ------
    ShapeError
        No face, a number that is not finite, a vertex that does not exist, arrays of other shapes.

    Examples
    --------
    >>> import gjk
    >>> gjk.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    Mesh(surface: edge 0-1 is open; 1 triangles, 1 shells)
    """

    __slots__ = ("_mesh", "faces", "vertices")

    def __init__(self, vertices: Any, faces: Any) -> None:
        numbers = _rows.whole_of("faces", faces)
        if numbers.dtype.kind not in "iu":
            raise ShapeError(f"faces have type {numbers.dtype}: expected whole numbers", "faces", "out_of_range")
        if numbers.ndim != 2:
            raise ShapeError(f"faces have shape {numbers.shape}: expected (m, 3)", "faces", "out_of_range")
        self.vertices = _rows.vectors("vertices", vertices, 3)
        self.faces = np.ascontiguousarray(numbers, dtype=np.int64)
        self._mesh = _gjk.Mesh(self.vertices, self.faces)

    @classmethod
    def from_trimesh(cls, mesh: Any) -> Mesh:
        """The mesh of a `trimesh.Trimesh`, or of anything with `vertices` and `faces`."""
        return cls(mesh.vertices, mesh.faces)

    @property
    def kind(self) -> str:
        """`solid`, the union of closed shells with their cavities, or `surface`, the set of the triangles."""
        return self._mesh.kind

    @property
    def reason(self) -> str | None:
        """Why it is a surface; None of a solid."""
        return self._mesh.reason

    @property
    def shells(self) -> int:
        """How many shells it has."""
        return self._mesh.shells

    def __len__(self) -> int:
        """How many triangles it has, without copies and those that take one another out."""
        return len(self._mesh)

    def __reduce__(self) -> tuple[type[Mesh], tuple[np.ndarray, np.ndarray]]:
        return Mesh, (self.vertices, self.faces)

    def __repr__(self) -> str:
        return repr(self._mesh)


class Relation(IntEnum):
    """How two bodies are to each other; the numbers in the column of relations."""

    SEPARATED = 0
    TOUCHING = 1
    OVERLAPPING = 2
    CROSSING = 3
    INSIDE = 4
    CONTAINS = 5
    EQUAL = 6
    WRONG_ROW = 255


class Side(IntEnum):
    """Where a point is to a solid; `UNKNOWN` for a point that is not finite, or one that no ray tells."""

    OUTSIDE = 0
    BOUNDARY = 1
    INSIDE = 2
    UNKNOWN = 255


@dataclass(frozen=True)
class Relations:
    """Relations of rows, as columns.

    Attributes
    ----------
    relation : ndarray of uint8, shape (n,)
        The numbers of `Relation`; 255 for a row that is wrong.
    exact : ndarray of bool, shape (n,)
        False where a shell crosses itself once its vertices are rounded: then the relation is what is known at least.
    triangles : ndarray of int64, shape (n, 2)
        A triangle of each that show the relation, by the numbers of the input; -1 where the surfaces do not meet.
    point, normal : ndarray of float64, shape (n, 3)
        Where they meet, in the world, and the unit normal there from A to B; NaN where there is none.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    relation: np.ndarray
    exact: np.ndarray
    triangles: np.ndarray
    point: np.ndarray
    normal: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.relation)

    @property
    def collides(self) -> np.ndarray:
        """Whether the bodies share more than points of their surfaces: all but separated and touching."""
        found: np.ndarray = (self.relation > Relation.TOUCHING) & (self.relation != Relation.WRONG_ROW)
        return found

    def names(self) -> list[str]:
        """The relations in words."""
        return [Relation(int(code)).name.lower() for code in self.relation]

    def __repr__(self) -> str:
        return f"Relations({_rows.counted(self.relation, Relation)})"


@dataclass(frozen=True)
class Meetings:
    """Whether surfaces share a point (`meets`), and a triangle of each that do (`triangles`, -1 where none); wrong rows are False and in `errors`."""

    meets: np.ndarray
    triangles: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.meets)


@dataclass(frozen=True)
class Distances:
    """Distances of surfaces, as columns.

    Attributes
    ----------
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the distance; [reach, inf] where it is proved to be more than `reach`; NaN for a wrong row.
    exact : ndarray of bool, shape (n,)
        False where the search ended early, with an interval that holds all the same.
    point_a, point_b, normal : ndarray of float64, shape (n, 3)
        A nearest point of each surface, in the world, and the unit direction from A to B; NaN beyond `reach`.
    triangles : ndarray of int64, shape (n, 2)
        The nearest triangle of each, by the numbers of the input; -1 beyond `reach`.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    lower: np.ndarray
    upper: np.ndarray
    exact: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    normal: np.ndarray
    triangles: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.lower)


@dataclass(frozen=True)
class Nearness:
    """Whether surfaces are at most a length apart (`is_closer`, False where that is not proved), whether that is known (`known`), the interval of the
    distance that tells it (`lower`, `upper`), and wrong rows (`errors`)."""

    is_closer: np.ndarray
    known: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.is_closer)


@dataclass(frozen=True)
class Depths:
    """How deep bodies overlap, as columns.

    Attributes
    ----------
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains minus the length of the shortest translation that leaves no common inside: -inf and 0 where nothing is proved.
    reach_a, reach_b : ndarray of float64, shape (n, 2)
        Lower and upper ends of how far the surface of A reaches into B, and that of B into A; NaN where the other is a surface.
    exact : ndarray of bool, shape (n,)
        Whether the reaches are as narrow as was asked.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    lower: np.ndarray
    upper: np.ndarray
    reach_a: np.ndarray
    reach_b: np.ndarray
    exact: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.lower)


@dataclass(frozen=True)
class ShapeContacts:
    """How meshes are to convex shapes, as columns.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `gjk.Verdict`. Overlapping also where a surface passes through the shape, and where the shape is inside of a solid.
    exact, inside : ndarray of bool, shape (n,)
        Whether the verdict is proved, and whether the shape is inside of a solid and meets no triangle.
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the distance; -inf and 0 of bodies that overlap, [reach, inf] where no triangle is within `reach`; NaN for a
        wrong row.
    triangle : ndarray of int64, shape (n,)
        The nearest triangle within `reach`, or the one that goes deepest, by the numbers of the input; -1 where there is none.
    point_a, point_b, normal : ndarray of float64, shape (n, 3)
        The nearest points of that triangle and the shape, in the world, and the unit direction from the mesh to the shape; NaN where there is none.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    inside: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    triangle: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    normal: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)


def contact(
    mesh: Mesh | Sequence[Mesh],
    shapes: _gjk.Shapes,
    shape: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    reach: float = 0.0,
    errors: str = "raise",
    threads: int | None = None,
) -> ShapeContacts:
    """Tell how the mesh and the convex shape of each row are to each other, and how far apart they are as far as `reach`.

    Parameters
    ----------
    mesh : Mesh or sequence of Mesh
        One for all rows, or one a row; at `pose_a`.
    shapes : Shapes
    shape : int or array_like of int, shape (n,)
        Numbers of `shapes`; at `pose_b`.
    reach : float
        Triangles farther than this cost nothing. With infinity each one is measured.
    pose_a, pose_b, errors, threads
        As in `relation`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(0.5)
    >>> plate = gjk.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> found = gjk.meshes.contact(plate, shapes, ball, pose_b=gjk.Poses(translation=[[0, 0, 2], [0, 0, 0.5], [0, 0, 0]]), reach=2)
    >>> found.verdict.tolist(), bool(found.lower[0] <= 1.5 <= found.upper[0])
    ([0, 1, 2], True)
    """
    meshes: list[_gjk.Mesh] = []
    of_a, of_b = _numbered("mesh", mesh, {}, meshes), _rows.ids("shape", shape)
    if not isinstance(shapes, _gjk.Shapes):
        raise GjkError(f"shapes is a {type(shapes).__name__}: expected gjk.Shapes")
    raises, on = _rows.check_errors(errors), _rows.count_of_threads(threads)
    columns, wrong = _gjk.answer_mesh_shape_rows(_rows.length("reach", reach), meshes, shapes, of_a, of_b, pose_a, pose_b, raises, on)
    columns["verdict"] = columns.pop("code")
    return ShapeContacts(**columns, errors=dict(wrong))


def relation(
    a: Mesh | Sequence[Mesh],
    b: Mesh | Sequence[Mesh],
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
) -> Relations:
    """Tell how the bodies of each row are to each other, exactly.

    Parameters
    ----------
    a, b : Mesh or sequence of Mesh
        One for all rows, or one a row.
    pose_a, pose_b : Poses or array_like, optional
        As in `gjk.classify`. Bodies of poses that are equal to the bit are compared in their own frame.
    errors, threads
        As in `gjk.classify`.

    Returns
    -------
    Relations

    Raises
    ------
    RowError
        For the first row that is wrong, unless `errors="column"`.
    GjkError
        For parameters of other shapes.
    """
    columns, wrong = _ask("relation", (0.0, 0.0, 0.0), a, b, pose_a, pose_b, errors, threads)
    return Relations(
        relation=columns["code"],
        exact=columns["exact"],
        triangles=columns["triangles"],
        point=columns["point_a"],
        normal=columns["normal"],
        errors=wrong,
    )


def meets(
    a: Mesh | Sequence[Mesh],
    b: Mesh | Sequence[Mesh],
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
) -> Meetings:
    """Tell whether the surfaces of each row share a point. A body within another, whose surfaces do not meet, does not. Parameters are those of `relation`."""
    columns, wrong = _ask("meets", (0.0, 0.0, 0.0), a, b, pose_a, pose_b, errors, threads)
    return Meetings(columns["code"] == 1, columns["triangles"], wrong)


def distance(
    a: Mesh | Sequence[Mesh],
    b: Mesh | Sequence[Mesh],
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    reach: float = np.inf,
    relative: float = 0.0,
    absolute: float = 0.0,
    errors: str = "raise",
    threads: int | None = None,
) -> Distances:
    """Measure how far apart the surfaces of each row are: 0 where they meet, and the distance of the surfaces where one body is within the other.

    Parameters
    ----------
    reach : float
        Distances beyond this are of no interest, and cost little.
    relative, absolute : float
        How wide the interval may be, in parts of the distance and as a length.
    a, b, pose_a, pose_b, errors, threads
        As in `relation`.

    Examples
    --------
    >>> import gjk, numpy as np
    >>> plate = gjk.Mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float), [[0, 1, 2]])
    >>> found = gjk.meshes.distance(plate, plate, pose_b=gjk.Poses(translation=[[0, 0, 2], [0, 0, 5]]), reach=3.0)
    >>> bool(found.lower[0] <= 2.0 <= found.upper[0]), bool(np.isinf(found.upper[1]))
    (True, True)
    """
    numbers = (_rows.length("reach", reach), _rows.length("relative", relative), _rows.length("absolute", absolute))
    columns, wrong = _ask("distance", numbers, a, b, pose_a, pose_b, errors, threads)
    del columns["code"]
    return Distances(**columns, errors=wrong)


def closer_than(
    a: Mesh | Sequence[Mesh],
    b: Mesh | Sequence[Mesh],
    length: float,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    errors: str = "raise",
    threads: int | None = None,
) -> Nearness:
    """Tell whether the surfaces of each row are at most `length` apart; it ends at the first two triangles that are. Other parameters are those of `relation`."""
    columns, wrong = _ask("closer_than", (_rows.length("length", length), 0.0, 0.0), a, b, pose_a, pose_b, errors, threads)
    code = columns["code"]
    return Nearness(code == 1, code <= 1, columns["lower"], columns["upper"], wrong)


def depth(
    a: Mesh | Sequence[Mesh],
    b: Mesh | Sequence[Mesh],
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    relative: float = 0.01,
    errors: str = "raise",
    threads: int | None = None,
) -> Depths:
    """Measure how deep the bodies of each row overlap: milliseconds a row. `relative`: how wide the reaches may be, in parts of the greater one. Other
    parameters are those of `relation`."""
    width = _rows.length("relative", relative)
    if width == 0.0:
        raise GjkError("relative is 0: it must be more than 0")
    columns, wrong = _ask("depth", (width, 0.0, 0.0), a, b, pose_a, pose_b, errors, threads)
    del columns["code"]
    return Depths(**columns, errors=wrong)


def side_of(mesh: Mesh, points: Any) -> np.ndarray:
    """Tell where points are to a solid, in its own frame, exactly: the numbers of `Side`.

    Parameters
    ----------
    mesh : Mesh
    points : array_like, shape (3,) or (n, 3)

    Returns
    -------
    ndarray of uint8, shape (n,)

    Raises
    ------
    GjkError
        For a mesh that is a surface: it has no inside.
    """
    return mesh._mesh.sides(_rows.vectors("points", points, 3))


def _ask(
    what: str,
    numbers: tuple[float, float, float],
    a: Any,
    b: Any,
    pose_a: Any,
    pose_b: Any,
    errors: str,
    threads: int | None,
) -> tuple[dict[str, Any], dict[int, str]]:
    known: dict[int, int] = {}
    meshes: list[_gjk.Mesh] = []
    of_a, of_b = (_numbered(name, given, known, meshes) for name, given in (("a", a), ("b", b)))
    raises, on = _rows.check_errors(errors), _rows.count_of_threads(threads)
    columns, wrong = _gjk.answer_mesh_rows(what, numbers, meshes, of_a, of_b, pose_a, pose_b, raises, on)
    return columns, dict(wrong)


def _numbered(name: str, given: Any, known: dict[int, int], meshes: list[_gjk.Mesh]) -> np.ndarray:
    """The meshes by their numbers in a list without copies."""
    several = [given] if isinstance(given, Mesh) else given
    numbers = []
    try:
        for mesh in several:
            if not isinstance(mesh, Mesh):
                raise GjkError(f"{name} has a {type(mesh).__name__}: expected gjk.Mesh")
            if id(mesh) not in known:
                known[id(mesh)] = len(meshes)
                meshes.append(mesh._mesh)
            numbers.append(known[id(mesh)])
    except TypeError:
        raise GjkError(f"{name} is a {type(given).__name__}: expected a gjk.Mesh or a sequence of them") from None
    return np.array(numbers, dtype=np.uint32)
