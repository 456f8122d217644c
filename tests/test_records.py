"""The files in records/: every engine answers for them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from tessella.core import link, perft, playthrough, record
from tessella.core.game import Over
from tessella.games import GAMES

ROOT = Path(__file__).parents[1]
RECORDS = ROOT / "records"
GAME_FILES = sorted(RECORDS.rglob("*.game"))
PLAYTHROUGHS = sorted(RECORDS.rglob("*.playthrough"))
PERFTS = sorted(RECORDS.rglob("*.perft"))


def independent_verifier():
    spec = importlib.util.spec_from_file_location("verify_azul", ROOT / "scripts" / "verify_azul.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify


def name(path: Path) -> str:
    return str(path.relative_to(RECORDS))


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("path", GAME_FILES, ids=name)
def test_a_recorded_game_is_over_and_verifies(path):
    found = record.read(path.read_text())
    game = GAMES[path.parent.name]
    assert record.verify(game, found) > 0
    assert record.write(found) == path.read_text()
    *_, last = record.replay(game, found)
    assert isinstance(game.turn(last.after), Over)
    assert link.expand(game, link.shorten(game, found)).acts == found.acts


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=name)
def test_a_playthrough_shows_what_each_seat_saw(path):
    found = record.read(path.with_suffix(".game").read_text())
    assert playthrough.write(GAMES[path.parent.name], found) == path.read_text()


@pytest.mark.heavy
@pytest.mark.no_cover
@pytest.mark.parametrize("path", PERFTS, ids=name)
def test_perft_counts_hold(path):
    rules, cases = perft.read(path.read_text())
    game = GAMES[rules.partition("/")[0]]
    assert rules == f"{game.NAME}/{game.EDITION}"
    for case in cases:
        for _depth, expected, found in perft.check(game, case):
            assert found == expected, case.position


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_azul_has_two_playthroughs_per_player_count_and_wall(seats, wall):
    assert len(list((RECORDS / "azul").glob(f"{seats}-{wall}-*.playthrough"))) == 2


@pytest.mark.parametrize(
    ("stem", "rule"), [("row", "AZ50"), ("row-grey", "AZ50"), ("no-tiles", "AZ42"), ("round-50", "AZ44")]
)
def test_azul_has_a_finished_game_for_every_ending(stem, rule):
    *_, last = record.replay(GAMES["azul"], record.read((RECORDS / "azul" / f"{stem}.game").read_text()))
    assert last.events[-1].rule == rule


def test_azul_has_finished_games_for_ties():
    def places(stem):
        return sorted(record.read((RECORDS / "azul" / f"{stem}.game").read_text()).places)

    assert places("tie-by-rows") == [1, 2]
    assert places("shared") == [1, 1]
    assert places("shared-by-three") == [1, 1, 1]


# Blockers!


def blockers_game(stem):
    found = record.read((RECORDS / "blockers" / f"{stem}.game").read_text())
    return found, list(record.replay(GAMES["blockers"], found))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("player", ["greedy", "random"])
def test_blockers_has_two_playthroughs_per_player_count(seats, player):
    text = (RECORDS / "blockers" / f"{seats}-{player}.playthrough").read_text()
    assert text.startswith(f"blockers/1 seats={seats} scoring=blockers\n")
    assert len(text) < 50_000


@pytest.mark.parametrize("path", sorted((RECORDS / "blockers").glob("*.playthrough")), ids=name)
def test_BL40_in_a_playthrough_a_seat_sees_only_its_own_racks_besides(path):
    lines = path.read_text().splitlines()
    otherwise = [re.fullmatch(r"  seat (\d): sees otherwise (.*)", line) for line in lines]
    found = [(int(line[1]), json.loads(line[2])) for line in otherwise if line]
    assert found
    for seat, seen in found:
        assert seen.keys() == {"hands"}
        seats = int(lines[0].partition("seats=")[2][0])
        assert all(
            int(colour) % seats == seat and {"rack", "unseen"} >= {*hand} for colour, hand in seen["hands"].items()
        )
    drawn = [line.split() for line in lines if "TilesDrawn" in line]
    assert all((line[0] == "others:") == ("tiles=-" in line) for line in drawn)
    assert all(f"seat={line[1].strip(':')}" in line for line in drawn if line[0] == "seat")


@pytest.mark.parametrize(
    ("stem", "rule", "places"),
    [
        ("win", "BL20", [1, 2, 3, 4]),
        ("tie-by-captures", "BL20", [1, 2, 3]),
        ("shared", "BL20", [1, 1, 3]),
        ("shared-by-three", "BL20", [1, 1, 1]),
        ("two-players", "BL32", [1, 2]),
        ("two-players-tie", "BL32", [1, 2]),
    ],
)
def test_blockers_has_a_finished_game_for_every_ending(stem, rule, places):
    found, steps = blockers_game(stem)
    assert steps[-1].events[-1].rule == rule
    assert sorted(found.places) == places


@pytest.mark.parametrize("stem", ["tie-by-captures", "uptown-tie", "two-players-tie"])
def test_BL22_ties_are_broken_by_fewer_captures(stem):
    found, steps = blockers_game(stem)
    captures = [len(heap) for heap in steps[-1].after.captured]
    tied = [seat for seat, score in enumerate(found.scores) if score == min(found.scores)]
    assert len(tied) > 1
    assert found.places.count(1) == 1
    assert found.places.index(1) == min(tied, key=lambda seat: captures[seat])


def test_BL22_a_victory_is_shared_by_equal_scores_and_captures():
    for stem, winners in (("shared", 2), ("shared-by-three", 3)):
        found, steps = blockers_game(stem)
        captures = [len(heap) for heap in steps[-1].after.captured]
        won = [(found.scores[seat], captures[seat]) for seat, place in enumerate(found.places) if place == 1]
        assert len(won) == winners
        assert len(set(won)) == 1


def test_BL23_by_the_scoring_of_uptown_another_player_wins():
    found, steps = blockers_game("uptown")
    tallies = [event.tally for event in steps[-1].events if type(event).__name__ == "SeatScored"]
    assert found.scores == tuple(len(tally.groups) for tally in tallies)
    other = [len(tally.groups) + max(tally.captured) for tally in tallies]
    assert other.index(min(other)) != found.places.index(1)


def test_BL33_captures_of_the_own_other_colour_may_count():
    _, steps = blockers_game("two-players-own-colour")
    scored = [event for event in steps[-1].events if type(event).__name__ == "SeatScored"]
    assert any("byrg".index(event.tally.counted or "b") % 2 == event.seat and event.tally.counted for event in scored)


def test_BL17_in_one_game_a_tile_is_put_aside():
    _, steps = blockers_game("put-aside")
    (step,) = [step for step in steps if step.text.endswith("@-")]
    assert step.events[0].rule == "BL17"


# Two verifiers that share no code


AZUL_FILES = [path for path in GAME_FILES if path.parent.name == "azul"]


@pytest.mark.parametrize("path", AZUL_FILES, ids=name)
def test_the_independent_verifier_agrees(path):
    text = path.read_text()
    deals = record.verify(GAMES["azul"], record.read(text))
    assert independent_verifier()(text).startswith(f"All {deals} deals follow")


def test_the_independent_verifier_is_short_and_imports_nothing_of_ours():
    text = (ROOT / "scripts" / "verify_azul.py").read_text()
    assert len(text.splitlines()) <= 100
    assert "import tessella" not in text
    assert "from tessella" not in text


def changed_tile(found):
    deal = next(number for number, act in enumerate(found.acts) if act.startswith("*"))
    tiles = found.acts[deal]
    swapped = tiles[:3] + ("b" if tiles[3] != "b" else "y") + tiles[4:]
    return replace(found, acts=(*found.acts[:deal], swapped, *found.acts[deal + 1 :]))


def changed_act(found):
    """The last move goes to the floor instead: legal, and no deal follows."""
    assert found.acts[-1][-1] != "-"
    return replace(found, acts=(*found.acts[:-1], found.acts[-1][:-1] + "-"))


def changed_seed(found):
    return replace(found, seed=bytes([found.seed[0] ^ 1]) + found.seed[1:])


@pytest.mark.parametrize("change", [changed_tile, changed_act, changed_seed])
def test_both_verifiers_catch(change):
    found = record.read((RECORDS / "azul" / "2-coloured-greedy.game").read_text())
    independent_verifier()(record.write(found))
    false = change(found)
    with pytest.raises(record.BrokenRecord):
        record.verify(GAMES["azul"], false)
    with pytest.raises(AssertionError):
        independent_verifier()(record.write(false))
