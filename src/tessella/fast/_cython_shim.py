"""Python stand-ins for the names of `cython`, for when the games run as plain Python."""

from contextlib import nullcontext

compiled = False
nogil = nullcontext()
"""Plain Python keeps its lock."""
