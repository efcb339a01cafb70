"""Tables of Arrow: columns in, answers out. The names that callers use are those of `gjk.arrow`.

Where it sits: above `gjk._ask`'s compiled half, which takes columns as they lie in memory; below the files, Ray, Daft and Spark, which all call
`label`. Idea: a table is checked once, by its schema; then each chunk is answered where it lies, and what a row lacks goes along as a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from . import GjkError, RowError, Shapes
from ._gjk import Poses, answer_rows
from ._rows import COLUMNS, check_errors, count_of_threads, ids

#: What `gjk._gjk.answer_rows` reads in the column of what rows lack: the field, and 8 more where it has another length.
LACKS = {"shape": 1, "translation": 2, "quat_xyzw": 3, "quat_wxyz": 3, "matrix": 4}
OTHER_LENGTH = 8

#: How many numbers a column may have a row.
WIDTHS = {"translation": (3,), "quat_xyzw": (4,), "quat_wxyz": (4,), "matrix": (12, 16)}

#: Columns that somebody meant as a pose, and what they are called here.
ALMOST = {
    "quat": "quat_xyzw or quat_wxyz",
    "quaternion": "quat_xyzw or quat_wxyz",
    "rotation": "quat_xyzw, quat_wxyz or matrix",
    "position": "translation",
    "pose": "translation with quat_xyzw, or matrix",
    "transform": "matrix",
}

#: Chunks of fewer rows are put together first: a call costs some microseconds.
SHORT_CHUNK = 4096

QUERIES = ("contact", "distance", "classify")
VERDICTS = ("separated", "touching", "overlapping", "undecided")


@dataclass(frozen=True)
class Side:
    """One body's columns, by name: the shape's, and those of its pose by what they are."""

    shape: str
    fields: dict[str, str]


@dataclass(frozen=True)
class Plan:
    """What is read from a table, what stays of it, and what comes out."""

    what: str
    sides: tuple[Side, Side]
    kept: tuple[str, ...]
    schema: pa.Schema


def _storage(kind: pa.DataType) -> pa.DataType:
    return kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind


def _check_lists(name: str, field: str, kind: pa.DataType) -> None:
    widths = WIDTHS[field]
    told = " or ".join(f"fixed_size_list<double>[{width}]" for width in widths)
    stored = _storage(kind)
    fixed = pa.types.is_fixed_size_list(stored)
    if fixed or pa.types.is_list(stored) or pa.types.is_large_list(stored):
        of = stored.value_type
        numbers = pa.types.is_floating(of) or pa.types.is_integer(of)
        if numbers and (not fixed or stored.list_size in widths):
            return
    raise GjkError(f"column {name} has type {kind}: expected {told}")


def _side(schema: pa.Schema, body: str) -> Side:
    """The columns of a body, checked."""
    names = set(schema.names)
    for almost, right in ALMOST.items():
        if f"{almost}_{body}" in names:
            raise GjkError(f"column {almost}_{body} is no part of a pose here: name it {right}, with _{body} at the end, or drop it")
    shape = f"shape_{body}"
    if shape not in names:
        told = ", ".join(schema.names) or "none"
        raise GjkError(f"there is no column {shape}: expected one of whole numbers, such as uint32; the columns are {told}")
    kind = schema.field(shape).type
    if not pa.types.is_integer(kind):
        raise GjkError(f"column {shape} has type {kind}: expected whole numbers, such as uint32")
    fields = {field: f"{field}_{body}" for field in WIDTHS if f"{field}_{body}" in names}
    for field, name in fields.items():
        _check_lists(name, field, schema.field(name).type)
    if "quat_xyzw" in fields and "quat_wxyz" in fields:
        raise GjkError(f"columns quat_xyzw_{body} and quat_wxyz_{body} are both there: one rotation has one order")
    if "matrix" in fields and len(fields) > 1:
        raise GjkError(f"column matrix_{body} has a translation and a rotation of its own: drop the other columns of that pose")
    return Side(shape, fields)


def _answer_fields(what: str) -> list[pa.Field]:
    numbers = [] if what == "classify" else ["lower", "upper"]
    vectors = [] if what == "classify" else ["normal", "point_a", "point_b"]
    return [
        pa.field("verdict", pa.dictionary(pa.int8(), pa.string())),
        *(pa.field(name, pa.float64()) for name in numbers),
        *(pa.field(name, pa.list_(pa.float64(), 3)) for name in vectors),
        pa.field("error", pa.string()),
    ]


def plan(schema: pa.Schema, what: str = "contact", keep_poses: bool = False) -> Plan:
    """Check a schema, and say what is read and what comes out; a wrong one is a `GjkError` that names the column."""
    if what not in QUERIES:
        raise GjkError(f"what is {what!r}: it must be one of {', '.join(QUERIES)}")
    twice = {name for name in schema.names if schema.names.count(name) > 1}
    if twice:
        raise GjkError(f"column {sorted(twice)[0]} is there more than once: names must be different")
    sides = (_side(schema, "a"), _side(schema, "b"))
    poses = {name for side in sides for name in side.fields.values()}
    kept = tuple(name for name in schema.names if keep_poses or name not in poses)
    answers = _answer_fields(what)
    for field in answers:
        if field.name in kept:
            raise GjkError(f"column {field.name} is there already: rename it or drop it, an answer has that name")
    # What pandas wrote about its columns is not so any more.
    about = {key: value for key, value in (schema.metadata or {}).items() if key != b"pandas"}
    out = pa.schema([*(schema.field(name) for name in kept), *answers], metadata=about or None)
    return Plan(what, sides, kept, out)


def _nulls(array: pa.Array) -> np.ndarray | None:
    return array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None


def _shapes(array: pa.Array) -> tuple[np.ndarray, np.ndarray | None]:
    """The numbers of shapes, and what is lacking."""
    nulls = _nulls(array)
    if nulls is None:
        return ids("shape", array.to_numpy(zero_copy_only=True)), None
    whole = array.fill_null(0).to_numpy(zero_copy_only=False)
    return ids("shape", whole), nulls * np.uint8(LACKS["shape"])


def _doubles(values: pa.Array) -> tuple[np.ndarray, np.ndarray | None]:
    """Numbers where they lie if they are doubles, and which are null."""
    nulls = _nulls(values)
    if nulls is not None:
        values = values.fill_null(0)
    if values.type != pa.float64():
        values = values.cast(pa.float64(), safe=False)
    return values.to_numpy(zero_copy_only=True), nulls


def _vectors(array: pa.Array, field: str) -> tuple[np.ndarray, np.ndarray | None]:
    """The rows of a column of lists, and what is lacking."""
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if not pa.types.is_fixed_size_list(array.type):
        return _uneven(array, field)
    width, count = array.type.list_size, len(array)
    numbers, inside = _doubles(array.values.slice(array.offset * width, count * width))
    lacks = _nulls(array)
    if inside is not None:
        holes: np.ndarray = np.logical_or.reduce(inside.reshape(count, width), axis=1)
        lacks = holes if lacks is None else lacks | holes
    return numbers.reshape(count, width), None if lacks is None else lacks * np.uint8(LACKS[field])


def _uneven(array: pa.Array, field: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Of lists that each have a length of their own."""
    width, count = WIDTHS[field][-1], len(array)
    offsets = array.offsets.to_numpy(zero_copy_only=True)
    lengths, nulls = np.diff(offsets), _nulls(array)
    numbers, inside = _doubles(array.values)
    if nulls is None and inside is None and np.all(lengths == width):
        return numbers[offsets[0] : offsets[-1]].reshape(count, width), None
    code = LACKS[field]
    lacks = np.where(np.isin(lengths, WIDTHS[field]), 0, code + OTHER_LENGTH).astype(np.uint8)
    if nulls is not None:
        lacks[nulls] = code
    rows = np.zeros((count, width))
    if field == "matrix":
        rows[:, 15] = 1.0
    for length in WIDTHS[field]:
        these = np.flatnonzero((lacks == 0) & (lengths == length))
        at = offsets[these][:, None] + np.arange(length)
        rows[these, :length] = numbers[at]
        if inside is not None:
            lacks[these[inside[at].any(axis=1)]] = code
    return rows, lacks


