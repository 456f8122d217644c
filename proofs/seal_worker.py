"""A web worker that seals without a pause, for the proof of sealing: `python -m proofs.seal_worker DATABASE BUS PORT`.

A mutant of the sealing is planted here, because games are sealed in this process and not in that of the proof.
"""

import os
import sys
from typing import Any

from proofs.mutants.sealing import PLANTED, PLANTS
from tessella.server.serve import serve
from tessella.server.services import sealing
from tessella.server.settings import Settings


def hurry() -> None:
    """Seal from the start, a few games at a time, with hardly a pause."""
    sealing.FIRST_PASS_SECONDS = 0.2
    sealing.PASS_SECONDS = 0.1
    sealing.GAMES_PER_PASS = 10


if __name__ == "__main__":
    hurry()
    if name := os.environ.get(PLANTED):
        PLANTS[name]()
    database, bus, port = sys.argv[1:]
    never = dict.fromkeys(("keep_unstarted_days", "keep_abandoned_days", "keep_guests_days"), 0.0)
    quiet: dict[str, Any] = {"bots": 0, "compute": 0, "log_level": "critical", **never}
    serve(Settings(database=database, bus=bus, port=int(port), seal_days=1, **quiet))
