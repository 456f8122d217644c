"""A server of the Model Context Protocol: a language model's client starts games and plays them by tools.

Every tool speaks through `SeatText`, so it says what the model's seat may know and no more. Needs
`pip install 'tessella[mcp]'`.
"""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from tessella.bots import Budget, names
from tessella.coach.review import review as review_record
from tessella.core.game import BadNotation, IllegalMove
from tessella.games import GAMES
from tessella.models.episode import Episode
from tessella.text.i18n import Translations
from tessella.text.review import narrate
from tessella.text.style import Style

MOST_GAMES = 64
"""Games that a server keeps; the oldest is dropped for another."""
REVIEW_NODES = 60
"""Positions that a review searches per move."""
INSTRUCTIONS = (
    "Play tile-laying board games. Start with new_game; then, until the game is over, look with view, choose from "
    "moves, try out with describe_move, and move with play. rules answers questions about the rules."
)


class Tools:
    """The tools over the games of one client; each returns text."""

    def __init__(self) -> None:
        self._games: dict[str, Episode] = {}
        self._started = 0

    def new_game(self, game: str, opponent: str = "greedy", options: str = "", *, disguise: bool = False) -> str:
        """Start a game (azul, blockers or duel) on seat 1 against bots, and return its id and the table.

        opponent: a bot, such as random, greedy, or a level from 1 up. options: such as "seats=3".
        disguise: whether to rename colours, pieces and rules.
        """
        if game not in GAMES:
            raise ToolError(f"{game!r} is not a game; choose from {', '.join(GAMES)}")
        if opponent not in names(GAMES[game]):
            raise ToolError(f"{opponent!r} is not a bot; choose from {', '.join(names(GAMES[game]))}")
        try:
            episode = Episode(game, options, opponent=opponent, disguise=disguise)
        except ValueError as exc:
            raise ToolError(str(exc)) from exc
        return self.add(episode)

    def add(self, episode: Episode) -> str:
        """Keep a game, and return its id and the table."""
        self._started += 1
        key = str(self._started)
        self._games[key] = episode
        while len(self._games) > MOST_GAMES:
            del self._games[next(iter(self._games))]
        return f"Game {key}. {self.view(key)}\n\nHow moves are written:\n{episode.text.notation()}"

    def view(self, game_id: str) -> str:
        """Return the table as your seat sees it, and whose turn it is."""
        text = self._game(game_id).text
        return f"{text.status()}\n\n{text.board()}"

    def moves(self, game_id: str) -> str:
        """List your legal moves."""
        return " ".join(self._game(game_id).text.moves()) or "You have no moves now."

    def describe_move(self, game_id: str, move: str) -> str:
        """Return what a move would do, without making it."""
        text = self._game(game_id).text
        try:
            return text.describe(move)
        except (BadNotation, IllegalMove) as exc:
            raise ToolError(text.error(move, exc)) from exc

    def play(self, game_id: str, move: str) -> str:
        """Make a move; return what happened until it is your turn again, and the table."""
        episode = self._game(game_id)
        try:
            episode.text.play(move)
        except (BadNotation, IllegalMove) as exc:
            episode.illegal += 1
            raise ToolError(episode.text.error(move, exc)) from exc
        episode.let_bots_move()
        return f"{episode.text.news()}\n\n{self.view(game_id)}"

    def rules(self, game_id: str, rule: str = "") -> str:
        """Return the rules of a game, or one of them by its number, such as AZ15."""
        try:
            return self._game(game_id).text.rules(rule)
        except KeyError as exc:
            raise ToolError(f"there is no rule {rule[:40]!r}; ask without a number for all of them") from exc

    def review(self, game_id: str) -> str:
        """Review a finished game: turning points, mistakes and luck."""
        episode = self._game(game_id)
        if not episode.text.over:
            raise ToolError("the game is not over; a game is reviewed once it is")
        if episode.disguised:
            raise ToolError("a game in disguise is not reviewed: the review would lift the disguise")
        style = Style(Translations("en"), [f"player {seat + 1}" for seat in range(episode.config.seats)], colour=False)
        report = review_record(episode.game, episode.table.record(), Budget(nodes=REVIEW_NODES))
        return "\n".join(narrate(report, style))

    def _game(self, game_id: str) -> Episode:
        if game_id not in self._games:
            raise ToolError(f"there is no game {game_id[:40]!r}; start one with new_game")
        return self._games[game_id]


def server(*, listed: bool = True) -> MCPServer[Any]:
    """Return a server with its own games; `listed` says whether it has the tool `moves`."""
    tools = Tools()
    made: MCPServer[Any] = MCPServer("tessella", instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in (tools.new_game, tools.view, tools.moves, tools.describe_move, tools.play, tools.rules, tools.review):
        if listed or tool != tools.moves:
            made.add_tool(tool, structured_output=False)
    return made
