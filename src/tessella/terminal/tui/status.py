"""The state of the game screen, and the lines of text below the table."""

from collections.abc import Mapping

from msgspec import Struct

from tessella.core.game import Preview, Seat
from tessella.terminal.client import GameClient, Snapshot
from tessella.terminal.tui.canvas import Note
from tessella.terminal.tui.move_input import MoveInput
from tessella.terminal.tui.renderers import BoardRenderer
from tessella.text.renderers import Renderer
from tessella.text.style import Style


class ScreenState(Struct, frozen=True):
    """A snapshot, the move being chosen, and what draws and narrates them."""

    client: GameClient
    snapshot: Snapshot
    move_input: MoveInput
    board: BoardRenderer
    renderer: Renderer
    style: Style
    sums: Mapping[Seat, str]
    """How the points of each player were scored."""
    preview: Preview | None = None
    """What the move under the cursor would do."""
    pointed: str = ""
    """The number under the cursor, while numbers are explained."""
    note: Note | None = None
    """The explanation of that number."""
    message: str = ""
    """An error or another message, until the next key."""
    sent: str = ""
    """The move that was sent, until the next snapshot."""

    @property
    def may_choose(self) -> bool:
        """Return whether a move can be chosen now."""
        return bool(self.snapshot.moves) and not self.sent


def sentence(now: ScreenState) -> str:
    """Return the most important thing to say now."""
    texts, style = now.style.texts, now.style
    if now.client.connection != "live":
        return connection_error(now.client, style)
    if now.message:
        return now.message
    if now.note is not None:
        return explained(now.note, style)
    if now.preview is not None:
        return now.renderer.explain(now.preview, style)
    if now.snapshot.next_to_sit is not None:
        return style.strong(texts("hide", who=style.name(now.snapshot.next_to_sit)))
    return _state_of(now)


def connection_error(client: GameClient, style: Style) -> str:
    """Return what is wrong with the connection, or nothing."""
    return "" if client.connection == "live" else style.loss(style.texts(f"screen.line.{client.connection}"))


def explained(note: Note, style: Style) -> str:
    """Return the explanation of a number, with its rule."""
    return f"{note.text}  {style.faint(note.rule)}" if note.rule else note.text


def _state_of(now: ScreenState) -> str:
    snapshot, texts, style = now.snapshot, now.style.texts, now.style
    if snapshot.status in ("open", "dice"):
        return texts("screen.copy_links" if snapshot.links else f"screen.status.{snapshot.status}")
    if snapshot.asked:
        return style.strong(texts(f"screen.asked.{snapshot.asked}"))
    if snapshot.status == "paused":
        return texts("screen.paused")
    return _whose_turn(now)


def _whose_turn(now: ScreenState) -> str:
    snapshot, texts, style = now.snapshot, now.style.texts, now.style
    if snapshot.own is not None and snapshot.own.stand_in and snapshot.status == "playing":
        return style.strong(texts("screen.resigned" if snapshot.own.resigned else "screen.come_back"))
    if now.may_choose:
        turn = style.strong(texts("screen.your_turn", who=style.name(snapshot.view.seat or 0)))
        return f"{turn} {now.board.todo(snapshot.view, style)}"
    if snapshot.status == "over":
        return texts("screen.over")
    waiting = [seat for seat in snapshot.movers if seat != snapshot.view.seat or now.sent]
    return texts("screen.waiting", who=", ".join(map(style.name, waiting))) if waiting else ""


def prompt(now: ScreenState) -> str:
    """Return what has been chosen or typed of a move, and what to press."""
    texts, style, move_input = now.style.texts, now.style, now.move_input
    if now.pointed:
        return style.faint(texts("screen.explaining"))
    if not now.may_choose:
        return ""
    if move_input.move:
        return f"› {style.strong(move_input.move)}   {style.faint(texts('screen.play_it'))}"
    if move_input.typed:
        return f"› {style.strong(move_input.typed)}▏"
    return "› " + style.faint(texts("screen.next_part" if move_input.chosen else "screen.type_or_point"))
