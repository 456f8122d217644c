"""One game between bots, which see only views, with the thinking time of each move.

A bot that makes an illegal move, raises an exception or far exceeds its time forfeits; the others share the win. So
does an engine in a process of its own that ends, does not answer or breaks the protocol. The time of an engine is
wall-clock time. Where this is a virtual machine, the time for which its host withheld the processors is not a bot's.
"""

import contextlib
import os
import signal
import time
from collections.abc import Generator
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from msgspec import Struct

from tessella.arena.contest import Fixture, make, read_player
from tessella.bots import Bot
from tessella.core.game import Chance, Choose, Move, Over, Seat
from tessella.core.record import read_rules, write_act
from tessella.engine.process import EngineError, EnginePool, EngineProcess, engine_bot

FORFEIT_FACTOR = 2.0
"""A bot that thinks longer than its seconds times this forfeits."""
INTERRUPT_FACTOR = 3.0
"""A bot is interrupted after its seconds times this, plus the grace period."""
GRACE_SECONDS = 1.0
"""Grace period, and interval at which the interrupt is repeated: Python may be unable to handle it during cleanup."""


SEEDS = 2**31

CLOCK_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""In how many parts of a second the system counts processor time."""

ENGINES = EnginePool()
"""Engines of this process that wait for their next game."""
Finalize(None, ENGINES.close, exitpriority=0)  # unlike atexit, it also runs in the processes of a pool


class Result(Struct, frozen=True):
    """How a game ended. Without scores it was forfeited, by seat `forfeit` for the reason `why`."""

    fixture: Fixture
    places: tuple[int, ...]
    scores: tuple[int, ...] = ()
    first: Seat = 0
    moves: int = 0
    times: tuple[tuple[int, ...], ...] = ()
    """Thinking time of every move of every seat, in microseconds: of thread CPU time, or of the clock for an engine."""
    forfeit: Seat | None = None
    why: str = ""
    deals: int = 0
    """The number of deals; in Azul, the number of rounds."""
    acts: tuple[str, ...] = ()
    """Every move and deal as a record has them, in a game that was just played; files of results leave them out."""
    stolen: int = 0
    """Microseconds of thinking time that were the host's, not the bots'; files of results leave it out, too."""

    def share(self, seat: Seat) -> float:
        """Return a seat's share of the win: 1, 0, or a fraction of a shared first place."""
        return (self.places[seat] == 1) / self.places.count(1)


class Forfeited(Exception):
    """The bot of this seat broke the rules of the arena."""

    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def play(fixture: Fixture) -> Result:
    """Play the game to its end and return the result."""
    for text in sorted({*fixture.players}):
        _warm_up(fixture.rules, text)
    table = _Table(fixture)
    try:
        with contextlib.ExitStack() as stack:
            over = table.play(stack)
    except Forfeited as exc:
        places = tuple(1 + (seat == exc.seat) * (len(fixture.players) - 1) for seat in range(len(fixture.players)))
        return table.result(places, forfeit=exc.seat, why=str(exc))
    return table.result(over.places, over.scores)


