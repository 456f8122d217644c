"""A small loop like AlphaZero's on Azul, in NumPy: search with a net, play itself, and train the net on the search.

python examples/alphazero.py --moves 200000 --out alphazero.npz
PYTHONPATH=examples POLICY=alphazero.npz tessella arena azul alphazero:player 2 --games 100     # with search
PYTHONPATH=examples POLICY=alphazero.npz tessella arena azul alphazero:policy 2 --games 100     # the net alone
"""

import argparse
import os
from collections import deque

import numpy
from baseline import Adam, Curve, Net, add_options, scale_of
from baseline import player as policy

from tessella.games import azul
from tessella.research import BatchEnv, fields

__all__ = ["player", "policy"]
TABLES, SIMULATIONS, MOVES = 128, 24, 32
"""Tables side by side, searches per move, and moves at each table between two rounds of training."""
PLAY_SIMULATIONS = 32
"""Searches per move in the arena."""
EXPLORATION, NOISE, NOISE_SHARE = 1.5, 0.3, 0.25
"""PUCT's constant, and the Dirichlet noise at the root of a game against itself."""
KEPT, BATCH, RATE, REUSE = 60_000, 512, 1e-3, 3
"""Moves to learn from, moves per batch, the learning rate, and how often a move is used on average."""
OPENING = 12
"""Moves of a game that are drawn by their visits; later ones are the most visited."""
POINTS = 6
"""Points of the curve after the first."""
ROUND = next(place for field, place in fields.places(BatchEnv("azul", 1).fields) if field.name == "round").start


class Search:
    """PUCT at many tables at once, over arrays of [table, node, action].

    The tree ends where a game ends or tiles are dealt: each visit deals anew, so no search relies on one deal.
    """

    def __init__(self, net, tables, simulations, rng):
        self.net, self.simulations, self.rng = net, simulations, rng
        self.env, self.scale, self.each = BatchEnv("azul", tables), scale_of("azul"), numpy.arange(tables)
        size = tables, simulations + 1
        self.visits, self.totals, self.priors = (
            numpy.zeros((*size, self.env.masks.shape[1]), numpy.float32) for _ in range(3)
        )
        self.children = numpy.zeros((*size, self.env.masks.shape[1]), numpy.int16)
        self.seats, self.rounds = (numpy.zeros(size, numpy.uint8) for _ in range(2))
        self.saved = numpy.zeros((*size, self.env.save().shape[1]), numpy.uint8)

    def run(self, rows, *, noisy):
        """Return the visits of each action at the root, and the value of the root for its mover."""
        for array in (self.visits, self.totals, self.children):
            array.fill(0)
        self.env.load(rows)
        self._add(0)
        if noisy:
            self._add_noise()
        for node in range(1, self.simulations + 1):
            self._simulate(node)
        visits = self.visits[:, 0]
        return visits, self.totals[:, 0].sum(axis=1) / visits.sum(axis=1)

    def _add(self, node):
        """Add what is on the tables as a node; return its value for seat 0."""
        chances, values = self.net(self.env.observations / self.scale, self.env.masks)
        self.priors[:, node] = chances
        self.seats[:, node] = self.env.seats
        self.rounds[:, node] = self.env.observations[:, ROUND]
        self.saved[:, node] = self.env.save()
        return numpy.where(self.env.seats == 0, values, -values)

    def _add_noise(self):
        legal = self.priors[:, 0] > 0
        noise = self.rng.gamma(NOISE, size=legal.shape) * legal + 1e-9 * legal
        noise /= noise.sum(axis=1, keepdims=True)
        self.priors[:, 0] = (1 - NOISE_SHARE) * self.priors[:, 0] + NOISE_SHARE * noise

    def _simulate(self, node):
        """Go down every tree to a move without a node, add it, and count its value on the way back."""
        path = self._descend()
        parents, actions = self._ends(path)
        self.env.load(self.saved[self.each, parents])
        self.env.step(actions)
        won = self.env.rewards[:, 0].copy()
        over = self.env.over.astype(bool)
        values = numpy.where(over, won, self._add(node))
        within = ~over & (self.rounds[:, node] == self.rounds[self.each, parents])
        self.children[self.each, parents, actions] = numpy.where(within, node, 0)
        for at, action, active in path:
            signs = numpy.where(self.seats[self.each, at] == 0, 1.0, -1.0)
            self.visits[self.each, at, action] += active
            self.totals[self.each, at, action] += active * signs * values

    def _descend(self):
        """Return the steps of every tree: nodes, actions, and which trees still take part."""
        at, active, path = numpy.zeros_like(self.each), numpy.ones(len(self.each), bool), []
        while active.any():
            action = self._select(at)
            path.append((at, action, active))
            after = self.children[self.each, at, action]
            active = active & (after > 0)
            at = numpy.where(active, after, at)
        return path

    def _ends(self, path):
        """Return the last step of every tree."""
        parents, actions = path[0][0].copy(), path[0][1].copy()
        for at, action, active in path[1:]:
            parents[active], actions[active] = at[active], action[active]
        return parents, actions

    def _select(self, at):
        visits, priors = self.visits[self.each, at], self.priors[self.each, at]
        values = self.totals[self.each, at] / numpy.maximum(visits, 1)
        tried = numpy.sqrt(visits.sum(axis=1, keepdims=True) + 1)
        scores = values + EXPLORATION * priors * tried / (1 + visits)
        return numpy.where(priors > 0, scores, -numpy.inf).argmax(axis=1)


