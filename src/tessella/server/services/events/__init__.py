"""Tournaments and leagues: `entries` is what people do, `reading` what is stored, `rounds` the background work.

Who meets whom and who stands where is computed in `tessella.events`, from what is stored and nothing else.
"""
