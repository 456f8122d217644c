"""A replay for other sites: one small page that needs nothing but one style sheet and one script of ours."""

from collections.abc import Sequence
from html import escape

from tessella.core.game import AnyGame
from tessella.core.record import Record, read_rules
from tessella.core.record import replay as steps_of
from tessella.svg import PAINTERS, Picture
from tessella.svg.drawing import STYLE
from tessella.svg.frames import BUTTONS, describe, frames_element, frames_of
from tessella.text.i18n import Translations
from tessella.text.style import Style

SHEET = (
    STYLE
    + """
:root{color-scheme:light dark;--back:#f4efe5;--front:#22303c;--faint:#5b6670;--link:#1f4e9e}
@media(prefers-color-scheme:dark){:root{--back:#12161b;--front:#ece7dc;--faint:#a3adb6;--link:#86b3ff}}
body{margin:0;padding:8px;background:var(--back);color:var(--front);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
[data-tessella]{max-width:900px;margin:0 auto}
.tessella{display:block;width:100%;height:auto;max-height:calc(100vh - 150px)}
.controls{display:flex;gap:6px;align-items:center;margin:8px 0}
.controls button{font:inherit;min-width:40px;height:36px;color:inherit;background:none;border:1px solid var(--faint);
border-radius:8px;cursor:pointer}
.controls button:disabled{opacity:.45;cursor:default}
.controls input{flex:1;min-width:60px}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
p{min-height:3em;margin:0 0 8px;white-space:pre-line}
a{color:var(--link)}
"""
)
"""The style sheet of the page."""

CHROME_HEIGHT = 150
"""Space for the controls and the text below the board, in pixels."""


def page(game: AnyGame, record: Record, names: Sequence[str], texts: Translations, address: str) -> str:
    """Return the page of a finished game as a spectator sees it; `address` is that of the replay on our own site."""
    style, painter = Style(texts, names, colour=False), PAINTERS[game.NAME]
    steps = list(steps_of(game, record))
    config = read_rules(game, record.rules)
    states = [game.setup(config), *(step.after for step in steps)]
    contents = [painter.contents_of(game.view(state, None), style) for state in states]
    kinds = {kind for each in contents for kind in each.lies.values()}
    told = ["", *(describe(game, step, style, None) for step in steps)]
    title = texts("embed.replay", game=texts(f"screen.game.{game.NAME}"))
    shown = Picture(painter.layout_of(config), contents[-1], f"{title}. {', '.join(names)}")
    return (
        f'<!doctype html><html lang="{texts.language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">'
        '<link rel="stylesheet" href="/embed.css"><script src="/embed.js" defer></script></head><body>'
        f'<main data-tessella="t">{shown.opening}>{shown.shapes("t", kinds)}</svg>{_controls(texts, len(steps))}'
        f"{frames_element(frames_of(contents, told))}"
        f'<a href="{escape(address)}" target="_blank" rel="noopener">{escape(texts("embed.open"))}</a></main>'
        "</body></html>"
    )


def _controls(texts: Translations, acts: int) -> str:
    buttons = "".join(
        f'<button type="button" aria-label="{escape(texts(f"embed.{name}"))}">{sign}</button>' for sign, name in BUTTONS
    )
    label = escape(texts("embed.act"))
    slider = f'<input type="range" min="0" max="{acts}" value="{acts}" aria-label="{label}">'
    return f'<div class="controls">{buttons}{slider}</div><p aria-live="polite"></p>'


def height_for(game: AnyGame, rules: str, width: int) -> int:
    """Return the height of a frame of this width."""
    layout = PAINTERS[game.NAME].layout_of(read_rules(game, rules))
    return round(width * layout.height / layout.width) + CHROME_HEIGHT
