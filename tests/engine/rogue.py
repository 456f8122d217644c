"""An engine that keeps every rule but one, which its argument names; without an argument it keeps them all."""

import os
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
TITLES = ("azul/1", "blockers/1", "duel/1")


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def choose(moves: list[str], budget: str) -> None:
    if FAULT == "crash":
        raise ZeroDivisionError("too many moves")
    if FAULT == "silent":
        time.sleep(3600)
    if FAULT == "late" and budget == "seconds 0.2":  # as the check of time asks; other games need not last minutes
        time.sleep(1.0)
    if FAULT == "chatter":
        say("let me think")
    if FAULT == "wrong line":
        say("info line not-the-move")
    if FAULT == "wrong value":
        say("info value 1.5")
    if FAULT == "no move":
        say("ok")
        return
    say("move 9z9" if FAULT == "illegal" else f"move {moves[0]}")


def answer(line: str, moves: list[str]) -> None:
    word, _, rest = line.partition(" ")
    if word == "tessella" and (rest == "1" or FAULT == "any version"):
        title = ("title chess/1",) if FAULT == "wrong title" else [f"title {title}" for title in TITLES]
        say(
            "name Rogue",
            *(() if FAULT == "nameless" else ("author Tests",)),
            *title,
            "option pace slow slow fast",
            "ok",
        )
    elif word == "option" and (rest in ("pace slow", "pace fast") or FAULT == "any option"):
        say("error no" if FAULT == "no option" else "ok")
    elif word == "new" and (rest.partition(" ")[0] in TITLES or FAULT == "any game"):
        moves.clear()
        say("ok")
    elif word in ("view", "position"):
        say("ok")
    elif word == "moves":
        moves[:] = rest.split(" ")
        say("ok")
    elif word == "go" and (moves or FAULT == "no position"):
        choose(moves or ["1b1"], rest)
    elif word == "stop":
        if FAULT == "stop":
            say("ok")
    elif FAULT != "unknown" or line == "go":
        say("error unknown command")
    else:
        say("ok")


def main() -> None:
    moves: list[str] = []
    if FAULT == "child":
        child = subprocess.Popen(["sleep", "3600"])
        sys.stderr.write(f"{child.pid}\n")
        sys.stderr.flush()
    for line in map(str.rstrip, sys.stdin):
        if line == "quit":
            if FAULT == "quit":
                continue
            os._exit(3 if FAULT == "exit code" else 0)
        answer(line, moves)
    if FAULT == "end":
        time.sleep(3600)


if __name__ == "__main__":
    main()
