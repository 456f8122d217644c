"""Players for the comparison, each with a habit that leads to rules where random play seldom goes."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

from tessella.games import azul, blockers, duel
from tessella.games.azul.pieces import EMPTY
from tessella.games.blockers.pieces import NEIGHBOURS

Policy: TypeAlias = Callable[[Any, Sequence[Any], Random], Any]
"""Choose one of the legal moves of a seat."""

Value: TypeAlias = Callable[[Any, Any], float]
"""What a move is to a player; ties are broken at random."""


def at_random(state: Any, moves: Sequence[Any], rng: Random) -> Any:
    """Choose any move."""
    return rng.choice(moves)


def by(value: Value, *, faithful: float = 0.95) -> Policy:
    """Return the policy that mostly chooses a move of the greatest value, and now and then any."""

    def choose(state: Any, moves: Sequence[Any], rng: Random) -> Any:
        if rng.random() > faithful:
            return rng.choice(moves)
        values = [value(state, move) for move in moves]
        best = max(values)
        return rng.choice([move for move, each in zip(moves, values, strict=True) if each == best])

    return choose


def changing(policies: Mapping[str, Policy]) -> Policy:
    """Return the policy that follows another one at every move."""
    listed = list(policies.values())
    return lambda state, moves, rng: rng.choice(listed)(state, moves, rng)


# Azul


def _fit(number: int, room: int) -> float:
    """Return how well tiles fit in a line: best if they complete it, worse the more is left over."""
    return 3 if number == room else number - room if number < room else 2 * (room - number)


def _taken(state: azul.State, move: azul.Take) -> int:
    source = state.centre if move.source is None else state.factories[move.source]
    return source.count(move.colour)


def azul_greedy(state: azul.State, move: azul.Move) -> float:
    """Complete lines, and spill little."""
    if isinstance(move, azul.Place):
        return 0
    if move.line is None:
        return -10
    return _fit(_taken(state, move), move.line + 1 - len(state.boards[move.seat].lines[move.line]))


def azul_floor_filler(state: azul.State, move: azul.Move) -> float:
    """Put as much as possible on the floor, and never take the marker before it is full."""
    if isinstance(move, azul.Place):
        return 0
    early = move.source is None and len(state.boards[move.seat].floor) < 7
    return (10 if move.line is None else 0) + _taken(state, move) - (20 if early else 0)


def azul_hoarder(state: azul.State, move: azul.Move) -> float:
    """Keep tiles in lines that stay incomplete, so that the bag and the lid run out."""
    if isinstance(move, azul.Place):
        return 0
    if move.line is None:
        return -5
    line = state.boards[move.seat].lines[move.line]
    number = _taken(state, move)
    return (0 if len(line) + number > move.line else 10) + move.line - (0 if line else 5)


def azul_dragger(state: azul.State, move: azul.Move) -> float:
    """Never complete a row of the wall, so that the game goes on."""
    if isinstance(move, azul.Place):
        return 0
    if move.line is None:
        return 0
    gap = state.boards[move.seat].wall[move.line].count(EMPTY)
    return azul_greedy(state, move) + 5 if gap > 1 else -20


def azul_column_builder(state: azul.State, move: azul.Move) -> float:
    """Fill the lines of the rows with the fewest tiles: columns and colours before rows."""
    if isinstance(move, azul.Place):
        column = [row[move.column] for row in state.boards[move.seat].wall]
        return 5 - column.count(EMPTY)
    return azul_dragger(state, move) + (0 if move.line is None else move.line / 2)


AZUL: dict[str, Policy] = {
    "random": at_random,
    "greedy": by(azul_greedy),
    "hoarder": by(azul_hoarder),
    "floor filler": by(azul_floor_filler),
    "column builder": by(azul_column_builder),
}
AZUL["changing"] = changing(AZUL)
AZUL_LONG: dict[str, Policy] = {"dragger": by(azul_dragger, faithful=1)}
"""A game of these may last fifty rounds."""

# Blockers!


def _captures(state: blockers.State, move: blockers.Move) -> bool:
    return isinstance(move, blockers.Place) and state.board.colours[move.cell] != "."


def _beside(state: blockers.State, move: blockers.Move) -> int:
    """Return how many tiles of the same colour a placed tile touches."""
    if isinstance(move, blockers.PutAside):
        return 0
    return sum(state.board.colours[near] == move.colour for near in NEIGHBOURS[move.cell])


def blockers_capturer(state: blockers.State, move: blockers.Move) -> float:
    """Capture whenever possible."""
    return float(_captures(state, move))


def blockers_spreader(state: blockers.State, move: blockers.Move) -> float:
    """Never capture without need, and touch no tile of the own colour: groups stay single."""
    return -5 * _captures(state, move) - _beside(state, move)


def blockers_gatherer(state: blockers.State, move: blockers.Move) -> float:
    """Never capture without need, and build few large groups, with rings in them."""
    return -5 * _captures(state, move) + _beside(state, move)


def blockers_turncoat(state: blockers.State, move: blockers.Move) -> float:
    """With two colours, capture the own other one; else capture the colour captured most."""
    if not isinstance(move, blockers.Place) or not _captures(state, move):
        return 0
    colour = state.board.colours[move.cell]
    own = "byrgv".index(colour) % state.config.seats == move.seat
    return 1 + 5 * own + state.captured[move.seat].count(colour)


def blockers_one_colour(state: blockers.State, move: blockers.Move) -> float:
    """With two colours, finish the first before the other."""
    return float(move.colour in "by") + _beside(state, move) / 10


BLOCKERS: dict[str, Policy] = {
    "random": at_random,
    "capturer": by(blockers_capturer),
    "spreader": by(blockers_spreader),
    "gatherer": by(blockers_gatherer),
    "turncoat": by(blockers_turncoat),
    "one colour": by(blockers_one_colour),
}
BLOCKERS["changing"] = changing(BLOCKERS)

# Azul Duel


def _taken_in_duel(state: duel.State, move: duel.Take) -> int:
    large, *small = state.factories
    if move.factory is not None:
        return state.factories[move.factory].sun.count(move.colour)
    return large.moon.count(move.colour) + sum(factory.moon[-1:] == move.colour for factory in small)


def duel_greedy(state: duel.State, move: duel.Move) -> float:
    """Complete lines, pay with chips, and draw no plate without need."""
    match move:
        case duel.Take(line=None):
            return -10
        case duel.Take(line=int(line)):
            room = line + 1 - len(state.boards[move.seat].lines[line])
            return _fit(_taken_in_duel(state, move), room)
        case duel.Pay():
            return len(move.chips)
        case duel.Draw():
            return -5
        case _:
            return 0


def duel_breaker(state: duel.State, move: duel.Move) -> float:
    """Break as many tiles as possible, and leave lines incomplete."""
    match move:
        case duel.Take(line=line):
            return (10 if line is None else 0) + _taken_in_duel(state, move)
        case duel.Pay():
            return -len(move.chips)
        case _:
            return 0


def duel_drawer(state: duel.State, move: duel.Move) -> float:
    """Draw plates from the stack, many at a time, even without points."""
    if isinstance(move, duel.Draw):
        return 5 if len(state.hand) < 4 else -1
    return duel_greedy(state, move) / 10


def duel_planner(state: duel.State, move: duel.Move) -> float:
    """Fill the dome: take what has a space, and pay for it as soon as the chips allow."""
    match move:
        case duel.Take(line=int(line)):
            plates = state.boards[move.seat].dome[line // 2 * 3 : line // 2 * 3 + 3]
            spaces = "".join(plate[line % 2 * 2 : line % 2 * 2 + 2] for plate in plates)
            return duel_greedy(state, move) + (2 if {move.colour, "?"} & {*spaces} else -2)
        case _:
            return duel_greedy(state, move)


def duel_miser(state: duel.State, move: duel.Move) -> float:
    """Take tiles before plates and chips, and put one colour in as many lines as possible: lines get stuck."""
    match move:
        case duel.Take(line=None):
            return -1
        case duel.Take(line=int(line)):
            lines = state.boards[move.seat].lines
            return 5 + (not lines[line]) + sum(tiles[:1] == move.colour for tiles in lines)
        case duel.Draw():
            return -2
        case duel.Pay():
            return -len(move.chips)
        case _:
            return 0


DUEL: dict[str, Policy] = {
    "random": at_random,
    "greedy": by(duel_greedy),
    "breaker": by(duel_breaker),
    "drawer": by(duel_drawer),
    "planner": by(duel_planner),
    "miser": by(duel_miser),
}
DUEL["changing"] = changing(DUEL)
