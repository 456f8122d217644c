"""The bots of Azul: levels, the heuristic of the easy ones, and the nets of the strong ones."""
