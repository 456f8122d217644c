"""Guests, members and bots, and how they authenticate."""
