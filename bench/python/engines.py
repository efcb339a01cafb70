#!/usr/bin/env python3
"""One job of labels, by one process, by Daft and by Ray: engines.py [--rows N] [--wrong N] [--actors N] [--once]

`cargo xtask bench engines` makes the environment, builds the module and runs this. Rows are boxes and capsules at random poses, in four files of Parquet;
some are wrong in four ways. Of Ray the job runs twice: as it is, and with an actor that ends its process in the middle. Held against the single process:
how many rows there are and are wrong, and that every row is there once with the same bits. Exit code 1 if one of it fails. A job of a few rows tells what
Ray takes to start, so that the last line is what it costs beside the others.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import daft
import gjk.arrow
import gjk.daft
import gjk.ray
import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet as pq

FILES = 4
BATCH = 131_072


def made_shapes() -> gjk.Shapes:
    """A box and a capsule."""
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5, 0.4, 0.3))
    shapes.capsule(half_height=0.5, radius=0.2)
    return shapes


def made_rows(folder: Path, rows: int, wrong: int) -> None:
    """Files of rows: of the wrong ones a translation is NaN or infinite, a quaternion is zero, or a shape is unknown."""
    folder.mkdir()
    random = np.random.default_rng(0)
    ends = np.linspace(0, rows, FILES + 1).astype(int)
    bad = np.sort(random.choice(rows, wrong, replace=False))
    for k, (start, end) in enumerate(zip(ends[:-1], ends[1:])):
        count = end - start
        ids = random.integers(0, 2, (2, count)).astype(np.uint32)
        at, turn = random.normal(size=(2, count, 3)), random.normal(size=(2, count, 4))
        here = bad[(start <= bad) & (bad < end)] - start
        at[0, here[::4], 0], turn[1, here[1::4]], ids[0, here[2::4]], at[1, here[3::4], 2] = np.nan, 0, 99, np.inf
        columns: dict[str, Any] = {"id": np.arange(start, end), "shape_a": ids[0], "shape_b": ids[1]}
        for body, (moved, turned) in zip("ab", zip(at, turn)):
            columns[f"translation_{body}"] = pa.FixedSizeListArray.from_arrays(pa.array(moved.ravel()), 3)
            columns[f"quat_xyzw_{body}"] = pa.FixedSizeListArray.from_arrays(pa.array(turned.ravel()), 4)
        pq.write_table(pa.table(columns), folder / f"{k}.parquet", row_group_size=BATCH)


class Dying(gjk.ray.LabelFiles):
    """An actor of which the first one, at its third part, ends its process."""

    marker = ""
    calls = 0

    def __call__(self, parts: Any) -> Any:
        self.calls += 1
        if self.calls == 3:
            try:
                os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os._exit(13)
        return super().__call__(parts)


def same(one: Path, other: Path, rows: int) -> str:
    """Whether every row is there once with the same answers, a part of the numbers after another, so that not all lie in memory."""
    first, second = pa.dataset.dataset(one), pa.dataset.dataset(other)
    step = 1_000_000
    for start in range(0, rows, step):
        part = (pa.compute.field("id") >= start) & (pa.compute.field("id") < start + step)
        left, right = (found.to_table(filter=part).sort_by("id").combine_chunks() for found in (first, second))
        if left["id"].to_numpy().tolist() != list(range(start, min(start + step, rows))):
            return "rows are missing or there twice"
        schema = pa.schema([field.with_type(pa.string()) if field.name == "verdict" else field for field in right.schema])
        if not left.select(schema.names).cast(schema).equals(right.cast(schema)):
            return f"answers differ among rows {start} to {start + step}"
    return "equal"


def main() -> int:
    """Run the job by each, and hold the answers against the single process."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--wrong", type=int, default=1_000)
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where files go; the system's place for such if left out")
    taken = parser.parse_args()
    shapes, failed = made_shapes(), False
    text = shapes.to_json()
    with tempfile.TemporaryDirectory(dir=taken.folder) as folder:
        work = Path(folder)
        source = work / "in"
        made_rows(source, taken.rows, taken.wrong)
        Dying.marker = str(work / "died")

        def by_daft(to: Path) -> None:
            daft.set_runner_native()
            gjk.daft.label(daft.read_parquet(str(source)), text, batch_size=BATCH).write_parquet(str(to))

        def by_ray(actor: type[gjk.ray.LabelFiles]) -> Callable[[Path], Any]:
            return lambda to: gjk.ray.label(source, to, text, actors=taken.actors, batch_size=BATCH, actor=actor)

        def few() -> float:
            """Seconds of a job with one row a file: what Ray takes to start, whatever the job is."""
            made_rows(work / "few", FILES, 0)
            began = time.perf_counter()
            gjk.ray.label(work / "few", work / "out-few", text, actors=taken.actors, batch_size=BATCH)
            return time.perf_counter() - began

        jobs: list[tuple[str, Callable[[Path], Any]]] = [
            ("one process", lambda to: gjk.arrow.label_parquet(source, to, shapes)),
            ("one process, one thread", lambda to: gjk.arrow.label_parquet(source, to, shapes, threads=1)),
            ("Daft", by_daft),
            ("Ray", by_ray(gjk.ray.LabelFiles)),
            ("Ray, an actor ends", by_ray(Dying)),
        ]
        spent: dict[str, float] = {}
        for number, (name, job) in enumerate(jobs):
            to = work / f"out-{number}"
            began = time.perf_counter()
            told = job(to)
            seconds = spent[name] = time.perf_counter() - began
            errors = pa.dataset.dataset(to).to_table(columns=["error"])["error"]
            rows, wrong = len(errors), len(errors) - errors.null_count
            held = same(to, work / "out-0", taken.rows) if number else "-"
            right = (rows, wrong) == (taken.rows, taken.wrong) and held in ("equal", "-")
            if isinstance(told, gjk.arrow.Summary):
                right &= (told.rows, told.wrong) == (rows, wrong)
            failed |= not right
            print(f"{name:24} {seconds:7.1f} s  {taken.rows / seconds:12,.0f} rows/s  {rows:,} rows, {wrong:,} wrong  {held}", flush=True)
        start = few()
        print(f"{f'Ray, {FILES} rows':24} {start:7.1f} s", flush=True)
        more = {other: (spent["Ray"] - start) / spent[other] - 1 for other in ("one process", "Daft")}
        print(f"Ray beyond those {FILES} rows: {more['Daft']:+.0%} of Daft, {more['one process']:+.0%} of one process")
        if not Path(Dying.marker).exists():
            print("no actor ended: too few batches")
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
