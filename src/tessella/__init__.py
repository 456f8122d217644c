"""Tessella: a home for tile-laying games, for players, hosts and researchers."""
