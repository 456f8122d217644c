"""What is hidden, and from whom (DU60)."""

from collections import Counter
from random import Random

import pytest

from tessella.core import wire
from tessella.core.game import Seat
from tessella.games import duel
from tessella.games.duel.events import PlatePutBack, PlateReturned, PlatesLookedAt, PlatesSeen

from .positions import play, refusal, table

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
    assert refusal(state, duel.Open(("tkr?", "ty?k", "trb?"))) == "DU03"
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


@pytest.mark.parametrize("event", [PlatesLookedAt(0, ("kyr?",)), PlatePutBack(0, "kyr?")])
def test_DU60_secret_events_do_not_leave_the_server(event):
    with pytest.raises(TypeError, match="not public"):
        wire.encode(event)


def test_DU60_only_the_owner_reads_a_look_and_a_return():
    assert duel.owner(duel.Look(1, ("kyr?",))) == 1
    assert duel.owner(duel.Return(0, "kyr?")) == 0
    assert duel.owner(duel.PlacePlate(0, "kyr?", 3)) is None
    assert duel.owner(duel.Open(("kyr?",))) is None


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
