"""Traces reach a collector, and say nothing about people."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tessella.server import tracing
from tests.server.clients import Person, command, hear, key, own_turn, say
from tests.server.processes import running, wait_until_ready
from tests.server.waiting import until


class Collector(HTTPServer):
    """Receives spans over OTLP/HTTP."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spans = []
        self.bytes = b""


class Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.bytes += body
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.server.spans += [span for scope in resource.scope_spans for span in scope.spans]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def collector():
    server = Collector()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


async def play_a_little(port):
    """Annabella plays against a bot; what must be in no trace."""
    ann = await Person.arrive(port, "Annabella")
    table = (await ann.set_table(seats=("me", "1")))["id"]
    await ann.get(f"/api/games/{table}")
    async with ann.connect(table) as socket:
        await command(socket, "start")
        turn = await own_turn(socket)
        await say(socket, type="play", key=key(), number=turn["number"], move=turn["moves"][0])
        await hear(socket, "ack")
    return "Annabella", ann.http.cookies["tessella"], table


async def test_requests_entries_and_bot_moves_reach_a_collector_without_names(tmp_path, sqlite, port, collector):
    address = f"http://127.0.0.1:{collector.server_port}"
    options = ("serve", "--database", sqlite, "--port", str(port), "--traces")
    settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    with running(tmp_path / "log", *options, **settings) as process:
        wait_until_ready(port, process)
        private = await play_a_little(port)
        wanted = {"POST /api/session", "GET /api/games/{id}", "store entry", "bot move"}
        await until(lambda: wanted <= {span.name for span in collector.spans})
    assert not any(text.encode() in collector.bytes for text in private)
    read = next(span for span in collector.spans if span.name == "GET /api/games/{id}")
    fields = {field.key: field.value for field in read.attributes}
    assert fields["http.response.status_code"].int_value == 200
    assert fields.keys() == {"http.request.method", "http.route", "http.response.status_code"}


@pytest.fixture
def recorded():
    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracing.use(provider)
    yield memory
    tracing.use(None)


def test_a_failure_is_recorded_by_its_type_and_not_by_its_text(recorded):
    with pytest.raises(ValueError), tracing.span("bot move"):
        raise ValueError("Annabella")
    (span,) = recorded.get_finished_spans()
    assert not span.status.is_ok
    assert "ValueError" in span.to_json()
    assert "Annabella" not in span.to_json()


def test_a_span_inside_another_is_its_child(recorded):
    with tracing.span("bot move"), tracing.span("store entry"):
        pass
    entry, move = recorded.get_finished_spans()
    assert entry.parent.span_id == move.context.span_id


def test_nothing_is_recorded_while_traces_are_off():
    with tracing.span("bot move", {"kind": "move"}) as span:
        span.name("other")
        span.set({"kind": "quick"})
    assert type(span) is tracing.Span
