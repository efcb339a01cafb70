"""Parquet to Parquet: a file for a file, chunk by chunk, so that an interrupted job goes on where it ended.

Where it sits: above `gjk._label`; `gjk.label` is this as a command. Idea: a file is written under another name and renamed when it is whole, so that
what has its right name is done. Each carries what it was made of, so that another job does not take it for its own.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import GjkError, Shapes, __version__
from ._label import Plan, answer, plan, row_error
from ._rows import check_errors, count_of_threads

#: Rows that are taken at a time, and of a row group that is written.
BATCH = 65_536

#: The entry of a file's metadata that says what it was made of.
ABOUT = b"gjk.label"

#: Wrong rows that a summary shows.
SHOWN = 5


@dataclass
class Summary:
    """What a job did.

    Attributes
    ----------
    files, skipped : int
        Files that are done, and those of them that were done before.
    rows, wrong : int
        Rows of all files, and those of them that are wrong.
    seconds : float
        What it took.
    labelled : int
        Rows of this run alone.
    examples : list of str
        The first wrong row of some files, with what is wrong.
    """

    files: int = 0
    skipped: int = 0
    rows: int = 0
    wrong: int = 0
    labelled: int = 0
    seconds: float = 0.0
    total: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Job:
    """One file: where from, where to, what it is made of."""

    source: Path
    target: Path
    planned: Plan
    rows: int
    about: dict[str, Any]


def _files(source: Path) -> list[Path]:
    """The Parquet files in a folder and its folders, or the one file."""
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise GjkError(f"{source} is not there: expected a file of Parquet, or a folder with some")
    inside = (path for path in sorted(source.rglob("*.parquet")) if path.is_file())
    found = [path for path in inside if not any(part[0] in "._" for part in path.relative_to(source).parts)]
    if not found:
        raise GjkError(f"{source} has no file of Parquet: expected names that end with .parquet")
    return found


def _target(source: Path, whole: Path, to: Path) -> Path:
    """Where a file's answers go."""
    if whole.is_file():
        return to / source.name if to.is_dir() else to
    return to / source.relative_to(whole)


def _jobs(source: Path, to: Path, shapes: Shapes, what: str, keep_poses: bool) -> list[Job]:
    """All files, each looked at before the first one is done: a wrong column is told at once."""
    digest = hashlib.sha256(shapes.to_json().encode()).hexdigest()
    if to.exists() and to.resolve() == source.resolve():
        raise GjkError(f"{to} is where the rows come from: answers need a place of their own")
    if source.is_dir() and to.is_file():
        raise GjkError(f"{to} is a file: the answers of a folder need a folder")
    jobs = []
    for path in _files(source):
        target = _target(path, source, to)
        if target.resolve() == path.resolve():
            raise GjkError(f"{target} is where the rows come from: answers need a place of their own")
        try:
            with pq.ParquetFile(path) as file:
                schema, rows = file.schema_arrow, file.metadata.num_rows
            planned = plan(schema, what, keep_poses)
        except (OSError, pa.ArrowException, GjkError) as error:
            raise GjkError(f"{path}: {error}") from None
        file = path.stat()
        about = {"shapes": digest, "what": what, "keep_poses": keep_poses, "rows": rows, "bytes": file.st_size, "changed": file.st_mtime_ns}
        jobs.append(Job(path, target, planned, rows, about))
    return jobs


def _wrong_rows(path: Path) -> int:
    """The wrong rows of a file that is done, by the counts in its footer if it has them."""
    with pq.ParquetFile(path) as file:
        about, wrong = file.metadata, 0
        column = [about.schema.column(k).path for k in range(about.num_columns)].index("error")
        for k in range(about.num_row_groups):
            group = about.row_group(k)
            counts = group.column(column).statistics
            if counts is None or not counts.has_null_count:
                texts = file.read_row_group(k, columns=["error"]).column("error")
                wrong += len(texts) - texts.null_count
            else:
                wrong += group.num_rows - counts.null_count
    return wrong


