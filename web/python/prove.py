"""Use every part of the tab once, as soon as it is packed."""

import json
import traceback  # noqa: F401  needed to show an error
from typing import Any

from tessella.fast import COMPILED
from tessella.games import GAMES
from tessella.local.browser import Tab

sent: list[tuple[str, str, str]] = []
tab = Tab(lambda kind, key, text: sent.append((kind, key, text)))


def ask(method: str, path: str, body: object = None) -> Any:  # noqa: ANN401
    """Return the body of an answer."""
    answer = json.loads(tab.request(method, path, json.dumps(body) if body else ""))
    assert answer["status"] == 200, answer
    return answer["body"]


assert not COMPILED
for title in ("azul", "duel", "blockers"):
    ask("POST", "/api/here/speed", {"title": title, "level": "4"})
    game = ask("POST", "/api/here", {"title": title, "players": [{"name": "Ann"}, {"name": "Bot", "level": "3"}]})["id"]
    tab.connect(title, game)
    tab.receive(title, json.dumps({"type": "hello"}))
    while tab.step():
        pass
assert not GAMES.broken, GAMES.broken
for title in GAMES.installed:
    ask("GET", f"/api/titles/{title}/texts/en")
    bots = [{"name": "Bot", "level": "greedy"}] * 2
    tab.connect(title, ask("POST", "/api/here", {"title": title, "players": bots})["id"])
    tab.receive(title, json.dumps({"type": "hello"}))
    while tab.step():
        pass
ask("GET", "/api/lessons/azul")
ask("GET", "/api/puzzles/daily?title=azul")
assert tab.request("GET", "/api/replay/azul1/nothing", "").startswith('{"status":422')
