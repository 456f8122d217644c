"""Stairs, a game for Tessella: `game` has the rules, `locales` the texts, `rules` the rules for people."""
