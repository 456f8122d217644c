"""The table of a moment as it is drawn: the game, what is pointed at, buttons, clocks; before the game, who waits."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from time import monotonic

from tessella.core.game import Seat
from tessella.terminal.screen.canvas import Canvas
from tessella.terminal.screen.moment import Moment
from tessella.terminal.screen.sketch import Hint
from tessella.terminal.screen.table import Chair, Scene
from tessella.terminal.words import Words


def paint(now: Moment, canvas: Canvas) -> None:
    """Draw what there is to see."""
    if now.scene.status in ("open", "dice"):
        _waiting_room(now, canvas)
    else:
        _table(now, canvas)


def _table(now: Moment, canvas: Canvas) -> None:
    chooser, opened = now.chooser, now.chooser.open if now.scene.moves else []
    now.drawn.draw(now.scene.view, canvas, _hint(now, opened), now.pen)
    named = {spot.name for spot in canvas.spots}
    _buttons(now, canvas, (part for part in opened if part not in named))
    chosen = chooser.moves[chooser.move] if chooser.typed and chooser.move else chooser.chosen
    canvas.frame((spot for spot in canvas.spots if spot.name in chosen), chosen=True)
    canvas.frame(spot for spot in canvas.spots if spot.name == chooser.cursor)
    canvas.shine(spot for spot, _ in canvas.notes if spot.name == now.pointed)


def _hint(now: Moment, opened: list[str]) -> Hint:
    return Hint(
        move=now.chooser.move,
        preview=now.preview,
        chosen=now.chooser.chosen,
        cursor=now.chooser.cursor or "",
        open=frozenset(opened),
        tags=_tags(now.scene, now.pen.words),
        sums=now.sums,
    )


def _buttons(now: Moment, canvas: Canvas, parts: Iterable[str]) -> None:
    """What can be chosen and lies nowhere on the table."""
    x, y = 1, canvas.rows
    for part in parts:
        text = f" {now.drawn.label(part, now.pen)} "
        if x + len(text) + 2 > canvas.width:
            x, y = 1, y + 1
        style = canvas.style(canvas.palette.accent, canvas.palette.panel, bold=True)
        canvas.put(x, y, f"({text})", style)
        canvas.spot(part, x, y, len(text) + 2)
        x += len(text) + 3


# Before the game


def _waiting_room(now: Moment, canvas: Canvas) -> None:
    """Who sits already, and what to send to those who do not."""
    scene, words = now.scene, now.pen.words
    canvas.strong(1, 1, words("screen.waiting_room", game=words(f"screen.game.{now.table.game.NAME}")))
    for seat, chair in enumerate(scene.chairs):
        canvas.accent(3, 3 + seat, "●" if chair.name else "○")
        (canvas.put if chair.name else canvas.faint)(5, 3 + seat, chair.name or words("screen.free"))
    y = 4 + len(scene.chairs)
    if scene.links:
        canvas.put(1, y, words("screen.send_link"))
    for line in (line for link in scene.links for line in wrap(link, canvas.width - 4)):
        y += 1
        canvas.accent(3, y, line)


# Clocks, and who is away


def _tags(scene: Scene, words: Words) -> Mapping[Seat, str]:
    tags = {seat: _tag(scene, seat, chair, words) for seat, chair in enumerate(scene.chairs)}
    return {seat: tag for seat, tag in tags.items() if tag}


def _tag(scene: Scene, seat: Seat, chair: Chair, words: Words) -> str:
    state = words("screen.stand_in") if chair.stand_in else words("screen.away") if chair.away else ""
    return " ".join(part for part in (state, _left(scene, seat, chair)) if part)


def _left(scene: Scene, seat: Seat, chair: Chair) -> str:
    if chair.seconds is None:
        return ""
    runs = scene.status == "playing" and seat in scene.movers
    return clock(max(0.0, chair.seconds - (monotonic() - scene.at if runs else 0.0)))


def clock(seconds: float) -> str:
    """Time as on a clock; days where there are days.

    >>> clock(75), clock(3675), clock(200_000)
    ('1:15', '1:01:15', '2 d')
    """
    if seconds >= 172_800:
        return f"{int(seconds // 86_400)} d"
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
