"""The workbench for people who research games: batches of tables over arrays, and the usual environments.

Tables, positions and replays show themselves, at a prompt and in a notebook. Everything here needs
NumPy: `pip install 'tessella[research]'`.
"""

from tessella.research.batch import BatchEnv
from tessella.research.sights import SIGHTS, Field, Sight
from tessella.research.tabletop import Table, position, replay, table

__all__ = ["SIGHTS", "BatchEnv", "Field", "Sight", "Table", "position", "replay", "table"]
