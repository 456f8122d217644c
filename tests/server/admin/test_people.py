"""What a host does about people, on both databases: find, show, rename, reset, log out, ban, delete, merge, invite."""

import asyncio
import sqlite3
from contextlib import closing

import asyncpg
import pytest
import websockets
from msgspec.structs import replace
from sqlalchemy import select, update

from tessella.server.http.sockets import LOGGED_OUT
from tessella.server.people.identity import DELETED
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.services.retention import Retention
from tessella.server.settings import Settings
from tessella.server.store.migrate import head, migrate
from tessella.server.store.schema import audit, games, identities, one_time_links, people
from tests.server.admin.commands import admin, figures, refused
from tests.server.clients import Person, close_code, hear, refusal
from tests.server.helpers import PASSWORD, begin, hosting, known, member, run

BANNED = "the host of this server has banned you, so you cannot play here"


@pytest.fixture
def settings(database, port):
    return Settings(database=database, port=port, bots=0)


def people_in(url, *names, kind="member", has_login=True):
    """The ids of new people with these names, which may be their user names too."""

    async def main():
        async with hosting(url) as host:
            made = [await known(host.store, name, kind) for name in names]
            for each in made:
                login = each.name.casefold() if has_login else None
                await host.store.run(update(people).where(people.c.id == each.id).values(login=login))
            return [each.id for each in made]

    return run(main())


async def beside(url, *arguments):
    """The figures of a command while a server runs."""
    return await asyncio.to_thread(figures, url, *arguments)


def test_people_are_found_by_name_user_name_id_and_what_looks_alike(database):
    ann, bert, _ = people_in(database, "Ann Able", "Bert", "Cara")
    assert [each["id"] for each in figures(database, "people", "find", "àbL3")["people"]] == [ann]
    assert [each["id"] for each in figures(database, "people", "find", bert)["people"]] == [bert]
    assert [each["login"] for each in figures(database, "people", "find", "bert")["people"]] == ["bert"]
    assert len(figures(database, "people", "find", "a", "--most", 1)["people"]) == 1
    assert figures(database, "people", "find", "nobody at all") == {"people": []}
    assert ann in admin(database, "people", "find", "Ann")[1]


async def test_a_person_is_shown_with_tables_and_reports_which_lead_to_a_ban(app, database, port):
    ann, bert = await member(port, "Ann"), await member(port, "Bert")
    table, bert_id = (await bert.set_table())["id"], await bert.id()
    await bert.http.post("/api/me/bots", json={"name": "Deep Tile"})
    await ann.http.post(f"/api/people/{bert_id}/report", json={"reason": "rude", "game": table})

    def said(*arguments):
        return asyncio.to_thread(lambda: admin(database, *arguments)[1])

    (reported,) = (await beside(database, "reports"))["reports"]
    assert (reported["other"], reported["banned"]) == (bert_id, False)
    assert "people show ID" in await said("reports")
    shown = await beside(database, "people", "show", bert_id)
    assert (shown["login"], shown["about"]["sessions"], len(shown["bots"])) == ("bert", 1, 1)
    assert [each["id"] for each in shown["about"]["tables"]] == [table]
    assert [each["reason"] for each in shown["about"]["reports"]] == ["rude"]
    out = await said("people", "show", "Bert")
    assert f"tessella admin people ban {bert_id}" in out
    assert f"table {table}" in out
    await beside(database, "people", "ban", bert_id)
    assert (await beside(database, "reports"))["reports"][0]["banned"]
    assert "banned" in await said("reports")
    assert f"tessella admin people unban {bert_id}" in await said("people", "show", bert_id)


def test_nobody_and_too_many_are_refused_in_a_sentence(database):
    two = [*people_in(database, "Ann", "Bert")[1:], *people_in(database, "Bert", kind="guest", has_login=False)]
    err = refused(database, "people", "show", "Nobody")
    assert err.count("\n") == 1
    assert "there is no person 'Nobody'" in err
    err = refused(database, "people", "ban", "Bert")
    assert all(each in err for each in two)
    assert figures(database, "people", "log") == {"acts": []}


def test_the_host_renames_people_also_to_reserved_names(database):
    (ann,) = people_in(database, "Ann")
    assert figures(database, "people", "rename", ann, "Moderator")["name"] == "Moderator"
    assert figures(database, "people", "show", ann)["about"]["name"] == "Moderator"
    assert admin(database, "people", "rename", ann, " ")[0] == 2
    (act,) = figures(database, "people", "log")["acts"]
    assert (act["act"], act["moderator"], act["details"]) == ("rename", "", "Ann → Moderator")


