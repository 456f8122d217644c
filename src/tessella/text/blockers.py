"""Blockers! as text: the board on the left, the players beside it, the viewer's racks below.

A tile is the letter of its colour and its face, `b7`, with or without colours. The border of each block shows its
symbol and the letter by which one types it.
"""

from collections.abc import Sequence

from tessella.core.game import Choose, Seat
from tessella.games.blockers.events import (
    GameEnded,
    LastRoundStarted,
    PublicEvent,
    RackShown,
    SeatScored,
    StartDrawn,
    Tally,
    TileCaptured,
    TilePlaced,
    TilePutAside,
    TilesDrawn,
)
from tessella.games.blockers.pieces import (
    BLOCK_SIZE,
    EMPTY,
    LETTERS,
    NUMBERS,
    PLAYS,
    SIZE,
    SYMBOLS,
    Cell,
    Colour,
    Face,
    Faces,
    Tiles,
    name_cell,
)
from tessella.games.blockers.preview import Preview
from tessella.games.blockers.state import Board, colours_of_game
from tessella.games.blockers.view import Hand, View
from tessella.text.style import Entry, Style, visible

GLYPHS = dict(zip(SYMBOLS, "☼♥★♠♦♣☾▲●", strict=True))
"""The characters of the symbols: one column wide, and none that terminals show as an emoji."""

PANEL = 45
"""The width of the players' column, beside a board of 33 and a gap of 2."""

INDENT = " " * 6

# The table


