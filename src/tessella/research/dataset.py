"""Games as tables of decisions, for learners who read files: Parquet, a row for each move.

A row holds what the mover saw (see `fields`), the number of the move and its text, and what became of the mover: its
points and its reward at the end. A judge may add what it would have played, and what reward it expects then. Written
while games are played, so that memory does not grow with their number; read back in blocks of NumPy arrays, without a
network. Needs `pip install 'tessella[archive,research]'`.
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
from tessella.coach.review import JUDGES
from tessella.core.game import AnyGame
from tessella.core.record import write_rules
from tessella.research import fields
from tessella.research.numbered import NumberedTable

GAMES_AT_ONCE = 64
"""So many games go to the file together."""

Row = dict[str, Any]
Arrays = Mapping[str, NDArray[Any]]


class Judge:
    """A computer player of this level who looks over the mover's shoulder, and how sure of winning it would be.

    What is expected is the coach's judgement of the position after the judge's move, from as many positions (or
    imagined games) as `nodes` says, on the scale of rewards. Neither knows more than the mover may know.
    """

    def __init__(self, game: AnyGame, seats: int, level: str, nodes: int) -> None:
        self.level = level
        self.nodes = nodes
        self._bot = bot(game, level)
        self._coach = JUDGES[game.NAME](seats, Budget(nodes=nodes))
        self._seats = seats

    def judge(self, state: Any, view: Any, rng: Random) -> tuple[Any, float]:  # noqa: ANN401
        """The move it would play, and the reward that it expects then."""
        move = self._bot(view, Budget(), rng)
        share = self._coach.weigh(state, move, rng).shares[move.seat]
        return move, (self._seats * share - 1) / (self._seats - 1)


class Writer:
    """A file of games between players, written as they are played."""

    def __init__(
        self,
        path: Path,
        game: AnyGame,
        config: Any,  # noqa: ANN401
        players: Sequence[str],
        judge: Judge | None = None,
    ) -> None:
        self.table = NumberedTable(game, config)
        self._players = [bot(game, name) for name in players]
        self._judge = judge
        about: dict[str, Any] = {"rules": write_rules(game, self.table.config), "players": list(players)}
        about["observation"] = f"{game.NAME}/{self.table.sight.VERSION}"
        if judge:
            about["judge"] = {"level": judge.level, "nodes": judge.nodes}
        columns = _columns(fields.size(self.table.fields)) + (JUDGED if judge else [])
        schema = pa.schema(columns).with_metadata({"tessella": json.dumps(about)})
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
        state = table.to_state()
        view = self.table.game.view(state, seat)
        action = table.from_move(self._players[seat](view, budget, rng))
        row = {"game": number, "number": decision, "seat": seat, "seen": self.table.sight.observe(view)}
        row |= {"action": action, "move": table.write_move(action)} | self._judged(state, view, f"{number} {decision}")
        self.table.act(action)
        return row

    def _judged(self, state: Any, view: Any, seed: str) -> Row:  # noqa: ANN401
        """What the judge says; its random numbers are its own, so that it changes no game."""
        if not self._judge:
            return {}
        move, value = self._judge.judge(state, view, Random(seed))  # noqa: S311
        best = self.table.table.from_move(move)
        return {"best": best, "best_move": self.table.table.write_move(best), "value": value}

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_pylist(self._waiting, self._file.schema))
            self._waiting = []


def _columns(size: int) -> list[tuple[str, pa.DataType]]:
    return [
        ("game", pa.int32()),
        ("number", pa.int16()),
        ("seat", pa.int8()),
        ("seen", pa.list_(pa.uint8(), size)),
        ("action", pa.uint16()),
        ("move", pa.string()),
        ("score", pa.int16()),
        ("reward", pa.float32()),
    ]


JUDGED = [("best", pa.uint16()), ("best_move", pa.string()), ("value", pa.float32())]
"""What a judge adds."""


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
