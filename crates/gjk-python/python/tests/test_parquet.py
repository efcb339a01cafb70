"""Parquet to Parquet: nothing lost, wrong rows counted, an interrupted job goes on, the command."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gjk
import gjk.arrow
from gjk import _parquet

VEC = pa.list_(pa.float64(), 3)


def shapes_made():
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5, 0.5, 0.5))
    shapes.hull(np.random.default_rng(0).normal(size=(32, 3)) * 0.3)
    return shapes


def rows(first, n, wrong=()):
    rng = np.random.default_rng(first)
    at = rng.normal(size=(n, 3))
    at[list(wrong), 1] = np.nan
    return pa.table(
        {
            "id": np.arange(first, first + n),
            "shape_a": pa.array(rng.integers(0, 2, n), pa.uint32()),
            "shape_b": pa.array(rng.integers(0, 2, n), pa.uint32()),
            "translation_b": pa.FixedSizeListArray.from_arrays(pa.array(at.ravel()), 3),
            "note": [f"row {k}" if k % 3 else None for k in range(n)],
        }
    )


@pytest.fixture
def folder(tmp_path):
    source = tmp_path / "in"
    (source / "deep").mkdir(parents=True)
    pq.write_table(rows(0, 3000, [5, 2999]), source / "a.parquet", row_group_size=700)
    pq.write_table(rows(3000, 1000), source / "b.parquet")
    pq.write_table(rows(4000, 1, [0]), source / "deep" / "c.parquet")
    pq.write_table(rows(4001, 0), source / "d.parquet")
    (source / "notes.txt").write_text("no table")
    (source / ".hidden.parquet").write_text("no table")
    (tmp_path / "shapes.json").write_text(shapes_made().to_json())
    return tmp_path


def command(folder, *arguments):
    ran = subprocess.run([sys.executable, "-W", "error", "-m", "gjk.label", *arguments], capture_output=True, text=True, cwd=folder, check=False)
    return ran.returncode, ran.stderr


@pytest.mark.parametrize("threads", [1, 2])
def test_a_folder(folder, threads, monkeypatch):
    monkeypatch.setattr(_parquet, "BATCH", 500)
    shapes, seen = shapes_made(), []
    done = gjk.arrow.label_parquet(folder / "in", folder / "out", shapes, threads=threads, progress=lambda s: seen.append(s.rows))
    assert (done.files, done.skipped, done.rows, done.wrong, done.total) == (4, 0, 4001, 3, 4001)
    assert len(seen) == 9 and seen[-1] == 4001 and len(done.examples) == 3
    assert "a.parquet: row 5, body b: translation is NaN" in done.examples[0]
    found = sorted(str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*") if path.is_file())
    assert found == ["a.parquet", "b.parquet", "d.parquet", os.path.join("deep", "c.parquet")]
    for name in found:
        alone = gjk.arrow.label(pq.read_table(folder / "in" / name), shapes)
        told = pq.read_table(folder / "out" / name)
        assert told.equals(alone) and told.schema.equals(alone.schema), name


def test_a_job_goes_on(folder):
    shapes, out = shapes_made(), folder / "out"

    def stop(summary):
        if summary.rows > 3000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gjk.arrow.label_parquet(folder / "in", out, shapes, progress=stop)
    assert [path.name for path in out.iterdir()] == ["a.parquet"]
    (out / ".b.parquet.12345.part").write_text("of a job that was killed")
    before = (out / "a.parquet").stat().st_mtime_ns
    done = gjk.arrow.label_parquet(folder / "in", out, shapes)
    assert (done.files, done.skipped, done.rows, done.wrong, done.labelled) == (4, 1, 4001, 3, 1001)
    assert (out / "a.parquet").stat().st_mtime_ns == before
    assert not [path for path in out.rglob("*.part")]
    again = gjk.arrow.label_parquet(folder / "in", out, shapes)
    assert (again.skipped, again.wrong) == (4, 3)
    anew = gjk.arrow.label_parquet(folder / "in", out, shapes, restart=True)
    assert anew.skipped == 0 and (out / "a.parquet").stat().st_mtime_ns > before


def test_rows_that_came_anew_are_answered_anew(folder):
    shapes = shapes_made()
    gjk.arrow.label_parquet(folder / "in", folder / "out", shapes)
    pq.write_table(rows(3000, 1200), folder / "in" / "b.parquet")
    done = gjk.arrow.label_parquet(folder / "in", folder / "out", shapes)
    assert (done.skipped, done.rows, done.labelled) == (3, 4201, 1200)


def test_answers_of_another_job_are_not_taken(folder):
    gjk.arrow.label_parquet(folder / "in", folder / "out", shapes_made())
    other = shapes_made()
    other.sphere(1.0)
    for shapes, given, told in ((other, {}, "other shapes"), (shapes_made(), {"what": "distance"}, "other what")):
        with pytest.raises(gjk.GjkError, match=told):
            gjk.arrow.label_parquet(folder / "in", folder / "out", shapes, **given)
    pq.write_table(rows(0, 5), folder / "out" / "a.parquet")
    with pytest.raises(gjk.GjkError, match="not from such a job"):
        gjk.arrow.label_parquet(folder / "in", folder / "out", shapes_made())


def test_wrong_files_are_told_before_the_first_is_done(folder):
    pq.write_table(rows(0, 5).drop_columns(["shape_b"]), folder / "in" / "z.parquet")
    with pytest.raises(gjk.GjkError, match="z.parquet: there is no column shape_b"):
        gjk.arrow.label_parquet(folder / "in", folder / "out", shapes_made())
    (folder / "in" / "z.parquet").write_text("PAR1")
    with pytest.raises(gjk.GjkError, match="z.parquet: "):
        gjk.arrow.label_parquet(folder / "in", folder / "out", shapes_made())
    assert not (folder / "out").exists()
    for src, dst in (("nowhere", "out"), ("in", "in"), ("in/a.parquet", "in/a.parquet"), ("in/a.parquet", "in"), ("in", "shapes.json")):
        with pytest.raises(gjk.GjkError):
            gjk.arrow.label_parquet(folder / src, folder / dst, shapes_made())


def test_a_wrong_row_may_end_the_job(folder):
    with pytest.raises(gjk.RowError) as caught:
        gjk.arrow.label_parquet(folder / "in", folder / "out", shapes_made(), errors="raise")
    assert caught.value.args[1:] == (5, "b") and "a.parquet: row 5, body b" in caught.value.args[0]
    assert not [path for path in (folder / "out").rglob("*") if path.is_file()]


def test_the_command(folder):
    code, said = command(folder, "in", "out", "--shapes", "shapes.json")
    assert code == 1 and re.search(r"4 files: 4,001 rows in .* s \([\d,]+ rows/s\), 3 wrong", said), said
    assert "row 5, body b: translation is NaN" in said and "column `error`" in said
    code, said = command(folder, "in", "out", "--shapes", "shapes.json")
    assert code == 1 and "4 files, 4 of them done before: 4,001 rows" in said
    code, said = command(folder, "in/b.parquet", "b.parquet", "--shapes", "shapes.json", "--what", "classify", "--keep-poses", "--threads", "1")
    assert code == 0 and "1 file: 1,000 rows" in said
    assert pq.read_schema(folder / "b.parquet").names == ["id", "shape_a", "shape_b", "translation_b", "note", "verdict", "error"]
    code, said = command(folder, "in/b.parquet", "b.parquet", "--shapes", "shapes.json")
    assert code == 2 and "--restart" in said
    code, said = command(folder, "in/b.parquet", "b.parquet", "--shapes", "shapes.json", "--restart")
    assert code == 0, said


def test_the_command_tells_what_is_wrong(folder):
    (folder / "bad.json").write_text('[{"shape":"ball","radius":-1}]')
    for arguments, told in (
        (["in", "out", "--shapes", "bad.json"], "bad.json: [0].radius: -1 is negative"),
        (["in", "out", "--shapes", "none.json"], "none.json"),
        (["none", "out", "--shapes", "shapes.json"], "none is not there"),
        (["in", "out", "--shapes", "shapes.json", "--threads", "0"], "at least 1"),
        (["in", "out"], "--shapes"),
    ):
        code, said = command(folder, *arguments)
        assert code == 2 and told in said and "Traceback" not in said, said
    code, said = command(folder, "in", "out", "--shapes", "shapes.json", "--errors", "raise")
    assert code == 1 and "row 5" in said


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_leaves_what_is_done(folder):
    many = folder / "many"
    many.mkdir()
    for k in range(100):
        pq.write_table(rows(k, 500), many / f"{k:02}.parquet")
    # In the background a shell has its processes ignore Ctrl-C.
    code = "import signal, sys, gjk.label; signal.signal(signal.SIGINT, signal.default_int_handler); sys.exit(gjk.label.main(sys.argv[1:]))"
    asked = [sys.executable, "-c", code, "many", "out", "--shapes", "shapes.json"]
    with subprocess.Popen(asked, cwd=folder, stderr=subprocess.PIPE, text=True) as child:
        while child.poll() is None and not list((folder / "out").glob("*.parquet")):
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=60)
        finally:
            child.kill()
    assert child.returncode == 130 and "stopped" in said and "Traceback" not in said, said
    left = [path.name for path in (folder / "out").iterdir()]
    assert 0 < len(left) < 100 and all(name.endswith(".parquet") for name in left)
    done = gjk.arrow.label_parquet(many, folder / "out", shapes_made())
    assert (done.files, done.rows) == (100, 50_000) and done.skipped == len(left)


def test_lists_that_are_null(folder):
    at = [[0, 0, 0], None, [3, 0, 0]]
    for kind, told in ((pa.list_(pa.float64()), None), (VEC, "write the column as list<double>")):
        table = pa.table({"shape_a": [0] * 3, "shape_b": [0] * 3, "translation_b": pa.array(at, kind)})
        pq.write_table(table, folder / "null.parquet")
        if told is None:
            assert gjk.arrow.label_parquet(folder / "null.parquet", folder / "out.parquet", shapes_made()).wrong == 1
            assert pq.read_table(folder / "out.parquet")["verdict"].to_pylist() == ["overlapping", None, "separated"]
            continue
        try:
            done = gjk.arrow.label_parquet(folder / "null.parquet", folder / "out2.parquet", shapes_made())
        except gjk.GjkError as error:
            # Before 26 pyarrow could not read them.
            assert told in str(error) and not (folder / "out2.parquet").exists()
        else:
            assert done.wrong == 1
