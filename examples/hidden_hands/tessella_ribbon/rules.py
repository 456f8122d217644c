"""Ribbon, for two to four players: dominoes are laid end to end, and nobody sees the hands of the others.

The second example of docs/guides/add-a-game.md: hands that stay hidden, a stock, and moves with two places to point at.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tessella.core import game
from tessella.core.game import BadNotation, Chance, Choose, IllegalMove, Over, Preview, Public, Rng, Seat, Turn, places

NAME: Final = "ribbon"
EDITION: Final = 1
HAND = 5
MATCH = 2
"""Extra points when both ends of the ribbon show the same number."""
LAST = 3
"""Extra points of the last tile in a hand."""

Tile: TypeAlias = str
"""Two digits, the lower one first; in the ribbon, as it lies."""
TILES: Final = tuple(f"{low}{high}" for low in range(6) for high in range(low, 6))
End: TypeAlias = Literal["left", "right"]

# The state of a table, and the acts that change it


class Config(game.Config, frozen=True):
    """The options of the game."""

    seats: int = 2

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= 4:
            raise ValueError("Ribbon is for 2 to 4 players (RB01)")


class State(Struct, frozen=True):
    """The whole table; the stock holds all other tiles."""

    config: Config
    hands: tuple[tuple[Tile, ...], ...]
    scores: tuple[int, ...]
    ribbon: tuple[Tile, ...] = ()
    current: Seat = 0
    draws: bool = False
    """The current seat has asked for a tile, which comes next."""
    passes: int = 0
    """How many passed in a row."""


class Lay(game.Move, frozen=True):
    """RB03: put a tile of your hand at an end of the ribbon."""

    tile: Tile
    end: End


class Take(game.Move, frozen=True):
    """RB04: take a tile from the stock instead."""


class Pass(game.Move, frozen=True):
    """RB05: pass; only when the stock is empty."""


class Draw(game.Deal, frozen=True):
    """RB02, RB04: a tile for a seat, which alone may see it."""

    seat: Seat
    tile: Tile


Move: TypeAlias = Lay | Take | Pass


def _sorted(tile: Tile) -> Tile:
    return min(tile, tile[::-1])


def _stock(state: State) -> tuple[Tile, ...]:
    elsewhere = {*map(_sorted, state.ribbon), *(tile for hand in state.hands for tile in hand)}
    return tuple(tile for tile in TILES if tile not in elsewhere)


def _is_dealing(state: State) -> bool:
    """RB02: return whether the first hands are not complete yet; the first tile is laid after that."""
    return not state.ribbon and not state.passes and any(len(hand) < HAND for hand in state.hands) and not state.draws


def _receiver(state: State) -> Seat:
    """Return whose draw comes next: the first hands are dealt one after the other."""
    if _is_dealing(state):
        return next(seat for seat, hand in enumerate(state.hands) if len(hand) < HAND)
    return state.current


# Events


class GameEvent(Public, frozen=True, tag=True):
    """Base of all public events."""


class Drawn(GameEvent, frozen=True):
    """A seat drew a tile, and `left` are left. `tile` is None for viewers who may not see it."""

    seat: Seat
    tile: Tile | None
    left: int
    rule: str = "RB04"


class Secret(Struct, frozen=True):
    """A draw as its owner sees it. Not public: `witness` returns what each seat may know about it."""

    drawn: Drawn


class Laid(GameEvent, frozen=True):
    """A tile was laid at an end of the ribbon."""

    seat: Seat
    tile: Tile
    end: End
    points: int
    rule: str = "RB03"


class Passed(GameEvent, frozen=True):
    """A seat passed."""

    seat: Seat
    rule: str = "RB05"


class Ended(GameEvent, frozen=True):
    """The game is over."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    rule: str = "RB06"


Event: TypeAlias = Secret | Drawn | Laid | Passed | Ended
Witnessed: TypeAlias = Drawn | Laid | Passed | Ended
"""What may leave the server."""

# The rules, in the order of the rulebook


def setup(config: Config) -> State:
    """RB01: return empty hands, with all tiles in the stock."""
    return State(config, ((),) * config.seats, (0,) * config.seats)


def turn(state: State) -> Turn:
    """RB02 to RB06: hands are dealt, then seats move in turn until a hand is empty or everybody passed."""
    if _is_dealing(state) or state.draws:
        return Chance()
    if state.passes < state.config.seats and all(state.hands):
        return Choose((state.current,))
    return Over(state.scores, places([(score,) for score in state.scores]))


