"""Scenes of many bodies: what `gjk check` reads, checks and reports.

Examples
--------
>>> import gjk
>>> report = gjk.Scene.load().check(clearance=0.005)
>>> report
Report(arm.json: 3 pairs: 1 separated, 1 touching, 1 overlapping; exit code 1)
>>> for a, b, verdict in zip(report.pairs.name_a, report.pairs.name_b, report.pairs.verdict_names()):
...     print(a, b, verdict)
table parcel touching
forearm lamp separated
gripper bracket overlapping
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _gjk, _rows
from ._gjk import GjkError
from .meshes import Relation

__all__ = ["Pairs", "Report", "Scene"]

#: So many rows of pairs are shown unless another number is given; the command shows as many.
ROWS = 40

#: So many pixels is a report high in a notebook.
FRAME = 560

#: The code of a relation that is not told.
UNTOLD = 254

_VERDICTS = {0: "separated", 1: "touching", 2: "overlapping", 3: "undecided", 255: "wrong_row"}


@dataclass(frozen=True)
class Pairs:
    """Pairs of bodies that were found, a row each, sorted by state, then by bodies. Lengths are in the scene's unit, in the world.

    Attributes
    ----------
    names : tuple of str
        The bodies.
    state : ndarray of int64, shape (n,)
        The state, from 0.
    a, b : ndarray of int64, shape (n,)
        The places of the two bodies in `names`, the lower one first.
    verdict : ndarray of uint8, shape (n,)
        The numbers of `gjk.Verdict`.
    lower, upper : ndarray of float64, shape (n,)
        Ends of an interval that contains the signed distance: negative in overlap.
    relation : ndarray of uint8, shape (n,), or None
        The numbers of `gjk.meshes.Relation`; 254 where it is not told. This column and those that follow are of a `Report` alone.
    exact, measured : ndarray of bool, shape (n,), or None
        Whether the verdict is proved; whether the signed distance was measured. Where it was not, the hulls of two meshes that overlap bound it:
        `depth` measures it.
    normal, point_a, point_b : ndarray of float64, shape (n, 3), or None
        Unit, from A to B; a point of each body. NaN where none is known.
    reach_a, reach_b : ndarray of float64, shape (n, 2), or None
        How far the surface of A reaches into B, at least and at most, and that of B into A. NaN where `depth` was not asked.
    """

    names: tuple[str, ...]
    state: np.ndarray
    a: np.ndarray
    b: np.ndarray
    verdict: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    relation: np.ndarray | None = None
    exact: np.ndarray | None = None
    measured: np.ndarray | None = None
    normal: np.ndarray | None = None
    point_a: np.ndarray | None = None
    point_b: np.ndarray | None = None
    reach_a: np.ndarray | None = None
    reach_b: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.state)

    @property
    def name_a(self) -> np.ndarray:
        """The names of the first bodies: an array of text."""
        return self._names(self.a)

    @property
    def name_b(self) -> np.ndarray:
        """The names of the second bodies: an array of text."""
        return self._names(self.b)

    def _names(self, of: np.ndarray) -> np.ndarray:
        names: np.ndarray = np.array(self.names, dtype=object)[of]
        return names

    def verdict_names(self) -> list[str]:
        """The verdicts in words."""
        return [_VERDICTS[int(code)] for code in self.verdict]

    def relation_names(self) -> list[str | None]:
        """The relations in words; None where it is not told."""
        if self.relation is None:
            return [None] * len(self)
        return [None if code == UNTOLD else Relation(int(code)).name.lower() for code in self.relation]

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`: bodies by name, verdicts and relations in words, a column a coordinate."""
        import pandas as pd

        columns: dict[str, Any] = {"state": self.state, "a": self.name_a, "b": self.name_b, "verdict": self.verdict_names()}
        if self.relation is not None:
            columns["relation"] = self.relation_names()
        columns |= {"lower": self.lower, "upper": self.upper}
        for name, ends in (("exact", ""), ("measured", ""), ("normal", "xyz"), ("point_a", "xyz"), ("point_b", "xyz"), ("reach_a", "lu"), ("reach_b", "lu")):
            column = getattr(self, name)
            if column is None:
                continue
            if not ends:
                columns[name] = column
            for k, end in enumerate(ends):
                columns[f"{name}_{ {'l': 'lower', 'u': 'upper'}.get(end, end) }"] = column[:, k]
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        counts = ((word, int((self.verdict == code).sum())) for code, word in _VERDICTS.items())
        told = ", ".join(f"{count} {word}" for word, count in counts if count)
        return f"Pairs({len(self)} pairs: {told or 'none'})"


