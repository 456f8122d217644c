"""Data sets of decisions as Parquet files, one row per move.

A row holds the mover's observation (see `fields`), the action and its notation, and the mover's score and reward at
the end. An annotator may add the move it would have played, and the reward it expects. Files are written while games
are played, so that memory use is bounded, and read back in blocks of NumPy arrays. Needs
`pip install 'tessella[archive,research]'`.
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
from tessella.coach.review import ANALYSERS
from tessella.core.game import AnyGame
from tessella.core.record import write_rules
from tessella.research import fields
from tessella.research.indexed import IndexedTable

GAMES_PER_WRITE = 64
"""How many games are written to the file together."""

Row = dict[str, Any]
Arrays = Mapping[str, NDArray[Any]]


class Annotator:
    """A bot that annotates every decision with the move it would have played and the reward it expects.

    The expected reward is the coach's evaluation after the annotator's move, from `nodes` positions (or imagined
    games). Neither uses more than the mover may know.
    """

    def __init__(self, game: AnyGame, seats: int, level: str, nodes: int) -> None:
        self.level = level
        self.nodes = nodes
        self._bot = bot(game, level)
        self._analyser = ANALYSERS[game.NAME](seats, Budget(nodes=nodes))
        self._seats = seats

    def annotate(self, state: Any, view: Any, rng: Random) -> tuple[Any, float]:  # noqa: ANN401
        """Return the move it would play, and the reward it then expects."""
        move = self._bot(view, Budget(), rng)
        probability = self._analyser.evaluate(state, move, rng).probabilities[move.seat]
        return move, (self._seats * probability - 1) / (self._seats - 1)


class Writer:
    """Plays games between bots and writes their decisions to a file."""

    def __init__(
        self,
        path: Path,
        game: AnyGame,
        config: Any,  # noqa: ANN401
        players: Sequence[str],
        annotator: Annotator | None = None,
    ) -> None:
        self.table = IndexedTable(game, config)
        self._players = [bot(game, name) for name in players]
        self._annotator = annotator
        about: dict[str, Any] = {"rules": write_rules(game, self.table.config), "players": list(players)}
        about["observation"] = f"{game.NAME}/{self.table.encoding.VERSION}"
        if annotator:
            about["judge"] = {"level": annotator.level, "nodes": annotator.nodes}
        columns = _columns(fields.size(self.table.fields)) + (ANNOTATIONS if annotator else [])
        schema = pa.schema(columns).with_metadata({"tessella": json.dumps(about)})
        self._file = parquet.ParquetWriter(path, schema, compression="zstd")
        self._waiting: list[Row] = []
        self.rows = 0

    def play(self, number: int, seed: int, budget: Budget) -> None:
        """Play a game and keep its decisions for the file."""
        rng = Random(seed)  # noqa: S311
        self.table.reset(rng.getrandbits(64))
        rows: list[Row] = []
        while not self.table.over:
            rows.append(self._decide(number, len(rows), budget, rng))
        scores, gained = self.table.table.scores(), self.table.rewards()
        self._waiting += [row | {"score": scores[row["seat"]], "reward": gained[row["seat"]]} for row in rows]
        self.rows += len(rows)
        if number % GAMES_PER_WRITE == GAMES_PER_WRITE - 1:
            self._flush()

    def close(self) -> None:
        """Write the remaining games and close the file."""
        self._flush()
        self._file.close()

    def _decide(self, number: int, decision: int, budget: Budget, rng: Random) -> Row:
        table, seat = self.table.table, self.table.seat
        state = table.to_state()
        view = self.table.game.view(state, seat)
        action = table.from_move(self._players[seat](view, budget, rng))
        row = {"game": number, "number": decision, "seat": seat, "seen": self.table.encoding.observe(view)}
        row |= {"action": action, "move": table.write_move(action)}
        row |= self._annotations(state, view, f"{number} {decision}")
        self.table.act(action)
        return row

    def _annotations(self, state: Any, view: Any, seed: str) -> Row:  # noqa: ANN401
        """Return the annotator's columns; its random numbers are its own, so that it changes no game."""
        if not self._annotator:
            return {}
        move, value = self._annotator.annotate(state, view, Random(seed))  # noqa: S311
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


ANNOTATIONS = [("best", pa.uint16()), ("best_move", pa.string()), ("value", pa.float32())]
"""The columns that an annotator adds."""


def about(path: Path) -> Mapping[str, Any]:
    """Return how a file was made: the rules, the players, the version of the observations."""
    found: Mapping[str, Any] = json.loads(parquet.read_schema(path).metadata[b"tessella"])
    return found


def blocks(path: Path, size: int = 4096) -> Iterator[Arrays]:
    """Yield the decisions of a file, `size` at a time: one array per column; observations have one row per decision."""
    for block in parquet.ParquetFile(path).iter_batches(size):
        arrays = {name: column.to_numpy(zero_copy_only=False) for name, column in _plain(block)}
        seen = block.column("seen")
        arrays["seen"] = numpy.asarray(seen.flatten()).reshape(len(seen), -1)
        yield arrays


def _plain(block: pa.RecordBatch) -> Iterator[tuple[str, pa.Array]]:
    return ((name, block.column(name)) for name in block.schema.names if name != "seen")
