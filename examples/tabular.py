"""A sanity check that anybody can follow: Q-learning in a table, on the end of a round of Azul, and the exact answer.

Two players draft the last tiles of a round; what counts is the lead when the walls are tiled. There are few enough
positions to read them all, so we know what perfect players would get, and a learner must find the same.

    python examples/tabular.py --episodes 4000
"""

import argparse
import random
from functools import cache

from tessella import research
from tessella.core.game import Choose
from tessella.games import azul

MOVES = 12
"""The round is played by a computer player until no more moves than so many are legal."""


def tiny_position():
    """The end of a first round."""
    table = research.table("azul", players=2, seed=1)
    while len(table.moves()) > MOVES:
        table.play(table.ask("3"))
    return table.state


def moves(state):
    """What the seat to move may do; nothing when the round has been tiled."""
    turn = azul.turn(state)
    return azul.legal_moves(state, turn.seats[0]) if isinstance(turn, Choose) else []


def lead(state, seat):
    """How far a seat is ahead."""
    return state.boards[seat].score - state.boards[1 - seat].score


@cache
def exact(state):
    """The lead that the seat to move gets if both play perfectly: every way is read to its end."""
    return max(value_after(state, move) for move in moves(state))


def value_after(state, move):
    """What a move is worth to its maker."""
    after, _ = azul.apply(state, move)
    if not moves(after):
        return lead(after, move.seat)
    return exact(after) if azul.turn(after).seats[0] == move.seat else -exact(after)


def learn(start, episodes, rng):
    """Play at random and remember, for each position and move, what the best answer has brought so far."""
    table = {}
    for _ in range(episodes):
        state = start
        while legal := moves(state):
            move = rng.choice(legal)
            after, _ = azul.apply(state, move)
            if answers := moves(after):
                best = max(table.get((after, answer), 0.0) for answer in answers)
                target = best if answers[0].seat == move.seat else -best
            else:
                target = lead(after, move.seat)
            old = table.get((state, move), 0.0)
            table[state, move] = old + 0.5 * (target - old)
            state = after
    return table


def main():
    """Learn, and compare with the exact answer."""
    options = argparse.ArgumentParser(description="Q-learning in a table, against the exact answer")
    options.add_argument("--episodes", type=int, default=4000)
    episodes = options.parse_args().episodes
    start = tiny_position()
    table = learn(start, episodes, random.Random(1))
    for move in moves(start):
        print(f"{azul.write_move(start, move)}  exact {value_after(start, move):+d}  learned {table[start, move]:+.3f}")
    positions = {state for state, _ in table}
    error = max(abs(table[start, move] - value_after(start, move)) for move in moves(start))
    print(f"{len(positions)} positions, {episodes} episodes, greatest error {error:.4f}")
    return 0 if error < 0.05 else 1


if __name__ == "__main__":
    raise SystemExit(main())
