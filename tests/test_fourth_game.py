"""Games that other packages bring, by docs/guides/add-a-game.md: they keep the laws, and are played everywhere."""

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tessella.core import wire
from tessella.core.board import Board, Stack, board_of, choice_for, choices_of
from tessella.core.game import AnyGame, BadNotation, Choose, IllegalMove, Move, Public
from tessella.core.laws import check_laws
from tessella.core.local import LocalTable
from tessella.games.registry import Registry, seat_numbers
from tessella.svg.board import picture
from tessella.text.i18n import Translations
from tessella.text.style import Style
from tests.games.playing import random_acts
from tests.installing import GAMES, ROOT, install


@pytest.fixture(scope="module", autouse=True)
def _importable():
    added = [str(path) for path in GAMES.values()]
    sys.path[:0] = added
    yield
    for path in added:
        sys.path.remove(path)


def game_named(name: str) -> Any:
    return importlib.import_module(f"tessella_{name}.game")


@pytest.fixture
def stairs() -> Any:
    return game_named("stairs")


@pytest.fixture
def ribbon() -> Any:
    return game_named("ribbon")


# The laws, and the description of the board


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_keeps_the_laws(name, seats):
    game: AnyGame = game_named(name)
    for seed in range(4):
        whole = check_laws(game, game.Config(seats), Random(seed), every=3)
        assert len(whole.scores) == seats


def positions(game: AnyGame, seats: int, seed: int):
    """Every position of a random game in which a seat is to move, and that seat."""
    for state, act, _, _ in random_acts(game, game.setup(game.Config(seats)), Random(seed)):
        if isinstance(act, Move):
            yield state, act.seat


def ids_of(board: Board) -> list[str]:
    spaces = [space.id for zone in board.zones if not isinstance(zone, Stack) for space in zone.spaces if space]
    return spaces + [zone.id for zone in board.zones if isinstance(zone, Stack)]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_move_can_be_pointed_at_on_the_board(name, seats):
    game = game_named(name)
    for state, seat in positions(game, seats, 1):
        view, moves = game.view(state, seat), game.legal_moves(state, seat)
        board, choices = board_of(game, view), choices_of(game, view, moves)
        assert board is not None
        assert len(board.scores) == seats
        assert len(ids := ids_of(board)) == len(set(ids))
        assert {step for choice in choices for step in choice.steps} <= set(ids)
        assert len({choice.steps for choice in choices}) == len(moves)
        assert wire.encode(board)
        for move, choice in zip(moves, choices, strict=True):
            assert choice_for(game, view, game.write_move(state, move)) == choice


def keys_of(game: AnyGame) -> set[str]:
    """Every text that boards, moves and public events of some games refer to."""
    found = set[str]()
    for state, seat in positions(game, 2, 2):
        view = game.view(state, seat)
        told: list[Public] = [game.describe(view), *choices_of(game, view, game.legal_moves(state, seat))]  # type: ignore[attr-defined]
        found |= {key for each in told for key in re.findall(r'"key":"([^"]+)"', wire.encode(each).decode())}
    return found | set(re.findall(r"^class (\w+)\(GameEvent", rules_of(game), re.MULTILINE))


def rules_of(game: AnyGame) -> str:
    folder = Path(importlib.import_module(game.__package__).__file__ or "").parent  # type: ignore[attr-defined]
    return "".join(path.read_text() for path in folder.glob("*.py"))


@pytest.mark.parametrize("name", GAMES)
def test_its_texts_are_there_in_three_languages(name):
    folder = GAMES[name] / f"tessella_{name}"
    texts = {
        language: tomllib.loads((folder / "locales" / f"{language}.toml").read_text())
        for language in ("en", "nl", "fr")
    }
    assert keys_of(game_named(name)) <= texts["en"].keys()
    for language in ("nl", "fr"):
        assert texts[language].keys() == texts["en"].keys()
        assert texts[language]["illegal"].keys() == texts["en"]["illegal"].keys()
    rules = {language: (folder / "rules" / f"{language}.md").read_text() for language in texts}
    numbers = {
        language: re.findall(r"^- \*\*([A-Z]{2}\d\d)\*\*", text, re.MULTILINE) for language, text in rules.items()
    }
    assert numbers["en"] == numbers["nl"] == numbers["fr"]
    assert set(re.findall(rf'"({numbers["en"][0][:2]}\d\d)"', rules_of(game_named(name)))) <= set(numbers["en"])


# Their rules


def test_ST03_numbers_rise_and_ST06_a_complete_staircase_brings_more(stairs):
    state = stairs.read_state("3.8.0.19.24/1.2.4.5.0 12 6")
    assert stairs.turn(state) == Choose((1,))  # nine tiles were played: it is the second player's turn
    with pytest.raises(IllegalMove, match="ST03"):
        stairs.apply(state, stairs.Lay(1, 12, 0))
    last, events = stairs.apply(state, stairs.Lay(1, 12, 4))
    assert stairs.turn(last).scores == (4, 8)
    assert [event.rule for event in events] == ["ST03", "ST05"]


@pytest.mark.parametrize(
    "text", ["", "3.0.0.9.0 17 -", "3.0.0.9.0/3.0.0.0.0 - -", "9.0.0.3.0/0.0.0.0.0 - 5", "1.2.0.0.0/0.0.0.0.0 - -"]
)
def test_what_cannot_lie_on_a_table_is_no_position(stairs, text):
    with pytest.raises(BadNotation):
        stairs.read_state(text)


