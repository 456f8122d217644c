"""What a screen knows at one moment, and what it therefore says below the table."""

from collections.abc import Mapping

from msgspec import Struct

from tessella.core.game import Preview, Seat
from tessella.terminal.faces import Face
from tessella.terminal.pen import Pen
from tessella.terminal.screen.canvas import Note
from tessella.terminal.screen.chooser import Chooser
from tessella.terminal.screen.faces import ScreenFace
from tessella.terminal.screen.table import Scene, Table


class Moment(Struct, frozen=True):
    """A scene, how far its reader has chosen a move, and with what it is drawn and told."""

    table: Table
    scene: Scene
    chooser: Chooser
    drawn: ScreenFace
    face: Face
    pen: Pen
    sums: Mapping[Seat, str]
    """Where everybody's points came from."""
    preview: Preview | None = None
    """What the move that is being looked at would do."""
    pointed: str = ""
    """The number that is pointed at, while numbers explain themselves."""
    note: Note | None = None
    """What that number means."""
    said: str = ""
    """A refusal, or an answer."""
    sent: str = ""
    """The move that was made, until the table tells what came of it."""

    @property
    def may_choose(self) -> bool:
        """Whether a move can be chosen now."""
        return bool(self.scene.moves) and not self.sent


def sentence(now: Moment) -> str:
    """The most important thing to say now."""
    words, pen = now.pen.words, now.pen
    if now.table.line != "live":
        return lost(now.table, pen)
    if now.said:
        return now.said
    if now.note is not None:
        return explained(now.note, pen)
    if now.preview is not None:
        return now.face.explain(now.preview, pen)
    if now.scene.next_to_sit is not None:
        return pen.strong(words("hide", who=pen.name(now.scene.next_to_sit)))
    return _state_of(now)


def lost(table: Table, pen: Pen) -> str:
    """How the line to the server is, if it is not as it should be."""
    return "" if table.line == "live" else pen.loss(pen.words(f"screen.line.{table.line}"))


def explained(note: Note, pen: Pen) -> str:
    """What a number means, and by which rule."""
    return f"{note.text}  {pen.faint(note.rule)}" if note.rule else note.text


def _state_of(now: Moment) -> str:
    scene, words, pen = now.scene, now.pen.words, now.pen
    if scene.status in ("open", "dice"):
        return words("screen.copy_links" if scene.links else f"screen.status.{scene.status}")
    if scene.asked:
        return pen.strong(words(f"screen.asked.{scene.asked}"))
    if scene.status == "paused":
        return words("screen.paused")
    return _whose_turn(now)


def _whose_turn(now: Moment) -> str:
    scene, words, pen = now.scene, now.pen.words, now.pen
    if scene.own is not None and scene.own.stand_in and scene.status == "playing":
        return pen.strong(words("screen.resigned" if scene.own.resigned else "screen.come_back"))
    if now.may_choose:
        turn = pen.strong(words("screen.your_turn", who=pen.name(scene.view.seat or 0)))
        return f"{turn} {now.drawn.todo(scene.view, pen)}"
    if scene.status == "over":
        return words("screen.over_online" if now.table.online else "screen.over")
    waiting = [seat for seat in scene.movers if seat != scene.view.seat or now.sent]
    return words("screen.waiting", who=", ".join(map(pen.name, waiting))) if waiting else ""


def prompt(now: Moment) -> str:
    """What has been chosen or typed of a move, and what to press."""
    words, pen, chooser = now.pen.words, now.pen, now.chooser
    if now.pointed:
        return pen.faint(words("screen.explaining"))
    if not now.may_choose:
        return ""
    if chooser.move:
        return f"› {pen.strong(chooser.move)}   {pen.faint(words('screen.play_it'))}"
    if chooser.typed:
        return f"› {pen.strong(chooser.typed)}▏"
    return "› " + pen.faint(words("screen.next_part" if chooser.chosen else "screen.type_or_point"))
