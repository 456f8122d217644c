"""Azul keeps the nine laws of `core.laws`; and laws catch games that break them (for secrets: `test_planted_leaks`)."""

from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

from tessella.core.game import Choose, IllegalMove, Over
from tessella.core.laws import BrokenLaw, check_laws, law_1_replay
from tessella.core.record import Record
from tessella.games import azul
from tests.games.playing import MANY_GAMES

from .positions import CONFIGS, changed

COLOURED = azul.Config(2, "coloured")
SELDOM = 10**9
"""Check laws 2 to 6 at the end only."""


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize(("games", "every"), [(10, 8), MANY_GAMES])
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_azul_keeps_the_laws(config, games, every):
    for seed in range(games):
        whole = check_laws(azul, config, Random(seed), every=every)
        assert len(whole.scores) == len(whole.places) == config.seats
        assert 1 in whole.places


# Planted faults: Azul with one thing wrong


def changing(after_apply):
    """The rules, with a change to each position that they lead to."""

    def apply(state, act):
        after, events = azul.apply(state, act)
        return after_apply(after, act, state), events

    return apply


GAMES = count()


def another_start_each_time(after, act, before):
    return replace(after, start=next(GAMES) % 2) if isinstance(azul.turn(after), Over) else after


def a_point_for_the_first(after, act, before):
    turn = azul.turn(before)
    if isinstance(act, azul.Place) and isinstance(turn, Choose) and len(turn.seats) > 1:
        boards = [replace(board, score=board.score + (seat == act.seat)) for seat, board in enumerate(after.boards)]
        return replace(after, boards=tuple(boards))
    return after


def without_last_factory(state, deal):
    return azul.write_deal(state, deal).rpartition(" ")[0]


def no_floor(state, act):
    if isinstance(act, azul.Take) and act.line is None:
        raise IllegalMove("AZ16", "nobody may use the floor")
    return azul.apply(state, act)


def floor_last_in_even_rounds(state, seat):
    moves = azul.legal_moves(state, seat)
    return [move for move in moves if getattr(move, "line", 0) is not None or state.round % 2] or moves


AS_DEALS = {
    "write_move": lambda state, move: "*" + azul.write_move(state, move),
    "read_move": lambda state, seat, text: azul.read_move(state, seat, text[1:]),
}


@pytest.mark.parametrize(
    ("faults", "every", "law"),
    [
        ({"write_deal": without_last_factory}, SELDOM, "law 1: the record does not replay"),
        (
            {"write_deal": lambda state, deal: azul.write_deal(state, deal).replace(" ", "\n")},
            SELDOM,
            "law 1: cannot write the record: ",
        ),
        ({"apply": changing(another_start_each_time)}, SELDOM, "law 1: the record replays to 2c "),
        ({"write_deal": without_last_factory}, 1, "law 2: .* is read as another deal"),
        ({"read_state": lambda text: replace(azul.read_state(text), start=0)}, 1, "law 2: .* as another position"),
        ({"read_move": lambda state, seat, text: azul.read_move(state, 0, text)}, 1, "law 2: .* as another move"),
        (AS_DEALS, 1, r"law 2: \*.* as a deal"),
        (
            {"legal_moves": lambda state, seat: azul.legal_moves(state, state.current)},
            1,
            "law 3: seat [01] lists [0-9]+ moves, and the turn is Choose",
        ),
        ({"apply": no_floor}, 1, "law 3: .*- is listed but does not apply"),
        ({"legal_moves": floor_last_in_even_rounds}, 1, "law 3: .*- is not listed but applies"),
        ({"apply": changing(lambda after, *_: replace(after, lid=(0,) * 5))}, 1, "law 7: the inventory was {'b': 20,"),
        (
            {
                "apply": changing(
                    lambda after, *_: azul.setup(COLOURED) if isinstance(azul.turn(after), Over) else after
                )
            },
            SELDOM,
            "law 7: the game is longer than 1550 acts",
        ),
    ],
)
def test_a_law_catches_a_fault(faults, every, law):
    with pytest.raises(BrokenLaw, match=f"^{law}"):
        for seed in range(50):
            check_laws(changed(**faults), COLOURED, Random(seed), every=every)


def test_law_6_catches_a_grey_wall_that_rewards_the_first_to_choose():
    with pytest.raises(BrokenLaw, match="law 6: it matters whether seat 0 or seat 1 moves first"):
        for seed in range(50):
            check_laws(changed(apply=changing(a_point_for_the_first)), azul.Config(2, "grey"), Random(seed))


def test_law_1_can_be_asked_of_one_record():
    whole = check_laws(azul, COLOURED, Random(1), every=SELDOM)
    with pytest.raises(BrokenLaw) as caught:
        law_1_replay(azul, Record(whole.rules, whole.acts[:-1]), azul.setup(COLOURED))
    assert caught.value.law == 1


def test_law_7_allows_a_game_as_long_as_its_bound():
    acts = len(check_laws(azul, COLOURED, Random(7), every=SELDOM).acts)
    check_laws(changed(longest=lambda config: acts), COLOURED, Random(7), every=SELDOM)
    with pytest.raises(BrokenLaw, match=f"law 7: the game is longer than {acts - 1} acts"):
        check_laws(changed(longest=lambda config: acts - 1), COLOURED, Random(7), every=SELDOM)
