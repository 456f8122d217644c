"""A table without sockets, stores or timers: its log, its state, its clocks and what each viewer may see."""
