"""The coach: reviews of finished games, with the cost of moves and the luck of deals, and puzzles from games."""