def deal(state: State, rng: Rng) -> Draw:
    """RB02, RB04: return any tile of the stock."""
    stock = _stock(state)
    return Draw(_receiver(state), stock[rng.randrange(len(stock))])


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """Return every tile that fits, at the left end first; then taking a tile, or passing."""
    if turn(state) != Choose((seat,)):
        return []
    ends: tuple[End, ...] = ("left", "right") if state.ribbon else ("right",)
    lays = [Lay(seat, tile, end) for tile in state.hands[seat] for end in ends if _turned(state, tile, end)]
    return [*lays, Take(seat) if _stock(state) else Pass(seat)]


def _turned(state: State, tile: Tile, end: End) -> Tile | None:
    """RB03: return the tile as it would lie at an end; None if it does not fit."""
    if not state.ribbon:
        return tile
    if end == "left":
        return next((lies for lies in (tile, tile[::-1]) if lies[1] == state.ribbon[0][0]), None)
    return next((lies for lies in (tile, tile[::-1]) if lies[0] == state.ribbon[-1][1]), None)


def apply(state: State, act: Move | Draw) -> tuple[State, Sequence[Event]]:
    """Return the state after the act and its events, or raise `IllegalMove` with the rule that forbids it."""
    if isinstance(act, Draw):
        return _draw(state, act)
    if turn(state) != Choose((act.seat,)):
        raise IllegalMove("RB03", "it is not your turn")
    after, events = _play(state, act)
    over = turn(after)
    return after, [*events, Ended(over.scores, over.places)] if isinstance(over, Over) else events


def _draw(state: State, act: Draw) -> tuple[State, Sequence[Event]]:
    if not isinstance(turn(state), Chance) or act.seat != _receiver(state) or act.tile not in _stock(state):
        raise IllegalMove("RB04", "a tile of the stock is drawn when a seat is due one")
    hand = tuple(sorted((*state.hands[act.seat], act.tile)))
    after = replace(_with_hand(state, act.seat, hand), draws=False)
    after = _next_seat(after) if state.draws else after
    return after, [Secret(Drawn(act.seat, act.tile, len(_stock(after))))]


def _play(state: State, move: Move) -> tuple[State, Sequence[Event]]:
    match move:
        case Lay():
            return _lay(state, move)
        case Take():
            if not _stock(state):
                raise IllegalMove("RB04", "the stock is empty")
            return replace(state, draws=True, passes=0), []
        case Pass():
            if _stock(state):
                raise IllegalMove("RB05", "as long as there is a stock, you take a tile from it")
            return _next_seat(replace(state, passes=state.passes + 1)), [Passed(move.seat)]


def _lay(state: State, move: Lay) -> tuple[State, Sequence[Event]]:
    if move.tile not in state.hands[move.seat]:
        raise IllegalMove("RB03", "you lay a tile of your hand")
    lies = _turned(state, move.tile, move.end)
    if lies is None or (not state.ribbon and move.end == "left"):
        raise IllegalMove("RB03", "the {tile} does not fit there", tile=move.tile)
    ribbon = (lies, *state.ribbon) if move.end == "left" else (*state.ribbon, lies)
    hand = tuple(tile for tile in state.hands[move.seat] if tile != move.tile)
    points = 1 + (MATCH if ribbon[0][0] == ribbon[-1][1] else 0) + (0 if hand else LAST)
    scores = tuple(score + points * (seat == move.seat) for seat, score in enumerate(state.scores))
    after = replace(_with_hand(state, move.seat, hand), ribbon=ribbon, scores=scores, passes=0)
    return _next_seat(after), [Laid(move.seat, lies, move.end, points)]


def _with_hand(state: State, seat: Seat, hand: tuple[Tile, ...]) -> State:
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def _next_seat(state: State) -> State:
    return replace(state, current=(state.current + 1) % state.config.seats)


def preview(state: State, move: Move) -> Preview:
    """Return what the move scores."""
    after, _ = apply(state, move)
    return Preview(after.scores[move.seat] - state.scores[move.seat])


# Views


class View(game.View, frozen=True):
    """The table as a seat or a spectator sees it."""

    config: Config
    hand: tuple[Tile, ...]
    """The viewer's own tiles; nothing for a spectator."""
    held: tuple[int, ...]
    """How many tiles each seat has."""
    scores: tuple[int, ...]
    ribbon: tuple[Tile, ...]
    current: Seat
    draws: bool
    passes: int


def view(state: State, seat: Seat | None) -> View:
    """Return what the seat may see, field by field."""
    return View(
        seat=seat,
        turn=turn(state),
        config=state.config,
        hand=() if seat is None else state.hands[seat],
        held=tuple(map(len, state.hands)),
        scores=state.scores,
        ribbon=state.ribbon,
        current=state.current,
        draws=state.draws,
        passes=state.passes,
    )


