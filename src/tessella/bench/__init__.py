"""How fast things are, measured: each measure prints its figures and misses its gate loudly."""
