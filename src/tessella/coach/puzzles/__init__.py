"""Puzzles: positions with one clearly best move, proved twice, each with its idea in words."""
