"""PPO in plain NumPy: a net plays both seats of many tables, and learns from who won.

python examples/ppo.py --steps 2000000 --out ppo.npz
PYTHONPATH=examples POLICY=ppo.npz tessella arena azul ppo:player random --games 200
"""

import argparse

import numpy
from baseline import Adam, Curve, Net, add_options, player, scale_of

from tessella.research import BatchEnv

__all__ = ["player"]
TABLES, HORIZON = 128, 64
"""Tables side by side, and moves at each between two updates."""
EPOCHS, BATCH, RATE = 3, 1024, 1e-3
CLIP, SMOOTHING, ENTROPY, VALUE = 0.2, 0.95, 0.01, 0.5
"""The clipped ratio, GAE's λ, and the weights of the entropy and of the value's error."""
POINTS = 8
"""Points of the curve after the first."""


def sample(chances, rng):
    """Return an action per row, drawn by its probability."""
    ladder = chances.cumsum(axis=1)
    actions = (ladder < rng.random((len(chances), 1)) * ladder[:, -1:]).sum(axis=1)
    return numpy.where(chances[numpy.arange(len(chances)), actions] > 0, actions, chances.argmax(axis=1))


def collect(env, net, scale, rng):
    """Play HORIZON moves at every table; return arrays of [move, table], and the values of what follows."""
    rows = []
    for _ in range(HORIZON):
        seen, masks, seats = env.observations / scale, env.masks.astype(bool), env.seats.copy()
        chances, values = net(seen, masks)
        actions = sample(chances, rng)
        env.step(actions)
        places = numpy.arange(env.tables)
        same = numpy.where(env.over, 0.0, numpy.where(env.seats == seats, 1.0, -1.0))
        rows.append((seen, masks, actions, chances[places, actions], values, env.rewards[places, seats].copy(), same))
    return [numpy.stack(column) for column in zip(*rows, strict=True)], net(env.observations / scale, env.masks)[1]


def advantages(values, rewards, same, after):
    """Return how much better each move did than its value (GAE), seen by its mover.

    `same` is 1 where the mover is to move again, −1 where the other is, 0 where the game ended. What is good for the
    other is bad for the mover, so its value and advantage change sign.
    """
    found = numpy.zeros_like(values)
    later = numpy.zeros_like(after)
    for move in reversed(range(len(values))):
        error = rewards[move] + same[move] * after - values[move]
        later = error + SMOOTHING * same[move] * later
        found[move], after = later, values[move]
    return found


def update(net, optimiser, rows, gains, rng):
    """Improve the net by a few epochs over the moves."""
    seen, masks, actions, old, values = (column.reshape(-1, *column.shape[2:]) for column in rows[:5])
    gains = gains.ravel()
    targets = gains + values
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for batch in numpy.array_split(rng.permutation(len(seen)), max(1, len(seen) // BATCH)):
            chances, now, layers = net.forward(seen[batch], masks[batch])
            on_logits = policy_gradient(chances, actions[batch], old[batch], gains[batch])
            on_values = VALUE * (now - targets[batch])
            optimiser.step(net.backward(layers, now, on_logits / len(batch), on_values / len(batch)))


def policy_gradient(chances, actions, old, gains):
    """Return the gradient on the logits of PPO's clipped loss, less the bonus for entropy."""
    places = numpy.arange(len(actions))
    ratios = chances[places, actions] / old
    moved = numpy.where(gains > 0, ratios < 1 + CLIP, ratios > 1 - CLIP)
    weights = (gains * ratios * moved)[:, None]
    logs = numpy.log(numpy.maximum(chances, 1e-12))
    entropies = -(chances * logs).sum(axis=1, keepdims=True)
    on_logits = weights * chances + ENTROPY * chances * (logs + entropies)
    on_logits[places, actions] -= weights[:, 0]
    return on_logits.astype(numpy.float32)


def main():
    """Train by self-play."""
    options = argparse.ArgumentParser(description="PPO by self-play of two players")
    options.add_argument("--steps", type=int, default=2_000_000, help="moves to learn from")
    add_options(options, "ppo")
    chosen = options.parse_args()
    rng = numpy.random.default_rng(chosen.seed)
    command = f"python examples/ppo.py --title {chosen.title} --steps {chosen.steps} --seed {chosen.seed} --out ppo.npz"
    curve, scale = Curve(chosen, command), scale_of(chosen.title)
    net = Net.new(chosen.title, rng)
    optimiser, env = Adam(net, RATE), BatchEnv(chosen.title, TABLES, "seats=2", seed=chosen.seed)
    updates = max(1, chosen.steps // (TABLES * HORIZON))
    curve.add(net, steps=0)
    for number in range(1, updates + 1):
        optimiser.rate = RATE * (1 - (number - 1) / updates)
        rows, after = collect(env, net, scale, rng)
        update(net, optimiser, rows, advantages(*rows[4:], after), rng)
        if number % max(1, updates // POINTS) == 0 or number == updates:
            curve.add(net, steps=number * TABLES * HORIZON)
    curve.write(chosen.final)
    print(f"the policy is in {chosen.out}")


if __name__ == "__main__":
    main()