def test_RB03_touching_numbers_are_equal_and_RB07_equal_ends_and_the_last_tile_bring_more(ribbon):
    state = ribbon.read_state("12.23 13.45/00.01 3,1 0 0")
    assert {ribbon.write_move(state, move) for move in ribbon.legal_moves(state, 0)} == {"<13", "13>", "+"}
    _, events = ribbon.apply(state, ribbon.read_move(state, 0, "13>"))
    assert (events[0].tile, events[0].points) == ("31", 3)  # both ends show a 1
    with pytest.raises(IllegalMove, match="RB03"):
        ribbon.apply(state, ribbon.read_move(state, 0, "45>"))
    _, events = ribbon.apply(ribbon.read_state("12.23 34/00.01 3,1 0 0"), ribbon.read_move(state, 0, "34>"))
    assert [(event.rule, getattr(event, "points", None)) for event in events] == [("RB03", 4), ("RB06", None)]


# The registry


class Point:
    """An entry point of another package."""

    dist = SimpleNamespace(name="other-games")

    def __init__(self, name: str, game: object) -> None:
        self.name, self._game = name, game

    def load(self) -> object:
        if isinstance(self._game, Exception):
            raise self._game
        return self._game


def test_a_broken_game_is_named_and_takes_no_other_down(monkeypatch, stairs):
    points = [
        Point("stairs", stairs),
        Point("other", stairs),
        Point("gone", ImportError("no such file")),
        Point("half", Board),
        Point("alien", SimpleNamespace(**{**vars(stairs), "NAME": "alien", "Config": dict})),
    ]
    monkeypatch.setattr("tessella.games.registry.entry_points", lambda group: points)
    games = Registry()
    assert list(games) == ["stairs"]
    assert games["stairs"] is stairs
    assert games.broken.keys() == {"alien", "gone", "half", "other"}
    assert "Config and View" in games.broken["alien"]
    assert games.broken["gone"] == "ImportError: no such file (package other-games)"
    assert "has no" in games.broken["half"]
    assert "NAME" in games.broken["other"]
    assert seat_numbers(stairs) == (2, 3, 4)


@pytest.mark.parametrize("name", GAMES)
def test_a_notebook_draws_what_the_seat_may_see(name):
    game = game_named(name)
    for state, seat in positions(game, 3, 3):
        drawn = picture(game, game.view(state, seat), Style(Translations("en"), ["<Ann>", "Bob", "Cem"], colour=False))
        assert drawn is not None
        assert "<Ann>" in ET.fromstring(drawn).attrib["aria-label"]


# Installed, as people install them


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site")
    install(folder)
    return folder


def run(site: Path, *arguments: str, typed: str = "") -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(site)])}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, check=False, cwd=site, env=environment, timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tessella(site: Path, *arguments: str, typed: str = "") -> str:
    return run(site, "-m", "tessella", *arguments, typed=typed)


@pytest.mark.heavy
def test_it_is_played_in_the_terminal_against_a_bot(site, stairs):
    table: Any = LocalTable(stairs, stairs.Config(), seed=bytes(32), id="seeded")
    tile = table.state.hand
    typed = f"?\nmoves\nread\nrule st03\n{tile}@9\n{25 - tile}@1\n{tile}@3\nquit\n"
    said = tessella(site, "play", "stairs", "Ann", "greedy", "--seed", "00" * 32, "--language", "en", typed=typed)
    assert "Rule ST03" in said
    assert f"'{tile}@9' is not a move" in said
    assert "In your turn you play the tile that you drew." in said
    assert f"Ann lays the {tile} on step 3." in said
    assert "Nimble plays" in said


@pytest.mark.heavy
@pytest.mark.parametrize("name", GAMES)
def test_it_is_recorded_verified_reviewed_and_measured(site, name):
    file = f"{name}.game"
    assert "The whole game in one line" in tessella(site, "play", name, "greedy", "search", "--save", file)
    assert "follow from the seed and the rules" in tessella(site, "verify", file)
    assert "greedy" in tessella(site, "arena", name, "greedy", "random", "--games", "4", "--jobs", "1")
    assert "Winning chances" in tessella(site, "analyse", file, "--nodes", "8", "--language", "en")
    assert "decisions of 2 games" in tessella(
        site, "dataset", name, "greedy", "random", "--games", "2", "--out", f"{name}.parquet"
    )
    assert name in tessella(site, "replay", file, "--short")


SERVED = """
import asyncio, sys
from random import Random
from proofs.play import Client, play_on, sit_down
from proofs.in_process_server import serve_in_process

async def main():
    async with serve_in_process() as server:
        players = [await Client.arrive(server, name) for name in ("Ann", "Bob")]
        table = await sit_down(players, sys.argv[1])
        await play_on(players, table, Random(1))
        seen = await players[0].ask("GET", f"/api/games/{table}")
        texts = await players[0].ask("GET", f"/api/titles/{sys.argv[1]}/texts/nl")
        print(seen["end"]["reason"], len(seen["board"]["zones"]), texts["texts"]["name"])

asyncio.run(main())
"""


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "dutch"), [("stairs", "Trappen"), ("ribbon", "Lint")])
def test_a_server_serves_it(site, name, dutch):
    reason, zones, called = run(site, "-c", SERVED, name).split()
    assert (reason, called) == ("over", dutch)
    assert int(zones) >= 4
