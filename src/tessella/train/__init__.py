"""Training of the bots by self-play."""

import os

# Matrices are small here: several threads would mostly wait for each other. NumPy reads this when first imported.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
