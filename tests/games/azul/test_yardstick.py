"""An independent engine played 200 games: every move of them is legal here, and every round has the same scores."""

from collections.abc import Sequence
from pathlib import Path

from tessella.core.game import Chance, Over
from tessella.games import azul
from tessella.games.azul.events import BonusScored, Event
from tests.games.playing import only

from .positions import play

TRACE = Path(__file__).parents[3] / "records" / "azul" / "yardstick.trace"


def test_two_hundred_games_of_an_independent_engine_have_the_same_scores_in_every_round():
    games = [line for line in TRACE.read_text().splitlines() if not line.startswith("#")]
    assert len(games) == 200
    for game in games:
        *rounds, final = game.split(" | ")
        state = azul.setup(azul.Config(2))
        for number, text in enumerate(rounds):
            deal, *moves, scores = text.split(" ")
            state, events = play(state, f"*{'' if number else '0:'}{deal.replace(',', ' ')}", *moves)
            assert scores == scores_before_bonuses(state, events)
            assert azul.turn(state) == Chance() or number == len(rounds) - 1
        turn = azul.turn(state)
        assert isinstance(turn, Over)
        assert final == write_scores(turn.scores)


def scores_before_bonuses(state: azul.State, events: Sequence[Event]) -> str:
    bonuses = [0, 0]
    for event in only(events, BonusScored):
        bonuses[event.seat] += event.points
    return write_scores([board.score - bonus for board, bonus in zip(state.boards, bonuses, strict=True)])


def write_scores(scores: Sequence[int]) -> str:
    return ":".join(map(str, scores))
