"""What a table waits for, as numbers shared by the compiled games."""

DEALING = 0
"""Chance: a deal or a draw is due."""
DRAFTING = 1
"""A seat takes its turn."""
TILING = 2
"""Seats choose columns on grey walls, or tile their domes."""
OVER = 3
