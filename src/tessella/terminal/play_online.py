"""A game on a server in plain text: every event is printed as it happens, and the player may type at any time."""

import asyncio
import sys
from random import Random
from time import monotonic
from typing import Any, get_args

from tessella.core import record
from tessella.core.game import BadNotation, Seat, View
from tessella.local.hot_seat import HistoryEntry
from tessella.protocol.messages import Phrase
from tessella.terminal.client import Snapshot
from tessella.terminal.console import Console
from tessella.terminal.lines import Lines
from tessella.terminal.online import OnlineClient
from tessella.terminal.play import PlainText, Stopped
from tessella.text.narration import narrate, standings
from tessella.text.renderers import ledger
from tessella.text.style import Style

PHRASES: tuple[Phrase, ...] = get_args(Phrase)

RECORD_SECONDS = 3.0
"""How long to wait for the record of a finished game before leaving."""


class PlainOnlineGame(PlainText):
    """A game on a server in plain text. What can be asked of the server is typed as a word: `resign`, `rematch`."""

    def __init__(self, client: OnlineClient, style: Style, console: Console) -> None:
        super().__init__(client.game, style, console)
        self.client = client
        self._snapshot: Snapshot | None = None
        self._links: tuple[str, ...] = ()
        self._line = ""
        """The state of the connection, or what is being waited for, as last printed."""
        self._asked_at = -1
        """The length of the history when a move was last asked for."""
        self._considered = ""
        """The move whose effect was printed and that is to be confirmed."""

    # What the player may type about

    @property
    def _now(self) -> Snapshot:
        assert self._snapshot is not None
        return self._snapshot

    @property
    def state(self) -> Any:  # noqa: ANN401
        """A state that looks the same to the player as the true one."""
        return self.game.imagine(self._now.view, Random(0))  # noqa: S311  no dice are thrown

    def _view(self, seat: Seat) -> View:  # noqa: ARG002  a server shows one's own view only
        return self._now.view

    def _record(self) -> str:
        played = self.client.record()
        return self.style.texts("hidden") if played is None else record.write(played)

    # The game

    async def run(self, lines: Lines) -> None:
        """Play until the player quits; raise `BadNotation` if the server does not let the player in."""
        snapshots: asyncio.Queue[Snapshot] = asyncio.Queue()
        work = asyncio.create_task(self.client.run(snapshots.put_nowait))
        lines.start()
        try:
            await self._serve(snapshots, lines.queue, work)
        except Stopped:
            await self._wait_for_record()
            self.say("\n" + self.style.texts("stopped"))
        finally:
            lines.stop()
            work.cancel()

    async def _wait_for_record(self) -> None:
        """Give the record of a game that has just ended a moment to arrive."""
        until = monotonic() + RECORD_SECONDS
        is_over = self._snapshot is not None and self._snapshot.status == "over" and self._snapshot.ended != "closed"
        while is_over and self.client.record() is None and monotonic() < until:
            await asyncio.sleep(0.05)

    async def _serve(
        self, snapshots: asyncio.Queue[Snapshot], lines: asyncio.Queue[str | None], work: asyncio.Task[None]
    ) -> None:
        shown, typed = asyncio.ensure_future(snapshots.get()), asyncio.ensure_future(lines.get())
        while True:
            self._print_connection()
            await asyncio.wait((shown, typed, work), timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
            if shown.done():
                self._show(shown.result())
                shown = asyncio.ensure_future(snapshots.get())
            elif typed.done():
                self._hear(typed.result())
                typed = asyncio.ensure_future(lines.get())
            elif work.done():
                raise BadNotation(self.style.texts("screen.line.refused"))

    def _print_connection(self) -> None:
        if self.client.connection != self._line:
            self._line = self.client.connection
            if self._line != "live":
                self.say(self.style.faint(self.style.texts(f"screen.line.{self._line}")))

    # What happens

    def _show(self, snapshot: Snapshot) -> None:
        before, self._snapshot = self._snapshot, snapshot
        self.style.names = snapshot.names
        if snapshot.links != self._links:
            self._links = snapshot.links
            self.say("\n".join([self.style.texts("screen.status.open"), *snapshot.links]))
        if snapshot.error:
            self.say(self.style.loss(self.style.texts("refused", why=snapshot.error[1])))
            self._asked_at = -1
        if snapshot.said is not None:
            self.say(self._said(*snapshot.said))
        for entry in snapshot.history[len(snapshot.history) - snapshot.new_entries :]:
            self._narrate(entry)
        if snapshot.asked and (before is None or before.asked != snapshot.asked):
            self.say(self.style.strong(self.style.texts("plain.asked", what=snapshot.asked)))
        if snapshot.status == "over" and (before is None or before.status != "over"):
            self._finish(snapshot)
        elif snapshot.moves and self._asked_at != len(snapshot.history):
            self._ask_for_a_move()

    def _said(self, seat: Seat, phrase: Phrase) -> str:
        return f"{self.style.strong(self.style.name(seat))}: {self.style.texts(f'phrase.{phrase}')}"

    def _narrate(self, entry: HistoryEntry) -> None:
        texts, viewer = self.style.texts, self._now.view.seat
        who = self.style.name(entry.seat) if entry.seat is not None else ""
        if entry.what != "played":
            key = f"screen.happened.{entry.what}"
            lines = [texts(key, who=who)] if texts.has(key) else []
        else:
            is_quoted = entry.seat not in (None, viewer) and entry.text
            opening = texts("bot_plays", who=who, move=self.style.strong(entry.text)) if is_quoted else ""
            lines = narrate(self.game, entry.events, self.style, viewer, opening)
        for line in lines:
            self.say(line)

    def _ask_for_a_move(self) -> None:
        self._asked_at = len(self._now.history)
        self._look(self._seat)
        self.say(self.style.texts("ask", who=self.style.name(self._seat)))

    @property
    def _seat(self) -> Seat:
        return self._now.view.seat or 0

    def _finish(self, snapshot: Snapshot) -> None:
        texts, style = self.style.texts, self.style
        self._look(self._seat)
        if snapshot.ended:
            self.say(texts(f"screen.ended.{snapshot.ended}"))
        events = [event for entry in snapshot.history for event in entry.events]
        self.say(style.strong(texts("ledger")))
        self.say("\n".join(ledger(self.renderer, events, style)) + "\n")
        if snapshot.result is not None and snapshot.result.scores:
            self.say("\n".join(standings(snapshot.result, style)))
        self.say(texts("plain.after"))

    # What the player types

    def _hear(self, line: str | None) -> None:
        """Handle a typed line: the answer to a question, a request, a command or a move."""
        if line is None:
            raise Stopped
        text, considered, self._considered = line.strip(), self._considered, ""
        if considered and not text:
            self.client.play(considered)
        elif self._snapshot is None:
            if text in ("q", "quit"):
                raise Stopped
        elif text in self._now.requests:
            self.client.request(text)
        elif text.partition(" ")[0] == "say" and self._now.own is not None:
            self._speak(text.partition(" ")[2].strip())
        elif text and not self._command(self._seat, text):
            self._hear_move(text)

    def _speak(self, phrase: str) -> None:
        """Say a phrase, or list what can be said."""
        if phrase in PHRASES:
            self.client.say(phrase)
        else:
            for known in PHRASES:
                self.say(f"  say {known:<12} {self.style.texts(f'phrase.{known}')}")

    def _hear_move(self, text: str) -> None:
        if not self._now.moves:
            words = [*self._now.requests, *(["say"] if self._now.own else []), "quit"]
            self.say(self.style.texts("plain.wait", words=", ".join(words)))
            return
        move = self._read(self._seat, text)
        if move is None:
            return
        self._explain(move)
        if self.console.watched:
            self._considered = text
            self.say("  " + self.style.texts("confirm"))
        else:
            self.client.play(text)


def play_online(client: OnlineClient, style: Style, console: Console) -> None:
    """Play a game on a server in plain text until the player quits."""
    try:
        asyncio.run(PlainOnlineGame(client, style, console).run(Lines(sys.stdin.fileno())))
    except KeyboardInterrupt:
        console.say("\n" + style.texts("stopped"))
