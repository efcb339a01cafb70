"""Labels of tables on several machines, by Ray Data. Needs Ray (`pip install gjk[ray]`).

`label` is the whole job, `Label` the actor for pipelines of one's own, and `python -m gjk.ray label IN OUT --shapes S.json --actors 2` the command. On one
machine `gjk.arrow.label_parquet` is faster: it starts nothing and copies nothing between processes. The page `docs/tables.md` of the project tells
what to look out for.
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
        token.write_text(secrets.token_hex(32))
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


def _paths(source: Path, files: list[str]) -> list[str]:
    """What Ray is told to read: a folder whole if it has nothing else. Of several paths Ray asks threads at once, and then it sometimes fails to import
    what it looks for (`HTTPFileSystem`, where there is no aiohttp)."""
    inside = {str(path.resolve()) for path in source.rglob("*.parquet")} if source.is_dir() else set()
    return [str(source.resolve())] if inside == set(files) else files


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
    actor: type[Label] = Label,
) -> Any:
    """Answer the rows of Parquet files by actors of Ray.

    A cluster that is there is used (`ray.init`, or `RAY_ADDRESS`); otherwise one is started on this machine, and ended. Rows come out in no order:
    have a column that names them. A wrong row has a text in `error`. An actor that dies is started again, and its batch is answered again. The answers
    are written beside `dst` and renamed when they are whole, so that a job that failed can be called again.

    Parameters
    ----------
    src, dst : path or URI
        Folders of Parquet. With several machines all must see both. Behind a URI answers are written at their place at once, over what is there.
    shapes_json : str
        The shapes, as `Shapes.to_json` writes them.
    actors : int
        Processes that answer. One CPU is left for reads and writes.
    batch_size : int
        Rows of a batch.
    what, keep_poses
        As in `gjk.arrow.label`.
    restart : bool
        Whether answers that are there are taken away first.
    progress : bool
        Whether Ray shows its bars.
    actor : type
        A class in the place of `Label`.

    Returns
    -------
    gjk.arrow.Summary
        Rows, and how many are wrong.

    Raises
    ------
    GjkError
        For shapes, columns or places that are wrong, before Ray starts if they can be seen; without Ray.
    """
    import pyarrow.compute as pc
    import pyarrow.dataset as arrow_files

    from ._label import plan
    from ._parquet import Summary, _files

    source, target = os.fspath(src), os.fspath(dst)
    Shapes.from_json(shapes_json)
    remote = "://" in target
    if "://" not in source:
        files = [str(path.resolve()) for path in _files(Path(source))]
        plan(arrow_files.dataset(files, format="parquet").schema, what, keep_poses)
        read = _paths(Path(source), files)
    else:
        files = read = [source]
    if not remote:
        _make_way(Path(target), restart)
    whole = Path(target).resolve()
    part = target if remote else str(whole.with_name(f".{whole.name}.part"))
    began = time.monotonic()
    with _running() as ray:
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = progress
        rows = ray.data.read_parquet(read).map_batches(
            actor,
            fn_constructor_args=(shapes_json, what, keep_poses),
            batch_format="pyarrow",
            batch_size=batch_size,
            compute=ray.data.ActorPoolStrategy(size=actors),
            num_cpus=cpus_each(actors, ray.cluster_resources().get("CPU", 0)),
            zero_copy_batch=True,
        )
        rows.write_parquet(part, mode="overwrite", compression="snappy")
    if not remote:
        if whole.exists():
            whole.rmdir()
        os.replace(part, whole)
    found = arrow_files.dataset(target, format="parquet")
    count = found.count_rows()
    wrong = found.count_rows(filter=pc.field("error").is_valid())
    seconds = time.monotonic() - began
    return Summary(files=len(files), rows=count, wrong=wrong, labelled=count, total=count, seconds=seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, with the exit codes of `gjk.label`."""
    parser = argparse.ArgumentParser(prog="python -m gjk.ray", description="Answer the rows of Parquet files on a cluster of Ray.")
    command = parser.add_subparsers(dest="command", required=True).add_parser("label", help="Parquet to Parquet")
    add_options(command)
    command.add_argument("--actors", type=int, default=2, metavar="N", help="processes that answer (2)")
    command.add_argument("--batch-size", type=int, default=BATCH, metavar="ROWS", help=f"rows of a batch ({BATCH})")
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
