"""Mutants of sealing. They are planted in the workers, which seal: see `proofs.seal_worker`."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

import asyncio
import os
from collections.abc import Callable, Mapping
from typing import Any

from proofs.mutants.mutant import Mutant, patch

PLANTED = "PROOF_PLANTED_SEALING"
"""The variable that names the mutant to plant in the workers."""

PAUSE_SECONDS = 0.1
"""Between two steps that belong together."""

_WRITE = "UPDATE games SET sealed_to = $2, names = $3, sealed = $4 WHERE id = $1"


async def _write(store: Any, sealing: Any) -> None:
    new = sealing.sealed
    await store.pool.execute(_WRITE, new.game, new.last, new.names, new.body)


async def _remove(store: Any, sealing: Any) -> None:
    await store.pool.execute("DELETE FROM entries WHERE game = $1", sealing.sealed.game)


def _removed_first() -> None:
    """Remove the entries before the packed log is stored, in a transaction of their own."""
    from tessella.server.store.postgres import PostgresStore

    async def seal(store: Any, sealing: Any) -> bool:
        await _remove(store, sealing)
        await asyncio.sleep(PAUSE_SECONDS)
        await _write(store, sealing)
        return True

    patch(PostgresStore, "seal", lambda _: seal)


def _unfinished() -> None:
    """Seal whatever was not touched for a while."""
    from sqlalchemy import select

    from tessella.server.services import sealing
    from tessella.server.store.postgres import PostgresStore
    from tessella.server.store.schema import games
    from tessella.server.store.sealed import Sealing, pack

    async def seal(store: Any, made: Any) -> bool:
        async with store.pool.acquire() as connection, connection.transaction():
            await connection.execute("DELETE FROM entries WHERE game = $1", made.sealed.game)
            await connection.execute(_WRITE, made.sealed.game, made.sealed.last, made.sealed.names, made.sealed.body)
        return True

    def all_old(before: float) -> Any:
        return select(games.c.id, games.c.touched).where(games.c.sealed_to < games.c.number, games.c.touched < before)

    patch(sealing, "is_due", lambda _: all_old)
    patch(sealing, "prepare", lambda _: lambda game, stored: Sealing(pack(game, stored.log()), stored.digest, b""))
    patch(PostgresStore, "seal", lambda _: seal)


def _unchecked() -> None:
    """Seal a log without replaying what it unpacks to."""
    from tessella.server.services import sealing
    from tessella.server.store.sealed import Sealing, pack, seed_in

    def prepare(game: Any, stored: Any) -> Any:
        log = stored.log()
        return Sealing(pack(game, log), stored.digest, seed_in(log))

    patch(sealing, "prepare", lambda _: prepare)


PLANTS: Mapping[str, Callable[[], None]] = {
    "removed-before-sealed": _removed_first,
    "unfinished-sealed": _unfinished,
    "sealed-unchecked": _unchecked,
}


def _in_workers(name: str) -> Callable[[], None]:
    return lambda: os.environ.update({PLANTED: name})


MUTANTS: Mapping[str, Mutant] = {
    "removed-before-sealed": Mutant(
        "the entries go in the same transaction in which the sealed log comes",
        "seal",
        30,
        _in_workers("removed-before-sealed"),
    ),
    "unfinished-sealed": Mutant("only a finished game is sealed", "seal", 30, _in_workers("unfinished-sealed")),
    "sealed-unchecked": Mutant(
        "a game is sealed only if it replays to its end", "seal", 30, _in_workers("sealed-unchecked")
    ),
}
