"""No route is forgotten by the proofs of secrecy: a new one fails here until it is compared, searched or explained."""

import re

from proofs import canary
from proofs.noninterference import APART, Pair, calls
from proofs.twin_states import Line
from tessella.games import GAMES
from tessella.server.http.api import ROUTES

READING = [route.path for route in ROUTES if route.method == "GET"]


def is_at(path, template):
    """Whether a path is one of a route."""
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path) is not None


def compared():
    """The routes that are asked of two states."""
    game = GAMES["azul"]
    pair = Pair(game, (Line(game.Config(2), ()),) * 2, 0, ("1b1",), ("1b2",))
    paths = [call.path for call in calls("table", pair, 3).values()]
    plain_first = sorted(READING, key=lambda each: each.count("{"))
    found = [next((each for each in plain_first if is_at(path, each)), None) for path in paths]
    return set(filter(None, found))


def test_every_route_that_reads_is_compared_or_named_as_apart():
    assert compared() & APART.keys() == set()
    assert sorted(compared() | APART.keys()) == sorted(set(READING))
    assert all(APART.values())


def test_every_route_is_asked_for_something_that_is_there():
    paths = {route.path: canary.path_of(route) for route in ROUTES}
    assert [path for path, asked in paths.items() if "//" in asked or asked.endswith("/")] == []
    assert {route.path for route in ROUTES if route.body} >= canary.BODIES.keys()
    assert set(READING) >= canary.NOTHING_TO_READ
