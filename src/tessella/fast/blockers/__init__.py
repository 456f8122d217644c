"""Blockers!, compiled: a table in machine words, its rules, and information-set tree search."""

from tessella.fast.blockers.rules import Batch, Blockers, from_state

__all__ = ["Batch", "Blockers", "from_state"]
