"""Every game that was stored replays to the same result, by verifiers that know nothing of each other.

The games are those that are kept with the sources (`records/`), and new ones that people play on a server. Each is
verified from its seed, played again by the compiled engine, folded into its short form and back, and told again by a
server that has forgotten it; a game of Azul also by `scripts/verify_azul.py`, which uses nothing of ours.
"""

import asyncio
import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from tessella import fast
from tessella.core import record, short
from tessella.core.game import AnyGame, BadNotation
from tessella.games import GAMES
from tessella.prove import Ask, Figure, Report
from tessella.prove.play import Client, play_on, sit_down
from tessella.prove.tap import Call, Tap, body_of, tapped
from tessella.prove.worlds import configs
from tessella.server.replays import replay_record
from tessella.terminal.progress import progress

SOURCES = Path(__file__).parents[3]
"""Where the sources lie, if this was not installed without them."""

TWINS: Mapping[str, Any] = {"azul": fast.azul, "blockers": fast.blockers, "duel": fast.duel}


def prove(ask: Ask) -> Report:
    """Verify all games of the sources, and so many new ones of each title."""
    kept = list(_kept())
    new = asyncio.run(_play(ask))
    failures = [f"{name}: {why}" for name, whole in progress([*kept, *new], "verify") for why in _wrong(whole)]
    independent = sum(whole.game == "azul" for _, whole in (*kept, *new)) if _independent() else 0
    return Report(
        (
            Figure("kept_games", len(kept), words="in records/"),
            Figure("new_games", len(new), at_least=3 * ask.size, words="played on a server"),
            Figure("independently", independent, words="verified by scripts/verify_azul.py too"),
            Figure("wrong", len(failures), at_most=0, words="games that do not replay to what is written"),
        ),
        tuple(failures),
    )


def _kept() -> Iterator[tuple[str, record.Record]]:
    for path in sorted(SOURCES.glob("records/*/*.game")):
        yield str(path.relative_to(SOURCES)), record.read(path.read_text("utf-8"))


# New games


async def _play(ask: Ask) -> list[tuple[str, record.Record]]:
    games: list[tuple[str, record.Record]] = []
    async with tapped() as tap:
        players = [await Client.arrive(tap, f"Player {seat}") for seat in range(5)]
        for number in progress(range(ask.size), "play"):
            for game in GAMES.values():
                rng = Random(f"{ask.seed} {game.NAME} {number}")
                games.append((f"{game.NAME} {number}", await _play_one(tap, players, game, rng, number)))
    return games


async def _play_one(tap: Tap, players: list[Client], game: AnyGame, rng: Random, number: int) -> record.Record:
    """A whole game; the server forgets it, and must know it again."""
    kinds = configs(game)
    rules = record.write_rules(game, kinds[number % len(kinds)])
    options = dict(word.split("=", 1) for word in rules.split(" ")[1:])
    here = players[: int(options.pop("seats"))]
    tap.now += 3600.0
    game_id = await sit_down(here, game.NAME, options)
    while await play_on(here, game_id, rng, moves=100):
        tap.now += 3600.0
    asked = Call("GET", f"/api/games/{game_id}/record")
    before = body_of(await tap.ask(asked))
    tap.host.rooms.clear()
    after = body_of(await tap.ask(asked))
    assert before == after, f"{game_id} is remembered differently"
    return record.read(json.loads(after)["record"])


# Verifiers


def _wrong(whole: record.Record) -> Iterator[str]:
    """What is wrong with a game."""
    game = GAMES[whole.game]
    for name, verify in VERIFIERS.items():
        try:
            verify(game, whole)
        except (BadNotation, AssertionError) as wrong:
            yield f"{name}: {wrong}"


def _from_seed(game: AnyGame, whole: record.Record) -> None:
    assert record.verify(game, whole) > 0, "it has no deals"
    assert record.read(record.write(whole)) == whole, "it is not written as it is read"


def _compiled(game: AnyGame, whole: record.Record) -> None:
    """By the engine that shares no line with the readable one."""
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
    assert short.expand(game, short.shorten(game, whole)).acts == whole.acts, "its short form is another game"


def _told_again(game: AnyGame, whole: record.Record) -> None:  # noqa: ARG001
    told = replay_record(whole, None)
    assert told.table.end is not None, "the server does not know that it is over"
    assert (told.table.end.scores, told.table.end.places) == (whole.scores, whole.places), "the server counts otherwise"
    assert record.read(told.record) == whole, "the server writes another record"


def _by_the_script(game: AnyGame, whole: record.Record) -> None:
    verify = _independent()
    if game is GAMES["azul"] and verify is not None:
        verify(record.write(replace(whole, names=())))


def _independent() -> Callable[[str], str] | None:
    """The verifier that uses nothing of ours; None where it was not installed."""
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
    "told again": _told_again,
    "verify_azul.py": _by_the_script,
}
