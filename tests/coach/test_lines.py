"""The coach's lines, played on the board instead of a move of the game."""

import json
from pathlib import Path

import pytest

from tessella.coach.lines import line_after
from tessella.coach.review import AnyStep
from tessella.core import record, wire
from tessella.core.game import BadNotation, Choose, IllegalMove
from tessella.games import GAMES, azul

RECORDS = Path(__file__).parents[2] / "records"
SOME = ["azul/3-grey-greedy", "azul/2-coloured-greedy", "duel/points", "blockers/5-random"]


def whole_of(name):
    return record.read((RECORDS / f"{name}.game").read_text())


def moves_from(game, whole, number):
    """Return the moves of the game from this act up to the next deal, or up to where several seats may move."""
    found: list[AnyStep] = []
    for step in list(record.replay(game, whole))[number:]:
        turn = game.turn(step.before)
        if step.seat is None or (found and isinstance(turn, Choose) and len(turn.seats) > 1):
            return found
        found.append(step)
    return found


@pytest.mark.parametrize("name", SOME)
def test_the_moves_of_the_game_as_a_line_show_the_game(name):
    whole = whole_of(name)
    game = GAMES[whole.game]
    first = next(step.number for step in record.replay(game, whole) if step.seat is not None)
    played = moves_from(game, whole, first)
    line = [game.write_move(step.before, step.act) for step in played]
    for viewer in (None, 0, 1):
        seen = json.loads(wire.encode(line_after(whole, first, line, viewer)))["steps"]
        assert [step["view"] for step in seen] == [
            json.loads(wire.encode(game.view(step.after, viewer))) for step in played
        ]
        assert [step["entry"]["seat"] for step in seen] == [step.seat for step in played]
        assert [step["entry"]["acts"] for step in seen] == [[text] for text in line]
        assert all(step["entry"]["events"] for step in seen)


def test_a_line_may_begin_with_a_choice_that_several_seats_have():
    """On grey walls everybody tiles at the same time."""
    whole = whole_of("azul/3-grey-greedy")
    step = next(step for step in record.replay(azul, whole) if len(getattr(azul.turn(step.before), "seats", ())) > 1)
    assert not isinstance(step.act, azul.Deal)
    shown = line_after(whole, step.number, [azul.write_move(step.before, step.act)], None)
    assert json.loads(wire.encode(shown.steps[0]))["view"] == json.loads(wire.encode(azul.view(step.after, None)))


def test_only_a_move_of_the_game_can_be_replaced_by_a_line():
    whole = whole_of("azul/2-coloured-greedy")
    for number in (0, len(whole.acts)):
        with pytest.raises(BadNotation, match="is not a move"):
            line_after(whole, number, ["1b1"], None)
    with pytest.raises(BadNotation, match="there is no seat 2"):
        line_after(whole, 1, [whole.acts[1]], 2)


def test_a_line_is_played_by_the_rules():
    whole = whole_of("azul/2-coloured-greedy")
    with pytest.raises(IllegalMove):
        line_after(whole, 1, [whole.acts[1], whole.acts[1]], None)
    with pytest.raises(BadNotation, match="goes on after a deal"):
        steps = moves_from(azul, whole, 1)
        line_after(whole, steps[-1].number, [steps[-1].text, "1b1"], None)
