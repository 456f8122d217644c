"""Every stored game replays to the same result, by independent verifiers.

The games are those in `records/`, and new ones that people play on a server. Each is verified from its seed, replayed
by the compiled engine, converted to its short form and back, and served again by a server that has dropped it from
memory; a game of Azul is also verified by `scripts/verify_azul.py`, which uses none of our code.
"""

import asyncio
import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from proofs import Ask, Figure, Report
from proofs.in_process_server import Call, InProcessServer, body_of, serve_in_process
from proofs.play import Client, play_on, sit_down
from proofs.twin_states import configs
from tessella import fast
from tessella.core import link, record
from tessella.core.game import AnyGame, BadNotation
from tessella.games import GAMES
from tessella.progress import progress
from tessella.table.replay import replay_record

SOURCES = Path(__file__).parents[1]
"""The root of the repository."""

TWINS: Mapping[str, Any] = {"azul": fast.azul, "blockers": fast.blockers, "duel": fast.duel}


def prove(ask: Ask) -> Report:
    """Verify all games in `records/`, and `ask.size` new ones of each title."""
    kept = list(_kept())
    new = asyncio.run(_play(ask))
    failures = [f"{name}: {why}" for name, whole in progress([*kept, *new], "verify") for why in _wrong(whole)]
    independent = sum(whole.game == "azul" for _, whole in (*kept, *new)) if _independent() else 0
    return Report(
        (
            Figure("kept_games", len(kept), note="in records/"),
            Figure("new_games", len(new), at_least=3 * ask.size, note="played on a server"),
            Figure("independently", independent, note="verified by scripts/verify_azul.py too"),
            Figure("wrong", len(failures), at_most=0, note="games that do not replay to what is written"),
        ),
        tuple(failures),
    )


def _kept() -> Iterator[tuple[str, record.Record]]:
    for path in sorted(SOURCES.glob("records/*/*.game")):
        yield str(path.relative_to(SOURCES)), record.read(path.read_text("utf-8"))


# New games


async def _play(ask: Ask) -> list[tuple[str, record.Record]]:
    games: list[tuple[str, record.Record]] = []
    async with serve_in_process() as server:
        players = [await Client.arrive(server, f"Player {seat}") for seat in range(5)]
        for number in progress(range(ask.size), "play"):
            for game in GAMES.values():
                rng = Random(f"{ask.seed} {game.NAME} {number}")
                games.append((f"{game.NAME} {number}", await _play_one(server, players, game, rng, number)))
    return games


async def _play_one(
    server: InProcessServer, players: list[Client], game: AnyGame, rng: Random, number: int
) -> record.Record:
    """Play a whole game; the server drops it, and must load it again."""
    kinds = configs(game)
    rules = record.write_rules(game, kinds[number % len(kinds)])
    options = dict(word.split("=", 1) for word in rules.split(" ")[1:])
    here = players[: int(options.pop("seats"))]
    server.now += 3600.0
    game_id = await sit_down(here, game.NAME, options)
    while await play_on(here, game_id, rng, moves=100):
        server.now += 3600.0
    asked = Call("GET", f"/api/games/{game_id}/record")
    before = body_of(await server.ask(asked))
    server.host.rooms.clear()
    after = body_of(await server.ask(asked))
    assert before == after, f"{game_id} is remembered differently"
    return record.read(json.loads(after)["record"])


# Verifiers


def _wrong(whole: record.Record) -> Iterator[str]:
    """Yield what is wrong with a game."""
    game = GAMES[whole.game]
    for name, verify in VERIFIERS.items():
        try:
            verify(game, whole)
        except (BadNotation, AssertionError) as exc:
            yield f"{name}: {exc}"


def _from_seed(game: AnyGame, whole: record.Record) -> None:
    assert record.verify(game, whole) > 0, "it has no deals"
    assert record.read(record.write(whole)) == whole, "it is not written as it is read"


def _compiled(game: AnyGame, whole: record.Record) -> None:
    """Replay with the compiled engine."""
    twin = None
    for step in record.replay(game, whole):
        twin = twin or TWINS[game.NAME].from_state(step.before)
        if step.seat is None:
            twin.deal_these(step.act)
        else:
            number = twin.from_move(step.act)
            assert number in twin.moves(), f"the compiled engine refuses {step.text}"
            twin.apply(number)
    assert twin is not None
    assert (twin.scores(), twin.places()) == (whole.scores, whole.places), "the compiled engine counts otherwise"


def _shortened(game: AnyGame, whole: record.Record) -> None:
    assert link.expand(game, link.shorten(game, whole)).acts == whole.acts, "its short form is another game"


def _served_again(game: AnyGame, whole: record.Record) -> None:  # noqa: ARG001
    served = replay_record(whole, None)
    assert served.table.end is not None, "the server does not know that it is over"
    assert (served.table.end.scores, served.table.end.places) == (whole.scores, whole.places), (
        "the server counts otherwise"
    )
    assert record.read(served.record) == whole, "the server writes another record"


def _by_the_script(game: AnyGame, whole: record.Record) -> None:
    verify = _independent()
    if game is GAMES["azul"] and verify is not None:
        verify(record.write(replace(whole, names=())))


def _independent() -> Callable[[str], str] | None:
    """Return the verifier that uses none of our code; None without its script."""
    path = SOURCES / "scripts" / "verify_azul.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("verify_azul", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    verify: Callable[[str], str] = module.verify
    return verify


VERIFIERS: Mapping[str, Callable[[AnyGame, record.Record], None]] = {
    "from its seed": _from_seed,
    "compiled": _compiled,
    "short form": _shortened,
    "served again": _served_again,
    "verify_azul.py": _by_the_script,
}
