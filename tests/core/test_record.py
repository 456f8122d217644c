"""A played game as text, and back; replaying and verifying it; the table that plays it."""

import re
from functools import cache, partial
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tessella.core import game, record
from tessella.core.dice import Contribution, Dice, commitment, pledge
from tessella.core.game import BadNotation, Choose, IllegalMove, Over
from tessella.core.local import LocalTable
from tessella.core.record import BrokenRecord, Record, read_act, read_rules, write_act, write_rules
from tessella.games import azul

SEED = bytes(range(32))
GIVEN = (
    Contribution(0, pledge("6c1f02", 0, b"ann"), b"ann"),
    Contribution(1, pledge("6c1f02", 1, b"bob"), b"bob"),
)

table = partial(LocalTable, azul, seed=SEED, id="6c1f02", names=("Ann", "Bob de Wit"), contributions=GIVEN)
"""A table with everything that a record can tell."""


@cache
def whole(wall: Literal["coloured", "grey"] = "coloured") -> Record:
    """A random game that has been played to its end."""
    played, rng = table(azul.Config(2, wall)), Random(12)
    while played.seats:
        played.play(rng.choice(played.moves))
    return played.record()


# The rules line


class Options(game.Config, frozen=True):
    """Options of every kind that a game may have."""

    seats: int = 2
    quick: bool = False
    tiles: tuple[str, ...] = ()
    bonus: str = "none"


OTHER: Any = SimpleNamespace(NAME="other", EDITION=3, Config=Options)


@pytest.mark.parametrize(
    ("config", "rules"),
    [
        (Options(), "other/3 seats=2 quick=false tiles= bonus=none"),
        (Options(3, True, ("a", "b7"), "all"), "other/3 seats=3 quick=true tiles=a,b7 bonus=all"),
    ],
)
def test_rules_are_written_in_one_line(config, rules):
    assert write_rules(OTHER, config) == rules
    assert read_rules(OTHER, rules) == config


def test_options_have_no_order_and_are_as_usual_unless_they_are_mentioned():
    assert read_rules(azul, "azul/1 wall=grey seats=4") == azul.Config(4, "grey")
    assert read_rules(azul, "azul/1") == azul.Config(2, "coloured")


@pytest.mark.parametrize(
    "rules",
    [
        "azul",
        "azul/2 seats=2",
        "duel/1 seats=2",
        "azul/1 seats",
        "azul/1 seats=2 seats=3",
        "azul/1 seats=5",
        "azul/1 seats=two",
        "azul/1 seats=",
        "azul/1 wall=green",
        "azul/1 wal=grey",
        "azul/1  seats=2",
        "azul/1 ",
        "",
    ],
)
def test_rules_that_are_none(rules):
    with pytest.raises(BadNotation):
        read_rules(azul, rules)


# One act

START = azul.setup(azul.Config(2))
DEALT, _ = azul.apply(START, azul.Deal(("bbyk", "byrw", "rrrr", "kkww", "bbbw"), 1))


BOTH_CHOOSE = (
    "2g 2 0>0 -,-,-,-,- - ~ 0.0.0.0.0 "
    "0:r/-/-/-/-:...../...../...../...../.....:- 0:-/kk/-/-/-:...../...../...../...../.....:-"
)


@pytest.mark.parametrize(
    ("state", "act", "text"),
    [
        (START, azul.Deal(("bbyk", "byrw", "rrrr", "kkww", "bbbw"), 1), "*1:bbyk byrw rrrr kkww bbbw"),
        (DEALT, azul.Take(1, 0, "b", 1), "1b2"),
        (azul.read_state(BOTH_CHOOSE), azul.Place(1, 1, 3), "1:t24"),
    ],
)
def test_a_deal_is_marked_and_a_move_names_its_seat_where_several_may_move(state, act, text):
    assert write_act(azul, state, act) == text
    assert read_act(azul, state, text) == act


