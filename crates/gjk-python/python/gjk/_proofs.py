"""What is proved of robots: the collision matrix, edges and trajectories, as columns. `gjk.Robot` asks for them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _gjk, _rows
from ._gjk import GjkError

if TYPE_CHECKING:
    from .robot import Robot

#: The code of a row that is wrong.
WRONG_ROW = 255

#: `gjk.Verdict.SEPARATED`, which this module cannot import.
SEPARATED = 0


class PathVerdict(IntEnum):
    """What is known of an edge or a segment, from good to bad."""

    #: No pair meets at any time: proved.
    FREE = 0
    #: Links come within 10 µm of touching, and no state decides whether they meet; all else is proved.
    TOUCH = 1
    #: The spans ran out: nothing is claimed of the time of the row.
    UNDECIDED = 2
    #: Links come nearer than the clearance.
    CLOSE = 3
    #: Links overlap.
    HIT = 4


@dataclass(frozen=True)
class StateVerdicts:
    """What was found of states, a row each, without how near or deep.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    verdict : ndarray of uint8, shape (n,)
        The numbers of `gjk.Verdict`, the worst of all pairs; 255 for a state that is wrong.
    pair : ndarray of int64, shape (n, 2)
        The places in `names` of two bodies that are so; -1 where all are separated. The first pair that is proved to overlap ends the search.
    errors : dict of int to str
        The states that are wrong, with what is.
    """

    names: tuple[str, ...]
    verdict: np.ndarray
    pair: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def free(self) -> np.ndarray:
        """Which have no two bodies in contact: an array of bool, shape (n,)."""
        found: np.ndarray = self.verdict == SEPARATED
        return found

    def pair_names(self) -> list[tuple[str, str] | None]:
        """The names of the pair; None where all bodies are separated."""
        return _names(self.names, self.pair)

    def __repr__(self) -> str:
        return f"StateVerdicts({len(self)} states: {int(self.free.sum())} free)"


@dataclass(frozen=True)
class Edges:
    """What was found of edges, a row each. Along an edge s goes from 0 to 1.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    verdict : ndarray of uint8, shape (n,)
        The numbers of `PathVerdict`; 255 for a row that is wrong.
    time : ndarray of float64, shape (n, 2)
        Of a hit, and of what is too close: all is proved free up to the first s, and the state at the second one shows it; they are at most 1e-6 apart. Of
        what touches or is undecided: from when to when. NaN where an edge is free.
    pair : ndarray of int64, shape (n, 2)
        The places in `names` of the two bodies; -1 where an edge is free.
    state : ndarray of float64, shape (n, j)
        The state that shows it, in the order of the robot's joints; NaN where an edge is free.
    distance : ndarray of float64, shape (n, 2)
        Ends of the signed distance of the pair in that state.
    spans : ndarray of int64, shape (n,)
        How many spans were looked at.
    errors : dict of int to str
        The rows that are wrong, with what is.
    """

    names: tuple[str, ...]
    verdict: np.ndarray
    time: np.ndarray
    pair: np.ndarray
    state: np.ndarray
    distance: np.ndarray
    spans: np.ndarray
    errors: dict[int, str]

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def free(self) -> np.ndarray:
        """Which are proved free: an array of bool, shape (n,)."""
        found: np.ndarray = self.verdict == PathVerdict.FREE
        return found

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [_word(code) for code in self.verdict]

    def pair_names(self) -> list[tuple[str, str] | None]:
        """The names of the pair; None where an edge is free."""
        return _names(self.names, self.pair)

    def __repr__(self) -> str:
        return f"Edges({len(self)} edges: {_counts(self.verdict)})"


@dataclass(frozen=True)
class Profile:
    """The least clearance of a trajectory over time, a row a slice.

    Attributes
    ----------
    segment : ndarray of int64, shape (k,)
        The segment that it is of.
    time : ndarray of float64, shape (k, 2)
        From when to when.
    clearance : ndarray of float64, shape (k, 2)
        No pair comes nearer than the first, which is proved, and one comes as near as the second. 0 where links touch or overlap.
    pair : ndarray of int64, shape (k, 2)
        The pair that does, as places in `Path.names`.
    at : ndarray of float64, shape (k,)
        When.
    proved : ndarray of bool, shape (k,)
        False where the spans ran out.
    """

    segment: np.ndarray
    time: np.ndarray
    clearance: np.ndarray
    pair: np.ndarray
    at: np.ndarray
    proved: np.ndarray

    def __len__(self) -> int:
        return len(self.at)


@dataclass(frozen=True)
class Path:
    """What was found of a trajectory, a row a segment.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    verdict : ndarray of uint8, shape (n,)
        The numbers of `PathVerdict`.
    segment : ndarray of float64, shape (n, 2)
        When a segment begins and ends.
    degree : ndarray of uint8, shape (n,)
        What joints do on it: 0 a state, 1 straight lines, 3 cubic and 5 quintic polynomials.
    time, pair, state, distance
        As of `Edges`, in seconds.
    deepest : ndarray of float64, shape (n, 3)
        After a hit: a time at which the pair was seen deepest, and the ends of that depth. NaN elsewhere.
    spans : ndarray of int64, shape (n,)
        How many spans were looked at.
    profile : Profile
        The clearance over time, where slices were asked for.
    certificate : str or None
        What proves the segments, as JSON (`gjk schema robot-certificate`), where it was asked for.
    """

    names: tuple[str, ...]
    verdict: np.ndarray
    segment: np.ndarray
    degree: np.ndarray
    time: np.ndarray
    pair: np.ndarray
    state: np.ndarray
    distance: np.ndarray
    deepest: np.ndarray
    spans: np.ndarray
    profile: Profile
    certificate: str | None
    _json: str

    def __len__(self) -> int:
        return len(self.verdict)

    @property
    def is_free(self) -> bool:
        """Whether all segments are proved free."""
        return bool((self.verdict == PathVerdict.FREE).all())

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [_word(code) for code in self.verdict]

    def pair_names(self) -> list[tuple[str, str] | None]:
        """The names of the pair; None where a segment is free."""
        return _names(self.names, self.pair)

    def json(self) -> str:
        """The line that `gjk path --json` prints of this trajectory; `gjk schema path` has its layout."""
        return self._json

    def __repr__(self) -> str:
        return f"Path({len(self)} segments: {_counts(self.verdict)})"


@dataclass(frozen=True)
class Matrix:
    """The allowed-collision matrix, a row a pair of links with geometry.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    pair : ndarray of int64, shape (n, 2)
        Places in `names`, the lower one first.
    reason : list of str or None
        Why the pair need not be checked: "adjacent", "default", "always", "never", "user"; None: it must be.
    basis : list of str
        What that rests on: "structure", "proof", "witness", "touch", "samples", "file".
    distance : ndarray of float64, shape (n, 2)
        Where the two are proved apart: ends of the least distance of all states. Else ends of the signed distance in `state`. NaN where neither is known.
    state : ndarray of float64, shape (n, j)
        A state as near as that, or that shows that they meet; NaN where there is none.
    sampled_fraction : ndarray of float64, shape (n,)
        The part of random states in which they overlap; NaN where none were drawn.
    always : ndarray of bool, shape (n,)
        Whether they are proved to overlap in all states.
    cells : ndarray of int64, shape (n,)
        How many cells were looked at.
    refusal : list of str or None
        Why no proof was possible.
    certificate : str or None
        What proves the pairs, as JSON (`gjk schema robot-certificate`), where it was asked for.
    """

    names: tuple[str, ...]
    pair: np.ndarray
    reason: list[str | None]
    basis: list[str]
    distance: np.ndarray
    state: np.ndarray
    sampled_fraction: np.ndarray
    always: np.ndarray
    cells: np.ndarray
    refusal: list[str | None]
    certificate: str | None
    _json: str

    def __len__(self) -> int:
        return len(self.reason)

    def pair_names(self) -> list[tuple[str, str]]:
        """The names of the pairs."""
        return [(self.names[a], self.names[b]) for a, b in self.pair]

    def json(self) -> str:
        """The line that `gjk acm --json` prints; `gjk schema acm` has its layout."""
        return self._json

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`, with the file's reason and what becomes of its line."""
        import pandas as pd

        told = json.loads(self._json)["pairs"]
        names = self.pair_names()
        columns = {
            "a": [a for a, _ in names],
            "b": [b for _, b in names],
            "reason": self.reason,
            "basis": self.basis,
            "lower": self.distance[:, 0],
            "upper": self.distance[:, 1],
            "sampled_fraction": self.sampled_fraction,
            "cells": self.cells,
            "srdf": [pair["srdf"] for pair in told],
            "action": [pair["action"] for pair in told],
        }
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        counts = {word: self.basis.count(word) for word in ("structure", "proof", "witness", "touch", "samples", "file")}
        told = ", ".join(f"{count} by {word}" for word, count in counts.items() if count)
        return f"Matrix({len(self)} pairs: {told or 'none'})"


