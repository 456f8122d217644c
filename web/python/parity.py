"""Play games between a person who chooses by a seed and bots, and print their records: the same ones everywhere.

FIRST and LAST, the numbers of the first game and of the one after the last, are given by the caller. Titles, levels 1
to 5 and numbers of seats take turns.
"""

from hashlib import sha256
from random import Random

from tessella.core import record
from tessella.local.game import LocalPlayer, open_game, play_bots
from tessella.protocol.messages import Ack, Play

TITLES, LEVELS = ("azul", "duel", "blockers"), 5


def play(number: int) -> str:
    """Return the record of one game."""
    title, level = TITLES[number % len(TITLES)], str(number // len(TITLES) % LEVELS + 1)
    bots = 2 if title != "duel" and number // (len(TITLES) * LEVELS) % 3 == 1 else 1
    players = [LocalPlayer("Ann"), *(LocalPlayer(f"Bot {n}", level) for n in range(bots))]
    seed = sha256(f"parity {number}".encode()).digest()
    game, rng = open_game(title, players, id=f"parity{number:04}", seed=seed), Random(number)  # noqa: S311
    play_bots(game)
    while moves := game.view(0).moves:
        message = Play(f"person-{game.table.number}", game.table.number, moves[rng.randrange(len(moves))])
        assert isinstance(game.receive(0, message)[-1], Ack)
        play_bots(game)
    assert game.table.status == "over"
    return record.write(game.record())


def main(first: int, last: int) -> None:
    """Print the records, with a line of dashes after each."""
    for number in range(first, last):
        print(f"{play(number)}---", flush=True)  # noqa: T201


main(FIRST, LAST)  # noqa: F821  # type: ignore[name-defined]
