"""The files of the browser client: one document for all its pages, and what it loads.

`scripts/web-build` writes them to `server/static`. Files under `assets/` have a digest in their name and never change.
"""

import gzip
import mimetypes
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

STATIC = Path(__file__).parents[1] / "static"

PAGES = (
    "/",
    "/here",
    "/table/{id}",
    "/join/{id}",
    "/replay",
    "/replay/{id}",
    "/review",
    "/review/{id}",
    "/learn",
    "/learn/{title}",
    "/puzzles",
    "/puzzles/{id}",
    "/daily",
    "/daily/{day}/{title}",
    "/games",
    "/rules",
    "/rules/{title}",
    "/leaderboard",
    "/watch",
    "/events",
    "/events/{id}",
    "/clubs",
    "/clubs/{id}",
    "/match/{id}",
    "/people/{id}",
    "/account",
    "/welcome/{token}",
    "/password/{token}",
    "/confirm/{token}",
    "/unsubscribe/{token}",
    "/settings",
    "/about",
)
"""Every page of the client; all of them are served by the same document."""

EXTRAS = (
    "app.webmanifest",
    "worker.js",
    "icon.svg",
    "icon-180.png",
    "icon-192.png",
    "icon-512.png",
    "icon-maskable.png",
)
"""Files that keep their names."""

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html tessella-worker",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""The two trusted-types policies: one of Svelte, which texts of users never pass, and one that allows the URLs of our
two workers and no other.
"""

PYTHON_HEADERS = {
    **SECURITY_HEADERS,
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
}
"""The worker that runs Python in a tab may compile WebAssembly; the pages may not."""

PACKED = (".gz", ".zip", ".woff2")
"""Files that are compressed already."""

KINDS = {
    ".webmanifest": "application/manifest+json",
    ".mjs": "text/javascript",
    ".woff2": "font/woff2",
    ".gz": "application/octet-stream",
    ".zip": "application/octet-stream",
}
"""Media types that not every system knows, or that it would have unpacked."""

FOREVER = "public, max-age=31536000, immutable"
NOT_BUILT = "The browser client has not been built: scripts/web-build does it. The interface is at /api/openapi.json.\n"


class File(Struct, frozen=True):
    """A built file, plain and compressed; `small` is empty if it would not become smaller."""

    kind: str
    plain: bytes
    small: bytes


@cache
def _files() -> dict[str, File]:
    """Return every built file by its path; nothing else is served, so there is no path traversal."""
    found = (path for path in STATIC.rglob("*") if path.is_file())
    return {path.relative_to(STATIC).as_posix(): _read(path) for path in found}


def _read(path: Path) -> File:
    plain = path.read_bytes()
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return File(kind, plain, b"" if path.suffix in PACKED else gzip.compress(plain, 9, mtime=0))


async def page(request: Request) -> Response:
    """Return the document of the client, which routes by the address itself."""
    document = _files().get("index.html")
    if document is None:
        return PlainTextResponse(NOT_BUILT, headers=SECURITY_HEADERS)
    return _answer(request, document, "no-cache")


def document_with(request: Request, language: str, head: str, title: str, description: str) -> Response:
    """Return the document of the client with more in its head; all but `head` is escaped here."""
    found = _files().get("index.html")
    if found is None:
        return PlainTextResponse(NOT_BUILT, headers=SECURITY_HEADERS)
    text = found.plain.decode()
    for pattern, value in (
        (r"<title>[^<]*</title>", f"<title>{escape(title)}</title>{head}"),
        (r'<meta name="description" content="[^"]*"', f'<meta name="description" content="{escape(description)}"'),
        (r'<html lang="\w+"', f'<html lang="{language}"'),
    ):
        text = re.sub(pattern, lambda _, value=value: value, text, count=1)  # type: ignore[misc]
    response = _answer(request, File(found.kind, text.encode(), gzip.compress(text.encode(), 5, mtime=0)), "no-cache")
    response.headers.add_vary_header("accept-language")
    return response


async def missing(request: Request, _: Exception) -> Response:
    """Return 404: the client, which shows a page for it, or a line of text for programs."""
    document = _files().get("index.html")
    if document is None or request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse("There is nothing at this address.\n", 404, headers=SECURITY_HEADERS)
    return _answer(request, document, "no-cache", 404)


async def asset(request: Request) -> Response:
    """Return a file whose name changes with its content."""
    return _file(request, f"assets/{request.path_params['name']}", FOREVER)


async def python(request: Request) -> Response:
    """Return a file of the Python that runs in a tab; its name or folder changes with its content."""
    return _file(request, f"python/{request.path_params['path']}", FOREVER, PYTHON_HEADERS)


async def extra(request: Request) -> Response:
    """Return a file that keeps its name: an icon, the manifest, the service worker."""
    return _file(request, request.url.path.removeprefix("/"), "no-cache")


def _file(request: Request, name: str, caching: str, security: Mapping[str, str] = SECURITY_HEADERS) -> Response:
    file = _files().get(name)
    if file is None:
        return PlainTextResponse("There is no such file.\n", 404, headers=SECURITY_HEADERS)
    return _answer(request, file, caching, security=security)


def _answer(
    request: Request, file: File, caching: str, status: int = 200, security: Mapping[str, str] = SECURITY_HEADERS
) -> Response:
    headers = {**security, "cache-control": caching, "vary": "accept-encoding"}
    if not file.small or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(file.plain, status, headers, file.kind)
    return Response(file.small, status, {**headers, "content-encoding": "gzip"}, file.kind)


def compressed(request: Request, data: bytes, headers: Mapping[str, str], kind: str) -> Response:
    """Return text that was made here, compressed if the client accepts it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(data, 200, dict(headers), kind)
    return Response(gzip.compress(data, 5, mtime=0), 200, {**headers, "content-encoding": "gzip"}, kind)


ROUTES: list[BaseRoute] = [
    *(Route(path, page) for path in PAGES),
    Route("/assets/{name}", asset),
    Route("/python/{path:path}", python),
    *(Route(f"/{name}", extra) for name in EXTRAS),
]
"""The routes that serve the client."""
