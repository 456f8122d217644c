"""Real tables for real people, on one process or on many."""
