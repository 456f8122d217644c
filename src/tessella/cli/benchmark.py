"""The command `tessella benchmark`."""

import argparse
from functools import partial
from pathlib import Path

import msgspec

from tessella.arena.benchmark import (
    DEALS,
    REVIEWS,
    Benchmark,
    contests,
    games_to_review,
    mean_loss,
    play_suite,
    summarise,
)
from tessella.arena.contest import read_player, require_player
from tessella.arena.report import percent
from tessella.arena.workers import workers
from tessella.bots.rivals import rivals_of
from tessella.cli.options import add_json, natural, positive
from tessella.games import GAMES
from tessella.progress import progress_of

TITLES = ("azul", "duel", "blockers")


def add_benchmark(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella benchmark`."""
    parser.add_argument(
        "game", choices=TITLES, help="not a game of another package: the strength of its bots was never measured"
    )
    parser.add_argument("player", help="as in the arena: a level, MODULE:MAKER or an engine, with @0.1s or @1000n")
    parser.add_argument("--deals", type=positive, default=DEALS, help=f"deals per rival, two games each ({DEALS})")
    parser.add_argument(
        "--reviews", type=natural, default=REVIEWS, help=f"games that the coach reviews; 0 for none ({REVIEWS})"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed of the deals and the bots (1)")
    parser.add_argument("--jobs", type=positive, default=1, help="number of processes (1)")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="write the result for the leaderboard")
    add_json(parser)
    parser.set_defaults(run=_benchmark)


def _benchmark(options: argparse.Namespace) -> int:
    title, player = options.game, str(read_player(options.player))
    require_player(GAMES[title], read_player(player))
    games = len(contests(title, player, options.seed, options.deals)) * options.deals
    with workers(options.jobs) as spread:
        suite = play_suite(title, player, options.seed, options.deals, spread)
        played = list(progress_of(suite, games, f"{title}: deals"))
        chosen = games_to_review(played, options.reviews)
        losses = list(progress_of(spread(partial(mean_loss, title, player), chosen), len(chosen), "reviews"))
    found = summarise(title, player, options.seed, played, losses)
    print(_text(found))
    if options.out:
        options.out.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    if options.json:
        print(msgspec.json.encode(found).decode())
    return 1 if _differences(found) else 0


def _text(found: Benchmark) -> str:
    lines = [f"{found.rules}: {found.player} in {found.games} games, seed {found.seed}", ""]
    lines += [
        f"against {meeting.rival:3} ({meeting.rival_elo:5.0f} Elo)  {percent(meeting.share)}"
        for meeting in found.meetings
    ]
    elo, loss = found.elo, found.mean_loss
    lines += ["", f"Elo {elo.value:.0f} [{elo.low:.0f} to {elo.high:.0f}], where greedy has 1000"]
    if loss is not None:
        span = f"[{100 * loss.low:.1f} to {100 * loss.high:.1f}]"
        lines += [f"a move costs {100 * loss.value:.1f} % {span} of the winning chances, in {found.reviewed} games"]
    lines += [f"{found.moves:,} moves, {found.illegal} illegal, {found.forfeits} games forfeited"]
    lines += [f"half of the moves took at most {found.move_milliseconds:.1f} ms of CPU time"]
    return "\n".join([*lines, *(f"warning: {text}" for text in _differences(found))])


def _differences(found: Benchmark) -> list[str]:
    """Return which rivals do not play as when the suite was made: the ratings do not hold for them."""
    known = {rival.player: rival.fingerprint for rival in rivals_of(found.title)}
    changed = [rival for rival, mark in found.rivals.items() if known[rival] != mark]
    return [f"level {rival} plays differently from the suite's; this result cannot be compared" for rival in changed]
