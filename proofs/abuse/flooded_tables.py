"""Attacks with tables: lists full of one person's tables, tables without end, and other people's invitations."""

import json
from collections.abc import AsyncIterator

from proofs.abuse.scene import Scene
from proofs.in_process_server import Call, body_of, status_of
from proofs.play import Client

LISTED, TABLES, TABLES_PER_ADDRESS = 5, 50, 200
"""The documented defaults; the server has its own constants."""

TRIES = 100
TABLE = {"title": "duel", "seats": [{"kind": "me"}, {}]}
SUBNET = "192.0.2.21"


def _set(who: Client, address: str = "127.0.0.1", *, listed: bool = False) -> Call:
    return Call("POST", "/api/games", {**TABLE, "listed": listed}, who.secret, address=address)


async def listed_tables(scene: Scene) -> AsyncIterator[str]:
    """List a hundred tables as Eve and as many guests: Ann's stays on the first page."""
    made = json.loads(body_of(await scene.server.ask(_set(scene.ann, "198.51.100.1", listed=True))))
    alone = (await scene.at_once([_set(scene.eve, listed=True)] * TRIES)).count(201)
    if alone > LISTED:
        yield f"one guest has {alone} tables in the list"
    guests = [await Client.arrive(scene.server, f"Eve {number}") for number in range(TRIES)]
    crowd = (await scene.at_once([_set(guest, SUBNET, listed=True) for guest in guests])).count(201)
    if crowd > 4 * LISTED:
        yield f"guests of one address have {crowd} tables in the list"
    page = (await scene.bob.ask("GET", "/api/games"))["games"]
    if made["id"] not in [game["id"] for game in page[:3]]:
        yield f"the table of somebody else is not among the first of {len(page)}"


async def tables_without_end(scene: Scene) -> AsyncIterator[str]:
    """Open tables concurrently as many guests, and close them again: their number is limited."""
    alone = (await scene.at_once([_set(scene.eve)] * (2 * TABLES))).count(201)
    if alone > TABLES:
        yield f"one guest has set {alone} tables"
    guests = [await Client.arrive(scene.server, f"Eve {number}") for number in range(10)]
    crowd = (await scene.at_once([_set(guest, SUBNET) for guest in guests for _ in range(TABLES)])).count(201)
    if crowd > TABLES_PER_ADDRESS:
        yield f"guests of one address have set {crowd} tables"
    closed = 0
    for _ in range(TRIES):
        answers = await scene.server.ask(_set(guests[0], "192.0.2.22"))
        if status_of(answers) != 201:
            break
        path = f"/api/games/{json.loads(body_of(answers))['id']}/close"
        closed += await guests[0].status("POST", path) == 200
    else:
        yield f"{closed} tables were set and closed one after the other"
    if await scene.ann.status("POST", "/api/games", TABLE) != 201:
        yield "somebody else cannot set a table"


async def anothers_table(scene: Scene) -> AsyncIterator[str]:
    """Try to make links for another person's table and to close it; a link that was replaced is void."""
    made = await scene.ann.ask("POST", "/api/games", {"title": "azul", "seats": [{"kind": "me"}, {}, {}]})
    path, secret = f"/api/games/{made['id']}", made["invitations"][0]["secret"]
    await scene.bob.ask("POST", f"{path}/join", {"secret": made["invitations"][1]["secret"]})
    for who in (scene.eve.secret, scene.bob.secret, scene.member.secret):
        for what in ("invitations", "close"):
            if failure := await scene.must(Call("POST", f"{path}/{what}", None, who), 403):
                yield failure
        if json.loads(body_of(await scene.server.ask(Call("GET", f"{path}/invitations", None, who)))) != {
            "yours": False,
            "seats": [],
        }:
            yield "somebody else learns which links have not been used"
    await scene.ann.ask("POST", f"{path}/invitations")
    if failure := await scene.must(Call("POST", f"{path}/join", {"secret": secret}, scene.eve.secret), 403):
        yield failure
    if failure := await scene.must(Call("POST", f"/api/games/{scene.game}/close", None, scene.ann.secret), 409):
        yield failure
