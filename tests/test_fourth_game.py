"""The fourth game of docs/guides/add-a-game.md keeps the laws, and plays everywhere once it has its place."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tessella.core.game import AnyGame, BadNotation, Choose, IllegalMove
from tessella.core.laws import check_laws
from tessella.core.local import LocalTable

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "fourth_game"
RULES = re.findall(r"^- \*\*(ST\d\d)\*\*", (EXAMPLE / "stairs.en.md").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def stairs() -> Any:
    spec = importlib.util.spec_from_file_location("stairs", EXAMPLE / "stairs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_keeps_the_laws(stairs, seats):
    game: AnyGame = stairs
    for seed in range(6):
        whole = check_laws(game, stairs.Config(seats), Random(seed), every=2)
        assert len(whole.scores) == seats


def test_ST03_numbers_rise_and_ST06_a_complete_staircase_brings_more(stairs):
    state = stairs.read_state("3.8.0.19.24/1.2.4.5.0 12 6")
    assert stairs.turn(state) == Choose((1,))  # nine tiles were played: it is the second player's turn
    with pytest.raises(IllegalMove, match="ST03"):
        stairs.apply(state, stairs.Lay(1, 12, 0))
    last, events = stairs.apply(state, stairs.Lay(1, 12, 4))
    assert stairs.turn(last).scores == (4, 8)
    assert [event.rule for event in events] == ["ST03", "ST05"]


def test_ST02_only_its_owner_sees_the_tile(stairs):
    state = stairs.read_state("0.0.0.0.0/0.0.0.0.0 12 -")
    assert stairs.view(state, 0).hand == 12
    assert stairs.view(state, 1).hand is None
    assert 12 in stairs.view(state, 1).unseen


@pytest.mark.parametrize(
    "text", ["", "3.0.0.9.0 17 -", "3.0.0.9.0/3.0.0.0.0 - -", "9.0.0.3.0/0.0.0.0.0 - 5", "1.2.0.0.0/0.0.0.0.0 - -"]
)
def test_what_cannot_lie_on_a_table_is_no_position(stairs, text):
    with pytest.raises(BadNotation):
        stairs.read_state(text)


def test_every_rule_is_named_in_the_code_and_written_in_three_languages():
    for rule in RULES:
        assert rule in (EXAMPLE / "stairs.py").read_text()
        assert all(f"**{rule}**" in (EXAMPLE / f"stairs.{language}.md").read_text() for language in ("nl", "fr"))
    assert len(RULES) == 6


# In its place


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package in which the game has been given its place, as the guide tells."""
    package = tmp_path_factory.mktemp("house") / "tessella"
    shutil.copytree(ROOT / "src" / "tessella", package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    shutil.copy(EXAMPLE / "stairs.py", package / "games")
    for page in EXAMPLE.glob("*.md"):
        shutil.copy(page, package / "rules")
    (lines,) = re.findall(r"```text\n(.*?)```", (ROOT / "docs" / "guides" / "add-a-game.md").read_text(), re.DOTALL)
    wanted_import, wanted_games = (line.strip() for line in lines.splitlines() if line.strip())
    names = package / "games" / "__init__.py"
    text = re.sub(r"^from tessella\.games import .*$", wanted_import, names.read_text(), flags=re.MULTILINE)
    names.write_text(re.sub(r"^GAMES: .*$", wanted_games, text, flags=re.MULTILINE))
    return package.parent


def run(house: Path, *arguments: str, typed: str = "") -> str:
    environment = os.environ | {"PYTHONPATH": str(house)}
    command = [sys.executable, "-m", "tessella", *arguments]
    done = subprocess.run(
        command, input=typed, capture_output=True, text=True, check=False, cwd=house, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_is_played_in_the_terminal_against_a_computer_player(house, stairs):
    table: Any = LocalTable(stairs, stairs.Config(), seed=bytes(32), id="seeded")
    tile = table.state.hand
    typed = f"?\nmoves\nrule st03\n{tile}@9\n{25 - tile}@1\n{tile}@3\nquit\n"
    said = run(house, "play", "stairs", "Ann", "greedy", "--seed", "00" * 32, "--language", "en", typed=typed)
    assert "Rule ST03" in said
    assert f"'{tile}@9' is not a move" in said
    assert "Rule ST02" in said  # that is not the tile that was drawn
    assert f"Laid: seat 0, tile {tile}, step 2, points 1" in said
    assert "Nimble plays" in said


@pytest.mark.heavy
def test_it_is_recorded_verified_and_measured(house):
    assert "The whole game in one line" in run(house, "play", "stairs", "greedy", "random", "--save", "evening.game")
    assert "follow from the seed and the rules" in run(house, "verify", "evening.game")
    assert "greedy" in run(house, "arena", "stairs", "greedy", "random", "--games", "4", "--jobs", "1")


SERVED = """
import asyncio
from random import Random
from proofs.play import Client, play_on, sit_down
from proofs.in_process_server import serve_in_process

async def main():
    async with serve_in_process() as server:
        players = [await Client.arrive(server, name) for name in ("Ann", "Bob")]
        table = await sit_down(players, "stairs")
        await play_on(players, table, Random(1))
        print((await players[0].ask("GET", f"/api/games/{table}"))["end"]["reason"])

asyncio.run(main())
"""


@pytest.mark.heavy
def test_a_server_serves_it(house):
    environment = os.environ | {"PYTHONPATH": str(house)}
    done = subprocess.run(
        [sys.executable, "-c", SERVED], capture_output=True, text=True, check=False, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