class SelfPlay:
    """Many games of the net against itself; the moves of finished games are kept to learn from."""

    def __init__(self, net, seed, rng):
        self.env, self.rng = BatchEnv("azul", TABLES, seed=seed), rng
        self.search = Search(net, TABLES, SIMULATIONS, rng)
        self.waiting = [[] for _ in range(TABLES)]
        self.kept = deque(maxlen=KEPT)
        self.games = 0

    def play(self):
        """Make a move at every table; return how many moves were kept."""
        visits, values = self.search.run(self.env.save(), noisy=True)
        chances = visits / visits.sum(axis=1, keepdims=True)
        seen, masks, seats = self.env.observations.copy(), self.env.masks.astype(bool), self.env.seats.copy()
        for table, moves in enumerate(self.waiting):
            moves.append((seen[table], masks[table], chances[table].copy(), seats[table], values[table]))
        self.env.step(self._actions(chances))
        return sum(self._keep(table) for table in self.env.over.nonzero()[0])

    def _actions(self, chances):
        drawn = [self.rng.choice(len(row), p=row / row.sum()) for row in chances.astype(float)]
        early = [len(moves) <= OPENING for moves in self.waiting]
        return numpy.where(early, drawn, chances.argmax(axis=1))

    def _keep(self, table):
        """Keep the moves of a finished game; a target is half the result, half what the search expected."""
        rewards = self.env.rewards[table]
        moves = self.waiting[table]
        self.kept.extend((*rest, (rewards[seat] + value) / 2) for *rest, seat, value in moves)
        self.waiting[table] = []
        self.games += 1
        return len(moves)


def train(net, optimiser, kept, batches, rng):
    """Train the net on moves drawn from those kept."""
    scale = scale_of("azul")
    for _ in range(batches):
        drawn = [kept[place] for place in rng.integers(len(kept), size=BATCH)]
        seen, masks, targets, rewards = (numpy.stack(column) for column in zip(*drawn, strict=True))
        chances, values, layers = net.forward(seen / scale, masks)
        errors = (values - rewards).astype(numpy.float32)
        optimiser.step(net.backward(layers, values, (chances - targets) / BATCH, errors / BATCH))


def player(game):
    """Return the search with the net in the file POLICY as a bot."""
    search = Search(Net.load(os.environ["POLICY"]), 1, PLAY_SIMULATIONS, None)

    def choose(view, budget, rng):
        search.env.load_states([game.imagine(view, rng)])
        table = search.env.at(0)
        visits, _ = search.run(search.env.save(), noisy=False)
        return table.to_move(int(visits[0].argmax()))

    return choose


def main():
    """Play and train in turns."""
    options = argparse.ArgumentParser(description="a small AlphaZero on two-player Azul")
    options.add_argument("--moves", type=int, default=200_000, help="moves of its own games to learn from")
    options.add_argument("--searched", type=int, default=100, help="games per level with search at the end (100)")
    add_options(options, "alphazero")
    chosen = options.parse_args()
    assert chosen.title == azul.NAME, "the search knows everything at the table, as only players of Azul do"
    rng = numpy.random.default_rng(chosen.seed)
    command = f"python examples/alphazero.py --moves {chosen.moves} --seed {chosen.seed} --out alphazero.npz"
    curve = Curve(chosen, command, "policy")
    net = Net.new("azul", rng)
    optimiser, own = Adam(net, RATE), SelfPlay(net, chosen.seed, rng)
    rounds = max(1, chosen.moves // (TABLES * MOVES))
    curve.add(net, games=0)
    for number in range(1, rounds + 1):
        new = sum(own.play() for _ in range(MOVES))
        train(net, optimiser, own.kept, REUSE * new // BATCH, rng)
        if number % max(1, rounds // POINTS) == 0 or number == rounds:
            curve.add(net, games=own.games)
    searched = curve.measure("alphazero:player", chosen.searched) if chosen.searched else {}
    curve.write(chosen.final, searched_games=chosen.searched, searched=searched)
    print(f"the net is in {chosen.out}")


if __name__ == "__main__":
    main()
