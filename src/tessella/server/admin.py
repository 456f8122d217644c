"""What a host can do with stored games: list, show, close, export, import, verify."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from sqlalchemy import func, insert, select

from tessella.core import record
from tessella.core.dice import Dice
from tessella.core.game import BadNotation, Over
from tessella.core.record import Record
from tessella.games import GAMES
from tessella.server import entries as written
from tessella.server.entries import End, Ended, Entry, Opened, Played, Pledged, Revealed, Sat, Started
from tessella.server.host import Host
from tessella.server.store import Logged, Row, Store
from tessella.server.store.schema import entries, games, seeds
from tessella.server.table import Refused, Table

PAGE = 500


class NoGame(ValueError):
    """There is no such game."""

    def __init__(self, game_id: str) -> None:
        super().__init__(f"there is no game {game_id}")


# Looking


class Line(Struct, frozen=True):
    """A game in a list."""

    id: str
    rules: str
    status: str
    number: int
    opened: float
    touched: float


class Listing(Struct, frozen=True):
    """How many games there are of each status, and the latest of them."""

    counts: dict[str, int]
    games: tuple[Line, ...]


class SeatShown(Struct, frozen=True):
    """Who sits there."""

    name: str
    bot: str
    left: bool
    seconds: float | None


class Shown(Struct, frozen=True):
    """A game without anything that a player may hide."""

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
    """The games of a status, or of all, the latest first."""
    counted = await store.run(select(games.c.status, func.count().label("count")).group_by(games.c.status))
    query = select(games).order_by(games.c.touched.desc()).limit(most)
    rows = await store.run(query.where(games.c.status == status) if status else query)
    lines = [msgspec.convert({name: row[name] for name in Line.__struct_fields__}, Line) for row in rows]
    return Listing({row["status"]: row["count"] for row in counted}, tuple(lines))


async def show(host: Host, game_id: str) -> Shown:
    """How a game stands."""
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
            SeatShown(chair.name, chair.level, chair.left, table.clock.left(seat, now, host.outages))
            for seat, chair in enumerate(table.chairs)
        ),
        ended=table.end.reason if table.end else "",
        next_game=table.next_game,
    )


class Loaded(Struct, frozen=True):
    """A table and the log that made it."""

    table: Table
    log: list[Logged]


async def _load(store: Store, game_id: str) -> Loaded:
    log = await store.log(game_id, -1)
    if not log:
        raise NoGame(game_id)
    return Loaded(_fold(game_id, [(written.read(row.body), row.at) for row in log]), log)


def _fold(game_id: str, log: Sequence[tuple[Entry, float]]) -> Table:
    (opened, at), *rest = log
    if not isinstance(opened, Opened):
        raise BadNotation("the log does not begin with the opening of a table")
    table = Table(game_id, opened, at)
    for entry, when in rest:
        table.fold(entry, when)
    return table


async def all_games(store: Store, *, only_over: bool = False) -> AsyncIterator[str]:
    """The ids of all games, page by page."""
    last = ""
    while True:
        query = select(games.c.id).where(games.c.id > last).order_by(games.c.id).limit(PAGE)
        rows = await store.run(query.where(games.c.status == "over") if only_over else query)
        for row in rows:
            yield row["id"]
        if len(rows) < PAGE:
            return
        last = rows[-1]["id"]


# Closing


async def close(host: Host, game_id: str) -> None:
    """End a game without a result; its players learn the seed."""
    room = await host.room(game_id)
    if room is None:
        raise NoGame(game_id)
    try:
        await host.append(room, "closed-by-host", lambda table, secret: table.abort(secret))
    except Refused as wrong:
        raise ValueError(f"{game_id}: {wrong.why}") from None


# Records out and in


async def export(store: Store, game_id: str, folder: Path, *, private: bool = False) -> Path | None:
    """Write the record of a game to a file; None if it is not over, and so nobody's to read."""
    table = (await _load(store, game_id)).table
    if table.status != "over" and not private:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game_id}.game"
    path.write_text(record.write(table.record()), "utf-8")
    return path


class Imported(Struct, frozen=True):
    """Under which id a record is stored, and whether it was not before."""

    game: str
    new: bool


async def bring_in(store: Store, text: str) -> Imported:
    """Store a finished record as a finished game, once; raise `BadNotation` if it does not verify."""
    found = record.read(text)
    if found.game not in GAMES or not found.id:
        raise BadNotation("not a record of a game that we know, with an id")
    record.verify(GAMES[found.game], found)
    for row in await store.run(select(seeds.c.game).where(seeds.c.seed == found.seed)):
        if _same(found, (await _load(store, row["game"])).table.record()):
            return Imported(row["game"], new=False)
    game_id = await _free_id(store, found)
    now = await store.now()
    log = list(retell(found, game_id))
    table = _fold(game_id, [(entry, now) for entry in log])
    if not _same(found, table.record()) or table.status != "over":
        raise BadNotation("the record is not that of a finished game")
    await _keep(store, table, log, found.seed, now)
    return Imported(game_id, new=True)


