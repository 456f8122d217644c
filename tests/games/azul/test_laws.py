"""Azul keeps the nine laws of `core.laws`; and each law catches the game that breaks it."""

import re
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from tessella.core.game import Choose, IllegalMove, Over
from tessella.core.laws import BrokenLaw, check_laws, law_1_replay
from tessella.core.record import Record
from tessella.games import azul
from tessella.games.azul.events import FactoryFilled

from .positions import CONFIGS

COLOURED = azul.Config(2, "coloured")
GREY = azul.Config(2, "grey")
SELDOM = 10**9
"""Check laws 2 to 6 at the end only."""


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_azul_keeps_the_laws(config):
    for seed in range(10):
        whole = check_laws(azul, config, Random(seed), every=8)
        assert len(whole.scores) == len(whole.places) == config.seats
        assert 1 in whole.places


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_azul_keeps_the_laws_in_a_thousand_games(config):
    for seed in range(1_000):
        check_laws(azul, config, Random(f"slow {seed}"), every=16)


# Planted faults: Azul with one thing wrong


def planted(**faults: object) -> Any:
    """Azul with some of its functions exchanged."""
    return SimpleNamespace(**{name: getattr(azul, name) for name in azul.__all__} | faults)


def broken(game: Any, config: azul.Config = COLOURED, every: int = 1) -> str:
    """The law that random play finds broken, and why."""
    with pytest.raises(BrokenLaw) as caught:
        for seed in range(50):
            check_laws(game, config, Random(seed), every=every)
    assert str(caught.value).startswith(f"law {caught.value.law}: ")
    return str(caught.value)


def test_a_game_without_a_fault_is_found_in_order():
    check_laws(planted(), COLOURED, Random(0))


# Law 1: a record replays


def without_last_factory(state, deal):
    return azul.write_deal(state, deal).rpartition(" ")[0]


def test_law_1_catches_a_deal_that_is_written_incompletely():
    game = planted(write_deal=without_last_factory)
    assert broken(game, every=SELDOM).startswith("law 1: the record does not replay")


def test_law_1_catches_an_act_that_takes_two_lines():
    game = planted(write_deal=lambda state, deal: azul.write_deal(state, deal).replace(" ", "\n"))
    assert broken(game, every=SELDOM).startswith("law 1: cannot write the record: ")


def test_law_1_catches_a_game_that_depends_on_more_than_its_acts():
    games = count()

    def apply(state, act):
        after, events = azul.apply(state, act)
        return (replace(after, start=next(games) % 2) if isinstance(azul.turn(after), Over) else after), events

    assert broken(planted(apply=apply), every=SELDOM).startswith("law 1: the record replays to 2c ")


def test_law_1_can_be_asked_of_one_record():
    whole = check_laws(azul, COLOURED, Random(1), every=SELDOM)
    with pytest.raises(BrokenLaw) as caught:
        law_1_replay(azul, Record(whole.rules, whole.acts[:-1]), azul.setup(COLOURED))
    assert caught.value.law == 1


# Law 2: what is written is read as the same


def test_law_2_catches_a_deal_that_is_written_incompletely():
    assert broken(planted(write_deal=without_last_factory)).startswith("law 2: ")


def test_law_2_catches_a_position_that_forgets_who_starts():
    game = planted(read_state=lambda text: replace(azul.read_state(text), start=0))
    assert broken(game).endswith("is read as another position")


def test_law_2_catches_a_move_that_is_read_for_another_seat():
    broke = broken(planted(read_move=lambda state, seat, text: azul.read_move(state, 0, text)))
    assert broke.startswith("law 2: ") and "is read as another move" in broke


def test_law_2_catches_a_move_that_looks_like_a_deal():
    game = planted(
        write_move=lambda state, move: "*" + azul.write_move(state, move),
        read_move=lambda state, seat, text: azul.read_move(state, seat, text[1:]),
    )
    broke = broken(game)
    assert broke.startswith("law 2: *") and "as a deal" in broke


# Law 3: what is listed, and only that, may be done


