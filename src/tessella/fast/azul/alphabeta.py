"""Alpha-beta search over the rest of a round of Azul.

Within a round nothing is hidden and nothing is left to chance, so the search ends at the end of the round. At its depth
limit every player takes the move with the best static score until nothing is left. Then the lines are tiled and the
boards are evaluated, by a net if there is one (`net`), otherwise by a heuristic (`evaluation`). With three or four
players all others are taken to play against the searcher, which is too pessimistic early in a round; use `mcts` for
them.

Expected scores are in hundredths of a point, values in millionths of a win. The same file runs as plain Python and,
with the types of alphabeta.pxd, compiled.
"""

try:
    import cython
except ImportError:
    from tessella.fast import _cython_shim as cython

if not cython.compiled:
    from tessella.fast.azul.constants import (
        EVERY_COLOUR,
        IN_CENTRE,
        LOWEST,
        ONE,
        ROUNDS,
    )
    from tessella.fast.azul.constants import PENALTY as PENALTIES
    from tessella.fast.azul.evaluation import INFINITE, START_VALUE
    from tessella.fast.azul.features import PAIR
    from tessella.fast.azul.moves import (
        FLOOR,
        encode_pair,
        encode_place,
        pair_colour,
        pair_source,
        take_source,
    )
    from tessella.fast.azul.policy import (
        EARLY,
        ELSEWHERE,
        FULL,
        MARKER,
        NEVER,
        PART,
        PENALTY,
        PENALTY_WEIGHT,
        ROUND,
        WEIGHTS,
    )
    from tessella.fast.azul.policy import FLOOR as FLOOR_WEIGHT
    from tessella.fast.bits import GOLDEN, WORD, bits_set, lowest
    from tessella.fast.clock import thread_time as thread_seconds

from tessella.fast.azul.evaluation import Evaluator
from tessella.fast.azul.rules import Azul
from tessella.fast.phases import DRAFTING, TILING

PLIES = 40
"""Upper bound on the moves of a round: each takes at least one of at most 36 tiles."""
MOVES = 336
UNDO_WORDS = 9
"""Number of words that a take changes."""
ENTRIES = 1 << 17
"""Size of the transposition table."""
CLOCK_NODES = 64
"""Nodes between two clock checks."""
EXACT = 0
AT_LEAST = 1
AT_MOST = 2
CACHED_BOARDS = 1 << 10
"""Size of the cache of boards at the end of the round."""
CACHE_SHIFT = 54
"""Shift that reduces a 64-bit hash to an index of that cache."""
FULL_DEPTH_MOVES = 4
"""Moves of a position that are searched to full depth; up to `REDUCED_MOVES` are first searched one ply less, later
ones two.
"""
REDUCED_MOVES = 12
NARROW_DEPTH = 12
"""Up to this depth a narrow search looks at the first moves only: `FEWEST_MOVES` and `MORE_MOVES` for each ply left."""
FEWEST_MOVES = 3
MORE_MOVES = 2
CUTOFF_VALUE = 1000
"""Bonus in the order of moves for the last move that led to a cutoff at the same ply; half of it for the one before."""
MOST_CUTOFFS = 400
"""Largest bonus for all cutoffs of a move in this search, each weighted by the square of its depth."""
LINE_SCORES = 1000
"""Static scores of a seat's lines: for each line, colour and number of tiles on it, eight for 0 to 5 tiles more."""
COMPLETE = 99
"""Depth of an entry that was searched to the end of the round."""

# Static scores, in hundredths of a point.
STARTED_PERCENT = 50
"""Weight of a started line in %: it may never be completed."""

if not cython.compiled:

    def encode_entry(value: int, move: int, depth: int, bound: int) -> int:
        """Return a transposition entry as one word."""
        return (value + INFINITE) << 32 | move << 16 | depth << 8 | bound

    def entry_value(entry: int) -> int:
        """Return the value of an entry."""
        return (entry >> 32) - INFINITE

    def entry_move(entry: int) -> int:
        """Return the best move of an entry."""
        return entry >> 16 & 0xFFFF

    def entry_depth(entry: int) -> int:
        """Return the depth of an entry."""
        return entry >> 8 & 0xFF

    def entry_bound(entry: int) -> int:
        """Return the kind of bound of an entry."""
        return entry & 0xFF

    ARRAYS = {
        "undo": UNDO_WORDS * PLIES,
        "played": PLIES,
        "moves": MOVES * PLIES,
        "orders": MOVES * PLIES,
        "root_values": MOVES,
    }
    ARRAYS |= {"entries": 2 * ENTRIES}
    ARRAYS |= dict.fromkeys(
        ["wall", "turned", "taken", "columns", "points", "fallen", "expected_score", "win_probability"], 4
    )
    ARRAYS |= dict.fromkeys(["cached_keys", "cached_lids", "cached_rounds"], CACHED_BOARDS)
    ARRAYS |= {"killers": 2 * PLIES, "cutoffs": 2 * MOVES}
    ARRAYS |= {"line_scores": 4 * LINE_SCORES, "floor_scores": 8, "penalty_scores": 8}
    ARRAYS |= {"policy": WEIGHTS, "weights": WEIGHTS, "cached_sums": PAIR * CACHED_BOARDS}


