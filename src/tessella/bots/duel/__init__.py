"""The bots of Azul Duel: levels, the heuristic of the easy ones, and the net of the strong ones."""
