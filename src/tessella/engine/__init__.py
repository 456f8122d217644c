"""Engines: programs in any language that choose moves, and speak line by line with whoever runs them."""