async def test_a_banned_person_reads_a_sentence_and_loses_sockets_and_seats_at_once(app, database, port):
    ann, bert = await member(port, "Ann"), await member(port, "Bert")
    table = await ann.set_table()
    assert (await bert.join(table)).status_code == 200
    await ann.act(table["id"], action="start")
    path, bert_id = f"/api/games/{table['id']}", await bert.id()
    program = Person.program(port, (await bert.http.post("/api/me/bots", json={"name": "Deep"})).json()["token"])
    async with bert.connect(table["id"]) as socket:
        await hear(socket, "presence")
        await beside(database, "people", "ban", "bert", "--reason", "rude")
        app.state.host.must_check_sessions = True  # as a notification by the bus does
        assert await close_code(socket) == LOGGED_OUT
    for address in ("/api/session", "/api/games", path, f"{path}/stream"):
        answer = await bert.http.get(address)
        assert (answer.status_code, answer.json()) == (403, {"rule": "banned", "message": BANNED})
    assert refusal(await program.http.get("/api/session")) == (403, "banned")
    with pytest.raises(websockets.InvalidStatus):
        await bert.connect(table["id"]).__aenter__()
    fresh = Person(port)
    answer = await fresh.http.post("/api/login", json={"login": "Bert", "password": PASSWORD})
    assert (answer.status_code, answer.json()["message"]) == (403, BANNED)
    wrong = await fresh.http.post("/api/login", json={"login": "Bert", "password": "wrong horse battery"})
    assert wrong.json()["rule"] == "login", "a stranger does not learn of the ban"
    assert [seat["left"] for seat in (await ann.get(path))["seats"]] == [False, True]
    await beside(database, "people", "unban", bert_id)
    for person in (bert, program):
        assert (await person.http.get("/api/session")).status_code == 200
    unban, ban = (await beside(database, "people", "log"))["acts"]
    assert (ban["act"], ban["name"], ban["details"], unban["act"]) == ("ban", "Bert", "rude", "unban")
    assert "by the host" in (await asyncio.to_thread(admin, database, "people", "log"))[1]


async def test_the_sessions_of_a_person_are_ended(app, database, port):
    ann = await member(port, "Ann")
    program = Person.program(port, (await ann.http.post("/api/me/tokens", json={"label": "a"})).json()["token"])
    assert await beside(database, "people", "end-sessions", "Ann") == {"ended": 2}
    for person in (ann, program):
        assert (await person.http.get("/api/session")).status_code == 401


async def test_a_deleted_person_is_gone_as_if_they_had_done_it(app, database, port):
    ann, store = await member(port, "Ann"), app.state.host.store
    table, ann_id = await ann.set_table(), await ann.id()
    row = {"issuer": "https://id.example", "subject": "7", "person": ann_id, "made": 0.0}
    await store.run(identities.insert().values(row))
    await beside(database, "people", "rename", ann_id, "Anna Bella")
    assert "--yes" in await asyncio.to_thread(refused, database, "people", "delete", ann_id)
    assert (await ann.http.get("/api/session")).status_code == 200
    await beside(database, "people", "delete", ann_id, "--yes")
    assert (await ann.http.get("/api/session")).status_code == 401
    (row,) = await store.run(select(people).where(people.c.id == ann_id))
    assert (row["name"], row["login"], row["password"]) == (DELETED, None, None)
    assert await store.run(select(identities)) == []
    logged = [each["details"] for each in await store.run(select(audit.c.details))]
    assert logged == ["", ""], "no name stays in the audit list"
    assert not any("Ann" in entry.body for entry in await store.log(table["id"], -1))


async def test_a_guest_is_merged_into_a_member_who_gets_the_games(app, database, port):
    ann, guest = await member(port, "Ann"), await Person.arrive(port, "Annie")
    table, ids = await guest.set_table(), (await guest.id(), await ann.id())
    assert "merge GUEST MEMBER" in await asyncio.to_thread(refused, database, "people", "merge", *reversed(ids))
    await beside(database, "people", "merge", *ids)
    assert [game["id"] for game in (await ann.get("/api/me/games"))["games"]] == [table["id"]]
    assert (await guest.http.get("/api/session")).status_code == 401


# Links


async def test_a_new_password_is_set_by_a_link_once_and_in_time(app, database, port):
    ann, stranger, store = await member(port, "Ann"), Person(port), app.state.host.store
    new = {"password": "another horse battery"}

    async def link(*more):
        return (await beside(database, "people", "reset", "ann", *more))["link"]

    async def use(link, **changed):
        body = new | {"secret": link.rpartition("/")[2]} | changed
        return await stranger.http.post("/api/new-password", json=body)

    first = await link("--site", "https://play.example.org")
    assert first.startswith("https://play.example.org/password/")
    second = await link()
    assert refusal(await use(first)) == (403, "link"), "replaced"
    assert (await use(second, password="short")).status_code == 422
    answer = await use(second)
    assert (answer.status_code, answer.json()["name"]) == (200, "Ann")
    assert (await ann.http.get("/api/session")).status_code == 401, "other sessions are ended"
    assert refusal(await use(second)) == (403, "link"), "used once"
    for password, status in ((PASSWORD, 403), (new["password"], 200)):
        answer = await Person(port).http.post("/api/login", json={"login": "Ann", "password": password})
        assert answer.status_code == status
    third = await link()
    await store.run(update(one_time_links).values(ends=1.0))
    assert refusal(await use(third)) == (403, "link"), "ended"
    await Retention(app.state.host, Settings()).remove_sessions()
    assert await store.run(select(one_time_links)) == []


