"""The first screen without a game on the command line: which game, how many players, and who."""

from collections.abc import Sequence

from textual import work
from textual.app import ComposeResult
from textual.widgets import Static

from tessella.bots import ladder
from tessella.core.game import AnyGame
from tessella.games import GAMES
from tessella.games.registry import seat_numbers
from tessella.terminal.client import GameClient, LocalClient
from tessella.terminal.http import Server, ServerError
from tessella.terminal.join import invite, pair
from tessella.terminal.setup import bot_name, set_up_game
from tessella.terminal.tui.app import BaseScreen
from tessella.terminal.tui.dialogs import Card, Pick
from tessella.terminal.tui.game_screen import GameScreen

PEOPLE, INVITE, PAIR = "people", "invite", "pair"


class HomeScreen(BaseScreen):
    """The choice of a game, again after each game."""

    def __init__(self, server: Server | None = None, name: str = "") -> None:
        super().__init__()
        self.server = server
        self.name_given = name

    def compose(self) -> ComposeResult:
        """Yield an empty background for the dialogs."""
        yield Static()

    def on_mount(self) -> None:
        """Start asking."""
        self.choose()

    @work
    async def choose(self) -> None:
        """Ask for a game, the number of players and the opponents; play; ask again. Escape goes back a step."""
        texts = self.tessella.texts
        while title := await self._pick("game", [(name, texts(f"screen.home.{name}")) for name in GAMES]):
            game = GAMES[title]
            seats = await self._seats(game)
            table = await self._table(game, seats) if seats else None
            if table is not None:
                await self.tessella.push_screen_wait(GameScreen(table))
        self.dismiss()

    async def _pick(self, question: str, choices: Sequence[tuple[str, str]]) -> str:
        texts = self.tessella.texts
        hint = texts("screen.home.first_hint" if question == "game" else "screen.home.hint")
        page = Pick(texts(f"screen.home.{question}"), choices, hint)
        return await self.tessella.push_screen_wait(page)

    async def _seats(self, game: AnyGame) -> int:
        texts, numbers = self.tessella.texts, seat_numbers(game)
        if len(numbers) == 1:
            return numbers[0]
        choices = [(str(number), texts("screen.home.players", n=number)) for number in numbers]
        return int(await self._pick("seats", choices) or 0)

    async def _table(self, game: AnyGame, seats: int) -> GameClient | None:
        """Return a local or an online game, or None if nothing was chosen or the server rejected it."""
        texts = self.tessella.texts
        rungs = ladder(game)
        levels = [
            (level, texts("screen.home.bot", n=n, total=len(rungs), level=bot_name(texts, level) or level))
            for n, level in enumerate(rungs, 1)
        ]
        others = [(PEOPLE, texts("screen.home.people"))]
        if self.server is not None:
            others = [(INVITE, texts("screen.home.invite")), (PAIR, texts("screen.home.pair"))]
        chosen = await self._pick("with", [*others, *levels])
        if not chosen:
            return None
        try:
            return await self._set(game, seats, chosen)
        except ServerError as exc:
            await self.tessella.push_screen_wait(Card(str(exc), texts("screen.enter")))
            return None

    async def _set(self, game: AnyGame, seats: int, chosen: str) -> GameClient:
        texts, me = self.tessella.texts, self.name_given or self.tessella.texts("screen.home.me")
        if self.server is not None:
            if chosen == PAIR:
                return await pair(self.server, game, seats, me, texts)
            others = ["open" if chosen == INVITE else chosen] * (seats - 1)
            return await invite(self.server, game, [me, *others], [], texts)
        people = [texts("screen.home.person", n=seat + 1) for seat in range(seats)]
        players = people if chosen == PEOPLE else [me, *[chosen] * (seats - 1)]
        return LocalClient(set_up_game(game, players, [], None, texts), self.tessella.save.keep)
