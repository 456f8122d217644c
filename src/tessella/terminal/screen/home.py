"""The first screen when nothing was said on the command line: what to play, with how many, with whom."""

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult
from textual.widgets import Static

from tessella.bots import ladder
from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.terminal.screen.app import Stage
from tessella.terminal.screen.pages import Card, Pick
from tessella.terminal.screen.playing import Playing
from tessella.terminal.screen.server import Refused, Server
from tessella.terminal.screen.start import invite, pair
from tessella.terminal.screen.table import Here, Table
from tessella.terminal.setting import called_by, set_table

SEATS = {"azul": (2, 3, 4), "blockers": (2, 3, 4, 5), "duel": (2,)}
PEOPLE, INVITE, PAIR = "people", "invite", "pair"


class Home(Stage):
    """Choose, play, and choose again."""

    def __init__(self, server: Server | None = None, name: str = "") -> None:
        super().__init__()
        self.server = server
        self.name_given = name

    def compose(self) -> ComposeResult:
        """Nothing but the ground on which the questions stand."""
        yield Static()

    def on_mount(self) -> None:
        """Ask."""
        self.choose()

    @work
    async def choose(self) -> None:
        """Ask for a game, how many, and with whom; play; ask again. Escape goes back, at last out."""
        words = self.tessella.words
        while title := await self._pick("game", [(name, words(f"screen.home.{name}")) for name in GAMES]):
            game = GAMES[title]
            seats = await self._seats(game)
            table = await self._table(game, seats) if seats else None
            if table is not None:
                await self.tessella.push_screen_wait(Playing(table))
        self.dismiss()

    async def _pick(self, question: str, choices: Sequence[tuple[str, str]]) -> str:
        words = self.tessella.words
        hint = words("screen.home.first_hint" if question == "game" else "screen.home.hint")
        page = Pick(words(f"screen.home.{question}"), choices, hint)
        return await self.tessella.push_screen_wait(page)

    async def _seats(self, game: AnyGame) -> int:
        words, numbers = self.tessella.words, SEATS.get(game.NAME, (2,))
        if len(numbers) == 1:
            return numbers[0]
        choices = [(str(number), words("screen.home.players", n=number)) for number in numbers]
        return int(await self._pick("seats", choices) or 0)

    async def _table(self, game: AnyGame, seats: int) -> Table | None:
        """A table here, or at the server; None if nothing was chosen, or the server refused."""
        words = self.tessella.words
        rungs = ladder(game)
        levels = [
            (level, words("screen.home.bot", n=n, total=len(rungs), level=called_by(words, level) or level))
            for n, level in enumerate(rungs, 1)
        ]
        others = [(PEOPLE, words("screen.home.people"))]
        if self.server is not None:
            others = [(INVITE, words("screen.home.invite")), (PAIR, words("screen.home.pair"))]
        chosen = await self._pick("with", [*others, *levels])
        if not chosen:
            return None
        try:
            return await self._set(game, seats, chosen)
        except Refused as wrong:
            await self.tessella.push_screen_wait(Card(str(wrong), words("screen.enter")))
            return None

    async def _set(self, game: AnyGame, seats: int, chosen: str) -> Table:
        words, me = self.tessella.words, self.name_given or self.tessella.words("screen.home.me")
        if self.server is not None:
            if chosen == PAIR:
                return await pair(self.server, game, seats, me, words)
            others = ["open" if chosen == INVITE else chosen] * (seats - 1)
            return await invite(self.server, game, [me, *others], [], words)
        people = [words("screen.home.person", n=seat + 1) for seat in range(seats)]
        players = people if chosen == PEOPLE else [me, *[chosen] * (seats - 1)]
        setting = set_table(game, players, [], None, words)
        return Here(setting.table, setting.bots)
