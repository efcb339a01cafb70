"""Tables of Arrow: answers known by hand, the same bits as arrays, wrong rows by number, wrong columns by name, nothing copied."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import gjk
import gjk.arrow
from gjk import _label

QUAT, VEC = pa.list_(pa.float64(), 4), pa.list_(pa.float64(), 3)
ANSWERS = ["verdict", "lower", "upper", "normal", "point_a", "point_b", "error"]


@pytest.fixture
def shapes():
    shapes = gjk.Shapes()
    shapes.box(half_extents=(0.5, 0.5, 0.5))
    shapes.sphere(0.25)
    shapes.capsule(half_height=1.0, radius=0.1, axis="x")
    shapes.hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]))
    return shapes


def lists(rows):
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])


def random_rows(n, seed=0):
    rng = np.random.default_rng(seed)
    columns = {"a": rng.integers(0, 4, n), "b": rng.integers(0, 4, n)}
    for body in "ab":
        columns["t" + body] = rng.normal(size=(n, 3)) * 0.4
        columns["q" + body] = rng.normal(size=(n, 4))
    table = pa.table(
        {
            "id": np.arange(n),
            "shape_a": columns["a"].astype(np.uint32),
            "translation_a": lists(columns["ta"]),
            "quat_xyzw_a": lists(columns["qa"]),
            "shape_b": columns["b"].astype(np.uint32),
            "translation_b": lists(columns["tb"]),
            "quat_xyzw_b": lists(columns["qb"]),
        }
    )
    return columns, table


def vectors(column):
    return np.array(column.combine_chunks().flatten()).reshape(-1, 3)


def same(table, found):
    """Whether a table has the bits of `gjk.Answers`."""
    assert table["verdict"].to_pylist() == found.verdict_names()
    for name in ("lower", "upper"):
        assert table[name].to_numpy().tobytes() == getattr(found, name).tobytes()
    for name in ("normal", "point_a", "point_b"):
        assert vectors(table[name]).tobytes() == getattr(found, name).tobytes()
    assert table["error"].null_count == len(table)


def test_cubes_side_by_side(shapes):
    at = pa.array([[x, 0, 0] for x in (0.5, 1.0, 1.5, 3.0)], VEC)
    found = gjk.arrow.label(pa.table({"shape_a": [0] * 4, "shape_b": [0] * 4, "translation_b": at}), shapes)
    assert found["verdict"].to_pylist() == ["overlapping", "touching", "separated", "separated"]
    assert found.schema.field("verdict").type == pa.dictionary(pa.int8(), pa.string())
    assert found.schema.field("normal").type == VEC
    for k, truth in enumerate([-0.5, 0.0, 0.5, 2.0]):
        lower, upper = found["lower"][k].as_py(), found["upper"][k].as_py()
        assert lower <= truth <= upper and upper - lower < 1e-12
    assert found["normal"].to_pylist()[3] == [1, 0, 0]


@pytest.mark.parametrize("what", ["contact", "distance", "classify"])
def test_the_bits_of_arrays(shapes, what):
    columns, table = random_rows(5000)
    poses = [gjk.Poses(translation=columns["t" + body], quat_xyzw=columns["q" + body]) for body in "ab"]
    found = getattr(gjk, what)(shapes, columns["a"], columns["b"], *poses)
    for threads in (1, 2, None):
        told = gjk.arrow.label(table, shapes, what=what, threads=threads)
        if what == "classify":
            assert told.column_names == ["id", "shape_a", "shape_b", "verdict", "error"]
            assert told["verdict"].to_pylist() == found.verdict_names()
        else:
            assert told.column_names == ["id", "shape_a", "shape_b", *ANSWERS]
            same(told, found)


def test_layouts_change_nothing(shapes):
    columns, table = random_rows(3000, 3)
    first = gjk.arrow.label(table, shapes)
    wxyz = [columns["q" + body][:, [3, 0, 1, 2]] for body in "ab"]
    renamed = table.drop_columns(["quat_xyzw_a", "quat_xyzw_b"])
    for body, rows in zip("ab", wxyz):
        renamed = renamed.append_column("quat_wxyz_" + body, lists(rows))
    uneven = table
    for name in ("translation_a", "quat_xyzw_b"):
        k = table.column_names.index(name)
        kind = pa.list_(pa.float64()) if name == "quat_xyzw_b" else pa.large_list(pa.float64())
        uneven = uneven.set_column(k, name, table[name].cast(kind))
    signed = table.set_column(1, "shape_a", table["shape_a"].cast(pa.int8()))
    padded = pa.concat_tables([table.slice(0, 7), table])
    chunks = [table.slice(0, 1), table.slice(1, 0), table.slice(1, 1999), table.slice(2000)]
    # The same rows, cut at other places in one column.
    mixed = pa.concat_tables(chunks).set_column(1, "shape_a", table["shape_a"])
    for other in (renamed, uneven, signed, padded.slice(7), pa.concat_tables(chunks), mixed):
        told = gjk.arrow.label(other, shapes)
        assert told.select(ANSWERS).combine_chunks().equals(first.select(ANSWERS).combine_chunks())


def test_matrices(shapes):
    columns, table = random_rows(500, 5)
    m = np.zeros((500, 3, 4))
    m[:, :, :3] = np.linalg.qr(np.random.default_rng(6).normal(size=(500, 3, 3)))[0]
    m[:, :, 3] = columns["ta"]
    square = np.concatenate([m, np.tile([[[0, 0, 0, 1.0]]], (500, 1, 1))], axis=1)
    base = table.drop_columns(["translation_a", "quat_xyzw_a"])
    poses = gjk.Poses(translation=columns["tb"], quat_xyzw=columns["qb"])
    found = gjk.contact(shapes, columns["a"], columns["b"], m, poses)
    for rows in (m.reshape(500, 12), square.reshape(500, 16)):
        same(gjk.arrow.label(base.append_column("matrix_a", lists(rows)), shapes), found)
        uneven = lists(rows).cast(pa.list_(pa.float64()))
        same(gjk.arrow.label(base.append_column("matrix_a", uneven), shapes), found)


def test_single_precision_and_whole_numbers(shapes):
    at = [[0.1, 0, 0], [2, 0, 0]]
    plain = pa.table({"shape_a": [0, 0], "shape_b": [1, 1]})
    single = plain.append_column("translation_b", pa.array(at, pa.list_(pa.float32(), 3)))
    wide = np.array(at, np.float32).astype(float)
    same(gjk.arrow.label(single, shapes), gjk.contact(shapes, 0, 1, pose_b=gjk.Poses(translation=wide)))
    whole = plain.append_column("translation_b", pa.array([[0, 0, 0], [2, 0, 0]], pa.list_(pa.int64(), 3)))
    assert gjk.arrow.label(whole, shapes)["verdict"].to_pylist() == ["overlapping", "separated"]


def test_a_batch_gives_a_batch_and_poses_may_stay(shapes):
    _, table = random_rows(10)
    batch = gjk.arrow.label(table.to_batches()[0], shapes, keep_poses=True)
    assert isinstance(batch, pa.RecordBatch) and batch.schema.names == [*table.column_names, *ANSWERS]
    assert batch.schema == gjk.arrow.label_schema(table.schema, keep_poses=True)


def test_no_rows(shapes):
    _, table = random_rows(10)
    for empty in (table.slice(0, 0), table.slice(0, 0).to_batches(), table.schema.empty_table()):
        empty = pa.Table.from_batches(empty, table.schema) if isinstance(empty, list) else empty
        told = gjk.arrow.label(empty, shapes)
        assert len(told) == 0 and told.column_names[-1] == "error"


def test_others_come_by_the_stream_of_arrow(shapes):
    _, table = random_rows(100)

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    assert gjk.arrow.label(Stream(), shapes).equals(gjk.arrow.label(table, shapes))


def test_wrong_rows(shapes):
    n = 6000
    _, table = random_rows(n, 7)
    t, q = np.array(table["translation_a"].combine_chunks().flatten()).reshape(n, 3), np.ones((n, 4))
    t[10, 0], t[11, 2], q[12], q[13, 1] = np.nan, np.inf, 0, np.nan
    ids = [4 if k == 14 else -1 if k == 15 else None if k == 16 else 1 for k in range(n)]
    at = [None if k == 17 else [0.0, None, 0.0] if k == 5999 else list(t[k]) for k in range(n)]
    wrong = table.set_column(1, "shape_a", pa.array(ids)).set_column(2, "translation_a", pa.array(at, VEC)).set_column(3, "quat_xyzw_a", lists(q))
    told = gjk.arrow.label(wrong, shapes)
    texts = {k: text for k, text in enumerate(told["error"].to_pylist()) if text is not None}
    assert texts == {
        10: "body a: translation is NaN: every number must be finite",
        11: "body a: translation is inf: every number must be finite",
        12: "body a: quaternion is zero: a rotation needs a non-zero one",
        13: "body a: quaternion.y is NaN: every number must be finite",
        14: "body a: shape 4 of 4 does not exist",
        15: "body a: shape 4294967295 of 4 does not exist",
        16: "body a: shape is null, or has a null in it",
        17: "body a: translation is null, or has a null in it",
        5999: "body a: translation is null, or has a null in it",
    }
    for name in ANSWERS[:3]:
        nulls = np.flatnonzero(told[name].combine_chunks().is_null().to_numpy(zero_copy_only=False))
        assert list(nulls) == list(texts), name
    for name in ANSWERS[3:6]:
        assert [k for k, vector in enumerate(told[name].to_pylist()) if vector == [None] * 3] == list(texts), name
    assert told["id"].to_pylist() == list(range(n))
    # The others have the answers that they have alone.
    right = np.setdiff1d(np.arange(n), list(texts))
    assert told.take(right).select(ANSWERS).combine_chunks().equals(gjk.arrow.label(wrong.take(right), shapes).select(ANSWERS).combine_chunks())
    for cut in (wrong, pa.concat_tables([wrong.slice(0, 5000), wrong.slice(5000)])):
        with pytest.raises(gjk.RowError) as caught:
            gjk.arrow.label(cut.slice(5), shapes, errors="raise")
        assert caught.value.args[1:] == (5, "a") and caught.value.args[0].startswith("row 5, body a: translation is NaN")


def test_lists_of_another_length_are_wrong_rows(shapes):
    at = pa.array([[0, 0, 0], [1, 2], None, [], [1, 2, 3, 4], [2, 0, None], [2, 0, 0]], pa.list_(pa.float64()))
    table = pa.table({"shape_a": [0] * 7, "shape_b": [0] * 7, "translation_b": at})
    told = gjk.arrow.label(table, shapes)
    assert told["verdict"].to_pylist() == ["overlapping", *[None] * 5, "separated"]
    texts = told["error"].to_pylist()
    assert texts[1] == texts[3] == texts[4] == "body b: translation has another length: it must have 3 numbers"
    assert texts[2] == texts[5] == "body b: translation is null, or has a null in it"
    assert gjk.arrow.label(table.slice(1), shapes).equals(told.slice(1).combine_chunks())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t: t.drop_columns(["shape_a"]), "there is no column shape_a: expected one of whole numbers"),
        (lambda t: t.set_column(1, "shape_a", pa.array([0.5] * 3)), "column shape_a has type double: expected whole numbers"),
        (lambda t: t.set_column(1, "shape_a", pa.array(["box"] * 3)), "column shape_a has type string"),
        (lambda t: t.set_column(2, "translation_a", pa.array([[0.0] * 4] * 3, QUAT)), "[4]: expected fixed_size_list<double>[3]"),
        (lambda t: t.set_column(2, "translation_a", pa.array(["far"] * 3)), "column translation_a has type string: expected fixed_size_list<double>[3]"),
        (lambda t: t.append_column("matrix_b", pa.array([[0.0] * 3] * 3, VEC)), "expected fixed_size_list<double>[12] or fixed_size_list<double>[16]"),
        (lambda t: t.append_column("quat_wxyz_a", t["quat_xyzw_a"]), "one rotation has one order"),
        (lambda t: t.append_column("matrix_a", pa.array([[0.0] * 12] * 3, pa.list_(pa.float64(), 12))), "column matrix_a has a translation and a rotation"),
        (lambda t: t.append_column("quat_b", t["quat_xyzw_b"]), "column quat_b is no part of a pose here: name it quat_xyzw or quat_wxyz"),
        (lambda t: t.append_column("error", t["id"]), "column error is there already"),
        (lambda t: pa.Table.from_arrays([*t.columns, t["id"]], names=[*t.column_names, "id"]), "column id is there more than once"),
        (lambda t: 5, "a int is no table"),
    ],
)
def test_a_wrong_column_is_named(shapes, change, told):
    _, table = random_rows(3)
    with pytest.raises(gjk.GjkError) as caught:
        gjk.arrow.label(change(table), shapes)
    assert told in str(caught.value)


def test_wrong_parameters(shapes):
    _, table = random_rows(3)
    for given, told in (({"what": "depth"}, "contact, distance, classify"), ({"errors": "drop"}, '"raise" or "column"'), ({"threads": 0}, "at least 1")):
        with pytest.raises(gjk.GjkError, match=told):
            gjk.arrow.label(table, shapes, **given)


def test_columns_are_read_where_they_lie():
    at = np.random.default_rng(0).normal(size=(100, 3))
    for array in (lists(at), lists(at).cast(pa.list_(pa.float64()))):
        rows, lacks = _label._vectors(array.slice(10), "translation")
        assert lacks is None and rows.shape == (90, 3)
        assert rows.ctypes.data == array.values.buffers()[1].address + 10 * 24
    ids = pa.array(np.arange(9, dtype=np.uint32))
    assert _label._shapes(ids.slice(2))[0].ctypes.data == ids.buffers()[1].address + 8


def test_arrow_is_imported_by_tables_alone():
    code = "import sys, gjk; sys.exit(any(name.split('.')[0] in ('pyarrow', 'ray', 'pandas', 'daft') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
