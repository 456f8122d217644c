"""Self-play on every core of this machine, or on a Ray cluster: each task plays some games and returns them.

python examples/selfplay.py --games 1000 --jobs 2 --out games/
pip install 'tessella[cluster]' && python examples/selfplay.py --games 1000 --ray local --out games/
"""

import argparse
import tempfile
from pathlib import Path

from tessella.arena.workers import workers
from tessella.core.record import write_rules
from tessella.games import azul
from tessella.progress import progress_of
from tessella.research import dataset

TASK_GAMES = 50
"""Games per task: a few seconds of work."""


def play(task):
    """Play the games of one task and return them as the bytes of a Parquet file."""
    first, last, level = task
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.parquet"
        plan = dataset.Plan(write_rules(azul, azul.Config()), (level, level))
        writer = dataset.Writer(file, plan)
        for game in range(first, last):
            writer.add(dataset.play(plan, game))
        writer.close()
        return first, file.read_bytes()


def main():
    """Distribute the tasks and write what they return."""
    options = argparse.ArgumentParser(description="self-play games of a bot, as Parquet files")
    options.add_argument("--games", type=int, default=1000)
    options.add_argument("--level", default="4")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster, or: local")
    options.add_argument("--out", type=Path, default=Path("games"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    firsts = range(0, chosen.games, TASK_GAMES)
    tasks = [(first, min(first + TASK_GAMES, chosen.games), chosen.level) for first in firsts]
    with workers(chosen.jobs, chosen.ray) as spread:
        for first, games in progress_of(spread(play, tasks), len(tasks), "tasks"):
            (chosen.out / f"azul-{first:06}.parquet").write_bytes(games)
    print(f"{chosen.games} games in {len(tasks)} files under {chosen.out}")


if __name__ == "__main__":
    main()
