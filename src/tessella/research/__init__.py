"""The workbench for people who research games: batches of tables over arrays, and the usual environments.

Everything here needs NumPy: `pip install 'tessella[research]'`.
"""

from tessella.research.batch import BatchEnv
from tessella.research.sights import SIGHTS, Field, Sight

__all__ = ["SIGHTS", "BatchEnv", "Field", "Sight"]
