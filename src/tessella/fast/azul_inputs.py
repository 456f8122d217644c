"""What a net of Azul is shown, as numbers of inputs; `azul_net` explains them, `azul_search` lays them out."""

from tessella.games.azul.pieces import LAST_ROUND

HIDDEN = 32
"""The numbers between the inputs and what the net says, for each seat."""
PAIR = 2 * HIDDEN
"""The weights of an input of a board: for its owner, then for everybody else."""
SLOTS = 24
"""The inputs of a board: from each slot exactly one."""

# Where the inputs of a board begin.
ROW = 0
"""32 for each row: which of its spaces hold a tile. Columns and colours likewise."""
COLUMN_OF = 160
COLOUR_OF = 320
LINE = 480
"""21 for each line from the second on: empty, or 4 for each colour: how many tiles it holds."""
NEXT = 564
"""41 for each of them: empty, or 10 for each number of missing tiles: the points of the tile on the wall."""
TENS = 728
"""12: the tens of the points."""
POINTS = 740
"""A single one, which counts as often as there are points."""
BOARD_INPUTS = 741
MOST_POINTS = 127

# Where the inputs that all share begin.
BAG = 0
"""One for each colour, which counts as often as there are tiles. The lid likewise."""
LID = 5
ROUND = 10
"""8: the round that has been played; later ones count as the eighth."""
COMING = 18
"""5: the rounds that must still come, at least."""
TURN = 23
"""4: how many play before the seat in the next round."""
SHARED_INPUTS = 27
SHOWN = 13
"""The numbers that say all of this: five of the bag, five of the lid, the round, the rounds to come, who starts."""

WEIGHTS = BOARD_INPUTS * PAIR + SHARED_INPUTS * HIDDEN + HIDDEN + 2 * HIDDEN
"""Of the boards, of what all share, the bias, and of what the net says: chance to win, then margin."""
ROWS_A_GAME = LAST_ROUND
"""No game has more boundaries."""
