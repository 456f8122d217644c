"""Finished games as rows of a Parquet file."""
# pyarrow has no types; nothing of it leaves this file.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import parquet

SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("title", pa.string()),
        ("rules", pa.string()),
        ("seats", pa.int8()),
        ("players", pa.list_(pa.string())),
        ("rated", pa.bool_()),
        ("reason", pa.string()),
        ("scores", pa.list_(pa.int16())),
        ("places", pa.list_(pa.int8())),
        ("acts", pa.list_(pa.string())),
        ("started", pa.timestamp("ms", tz="UTC")),
        ("ended", pa.timestamp("ms", tz="UTC")),
    ]
)
"""The columns. After a resignation `scores` is empty, but `places` still says who won."""


class Rows:
    """A writer of a Parquet file, with `notes` in its metadata."""

    def __init__(self, path: Path, notes: Mapping[str, str]) -> None:
        self._schema = SCHEMA.with_metadata(dict(notes))
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def __enter__(self) -> "Rows":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Write some rows."""
        self._file.write_table(pa.Table.from_pylist(list(rows), schema=self._schema))
