"""Answers of the HTTP interface: JSON, errors, compression."""

import asyncio
import gzip
import logging
from math import ceil

from starlette.requests import Request as WebRequest
from starlette.responses import Response

from tessella.core import wire
from tessella.core.game import Public
from tessella.protocol import messages
from tessella.server.http.api.routes import Problem
from tessella.server.people.identity import Banned
from tessella.server.rooms.history import UnreadableGame

log = logging.getLogger(__name__)

LONG_BODY_BYTES = 32_768
"""Longer answers are compressed."""


def json_response(body: Public | wire.Encoded, status: int, caching: str = "no-store") -> Response:
    """Return an answer with a JSON body."""
    data = body if isinstance(body, wire.Encoded) else wire.encode(body)
    return Response(data, status, media_type="application/json", headers={"cache-control": caching})


def error_response(problem: Problem) -> Response:
    """Return the answer to a request that failed."""
    if problem.status in (401, 403, 429):
        log.info("request denied", extra={"status": problem.status, "rule": problem.rule})
    response = json_response(messages.ErrorBody(problem.rule, problem.message), problem.status)
    if problem.after is not None:
        response.headers["retry-after"] = str(ceil(problem.after))
    return response


def too_many_requests(wait: float) -> Problem:
    """Return the error of a request that came too soon."""
    return Problem(429, "busy", "too many requests; try again in a moment", wait)


def banned(exc: Banned) -> Problem:
    """Return the error for a banned person."""
    return Problem(403, "banned", str(exc))


def unreadable_game(exc: UnreadableGame) -> Problem:
    """Log why a game cannot be read by this version of the server, and return the error for the client."""
    log.error("game unreadable", exc_info=exc, extra={"game": str(exc)})
    return Problem(503, "unreadable", "this game cannot be opened by this version of the server")


async def compress(request: WebRequest, response: Response) -> None:
    """Compress a long answer if the client accepts it; the views of a game repeat each other."""
    if len(response.body) < LONG_BODY_BYTES or "gzip" not in request.headers.get("accept-encoding", ""):
        return
    response.body = await asyncio.to_thread(gzip.compress, response.body, 5, mtime=0)
    response.headers.update({"content-encoding": "gzip", "content-length": str(len(response.body))})
    response.headers.add_vary_header("accept-encoding")
