"""The files in records/: every engine answers for them."""

import importlib.util
from pathlib import Path

import pytest
from msgspec.structs import replace

from tessella.core import perft, playthrough, record, short
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


@pytest.mark.parametrize("path", GAME_FILES, ids=name)
def test_a_recorded_game_is_over_and_verifies(path):
    found = record.read(path.read_text())
    game = GAMES[path.parent.name]
    assert record.verify(game, found) > 0
    assert record.write(found) == path.read_text()
    *_, last = record.replay(game, found)
    assert isinstance(game.turn(last.after), Over)
    assert short.expand(game, short.shorten(game, found)).acts == found.acts


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=name)
def test_a_playthrough_shows_what_each_seat_saw(path):
    found = record.read(path.with_suffix(".game").read_text())
    assert playthrough.write(GAMES[path.parent.name], found) == path.read_text()


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
