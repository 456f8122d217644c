"""Where a game is played: at this keyboard, or at a server. The screen knows only `Table`, and shows its scenes.

A table tells a scene whenever something happened: the view of who looks, what they may play, and what they saw
happen. It never waits for the screen: who reads slowly sees the scenes later.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from tessella.core import wire
from tessella.core.game import AnyGame, Over, Public, Seat, View
from tessella.core.record import Record, Step
from tessella.core.record import Table as Kept
from tessella.terminal.play import has_secrets

AnyKept: TypeAlias = Kept[Any, Any, Any, Any, Any, Any, Any]
AnyStep: TypeAlias = Step[Any, Any, Any, Any]
Status: TypeAlias = Literal["open", "dice", "playing", "paused", "over"]
Wish: TypeAlias = Literal["start", "leave", "resign", "return", "pause", "resume", "abort", "rematch", "decline"]


class Happened(Struct, frozen=True):
    """What one move, or anything else at the table, showed to who looks."""

    seat: Seat | None
    text: str
    """The move in notation; nothing if it was none, or is not for these eyes."""
    events: tuple[Public, ...] = ()
    what: str = "played"


class Chair(Struct, frozen=True):
    """Who sits there, and what one must know of them."""

    name: str
    computer: bool = False
    stand_in: bool = False
    """Whether a computer player plays for somebody who left."""
    resigned: bool = False
    """Whether they gave up: who did cannot come back."""
    away: bool = False
    seconds: float | None = None
    """What is left on the clock; None without clocks."""


class Scene(Struct, frozen=True):
    """The table as who looks may see it now."""

    view: View
    chairs: tuple[Chair, ...]
    moves: tuple[str, ...] = ()
    past: tuple[Happened, ...] = ()
    """All that has happened, as who looks saw it; the last `fresh` of it is new to them."""
    fresh: int = 0
    status: Status = "playing"
    movers: tuple[Seat, ...] = ()
    result: Over | None = None
    """Who won, when the game is over; None also if it was stopped without a result."""
    ended: str = ""
    """Why the game ended before its time: somebody resigned, or all agreed to stop."""
    next_to_sit: Seat | None = None
    """Who must sit down before anything may be shown that is not for all."""
    links: tuple[str, ...] = ()
    """Invitations to the free seats."""
    asked: str = ""
    """What somebody asks all to agree to: a pause, a rematch."""
    refusal: tuple[str, str] | None = None
    """What the server has just refused: by which rule, and why."""
    at: float = 0.0
    """When this was told, by the clock of the screen."""

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called."""
        return tuple(chair.name for chair in self.chairs)

    @property
    def own(self) -> Chair | None:
        """The chair of who looks."""
        return None if self.view.seat is None else self.chairs[self.view.seat]

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """What makes sense to ask of a server now."""
        if self.own is None or self.status == "open":
            return ()
        if self.status in ("dice", "over"):
            return ("start",) if self.status == "dice" else ("rematch",)
        if self.own.resigned:
            return ()
        back: Wish = "return" if self.own.stand_in else "leave"
        answer: tuple[Wish, ...] = ("decline",) if self.asked else ()
        return (back, *answer, "resume" if self.status == "paused" else "pause", "abort", "resign")


Tell: TypeAlias = Callable[[Scene], None]


class Table(Protocol):
    """A table, wherever it stands."""

    @property
    def game(self) -> AnyGame:
        """What is played."""
        ...

    @property
    def online(self) -> bool:
        """Whether it stands at a server."""
        ...

    @property
    def line(self) -> str:
        """How the line to the server is: live, lost, connecting; or what it refused."""
        ...

    async def run(self, tell: Tell) -> None:
        """Let the game go on until it is over, telling every scene."""
        ...

    def play(self, text: str) -> None:
        """Make a move of who looks; it is legal."""
        ...

    def sit(self, seat: Seat) -> None:
        """Somebody sits down who alone looks at the screen now."""
        ...

    def wish(self, what: Wish) -> None:
        """Ask the server for anything that is not a move."""
        ...

    def record(self) -> Record | None:
        """The game as text, to be kept in a file; None as long as the server does not give it."""
        ...


# At this keyboard


