"""Two agents in the PettingZoo environment of Azul: one plays at random, the other uses its observation.

python examples/agents.py --games 20
"""

import argparse
import random

import numpy

from tessella.fast.azul.moves import FLOOR, take_colour, take_line, take_source
from tessella.games import azul
from tessella.research import ENCODINGS, fields
from tessella.research.pettingzoo import TableEnv

PLACES = {field.name: (place, field) for field, place in fields.places(ENCODINGS["azul"].fields(azul.Config()))}


def read(seen, name):
    """Return a field of an observation, with its axes."""
    place, field = PLACES[name]
    return seen[place].reshape([length for _, length in field.axes]).astype(int)


def any_action(seen, mask, rng):
    """Return a random legal action."""
    return rng.choice(mask.nonzero()[0])


def greedy_action(seen, mask, rng):
    """Return the action that best fills lines, completes them and drops nothing; ties at random."""
    offer = numpy.vstack([read(seen, "factories"), read(seen, "centre")])
    held = read(seen, "seat+0 lines").sum(axis=1)

    def value(action):
        source, colour, line = take_source(action), take_colour(action), take_line(action)
        tiles = offer[source, colour]
        room = 0 if line == FLOOR else line + 1 - held[line]
        return min(tiles, room) + 2 * (0 < room <= tiles) - 2 * max(0, tiles - room) + rng.random() / 2

    return max(mask.nonzero()[0], key=value)


def play(env, agents, seed, rng):
    """Play one game and return the reward of each seat."""
    env.reset(seed=seed)
    gained = []
    for name in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        if ended:
            gained.append((name, reward))
            env.step(None)
        else:
            agent = agents[env.possible_agents.index(name)]
            env.step(int(agent(seen["observation"], seen["action_mask"], rng)))
    return [reward for _, reward in sorted(gained)]


def main():
    """Play some games, swapping the seats after each."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=20)
    games = options.parse_args().games
    env, rng, won = TableEnv("azul"), random.Random(1), 0.0
    for game in range(games):
        mine = game % 2
        agents = [greedy_action, any_action] if mine == 0 else [any_action, greedy_action]
        won += (play(env, agents, game, rng)[mine] + 1) / 2
    print(f"the greedy agent won {won:g} of {games} games against the random one")


if __name__ == "__main__":
    main()
