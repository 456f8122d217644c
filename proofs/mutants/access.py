"""Mutants that let a client do what it may not."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# A patched attribute may have any type.

from collections.abc import Mapping
from typing import Any

from proofs.mutants.mutant import Mutant, patch


def _any_origin() -> None:
    from tessella.server.http import app, sockets

    for module in (app, sockets):
        patch(module, "is_same_origin", lambda _: lambda _scope: True)


def _seat_from_client() -> None:
    from tessella.table.table import Table

    def any_mover(seat_of: Any) -> Any:
        def new(table: Any, person: str) -> Any:
            seat = seat_of(table, person)
            return seat if seat is not None or not person or not table.movers else table.movers[0]

        return new

    patch(Table, "seat_of", any_mover)


def _unlimited_guesses() -> None:
    from tessella.server.http.rate_limits import Limits

    patch(Limits, "wait_for_guess", lambda _: lambda *_more: 0.0)


def _reusable_links() -> None:
    from sqlalchemy import update

    from tessella.server.http.api import games
    from tessella.server.store.schema import links

    def reuse(seat_for: Any) -> Any:
        async def new(request: Any, room: Any, body: Any) -> Any:
            await request.host.store.run(update(links).values(used=False))
            room.table.seats = [
                type(occupant)() if seat else occupant for seat, occupant in enumerate(room.table.seats)
            ]
            return await seat_for(request, room, body)

        return new

    patch(games, "_seat_for", reuse)


def _token_as_session() -> None:
    from tessella.server.http.api import people

    patch(people, "own_session", lambda _: lambda request: (request.person, request.caller.session)[1])


def _common_passwords() -> None:
    from tessella.server.people import accounts

    patch(accounts, "is_common", lambda _: lambda _password: False)


def _public_metrics() -> None:
    from tessella.server.ops import health

    patch(health, "_may_read", lambda _: lambda *_more: True)


def _anyone_closes() -> None:
    from tessella.server.http.api import invitations

    async def anyone(*_: Any) -> bool:
        return True

    patch(invitations, "_is_creator", lambda _: anyone)


def _any_cookie() -> None:
    from http.cookies import SimpleCookie

    from tessella.server.http import cookies

    def find(scope: Any, name: str = cookies.SESSION) -> str:
        given = SimpleCookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
        found = given.get(cookies.TLS_PREFIX + name) or given.get(name)
        return found.value if found else ""

    patch(cookies, "find", lambda _: find)


MUTANTS: Mapping[str, Mutant] = {
    "any-origin": Mutant("cross-origin requests are rejected", "abuse", 1, _any_origin),
    "seat-from-client": Mutant("the seat is that of the session", "abuse", 1, _seat_from_client),
    "unlimited-guesses": Mutant("guesses are rate-limited", "abuse", 150, _unlimited_guesses),
    "reusable-links": Mutant("an invitation works once", "abuse", 1, _reusable_links),
    "token-as-session": Mutant("a token does not give access to the account", "abuse", 1, _token_as_session),
    "common-passwords": Mutant("common passwords are rejected", "abuse", 1, _common_passwords),
    "public-metrics": Mutant("metrics are not public", "abuse", 1, _public_metrics),
    "anyone-closes": Mutant("only its creator closes a table", "abuse", 1, _anyone_closes),
    "any-cookie": Mutant("cookies set by other sites are ignored", "abuse", 1, _any_cookie),
}
