"""Races, clocks, leavers and backups: the promises are kept, and whoever breaks one is caught."""

import pytest
from sqlalchemy import text

from proofs import Ask, clocks, leavers, proving, race, restore
from tessella.server import store as stores
from tessella.server.admin import backup
from tessella.server.rooms import host
from tessella.server.rooms.lifecycle import sit
from tessella.server.store import connect
from tessella.table.table import Refused, Table
from tests.server.conftest import NATS, POSTGRES


def ask(size):
    return Ask(size, database=f"{POSTGRES}/postgres", bus=NATS)


@pytest.mark.parametrize(("name", "size"), [("race", 96), ("clocks", 16), ("leavers", 6), ("restore", 2)])
def test_the_promise_is_kept(name, size):
    report = proving(name)(ask(size))
    assert report.passed is not False, str(report)


def test_a_database_without_its_keys_is_caught(monkeypatch):
    async def careless(url):
        store = await connect(url)
        for name in ("entries_pkey", "entries_game_key_key"):
            await store.run(text(f"ALTER TABLE entries DROP CONSTRAINT IF EXISTS {name}"))
        return store

    monkeypatch.setattr(stores, "connect", careless)
    assert any("of different moves were confirmed" in failure for failure in race.prove(ask(48)).failures)


@pytest.mark.nightly
def test_a_worker_that_forgets_keys_is_caught(monkeypatch):
    async def never(self, room, key):
        return None

    monkeypatch.setattr(host.Host, "_stored_already", never)
    assert any("ErrorReply" in failure for failure in race.prove(ask(48)).failures)


@pytest.mark.nightly
def test_a_seat_that_is_given_away_twice_is_caught(monkeypatch):
    async def generous(here, room, seat, person):
        try:
            await sit(here, room, seat, person)
        except Refused:
            return

    monkeypatch.setattr(race, "sit", generous)
    assert any("were told" in failure for failure in race.prove(ask(48)).failures)


def test_a_deadline_that_is_not_in_the_statement_is_caught(monkeypatch):
    monkeypatch.setattr(host, "_due", lambda table, entry: None)
    assert any("after the deadline" in failure for failure in clocks.prove(ask(16)).failures)


@pytest.mark.nightly
def test_a_person_who_cannot_come_back_is_caught(monkeypatch):
    def closed(self, seat):
        raise Refused("return", "never")

    monkeypatch.setattr(Table, "come_back", closed)
    assert leavers.prove(ask(6)).passed is False


@pytest.mark.nightly
def test_a_backup_without_the_last_entry_is_caught(monkeypatch):
    def short(table, names, rows):
        kept = list(typed(table, names, rows))
        return iter(kept[:-1] if table.name == "entries" else kept)

    typed = backup._typed
    monkeypatch.setattr(backup, "_typed", short)
    monkeypatch.setattr(restore, "WAYS", (restore.from_file,))
    assert any("came back" in failure for failure in restore.prove(ask(1)).failures)
