"""OpenTelemetry traces, off by default: a span per request, per stored entry and per bot move.

A span has a fixed name and a few fields without personal data, as a log line has. The standard variables
`OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_TRACES_SAMPLER` say where spans go and how many. A trace id that comes with a
request is ignored: otherwise any client could decide what is kept.
"""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

Value: TypeAlias = str | int | float | bool


class Span:
    """What happens between the start and the end of a block; this one is not recorded."""

    def name(self, name: str) -> None:
        """Rename the span, once its name is known."""

    def set(self, fields: Mapping[str, Value]) -> None:
        """Add fields."""


_NO_FIELDS: Mapping[str, Value] = {}
_NO_SPAN = nullcontext(Span())
_tracer: "trace.Tracer | None" = None


def configure() -> None:
    """Send the spans of this process to a collector, in the background; needs the extra `traces`."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(resource=_resource())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    use(provider)


def use(provider: "TracerProvider | None") -> None:
    """Record spans with this provider from now on, or none."""
    global _tracer  # noqa: PLW0603
    _tracer = provider.get_tracer("tessella") if provider else None


def span(name: str, fields: Mapping[str, Value] = _NO_FIELDS) -> AbstractContextManager[Span]:
    """Return a context manager that records a block as a span; it costs next to nothing while traces are off."""
    return _NO_SPAN if _tracer is None else _record(_tracer, name, fields)


@contextmanager
def _record(tracer: "trace.Tracer", name: str, fields: Mapping[str, Value]) -> Generator[Span]:
    from opentelemetry.trace import StatusCode  # noqa: PLC0415

    with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as recorded:
        live = _Recorded(recorded)
        live.set(fields)
        try:
            yield live
        except Exception as exc:
            recorded.set_attribute("error.type", type(exc).__qualname__)  # its text may hold a name or a secret
            recorded.set_status(StatusCode.ERROR)
            raise


class _Recorded(Span):
    def __init__(self, span: "trace.Span") -> None:
        self._span = span

    def name(self, name: str) -> None:
        self._span.update_name(name)

    def set(self, fields: Mapping[str, Value]) -> None:
        self._span.set_attributes(fields)


def _resource() -> "Resource":
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415

    return Resource.create({"service.name": "tessella", "service.version": version("tessella")})
