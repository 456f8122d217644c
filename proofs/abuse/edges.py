"""Attacks of `abuse` on the outermost layer of the server: exceptions, and cookies set by others."""

import json
from collections.abc import AsyncIterator

from proofs.abuse.scene import Scene
from proofs.in_process_server import Call, body_of, headers_of, status_of
from tessella.server.http.middleware import INTERNAL_ERROR
from tessella.server.http.middleware import log as failures_log
from tessella.server.metrics import FAILED

CANARY = "text of an exception"


class Broken(Exception):
    """An exception that no handler expects."""


async def _break(*_: object) -> None:
    raise Broken(CANARY)


async def failures(scene: Scene) -> AsyncIterator[str]:
    """A request, a stream and a socket whose handler raises: an error without details, which the metrics count."""
    host = scene.server.host
    setattr(host, "room", _break)  # noqa: B010
    failures_log.disabled = True
    try:
        for path in ("", "/stream"):
            async for failure in _failing(scene, Call("GET", f"/api/games/{scene.game}{path}", who=scene.eve.secret)):
                yield failure
        socket = scene.server.socket(scene.game, who=scene.eve.secret)
        closed = await socket.until(lambda message: message["type"] == "websocket.close")
        if closed["code"] != INTERNAL_ERROR or CANARY in str(socket.heard):
            yield f"a socket that failed was closed by {closed}"
        await socket.leave()
    finally:
        delattr(host, "room")
        failures_log.disabled = False
        scene.server.expected_failures = scene.server.all_failures
    shown = body_of(await scene.server.ask(Call("GET", "/metrics"))).decode()
    if 'tessella_requests_total{status="500"} 3.0\n' not in shown:
        yield "failures are not counted"


async def _failing(scene: Scene, call: Call) -> AsyncIterator[str]:
    try:
        answers = await scene.server.ask(call)
    except Broken:
        yield f"{call.path}: the exception reached the server"
        return
    scene.tried += 1
    scene.refused += status_of(answers) == FAILED
    if (
        status_of(answers) != FAILED
        or CANARY in str(answers)
        or json.loads(body_of(answers)).keys() != {"rule", "message"}
    ):
        yield f"{call.path}: answered with {status_of(answers)} {body_of(answers)[:80]!r}"
    if "frame-ancestors 'none'" not in headers_of(answers).get("content-security-policy", ""):
        yield f"{call.path}: a failure lacks the headers of every answer"


FOREIGN = ("a@b=1", 'g_state={"i_l":0}', "a[b]=1", "novalue", "=", "\xe9=1", ";;")
"""Cookies set by others: analytics, log-in buttons, other programs on the same host."""


async def foreign_cookies(scene: Scene) -> AsyncIterator[str]:
    """Send cookies of others: they break nothing and log no user out; over TLS, those they can set are ignored."""
    ann, eve = (f"tessella={who.secret}" for who in (scene.ann, scene.eve))
    for foreign in FOREIGN:
        for cookie in (f"{foreign}; {ann}", f"{ann}; {foreign}"):
            if (name := await _name(scene, cookie)) != "Ann":
                yield f"the cookies {foreign} and Ann's stand for {name}"
    for cookie, known in ((eve, ""), (f"{eve}; __Host-{ann}", "Ann"), (f"__Host-{ann}; {eve}", "Ann")):
        if (name := await _name(scene, cookie, tls=True)) != known:
            yield f"over TLS a planted cookie stands for {name or 'nobody'}, not for {known or 'nobody'}"


async def _name(scene: Scene, cookie: str, *, tls: bool = False) -> str:
    """Return the name of the person whom these cookies identify."""
    scene.tried += 1
    answers = await scene.server.ask(Call("GET", "/api/session", headers=(("cookie", cookie),), tls=tls))
    scene.refused += status_of(answers) in (200, 401)
    return str(json.loads(body_of(answers)).get("name", ""))
