"""The tab answers like a server, shows nobody what is hidden from them, and keeps its games."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tessella.core import record
from tessella.games import GAMES
from tessella.local.browser import Tab

RECORDS = Path(__file__).parents[2] / "records"


class Page:
    """A browser tab with one page: what it was sent, and what it keeps."""

    def __init__(self, kept: str = "[]") -> None:
        self.sent: list[dict[str, Any]] = []
        self.kept: dict[str, str] = {}
        self.tab = Tab(self._post, kept)

    def _post(self, kind: str, key: str, text: str) -> None:
        if kind == "message":
            self.sent.append(json.loads(text))
        elif kind == "keep":
            self.kept[key] = text

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the body of an answer; fail unless it succeeded."""
        status, answer = self.reply(method, path, body)
        assert status == 200, answer
        return answer

    def reply(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Return status and body of an answer."""
        answer = json.loads(self.tab.request(method, path, "" if body is None else json.dumps(body)))
        return answer["status"], answer["body"]

    def open(self, title: str, *levels: str) -> str:
        """Open a game and come to its table."""
        players = [{"name": f"P{seat}", "level": level} for seat, level in enumerate(levels)]
        game_id = str(self.ask("POST", "/api/here", {"title": title, "players": players})["id"])
        self.come(game_id)
        return game_id

    def come(self, game_id: str) -> None:
        """Connect to a game."""
        self.tab.connect("link", game_id)
        self.say({"type": "hello", "have": -1})

    def say(self, message: dict[str, Any]) -> None:
        """Send a message, and let the bots move."""
        self.tab.receive("link", json.dumps(message))
        while self.tab.step():
            pass

    @property
    def shown(self) -> dict[str, Any]:
        """The table as shown last."""
        table: dict[str, Any] = next(each for each in reversed(self.sent) if each["type"] == "update")["table"]
        return table

    @property
    def handover(self) -> dict[str, Any]:
        """The last word about the curtain."""
        return next(each for each in reversed(self.sent) if each["type"] == "handover")

    def play(self) -> None:
        """Make the first legal move, after opening the curtain."""
        if self.handover["to"] is not None:
            self.say({"type": "sit", "seat": self.handover["to"]})
        table = self.shown
        key, move = f"key-{len(self.sent):05}", table["moves"][0]
        self.say({"type": "play", "key": key, "number": table["number"], "move": move})


def test_lessons_are_listed_shown_previewed_and_answered() -> None:
    page = Page()
    for listed in page.ask("GET", "/api/lessons")["lessons"]:
        title = listed["title"]
        step = next(step for step in page.ask("GET", f"/api/lessons/{title}")["steps"] if step["moves"])
        path = f"/api/lessons/{title}/{step['id']}"
        assert page.ask("GET", f"{path}/preview?move={quote(step['solution'])}")["preview"]
        assert page.ask("POST", f"{path}/answer", {"move": step["solution"]})["accepted"]
        assert page.reply("POST", f"{path}/answer", {"move": "nothing"})[0] == 422
    assert page.reply("GET", "/api/lessons/chess")[0] == 404
    assert page.reply("GET", "/api/lessons/azul/chess/preview?move=1b2")[0] == 404


def test_the_last_round_of_a_lesson_is_a_game_at_this_device() -> None:
    page = Page()
    last = page.ask("GET", "/api/lessons/azul")["last_round"]
    text = "\n".join([last["rules"], "", *last["acts"], ""])
    players = [{"name": "Ann"}, {"name": "Newcomer", "level": last["level"]}]
    body = {"record": text, "acts": len(last["acts"]), "players": players}
    game_id = page.ask("POST", "/api/here/branch", body)["id"]
    table = page.ask("GET", f"/api/games/{game_id}")
    assert (table["status"], table["seat"]) == ("playing", 0)
    assert [each["name"] for each in table["seats"]] == ["Ann", "Newcomer"]
    assert table["moves"]


@pytest.mark.parametrize("title", GAMES)
def test_a_game_against_a_bot_ends_and_its_record_verifies(title: str) -> None:
    page = Page()
    game_id = page.open(title, "", "1")
    while page.shown["status"] != "over":
        page.play()
    text = page.ask("GET", f"/api/games/{game_id}/record")["record"]
    assert record.verify(GAMES[title], record.read(text)) > 0
    assert page.ask("GET", f"/api/games/{game_id}/replay?seat=1")["table"]["seat"] == 1


@pytest.mark.parametrize("title", GAMES)
def test_people_pass_one_screen_and_a_curtain_hides_the_racks(title: str) -> None:
    page = Page()
    page.open(title, "", "")
    while page.shown["status"] != "over":
        if page.handover["to"] is not None:
            assert page.shown["seat"] is None
            assert page.shown["moves"] == []
        page.play()
    curtains = [each for each in page.sent if each["type"] == "handover" and each["to"] is not None]
    assert bool(curtains) == (title != "azul")
    seats = {each["table"]["seat"] for each in page.sent if each["type"] == "update"}
    assert {0, 1} <= seats


def test_a_game_goes_on_after_the_tab_was_closed() -> None:
    page = Page()
    game_id = page.open("azul", "", "3")
    page.play()
    again = Page(f"[{page.kept[game_id]}]")
    assert again.ask("GET", "/api/here")["games"][0]["names"] == ["P0", "P1"]
    again.come(game_id)
    assert again.shown["view"] == page.shown["view"]
    again.play()


def test_a_kept_game_that_cannot_be_read_hides_no_other() -> None:
    page = Page()
    game_id = page.open("azul", "", "1")
    unreadable = [
        '{"id":"of-a-later-edition"}',
        page.kept[game_id].replace(game_id, "othergame").replace("azul/1", "chess/1"),
    ]
    later = Page(f"[{','.join([*unreadable, *page.kept.values()])}]")
    assert [game["id"] for game in later.ask("GET", "/api/here")["games"]] == [game_id]


def test_a_resigned_game_is_over_after_the_tab_was_closed() -> None:
    page = Page()
    game_id = page.open("duel", "", "1")
    page.say({"type": "command", "key": "resigning", "action": "resign"})
    again = Page(f"[{page.kept[game_id]}]")
    again.come(game_id)
    assert again.shown["end"]["reason"] == "resigned"
    assert again.ask("GET", "/api/here")["games"][0]["over"]


def test_a_saved_game_is_brought_to_another_device_and_deleted() -> None:
    page, other = Page(), Page()
    game_id = page.open("blockers", "", "1")
    page.play()
    other.ask("POST", "/api/here/import", {"record": page.ask("GET", f"/api/here/{game_id}")["record"]})
    other.come(game_id)
    assert other.shown["view"] == page.shown["view"]
    other.ask("DELETE", f"/api/here/{game_id}")
    assert other.ask("GET", "/api/here")["games"] == []


def test_a_rematch_is_kept_and_opens() -> None:
    page = Page()
    page.open("duel", "", "1")
    page.say({"type": "command", "key": "resigning", "action": "resign"})
    page.say({"type": "command", "key": "rematching", "action": "rematch"})
    page.come(page.shown["next_game"])
    assert page.shown["status"] == "playing"
    assert len(page.kept) == 2


def test_the_record_of_a_running_game_stays_hidden() -> None:
    page = Page()
    game_id = page.open("blockers", "", "1")
    assert page.reply("GET", f"/api/games/{game_id}/record")[0] == 403
    assert page.reply("GET", f"/api/games/{game_id}/replay")[0] == 403


def test_puzzles_are_listed_previewed_and_checked() -> None:
    page = Page()
    listed = page.ask("GET", "/api/puzzles")["puzzles"]
    puzzle = page.ask("GET", f"/api/puzzles/{listed[0]['id']}")
    assert page.ask("GET", f"/api/puzzles/{puzzle['id']}/preview?move={puzzle['moves'][0]}")["preview"]
    best = page.ask("POST", f"/api/puzzles/{puzzle['id']}/answer", {"move": ""})["solution"]["best"]
    assert page.ask("POST", f"/api/puzzles/{puzzle['id']}/answer", {"move": best})["right"]
    for title in GAMES:
        assert page.ask("GET", f"/api/puzzles/daily?title={title}")["title"] == title


@pytest.mark.parametrize("title", GAMES)
def test_the_coach_reviews_a_finished_game_in_steps(title: str) -> None:
    text = next((RECORDS / title).glob("2-*.game") if title != "duel" else (RECORDS / title).glob("*.game")).read_text()
    page = Page()
    asked = page.ask("POST", "/api/reviews", {"record": text})
    while page.tab.step():
        pass
    done = page.ask("GET", f"/api/reviews/{asked['id']}")
    assert done["status"] == "done"
    assert done["report"]["title"] == title
    for decision in done["report"]["decisions"][::9]:
        path = f"/api/reviews/{asked['id']}/lines/{decision['number']}"
        steps = page.ask("GET", f"{path}?seat=1")["steps"]
        assert [step["entry"]["acts"] for step in steps] == [[move] for move in decision["line"]]
    assert page.reply("GET", f"/api/reviews/{asked['id']}/lines/0")[0] == 404, "a deal has no line"
    assert page.reply("GET", "/api/reviews/record-0/lines/1")[0] == 404


def test_a_review_is_kept_with_its_game() -> None:
    page = Page()
    game_id = page.open("azul", "", "1")
    page.play()
    page.say({"type": "command", "key": "key-99999", "action": "resign"})
    page.ask("POST", f"/api/games/{game_id}/review")
    while page.tab.step():
        pass
    later = Page(f"[{','.join(page.kept.values())}]")
    seen = later.ask("POST", f"/api/games/{game_id}/review")
    assert (seen["status"], seen["done"]) == ("done", seen["total"])
    assert not later.tab.step()
    unreadable = json.loads(page.kept[game_id]) | {"review": {"title": "another edition"}}
    other = Page(json.dumps([unreadable]))
    assert other.ask("POST", f"/api/games/{game_id}/review")["status"] == "waiting"


def test_a_game_that_went_on_in_another_tab_goes_on_from_there() -> None:
    first = Page()
    game_id, dropped = first.open("azul", "", "1"), first.open("duel", "", "1")
    first.come(game_id)
    second = Page(f"[{','.join(first.kept.values())}]")
    second.ask("GET", f"/api/games/{game_id}")
    first.play()
    del first.kept[dropped]
    kept = f"[{','.join(first.kept.values())}]"
    second.tab.sync(kept)
    second.come(game_id)
    assert second.shown["number"] == first.shown["number"]
    assert [game["id"] for game in second.ask("GET", "/api/here")["games"]] == [game_id]
    second.play()
    second.tab.sync(kept)
    assert second.ask("GET", f"/api/games/{game_id}")["number"] == second.shown["number"], "a page that is open stays"


def test_a_kept_game_says_how_many_acts_it_has() -> None:
    page = Page()
    game_id = page.open("azul", "", "1")
    page.play()
    (listed,) = page.ask("GET", "/api/here")["games"]
    assert listed["acts"] == len(record.read(page.ask("GET", f"/api/here/{game_id}")["record"]).acts)


def test_what_needs_a_server_is_refused_in_words() -> None:
    assert Page().reply("GET", "/api/leaderboard/azul/2") == (404, {"rule": "path", "message": "this needs a server"})
    assert Page().reply("GET", "/api/games/nowhere")[0] == 404
    assert Page().reply("POST", "/api/here", {"title": "chess", "players": []})[0] == 422


def test_a_level_is_measured() -> None:
    answer = Page().ask("POST", "/api/here/speed", {"title": "azul", "level": "6"})
    assert 0 < answer["seconds"] < 5
    assert not answer["cut"]
