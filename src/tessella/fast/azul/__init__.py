"""Azul, compiled: a table in a few machine words, its rules, and the searches over it."""

from tessella.fast.azul.rules import Azul, Batch, from_state

__all__ = ["Azul", "Batch", "from_state"]
