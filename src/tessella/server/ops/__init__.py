"""Logs and health checks of a worker."""
