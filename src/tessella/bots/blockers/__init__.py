"""The bots of Blockers!: levels, the heuristic of the easy ones, and the learned weights of the strong ones."""
