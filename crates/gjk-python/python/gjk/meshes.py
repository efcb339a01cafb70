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
from ._motions import Meeting

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "Depths",
    "Distances",
    "Meetings",
    "Mesh",
    "MeshManifolds",
    "MeshMotions",
    "Nearness",
    "Relation",
    "Relations",
    "ShapeContacts",
    "Side",
    "closer_than",
    "contact",
    "depth",
    "distance",
    "manifold",
    "meets",
    "ray_cast",
    "relation",
    "shape_cast",
    "side_of",
    "time_of_impact",
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


@dataclass(frozen=True)
class MeshMotions:
    """When motions first meet meshes, as columns. Of what an answer does not have the numbers are NaN.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `gjk.Meeting`; 255 for a row that is wrong.
    exact : ndarray of bool, shape (n,)
        Whether the verdict rests on exact signs.
    grazing : ndarray of bool, shape (n,)
        Of a ray: it does not go into a solid at once, nor through a surface. Of a shape: the first triangles are only grazed.
    inside : ndarray of bool, shape (n,)
        The start is inside of a solid, and off its surface.
    time_lower, time_upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the time of the verdict.
    exit_lower, exit_upper : ndarray of float64, shape (n,)
        Of a ray that starts in a solid, when it leaves it.
    normal : ndarray of float64, shape (n, 3)
        Unit, from the mesh to what moves.
    point_a, point_b : ndarray of float64, shape (n, 3)
        On the mesh and on what moves, in the world, at `time_upper`.
    triangle : ndarray of int64, shape (n,)
        The lowest of the triangles that may be the first, by the numbers of the input; -1 where there is none.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    grazing: np.ndarray
    inside: np.ndarray
    time_lower: np.ndarray
    time_upper: np.ndarray
    exit_lower: np.ndarray
    exit_upper: np.ndarray
    normal: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    triangle: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [Meeting(int(code)).name.lower() for code in self.verdict]


@dataclass(frozen=True)
class MeshManifolds:
    """Where meshes and convex shapes bear on each other, as columns: `n` rows with `m` points in all.

    Attributes
    ----------
    verdict : ndarray of uint8, shape (n,)
        The numbers of `gjk.Verdict`, within the prediction; 255 for a row that is wrong, which has no points.
    exact, inside : ndarray of bool, shape (n,)
        Whether the verdict is proved, and whether the shape is inside of a solid and meets no triangle: then it has no points.
    offsets : ndarray of int64, shape (n + 1,)
        The points of row `k` are those from `offsets[k]` up to, but without, `offsets[k + 1]`.
    normal : ndarray of float64, shape (m, 3)
        Unit, from the mesh to the shape: that of the point's patch.
    point_a, point_b : ndarray of float64, shape (m, 3)
        On the mesh and on the shape, in the world: apart by the separation along the normal.
    separation_lower, separation_upper : ndarray of float64, shape (m,)
        Ends of an interval that contains how far they are apart there: negative in overlap.
    patch : ndarray of uint32, shape (m,)
        The number of the patch in its row: points of one normal have one.
    triangle, face : ndarray of int64, shape (m,)
        The triangle, and the lowest triangle of its plane, by the numbers of the input.
    id : ndarray of uint64, shape (m,)
        A hash of what meets there: the same from step to step as long as the same features meet.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    verdict: np.ndarray
    exact: np.ndarray
    inside: np.ndarray
    offsets: np.ndarray
    normal: np.ndarray
    point_a: np.ndarray
    point_b: np.ndarray
    separation_lower: np.ndarray
    separation_upper: np.ndarray
    patch: np.ndarray
    triangle: np.ndarray
    face: np.ndarray
    id: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def counts(self) -> np.ndarray:
        """How many points each row has."""
        return np.diff(self.offsets)

    def points_of(self, row: int) -> slice:
        """Which points are those of a row: `found.point_a[found.points_of(7)]`."""
        row = range(len(self))[row]
        return slice(int(self.offsets[row]), int(self.offsets[row + 1]))


def ray_cast(
    mesh: Mesh | Sequence[Mesh],
    origin: Any,
    direction: Any,
    pose: Any = None,
    *,
    max_time: float | None = None,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    errors: str = "raise",
    threads: int | None = None,
) -> MeshMotions:
    """Tell when the ray of each row first meets its mesh: the point `origin + t * direction` for `t >= 0`.

    Parameters
    ----------
    mesh : Mesh or sequence of Mesh
        One for all rows, or one a row; at `pose`.
    origin, direction, max_time, distance, start, touch, errors, threads
        As in `gjk.ray_cast`. `start="exit"` is of solids alone, without a distance: the time at which the ray leaves the solid.

    Examples
    --------
    >>> import gjk
    >>> plate = gjk.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> found = gjk.meshes.ray_cast(plate, [[0, 0, 2], [0, 0, -2], [3, 0, 2]], [0, 0, -1])
    >>> found.verdict_names(), float(found.time_upper[0]), found.normal[0].tolist()
    (['hits', 'free', 'free'], 2.0, [0.0, 0.0, 1.0])
    """
    meshes: list[_gjk.Mesh] = []
    of = _numbered("mesh", mesh, {}, meshes)
    raises, on = _rows.check_errors(errors), _rows.count_of_threads(threads)
    policies = (max_time, distance, start, touch)
    columns, wrong = _gjk.answer_mesh_rays(meshes, of, pose, (origin, direction), policies, raises, on)
    return MeshMotions(**columns, errors=dict(wrong))


