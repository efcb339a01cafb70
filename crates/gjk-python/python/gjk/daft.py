"""Labels of data frames of Daft. Needs Daft (`pip install gjk[daft]`). Columns, answers and errors are those of `gjk.arrow.label`."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from . import GjkError, Shapes


def label(frame: Any, shapes_json: str, *, what: str = "contact", keep_poses: bool = False, batch_size: int = 131_072) -> Any:
    """Answer the rows of a data frame of Daft, when it is collected or written.

    Rows keep their order. A wrong row has a text in the column `error`.

    Parameters
    ----------
    frame : daft.DataFrame
        With the columns of `gjk.arrow.label`.
    shapes_json : str
        The shapes, as `Shapes.to_json` writes them.
    what, keep_poses
        As in `gjk.arrow.label`.
    batch_size : int
        Most rows of a call.

    Returns
    -------
    daft.DataFrame
        The columns that stay, and the answers. `verdict` is a column of text here.

    Raises
    ------
    GjkError
        For shapes or columns that are wrong; without Daft.

    Examples
    --------
    >>> import gjk.daft, daft                                            # doctest: +SKIP
    >>> rows = gjk.daft.label(daft.read_parquet("in/"), shapes_json)     # doctest: +SKIP
    >>> rows.write_parquet("out/")                                       # doctest: +SKIP
    """
    if not importlib.util.find_spec("daft"):
        raise GjkError("there is no daft: pip install gjk[daft]")
    daft = importlib.import_module("daft")
    import pyarrow as pa

    from ._label import label as answer
    from ._label import plan

    schema = frame.schema().to_pyarrow_schema()
    planned = plan(schema, what, keep_poses)
    shapes = Shapes.from_json(shapes_json)
    read = [name for side in planned.sides for name in (side.shape, *side.fields.values())]
    answers = [field for field in planned.schema if field.name not in planned.kept]
    plain = [field.with_type(pa.string()) if field.name == "verdict" else field for field in answers]
    struct = daft.DataType.from_arrow_type(pa.struct(plain))

    def rows(*columns: Any) -> Any:
        given = pa.table({name: column.to_arrow() for name, column in zip(read, columns)})
        found = answer(given, shapes, what=what, errors="column", threads=1).select([field.name for field in answers])
        whole = found.cast(pa.schema(plain)).combine_chunks()
        arrays = [column.combine_chunks() for column in whole.columns]
        return daft.Series.from_arrow(pa.StructArray.from_arrays(arrays, fields=plain))

    called = daft.func.batch(return_dtype=struct, batch_size=batch_size)(rows)
    told = frame.with_column("__gjk__", called(*(daft.col(name) for name in read)))
    return told.select(*(daft.col(name) for name in planned.kept), *(daft.col("__gjk__").get(field.name).alias(field.name) for field in answers))
