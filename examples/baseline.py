"""What the learners share: a small net in NumPy, its optimiser, its player, and the curve of what it reaches.

`imitate.py`, `ppo.py` and `alphazero.py` train a net; each writes its weights to a file and its learning curve to
another. POLICY names the file of weights when the net plays: POLICY=ppo.npz tessella arena azul ppo:player 1
"""

import json
import os
import platform
import time
from itertools import pairwise
from pathlib import Path

import numpy

from tessella.arena.contest import Contest
from tessella.arena.results import ResultFile
from tessella.arena.run import run
from tessella.arena.strength import share_of_groups
from tessella.core.record import write_rules
from tessella.games import GAMES
from tessella.research import ENCODINGS, fields

HIDDEN = 256, 128
LEVELS = "1", "2", "3", "4"
"""The rivals against which every learner is measured."""
ARENA_SEED = 7
LARGEST_STEP = 1.0
"""The norm to which larger gradients are cut."""


def scale_of(title):
    """Return the largest value of each number of an observation: dividing by it brings them to 0 … 1."""
    return numpy.array(fields.most(ENCODINGS[title].fields(GAMES[title].Config(seats=2))), numpy.float32)


class Net:
    """Two hidden layers; then a probability for every legal action, and a value from −1 to 1 for the seat to move."""

    def __init__(self, weights):
        self.weights = weights

    @classmethod
    def new(cls, title, rng):
        """Return a net for two players with small random weights."""
        actions = ENCODINGS[title].table(GAMES[title].Config(seats=2), 1).width
        sizes = [len(scale_of(title)), *HIDDEN]
        layers = [_layer(rng, *pair, (2 / pair[0]) ** 0.5) for pair in pairwise(sizes)]
        layers += [_layer(rng, HIDDEN[-1], actions, 0.01), _layer(rng, HIDDEN[-1], 1, 0.01)]
        return cls([array for layer in layers for array in layer])

    @classmethod
    def load(cls, path):
        """Return the net of a file."""
        file = numpy.load(path)
        return cls([file[name] for name in file.files])

    def save(self, path):
        """Write the net to a file."""
        numpy.savez_compressed(path, *self.weights)

    def __call__(self, seen, masks):
        """Return the probabilities and the values; `seen` is scaled, and masks are 1 where an action is legal."""
        return self.forward(seen, masks)[:2]

    def forward(self, seen, masks):
        """Return the probabilities, the values, and the layers that `backward` needs."""
        first, bias, second, other, policy, prior, value, mean = self.weights
        low = numpy.maximum(seen @ first + bias, 0)
        high = numpy.maximum(low @ second + other, 0)
        logits = numpy.where(masks, high @ policy + prior, -numpy.inf)
        chances = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return chances, numpy.tanh(high @ value + mean)[:, 0], (seen, low, high)

    def backward(self, layers, values, on_logits, on_values):
        """Return the gradients of the weights, given those of the loss on the logits and on the values."""
        seen, low, high = layers
        policy, value, second = self.weights[4], self.weights[6], self.weights[2]
        on_means = (on_values * (1 - values**2))[:, None]
        to_high = (on_logits @ policy.T + on_means @ value.T) * (high > 0)
        to_low = to_high @ second.T * (low > 0)
        pairs = (seen, to_low), (low, to_high), (high, on_logits), (high, on_means)
        return [array for inside, error in pairs for array in (inside.T @ error, error.sum(axis=0))]


def _layer(rng, inside, outside, spread):
    weights = rng.normal(0, spread, (inside, outside)).astype(numpy.float32)
    return weights, numpy.zeros(outside, numpy.float32)


class Adam:
    """The optimiser of the same name, with gradients cut to a largest norm."""

    def __init__(self, net, rate):
        self.net = net
        self.rate = rate
        self._means, self._squares = ([numpy.zeros_like(it) for it in net.weights] for _ in range(2))
        self._steps = 0

    def step(self, gradients):
        """Move the weights a little against the gradients."""
        self._steps += 1
        norm = numpy.sqrt(sum(float((it**2).sum()) for it in gradients))
        cut = min(1.0, LARGEST_STEP / (norm + 1e-8))
        for place, gradient in enumerate(gradients):
            self._means[place] += 0.1 * (cut * gradient - self._means[place])
            self._squares[place] += 0.001 * ((cut * gradient) ** 2 - self._squares[place])
            size = numpy.sqrt(self._squares[place] / (1 - 0.999**self._steps)) + 1e-8
            self.net.weights[place] -= self.rate * self._means[place] / (1 - 0.9**self._steps) / size


