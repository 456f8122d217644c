"""A client of the official SDK plays through the server, and no tool tells what a seat may not know."""

import asyncio
import sys

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.mcpserver.exceptions import ToolError

from proofs.noninterference import pairs
from tessella.core.local import LocalTable
from tessella.core.record import write_rules
from tessella.games import GAMES
from tessella.models import Disguise, Episode, SeatText
from tessella.models.mcp import MOST_GAMES, Tools, server

TOOLS = {"new_game", "view", "moves", "describe_move", "play", "rules", "review"}


async def _call(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    return result.is_error, "\n".join(part.text for part in result.content)


async def _play_through(target, games, opponent="random"):
    """Play each game to its end through a client; return what the last views said."""
    ends = []
    async with Client(target) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
        for number, game in enumerate(games, 1):
            failed, told = await _call(client, "new_game", game=game, opponent=opponent)
            assert not failed, told
            key = str(number)
            failed, told = await _call(client, "play", game_id=key, move="nonsense")
            assert failed
            assert "not a move" in told
            while "The game is over" not in (told := (await _call(client, "view", game_id=key))[1]):
                moves = (await _call(client, "moves", game_id=key))[1].split()
                assert moves, told
                failed, described = await _call(client, "describe_move", game_id=key, move=moves[0])
                assert not failed, described
                failed, told = await _call(client, "play", game_id=key, move=moves[0])
                assert not failed, told
            ends.append(told)
            failed, rules = await _call(client, "rules", game_id=key)
            assert not failed
            assert len(rules) > 2000
    return ends


@pytest.mark.heavy
def test_a_client_of_the_official_sdk_plays_every_title_to_the_end_over_stdio():
    command = StdioServerParameters(command=sys.executable, args=["-m", "tessella", "mcp"], env=_environment())
    ends = asyncio.run(_play_through(command, GAMES))
    assert len(ends) == 3
    assert all("1." in end for end in ends)


def test_the_list_of_moves_can_be_left_out():
    async def names():
        async with Client(server(listed=False)) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert asyncio.run(names()) == TOOLS - {"moves"}


def _environment():
    return {"PYTHONPATH": ":".join(path for path in sys.path if path)}


def test_a_finished_game_is_reviewed_and_an_unfinished_one_is_not():
    async def run():
        async with Client(server()) as client:
            await _call(client, "new_game", game="azul", opponent="random")
            failed, told = await _call(client, "review", game_id="1")
            assert failed
            assert "not over" in told
            while True:
                moves = (await _call(client, "moves", game_id="1"))[1].split()
                if moves[0] == "You":
                    break
                await _call(client, "play", game_id="1", move=moves[0])
            return await _call(client, "review", game_id="1")

    failed, told = asyncio.run(run())
    assert not failed
    assert "player 1" in told


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("new_game", {"game": "chess"}, "choose from azul"),
        ("new_game", {"game": "azul", "opponent": "deep"}, "is not a bot"),
        ("new_game", {"game": "azul", "options": "seats=9"}, "2 to 4 players"),
        ("view", {"game_id": "7"}, "there is no game"),
        ("rules", {"game_id": "1", "rule": "AZ99"}, "there is no rule"),
        ("describe_move", {"game_id": "1", "move": "9b1"}, "9b1"),
    ],
)
def test_wrong_arguments_are_explained(tool, arguments, says):
    tools = Tools()
    tools.new_game("azul", "random")
    with pytest.raises(ToolError, match=says):
        getattr(tools, tool)(**arguments)


def test_a_server_keeps_a_bounded_number_of_games():
    tools = Tools()
    for _ in range(MOST_GAMES + 3):
        tools.new_game("duel", "random")
    with pytest.raises(ToolError, match="no game"):
        tools.view("3")
    assert tools.view("4")


def _table(game, line, seed):
    """Return a table at which the acts of a line were played."""
    table = LocalTable(game, line.config, seed=seed)
    table.state, table.steps = game.setup(line.config), []
    for act in line.acts:
        table._apply(act)
    return table


def _everything(game, line, seat, tries, disguise):
    """Return what every tool says to a seat."""
    options = " ".join(write_rules(game, line.config).split()[1:])
    episode = Episode(game.NAME, options, opponent="random", seat=seat)
    assert episode.config == line.config
    episode.table = _table(game, line, bytes(32))
    episode.text = SeatText(episode.table, seat, disguise)
    episode.disguised = disguise is not None
    tools = Tools()
    told = [tools.add(episode), tools.view("1"), tools.moves("1"), tools.rules("1"), episode.text.news()]
    episode.tokens_in = 0
    told.append(str(episode._observation()))
    told += [_said(tools.describe_move, "1", move) for move in [*episode.text.moves()[:8], *tries]]
    told.append(_said(tools.review, "1"))
    told += [_said(episode.text.error, move, exc) for move, exc in _errors(episode.text, tries)]
    for move in episode.text.moves()[:1]:  # without the deal that may follow: chance may decide otherwise
        episode.table._apply(episode.text.read(move))
        told += [episode.text.news(), episode.text.board(), episode.text.status()]
    return told


def _said(tool, *arguments):
    try:
        return tool(*arguments)
    except ToolError as exc:
        return f"error: {exc}"


def _errors(text, tries):
    for move in tries:
        try:
            text.read(move)
        except ValueError as exc:
            yield move, exc


@pytest.mark.heavy
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("disguised", [False, True])
def test_no_tool_tells_two_worlds_apart_that_the_seat_cannot_tell_apart(name, disguised):
    game = GAMES[name]
    different = 0
    for number, pair in zip(range(40), pairs(game, 11), strict=False):
        if pair.viewer is None:  # a model always has a seat
            continue
        disguise = Disguise.of(name, number) if disguised else None
        one, two = (_everything(game, line, pair.viewer, pair.tries, disguise) for line in pair.worlds)
        assert one == two
        different += pair.differs
    assert different > 5 or name == "azul"


def test_a_tool_that_tells_too_much_is_caught(monkeypatch):
    monkeypatch.setattr(SeatText, "board", lambda self: self.table.game.write_state(self.table.state))
    game = GAMES["blockers"]
    pair = next(pair for pair in pairs(game, 11) if pair.differs and pair.viewer is not None)
    one, two = (_everything(game, line, pair.viewer, pair.tries, None) for line in pair.worlds)
    assert one != two
