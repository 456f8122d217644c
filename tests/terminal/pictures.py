"""The pictures of the full screen in `docs/pictures`, as `scripts/gen/screen-pictures` draws them."""

import asyncio
import re
from random import Random

from msgspec import Struct

from tessella.bots import Budget, bot
from tessella.core.record import read_rules
from tessella.games import GAMES
from tessella.terminal.client import LocalClient
from tessella.terminal.tui.app import Tessella
from tessella.terminal.tui.game_screen import GameScreen
from tessella.text.i18n import Translations
from tests.terminal.people import shown
from tests.terminal.tables import Seats, with_bots


class Picture(Struct, frozen=True):
    """A table after a number of moves, on Ann's turn, with the best-looking move under her cursor."""

    title: str
    size: tuple[int, int]
    moves: int
    seats: int = 2
    light: bool = False


PICTURES = {
    "screen-azul": Picture("azul", (80, 24), 26),
    "screen-azul-large": Picture("azul", (120, 40), 44, seats=3, light=True),
    "screen-blockers": Picture("blockers", (80, 24), 40, seats=4),
    "screen-duel": Picture("duel", (80, 24), 50),
}


def draw(picture: Picture) -> str:
    """The picture as SVG, without any font from elsewhere."""
    return asyncio.run(_draw(picture))


async def _draw(picture: Picture) -> str:
    playing = GameScreen(LocalClient(with_bots(_table(picture), dict.fromkeys(range(1, picture.seats), "greedy"))))
    app = Tessella(playing, Translations("en"), dwell=0, light=picture.light)
    async with shown(app, picture.size) as pilot:
        while playing.snapshot is None or not playing.snapshot.moves:
            await asyncio.sleep(0.02)
        await pilot.press("escape")
        while app.screen is not playing:
            await asyncio.sleep(0.02)
        best = max(playing.snapshot.moves, key=lambda move: playing.preview(move).points)
        *first, last = playing.move_input.moves[best]
        for part in first:
            playing.move_input.pick(part)
        playing.move_input.point(last)
        playing.redraw()
        await pilot.pause()
        return _plain(app.export_screenshot(title="tessella", simplify=True))


def _table(picture: Picture):
    game, rng = GAMES[picture.title], Random(5)
    config = read_rules(game, f"{game.NAME}/{game.EDITION} seats={picture.seats}")
    table = Seats(
        game, config, seed=bytes([5] * 32), id="picture", names=("Ann", "Bob", "Cleo", "Dirk")[: picture.seats]
    )
    choose = bot(game, "greedy")
    while len(table.steps) < picture.moves or table.seats[0] != 0:
        seat = table.seats[0]
        table.play(choose(game.view(table.state, seat), Budget(), rng))
    return table


def _plain(svg: str) -> str:
    """The same drawing with the fonts of whoever looks, and with names that do not change."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "t", svg)
    svg = svg.replace("Fira Code", 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono"')
    return re.sub(r"<!-- .*? -->\s*", "", svg)