@pytest.mark.parametrize("text", ["t24", ":t24", "x:t24", "12:t24", "1t24", "1:", "", "*bbyk", "٣:t24"])
def test_where_several_may_move_a_text_without_seat_is_no_act(text):
    with pytest.raises(BadNotation):
        read_act(azul, azul.read_state(BOTH_CHOOSE), text)


def test_no_act_follows_the_end():
    end = list(record.replay(azul, whole()))[-1].after
    with pytest.raises(BadNotation, match="the game is over"):
        read_act(azul, end, "1b2")
    with pytest.raises(BadNotation, match="the game is over"):
        write_act(azul, end, azul.Take(0, 0, "b", 1))


@pytest.mark.parametrize(
    ("state", "text", "why"),
    [(START, "1b2", "a deal comes next"), (DEALT, "*0:bbyk byrw rrrr kkww bbbw", "is not a move")],
)
def test_a_move_is_no_deal_and_a_deal_no_move(state, text, why):
    with pytest.raises(BadNotation, match=why):
        read_act(azul, state, text)


# Text


def test_a_record_is_text():
    text = record.write(whole())
    head, acts, foot = text.split("\n\n")
    assert head.splitlines() == [
        "azul/1 seats=2 wall=coloured",
        "id 6c1f02",
        "name 0 Ann",
        "name 1 Bob de Wit",
        f"commitment {commitment('6c1f02', SEED).hex()}",
        f"pledge 0 {GIVEN[0].pledge.hex()} {b'ann'.hex()}",
        f"pledge 1 {GIVEN[1].pledge.hex()} {b'bob'.hex()}",
    ]
    assert acts.startswith("*")
    assert (whole().game, record.read(text)) == ("azul", whole())
    assert re.fullmatch(r"scores \d+ \d+\nplaces [12] [12]\nseed [0-9a-f]{64}\nseal [0-9a-f]{64}\n", foot)


some_bytes = st.binary(min_size=1, max_size=32)
names = st.sampled_from(["Ann", "Bob de Wit", "Zoë", "李小龙", "0", "name 0", "=", "A" * 40])
results = st.lists(st.integers(-999, 9999), max_size=4).map(tuple)
records = st.builds(
    Record,
    rules=st.sampled_from(["azul/1", "azul/1 seats=3 wall=grey", "duel/12 a_b=x,7"]),
    acts=st.lists(st.text("byrkwct0123456789:*-@ ", min_size=1, max_size=20), max_size=5).map(tuple),
    id=st.text("abcXYZ089._-", max_size=64),
    names=st.lists(names, max_size=4).map(tuple),
    branch=st.none(),
    commitment=st.just(b"") | some_bytes,
    contributions=st.lists(
        st.builds(Contribution, seat=st.integers(0, 9), pledge=some_bytes, number=some_bytes),
        max_size=4,
        unique_by=lambda given: given.seat,
    ).map(tuple),
    scores=results,
    places=results,
    seed=st.just(b"") | some_bytes,
    seal=st.just(b"") | some_bytes,
)


@settings(deadline=None)
@given(whole=records)
def test_any_record_is_read_as_it_was_written(whole):
    assert record.read(record.write(whole)) == whole


