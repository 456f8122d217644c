"""The protocol that every game implements, and what works with any game: records, links, dice, laws."""