class Report:
    """What a check found; `Scene.check` makes it. It says what `gjk check` says of the same scene.

    Attributes
    ----------
    pairs : Pairs
        Those that overlap, touch, are undecided, or are not proved to keep the clearance; with `all_pairs` all.
    states : int
        How many states were checked.
    exit_code : int
        That of `gjk check`: 1 where a pair overlaps or is nearer than the clearance, 3 where `verify` finds an answer wrong, else 0.
    objections : list of str
        What `verify` found wrong: a bug in this library.
    warnings : list of str
        What was odd in the input.
    """

    def __init__(self, report: _gjk.Report, scene: _gjk.Scene) -> None:
        columns = report.columns()
        for name in ("normal", "point_a", "point_b"):
            columns[name] = columns[name].reshape(-1, 3)
        for name in ("reach_a", "reach_b"):
            columns[name] = columns[name].reshape(-1, 2)
        self._report = report
        self._name = scene.name
        self.pairs = Pairs(names=tuple(scene.bodies), **columns)
        self.states = report.states
        self.exit_code = report.exit_code
        self.objections = report.objections
        self.warnings = scene.warnings

    def text(self, rows: int = ROWS) -> str:
        """What `gjk check` prints: a row a pair of bodies, the most severe first, and what sums up.

        Parameters
        ----------
        rows : int, optional
            How many rows at most; 0: all.
        """
        return self._report.text(rows)

    def json(self) -> str:
        """The line that `gjk check --json` prints; `gjk schema check` has its layout."""
        return self._report.json()

    def html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page that `gjk check --html` writes: the pairs found, and the bodies in space. It needs no network.

        Parameters
        ----------
        path : path, optional
            Where to write it too.

        Examples
        --------
        >>> import gjk
        >>> "bracket" in gjk.Scene.load().check().html()
        True
        """
        page = self._report.html(ROWS)
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(page)
        return page

    def to_pandas(self) -> Any:
        """The pairs as a `pandas.DataFrame`."""
        return self.pairs.to_pandas()

    def _repr_html_(self) -> str:
        """The page in a frame, for notebooks. It is one line, so that it stays whole in Markdown, and it may run only its own scripts."""
        page = html.escape(self.html()).replace("\n", "&#10;")
        return f'<iframe title="{html.escape(repr(self))}" sandbox="allow-scripts" width="100%" height="{FRAME}" style="border: 0" srcdoc="{page}"></iframe>'

    def __repr__(self) -> str:
        return f"Report({self._name}: {repr(self.pairs)[6:-1]}; exit code {self.exit_code})"


class Scene:
    """Bodies in one world, each the union of its parts. It does not change; `load`, `from_trimesh` and `from_bodies` make it.

    Attributes
    ----------
    name : str
        The file's or folder's name.
    unit : str or None
        The length unit of all numbers; None where nothing says it.
    bodies : list of str
        The bodies' names.
    pair_counts : tuple of int
        How many pairs a check looks at, leaves out because a joint joins the two, and leaves out because a file says so.
    warnings : list of str
        What was odd in the input.
    """

    def __init__(self, scene: _gjk.Scene) -> None:
        self._scene = scene
        self.name = scene.name
        self.unit = scene.unit
        self.bodies = scene.bodies
        self.pair_counts = scene.pair_counts
        self.warnings = scene.warnings

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        srdf: str | os.PathLike[str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        meshes: str = "exact",
        parts: str | os.PathLike[str] | None = None,
        include_adjacent: bool = False,
        group_fixed: bool = False,
    ) -> Scene:
        """Read what `gjk check` reads.

        Parameters
        ----------
        path : path, optional
            A URDF file, a mesh (STL, OBJ, PLY, OFF, Collada, glTF), a folder of meshes, or a scene file (JSON, TOML). A built-in example if left out.
        srdf : path, optional
            An SRDF file: the pairs that its `disable_collisions` name are left out.
        packages : mapping of str to path, optional
            Where a `package://NAME/` is.
        meshes : {"exact", "hull", "parts"}
            What a mesh that is not convex is taken for: itself, its hull, or the convex parts in the folder `parts`.
        parts : path, optional
            The folder of the parts, laid out as for `gjk check --meshes parts`.
        include_adjacent : bool
            Look also at links that one joint joins.
        group_fixed : bool
            Take links that only fixed joints hold together as one body.

        Raises
        ------
        SceneError
            What cannot be read: the text says the file, the place, what was expected and what to do.

        Examples
        --------
        >>> import gjk
        >>> gjk.Scene.load()
        Scene(arm.json: 9 bodies, 30 pairs to check)
        """
        return cls(_gjk.Scene.load(None if path is None else os.fspath(path), _taken(srdf, packages, meshes, parts, include_adjacent, group_fixed)))

    @classmethod
    def from_bodies(
        cls,
        bodies: Mapping[str, Sequence[tuple[Any, Any]]],
        poses: Mapping[str, Any] | None = None,
        *,
        allow: Iterable[tuple[str, str]] = (),
        unit: str | None = None,
        name: str = "scene",
        meshes: str = "exact",
    ) -> Scene:
        """Make a scene of bodies in memory.

        Parameters
        ----------
        bodies : mapping of str to sequence of (what, pose)
            The parts of each body. What a part is: a mapping with the keys of a shape of `gjk query`, or anything with `vertices` and `faces`, such as
            `gjk.Mesh`. Its pose in the body: a matrix (4, 4), or None.
        poses : mapping of str to array_like, shape (4, 4), optional
            Where bodies are in the world; at the origin where left out.
        allow : iterable of (str, str), optional
            Pairs that may overlap.
        unit : str, optional
            The length unit, for reports; nothing is converted.
        name : str, optional
            What reports call the scene.
        meshes : {"exact", "hull"}
            What a mesh that is not convex is taken for.

        Raises
        ------
        SceneError
            A part that cannot be, with the body that has it.

        Examples
        --------
        >>> import gjk, numpy as np
        >>> ball = {"shape": "ball", "radius": 1.0}
        >>> away = np.eye(4); away[0, 3] = 2.5
        >>> scene = gjk.Scene.from_bodies({"one": [(ball, None)], "other": [(ball, away)]})
        >>> report = scene.check(clearance=1.0)
        >>> bool(report.pairs.lower[0] <= 0.5 <= report.pairs.upper[0])
        True
        """
        arrays: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        known: dict[int, str] = {}
        poses = poses or {}
        unknown = sorted(set(poses) - set(bodies))
        if unknown:
            raise GjkError(f"poses has bodies that do not exist: {', '.join(unknown)}")
        told: list[dict[str, Any]] = []
        for body, parts in bodies.items():
            listed: list[dict[str, Any]] = []
            for what, pose in parts:
                at = _pose(f"body {body!r}: pose of part {len(listed)}", pose)
                if isinstance(what, Mapping):
                    listed.append({**what, **at})
                    continue
                if id(what) not in known:
                    known[id(what)] = key = f"{len(known)}: {body}".replace("/", "_")
                    arrays[key] = _arrays(body, what)
                listed.append({"mesh": known[id(what)], **at})
            told.append({"name": body, "parts": listed, **_pose(f"body {body!r}: pose", poses.get(body))})
        text = json.dumps({"bodies": told, "allow": [list(pair) for pair in allow], **({} if unit is None else {"unit": unit})})
        given = [(key, *both) for key, both in arrays.items()]
        return cls(_gjk.Scene.from_text(f"{name}.json", text, given, _taken(None, None, meshes, None, False, False)))

    @classmethod
    def from_trimesh(cls, scene: Any, *, meshes: str = "exact") -> Scene:
        """Make a scene of a `trimesh.Scene`: a body a node that has a mesh, by its name, where the graph says that it is.

        Parameters
        ----------
        scene : trimesh.Scene
            Its geometries are meshes of triangles.
        meshes : {"exact", "hull"}
            What a mesh that is not convex is taken for.

        Raises
        ------
        GjkError
            A geometry that is no mesh.
        """
        bodies, poses = {}, {}
        for node in scene.graph.nodes_geometry:
            matrix, geometry = scene.graph[node]
            bodies[node] = [(scene.geometry[geometry], None)]
            poses[node] = matrix
        return cls.from_bodies(bodies, poses, unit=getattr(scene, "units", None), name="trimesh", meshes=meshes)

    def check(
        self,
        clearance: float | None = None,
        touch_band: float | None = None,
        depth: float | None = None,
        verify: bool = False,
        *,
        all_pairs: bool = False,
        threads: int | None = None,
    ) -> Report:
        """Find the pairs of bodies that overlap, touch or come too close; of a robot with all joints at zero, clamped into their limits.

        Parameters
        ----------
        clearance : float, optional
            Find also pairs that are not proved to be so far apart.
        touch_band : float, optional
            Gaps and overlaps of at most this are touches.
        depth : float, optional
            Measure how deep meshes overlap, to this part of the depth: 0.01 is one per cent. Without it a mesh that is not convex only overlaps.
        verify : bool
            Have each pair checked by a second program that shares nothing with the first but integers: `Report.objections`.
        all_pairs : bool
            Find every pair, however far apart.
        threads : int, optional
            All processors if left out. Answers do not depend on it.

        Returns
        -------
        Report

        Raises
        ------
        GjkError
            A length that is negative or not finite.
        SceneError
            A body that is beyond the range of numbers.

        Examples
        --------
        >>> import gjk
        >>> gjk.Scene.load().check().exit_code
        1
        """
        wanted, on = wish(clearance, touch_band, depth, verify, all_pairs, threads)
        return Report(self._scene.check(None, wanted, on), self._scene)

    def __repr__(self) -> str:
        return f"Scene({self.name}: {len(self.bodies)} bodies, {self.pair_counts[0]} pairs to check)"


def wish(
    clearance: float | None, touch_band: float | None, depth: float | None, verify: bool, all_pairs: bool, threads: int | None
) -> tuple[dict[str, Any], int]:
    """What a check is to look for, and on how many threads, looked at once for scenes and robots."""
    given = {"clearance": clearance, "touch_band": touch_band, "depth": depth}
    wanted: dict[str, Any] = {name: None if number is None else _rows.length(name, number) for name, number in given.items()}
    for name in ("clearance", "touch_band"):
        if wanted[name] == np.inf:
            raise GjkError(f"{name} is inf: expected a finite number, 0 or more")
    if depth is not None and not 0 < wanted["depth"] <= 1:
        raise GjkError(f"depth is {depth}: expected a part of the depth, more than 0 and at most 1")
    wanted |= {"touch_band": wanted["touch_band"] or 0.0, "verify": verify, "all_pairs": all_pairs}
    return wanted, _rows.count_of_threads(threads)


def _taken(
    srdf: Any,
    packages: Any,
    meshes: str,
    parts: Any,
    include_adjacent: bool,
    group_fixed: bool,
    world: Any = None,
    attach: Any = (),
    attach_touch: Any = (),
) -> dict[str, Any]:
    return {
        "world": None if world is None else os.fspath(world),
        "attach": [_attachment(k, *given) for k, given in enumerate(attach)],
        "attach_touch": list(attach_touch),
        "srdf": None if srdf is None else os.fspath(srdf),
        "packages": {name: os.fspath(folder) for name, folder in (packages or {}).items()},
        "meshes": meshes,
        "parts": None if parts is None else os.fspath(parts),
        "include_adjacent": include_adjacent,
        "group_fixed": group_fixed,
    }


def _attachment(k: int, link: str, file: Any, pose: Any = None) -> tuple[str, str, list[float] | None]:
    """What a link carries, and its pose in the link by rows."""
    if pose is None:
        return link, os.fspath(file), None
    rows = _rows.as_numbers(f"attach[{k}]", pose)
    if rows.shape != (4, 4) or not np.isfinite(rows).all() or rows[3].tolist() != [0, 0, 0, 1]:
        raise GjkError(f"the pose of attach[{k}] is none: expected a matrix (4, 4) of finite numbers, whose last row is 0 0 0 1")
    if not np.allclose(rows[:3, :3].T @ rows[:3, :3], np.eye(3), rtol=0, atol=1e-12):
        raise GjkError(f"the pose of attach[{k}] does not keep lengths: expected a rotation and a translation")
    return link, os.fspath(file), rows[:3].ravel().tolist()


def _pose(what: str, matrix: Any) -> dict[str, Any]:
    """A pose with the keys of scene files."""
    if matrix is None:
        return {}
    rows = _rows.as_numbers(what, matrix)
    if rows.shape != (4, 4) or not np.isfinite(rows).all() or rows[3].tolist() != [0, 0, 0, 1]:
        raise GjkError(f"{what} is no pose: expected a matrix (4, 4) of finite numbers, whose last row is 0 0 0 1")
    return {"pose": {"translation": rows[:3, 3].tolist(), "rotation_matrix": rows[:3, :3].tolist()}}


def _arrays(body: str, mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
        raise GjkError(f"body {body!r}: a part is {type(mesh).__name__}: expected a mapping, or a mesh with vertices and faces")
    faces = _rows.whole_of(f"body {body!r}: faces", mesh.faces)
    if faces.ndim != 2 or faces.dtype.kind not in "iu":
        raise GjkError(f"body {body!r}: faces have shape {faces.shape} and type {faces.dtype}: expected whole numbers, (m, 3)")
    return _rows.vectors(f"body {body!r}: vertices", mesh.vertices, 3), np.ascontiguousarray(faces, dtype=np.int64)
