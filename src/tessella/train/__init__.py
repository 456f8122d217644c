"""Training of the bots by self-play."""