def _body(batch: pa.RecordBatch, side: Side) -> tuple[np.ndarray, Poses | None, np.ndarray | None]:
    """A body's columns: shapes, poses, and what rows lack."""
    ids, lacking = _shapes(batch.column(side.shape))
    read: dict[str, np.ndarray] = {}
    for field, name in side.fields.items():
        read[field], lacks = _vectors(batch.column(name), field)
        if lacks is not None:
            lacking = lacks if lacking is None else np.where(lacking == 0, lacks, lacking)
    if "matrix" in read:
        numbers = read["matrix"]
        read["matrix"] = numbers.reshape(-1, numbers.shape[1] // 4, 4)
    return ids, Poses(**read) if read else None, lacking


def answer(batch: pa.RecordBatch, planned: Plan, shapes: Shapes, threads: int) -> tuple[pa.RecordBatch, list[tuple[int, str]]]:
    """The labelled rows of one chunk, and those that are wrong."""
    count = batch.num_rows
    (a, pose_a, lacking_a), (b, pose_b, lacking_b) = (_body(batch, side) for side in planned.sides)
    found = answer_rows(planned.what, shapes, a, b, pose_a, pose_b, "column", threads or None, None, (lacking_a, lacking_b))
    columns, wrong = {name: getattr(found, name) for name, *_ in COLUMNS}, sorted(found.errors.items())
    mask = None
    error: pa.Array = pa.nulls(count, pa.string())
    if wrong:
        texts = pa.array([text for _, text in wrong], pa.string())
        which = np.full(count, -1)
        which[[row for row, _ in wrong]] = np.arange(len(wrong))
        mask = which >= 0
        error = texts.take(pa.array(which, mask=~mask))
    codes = pa.array(columns["verdict"].view(np.int8), mask=mask)
    made = {"verdict": pa.DictionaryArray.from_arrays(codes, pa.array(VERDICTS)), "error": error}
    for name in ("lower", "upper"):
        if (numbers := columns[name]) is not None:
            made[name] = pa.array(numbers, mask=mask)
    for name in ("normal", "point_a", "point_b"):
        if (numbers := columns[name]) is not None:
            # Three nulls, and no list that is null: pyarrow before 26 cannot read that back from Parquet.
            nulls = None if mask is None else np.repeat(mask, 3)
            made[name] = pa.FixedSizeListArray.from_arrays(pa.array(numbers.reshape(-1), mask=nulls), 3)
    arrays = [made[field.name] if field.name in made else batch.column(field.name) for field in planned.schema]
    return pa.RecordBatch.from_arrays(arrays, schema=planned.schema), wrong


def row_error(row: int, text: str, where: str = "") -> RowError:
    """The error of a row, as the queries over arrays raise it. The text begins with `body a` or `body b`."""
    return RowError(f"{where}row {row}, {text}", row, text[5])


def _table(given: Any) -> pa.Table:
    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pa.RecordBatch):
        return pa.Table.from_batches([given])
    if hasattr(given, "__arrow_c_stream__") or hasattr(given, "__arrow_c_array__"):
        return pa.table(given)
    raise GjkError(f"a {type(given).__name__} is no table: expected one of Arrow, or one that has __arrow_c_stream__ (polars, pandas, duckdb)")


