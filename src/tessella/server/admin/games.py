"""Operations on stored games: list, show, close, export, import, verify."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlalchemy import Executable, func, insert, select

from tessella.core import record
from tessella.core.dice import Dice
from tessella.core.game import BadNotation, Over
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.server.rooms.history import decode_log
from tessella.server.rooms.host import Host
from tessella.server.services.moderation import close_table
from tessella.server.store import Logged, Row, Store
from tessella.server.store.schema import LISTED_COLUMNS, OF_A_MATCH, entries, games, seeds
from tessella.table.clock import DAY_SECONDS
from tessella.table.history import fold_log
from tessella.table.log import (
    End,
    Ended,
    Entry,
    Played,
    Pledged,
    Revealed,
    Sat,
    Started,
    write_entry,
)
from tessella.table.replay import opened_of
from tessella.table.table import Refused, Table

PAGE_GAMES = 500
STATUSES = ("open", "dice", "playing", "paused", "over", "closed")
MOST_COUNTED = 10_000


class NoGame(ValueError):
    """There is no such game."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is no game {game_id}")


# List and show


class Line(Struct, frozen=True):
    """A game in a list."""

    id: str
    rules: str
    status: str
    number: int
    opened: float
    touched: float


class Listing(Struct, frozen=True):
    """The number of games by status, and the latest of them."""

    counts: dict[str, int]
    games: tuple[Line, ...]
    capped: tuple[str, ...] = ()
    """Statuses with more than `MOST_COUNTED` games, which were not counted further."""


class SeatShown(Struct, frozen=True):
    """A seat of a game."""

    name: str
    bot: str
    left: bool
    seconds: float | None


class Shown(Struct, frozen=True):
    """A game without hidden information."""

    id: str
    rules: str
    status: str
    number: int
    opened: float
    touched: float
    movers: tuple[int, ...]
    seats: tuple[SeatShown, ...]
    ended: str
    next_game: str


async def list_games(store: Store, status: str, most: int) -> Listing:
    """Return the games of a status, or of all if it is empty, the latest first."""
    counts = {each: await _count(store, each) for each in STATUSES}
    rows = [row for each in ([status] if status else STATUSES) for row in await store.run(_latest(each, most))]
    rows.sort(key=lambda row: float(row["touched"]), reverse=True)
    lines = [msgspec.convert({name: row[name] for name in Line.__struct_fields__}, Line) for row in rows[:most]]
    return Listing(
        {each: min(count, MOST_COUNTED) for each, count in counts.items() if count},
        tuple(lines),
        tuple(each for each, count in counts.items() if count > MOST_COUNTED),
    )


async def _count(store: Store, status: str) -> int:
    """Return the number of games of a status, at most `MOST_COUNTED` + 1: counting a million takes seconds."""
    some = select(games.c.id).where(games.c.status == status).limit(MOST_COUNTED + 1).subquery()
    (row,) = await store.run(select(func.count().label("count")).select_from(some))
    return int(row["count"])


def _latest(status: str, most: int) -> Executable:
    return select(*LISTED_COLUMNS).where(games.c.status == status).order_by(games.c.touched.desc()).limit(most)


async def show(host: Host, game_id: str) -> Shown:
    """Return the state of a game; raise `NoGame` if there is none."""
    table = (await _load(host.store, game_id)).table
    (row,) = await host.store.run(select(games).where(games.c.id == game_id))
    now = await host.store.now()
    return Shown(
        id=game_id,
        rules=table.terms.rules,
        status=table.status,
        number=table.number,
        opened=row["opened"],
        touched=row["touched"],
        movers=table.movers,
        seats=tuple(
            SeatShown(occupant.name, occupant.level, occupant.left, table.clock.seconds_left(seat, now, host.outages))
            for seat, occupant in enumerate(table.seats)
        ),
        ended=table.end.reason if table.end else "",
        next_game=table.next_game,
    )


class Loaded(Struct, frozen=True):
    """A table and its log."""

    table: Table
    log: list[Logged]


async def _load(store: Store, game_id: str) -> Loaded:
    log = await store.log(game_id, -1)
    if not log:
        raise NoGame(game_id)
    entries = decode_log([(row.body, row.at) for row in log])
    return Loaded(fold_log(game_id, entries).table, log)


