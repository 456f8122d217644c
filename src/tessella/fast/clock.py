"""The CPU clock of the current thread; where the platform has none, as in a browser, the clock on the wall."""

import time

thread_time = getattr(time, "thread_time", time.perf_counter)
"""Seconds of CPU time of this thread."""
thread_time_ns = getattr(time, "thread_time_ns", time.perf_counter_ns)
"""The same in nanoseconds."""
