"""Imitation: a small net in NumPy learns to move as a bot does, and is tested on games that it has not seen.

tessella dataset azul 4 4 --games 1500 --out azul.parquet
python examples/imitate.py azul.parquet --out imitate.npz
PYTHONPATH=examples POLICY=imitate.npz tessella arena azul imitate:player random --games 200
"""

import argparse
from pathlib import Path

import numpy
from baseline import Adam, Curve, Net, add_options, player, scale_of

from tessella.research import dataset

__all__ = ["player"]
BATCH, RATE = 256, 1e-3
POINTS = 4
"""Points of the curve after the first."""


def read(file, title):
    """Return the decisions of each split: observations, masks and actions."""
    blocks = list(dataset.blocks(file))
    splits = numpy.concatenate([block["split"] for block in blocks])
    columns = [numpy.concatenate([block[name] for block in blocks]) for name in ("seen", "mask", "action")]
    scaled = [columns[0] / scale_of(title), columns[1].astype(bool), columns[2].astype(int)]
    return {name: [column[splits == name] for column in scaled] for name in ("train", "validation", "test")}


def fit(net, decisions, optimiser, rng):
    """Train for an epoch over shuffled batches; return how often the teacher's move was the likeliest."""
    seen, masks, actions = decisions
    right = 0
    for batch in numpy.array_split(rng.permutation(len(seen)), max(1, len(seen) // BATCH)):
        chances, values, layers = net.forward(seen[batch], masks[batch])
        right += int((chances.argmax(axis=1) == actions[batch]).sum())
        chances[numpy.arange(len(batch)), actions[batch]] -= 1
        optimiser.step(net.backward(layers, values, chances / len(batch), numpy.zeros_like(values)))
    return right / len(seen)


def agreement(net, decisions):
    """Return how often the net's likeliest move is the teacher's."""
    seen, masks, actions = decisions
    parts = numpy.array_split(numpy.arange(len(seen)), max(1, len(seen) // 4096))
    right = sum(int((net(seen[part], masks[part])[0].argmax(axis=1) == actions[part]).sum()) for part in parts)
    return right / max(1, len(seen))


def commands(chosen):
    """Return what to type to make the data set and train on it again."""
    about = dataset.about(chosen.file)
    made = (
        f"tessella dataset {chosen.title} {' '.join(about['players'])} --games {about['games']} --seed {about['seed']}"
    )
    train = f"python examples/imitate.py data.parquet --title {chosen.title} --epochs {chosen.epochs}"
    return f"{made} --out data.parquet\n{train} --seed {chosen.seed} --out imitate.npz"


def main():
    """Train on a file of decisions."""
    options = argparse.ArgumentParser(description="learn a policy from a data set of games by two players")
    options.add_argument("file", type=Path)
    options.add_argument("--epochs", type=int, default=12)
    add_options(options, "imitate")
    chosen = options.parse_args()
    rng = numpy.random.default_rng(chosen.seed)
    curve = Curve(chosen, commands(chosen))
    splits = read(chosen.file, chosen.title)
    net = Net.new(chosen.title, rng)
    optimiser = Adam(net, RATE)
    curve.add(net, epoch=0)
    for epoch in range(1, chosen.epochs + 1):
        optimiser.rate = RATE * (1 - (epoch - 1) / chosen.epochs)
        trained = fit(net, splits["train"], optimiser, rng)
        held_out = agreement(net, splits["validation"])
        print(f"epoch {epoch}: the same move in {trained:.1%} of the decisions, in {held_out:.1%} of those held out")
        if epoch % max(1, chosen.epochs // POINTS) == 0 or epoch == chosen.epochs:
            curve.add(net, epoch=epoch, train=round(trained, 4), validation=round(held_out, 4))
    tested = agreement(net, splits["test"])
    print(f"{len(splits['train'][0]):,} decisions; the same move in {tested:.1%} of the test set")
    curve.write(chosen.final, decisions=len(splits["train"][0]), test=round(tested, 4))
    print(f"the policy is in {chosen.out}")


if __name__ == "__main__":
    main()