async def all_games(store: Store, *, only_over: bool = False) -> AsyncIterator[str]:
    """Yield the ids of all games, page by page."""
    last = ""
    while True:
        query = select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(PAGE_GAMES)
        rows = await store.run(query.where(games.c.status == "over") if only_over else query)
        for row in rows:
            yield row["id"]
        if len(rows) < PAGE_GAMES:
            return
        last = rows[-1]["id"]


# Close


class Wanted(Struct, frozen=True):
    """Which unfinished tables are meant: all conditions that are given must hold."""

    idle_days: float | None = None
    owner: str = ""
    """The id of the person who opened the table."""
    unstarted: bool = False

    @property
    def is_set(self) -> bool:
        """Whether there is any condition."""
        return self != Wanted()


async def choose(store: Store, wanted: Wanted) -> list[str]:
    """Return the unfinished tables that are meant, those idle for longest first."""
    statuses = ("open", "dice") if wanted.unstarted else ("open", "dice", "playing", "paused")
    query = select(games.c.id).where(games.c.status.in_(statuses))
    if wanted.idle_days is not None:
        query = query.where(games.c.touched < await store.now() - wanted.idle_days * DAY_SECONDS)
    if wanted.owner:
        query = query.where(games.c.creator == wanted.owner)
    return [str(row["id"]) for row in await store.run(query.order_by(games.c.touched, games.c.id))]


async def close(host: Host, game_id: str) -> None:
    """End a game without a result and reveal its seed; raise `NoGame` if there is none, ValueError if it is over."""
    if await host.room(game_id) is None:
        raise NoGame(game_id)
    try:
        await close_table(host, game_id)
    except Refused as exc:
        raise ValueError(f"{game_id}: {exc.message}") from None


# Export and import


async def export(store: Store, game_id: str, folder: Path, *, private: bool = False) -> Path | None:
    """Write the record of a game to a file and return its path; None if it is not over and not `private`."""
    table = (await _load(store, game_id)).table
    if not table.is_public and not private:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game_id}.game"
    path.write_text(record.write(table.record()), "utf-8")
    return path


class Imported(Struct, frozen=True):
    """The id of an imported record, and whether it is new."""

    game: str
    new: bool


async def import_record(store: Store, text: str) -> Imported:
    """Store a finished record as a finished game, once; raise `BadNotation` if it does not verify."""
    found = record.read(text)
    if found.game not in GAMES or not found.id:
        raise BadNotation(f"not a record with an id of one of these games: {', '.join(GAMES)}")
    record.verify(GAMES[found.game], found)
    for game_id in await _candidates(store, found):
        if _same(found, (await _load(store, game_id)).table.record()):
            return Imported(game_id, new=False)
    game_id = await _free_id(store, found)
    now = await store.now()
    log = list(log_of(found, game_id))
    table = fold_log(game_id, [(entry, now) for entry in log]).table
    if not _same(found, table.record()) or table.status != "over":
        raise BadNotation("the record is not of a finished game")
    await _store(store, table, log, found.seed, now)
    return Imported(game_id, new=True)


def _same(one: Record, other: Record) -> bool:
    return (one.rules, one.acts, one.id, one.seed) == (other.rules, other.acts, other.id, other.seed)


async def _candidates(store: Store, found: Record) -> list[str]:
    """Return the stored games that may be this record: by its id, by its acts, or as a table of its match."""
    named = games.c.id.in_([found.id, _id_from_acts(found)])
    tables = [named, OF_A_MATCH & (games.c.match == found.id)]
    return [str(row["id"]) for which in tables for row in await store.run(select(games.c.id).where(which))]


async def _free_id(store: Store, found: Record) -> str:
    """Return the id of the record, or one made from its acts if it is taken: the tables of a match share one."""
    taken = await store.run(select(games.c.id).where(games.c.id == found.id))
    is_ours = found.id.isalnum() and len(found.id) >= 8
    return found.id if is_ours and not taken else _id_from_acts(found)


def _id_from_acts(found: Record) -> str:
    return sha256("\n".join((found.id, *found.acts)).encode()).hexdigest()[:16]