def test_only_a_member_with_a_user_name_gets_a_link_for_a_password(database):
    (guest,) = people_in(database, "Gus", kind="guest", has_login=False)
    people_in(database, "Bert")
    (ann,) = people_in(database, "Ann", has_login=False)
    assert "only members have a password" in refused(database, "people", "reset", guest)
    assert "--login NAME" in refused(database, "people", "reset", ann)
    assert "already taken" in refused(database, "people", "reset", ann, "--login", "Bert")
    assert figures(database, "people", "reset", ann, "--login", "Annie")["login"] == "annie"


async def test_by_invitation_only_those_with_a_link_sign_up_each_once(serve, settings, database, port):
    async with serve(replace(settings, registration="invitation")):
        links = (await beside(database, "people", "invite", "--count", 2))["links"]
        assert "/welcome/" in links[0]
        ways = await Person(port).get("/api/members")
        assert (ways["registration"], ways["guests"]) == ("invitation", True)
        ann, bert = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bert")

        async def sign_up(person, link="", password=PASSWORD):
            invitation = {"invitation": link.rpartition("/")[2]} if link else {}
            body = {"login": await person.id(), "password": password} | invitation
            return await person.http.post("/api/members", json=body)

        for wrong in ("", "x" * 24):
            assert refusal(await sign_up(ann, wrong)) == (403, "invitation")
        assert (await sign_up(ann, links[0], "short")).status_code == 422, "the invitation is still theirs"
        assert (await sign_up(ann, links[0])).status_code == 201
        assert (await sign_up(bert, links[0])).status_code == 403
        assert (await sign_up(bert, links[1])).status_code == 201


# Tables


def test_many_tables_are_closed_by_age_owner_and_state_and_first_only_named(database):
    async def main():
        async with hosting(database) as host:
            ann, bert = await known(host.store, "Ann"), await known(host.store, "Bert")
            rules = "azul/1 seats=2 wall=coloured"
            opened = [await open_table(host, Terms(rules, creator=each.id)) for each in (ann, ann, bert)]
            await sit(host, opened[0], 0, ann)
            running = await begin(host, [ann, bert])
            old = update(games).where(games.c.id == opened[0].table.id).values(touched=1.0)
            await host.store.run(old)
            return ann.id, [room.table.id for room in opened], running.table.id

    ann, opened, running = run(main())
    assert "--idle-days" in refused(database, "close")
    assert refused(database, "close", running, "--unstarted")
    assert figures(database, "close", "--idle-days", 30, "--dry-run") == {"dry_run": opened[:1]}
    assert "would be closed" in admin(database, "close", "--owner", ann, "--unstarted", "--dry-run")[1]
    assert figures(database, "list")["counts"] == {"open": 3, "playing": 1}
    assert sorted(figures(database, "close", "--owner", ann)["closed"]) == sorted(opened[:2])
    assert figures(database, "close", "--unstarted") == {"closed": opened[2:]}
    assert figures(database, "list")["counts"] == {"closed": 3, "playing": 1}
    assert figures(database, "close", "--idle-days", -1) == {"closed": [running]}
    acts = figures(database, "people", "log")["acts"]
    assert {act["game"] for act in acts if act["act"] == "close"} == {*opened, running}


# Moderators


def test_only_a_member_becomes_a_moderator_and_is_one_no_longer(database):
    (ann,), (guest,) = people_in(database, "Ann"), people_in(database, "Gus", kind="guest", has_login=False)
    assert "only a member" in refused(database, "people", "moderator", guest)
    assert figures(database, "people", "moderator", "ann") == {"person": ann, "moderator": True}
    assert figures(database, "people", "show", ann)["about"]["moderator"]
    assert "moderator" in admin(database, "people", "find", "Ann")[1]
    figures(database, "people", "moderator", ann, "--remove")
    assert not figures(database, "people", "show", ann)["about"]["moderator"]
    assert [act["act"] for act in figures(database, "people", "log")["acts"]] == ["no-moderator", "moderator"]


# An older database

COMMANDS = (
    "list|show abcdefgh|reports|verify --all|export --all|archive 2026-12-24 nowhere|events|people find Ann|"
    "people show Ann|people log|close abcdefgh|people ban Ann|people invite|import none.game"
)
"""Some that read and some that write."""


async def revision(url):
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            return file.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    finally:
        await connection.close()


def test_no_command_migrates_an_older_database_silently(bare_database):
    asyncio.run(migrate(bare_database, "0016"))
    for command in COMMANDS.split("|"):
        code, out, err = admin(bare_database, *command.split())
        assert (code, out) == (2, ""), command
        assert "the database is at migration 0016" in err, command
        assert f"needs {head()}: run `tessella admin migrate` first" in err, command
    assert asyncio.run(revision(bare_database)) == "0016"
    assert figures(bare_database, "migrate") == {"step": head()}
    assert figures(bare_database, "people", "log") == {"acts": []}
    assert admin(bare_database, "list")[0] == 0


def test_a_database_without_tables_is_said_to_have_none(bare_postgres):
    assert "the database has no tables yet" in refused(bare_postgres, "list")
