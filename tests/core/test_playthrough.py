"""A game as each seat saw it."""

from random import Random

from msgspec.structs import replace

from tessella.core import playthrough
from tessella.core.local import LocalTable
from tessella.core.record import Record
from tessella.games import azul
from tessella.games.azul.events import TilesTaken
from tests.games.azul.positions import changed

GAME = Record("azul/1 seats=2 wall=coloured", ("*1:bbbb yyyy rrrr kkkk wwww", "1b4", "2y1"))


def test_what_all_saw_alike_is_written_once():
    first, *steps = playthrough.write(azul, GAME).split("\n\n")
    assert first == GAME.rules
    assert [step.splitlines()[0] for step in steps] == [
        "0 *1:bbbb yyyy rrrr kkkk wwww",
        "1 1b4 by seat 1",
        "2 2y1 by seat 0",
    ]
    assert steps[1].splitlines()[1:] == [
        "  all: TilesTaken seat=1 source=0 colour=b count=4 rest=- rule=AZ10",
        "  all: TilesLaid seat=1 line=3 colour=b spaces=(0,1,2,3) rule=AZ13",
    ]


def test_the_whole_view_is_shown_after_the_first_and_the_last_act():
    steps = playthrough.write(azul, GAME).split("\n\n")[1:]
    assert ['sees {"seat":null' in step for step in steps] == [True, False, True]


def step_of(number, **functions):
    """The lines about an act, if some functions of the game are others."""
    text = playthrough.write(changed(**functions), Record(GAME.rules, GAME.acts[: number + 1]))
    return text.split("\n\n")[number + 1].splitlines()[1:]


def test_what_seats_saw_differently_is_written_for_each():
    def witness(event, seat):
        """Seat 0 looks away when tiles are taken, and seat 1 does not see how many there were."""
        match event, seat:
            case TilesTaken(), 0:
                return None
            case TilesTaken(), 1:
                return replace(event, count=0)
            case _:
                return event

    laid = "TilesLaid seat=1 line=3 colour=b spaces=(0,1,2,3) rule=AZ13"
    assert step_of(1, witness=witness)[:5] == [
        f"  seat 0: {laid}",
        "  seat 1: TilesTaken seat=1 source=0 colour=b count=0 rest=- rule=AZ10",
        f"  seat 1: {laid}",
        "  spectator: TilesTaken seat=1 source=0 colour=b count=4 rest=- rule=AZ10",
        f"  spectator: {laid}",
    ]


def test_several_seats_who_saw_what_a_spectator_saw_are_the_others():
    step = step_of(1, witness=lambda event, seat: None if isinstance(event, TilesTaken) and seat == 0 else event)
    assert [line.split(":")[0].strip() for line in step[:3]] == ["seat 0", "others", "others"]


def test_a_view_that_differs_is_written_as_what_differs_in_it():
    """Items of lists of one length are compared one by one; a list of another length is written whole."""

    def view(state, seat):
        whole = azul.view(state, seat)
        own = {0: {"factories": ("", *whole.factories[1:])}, 1: {"factories": (*whole.factories, "")}}
        return replace(whole, **own.get(seat, {}))

    assert step_of(0, view=view)[-2:] == [
        '  seat 0: sees otherwise {"factories":{"0":""}}',
        '  seat 1: sees otherwise {"factories":["bbbb","yyyy","rrrr","kkkk","wwww",""]}',
    ]


def test_the_whole_view_is_shown_again_every_forty_acts():
    table = LocalTable(azul, azul.Config(), seed=bytes(32))
    rng = Random(1)
    while table.seats and len(table.record().acts) < 85:
        moves = azul.legal_moves(table.state, table.seats[0])
        table.play(rng.choice(moves))
    acts = table.record().acts[:85]
    steps = playthrough.write(azul, Record(GAME.rules, acts)).split("\n\n")[1:]
    assert [number for number, step in enumerate(steps) if "sees {" in step] == sorted({0, 40, 80, len(acts) - 1})
