"""One game between computer players, who see only views, with the time that each move took.

Who makes an illegal move, breaks down or thinks far too long has lost; the others share the win.
"""

import contextlib
import signal
import time
from collections.abc import Generator
from functools import cache
from threading import current_thread, main_thread

from msgspec import Struct

from tessella.arena.contest import Fixture, make, read_player
from tessella.core.game import Chance, Choose, Move, Over, Seat
from tessella.core.record import read_rules

PATIENCE = 2.0
"""Who thinks longer than so many times its seconds, forfeits."""
LAST_CALL = 3.0
"""Who has not come back after so many times its seconds, is fetched."""
GRACE = 1.0
"""And after so many seconds more, in which Python may tidy up: there nobody hears a call, so it comes again."""


class Result(Struct, frozen=True):
    """How a game ended. Without scores it was forfeited, by that seat and for that reason."""

    fixture: Fixture
    places: tuple[int, ...]
    scores: tuple[int, ...] = ()
    first: Seat = 0
    moves: int = 0
    times: tuple[tuple[int, ...], ...] = ()
    """The thinking time of every move of every seat, in microseconds of thread CPU time."""
    forfeit: Seat | None = None
    why: str = ""
    deals: int = 0
    """How often chance had its turn; in Azul, the rounds."""

    def share(self, seat: Seat) -> float:
        """What a seat won: all, nothing, or its part of a shared first place."""
        return (self.places[seat] == 1) / self.places.count(1)


class Forfeited(Exception):
    """The bot of this seat broke the rules of the arena."""

    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(why)
        self.seat = seat


def play(fixture: Fixture) -> Result:
    """Play the game to its end."""
    for text in sorted({*fixture.players}):
        _warm_up(fixture.rules, text)
    table = _Table(fixture)
    try:
        over = table.play()
    except Forfeited as end:
        places = tuple(1 + (seat == end.seat) * (len(fixture.players) - 1) for seat in range(len(fixture.players)))
        return table.result(places, forfeit=end.seat, why=str(end))
    return table.result(over.places, over.scores)


class _Table:
    """A game while it is played."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        self.game = fixture.game
        self.players = [read_player(text) for text in fixture.players]
        self.bots = [make(self.game, player) for player in self.players]
        self.rngs = [fixture.rng(seat) for seat in range(len(self.players))]
        self.times: list[list[int]] = [[] for _ in self.players]
        self.movers: list[Seat] = []
        self.deals = 0

    def play(self) -> Over:
        """Deal and let the bots move until nobody is to act any more."""
        dice = self.fixture.dice()
        state = self.game.setup(read_rules(self.game, self.fixture.rules))
        while True:
            match self.game.turn(state):
                case Chance():
                    state, _ = self.game.apply(state, self.game.deal(state, dice.stream(self.deals)))
                    self.deals += 1
                case Choose(seats=(seat, *_)):
                    state, _ = self.game.apply(state, self._move(state, seat))
                case Over() as over:
                    return over
                case Choose():
                    raise AssertionError("somebody must be to move")

    def _move(self, state: object, seat: Seat) -> Move:
        """Ask a bot; what is applied is our own move, equal to the one it gave."""
        chosen = self._think(seat, self.game.view(state, seat))
        legal = self.game.legal_moves(state, seat)
        if chosen not in legal:
            raise Forfeited(seat, f"illegal move {chosen!r}")
        self.movers.append(seat)
        move: Move = legal[legal.index(chosen)]
        return move

    def _think(self, seat: Seat, view: object) -> Move | None:
        budget, chosen = self.players[seat].budget, None
        began = time.thread_time_ns()
        try:
            with interrupted(budget.seconds):
                chosen = self.bots[seat](view, budget, self.rngs[seat])
        except Exception as wrong:  # a bot may fail in any way
            raise Forfeited(seat, f"{type(wrong).__name__}: {wrong}") from wrong
        took = (time.thread_time_ns() - began) // 1000
        self.times[seat].append(took)
        if budget.seconds is not None and took > PATIENCE * budget.seconds * 1e6:
            raise Forfeited(seat, f"thought {took / 1e6:.3f} s of {budget.seconds:g} s")
        return chosen

    def result(
        self, places: tuple[int, ...], scores: tuple[int, ...] = (), *, forfeit: Seat | None = None, why: str = ""
    ) -> Result:
        """What is kept of the game."""
        first = self.movers[0] if self.movers else 0
        times = tuple(map(tuple, self.times))
        return Result(self.fixture, places, scores, first, len(self.movers), times, forfeit, why, self.deals)


class _Enough(BaseException):
    """Ends the thinking of a bot, even of one that catches every `Exception`."""


@contextlib.contextmanager
def interrupted(seconds: float | None) -> Generator[None]:
    """Stop what would never come back: not before its time is up for certain, and never inside compiled code."""
    if seconds is None or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _end)
    signal.setitimer(signal.ITIMER_PROF, LAST_CALL * seconds + GRACE, GRACE)  # again, if nobody heard it
    try:
        with contextlib.suppress(_Enough):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _end(_signal: int, _frame: object) -> None:
    raise _Enough


@cache
def _warm_up(rules: str, text: str) -> None:
    """Let a player make one move that nobody times: what it must load, it loads now, once in every process."""
    fixture = Fixture(rules, 0, 0, (text,))
    game, player, dice = fixture.game, read_player(text), fixture.dice()
    state = game.setup(read_rules(game, rules))
    deals = 0
    while isinstance(turn := game.turn(state), Chance):
        state, _ = game.apply(state, game.deal(state, dice.stream(deals)))
        deals += 1
    assert isinstance(turn, Choose)
    with contextlib.suppress(Exception), interrupted(player.budget.seconds):  # it will fail again where it counts
        make(game, player)(game.view(state, turn.seats[0]), player.budget, fixture.rng(0))