def _moved(
    turns: bool,
    mesh: Mesh | Sequence[Mesh],
    shapes: _gjk.Shapes,
    shape: Any,
    poses: tuple[Any, Any],
    motions: tuple[Any, Any],
    policies: tuple[Any, Any, Any, Any],
    search: tuple[Any, Any],
    errors: str,
    threads: int | None,
) -> MeshMotions:
    meshes: list[_gjk.Mesh] = []
    of = (_numbered("mesh", mesh, {}, meshes), _rows.ids("shape", shape))
    if not isinstance(shapes, _gjk.Shapes):
        raise GjkError(f"shapes is a {type(shapes).__name__}: expected gjk.Shapes")
    raises, on = _rows.check_errors(errors), _rows.count_of_threads(threads)
    columns, wrong = _gjk.answer_mesh_motions(turns, meshes, shapes, of, poses, motions, policies, search, raises, on)
    return MeshMotions(**columns, errors=dict(wrong))


def shape_cast(
    mesh: Mesh | Sequence[Mesh],
    shapes: _gjk.Shapes,
    shape: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    velocity_a: Any = None,
    velocity_b: Any = None,
    max_time: float | None = None,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    errors: str = "raise",
    threads: int | None = None,
) -> MeshMotions:
    """Tell when the convex shape of each row first meets its mesh, where both move in straight lines and do not turn.

    Parameters
    ----------
    mesh, shapes, shape, pose_a, pose_b
        As in `contact`; poses are those at the time 0.
    velocity_a, velocity_b : array_like, shape (3,) or (n, 3), optional
        How far the mesh and the shape move in a unit of time. They rest if left out.
    max_time, distance, start, touch, errors, threads
        As in `gjk.shape_cast`; there is no `start="exit"`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(0.5)
    >>> plate = gjk.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> found = gjk.meshes.shape_cast(plate, shapes, ball, pose_b=gjk.Poses(translation=[0, 0, 2.5]), velocity_b=[[0, 0, -1], [0, 0, 1]])
    >>> found.verdict_names(), bool(found.time_lower[0] <= 2 <= found.time_upper[0])
    (['hits', 'free'], True)
    """
    motions = tuple(None if of is None else _rows.Motions(velocity=of) for of in (velocity_a, velocity_b))
    policies = (max_time, distance, start, touch)
    return _moved(False, mesh, shapes, shape, (pose_a, pose_b), (motions[0], motions[1]), policies, (None, None), errors, threads)


def time_of_impact(
    mesh: Mesh | Sequence[Mesh],
    shapes: _gjk.Shapes,
    shape: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    motion_a: Any = None,
    motion_b: Any = None,
    max_time: float = 1.0,
    distance: float = 0.0,
    start: str = "hit",
    touch: str = "counts",
    time_resolution: float | None = None,
    pieces_max: int | None = None,
    errors: str = "raise",
    threads: int | None = None,
) -> MeshMotions:
    """Tell when the convex shape of each row first meets its mesh, where both may move and turn.

    Parameters
    ----------
    mesh, shapes, shape, pose_a, pose_b
        As in `contact`; poses are those at the time 0.
    motion_a, motion_b : Motions, optional
        How the mesh and the shape move and turn. They rest if left out. A mesh that turns costs more: nearly all of its triangles are asked.
    max_time, distance, start, touch, time_resolution, pieces_max, errors, threads
        As in `gjk.time_of_impact`; there is no `start="exit"`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> bar = shapes.box(half_extents=(1, 0.1, 0.1))
    >>> floor = gjk.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    >>> swing = gjk.Motions(angular=[[0, 1, 0], [0, 0, 1]])
    >>> found = gjk.meshes.time_of_impact(floor, shapes, bar, pose_b=gjk.Poses(translation=[0, 0, 0.5]), motion_b=swing)
    >>> found.verdict_names()
    ['hits', 'free']
    """
    policies = (max_time, distance, start, touch)
    search = (time_resolution, pieces_max)
    return _moved(True, mesh, shapes, shape, (pose_a, pose_b), (motion_a, motion_b), policies, search, errors, threads)


def manifold(
    mesh: Mesh | Sequence[Mesh],
    shapes: _gjk.Shapes,
    shape: Any,
    pose_a: Any = None,
    pose_b: Any = None,
    *,
    prediction: float = 0.0,
    points_max: int | str | None = None,
    cos_max_tilt: float | None = None,
    sides: str = "both",
    errors: str = "raise",
    threads: int | None = None,
) -> MeshManifolds:
    """Tell at which points the mesh and the convex shape of each row bear on each other, without contacts at inner edges of a plane.

    Parameters
    ----------
    mesh, shapes, shape, pose_a, pose_b
        As in `contact`.
    prediction, points_max, cos_max_tilt
        As in `gjk.manifold`; `points_max` is of each normal.
    sides : {"both", "front"}
        Which sides of a surface bear. A solid bears on its outside.
    errors, threads
        As in `contact`.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(0.5, 0.5, 0.5))
    >>> floor = gjk.Mesh([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> found = gjk.meshes.manifold(floor, shapes, cube, pose_b=gjk.Poses(translation=[[0.25, 0, 0.4], [0, 0, 3]]))
    >>> found.counts.tolist(), found.normal[0].tolist()
    ([4, 0], [0.0, 0.0, 1.0])
    """
    meshes: list[_gjk.Mesh] = []
    of = (_numbered("mesh", mesh, {}, meshes), _rows.ids("shape", shape))
    if not isinstance(shapes, _gjk.Shapes):
        raise GjkError(f"shapes is a {type(shapes).__name__}: expected gjk.Shapes")
    raises, on = _rows.check_errors(errors), _rows.count_of_threads(threads)
    options = (prediction, points_max, cos_max_tilt)
    columns, wrong = _gjk.answer_mesh_manifolds(meshes, shapes, of, (pose_a, pose_b), options, sides, raises, on)
    return MeshManifolds(**columns, errors=dict(wrong))


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
