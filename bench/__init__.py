"""Benchmarks: each prints its figures and says which gates it missed."""
