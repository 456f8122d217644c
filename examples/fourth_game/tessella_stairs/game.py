"""Stairs, for two to four players: the rules in one file, the worked example of docs/guides/add-a-game.md.

Everybody builds a staircase of five steps on which the numbers must rise. You draw a tile that nobody else sees, and
lay it on a free step or drop it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import game
from tessella.core.board import Board, Choice, Grid, Piece, Space, Stack, Track, Words
from tessella.core.game import BadNotation, Chance, Choose, IllegalMove, Over, Preview, Public, Rng, Seat, Turn, places

NAME: Final = "stairs"
EDITION: Final = 1
STEPS = 5
TILES = tuple(range(1, 25))
FREE = 0
COMPLETE = 3
"""Extra points of a complete staircase."""

Stair: TypeAlias = tuple[int, ...]
"""The tiles of one player from left to right; 0 is a free step."""

# The state of a table, and the acts that change it


class Config(game.Config, frozen=True):
    """The options of the game."""

    seats: int = 2

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= 4:
            raise ValueError("Stairs is for 2 to 4 players (ST01)")


class State(Struct, frozen=True):
    """The whole table. The bag holds all other tiles, and the current seat follows from what was played."""

    config: Config
    stairs: tuple[Stair, ...]
    hand: int | None = None
    dropped: tuple[int, ...] = ()


class Lay(game.Move, frozen=True):
    """ST03: put the tile in your hand on a step."""

    tile: int
    step: int


class Drop(game.Move, frozen=True):
    """ST04: drop the tile in your hand."""

    tile: int


class Draw(game.Deal, frozen=True):
    """ST02: a tile for the seat whose turn it is; only that seat may see it."""

    seat: Seat
    tile: int


Move: TypeAlias = Lay | Drop


def _played(state: State) -> list[int]:
    return [tile for stair in state.stairs for tile in stair if tile] + [*state.dropped]


def _bag(state: State) -> tuple[int, ...]:
    elsewhere = {state.hand, *_played(state)}
    return tuple(tile for tile in TILES if tile not in elsewhere)


def _current(state: State) -> Seat:
    return len(_played(state)) % state.config.seats


# Events


class GameEvent(Public, frozen=True, tag=True):
    """Base of all public events."""


class Drawn(GameEvent, frozen=True):
    """A seat drew a tile, and `left` are left. `tile` is None for viewers who may not see it."""

    seat: Seat
    tile: int | None
    left: int
    rule: str = "ST02"


class Secret(Struct, frozen=True):
    """A draw as its owner sees it. Not public: `witness` returns what each seat may know about it."""

    drawn: Drawn


class Laid(GameEvent, frozen=True):
    """A tile was laid on a step; the last step scores extra."""

    seat: Seat
    tile: int
    step: int
    """From 1, as people count."""
    points: int
    rule: str = "ST03"


class Dropped(GameEvent, frozen=True):
    """A tile left the game."""

    seat: Seat
    tile: int
    rule: str = "ST04"


class Ended(GameEvent, frozen=True):
    """The game is over."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    rule: str = "ST05"


Event: TypeAlias = Secret | Drawn | Laid | Dropped | Ended
Witnessed: TypeAlias = Drawn | Laid | Dropped | Ended
"""What may leave the server."""

# The rules, in the order of the rulebook


def setup(config: Config) -> State:
    """ST01: return free steps, with all tiles in the bag."""
    return State(config, ((FREE,) * STEPS,) * config.seats)


def turn(state: State) -> Turn:
    """ST02, ST05: a tile is drawn, then its owner plays it, until a staircase is complete or the bag is empty."""
    if state.hand is not None:
        return Choose((_current(state),))
    if _bag(state) and not any(all(stair) for stair in state.stairs):
        return Chance()
    scores = tuple(map(_score, state.stairs))
    return Over(scores, places([(score,) for score in scores]))


def _score(stair: Stair) -> int:
    """ST06: return one point per tile, and three more for a complete staircase."""
    return sum(map(bool, stair)) + (COMPLETE if all(stair) else 0)


