"""Proofs at sizes at which they are quick: what they count is judged, and no times."""

from proofs import Ask, proving
from tests.server.conftest import NATS, POSTGRES


def ask(size: int) -> Ask:
    return Ask(size, database=f"{POSTGRES}/postgres", bus=NATS)


TOO_SMALL = {"socket_kib"}
"""Few sockets need less memory than the first requests to a worker."""


def kept(name: str, size: int) -> dict[str, float]:
    """Run a proof, which must find nothing wrong but times, and return its figures by name."""
    report = proving(name)(ask(size))
    unjudged = {figure.name for figure in report.figures if figure.timed} | report.not_judged.keys() | TOO_SMALL
    wrong = [figure for figure in report.figures if not figure.passed and figure.name not in unjudged]
    assert not report.failures, str(report)
    assert not wrong, str(report)
    return {figure.name: figure.value for figure in report.figures}
