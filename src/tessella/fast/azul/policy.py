"""Weights of the move policy of Azul: what a narrow search tries first, and what its rollouts play.

The score of a take is a sum of weights: one for its line, the tiles on it and the tiles that come; one for the line in
this round; the value of the space on the wall; the floor penalty; and how many tiles of the colour lie elsewhere. They
are in hundredths of a logit of the probability that a long search chooses the take, and `tessella train azul-policy`
learns them. A heuristic is the same sum with fewer weights.
"""

FLOOR_SCORES = 8
"""Scores of takes to the floor, by the number of tiles."""

# First index of each group of weights.
LINE = 0
"""75: five for each line and number of tiles on it, by the number of tiles that come."""
FLOOR = 75
"""6: takes to the floor, by the number of tiles."""
FULL = 81
"""5: a line that becomes full, multiplied by the value of its space in points."""
PART = 86
"""5: a line that does not, multiplied by that value and the part that is laid."""
ROUND = 91
"""30: six for each round, for the lines and the floor."""
PENALTY = 121
"""Multiplied by the points of the floor penalty."""
MARKER = 122
"""The marker of the starting player."""
ELSEWHERE = 123
"""3: multiplied by the tiles of the colour elsewhere, for a full line, an unfinished one, and the floor."""
EARLY = 126
"""An unfinished line, multiplied by ten and divided by the number of takes that are left."""
NEVER = 127
"""An unfinished line for which too few tiles of the colour are left."""
WEIGHTS = 128

PENALTY_WEIGHT = -100
"""Weight of a point of the penalty in the heuristic, which counts hundredths of a point."""
