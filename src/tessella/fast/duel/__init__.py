"""Azul Duel, compiled: a table in machine words, its rules, and tree search over it."""

from tessella.fast.duel.rules import Batch, Duel, from_state

__all__ = ["Batch", "Duel", "from_state"]
