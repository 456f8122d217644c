"""Games as tables of decisions, for learners who read files: Parquet, a row for each move.

A row holds what the mover saw (see `fields`), the number of the move and its text, and what became of the mover: its
points and its reward at the end. Written while games are played, so that memory does not grow with their number; read
back in blocks of NumPy arrays, without a network. Needs `pip install 'tessella[archive,research]'`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pyarrow as pa  # type: ignore[import-untyped]
from numpy.typing import NDArray
from pyarrow import parquet

from tessella.bots import Budget, bot
from tessella.core.game import AnyGame
from tessella.core.record import write_rules
from tessella.research import fields
from tessella.research.numbered import NumberedTable

GAMES_AT_ONCE = 64
"""So many games go to the file together."""

Row = dict[str, Any]
Arrays = Mapping[str, NDArray[Any]]


class Writer:
    """A file of games between players, written as they are played."""

    def __init__(self, path: Path, game: AnyGame, config: Any, players: Sequence[str]) -> None:  # noqa: ANN401
        self.table = NumberedTable(game, config)
        self._players = [bot(game, name) for name in players]
        about = {"rules": write_rules(game, self.table.config), "players": list(players)}
        about["observation"] = f"{game.NAME}/{self.table.sight.VERSION}"
        schema = _schema(fields.size(self.table.fields)).with_metadata({"tessella": json.dumps(about)})
        self._file = parquet.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[Row] = []
        self.rows = 0

    def play(self, number: int, seed: int, budget: Budget) -> None:
        """Play a game, and keep its decisions."""
        rng = Random(seed)  # noqa: S311
        self.table.reset(rng.getrandbits(64))
        rows: list[Row] = []
        while not self.table.over:
            rows.append(self._decide(number, len(rows), budget, rng))
        scores, gained = self.table.table.scores(), self.table.rewards()
        self._waiting += [row | {"score": scores[row["seat"]], "reward": gained[row["seat"]]} for row in rows]
        self.rows += len(rows)
        if number % GAMES_AT_ONCE == GAMES_AT_ONCE - 1:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        self._flush()
        self._file.close()

    def _decide(self, number: int, decision: int, budget: Budget, rng: Random) -> Row:
        table, seat = self.table.table, self.table.seat
        view = self.table.game.view(table.to_state(), seat)
        action = table.from_move(self._players[seat](view, budget, rng))
        seen, text = self.table.sight.observe(view), table.write_move(action)
        self.table.act(action)
        return {"game": number, "number": decision, "seat": seat, "seen": seen, "action": action, "move": text}

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_pylist(self._waiting, self._file.schema))
            self._waiting = []


def _schema(size: int) -> pa.Schema:
    return pa.schema([
        ("game", pa.int32()),
        ("number", pa.int16()),
        ("seat", pa.int8()),
        ("seen", pa.list_(pa.uint8(), size)),
        ("action", pa.uint16()),
        ("move", pa.string()),
        ("score", pa.int16()),
        ("reward", pa.float32()),
    ])  # fmt: skip


def about(path: Path) -> Mapping[str, Any]:
    """How a file was made: the rules, the players, the version of the observations."""
    told: Mapping[str, Any] = json.loads(parquet.read_schema(path).metadata[b"tessella"])
    return told


def blocks(path: Path, size: int = 4096) -> Iterator[Arrays]:
    """The decisions of a file, so many at a time: an array for each column, observations with a row for each."""
    for block in parquet.ParquetFile(path).iter_batches(size):
        arrays = {name: column.to_numpy(zero_copy_only=False) for name, column in _plain(block)}
        seen = block.column("seen")
        arrays["seen"] = numpy.asarray(seen.flatten()).reshape(len(seen), -1)
        yield arrays


def _plain(block: pa.RecordBatch) -> Iterator[tuple[str, pa.Array]]:
    return ((name, block.column(name)) for name in block.schema.names if name != "seen")
