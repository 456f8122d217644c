"""A table in this process: people and bots at one device, by the same messages as on a server."""
