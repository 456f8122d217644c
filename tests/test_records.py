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


STEMS = {
    "azul": {f"{seats}-{wall}" for seats in (2, 3, 4) for wall in ("coloured", "grey")},
    "blockers": {str(seats) for seats in (2, 3, 4, 5)},
    "duel": {"three-faces", "four-faces-plain"},
}


@pytest.mark.parametrize("game", STEMS)
def test_each_kind_of_table_has_a_playthrough_of_greedy_and_of_random_play(game):
    stems = {path.stem for path in (RECORDS / game).glob("*.playthrough")}
    assert stems == {f"{stem}-{player}" for stem in STEMS[game] for player in ("greedy", "random")}


@pytest.mark.parametrize(
    ("game", "stem", "rule", "places"),
    [
        ("azul", "row", "AZ50", [1, 2]),
        ("azul", "row-grey", "AZ50", [1, 2, 2]),
        ("azul", "no-tiles", "AZ42", [1, 1, 1, 1]),
        ("azul", "round-50", "AZ44", [1, 1]),
        ("azul", "tie-by-rows", "AZ50", [1, 2]),
        ("azul", "shared", "AZ50", [1, 1]),
        ("azul", "shared-by-three", "AZ50", [1, 1, 1]),
        ("blockers", "win", "BL20", [1, 2, 3, 4]),
        ("blockers", "tie-by-captures", "BL20", [1, 2, 3]),
        ("blockers", "shared", "BL20", [1, 1, 3]),
        ("blockers", "shared-by-three", "BL20", [1, 1, 1]),
        ("blockers", "two-players", "BL32", [1, 2]),
        ("blockers", "two-players-tie", "BL32", [1, 2]),
        ("duel", "points", "DU58", [1, 2]),
        ("duel", "tie-start-tile", "DU58", [1, 2]),
        ("duel", "tie-at-nothing", "DU58", [1, 2]),
    ],
)
def test_there_is_a_finished_game_for_every_ending(game, stem, rule, places):
    found = record.read((RECORDS / game / f"{stem}.game").read_text())
    *_, last = record.replay(GAMES[game], found)
    assert last.events[-1].rule == rule
    assert sorted(found.places) == places
    assert "tie" not in stem or found.scores.count(found.scores[found.places.index(1)]) > 1


@pytest.mark.parametrize("path", sorted((RECORDS / "blockers").glob("*.playthrough")), ids=name)
def test_BL40_in_a_playthrough_a_seat_sees_only_its_own_racks_besides(path):
    seats = int(path.stem[0])
    for seat, seen in re.findall(r"^  seat (\d): sees otherwise (.*)$", path.read_text(), re.MULTILINE):
        hands = json.loads(seen)["hands"]
        assert all(int(colour) % seats == int(seat) and {"rack", "unseen"} >= {*hand} for colour, hand in hands.items())


@pytest.mark.parametrize("path", sorted((RECORDS / "duel").glob("*.playthrough")), ids=name)
def test_DU60_in_a_playthrough_a_seat_sees_the_plates_that_it_drew_and_others_their_backs(path):
    looks = re.findall(r"^  (.*): PlatesSeen seat=(\d).* plates=\((.*?)\)", path.read_text(), re.MULTILINE)
    assert looks
    for viewer, owner, plates in looks:
        assert {len(plate) for plate in plates.split(",")} == {4 if viewer == f"seat {owner}" else 1}


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
