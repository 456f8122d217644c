"""What others see of a link that somebody shares: words, a card, a replay in a frame; and nothing more."""

import asyncio
import contextlib
import html
import re
import struct
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.routing import Route

from tessella.coach.puzzles.puzzle import shipped
from tessella.server.http import previews, static
from tessella.server.http.rate_limits import Limits
from tessella.server.rooms.duplicate import open_match
from tessella.server.rooms.history import read_log
from tessella.server.rooms.lifecycle import sit
from tessella.server.services.cards import card_of_game
from tessella.server.services.data_rights import erase
from tessella.server.settings import Settings
from tests.server.clients import Person
from tests.server.helpers import begin, known, play_out
from tests.server.waiting import until

INDEX = Path(__file__).parents[3] / "web" / "index.html"
BLOCKERS = "blockers/1 seats=2 scoring=blockers"


@pytest.fixture(autouse=True)
def client(tmp_path, monkeypatch):
    """The document of the client, as it is built."""
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "index.html").write_text(INDEX.read_text())
    monkeypatch.setattr(static, "STATIC", folder)
    static._files.cache_clear()
    yield
    static._files.cache_clear()


@pytest.fixture
def settings(sqlite, port):
    return Settings(database=sqlite, port=port, compute=0)


@pytest.fixture
def http(port):
    """A browser, which is given no cookie."""
    return without_cookies(Person(port).http)


@contextlib.asynccontextmanager
async def without_cookies(http):
    yield http
    assert not http.cookies


def metas(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page)
    return {name: html.unescape(content) for name, content in found}


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def a_game(host, *names, rules="azul/1 seats=2 wall=coloured"):
    return await begin(host, [await known(host.store, name) for name in names or ("Ann", "Bert")], rules)


async def test_a_shared_table_says_who_plays_in_the_readers_language(app, http, port):
    host = app.state.host
    room = await a_game(host, 'Ann <b>"x"', "Bert")
    page = await http.get(f"/table/{room.table.id}", headers={"accept-language": "fi, nl;q=0.9, fr;q=0.5"})
    found = metas(page.text)
    assert found["og:title"] == 'Azul: Ann <b>"x" – Bert'
    assert "<b>" not in page.text
    assert found["og:description"] == "Bezig: kom kijken."
    assert '<html lang="nl"' in page.text
    assert found["twitter:card"] == "summary_large_image"
    assert found["og:url"] == f"http://127.0.0.1:{port}/table/{room.table.id}"
    card = await http.get(found["og:image"])
    assert (card.headers["content-type"], size_of(card.content)) == ("image/png", (1200, 630))
    assert "<title>Azul: Ann" in page.text
    assert page.headers["content-security-policy"] == static.SECURITY_HEADERS["content-security-policy"]


async def test_a_page_without_such_a_table_is_the_plain_document(app, http):
    for path in ("/table/abcd2345", "/replay/../x", "/puzzles/none", "/replay/UPPER", "/about"):
        page = await http.get(path, headers={"accept": "text/html"})
        assert "og:title" not in page.text
    for path in ("/cards/abcd2345.png", "/cards/puzzles/none.png", "/embed/abcd2345"):
        assert (await http.get(path)).status_code == 404


