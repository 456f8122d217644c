"""Lookahead compares close moves over deals of the next round, within its time."""

import time

import pytest

from tessella.fast.azul import from_state
from tessella.fast.azul.alphabeta import AlphaBeta
from tessella.fast.azul.lookahead import Lookahead
from tessella.fast.azul.net import Net
from tessella.games import azul
from tests.fast.twins import PLAIN

from .positions import SCALE, any_weights, nearly_over


def test_lookahead_compares_close_moves_by_deals_and_keeps_its_time():
    """Three takes before the end, two moves are nearly equal."""
    net = Net(any_weights(5), SCALE, SCALE, SCALE)
    lookahead = Lookahead(net)
    compared = 0
    for seed in range(6):
        fast = from_state(nearly_over(azul.Config(2), seed))
        before = fast.to_state()
        begun = time.thread_time()
        move = lookahead.think(fast, fast.seat(), 0.03, seed)
        assert time.thread_time() - begun < 2 * 0.03 + 0.02
        assert fast.is_legal(move)
        assert fast.to_state() == before
        if lookahead.candidates > 1:
            compared += 1
            assert lookahead.deals > 0
        else:
            assert move == AlphaBeta(net).think(fast, fast.seat())
    assert compared


class Clock:
    """A clock that stands still until, once `leap` is set, every call advances it beyond any budget."""

    now = 0.0
    leap = 0.0

    def __call__(self):
        self.now += self.leap
        return self.now


class Watched:
    """A search that records its values; the clock leaps during the last one."""

    def __init__(self, search, clock, last):
        self.search, self.clock, self.last = search, clock, last
        self.values = []

    def think(self, table, seat, nodes, left):
        if len(self.values) == self.last:
            self.clock.leap = 1e6
        move = self.search.think(table, seat, nodes, left)
        self.value = self.search.value
        self.values.append(self.value)
        return move


@pytest.mark.heavy
@pytest.mark.parametrize("extra", [0, 1])
def test_a_deal_that_was_cut_off_by_time_does_not_count(monkeypatch, extra):
    """Time runs out while the third deal is searched for one of two candidates."""
    clock = Clock()
    searching, looking = PLAIN["azul.alphabeta"], PLAIN["azul.lookahead"]
    net = PLAIN["azul.net"].Net(any_weights(5), SCALE, SCALE, SCALE)
    for module in (searching, looking):
        monkeypatch.setattr(module, "thread_seconds", clock)
    monkeypatch.setattr(searching, "CLOCK_NODES", 8)
    monkeypatch.setattr(looking, "MAX_CANDIDATES", 2)
    monkeypatch.setattr(looking, "MIN_DEALS", 1)
    lookahead, table = looking.Lookahead(net), nearly_equal(looking, net)
    play_to_end, deals = lookahead._play_to_end, Watched(lookahead.searcher, clock, 4 + extra)

    def play_unwatched(*line):
        lookahead.searcher = deals.search
        play_to_end(*line)
        lookahead.searcher = deals

    monkeypatch.setattr(lookahead, "_play_to_end", play_unwatched)
    lookahead.think(table, table.seat(), 1.0)
    assert (lookahead.candidates, len(deals.values)) == (2, 5 + extra)
    assert lookahead.deals == 2
    assert lookahead.total == [sum(deals.values[:4:2]), sum(deals.values[1:4:2])]


def nearly_equal(looking, net):
    """A table at which two moves are nearly equal and no round is the last."""
    for seed in range(20):
        table = PLAIN["azul.rules"].from_state(nearly_over(azul.Config(2), seed))
        lookahead = looking.Lookahead(net)
        lookahead.search.think(table, table.seat())
        lookahead._find_candidates()
        if lookahead.candidates > 1:
            return table
    raise AssertionError("no position with two nearly equal moves")
