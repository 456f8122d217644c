"""Lists of tables: your own, a page at a time, those where it is your turn first; and open ones, a fair share each."""

import pytest
from sqlalchemy import insert, select, update

from tessella.server.settings import Settings
from tessella.server.store.schema import games, people, seats
from tests.server.clients import Person, key
from tests.server.helpers import member, serving

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
        answer = (await person.http.get(path + query)).json()
        pages.append(answer["games"])
        if answer["next"] is None:
            return pages
        query = f"?before={answer['next']}"


async def id_of(person):
    return (await person.http.get("/api/session")).json()["id"]


def test_17_9_my_turn_in_an_old_game_comes_first(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        old = [game_row(f"turn{n}", n, status="playing", movers="0") for n in range(3)]
        finished = [game_row(f"over{n}", 1_000 + n) for n in range(MANY)]
        await add_games(app.state.host.store, await id_of(ann), [*old, *finished])
        first = (await ann.http.get("/api/me/games")).json()["games"]
        assert [game["id"] for game in first[:3]] == ["turn2", "turn1", "turn0"]
        assert [game["my_turn"] for game in first[:4]] == [True, True, True, False]

    serving(serve, settings, use)


@pytest.mark.parametrize("others", [0, 50, 120])
def test_17_9_all_my_games_can_be_paged_through(serve, settings, others):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        mine = [game_row(f"mine{n}", n, status="playing", movers="0") for n in range(120)]
        theirs = [game_row(f"theirs{n}", 7, status="playing", movers="1") for n in range(others)]
        finished = [game_row(f"over{n:03}", 1_000 + n // 2) for n in range(MANY)]
        await add_games(app.state.host.store, await id_of(ann), [*mine, *theirs, *finished])
        pages = await page_through(ann, "/api/me/games")
        listed = [game for page in pages for game in page]
        assert [game["my_turn"] for game in listed].count(True) == 120
        assert all(game["my_turn"] for game in pages[0][:120])
        assert [game["status"] for game in listed] == ["playing"] * (120 + others) + ["over"] * MANY
        over = [(game["touched"], game["id"]) for game in listed[120 + others :]]
        assert over == sorted(over, reverse=True)
        assert len({game["id"] for game in listed}) == len(listed) == 120 + others + MANY

    serving(serve, settings, use)


def test_17_9_games_of_a_guest_who_became_a_member_are_in_the_pages(serve, settings):
    async def use(app):
        mia = await member(settings.port, "Mia")
        store = app.state.host.store
        await store.run(insert(people).values(id="pguest", name="Mia", kind="guest", made=0, member=await id_of(mia)))
        await add_games(store, await id_of(mia), [game_row(f"member{n}", 2 * n) for n in range(80)])
        await add_games(store, "pguest", [game_row(f"guest{n}", 2 * n + 1) for n in range(80)])
        listed = [game for page in await page_through(mia, "/api/me/games") for game in page]
        assert [game["touched"] for game in listed] == [float(n) for n in range(159, -1, -1)]

    serving(serve, settings, use)


def test_17_9_a_game_that_ends_is_among_the_finished_ones(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        table = await ann.set_table("duel", seats=("me", "open"))
        bob = await Person.arrive(settings.port, "Bob")
        await bob.join(table)
        for what in ("start", "resign"):
            request = {"type": "command", "key": key(), "action": what}
            assert (await ann.http.post(f"/api/games/{table['id']}/act", json={"request": request})).status_code == 200
        store = app.state.host.store
        for person in (ann, bob):
            (game,) = (await person.http.get("/api/me/games")).json()["games"]
            assert game["status"] == "over"
        (touched,) = [row["touched"] for row in await store.run(select(games.c.touched))]
        assert [row["ended"] for row in await store.run(select(seats.c.ended))] == [touched, touched]

    serving(serve, settings, use)


def test_17_9_a_game_that_an_older_worker_ended_is_finished_too(serve, settings):
    async def use(app):
        ann = await Person.arrive(settings.port, "Ann")
        store = app.state.host.store
        await add_games(store, await id_of(ann), [game_row("older", 5), game_row("running", 1, status="playing")])
        await store.run(update(seats).values(ended=None))
        for _ in range(2):
            listed = (await ann.http.get("/api/me/games")).json()["games"]
            assert [(game["id"], game["status"]) for game in listed] == [("running", "playing"), ("older", "over")]
        rows = await store.run(select(seats.c.game, seats.c.ended).order_by(seats.c.game))
        assert [row["ended"] for row in rows] == [5.0, None]

    serving(serve, settings, use)


def test_17_9_a_senseless_page_is_refused(serve, settings):
    async def use(_):
        ann = await Person.arrive(settings.port, "Ann")
        for path in ("/api/me/games", "/api/games"):
            for before in ("", "x", "over~nan~a", "over~1~" + "a" * 200, "over~1e9~b", "%00", "over~1~%00"):
                answer = await ann.http.get(f"{path}?before={before}")
                assert answer.status_code == (404 if "%00" in before else 422), (before, answer.text)

    serving(serve, settings, use)


async def add_open(store, rows):
    await store.run(
        insert(games).values(
            [game_row("", 0.0, status="open", listed=True, creator="", origin="") | row for row in rows]
        )
    )


def test_17_20_many_tables_of_one_person_do_not_hide_those_of_others(serve, settings):
    async def use(app):
        eve = [{"id": f"eve{n:03}", "touched": 1_000.0 + n, "creator": "eve", "origin": "eve"} for n in range(150)]
        others = [{"id": f"other{n}", "touched": float(n), "creator": f"p{n}", "origin": f"p{n}"} for n in range(40)]
        await add_open(app.state.host.store, [*eve, *others])
        ann = await Person.arrive(settings.port, "Ann")
        pages = await page_through(ann, "/api/games")
        first = [game["id"] for game in pages[0]]
        assert first[:42] == ["eve149", *(f"other{n}" for n in range(39, -1, -1)), "eve148"]
        listed = [game["id"] for page in pages for game in page]
        assert len(listed) == len(set(listed)) == 190

    serving(serve, settings, use)


def test_17_20_guests_of_one_address_share_their_turns_fairly(serve, settings):
    async def use(app):
        store = app.state.host.store
        crowd = [
            {"creator": f"guest{n % 10}", "origin": "a123", "id": f"crowd{n:02}", "touched": 100.0 + n}
            for n in range(30)
        ]
        alone = [{"creator": "guest", "origin": "a456", "id": f"alone{n}", "touched": float(n)} for n in range(2)]
        nobody = [{"id": "old", "touched": 50.0}]
        await add_open(store, [*crowd, *alone, *nobody])
        ann = await Person.arrive(settings.port, "Ann")
        (page,) = await page_through(ann, "/api/games")
        ids = [game["id"] for game in page]
        assert ids[:5] == ["crowd29", "old", "alone1", "crowd28", "alone0"]
        assert ids[5:12] == [f"crowd{n}" for n in (27, 26, 25, 24, 23, 22, 21)]

    serving(serve, settings, use)