def log_of(found: Record, game_id: str) -> Iterator[Entry]:
    """Yield the log entries of a table at which this record was played."""
    game = GAMES[found.game]
    seats = record.read_rules(game, found.rules).seats
    names = (*found.names, *(f"Seat {seat}" for seat in range(len(found.names), seats)))
    yield msgspec.structs.replace(opened_of(found), dice="" if game_id == found.id else found.id)
    yield from (Sat(seat, f"record:{seat}", name) for seat, name in enumerate(names[:seats]))
    yield from (Pledged(given.seat, given.pledge.hex()) for given in found.contributions)
    yield from (Revealed(given.seat, given.number.hex()) for given in found.contributions)
    yield from _acts_of(found)


def _acts_of(found: Record) -> Iterator[Entry]:
    """Yield the acts before the first move or before a branch, each move with the deals that follow it, and the end."""
    game = GAMES[found.game]
    steps = list(record.replay(game, found))
    branched = found.branch.acts if found.branch else 0
    starts = [number for number, step in enumerate(steps) if step.seat is not None and number >= branched]
    if not starts:
        raise BadNotation("the game ended before its first move: there is nothing to import")
    yield Started(found.acts[: starts[0]])
    turn = game.turn(steps[-1].after)
    dice = Dice(found.seed, found.id, found.rules, found.contributions)
    seed, seal = found.seed.hex(), (found.seal or dice.seal(found.acts)).hex()
    end = End(seed, seal, "over", turn.scores, turn.places) if isinstance(turn, Over) else None
    for start, stop in zip(starts, [*starts[1:], len(steps)], strict=True):
        yield Played(steps[start].seat or 0, found.acts[start:stop], end if stop == len(steps) else None)
    if end is None:
        yield Ended(End(seed, seal, "aborted"))


async def _store(store: Store, table: Table, log: Sequence[Entry], seed: bytes, now: float) -> None:
    row = {
        "id": table.id,
        "game": table.game.NAME,
        "rules": table.terms.rules,
        "number": len(log) - 1,
        "status": table.status,
        "movers": "",
        "opened": now,
        "touched": now,
        "pace": "",
        "rated": False,
        "listed": False,
    }
    kept = [
        {"game": table.id, "number": number, "key": f"import-{number}", "body": write_entry(entry), "at": now}
        for number, entry in enumerate(log)
    ]
    await store.run(
        insert(games).values(row), insert(seeds).values(game=table.id, seed=seed), insert(entries).values(kept)
    )


# Verify


class Wrong(Struct, frozen=True):
    """A game that failed the check."""

    game: str
    message: str


class Verified(Struct, frozen=True):
    """The numbers of what was checked, and the games that failed."""

    games: int
    finished: int
    entries: int
    deals: int
    wrong: tuple[Wrong, ...]


async def verify(store: Store, ids: AsyncIterator[str]) -> Verified:
    """Replay every log, compute every deal from its seed, and compare both with the rows of the games."""
    count = finished = lines = deals = 0
    wrong: list[Wrong] = []
    async for game_id in ids:
        count += 1
        try:
            loaded = await _load(store, game_id)
            deals += await _check(store, loaded)
        except (ValueError, LookupError, TypeError, AssertionError, msgspec.MsgspecError) as exc:
            wrong.append(Wrong(game_id, str(exc) or type(exc).__name__))
        else:
            finished += loaded.table.status == "over"
            lines += len(loaded.log)
    return Verified(count, finished, lines, deals, tuple(wrong))


async def _check(store: Store, loaded: Loaded) -> int:
    table, log = loaded.table, loaded.log
    rows = await store.run(select(games).where(games.c.id == table.id))
    if [row.number for row in log] != list(range(len(log))):
        raise BadNotation("the numbers of the entries have a gap")
    if not rows or not _agrees(rows[0], table, len(log) - 1):
        raise BadNotation("the row of the game differs from its log")
    kept = await store.seed(table.id)
    found = table.record()
    if found.seed not in (b"", kept):
        raise BadNotation("the revealed seed differs from the stored one")
    return record.verify(table.game, msgspec.structs.replace(found, seed=kept))


def _agrees(row: Row, table: Table, number: int) -> bool:
    """Return whether the row of a game agrees with its log; earlier versions did not store `closed`."""
    movers = ",".join(map(str, table.movers))
    return (row["number"], row["movers"]) == (number, movers) and row["status"] in (table.status, table.stored_status)


def as_json(value: Struct) -> str:
    """Return a result as JSON."""
    return json.dumps(msgspec.to_builtins(value))