HEAD = "azul/1 seats=2\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("\n\n\n", id="empty lines"),
        pytest.param("azul\n", id="no edition"),
        pytest.param("Azul/1\n", id="a capital"),
        pytest.param("azul/1 seats\n", id="an option without a value"),
        pytest.param("azul/1 seats=2 \n", id="a space at the end"),
        pytest.param("azul/1 seats=2;\n", id="a strange character"),
        pytest.param(HEAD + "ID x", id="an unknown word"),
        pytest.param(HEAD + "id a/b", id="an id with a slash"),
        pytest.param(HEAD + "id a\nid b", id="two ids"),
        pytest.param(HEAD + "name Ann", id="a name without a seat"),
        pytest.param(HEAD + "name 1 Ann", id="the first name at seat 1"),
        pytest.param(HEAD + "name 0 ", id="an empty name"),
        pytest.param(HEAD + "name 0 " + "A" * 41, id="a long name"),
        pytest.param(HEAD + "name 0 A\u202en", id="a name that turns the line round"),
        pytest.param(HEAD + "branch a/b 1\n\n*0:b", id="a branch of an id with a slash"),
        pytest.param(HEAD + "branch abc 0\n\n*0:b", id="a branch before everything"),
        pytest.param(HEAD + "branch abc 2\n\n*0:b", id="a branch after more acts than there are"),
        pytest.param(HEAD + "commitment", id="no commitment"),
        pytest.param(HEAD + "commitment AB", id="capital digits"),
        pytest.param(HEAD + "commitment " + "00" * 65, id="a long commitment"),
        pytest.param(HEAD + "pledge 0 ab", id="a pledge without a number"),
        pytest.param(HEAD + "pledge 10 ab cd", id="a pledge of seat 10"),
        pytest.param(HEAD + "pledge 0 ab cd\npledge 0 ab ce", id="two pledges of a seat"),
        pytest.param(HEAD + "\n*0:b\n\nscores 1 x", id="a score that is no number"),
        pytest.param(HEAD + "\n*0:b\n\nscores 1 99999", id="a score beyond reach"),
        pytest.param(HEAD + "\n*0:b\n\nscores 1 2\nscores 2 1", id="two results"),
        pytest.param(HEAD + "\n*0:b\n\nseed 00\n\nseal 00", id="a fourth part"),
        pytest.param(HEAD + "\n" + "1b1\n" * 20_000, id="longer than a record can be"),
    ],
)
def test_what_is_not_a_record(text):
    with pytest.raises(BadNotation):
        record.read(text)


# Replaying


def test_a_replay_shows_every_act_with_what_it_changed():
    steps = list(record.replay(azul, whole()))
    assert [step.number for step in steps] == list(range(len(whole().acts)))
    assert [step.text for step in steps] == list(whole().acts)
    assert steps[0].before == azul.setup(azul.Config(2))
    assert all(step.after == later.before for step, later in pairwise(steps))
    for step in steps:
        assert (step.seat is None) == isinstance(step.act, azul.Deal) == step.text.startswith("*")
        assert azul.apply(step.before, step.act) == (step.after, step.events)
    assert azul.turn(steps[-1].after) == Over(whole().scores, whole().places)


@pytest.mark.parametrize(
    ("act", "why"),
    [("9b1", "no factory 9"), ("hello", "not a move"), ("*0:bbyk", "not a move")],
)
def test_a_replay_stops_at_the_act_that_is_none(act, why):
    acts = (*whole().acts[:3], act)
    steps = record.replay(azul, Record(whole().rules, acts))
    for _ in range(3):
        next(steps)
    with pytest.raises(BrokenRecord, match=rf"^act 3: {re.escape(act)}: .*{why}") as caught:
        next(steps)
    assert caught.value.act == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"scores": (99, 0)},
        {"places": (2, 2)},
        {"scores": (1,)},
        {"acts": whole().acts[:20]},
    ],
    ids=str,
)
def test_a_result_that_does_not_follow_from_the_acts_is_rejected(wrong):
    with pytest.raises(BrokenRecord, match="the acts lead to scores") as caught:
        list(record.replay(azul, replace(whole(), **wrong)))
    assert caught.value.act is None


# Verifying


def verify(**changes: object) -> int:
    return record.verify(azul, replace(whole(), **changes))