class _Table:
    """A game in progress."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.game = fixture.game
        self.players = [read_player(text) for text in fixture.players]
        self.bots: list[Bot] = []
        self.rngs = [fixture.rng(seat) for seat in range(len(self.players))]
        self.times: list[list[int]] = [[] for _ in self.players]
        self.movers: list[Seat] = []
        self.deals = 0
        self.acts: list[str] = []
        self.stolen = 0

    def play(self, stack: contextlib.ExitStack) -> Over:
        """Deal and let the bots move until the game is over; return the result. The stack returns the engines."""
        self.bots = [self._bot(seat, stack) for seat in range(len(self.players))]
        dice = self.fixture.dice()
        state = self.game.setup(read_rules(self.game, self.fixture.rules))
        while True:
            match self.game.turn(state):
                case Chance():
                    state = self._apply(state, self.game.deal(state, dice.stream(self.deals)))
                    self.deals += 1
                case Choose(seats=(seat, *_)):
                    state = self._apply(state, self._move(state, seat))
                case Over() as over:
                    return over
                case Choose():
                    raise AssertionError("no seat to move")

    def _apply(self, state: Any, act: Any) -> Any:  # noqa: ANN401  of whatever game is played
        self.acts.append(write_act(self.game, state, act))
        return self.game.apply(state, act)[0]

    def _bot(self, seat: Seat, stack: contextlib.ExitStack) -> Bot:
        """Return the bot of a seat: a new one, or an engine that begins a new game."""
        command = self.players[seat].command
        if not command:
            return make(self.game, self.players[seat])
        try:
            engine: EngineProcess = stack.enter_context(ENGINES.lend(command))
            engine.new_game(self.fixture.rules, self.rngs[seat].randrange(SEEDS))
        except EngineError as exc:
            raise Forfeited(seat, str(exc)) from exc
        return engine_bot(self.game, engine)

    def _move(self, state: object, seat: Seat) -> Move:
        """Ask a bot for a move; return our own equal copy of it, not the bot's object."""
        chosen = self._think(seat, self.game.view(state, seat))
        legal = self.game.legal_moves(state, seat)
        if chosen not in legal:
            raise Forfeited(seat, f"illegal move {chosen!r}")
        self.movers.append(seat)
        move: Move = legal[legal.index(chosen)]
        return move

    def _think(self, seat: Seat, view: object) -> Move | None:
        budget, chosen = self.players[seat].budget, None
        clock = time.perf_counter_ns if self.players[seat].command else time.thread_time_ns
        withheld = withheld_microseconds() if budget.seconds else 0
        began = clock()
        try:
            with interrupted(budget.seconds):
                chosen = self.bots[seat](view, budget, self.rngs[seat])
        except EngineError as exc:
            raise Forfeited(seat, str(exc)) from exc
        except Exception as exc:  # a bot may fail in any way
            raise Forfeited(seat, f"{type(exc).__name__}: {exc}") from exc
        took = self._without_stolen((clock() - began) // 1000, budget.seconds, withheld)
        self.times[seat].append(took)
        if budget.seconds is not None and took > FORFEIT_FACTOR * budget.seconds * 1e6:
            raise Forfeited(seat, f"thought {took / 1e6:.3f} s of {budget.seconds:g} s")
        return chosen

    def _without_stolen(self, took: int, seconds: float | None, withheld: int) -> int:
        """Return a time without what the host withheld meanwhile; only what exceeds the budget can be the host's."""
        if seconds is None or took <= seconds * 1e6:
            return took
        stolen = min(took - int(seconds * 1e6), withheld_microseconds() - withheld)
        self.stolen += stolen
        return took - stolen

    def result(
        self, places: tuple[int, ...], scores: tuple[int, ...] = (), *, forfeit: Seat | None = None, why: str = ""
    ) -> Result:
        """Return the result of the game."""
        first = self.movers[0] if self.movers else 0
        times = tuple(map(tuple, self.times))
        moves, acts = len(self.movers), tuple(self.acts)
        return Result(self.fixture, places, scores, first, moves, times, forfeit, why, self.deals, acts, self.stolen)


def withheld_microseconds() -> int:
    """Return for how long the host has withheld processors from this machine since it started; 0 if it does not say."""
    try:
        with Path("/proc/stat").open() as lines:
            counts = lines.readline().split()
    except OSError:
        return 0
    return int(counts[8]) * 1_000_000 // CLOCK_TICKS if len(counts) > 8 else 0


class _TimeUp(BaseException):
    """Interrupts a bot, even one that catches every `Exception`."""


@contextlib.contextmanager
def interrupted(seconds: float | None) -> Generator[None]:
    """Interrupt code that runs far beyond its time; compiled code is interrupted only when it returns."""
    if seconds is None or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, INTERRUPT_FACTOR * seconds + GRACE_SECONDS, GRACE_SECONDS)
    try:
        with contextlib.suppress(_TimeUp):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _end(_signal: int, _frame: object) -> None:
    raise _TimeUp


@cache
def _warm_up(rules: str, text: str) -> None:
    """Let a bot make one untimed move, once per process, so that it loads what it needs."""
    fixture = Fixture(rules, 0, 0, (text,))
    game, player, dice = fixture.game, read_player(text), fixture.dice()
    if player.command:  # an engine loads what it needs when its game begins
        return
    state = game.setup(read_rules(game, rules))
    deals = 0
    while isinstance(turn := game.turn(state), Chance):
        state, _ = game.apply(state, game.deal(state, dice.stream(deals)))
        deals += 1
    assert isinstance(turn, Choose)
    with contextlib.suppress(Exception), interrupted(player.budget.seconds):  # it will fail again in the game
        make(game, player)(game.view(state, turn.seats[0]), player.budget, fixture.rng(0))
