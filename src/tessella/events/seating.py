"""The order of the seats: it is chosen so that every player has each seat about as often as the others."""

from collections.abc import Sequence
from itertools import permutations

from tessella.events.history import History
from tessella.events.values import Id, lot


def seat_players(players: Sequence[Id], history: History, seed: str) -> tuple[Id, ...]:
    """Return the players by seat: the order with the least repetition of seats; lots decide between equal ones.

    Repeated seats are squared, so that a third turn in one seat weighs more than a second. A player who had a seat
    in the round before gets another one if that costs nothing.
    """
    # A game has five seats at most, so there are at most 120 orders.
    return min(
        permutations(players), key=lambda order: (_repeats(order, history), _again(order, history), lot(seed, *order))
    )


def _repeats(order: Sequence[Id], history: History) -> int:
    return sum(
        (history.sat[each, seat] + 1) ** 2 - history.sat[each, seat] ** 2 for seat, each in enumerate(order) if each
    )


def _again(order: Sequence[Id], history: History) -> int:
    return sum(history.last_seat.get(each) == seat for seat, each in enumerate(order) if each)