def label(
    table: Any,
    shapes: Shapes,
    *,
    what: str = "contact",
    errors: str = "column",
    threads: int | None = None,
    keep_poses: bool = False,
) -> Any:
    """Answer every row of a table.

    Parameters
    ----------
    table : pyarrow.Table, pyarrow.RecordBatch, or an object with `__arrow_c_stream__`
        With columns `shape_a` and `shape_b` (whole numbers), and of each body's pose those that are not the identity: `translation_a`
        (`fixed_size_list<double>[3]`), and `quat_xyzw_a` or `quat_wxyz_a` (`fixed_size_list<double>[4]`), or `matrix_a` alone
        (`fixed_size_list<double>[12]` or `[16]`, by rows); likewise with `_b`.
    shapes : Shapes
        What the numbers name.
    what : {"contact", "distance", "classify"}
        The signed distance, the distance, or the verdict alone.
    errors : {"column", "raise"}
        What a wrong row does: it has a text in the column `error` and nulls in the others (three in each vector), or `RowError` is raised for the first one.
    threads : int, optional
        1 stays on the caller's thread. All processors if left out.
    keep_poses : bool
        Whether the columns of poses stay. All others always do.

    Returns
    -------
    pyarrow.Table or pyarrow.RecordBatch
        A batch for a batch, else a table: the columns that stay, then `verdict` (a dictionary of names), `lower`, `upper`, `normal`, `point_a`,
        `point_b` (not for `"classify"`) and `error` (null where the row is right).

    Raises
    ------
    GjkError
        For a column that is not there or has a wrong type: it says which, what it has and what is expected.
    RowError
        With `errors="raise"`, for the first row that is wrong: `args` are the text, the row and the body.

    Examples
    --------
    >>> import gjk, gjk.arrow, pyarrow as pa
    >>> shapes = gjk.Shapes()
    >>> ball = shapes.sphere(1.0)
    >>> at = pa.array([[1.5, 0, 0], [3, 0, 0], None], pa.list_(pa.float64(), 3))
    >>> rows = pa.table({"id": [7, 8, 9], "shape_a": [0, 0, 0], "shape_b": [0, 0, 0], "translation_b": at})
    >>> found = gjk.arrow.label(rows, shapes)
    >>> found["verdict"].to_pylist()
    ['overlapping', 'separated', None]
    >>> found["error"].to_pylist()
    [None, None, 'body b: translation is null, or has a null in it']
    >>> found.column_names
    ['id', 'shape_a', 'shape_b', 'verdict', 'lower', 'upper', 'normal', 'point_a', 'point_b', 'error']
    """
    check_errors(errors)
    on = count_of_threads(threads)
    whole = _table(table)
    planned = plan(whole.schema, what, keep_poses)
    batches = whole.to_batches()
    if len(batches) > 1 and whole.num_rows < SHORT_CHUNK * len(batches):
        batches = whole.combine_chunks().to_batches()
    done, first = [], 0
    for batch in batches:
        labelled, wrong = answer(batch, planned, shapes, on)
        if wrong and errors == "raise":
            raise row_error(first + wrong[0][0], wrong[0][1])
        done.append(labelled)
        first += batch.num_rows
    if isinstance(table, pa.RecordBatch):
        return done[0] if done else answer(table, planned, shapes, 1)[0]
    return pa.Table.from_batches(done, schema=planned.schema)


def label_schema(schema: pa.Schema, *, what: str = "contact", keep_poses: bool = False) -> pa.Schema:
    """Say which columns `label` gives for a table of this schema; one that it cannot read is a `GjkError`.

    Examples
    --------
    >>> import gjk.arrow, pyarrow as pa
    >>> given = pa.schema({"shape_a": pa.uint32(), "shape_b": pa.uint32()})
    >>> gjk.arrow.label_schema(given, what="classify").names
    ['shape_a', 'shape_b', 'verdict', 'error']
    """
    return plan(schema, what, keep_poses).schema
