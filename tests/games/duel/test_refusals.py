"""Every act against a rule is refused, names the rule, and leaves everything as it was."""

import pytest

from tessella.games import duel

from .positions import Board, between_rounds, end_of_phase_1, moves, play, refusal, table

KINDS = "*?" * 9
OPEN = ("ykt*", "?btk", "trb*")
FILLED = "bbykt bbyk byrk kktt yyrr"
START = duel.setup(duel.Config())
SHUFFLED, _ = play(START, f"*1:{KINDS} ykt* ?btk trb*")
FIRST, _ = play(SHUFFLED, f"*{FILLED}")
FIRST_PLACED, _ = play(FIRST, "5ty*k")
ACT = table(open="ykt* ?btk trb?")
DRAWING, _ = play(ACT, "d+", "d+")
DUE, _ = play(DRAWING, "d=")
KEEPING, _ = play(DUE, "*k*tr *krb")
RETURNING, _ = play(DRAWING, "d+", "d=", "*k*tr *krb *tyb", "1k*tr")
KNOWN, _ = play(table(open="ykt* ?btk trb?", stack="kyr?1,ty?k0,*,*,*,*,*,*,*,?,?,?,?"), "d+", "d+", "d=")
STACKING, _ = play(table(factories="bbykt byrk bbyk bbyk bbyk"), "1b1")
REVEALING, _ = play(table(Board(chips="Y"), factories="bbykt -/y -/ky - -/y", due=(1, 2)), "my4")
FEW_PLATES = table(Board(plates="3kyr? 9k*tr"), open="ykt* ?btk trb?", tokens=(1, 2))
NO_TOKEN = table(open="ykt* ?btk trb?", tokens=(0, 2))
LINES = table(Board("b/-/kk/-/-/-"))
SUNS = table(factories="bbykt bbyk -/yk bbyk bbyk")
NO_CHIPS = table(factories="bbykt bbyk -/-/T - -", due=(0, 2))
CHIPS = table(factories="bbykt bbyk -/-/T - bbyk", due=(2, 1))
TURN_OF_1, _ = play(table(), "1b3", "syk")
CHOOSING, _ = play(end_of_phase_1(Board("-/tt/-/-/-/-", "1ykt* 2bk*t 3rty?")), "c4")
PAYING, _ = play(end_of_phase_1(Board("-/-/tt/-/-/-", "1bk*t 4tkr?", chips="RTk"), stage="2act"), "c4")
PAID, _ = play(end_of_phase_1(Board("-/-/tt/-/-/-", "4tkr? 5ykt* 6?btk", chips="RTk"), stage="2act"), "c4", "p3RT")
OVER, _ = play(end_of_phase_1(Board(), stage="5act"), "c4")


