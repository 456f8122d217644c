"""An event as it is stored: its terms, its entrants, its rounds with the outcomes of their games."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, select

from tessella.events import Entrant, Outcome, Plan, Round, RoundPlayed
from tessella.server.store import Row, Store
from tessella.server.store.schema import event_entrants, event_tables, events, people, results
from tessella.table.log import Days, Live

State: TypeAlias = Literal["open", "running", "over", "cancelled"]

MOST_IN_A_QUERY = 500


class Event(Struct, frozen=True):
    """An event as it is stored; for `due` see the schema."""

    id: str
    name: str
    creator: str
    title: str
    rules: str
    pace: str
    format: Literal["round-robin", "swiss", "knockout"]
    duplicate: bool
    fill: Literal["bot", "bye"]
    seats: int
    rounds: int
    most: int
    members: bool
    made: float
    starts: float
    state: State
    round: int
    seed: str
    ended: float | None = None
    club: str = ""

    @property
    def plan(self) -> Plan:
        """How the event is played."""
        return Plan(self.format, self.seats, self.rounds, self.fill, self.duplicate)

    @property
    def clocks(self) -> Live | Days:
        """The pace of its games."""
        return msgspec.json.decode(self.pace, type=Live | Days)

    @property
    def latest_entry(self) -> int:
        """The last round before which players may still enter."""
        is_open = self.format == "swiss" or (self.format == "round-robin" and self.seats > 2)
        return (self.rounds + 1) // 2 if is_open else 1


class EventTable(Struct, frozen=True):
    """A table of a round, or a bye, which has no game."""

    round: int
    number: int
    game: str
    players: tuple[str, ...]
    settled: bool
    void: bool


class Whole(Struct, frozen=True):
    """Everything about an event."""

    event: Event
    entrants: tuple[Entrant, ...]
    tables: tuple[EventTable, ...]
    outcomes: Mapping[str, Outcome]
    """By game; a game that is not there is not over."""

    def tables_of(self, number: int) -> list[EventTable]:
        """Return the tables of a round, without byes."""
        return [table for table in self.tables if table.round == number and table.game]

    def rounds(self) -> list[RoundPlayed]:
        """Return all rounds so far."""
        return [self._round(number) for number in range(1, self.event.round + 1)]

    def _round(self, number: int) -> RoundPlayed:
        tables = self.tables_of(number)
        byes = [table.players[0] for table in self.tables if table.round == number and not table.game]
        outcomes = tuple(self.outcomes.get(table.game) for table in tables)
        return RoundPlayed(Round(tuple(table.players for table in tables), tuple(byes)), outcomes)


async def find(store: Store, event_id: str) -> Event | None:
    """Return an event, or None."""
    found = await list_events(store, events.c.id == event_id, 1)
    return found[0] if found else None


async def list_events(
    store: Store, condition: ColumnElement[bool], most: int, *order: ColumnElement[float]
) -> list[Event]:
    """Return the events for which a condition holds."""
    columns = [events.c[name] for name in Event.__struct_fields__]
    rows = await store.run(select(*columns).where(condition).order_by(*order).limit(most))
    return [msgspec.convert(row, Event, strict=False) for row in rows]


async def read_whole(store: Store, event: Event) -> Whole:
    """Return an event with its rounds."""
    there = select(event_entrants).where(event_entrants.c.event == event.id)
    rows = sorted(await store.run(there), key=lambda row: (row["joined"], row["person"]))
    entrants = tuple(Entrant(row["person"], row["first"], row["last"]) for row in rows)
    played = select(event_tables).where(event_tables.c.event == event.id, event_tables.c.round <= event.round)
    found = await store.run(played.order_by(event_tables.c.round, event_tables.c.number))
    tables = tuple(map(_table, found))
    outcomes = await read_outcomes(store, [table.game for table in tables if table.game and not table.void])
    voided = {table.game: Outcome() for table in tables if table.void}
    return Whole(event, entrants, tables, {**outcomes, **voided})


def _table(row: Row) -> EventTable:
    players = msgspec.json.decode(row["players"], type=tuple[str, ...])
    return EventTable(row["round"], row["number"], row["game"], players, bool(row["settled"]), bool(row["void"]))


async def read_outcomes(store: Store, games: Sequence[str]) -> dict[str, Outcome]:
    """Return the outcomes of those games that are over; each seat of a game has one result."""
    by_game: dict[str, dict[int, Row]] = defaultdict(dict)
    columns = (results.c.game, results.c.seat, results.c.place, results.c.score)
    for start in range(0, len(games), MOST_IN_A_QUERY):
        some = results.c.game.in_(games[start : start + MOST_IN_A_QUERY])
        for row in await store.run(select(*columns).where(some)):
            by_game[row["game"]][row["seat"]] = row
    return {game: _outcome([rows[seat] for seat in sorted(rows)]) for game, rows in by_game.items()}


def _outcome(rows: Sequence[Row]) -> Outcome:
    if any(row["place"] is None for row in rows):
        return Outcome()
    scores = tuple(row["score"] for row in rows)
    return Outcome(tuple(row["place"] for row in rows), None if None in scores else scores)


async def names_of(store: Store, ids: Collection[str]) -> dict[str, str]:
    """Return the names of people; bots of the server have none."""
    rows = await store.run(select(people.c.id, people.c.name).where(people.c.id.in_(list(ids))))
    return {row["id"]: row["name"] for row in rows}
