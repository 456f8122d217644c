"""Bots know no more than a person in their seat: another hidden state, the same view, the same move.

Every level of every game is asked in both states with the same seed, and a tenth of the pairs goes through the whole
server: a table whose bot is to move, with other hidden tiles and another seed in each state.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import count, cycle
from random import Random

from msgspec import Struct

from proofs import Ask, Figure, Report
from proofs.in_process_server import InProcessServer, serve_in_process
from proofs.noninterference import log_of
from proofs.twin_states import Line, configs, other_world, random_line
from tessella.bots import Budget, bot, names
from tessella.core import wire
from tessella.core.game import AnyGame, Choose, Seat
from tessella.games import GAMES
from tessella.progress import progress
from tessella.server.services.bot_runner import BotRunner
from tessella.server.store import Job
from tessella.table.log import Entry, Played, Sat, read_entry

NODES = 60
"""Search budget for levels that would search more: a longer search shows nothing more about peeking."""

PAIRS_OF_A_GAME = 10
THROUGH_THE_SERVER = 10
"""One pair in this many."""

QUICK = ("1", "2", "3", "greedy", "random")
"""Levels that move at once; on the server the others would use all their time."""


class Pair(Struct, frozen=True):
    """A game in two states, both before the move of the same seat."""

    game: AnyGame
    level: str
    seat: Seat
    worlds: tuple[Line, Line]

    @property
    def differs(self) -> bool:
        """Whether anything but the seed is hidden."""
        return self.worlds[0] != self.worlds[1]


def prove(ask: Ask) -> Report:
    """Ask the bots of each game in `ask.size` pairs of states."""
    return asyncio.run(_prove(ask))


async def _prove(ask: Ask) -> Report:
    figures: list[Figure] = []
    failures: list[str] = []
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(serve_in_process()) for _ in range(2)]
        for game in GAMES.values():
            different = 0
            for number, pair in zip(progress(range(ask.size), game.NAME), pairs(game, ask.seed), strict=False):
                different += pair.differs
                moves = await _moves(servers, pair, number)
                if moves[0] != moves[1]:
                    failures.append(f"{game.NAME}, pair {number}, {pair.level}: {moves[0]}, or {moves[1]}")
            words = f"of {len(names(game))} levels; in {different:,} something but the seed is hidden"
            figures.append(Figure(f"{game.NAME}_pairs", ask.size, note=words))
    figures.append(Figure("other_moves", len(failures), at_most=0, note="moves that depend on what is hidden"))
    return Report(tuple(figures), tuple(failures))


def pairs(game: AnyGame, seed: int) -> Iterator[Pair]:
    """Yield pairs without end, the same for the same seed, for one level after another."""
    levels, kinds = cycle(names(game)), configs(game)
    for number in count():
        rng = Random(f"bots {game.NAME} {seed} {number}")
        line = random_line(game, kinds[number % len(kinds)], rng)
        for _ in range(PAIRS_OF_A_GAME):
            part = line.until(rng.randrange(len(line.turns) - 1))
            seat = _mover(game, part, rng)
            yield Pair(game, next(levels), seat, (part, other_world(game, part, seat, rng)))


def _end(game: AnyGame, line: Line) -> object:
    state = game.setup(line.config)
    for act in line.acts:
        state, _ = game.apply(state, act)
    return state


def _mover(game: AnyGame, line: Line, rng: Random) -> Seat:
    turn = game.turn(_end(game, line))
    assert isinstance(turn, Choose)
    return rng.choice(turn.seats)


async def _moves(servers: Sequence[InProcessServer], pair: Pair, number: int) -> list[str]:
    """Return the moves that the level plays in the two states."""
    if number % THROUGH_THE_SERVER == 0:
        return [
            await _play(server, pair, line, f"bots-{number}", bytes([world]) * 32)
            for world, (server, line) in enumerate(zip(servers, pair.worlds, strict=True))
        ]
    return [_choose(pair, line, number) for line in pair.worlds]


def _choose(pair: Pair, line: Line, number: int) -> str:
    state = _end(pair.game, line)
    view = pair.game.view(state, pair.seat)
    move = bot(pair.game, pair.level)(view, Budget(nodes=NODES), Random(number))
    return pair.game.write_move(state, move) + f" from a view of {len(wire.encode(view))} bytes"


async def _play(server: InProcessServer, pair: Pair, line: Line, game_id: str, seed: bytes) -> str:
    """Let the server's own bot move at a table in this state."""
    level = pair.level if pair.level in QUICK else "greedy"
    log = [_with_bot(entry, pair.seat, level) for entry in log_of(pair.game, line)]
    await server.plant_game(game_id, log, seed)
    await BotRunner(server.host, "prover", Random(game_id)).move(Job(game_id, len(log) - 1))
    (stored, *_) = await server.host.store.log(game_id, len(log) - 1)
    await server.weed(game_id)
    entry = read_entry(stored.body)
    assert isinstance(entry, Played)
    return entry.acts[0]


def _with_bot(entry: Entry, seat: Seat, level: str) -> Entry:
    is_here = isinstance(entry, Sat) and entry.seat == seat
    return Sat(seat, f"bot {level}", level, level) if is_here else entry
