"""Two agents at a PettingZoo table of Azul: one takes any action that is allowed, the other reads its observation.

python examples/agents.py --games 20
"""

import argparse
import random

import numpy

from tessella.games import azul
from tessella.research import SIGHTS, fields
from tessella.research.pettingzoo import TableEnv

PLACES = {field.name: (place, field) for field, place in fields.places(SIGHTS["azul"].fields(azul.Config()))}
FLOOR = 5


def read(seen, name):
    """A field of an observation, with its axes."""
    place, field = PLACES[name]
    return seen[place].reshape([length for _, length in field.axes]).astype(int)


def any_action(seen, mask, rng):
    """Any action that is allowed."""
    return rng.choice(mask.nonzero()[0])


def greedy_action(seen, mask, rng):
    """Fill lines, complete them if possible, and let nothing fall; among equals, any."""
    offer = numpy.vstack([read(seen, "factories"), read(seen, "centre")])
    held = read(seen, "seat+0 lines").sum(axis=1)

    def worth(action):
        source, colour, line = action // 30, action % 30 // 6, action % 6
        tiles = offer[source, colour]
        room = 0 if line == FLOOR else line + 1 - held[line]
        return min(tiles, room) + 2 * (0 < room <= tiles) - 2 * max(0, tiles - room) + rng.random() / 2

    return max(mask.nonzero()[0], key=worth)


def play(env, agents, seed, rng):
    """One game: what each seat gained."""
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
    """Let them play, with the seats swapped from game to game."""
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
