"""People who play whole games through the HTTP API of a server in this process."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from proofs.in_process_server import Call, InProcessServer, body_of, cookie_of, status_of
from tessella.core import dice

MOST_ACTS = 2_000


class UnexpectedAnswer(AssertionError):
    """The server did not answer as it must."""


class Client:
    """A person with a cookie or a token."""

    def __init__(self, server: InProcessServer, secret: str) -> None:
        self.server = server
        self.secret = secret

    @classmethod
    async def arrive(cls, server: InProcessServer, name: str) -> "Client":
        """Return a new guest."""
        return cls(server, cookie_of(await server.ask(Call("POST", "/api/session", {"name": name}))))

    async def enter(self, path: str, body: Mapping[str, object]) -> "Client":
        """Log in, or become a member: the same person with another cookie."""
        return Client(self.server, cookie_of(await self.server.ask(Call("POST", path, body, self.secret))))

    async def ask(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        """Return the server's answer; the status must be a success."""
        answers = await self.server.ask(Call(method, path, body, self.secret))
        if status_of(answers) >= 300:
            raise UnexpectedAnswer(f"{method} {path}: {status_of(answers)} {body_of(answers)!r}")
        return json.loads(body_of(answers))

    async def status(self, method: str, path: str, body: Mapping[str, object] | None = None) -> int:
        """Return the status of the response."""
        return status_of(await self.server.ask(Call(method, path, body, self.secret)))

    async def send(self, game_id: str, **command: object) -> Any:
        """Send a command to a table."""
        return await self.ask("POST", f"/api/games/{game_id}/act", {"request": command})


async def sit_down(
    players: Sequence[Client], title: str, options: Mapping[str, str] | None = None, **more: object
) -> str:
    """Open a table, take a seat, and add to its dice; return its id."""
    first, *others = players
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in others)]
    terms = {"title": title, "seats": seats, "options": dict(options or {}), **more}
    made = await first.ask("POST", "/api/games", terms)
    for other, invitation in zip(others, made["invitations"], strict=True):
        await other.ask("POST", f"/api/games/{made['id']}/join", {"secret": invitation["secret"]})
    await throw_dice(players, made["id"])
    return str(made["id"])


async def throw_dice(players: Sequence[Client], game_id: str) -> None:
    """Let all players commit to a number and reveal it; then the game begins."""
    numbers = [bytes([seat]) * 32 for seat in range(len(players))]
    for seat, player in enumerate(players):
        digits = dice.pledge(game_id, seat, numbers[seat]).hex()
        await player.send(game_id, type="pledge", key=f"pledge-{seat}", pledge=digits)
    for seat, player in enumerate(players):
        await player.send(game_id, type="reveal", key=f"reveal-{seat}", number=numbers[seat].hex())


async def play_on(players: Sequence[Client], game_id: str, rng: Random, moves: int = MOST_ACTS) -> int:
    """Make at most `most` random moves, and return how many were made."""
    for made in range(moves):
        table = await players[0].ask("GET", f"/api/games/{game_id}")
        if table["status"] == "over":
            return made
        seat: int = rng.choice(table["movers"])
        seen = await players[seat].ask("GET", f"/api/games/{game_id}")
        move = rng.choice(seen["moves"])
        await players[seat].send(
            game_id, type="play", key=f"move-no-{seen['number']}", number=seen["number"], move=move
        )
    return moves
