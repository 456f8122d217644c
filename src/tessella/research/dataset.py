"""Data sets of decisions as Parquet files, one row per move.

A row holds the mover's observation (see `fields`; for a game without an encoding, its view as JSON), its legal
actions, the action and its notation, the bot that chose it, the mover's score and reward at the end, and the split of
the game. An annotator may add the move it would have played, and the reward it expects. Files are written while games
are played, so that memory use is bounded, and read back in blocks of NumPy arrays. Needs
`pip install 'tessella[archive,research]'`.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pyarrow as pa  # type: ignore[import-untyped]
from msgspec import Struct
from numpy.typing import NDArray
from pyarrow import parquet

from tessella import __version__
from tessella.bots import Budget, bot
from tessella.coach.review import analyser_for
from tessella.core.game import AnyGame, Seat
from tessella.core.record import read_rules
from tessella.games import GAMES
from tessella.research import fields
from tessella.research.encodings import ENCODINGS, Table
from tessella.research.indexed import IndexedTable
from tessella.research.readable import ReadableTable

GAMES_PER_WRITE = 64
"""How many games are written to the file together."""

GAMES_PER_SEED = 1_000_003
"""Two seeds share no game, up to this many games each."""

HELD_OUT = {0: "validation", 1: "test"}
"""The splits of one game in twenty each; all others are for training."""

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
        self._analyser = analyser_for(game, seats, Budget(nodes=nodes))
        self._seats = seats

    def annotate(self, state: Any, view: Any, rng: Random) -> tuple[Any, float]:  # noqa: ANN401
        """Return the move it would play, and the reward it then expects."""
        move = self._bot(view, Budget(), rng)
        probability = self._analyser.evaluate(state, move, rng).probabilities[move.seat]
        return move, (self._seats * probability - 1) / (self._seats - 1)


class Plan(Struct, frozen=True):
    """What a data set is made of: the rules as records write them, and who plays.

    Each seat has a bot, or several with commas between them (`1,2,4`), of which every game draws one. A plan can be
    sent to other processes; the same one gives the same games everywhere.
    """

    rules: str
    players: tuple[str, ...]
    seed: int = 1
    budget: Budget = Budget()
    judge: str = ""
    """The level of the annotator; empty for none."""
    judge_nodes: int = 500

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return GAMES[self.rules.partition("/")[0]]

    @property
    def config(self) -> Any:  # noqa: ANN401
        """The variant and the number of seats."""
        return read_rules(self.game, self.rules)


def play(plan: Plan, number: int) -> list[Row]:
    """Play a game of a plan and return its decisions, one row each."""
    return _player_of(plan).play(number)


@cache
def _player_of(plan: Plan) -> "_GamePlayer":
    """Return what plays the games of a plan in this process."""
    return _GamePlayer(plan)


class _GamePlayer:
    """Plays the games of a plan; every game has random numbers of its own, so their order does not matter."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.table = _table_of(plan)
        self._players = [{name: bot(plan.game, name) for name in names.split(",")} for names in plan.players]
        self._annotator = Annotator(plan.game, plan.config.seats, plan.judge, plan.judge_nodes) if plan.judge else None

    def play(self, number: int) -> list[Row]:
        """Play a game and return its decisions."""
        rng = Random(self.plan.seed * GAMES_PER_SEED + number)  # noqa: S311
        self.table.reset(rng.getrandbits(64))
        seated = [_draw(players, rng) for players in self._players]
        rows: list[Row] = []
        while not self.table.over:
            rows.append(self._decide(number, len(rows), seated, rng))
        scores, gained, split = self._numbers.scores(), self.table.rewards(), split_of(self.plan.seed, number)
        return [row | {"split": split, "score": scores[row["seat"]], "reward": gained[row["seat"]]} for row in rows]

    @property
    def _numbers(self) -> Table | ReadableTable:
        """The table that turns moves into numbers."""
        return self.table.table if isinstance(self.table, IndexedTable) else self.table

    def _decide(self, number: int, decision: int, seated: Sequence[str], rng: Random) -> Row:
        numbers, seat = self._numbers, self.table.seat
        state = numbers.state if isinstance(numbers, ReadableTable) else numbers.to_state()
        view, player = self.table.game.view(state, seat), seated[seat]
        action = numbers.from_move(self._players[seat][player](view, self.plan.budget, rng))
        row: Row = {"game": number, "number": decision, "seat": seat, "player": player}
        row |= numbers.observe() if isinstance(numbers, ReadableTable) else self._observe(seat)
        row |= {"action": action, "move": numbers.write_move(action)}
        row |= self._annotations(state, view, f"{number} {decision}")
        self.table.act(action)
        return row

    def _annotations(self, state: Any, view: Any, seed: str) -> Row:  # noqa: ANN401
        """Return the annotator's columns; its random numbers are its own, so that it changes no game."""
        if not self._annotator:
            return {}
        move, value = self._annotator.annotate(state, view, Random(seed))  # noqa: S311
        best = self._numbers.from_move(move)
        return {"best": best, "best_move": self._numbers.write_move(best), "value": value}

    def _observe(self, seat: Seat) -> Row:
        assert isinstance(self.table, IndexedTable)
        return {"seen": self.table.observe(seat), "legal": self.table.mask(seat).nonzero()[0]}


