"""`tessella bridge`: engines at a real server, whose worker is killed while they play."""

import contextlib
import json
import os
import re
import secrets
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import httpx
import msgspec
import pytest

from tessella import cli
from tessella.bots import Budget
from tessella.core import dice, record
from tessella.engine import bridge as bridges
from tessella.engine.bridge import BotServer, Bridge, Climber, LevelGame
from tessella.games import GAMES
from tessella.protocol.messages import Key, TableView
from tessella.terminal.http import SavedServers, ServerError
from tests.pages import ROOT, blocks
from tests.server.conftest import free_port
from tests.server.processes import running, wait_until_ready
from tests.server.waiting import wait_for

PASSWORD = "a-long-word-of-many-letters"
ROGUE = Path(__file__).parents[1] / "engine" / "rogue.py"


MOVE_CHARACTERS = 30
"""What a bridge says about a move is shorter, and about anything else longer."""


def engine(fault: str = "") -> str:
    return shlex.join([sys.executable, "-S", str(ROGUE), *([fault] if fault else [])])


class Club:
    """A server in a process of its own, which may be killed, and a member with two bots."""

    def __init__(self, folder, database, stack):
        self.folder, self.database, self.port = folder, database, free_port()
        self.runs = 0
        self.stack = stack
        self.start()
        self.tokens: list[str] = []
        self.bots: list[httpx.Client] = []
        self.add_owner("Ann", "Bot 1", "Bot 2")

    def add_owner(self, name, *bots):
        """A member with bots."""
        owner = self.client()
        assert owner.post("/api/session", json={"name": name}).status_code == 201
        assert owner.post("/api/members", json={"login": name.lower(), "password": PASSWORD}).status_code == 201
        for each in bots:
            made = owner.post("/api/me/bots", json={"name": each})
            assert made.status_code == 201
            self.tokens.append(made.json()["token"])
            self.bots.append(self.client(authorization=f"Bearer {self.tokens[-1]}"))

    def client(self, **headers):
        return self.stack.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers, timeout=30)
        )

    def start(self):
        self.runs += 1
        words = ("serve", "--database", self.database, "--port", str(self.port), "--bots", "0")
        self.worker = self.stack.enter_context(running(self.folder / f"log-{self.runs}", *words))
        wait_until_ready(self.port, self.worker)

    def kill(self):
        self.worker.kill()
        self.worker.wait(60)

    def table(self, title="azul"):
        """A table of both bots."""
        seats = [{"kind": "me"}, {"kind": "open"}]
        made = self.bots[0].post("/api/games", json={"title": title, "seats": seats})
        assert made.status_code == 201, made.text
        found = made.json()
        secret = found["invitations"][0]["secret"]
        return found["id"], f"http://127.0.0.1:{self.port}/join/{found['id']}#{secret}"

    def server(self, number):
        saved = SavedServers(self.folder / f"numbers-{number}.json")
        return BotServer(f"http://127.0.0.1:{self.port}", self.tokens[number], saved)

    def status(self, game):
        return self.bots[0].get(f"/api/games/{game}").json()["status"]


@pytest.fixture
def club(tmp_path, sqlite):
    with contextlib.ExitStack() as stack:
        yield Club(tmp_path, sqlite, stack)


