"""The commands for engines: `tessella engine` and `tessella bridge`."""

import argparse
import json
import os
import signal
import sys
import threading
from pathlib import Path

from tessella.bots import Budget, names
from tessella.cli.options import add_json, positive
from tessella.core.game import BadNotation
from tessella.games import GAMES

LEVEL = "5"
TOKEN = "BOT_TOKEN"  # noqa: S105  the name of a variable
SECONDS = 1.0


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella engine`."""
    levels = list(dict.fromkeys(name for game in GAMES.values() for name in names(game)))
    parser.add_argument("--level", choices=levels, default=LEVEL, help=f"the level to play at ({LEVEL})")
    parser.add_argument("--check", metavar="COMMAND", help="check whether this engine keeps the rules of the protocol")
    parser.add_argument("--games", type=positive, default=2, help="with --check: whole games per title (2)")
    add_json(parser)
    parser.set_defaults(run=_engine)


def _engine(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check(options)
    if options.json:
        raise BadNotation("--json needs --check")
    return _speak(options.level)


def _speak(level: str) -> int:
    from tessella.engine.speaker import Speaker  # noqa: PLC0415  --help needs no bots

    if sys.stdin.isatty():
        print("This is an engine: it waits for the lines of a program. Try: tessella 1, or quit", file=sys.stderr)
    for line in Speaker(level).serve(sys.stdin):
        print(line, flush=True)
    return 0


def _check(options: argparse.Namespace) -> int:
    from tessella.engine.check import Finding, check  # noqa: PLC0415

    findings: list[Finding] = []
    for finding in check(options.check, options.games):
        print(finding, flush=True)
        findings.append(finding)
    failed = sum(not finding.passed for finding in findings)
    print(f"\n{len(findings) - failed} of {len(findings)} rules kept")
    if options.json:
        rules = [
            {"rule": each.rule, "says": each.sentence, "passed": each.passed, "reason": each.reason, "note": each.note}
            for each in findings
        ]
        print(json.dumps({"engine": options.check, "passed": not failed, "rules": rules}))
    return 1 if failed else 0


# The bridge


def add_bridge(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tessella bridge`."""
    parser.add_argument("server", metavar="URL", help="the server, such as https://club.example")
    parser.add_argument("command", help="the command that starts the engine, in quotes if it has arguments")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help=f"holds the token of the bot (or ${TOKEN})")
    parser.add_argument("--join", action="append", default=[], metavar="LINK", help="take this seat first; repeatable")
    parser.add_argument("--ladder", choices=[*GAMES], help="play rated games for the ladder of bots, one after another")
    parser.add_argument("--games", type=positive, default=4, help="turns to think about at a time (4)")
    parser.add_argument("--seconds", type=_seconds, default=SECONDS, help=f"seconds per move ({SECONDS:g})")
    parser.add_argument("--nodes", type=positive, help="positions per move")
    parser.set_defaults(run=_bridge)


def _bridge(options: argparse.Namespace) -> int:
    from tessella.engine.bridge import BotServer, Bridge  # noqa: PLC0415  only this needs a network
    from tessella.engine.process import EngineError, started  # noqa: PLC0415
    from tessella.terminal.http import ServerError  # noqa: PLC0415

    try:
        with started(options.command) as engine:
            name = engine.introduction.name
        server = BotServer(options.server, _token(options.token_file))
        for link in options.join:
            print(f"{server.join(link).id}: joined", flush=True)
        stop = _stopped_by_signals()
        print(f"{name} plays at {server.origin}; Ctrl-C ends it", flush=True)
        budget = Budget(options.seconds, options.nodes)
        ladder = options.ladder or ""
        Bridge(server, options.command, budget, options.games, lambda line: print(line, flush=True), ladder).run(stop)
    except (EngineError, ServerError) as exc:
        raise BadNotation(str(exc)) from None
    return 0


def _stopped_by_signals() -> threading.Event:
    """Return an event that Ctrl-C, or the signal to terminate, sets."""
    stop = threading.Event()

    def handle(_number: int, _frame: object) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)
    return stop


def _token(file: Path | None) -> str:
    token = (file.read_text("utf-8") if file else os.environ.get(TOKEN, "")).strip()
    if not token:
        raise BadNotation(f"there is no token: set {TOKEN} or use --token-file; the owner of the bot gets it once")
    return token


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.001 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not a time to think: expected 0.001 to 3600 seconds")
    return seconds
