"""The face of Blockers! as text: the board at the left, the players beside it, the reader's own racks below.

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
from tessella.terminal.pen import Entry, Pen, visible

GLYPHS = dict(zip(SYMBOLS, "☼♥★♠♦♣☾▲●", strict=True))
"""The symbols as drawn: all of them one column wide, and none that terminals turn into a picture."""

PANEL = 45
"""Columns for the players, beside a board of 33 and a gap of 2."""

INDENT = " " * 6

# The table


def draw(view: View, pen: Pen) -> list[str]:
    """The round, the board with the players beside it, and the racks of who looks."""
    players = [_player(view, seat, pen) for seat in _from_own_seat(view)]
    gap = [""] if view.config.seats < 5 else []
    panel = "\n".join(line for player in players for line in [*player, *gap]).rstrip().split("\n")
    return [_heading(view, pen), *_beside(_board(view.board, pen), panel, pen.width), *_own_racks(view, pen)]


def _from_own_seat(view: View) -> list[Seat]:
    seats, first = view.config.seats, view.seat or 0
    return [(first + step) % seats for step in range(seats)]


def round_of(view: View) -> int:
    """Everybody plays once a round."""
    played = sum(hand.played for hand in view.hands)
    return min(played // view.config.seats + 1, rounds(view))


def rounds(view: View) -> int:
    """How many rounds there are in all."""
    return PLAYS * len(view.hands) // view.config.seats


def _heading(view: View, pen: Pen) -> str:
    heading = pen.words("blockers.round", n=round_of(view), total=rounds(view))
    return f"{pen.strong(heading)}   {pen.faint(pen.words(f'blockers.aim.{view.config.scoring}'))}"


def _beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """Two columns where there is room, else one below the other."""
    widest = max(map(visible, left))
    if widest + 2 + max(map(visible, right)) > width:
        return [*left, "", *right]
    height = max(len(left), len(right))
    padded = [[*column, *[""] * (height - len(column))] for column in (left, right)]
    return [f"{one}{' ' * (widest + 2 - visible(one))}{other}".rstrip() for one, other in zip(*padded, strict=True)]


def _board(board: Board, pen: Pen) -> list[str]:
    numbers = "".join(f" {number} " for number in NUMBERS)
    groups = [numbers[first : first + 9] for first in range(0, len(numbers), 9)]
    lines = [pen.faint("   " + " ".join(groups))]
    for row, letter in enumerate(LETTERS):
        if row % BLOCK_SIZE == 0:
            lines.append(_border(row // BLOCK_SIZE, pen))
        cells = [_cell(board, row * SIZE + column, pen) for column in range(SIZE)]
        blocks = ["".join(cells[first : first + BLOCK_SIZE]) for first in range(0, SIZE, BLOCK_SIZE)]
        bar = pen.faint("│")
        lines.append(f"{pen.faint(letter)} {bar}{bar.join(blocks)}{bar}")
    return [*lines, pen.faint("  └" + "┴".join(["─" * 9] * BLOCK_SIZE) + "┘")]


def _border(row: int, pen: Pen) -> str:
    """The line above a row of blocks, with their symbols."""
    left, middle, right = "┌┬┐" if row == 0 else "├┼┤"
    heads = [
        f"{pen.faint('───')}{GLYPHS[symbol]} {pen.faint(symbol + '───')}"
        for symbol in SYMBOLS[row * BLOCK_SIZE : (row + 1) * BLOCK_SIZE]
    ]
    return f"  {pen.faint(left)}{pen.faint(middle).join(heads)}{pen.faint(right)}"


def _cell(board: Board, cell: Cell, pen: Pen) -> str:
    colour = board.colours[cell]
    return pen.empty() if colour == EMPTY else pen.piece(colour, _glyph(board.faces[cell]) + " ")


def _glyph(face: Face) -> str:
    return GLYPHS.get(face, face)


def _tile(colour: Colour, face: Face, pen: Pen) -> str:
    return pen.piece(colour, _glyph(face))


def _tiles(colour: Colour, faces: Faces, pen: Pen) -> str:
    return " ".join(_tile(colour, face, pen) for face in faces)


# The players


def _player(view: View, seat: Seat, pen: Pen) -> list[str]:
    """Who it is with which colours, the score as it stands, and the captured tiles."""
    hands = [hand for hand in view.hands if hand.owner == seat]
    captured, aside = _captured(view, seat, pen), [f"{INDENT}{_aside(hand, pen)}" for hand in hands if hand.aside]
    return [
        *(_stock(view, hand, pen.name(seat) if hand is hands[0] else "", pen) for hand in hands),
        f"{INDENT}{_score(view.tallies[seat], pen)}",
        f"{INDENT}{captured}".rstrip(),
        *aside,
    ]


def _stock(view: View, hand: Hand, name: str, pen: Pen) -> str:
    """A colour and its owner; at the right how many tiles are to come, or those that were kept."""
    turn = isinstance(view.turn, Choose) and hand.owner in view.turn.seats and name
    to_come = pen.faint(pen.words("blockers.to_come", held=hand.held, supply=hand.supply))
    if hand.rack is not None and hand.owner != view.seat:
        to_come = pen.words("blockers.kept", tiles=_tiles(hand.colour, hand.rack, pen))
    room = PANEL - len(INDENT) - visible(to_come) - 2
    name = name if len(name) <= room else name[: room - 1] + "…"
    return f"{'▶' if turn else ' '} {pen.tile(hand.colour)} {pen.strong(name)}{' ' * (room - len(name))}  {to_come}"


def _score(tally: Tally, pen: Pen) -> str:
    groups, score = pen.words("blockers.groups", n=len(tally.groups)), pen.strong(str(tally.score))
    if tally.counted is None:
        return f"{groups} = {score}"
    captured = pen.words("blockers.counted", n=_most(tally), colour=pen.words(f"blockers.colour.{tally.counted}"))
    return f"{groups} + {captured} = {score}"


def _most(tally: Tally) -> int:
    return tally.score - len(tally.groups)


def _captured(view: View, seat: Seat, pen: Pen) -> str:
    """The captured tiles; or, where they are many, how many of each colour."""
    heap: Tiles = view.captured[seat]
    if not heap:
        return ""
    tiles = [_tile(heap[place], heap[place + 1], pen) for place in range(0, len(heap), 2)]
    told = pen.words("blockers.captured", tiles=" ".join(tiles))
    if visible(told) <= PANEL - len(INDENT):
        return told
    counts = zip(colours_of_game(view.config), view.tallies[seat].captured, strict=True)
    return pen.words("blockers.captured", tiles="  ".join(f"{n} {pen.tile(colour)}" for colour, n in counts if n))


def _aside(hand: Hand, pen: Pen) -> str:
    return pen.words("blockers.aside", tiles=_tiles(hand.colour, hand.aside, pen))


def _own_racks(view: View, pen: Pen) -> list[str]:
    """The racks of who looks, with the letters by which symbols are typed."""
    own = [hand for hand in view.hands if hand.owner == view.seat and hand.rack]
    racks = [" ".join(_rack_tile(hand.colour, face, pen) for face in hand.rack or "") for hand in own]
    return ["", f"{pen.strong(pen.words('blockers.rack'))}   {'   '.join(racks)}".rstrip()] if racks else [""]


def _rack_tile(colour: Colour, face: Face, pen: Pen) -> str:
    return pen.piece(colour, _glyph(face) + " ") + pen.faint(face if face in SYMBOLS else " ")


# What happened


def tell(event: PublicEvent, pen: Pen) -> str:  # noqa: PLR0911  one case an event
    """One sentence an event, with its arithmetic where it scores."""
    words = pen.words
    match event:
        case StartDrawn(seat=seat):
            return pen.strong(words("blockers.starts", who=pen.name(seat)))
        case TilesDrawn(seat=seat, colour=colour, tiles=tiles):
            return words("blockers.draws", who=pen.name(seat), tiles=_tiles(colour, tiles, pen)) if tiles else ""
        case LastRoundStarted():
            return "\n" + pen.strong(words("blockers.last_round"))
        case TileCaptured(colour=colour, face=face):
            return words("blockers.taken", tile=_tile(colour, face, pen))
        case TilePlaced():
            return _tell_placed(event, pen)
        case TilePutAside(seat=seat, colour=colour, face=face, rule=rule):
            sentence = words("blockers.puts_aside", who=pen.name(seat), tile=_tile(colour, face, pen))
            return f"{sentence}  {pen.faint(rule)}"
        case RackShown() | SeatScored() | GameEnded():
            return _tell_end(event, pen)


def _tell_placed(event: TilePlaced, pen: Pen) -> str:
    """Which groups the tile joined: 3 + 2 + 1 = 6."""
    tile, cell = _tile(event.colour, event.face, pen), name_cell(event.cell)
    placed = pen.words("blockers.placed", who=pen.name(event.seat), tile=tile, cell=cell)
    if not event.joined:
        return f"{placed} {pen.words('blockers.alone')}"
    sum_ = " + ".join(map(str, [*event.joined, 1]))
    return f"{placed} {pen.words('blockers.joins', sum=sum_, size=event.group)}"


def _tell_end(event: RackShown | SeatScored | GameEnded, pen: Pen) -> str:
    match event:
        case RackShown(seat=seat, colour=colour, rack=rack, rule=rule):
            key = "blockers.finished" if rule == "BL32" else "blockers.keeps"
            name = pen.words(f"blockers.colour.{colour}")
            told = pen.words(key, who=pen.name(seat), colour=name, tiles=_tiles(colour, rack, pen))
            return f"  {told}  {pen.faint(rule)}"
        case SeatScored(seat=seat, tally=tally, rule=rule):
            total = sum(tally.captured)
            in_all = "" if total == _most(tally) else f" ({pen.words('blockers.in_all', n=total)})"
            told = pen.words("blockers.scored", who=pen.name(seat), sum=_score(tally, pen))
            return f"  {told}{in_all}  {pen.faint(rule)}"
        case GameEnded(scores=scores, places=places, rule=rule):
            parts = [
                pen.strong(pen.words("over")),
                pen.words(f"blockers.ended.{rule}"),
                *_tell_tie(scores, places, pen),
            ]
            return "\n" + " ".join(parts)


def _tell_tie(scores: Sequence[int], places: Sequence[int], pen: Pen) -> list[str]:
    """BL22: how equal lowest scores were told apart, or that they were not."""
    if scores.count(min(scores)) == 1:
        return []
    key = "blockers.shared" if places.count(1) > 1 else "blockers.fewer_captures"
    return [f"{pen.words(key)}  {pen.faint('BL22')}"]


# What would happen


def explain(preview: Preview, pen: Pen) -> str:
    """What is captured, and the groups, the captures and the score before and after."""
    if preview.cell is None:
        return pen.words("blockers.will_put_aside")
    parts: list[str] = []
    if preview.captures is not None:
        parts.append(pen.words("blockers.will_capture", colour=pen.words(f"blockers.colour.{preview.captures}")))
    parts.append(
        pen.words("blockers.will_group", change=_change(len(preview.before.groups), len(preview.after.groups), pen))
    )
    parts.append(pen.words("blockers.will_score", change=_change(preview.before.score, preview.after.score, pen)))
    return " ".join(parts)


def _change(before: int, after: int, pen: Pen) -> str:
    """A number that should stay low, before and after."""
    paint = pen.gain if after < before else pen.loss if after > before else str
    return f"{before} → {paint(str(after))}"


def points(event: PublicEvent) -> list[Entry]:
    """What scored, for the ledger."""
    match event:
        case SeatScored(seat=seat, tally=tally):
            groups: Entry = (seat, "blockers.ledger.groups", len(tally.groups))
            return [groups, (seat, "blockers.ledger.captures", _most(tally))]
        case _:
            return []
