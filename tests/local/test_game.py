"""A table in this process: the same messages as on a server, and records that can be verified."""

from random import Random

import pytest
from msgspec import json
from msgspec.structs import replace

from tessella.bots import Budget, names
from tessella.core import record, wire
from tessella.core.game import BadNotation
from tessella.games import GAMES
from tessella.local.game import LocalGame, LocalPlayer, branch_game, choose_move, open_game, play_bots, resume_game
from tessella.protocol.messages import (
    Ack,
    BranchView,
    Command,
    EndView,
    ErrorReply,
    Hello,
    Ping,
    Play,
    Pledge,
    Pong,
    Preview,
    PreviewReply,
    Update,
)
from tessella.table.replay import replay_record
from tessella.table.table import Refused

ANN, BOB, CY = LocalPlayer("Ann"), LocalPlayer("Bob"), LocalPlayer("Cy")
SEED = bytes(range(32))
QUICK = Budget(nodes=50)


def table_of(title="azul", *players, options=(), seed=SEED):
    return open_game(title, players or (ANN, LocalPlayer("Greedy", "greedy")), options, id="test", seed=seed)


def key(game: LocalGame) -> str:
    return f"request-{game.table.number}"


def command(game, seat, action):
    return game.receive(seat, Command(key(game), action))


def next_of(game: LocalGame) -> LocalGame:
    assert game.next_game is not None
    return game.next_game


def play(game, seat, move):
    return game.receive(seat, Play(key(game), game.table.number, move))


def play_people(game, rng, most=10_000):
    """Let people make random moves and bots theirs, until the game is over or `most` moves were made."""
    for _ in range(most):
        play_bots(game, QUICK)
        if game.table.status == "over":
            return
        seat = rng.choice(game.table.movers)
        replies = play(game, seat, rng.choice(game.view(seat).moves))
        assert isinstance(replies[1], Ack), replies


def whole_game(title, players, seed=SEED, moves=3):
    game = open_game(title, players, id="test", seed=seed)
    play_people(game, Random(moves))
    return game


# Opening


def test_a_game_is_dealt_as_soon_as_it_is_opened():
    game = table_of()
    view = game.view(0)
    assert view.status == "playing"
    assert [seat.name for seat in view.seats] == ["Ann", "Greedy"]
    assert [seat.is_bot for seat in view.seats] == [False, True]
    assert view.moves
    assert view.end is None
    assert [entry.kind for entry in game.entries(None)] == ["sat", "sat", "started"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"title": "chess"}, "'chess' is not a known game"),
        ({"players": [ANN, LocalPlayer("X", "99")]}, "'99' is not a bot for azul; choose from"),
        ({"players": [ANN]}, "2 to 4 players"),
        ({"players": [ANN, LocalPlayer("two\nlines")]}, "is not a name"),
        ({"options": ["wall=pink"]}, "wall=pink"),
        ({"id": "no spaces"}, "cannot write the record"),
    ],
)
def test_what_cannot_be_opened_says_why(given, problem):
    with pytest.raises(BadNotation, match=problem):
        open_game(**({"title": "azul", "players": [ANN, BOB]} | given))


def test_without_a_seed_every_game_is_dealt_differently():
    deals = {open_game("azul", [ANN, BOB], id="test").table.acts[0] for _ in range(5)}
    assert len(deals) == 5


# Messages


def test_a_move_is_acknowledged_after_the_update_that_shows_it():
    game = table_of()
    have = game.table.number - 1
    update, ack = play(game, 0, "1b1")
    assert isinstance(update, Update)
    assert [(entry.kind, entry.seat, entry.acts) for entry in update.entries] == [("played", 0, ("1b1",))]
    assert update.table == game.view(0)
    assert ack == Ack(f"request-{have + 1}", have + 1)
    assert game.receive(1, Hello(have)) == [game.update(1, have)]
    assert [entry.number for entry in game.update(None, have).entries] == [have + 1]
    assert game.update(None).entries == ()