def test_every_deal_of_a_true_record_is_found_again():
    assert verify() == sum(act.startswith("*") for act in whole().acts) >= 5
    assert verify(seal=b"") == verify()
    assert record.verify(azul, record.read(record.write(whole("grey")))) >= 5


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"seed": b""}, "no seed and commitment", id="no seed"),
        pytest.param({"commitment": b""}, "no seed and commitment", id="no commitment"),
        pytest.param({"seed": SEED[::-1]}, "the seed does not match", id="another seed"),
        pytest.param({"commitment": bytes(32)}, "the seed does not match", id="another commitment"),
        pytest.param({"id": "other"}, "the seed does not match", id="another game"),
        pytest.param(
            {"contributions": (replace(GIVEN[0], number=b"eve"), GIVEN[1])},
            "number of seat 0 does not match its pledge",
            id="another number",
        ),
        pytest.param(
            {"contributions": (GIVEN[0], replace(GIVEN[1], pledge=b"?"))},
            "number of seat 1 does not match its pledge",
            id="another pledge",
        ),
        pytest.param({"contributions": GIVEN[:1]}, "the dice give a different deal", id="a number left out"),
        pytest.param(
            {"contributions": (GIVEN[0], Contribution(1, pledge("6c1f02", 1, b"eve"), b"eve"))},
            "the dice give a different deal",
            id="a number with its pledge exchanged",
        ),
        pytest.param({"seal": bytes(32)}, "the seal does not match the acts", id="another seal"),
        pytest.param({"scores": (99, 0)}, "the acts lead to scores", id="another result"),
    ],
)
def test_a_changed_record_is_caught(changes, why):
    with pytest.raises(BrokenRecord, match=why):
        verify(**changes)


def test_one_changed_tile_is_caught_at_its_act():
    first = whole().acts[0]
    tiles = first.rpartition(" ")[2]
    changed = first.removesuffix(tiles) + ("bbbb" if tiles != "bbbb" else "yyyy")
    with pytest.raises(BrokenRecord, match=r"^act 0: the dice give a different deal") as caught:
        verify(acts=(changed,), scores=(), places=(), seal=b"")
    assert caught.value.act == 0


def test_every_changed_act_of_a_whole_game_is_caught():
    for number, act in enumerate(whole().acts):
        if not act.startswith("*"):
            changed = act[:2] + ("-" if act[2] != "-" else "5")
            with pytest.raises(BrokenRecord):
                verify(acts=(*whole().acts[:number], changed, *whole().acts[number + 1 :]))


# The table


def test_an_illegal_move_leaves_the_table_unchanged():
    played = table(azul.Config(2))
    before, steps = played.state, list(played.steps)
    with pytest.raises(IllegalMove):
        played.play(azul.Take(played.seats[0], None, "b", 0))
    with pytest.raises(BadNotation):
        played.play("hello")
    assert (played.state, played.steps) == (before, steps)


def test_a_record_shows_the_seed_only_when_the_game_is_over():
    played = table(azul.Config(2))
    played.play(played.moves[0])
    running = played.record()
    assert len(running.acts) == 2
    assert (running.seed, running.seal, running.scores, running.places) == (b"", b"", (), ())
    assert running.commitment == whole().commitment
    assert whole().seed == SEED


def test_a_table_without_a_seed_has_dice_of_its_own():
    tables = [LocalTable(azul, azul.Config(2)) for _ in range(5)]
    assert len({played.record().acts for played in tables}) == 5


# What would not be read back


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"names": ("Ann\nseed 00", "Bob")}, r"'Ann\nseed 00' is not a name: expected one line of 1 to 40"),
        ({"names": ("", "Bob")}, "'' is not a name"),
        ({"names": (" Ann", "Bob")}, "' Ann' is not a name"),
        ({"names": ("x" * 41, "Bob")}, "is not a name"),
        ({"names": ("Ann\x00", "Bob")}, "is not a name"),
        ({"id": "a game"}, "'id a game' is not a valid line"),
        ({"id": "x" * 65}, "is not a valid line"),
        ({"seed": bytes(65)}, "is not hexadecimal"),
        ({"scores": (10_000, 0)}, "is not a valid line"),
        ({"acts": ("3r4", "")}, "read back differently"),
        ({"acts": ("3r4\n3r5",)}, "read back differently"),
        ({"rules": "azul"}, "'azul' is not a rules line"),
    ],
)
def test_a_record_that_could_not_be_read_back_is_not_written(changed, problem):
    whole = Record("azul/1 seats=2 wall=coloured", names=("Ann", "Bob"), id="game")
    assert record.read(record.write(whole)) == whole
    with pytest.raises(ValueError, match="cannot write the record") as refused:
        record.write(replace(whole, **changed))
    assert problem in str(refused.value)


