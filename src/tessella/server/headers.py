"""Headers that every answer has, whoever made it: browsers are told to do nothing with it that we do not mean."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

USUAL = {
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""For answers that say nothing else; pages have a policy of their own."""

ONLY_TLS = "max-age=31536000; includeSubDomains"
"""Who has come by TLS once comes by nothing else for a year."""


class Guarded:
    """Adds to every answer what it lacks."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, and complete the headers of its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def completing(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in USUAL.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", ONLY_TLS)
            await send(message)

        await self._app(scope, receive, completing)
