"""The arena as somebody uses it: real games, the same deals for all, and no mercy for who breaks the rules."""

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from tessella import bots, cli
from tessella.arena import run as running
from tessella.arena.contest import Contest, Fixture, Player, read_player
from tessella.arena.gauntlet import RIVALS
from tessella.arena.play import _Table, play, withheld_microseconds
from tessella.arena.report import report, step_gate
from tessella.arena.results import ResultFile, read, write
from tessella.arena.run import run
from tessella.arena.strength import Sprt
from tessella.arena.workers import workers
from tessella.bots import Budget
from tessella.core.game import BadNotation

AZUL = "azul/1 seats=2 wall=coloured"
ROGUES = "tests.arena.rogues"


@pytest.fixture(autouse=True)
def _rogues_are_found(monkeypatch):
    """Also by the processes that play."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])


def arena(*words: object) -> int:
    return cli.main(["arena", *map(str, words)])


def told(capsys):
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def timeless(results):
    """Return results as a file gives them, without what differs from run to run."""
    return [replace(result, times=(), acts=()) for result in results]


def played(contest, *, file=None, sprt=None, jobs=1):
    with workers(jobs) as spread:
        return [result for group in run(contest, file or ResultFile(), spread, sprt) for result in group]


# Real games


@pytest.mark.parametrize(("game", "games"), [("azul", 12), ("duel", 12), ("blockers", 4)])
def test_greedy_beats_random(game, games, capsys):
    assert arena(game, "greedy", "random", "--games", games, "--json", "--at-least", 0.6) == 0
    found = told(capsys)
    assert found["games"] == 2 * found["deals"] == games
    assert found["low"] < found["win_share"] <= found["high"]
    assert found["win_share"] >= 0.75
    assert found["margin"] > 0
    assert found["margin_low"] <= found["margin"] <= found["margin_high"]
    assert found["forfeits"] == 0
    ms = found["standings"]["greedy"]["ms"]
    assert 0 < ms["p50"] <= ms["p99"] <= ms["p99.9"]


def test_missing_the_gate_is_a_failure(capsys):
    assert arena("azul", "random", "greedy", "--games", 4, "--at-least", 0.6) == 1
    assert "the gate is 60.0 %" in capsys.readouterr().out


def test_one_against_a_field_sits_in_every_seat(capsys, tmp_path):
    file = tmp_path / "field.csv"
    assert arena("blockers", "greedy", "--field", "random", "--seats", 4, "--games", 8, "--json", "--out", file) == 0
    found = told(capsys)
    assert found["par"] == 0.25
    assert found["win_share"] > 0.5
    assert found["standings"]["greedy"]["openskill"][0] > found["standings"]["random"]["openskill"][0]
    seats = [result.fixture.players.index("greedy") for result in read(file.read_text())]
    assert seats == [0, 3, 2, 1] * 2


def test_an_option_of_the_game(capsys):
    assert arena("azul", "greedy", "random", "--games", 2, "-o", "wall=grey", "--json") == 0
    assert told(capsys)["rules"] == "azul/1 seats=2 wall=grey"


def test_a_ladder_on_one_scale(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(bots.LEVELS, "azul", {name: bots.LEVELS["azul"][name] for name in "123456"})
    picture = tmp_path / "ladder.svg"
    assert arena("--ladder", "azul", "--games", 10, "--json", "--plot", picture) == 0
    found = told(capsys)
    assert found["elo"]["1"][0] == 1000
    assert found["elo"]["6"][0] > found["elo"]["5"][0] > found["elo"]["1"][0]
    assert [step["gate"] for step in found["steps"]] == [0.6] * 5
    assert "Elo" in picture.read_text()


def test_a_gauntlet_is_as_good_as_its_hardest_rival(capsys):
    assert arena("azul", "3", "--gauntlet", "--games", 2, "--seconds", 0.002, "--json", "--at-least", 1) == 1
    found = told(capsys)
    assert list(found["meetings"]) == list(RIVALS["azul"])
    assert found["least"] == min(meeting["win_share"] for meeting in found["meetings"].values()) < 1
    assert all(meeting["games"] == 2 for meeting in found["meetings"].values())
    assert all(0 <= meeting["long_won"] <= meeting["long_games"] <= 2 for meeting in found["meetings"].values())


def test_only_games_of_azul_may_be_long(capsys):
    assert arena("duel", "2", "--gauntlet", "--rivals", "random", "--games", 2, "--json") == 0
    assert told(capsys)["meetings"]["random"]["long_games"] == 0


def test_a_gauntlet_is_run_alone(capsys):
    assert arena("azul", "3", "4", "--gauntlet") == 2
    assert "one player" in capsys.readouterr().err


def test_what_a_step_of_a_ladder_must_win():
    assert step_gate(2) == 0.6
    assert step_gate(4) == pytest.approx(1.3 / 4)


# Deals, seats and random numbers


def test_a_pair_is_the_same_deal_with_the_seats_swapped():
    one, other = next(Contest(AZUL, 1, ("greedy", "random"), 2).groups())
    assert one.players == other.players[::-1] == ("greedy", "random")
    assert one.deal == other.deal
    assert _first_deal(one) == _first_deal(other)
    assert _first_deal(one) != _first_deal(replace(one, deal=1)) != _first_deal(replace(one, deal=1, seed=2))


def _first_deal(fixture):
    game = fixture.game
    return game.deal(game.setup(game.Config(2)), fixture.dice().stream(0))


def test_three_players_sit_in_all_orders():
    groups = list(Contest("azul/1 seats=3 wall=coloured", 1, ("a", "b", "c"), 12).groups())
    assert [len(group) for group in groups] == [3, 3, 3, 3]
    orders = Counter(fixture.players for group in groups for fixture in group)
    assert len(orders) == 6
    assert set(orders.values()) == {2}


def test_five_different_players_sit_in_every_seat_on_every_deal():
    (group,) = Contest("blockers/1", 1, tuple("abcde"), 5).groups()
    assert all({fixture.players[seat] for fixture in group} == set("abcde") for seat in range(5))


def test_every_bot_has_its_own_random_numbers():
    fixture = Fixture(AZUL, 1, 0, ("greedy", "random"))
    streams = [fixture.rng(0), fixture.rng(1), replace(fixture, deal=1).rng(0), replace(fixture, seed=2).rng(0)]
    assert len({rng.randrange(10**9) for rng in streams}) == 4
    assert fixture.rng(0).randrange(10**9) == fixture.rng(0).randrange(10**9)


def test_bots_see_views_only(monkeypatch):
    seen = []
    asked = _Table._think

    def think(table, seat, view):
        seen.append((seat, view))
        return asked(table, seat, view)

    monkeypatch.setattr(_Table, "_think", think)
    fixture = Fixture("blockers/1 seats=3 scoring=blockers", 1, 0, ("random", "greedy", "random"))
    play(fixture)
    assert len(seen) > 20
    assert all(type(view).__name__ == "View" and view.seat == seat for seat, view in seen)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_seed_plays_the_same_games_anywhere(jobs, monkeypatch):
    monkeypatch.setattr(running, "TASK_SECONDS", 0.05)
    contest = Contest(AZUL, 9, (f"{ROGUES}:by_nodes@70n", "random"), 12)
    assert timeless(played(contest, jobs=jobs)) == timeless(played(contest))


def test_nodes_reach_the_bot():
    contests = [Contest(AZUL, 4, (f"{ROGUES}:by_nodes@{nodes}n", "random"), 10) for nodes in (1, 100)]
    weak, strong = (sum(played_share(result) for result in played(contest)) for contest in contests)
    assert weak < 9 <= strong


def played_share(result):
    return result.share(next(seat for seat, name in enumerate(result.fixture.players) if "by_nodes" in name))


# Forfeits


@pytest.mark.parametrize(
    ("rogue", "why"),
    [
        ("cheat", "illegal move"),
        ("nothing", "illegal move None"),
        ("crash", "ZeroDivisionError"),
        ("slow@0.01s", "of 0.01 s"),
        ("endless@0.01s", "of 0.01 s"),
        ("deaf@0.01s", "of 0.01 s"),
    ],
)
def test_a_bot_that_breaks_the_rules_of_the_arena_forfeits(rogue, why, capsys):
    assert arena("azul", f"{ROGUES}:{rogue}", "random", "--games", 2, "--json", "--at-least", 0.01) == 1
    shown = capsys.readouterr().out
    found = json.loads(shown.splitlines()[-1])
    assert found["win_share"] == 0
    assert found["forfeits"] == 2
    assert found["margin"] is None
    assert why in shown


def test_the_others_share_what_one_forfeits():
    result = play(Fixture("azul/1 seats=3 wall=coloured", 1, 0, ("greedy", f"{ROGUES}:crash", "random")))
    assert result.forfeit == 1
    assert result.places == (1, 3, 1)
    assert [result.share(seat) for seat in range(3)] == [0.5, 0, 0.5]


def test_waiting_is_not_thinking():
    result = play(Fixture(AZUL, 1, 0, (f"{ROGUES}:sleepy@0.0025s", "greedy")))
    assert result.forfeit is None


def test_time_that_the_host_withheld_is_not_the_bots(monkeypatch):
    """`slow` exceeds its time in every move; the host says that it took 90 ms during each."""
    withheld = count(0, 90_000)
    monkeypatch.setattr("tessella.arena.play.withheld_microseconds", lambda: next(withheld))
    contest = Contest(AZUL, 1, (f"{ROGUES}:slow@0.01s", "random"), 2)
    (group,) = run(contest, ResultFile(), map)
    assert [result.forfeit for result in group] == [None, None]
    assert all(result.stolen > 0 for result in group)
    found = report(contest, [group])
    assert found.numbers()["stolen_seconds"] == pytest.approx(sum(result.stolen for result in group) / 1e6, abs=1e-3)
    assert "they are not charged" in str(found)


def test_what_the_host_withheld_excuses_no_more_than_that(monkeypatch):
    withheld = count(0, 1_000)
    monkeypatch.setattr("tessella.arena.play.withheld_microseconds", lambda: next(withheld))
    result = play(Fixture(AZUL, 1, 0, (f"{ROGUES}:slow@0.01s", "random")))
    assert (result.forfeit, result.stolen) == (0, 1_000)


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="this system has no /proc/stat")
def test_the_system_says_what_the_host_withheld(monkeypatch):
    fields = Path("/proc/stat").read_text().split("\n")[0].split()
    assert withheld_microseconds() >= int(fields[8]) * 10_000
    monkeypatch.setattr(Path, "open", lambda *_: (_ for _ in ()).throw(FileNotFoundError))
    assert withheld_microseconds() == 0


def test_seconds_reach_the_bot_and_are_compared_with_what_it_took():
    contest = Contest(AZUL, 1, (f"{ROGUES}:by_seconds@0.02s", "random"), 2)
    (group,) = run(contest, ResultFile(), map)
    (times, _) = (standing.times for standing in report(contest, [group]).standings)
    assert 20 <= times.p50 < 25
    assert times.ratio == pytest.approx(times.p999 / 20, abs=1e-3)


def test_a_slow_bot_misses_the_gate_even_without_forfeiting():
    contest = Contest(AZUL, 1, ("greedy@1s", "random"), 2)
    (group,) = run(contest, ResultFile(), map)
    assert report(contest, [group]).passed
    late = [replace(result, times=((1_100_000,), (1_100_000,))) for result in group]
    found = report(contest, [late])
    assert found.standings[0].times.ratio == 1.1
    assert not found.passed


# Stopping early, and going on


def test_a_clear_case_stops_early(capsys):
    assert arena("azul", "greedy", "random", "--games", 400, "--sprt", 0, 200, "--json") == 0
    found = told(capsys)
    assert found["games"] < 40
    assert found["sprt"]["verdict"] == "elo1"
    assert found["sprt"]["ratio"] >= found["sprt"]["bound"]
    assert arena("azul", "random", "greedy", "--games", 400, "--sprt", 0, 200) == 1


def test_where_the_test_stops_does_not_depend_on_the_workers(monkeypatch):
    monkeypatch.setattr(running, "TASK_SECONDS", 0.2)
    contest, sprt = Contest(AZUL, 1, ("greedy", "random"), 100), Sprt(0, 200)
    assert timeless(played(contest, sprt=sprt, jobs=2)) == timeless(played(contest, sprt=sprt))


def test_a_run_is_continued_and_no_game_is_played_twice(tmp_path, monkeypatch, capsys):
    file = tmp_path / "games.csv"
    command = ("azul", "greedy", "random", "--out", file)
    assert arena(*command, "--games", 6) == 0
    first = file.read_text()
    assert arena(*command, "--games", 10, "--json") == 0
    second = file.read_text()
    assert told(capsys)["games"] == 10
    assert second.startswith(first)
    results = read(second)
    assert len({result.fixture for result in results}) == len(results) == 10
    whole = played(Contest(AZUL, 1, ("greedy", "random"), 10))
    assert timeless(results) == timeless(whole)
    monkeypatch.setattr(running, "play", None)
    assert arena(*command, "--games", 10) == 0
    assert file.read_text() == second


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    file = tmp_path / "games.csv"
    contest = Contest(AZUL, 1, ("greedy", "random"), 6)
    whole = played(contest, file=ResultFile(file))
    file.write_text(file.read_text()[:-9])
    assert timeless(played(contest, file=ResultFile(file))) == timeless(whole)
    assert len(read(file.read_text())) == 6


def test_one_file_holds_several_contests(tmp_path):
    file = tmp_path / "games.csv"
    for seed in (1, 2):
        played(Contest(AZUL, seed, ("greedy", "random"), 2), file=ResultFile(file))
    assert len({result.fixture for result in read(file.read_text())}) == 4


def test_what_is_written_is_read_again():
    results = [
        *played(Contest(AZUL, 1, (f"{ROGUES}:crash", "greedy"), 2)),
        *played(Contest(AZUL, 1, ("greedy", "random"), 2)),
    ]
    assert read(write(results, head=True))[2:] == [replace(result, acts=()) for result in results[2:]]
    assert read(write(results, head=True))[0].why == "ZeroDivisionError: three moves are too many, or too few"


@pytest.mark.parametrize("text", ["name,points\nAnn,3\n", "rules,seed\n"])
def test_another_file_is_left_alone(text, tmp_path, capsys):
    file = tmp_path / "other.csv"
    file.write_text(text)
    assert arena("azul", "greedy", "random", "--games", 2, "--out", file) == 2
    assert file.read_text() == text


# Words


@pytest.mark.parametrize("text", ["greedy", "search@0.1s", "search@1000n", "my.bots:clever@1s,5000n"])
def test_a_player_is_written_as_it_is_read(text):
    assert str(read_player(text)) == text


def test_a_player_without_a_budget_gets_the_usual_one():
    assert read_player("greedy", Budget(nodes=7)) == Player("greedy", Budget(nodes=7))
    assert read_player("greedy@1s", Budget(nodes=7)) == Player("greedy", Budget(1.0))


@pytest.mark.parametrize(
    "text", ["", "greedy@", "greedy@1", "greedy@s", "a b", "greedy@1s,", "greedy@0s", "greedy@0.1s5n"]
)
def test_anything_but_a_player_is_rejected(text):
    with pytest.raises(BadNotation):
        read_player(text)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("azul", "greedy"),
        ("azul", "greedy", "greedy"),
        ("azul", "greedy", "nobody"),
        ("azul", "greedy", "no.such:bot"),
        ("azul", "greedy", "random", "--seats", "5"),
        ("azul", "greedy", "random", "--seats", "3", "--sprt", "0", "10"),
        ("azul", "greedy", "random", "--sprt", "10", "0"),
        ("azul", "greedy", "random", "--ladder", "azul"),
        ("duel", "greedy", "random", "-o", "wall=grey"),
    ],
    ids=" ".join,
)
def test_errors_of_the_command_are_one_sentence(words, capsys):
    assert arena(*words, "--games", 2) == 2
    assert capsys.readouterr().err.startswith("tessella: ")


def test_a_picture_is_svg(tmp_path, capsys):
    picture = tmp_path / "match.svg"
    assert arena("azul", "greedy", "random", "--games", 8, "--plot", picture) == 0
    assert picture.read_text().startswith("<svg ")
    with pytest.raises(SystemExit):
        arena("azul", "greedy", "random", "--plot", tmp_path / "match.bmp")


# A cluster


def test_without_ray_the_extra_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert arena("azul", "greedy", "random", "--games", 2, "--ray", "local") == 2
    assert "tessella[cluster]" in capsys.readouterr().err


def test_a_cluster_plays_the_same_games(tmp_path):
    """Ray listens to this machine only where it is told that there is no cluster beyond it."""
    alone = os.environ | {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    files = [tmp_path / "here.csv", tmp_path / "there.csv"]
    for file, where in zip(files, [[], ["--ray", "local"]], strict=True):
        command = [
            sys.executable,
            "-m",
            "tessella",
            "arena",
            "azul",
            "greedy",
            "random",
            "--games",
            "60",
            "--out",
            file,
        ]
        subprocess.run([*map(str, command), *where], check=True, timeout=180, env=alone)
    here, there = (timeless(read(file.read_text())) for file in files)
    assert here == there


# Engines in processes of their own

ROGUE = Path(__file__).parents[1] / "engine" / "rogue.py"


def engine(fault: str = "") -> str:
    return "cmd:" + shlex.join([sys.executable, "-S", str(ROGUE), *([fault] if fault else [])])


def test_the_command_of_an_engine_may_have_arguments_and_a_budget():
    assert read_player("cmd:node 'my engine.js' --a@b@0.5s,20n") == Player(
        "cmd:node 'my engine.js' --a@b", Budget(0.5, 20)
    )
    assert read_player("cmd:./e@home").command == "./e@home"
    assert str(read_player("cmd:./e@2s")) == "cmd:./e@2s"
    assert read_player("greedy").command == ""
    with pytest.raises(BadNotation, match="cmd:COMMAND"):
        read_player("cmd: ")


def test_an_engine_plays_beside_levels_and_its_results_are_kept(tmp_path, capsys):
    file = tmp_path / "results.csv"
    arguments = ("azul", "greedy", engine(), "--games", 4, "--json", "--out", file)
    assert arena(*arguments) == 0
    found = told(capsys)
    assert found["forfeits"] == 0
    assert found["win_share"] == 1
    assert found["standings"][engine()]["ms"]["p50"] > 0
    before = file.read_text()
    assert arena(*arguments) == 0
    assert file.read_text() == before
    assert told(capsys)["win_share"] == 1


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("crash", "the engine ended with exit code 1: ZeroDivisionError: too many moves"),
        ("illegal", "illegal move '9z9'"),
        ("chatter", "'let me think' is not an answer"),
        ("silent", "no answer within"),
    ],
)
def test_an_engine_that_fails_forfeits_and_the_report_says_why(fault, why, capsys, monkeypatch):
    monkeypatch.setattr("tessella.engine.process.OVERRUN_SECONDS", 0.1)
    monkeypatch.setattr("tessella.engine.process.STOP_SECONDS", 0.1)
    assert arena("azul", "random", engine(fault), "--games", 2, "--seconds", 0.5, "--json") == 0
    out = capsys.readouterr().out
    assert json.loads(out.splitlines()[-1])["standings"][f"{engine(fault)}@0.5s"]["forfeits"] == 2
    assert why in out


def test_an_engine_that_does_not_exist_or_does_not_play_the_game_is_refused_before_any_game(capsys):
    assert arena("azul", "random", "cmd:./no-such-engine") == 2
    assert "is not an engine: cannot start './no-such-engine'" in capsys.readouterr().err
    assert arena("azul", "random", engine("wrong title")) == 2
    assert "does not play azul/1; it plays chess/1" in capsys.readouterr().err
