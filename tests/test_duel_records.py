"""The records of Azul Duel: a finished game for every way to end, and counts that can be made by hand."""

from pathlib import Path

import pytest

from tessella.core import perft, playthrough, record
from tessella.core.game import Over
from tessella.games import duel
from tessella.games.duel.events import FaceScored, GameEnded, ScoreRaised
from tessella.games.duel.scoring import colour_rows

RECORDS = Path(__file__).parents[1] / "records" / "duel"


def finished(stem):
    *_, last = record.replay(duel, record.read((RECORDS / f"{stem}.game").read_text()))
    turn = duel.turn(last.after)
    assert isinstance(turn, Over)
    return last, turn


# Endings


def test_DU58_a_game_is_won_by_points():
    last, over = finished("points")
    winner = over.places.index(1)
    assert over.scores[winner] > over.scores[1 - winner]
    assert isinstance(last.events[-1], GameEnded)
    assert last.events[-1].rule == "DU58"


def test_DU58_a_tie_goes_to_the_holder_of_the_start_tile():
    last, over = finished("tie-start-tile")
    assert over.scores[0] == over.scores[1] > 0
    assert over.places[last.after.holder] == 1
    assert last.after.holder != last.after.start, "the start player does not win by having started"


def test_DU58_a_tie_at_nothing_has_a_winner_too():
    last, over = finished("tie-at-nothing")
    assert over.scores == (0, 0)
    assert sorted(over.places) == [1, 2]
    assert over.places[last.after.holder] == 1


def test_DU57_a_total_below_nothing_is_raised_once():
    last, over = finished("below-nothing")
    raised = [event for event in last.events if isinstance(event, ScoreRaised)]
    assert raised
    assert all(over.scores[event.seat] == 0 for event in raised)
    assert len({event.seat for event in raised}) == len(raised)


@pytest.mark.parametrize(("stem", "counts"), [("special-is-a-colour", True), ("special-is-no-colour", False)])
def test_DU51_each_reading_decides_a_game(stem, counts):
    last, _ = finished(stem)
    state = last.after
    assert state.config.special_counts_as_colour is counts
    scored = {
        event.seat: event.count for event in last.events if isinstance(event, FaceScored) and event.rule == "DU51"
    }
    other = duel.Config(faces=state.config.faces, special_counts_as_colour=not counts)
    others = {seat: colour_rows(state.boards[seat], other) for seat in scored}
    assert scored != others


# Playthroughs


def test_there_are_two_face_sets_with_two_players_each():
    stems = {path.stem for path in RECORDS.glob("*.playthrough")}
    assert stems == {f"{faces}-{player}" for faces in ("three-faces", "four-faces-plain") for player in PLAYERS}
    rules = record.read((RECORDS / "four-faces-plain-greedy.game").read_text()).rules
    config = record.read_rules(duel, rules)
    assert len(config.faces) == 4
    assert not config.special_counts_as_colour


PLAYERS = ("greedy", "random")


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.playthrough")), ids=lambda path: path.stem)
def test_a_playthrough_is_small_and_keeps_secrets(path):
    """DU60: where a seat sees the plates that it drew, the other sees backs."""
    text = path.read_text()
    assert len(text.encode()) < 60_000
    looks = [line for line in text.splitlines() if "PlatesSeen" in line]
    assert looks
    for line in looks:
        viewer, _, film = line.strip().partition(": ")
        owner = film.split("seat=")[1][0]
        plates = film.split("plates=(")[1].split(")")[0].split(",")
        assert all(len(plate) == (4 if viewer == f"seat {owner}" else 1) for plate in plates)


def test_a_playthrough_is_what_its_game_tells():
    path = RECORDS / "three-faces-greedy.playthrough"
    assert playthrough.write(duel, record.read(path.with_suffix(".game").read_text())) == path.read_text()


# Perft


def moves_by_hand(text):
    """What the current player may do in phase 1, counted from the written position alone (DU20 to DU27)."""
    _, phase, who, _, factories, opened, stack, *_, first, second = text.split(" ")
    seat = int(who[-1])
    score, lines, slots, _, _, chips, spent, _ = (first, second)[seat].split(":")
    assert score.isdecimal()
    large, *small = (factory.split("/") for factory in factories.split(","))
    moons = {*large[1], *(factory[1][-1] for factory in small)}
    takes = [*[{*factory[0]} for factory in (large, *small)], moons]

    def places(colour):
        room = [line for length, line in enumerate(lines.split("/"), 1) if line == "-" or len(line) < length]
        return 1 + sum(line == "-" or line[0] == colour for line in room)

    count = sum(places(colour) for colours in takes for colour in colours - {"-"})
    number = int(phase[0])
    if len(chips.strip("-")) + len(spent.strip("-")) < 2 * number:
        count += sum(factory[2] not in "-#" for factory in small)
    empty = slots.split(",").count("-")
    if 9 - empty - 1 < 2 * min(number, 4):
        count += 4 * empty * (opened != "-" and opened.count(",") + 1) + (stack != "-")
    return count


def test_the_first_counts_of_phase_1_can_be_made_by_hand():
    _, cases = perft.read((RECORDS / "acquire.perft").read_text())
    assert len(cases) > 10
    for case in cases:
        assert dict(case.counts)[1] == moves_by_hand(case.position), case.position


def test_no_deal_follows_the_first_move_of_phase_1():
    _, cases = perft.read((RECORDS / "acquire.perft").read_text())
    for case in cases:
        state = duel.read_state(case.position)
        for move in duel.legal_moves(state, state.current):
            assert duel.turn(duel.apply(state, move)[0]) != duel.turn(duel.setup(duel.Config()))
