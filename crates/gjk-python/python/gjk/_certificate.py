"""What proves an answer, for those who do not trust the program that found it."""

from __future__ import annotations

import json
from typing import Any

from . import _gjk, _rows
from ._gjk import GjkError, Shapes


class Certificate:
    """The answer for one pair with what proves it; `certificate` makes it.

    Attributes
    ----------
    answer : dict
        The answer with the keys of `gjk query`: `verdict`, `exact`, `signed_distance`, `normal`, `point_a`, `point_b`, ...
    kind : {"separated", "touching", "overlapping"} or None
        What is proved; None for smooth shapes (cylinder, cone, ellipsoid), which carry an interval and no proof.
    content : dict
        The proof: `direction`, of a plane that separates; `pairs`, of the input's own points by number; `weights`, whose combination of those pairs is
        the nearest point; `facets`, around the origin. What a kind does not need is not there. Numbers that doubles cannot hold are text.
    proved : dict of str to bool
        What the checker proves by it: `verdict`, and the ends `lower` and `upper` of the interval. What is not proved may still be true.
    """

    def __init__(self, found: _gjk.Certificate) -> None:
        self._found = found
        self.answer: dict[str, Any] = json.loads(found.to_json())
        self.content: dict[str, Any] = self.answer.get("certificate", {})
        self.kind: str | None = self.content.get("kind")
        self.proved: dict[str, bool] = self.answer.get("verified", {"verdict": False, "lower": False, "upper": False})

    def verify(self) -> list[str]:
        """Check the answer again, in big integers, by code that shares nothing with what found it but the bodies' vertices.

        Returns
        -------
        list of str
            What is wrong; empty where nothing is. Anything else is a bug in this library.
        """
        return self._found.objections()

    def to_json(self) -> str:
        """The line that `gjk query --verify` answers, without an id, with the certificate."""
        return self._found.to_json()

    def __repr__(self) -> str:
        proved = [name for name, is_proved in self.proved.items() if is_proved]
        return f"Certificate({self.kind or 'none'}: {self.answer['verdict']}; proved: {', '.join(proved) or 'nothing'})"


def certificate(shapes: Shapes, a: int, b: int, pose_a: Any = None, pose_b: Any = None) -> Certificate:
    """Answer for one pair with what proves it: `contact` with a certificate.

    Parameters
    ----------
    shapes : Shapes
        What the numbers name.
    a, b : int
        The shapes of the two bodies.
    pose_a, pose_b : Poses or array_like, shape (4, 4), optional
        One pose each; at the origin if left out.

    Returns
    -------
    Certificate

    Raises
    ------
    GjkError
        A pose that is none, or several; an answer beyond the range of numbers.
    ShapeError
        A shape that does not exist.

    Examples
    --------
    >>> import gjk
    >>> shapes = gjk.Shapes()
    >>> cube = shapes.box(half_extents=(0.5, 0.5, 0.5))
    >>> proof = gjk.certificate(shapes, cube, cube, pose_b=gjk.Poses(translation=[1, 0.25, 0]))
    >>> proof
    Certificate(touching: touching; proved: verdict, lower, upper)
    >>> proof.content["pairs"], proof.content["weights"], proof.verify()
    ([[7, 4], [5, 6]], [0.625, 0.375], [])
    """
    ids = [_rows.ids(name, given) for name, given in (("a", a), ("b", b))]
    poses = [_rows.as_poses(name, given) for name, given in (("pose_a", pose_a), ("pose_b", pose_b))]
    for name, given in (("a", ids[0]), ("b", ids[1]), ("pose_a", poses[0]), ("pose_b", poses[1])):
        if given is not None and len(given) != 1:
            raise GjkError(f"{name} has {len(given)} rows: a certificate is of one pair")
    return Certificate(_gjk.certificate(shapes, int(ids[0][0]), int(ids[1][0]), *poses))
