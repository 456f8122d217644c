"""Clubs: people who play events among themselves. `membership` is what people do, `standings` how they stand."""
