"""Races, clocks, leavers and backups: the promises are kept, and whoever breaks one is caught.

Faults of the program that are planted here have no mutant of their own.
"""

import pytest

from proofs import leavers, race, restore
from tessella.server.admin import backup
from tessella.server.rooms.lifecycle import sit
from tessella.table.table import Refused, Table
from tests.proofs.small import ask, kept


@pytest.mark.parametrize(("name", "size"), [("race", 96), ("clocks", 16), ("leavers", 6), ("restore", 2)])
def test_the_promise_is_kept(name, size):
    assert kept(name, size)


@pytest.mark.nightly
def test_a_seat_that_is_given_away_twice_is_caught(monkeypatch):
    async def generous(here, room, seat, person):
        try:
            await sit(here, room, seat, person)
        except Refused:
            return

    monkeypatch.setattr(race, "sit", generous)
    assert any("were told" in failure for failure in race.prove(ask(48)).failures)


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
