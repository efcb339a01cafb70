"""Tables of Arrow, and files of Parquet. Needs pyarrow (`pip install gjk[arrow]`).

`label` answers the rows of a table, `label_parquet` those of files; `python -m gjk.label` is the latter as a command. The page `docs/tables.md` of the
project tells about columns and errors.
"""

from ._label import label, label_schema
from ._parquet import Summary, label_parquet

__all__ = ["Summary", "label", "label_parquet", "label_schema"]
