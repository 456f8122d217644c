"""The public archive: all games that ended on a day, without names, under CC0.

Two files per day (UTC). `tessella-2026-12-24.games` is text: a header line, then the records in the order in which the
games ended, each after a line of three dashes; all of them can be replayed and verified. Instead of names they have
the kind of player: member, guest or bot. `tessella-2026-12-24.parquet` has the same games, one row each. Aborted games
have no result and are left out.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import Executable, select, tuple_

from tessella.core import record
from tessella.core.record import Record
from tessella.server.admin.parquet import Rows
from tessella.server.rooms.history import Finished, read_finished
from tessella.server.store import Store
from tessella.server.store.schema import FIRST_SEAT, people, results

LICENCE = "CC0 1.0 https://creativecommons.org/publicdomain/zero/1.0/"
NOTES = {"license": LICENCE, "about": "Games of Tessella; acts are in the notation of its records."}
SEPARATOR = "---\n"
PAGE_GAMES = 200


async def archive(store: Store, day: date, folder: Path) -> tuple[Path, Path]:
    """Write all games that ended on a day, and return the paths of the two files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = (folder / f"tessella-{day}.games", folder / f"tessella-{day}.parquet")
    drafts = [path.with_name(path.name + ".part") for path in files]
    with drafts[0].open("w", encoding="utf-8") as text, Rows(drafts[1], NOTES) as table:
        text.write(f"# Games of Tessella that ended on {day}. {LICENCE}\n")
        async for games in _games(store, day):
            text.writelines(SEPARATOR + record.write(_record(done, kinds)) for done, kinds in games)
            table.write([_row(done, kinds) for done, kinds in games])
    for draft, path in zip(drafts, files, strict=True):
        draft.replace(path)
    return files


def read_archive(text: str) -> Iterator[Record]:
    """Return the records in the text of an archive."""
    return map(record.read, text.split("\n" + SEPARATOR)[1:])


async def _games(store: Store, day: date) -> AsyncGenerator[list[tuple[Finished, Sequence[str]]]]:
    """Yield the games of a day page by page, with the kind of player in each seat."""
    midnight = datetime.combine(day, time(), UTC)
    begin, end = (moment.timestamp() for moment in (midnight, midnight + timedelta(days=1)))
    last: tuple[float, str] = (begin, "")
    while rows := await store.run(_page_of_games(last, end)):
        kinds = await _kinds(store, [str(row["game"]) for row in rows])
        games: list[tuple[Finished, Sequence[str]]] = []
        for game_id, seats in kinds.items():
            done = await read_finished(store, game_id)
            assert done is not None
            games.append((done, seats))
        yield games
        last = (float(rows[-1]["ended"]), str(rows[-1]["game"]))


def _page_of_games(after: tuple[float, str], end: float) -> Executable:
    """Select the next games in the order in which they ended, by the result of their first seat."""
    ended, game = results.c.ended, results.c.game
    rest = (ended >= after[0]) & (ended < end) & (tuple_(ended, game) > tuple_(*after))
    games = select(game, ended).where(rest, FIRST_SEAT, results.c.place.is_not(None))
    return games.order_by(ended, game).limit(PAGE_GAMES)


async def _kinds(store: Store, games: Sequence[str]) -> dict[str, list[str]]:
    """Return the kind of player in each seat of these games, in the same order."""
    found: dict[str, list[str]] = {game: [] for game in games}
    players = select(results.c.game, people.c.kind).outerjoin(people, people.c.id == results.c.person)
    for row in await store.run(players.where(results.c.game.in_(games)).order_by(results.c.game, results.c.seat)):
        found[row["game"]].append(str(row["kind"] or "bot"))
    return found


def _record(done: Finished, kinds: Sequence[str]) -> Record:
    return replace(done.table.record(), names=tuple(kinds))


def _row(done: Finished, kinds: Sequence[str]) -> dict[str, object]:
    table, end = done.table, done.table.end
    assert end is not None
    return {
        "id": table.id,
        "title": table.game.NAME,
        "rules": table.terms.rules,
        "seats": len(table.seats),
        "players": kinds,
        "rated": table.terms.rated,
        "reason": end.reason,
        "scores": end.scores,
        "places": end.places,
        "acts": table.acts,
        "started": None if done.started is None else datetime.fromtimestamp(done.started, UTC),
        "ended": datetime.fromtimestamp(done.ended, UTC),
    }