def imagine(view: View, rng: Rng) -> State:
    """Return a state consistent with the view: the other hands are any tiles that the viewer does not see."""
    seen = {*map(_sorted, view.ribbon), *view.hand}
    unseen = [tile for tile in TILES if tile not in seen]
    hands: list[tuple[Tile, ...]] = []
    for seat, count in enumerate(view.held):
        drawn = [unseen.pop(rng.randrange(len(unseen))) for _ in range(0 if seat == view.seat else count)]
        hands.append(view.hand if seat == view.seat else tuple(sorted(drawn)))
    return State(view.config, tuple(hands), view.scores, view.ribbon, view.current, view.draws, view.passes)


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
    held = [tile for hand in state.hands for tile in hand]
    return Counter([*map(_sorted, state.ribbon), *held, *_stock(state)])


def longest(config: Config) -> int:
    """Return the bound: every tile is drawn and laid once, with at most a pass of each seat in between."""
    return 3 * len(TILES) + (len(TILES) + 1) * config.seats


# Notation: <34 and 34> lay the tile at the left or right end, + takes a tile, - passes


def write_move(state: State, move: Move) -> str:
    """Return the notation of a move."""
    match move:
        case Lay(tile=tile, end="left"):
            return f"<{tile}"
        case Lay(tile=tile):
            return f"{tile}>"
        case Take():
            return "+"
        case Pass():
            return "-"


def read_move(state: State, seat: Seat, text: str) -> Move:
    """Parse a move, legal or not."""
    if text in ("+", "-"):
        return Take(seat) if text == "+" else Pass(seat)
    found = re.fullmatch("<([0-5]{2})|([0-5]{2})>", text)
    if found is None or _sorted(tile := found[1] or found[2]) != tile:
        raise BadNotation(f"{text!r} is not a move: write <34 or 34> to lay the 34, + to take a tile, - to pass")
    return Lay(seat, tile, "left" if found[1] else "right")


def write_deal(state: State, deal: Draw) -> str:
    """Return the notation of a deal: the tile that was drawn."""
    return deal.tile


def read_deal(state: State, text: str) -> Draw:
    """Parse a deal."""
    if text not in TILES:
        raise BadNotation(f"{text!r} is not a tile: write its two numbers, the lower one first, as in 34")
    return Draw(_receiver(state), text)


def write_state(state: State) -> str:
    """Return the notation of a position: ribbon, hands, scores, the current seat, and how many passed."""
    hands = "/".join(".".join(hand) or "-" for hand in state.hands)
    scores = ",".join(map(str, state.scores))
    due = "d" if state.draws else str(state.passes)
    return f"{'.'.join(state.ribbon) or '-'} {hands} {scores} {state.current} {due}"


def read_state(text: str) -> State:
    """Parse a position; raise `BadNotation` if it could not occur."""
    tiles = r"(?:-|[0-5]{2}(?:\.[0-5]{2})*)"
    if not re.fullmatch(rf"{tiles} {tiles}(?:/{tiles}){{1,3}} \d+(?:,\d+){{1,3}} [0-3] [0-4d]", text):
        raise BadNotation(f"{text!r} is not a position: write 12.23 34.45/00.01 3,1 0 0")
    ribbon, hands, scores, current, due = text.split(" ")
    read = tuple(tuple(sorted(_tiles(hand))) for hand in hands.split("/"))
    state = State(
        Config(len(read)),
        read,
        tuple(map(int, scores.split(","))),
        _tiles(ribbon),
        int(current),
        draws=due == "d",
        passes=0 if due == "d" else int(due),
    )
    _require_sound(state)
    return state


def _tiles(text: str) -> tuple[Tile, ...]:
    return () if text == "-" else tuple(text.split("."))


def _require_sound(state: State) -> None:
    seats = state.config.seats
    if len(state.scores) != seats or state.current >= seats or state.passes > seats:
        raise BadNotation("the hands, the scores and the current seat must be of the same table")
    if dict(inventory(state)) != dict.fromkeys(TILES, 1):
        raise BadNotation("missing or duplicate tiles: there is one of each pair of numbers from 0 to 5")
    if any(one[1] != other[0] for one, other in zip(state.ribbon, state.ribbon[1:], strict=False)):
        raise BadNotation("the numbers of neighbours in the ribbon must be equal")
    if (state.draws or state.passes) and bool(_stock(state)) != state.draws:
        raise BadNotation("a tile is drawn as long as there is a stock, and passing comes after that")