def _same(one: Record, other: Record) -> bool:
    return (one.rules, one.acts, one.id, one.seed) == (other.rules, other.acts, other.id, other.seed)


async def _free_id(store: Store, found: Record) -> str:
    """The record's own id; or, for the tables of a match, which share one, a name made from the acts."""
    taken = await store.run(select(games.c.id).where(games.c.id == found.id))
    is_ours = found.id.isalnum() and len(found.id) >= 8
    return found.id if is_ours and not taken else sha256("\n".join((found.id, *found.acts)).encode()).hexdigest()[:16]


def retell(found: Record, game_id: str) -> Iterator[Entry]:
    """The log of a table at which this record was played."""
    game = GAMES[found.game]
    seats = record.read_rules(game, found.rules).seats
    names = (*found.names, *(f"Seat {seat}" for seat in range(len(found.names), seats)))
    yield Opened(found.rules, found.commitment.hex(), dice="" if game_id == found.id else found.id)
    yield from (Sat(seat, f"record:{seat}", name) for seat, name in enumerate(names[:seats]))
    yield from (Pledged(given.seat, given.pledge.hex()) for given in found.contributions)
    yield from (Revealed(given.seat, given.number.hex()) for given in found.contributions)
    yield from _retell_acts(found)


def _retell_acts(found: Record) -> Iterator[Entry]:
    """The deals before the first move, then each move with the deals that follow it, then the end."""
    game = GAMES[found.game]
    steps = list(record.replay(game, found))
    starts = [number for number, step in enumerate(steps) if step.seat is not None]
    first = starts[0] if starts else len(steps)
    if steps:
        yield Started(found.acts[:first])
    turn = game.turn(steps[-1].after) if steps else None
    dice = Dice(found.seed, found.id, found.rules, found.contributions)
    seed, seal = found.seed.hex(), (found.seal or dice.seal(found.acts)).hex()
    end = End(seed, seal, "over", turn.scores, turn.places) if isinstance(turn, Over) else None
    for start, stop in zip(starts, [*starts[1:], len(steps)], strict=True):
        yield Played(steps[start].seat or 0, found.acts[start:stop], end if stop == len(steps) else None)
    if end is None:
        yield Ended(End(seed, seal, "aborted"))


async def _keep(store: Store, table: Table, log: Sequence[Entry], seed: bytes, now: float) -> None:
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
        {"game": table.id, "number": number, "key": f"import-{number}", "body": written.write(entry), "at": now}
        for number, entry in enumerate(log)
    ]
    await store.run(
        insert(games).values(row), insert(seeds).values(game=table.id, seed=seed), insert(entries).values(kept)
    )


# Verifying


class Wrong(Struct, frozen=True):
    """A game that is not as it must be."""

    game: str
    why: str


class Verified(Struct, frozen=True):
    """What was checked, and what was found wrong."""

    games: int
    finished: int
    entries: int
    deals: int
    wrong: tuple[Wrong, ...]


async def verify(store: Store, ids: AsyncIterator[str]) -> Verified:
    """Replay every log, compute every deal again from the seed, and compare with what is said of the game."""
    count = finished = lines = deals = 0
    wrong: list[Wrong] = []
    async for game_id in ids:
        count += 1
        try:
            loaded = await _load(store, game_id)
            deals += await _check(store, loaded)
        except (ValueError, LookupError, TypeError, AssertionError, msgspec.MsgspecError) as why:
            wrong.append(Wrong(game_id, str(why) or type(why).__name__))
        else:
            finished += loaded.table.status == "over"
            lines += len(loaded.log)
    return Verified(count, finished, lines, deals, tuple(wrong))


async def _check(store: Store, loaded: Loaded) -> int:
    table, log = loaded.table, loaded.log
    rows = await store.run(select(games).where(games.c.id == table.id))
    if [row.number for row in log] != list(range(len(log))):
        raise BadNotation("the entries are not numbered without a gap")
    if not rows or _standing(rows[0]) != (len(log) - 1, table.status, ",".join(map(str, table.movers))):
        raise BadNotation("the row of the game does not say what its log says")
    kept = await store.seed(table.id)
    found = table.record()
    if found.seed not in (b"", kept):
        raise BadNotation("the revealed seed is not the one that was kept")
    return record.verify(table.game, msgspec.structs.replace(found, seed=kept))


def _standing(row: Row) -> tuple[int, str, str]:
    return row["number"], row["status"], row["movers"]


def as_json(value: Struct) -> str:
    """A result for programs."""
    return json.dumps(msgspec.to_builtins(value))
