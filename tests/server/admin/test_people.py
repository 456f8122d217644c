"""What a host does about people, on both databases: find, show, rename, reset, log out, ban, delete, merge, invite."""

import asyncio
import io
import json
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout

import asyncpg
import pytest
import websockets
from sqlalchemy import select, update

from tessella import cli
from tessella.server.people.identity import DELETED
from tessella.server.rooms.lifecycle import Terms, open_table, sit
from tessella.server.services.retention import Retention
from tessella.server.settings import Settings
from tessella.server.store.migrate import head, migrate
from tessella.server.store.schema import audit, games, identities, one_time_links, people
from tests.server.clients import Person, hear, say
from tests.server.helpers import PASSWORD, begin, hosting, known, member, run, serving

BANNED = "the host of this server has banned you, so you cannot play here"


def admin(url, *arguments):
    """Run a command of the host; give its exit code and what it wrote to its two outputs."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(["admin", *map(str, arguments), "--database", url])
    return code, out.getvalue(), err.getvalue()


def figures(url, *arguments):
    code, out, err = admin(url, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


async def id_of(person):
    return (await person.http.get("/api/session")).json()["id"]


def people_in(url, *names):
    """The ids of new members with these names, which are their user names too."""

    async def main():
        async with hosting(url) as host:
            made = [await known(host.store, name) for name in names]
            for each in made:
                named = update(people).where(people.c.id == each.id).values(login=each.name.casefold())
                await host.store.run(named)
            return [each.id for each in made]

    return run(main())


def with_server(serve, url, port, use, **settings):
    return serving(serve, Settings(database=url, port=port, bots=0, **settings), use)


def test_people_are_found_by_name_user_name_id_and_what_looks_alike(database):
    ann, bert, _ = people_in(database, "Ann Able", "Bert", "Cara")
    assert [each["id"] for each in figures(database, "people", "find", "àbL3")["people"]] == [ann]
    assert [each["id"] for each in figures(database, "people", "find", bert)["people"]] == [bert]
    assert [each["login"] for each in figures(database, "people", "find", "bert")["people"]] == ["bert"]
    assert len(figures(database, "people", "find", "a", "--most", 1)["people"]) == 1
    assert figures(database, "people", "find", "nobody at all") == {"people": []}
    assert ann in admin(database, "people", "find", "Ann")[1]


def test_a_person_is_shown_with_tables_and_reports_which_lead_to_a_ban(database, port, serve):
    async def use(_app):
        ann, bert = await member(port, "Ann"), await member(port, "Bert")
        table = await bert.set_table()
        await bert.http.post("/api/me/bots", json={"name": "Deep Tile"})
        await ann.http.post(f"/api/people/{await id_of(bert)}/report", json={"reason": "rude", "game": table["id"]})
        return await id_of(bert), table["id"]

    bert, table = with_server(serve, database, port, use)
    (reported,) = figures(database, "reports")["reports"]
    assert (reported["other"], reported["banned"]) == (bert, False)
    assert "people show ID" in admin(database, "reports")[1]
    shown = figures(database, "people", "show", reported["other"])
    assert (shown["login"], shown["about"]["sessions"], len(shown["bots"])) == ("bert", 1, 1)
    assert [each["id"] for each in shown["about"]["tables"]] == [table]
    assert [each["reason"] for each in shown["about"]["reports"]] == ["rude"]
    out = admin(database, "people", "show", "Bert")[1]
    assert f"tessella admin people ban {bert}" in out
    assert f"table {table}" in out
    figures(database, "people", "ban", bert)
    assert figures(database, "reports")["reports"][0]["banned"]
    assert "banned" in admin(database, "reports")[1]
    assert f"tessella admin people unban {bert}" in admin(database, "people", "show", bert)[1]


def test_nobody_and_too_many_are_refused_in_a_sentence(database):
    people_in(database, "Ann")
    two = [*people_in(database, "Bert"), *_second(database, "Bert")]
    code, _, err = admin(database, "people", "show", "Nobody")
    assert (code, err.count("\n")) == (2, 1)
    assert "there is no person 'Nobody'" in err
    code, _, err = admin(database, "people", "ban", "Bert")
    assert code == 2
    assert all(each in err for each in two)
    assert figures(database, "people", "log") == {"acts": []}


def _second(url, name):
    async def main():
        async with hosting(url) as host:
            return [(await known(host.store, name, "guest")).id]

    return run(main())


def test_the_host_renames_people_also_to_reserved_names(database):
    (ann,) = people_in(database, "Ann")
    assert figures(database, "people", "rename", ann, "Moderator")["name"] == "Moderator"
    assert figures(database, "people", "show", ann)["about"]["name"] == "Moderator"
    assert admin(database, "people", "rename", ann, " ")[0] == 2
    (act,) = figures(database, "people", "log")["acts"]
    assert (act["act"], act["moderator"], act["details"]) == ("rename", "", "Ann → Moderator")


def test_a_banned_person_reads_a_sentence_and_loses_sockets_and_seats_at_once(database, port, serve):
    async def use(app):
        ann, bert = await member(port, "Ann"), await member(port, "Bert")
        table = await ann.set_table()
        assert (await bert.join(table)).status_code == 200
        start = {"type": "command", "key": "start-of-game", "action": "start"}
        await ann.http.post(f"/api/games/{table['id']}/act", json={"request": start})
        bot = (await bert.http.post("/api/me/bots", json={"name": "Deep Tile"})).json()
        bert_id = await id_of(bert)
        async with bert.connect(table["id"]) as socket:
            await say(socket, type="hello")
            await hear(socket, "update")
            assert (await asyncio.to_thread(admin, database, "people", "ban", "bert", "--reason", "rude"))[0] == 0
            app.state.host.must_check_sessions = True  # as a notification by the bus does
            with pytest.raises(websockets.ConnectionClosed) as closed:
                while True:
                    await asyncio.wait_for(socket.recv(), 20)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 4001
        for path in ("/api/session", "/api/games", f"/api/games/{table['id']}"):
            answer = await bert.http.get(path)
            assert (answer.status_code, answer.json()) == (403, {"rule": "banned", "message": BANNED})
        for headers in ({"authorization": f"Bearer {bot['token']}"}, dict(bert.http.headers)):
            assert (await bert.http.get("/api/session", headers=headers)).json()["rule"] == "banned"
        assert (await bert.http.get(f"/api/games/{table['id']}/stream")).json()["rule"] == "banned"
        with pytest.raises(websockets.InvalidStatus):
            await bert.connect(table["id"]).__aenter__()
        fresh = Person(port)
        answer = await fresh.http.post("/api/login", json={"login": "Bert", "password": PASSWORD})
        assert (answer.status_code, answer.json()["message"]) == (403, BANNED)
        wrong = await fresh.http.post("/api/login", json={"login": "Bert", "password": "wrong horse battery"})
        assert wrong.json()["rule"] == "login", "a stranger does not learn of the ban"
        seen = (await ann.http.get(f"/api/games/{table['id']}")).json()
        assert [seat["left"] for seat in seen["seats"]] == [False, True]
        assert (await asyncio.to_thread(admin, database, "people", "unban", bert_id))[0] == 0
        assert (await bert.http.get("/api/session")).status_code == 200
        bearer = {"authorization": f"Bearer {bot['token']}"}
        assert (await Person(port).http.get("/api/session", headers=bearer)).status_code == 200

    with_server(serve, database, port, use)
    unban, ban = figures(database, "people", "log")["acts"]
    assert (ban["act"], ban["name"], ban["details"], unban["act"]) == ("ban", "Bert", "rude", "unban")
    assert "by the host" in admin(database, "people", "log")[1]


def test_the_sessions_of_a_person_are_ended(database, port, serve):
    async def use(_app):
        ann = await member(port, "Ann")
        token = (await ann.http.post("/api/me/tokens", json={"label": "mine"})).json()["token"]
        code, out, _ = await asyncio.to_thread(admin, database, "people", "end-sessions", "Ann", "--json")
        assert (code, json.loads(out)) == (0, {"ended": 2})
        assert (await ann.http.get("/api/session")).status_code == 401
        bearer = {"authorization": f"Bearer {token}"}
        assert (await Person(port).http.get("/api/session", headers=bearer)).status_code == 401

    with_server(serve, database, port, use)


def test_a_deleted_person_is_gone_as_if_they_had_done_it(database, port, serve):
    async def use(app):
        ann, store = await member(port, "Ann"), app.state.host.store
        table, ann_id = await ann.set_table(), await id_of(ann)
        row = {"issuer": "https://id.example", "subject": "7", "person": ann_id, "made": 0.0}
        await store.run(identities.insert().values(row))
        await asyncio.to_thread(admin, database, "people", "rename", ann_id, "Anna Bella")
        code, _, err = await asyncio.to_thread(admin, database, "people", "delete", ann_id)
        assert (code, "--yes" in err) == (2, True)
        assert (await ann.http.get("/api/session")).status_code == 200
        assert (await asyncio.to_thread(admin, database, "people", "delete", ann_id, "--yes"))[0] == 0
        assert (await ann.http.get("/api/session")).status_code == 401
        (row,) = await store.run(select(people).where(people.c.id == ann_id))
        assert (row["name"], row["login"], row["password"]) == (DELETED, None, None)
        assert await store.run(select(identities)) == []
        logged = [each["details"] for each in await store.run(select(audit.c.details))]
        assert logged == ["", ""], "no name stays in the audit list"
        log = [entry.body for entry in await store.log(table["id"], -1)]
        assert not any("Ann" in body for body in log)

    with_server(serve, database, port, use)


def test_a_guest_is_merged_into_a_member_who_gets_the_games(database, port, serve):
    async def use(_app):
        ann, guest = await member(port, "Ann"), await Person.arrive(port, "Annie")
        table = await guest.set_table()
        names = await id_of(guest), await id_of(ann)
        code, _, err = await asyncio.to_thread(admin, database, "people", "merge", *reversed(names))
        assert (code, "merge GUEST MEMBER" in err) == (2, True)
        assert (await asyncio.to_thread(admin, database, "people", "merge", *names))[0] == 0
        mine = (await ann.http.get("/api/me/games")).json()["games"]
        assert [game["id"] for game in mine] == [table["id"]]
        assert (await guest.http.get("/api/session")).status_code == 401

    with_server(serve, database, port, use)


# Links


def test_a_new_password_is_set_by_a_link_once_and_in_time(database, port, serve):
    async def use(app):
        ann, store = await member(port, "Ann"), app.state.host.store
        reset = ("people", "reset", "ann", "--json")
        _, out, _ = await asyncio.to_thread(admin, database, *reset, "--site", "https://play.example.org")
        first = json.loads(out)["link"]
        assert first.startswith("https://play.example.org/password/")
        link = json.loads((await asyncio.to_thread(admin, database, *reset))[1])["link"]
        stranger = Person(port)
        ask = {"secret": first.rpartition("/")[2], "password": "another horse battery"}
        assert (await stranger.http.post("/api/new-password", json=ask)).json()["rule"] == "link", "replaced"
        ask["secret"] = link.rpartition("/")[2]
        weak = await stranger.http.post("/api/new-password", json=ask | {"password": "short"})
        assert weak.status_code == 422
        answer = await stranger.http.post("/api/new-password", json=ask)
        assert (answer.status_code, answer.json()["name"]) == (200, "Ann")
        assert (await ann.http.get("/api/session")).status_code == 401, "other sessions are ended"
        assert (await stranger.http.post("/api/new-password", json=ask)).status_code == 403, "used once"
        for password, status in ((PASSWORD, 403), ("another horse battery", 200)):
            answer = await Person(port).http.post("/api/login", json={"login": "Ann", "password": password})
            assert answer.status_code == status
        link = json.loads((await asyncio.to_thread(admin, database, *reset))[1])["link"]
        ask["secret"] = link.rpartition("/")[2]
        await store.run(update(one_time_links).values(ends=1.0))
        assert (await stranger.http.post("/api/new-password", json=ask)).json()["rule"] == "link", "ended"
        await Retention(app.state.host, Settings()).remove_sessions()
        assert await store.run(select(one_time_links)) == []

    with_server(serve, database, port, use)


def test_only_a_member_with_a_user_name_gets_a_link_for_a_password(database):
    (ann, _) = people_in(database, "Ann", "Bert")
    (guest,) = _second(database, "Gus")

    async def without():
        async with hosting(database) as host:
            await host.store.run(update(people).where(people.c.id == ann).values(login=None))

    run(without())
    assert "only members have a password" in admin(database, "people", "reset", guest)[2]
    assert "--login NAME" in admin(database, "people", "reset", ann)[2]
    assert "already taken" in admin(database, "people", "reset", ann, "--login", "Bert")[2]
    assert figures(database, "people", "reset", ann, "--login", "Annie")["login"] == "annie"


def test_by_invitation_only_those_with_a_link_sign_up_each_once(database, port, serve):
    async def use(_app):
        links = json.loads((await asyncio.to_thread(admin, database, "people", "invite", "--count", 2, "--json"))[1])
        secrets = [link.rpartition("/")[2] for link in links["links"]]
        assert "/welcome/" in links["links"][0]
        ways = (await Person(port).http.get("/api/members")).json()
        assert (ways["registration"], ways["guests"]) == ("invitation", True)
        ann, bert = await Person.arrive(port, "Ann"), await Person.arrive(port, "Bert")
        form = {"login": "ann", "password": PASSWORD}
        for wrong in (form, form | {"invitation": "x" * 24}):
            answer = await ann.http.post("/api/members", json=wrong)
            assert (answer.status_code, answer.json()["rule"]) == (403, "invitation")
        short = await ann.http.post("/api/members", json=form | {"invitation": secrets[0], "password": "short"})
        assert short.status_code == 422, "the invitation is still theirs"
        assert (await ann.http.post("/api/members", json=form | {"invitation": secrets[0]})).status_code == 201
        other = {"login": "bert", "password": PASSWORD}
        assert (await bert.http.post("/api/members", json=other | {"invitation": secrets[0]})).status_code == 403
        assert (await bert.http.post("/api/members", json=other | {"invitation": secrets[1]})).status_code == 201

    with_server(serve, database, port, use, registration="invitation")


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
    code, _, err = admin(database, "close")
    assert (code, "--idle-days" in err) == (2, True)
    assert admin(database, "close", running, "--unstarted")[0] == 2
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
    (ann,) = people_in(database, "Ann")
    (guest,) = _second(database, "Gus")
    assert "only a member" in admin(database, "people", "moderator", guest)[2]
    assert figures(database, "people", "moderator", "ann") == {"person": ann, "moderator": True}
    assert figures(database, "people", "show", ann)["about"]["moderator"]
    assert "moderator" in admin(database, "people", "find", "Ann")[1]
    figures(database, "people", "moderator", ann, "--remove")
    assert not figures(database, "people", "show", ann)["about"]["moderator"]
    assert [act["act"] for act in figures(database, "people", "log")["acts"]] == ["no-moderator", "moderator"]


# An older database

READING = [
    ["list"],
    ["show", "abcdefgh"],
    ["reports"],
    ["verify", "--all"],
    ["export", "--all"],
    ["archive", "2026-12-24", "nowhere"],
    ["events"],
    ["people", "find", "Ann"],
    ["people", "show", "Ann"],
    ["people", "log"],
]
WRITING = [["close", "abcdefgh"], ["people", "ban", "Ann"], ["people", "invite"]]


async def revision(url):
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:"))) as file:
            return file.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    finally:
        await connection.close()


def test_no_command_migrates_an_older_database_silently(bare_database, tmp_path):
    asyncio.run(migrate(bare_database, "0016"))
    for command in (*READING, *WRITING, ["import", tmp_path / "none.game"]):
        code, out, err = admin(bare_database, *command)
        assert (code, out) == (2, ""), command
        assert "the database is at migration 0016" in err, command
        assert f"needs {head()}: run `tessella admin migrate` first" in err, command
    assert asyncio.run(revision(bare_database)) == "0016"
    assert figures(bare_database, "migrate") == {"step": head()}
    assert figures(bare_database, "people", "log") == {"acts": []}
    assert admin(bare_database, "list")[0] == 0


def test_a_database_without_tables_is_said_to_have_none(bare_postgres):
    code, _, err = admin(bare_postgres, "list")
    assert (code, "the database has no tables yet" in err) == (2, True)