def deal(state: State, rng: Rng) -> Draw:
    """ST02: return any tile of the bag."""
    bag = _bag(state)
    return Draw(_current(state), bag[rng.randrange(len(bag))])


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return every step that accepts the tile, from left to right; then dropping it."""
    if state.hand is None or seat != _current(state):
        return []
    steps = (step for step in range(STEPS) if _fits(state.stairs[seat], step, state.hand))
    return [*(Lay(seat, state.hand, step) for step in steps), Drop(seat, state.hand)]


def _fits(stair: Stair, step: int, tile: int) -> bool:
    """ST03: return whether the step is free and the numbers still rise."""
    tiles = [each for each in _with(stair, step, tile) if each]
    return stair[step] == FREE and all(low < high for low, high in pairwise(tiles))


def _with(stair: Stair, step: int, tile: int) -> Stair:
    return (*stair[:step], tile, *stair[step + 1 :])


def apply(state: State, act: Move | Draw) -> tuple[State, Sequence[Event]]:
    """Return the state after the act and its events, or raise `IllegalMove` with the rule that forbids it."""
    if isinstance(act, Draw):
        return _draw(state, act)
    if state.hand is None or act.seat != _current(state) or act.tile != state.hand:
        raise IllegalMove("ST02", "in your turn you play the tile that you drew")
    after, event = _lay(state, act) if isinstance(act, Lay) else _drop(state, act)
    over = turn(after)
    return after, [event, Ended(over.scores, over.places)] if isinstance(over, Over) else [event]


def _draw(state: State, act: Draw) -> tuple[State, Sequence[Event]]:
    if not isinstance(turn(state), Chance) or act.seat != _current(state) or act.tile not in _bag(state):
        raise IllegalMove("ST02", "a tile is drawn from the bag when the one before it is played")
    after = replace(state, hand=act.tile)
    return after, [Secret(Drawn(act.seat, act.tile, len(_bag(after))))]


def _lay(state: State, move: Lay) -> tuple[State, Event]:
    stair = state.stairs[move.seat]
    if not 0 <= move.step < STEPS or not _fits(stair, move.step, move.tile):
        raise IllegalMove("ST03", "the {tile} does not fit on step {step}", tile=move.tile, step=move.step + 1)
    laid = _with(stair, move.step, move.tile)
    stairs = (*state.stairs[: move.seat], laid, *state.stairs[move.seat + 1 :])
    event = Laid(move.seat, move.tile, move.step + 1, _score(laid) - _score(stair))
    return replace(state, stairs=stairs, hand=None), event


def _drop(state: State, move: Drop) -> tuple[State, Event]:
    dropped = tuple(sorted((*state.dropped, move.tile)))
    return replace(state, dropped=dropped, hand=None), Dropped(move.seat, move.tile)


def preview(state: State, move: Move) -> Preview:
    """Return what the move scores."""
    after, _ = apply(state, move)
    return Preview(_score(after.stairs[move.seat]) - _score(state.stairs[move.seat]))


# Views


class View(game.View, frozen=True):
    """The table as a seat or a spectator sees it."""

    config: Config
    stairs: tuple[Stair, ...]
    hand: int | None
    """The tile in your own hand; another player's is among the unseen ones."""
    unseen: tuple[int, ...]
    dropped: tuple[int, ...]


def view(state: State, seat: Seat | None) -> View:
    """Return what the seat may see, field by field."""
    hand = state.hand if seat == _current(state) else None
    unseen = _bag(replace(state, hand=hand))
    return View(seat, turn(state), state.config, state.stairs, hand, unseen, state.dropped)


def imagine(view: View, rng: Rng) -> State:
    """Return a state consistent with the view: a hidden hand may be any unseen tile."""
    hidden = view.hand is None and isinstance(view.turn, Choose)
    hand = view.unseen[rng.randrange(len(view.unseen))] if hidden else view.hand
    return State(view.config, view.stairs, hand, view.dropped)


def witness(event: Event, seat: Seat | None) -> Public:
    """Return the event as the seat saw it: only its owner sees which tile was drawn."""
    if not isinstance(event, Secret):
        return event
    return event.drawn if event.drawn.seat == seat else replace(event.drawn, tile=None)


def owner(act: Move | Draw) -> Seat | None:
    """Return the owner of a draw, who alone may read it."""
    return act.seat if isinstance(act, Draw) else None


def inventory(state: State) -> Mapping[str, int]:
    """Return the count of every tile, wherever it lies: always one."""
    held = [] if state.hand is None else [state.hand]
    return Counter(map(str, [*_played(state), *held, *_bag(state)]))


def longest(config: Config) -> int:
    """Return the bound: every tile is drawn once and played once."""
    return 2 * len(TILES)


# Notation: 17@3 puts the 17 on step 3, 17- drops it


def write_move(state: State, move: Move) -> str:
    """Return the notation of a move: the tile, and where it goes."""
    return f"{move.tile}@{move.step + 1}" if isinstance(move, Lay) else f"{move.tile}-"


def read_move(state: State, seat: Seat, text: str) -> Move:
    """Parse a move, legal or not."""
    found = re.fullmatch("([0-9]{1,2})(?:@([1-5])|-)", text)
    if found is None:
        raise BadNotation(f"{text!r} is not a move: write 17@3 to put the 17 on step 3, 17- to drop it")
    return Drop(seat, int(found[1])) if found[2] is None else Lay(seat, int(found[1]), int(found[2]) - 1)