def _word(code: int) -> str:
    return "wrong_row" if code == WRONG_ROW else PathVerdict(int(code)).name.lower()


def _counts(verdict: np.ndarray) -> str:
    codes, counts = np.unique(verdict, return_counts=True)
    return ", ".join(f"{count} {_word(code)}" for code, count in zip(codes, counts)) or "none"


def _names(names: tuple[str, ...], pair: np.ndarray) -> list[tuple[str, str] | None]:
    return [None if a < 0 else (names[a], names[b]) for a, b in pair]


def _whole(what: str, number: Any, most: int, least: int = 0) -> int:
    """A whole number between two ends."""
    if isinstance(number, bool) or not hasattr(number, "__index__") or not least <= number.__index__() <= most:
        raise GjkError(f"{what} is {number!r}: expected a whole number from {least} to {most}")
    return int(number.__index__())


def _finite(what: str, number: Any) -> float:
    """A length, 0 or more and finite."""
    length: float = _rows.length(what, number)
    if not math.isfinite(length):
        raise GjkError(f"{what} is {number}: expected a finite number, 0 or more")
    return length


def _path_wanted(asked: dict[str, Any]) -> dict[str, Any]:
    slices = _whole("slices", asked["slices"], 1 << 20)
    tolerance = _finite("tolerance", asked["tolerance"])
    if slices and not tolerance > 0:
        raise GjkError("tolerance is 0: expected a length above it")
    return {
        "clearance": _finite("clearance", asked["clearance"]),
        "spans": _whole("spans", asked["spans"], 1 << 62, 1),
        "first": bool(asked["first"]),
        "slices": slices,
        "tolerance": tolerance,
        "verify": bool(asked["verify"]),
        "certificate": bool(asked["certificate"]),
    }