def test_law_3_catches_a_list_for_a_seat_that_may_not_move():
    broke = broken(planted(legal_moves=lambda state, seat: azul.legal_moves(state, state.current)))
    assert re.match(r"law 3: seat [01] lists [0-9]+ moves, and the turn is Choose", broke)


def test_law_3_catches_a_listed_move_that_does_not_apply():
    def apply(state, act):
        if isinstance(act, azul.Take) and act.line is None:
            raise IllegalMove("AZ16", "nobody may use the floor")
        return azul.apply(state, act)

    broke = broken(planted(apply=apply))
    assert broke.startswith("law 3: ") and broke.endswith("- is listed but does not apply")


def test_law_3_catches_an_unlisted_move_that_applies():
    def legal_moves(state, seat):
        """In even rounds the floor is listed only if nothing else is."""
        moves = azul.legal_moves(state, seat)
        return [move for move in moves if getattr(move, "line", 0) is not None or state.round % 2] or moves

    broke = broken(planted(legal_moves=legal_moves))
    assert broke.startswith("law 3: ") and broke.endswith("- is not listed but applies")


# Laws 4 and 5: Azul in which the next tile of the bag is known to the state


class Stacked(azul.State, frozen=True):
    """A table whose bag has a next tile."""

    coming: int = 0


class StackedDeal(azul.Deal, frozen=True):
    """A deal that decides about the next tile too."""

    coming: int = 0


class Leaky(azul.View, frozen=True):
    """A view that shows the next tile."""

    coming: int = 0


def stacked(**faults: object) -> Any:
    """Azul with a secret, which it keeps unless a fault tells it."""

    def setup(config):
        return Stacked(**fields(azul.setup(config)))

    def deal(state, rng):
        """The same factories every time, so that deals differ in the secret alone."""
        dealt = azul.deal(state, Random(state.round))
        return StackedDeal(dealt.factories, dealt.start, coming=rng.randrange(5))

    def apply(state, act):
        after, events = azul.apply(state, act)
        return (replace(after, coming=act.coming) if isinstance(act, StackedDeal) else after), events

    def imagine(view, rng):
        return Stacked(**fields(azul.imagine(view, rng)), coming=rng.randrange(5))

    def read_deal(state, text):
        coming, _, rest = text.partition(";")
        dealt = azul.read_deal(state, rest)
        return StackedDeal(dealt.factories, dealt.start, int(coming))

    def read_state(text):
        coming, _, rest = text.partition(";")
        return Stacked(**fields(azul.read_state(rest)), coming=int(coming))

    game = {
        "State": Stacked,
        "Deal": StackedDeal,
        "setup": setup,
        "deal": deal,
        "apply": apply,
        "imagine": imagine,
        "write_deal": lambda state, dealt: f"{dealt.coming};{azul.write_deal(state, dealt)}",
        "read_deal": read_deal,
        "write_state": lambda state: f"{state.coming};{azul.write_state(state)}",
        "read_state": read_state,
    }
    return planted(**game | faults)


def fields(state: azul.State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in azul.State.__struct_fields__}


def show(state: Stacked, seat: int | None) -> Leaky:
    seen = azul.view(state, seat)
    return Leaky(**{name: getattr(seen, name) for name in azul.View.__struct_fields__}, coming=state.coming)


@pytest.mark.heavy
@pytest.mark.no_cover
def test_a_secret_that_is_kept_breaks_no_law():
    for seed in range(3):
        check_laws(stacked(), COLOURED, Random(seed))


def test_law_4_catches_a_view_that_shows_a_secret():
    assert broken(stacked(view=show)).endswith("shows something hidden")


def test_law_4_catches_a_secret_in_the_inventory():
    game = stacked(inventory=lambda state: {**azul.inventory(state), "coming": state.coming})
    broke = broken(game)
    assert broke.startswith("law 4: ") and broke.endswith("imagines a different turn or inventory")


def test_law_4_catches_a_list_of_moves_that_depends_on_a_secret():
    def legal_moves(state, seat):
        return azul.legal_moves(state, seat)[:: 1 if state.coming % 2 else -1]

    assert "law 4: the list of legal moves tells seat" in broken(stacked(legal_moves=legal_moves))


