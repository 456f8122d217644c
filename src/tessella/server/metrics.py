"""The Prometheus metrics of one worker: counts and durations, never anything about a person."""

import platform
from collections.abc import Iterator
from importlib.metadata import version

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

FAILED = 500
"""The status of an answer after an unhandled exception."""

APPEND_BUCKETS_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)

disable_created_metrics()  # type: ignore[no-untyped-call]  # one more series per counter, which nothing reads


class Traffic(Collector):
    """Messages and bytes sent: plain integers, because every message of every socket adds to them."""

    def __init__(self) -> None:
        self.messages = 0
        self.bytes = 0

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the totals."""
        yield CounterMetricFamily("tessella_messages_sent", "Messages sent through sockets.", self.messages)
        yield CounterMetricFamily("tessella_bytes_sent", "Bytes of messages and answers.", self.bytes)


class Metrics:
    """What one worker has counted since it started, in its own registry: a process may run several workers."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._count_entries()
        self._count_bot_jobs()
        self._count_notifications()
        self._count_traffic()
        self._describe_outages()
        Info("tessella_build", "Version of the program.", registry=self.registry).info(
            {"version": version("tessella"), "python": platform.python_version()}
        )
        ProcessCollector(registry=self.registry)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)

    def _count_entries(self) -> None:
        self.entries = self._counter("entries_total", "Entries appended by this worker.", "kind")
        self.games_sealed = self._counter("games_sealed_total", "Finished games sealed by this worker.")
        self.games_unsealable = self._counter(
            "games_unsealable_total", "Finished games left as they are because their sealed log would differ."
        )
        self.refused = self._counter("refused_total", "Requests refused by this worker, by rule.", "rule")
        self.append_seconds = Histogram(
            "tessella_append_seconds",
            "Time from a request to its stored entry.",
            buckets=APPEND_BUCKETS_SECONDS,
            registry=self.registry,
        )

    def _count_bot_jobs(self) -> None:
        self.bot_moves = self._counter("bot_moves_total", "Moves made by the bots of this worker.")
        self.bot_jobs_done = self._counter("bot_jobs_done_total", "Jobs done by the bots of this worker.")
        self.bot_jobs = self._gauge("bot_jobs", "Games in which a bot is to move, on all workers.")
        self.bot_job_age_seconds = self._gauge("bot_job_age_seconds", "Age of the oldest of these jobs.")

    def _count_notifications(self) -> None:
        self.notifications_sent = self._counter("notifications_sent_total", "Notifications given to the bus.")
        self.notifications_received = self._counter(
            "notifications_received_total", "Notifications received from other workers."
        )
        self.news = self._counter("news_total", "Attempts to deliver news of turns, by outcome.", "state")
        self.bus_connected = self._gauge("bus_connected", "1 if the bus is connected, 0 if it is unavailable.")

    def _count_traffic(self) -> None:
        self.sockets = self._gauge("sockets", "Open sockets.")
        self.rooms = self._gauge("rooms", "Tables in memory.")
        self.requests = self._counter("requests_total", "HTTP requests answered, and sockets that failed.", "status")
        self.requests.labels(FAILED)  # present from the start, so that an alarm sees the first failure as an increase
        self.traffic = Traffic()
        self.registry.register(self.traffic)

    def _describe_outages(self) -> None:
        self.ready = self._gauge("ready", "1 if the store answers and its schema fits, 0 if not, as /ready says.")
        self.outages = self._gauge("outages", "Outages, times without any worker, in the last months.")
        self.outage_seconds = self._gauge("outage_seconds", "Total duration of these outages.")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"tessella_{name}", text, labels, registry=self.registry)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"tessella_{name}", text, registry=self.registry)
