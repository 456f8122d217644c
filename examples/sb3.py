"""PPO with action masks on Azul, with Stable-Baselines3: one seat learns against a bot.

pip install sb3-contrib
python examples/sb3.py --steps 60000 --opponent random --out ppo.zip
PYTHONPATH=examples POLICY=ppo.zip tessella arena azul sb3:player random --games 200
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
from tessella.research import ENCODINGS, fields
from tessella.research.gymnasium import SoloEnv

MOST = numpy.array(fields.most(ENCODINGS["azul"].fields(azul.Config())), numpy.float32)
GAMES = 100
"""Games to measure the strength of the policy."""


def table(opponent):
    """Return the environment, with observations scaled to 0 … 1."""
    return ActionMasker(RescaleObservation(SoloEnv("azul", opponent=opponent), 0.0, 1.0), masks)


def masks(env):
    """Return the action mask."""
    return env.unwrapped.action_masks()


def win_rate(model, opponent, games):
    """Return the win rate of the deterministic policy."""
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
    """Return the policy as a bot, for `tessella arena`."""
    model = MaskablePPO.load(os.environ["POLICY"], device="cpu")

    def choose(view, budget, rng):
        here = from_state(game.imagine(view, rng))
        allowed = numpy.zeros(here.width, bool)
        allowed[here.moves()] = True
        seen = (ENCODINGS["azul"].observe(view) / MOST).astype(numpy.float32)
        action, _ = model.predict(seen, action_masks=allowed, deterministic=True)
        return here.to_move(int(action))

    return choose


def main():
    """Train, and print the win rate before and after."""
    options = argparse.ArgumentParser(description="PPO on Azul against a bot")
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
    before = win_rate(model, chosen.opponent, chosen.games)
    model.learn(chosen.steps)
    model.save(chosen.out)
    after = win_rate(model, chosen.opponent, chosen.games)
    print(f"against {chosen.opponent}: {before:.0%} of the games won before, {after:.0%} after {chosen.steps:,} steps")


if __name__ == "__main__":
    main()
