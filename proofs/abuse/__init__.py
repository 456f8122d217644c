"""A malicious client can do nothing to other players, and little to the server.

Forged origins, other people's seats, tokens and invitations, guesses, floods, oversized and malformed messages, and
clients that do not read. Bad requests must be rejected, good ones must still be answered, and memory must stay bounded.
With enough guesses to be called an attack, a crowd does all that at once to a real worker, whose other tables must
hardly notice.
"""

import asyncio
import resource
from collections.abc import AsyncIterator, Callable, Mapping

from proofs import Ask, Figure, Report
from proofs.abuse import attacks, edges, flooded_tables
from proofs.abuse.askers import ask_too_much, fill_the_coach, live_beside_askers, lock_out
from proofs.abuse.bot_flood import flood_the_queue, live_beside_bots
from proofs.abuse.crowds import Neighbours, live_beside_a_crowd
from proofs.abuse.push_services import push_services
from proofs.abuse.scene import Scene
from proofs.in_process_server import serve_in_process
from proofs.load_clients import percentile
from proofs.play import UnexpectedAnswer, play_on
from tessella.progress import progress

MOST_GROWTH_MB = 100.0
MOST_LATER = 2.0
"""How many times longer the 99th percentile of confirmations may take because of the crowd."""

ENOUGH_FOR_A_CROWD = 300

Attack = Callable[[Scene], AsyncIterator[str]]
"""Yields a sentence for everything that should not have been possible."""


def prove(ask: Ask) -> Report:
    """Run every attack; the size is the number of guessed secrets and of malformed messages."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    failures: list[str] = []
    tried = refused = 0
    before = _megabytes()
    for name, attack in progress(list(ATTACKS.items()), "abuse"):
        async with serve_in_process() as server:
            scene = await Scene.set(server, ask)
            failures += [f"{name}: {failure}" for failure in await _suffer(attack, scene)]
            tried, refused = tried + scene.tried, refused + scene.refused
    return Report(
        (
            Figure(
                "attacks", len(ATTACKS), note=f"kinds, {tried:,} tries, {refused:,} of them answered as they must be"
            ),
            Figure("successes", len(failures), at_most=0, note="things that should not have been possible"),
            Figure("growth_mb", _megabytes() - before, at_most=MOST_GROWTH_MB, note="of memory during all attacks"),
            *(_beside(await live_beside_a_crowd(ask)) if ask.size >= ENOUGH_FOR_A_CROWD else ()),
            *(await live_beside_askers(ask) if ask.size >= ENOUGH_FOR_A_CROWD else ()),
            *(await live_beside_bots(ask) if ask.size >= ENOUGH_FOR_A_CROWD else ()),
        ),
        tuple(failures),
    )


def _beside(lived: Neighbours) -> tuple[Figure, ...]:
    quiet, crowded = (percentile(acks, 99) * 1_000 for acks in (lived.quiet, lived.crowded))
    later = f"slowest of a hundred confirmations at other tables: {quiet:.1f} ms without a crowd, {crowded:.1f} with it"
    return (
        Figure("crowd_asked", lived.asked, at_least=1, note="requests by a crowd that floods a real worker"),
        Figure("crowd_lost", lived.lost, at_most=0, note="tables at which a player was disconnected or rejected"),
        Figure("crowd_growth_mb", lived.grown_mb, at_most=MOST_GROWTH_MB, note="of memory growth of that worker"),
        Figure("crowd_ratio", lived.ratio, at_most=MOST_LATER, note=later, timed=True),
    )


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _suffer(attack: Attack, scene: Scene) -> list[str]:
    """Run an attack and return what it achieved; others must be able to play on after it."""
    failures: list[str] = []
    try:
        failures += [failure async for failure in attack(scene)]
        scene.server.now += 3600.0
        if await play_on([scene.ann, scene.bob], scene.game, scene.rng, moves=2) < 2:
            failures.append("the others cannot play on")
    except (UnexpectedAnswer, LookupError, TimeoutError) as exc:
        failures.append(f"the server no longer answers as it must: {exc!r}")
    if failed := scene.server.failures:
        failures.append(f"{failed} requests failed with 500")
        scene.server.expected_failures += failed
    return failures


ATTACKS: Mapping[str, Attack] = {
    "forged origin": attacks.forged_origin,
    "another seat": attacks.another_seat,
    "another's account": attacks.anothers_account,
    "another's club": attacks.anothers_club,
    "guessed links": attacks.guessed_links,
    "common passwords": attacks.common_passwords,
    "wrong passwords": lock_out,
    "floods": attacks.floods,
    "expensive askers": ask_too_much,
    "a flood of bots": flood_the_queue,
    "the coach": fill_the_coach,
    "oversized": attacks.oversized,
    "senseless": attacks.senseless,
    "slow readers": attacks.slow_readers,
    "many connections": attacks.many_connections,
    "listed tables": flooded_tables.listed_tables,
    "tables without end": flooded_tables.tables_without_end,
    "another's table": flooded_tables.anothers_table,
    "push services": push_services,
    "weak headers": attacks.weak_headers,
    "weak cookies": attacks.weak_cookies,
    "failures": edges.failures,
    "foreign cookies": edges.foreign_cookies,
}