async def test_a_card_is_drawn_once_and_asked_for_again_by_its_tag(app, http, monkeypatch):
    host = app.state.host
    drawn: list[str] = []
    really = previews._draw_card

    async def counted(request, task, *arguments):
        drawn.append(task.__name__)
        return await really(request, task, *arguments)

    monkeypatch.setattr(previews, "_draw_card", counted)

    room = await a_game(host)
    path = f"/cards/{room.table.id}.png"
    cards = await asyncio.gather(*(http.get(path) for _ in range(5)))
    assert len({card.content for card in cards}) == 1
    again = await http.get(path, headers={"if-none-match": cards[0].headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert drawn == ["card_of_game"]
    await play_out(host, room)
    over = await http.get(path)
    assert over.content != cards[0].content
    assert "max-age" in over.headers["cache-control"]
    assert over.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_a_card_of_a_running_game_does_not_depend_on_what_is_hidden(app, http):
    host = app.state.host
    one, other = await _with_equal_views(host)
    assert one.game.view(one.state, 0) != other.game.view(other.state, 0)
    logs = [await read_log(host.store, table.id) for table in (one, other)]
    first, second = (card_of_game("game", log, "en").png for log in logs)
    assert first == second


async def _with_equal_views(host):
    """Two tables that spectators cannot tell apart."""
    found: dict[Any, object] = {}
    while True:
        table = (await a_game(host, rules=BLOCKERS)).table
        if (view := table.game.view(table.state, None)) in found.values():
            return next(other for other in found if found[other] == view), table
        found[table] = view


async def test_a_table_of_a_match_shows_neither_names_nor_board_before_all_are_over(app, http):
    host = app.state.host
    match = await open_match(host, "azul/1 seats=2 wall=coloured", None, 2)
    for room in match.rooms:
        for seat, name in enumerate(("Ann", "Bert")):
            await sit(host, room, seat, await known(host.store, name))
        await host.append(room, "start", lambda table, secret: table.start(secret))
    first, second = match.rooms
    await play_out(host, first)
    path = f"/replay/{first.table.id}"
    before = await http.get(path)
    assert metas(before.text)["og:title"] == "Azul"
    assert "Ann" not in before.text
    hidden = await http.get(f"/cards/{first.table.id}.png")
    assert (await http.get(f"/cards/{second.table.id}.png")).content == hidden.content
    assert (await http.get(f"/embed/{first.table.id}")).status_code == 404
    await play_out(host, second, seed=1)
    assert (await http.get(f"/embed/{first.table.id}")).status_code == 200
    assert "Ann" in metas((await http.get(path)).text)["og:title"]
    assert (await http.get(f"/cards/{first.table.id}.png")).content != hidden.content


async def test_the_name_of_a_deleted_person_leaves_cards_and_frames(app, http):
    host = app.state.host
    ann = await known(host.store, "Ann")
    room = await begin(host, [ann, await known(host.store, "Bert")])
    await play_out(host, room)
    paths = [f"/{kind}/{room.table.id}{end}" for kind, end in (("cards", ".png"), ("embed", ""), ("replay", ""))]
    before = [(await http.get(path)).content for path in paths]
    assert b"Ann" in before[1]
    assert b"Ann" in before[2]
    await erase(host, ann)

    async def is_gone():
        return b"Ann" not in (await http.get(paths[2])).content

    await until(is_gone)
    after = [(await http.get(path)).content for path in paths]
    assert b"Ann" not in after[1] + after[2]
    assert after[0] != before[0]


async def test_only_a_replay_may_be_framed_and_it_needs_no_cookie(app, http):
    host = app.state.host
    room = await a_game(host, "Ann</script>", "Bert")
    running = await http.get(f"/embed/{room.table.id}")
    assert running.status_code == 404
    await play_out(host, room)
    framed = await http.get(f"/embed/{room.table.id}", params={"lang": "fr"})
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "unsafe" not in framed.headers["content-security-policy"]
    assert "set-cookie" not in framed.headers
    assert framed.text.count("<script") == framed.text.count("</script>") == 2
    assert " style=" not in framed.text
    assert "Ouvrir sur Tessella" in framed.text
    assert len(framed.content) < 200_000
    for path in ("/embed.js", "/embed.css"):
        assert (await http.get(path)).status_code == 200


async def test_nothing_else_may_be_framed(app, http):
    for route in app.routes:
        if not isinstance(route, Route) or "GET" not in (route.methods or ()) or route.path.endswith("/stream"):
            continue
        path = re.sub(r"\{[^}]*\}", "abcd2345", route.path)
        answer = await http.get(path, headers={"accept": "text/html"})
        policy = answer.headers["content-security-policy"]
        assert ("frame-ancestors *" in policy) == path.startswith("/embed/"), path
        assert path.startswith("/embed/") or "frame-ancestors 'none'" in policy, path


async def test_oembed_offers_a_frame_for_a_replay_and_a_link_for_the_rest(app, http, port):
    host = app.state.host
    room = await a_game(host)
    await play_out(host, room)
    page = await http.get(f"/replay/{room.table.id}")
    found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]+)"', page.text)
    assert found is not None
    rich = (await http.get(html.unescape(found[1]), params=None)).json()
    assert (rich["type"], rich["version"]) == ("rich", "1.0")
    assert f'src="http://127.0.0.1:{port}/embed/{room.table.id}"' in rich["html"]
    assert size_of((await http.get(rich["thumbnail_url"])).content) == (1200, 630)
    ours = f"http://127.0.0.1:{port}"
    small = await http.get("/oembed", params={"url": f"{ours}/replay/{room.table.id}", "maxwidth": "400"})
    assert small.json()["width"] == 400
    puzzle = next(iter(shipped()))
    assert (await http.get("/oembed", params={"url": f"{ours}/puzzles/{puzzle}"})).json()["type"] == "link"
    for strange in ("", "https://other.example/replay/abcd", f"{ours}.evil/table/abcd", f"{ours}/table/abcd2345"):
        assert (await http.get("/oembed", params={"url": strange})).status_code == 404
    assert (await http.get("/oembed", params={"url": ours, "format": "xml"})).status_code == 501