@pytest.mark.parametrize(
    ("seat", "message", "rule"),
    [
        (None, Play("k" * 8, 4, "1b1"), "seat"),
        (1, Play("k" * 8, 4, "1b1"), "turn"),
        (0, Play("k" * 8, 3, "1b1"), "stale"),
        (0, Play("k" * 8, 4, "1r1"), "AZ10"),
        (0, Play("k" * 8, 4, "what"), "notation"),
        (0, Command("k" * 8, "start"), "playing"),
        (0, Command("k" * 8, "pause"), "pause"),
        (0, Command("k" * 8, "resume"), "pause"),
        (0, Command("k" * 8, "decline"), "asked"),
        (0, Command("k" * 8, "return"), "return"),
        (0, Command("k" * 8, "rematch"), "playing"),
        (0, Pledge("k" * 8, "0" * 64), "playing"),
    ],
)
def test_a_refused_request_names_its_rule_and_changes_nothing(seat, message, rule):
    game = table_of("azul", ANN, BOB)
    before = game.update(None, 0)
    (reply,) = game.receive(seat, message)
    assert isinstance(reply, ErrorReply)
    assert (reply.key, reply.rule) == ("k" * 8, rule)
    assert reply.message
    assert game.update(None, 0) == before


def test_nobody_moves_for_a_bot():
    game = table_of()
    play(game, 0, "1b1")
    (reply,) = play(game, 1, game.view(1).moves[0])
    assert reply == ErrorReply(key(game), "bot", "a bot plays this seat")


def test_a_request_that_is_sent_twice_counts_once():
    game = table_of("azul", ANN, BOB)
    request = Play("the-same-key", game.table.number, "1b1")
    _, ack = game.receive(0, request)
    assert game.receive(0, request) == [ack]
    assert game.table.number == ack.number + 1


def test_two_players_may_use_the_same_key():
    game = table_of("azul", ANN, BOB)
    number = game.table.number
    moves = (Play("the-same-key", number + seat, game.view(seat).moves[0]) for seat in (0, 1))
    acks = [game.receive(seat, move)[-1] for seat, move in enumerate(moves)]
    assert acks == [Ack("the-same-key", number), Ack("the-same-key", number + 1)]


def test_a_ping_is_answered_and_a_move_is_previewed():
    game = table_of()
    assert game.receive(None, Ping(7)) == [Pong(7)]
    (good,), (bad,) = game.receive(0, Preview("1b1")), game.receive(0, Preview("1r1"))
    assert isinstance(good, PreviewReply)
    assert good.preview is not None
    assert isinstance(bad, PreviewReply)
    assert (bad.preview, bad.rule) == (None, "AZ10")
    (none,) = game.receive(None, Preview("1b1"))
    assert isinstance(none, ErrorReply)
    with pytest.raises(ValueError, match="there is no seat 5"):
        game.receive(5, Hello())


def test_every_message_can_be_sent_as_json():
    game = table_of("blockers", ANN, BOB, CY)
    for reply in (*game.receive(0, Hello(0)), *game.receive(0, Preview("1")), *play(game, 0, "?")):
        assert json.decode(wire.encode(reply))["type"]


def test_what_is_hidden_reaches_only_its_owner():
    game = table_of("blockers", ANN, BOB, CY)
    views = [json.decode(wire.encode(game.view(viewer)))["view"] for viewer in (0, 1, None)]
    assert views[0] != views[1] != views[2]
    started = [game.entries(viewer)[-1].acts for viewer in (0, 1, None)]
    assert started[0] != started[1]
    assert started[2] == (started[2][0], None, None, None)
    assert SEED.hex() not in "".join(wire.encode(game.update(viewer, 0)).decode() for viewer in (0, 1, 2, None))


# Leaving, resigning, ending


def test_a_bot_stands_in_for_someone_who_leaves_until_they_return():
    game = table_of("azul", ANN, BOB)
    command(game, 0, "leave")
    turn = game.bot_to_move()
    assert turn is not None
    assert turn.seat == 0
    assert game.view(0).seats[0].left
    command(game, 0, "return")
    assert game.bot_to_move() is None
    reply = game.play_bot(turn, choose_move(turn, QUICK))
    assert isinstance(reply, ErrorReply)
    assert reply.rule == "stale"


def test_resigning_ends_a_game_of_two_and_leaves_a_larger_one_to_a_bot():
    two, three = table_of("azul", ANN, BOB), table_of("azul", ANN, BOB, CY)
    command(two, 0, "resign")
    assert two.view(1).end.places == (2, 1)
    command(three, 0, "resign")
    assert three.view(1).status == "playing"
    assert three.view(1).seats[0].level == "4"
    (reply,) = command(three, 0, "return")
    assert reply.rule == "return"