def write_deal(state: State, deal: Draw) -> str:
    """Return the notation of a deal: the tile that was drawn."""
    return str(deal.tile)


def read_deal(state: State, text: str) -> Draw:
    """Parse a deal."""
    if not re.fullmatch("[0-9]{1,2}", text):
        raise BadNotation(f"{text!r} is not a tile: write its number, as in 17")
    return Draw(_current(state), int(text))


def write_state(state: State) -> str:
    """Return the notation of a position: each staircase, the tile in hand, the dropped tiles."""
    stairs = "/".join(".".join(map(str, stair)) for stair in state.stairs)
    return f"{stairs} {state.hand or '-'} {'.'.join(map(str, state.dropped)) or '-'}"


def read_state(text: str) -> State:
    """Parse a position; raise `BadNotation` if it could not occur."""
    stair = r"\d{1,2}(?:\.\d{1,2}){4}"
    if not re.fullmatch(rf"{stair}(?:/{stair}){{1,3}} (?:\d{{1,2}}|-) (?:\d{{1,2}}(?:\.\d{{1,2}})*|-)", text):
        raise BadNotation(f"{text!r} is not a position: write 3.0.0.9.0/0.0.0.0.24 17 5.8")
    stairs, hand, dropped = text.split(" ")
    read = tuple(tuple(map(int, each.split("."))) for each in stairs.split("/"))
    fallen = () if dropped == "-" else tuple(sorted(map(int, dropped.split("."))))
    state = State(Config(len(read)), read, None if hand == "-" else int(hand), fallen)
    _require_sound(state)
    return state


def _require_sound(state: State) -> None:
    if dict(inventory(state)) != {str(tile): 1 for tile in TILES}:
        raise BadNotation("missing or duplicate tiles: there is one of each number from 1 to 24")
    for seat, stair in enumerate(state.stairs):
        tiles = [tile for tile in stair if tile]
        if tiles != sorted(tiles):
            raise BadNotation("the numbers of a staircase must rise")
        if len(tiles) > (len(_played(state)) - seat + state.config.seats - 1) // state.config.seats:
            raise BadNotation(f"seat {seat} has played too many tiles")
    if state.hand is not None and isinstance(turn(replace(state, hand=None)), Over):
        raise BadNotation("a tile is in hand although the game is over")


# The board: what every client draws, from a view


def describe(view: View) -> Board:
    """Return the table: a staircase per player, the tile in hand, the bag, and the dropped tiles."""
    stairs = tuple(_staircase(seat, stair) for seat, stair in enumerate(view.stairs))
    dropped = _piece(view.dropped[-1]) if view.dropped else None
    bag = len(view.unseen) - (view.hand is None and isinstance(view.turn, Choose))
    heaps = (
        Stack("bag", Words("bag"), bag, Piece(is_hidden=True) if bag else None),
        Stack("dropped", Words("dropped"), len(view.dropped), dropped),
    )
    todo = Words("todo", {"tile": view.hand}) if view.hand else None
    return Board((*_hands(view), *stairs, *heaps), tuple(map(_score, view.stairs)), (Words("left", {"n": bag}),), todo)


def _hands(view: View) -> tuple[Track, ...]:
    """Return the tile that was drawn, in the hand of its owner; the others see its back."""
    if not isinstance(view.turn, Choose):
        return ()
    (seat,) = view.turn.seats
    piece = _piece(view.hand) if view.hand else Piece(is_hidden=True)
    return (Track("hand", Words("hand"), (Space("tile", piece),), seat),)


def _staircase(seat: Seat, stair: Stair) -> Grid:
    """Return the steps from the lower left to the upper right of a square."""
    cells: list[Space | None] = [None] * (STEPS * STEPS)
    for step, tile in enumerate(stair):
        name = Words("step", {"n": step + 1})
        cells[(STEPS - 1 - step) * STEPS + step] = Space(f"{seat}.{step}", _piece(tile) if tile else None, name)
    return Grid(f"stair{seat}", Words("stair"), STEPS, tuple(cells), seat)


COLOURS: Final = ("blue", "turquoise", "green", "yellow", "red", "violet")


def _piece(tile: int) -> Piece:
    """Return a tile in the colour of its height: four numbers share a colour."""
    return Piece(str(tile), COLOURS[(tile - 1) // 4])


def compose(view: View, move: Move) -> Choice:
    """Return the step or the heap to point at: there is only one tile to play."""
    if isinstance(move, Drop):
        return Choice(Words("drop", {"tile": move.tile}), ("tile", "dropped"))
    return Choice(Words("lay", {"tile": move.tile, "step": move.step + 1}), ("tile", f"{move.seat}.{move.step}"))