class Here:
    """A table at this keyboard: people take turns at it, computer players think in a process of their own."""

    online = False
    line = "live"

    def __init__(self, kept: AnyKept, bots: Mapping[Seat, str]) -> None:
        self.kept = kept
        self.game: AnyGame = kept.game
        self.bots = bots
        names = kept.record().names
        self.chairs = tuple(Chair(name, computer=seat in bots) for seat, name in enumerate(names))
        self.people = [seat for seat in range(len(names)) if seat not in bots]
        self.looking = self.people[0] if len(self.people) == 1 else None
        self._private = False
        """Whether who looks must be alone with what is shown."""
        self._seen: dict[Seat | None, int] = {}
        self._wishes: asyncio.Queue[str] = asyncio.Queue()
        self._seated = asyncio.Event()
        self._thinker = Thinker()
        self._tell: Tell = nobody

    async def run(self, tell: Tell) -> None:
        """Computer players first: where several may move, nobody waits for another."""
        self._tell = tell
        try:
            while seats := self.kept.seats:
                thinking = [seat for seat in seats if seat in self.bots]
                await (self._think(thinking[0]) if thinking else self._ask(seats[0]))
            self.looking = self.people[0] if len(self.people) == 1 else None
            self._private = False
            self._show()
        finally:
            self._thinker.stop()

    async def _think(self, seat: Seat) -> None:
        self._show()
        view = self.game.view(self.kept.state, seat)
        text = await self._thinker.think(self.game.NAME, self.bots[seat], view)
        self._play(seat, text)

    async def _ask(self, seat: Seat) -> None:
        await self._seat(seat)
        self._show(*self._moves(seat))
        self._play(seat, await self._wishes.get())

    async def _seat(self, seat: Seat) -> None:
        """Where something is hidden, the next person sits down before it is shown."""
        secrets = len(self.people) > 1 and has_secrets(self.game, self.kept.state, len(self.chairs))
        if secrets and not (self._private and self.looking == seat):
            self._seated.clear()
            self._show(next_to_sit=seat)
            await self._seated.wait()
        self.looking, self._private = seat, secrets

    def _play(self, seat: Seat, text: str) -> None:
        self.kept.play(self.game.read_move(self.kept.state, seat, text))

    def play(self, text: str) -> None:
        """Make a move of who looks."""
        self._wishes.put_nowait(text)

    def sit(self, seat: Seat) -> None:
        """Somebody sits down."""
        self.looking, self._private = seat, True
        self._seated.set()

    def wish(self, what: Wish) -> None:
        """Nobody is here to grant anything."""

    def record(self) -> Record | None:
        """The game so far, whole: for the file that its owner asked for."""
        return self.kept.record()

    def _moves(self, seat: Seat) -> tuple[str, ...]:
        state = self.kept.state
        return tuple(self.game.write_move(state, move) for move in self.game.legal_moves(state, seat))

    def _show(self, *moves: str, next_to_sit: Seat | None = None) -> None:
        looks = self.looking if self._private or next_to_sit is None else None
        past = tuple(happened(self.game, self.kept.steps, looks))
        readers: Sequence[Seat | None] = [looks] if self._private else [*self.people, None]
        fresh = len(past) - min(self._seen.get(reader, 0) for reader in readers)
        self._seen |= dict.fromkeys(readers, len(past))
        seats = self.kept.seats
        self._tell(
            Scene(
                view=self.game.view(self.kept.state, looks),
                chairs=self.chairs,
                moves=moves,
                past=past,
                fresh=fresh,
                status="playing" if seats else "over",
                movers=seats,
                result=turn if isinstance(turn := self.kept.turn, Over) else None,
                next_to_sit=next_to_sit,
            )
        )


def nobody(scene: Scene) -> None:
    """Nobody looks."""


def happened(game: AnyGame, steps: Iterable[AnyStep], seat: Seat | None) -> list[Happened]:
    """What a seat, or a spectator, saw: each move with the deals after it."""
    found: list[Happened] = []
    for step in steps:
        witnessed = [game.witness(event, seat) for event in step.events]
        events = tuple(event for event in witnessed if event is not None)
        if step.seat is None and found:
            found[-1] = msgspec.structs.replace(found[-1], events=found[-1].events + events)
        else:
            hidden = step.seat is None or game.owner(step.act) not in (None, seat)
            found.append(Happened(step.seat, "" if hidden else step.text.rpartition(":")[2], events))
    return found


# Thinking


class Thinker:
    """A process in which computer players think, so that the screen never waits for them."""

    def __init__(self) -> None:
        self._process: Popen[bytes] | None = None

    async def think(self, game: str, bot: str, view: View) -> str:
        """The move that a computer player chooses from a view, in notation."""
        self._process = self._process or Popen(_THINK, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)  # noqa: S603  our own program
        question = f"{game} {bot} ".encode() + wire.encode(view) + b"\n"
        return await asyncio.to_thread(_ask, self._process, question)

    def stop(self) -> None:
        """Think no more; at once, so that it is done also while the program ends."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError), self._process:
                pass
            self._process = None


_THINK = (sys.executable, "-m", "tessella.terminal.screen.thinker")


def _ask(process: Popen[bytes], question: bytes) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(question)
    process.stdin.flush()
    answer = process.stdout.readline()
    assert answer, "the thinker is gone"
    return answer.decode().strip()