def player(game):
    """Return the likeliest legal move of the net in the file POLICY as a bot, for the arena and the benchmark."""
    net, scale = Net.load(os.environ["POLICY"]), scale_of(game.NAME)

    def choose(view, budget, rng):
        table = ENCODINGS[game.NAME].from_state(game.imagine(view, rng))
        mask = numpy.zeros((1, table.width), bool)
        mine = [move for move in table.moves() if table.to_move(move).seat == view.seat]  # several may be asked at once
        mask[0, mine] = True
        chances, _ = net(ENCODINGS[game.NAME].observe(view)[None] / scale, mask)
        return table.to_move(int(chances[0].argmax()))

    return choose


def measure(title, name, level, games):
    """Return the share of the games that a player wins against a level, with its 95 % interval."""
    rules = write_rules(GAMES[title], GAMES[title].Config(seats=2))
    groups = run(Contest(rules, ARENA_SEED, (name, level), games), ResultFile(), map)
    shares = [[result.share(result.fixture.players.index(name)) for result in group] for group in groups]
    return share_of_groups(shares)


class Curve:
    """What a learner reaches as it learns; the time that goes into measuring is not counted."""

    def __init__(self, options, command, maker="player", **about):
        self._options = options
        self._name = options.prog
        self._player = f"{self._name}:{maker}"
        self._points = []
        self._about = {"learner": self._name, "title": options.title, "command": command, **about}
        self._began = time.process_time()
        self._measuring = 0.0

    @property
    def seconds(self):
        """The CPU time of learning so far."""
        return time.process_time() - self._began - self._measuring

    def add(self, net, **numbers):
        """Save the net, measure it, and add a point to the curve."""
        seconds, began = self.seconds, time.process_time()
        net.save(self._options.out)
        levels = self.measure(self._player, self._options.games)
        self._points.append({"seconds": round(seconds, 1), **numbers, "levels": levels})
        won = ", ".join(f"{100 * share['value']:.0f} % v {level}" for level, share in levels.items())
        said = ", ".join(f"{name} {number}" for name, number in numbers.items())
        print(f"{seconds:5.0f} s, {said}: {won}", flush=True)
        self._measuring += time.process_time() - began

    def write(self, final_games, **numbers):
        """Measure the last net in more games, and write the file."""
        found = {
            **self._about,
            **numbers,
            "seconds": self._points[-1]["seconds"],
            "python": platform.python_version(),
            "games": self._options.games,
            "points": self._points,
            "final_games": final_games,
            "final": self.measure(self._player, final_games),
        }
        for level, share in found["final"].items():
            spread = f"[{100 * share['low']:.0f}–{100 * share['high']:.0f}]"
            print(f"against level {level}: {100 * share['value']:.0f} % {spread} of {final_games} games")
        if self._options.curve:
            self._options.curve.write_text(json.dumps(found, indent=1) + "\n", "utf-8")

    def measure(self, name, games):
        """Return the shares of the games that a player with this net wins against every level."""
        os.environ["POLICY"] = str(self._options.out)
        shares = {level: measure(self._options.title, name, level, games) for level in LEVELS}
        return {level: _rounded(share) for level, share in shares.items()}


def _rounded(share):
    return {name: round(getattr(share, name), 4) for name in share.__struct_fields__}


def add_options(parser, name):
    """Add the options that every learner has."""
    parser.set_defaults(prog=name)
    parser.add_argument("--title", choices=[*ENCODINGS], default="azul")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(f"{name}.npz"), help="file of the weights")
    parser.add_argument("--curve", type=Path, metavar="FILE.json", help="write the learning curve")
    parser.add_argument("--games", type=int, default=40, help="games per level at each point of the curve (40)")
    parser.add_argument("--final", type=int, default=200, help="games per level at the end (200)")
