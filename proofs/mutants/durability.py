"""Mutants of storing, confirming and sharing moves between workers."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Mapping
from typing import Any

from proofs.mutants.mutant import Mutant, patch


def _early_ack() -> None:
    import asyncio

    from tessella.server.rooms.host import Host
    from tessella.server.store import Store

    later: set[Any] = set()

    class Hasty:
        """A store that confirms at once and writes later."""

        def __init__(self, store: Store) -> None:
            self.store = store

        def __getattr__(self, name: str) -> Any:
            return getattr(self.store, name)

        async def append(self, write: Any) -> float:
            task = asyncio.create_task(self.store.append(write))
            later.add(task)
            task.add_done_callback(later.discard)
            return await self.store.now()

    def hasty(init: Any) -> Any:
        def new(host: Any, store: Any, *more: Any) -> None:
            init(host, Hasty(store), *more)

        return new

    patch(Host, "__init__", hasty)


def _no_deduplication() -> None:
    from tessella.server.rooms.host import Host

    async def never(_host: Any, _room: Any, _key: str) -> None:
        return None

    patch(Host, "_stored_already", lambda _: never)


def _shared_keys() -> None:
    from tessella.server.rooms import commands

    patch(commands, "stored_key", lambda _: lambda _player, key: key)


def _no_primary_key() -> None:
    from sqlalchemy import text

    from tessella.server import store

    def without_keys(connect: Any) -> Any:
        async def new(url: str) -> Any:
            opened = await connect(url)
            for name in ("entries_pkey", "entries_game_key_key"):
                await opened.run(text(f"ALTER TABLE entries DROP CONSTRAINT IF EXISTS {name}"))
            return opened

        return new

    patch(store, "connect", without_keys)


def _second_start_fails() -> None:
    from tessella.server.rooms import commands, follow_ups

    async def follow_up(host: Any, room: Any) -> None:
        if (what := follow_ups.due(room)) is not None:
            await follow_ups._carry_out(host, room, what)  # pyright: ignore[reportPrivateUsage]

    patch(commands, "follow_up", lambda _: follow_up)


def _wait_for_bus() -> None:
    from tessella.server.cluster.bus import RemoteBus

    patch(RemoteBus, "wait", lambda wait: lambda bus, _seconds: wait(bus, 3600.0))


def _trusted_notifications() -> None:
    from tessella.server.rooms.host import Host

    def trust(_host: Any, room: Any, number: int) -> None:
        room.table.number = max(room.table.number, number + 1)

    patch(Host, "refresh_if_behind", lambda _: trust)


def _no_deadline() -> None:
    from tessella.server.rooms import host

    patch(host, "_due", lambda _: lambda *_more: None)


def _orphaned_rooms() -> None:
    """Drop rooms by game id, so that a newer room is dropped too and misses what the older one stored."""
    from tessella.server.rooms.host import Host
    from tessella.server.services.bot_runner import BotRunner

    def drop_empty(leave: Any) -> Any:
        def new(host: Any, room: Any, viewer: Any) -> None:
            leave(host, room, viewer)
            if not room.viewers:
                host.rooms.pop(room.table.id, None)

        return new

    def drop_by_id(move: Any) -> Any:
        async def new(runner: Any, job: Any) -> None:
            room = await runner.host.room(job.game)
            await move(runner, job)
            if room is not None and not room.viewers:
                runner.host.rooms.pop(job.game, None)

        return new

    patch(Host, "_keep_idle", lambda _: lambda _host, _room: None)
    patch(Host, "leave", drop_empty)
    patch(Host, "_notify", lambda _: lambda host, room, number: host.bus.notify(room.table.id, str(number)))
    patch(BotRunner, "move", drop_by_id)


def _fragile_sweep() -> None:
    from sqlalchemy import select

    from tessella.server.services.housekeeping import Housekeeper
    from tessella.server.store.schema import games

    async def sweep(housekeeper: Any) -> None:
        now = housekeeper._known_until
        late = select(games.c.id).where(games.c.status == "playing", games.c.deadline < now)
        for row in await housekeeper.host.store.run(late.order_by(games.c.deadline)):
            await housekeeper._flag(row["id"], now)

    patch(Housekeeper, "_sweep", lambda _: sweep)


def _presence_never_expires() -> None:
    from tessella.server.rooms.host import Host

    async def nothing(_host: Any) -> None:
        pass

    patch(Host, "refresh_presence", lambda _: nothing)


def _cached_tables() -> None:
    from tessella.server.rooms.host import Host

    setattr(Host, "current", Host.room)  # noqa: B010


MUTANTS: Mapping[str, Mutant] = {
    "orphaned-rooms": Mutant("a client that reconnects sees what a bot does", "sim", 12, _orphaned_rooms),
    "fragile-sweep": Mutant("an unreadable game stops no other clock", "sim", 12, _fragile_sweep),
    "presence-never-expires": Mutant("people on a crashed worker become absent", "sim", 12, _presence_never_expires),
    "cached-tables": Mutant("an HTTP request reads what is stored", "sim", 12, _cached_tables),
    "early-ack": Mutant("a move is confirmed after it is stored, not before", "sim", 4, _early_ack),
    "no-deduplication": Mutant("a request that is sent again counts once", "sim", 4, _no_deduplication),
    "shared-keys": Mutant("players do not share the keys of their requests", "race", 20, _shared_keys),
    "no-primary-key": Mutant("of two entries with one number one is stored", "race", 20, _no_primary_key),
    "second-start-fails": Mutant("a second start of a game is not an error", "race", 100, _second_start_fails),
    "wait-for-bus": Mutant("a worker starts without its bus", "deploy", 1, _wait_for_bus),
    "trusted-notifications": Mutant(
        "a notification is not trusted: the store is read", "sim", 4, _trusted_notifications
    ),
    "no-deadline": Mutant("the deadline is checked as the move is stored", "clocks", 12, _no_deadline),
}