def test_an_aborted_game_is_over_at_once_and_its_deals_can_be_verified():
    game = table_of("azul", ANN, BOB)
    play(game, 0, "1b1")
    command(game, 1, "abort")
    assert game.view(None).end.reason == "aborted"
    assert record.verify(GAMES["azul"], record.read(record.write(game.record()))) == 1
    with pytest.raises(BadNotation, match="this game is over"):
        resume_game(game.saved())


def test_a_rematch_seats_everyone_one_further_and_is_dealt_from_a_fresh_seed():
    game = table_of("azul", ANN, BOB, LocalPlayer("Greedy", "greedy"))
    with pytest.raises(Refused):
        game.rematch()
    command(game, 0, "abort")
    command(game, 0, "rematch")
    again = game.next_game
    assert again is game.rematch()
    assert again.table.id == game.view(0).next_game
    assert [seat.name for seat in again.view(None).seats] == ["Greedy", "Ann", "Bob"]
    assert [seat.is_bot for seat in again.view(None).seats] == [True, False, False]
    assert again.table.terms.before == "test"
    assert again.saved().seed != SEED
    (reply,) = command(game, 1, "rematch")
    assert reply.rule == "followed"


# Games that begin in the middle of another one


def test_playing_on_from_a_move_begins_with_the_same_acts_and_is_dealt_anew():
    old = whole_game("azul", [ANN, BOB])
    game = branch_game(old.record(), 8, [LocalPlayer("Four", "greedy"), ANN], id="branch", seed=SEED)
    assert game.table.acts == old.table.acts[:8]
    assert game.view(0).branch == BranchView("test", 8)
    assert [step.applied.events for step in game.steps if step.applied.acts] == [()]
    play_people(game, Random(8))
    written = game.record()
    assert written.branch == record.Branch("test", 8)
    assert written.acts[:8] == old.table.record().acts[:8] != written.acts[8:16]
    assert (
        0
        < record.verify(GAMES["azul"], record.read(record.write(written)))
        < sum(act.startswith("*") for act in written.acts)
    )
    replay = game.replay(0)
    assert replay.steps[0].entry.acts[:8] == written.acts[:8]
    assert replay_record(record.read(replay.record), 0).steps == replay.steps


def test_a_branched_game_that_was_saved_goes_on():
    old = whole_game("blockers", [ANN, BOB])
    game = branch_game(old.record(), 20, [ANN, BOB], id="branch", seed=SEED)
    play_people(game, Random(2), most=3)
    resumed = resume_game(record.read(record.write(game.saved())))
    assert resumed.view(0).branch == game.view(0).branch
    play_people(game, Random(4))
    play_people(resumed, Random(4))
    assert game.record() == resumed.record()


@pytest.mark.parametrize(
    ("acts", "players", "problem"),
    [
        (0, [ANN, BOB], "from 1 to"),
        (9_999, [ANN, BOB], "from 1 to"),
        (None, [ANN, BOB], "the game is over there"),
        (5, [ANN, BOB, CY], "2 seats, not 3"),
    ],
)
def test_a_game_cannot_go_on_from_just_anywhere(acts, players, problem):
    old = whole_game("azul", [ANN, BOB]).record()
    with pytest.raises(BadNotation, match=problem):
        branch_game(old, len(old.acts) if acts is None else acts, players)


@pytest.mark.parametrize("title", [*GAMES])
def test_a_move_that_is_taken_back_leads_to_the_position_before_it(title):
    game = open_game(title, [ANN, LocalPlayer("Greedy", "greedy")], id="test", seed=SEED)
    play_bots(game)
    (reply,) = command(game, 0, "takeback")
    assert reply.rule == "takeback"
    play_people(game, Random(1), most=2)
    play_bots(game)
    before = game.view(0)
    play(game, 0, before.moves[0])
    play_bots(game)
    replies = command(game, 0, "takeback")
    assert isinstance(replies[-1], Ack), replies
    assert game.view(0).end == EndView("taken back", (), (), "", "")
    with pytest.raises(Refused, match="in progress"):
        game.replay(0)
    again = next_of(game)
    assert again.table.id == game.view(0).next_game
    assert (again.view(0).view, again.view(0).moves) == (before.view, before.moves)
    assert [seat.name for seat in again.view(0).seats] == ["Ann", "Greedy"]
    assert again.saved().seed != SEED
    command(again, 0, "takeback")
    assert len(next_of(again).table.acts) < len(again.table.acts)
    (reply,) = command(game, 0, "rematch")
    assert reply.rule == "nothing"


