"""The seven laws that every game obeys, as functions that take any game.

Each law checks one position or a whole game, and raises `BrokenLaw` with what it found. `check_laws`
plays a random game and checks all of them: call it with your own game and your own seeds.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tessella.core import record, wire
from tessella.core.game import (
    BadNotation,
    C,
    Chance,
    Choose,
    D,
    E,
    Game,
    IllegalMove,
    M,
    Over,
    P_co,
    Rng,
    S,
    Seat,
    V,
)

RETRIED_MOVES = 16
"""How many earlier moves are tried again in positions where they may not be legal."""

TRIAL_DEALS = 4
"""How many deals of one position are compared."""


class BrokenLaw(AssertionError):
    """A game breaks a law; `law` is its number."""

    def __init__(self, law: int, why: str) -> None:
        super().__init__(f"law {law}: {why}")
        self.law = law


def check_laws(game: Game[C, S, M, D, E, V, P_co], config: C, rng: Rng, *, every: int = 1) -> record.Record:
    """Play one random game, check every law (laws 2 to 6 at about one act in `every`), and return its record."""
    state = game.setup(config)
    inventory = dict(game.inventory(state))
    earlier: list[M] = []
    acts: list[str] = []
    while not isinstance(turn := game.turn(state), Over):
        act: M | D
        if isinstance(turn, Choose):
            options = game.legal_moves(state, turn.seats[rng.randrange(len(turn.seats))])
            act = options[rng.randrange(len(options))]
            earlier = [*earlier[-RETRIED_MOVES:], act]
        else:
            act = game.deal(state, rng)
        if rng.randrange(every) == 0:
            check_position(game, state, earlier, rng)
        acts.append(record.write_act(game, state, act))
        state, _ = game.apply(state, act)
        law_7_inventory_and_end(game, config, state, inventory, len(acts))
    check_position(game, state, earlier, rng)
    whole = record.Record(record.write_rules(game, config), tuple(acts), scores=turn.scores, places=turn.places)
    law_1_replay(game, whole, state)
    return whole


def check_position(game: Game[C, S, M, D, E, V, P_co], state: S, earlier: Sequence[M], rng: Rng) -> None:
    """Check the laws 2 to 6 in one position; `earlier` are moves to try again."""
    law_2_text(game, state, rng)
    law_3_legality(game, state, earlier)
    law_4_nothing_leaks(game, state, rng)
    law_5_events(game, state, rng)
    law_6_order(game, state, rng)


def law_1_replay(game: Game[C, S, M, D, E, V, P_co], whole: record.Record, end: S) -> None:
    """A record replays to the same state without random numbers."""
    read = record.read(record.write(whole))
    if read != whole:
        raise BrokenLaw(1, "the record read back differs from the one written")
    try:
        last = [step.after for step in record.replay(game, read)][-1]
    except BadNotation as exc:
        raise BrokenLaw(1, f"the record does not replay: {exc}") from None
    if last != end:
        raise BrokenLaw(1, f"the record replays to {game.write_state(last)}")


def law_2_text(game: Game[C, S, M, D, E, V, P_co], state: S, rng: Rng) -> None:
    """Positions, moves and deals survive a round trip through their notation."""
    text = game.write_state(state)
    if game.read_state(text) != state:
        raise BrokenLaw(2, f"{text} is read as another position")
    turn = game.turn(state)
    for seat in _movers(turn):
        for move in game.legal_moves(state, seat):
            text = game.write_move(state, move)
            if text.startswith("*") or game.read_move(state, seat, text) != move:
                raise BrokenLaw(2, f"{text} is read as another move, or as a deal")
    if isinstance(turn, Chance):
        deal = game.deal(state, rng)
        if game.read_deal(state, game.write_deal(state, deal)) != deal:
            raise BrokenLaw(2, f"{game.write_deal(state, deal)} is read as another deal")


def law_3_legality(game: Game[C, S, M, D, E, V, P_co], state: S, earlier: Sequence[M]) -> None:
    """Every listed move applies, everything else raises, and a seat that may not move lists none."""
    movers = _movers(game.turn(state))
    listed: list[M] = []
    for seat in _seats(game, state):
        moves = game.legal_moves(state, seat)
        if bool(moves) != (seat in movers):
            raise BrokenLaw(3, f"seat {seat} lists {len(moves)} moves, and the turn is {game.turn(state)}")
        listed += moves
    for move in listed:
        if not _applies(game, state, move):
            raise BrokenLaw(3, f"{game.write_move(state, move)} is listed but does not apply")
    for move in earlier:
        if move not in listed and _applies(game, state, move):
            raise BrokenLaw(3, f"{game.write_move(state, move)} is not listed but applies")


def law_4_nothing_leaks(game: Game[C, S, M, D, E, V, P_co], state: S, rng: Rng) -> None:
    """A seat cannot distinguish the true state from an imagined one by its view, its moves or their effect."""
    for seat in (*_seats(game, state), None):
        seen = game.view(state, seat)
        other = game.imagine(seen, rng)
        if wire.encode(game.view(other, seat)) != wire.encode(seen):
            raise BrokenLaw(4, f"the view of seat {seat} shows something hidden")
        if game.turn(other) != game.turn(state) or dict(game.inventory(other)) != dict(game.inventory(state)):
            raise BrokenLaw(4, f"seat {seat} imagines a different turn or inventory")
        for mover in _movers(game.turn(state)):
            _law_4_moves(game, state, other, seat, mover, rng)


def _law_4_moves(
    game: Game[C, S, M, D, E, V, P_co], state: S, other: S, seat: Seat | None, mover: Seat, rng: Rng
) -> None:
    moves, imagined = game.legal_moves(state, mover), game.legal_moves(other, mover)
    if mover == seat and list(imagined) != list(moves):
        raise BrokenLaw(4, f"the list of legal moves tells seat {seat} something hidden")
    move = moves[rng.randrange(len(moves))]
    if move in imagined and _seen_after(game, state, move, seat) != _seen_after(game, other, move, seat):
        raise BrokenLaw(4, f"{game.write_move(state, move)} shows seat {seat} something hidden")


def law_5_events(game: Game[C, S, M, D, E, V, P_co], state: S, rng: Rng) -> None:
    """The events of a deal reveal no more than the next view: deals that leave equal views show equal events."""
    if not isinstance(game.turn(state), Chance):
        return
    deals = [game.deal(state, rng) for _ in range(TRIAL_DEALS)]
    for seat in (*_seats(game, state), None):
        seen = sorted(_seen_after(game, state, deal, seat) for deal in deals)
        for (view, events), (next_view, next_events) in pairwise(seen):
            if view == next_view and events != next_events:
                raise BrokenLaw(5, f"the events of a deal show seat {seat} something hidden")


def law_6_order(game: Game[C, S, M, D, E, V, P_co], state: S, rng: Rng) -> None:
    """Seats that may move together may do so in any order."""
    movers = _movers(game.turn(state))
    for one, other in pairwise(movers):
        first = _any_move(game, state, one, rng)
        second = _any_move(game, state, other, rng)
        if _after(game, state, first, second) != _after(game, state, second, first):
            raise BrokenLaw(6, f"it matters whether seat {one} or seat {other} moves first")


def law_7_inventory_and_end(
    game: Game[C, S, M, D, E, V, P_co], config: C, state: S, inventory: Mapping[str, int], acts: int
) -> None:
    """No component is lost or added, and play ends within its bound."""
    if dict(game.inventory(state)) != inventory:
        raise BrokenLaw(7, f"the inventory was {inventory}, and now is {dict(game.inventory(state))}")
    if acts > game.longest(config):
        raise BrokenLaw(7, f"the game is longer than {game.longest(config)} acts")


def _movers(turn: object) -> tuple[Seat, ...]:
    return turn.seats if isinstance(turn, Choose) else ()


def _seats(game: Game[C, S, M, D, E, V, P_co], state: S) -> range:
    return range(game.view(state, None).config.seats)


def _applies(game: Game[C, S, M, D, E, V, P_co], state: S, move: M) -> bool:
    try:
        game.apply(state, move)
    except IllegalMove:
        return False
    return True


def _any_move(game: Game[C, S, M, D, E, V, P_co], state: S, seat: Seat, rng: Rng) -> M:
    moves = game.legal_moves(state, seat)
    return moves[rng.randrange(len(moves))]


def _after(game: Game[C, S, M, D, E, V, P_co], state: S, *moves: M) -> S:
    for move in moves:
        state, _ = game.apply(state, move)
    return state


def _seen_after(
    game: Game[C, S, M, D, E, V, P_co], state: S, act: M | D, seat: Seat | None
) -> tuple[bytes, list[bytes]]:
    """Return a seat's view after an act, and the events that it witnessed."""
    after, events = game.apply(state, act)
    witnessed = [seen for event in events if (seen := game.witness(event, seat)) is not None]
    return wire.encode(game.view(after, seat)), [wire.encode(seen) for seen in witnessed]