def verdicts_of(robot: Robot, states: dict[str, Any], raises: bool, threads: int | None) -> StateVerdicts:
    on = _rows.count_of_threads(threads)
    columns, wrong = _gjk.robot_states(robot._scene, states, raises, on)
    return StateVerdicts(
        names=tuple(robot.scene.bodies),
        verdict=columns["verdict"],
        pair=columns["pair"].reshape(-1, 2),
        errors=dict(wrong),
    )


def edges_of(robot: Robot, starts: dict[str, Any], goals: dict[str, Any], asked: dict[str, Any], raises: bool, threads: int | None) -> Edges:
    on = _rows.count_of_threads(threads)
    columns, wrong = _gjk.robot_edges(robot._scene, starts, goals, _path_wanted(asked), raises, on)
    return Edges(
        names=tuple(robot.scene.bodies),
        verdict=columns["verdict"],
        time=columns["time"].reshape(-1, 2),
        pair=columns["pair"].reshape(-1, 2),
        state=columns["state"].reshape(len(columns["verdict"]), len(robot.joints)),
        distance=columns["distance"].reshape(-1, 2),
        spans=columns["spans"],
        errors=dict(wrong),
    )


def _rates(what: str, given: Any, shape: tuple[int, int]) -> np.ndarray | None:
    """Velocities or accelerations of all points."""
    if given is None:
        return None
    rates: np.ndarray = _rows.as_numbers(what, given)
    if rates.shape != shape:
        raise GjkError(f"{what} has shape {rates.shape}: expected {shape}, a row a point and a column a joint")
    if not np.isfinite(rates).all():
        raise GjkError(f"{what} of point {int((~np.isfinite(rates)).any(axis=1).argmax())} are not finite: every number must be")
    return np.ascontiguousarray(rates)


