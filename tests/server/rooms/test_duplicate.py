"""Tables that share their dice: compared, studied and shown when the last of them is over, and not before."""

from itertools import takewhile

import pytest

from tessella.server.rooms.daily import Deal, begin_try, day_at
from tessella.server.rooms.duplicate import find_match, may_study, open_match, see_match, show_dice
from tessella.server.rooms.lifecycle import sit
from tests.server.helpers import hosting, known, play_out, resign, run

RULES = "azul/1 seats=2 wall=coloured"


def in_a_match(sqlite, use, tables=2):
    """Several tables with the same dice, at which games have begun."""

    async def main():
        async with hosting(sqlite) as host:
            match = await open_match(host, RULES, None, tables)
            for room in match.rooms:
                for seat in range(2):
                    await sit(host, room, seat, await known(host.store, f"Player {seat}"))
                await host.append(room, "start", lambda table, secret: table.start(secret))
            await use(host, match)

    run(main())


def deals_of(room):
    return [act for act in room.table.acts if act.startswith("*")]


def test_players_are_compared_with_those_of_the_same_seat_once_all_tables_are_over(sqlite):
    async def use(host, match):
        assert await find_match(host, match.id) == match
        assert await find_match(host, "") is None
        first, second, third = match.rooms
        await play_out(host, first, seed=1)
        await play_out(host, second, seed=2)
        early = see_match(match)
        assert (early.over, early.equal_deals, early.all_deals, early.compared) == (False, 0, 0, ())
        await resign(host, third, 0)
        view = see_match(match)
        same = [*takewhile(lambda deals: deals[0] == deals[1], zip(deals_of(first), deals_of(second), strict=False))]
        assert (view.id, view.over, view.games) == (match.id, True, tuple(room.table.id for room in match.rooms))
        assert (view.equal_deals, view.all_deals) == (1, max(len(deals_of(first)), len(deals_of(second))))
        assert len(same) >= 5, "the third table saw only the first deal"
        scores = [room.table.end.scores for room in (first, second)]
        assert [(each.game, each.seat, each.name, each.score) for each in view.compared] == [
            (room.table.id, seat, f"Player {seat}", score)
            for seat in range(2)
            for room, score in zip(match.rooms, (scores[0][seat], scores[1][seat], None), strict=True)
        ]
        means = [(scores[0][seat] + scores[1][seat]) / 2 for seat in range(2)]
        wanted = [None if each.score is None else each.score - means[each.seat] for each in view.compared]
        assert [each.net for each in view.compared] == wanted

    in_a_match(sqlite, use, tables=3)


@pytest.mark.parametrize("last", [0, 1])
def test_the_dice_of_a_match_are_shown_after_its_last_table_whichever_that_is(sqlite, last):
    async def use(host, match):
        first, second = (match.rooms[1 - last], match.rooms[last])
        for room in (first, second):
            assert not await show_dice(host, room)
        await resign(host, first, 0)
        player = first.table.seats[0].player
        assert not await show_dice(host, first)
        assert not await may_study(host, first, [player])
        await resign(host, second, 0)
        assert [room.table.shown for room in match.rooms] == [False, False]
        for _ in range(2):
            assert await may_study(host, first, [])
        assert [room.table.shown for room in match.rooms] == [True, True]

    in_a_match(sqlite, use)


def test_a_daily_deal_is_studied_by_its_player_at_once_and_by_others_when_it_is_closed(sqlite):
    async def main():
        async with hosting(sqlite) as host:
            ann = await known(host.store, "Ann")
            deal = Deal("azul", day_at(host.clock()))
            host.clock = lambda: deal.begins
            room = await begin_try(host, deal, ann, "")
            assert await may_study(host, room, [ann.id]), "the table itself refuses a replay while it plays"
            await play_out(host, room)
            assert await may_study(host, room, ["someone", ann.id])
            assert not await may_study(host, room, ["someone"])
            host.clock = lambda: deal.closes - 1
            assert not await show_dice(host, room)
            host.clock = lambda: deal.closes
            for _ in range(2):
                assert await show_dice(host, room)
            assert room.table.shown

    run(main())
