"""What other sites show of our links: Open Graph data in the document of a page, cards, oEmbed, replays in frames.

Everything here is the same for everybody: no cookie is read, and of a table only what any spectator sees is shown.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from math import ceil
from typing import Any, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tessella.coach.puzzles.puzzle import shipped
from tessella.core.game import Public
from tessella.core.wire import Encoded
from tessella.server.http import static
from tessella.server.http.api.daily import read_deal
from tessella.server.http.rate_limits import Limits
from tessella.server.http.requests import address_of
from tessella.server.rooms.duplicate import show_dice
from tessella.server.rooms.history import UnreadableGame, read_log
from tessella.server.rooms.room import Room
from tessella.server.services.cards import (
    CardView,
    EmbedView,
    card_of_daily,
    card_of_game,
    card_of_puzzle,
    embed_of_game,
)
from tessella.server.services.compute import Busy
from tessella.server.store.errors import STORE_ERRORS
from tessella.svg import PAINTERS
from tessella.svg.card import HEIGHT, WIDTH
from tessella.svg.embed import SHEET, height_for
from tessella.svg.frames import SCRIPT
from tessella.table.table import Refused
from tessella.text.cards import (
    CardWords,
    all_dailies_in_words,
    board_in_words,
    daily_in_words,
    puzzle_in_words,
    table_in_words,
)
from tessella.text.i18n import LANGUAGES, Translations

GAME_ID = "[A-Za-z0-9_-]{4,40}"
MOST_BYTES = 24_000_000
"""Cards and replays kept in memory."""
MOST_BYTES_EACH = 2_000_000
LONGEST_ADDRESS = 300
A_DAY = "public, max-age=86400"
AN_HOUR = "public, max-age=3600"
FRAME_WIDTH = 720
NARROWEST_FRAME = 280

EMBED_HEADERS = {
    **{name: value for name, value in static.SECURITY_HEADERS.items() if name != "cross-origin-opener-policy"},
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors *",
    "cross-origin-resource-policy": "cross-origin",
}
"""A replay may be framed by any site, and nothing else of ours may; it neither sets nor reads cookies or storage."""

SHARED_FILES = {"cross-origin-resource-policy": "cross-origin"}

Drawing: TypeAlias = Callable[..., Public]


class TooBusy(Exception):
    """Too much is being drawn, or was asked for by this address."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Drawings:
    """Cards and replays that were drawn lately, in bounded memory; each is drawn once, however many ask at a time."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawing: dict[str, asyncio.Task[bytes]] = {}

    async def get(self, key: str, draw: Callable[[], Any]) -> bytes:
        """Return the drawing with this key, drawn by `draw` if it is not kept."""
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        if (task := self._drawing.get(key)) is None:
            task = asyncio.create_task(draw())
            self._drawing[key] = task
            task.add_done_callback(lambda done: self._keep(key, done))
        return await asyncio.shield(task)

    def has(self, key: str) -> bool:
        """Return whether a drawing is kept or on its way, so that it costs nothing to ask for it."""
        return key in self._kept or key in self._drawing

    def _keep(self, key: str, task: asyncio.Task[bytes]) -> None:
        del self._drawing[key]
        if task.cancelled() or task.exception() or len(task.result()) > MOST_BYTES_EACH:
            return
        self._kept[key] = task.result()
        self._size += len(task.result())
        while self._size > self._most_bytes:
            self._size -= len(self._kept.popitem(last=False)[1])


def can_draw() -> bool:
    """Return whether the extra `pictures` is installed."""
    return find_spec("resvg_py") is not None


class Preview(Struct, frozen=True):
    """What is said of a page elsewhere; `card` and `embed` are paths, empty if there is none."""

    words: CardWords
    title: str
    card: str = ""
    embed: str = ""
    height: int = 0


# Pages


async def table_page(request: Request) -> Response:
    """Return the page of a table, a replay, a review or an invitation."""
    try:
        room = await _room(request)
    except (*STORE_ERRORS, UnreadableGame):
        room = None  # the client says what is wrong
    if room is None:
        return await static.page(request)
    return _page(request, _preview_of(room, _texts(request), replay=request.url.path.startswith("/replay/")))


async def puzzle_page(request: Request) -> Response:
    """Return the page of a puzzle."""
    preview = _preview_of_puzzle(request.path_params["id"], _texts(request))
    return _page(request, preview) if preview else await static.page(request)


async def daily_page(request: Request) -> Response:
    """Return the page of a daily deal, or of all of them."""
    preview = _preview_of_daily(request, request.path_params.get("title", ""), request.path_params.get("day", ""))
    return _page(request, preview) if preview else await static.page(request)


def _preview_of_daily(request: Request, title: str, day: str) -> Preview | None:
    texts = _texts(request)
    if not title and not day:
        return Preview(all_dailies_in_words(texts), "azul", "/cards/daily.png" if can_draw() else "")
    deal = read_deal(title, day, request.app.state.host.clock())
    if deal is None:
        return None
    card = f"/cards/daily/{day}/{title}.png" if can_draw() else ""
    return Preview(daily_in_words(texts, title, deal.day, deal.level), title, card)


def _preview_of(room: Room, texts: Translations, *, replay: bool) -> Preview:
    table = room.table
    card = f"/cards/{table.id}.png?v={table.number}" if can_draw() else ""
    framed = replay and table.is_public and table.shown and table.started and table.game.NAME in PAINTERS
    height = height_for(table.game, table.terms.rules, FRAME_WIDTH) if framed else 0
    words = table_in_words(texts, table)
    return Preview(words, table.game.NAME, card, f"/embed/{table.id}" if framed else "", height)


def _preview_of_puzzle(puzzle_id: str, texts: Translations) -> Preview | None:
    puzzle = shipped().get(puzzle_id)
    if puzzle is None:
        return None
    return Preview(
        puzzle_in_words(texts, puzzle), puzzle.title, f"/cards/puzzles/{puzzle_id}.png" if can_draw() else ""
    )


def _page(request: Request, preview: Preview) -> Response:
    """Return the document of the client with what other sites read of it."""
    texts, origin = _texts(request), _origin(request)
    address = f"{origin}{request.url.path}"
    words = preview.words
    card = f"{preview.card}{'&' if '?' in preview.card else '?'}lang={texts.language}" if preview.card else ""
    found = {
        "og:site_name": "Tessella",
        "og:type": "website",
        "og:locale": texts.language,
        "og:url": address,
        "og:title": words.headline,
        "og:description": words.line,
        "og:image": f"{origin}{card or '/icon-512.png'}",
        "twitter:card": "summary_large_image" if card else "summary",
    }
    if card:
        alt = board_in_words(texts, preview.title)
        found |= {"og:image:type": "image/png", "og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
        found |= {"og:image:alt": alt, "twitter:image": found["og:image"], "twitter:image:alt": alt}
    metas = [
        f'<meta {"name" if name.startswith("twitter") else "property"}="{name}" content="{escape(value)}" />'
        for name, value in found.items()
    ]
    oembed = f"{origin}/oembed?url={quote(address, safe='')}&lang={texts.language}"
    metas.append(f'<link rel="alternate" type="application/json+oembed" href="{escape(oembed)}" />')
    title = f"{words.headline} · Tessella"
    return static.document_with(request, texts.language, "".join(metas), title, words.line)


# Cards


async def table_card(request: Request) -> Response:
    """Return the card of a table."""
    room = await _room(request)
    if room is None or not can_draw():
        return _nothing()
    table, language = room.table, _texts(request).language
    names = "\n".join(occupant.name for occupant in table.seats)  # a name is erased with its owner
    key = f"card {table.id} {table.number} {table.shown} {language} {names}"

    async def draw() -> bytes:
        log = await read_log(request.app.state.host.store, table.id)
        return await _draw_card(request, card_of_game, table.id, log, language)

    return await _card(request, key, draw, A_DAY if table.status == "over" else "no-cache")


async def puzzle_card(request: Request) -> Response:
    """Return the card of a puzzle."""
    puzzle_id, language = request.path_params["id"], _texts(request).language
    if puzzle_id not in shipped() or not can_draw():
        return _nothing()

    async def draw() -> bytes:
        return await _draw_card(request, card_of_puzzle, puzzle_id, language)

    return await _card(request, f"puzzle {puzzle_id} {language}", draw, A_DAY)


async def daily_card(request: Request) -> Response:
    """Return the card of a daily deal, which shows nothing of the deal, or of all of them."""
    title, day = request.path_params.get("title", ""), request.path_params.get("day", "")
    deal = read_deal(title, day, request.app.state.host.clock()) if title else None
    if (title and deal is None) or not can_draw():
        return _nothing()
    language, level = _texts(request).language, deal.level if deal else ""

    async def draw() -> bytes:
        return await _draw_card(request, card_of_daily, title, day, level, language)

    return await _card(request, f"daily {title} {day} {language}", draw, A_DAY)


async def _draw_card(request: Request, task: Drawing, *arguments: object) -> bytes:
    return msgspec.json.decode(await _compute(request, task, *arguments), type=CardView).png


async def _compute(request: Request, task: Drawing, *arguments: object) -> Encoded:
    state = request.app.state
    found: Encoded = await state.compute.run(state.limits.asker("", address_of(request)), task, *arguments)
    return found


async def _drawn(request: Request, key: str, draw: Callable[[], Any]) -> bytes:
    """Return a drawing; raise `TooBusy` if too much is being drawn, or asked for by this address."""
    drawings, limits = request.app.state.drawings, request.app.state.limits
    if not drawings.has(key):
        _charge(limits, address_of(request), request.app.state.host.clock())
    try:
        found: bytes = await drawings.get(key, draw)
    except Busy:
        raise TooBusy(2.0) from None
    return found


def _charge(limits: Limits, address: str, now: float) -> None:
    if wait := limits.wait_for_expensive_at_address(address, now) or limits.wait_for_expensive("", address, now):
        raise TooBusy(wait)


async def _card(request: Request, key: str, draw: Callable[[], Any], caching: str) -> Response:
    try:
        data = await _drawn(request, key, draw)
    except TooBusy as exc:
        return _busy(exc)
    tag = f'"{sha256(data).hexdigest()[:24]}"'
    headers = {**SHARED_FILES, "cache-control": caching, "etag": tag, "vary": "accept-language"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(data, 200, headers, "image/png")


# Replays in frames


async def embed(request: Request) -> Response:
    """Return the replay of a finished game, which any site may put into a frame."""
    room = await _room(request)
    if room is None or not (room.table.is_public and await show_dice(request.app.state.host, room)):
        return PlainTextResponse("There is no finished game at this address.\n", 404, EMBED_HEADERS)
    table, language = room.table, _texts(request).language
    names = "\n".join(occupant.name for occupant in table.seats)
    address = f"{_origin(request)}/replay/{table.id}"

    async def draw() -> bytes:
        log = await read_log(request.app.state.host.store, table.id)
        found = await _compute(request, embed_of_game, table.id, log, language, address)
        return msgspec.json.decode(found, type=EmbedView).html.encode()

    try:
        data = await _drawn(request, f"embed {address} {language} {names}", draw)
    except TooBusy as exc:
        return _busy(exc)
    except Refused as exc:
        return PlainTextResponse(f"{exc.message}\n", 404, EMBED_HEADERS)
    headers = {**EMBED_HEADERS, "cache-control": AN_HOUR, "vary": "accept-language, accept-encoding"}
    return static.compressed(request, data, headers, "text/html")


async def embed_script(request: Request) -> Response:
    """Return the script of a replay in a frame."""
    return static.compressed(request, SCRIPT.encode(), {"cache-control": AN_HOUR}, "text/javascript")


async def embed_sheet(request: Request) -> Response:
    """Return the style sheet of a replay in a frame."""
    return static.compressed(request, SHEET.encode(), {"cache-control": AN_HOUR}, "text/css")


# oEmbed


async def oembed(request: Request) -> Response:
    """Return what the oEmbed format (1.0) says of one of our pages: a frame for a replay, otherwise a link."""
    if request.query_params.get("format", "json") != "json":
        return PlainTextResponse("Only JSON is offered.\n", 501)
    given, origin = request.query_params.get("url", "")[:LONGEST_ADDRESS], _origin(request)
    try:
        preview = await _preview_at(request, given.removeprefix(origin)) if given.startswith(f"{origin}/") else None
    except (*STORE_ERRORS, UnreadableGame):
        return _busy(TooBusy(10.0))
    if preview is None:
        return PlainTextResponse("There is nothing to show at this address.\n", 404)
    answer: dict[str, str | int] = {
        "version": "1.0",
        "type": "rich" if preview.embed else "link",
        "title": preview.words.headline,
        "provider_name": "Tessella",
        "provider_url": f"{origin}/",
        "cache_age": 3_600,
    }
    if preview.card:
        answer |= {"thumbnail_url": f"{origin}{preview.card}"}
        answer |= {"thumbnail_width": WIDTH, "thumbnail_height": HEIGHT}
    if preview.embed:
        answer |= _frame(request, preview, f"{origin}{preview.embed}")
    return Response(msgspec.json.encode(answer), headers={"cache-control": "no-cache"}, media_type="application/json")


def _frame(request: Request, preview: Preview, address: str) -> dict[str, str | int]:
    """Return the frame of a replay, no larger than the asker wants it."""
    width = max(NARROWEST_FRAME, min(FRAME_WIDTH, _number(request, "maxwidth", FRAME_WIDTH)))
    height = min(preview.height * width // FRAME_WIDTH + 40, _number(request, "maxheight", preview.height))
    html = (
        f'<iframe src="{escape(address)}" width="{width}" height="{height}" title="{escape(preview.words.headline)}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
    return {"html": html, "width": width, "height": height}


def _number(request: Request, name: str, usual: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if re.fullmatch("[1-9][0-9]{1,4}", text) else usual


async def _preview_at(request: Request, path: str) -> Preview | None:
    """Return the preview of the page at a path, or None if it has none."""
    texts, plain = _texts(request), urlsplit(path).path
    if found := re.fullmatch(f"/(table|join|replay|review)/({GAME_ID})", plain):
        room = await request.app.state.host.current(found[2])
        return _preview_of(room, texts, replay=found[1] == "replay") if room else None
    if found := re.fullmatch(r"/daily(?:/([\d-]{10})/(\w{1,20}))?", plain):
        return _preview_of_daily(request, found[2] or "", found[1] or "")
    found = re.fullmatch(r"/puzzles/([\w-]{1,60})", plain)
    return _preview_of_puzzle(found[1], texts) if found else None


# Requests


async def _room(request: Request) -> Room | None:
    game_id = request.path_params["id"]
    found: Room | None = None
    if re.fullmatch(GAME_ID, game_id):
        found = await request.app.state.host.current(game_id)
    return found


def _texts(request: Request) -> Translations:
    """Return the texts of the reader's language: that of the address, or the first one that the browser asks for."""
    return Translations(language_of(request.query_params.get("lang", ""), request.headers.get("accept-language", "")))


