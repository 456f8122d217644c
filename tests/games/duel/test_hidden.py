"""What is hidden, and from whom (DU60)."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest
from msgspec.structs import replace

from tessella.core import laws, wire
from tessella.core.game import AnyGame, IllegalMove, Rng, Seat
from tessella.core.laws import BrokenLaw
from tessella.games import duel
from tessella.games.duel.events import Event, PlatePlaced, PlatePutBack, PlateReturned, PlatesLookedAt, PlatesSeen
from tessella.games.duel.pieces import kind_of

from .positions import CONFIGS, moves, play, random_acts, table

HUNTED_GAMES = 12
ALL_HUNTED_GAMES = 500
OPEN = "ykt* ?btk trb?"
LEFT = "*,*,*,*,*,*,?,?,?,?"
PUT_BACK = table(open=OPEN, stack=f"kyr?1,k*tr1,{LEFT},?")
"""Seat 1 has put two plates back, which now lie on top."""

DRAWN, _ = play(table(open=OPEN, stack=f"?,?,{LEFT},*"), "d+", "d+", "d+", "d=", "*kyr? ty?k k*tr")
"""Seat 0 has drawn three plates and looks at them."""


def faces(state: duel.State, seat: Seat | None) -> list[str]:
    seen = duel.view(state, seat)
    return [back.face for back in (*seen.stack, *seen.hand)]


# Views


def test_DU60_the_stack_shows_only_kinds():
    for seat in (0, 1, None):
        assert {*faces(table(open=OPEN), seat)} == {"*", "?"}


def test_DU60_chips_and_plates_unknown_to_all_are_not_in_the_state():
    state = table(open=OPEN)
    assert {factory.chip for factory in state.factories[1:]} == {"#"}
    assert all(back.fresh for back in state.stack)


def test_DU60_drawn_plates_are_seen_by_their_player_only():
    assert faces(DRAWN, 0)[-3:] == ["k*tr", "kyr?", "ty?k"]
    assert faces(DRAWN, 1)[-3:] == faces(DRAWN, None)[-3:] == ["*", "?", "?"]
    assert duel.view(DRAWN, 1).hand[0].known == (0,)


def test_DU60_a_plate_that_was_put_back_is_known_to_its_player_only():
    assert faces(PUT_BACK, 1)[:2] == ["kyr?", "k*tr"]
    assert faces(PUT_BACK, 0)[:2] == faces(PUT_BACK, None)[:2] == ["?", "*"]


def test_DU60_everybody_sees_how_many_plates_were_looked_at():
    assert [back.known for back in duel.view(PUT_BACK, None).stack[:3]] == [(1,), (1,), ()]


def test_DU60_a_plate_becomes_public_when_it_is_opened():
    state = table(factories="- - - - -/-/b", tokens=(0, 0), due=(1, 0), stack="kyr?1,ty?k0,?,*,*,*,*,*,*,?,?,?")
    state, _ = play(state, "c4")
    assert duel.deal(state, Random(0)).plates[:2] == ("kyr?", "ty?k")  # type: ignore[union-attr]
    with pytest.raises(IllegalMove, match="DU03"):
        duel.apply(state, duel.Open(("tkr?", "ty?k", "trb?")))
    state, _ = play(state, "*kyr? ty?k tkr?")
    assert duel.view(state, None).open == ("kyr?", "ty?k", "tkr?")


# Events and acts


def test_DU60_others_see_that_plates_are_looked_at_but_not_which():
    looked = PlatesLookedAt(0, ("kyr?", "k*tr"))
    assert duel.witness(looked, 0) == PlatesSeen(0, ("kyr?", "k*tr"))
    assert duel.witness(looked, 1) == duel.witness(looked, None) == PlatesSeen(0, ("?", "*"))


def test_DU60_others_see_the_back_of_a_plate_that_is_put_back():
    back = PlatePutBack(1, "k*tr")
    assert duel.witness(back, 1) == PlateReturned(1, "k*tr")
    assert duel.witness(back, 0) == duel.witness(back, None) == PlateReturned(1, "*")


def test_DU60_what_is_placed_is_seen_by_all():
    placed = PlatePlaced(0, "kyr?", 3, drawn=True, rule="DU20")
    assert [duel.witness(placed, seat) for seat in (0, 1, None)] == [placed] * 3


@pytest.mark.parametrize("event", [PlatesLookedAt(0, ("kyr?",)), PlatePutBack(0, "kyr?")])
def test_DU60_secret_events_do_not_leave_the_server(event):
    with pytest.raises(TypeError, match="not public"):
        wire.encode(event)


def test_DU60_only_the_owner_reads_a_look_and_a_return():
    assert duel.owner(duel.Look(1, ("kyr?",))) == 1
    assert duel.owner(duel.Return(0, "kyr?")) == 0
    assert duel.owner(duel.PlacePlate(0, "kyr?", 3)) is None
    assert duel.owner(duel.Open(("kyr?",))) is None


def test_DU60_a_look_belongs_to_the_player_who_drew():
    state, _ = play(table(open=OPEN), "d+", "d=")
    with pytest.raises(IllegalMove, match="DU60"):
        duel.apply(state, duel.Look(1, ("k*tr",)))


# Losing track of a plate


MIXED, _ = play(table(open=OPEN, stack=f"kyr?1,?,{LEFT},*"), "d+", "d+", "d+", "d=", "*kyr? ty?k k*tr", "1k*tr")
"""Seat 0 has drawn a joker plate that seat 1 knows, another one, and a special plate, which it kept."""


def test_DU60_a_player_who_knew_a_plate_loses_track_of_it_in_a_hand_with_another_of_its_kind():
    state = MIXED
    assert [back.known for back in state.hand] == [(0,), (0,)]
    seen = duel.view(state, 1)
    assert [back.face for back in seen.hand] == ["?", "?"]
    assert seen.lost == ("kyr?",)
    assert duel.view(state, 0).lost == duel.view(state, None).lost == ()
    one, _ = play(state, "ukyr?")
    other, _ = play(state, "uty?k")
    for seat in (1, None):
        assert wire.encode(duel.view(one, seat)) == wire.encode(duel.view(other, seat))
    assert [back.face for back in duel.view(one, 0).stack[-2:]] == ["kyr?", "ty?k"]


def test_DU60_a_player_who_knew_a_plate_still_knows_it_in_a_hand_without_another_of_its_kind():
    state = table(open=OPEN, stack=f"kyr?1,{LEFT},*,?")
    state, _ = play(state, "d+", "d+", "d+", "d=", "*kyr? k*tr *krb", "1*krb", "uk*tr")
    assert [back.known for back in state.stack[-2:]] == [(0,), (0, 1)]
    assert faces(state, 1)[-2:] == ["*", "kyr?"]


def test_DU60_a_lost_plate_is_found_again_by_looking():
    state, _ = play(MIXED, "ukyr?")
    rest = "*,*,*,*,*,?,?,?,?,*"
    state = duel.read_state(duel.write_state(state).replace(f"{rest},kyr?0~1,ty?k0", f"kyr?0~1,ty?k0,{rest}"))
    state, _ = play(state, "d+", "d+", "d=", "*kyr? ty?k")
    assert [(back.known, back.lost) for back in state.hand] == [((1,), (0,)), ((1,), (0,))]
    assert [duel.view(state, seat).lost for seat in (0, 1, None)] == [("kyr?", "ty?k"), (), ()]


# Imagining


def imagined(state: duel.State, seat: Seat | None, number: int) -> Counter[tuple[str, ...]]:
    """How often a seat imagines which looked-at plates."""
    rng = Random(1)
    worlds = (duel.imagine(duel.view(state, seat), rng) for _ in range(number))
    return Counter(tuple(back.face for back in (*world.stack, *world.hand) if not back.fresh) for world in worlds)


def test_DU60_every_plate_that_a_seat_has_not_seen_is_as_likely():
    free = {"ty?k", "kyr?", "tkr?", "rty?", "tb?y", "yr?b", "r?bk"} - {PUT_BACK.boards[1].dome[8]}
    assert faces(PUT_BACK, 0)[0] == "?"
    worlds = Counter(faces[0] for faces in imagined(PUT_BACK, 0, 1200).elements())
    assert {*worlds} == free
    assert max(worlds.values()) < 1.35 * min(worlds.values())
    assert imagined(PUT_BACK, 1, 20) == {("kyr?", "k*tr"): 20}


def test_DU60_a_lost_plate_is_imagined_in_every_place_where_it_may_lie():
    state, _ = play(MIXED, "ukyr?")
    worlds = imagined(state, 1, 300)
    first = sum(number for plates, number in worlds.items() if plates[0] == "kyr?")
    assert all("kyr?" in plates for plates in worlds)
    assert 110 < first < 190
    assert any("kyr?" not in plates for plates in imagined(state, None, 50))


# The hunt: byte by byte


def messages(state: duel.State, events: Sequence[Event], seat: Seat | None) -> list[bytes]:
    """All that a seat is sent after an act."""
    return [wire.encode(duel.view(state, seat)), *(wire.encode(duel.witness(event, seat)) for event in events)]


def same_act(act: duel.Move | duel.Deal, state: duel.State, world: duel.State) -> duel.Move | duel.Deal:
    """The act in an imagined world: the plates that another player handles are those of that world."""
    other = {back.face: like.face for back, like in zip(state.hand, world.hand, strict=True)}
    return replace(act, plate=other[act.plate]) if isinstance(act, duel.Return) else act


def turns_over(act: duel.Move | duel.Deal, world: duel.State) -> bool:
    """Whether the act shows something that was hidden, and that is different in this world."""
    if isinstance(act, duel.PlacePlate):
        return act not in duel.legal_moves(world, act.seat)
    return isinstance(act, duel.Open | duel.Look)


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("games", [HUNTED_GAMES, pytest.param(ALL_HUNTED_GAMES, marks=pytest.mark.slow)])
def test_DU60_no_byte_sent_to_a_seat_depends_on_what_it_may_not_know(games):
    compared = 0
    for number in range(games):
        rng = Random(number)
        for state, act, after, events in random_acts(CONFIGS[number % len(CONFIGS)], rng):
            for seat in (0, 1, None):
                world = duel.imagine(duel.view(state, seat), rng)
                assert wire.encode(duel.view(world, seat)) == wire.encode(duel.view(state, seat))
                if not turns_over(act, world):
                    there = duel.apply(world, same_act(act, state, world))
                    assert messages(*there, seat) == messages(after, events, seat)
                    compared += world != state
    assert compared > 50 * games


# Faults planted on purpose


def faulty(**functions: object) -> AnyGame:
    """The game with some of its functions exchanged."""
    return cast("AnyGame", SimpleNamespace(**{**vars(duel), **functions}))


def test_DU60_a_returned_plate_shown_to_the_opponent_breaks_a_law():
    def view(state: duel.State, seat: Seat | None) -> duel.View:
        seen = duel.view(state, seat)
        shown = (replace(back, face=true.face) for back, true in zip(seen.stack, state.stack, strict=True))
        return replace(seen, stack=tuple(shown))

    def imagine(seen: duel.View, rng: Rng) -> duel.State:
        hidden = (back if seen.seat in back.known else replace(back, face=kind_of(back.face)) for back in seen.stack)
        return duel.imagine(replace(seen, stack=tuple(hidden)), rng)

    laws.law_4_nothing_leaks(faulty(imagine=imagine), PUT_BACK, Random(1))
    with pytest.raises(BrokenLaw, match="shows something hidden"):
        laws.law_4_nothing_leaks(faulty(imagine=imagine, view=view), PUT_BACK, Random(1))


class Marked(duel.State, frozen=True):
    """A table where the chips have faces before they are revealed."""

    below: str = ""


def test_DU60_an_unrevealed_chip_shown_breaks_a_law():
    def view(state: Marked, seat: Seat | None) -> duel.View:
        shown = replace(state.factories[1], chip=state.below)
        return replace(duel.view(state, seat), factories=(state.factories[0], shown, *state.factories[2:]))

    def imagine(seen: duel.View, rng: Rng) -> Marked:
        hidden = (seen.factories[0], replace(seen.factories[1], chip="#"), *seen.factories[2:])
        world = duel.imagine(replace(seen, factories=hidden), rng)
        return marked(world, seen.chips[rng.randrange(len(seen.chips))])

    def marked(state: duel.State, below: str) -> Marked:
        return Marked(**{name: getattr(state, name) for name in state.__struct_fields__}, below=below)

    with pytest.raises(BrokenLaw, match="shows something hidden"):
        laws.law_4_nothing_leaks(faulty(view=view, imagine=imagine), marked(table(), "T"), Random(1))


def test_DU60_an_order_of_moves_that_depends_on_a_hidden_plate_breaks_a_law():
    def legal_moves(state: duel.State, seat: Seat) -> Sequence[duel.Move]:
        listed = duel.legal_moves(state, seat)
        return listed[::-1] if state.stack[0].face == "kyr?" else listed

    with pytest.raises(BrokenLaw, match="list of legal moves"):
        laws.law_4_nothing_leaks(faulty(legal_moves=legal_moves), PUT_BACK, Random(1))


def test_DU60_events_that_show_another_player_s_plates_break_a_law():
    def witness(event: Event, seat: Seat | None) -> object:
        return PlatesSeen(event.seat, event.plates) if isinstance(event, PlatesLookedAt) else duel.witness(event, seat)

    state, _ = play(table(open=OPEN), "d+", "d+", "d=")
    laws.law_5_events(duel, state, Random(1))
    with pytest.raises(BrokenLaw, match="the events of a deal show"):
        laws.law_5_events(faulty(witness=witness), state, Random(1))


def test_DU60_a_move_that_turns_a_hidden_plate_over_breaks_a_law():
    def apply(state: duel.State, act: duel.Move | duel.Deal) -> tuple[duel.State, Sequence[Event]]:
        after, events = duel.apply(state, act)
        return replace(after, stack=tuple(replace(back, known=(0, 1)) for back in after.stack)), events

    with pytest.raises(BrokenLaw, match="shows seat 0"):
        laws.law_4_nothing_leaks(faulty(apply=apply), PUT_BACK, Random(1))


def test_DU60_an_error_reveals_nothing_hidden():
    for text in ("1kyr?", "1tkr?", "ukyr?"):
        reasons = set()
        for seed in range(5):
            world = duel.imagine(duel.view(PUT_BACK, 0), Random(seed))
            with pytest.raises(IllegalMove) as refused:
                duel.apply(world, duel.read_move(world, 0, text))
            reasons.add(str(refused.value))
        assert len(reasons) == 1
    assert moves(PUT_BACK)