def _is_done(job: Job) -> bool:
    """Whether the answers are there, of the same rows; what another job made is an error."""
    if not job.target.exists():
        return False
    try:
        about = json.loads((pq.read_schema(job.target).metadata or {})[ABOUT])
    except (OSError, ValueError, KeyError, pa.ArrowException):
        raise GjkError(f"{job.target} is there, and not from such a job: name another place, or give --restart (restart=True)") from None
    asked = ("shapes", "what", "keep_poses")
    other = [name for name in asked if about.get(name) != job.about[name]]
    if other:
        told = " and ".join(other)
        raise GjkError(f"{job.target} was made with other {told}: name another place, or give --restart (restart=True)")
    # Rows that came anew are answered anew.
    return all(about.get(name) == job.about[name] for name in ("rows", "bytes", "changed"))


class _Ahead:
    """Runs reading and writing beside the answering, one chunk ahead and one behind; or in their places, where there is one thread."""

    def __init__(self, beside: bool) -> None:
        self.pools = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)] if beside else []
        self.writing: Future[None] | None = None

    def __enter__(self) -> _Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        for pool in self.pools:
            pool.shutdown(wait=True, cancel_futures=True)

    def read(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The chunks, of which the next is read meanwhile."""
        if not self.pools:
            yield from batches
            return
        coming = self.pools[0].submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = self.pools[0].submit(next, batches, None)
            yield batch

    def write(self, write: Callable[[pa.RecordBatch], None], batch: pa.RecordBatch) -> None:
        """Writes a chunk when the one before is written."""
        if not self.pools:
            write(batch)
            return
        self.wait()
        self.writing = self.pools[1].submit(write, batch)

    def wait(self) -> None:
        """Until all is written."""
        if self.writing is not None:
            self.writing.result()
            self.writing = None


def answer_groups(
    file: pq.ParquetFile,
    groups: list[int],
    sink: Any,
    planned: Plan,
    shapes: Shapes,
    each: Callable[[int, int, list[tuple[int, str]]], None],
    *,
    threads: int,
    compression: str,
    about: dict[bytes, bytes] | None = None,
) -> None:
    """The answers of some row groups, as a file; `each` is told of every chunk its first row, its rows and those that are wrong, before it is written."""
    schema = planned.schema.with_metadata({**(planned.schema.metadata or {}), **(about or {})} or None)
    # Numbers of answers hardly ever repeat: a dictionary of them is work for nothing.
    few = [name for name in schema.names if name in ("verdict", "error", "shape_a", "shape_b")]
    row = 0
    with pq.ParquetWriter(sink, schema, compression=compression, use_dictionary=few) as writer, _Ahead(threads != 1) as ahead:
        for batch in ahead.read(file.iter_batches(batch_size=BATCH, row_groups=groups, use_threads=threads != 1)):
            labelled, wrong = answer(batch, planned, shapes, threads)
            each(row, batch.num_rows, wrong)
            ahead.write(writer.write_batch, labelled.replace_schema_metadata(schema.metadata))
            row += batch.num_rows
        ahead.wait()


def _write(job: Job, part: Path, shapes: Shapes, raises: bool, threads: int, step: Callable[[int, int, str | None], None], compression: str) -> None:
    """One file's answers."""

    def each(row: int, rows: int, wrong: list[tuple[int, str]]) -> None:
        if wrong and raises:
            raise row_error(row + wrong[0][0], wrong[0][1], f"{job.source}: ")
        step(rows, len(wrong), f"{job.source}: row {row + wrong[0][0]}, {wrong[0][1]}" if wrong else None)

    about = {ABOUT: json.dumps({**job.about, "version": __version__}).encode()}
    with pq.ParquetFile(job.source) as file:
        groups = list(range(file.num_row_groups))
        answer_groups(file, groups, part, job.planned, shapes, each, threads=threads, compression=compression, about=about)


def file_fault(error: Exception) -> str:
    """What is wrong with a file, in words that say what to do where Arrow's do not."""
    # Arrow's words for a list of fixed length that is null.
    null = "Expected all lists" in str(error)
    return "a fixed_size_list is null, which this pyarrow cannot read from Parquet: write the column as list<double>" if null else str(error)


def _do(job: Job, shapes: Shapes, raises: bool, threads: int, step: Callable[[int, int, str | None], None], compression: str) -> None:
    """One file under another name, and renamed at the end."""
    job.target.parent.mkdir(parents=True, exist_ok=True)
    # What a job that was killed left.
    for old in job.target.parent.glob(f".{glob.escape(job.target.name)}.*.part"):
        old.unlink(missing_ok=True)
    part = job.target.with_name(f".{job.target.name}.{os.getpid()}.part")
    try:
        _write(job, part, shapes, raises, threads, step, compression)
        os.replace(part, job.target)
    except (OSError, pa.ArrowException) as error:
        raise GjkError(f"{job.source} to {job.target}: {file_fault(error)}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def label_parquet(
    src: str | os.PathLike[str],
    dst: str | os.PathLike[str],
    shapes: Shapes,
    *,
    what: str = "contact",
    errors: str = "column",
    threads: int | None = None,
    keep_poses: bool = False,
    restart: bool = False,
    compression: str = "snappy",
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Answer the rows of Parquet files, into a file for each.

    A file is there under its name when it is whole. Called again, the job does those that are not there yet. Columns and parameters that are not
    named here are those of `gjk.arrow.label`.

    Parameters
    ----------
    src, dst : path
        A file and a file (or a folder), or a folder and a folder: its `*.parquet`, also in folders of it, have answers at the same places.
    errors : {"column", "raise"}
        With `"raise"` the first wrong row ends the job, and its file is not written.
    threads : int, optional
        1 reads, answers and writes in turn. Otherwise chunks are read and written meanwhile.
    restart : bool
        Whether files are done anew that are there already.
    compression : str
        Of the files that are written, as pyarrow names it. Files of `"zstd"` are a tenth smaller, and the job takes half as long again: numbers of
        answers hardly repeat.
    progress : callable, optional
        Called after each chunk, with the summary so far.

    Returns
    -------
    Summary
        Of all files, also of those that were done before.

    Raises
    ------
    GjkError
        For a file that cannot be read or written, a column that is wrong, answers of another job at the place. All files are looked at before
        the first one is done.
    RowError
        With `errors="raise"`.

    Examples
    --------
    >>> import gjk, gjk.arrow, tempfile, pathlib, pyarrow as pa, pyarrow.parquet as pq
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(1.0)
    >>> folder = tempfile.TemporaryDirectory()
    >>> src, dst = pathlib.Path(folder.name, "rows.parquet"), pathlib.Path(folder.name, "answers.parquet")
    >>> at = pa.array([[1.5, 0, 0], [3, 0, 0]], pa.list_(pa.float64(), 3))
    >>> pq.write_table(pa.table({"shape_a": [0, 0], "shape_b": [0, 5], "translation_b": at}), src)
    >>> done = gjk.arrow.label_parquet(src, dst, shapes)
    >>> done.rows, done.wrong
    (2, 1)
    >>> pq.read_table(dst)["verdict"].to_pylist()
    ['overlapping', None]
    >>> gjk.arrow.label_parquet(src, dst, shapes).skipped
    1
    >>> folder.cleanup()
    """
    check_errors(errors)
    on = count_of_threads(threads)
    began = time.monotonic()
    jobs = _jobs(Path(src), Path(dst), shapes, what, keep_poses)
    summary = Summary(total=sum(job.rows for job in jobs))
    done = [not restart and _is_done(job) for job in jobs]

    def step(rows: int, wrong: int, example: str | None) -> None:
        summary.rows += rows
        summary.wrong += wrong
        if example is not None and len(summary.examples) < SHOWN:
            summary.examples.append(example)
        summary.seconds = time.monotonic() - began
        if progress is not None:
            progress(summary)

    for job, is_done in zip(jobs, done):
        if is_done:
            step(job.rows, _wrong_rows(job.target), None)
            summary.skipped += 1
        else:
            _do(job, shapes, errors == "raise", on, step, compression)
            summary.labelled += job.rows
        summary.files += 1
    summary.seconds = time.monotonic() - began
    return summary