def language_of(wanted: str, accepted: str) -> str:
    """Return the language to answer in.

    >>> language_of("", "fi, fr-CA;q=0.8, nl;q=0.9"), language_of("en", "fr"), language_of("", "")
    ('nl', 'en', 'en')
    """
    offered = re.findall(r"([A-Za-z]{2})[\w-]*\s*(?:;\s*q=([01](?:\.\d{1,3})?))?\s*(?:,|$)", accepted[:LONGEST_ADDRESS])
    ranked = sorted(offered, key=lambda pair: -float(pair[1] or 1))
    return next((each for each in (wanted, *(name.lower() for name, _ in ranked)) if each in LANGUAGES), "en")


def _origin(request: Request) -> str:
    """Return the public address of this server: as the host has set it, or as the reader has typed it."""
    site: str = request.app.state.settings.site
    return site.rstrip("/") or f"{request.url.scheme}://{request.url.netloc}"


def _nothing() -> Response:
    return PlainTextResponse("There is no picture here.\n", 404)


def _busy(exc: TooBusy) -> Response:
    headers = {"retry-after": str(ceil(exc.seconds)), "cache-control": "no-store"}
    return PlainTextResponse("Too many pictures are being drawn; try again in a moment.\n", 429, headers)


PAGES = {
    "/table/{id}": table_page,
    "/join/{id}": table_page,
    "/replay/{id}": table_page,
    "/review/{id}": table_page,
    "/puzzles/{id}": puzzle_page,
    "/daily": daily_page,
    "/daily/{day}/{title}": daily_page,
}
"""The pages whose document says what they show."""

ROUTES: list[BaseRoute] = [
    *(Route(path, endpoint) for path, endpoint in PAGES.items()),
    Route("/cards/puzzles/{id}.png", puzzle_card),
    Route("/cards/daily.png", daily_card),
    Route("/cards/daily/{day}/{title}.png", daily_card),
    Route("/cards/{id}.png", table_card),
    Route("/embed/{id}", embed),
    Route("/embed.js", embed_script),
    Route("/embed.css", embed_sheet),
    Route("/oembed", oembed),
]