class AlphaBeta(Evaluator):
    """A searcher of rounds with a transposition table; nothing carries over from one search to the next."""

    def __init__(self, net=None, policy=None):
        """Allocate the searcher; without a net, boards are evaluated by the heuristic.

        With a policy (`tessella.fast.azul.policy`) and two seats the search is narrow: it leaves out late moves near
        its depth limit, tries first what led to cutoffs before, and finishes rounds by the policy. At last it looks at
        every move too.
        """
        self.table = Azul(2)
        self.has_net = net is not None
        self.net = net.copy() if self.has_net else None
        self.has_policy = False
        self.salt = 0
        if not cython.compiled:
            for name, length in ARRAYS.items():
                setattr(self, name, [0] * length)
        if policy is not None:
            self.load_policy(policy)

    def load_policy(self, weights):
        """Use these weights of the move policy."""
        if len(weights) != WEIGHTS:
            raise ValueError(f"a policy of Azul has {WEIGHTS} weights, not {len(weights)}")
        for place in range(WEIGHTS):
            self.policy[place] = weights[place]
        self.has_policy = True

    def scores(self, table, seat):
        """Return the different takes of a seat with their static scores."""
        self._begin(table, seat)
        listed = self._list(0, -1)
        return [(self.moves[place], self.orders[place]) for place in range(listed)]

    def think(self, table, seat, nodes=0, seconds=0.0):
        """Return the best move found for a seat within a number of nodes and seconds of CPU time of the thread.

        0 means no limit: then the round is searched to its end.
        """
        if table.phase not in (DRAFTING, TILING):
            raise ValueError("nobody is to move")
        self._begin(table, seat)
        self.node_limit = nodes if nodes else 1 << 62
        self.deadline = thread_seconds() + seconds if seconds else 0.0
        with cython.nogil:
            self._search_root()
        return self.best

    def value_of(self, table, seat):
        """Return the value of a table for a seat when nothing is left to take, before the walls are tiled."""
        self._begin(table, seat)
        return self._value()

    def _compare_moves(self, slack):
        """Search a completed round again, so that moves within `slack` of the best get exact values too.

        Return the number of moves; they are in `moves`, their values in `root_values`.
        """
        self.slack = slack
        self._search(0, COMPLETE, -INFINITE, INFINITE)
        self.slack = 0
        return self.listed

    def _begin(self, table, seat):
        self.table._assign(table)
        self.me = seat
        self.selective = self.has_net and table.seats == 2
        self.narrow = self.has_policy and table.seats == 2
        self.nodes = self.depth = self.value = self.slack = 0
        self.best = -1
        self.stopped = False
        self.salt = (self.salt + GOLDEN) & WORD
        if self.narrow:
            self._forget_cutoffs()
        self._choose_weights()
        for one in range(table.seats):
            self._score_lines(one)

    def _search_root(self):
        if self.table.phase == TILING:
            self._choose_column()
        else:
            self._deepen()

    # Alpha-beta

    def _deepen(self):
        """Iterative deepening until the round is searched to its end or a limit is reached."""
        while not self.stopped:
            self.truncated = False
            value = self._search(0, self.depth + 1, -INFINITE, INFINITE)
            if self.stopped:
                return
            self.value = value
            self.depth += 1
            if not self.truncated:
                return

    def _search(self, ply, depth, low, high):
        """Return the value of the position within the window from low to high."""
        if self.table.present == 0:
            return self._value()
        self._count_node()
        if self.stopped:
            return 0
        if depth == 0:
            self.truncated = True
            return self._rollout(ply)
        key = self.table._key() ^ self.salt
        slot = 2 * (key & (ENTRIES - 1))
        hash_move = -1
        if self.entries[slot] == key:
            entry = self.entries[slot + 1]
            hash_move = entry_move(entry)
            if ply and entry_depth(entry) >= depth and self._is_cutoff(entry, low, high):
                if entry_depth(entry) < COMPLETE:
                    self.truncated = True
                return entry_value(entry)
        was_truncated = self.truncated
        self.truncated = False
        value = self._search_moves(ply, depth, low, high, hash_move)
        if not self.stopped:
            bound = AT_MOST if value <= low else AT_LEAST if value >= high else EXACT
            self.entries[slot] = key
            self.entries[slot + 1] = encode_entry(value, self.played[ply], depth if self.truncated else COMPLETE, bound)
        self.truncated = self.truncated or was_truncated
        return value

    def _count_node(self):
        """Count a node, and stop at a limit."""
        self.nodes += 1
        if self.nodes > self.node_limit:
            self.stopped = True
        if self.deadline > 0 and self.nodes % CLOCK_NODES == 0:
            self.stopped = self.stopped or thread_seconds() >= self.deadline

    def _is_cutoff(self, entry, low, high):
        """Whether a transposition entry decides the value within the window."""
        if entry_bound(entry) == EXACT:
            return True
        if entry_bound(entry) == AT_LEAST:
            return entry_value(entry) >= high
        return entry_value(entry) <= low

    def _search_moves(self, ply, depth, low, high, hash_move):
        """Return the best value over all moves for the seat to move; the best move stays in `played`."""
        mine = self.table.current == self.me
        best = -INFINITE if mine else INFINITE
        best_move = -1
        listed = self._list(ply, hash_move)
        if ply == 0:
            self.listed = listed
            if self.best < 0:
                self.best = self._next_move(0, 0, listed)
        for place in range(self._width(ply, depth, listed)):
            move = self._next_move(ply, place, listed)
            self._take(ply, move)
            value = self._search_move(ply, depth, low, high, place)
            self._take_back(ply)
            if self.stopped:
                return best
            if (mine and value > best) or (not mine and value < best):
                best = value
                best_move = move
                if ply == 0:
                    self.best = move
            if ply == 0:
                self.root_values[place] = value
                low = best - self.slack
            elif mine and best > low:
                low = best
            elif not mine and best < high:
                high = best
            if low >= high:
                if self.narrow:
                    self._remember_cutoff(ply, depth, move)
                break
        self.played[ply] = best_move
        return best

    def _width(self, ply, depth, listed):
        """Return how many of the moves are searched."""
        if ply == 0 or not self.narrow or depth > NARROW_DEPTH:
            return listed
        width = FEWEST_MOVES + MORE_MOVES * depth
        if listed <= width:
            return listed
        self.truncated = True
        return width

    def _remember_cutoff(self, ply, depth, move):
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self.cutoffs[MOVES * self.table.current + move] += depth * depth

    def _forget_cutoffs(self):
        for place in range(2 * PLIES):
            self.killers[place] = -1
        for place in range(2 * MOVES):
            self.cutoffs[place] = 0

    def _search_move(self, ply, depth, low, high, place):
        """Return the value of the position after a move, with late move reductions.

        With a net and two seats, late moves are first searched to less depth with a null window, and again to full
        depth if they beat the best so far. The mover is inferred from whose turn it is now, so with more seats nothing
        is reduced.
        """
        if self.selective and place >= FULL_DEPTH_MOVES and depth > 2:
            less = depth - 2 if place < REDUCED_MOVES or depth == 3 else depth - 3
            if self.table.current != self.me:
                # the turn has passed: the searcher made this move
                value = self._search(ply + 1, less, low, low + 1)
                if value <= low or self.stopped:
                    return value
            else:
                value = self._search(ply + 1, less, high - 1, high)
                if value >= high or self.stopped:
                    return value
        return self._search(ply + 1, depth - 1, low, high)

    def _next_move(self, ply, place, listed):
        """Bring the best untried move forward by static score, and return it."""
        first = MOVES * ply
        best = first + place
        for other in range(first + place + 1, first + listed):
            if self.orders[other] > self.orders[best]:
                best = other
        move = self.moves[best]
        order = self.orders[best]
        self.moves[best] = self.moves[first + place]
        self.orders[best] = self.orders[first + place]
        self.moves[first + place] = move
        self.orders[first + place] = order
        return move

    def _take(self, ply, move):
        """Make a move that can be undone; after the last one, walls are not yet tiled."""
        seat = self.table.current
        at = UNDO_WORDS * ply
        self.played[ply] = move
        self.undo[at] = self.table.source[take_source(move)]
        self.undo[at + 1] = self.table.source[self.table.factories]
        self.undo[at + 2] = self.table.present
        self.undo[at + 3] = self.table.lid
        self.undo[at + 4] = self.table.held[seat]
        self.undo[at + 5] = self.table.hue[seat]
        self.undo[at + 6] = self.table.open[seat]
        self.undo[at + 7] = self.table.floor[seat]
        self.undo[at + 8] = self.table.fallen[seat] | self.table.marker << 8 | seat << 16
        self.table._take(move)

    def _take_back(self, ply):
        at = UNDO_WORDS * ply
        seat = self.undo[at + 8] >> 16
        self.table.current = seat
        self.table.source[take_source(self.played[ply])] = self.undo[at]
        self.table.source[self.table.factories] = self.undo[at + 1]
        self.table.present = self.undo[at + 2]
        self.table.lid = self.undo[at + 3]
        self.table.held[seat] = self.undo[at + 4]
        self.table.hue[seat] = self.undo[at + 5]
        self.table.open[seat] = self.undo[at + 6]
        self.table.floor[seat] = self.undo[at + 7]
        self.table.fallen[seat] = self.undo[at + 8] & 255
        self.table.marker = self.undo[at + 8] >> 8 & 255

    # Moves and their static scores

    def _list(self, ply, hash_move):
        """List the moves of a ply with their static scores; of equal factories only the first counts."""
        present = self._different()
        at = MOVES * ply
        self._count_tiles()
        while present:
            pair = lowest(present)
            present &= present - 1
            self._look_at(pair)
            lines = self.table.open[self.table.current] >> 8 * self.colour & 31
            while lines:
                line = lowest(lines)
                lines &= lines - 1
                self.moves[at] = encode_pair(pair, line)
                self.orders[at] = self._line_score(line)
                at += 1
            self.moves[at] = encode_pair(pair, FLOOR)
            self.orders[at] = self._floor_score()
            at += 1
        listed = at - MOVES * ply
        self._put_forward(ply, listed, hash_move)
        return listed

    def _put_forward(self, ply, listed, hash_move):
        """Let the best move so far be tried first, and in a narrow search moves that led to cutoffs early."""
        first = MOVES * ply
        for at in range(first, first + listed):
            if self.moves[at] == hash_move:
                self.orders[at] = INFINITE
            elif self.narrow:
                self.orders[at] += self._bonus(ply, self.moves[at])

    def _bonus(self, ply, move):
        """Return how much earlier a narrow search tries a move because it led to cutoffs."""
        bonus = self.cutoffs[MOVES * self.table.current + move]
        bonus = bonus if bonus < MOST_CUTOFFS else MOST_CUTOFFS
        if move == self.killers[2 * ply]:
            bonus += CUTOFF_VALUE
        elif move == self.killers[2 * ply + 1]:
            bonus += CUTOFF_VALUE // 2
        return bonus

    def _different(self):
        """Return what is present, without factories that hold the same tiles as an earlier one."""
        present = self.table.present
        for factory in range(1, self.table.factories):
            tiles = self.table.source[factory]
            if tiles:
                for other in range(factory):
                    if self.table.source[other] == tiles:
                        present &= ~(EVERY_COLOUR << 5 * factory)
                        break
        return present

    def _best_static_move(self):
        """Return the move with the best static score, the first of several; without branches, which are slow."""
        present = self.table.present
        best = -INFINITE
        self._count_tiles()
        while present:
            pair = lowest(present)
            present &= present - 1
            self._look_at(pair)
            score = 1024 * self._floor_score() - encode_pair(pair, FLOOR)
            best = score if score > best else best
            lines = self.table.open[self.table.current] >> 8 * self.colour & 31
            while lines:
                line = lowest(lines)
                lines &= lines - 1
                score = 1024 * self._line_score(line) - encode_pair(pair, line)
                best = score if score > best else best
        return -best & 1023

    def _count_tiles(self):
        """Count the tiles of all sources, and the takes, for the scores of this position."""
        self.tiles = 0
        for source in range(self.table.factories + 1):
            self.tiles += self.table.source[source]
        self.early_score = self.weights[EARLY] * (640 // bits_set(self.table.present)) >> 6

    def _look_at(self, pair):
        """Set what all takes of a pair have in common."""
        seat = self.table.current
        source = pair_source(pair)
        self.colour = pair_colour(pair)
        self.number = self.table.source[source] >> 8 * self.colour & 255
        self.elsewhere = (self.tiles >> 8 * self.colour & 255) - self.number
        self.floor = self.table.fallen[seat] if self.table.fallen[seat] < 7 else 7
        self.base = -self.penalty_scores[self.floor]
        if source == self.table.factories and self.table.marker == IN_CENTRE:
            self.floor += 1
            self.base += self.weights[MARKER]

    def _line_score(self, line):
        """Return the static score of laying the tiles of the pair on a line."""
        seat = self.table.current
        held = self.table.held[seat] >> 8 * line & 255
        surplus = self.number - (line + 1 - held)
        first = 8 * (5 * (25 * seat + 5 * line + self.colour) + held)
        score = self.base + self.line_scores[first + (self.number if self.number < 5 else 5)]
        if surplus >= 0:
            floor = self.floor + surplus
            return score + self.weights[ELSEWHERE] * self.elsewhere + self.penalty_scores[floor if floor < 7 else 7]
        score += self.weights[ELSEWHERE + 1] * self.elsewhere + self.early_score
        if self.elsewhere + surplus < 0:
            score += self.weights[NEVER]
        return score + self.penalty_scores[self.floor if self.floor < 7 else 7]

    def _floor_score(self):
        """Return the static score of taking the pair to the floor."""
        floor = self.floor + self.number
        score = self.base + self.floor_scores[self.number if self.number < 6 else 6]
        return score + self.weights[ELSEWHERE + 2] * self.elsewhere + self.penalty_scores[floor if floor < 7 else 7]

    def _choose_weights(self):
        """Take the weights of the policy, or of the heuristic if the search is wide, and score takes to the floor."""
        for place in range(WEIGHTS):
            self.weights[place] = self.policy[place] if self.narrow else 0
        if not self.narrow:
            self.weights[PENALTY] = PENALTY_WEIGHT
            self.weights[MARKER] = START_VALUE
        for floor in range(8):
            self.penalty_scores[floor] = self.weights[PENALTY] * PENALTIES[floor]
        for number in range(1, 7):
            self.floor_scores[number] = (
                self.weights[FLOOR_WEIGHT + number - 1] + self.weights[self._round_weights() + 5]
            )

    def _round_weights(self):
        """Return the index of the weights of this round."""
        return ROUND + 6 * ((self.table.round if self.table.round < 5 else 5) - 1)

    def _score_lines(self, seat):
        """Score all numbers of tiles of each colour on each line of a seat, as the wall is now."""
        self._lay(seat)
        for row in range(5):
            for colour in range(5):
                column = self._column(seat, row, colour)
                value = 0 if column == 5 else self._space_value(seat, row, column, colour)
                for held in range(row + 1):
                    first = 8 * (5 * (25 * seat + 5 * row + colour) + held)
                    for number in range(1, 6):
                        if self.narrow:
                            self.line_scores[first + number] = self._learned_score(row, held, number, value)
                        else:
                            self.line_scores[first + number] = self._heuristic_score(row, held, number, value)

    def _learned_score(self, row, held, number, value):
        """Score by the policy. Shifts round negative numbers alike, compiled and plain; divisions do not."""
        score = self.weights[5 * (row * (row + 1) // 2 + held) + number - 1]
        score += self.weights[self._round_weights() + row]
        if held + number > row:
            return score + (self.weights[FULL + row] * (64 * value // 100) >> 6)
        return score + (self.weights[PART + row] * (64 * number * value // (100 * (row + 1))) >> 6)

    def _heuristic_score(self, row, held, number, value):
        if held + number > row:
            return value - STARTED_PERCENT * held * value // (100 * (row + 1))
        return STARTED_PERCENT * number * value // (100 * (row + 1))

    def _rollout(self, ply):
        """Return the value if from here on every player takes the move with the best static score."""
        at = ply
        while self.table.present:
            self._take(at, self._best_static_move())
            at += 1
        value = self._value()
        while at > ply:
            at -= 1
            self._take_back(at)
        return value

    # Tiling

    def _choose_column(self):
        """AZ31: try every column for each complete line of the searcher; the others tile by the heuristic."""
        for seat in range(self.table.seats):
            self._lay(seat)
            if seat != self.me:
                self._tile(seat)
        row = self.table._next_row(self.me)
        self.value = self._best_columns(row)
        self.best = encode_place(self.table.factories, self.me, row, self.played[row])

    def _best_columns(self, row):
        """Return the value of the best columns for the lines from this one down; the column stays in `played`."""
        seat = self.me
        while row < 5 and self.table.held[seat] >> 8 * row & 255 <= row:
            row += 1
        if row == 5:
            self.nodes += 1
            return self._evaluate()
        colour = self.table.hue[seat] >> 8 * row & 255
        columns = self._open_columns(seat, row, colour)
        fallen = self.fallen[seat]
        if columns == 0:
            self.fallen[seat] = fallen + row + 1
            value = self._best_columns(row + 1)
            self.fallen[seat] = fallen
            return value
        best = -INFINITE
        best_column = 0
        while columns:
            column = LOWEST[columns]
            columns &= columns - 1
            points = self.points[seat]
            self._put(seat, row, column, colour)
            value = self._best_columns(row + 1)
            self._put(seat, row, column, colour)
            self.points[seat] = points
            if value > best:
                best = value
                best_column = column
        self.played[row] = best_column
        return best

    def _lay(self, seat):
        """Copy a board from the table, to be tiled here."""
        self.wall[seat] = self.table.wall[seat]
        self.turned[seat] = self.table.turned[seat]
        self.taken[seat] = self.table.taken[seat]
        self.columns[seat] = self.table.columns[seat]
        self.points[seat] = self.table.score[seat]
        self.fallen[seat] = self.table.fallen[seat]

    def _tile(self, seat):
        """AZ20: complete lines go to the wall, from the top; AZ32: or they fall."""
        for row in range(5):
            if self.table.held[seat] >> 8 * row & 255 > row:
                colour = self.table.hue[seat] >> 8 * row & 255
                column = self._column(seat, row, colour)
                if column == 5:
                    self.fallen[seat] += row + 1
                else:
                    self._put(seat, row, column, colour)

    def _put(self, seat, row, column, colour):
        """Place a tile on the wall and score it; placed again, it is removed, but not its points."""
        self.points[seat] += self._space_points(seat, row, column)
        self.wall[seat] ^= 1 << (5 * row + column)
        self.turned[seat] ^= 1 << (5 * column + row)
        self.taken[seat] ^= ONE[colour] << row
        self.columns[seat] ^= ONE[colour] << column

    # Evaluation after the round

    def _value(self):
        """Return the value of the table once its walls are tiled."""
        if self.has_net:
            return self._cached_net_value()
        for seat in range(self.table.seats):
            self._lay(seat)
            self._tile(seat)
        return self._evaluate()

    def _cached_net_value(self):
        """Return the same by the net; each board is encoded once per search."""
        lid = self.table.lid
        rounds = 5
        for seat in range(self.table.seats):
            cached = self._cached_board(seat)
            lid += self.cached_lids[cached]
            if self.cached_rounds[cached] < rounds:
                rounds = self.cached_rounds[cached]
            for place in range(PAIR):
                self.net.sums[PAIR * seat + place] = self.cached_sums[PAIR * cached + place]
        if rounds == 0 or self.table.round >= ROUNDS:
            for seat in range(self.table.seats):
                self._lay(seat)
                self._tile(seat)
            return self._evaluate()
        self._encode_shared(rounds, lid)
        self.net._evaluate_sums(self.table.seats)
        return self._net_value()

    def _cached_board(self, seat):
        """Return the cache index of the net's sums for a board that is tiled as it lies."""
        key = self.table.fallen[seat] | seat << 4
        key = (key << 40 | self.table.held[seat] + 8 * self.table.hue[seat]) ^ self.salt
        cached = (key * GOLDEN & WORD) >> CACHE_SHIFT
        if self.cached_keys[cached] != key:
            self._lay(seat)
            self._tile(seat)
            self._encode_board(seat)
            self.net._add_board(seat)
            self.cached_keys[cached] = key
            self.cached_lids[cached] = self._tiles_to_lid(seat)
            self.cached_rounds[cached] = self._tiles_to_complete_row(seat)
            for place in range(PAIR):
                self.cached_sums[PAIR * cached + place] = self.net.sums[PAIR * seat + place]
        return cached

    def _encode_table(self, table):
        """Encode a table between two rounds for the net."""
        self._begin(table, 0)
        self._encode(self._rounds_left())
