"""People who share one screen: the curtain falls only where something is hidden from somebody else."""

import pytest

from tessella.local.game import LocalPlayer, open_game, play_bots
from tessella.local.hot_seat import HotSeat, seen_by
from tessella.protocol.messages import Command, Play

ANN, BOB, BOT = LocalPlayer("Ann"), LocalPlayer("Bob"), LocalPlayer("Greedy", "greedy")


def screen_of(title, *players):
    return HotSeat(open_game(title, players, id="test", seed=bytes(32)))


def move(screen):
    game, seat = screen.local, screen.mover
    game.receive(seat, Play(f"move-{game.table.number}", game.table.number, game.view(seat).moves[0]))


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("title", "players", "curtain"),
    [
        ("azul", (ANN, BOB), False),
        ("azul", (ANN, BOT), False),
        ("blockers", (ANN, BOB), True),
        ("blockers", (ANN, BOT), False),
        ("blockers", (BOT, BOT), False),
    ],
)
def test_a_curtain_falls_before_each_person_where_another_person_may_not_look(title, players, curtain):
    screen = screen_of(title, *players)
    play_bots(screen.local)
    last = None
    for _ in range(6):
        if screen.mover is None:
            return
        assert (screen.next_to_sit is not None) == curtain
        assert not curtain or screen.shown_to in (None, last), "only the last mover may still read"
        last = screen.mover
        screen.sit(screen.mover)
        assert screen.next_to_sit is None
        assert screen.shown_to == screen.viewer == screen.mover
        move(screen)
        play_bots(screen.local)


def test_a_person_who_leaves_to_a_bot_needs_no_curtain():
    screen = screen_of("blockers", ANN, BOB)
    screen.local.receive(0, Command("leave-me", "leave"))
    play_bots(screen.local)
    assert screen.people == [1]
    assert screen.next_to_sit is None
    assert [entry.what for entry in seen_by(1, screen.local)][:2] == ["played", "took over"]


def test_each_person_catches_up_on_what_is_new_to_them():
    screen = screen_of("blockers", ANN, BOB)
    first = screen.mover
    screen.sit(first)
    assert screen.catch_up(first)[1] == 1
    move(screen)
    history, new = screen.catch_up(first)
    assert new == 1
    assert history[-1].seat == first
    screen.sit(screen.mover)
    assert screen.catch_up(screen.mover)[1] == 2


def test_nobody_reads_what_another_person_drew():
    screen = screen_of("blockers", ANN, BOB)
    own, other = (seen_by(seat, screen.local)[0].events for seat in (0, 1))
    assert own != other
