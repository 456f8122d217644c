"""The tables of one worker: loading them, changing them, and the people connected to them."""
