"""A policy in plain NumPy that imitates a bot: read a data set, fit a small net, and play with it.

tessella dataset azul 4 4 --games 1000 --out azul.parquet
python examples/imitate.py azul.parquet --out policy.npz
PYTHONPATH=examples POLICY=policy.npz tessella arena azul imitate:player random --games 200
"""

import argparse
import os
from pathlib import Path

import numpy

from tessella.fast.azul import from_state
from tessella.games import azul
from tessella.research import ENCODINGS, dataset, fields

ENCODING = ENCODINGS["azul"]
MOST = numpy.array(fields.most(ENCODING.fields(azul.Config())), numpy.float32)
HIDDEN, BATCH, RATE = 128, 256, 1e-3


class Net:
    """A net with one hidden layer and a logit per action."""

    def __init__(self, weights):
        self.weights = weights

    @classmethod
    def new(cls, seen, actions, rng):
        """Return a net with small random weights."""
        first = rng.normal(0, (2 / seen) ** 0.5, (seen, HIDDEN)).astype(numpy.float32)
        second = rng.normal(0, 0.01, (HIDDEN, actions)).astype(numpy.float32)
        zeros = numpy.zeros(HIDDEN, numpy.float32), numpy.zeros(actions, numpy.float32)
        return cls([first, zeros[0], second, zeros[1]])

    def __call__(self, seen):
        """Return the logits, and the hidden layer."""
        first, bias, second, last = self.weights
        hidden = numpy.maximum(seen @ first + bias, 0)
        return hidden @ second + last, hidden

    def gradients(self, seen, actions):
        """Return the gradients of the cross-entropy, and how often the action was the likeliest."""
        logits, hidden = self(seen)
        chances = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        right = float((chances.argmax(axis=1) == actions).mean())
        chances[numpy.arange(len(actions)), actions] -= 1
        chances /= len(actions)
        back = chances @ self.weights[2].T * (hidden > 0)
        return [seen.T @ back, back.sum(axis=0), hidden.T @ chances, chances.sum(axis=0)], right


def fit(net, seen, actions, epochs, rng):
    """Train with Adam over shuffled batches."""
    means, squares = ([numpy.zeros_like(it) for it in net.weights] for _ in range(2))
    step = 0
    for epoch in range(epochs):
        rights = []
        for batch in numpy.array_split(rng.permutation(len(seen)), max(1, len(seen) // BATCH)):
            gradients, right = net.gradients(seen[batch], actions[batch])
            step += 1
            for place, gradient in enumerate(gradients):
                means[place] += 0.1 * (gradient - means[place])
                squares[place] += 0.001 * (gradient**2 - squares[place])
                size = numpy.sqrt(squares[place] / (1 - 0.999**step)) + 1e-8
                net.weights[place] -= RATE * means[place] / (1 - 0.9**step) / size
            rights.append(right)
        print(f"epoch {epoch + 1}: the same move in {numpy.mean(rights):.0%} of the decisions")


def player(game):
    """Return the policy as a bot, for `tessella arena` and for `Table.ask`."""
    weights = numpy.load(os.environ["POLICY"])
    net = Net([weights[name] for name in weights.files])

    def choose(view, budget, rng):
        table = from_state(game.imagine(view, rng))
        logits, _ = net(ENCODING.observe(view)[None] / MOST)
        return table.to_move(max(table.moves(), key=lambda action: logits[0, action]))

    return choose


def main():
    """Train on a file of decisions."""
    options = argparse.ArgumentParser(description="learn a policy from a data set of two-player Azul")
    options.add_argument("file", type=Path)
    options.add_argument("--epochs", type=int, default=12)
    options.add_argument("--out", type=Path, default=Path("policy.npz"))
    chosen = options.parse_args()
    blocks = list(dataset.blocks(chosen.file))
    seen = numpy.concatenate([block["seen"] for block in blocks]) / MOST
    actions = numpy.concatenate([block["action"] for block in blocks]).astype(int)
    rng = numpy.random.default_rng(1)
    net = Net.new(seen.shape[1], 180, rng)
    fit(net, seen.astype(numpy.float32), actions, chosen.epochs, rng)
    numpy.savez(chosen.out, *net.weights)
    print(f"{len(seen):,} decisions; the policy is in {chosen.out}")


if __name__ == "__main__":
    main()
