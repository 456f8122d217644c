"""A sanity check: tabular Q-learning on the end of a round of Azul, compared with the exact solution.

Two players draft the last tiles of a round; the reward is the lead after the walls are tiled. There are few enough
positions to search them all, so we know the value of perfect play, and a learner must find the same.

    python examples/tabular.py --episodes 4000
"""

import argparse
import random
from functools import cache

from tessella import research
from tessella.core.game import Choose
from tessella.games import azul

MOVES = 12
"""A bot plays the round until at most this many moves are legal."""


def tiny_position():
    """Return a position near the end of a first round."""
    table = research.table("azul", players=2, seed=1)
    while len(table.moves()) > MOVES:
        table.play(table.ask("3"))
    return table.state


def moves(state):
    """Return the moves of the seat to move; none when the round has been tiled."""
    turn = azul.turn(state)
    return azul.legal_moves(state, turn.seats[0]) if isinstance(turn, Choose) else []


def lead(state, seat):
    """Return the lead of a seat, in points."""
    return state.boards[seat].score - state.boards[1 - seat].score


@cache
def exact(state):
    """Return the lead of the seat to move under perfect play, by exhaustive search."""
    return max(value_after(state, move) for move in moves(state))


def value_after(state, move):
    """Return the value of a move to the mover."""
    after, _ = azul.apply(state, move)
    if not moves(after):
        return lead(after, move.seat)
    return exact(after) if azul.turn(after).seats[0] == move.seat else -exact(after)


def learn(start, episodes, rng):
    """Return the Q-values learned from random play: for each position and move, the value of the best answer."""
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
    """Learn, and compare with the exact solution."""
    options = argparse.ArgumentParser(description="tabular Q-learning, compared with the exact solution")
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
