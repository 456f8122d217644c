"""The pictures of the full screen in `docs/pictures`: written by `scripts/screen-pictures`, and held to by a test."""

import asyncio
import re
from random import Random

from msgspec import Struct

from tessella.bots import Budget, bot
from tessella.core.record import Table, read_rules
from tessella.games import GAMES
from tessella.terminal.screen.app import Tessella
from tessella.terminal.screen.playing import Playing
from tessella.terminal.screen.table import Here
from tessella.terminal.words import Words


class Picture(Struct, frozen=True):
    """A table after so many moves, when it is Ann's turn and she looks at the move that seems best."""

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
    playing = Playing(Here(_table(picture), dict.fromkeys(range(1, picture.seats), "greedy")))
    app = Tessella(playing, Words("en"), dwell=0, light=picture.light)
    async with app.run_test(size=picture.size) as pilot:
        while playing.scene is None or not playing.scene.moves:
            await asyncio.sleep(0.02)
        await pilot.press("escape")
        while app.screen is not playing:
            await asyncio.sleep(0.02)
        best = max(playing.scene.moves, key=lambda move: playing.preview(move).points)
        *first, last = playing.chooser.moves[best]
        for part in first:
            playing.chooser.pick(part)
        playing.chooser.point(last)
        playing.redraw()
        await pilot.pause()
        return _plain(app.export_screenshot(title="tessella", simplify=True))


def _table(picture: Picture):
    game, rng = GAMES[picture.title], Random(5)
    config = read_rules(game, f"{game.NAME}/{game.EDITION} seats={picture.seats}")
    table = Table(
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
