"""Input indices of a net of Azul; `net` explains them, `evaluation` encodes them."""

from tessella.games.azul.pieces import LAST_ROUND

HIDDEN = 64
"""Hidden units per seat."""
PAIR = 2 * HIDDEN
"""Weights of a board input: for its owner, then for an opponent."""
SLOTS = 24
"""Inputs of a board: exactly one per slot."""

# First index of each group of board inputs.
ROW = 0
"""32 per row: which of its spaces hold a tile. Columns and colours likewise."""
COLUMN_OF = 160
COLOUR_OF = 320
LINE = 480
"""21 per line from the second on: empty, or 4 per colour: how many tiles it holds."""
NEXT = 564
"""41 per such line: empty, or 10 per number of missing tiles: the points of its tile on the wall."""
TENS = 728
"""12: the tens of the points."""
POINTS = 740
"""A single input, multiplied by the points."""
BOARD_INPUTS = 741
MOST_POINTS = 127

# First index of each group of shared inputs.
BAG = 0
"""One per colour, multiplied by the number of tiles. The lid likewise."""
LID = 5
ROUND = 10
"""8: the round that has been played; later ones count as the eighth."""
ROUNDS_LEFT = 18
"""5: the minimum number of rounds left."""
TURN = 23
"""4: how many seats play before this one in the next round."""
SHARED_INPUTS = 27
SHARED_NUMBERS = 13
"""Numbers from which the shared inputs follow: five of the bag, five of the lid, round, rounds left, starter."""

WEIGHTS = BOARD_INPUTS * PAIR + SHARED_INPUTS * HIDDEN + HIDDEN + 2 * HIDDEN
"""Weights of the boards, the shared inputs, the bias, and the two outputs: win, then margin."""
ROWS_PER_GAME = LAST_ROUND
"""Maximum number of positions between two rounds in a game."""
