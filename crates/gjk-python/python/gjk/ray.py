"""Labels of tables on several machines, by Ray Data. Needs Ray (`pip install gjk[ray]`).

`label` is the whole job, `Label` the actor for pipelines of one's own, and `python -m gjk.ray label IN OUT --shapes S.json --actors 2` the command. On one
machine `gjk.arrow.label_parquet` is faster: it starts nothing. The page `docs/tables.md` of the project tells what to look out for.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import GjkError, Shapes
from .label import add_options, read_shapes, tell

#: The word that this process opens its clusters with: Ray keeps the first one that it read.
_TOKEN = secrets.token_hex(32)

#: Rows of a batch: a call of an actor costs milliseconds.
BATCH = 131_072


class Label:
    """Answers batches; one lives in each actor, so that shapes are built once.

    Its arguments are small and plain. An object that lies in Ray's store would be lost with the process that put it there, and the actor could not be
    started again.

    Parameters
    ----------
    shapes_json : str
        The shapes, as `Shapes.to_json` writes them.
    what : {"contact", "distance", "classify"}
        As in `gjk.arrow.label`.
    keep_poses : bool
        Whether the columns of poses stay.

    Examples
    --------
    >>> import gjk.ray, pyarrow as pa
    >>> actor = gjk.ray.Label('[{"shape": "ball", "radius": 1}]', what="classify")
    >>> actor(pa.table({"shape_a": [0], "shape_b": [0]}))["verdict"].to_pylist()
    ['overlapping']
    """

    def __init__(self, shapes_json: str, what: str = "contact", keep_poses: bool = False) -> None:
        self.shapes = Shapes.from_json(shapes_json)
        self.what = what
        self.keep_poses = keep_poses

    def __call__(self, table: Any) -> Any:
        """Answer a table, on the one thread that an actor has. A wrong row is data: an exception would end the job."""
        from .arrow import label as answer

        return answer(table, self.shapes, what=self.what, errors="column", threads=1, keep_poses=self.keep_poses)


class LabelFiles:
    """Answers parts of files, and writes them; one lives in each actor of `label`. Rows do not pass through Ray: it hands on what to do.

    Parameters are those of `Label`. A part is a file, its row groups and where its answers go; done again, it writes the same.
    """

    def __init__(self, shapes_json: str, what: str = "contact", keep_poses: bool = False) -> None:
        self.shapes = Shapes.from_json(shapes_json)
        self.what = what
        self.keep_poses = keep_poses

    def __call__(self, parts: Any) -> Any:
        """Answer the parts of a table, and tell of each how many rows it has and how many are wrong."""
        import pyarrow as pa

        done = [self.one(**part) for part in parts.to_pylist()]
        return pa.table({"rows": [rows for rows, _ in done], "wrong": [wrong for _, wrong in done]})

    def one(self, source: str, first: int, groups: int, target: str) -> tuple[int, int]:
        """Answer one part, on the one thread that an actor has."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        from ._label import plan
        from ._parquet import answer_groups, file_fault

        found = [0, 0]

        def each(_: int, rows: int, wrong: list[tuple[int, str]]) -> None:
            found[0] += rows
            found[1] += len(wrong)

        try:
            files, path = _place(source)
            with files.open_input_file(path) as opened, pq.ParquetFile(opened) as file:
                planned = plan(file.schema_arrow, self.what, self.keep_poses)
                with _whole(target) as sink:
                    answer_groups(
                        file, list(range(first, first + groups)), sink, planned, self.shapes, each, threads=1, compression="snappy"
                    )
        except (OSError, pa.ArrowException) as error:
            raise GjkError(f"{source} to {target}: {file_fault(error)}") from error
        return found[0], found[1]


def _place(name: str) -> tuple[Any, str]:
    """The file system of a name, which may be a URI, and the path in it."""
    from pyarrow import fs

    try:
        return fs.FileSystem.from_uri(name) if "://" in name else (fs.LocalFileSystem(), str(Path(name).resolve()))
    except (OSError, ValueError) as error:
        raise GjkError(f"{name}: {error}") from None