def _table_of(plan: Plan) -> IndexedTable | ReadableTable:
    """Return a table for the games of a plan: a compiled one, or a readable one of a game without an encoding."""
    kind = IndexedTable if plan.game.NAME in ENCODINGS else ReadableTable
    return kind(plan.game, plan.config)


class Writer:
    """Writes the decisions of games to a file, in the order of their numbers.

    The same plan, games and versions give the same file, byte by byte, wherever the games were played.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        table = _table_of(plan)
        self._about: dict[str, Any] = {
            "rules": plan.rules,
            "players": list(plan.players),
            "seed": plan.seed,
            "tessella": __version__,
            "license": "CC0-1.0",
        }
        if isinstance(table, IndexedTable):
            self._about["observation"] = f"{table.game.NAME}/{table.encoding.VERSION}"
            self._about["actions"] = table.table.width
        if plan.judge:
            self._about["judge"] = {"level": plan.judge, "nodes": plan.judge_nodes}
        columns = _columns(_seen_columns(table)) + (ANNOTATIONS if plan.judge else [])
        self._file = parquet.ParquetWriter(path, pa.schema(columns), compression="zstd")
        self._waiting: list[Row] = []
        self._games: Counter[str] = Counter()
        self.rows = 0

    def add(self, rows: Sequence[Row]) -> None:
        """Add the decisions of the next game; several games are written together."""
        self._waiting += rows
        self._games[rows[0]["split"]] += 1
        self.rows += len(rows)
        if rows[0]["game"] % GAMES_PER_WRITE == GAMES_PER_WRITE - 1:
            self._flush()

    def close(self) -> None:
        """Write the remaining games, and how the file was made, and close it."""
        self._flush()
        counts = {"games": self._games.total(), "decisions": self.rows, "splits": dict(sorted(self._games.items()))}
        self._file.add_key_value_metadata({"tessella": json.dumps(self._about | counts)})
        self._file.close()

    def _flush(self) -> None:
        if self._waiting:
            self._file.write_table(pa.Table.from_pylist(self._waiting, self._file.schema))
            self._waiting = []


def _draw(players: Mapping[str, object], rng: Random) -> str:
    """Return one of the bots of a seat; a single one takes no random number."""
    names = [*players]
    return names[0] if len(names) == 1 else rng.choice(names)


def split_of(seed: int, game: int) -> str:
    """Return the split of a game: of twenty, about eighteen are for training, one for validation, one for the test.

    >>> [split_of(1, game) for game in range(5)]
    ['train', 'train', 'train', 'train', 'train']
    """
    return HELD_OUT.get(sha256(f"{seed} {game}".encode()).digest()[0] % 20, "train")


def _seen_columns(table: IndexedTable | ReadableTable) -> list[tuple[str, pa.DataType]]:
    if isinstance(table, ReadableTable):
        return [("view", pa.string()), ("moves", pa.list_(pa.string()))]
    return [("seen", pa.list_(pa.uint8(), fields.size(table.fields))), ("legal", pa.list_(pa.uint16()))]


def _columns(seen: list[tuple[str, pa.DataType]]) -> list[tuple[str, pa.DataType]]:
    return [
        ("game", pa.int32()),
        ("number", pa.int16()),
        ("seat", pa.int8()),
        ("player", pa.dictionary(pa.int8(), pa.string())),
        ("split", pa.dictionary(pa.int8(), pa.string())),
        *seen,
        ("action", pa.uint16()),
        ("move", pa.string()),
        ("score", pa.int16()),
        ("reward", pa.float32()),
    ]


ANNOTATIONS = [("best", pa.uint16()), ("best_move", pa.string()), ("value", pa.float32())]
"""The columns that an annotator adds."""


def about(path: Path) -> Mapping[str, Any]:
    """Return how a file was made: rules, players, seed and versions; and how many games it has, by split."""
    found: Mapping[str, Any] = json.loads(parquet.read_metadata(path).metadata[b"tessella"])
    return found


def blocks(path: Path, size: int = 4096) -> Iterator[Arrays]:
    """Yield the decisions of a file, `size` at a time: one array per column.

    `seen` (the observations) and `mask` (the legal actions) have one row per decision.
    """
    width = about(path).get("actions")
    for block in parquet.ParquetFile(path).iter_batches(size):
        arrays = {name: column.to_numpy(zero_copy_only=False) for name, column in _plain(block)}
        if "seen" in block.schema.names:
            seen = block.column("seen")
            arrays["seen"] = numpy.asarray(seen.flatten()).reshape(len(seen), -1)
        if width:  # files that were written before masks, or of a game without an encoding, have none
            arrays["mask"] = _masks(block.column("legal"), width)
        yield arrays


def _masks(legal: pa.ListArray, width: int) -> NDArray[numpy.uint8]:
    """Return action masks, a row per decision, from lists of legal actions."""
    masks = numpy.zeros((len(legal), width), numpy.uint8)
    rows = numpy.repeat(numpy.arange(len(legal)), numpy.asarray(legal.value_lengths()))
    masks[rows, numpy.asarray(legal.flatten())] = 1
    return masks


def _plain(block: pa.RecordBatch) -> Iterator[tuple[str, pa.Array]]:
    return ((name, block.column(name)) for name in block.schema.names if name not in {"seen", "legal"})