def test_a_record_with_the_line_ends_of_windows_is_read_as_written():
    whole = Record("azul/1 seats=2 wall=coloured", names=("Ann", "Bob"), acts=("*0:bbyk", "3r4"), scores=(1, 2))
    windows = record.write(whole).replace("\n", "\r\n")
    assert record.read(windows) == record.read("\r\n\r\n" + windows) == whole


def test_a_wrong_act_is_echoed_shortened():
    with pytest.raises(BrokenRecord) as broken:
        list(record.replay(azul, Record("azul/1 seats=2 wall=coloured", acts=("*" + "b" * 60_000,))))
    assert len(str(broken.value)) < 300


@pytest.mark.parametrize(
    "wrong", [{"names": ("Ann\nBob", "Cid")}, {"id": "a game"}, {"seed": bytes(65)}, {"names": (" ", "Bob")}]
)
def test_a_table_whose_record_could_not_be_written_is_not_set_up(wrong):
    with pytest.raises(BadNotation, match="cannot write the record"):
        LocalTable(azul, azul.Config(), **wrong)


# Branches


def branched(acts: int) -> Record:
    """A game that begins with the first acts of another one, and has a deal of its own."""
    other = whole()
    state = list(record.replay(azul, Record(other.rules, other.acts[:acts])))[-1].after
    rng = Random(3)
    played = list(other.acts[:acts])
    dice = Dice(SEED, "branch", other.rules)
    while not isinstance(turn := azul.turn(state), Over):
        dealt = sum(act.startswith("*") for act in played)
        seat = turn.seats[0] if isinstance(turn, Choose) else None
        act = azul.deal(state, dice.stream(dealt)) if seat is None else rng.choice(azul.legal_moves(state, seat))
        played.append(record.write_act(azul, state, act))
        state, _ = azul.apply(state, act)
    return Record(
        other.rules,
        tuple(played),
        id="branch",
        branch=record.Branch("other", acts),
        commitment=commitment("branch", SEED),
        seed=SEED,
        seal=dice.seal(played),
    )


def test_a_record_says_which_game_it_branched_from_and_only_its_own_deals_are_verified():
    found = branched(9)
    assert "\nbranch other 9\n" in record.write(found)
    assert record.read(record.write(found)) == found
    deals = [number for number, act in enumerate(found.acts) if act.startswith("*")]
    assert record.verify(azul, found) == sum(number >= 9 for number in deals) == len(deals) - 1
    with pytest.raises(BrokenRecord, match="different deal"):
        record.verify(azul, replace(found, branch=None))
    with pytest.raises(BrokenRecord, match="seal"):
        record.verify(azul, replace(found, acts=found.acts[:-1]))


# Bots


def test_a_record_names_the_seats_of_bots():
    found = record.Record(
        rules="azul/1 seats=2 wall=coloured", bots=(record.BotSeat(1, "4"), record.BotSeat(0, "greedy"))
    )
    assert "\nbot 1 4\nbot 0 greedy\n" in record.write(found)
    assert record.read(record.write(found)) == found


@pytest.mark.parametrize("line", ["bot", "bot 1", "bot x 4", "bot 1 4 5", "bot 10 4", "bot 1 4\nbot 1 5", "bot 1 a/b"])
def test_a_line_about_a_bot_that_cannot_be_read_is_refused(line):
    with pytest.raises(BadNotation, match="is not a valid line of a record"):
        record.read(f"azul/1 seats=2 wall=coloured\n{line}\n")
