"""Tournaments and leagues as pure functions: who meets whom, in which seats, and who stands where.

Nothing here knows a store, a clock or a game: rounds and outcomes go in, the next round and the standings come out,
the same everywhere for the same seed. `server/services/events` turns rounds into tables.
"""

from tessella.events.pairing import next_round, rounds_of
from tessella.events.standings import TIE_BREAKS, Line, standings, tie_breaks_of
from tessella.events.values import Entrant, Format, Outcome, Plan, Round, RoundPlayed, points_of, winners

__all__ = [
    "TIE_BREAKS",
    "Entrant",
    "Format",
    "Line",
    "Outcome",
    "Plan",
    "Round",
    "RoundPlayed",
    "next_round",
    "points_of",
    "rounds_of",
    "standings",
    "tie_breaks_of",
    "winners",
]
