"""Blockers! keeps the nine laws, and tells nobody what is hidden; and games that do tell are caught.

A hunt plays one game in two worlds: the acts that all can see are the same, but the other players drew their tiles
in another order. Whoever watches must receive the same bytes in both.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from tessella.core import record, wire
from tessella.core.game import BadNotation, Chance, Choose, IllegalMove
from tessella.core.laws import BrokenLaw, check_laws, law_9_errors
from tessella.games import blockers
from tessella.games.blockers import Config, DrawTiles, Place, PutAside, State
from tessella.games.blockers.events import Secret, TilePlaced
from tessella.games.blockers.pieces import FACES, RACK_SIZE, in_order
from tessella.games.blockers.state import colours_of, colours_of_game

from .positions import CONFIGS, random_game

HUNTS = 500
SHARE = 16
"""How many of the hunts are made every time."""

THREE = Config(3)


def planted(**faults: object) -> Any:
    """Blockers! with some of its functions exchanged."""
    return SimpleNamespace(**{name: getattr(blockers, name) for name in blockers.__all__} | faults)


# The laws


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_BL40_blockers_keeps_the_laws(config):
    whole = check_laws(blockers, config, Random(0), every=8)
    assert len(whole.acts) == blockers.longest(config)


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_BL40_blockers_keeps_the_laws_in_25_more_games(config):
    for seed in range(25):
        check_laws(blockers, config, Random(f"slow {seed}"), every=4)


def broken(game: Any) -> str:
    """The law that random play finds broken, and why."""
    with pytest.raises(BrokenLaw) as caught:
        for seed in range(10):
            check_laws(game, THREE, Random(seed))
    return str(caught.value)


def with_hands(view: blockers.View, **fields: Sequence[object]) -> blockers.View:
    """The view, with one field of all its hands exchanged."""
    hands = [
        replace(hand, **{name: values[place] for name, values in fields.items()})
        for place, hand in enumerate(view.hands)
    ]
    return replace(view, hands=tuple(hands))


def showing_racks(state: State, seat: int | None) -> blockers.View:
    seen = blockers.view(state, seat)
    return seen if seat is not None else with_hands(seen, rack=[stock.rack for stock in state.stocks])


def unsorted(state: State, seat: int | None) -> blockers.View:
    return with_hands(blockers.view(state, seat), unseen=[stock.supply + stock.rack for stock in state.stocks])


def test_BL40_law_4_catches_a_rack_in_the_view_of_a_spectator():
    assert broken(planted(view=showing_racks)) == "law 4: the view of seat None shows something hidden"


def test_BL40_law_4_catches_unseen_tiles_in_an_order_that_reveals_the_rack():
    assert broken(planted(view=unsorted)).startswith("law 4: ")


def test_BL40_law_2_catches_a_supply_with_an_order():
    def setup(config: Config) -> State:
        state = blockers.setup(config)
        return replace(state, stocks=tuple(replace(stock, supply=FACES[::-1]) for stock in state.stocks))

    assert broken(planted(setup=setup)).startswith("law 2: ")


def test_BL40_law_4_catches_moves_in_an_order_that_depends_on_another_rack():
    def legal_moves(state: State, seat: int) -> Sequence[blockers.Move]:
        next_rack = state.stocks[(seat + 1) % 3].rack
        return blockers.legal_moves(state, seat)[:: -1 if "A" in next_rack else 1]

    assert "law 4: the list of legal moves tells seat" in broken(planted(legal_moves=legal_moves))


def test_BL40_law_5_catches_a_draw_that_everybody_sees():
    def witness(event: Any, seat: int | None) -> Any:
        return event.drawn if isinstance(event, Secret) else event

    assert broken(planted(witness=witness)).startswith("law 5: ")


def refusing_with_a_rack(state: State, act: Any) -> Any:
    try:
        return blockers.apply(state, act)
    except IllegalMove as refused:
        raise IllegalMove(refused.rule, f"{refused.why}; try {state.stocks[(act.seat + 1) % 3].rack}") from None


def test_BL40_law_9_catches_an_error_that_depends_on_another_rack():
    assert broken(planted(apply=refusing_with_a_rack)).startswith("law 9: the answer to ")


def test_BL40_law_9_catches_it_in_a_single_position():
    state, rng = blockers.setup(THREE), Random(1)
    while isinstance(turn := blockers.turn(state), Chance):
        state, _ = blockers.apply(state, blockers.deal(state, rng))
    assert isinstance(turn, Choose)
    earlier = blockers.legal_moves(state, turn.seats[0])[:1]
    law_9_errors(blockers, state, earlier, Random(2))
    with pytest.raises(BrokenLaw, match="law 9: "):
        law_9_errors(planted(apply=refusing_with_a_rack), state, earlier, Random(2))


@pytest.mark.heavy
def test_BL14_law_7_catches_a_captured_tile_that_is_lost():
    def apply(state: State, act: Any) -> Any:
        after, events = blockers.apply(state, act)
        return replace(after, captured=("", "", "")), events

    assert broken(planted(apply=apply)).startswith("law 7: the inventory was")


# The hunt


def differences(game: Any, config: Config, rng: Random) -> Iterator[str]:
    """Every message that tells somebody in which of two worlds the game is played."""
    acts = [act for act, _ in random_game(config, rng)]
    watcher = rng.choice([*range(config.seats), None])
    one = other = game.setup(config)
    for act, twin in zip(acts, other_world(config, acts, watcher, rng), strict=True):
        if received(game, one, act, watcher, seed := rng.random()) != received(game, other, twin, watcher, seed):
            yield f"{watcher}: {record.write_act(game, one, act)}"
        one, other = game.apply(one, act)[0], game.apply(other, twin)[0]


def other_world(
    config: Config, acts: Sequence[blockers.Move | blockers.Deal], watcher: int | None, rng: Random
) -> list[blockers.Move | blockers.Deal]:
    """The acts, but what the watcher may not read was drawn in another order."""
    own = "" if watcher is None else colours_of(config, watcher)
    draws = {
        colour: other_draws(
            [act.face for act in acts if isinstance(act, Place | PutAside) and act.colour == colour], rng
        )
        for colour in colours_of_game(config)
        if colour not in own
    }
    return [
        replace(act, tiles=next(draws[act.colour])) if isinstance(act, DrawTiles) and act.colour in draws else act
        for act in acts
    ]


def other_draws(played: Sequence[str], rng: Random) -> Iterator[str]:
    """Draws of a colour such that every tile is on the rack when it is played."""
    supply = [face for face in FACES if face != played[0]]
    rng.shuffle(supply)
    rack = [played[0], *(supply.pop() for _ in range(RACK_SIZE - 1))]
    yield in_order("".join(rack))
    for face, coming in pairwise(played):
        rack.remove(face)
        drawn = supply.pop(supply.index(coming) if coming not in rack else -1)
        rack.append(drawn)
        yield drawn


def received(
    game: Any, state: State, act: blockers.Move | blockers.Deal, watcher: int | None, seed: float
) -> list[bytes | str]:
    """All that a watcher gets to know of an act, and of what may be done after it."""
    after, events = game.apply(state, act)
    messages: list[bytes | str] = [wire.encode(game.witness(event, watcher)) for event in events]
    messages.append(wire.encode(game.view(after, watcher)))
    text = record.write_act(game, state, act)
    messages.append(text if game.owner(act) in (None, watcher) else f"{len(text)} characters")
    if watcher is not None:
        listed = game.legal_moves(after, watcher)
        messages += [game.write_move(after, move) for move in listed]
        messages += [wire.encode(game.preview(after, move)) for move in listed[:1]]
        messages.append(answer(game, after, watcher, Random(seed)))
    return messages


def answer(game: Any, state: State, watcher: int, rng: Random) -> str:
    """What the watcher is told when trying any move at all."""
    text = f"{rng.choice(FACES)}@{rng.choice('ABCDEFGHI')}{rng.choice('123456789')}{rng.choice(['', 'x'])}"
    try:
        game.apply(state, game.read_move(state, watcher, rng.choice(["", "b", "y"]) + text))
    except (BadNotation, IllegalMove) as refused:
        return str(refused)
    return "done"


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed >= SHARE else []) for seed in range(HUNTS)]
)
def test_BL40_no_byte_depends_on_what_is_hidden(seed):
    assert list(differences(blockers, CONFIGS[seed % len(CONFIGS)], Random(seed))) == []


def caught(**faults: object) -> bool:
    return any(list(differences(planted(**faults), THREE, Random(seed))) for seed in range(10))


def test_BL40_the_hunt_catches_a_rack_in_the_view_of_a_spectator():
    assert caught(view=showing_racks)


def test_BL40_the_hunt_catches_a_draw_that_everybody_may_read():
    assert caught(owner=lambda act: None)


def test_BL40_the_hunt_catches_the_place_on_the_rack_from_where_a_tile_was_played():
    def apply(state: State, act: Any) -> Any:
        after, events = blockers.apply(state, act)
        return after, [
            replace(event, group=state.stocks["byr".index(event.colour)].rack.index(event.face))
            if isinstance(event, TilePlaced)
            else event
            for event in events
        ]

    assert caught(apply=apply)


def test_BL40_the_hunt_catches_an_error_that_depends_on_another_rack():
    assert caught(apply=refusing_with_a_rack)
