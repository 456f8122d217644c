"""The evaluation of a position of Blockers! by a learned net, in the middle of a game.

Each seat is encoded as 35 numbers: its groups and captures, the tiles that it has still to play, for how many of them
there is room beside its groups or a cell that joins some, how far the game is, who moves next. The net of that number
of players has 24 hidden ReLU units and direct weights from each input, and returns how well a seat stands; a softmax
over the seats makes chances of it.

A chance is half the win and half a softmax of the points, so that a lead counts for more than a bare win. In a finished
game it is exact.

The same file runs as plain Python and, with the types of evaluation.pxd, compiled. Compiled code does not check bounds.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from math import exp

    from tessella.fast.bits import bits_set, lowest
    from tessella.fast.blockers.constants import HOUSE_LOWER, HOUSE_UPPER, LOWER_ROWS, STAYING, UPPER_ROWS
    from tessella.fast.blockers.policy import PLAYS, WILD
    from tessella.fast.blockers.state import beside

    INPUTS = 35
    HIDDEN = 24
    GROUPS = 0
    MOST = 1
    TIES = 2
    CATCHES = 3
    TO_PLAY = 4
    PROGRESS = 5
    FREE = 6
    HOMES = 7
    TAKEN_HOMES = 12
    JOINS = 13
    JOINING = 14
    TAKEN_JOINS = 15
    BRIDGING = 16
    WILDS = 17
    HELD_HOMES = 18
    HELD_JOINING = 21
    HELD_TAKEN_JOINS = 22
    HELD_BRIDGING = 23
    HELD_WILDS = 24
    TILES = 25
    LOOSE = 26
    LONE = 27
    ROOM = 28
    TURN = 29
    LEAD = 30
    HELD_TAKEN_HOMES = 31
    DEAD = 32
    TIGHT = 33
    LARGEST = 34

from array import array

from tessella.fast.blockers.policy import RolloutPolicy

INPUT_NUMBERS = INPUTS
HIDDEN_NUMBERS = HIDDEN
WEIGHTS = INPUTS * HIDDEN + 2 * HIDDEN + INPUTS
"""Inputs to hidden, bias, hidden to output, inputs to output."""
FEW, MANY, CELLS = 0.25, 0.125, 0.0625
"""Units of the inputs: groups and tiles of a rack, other tiles, cells."""
WIN = 0.5
"""Part of a chance that is for the win; the rest depends on the points."""


class Evaluator:
    """The evaluation of the position of a rollout policy: the `chances` of each seat."""

    def __init__(self):
        """Without a net only finished games can be evaluated."""
        self.has_net = False
        self.weights = array("d")
        self.taken_upper = 0
        self.taken_lower = 0
        self.inputs = [0.0] * 35
        self.hidden = [0.0] * 24
        self.chances = [0.0] * 5
        self.keys = [0.0] * 5

    def load_net(self, weights):
        """Use the weights of the net for the number of players."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a net of Blockers! has {WEIGHTS} weights, not {len(weights)}")
        self.weights = weights
        self.has_net = True

    def inputs_of(self, table, seat):
        """Return the net's inputs for a seat."""
        policy = RolloutPolicy(table, [0.0] * 26, 0)
        self._prepare(policy, policy.table)
        self._encode(policy, policy.table, seat)
        return [self.inputs[place] for place in range(INPUTS)]

    def chances_of(self, table):
        """Return the chances of each seat by the net."""
        self._evaluate(RolloutPolicy(table, [0.0] * 26, 0))
        return [self.chances[seat] for seat in range(table.seats)]

    # Chances

    def _evaluate(self, policy):
        """Set the chances of each seat by the net."""
        self._prepare(policy, policy.table)
        for seat in range(policy.table.seats):
            self._encode(policy, policy.table, seat)
            self.chances[seat] = self._net_output()
        self._softmax(policy.table.seats)

    def _evaluate_end(self, policy):
        """BL21, BL22: set the chances of each seat in a finished game."""
        seats = policy.table.seats
        least = 1e9
        winners = 0
        for seat in range(seats):
            key = policy._standing(seat)
            if key < least:
                least = key
                winners = 0
            winners += key == least
            self.keys[seat] = key
            self.chances[seat] = -key
        self._softmax(seats)
        for seat in range(seats):
            self.chances[seat] *= 1.0 - WIN
            if self.keys[seat] == least:
                self.chances[seat] += WIN / winners

    def _softmax(self, seats):
        most = -1e9
        for seat in range(seats):
            most = max(most, self.chances[seat])
        total = 0.0
        for seat in range(seats):
            self.chances[seat] = exp(self.chances[seat] - most)
            total += self.chances[seat]
        for seat in range(seats):
            self.chances[seat] /= total

    # The net

    def _net_output(self):
        """Return the output of the net for the seat that was encoded last."""
        last = INPUTS * HIDDEN
        said = 0.0
        for unit in range(HIDDEN):
            self.hidden[unit] = self.weights[last + unit]
        for number in range(INPUTS):
            if self.inputs[number] != 0.0:
                self._add(self.inputs[number], HIDDEN * number)
                said += self.inputs[number] * self.weights[last + 2 * HIDDEN + number]
        for unit in range(HIDDEN):
            if self.hidden[unit] > 0.0:
                said += self.hidden[unit] * self.weights[last + HIDDEN + unit]
        return said

    def _add(self, times, first):
        for unit in range(HIDDEN):
            self.hidden[unit] += times * self.weights[first + unit]

    # Its inputs

    def _prepare(self, policy, table):
        """Find what all seats need: free cells, tiles that may be captured, how each seat stands."""
        policy._find_free()
        upper = lower = 0
        for colour in range(table.colours):
            upper |= table.upper[colour] & ~table.upper_stuck[colour]
            lower |= table.lower[colour] & ~table.lower_stuck[colour]
        self.taken_upper = upper & UPPER_ROWS
        self.taken_lower = lower & LOWER_ROWS
        for seat in range(table.seats):
            self.keys[seat] = policy._standing(seat)

    def _encode(self, policy, table, seat):
        """Write the inputs of the net for a seat."""
        for number in range(INPUTS):
            self.inputs[number] = 0.0
        self.inputs[PROGRESS] = 1.0 * table.plays_left / (PLAYS * table.colours)
        free = bits_set(policy.free_upper & UPPER_ROWS) + bits_set(policy.free_lower & LOWER_ROWS)
        self.inputs[FREE] = free / 81.0
        self.inputs[TURN] = 1.0 * ((seat + table.seats - table.current) % table.seats) / table.seats
        self._encode_standing(table, seat)
        colour = seat
        while colour < table.colours:
            self._encode_groups(policy, table, colour)
            self._encode_faces(policy, table, colour)
            colour += table.seats

    def _encode_standing(self, table, seat):
        """Encode captures, and the lead over the best of the others."""
        most = ties = 0
        for colour in range(5):
            count = table.caught_of[5 * seat + colour]
            if count > most:
                most = count
                ties = 0
            ties += count == most
        best = 1e9
        for other in range(table.seats):
            if other != seat:
                best = min(best, self.keys[other])
        self.inputs[MOST] = FEW * most
        self.inputs[TIES] = FEW * ties if most else 0.0
        self.inputs[CATCHES] = MANY * table.catches[seat]
        self.inputs[LEAD] = FEW * (best - self.keys[seat])

    def _encode_groups(self, policy, table, colour):
        """Encode the tiles of a colour on the board."""
        policy.counts_room = True
        policy._update_groups(colour)
        policy.counts_room = False
        upper = table.upper[colour] & UPPER_ROWS
        lower = table.lower[colour] & LOWER_ROWS
        loose = bits_set(upper & ~table.upper_stuck[colour]) + bits_set(lower & ~table.lower_stuck[colour])
        lone = bits_set(upper & ~beside(table.upper[colour])) + bits_set(lower & ~beside(table.lower[colour]))
        room = bits_set(policy.touch_upper[colour] & policy.free_upper & UPPER_ROWS)
        room += bits_set(policy.touch_lower[colour] & policy.free_lower & LOWER_ROWS)
        self.inputs[GROUPS] += FEW * policy.groups[colour]
        self.inputs[TILES] += CELLS * (bits_set(upper) + bits_set(lower))
        self.inputs[LOOSE] += MANY * loose
        self.inputs[LONE] += FEW * lone
        self.inputs[ROOM] += CELLS * room
        self.inputs[DEAD] += FEW * policy.dead
        self.inputs[TIGHT] += FEW * policy.tight
        self.inputs[LARGEST] += CELLS * policy.largest

    def _encode_faces(self, policy, table, colour):
        """Encode the tiles of a colour that are still to come: where they could go."""
        policy._find_room(colour)
        join_upper = policy.join_upper[colour] & policy.free_upper & UPPER_ROWS
        join_lower = policy.join_lower[colour] & policy.free_lower & LOWER_ROWS
        bridge_upper = policy.bridge_upper & policy.free_upper & ~join_upper & UPPER_ROWS
        bridge_lower = policy.bridge_lower & policy.free_lower & ~join_lower & LOWER_ROWS
        taken_upper = self.taken_upper & policy.touch_upper[colour]
        taken_lower = self.taken_lower & policy.touch_lower[colour]
        rack = table.rack[colour]
        faces = rack | table.supply[colour]
        self.inputs[TO_PLAY] += (table.unplayed[colour] - STAYING) / 24.0
        self.inputs[JOINS] += MANY * (bits_set(join_upper) + bits_set(join_lower))
        while faces:
            face = lowest(faces)
            held = rack >> face & 1
            faces &= faces - 1
            if face == WILD:
                self._mark(WILDS, HELD_WILDS, held)
            else:
                upper = HOUSE_UPPER[face]
                lower = HOUSE_LOWER[face]
                self._mark_homes(policy.choices[face], held)
                if policy.choices[face] == 0 and upper & taken_upper | lower & taken_lower:
                    self._mark(TAKEN_HOMES, HELD_TAKEN_HOMES, held)
                if upper & join_upper | lower & join_lower:
                    self._mark(JOINING, HELD_JOINING, held)
                if upper & taken_upper & policy.join_upper[colour] | lower & taken_lower & policy.join_lower[colour]:
                    self._mark(TAKEN_JOINS, HELD_TAKEN_JOINS, held)
                if upper & bridge_upper | lower & bridge_lower:
                    self._mark(BRIDGING, HELD_BRIDGING, held)

    def _mark_homes(self, choices, held):
        """Count a tile by the number of free cells beside its groups that it fits: none to four or more."""
        self.inputs[HOMES + choices] += MANY
        if held:
            self.inputs[HELD_HOMES + min(choices, 2)] += FEW

    def _mark(self, place, held_place, held):
        self.inputs[place] += MANY
        if held:
            self.inputs[held_place] += FEW
