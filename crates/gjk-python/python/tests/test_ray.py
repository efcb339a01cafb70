"""The job on Ray: two actors, one that dies in the middle, wrong rows counted, the output of the single process.

`GJK_PYTHON_RAY=1 cargo test -p gjk-python` installs Ray and runs it; `GJK_PYTHON_RAY_ROWS` is how many rows.
"""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gjk
import gjk.arrow
import gjk.ray

HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="ray is not installed: GJK_PYTHON_RAY=1 cargo test -p gjk-python installs it")
ROWS = int(os.environ.get("GJK_PYTHON_RAY_ROWS", "100000"))
FILES = 4
WRONG = 40


def make_shapes():
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5, 0.4, 0.3))
    shapes.capsule(half_height=0.5, radius=0.2)
    return shapes


def make(folder):
    """Files of rows, of which 40 are wrong in four ways."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    each = ROWS // FILES
    for k in range(FILES):
        ids = rng.integers(0, 2, (2, each)).astype(np.uint32)
        at, turn = rng.normal(size=(each, 3)), rng.normal(size=(each, 4))
        bad = rng.choice(each, WRONG // FILES, replace=False)
        at[bad[:3], 0], turn[bad[3:6]], ids[0, bad[6:8]], at[bad[8:], 2] = np.nan, 0, 99, np.inf
        columns = {"id": np.arange(k * each, (k + 1) * each), "shape_a": ids[0], "shape_b": ids[1]}
        columns["translation_b"] = pa.FixedSizeListArray.from_arrays(pa.array(at.ravel()), 3)
        columns["quat_xyzw_b"] = pa.FixedSizeListArray.from_arrays(pa.array(turn.ravel()), 4)
        pq.write_table(pa.table(columns), folder / f"{k}.parquet", row_group_size=max(1, each // 8))


def whole(path):
    return pq.read_table(path).sort_by("id").combine_chunks()


def test_a_cpu_is_left_for_reads():
    assert [gjk.ray.cpus_each(*given) for given in ((1, 2), (2, 2), (3, 2), (2, 3), (4, 64))] == [1.0, 0.5, 0.333, 1.0, 1.0]
    for given in ((2, 1), (0, 4)):
        with pytest.raises(gjk.GjkError):
            gjk.ray.cpus_each(*given)


def test_an_actor_answers_as_the_function_does(tmp_path):
    make(tmp_path / "in")
    table = pq.read_table(tmp_path / "in" / "0.parquet")
    assert gjk.ray.Label(make_shapes().to_json())(table).equals(gjk.arrow.label(table, make_shapes()))


def test_parts_are_whole_row_groups_and_have_files_of_their_own(tmp_path):
    make(tmp_path / "in")
    parts, files, rows = gjk.ray._parts(str(tmp_path / "in"), "out", ROWS // 16, "contact", False)
    assert (files, rows, len(parts)) == (FILES, ROWS, 4 * FILES)
    assert len({part["target"] for part in parts}) == len(parts)
    actor = gjk.ray.LabelFiles(make_shapes().to_json())
    for part in parts:
        part["target"] = str(tmp_path / part["target"])
    told = actor(pa.Table.from_pylist(parts))
    assert sum(told["rows"].to_pylist()) == ROWS and sum(told["wrong"].to_pylist()) == WRONG
    gjk.arrow.label_parquet(tmp_path / "in", tmp_path / "alone", make_shapes())
    assert whole(tmp_path / "out").equals(whole(tmp_path / "alone"))
    by_address, *_ = gjk.ray._parts((tmp_path / "in").as_uri(), "out", ROWS // 16, "contact", False)
    assert [part["source"].removeprefix("file://") for part in by_address] == [part["source"] for part in parts]
    (tmp_path / "in" / "0.parquet").write_bytes(b"no parquet")
    with pytest.raises(gjk.GjkError, match="0.parquet"):
        gjk.ray._parts(str(tmp_path / "in"), "out", ROWS, "contact", False)


@pytest.mark.skipif(HAS_RAY, reason="ray is installed")
def test_without_ray_it_is_said(tmp_path):
    make(tmp_path / "in")
    with pytest.raises(gjk.GjkError, match=r"pip install gjk\[ray\]"):
        gjk.ray.label(tmp_path / "in", tmp_path / "out", make_shapes().to_json())


@needs_ray
@pytest.mark.filterwarnings("ignore")
def test_two_actors_of_which_one_dies(tmp_path):
    make(tmp_path / "in")
    marker = str(tmp_path / "died")

    class Dying(gjk.ray.LabelFiles):
        calls = 0

        def __call__(self, parts):
            self.calls += 1
            if self.calls == 3:
                try:
                    os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    pass
                else:
                    os._exit(13)
            return super().__call__(parts)

    text = make_shapes().to_json()
    done = gjk.ray.label(tmp_path / "in", tmp_path / "out", text, actors=2, batch_size=ROWS // 20, actor=Dying)
    assert os.path.exists(marker), "no actor died"
    assert (done.rows, done.wrong) == (ROWS, WRONG)
    alone = gjk.arrow.label_parquet(tmp_path / "in", tmp_path / "alone", make_shapes())
    assert (alone.rows, alone.wrong) == (ROWS, WRONG)
    # Sorted by number: every row once, with the same bits.
    one, other = whole(tmp_path / "out"), whole(tmp_path / "alone")
    assert one["id"].to_numpy().tolist() == list(range(ROWS))
    assert one.column_names == other.column_names
    assert one.cast(other.schema).equals(other)
    with pytest.raises(gjk.GjkError, match="is there"):
        gjk.ray.label(tmp_path / "in", tmp_path / "out", text)
    # A second cluster of the same process, from and to addresses.
    again = gjk.ray.label((tmp_path / "in").as_uri(), (tmp_path / "again").as_uri(), text, what="classify", batch_size=ROWS)
    assert (again.files, again.rows, again.wrong) == (FILES, ROWS, WRONG)
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == [f"{k}-00000.parquet" for k in range(FILES)]
    assert whole(tmp_path / "again")["verdict"].combine_chunks().equals(other["verdict"].combine_chunks())


@needs_ray
def test_the_command(tmp_path):
    make(tmp_path / "in")
    (tmp_path / "shapes.json").write_text(make_shapes().to_json())
    asked = [sys.executable, "-m", "gjk.ray", "label", "in", "out", "--shapes", "shapes.json", "--actors", "2"]
    ran = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 1 and f"{ROWS:,} rows" in ran.stderr and f"{WRONG} wrong" in ran.stderr, ran.stderr
    alone = gjk.arrow.label_parquet(tmp_path / "in", tmp_path / "alone", make_shapes())
    assert alone.wrong == WRONG and whole(tmp_path / "out").num_rows == ROWS
    ran = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ran.returncode == 2 and "--restart" in ran.stderr