@pytest.mark.parametrize(
    ("rule", "state", "acts"),
    [
        ("DU12", START, [duel.Shuffle(2, KINDS, OPEN)]),
        (
            "DU03",
            START,
            [
                duel.Shuffle(1, KINDS[:-1], OPEN),
                duel.Shuffle(1, KINDS[:-1] + "*", OPEN),
                duel.Shuffle(1, KINDS, OPEN[:2]),
                duel.Shuffle(1, KINDS, (*OPEN[:2], "ykt*")),
                duel.Shuffle(1, KINDS, ("ykt*", "trb*", "?btk")),
            ],
        ),
        ("DU40", START, [duel.Fill(tuple(FILLED.split()))]),
        (
            "DU10",
            SHUFFLED,
            [
                duel.Fill(("bbykt", "bbyk", "byrk", "kktt")),
                "*bbykt bbyk byrk kktt yyr",
                duel.Fill(("bbyktt", "bbyk", "byrk", "kktt", "yyrr")),
                "*bbykt bbby bbbb bbbb bbbb",
            ],
        ),
        (
            "DU01",
            SHUFFLED,
            [
                duel.Fill(("bbykt", "kbbb", "byrk", "kktt", "yyrr")),
                duel.Fill(("bbykw", "bbyk", "byrk", "kktt", "yyrr")),
            ],
        ),
        ("DU11", SHUFFLED, ["*bbbbb byyk byrk kktt yyrr"]),
        ("DU11", between_rounds(bag="7.0.0.0.0", tower="~"), ["*bbbbb byyk byrk kktt yyrr"]),
        (
            "DU40",
            between_rounds(Board("-/-/-/-/bbbbb/bbbbbb"), bag="2.0.0.0.0", tower="~"),
            ["*byyrr yykk ttrr kktt yyrr"],
        ),
        ("DU10", between_rounds(bag="4.2.0.0.0", tower="~"), ["*bbbyk bykr byrk kktt yyrr"]),
        ("DU40", between_rounds(bag="4.2.0.0.0", tower="~"), ["*bbbby rrkk byrk kktt yyrr"]),
        ("DU40", between_rounds(), [duel.Take(0, 1, "b", 0)]),
        ("DU12", FIRST, ["d+", "1b3"]),
        ("DU20", FIRST, ["1tkr?"]),
        ("DU29", FIRST, [duel.PlacePlate(1, "ykt*", 0)]),
        (
            "DU03",
            FIRST_PLACED,
            [duel.Open(plates) for plates in (("?btk",), ("k*tr",), ("ykt*",), ("kyr?", "tkr?"), ())],
        ),
        ("DU01", ACT, [duel.Take(0, 1, "w", 0)]),
        ("DU02", ACT, [duel.Take(0, 1, "b", line) for line in (-1, 6, 9)]),
        ("DU02", ACT, [duel.PlacePlate(0, "ykt*", slot) for slot in (-1, 9)]),
        ("DU03", ACT, ["1ky*t"]),
        ("DU10", ACT, [duel.Take(0, 5, "b", 0), duel.Take(0, -1, "b", 0)]),
        ("DU29", ACT, ["d=", "t11", "p2bb"]),
        ("DU20", FEW_PLATES, ["3ykt*", "1kyr?"]),
        ("DU20", DRAWING, ["1b3", "1ykt*", "ukyr?", "c1"]),
        (
            "DU03",
            DUE,
            [duel.Look(0, two) for two in (("kyr?", "k*tr"), ("k*tr", "k*tr"), ("ykt*", "k*tr"), ("k*tr",))],
        ),
        ("DU60", DUE, [duel.Look(1, ("k*tr", "*krb"))]),
        ("DU03", KNOWN, ["*yr?b ty?k"]),
        ("DU20", KEEPING, ["1b3", "1ykt*", "d+", "d=", "1*tyb"]),
        ("DU20", RETURNING, ["1b3", "d+", "uykt*", "uk*tr"]),
        ("DU21", NO_TOKEN, ["1ykt*", "d+"]),
        ("DU21", table(stage="5act"), ["d+"]),
        ("DU22", table(stage="4act", open="ykt* ?btk trb?", tokens=(2, 1)), ["d+"]),
        ("DU23", STACKING, ["2b1", "d+", "syr", "syyk", "syrt"]),
        ("DU23", SUNS, ["1r1", "2y1", "0r1"]),
        ("DU24", table(factories="bbykt -/kyy bbyk bbyk bbyk"), ["mk1"]),
        ("DU04", REVEALING, [duel.Reveal(chips) for chips in ("b", "bbb", "YY", "b#", "")]),
        ("DU26", NO_CHIPS, ["c2"]),
        ("DU26", CHIPS, ["c1", "c3", "c4"]),
        ("DU27", LINES, ["1b1", "1b3"]),
        ("DU29", TURN_OF_1, [duel.Take(0, 2, "b", 3), duel.Take(2, 2, "b", 3)]),
        ("DU30", CHOOSING, ["t22", "t11", "t14", "1b1"]),
        ("DU31", CHOOSING, ["p2bb"]),
        ("DU31", PAYING, ["p3bRT", "p3bk", "p3bR", "p3tt"]),
        ("DU30", PAYING, ["t31"]),
        ("DU31", PAID, ["p3-"]),
        ("DU58", OVER, [duel.Draw(0), duel.Place(0, 0, 0), duel.Take(0, 1, "b", 1)]),
        ("DU40", OVER, [duel.Fill(("",) * 5)]),
    ],
)
def test_DU01_DU02_to_DU58_an_act_against_a_rule_is_refused(rule, state, acts):
    assert [refusal(state, act) for act in acts] == [rule] * len(acts)


@pytest.mark.parametrize(("state", "slots"), [(FEW_PLATES, "1245678"), (NO_TOKEN, "")])
def test_DU20_DU21_a_plate_goes_to_an_empty_slot_while_a_token_is_left(state, slots):
    assert {move[0] for move in moves(state) if len(move) == 5} == {*slots}
    assert ("d+" in moves(state)) == bool(slots)