async def test_a_puzzle_has_a_card_of_its_position(serve, settings, http):
    async with serve(replace(settings, compute=1)):  # in a process of its own, as usual
        puzzle = next(iter(shipped()))
        found = metas((await http.get(f"/puzzles/{puzzle}", headers={"accept-language": "fr"})).text)
        assert found["og:title"] == "Azul : un problème"
        assert size_of((await http.get(found["og:image"])).content) == (1200, 630)


async def test_a_daily_deal_has_a_card_that_shows_nothing_of_it(app, http):
    for path, title in (
        ("/daily", "Partijen van de dag"),
        ("/daily/2026-11-16/duel", "Partij van de dag: Azul Duel"),
    ):
        found = metas((await http.get(path, params={"lang": "nl"})).text)
        assert found["og:title"] == title
        assert size_of((await http.get(found["og:image"])).content) == (1200, 630)
    assert "og:title" not in (await http.get("/daily/2999-01-01/duel")).text
    assert (await http.get("/cards/daily/2999-01-01/duel.png")).status_code == 404


async def test_without_the_extra_there_is_the_icon_instead_of_a_card(app, http, monkeypatch):
    host = app.state.host
    monkeypatch.setattr(previews, "can_draw", lambda: False)

    room = await a_game(host)
    found = metas((await http.get(f"/table/{room.table.id}")).text)
    assert found["og:image"].endswith("/icon-512.png")
    assert found["twitter:card"] == "summary"
    assert (await http.get(f"/cards/{room.table.id}.png")).status_code == 404


async def test_drawings_are_kept_within_bounds():
    drawings = previews.Drawings(most_bytes=100)

    async def draw(number):
        return bytes([number]) * 30

    for number in range(50):
        assert await drawings.get(str(number), partial(draw, number)) == bytes([number]) * 30
        await asyncio.sleep(0)
    assert [drawings.has(str(number)) for number in (46, 47, 48, 49)] == [False, True, True, True]


def test_one_address_cannot_have_everything_drawn():
    limits = Limits()
    while not limits.wait_for_expensive("", "203.0.113.7", 0.0):
        pass
    with pytest.raises(previews.TooBusy):
        previews._charge(limits, "203.0.113.7", 0.0)
    previews._charge(limits, "198.51.100.7", 0.0)