@contextmanager
def _whole(target: str) -> Iterator[Any]:
    """A file that has its name when it is whole. Other than in folders, what is put into stores of objects has it only then."""
    from pyarrow import fs

    files, path = _place(target)
    if not isinstance(files, fs.LocalFileSystem):
        with files.open_output_stream(path) as sink:
            yield sink
        return
    part = Path(path).with_name(f".{Path(path).name}.{os.getpid()}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        with files.open_output_stream(str(part)) as sink:
            yield sink
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def cpus_each(actors: int, cpus: float) -> float:
    """Tell which share of the CPUs an actor may have, so that one is left for reads and writes: without it the job would wait for ever.

    Examples
    --------
    >>> import gjk.ray
    >>> gjk.ray.cpus_each(2, 8), gjk.ray.cpus_each(2, 2)
    (1.0, 0.5)
    """
    if actors < 1:
        raise GjkError(f"actors is {actors}: it must be at least 1")
    if cpus < 2:
        raise GjkError(f"Ray has {cpus:g} CPU: start it with num_cpus=2 or more, one is for reads and writes")
    share = min(1.0, (cpus - 1) / actors)
    # Ray counts in ten-thousandths.
    return 1.0 if share == 1.0 else int(share * 1000) / 1000


@contextmanager
def _running() -> Iterator[Any]:
    """The cluster that is there, or one on this machine that ends with the job."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    started = None
    if not importlib.util.find_spec("ray"):
        raise GjkError("there is no ray: pip install gjk[ray]")
    # Sockets lie in this folder, and their paths are limited.
    folder = tempfile.mkdtemp(prefix="gjk")
    if "RAY_AUTH_TOKEN" not in os.environ and "RAY_AUTH_TOKEN_PATH" not in os.environ and "RAY_ADDRESS" not in os.environ:
        # Ray's ports listen on all interfaces; without this it would leave a token in the home folder.
        token = Path(folder, "token")
        token.touch(mode=0o600)
        token.write_text(_TOKEN)
        os.environ["RAY_AUTH_TOKEN_PATH"] = started = str(token)
    ray = importlib.import_module("ray")
    importlib.import_module("ray.data")
    own = not ray.is_initialized()
    try:
        if own and "RAY_ADDRESS" in os.environ:
            ray.init(logging_level="ERROR")
        elif own:
            ray.init(
                num_cpus=max(2, os.cpu_count() or 1),
                include_dashboard=False,
                object_store_memory=512 << 20,
                log_to_driver=False,
                logging_level="ERROR",
                _temp_dir=folder,
            )
        yield ray
    finally:
        if own:
            ray.shutdown()
        if started is not None:
            os.environ.pop("RAY_AUTH_TOKEN_PATH", None)
        shutil.rmtree(folder, ignore_errors=True)


def _parts(source: str, target: str, rows: int, what: str, keep_poses: bool) -> tuple[list[dict[str, Any]], int, int]:
    """What is to be done: parts of about so many rows, in whole row groups; how many files there are, and how many rows. Wrong columns are told."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import fs

    from ._label import plan
    from ._parquet import _files

    if "://" in source:
        files, path = _place(source)
        inside = files.get_file_info(fs.FileSelector(path, recursive=True)) if not files.get_file_info(path).is_file else [files.get_file_info(path)]
        names = sorted(one.path for one in inside if one.is_file and one.path.endswith(".parquet"))
        # A path of a file system is the end of its URI.
        start = source[: len(source) - len(path)] if source.endswith(path) else source[: source.index("://") + 3]
        each = [(start + name, os.path.relpath(name, path)) for name in names]
    else:
        each = [(str(name.resolve()), os.path.relpath(name, source)) for name in _files(Path(source))]
    parts: list[dict[str, Any]] = []
    total = 0
    for name, relative in each:
        stem = "part" if relative == "." else relative.removesuffix(".parquet")
        files, path = _place(name)
        try:
            with files.open_input_file(path) as opened, pq.ParquetFile(opened) as file:
                plan(file.schema_arrow, what, keep_poses)
                sizes = [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]
        except (OSError, pa.ArrowException, GjkError) as error:
            raise GjkError(f"{name}: {error}") from None
        total += sum(sizes)
        first, held = 0, 0
        for k, size in enumerate(sizes):
            held += size
            if held >= rows or k + 1 == len(sizes):
                parts.append({"source": name, "first": first, "groups": k + 1 - first, "target": f"{target}/{stem}-{first:05}.parquet"})
                first, held = k + 1, 0
        if not sizes:
            parts.append({"source": name, "first": 0, "groups": 0, "target": f"{target}/{stem}-00000.parquet"})
    return parts, len(each), total


def _make_way(dst: Path, restart: bool) -> None:
    """Refuse a place that is taken, or take away the answers that are there."""
    if not dst.exists() or (dst.is_dir() and not any(dst.iterdir())):
        return
    if not restart:
        raise GjkError(f"{dst} is there: name another place, or give --restart (restart=True)")
    inside = list(dst.iterdir()) if dst.is_dir() else [dst]
    if not dst.is_dir() or any(path.suffix != ".parquet" for path in inside):
        raise GjkError(f"{dst} has more in it than files of Parquet: take it away yourself")
    for path in inside:
        path.unlink()
    dst.rmdir()


def label(
    src: str | os.PathLike[str],
    dst: str | os.PathLike[str],
    shapes_json: str,
    *,
    actors: int = 2,
    batch_size: int = BATCH,
    what: str = "contact",
    keep_poses: bool = False,
    restart: bool = False,
    progress: bool = False,
    actor: type[LabelFiles] = LabelFiles,
) -> Any:
    """Answer the rows of Parquet files by actors of Ray.

    A cluster that is there is used (`ray.init`, or `RAY_ADDRESS`); otherwise one is started on this machine, and ended. Rows come out in no order:
    have a column that names them. A wrong row has a text in `error`. Actors read and write files themselves, so that no row is copied between processes.
    An actor that dies is started again, and what it had begun is done again. The answers are written beside `dst` and renamed when they are whole, so that
    a job that failed can be called again.

    Parameters
    ----------
    src, dst : path or URI
        Folders of Parquet. With several machines all must see both. Behind a URI answers are written at their place at once, over what is there.
    shapes_json : str
        The shapes, as `Shapes.to_json` writes them.
    actors : int
        Processes that answer. One CPU is left for reads and writes.
    batch_size : int
        Rows that an actor takes at a time, in whole row groups; each has a file of answers.
    what, keep_poses
        As in `gjk.arrow.label`.
    restart : bool
        Whether answers that are there are taken away first.
    progress : bool
        Whether Ray shows its bars.
    actor : type
        A class in the place of `LabelFiles`.

    Returns
    -------
    gjk.arrow.Summary
        Rows, and how many are wrong.

    Raises
    ------
    GjkError
        For shapes, columns or places that are wrong, before Ray starts if they can be seen; without Ray.
    """
    from ._parquet import Summary

    source, target = os.fspath(src), os.fspath(dst)
    Shapes.from_json(shapes_json)
    remote = "://" in target
    whole = Path(target).resolve()
    part = target if remote else str(whole.with_name(f".{whole.name}.part"))
    parts, files, total = _parts(source, part, batch_size, what, keep_poses)
    if not remote:
        _make_way(whole, restart)
        shutil.rmtree(part, ignore_errors=True)
    began = time.monotonic()
    with _running() as ray:
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = progress
        told = ray.data.from_items(parts, override_num_blocks=len(parts)).map_batches(
            actor,
            fn_constructor_args=(shapes_json, what, keep_poses),
            batch_format="pyarrow",
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=actors),
            num_cpus=cpus_each(actors, ray.cluster_resources().get("CPU", 0)),
        )
        done = told.take_all()
    count, wrong = (sum(one[name] for one in done) for name in ("rows", "wrong"))
    if count != total:
        raise GjkError(f"{target}: {count} rows are answered of {total}; {part} has what is done")
    if not remote:
        if whole.exists():
            whole.rmdir()
        os.replace(part, whole)
    seconds = time.monotonic() - began
    return Summary(files=files, rows=count, wrong=wrong, labelled=count, total=count, seconds=seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, with the exit codes of `gjk.label`."""
    parser = argparse.ArgumentParser(prog="python -m gjk.ray", description="Answer the rows of Parquet files on a cluster of Ray.")
    command = parser.add_subparsers(dest="command", required=True).add_parser("label", help="Parquet to Parquet")
    add_options(command)
    command.add_argument("--actors", type=int, default=2, metavar="N", help="processes that answer (2)")
    command.add_argument("--batch-size", type=int, default=BATCH, metavar="ROWS", help=f"rows that an actor takes at a time ({BATCH})")
    given = parser.parse_args(arguments)
    try:
        shapes = read_shapes(given.shapes).to_json()
        summary = label(
            given.src,
            given.dst,
            shapes,
            actors=given.actors,
            batch_size=given.batch_size,
            what=given.what,
            keep_poses=given.keep_poses,
            restart=given.restart,
            progress=sys.stderr.isatty(),
        )
    except GjkError as error:
        print(f"error: {error.args[0]}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped: nothing is at the place of the answers", file=sys.stderr)
        return 130
    return tell(summary)


if __name__ == "__main__":
    # Actors find the class by the name of this module, and not in the command.
    sys.exit(importlib.import_module("gjk.ray").main())
