"""Robots: states in rows, and in which of them links collide or come too close; edges, trajectories and the collision matrix, proved.

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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _gjk, _rows
from ._gjk import GjkError, RowError
from ._proofs import Edges, Matrix, Path, PathVerdict, StateVerdicts, edges_of, matrix_of, path_of, verdicts_of
from .scene import Pairs, Report, Scene, _taken, wish

__all__ = ["Collisions", "Edges", "Joint", "Matrix", "Path", "PathVerdict", "Robot", "StateVerdicts"]

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
        *,
        meshes: str = "exact",
        parts: str | os.PathLike[str] | None = None,
        include_adjacent: bool = False,
        group_fixed: bool = False,
        world: str | os.PathLike[str] | None = None,
        attach: Iterable[tuple[Any, ...]] = (),
        attach_touch: Iterable[str] = (),
    ) -> Robot:
        """Read a URDF file.

        Parameters
        ----------
        path, srdf, packages, meshes, parts, include_adjacent, group_fixed
            As of `Scene.load`.
        world : path, optional
            What stands around the robot, in the frame of its root link: a scene file, a mesh or a folder of meshes. Its bodies are the last ones of `links`
            and of the scene; two of them are no pair.
        attach : iterable of (link, file) or (link, file, pose)
            What links carry: a mesh, a folder of meshes or a scene file, and its pose in the link's frame, a matrix (4, 4). It is one body with the file's
            name, next to its link.
        attach_touch : iterable of str
            Links that it may touch, such as fingers.

        Raises
        ------
        SceneError
            What cannot be read, with what to do.
        GjkError
            A file that is no robot.
        """
        taken = _taken(srdf, packages, meshes, parts, include_adjacent, group_fixed, world, attach, attach_touch)
        return cls(Scene(_gjk.Scene.load(os.fspath(path), taken)))

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
        world: str | os.PathLike[str] | None = None,
        attach: Iterable[tuple[Any, ...]] = (),
        attach_touch: Iterable[str] = (),
    ) -> Robot:
        """Read the text of a URDF file; the names of meshes in it are relative to the working folder. Parameters and errors are those of `from_urdf`."""
        taken = _taken(srdf, packages, meshes, parts, include_adjacent, group_fixed, world, attach, attach_touch)
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

    def matrix(
        self,
        *,
        limits: str | Mapping[str, tuple[float, float]] = "soft",
        default_state: Any = None,
        margin: float = 0.0,
        samples: int = 1000,
        seed: int = 0,
        cells: int = 300_000,
        width: float = 0.1,
        measure: int = 1000,
        always: float | None = None,
        only_proved: bool = False,
        verify: bool = False,
        certificate: bool = False,
        threads: int | None = None,
    ) -> Matrix:
        """Decide for all pairs of links whether they can meet: the allowed-collision matrix, with a reason and its basis for each pair, as `gjk acm` does.

        Parameters
        ----------
        limits : {"soft", "hard", "none"} or mapping of str to (lower, upper)
            How far joints go: as MoveIt plans, within `<limit>`, a full turn; or ranges by joint, and the soft ones for all others.
        default_state : array_like, shape (j,), or mapping of str to float, optional
            The state whose contacts are `default`. That of MoveIt if left out: 0, or the middle of the range where that has no 0.
        margin : float
            Pairs that may come nearer keep no reason.
        samples, seed : int
            How many random states a pair tell how often it collides, and which.
        cells : int
            At most so many cells a pair; what they do not suffice for is open.
        width : float
            How narrow the least distance is to be, as a part of it.
        measure : int
            At most so many cells a pair for that.
        always : float, optional
            The part of the random states that counts as always; a proof if left out.
        only_proved : bool
            Give no reason to what is not proved.
        verify : bool
            Have all proved again by the checker of certificates, which shares nothing with the prover.
        certificate : bool
            Keep what proves the pairs, for `gjk acm --check-certificate`.
        threads : int, optional
            All processors if left out. Answers do not depend on it.

        Raises
        ------
        GjkError
            A number that is none of these, a joint that does not exist.
        SceneError
            Limits that contradict each other.

        Examples
        --------
        >>> import gjk
        >>> link = '<link name="{}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        >>> slide = '<joint name="{0}" type="prismatic"><parent link="a"/><child link="{0}"/><origin xyz="{1} 0 0"/><axis xyz="0 1 0"/><limit lower="0" upper="2"/></joint>'
        >>> text = link.format("a") + link.format("b") + link.format("c") + slide.format("b", 1.5) + slide.format("c", 3)
        >>> matrix = gjk.Robot.from_string(f'<robot name="r">{text}</robot>').matrix()
        >>> matrix.pair_names(), matrix.reason
        ([('a', 'b'), ('a', 'c'), ('b', 'c')], ['adjacent', 'adjacent', 'never'])
        >>> bool(0.45 <= matrix.distance[2, 0] <= 0.5 <= matrix.distance[2, 1])
        True
        """
        state = None if default_state is None else self._states(default_state)
        asked = {
            "default_state": state,
            "margin": _rows.length("margin", margin),
            "samples": samples,
            "seed": seed,
            "cells": cells,
            "width": width,
            "measure": measure,
            "always": always,
            "only_proved": only_proved,
            "verify": verify,
            "certificate": certificate,
        }
        return matrix_of(self, limits, asked, threads)

    def states(self, states: Any, threads: int | None = None, *, errors: str = "raise") -> StateVerdicts:
        """Say of each state whether it is free, as `gjk states` does: some hundred thousand a second.

        All pairs of links are looked at but adjacent ones, those that the SRDF file disables and those that a scene file allows. How near or deep a pair is
        `check` measures.

        Parameters
        ----------
        states : array_like, shape (n, j) or (j,), or mapping of str to array_like, shape (n,)
            States as `check` takes them.
        threads : int, optional
            All processors if left out. Answers do not depend on it.
        errors : {"raise", "column"}
            What a wrong row does: raise `RowError`, or be named in `StateVerdicts.errors`.

        Raises
        ------
        RowError
            For the first state that is wrong, unless `errors="column"`.
        GjkError
            Arrays of other shapes, a joint that does not exist.

        Examples
        --------
        >>> import gjk
        >>> link = '<link name="{}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        >>> slide = '<joint name="{0}" type="prismatic"><parent link="a"/><child link="{0}"/><origin xyz="{1} 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>'
        >>> text = link.format("a") + link.format("b") + link.format("c") + slide.format("b", 3) + slide.format("c", 3.5)
        >>> found = gjk.Robot.from_string(f'<robot name="r">{text}</robot>').states([[-2, 0], [0.5, 0], [1, 0]])
        >>> found
        StateVerdicts(3 states: 1 free)
        >>> found.pair_names(), [gjk.Verdict(code).name for code in found.verdict]
        ([None, ('b', 'c'), ('b', 'c')], ['SEPARATED', 'OVERLAPPING', 'TOUCHING'])
        """
        _rows.check_errors(errors)
        return verdicts_of(self, self._states(states), errors == "raise", threads)

    def edges(
        self,
        starts: Any,
        goals: Any,
        clearance: float = 0.0,
        threads: int | None = None,
        *,
        spans: int = 100_000,
        errors: str = "raise",
    ) -> Edges:
        """Prove straight edges between states free over their whole length, or find where links first meet, as `gjk edges` does.

        All pairs of links are looked at but adjacent ones, those that the SRDF file disables and those that a scene file allows. A body of the world and a
        link that stand still in contact are left out.

        Parameters
        ----------
        starts, goals : array_like, shape (n, j) or (j,), or mapping of str to array_like, shape (n,)
            States as `check` takes them; as many starts as goals.
        clearance : float
            Links must stay so far apart.
        threads : int, optional
            All processors if left out. Answers do not depend on it.
        spans : int
            At most so many spans of an edge a pair; what they do not suffice for is undecided.
        errors : {"raise", "column"}
            What a wrong row does: raise `RowError`, or be named in `Edges.errors`.

        Raises
        ------
        RowError
            For the first row that is wrong, unless `errors="column"`.
        GjkError
            Arrays of other shapes, a joint that does not exist.

        Examples
        --------
        >>> import gjk, numpy as np
        >>> link = '<link name="{}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        >>> slide = '<joint name="{0}" type="prismatic"><parent link="a"/><child link="{0}"/><origin xyz="{1} 0 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2"/></joint>'
        >>> text = link.format("a") + link.format("b") + link.format("c") + slide.format("b", 3) + slide.format("c", 3.5)
        >>> robot = gjk.Robot.from_string(f'<robot name="r">{text}</robot>')
        >>> found = robot.edges(starts=[[-2, 0], [-2, 0]], goals=[[-1.5, 0], [2, 0]])
        >>> found
        Edges(2 edges: 1 free, 1 hit)
        >>> bool(found.time[1, 0] <= 0.25 <= found.time[1, 1]), found.pair_names()[1]
        (True, ('b', 'c'))
        """
        _rows.check_errors(errors)
        asked = {"clearance": clearance, "spans": spans, "first": False, "slices": 0, "tolerance": 0.0, "verify": False, "certificate": False}
        return edges_of(self, self._states(starts), self._states(goals), asked, errors == "raise", threads)

    def path(
        self,
        times: Any,
        positions: Any,
        velocities: Any = None,
        accelerations: Any = None,
        *,
        interpolation: str = "auto",
        clearance: float = 0.0,
        first: bool = False,
        slices: int = 0,
        tolerance: float = 0.001,
        spans: int = 100_000,
        verify: bool = False,
        certificate: bool = False,
        threads: int | None = None,
    ) -> Path:
        """Prove a trajectory free over its whole time, or find when links first meet on each of its segments, as `gjk path` does.

        Parameters
        ----------
        times : array_like, shape (n,)
            Seconds that rise.
        positions : array_like, shape (n, j), or mapping of str to array_like, shape (n,)
            States as `check` takes them.
        velocities, accelerations : array_like, shape (n, j), optional
            In the order of `joints`, in seconds.
        interpolation : {"auto", "linear", "cubic", "quintic"}
            What joints do between points: `auto` as ros2_controllers do, cubic where there are velocities, quintic where accelerations too.
        clearance : float
            Links must stay so far apart.
        first : bool
            End with the first segment that has a hit.
        slices : int
            So many slices a segment have their least clearance measured, as `Path.profile`.
        tolerance : float
            How wide the interval of a slice may be.
        spans : int
            At most so many spans of time a pair and segment.
        verify : bool
            Have all proved again by the checker of certificates, which shares nothing with the prover.
        certificate : bool
            Keep what proves the segments, for `gjk path --check-certificate`.
        threads : int, optional
            All processors if left out. Answers do not depend on it.

        Raises
        ------
        RowError
            For the first point that is wrong.
        GjkError
            Arrays of other shapes, times that do not rise, an interpolation that there is not.
        SceneError
            Numbers that the interpolation lacks, polynomials beyond the range of numbers.
        """
        asked = {
            "clearance": clearance,
            "spans": spans,
            "first": first,
            "slices": slices,
            "tolerance": tolerance,
            "verify": verify,
            "certificate": certificate,
        }
        if first and (verify or certificate):
            raise GjkError("first=True leaves segments out, of which a certificate could not speak: leave out one of the two")
        given = {"times": times, "velocities": velocities, "accelerations": accelerations, "interpolation": interpolation}
        return path_of(self, self._states(positions), given, asked, threads)

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
