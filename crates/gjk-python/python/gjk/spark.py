"""Labels of data frames of Spark. Needs pyspark (`pip install gjk[spark]`). Columns, answers and errors are those of `gjk.arrow.label`."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any

from . import GjkError, Shapes


def _plain(kind: Any) -> Any:
    """A type that Spark has: lists of any length, text, numbers with a sign."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return kind.value_type
    return pa.list_(kind.value_type) if pa.types.is_fixed_size_list(kind) else kind


def label(frame: Any, shapes_json: str, *, what: str = "contact", keep_poses: bool = False) -> Any:
    """Answer the rows of a data frame of Spark, when it is collected or written.

    Spark has no lists of a fixed length, so that a list of another length is a wrong row here. Its batches have
    `spark.sql.execution.arrow.maxRecordsPerBatch` rows (10,000 if it is not set): 100,000 are better.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        With the columns of `gjk.arrow.label`, of poses as arrays of doubles.
    shapes_json : str
        The shapes, as `Shapes.to_json` writes them.
    what, keep_poses
        As in `gjk.arrow.label`.

    Returns
    -------
    pyspark.sql.DataFrame
        The columns that stay, and the answers; vectors are arrays of doubles, `verdict` is text.

    Raises
    ------
    GjkError
        For shapes or columns that are wrong; without Spark.

    Examples
    --------
    >>> import gjk.spark                                                       # doctest: +SKIP
    >>> rows = gjk.spark.label(spark.read.parquet("in/"), shapes_json)         # doctest: +SKIP
    >>> rows.write.parquet("out/")                                             # doctest: +SKIP
    """
    if not importlib.util.find_spec("pyspark"):
        raise GjkError("there is no pyspark: pip install gjk[spark]")
    types = importlib.import_module("pyspark.sql.pandas.types")
    import pyarrow as pa

    from ._label import plan

    Shapes.from_json(shapes_json)
    planned = plan(types.to_arrow_schema(frame.schema), what, keep_poses)
    plain = pa.schema([field.with_type(_plain(field.type)) for field in planned.schema])

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        from gjk.arrow import label as answered

        shapes = Shapes.from_json(shapes_json)
        for batch in batches:
            found = answered(pa.Table.from_batches([batch]), shapes, what=what, errors="column", threads=1, keep_poses=keep_poses)
            yield from found.cast(plain).to_batches()

    return frame.mapInArrow(answer, types.from_arrow_schema(plain))
