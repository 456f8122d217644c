"""A cluster of real processes: workers, a proxy that fails on request, and how they are connected."""
