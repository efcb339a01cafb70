"""Robots: states in rows, and in which of them links collide or come too close.

Examples
--------
>>> import gjk, numpy as np
>>> link = '<link name="{}"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
>>> joint = '<joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="0" upper="2"/></joint>'
>>> robot = gjk.Robot.from_string(f'<robot name="r">{link.format("a")}{link.format("b")}{joint}</robot>', include_adjacent=True)
>>> robot
Robot(robot.urdf: links 2, joints to set 1, pairs to check 1)
>>> found = robot.check([[0.1], [0.25], [1.0]], clearance=0.1)
>>> found.collides.tolist()
[True, False, False]
>>> bool(abs(found.clearance[1] - 0.05) < 1e-12), float(found.clearance[2])
(True, 0.1)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _gjk, _rows
from ._gjk import GjkError, RowError
from .scene import Pairs, Report, Scene, _taken, wish

__all__ = ["Collisions", "Joint", "Robot"]

#: The code of an overlap, and of a row that is wrong.
OVERLAPPING, WRONG_ROW = 2, 255


@dataclass(frozen=True)
class Joint:
    """A joint that a state sets.

    Attributes
    ----------
    name : str
    kind : {"revolute", "continuous", "prismatic"}
    lower, upper : float or None
        The limits, in radians, or for a prismatic joint in the robot's length unit; None where the file has none.
    """

    name: str
    kind: str
    lower: float | None
    upper: float | None


@dataclass(frozen=True)
class Collisions:
    """What was found in states, as columns.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    verdict : ndarray of uint8, shape (m,)
        The numbers of `gjk.Verdict`, the worst of all pairs; 255 for a state that is wrong.
    clearance : ndarray of float64, shape (m,)
        All pairs are proved to be at least so far apart, as signed distances: negative in overlap. It is never more than the clearance that was asked
        for, which is 0 if none was: what is farther apart is not measured. NaN for a state that is wrong.
    nearest : ndarray of int64, shape (m, 2)
        The places in `names` of the pair with the least lower end; -1 where all pairs keep the clearance.
    pairs : Pairs
        The pairs found in each state.
    errors : dict of int to str
        The states that are wrong, with what is.
    """

    names: tuple[str, ...]
    verdict: np.ndarray
    clearance: np.ndarray
    nearest: np.ndarray
    pairs: Pairs
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def collides(self) -> np.ndarray:
        """Whether links share inner points: an array of bool, shape (m,). False for a state that is wrong."""
        found: np.ndarray = self.verdict == OVERLAPPING
        return found

    def nearest_names(self) -> list[tuple[str, str] | None]:
        """The names of the nearest pair; None where there is none."""
        return [None if a < 0 else (self.names[a], self.names[b]) for a, b in self.nearest]

    def __repr__(self) -> str:
        wrong = int((self.verdict == WRONG_ROW).sum())
        told = f", {wrong} wrong" if wrong else ""
        return f"Collisions({len(self)} states: {int(self.collides.sum())} collide{told})"


class Robot:
    """A tree of links, as a URDF file states it; `from_urdf` and `from_string` make it. It does not change.

    Attributes
    ----------
    scene : Scene
        Its links that have a collision element, with the pairs that are checked.
    joints : tuple of Joint
        What a state sets, in the file's order. Joints that follow others are not among them.
    links : tuple of str
        All links, in the file's order.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._scene = scene._scene
        self.joints = tuple(Joint(name, kind, *(limits or (None, None))) for name, kind, limits in _gjk.robot_joints(self._scene))
        self.links = tuple(_gjk.robot_links(self._scene))

    @classmethod
    def from_urdf(
        cls,
        path: str | os.PathLike[str],
        srdf: str | os.PathLike[str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        **taken: Any,
    ) -> Robot:
        """Read a URDF file.

        Parameters
        ----------
        path, srdf, packages
            As of `Scene.load`.
        **taken
            The others of `Scene.load`: `meshes`, `parts`, `include_adjacent`, `group_fixed`.

        Raises
        ------
        SceneError
            What cannot be read, with what to do.
        GjkError
            A file that is no robot.
        """
        return cls(Scene.load(path, srdf=srdf, packages=packages, **taken))

    @classmethod
    def from_string(
        cls,
        text: str,
        srdf: str | os.PathLike[str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        *,
        meshes: str = "exact",
        parts: str | os.PathLike[str] | None = None,
        include_adjacent: bool = False,
        group_fixed: bool = False,
    ) -> Robot:
        """Read the text of a URDF file; the names of meshes in it are relative to the working folder. Parameters and errors are those of `from_urdf`."""
        taken = _taken(srdf, packages, meshes, parts, include_adjacent, group_fixed)
        return cls(Scene(_gjk.Scene.from_text("robot.urdf", text, [], taken)))

    def sample(self, n: int, seed: int = 0) -> np.ndarray:
        """Draw states uniformly within the joints' limits: those that `gjk check --random N --seed S` checks, the same on every machine.

        Parameters
        ----------
        n : int
            How many. The first ones do not depend on it.
        seed : int
            Which.

        Returns
        -------
        ndarray of float64, shape (n, j)
            A column a joint. One that turns without limits is drawn from all angles, one that slides without limits stays at 0.
        """
        if n < 0 or not 0 <= seed < 1 << 64:
            raise GjkError(f"n is {n} and seed is {seed}: expected 0 or more, and a seed below 2**64")
        return _gjk.robot_sample(self._scene, n, seed)

    def check(
        self,
        q: Any,
        clearance: float | None = None,
        threads: int | None = None,
        *,
        touch_band: float | None = None,
        pairs: bool = True,
        errors: str = "raise",
    ) -> Collisions:
        """Find in which states links overlap, touch or come too close. Verdicts are those of `gjk check`.

        Parameters
        ----------
        q : array_like, shape (m, j) or (j,), or mapping of str to array_like, shape (m,)
            Values in the order of `joints`, or by name: those left out stay at zero, clamped into their limits. In radians, or the robot's length unit.
            Limits are not looked at.
        clearance : float, optional
            Measure pairs that are nearer than this.
        threads : int, optional
            All processors if left out. Answers do not depend on it.
        touch_band : float, optional
            Gaps and overlaps of at most this are touches.
        pairs : bool
            Whether the pairs are kept: 41 bytes each.
        errors : {"raise", "column"}
            What a wrong state does (a number that is not finite, another count of values, a link beyond the range of numbers): raise `RowError`, or be
            named in `Collisions.errors`.

        Returns
        -------
        Collisions

        Raises
        ------
        RowError
            For the first state that is wrong, unless `errors="column"`.
        GjkError
            Values of another shape, a joint that does not exist.

        Examples
        --------
        >>> import gjk
        >>> link = '<link name="{}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        >>> joint = '<joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="0" upper="2"/></joint>'
        >>> robot = gjk.Robot.from_string(f'<robot name="r">{link.format("a")}{link.format("b")}{joint}</robot>', include_adjacent=True)
        >>> found = robot.check({"slide": [0.5, 1.5, float("nan")]}, errors="column")
        >>> found.collides.tolist(), found.errors
        ([True, False, False], {2: 'joint `slide` is NaN: every number must be finite'})
        >>> found.pairs.state.tolist(), found.pairs.name_a.tolist()
        ([0], ['a'])
        """
        _rows.check_errors(errors)
        wanted, on = wish(clearance, touch_band, None, False, False, threads)
        columns, wrong = _gjk.answer_states(self._scene, self._states(q), wanted, pairs, errors == "raise", on)
        names = tuple(self.scene.bodies)
        bodies = columns["pair_bodies"].reshape(-1, 2)
        return Collisions(
            names=names,
            verdict=columns["verdict"],
            clearance=columns["clearance"],
            nearest=columns["nearest"].reshape(-1, 2),
            pairs=Pairs(
                names, columns["pair_state"], bodies[:, 0], bodies[:, 1], columns["pair_verdict"], columns["pair_lower"], columns["pair_upper"]
            ),
            errors=dict(wrong),
        )

    def report(
        self,
        q: Any,
        clearance: float | None = None,
        threads: int | None = None,
        *,
        touch_band: float | None = None,
        depth: float | None = None,
        verify: bool = False,
        all_pairs: bool = False,
    ) -> Report:
        """The report that `gjk check --states` makes of these states, for few of them. Parameters and errors are those of `check` and `Scene.check`."""
        wanted, on = wish(clearance, touch_band, depth, verify, all_pairs, threads)
        return Report(self._scene.check(self._states(q), wanted, on), self._scene)

    def poses(self, q: Any) -> np.ndarray:
        """Where the links stand.

        Parameters
        ----------
        q
            As of `check`.

        Returns
        -------
        ndarray of float64, shape (m, l, 4, 4)
            A matrix a link of `links`, in the frame of the root link.

        Raises
        ------
        RowError
            For the first state that is wrong.
        """
        return _gjk.robot_poses(self._scene, self._states(q))

    def __repr__(self) -> str:
        pairs = self.scene.pair_counts[0]
        return f"Robot({self.scene.name}: links {len(self.links)}, joints to set {len(self.joints)}, pairs to check {pairs})"

    def _states(self, q: Any) -> dict[str, Any]:
        """States as the compiled functions take them."""
        width = len(self.joints)
        if isinstance(q, Mapping):
            return self._by_name(q)
        given = np.ones(width, dtype=bool).tolist()
        try:
            values = _rows.as_numbers("q", q)
        except GjkError:
            return {"given": given, **_ragged(q, width)}
        if values.ndim not in (1, 2) or values.shape[-1] != width:
            names = ", ".join(joint.name for joint in self.joints)
            raise GjkError(f"q has shape {values.shape}: expected (m, {width}) or ({width},), in the order of the joints {names}")
        rows = 1 if values.ndim == 1 else len(values)
        return {"values": values.reshape(rows, width), "given": given, "widths": None}

    def _by_name(self, q: Mapping[str, Any]) -> dict[str, Any]:
        names = [joint.name for joint in self.joints]
        unknown = [name for name in q if name not in names]
        if unknown:
            raise GjkError(f"there is no joint {unknown[0]!r} to set: those to set are {', '.join(names)}")
        columns = {name: _rows.as_numbers(f"q[{name!r}]", values) for name, values in q.items()}
        wrong = [name for name, column in columns.items() if column.ndim > 1]
        if wrong:
            raise GjkError(f"q[{wrong[0]!r}] has shape {columns[wrong[0]].shape}: expected (m,)")
        count = _rows.common_length([(name, column.size) for name, column in columns.items()])
        values = np.zeros((count, len(names)))
        for name, column in columns.items():
            values[:, names.index(name)] = column
        return {"values": values, "given": [name in columns for name in names], "widths": None}


def _ragged(q: Any, width: int) -> dict[str, Any]:
    """Rows of several lengths, or with what is no number: those are wrong, and the others are not."""
    try:
        rows = [list(row) for row in q]
    except TypeError as error:
        raise GjkError(f"q is no array of numbers: {error}") from None
    values = np.full((len(rows), width), np.nan)
    for k, row in enumerate(rows):
        if len(row) == width:
            try:
                values[k] = _rows.as_numbers("it", row)
            except (GjkError, ValueError) as error:
                raise RowError(f"row {k}: {error}", k) from None
    return {"values": values, "widths": np.array([len(row) for row in rows], dtype=np.int64)}
