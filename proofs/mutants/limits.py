"""Mutants of rate limits, size limits and fair queues."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from proofs.mutants.mutant import Mutant, patch


def _unbounded_queue() -> None:
    from tessella.server.http import sockets

    patch(sockets, "MOST_QUEUED_MESSAGES", lambda _: 1_000_000)


def _unbounded_bodies() -> None:
    from tessella.server.http import app

    patch(app, "LARGEST_BODY_BYTES", lambda _: 1 << 30)


def _unbounded_connections() -> None:
    from tessella.server.http.rate_limits import Limits

    patch(Limits, "connection", lambda _: lambda *_more: nullcontext(enter_result=True))


def _first_come() -> None:
    from tessella.server.store import SPACING_SECONDS, sqlite

    patch(sqlite, "_JOB", lambda sql: sql.replace(f"{SPACING_SECONDS} *", "0 *"))


def _stolen_leases() -> None:
    from tessella.server.store import sqlite

    patch(sqlite, "_JOB", lambda sql: f"{sql.rstrip()}, leased = 0")


def _charge_session_only() -> None:
    from tessella.server.http.rate_limits import Limits

    patch(
        Limits,
        "wait_for_expensive",
        lambda _: lambda limits, session, _address, now: limits.expensive.take(session, now),
    )


def _unfair_coach_queue() -> None:
    from tessella.server.http.api import reviews as api
    from tessella.server.services import reviews

    async def always(*_more: Any) -> bool:
        return True

    patch(api, "_may_wait", lambda _: always)
    patch(reviews, "MOST_WAITING", lambda _: 50)


def _account_lockout() -> None:
    from tessella.server.http.rate_limits import Limits

    patch(Limits, "_login_limits", lambda _: lambda limits, account, _address, _device: [(limits.guesses, account)])


def _unbounded_tables() -> None:
    from tessella.server.http.table_caps import TableCaps

    async def anything(*_: Any, **__: Any) -> None:
        return None

    patch(TableCaps, "require_room", lambda _: anything)


def _newest_first() -> None:
    from sqlalchemy import literal

    from tessella.server.rooms import listing

    patch(listing, "_turn", lambda _: lambda *_more: literal(1))


def _uncaught_errors() -> None:
    from tessella.server.http import app
    from tessella.server.http.middleware import CatchErrors

    def without(observing: Any) -> Any:
        def new(*given: Any) -> Any:
            return [layer for layer in observing(*given) if layer.cls is not CatchErrors]

        return new

    patch(app, "observing", without)


def _serial_push() -> None:
    from tessella.server.services.news import delivery

    patch(delivery, "MOST_CONCURRENT", lambda _: 1)


MUTANTS: Mapping[str, Mutant] = {
    "unbounded-queue": Mutant("a client that does not read is disconnected", "abuse", 1, _unbounded_queue),
    "unbounded-bodies": Mutant("request bodies have a size limit", "abuse", 1, _unbounded_bodies),
    "unbounded-connections": Mutant("connections per session are limited", "abuse", 1, _unbounded_connections),
    "first-come": Mutant("a flood of bot games delays nobody else's bots", "abuse", 1, _first_come),
    "stolen-leases": Mutant("a lease belongs to its holder", "abuse", 1, _stolen_leases),
    "charge-session-only": Mutant(
        "expensive requests are charged to the address too", "abuse", 1, _charge_session_only
    ),
    "unfair-coach-queue": Mutant("one person cannot fill the coach's queue", "abuse", 1, _unfair_coach_queue),
    "account-lockout": Mutant("wrong passwords do not lock out a known browser", "abuse", 1, _account_lockout),
    "unbounded-tables": Mutant("tables per person and address are capped", "abuse", 1, _unbounded_tables),
    "newest-first": Mutant("first tables of all players are listed before second ones", "abuse", 1, _newest_first),
    "uncaught-errors": Mutant("an internal error is answered and counted", "abuse", 1, _uncaught_errors),
    "serial-push": Mutant("a slow push service delays no other", "abuse", 1, _serial_push),
}