def draw(view: View, style: Style) -> list[str]:
    """Return the table as lines: the round, the board, the players, and the viewer's racks."""
    players = [_player(view, seat, style) for seat in _from_own_seat(view)]
    gap = [""] if view.config.seats < 5 else []
    panel = "\n".join(line for player in players for line in [*player, *gap]).rstrip().split("\n")
    return [_heading(view, style), *_beside(_board(view.board, style), panel, style.width), *_own_racks(view, style)]


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def round_of(view: View) -> int:
    """Return the current round; each player moves once per round."""
    played = sum(hand.played for hand in view.hands)
    return min(played // view.config.seats + 1, rounds(view))


def rounds(view: View) -> int:
    """Return the total number of rounds."""
    return PLAYS * len(view.hands) // view.config.seats


def _heading(view: View, style: Style) -> str:
    heading = style.texts("blockers.round", n=round_of(view), total=rounds(view))
    return f"{style.strong(heading)}   {style.faint(style.texts(f'blockers.aim.{view.config.scoring}'))}"


def _beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """Return two blocks side by side, or one below the other if they do not fit."""
    widest = max(map(visible, left))
    if widest + 2 + max(map(visible, right)) > width:
        return [*left, "", *right]
    height = max(len(left), len(right))
    padded = [[*column, *[""] * (height - len(column))] for column in (left, right)]
    return [f"{one}{' ' * (widest + 2 - visible(one))}{other}".rstrip() for one, other in zip(*padded, strict=True)]


def _board(board: Board, style: Style) -> list[str]:
    numbers = "".join(f" {number} " for number in NUMBERS)
    groups = [numbers[first : first + 9] for first in range(0, len(numbers), 9)]
    lines = [style.faint("   " + " ".join(groups))]
    for row, letter in enumerate(LETTERS):
        if row % BLOCK_SIZE == 0:
            lines.append(_border(row // BLOCK_SIZE, style))
        cells = [_cell(board, row * SIZE + column, style) for column in range(SIZE)]
        blocks = ["".join(cells[first : first + BLOCK_SIZE]) for first in range(0, SIZE, BLOCK_SIZE)]
        bar = style.faint("│")
        lines.append(f"{style.faint(letter)} {bar}{bar.join(blocks)}{bar}")
    return [*lines, style.faint("  └" + "┴".join(["─" * 9] * BLOCK_SIZE) + "┘")]


def _border(row: int, style: Style) -> str:
    """Return the line above a row of blocks, with their symbols."""
    left, middle, right = "┌┬┐" if row == 0 else "├┼┤"
    heads = [
        f"{style.faint('───')}{GLYPHS[symbol]} {style.faint(symbol + '───')}"
        for symbol in SYMBOLS[row * BLOCK_SIZE : (row + 1) * BLOCK_SIZE]
    ]
    return f"  {style.faint(left)}{style.faint(middle).join(heads)}{style.faint(right)}"


def _cell(board: Board, cell: Cell, style: Style) -> str:
    colour = board.colours[cell]
    return style.empty() if colour == EMPTY else style.piece(colour, _glyph(board.faces[cell]) + " ")


def _glyph(face: Face) -> str:
    return GLYPHS.get(face, face)


def _tile(colour: Colour, face: Face, style: Style) -> str:
    return style.piece(colour, _glyph(face))


def _tiles(colour: Colour, faces: Faces, style: Style) -> str:
    return " ".join(_tile(colour, face, style) for face in faces)


# The players


def _player(view: View, seat: Seat, style: Style) -> list[str]:
    """Return a player: name, colours, score and captured tiles."""
    hands = [hand for hand in view.hands if hand.owner == seat]
    captured, aside = _captured(view, seat, style), [f"{INDENT}{_aside(hand, style)}" for hand in hands if hand.aside]
    return [
        *(_stock(view, hand, style.name(seat) if hand is hands[0] else "", style) for hand in hands),
        f"{INDENT}{_score(view.tallies[seat], style)}",
        f"{INDENT}{captured}".rstrip(),
        *aside,
    ]


def _stock(view: View, hand: Hand, name: str, style: Style) -> str:
    """Return a colour and its owner; on the right the number of tiles to come, or the tiles kept."""
    turn = isinstance(view.turn, Choose) and hand.owner in view.turn.seats and name
    to_come = style.faint(style.texts("blockers.to_come", held=hand.held, supply=hand.supply))
    if hand.rack is not None and hand.owner != view.seat:
        to_come = style.texts("blockers.kept", tiles=_tiles(hand.colour, hand.rack, style))
    room = PANEL - len(INDENT) - visible(to_come) - 2
    name = name if len(name) <= room else name[: room - 1] + "…"
    return f"{'▶' if turn else ' '} {style.tile(hand.colour)} {style.strong(name)}{' ' * (room - len(name))}  {to_come}"


def _score(tally: Tally, style: Style) -> str:
    groups, score = style.texts("blockers.groups", n=len(tally.groups)), style.strong(str(tally.score))
    if tally.counted is None:
        return f"{groups} = {score}"
    captured = style.texts("blockers.counted", n=_most(tally), colour=style.texts(f"blockers.colour.{tally.counted}"))
    return f"{groups} + {captured} = {score}"


def _most(tally: Tally) -> int:
    return tally.score - len(tally.groups)


def _captured(view: View, seat: Seat, style: Style) -> str:
    """Return the captured tiles, or their number per colour if they are many."""
    heap: Tiles = view.captured[seat]
    if not heap:
        return ""
    tiles = [_tile(heap[place], heap[place + 1], style) for place in range(0, len(heap), 2)]
    sentence = style.texts("blockers.captured", tiles=" ".join(tiles))
    if visible(sentence) <= PANEL - len(INDENT):
        return sentence
    counts = zip(colours_of_game(view.config), view.tallies[seat].captured, strict=True)
    return style.texts("blockers.captured", tiles="  ".join(f"{n} {style.tile(colour)}" for colour, n in counts if n))


def _aside(hand: Hand, style: Style) -> str:
    return style.texts("blockers.aside", tiles=_tiles(hand.colour, hand.aside, style))


def _own_racks(view: View, style: Style) -> list[str]:
    """Return the viewer's racks, with the letters to type for symbols."""
    own = [hand for hand in view.hands if hand.owner == view.seat and hand.rack]
    racks = [" ".join(_rack_tile(hand.colour, face, style) for face in hand.rack or "") for hand in own]
    return ["", f"{style.strong(style.texts('blockers.rack'))}   {'   '.join(racks)}".rstrip()] if racks else [""]


def _rack_tile(colour: Colour, face: Face, style: Style) -> str:
    return style.piece(colour, _glyph(face) + " ") + style.faint(face if face in SYMBOLS else " ")


# What happened


def narrate(event: PublicEvent, style: Style) -> str:  # noqa: PLR0911  one case per event
    """Return an event as a sentence, with its arithmetic if it scores."""
    texts = style.texts
    match event:
        case StartDrawn(seat=seat):
            return style.strong(texts("blockers.starts", who=style.name(seat)))
        case TilesDrawn(seat=seat, colour=colour, tiles=tiles):
            return texts("blockers.draws", who=style.name(seat), tiles=_tiles(colour, tiles, style)) if tiles else ""
        case LastRoundStarted():
            return "\n" + style.strong(texts("blockers.last_round"))
        case TileCaptured(colour=colour, face=face):
            return texts("blockers.taken", tile=_tile(colour, face, style))
        case TilePlaced():
            return _narrate_placed(event, style)
        case TilePutAside(seat=seat, colour=colour, face=face, rule=rule):
            sentence = texts("blockers.puts_aside", who=style.name(seat), tile=_tile(colour, face, style))
            return f"{sentence}  {style.faint(rule)}"
        case RackShown() | SeatScored() | GameEnded():
            return _narrate_end(event, style)


def _narrate_placed(event: TilePlaced, style: Style) -> str:
    """Return the groups that the tile joined: 3 + 2 + 1 = 6."""
    tile, cell = _tile(event.colour, event.face, style), name_cell(event.cell)
    placed = style.texts("blockers.placed", who=style.name(event.seat), tile=tile, cell=cell)
    if not event.joined:
        return f"{placed} {style.texts('blockers.alone')}"
    sum_ = " + ".join(map(str, [*event.joined, 1]))
    return f"{placed} {style.texts('blockers.joins', sum=sum_, size=event.group)}"


def _narrate_end(event: RackShown | SeatScored | GameEnded, style: Style) -> str:
    match event:
        case RackShown(seat=seat, colour=colour, rack=rack, rule=rule):
            key = "blockers.finished" if rule == "BL32" else "blockers.keeps"
            name = style.texts(f"blockers.colour.{colour}")
            sentence = style.texts(key, who=style.name(seat), colour=name, tiles=_tiles(colour, rack, style))
            return f"  {sentence}  {style.faint(rule)}"
        case SeatScored(seat=seat, tally=tally, rule=rule):
            total = sum(tally.captured)
            in_all = "" if total == _most(tally) else f" ({style.texts('blockers.in_all', n=total)})"
            sentence = style.texts("blockers.scored", who=style.name(seat), sum=_score(tally, style))
            return f"  {sentence}{in_all}  {style.faint(rule)}"
        case GameEnded(scores=scores, places=places, rule=rule):
            parts = [
                style.strong(style.texts("over")),
                style.texts(f"blockers.ended.{rule}"),
                *_narrate_tie(scores, places, style),
            ]
            return "\n" + " ".join(parts)


def _narrate_tie(scores: Sequence[int], places: Sequence[int], style: Style) -> list[str]:
    """BL22: return how a tie for the lowest score was broken, or that it was not."""
    if scores.count(min(scores)) == 1:
        return []
    key = "blockers.shared" if places.count(1) > 1 else "blockers.fewer_captures"
    return [f"{style.texts(key)}  {style.faint('BL22')}"]


# What would happen


def explain(preview: Preview, style: Style) -> str:
    """Return what is captured, and the groups, captures and score before and after."""
    if preview.cell is None:
        return style.texts("blockers.will_put_aside")
    parts: list[str] = []
    if preview.captures is not None:
        parts.append(style.texts("blockers.will_capture", colour=style.texts(f"blockers.colour.{preview.captures}")))
    parts.append(
        style.texts("blockers.will_group", change=_change(len(preview.before.groups), len(preview.after.groups), style))
    )
    parts.append(style.texts("blockers.will_score", change=_change(preview.before.score, preview.after.score, style)))
    return " ".join(parts)


def _change(before: int, after: int, style: Style) -> str:
    """Return a number before and after, coloured as a loss if it grew."""
    paint = style.gain if after < before else style.loss if after > before else str
    return f"{before} → {paint(str(after))}"


def points(event: PublicEvent) -> list[Entry]:
    """Return the ledger entries of an event."""
    match event:
        case SeatScored(seat=seat, tally=tally):
            groups: Entry = (seat, "blockers.ledger.groups", len(tally.groups))
            return [groups, (seat, "blockers.ledger.captures", _most(tally))]
        case _:
            return []
