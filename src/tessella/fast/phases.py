"""What a table waits for: the numbers by which the compiled games say it."""

DEALING = 0
"""Chance: the bag must be shaken, or a tile drawn."""
DRAFTING = 1
"""A seat takes its turn."""
TILING = 2
"""Seats choose columns on grey walls."""
OVER = 3