@pytest.mark.heavy
@pytest.mark.no_cover
def test_law_4_allows_a_list_of_moves_to_depend_on_what_its_owner_knows():
    """Seat 0 sees the next tile, and its moves are listed accordingly; the others learn nothing from that."""

    def legal_moves(state, seat):
        return azul.legal_moves(state, seat)[:: -1 if seat == 0 and state.coming % 2 else 1]

    def view(state, seat):
        return show(state, seat) if seat == 0 else azul.view(state, seat)

    def imagine(seen, rng):
        other = stacked().imagine(seen, rng)
        return replace(other, coming=seen.coming) if isinstance(seen, Leaky) else other

    def owner(act):
        return 0 if isinstance(act, StackedDeal) else None

    for seed in range(3):
        check_laws(stacked(legal_moves=legal_moves, view=view, imagine=imagine, owner=owner), COLOURED, Random(seed))


def move_that_tells(state, act):
    after, events = stacked().apply(state, act)
    return after, [*events, FactoryFilled(state.coming, "tells")] if isinstance(act, azul.Take) else events


@pytest.mark.parametrize("told", [0, 1, None])
def test_law_4_catches_an_event_that_shows_a_secret_to_anybody(told):
    """To the mover, to another seat or to a spectator."""

    def witness(event, seat):
        return event if seat == told or event != FactoryFilled(getattr(event, "factory", 0), "tells") else None

    broke = broken(stacked(apply=move_that_tells, witness=witness))
    assert broke.startswith("law 4: ") and broke.endswith(f"shows seat {told} something hidden")


def deal_that_tells(state, act):
    after, events = stacked().apply(state, act)
    return after, [*events, FactoryFilled(after.coming, "tells")] if isinstance(act, StackedDeal) else events


def test_law_5_catches_events_of_a_deal_that_show_more_than_the_table():
    assert broken(stacked(apply=deal_that_tells)).startswith("law 5: the events of a deal show seat ")


@pytest.mark.heavy
def test_law_5_allows_an_event_that_no_seat_witnesses():
    def witness(event, seat):
        return None if event == FactoryFilled(getattr(event, "factory", 0), "tells") else azul.witness(event, seat)

    check_laws(stacked(apply=deal_that_tells, witness=witness), COLOURED, Random(0))


# Law 6: seats that move together may do so in any order


def test_law_6_catches_a_grey_wall_that_rewards_the_first_to_choose():
    def apply(state, act):
        turn = azul.turn(state)
        after, events = azul.apply(state, act)
        if isinstance(act, azul.Place) and isinstance(turn, Choose) and len(turn.seats) > 1:
            board = after.boards[act.seat]
            boards = list(after.boards)
            boards[act.seat] = replace(board, score=board.score + 1)
            after = replace(after, boards=tuple(boards))
        return after, events

    assert broken(planted(apply=apply), GREY) == "law 6: it matters whether seat 0 or seat 1 moves first"


# Law 7: nothing is lost, and play ends


def test_law_7_catches_a_lost_tile():
    def apply(state, act):
        after, events = azul.apply(state, act)
        blue, *others = after.lid
        return replace(after, lid=(max(0, blue - 1), *others)), events

    assert broken(planted(apply=apply)).startswith("law 7: the inventory was {'b': 20,")


def test_law_7_allows_a_game_as_long_as_its_bound():
    acts = len(check_laws(azul, COLOURED, Random(7), every=SELDOM).acts)
    check_laws(planted(longest=lambda config: acts), COLOURED, Random(7), every=SELDOM)
    with pytest.raises(BrokenLaw, match=f"law 7: the game is longer than {acts - 1} acts"):
        check_laws(planted(longest=lambda config: acts - 1), COLOURED, Random(7), every=SELDOM)


def test_law_7_catches_a_game_that_never_ends():
    def apply(state, act):
        after, events = azul.apply(state, act)
        return (azul.setup(state.config) if isinstance(azul.turn(after), Over) else after), events

    assert broken(planted(apply=apply), every=SELDOM) == "law 7: the game is longer than 1550 acts"
