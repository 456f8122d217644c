"""Tables, positions and replays for a notebook or a prompt."""
