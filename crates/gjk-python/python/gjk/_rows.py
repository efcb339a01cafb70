"""Rows as callers give them: what is compiled looks at arrays, here is the rest that all queries check."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ._gjk import GjkError, as_numbers, as_poses, check_errors, common_length, count_of_threads, ids, vectors, whole_of
from ._gjk import Motions as _Motions
from ._gjk import PlanarMotions as _PlanarMotions
from ._gjk import PlanarPoses as _PlanarPoses
from ._gjk import Poses as _Poses

__all__ = ["Motions", "PlanarMotions", "PlanarPoses", "Poses", "as_numbers", "as_poses", "check_errors", "common_length", "count_of_threads", "ids", "vectors", "whole_of"]


class Poses(_Poses):
    """Where bodies are: one pose for all rows, or one a row.

    Give a matrix, or a translation and a quaternion whose order is in its name; nothing is guessed.

    Parameters
    ----------
    translation : array_like, shape (3,) or (n, 3), optional
        In the world, in the unit of the shapes. Zero if left out.
    quat_xyzw, quat_wxyz : array_like, shape (4,) or (n, 4), optional
        A rotation, of any length but zero. None if both are left out.
    matrix : array_like, shape (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4), optional
        A map of points, by rows; of four rows the last is 0 0 0 1. It may stretch and mirror.

    Raises
    ------
    GjkError
        Parameters that do not go together, or have another shape.

    Examples
    --------
    >>> import gjk
    >>> len(gjk.Poses(translation=[[0, 0, 0], [1, 0, 0]]))
    2
    >>> gjk.Poses(quat_xyzw=[0, 0, 0, 1])
    Poses(1, quat_xyzw)
    """

    __slots__ = ()


class PlanarPoses(_PlanarPoses):
    """Where bodies of the plane are: one pose for all rows, or one a row.

    Parameters
    ----------
    translation : array_like, shape (2,) or (n, 2), optional
        In the world, in the unit of the shapes. Zero if left out.
    angle : float or array_like, shape (n,), optional
        In radians, counter-clockwise. Zero if left out.
    matrix : array_like, shape (3, 3), (2, 3), (n, 3, 3) or (n, 2, 3), optional
        A map of points, by rows; of three rows the last is 0 0 1. It may stretch and mirror.

    Raises
    ------
    GjkError
        Parameters that do not go together, or have another shape.

    Examples
    --------
    >>> import gjk
    >>> gjk.PlanarPoses(translation=[[0, 0], [1, 0]], angle=0.5)
    PlanarPoses(2, angle)
    """

    __slots__ = ()


class Motions(_Motions):
    """How bodies move and turn: one motion for all rows, or one a row.

    A body's centre moves in a straight line at a constant rate, and the body turns about it: by velocities, or to a pose. Or each of its vertices moves by
    itself.

    Parameters
    ----------
    velocity : array_like, shape (3,) or (n, 3), optional
        How far the centre moves in a unit of time. Zero if left out.
    angular : array_like, shape (3,) or (n, 3), optional
        The angle in radians that the body turns in a unit of time, along its axis, in the world. Zero if left out.
    center : array_like, shape (3,) or (n, 3), optional
        The point that moves in a straight line, in the body's own frame. Its origin if left out.
    to : Poses or array_like, optional
        Where the body is at the time 1, by the shortest arc, instead of velocities; past that it goes on alike. It turns and moves, and does not scale.
    rotation : {"slerp", "nlerp"}, optional
        How the body turns on its way to `to`: at a constant rate, which is the default, or as a straight line of quaternions goes that are normalised.
    vertices : array_like, shape (k, 3), (n, k, 3) or (m, 3), optional
        Instead of all of the above: where each vertex of a hull, segment, triangle or point is at the time 1, in the body's frame and in the order of the
        shape's points. Each moves in a straight line and on, and the body is their hull. Of `time_of_impact` alone.
    offsets : array_like of int, shape (n + 1,), optional
        Of motions with different counts of vertices, `vertices` of shape (m, 3): those of motion `k` are from `offsets[k]` up to `offsets[k + 1]`.

    Raises
    ------
    GjkError
        Parameters that do not go together, or have another shape.

    Examples
    --------
    >>> import gjk
    >>> gjk.Motions(velocity=[[1, 0, 0], [2, 0, 0]], angular=[0, 0, 3.14])
    Motions(2)
    >>> gjk.Motions(to=gjk.Poses(translation=[0, 0, 1]))
    Motions(1, to)
    >>> gjk.Motions(vertices=[[0, 0, 1], [1, 0, 3]])
    Motions(1, vertices)
    """

    __slots__ = ()


class PlanarMotions(_PlanarMotions):
    """How bodies of the plane move and turn: as `Motions`, with vectors of two numbers, and `angular` of one number a row, counter-clockwise.

    Examples
    --------
    >>> import gjk
    >>> gjk.PlanarMotions(velocity=[1, 0], angular=[0.5, 0.25])
    PlanarMotions(2)
    """

    __slots__ = ()


def counted(codes: np.ndarray, words: type[IntEnum]) -> str:
    """How many rows there are, and how many of each answer."""
    counts = {word.name.lower(): int((codes == word).sum()) for word in words}
    shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"{len(codes)} rows: {shown or 'none'}"


def length(name: str, given: Any) -> float:
    """A length, or a part of one; infinity is one."""
    number = as_numbers(name, given)
    if number.size != 1 or not number.flat[0] >= 0.0:
        raise GjkError(f"{name} is {given}: it must be a number of at least 0")
    return float(number.flat[0])


#: The arrays of an answer: their names, types, and numbers a row.
COLUMNS = (
    ("verdict", "uint8", 1),
    ("lower", "float64", 1),
    ("upper", "float64", 1),
    ("normal", "float64", 3),
    ("point_a", "float64", 3),
    ("point_b", "float64", 3),
)


def writable(given: Any, what: str) -> tuple[np.ndarray | None, ...]:
    """The arrays of answers, when those of a question can be written into them."""
    verdict = getattr(given, "verdict", None)
    count = len(verdict) if isinstance(verdict, np.ndarray) and verdict.ndim else 0
    found: list[np.ndarray | None] = []
    for field, kind, width in COLUMNS:
        array = getattr(given, field, None)
        if what == "classify" and field != "verdict":
            found.append(None)
            continue
        shape = (count,) if width == 1 else (count, width)
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
            has = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise GjkError(f"out.{field} is {has}: {what} of {count} rows writes {kind} of shape {shape}")
        if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            raise GjkError(f"out.{field} cannot be written into: it must be contiguous and writable")
        found.append(array)
    return tuple(found)
