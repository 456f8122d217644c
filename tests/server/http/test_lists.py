"""Lists of tables: your own, a page at a time, those where it is your turn first; and open ones, a fair share each."""

import pytest
from sqlalchemy import insert, select, update

from tessella.server.settings import Settings
from tessella.server.store.schema import games, people, seats
from tests.server.clients import Person, two_at_a_table
from tests.server.helpers import member

MANY = 260


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


def game_row(game_id, touched, **more):
    return {
        "id": game_id,
        "game": "azul",
        "rules": "azul/1 seats=2 wall=coloured",
        "number": 1,
        "status": "over",
        "movers": "",
        "deadline": None,
        "opened": touched,
        "touched": touched,
        "pace": "",
        "rated": False,
        "listed": False,
    } | more


async def add_games(store, person, rows):
    """Games at which somebody sits on the first seat, as they are found in the database."""
    ended = [{"ended": row["touched"] if row["status"] == "over" else None} for row in rows]
    places = [{"game": row["id"], "seat": 0, "person": person} | end for row, end in zip(rows, ended, strict=True)]
    await store.run(insert(games).values(rows), insert(seats).values(places))


async def page_through(person, path):
    """All pages of a list."""
    pages, query = [], ""
    while True:
        answer = await person.get(path + query)
        pages.append(answer["games"])
        if answer["next"] is None:
            return pages
        query = f"?before={answer['next']}"


@pytest.mark.parametrize("others", [0, 50, 120])
async def test_all_my_games_can_be_paged_through(app, port, others):
    ann = await Person.arrive(port, "Ann")
    mine = [game_row(f"mine{n}", n, status="playing", movers="0") for n in range(120)]
    theirs = [game_row(f"theirs{n}", 7, status="playing", movers="1") for n in range(others)]
    finished = [game_row(f"over{n:03}", 1_000 + n // 2) for n in range(MANY)]
    await add_games(app.state.host.store, await ann.id(), [*mine, *theirs, *finished])
    pages = await page_through(ann, "/api/me/games")
    listed = [game for page in pages for game in page]
    assert [game["my_turn"] for game in listed].count(True) == 120
    assert [game["id"] for game in pages[0][:120]] == [f"mine{n}" for n in range(119, -1, -1)]
    assert [game["status"] for game in listed] == ["playing"] * (120 + others) + ["over"] * MANY
    over = [(game["touched"], game["id"]) for game in listed[120 + others :]]
    assert over == sorted(over, reverse=True)
    assert len({game["id"] for game in listed}) == len(listed) == 120 + others + MANY


async def test_games_of_a_guest_who_became_a_member_are_in_the_pages(app, port):
    mia = await member(port, "Mia")
    store = app.state.host.store
    await store.run(insert(people).values(id="pguest", name="Mia", kind="guest", made=0, member=await mia.id()))
    await add_games(store, await mia.id(), [game_row(f"member{n}", 2 * n) for n in range(80)])
    await add_games(store, "pguest", [game_row(f"guest{n}", 2 * n + 1) for n in range(80)])
    listed = [game for page in await page_through(mia, "/api/me/games") for game in page]
    assert [game["touched"] for game in listed] == [float(n) for n in range(159, -1, -1)]


async def test_a_game_that_ends_is_among_the_finished_ones(app, port):
    ann, bob, table = await two_at_a_table(port, "duel")
    for action in ("start", "resign"):
        assert (await ann.act(table, action=action)).status_code == 200
    for person in (ann, bob):
        (game,) = (await person.get("/api/me/games"))["games"]
        assert game["status"] == "over"
    store = app.state.host.store
    (touched,) = [row["touched"] for row in await store.run(select(games.c.touched))]
    assert [row["ended"] for row in await store.run(select(seats.c.ended))] == [touched, touched]


async def test_a_game_that_an_older_worker_ended_is_finished_too(app, port):
    ann = await Person.arrive(port, "Ann")
    store = app.state.host.store
    await add_games(store, await ann.id(), [game_row("older", 5), game_row("running", 1, status="playing")])
    await store.run(update(seats).values(ended=None))
    for _ in range(2):
        listed = (await ann.get("/api/me/games"))["games"]
        assert [(game["id"], game["status"]) for game in listed] == [("running", "playing"), ("older", "over")]
    rows = await store.run(select(seats.c.game, seats.c.ended).order_by(seats.c.game))
    assert [row["ended"] for row in rows] == [5.0, None]


async def test_a_senseless_page_is_refused(app, port):
    ann = await Person.arrive(port, "Ann")
    for path in ("/api/me/games", "/api/games"):
        for before in ("", "x", "over~nan~a", "over~1~" + "a" * 200, "over~1e9~b", "%00", "over~1~%00"):
            answer = await ann.http.get(f"{path}?before={before}")
            assert answer.status_code == (404 if "%00" in before else 422), (before, answer.text)


async def add_open(store, rows):
    usual = game_row("", 0.0, status="open", listed=True, creator="", origin="")
    await store.run(insert(games).values([usual | row for row in rows]))


async def test_many_tables_of_one_person_do_not_hide_those_of_others(app, port):
    eve = [{"id": f"eve{n:03}", "touched": 1_000.0 + n, "creator": "eve", "origin": "eve"} for n in range(150)]
    others = [{"id": f"other{n}", "touched": float(n), "creator": f"p{n}", "origin": f"p{n}"} for n in range(40)]
    await add_open(app.state.host.store, [*eve, *others])
    ann = await Person.arrive(port, "Ann")
    pages = await page_through(ann, "/api/games")
    first = [game["id"] for game in pages[0]]
    assert first[:42] == ["eve149", *(f"other{n}" for n in range(39, -1, -1)), "eve148"]
    listed = [game["id"] for page in pages for game in page]
    assert len(listed) == len(set(listed)) == 190


async def test_guests_of_one_address_share_their_turns_fairly(app, port):
    store = app.state.host.store
    crowd = [
        {"creator": f"guest{n % 10}", "origin": "a123", "id": f"crowd{n:02}", "touched": 100.0 + n} for n in range(30)
    ]
    alone = [{"creator": "guest", "origin": "a456", "id": f"alone{n}", "touched": float(n)} for n in range(2)]
    nobody = [{"id": "old", "touched": 50.0}]
    await add_open(store, [*crowd, *alone, *nobody])
    ann = await Person.arrive(port, "Ann")
    (page,) = await page_through(ann, "/api/games")
    ids = [game["id"] for game in page]
    assert ids[:5] == ["crowd29", "old", "alone1", "crowd28", "alone0"]
    assert ids[5:12] == [f"crowd{n}" for n in (27, 26, 25, 24, 23, 22, 21)]
