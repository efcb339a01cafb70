"""Rows as callers give them: poses, numbers and lengths, checked once for all queries."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ._gjk import GjkError


#: More than any machine has, and fewer than a machine refuses.
MOST_THREADS = 1024


class Poses:
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

    __slots__ = ("_count", "_given")

    def __init__(
        self,
        *,
        translation: Any = None,
        quat_xyzw: Any = None,
        quat_wxyz: Any = None,
        matrix: Any = None,
    ) -> None:
        if matrix is not None:
            if not (translation is None and quat_xyzw is None and quat_wxyz is None):
                raise GjkError("a matrix has a translation and a rotation of its own: give nothing else")
            numbers = as_numbers("matrix", matrix)
            if numbers.shape[-2:] not in ((4, 4), (3, 4)) or numbers.ndim not in (2, 3):
                raise GjkError(f"matrix has shape {numbers.shape}: expected (4, 4), (3, 4), (n, 4, 4) or (n, 3, 4)")
            rows = numbers.reshape(-1, numbers.shape[-2] * 4)
            self._given: dict[str, Any] = {"kind": "matrix", "numbers": rows, "translation": None}
            self._count = len(rows)
            return
        if quat_xyzw is not None and quat_wxyz is not None:
            raise GjkError("quat_xyzw and quat_wxyz are both given: one rotation has one order")
        kind = "quat_wxyz" if quat_wxyz is not None else "quat_xyzw"
        rotation = quat_wxyz if quat_wxyz is not None else quat_xyzw
        numbers = vectors(kind, (0.0, 0.0, 0.0, 1.0) if rotation is None else rotation, 4)
        moved = vectors("translation", (0.0, 0.0, 0.0) if translation is None else translation, 3)
        self._count = common_length([("translation", len(moved)), (kind, len(numbers))])
        self._given = {"kind": kind, "numbers": numbers, "translation": moved}

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Poses({len(self)}, {self._given['kind']})"


class Rows:
    """What the queries over rows have in common: how many rows there are, and what the compiled functions are given after the bodies."""

    def __init__(
        self,
        lengths: list[tuple[str, int]],
        pose_a: Any,
        pose_b: Any,
        errors: str,
        threads: int | None,
    ) -> None:
        check_errors(errors)
        of_a, of_b = as_poses("pose_a", pose_a), as_poses("pose_b", pose_b)
        lengths += [(name, len(poses)) for name, poses in (("pose_a", of_a), ("pose_b", of_b)) if poses is not None]
        self.count = common_length(lengths)
        self.given = (
            None if of_a is None else of_a._given,
            None if of_b is None else of_b._given,
            errors == "raise",
            count_of_threads(threads),
        )


def check_errors(errors: str) -> None:
    """Refuse what is no way to tell of wrong rows."""
    if not isinstance(errors, str) or errors not in ("raise", "column"):
        raise GjkError(f'errors is {errors!r}: it must be "raise" or "column"')


def count_of_threads(threads: int | None) -> int:
    """What the compiled functions are given; 0 for as many as there are processors."""
    if threads is None:
        return 0
    if not isinstance(threads, (int, np.integer)) or not 1 <= threads <= MOST_THREADS:
        raise GjkError(f"threads is {threads!r}: it must be a whole number, at least 1 and at most {MOST_THREADS}")
    return int(threads)


def counted(codes: np.ndarray, words: type[IntEnum]) -> str:
    """How many rows there are, and how many of each answer."""
    counts = {word.name.lower(): int((codes == word).sum()) for word in words}
    shown = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    return f"{len(codes)} rows: {shown or 'none'}"


def as_numbers(name: str, given: Any) -> np.ndarray:
    """An array of doubles, contiguous."""
    try:
        numbers = np.asarray(given)
        if numbers.dtype.kind == "c":
            raise TypeError("complex numbers have no place in space")
        return np.ascontiguousarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise GjkError(f"{name} is no array of numbers: {error}") from None


def length(name: str, given: Any) -> float:
    """A length, or a part of one; infinity is one."""
    number = as_numbers(name, given)
    if number.size != 1 or not number.flat[0] >= 0.0:
        raise GjkError(f"{name} is {given}: it must be a number of at least 0")
    return float(number.flat[0])


def vectors(name: str, given: Any, width: int) -> np.ndarray:
    """Rows of so many numbers, from one or several."""
    numbers = as_numbers(name, given)
    if numbers.ndim not in (1, 2) or numbers.shape[-1] != width:
        raise GjkError(f"{name} has shape {numbers.shape}: expected ({width},) or (n, {width})")
    return numbers.reshape(-1, width)


def whole_of(name: str, given: Any) -> np.ndarray:
    """An array that is to have whole numbers; an empty one, whose type says nothing, has them."""
    try:
        numbers = np.asarray(given)
    except ValueError as error:
        raise GjkError(f"{name} is no array: {error}") from None
    return numbers if numbers.size else np.zeros(numbers.shape, dtype=np.int64)


def ids(name: str, given: Any) -> np.ndarray:
    """Whole numbers, one or (n,)."""
    numbers = whole_of(name, given)
    if numbers.ndim > 1 or numbers.dtype.kind not in "iu":
        raise GjkError(f"{name} has shape {numbers.shape} and type {numbers.dtype}: expected whole numbers, one or (n,)")
    if numbers.size and numbers.dtype != np.uint32 and (int(numbers.min()) < 0 or int(numbers.max()) > 0xFFFF_FFFF):
        # What no shape can have is a row that is wrong, as any other number without a shape.
        numbers = np.where((numbers < 0) | (numbers > 0xFFFF_FFFF), 0xFFFF_FFFF, numbers)
    return np.ascontiguousarray(numbers, dtype=np.uint32).reshape(-1)


def as_poses(name: str, given: Any) -> Poses | None:
    """Poses, or matrices."""
    if given is None or isinstance(given, Poses):
        return given
    try:
        return Poses(matrix=given)
    except GjkError as error:
        raise GjkError(f"{name}: {error}; quaternions come as gjk.Poses(quat_xyzw=...) or quat_wxyz") from None


def common_length(lengths: list[tuple[str, int]]) -> int:
    """The length of columns, of which those of one row are for all rows."""
    several = {length for _, length in lengths if length != 1}
    if len(several) > 1:
        told = ", ".join(f"{name} has {length}" for name, length in lengths)
        raise GjkError(f"columns of different lengths: {told}")
    return several.pop() if several else 1


#: The arrays of an answer: their names, types, and numbers a row.
COLUMNS = (
    ("verdict", np.uint8, 1),
    ("lower", np.float64, 1),
    ("upper", np.float64, 1),
    ("normal", np.float64, 3),
    ("point_a", np.float64, 3),
    ("point_b", np.float64, 3),
)


def writable(name: str, given: Any, what: str, count: int) -> dict[str, np.ndarray | None]:
    """The arrays of answers, when those of a question can be written into them."""
    found: dict[str, np.ndarray | None] = {}
    for field, kind, width in COLUMNS:
        array = getattr(given, field, None)
        if what == "classify" and field != "verdict":
            found[field] = None
            continue
        shape = (count,) if width == 1 else (count, width)
        if not isinstance(array, np.ndarray) or array.dtype != kind or array.shape != shape:
            has = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
            raise GjkError(f"{name}.{field} is {has}: {what} of {count} rows writes {np.dtype(kind)} of shape {shape}")
        if not (array.flags.c_contiguous and array.flags.writeable and array.flags.aligned):
            raise GjkError(f"{name}.{field} cannot be written into: it must be contiguous and writable")
        found[field] = array
    return found
