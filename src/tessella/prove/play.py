"""People who play whole games through the HTTP interface of a server in this process."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tessella.core import dice
from tessella.prove.tap import Call, Tap, body_of, cookie_of, status_of

MOST_ACTS = 2_000


class NotAsWished(AssertionError):
    """The server did not answer as it must."""


class Client:
    """Somebody with a cookie or a token."""

    def __init__(self, tap: Tap, secret: str) -> None:
        self.tap = tap
        self.secret = secret

    @classmethod
    async def arrive(cls, tap: Tap, name: str) -> "Client":
        """A new guest."""
        return cls(tap, cookie_of(await tap.ask(Call("POST", "/api/session", {"name": name}))))

    async def enter(self, path: str, body: Mapping[str, object]) -> "Client":
        """Log in, or become a member: the same person with another cookie."""
        return Client(self.tap, cookie_of(await self.tap.ask(Call("POST", path, body, self.secret))))

    async def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        """What the server answers; it must be content."""
        answers = await self.tap.ask(Call(method, path, body, self.secret))
        if status_of(answers) >= 300:
            raise NotAsWished(f"{method} {path}: {status_of(answers)} {body_of(answers)!r}")
        return json.loads(body_of(answers))

    async def status(self, method: str, path: str, body: Mapping[str, object] | None = None) -> int:
        """How the server answers."""
        return status_of(await self.tap.ask(Call(method, path, body, self.secret)))

    async def wish(self, game_id: str, **wish: object) -> Any:
        """A wish at a table."""
        return await self.ask("POST", f"/api/games/{game_id}/act", {"wish": wish})


async def sit_down(
    players: Sequence[Client], title: str, options: Mapping[str, str] | None = None, **more: object
) -> str:
    """Set a table, sit down at it, and add to its dice; gives its id."""
    first, *others = players
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in others)]
    wished = {"title": title, "seats": seats, "options": dict(options or {}), **more}
    made = await first.ask("POST", "/api/games", wished)
    for other, invitation in zip(others, made["invitations"], strict=True):
        await other.ask("POST", f"/api/games/{made['id']}/join", {"secret": invitation["secret"]})
    await throw_dice(players, made["id"])
    return str(made["id"])


async def throw_dice(players: Sequence[Client], game_id: str) -> None:
    """Everybody promises a number and shows it; then the game begins."""
    numbers = [bytes([seat]) * 32 for seat in range(len(players))]
    for seat, player in enumerate(players):
        digits = dice.pledge(game_id, seat, numbers[seat]).hex()
        await player.wish(game_id, type="pledge", key=f"pledge-{seat}", pledge=digits)
    for seat, player in enumerate(players):
        await player.wish(game_id, type="reveal", key=f"reveal-{seat}", number=numbers[seat].hex())


async def play_on(players: Sequence[Client], game_id: str, rng: Random, moves: int = MOST_ACTS) -> int:
    """Make random moves, at most so many; gives how many were made."""
    for made in range(moves):
        table = await players[0].ask("GET", f"/api/games/{game_id}")
        if table["status"] == "over":
            return made
        seat: int = rng.choice(table["movers"])
        seen = await players[seat].ask("GET", f"/api/games/{game_id}")
        move = rng.choice(seen["moves"])
        await players[seat].wish(
            game_id, type="play", key=f"move-no-{seen['number']}", number=seen["number"], move=move
        )
    return moves
