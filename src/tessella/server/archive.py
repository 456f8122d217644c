"""All games that ended on a day, for everybody and for ever: CC0, and nobody's name.

Two files a day (UTC). `tessella-2026-12-24.games` is text: a line that says what it is, then the records of the games
in the order in which they ended, each behind a line of three dashes; every one can be replayed and verified. In place
of names stands what sat there: member, guest or bot. `tessella-2026-12-24.parquet` has the same games, a row each.
Games that were aborted have no result and are left out.
"""

from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import select

from tessella.core import record
from tessella.core.record import Record
from tessella.server.columns import Rows
from tessella.server.finished import Finished, read_finished
from tessella.server.store import Store
from tessella.server.store.schema import people, results

LICENCE = "CC0 1.0 https://creativecommons.org/publicdomain/zero/1.0/"
NOTES = {"license": LICENCE, "about": "Games of Tessella; acts are in the notation of its records."}
BETWEEN = "---\n"
GAMES_AT_ONCE = 200


async def archive(store: Store, day: date, folder: Path) -> tuple[Path, Path]:
    """Write all games that ended on a day; give the two files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = (folder / f"tessella-{day}.games", folder / f"tessella-{day}.parquet")
    drafts = [path.with_name(path.name + ".part") for path in files]
    with drafts[0].open("w", encoding="utf-8") as text, Rows(drafts[1], NOTES) as table:
        text.write(f"# Games of Tessella that ended on {day}. {LICENCE}\n")
        async for games in _games(store, day):
            text.writelines(BETWEEN + record.write(_record(done, kinds)) for done, kinds in games)
            table.write([_row(done, kinds) for done, kinds in games])
    for draft, path in zip(drafts, files, strict=True):
        draft.replace(path)
    return files


def read_archive(text: str) -> Iterator[Record]:
    """The records in the text of a day."""
    return map(record.read, text.split("\n" + BETWEEN)[1:])


async def _games(store: Store, day: date) -> AsyncGenerator[list[tuple[Finished, Sequence[str]]]]:
    """The games of a day, some at a time, with what sat in each seat."""
    midnight = datetime.combine(day, time(), UTC)
    begin, end = (moment.timestamp() for moment in (midnight, midnight + timedelta(days=1)))
    today = (results.c.ended >= begin) & (results.c.ended < end)
    players = select(results.c.game, people.c.kind).outerjoin(people, people.c.id == results.c.person)
    rows = await store.run(
        players.where(today, results.c.place.is_not(None)).order_by(results.c.ended, results.c.game, results.c.seat)
    )
    games: list[tuple[Finished, Sequence[str]]] = []
    for game_id, seats in groupby(rows, lambda row: str(row["game"])):
        done = await read_finished(store, game_id)
        assert done is not None
        games.append((done, [str(row["kind"] or "bot") for row in seats]))
        if len(games) == GAMES_AT_ONCE:
            yield games
            games = []
    yield games


def _record(done: Finished, kinds: Sequence[str]) -> Record:
    return replace(done.table.record(), names=tuple(kinds))


def _row(done: Finished, kinds: Sequence[str]) -> dict[str, object]:
    table, end = done.table, done.table.end
    assert end is not None
    return {
        "id": table.id,
        "title": table.game.NAME,
        "rules": table.terms.rules,
        "seats": len(table.chairs),
        "players": kinds,
        "rated": table.terms.rated,
        "reason": end.reason,
        "scores": end.scores,
        "places": end.places,
        "acts": table.acts,
        "started": None if done.started is None else datetime.fromtimestamp(done.started, UTC),
        "ended": datetime.fromtimestamp(done.ended, UTC),
    }
