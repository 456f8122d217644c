"""Lessons on the real table: one per game, as data that the browser and the terminal play alike."""