def _times(given: Any, count: int) -> np.ndarray:
    times: np.ndarray = _rows.as_numbers("times", given)
    if times.shape != (count,):
        raise GjkError(f"times has shape {times.shape}: expected ({count},), one a point")
    if count == 0:
        raise GjkError("there is no point: expected one at least")
    if not np.isfinite(times).all():
        raise GjkError(f"times[{int((~np.isfinite(times)).argmax())}] is not finite: every number must be")
    stays = np.diff(times) <= 0
    if stays.any():
        k = int(stays.argmax()) + 1
        raise GjkError(f"times[{k}] is {times[k]} after {times[k - 1]}: expected times that rise")
    return np.ascontiguousarray(times)


def path_of(robot: Robot, states: dict[str, Any], given: dict[str, Any], asked: dict[str, Any], threads: int | None) -> Path:
    on = _rows.count_of_threads(threads)
    shape = states["values"].shape
    taken = {
        "times": _times(given["times"], shape[0]),
        "velocities": _rates("velocities", given["velocities"], shape),
        "accelerations": _rates("accelerations", given["accelerations"], shape),
        "interpolation": given["interpolation"],
    }
    columns, slices, report, certificate = _gjk.robot_path(robot._scene, states, taken, _path_wanted(asked), on)
    profile = Profile(
        segment=slices["segment"],
        time=slices["time"].reshape(-1, 2),
        clearance=slices["clearance"].reshape(-1, 2),
        pair=slices["pair"].reshape(-1, 2),
        at=slices["at"],
        proved=slices["proved"],
    )
    return Path(
        names=tuple(robot.scene.bodies),
        verdict=columns["verdict"],
        segment=columns["segment"].reshape(-1, 2),
        degree=columns["degree"],
        time=columns["time"].reshape(-1, 2),
        pair=columns["pair"].reshape(-1, 2),
        state=columns["state"].reshape(len(columns["verdict"]), len(robot.joints)),
        distance=columns["distance"].reshape(-1, 2),
        deepest=columns["deepest"].reshape(-1, 3),
        spans=columns["spans"],
        profile=profile,
        certificate=certificate,
        _json=report,
    )


def matrix_of(robot: Robot, limits: Any, asked: dict[str, Any], threads: int | None) -> Matrix:
    on = _rows.count_of_threads(threads)
    ranges: dict[str, tuple[float, float]] = {}
    if isinstance(limits, Mapping):
        for name, ends in limits.items():
            both = np.asarray(ends)
            if both.shape != (2,) or both.dtype.kind not in "fiu":
                raise GjkError(f"limits[{name!r}] is {ends!r}: expected a lower and an upper end")
            ranges[name] = (float(both[0]), float(both[1]))
        limits = "soft"
    elif not isinstance(limits, str):
        raise GjkError(f'limits is {limits!r}: expected "soft", "hard", "none", or a mapping of joints to their ends')
    wanted = asked | {
        "limits": limits,
        "ranges": ranges,
        "margin": _finite("margin", asked["margin"]),
        "samples": _whole("samples", asked["samples"], (1 << 32) - 1),
        "seed": _whole("seed", asked["seed"], (1 << 64) - 1),
        "cells": _whole("cells", asked["cells"], 1 << 62),
        "measure": _whole("measure", asked["measure"], 1 << 62),
    }
    for name in ("width", "always"):
        part = asked[name]
        if part is not None and not 0 < part <= 1:
            raise GjkError(f"{name} is {part}: expected a part, more than 0 and at most 1")
    state = asked["default_state"]
    if state is not None and len(state["values"]) != 1:
        raise GjkError(f"default_state has {len(state['values'])} rows: expected one state")
    columns, report, certificate = _gjk.robot_matrix(robot._scene, wanted, on)
    count = len(columns["reason"])
    return Matrix(
        names=tuple(robot.scene.bodies),
        pair=columns["bodies"].reshape(-1, 2),
        reason=columns["reason"],
        basis=columns["basis"],
        distance=columns["distance"].reshape(-1, 2),
        state=columns["state"].reshape(count, len(robot.joints)),
        sampled_fraction=columns["sampled_fraction"],
        always=columns["always"],
        cells=columns["cells"],
        refusal=columns["refusal"],
        certificate=certificate,
        _json=report,
    )
