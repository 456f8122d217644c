"""The research workbench: batches of tables over arrays, and the standard environments.

Tables, positions and replays render at a prompt and in a notebook. Everything here needs
NumPy: `pip install 'tessella[research]'`.
"""

from tessella.research.batch import BatchEnv
from tessella.research.encodings import ENCODINGS, Encoding, Field
from tessella.research.notebook.table import Table, position, replay, table

__all__ = ["ENCODINGS", "BatchEnv", "Encoding", "Field", "Table", "position", "replay", "table"]
