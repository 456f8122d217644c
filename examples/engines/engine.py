#!/usr/bin/env python3
"""A Tessella engine in Python, without any rules: in Azul it takes from the factory with the fewest tiles left over.

tessella engine --check "python3 engine.py"
"""

import json
import random
import sys

TITLES = ("azul/1", "blockers/1", "duel/1")
HELLO = ["name Tidy Python", "author Tessella", *(f"title {title}" for title in TITLES), "option seed 0", "ok"]


class Engine:
    """What the engine remembers between two lines."""

    title, view, moves = "", {}, []
    rng = random.Random(0)

    def answer(self, line):
        """Return the answers to one line."""
        match line.split(" ", 1):
            case ["tessella", "1"]:
                return HELLO
            case ["option", rest] if rest.startswith("seed "):
                self.rng = random.Random(rest)
            case ["new", rules] if rules.startswith(TITLES):
                self.title, self.moves = rules.partition("/")[0], []
            case ["view", text]:
                self.view = json.loads(text)  # everything that the seat may know
            case ["position", _]:
                pass  # the same as a line of text, for engines that know the rules
            case ["moves", rest]:
                self.moves = rest.split()
            case ["go", *_] if self.moves:
                return [f"move {min(self.moves, key=self.left_over)}"]
            case ["stop"]:
                return []
            case _:
                return [f"error {line[:40]!r} cannot be answered now"]
        return ["ok"]

    def left_over(self, move):
        """Return how many tiles an Azul move leaves to the others, and a random number for equal moves."""
        source, colour = move[0], move[1]
        tiles = ""
        if self.title == "azul" and source != "t":
            tiles = self.view["centre"] if source == "c" else self.view["factories"][int(source) - 1]
        return len(tiles) - tiles.count(colour), self.rng.random()


engine = Engine()
for line in map(str.rstrip, sys.stdin):
    if line == "quit":
        break
    for text in engine.answer(line):
        print(text, flush=True)
