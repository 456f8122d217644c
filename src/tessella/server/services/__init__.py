"""Work in the background: bots, housekeeping, pairing, ratings, reviews, notifications, data rights."""
