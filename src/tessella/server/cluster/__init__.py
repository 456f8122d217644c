"""What workers know of each other: notifications on the bus, and heartbeats."""
