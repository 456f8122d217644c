"""What a client and a table send each other: the messages, and which view and event types belong to which game."""
