"""PPO with action masks on Azul, by Stable-Baselines3: one seat learns against a computer player.

pip install sb3-contrib
python examples/ppo.py --steps 60000 --opponent random --out ppo.zip
PYTHONPATH=examples POLICY=ppo.zip tessella arena azul ppo:player random --games 200
"""

import argparse
import os
from pathlib import Path

import numpy
from gymnasium.wrappers import RescaleObservation
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

from tessella.fast.azul import from_state
from tessella.games import azul
from tessella.research import SIGHTS, fields
from tessella.research.gymnasium import SoloEnv

MOST = numpy.array(fields.most(SIGHTS["azul"].fields(azul.Config())), numpy.float32)
GAMES = 100
"""So many games tell how strong the policy is."""


def table(opponent):
    """One seat at a table, its observations between 0 and 1."""
    return ActionMasker(RescaleObservation(SoloEnv("azul", opponent=opponent), 0.0, 1.0), masks)


def masks(env):
    """What is allowed now."""
    return env.unwrapped.action_masks()


def share_of_wins(model, opponent, games):
    """Play without exploring."""
    env, won = table(opponent), 0.0
    for game in range(games):
        seen, _ = env.reset(seed=game)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=masks(env), deterministic=True)
            seen, reward, over, _, _ = env.step(action)
        won += (reward + 1) / 2
    return won / games


def player(game):
    """The policy as a computer player, for `tessella arena`."""
    model = MaskablePPO.load(os.environ["POLICY"], device="cpu")

    def choose(view, budget, rng):
        here = from_state(game.imagine(view, rng))
        allowed = numpy.zeros(here.width, bool)
        allowed[here.moves()] = True
        seen = (SIGHTS["azul"].observe(view) / MOST).astype(numpy.float32)
        action, _ = model.predict(seen, action_masks=allowed, deterministic=True)
        return here.to_move(int(action))

    return choose


def main():
    """Learn, and say how often the policy wins before and after."""
    options = argparse.ArgumentParser(description="PPO on Azul against a computer player")
    options.add_argument("--steps", type=int, default=60_000)
    options.add_argument("--opponent", default="random")
    options.add_argument("--games", type=int, default=GAMES)
    options.add_argument("--out", type=Path, default=Path("ppo.zip"))
    chosen = options.parse_args()
    model = MaskablePPO(
        "MlpPolicy",
        table(chosen.opponent),
        n_steps=min(2048, chosen.steps),
        batch_size=min(256, chosen.steps),
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        device="cpu",
        seed=1,
    )
    before = share_of_wins(model, chosen.opponent, chosen.games)
    model.learn(chosen.steps)
    model.save(chosen.out)
    after = share_of_wins(model, chosen.opponent, chosen.games)
    print(f"against {chosen.opponent}: {before:.0%} of the games won before, {after:.0%} after {chosen.steps:,} steps")


if __name__ == "__main__":
    main()