@contextlib.contextmanager
def bridging(club, number, command, said, games=4, ladder=""):
    stop = threading.Event()
    bridge = Bridge(club.server(number), command, Budget(nodes=1), games, said.append, ladder)
    thread = threading.Thread(target=bridge.run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive()


def finish_games(club, titles, seconds):
    """Play games between two bridges, kill the worker on the way, and return their records."""
    said: list[str] = []
    tables = [club.table(title) for title in titles]
    games = [game for game, _ in tables]
    for _, link in tables:
        club.server(1).join(link)
    with bridging(club, 0, engine(), said), bridging(club, 1, engine(), said):
        wait_for(lambda: sum(len(line) < MOVE_CHARACTERS for line in said) > 20 * len(games), seconds)
        club.kill()
        wait_for(lambda: any("trying again" in line for line in said))
        club.start()
        wait_for(lambda: all(club.status(game) == "over" for game in games), seconds)
    return [record.read(club.bots[0].get(f"/api/games/{game}/record").json()["record"]) for game in games]


@pytest.mark.heavy
def test_games_are_finished_although_the_worker_is_killed(club, monkeypatch):
    monkeypatch.setattr(bridges, "FIRST_BACKOFF_SECONDS", 0.1)
    for played in finish_games(club, GAMES, 600):
        game = GAMES[played.game]
        assert played.places
        assert record.verify(game, played) > 0


@pytest.mark.slow
def test_fifty_games_are_finished_although_the_worker_is_killed(club):
    assert all(played.places for played in finish_games(club, ["azul"] * 50, 1800))


@pytest.mark.heavy
def test_the_guide_is_followed_to_the_letter(club):
    """Every `curl` of the page, in its order, with this server, this table and this turn instead of the page's."""
    page = ROOT / "docs" / "guides" / "write-a-bot.md"
    (block,) = [block for block in blocks(page, "sh") if "curl" in block]
    sit, turns, pledge, reveal, play = re.findall(r"^curl (?:.*\\\n)*.*$", block, re.MULTILINE)
    game, link = club.table()
    number = "5a" * 32
    known = {"TOKEN": club.tokens[1], "SECRET": link.partition("#")[2], "NUMBER": number}
    known["PLEDGE"] = dice.pledge(game, 1, bytes.fromhex(number)).hex()

    def follow(command, **instead):
        for old, new in {"https://club.example": f"http://127.0.0.1:{club.port}", "k3v9": game, **instead}.items():
            command = command.replace(old, new)
        fresh = {"KEY": secrets.token_hex(8)}
        done = subprocess.run(["bash", "-c", command], env=os.environ | known | fresh, capture_output=True, check=True)
        return json.loads(done.stdout)

    def my_turn():
        return wait_for(lambda: follow(turns)["tables"])[0]

    assert follow(sit)["seat"] == 1
    said: list[str] = []
    with bridging(club, 0, engine(), said):
        assert my_turn()["status"] == "dice"
        assert follow(pledge)["type"] == "ack"
        assert my_turn()["seats"][1]["pledged"]
        assert follow(reveal)["type"] == "ack"
        for _ in range(2):
            table = my_turn()
            assert table["status"] == "playing"
            number_now = f'number\\": {table["number"]}'
            move = {'number\\": 12': number_now, "3r4": table["moves"][0]}
            assert follow(play, **move)["type"] == "ack"


@pytest.mark.heavy
def test_two_bridges_meet_on_the_ladder(club, monkeypatch):
    """Each asks for games of the ladder; they are paired, play to the end, and stand on the leaderboard."""
    monkeypatch.setattr(bridges, "PAIRING_SECONDS", 600.0)
    monkeypatch.setattr(bridges, "LADDER_POLL_SECONDS", 0.5)
    club.add_owner("Bob", "Bot 3")
    said: list[str] = []

    def ranks():
        found = club.bots[0].get("/api/ladder/azul/2").json()["ranks"]
        return [(rank["name"], rank["owner"], rank["played"]) for rank in found if not rank["level"] and rank["played"]]

    def games_over():
        """The games against another bot that a bridge has reported as over."""
        against = {line.partition(":")[0] for line in tuple(said) if line.endswith("rated game against another bot")}
        return against.intersection(line.partition(":")[0] for line in tuple(said) if line.endswith(": over"))

    with bridging(club, 0, engine(), said, ladder="azul"), bridging(club, 2, engine(), said, ladder="azul"):
        wait_for(lambda: len(ranks()) == 2 and games_over(), 600)
    assert {(name, owner) for name, owner, _ in ranks()} == {("Bot 1 (bot)", "Ann"), ("Bot 3 (bot)", "Bob")}
    game = min(games_over())
    assert record.verify(GAMES["azul"], record.read(club.bots[0].get(f"/api/games/{game}/record").json()["record"])) > 0
    profile = club.bots[0].get("/api/session").json()["id"]
    shown = club.bots[0].get(f"/api/people/{profile}").json()
    assert (shown["ratings"], shown["games"]) == ([], [])
    assert [(rating["title"], rating["seats"]) for rating in shown["ladder"]] == [("azul", 2)]


class FakeServer:
    """A server at which nobody else waits, and which has this many games against levels for a bot."""

    def __init__(self, games):
        self.games = games
        self.asked: list[str] = []

    def wait_for_bot(self, title, *, again):
        self.asked.append(f"wait {title}{' on' if again else ''}")
        return ""

    def stop_waiting(self):
        self.asked.append("stop")
        return True

    def meet_level(self, title):
        self.asked.append(f"level {title}")
        if not self.games:
            raise ServerError("ladder", "enough for today", 409)
        self.games -= 1
        return LevelGame("g1", "3")

    def is_over(self, game):
        self.asked.append(f"look {game}")
        return True


def test_a_bot_that_waits_in_vain_plays_against_a_level(monkeypatch):
    now = 100.0
    monkeypatch.setattr(bridges, "time", SimpleNamespace(monotonic=lambda: now))
    server, said = FakeServer(1), list[str]()
    climber = Climber(cast("BotServer", server), "azul", said.append)
    for _ in range(4):
        climber.step()
        climber.step()
        now += 10
    assert server.asked == ["wait azul", "wait azul on", "wait azul on", "wait azul on", "stop", "level azul"]
    assert said == ["g1: rated game against level 3"]
    server.asked.clear()
    for _ in range(4):
        climber.step()
        now += 10
    assert server.asked[:3] == ["look g1", "wait azul", "wait azul on"]
    assert server.asked[-2:] == ["stop", "level azul"]
    assert said[1:] == ["g1: over", "enough for today; trying again in 60 s"]
    climber.step()
    assert server.asked[-1] == "level azul"
    now += 60
    climber.step()
    assert server.asked[-1] == "wait azul"


@pytest.mark.heavy
def test_an_engine_that_fails_three_times_at_a_turn_resigns(club):
    said: list[str] = []
    game, link = club.table()
    club.server(1).join(link)
    with bridging(club, 0, engine("illegal"), said), bridging(club, 1, engine(), said):
        wait_for(lambda: any("resigned after 3 failures" in line for line in said), 600)
    assert sum("illegal move '9z9'" in line for line in said) == 3
    end = club.bots[0].get(f"/api/games/{game}").json()["end"]
    assert (end["reason"], end["places"]) == ("resigned", [2, 1])


@pytest.mark.heavy
def test_a_wrong_token_ends_the_bridge_with_an_error(club, capsys, monkeypatch):
    monkeypatch.setenv("BOT_TOKEN", "wrong")
    assert cli.main(["bridge", f"http://127.0.0.1:{club.port}", engine()]) == 2
    assert "POST /api/session" in capsys.readouterr().err


def test_a_bridge_without_a_token_or_an_engine_says_so(capsys, monkeypatch):
    monkeypatch.delenv("BOT_TOKEN", raising=False)
    assert cli.main(["bridge", "http://127.0.0.1:1", engine()]) == 2
    assert "set BOT_TOKEN or use --token-file" in capsys.readouterr().err
    assert cli.main(["bridge", "http://127.0.0.1:1", "./no-such-engine"]) == 2
    assert "cannot start './no-such-engine'" in capsys.readouterr().err


def test_no_two_bots_use_the_same_key(tmp_path):
    """A table knows requests by their key: the same one from another seat would be taken for a request sent twice."""
    numbers = [(seat, number) for seat in (0, 1) for number in (5, 6)]
    tables = [cast("TableView", SimpleNamespace(id="id", seat=seat, number=number)) for seat, number in numbers]
    servers = [BotServer("http://127.0.0.1:1", token, SavedServers(tmp_path / token)) for token in ("one", "two")]
    keys = [server.key(table) for server in servers for table in tables]
    assert len({*keys}) == 8
    assert servers[0].key(tables[0]) == keys[0]
    assert [msgspec.convert(key, Key) for key in keys] == keys


def test_what_may_pass_is_told_from_what_will_not():
    passing = [status for status in (0, 401, 409, 429, 500, 503) if ServerError("", "", status).is_passing]
    assert passing == [0, 429, 500, 503]