def test_at_one_device_the_last_move_of_a_person_is_taken_back_whoever_asks():
    game = table_of("azul", ANN, BOB)
    play(game, 0, game.view(0).moves[0])
    acts = list(game.table.acts)
    play(game, 1, game.view(1).moves[0])
    command(game, 0, "takeback")
    assert next_of(game).table.acts == acts


# Records


PLAYERS = {
    "people": [ANN, BOB],
    "person and bot": [ANN, LocalPlayer("Four", "4")],
    "bots": [LocalPlayer("One", "1"), LocalPlayer("Greedy", "greedy")],
}


@pytest.mark.parametrize("title", [*GAMES])
@pytest.mark.parametrize("players", PLAYERS.values(), ids=PLAYERS)
def test_a_whole_game_is_verified_and_the_same_each_time(title, players):
    game = whole_game(title, players)
    written = record.write(game.record())
    assert record.verify(GAMES[title], record.read(written)) > 0
    assert record.write(whole_game(title, players).record()) == written
    assert record.write(whole_game(title, players, seed=bytes(32)).record()) != written


@pytest.mark.parametrize("title", [*GAMES])
def test_a_saved_game_goes_on_as_if_it_had_never_stopped(title):
    players = [ANN, LocalPlayer("One", "1")]
    straight, stopped = (open_game(title, players, id="test", seed=SEED) for _ in range(2))
    rng, other = Random(5), Random(5)
    play_people(straight, rng)
    play_people(stopped, other, most=6)
    text = record.write(stopped.saved())
    resumed = resume_game(record.read(text))
    assert record.write(resumed.saved()) == text
    assert [seat.is_bot for seat in resumed.view(0).seats] == [False, True]
    play_people(resumed, other)
    assert record.write(resumed.record()) == record.write(straight.record())


def test_a_resigned_seat_stays_with_a_bot_and_a_left_one_waits_for_its_player():
    game = table_of("azul", ANN, BOB, CY)
    command(game, 0, "resign")
    command(game, 1, "leave")
    resumed = resume_game(game.saved())
    assert [seat.level for seat in resumed.view(0).seats] == ["4", "", ""]


def test_a_running_game_keeps_its_seed_and_replay_to_itself():
    game = table_of("blockers", ANN, BOB)
    assert game.record().seed == b""
    with pytest.raises(Refused, match="in progress"):
        game.replay(0)
    command(game, 0, "resign")
    assert game.record().seed == SEED
    assert len(game.replay(1).steps) == 2


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"seed": b""}, "this record has no seed"),
        ({"seed": bytes(32)}, "the seed does not match"),
        ({"bots": (record.BotSeat(1, "99"),)}, "'99' is not a bot for azul"),
        ({"acts": ("1b1",)}, "a deal comes next"),
    ],
)
def test_a_damaged_saved_game_says_what_is_wrong(change, problem):
    with pytest.raises(BadNotation, match=problem):
        resume_game(replace(table_of().saved(), **change))


# Bots


@pytest.mark.parametrize("title", [*GAMES])
def test_every_bot_gets_what_it_needs_to_move_and_nothing_else(title):
    for level in names(GAMES[title]):
        game = table_of(title, LocalPlayer("Bot", level), LocalPlayer("Other", level))
        turn = game.bot_to_move()
        assert turn.view == GAMES[title].view(game.table.state, turn.seat)
        move = choose_move(turn, QUICK)
        assert move == choose_move(turn, QUICK)
        assert isinstance(game.play_bot(turn, move), Ack)


def test_an_illegal_move_of_a_bot_is_refused():
    game = table_of("azul", LocalPlayer("Bot", "greedy"), ANN)
    assert game.play_bot(game.bot_to_move(), "1r1").rule == "AZ10"
