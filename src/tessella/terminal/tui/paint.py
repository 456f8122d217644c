"""Painting of the game screen: table, cursor, buttons and clocks; before the game, the waiting room."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from time import monotonic

from tessella.core.game import Seat
from tessella.terminal.client import Player, Snapshot
from tessella.terminal.tui.board_parts import Hint
from tessella.terminal.tui.canvas import Canvas
from tessella.terminal.tui.status import ScreenState
from tessella.text.i18n import Translations


def paint(now: ScreenState, canvas: Canvas) -> None:
    """Paint the table or, before the game, the waiting room."""
    if now.snapshot.status in ("open", "dice"):
        _waiting_room(now, canvas)
    else:
        _table(now, canvas)


def _table(now: ScreenState, canvas: Canvas) -> None:
    move_input, opened = now.move_input, now.move_input.open if now.snapshot.moves else []
    now.board.draw(now.snapshot.view, canvas, _hint(now, opened), now.style)
    named = {spot.name for spot in canvas.spots}
    _buttons(now, canvas, (part for part in opened if part not in named))
    chosen = move_input.moves[move_input.move] if move_input.typed and move_input.move else move_input.chosen
    canvas.frame((spot for spot in canvas.spots if spot.name in chosen), chosen=True)
    canvas.frame(spot for spot in canvas.spots if spot.name == move_input.cursor)
    canvas.shine(spot for spot, _ in canvas.notes if spot.name == now.pointed)


def _hint(now: ScreenState, opened: list[str]) -> Hint:
    return Hint(
        move=now.move_input.move,
        preview=now.preview,
        chosen=now.move_input.chosen,
        cursor=now.move_input.cursor or "",
        open=frozenset(opened),
        tags=_tags(now.snapshot, now.style.texts),
        sums=now.sums,
    )


def _buttons(now: ScreenState, canvas: Canvas, parts: Iterable[str]) -> None:
    """Draw a button for each choice that has no place on the table."""
    x, y = 1, canvas.rows
    for part in parts:
        text = f" {now.board.label(part, now.style)} "
        if x + len(text) + 2 > canvas.width:
            x, y = 1, y + 1
        look = canvas.style(canvas.palette.accent, canvas.palette.panel, bold=True)
        canvas.put(x, y, f"({text})", look)
        canvas.spot(part, x, y, len(text) + 2)
        x += len(text) + 3


# Before the game


def _waiting_room(now: ScreenState, canvas: Canvas) -> None:
    """Draw who has a seat, and the links for the free seats."""
    snapshot, texts = now.snapshot, now.style.texts
    canvas.strong(1, 1, texts("screen.waiting_room", game=texts(f"screen.game.{now.client.game.NAME}")))
    for seat, player in enumerate(snapshot.players):
        canvas.accent(3, 3 + seat, "●" if player.name else "○")
        (canvas.put if player.name else canvas.faint)(5, 3 + seat, player.name or texts("screen.free"))
    y = 4 + len(snapshot.players)
    if snapshot.links:
        canvas.put(1, y, texts("screen.send_link"))
    for line in (line for link in snapshot.links for line in wrap(link, canvas.width - 4)):
        y += 1
        canvas.accent(3, y, line)


# Clocks and absent players


def _tags(snapshot: Snapshot, texts: Translations) -> Mapping[Seat, str]:
    tags = {seat: _tag(snapshot, seat, player, texts) for seat, player in enumerate(snapshot.players)}
    return {seat: tag for seat, tag in tags.items() if tag}


def _tag(snapshot: Snapshot, seat: Seat, player: Player, texts: Translations) -> str:
    state = texts("screen.stand_in") if player.stand_in else _away(snapshot, seat, player, texts)
    return " ".join(part for part in (state, _left(snapshot, seat, player)) if part)


def _away(snapshot: Snapshot, seat: Seat, player: Player, texts: Translations) -> str:
    """Return that a player is away and, at their turn, for how long."""
    if not player.away:
        return ""
    is_waited_for = player.gone_at is not None and snapshot.status == "playing" and seat in snapshot.movers
    for_how_long = f" {clock(monotonic() - (player.gone_at or 0.0))}" if is_waited_for else ""
    return texts("screen.away") + for_how_long


def _left(snapshot: Snapshot, seat: Seat, player: Player) -> str:
    if player.seconds is None:
        return ""
    runs = snapshot.status == "playing" and seat in snapshot.movers
    return clock(max(0.0, player.seconds - (monotonic() - snapshot.at if runs else 0.0)))


def clock(seconds: float) -> str:
    """Return a time as on a clock, in days from two days up.

    >>> clock(75), clock(3675), clock(200_000)
    ('1:15', '1:01:15', '2 d')
    """
    if seconds >= 172_800:
        return f"{int(seconds // 86_400)} d"
    hours, rest = divmod(int(seconds), 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"
