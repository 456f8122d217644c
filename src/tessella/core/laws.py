"""The nine laws that every game obeys, as functions that take any game.

Each law checks one position or a whole game, and raises `BrokenLaw` with what it found. `check_laws`
plays a random game and checks all of them: call it with your own game and your own seeds.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from msgspec.structs import replace

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
from tessella.core.lookalikes import Lookalikes

RETRIED_MOVES = 16
"""How many earlier moves are tried again in positions where they may not be legal."""

TRIAL_DEALS = 4
"""How many deals of one position are compared."""

PREVIEW_EVERY = 9
"""The previews of every ninth legal move are compared."""

TRIAL_MOVES = 12
"""How many moves of one position are compared."""


class BrokenLaw(AssertionError):
    """A game breaks a law; `law` is its number."""

    def __init__(self, law: int, why: str) -> None:
        super().__init__(f"law {law}: {why}")
        self.law = law


def any_kind(moves: Sequence[M], rng: Rng) -> M:
    """Return a move at random, every kind of move equally likely, so that rare kinds are not drowned by common ones."""
    kinds = list(dict.fromkeys(map(type, moves)))
    kind = kinds[rng.randrange(len(kinds))]
    of_kind = [move for move in moves if type(move) is kind]
    return of_kind[rng.randrange(len(of_kind))]


def check_laws(
    game: Game[C, S, M, D, E, V, P_co],
    config: C,
    rng: Rng,
    *,
    every: int = 1,
    choose: Callable[[Sequence[M], Rng], M] = any_kind,
) -> record.Record:
    """Play one game, check every law, and return its record.

    Laws 2 to 6, 8 and 9 are checked at about one act in `every`. The moves are random, unless `choose` prefers those
    that reach what random play seldom does.
    """
    state = game.setup(config)
    inventory = dict(game.inventory(state))
    lookalikes = Lookalikes(game, [*_seats(game, state), None], rng)
    earlier: list[M] = []
    acts: list[str] = []
    while not isinstance(turn := game.turn(state), Over):
        act: M | D
        if isinstance(turn, Choose):
            mover = turn.seats[rng.randrange(len(turn.seats))]
            act = choose(game.legal_moves(state, mover), rng)
            earlier = [*earlier[-RETRIED_MOVES:], act]
        else:
            act = game.deal(state, rng)
        if rng.randrange(every) == 0:
            check_position(game, state, earlier, rng)
            law_4_lookalikes(game, state, lookalikes, earlier)
        acts.append(record.write_act(game, state, act))
        after, _ = game.apply(state, act)
        for viewer, other, twin in lookalikes.follow(state, act, after):
            _law_4_events(game, viewer, (state, act), (other, twin))
        state = after
        law_7_inventory_and_end(game, config, state, inventory, len(acts))
    check_position(game, state, earlier, rng)
    whole = record.Record(record.write_rules(game, config), tuple(acts), scores=turn.scores, places=turn.places)
    law_1_replay(game, whole, state)
    return whole


def check_position(game: Game[C, S, M, D, E, V, P_co], state: S, earlier: Sequence[M], rng: Rng) -> None:
    """Check the laws 2 to 6, 8 and 9 in one position; `earlier` are moves to try again."""
    law_2_text(game, state, rng)
    law_3_legality(game, state, earlier)
    law_4_nothing_leaks(game, state, rng)
    law_5_events(game, state, rng)
    law_6_order(game, state, rng)
    law_8_owner(game, state, rng)
    law_9_errors(game, state, earlier, rng)


def law_1_replay(game: Game[C, S, M, D, E, V, P_co], whole: record.Record, end: S) -> None:
    """A record replays to the same state without random numbers."""
    try:
        read = record.read(record.write(whole))
    except BadNotation as exc:
        raise BrokenLaw(1, str(exc)) from None
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


def law_4_lookalikes(
    game: Game[C, S, M, D, E, V, P_co],
    state: S,
    lookalikes: Lookalikes[C, S, M, D, E, V, P_co],
    earlier: Sequence[M],
) -> None:
    """A seat cannot distinguish the true state from one with other hidden deals, made without any view."""
    for seat in (*_seats(game, state), None):
        for other in lookalikes.of(seat):
            if wire.encode(game.view(other, seat)) != wire.encode(game.view(state, seat)):
                raise BrokenLaw(4, f"the view of seat {seat} depends on a deal that it may not read")
            if seat is not None:
                _require_same_choice(game, state, other, seat)
                _require_same_errors(game, state, other, seat, earlier)


def _require_same_choice(game: Game[C, S, M, D, E, V, P_co], state: S, other: S, seat: Seat) -> None:
    """The seat may make the same moves in both states, and their previews are the same."""
    moves = game.legal_moves(state, seat)
    if list(game.legal_moves(other, seat)) != list(moves):
        raise BrokenLaw(4, f"the list of legal moves tells seat {seat} something hidden")
    for move in moves[::PREVIEW_EVERY]:
        if wire.encode(game.preview(state, move)) != wire.encode(game.preview(other, move)):
            raise BrokenLaw(4, f"the preview of {game.write_move(state, move)} tells seat {seat} something hidden")


def _law_4_events(
    game: Game[C, S, M, D, E, V, P_co], viewer: Seat | None, one: tuple[S, M | D], other: tuple[S, M | D]
) -> None:
    if _witnessed(game, *one, viewer) != _witnessed(game, *other, viewer):
        raise BrokenLaw(4, f"the events show seat {viewer} a deal that it may not read")


def _law_4_moves(
    game: Game[C, S, M, D, E, V, P_co], state: S, other: S, seat: Seat | None, mover: Seat, rng: Rng
) -> None:
    moves, imagined = game.legal_moves(state, mover), game.legal_moves(other, mover)
    if mover == seat:
        _require_same_choice(game, state, other, mover)
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


def law_8_owner(game: Game[C, S, M, D, E, V, P_co], state: S, rng: Rng) -> None:
    """Whoever may read an act has seen it: acts that look the same to a reader look the same to every seat."""
    turn = game.turn(state)
    if isinstance(turn, Chance):
        deals: list[M | D] = [game.deal(state, rng) for _ in range(TRIAL_DEALS)]
        _require_seen(game, state, deals)
    for mover in _movers(turn):
        _require_seen(game, state, _some(game.legal_moves(state, mover), TRIAL_MOVES, rng))


def _require_seen(game: Game[C, S, M, D, E, V, P_co], state: S, acts: Sequence[M | D]) -> None:
    seats = (*_seats(game, state), None)
    seen = [{seat: _seen_after(game, state, act, seat) for seat in seats} for act in acts]
    for (act, one), (other_act, other) in combinations(zip(acts, seen, strict=True), 2):
        readers = [seat for seat in seats if game.owner(act) in (None, seat) and game.owner(other_act) in (None, seat)]
        for reader in readers:
            if one[reader] == other[reader] and one != other:
                text = record.write_act(game, state, act)
                raise BrokenLaw(8, f"seat {reader} may read {text}, but has not seen all of it")


def law_9_errors(game: Game[C, S, M, D, E, V, P_co], state: S, earlier: Sequence[M], rng: Rng) -> None:
    """Whether a move is refused, and why, does not depend on what is hidden from the seat that tries it."""
    now = [move for mover in _movers(game.turn(state)) for move in _some(game.legal_moves(state, mover), 2, rng)]
    for seat in _seats(game, state):
        other = game.imagine(game.view(state, seat), rng)
        _require_same_errors(game, state, other, seat, [*earlier, *now])


def _require_same_errors(
    game: Game[C, S, M, D, E, V, P_co], state: S, other: S, seat: Seat, moves: Iterable[M]
) -> None:
    for move in moves:
        tried = replace(move, seat=seat)
        if _error_of(game, state, tried) != _error_of(game, other, tried):
            raise BrokenLaw(9, f"the answer to {tried} tells seat {seat} something hidden")


def _error_of(game: Game[C, S, M, D, E, V, P_co], state: S, move: M) -> str:
    try:
        game.apply(state, move)
    except IllegalMove as exc:
        return str(exc)
    return ""


def _movers(turn: object) -> tuple[Seat, ...]:
    return turn.seats if isinstance(turn, Choose) else ()


def _seats(game: Game[C, S, M, D, E, V, P_co], state: S) -> range:
    return range(game.view(state, None).config.seats)


def _applies(game: Game[C, S, M, D, E, V, P_co], state: S, move: M) -> bool:
    return not _error_of(game, state, move)


def _some(moves: Sequence[M], most: int, rng: Rng) -> list[M]:
    """Return some of the moves, chosen at random."""
    left = list(moves)
    return [left.pop(rng.randrange(len(left))) for _ in range(min(most, len(left)))]


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
    after, _ = game.apply(state, act)
    return wire.encode(game.view(after, seat)), _witnessed(game, state, act, seat)


def _witnessed(game: Game[C, S, M, D, E, V, P_co], state: S, act: M | D, seat: Seat | None) -> list[bytes]:
    _, events = game.apply(state, act)
    seen = (game.witness(event, seat) for event in events)
    return [wire.encode(event) for event in seen if event is not None]
