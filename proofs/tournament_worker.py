"""A whole worker with bots, for the proof of tournaments: `python -m proofs.tournament_worker DATABASE BUS PORT`.

A mutant of the events is planted here, because the events run in this process and not in that of the proof.
"""

import os
import sys

from proofs.mutants.events import PLANTED, PLANTS
from tessella.server.serve import serve
from tessella.server.services import ratings
from tessella.server.services.events import rounds
from tessella.server.settings import Settings

LEASE_SECONDS = 3.0
SWEEP_SECONDS = 2.0


def hurry() -> None:
    """Shorten the time after which another worker takes over."""
    rounds.LEASE_SECONDS = LEASE_SECONDS
    ratings.SWEEP_SECONDS = SWEEP_SECONDS


if __name__ == "__main__":
    hurry()
    if name := os.environ.get(PLANTED):
        PLANTS[name]()
    database, bus, port = sys.argv[1:]
    serve(Settings(database=database, bus=bus, port=int(port), bots=1, log_level="error", compute=0))
