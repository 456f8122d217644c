"""The OpenAPI document and the server say the same."""

import asyncio
import re
import subprocess
import sys

import httpx

from tessella.server import openapi
from tessella.server.api import ROUTES
from tessella.server.settings import Settings

DESTRUCTIVE = "^/api/(me$|me/sessions|session$|me/password)"
"""What would log our tester out."""


def test_the_document_lists_every_route():
    document = openapi.document()
    assert document["openapi"].startswith("3.1")
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(route.method, route.path) for route in ROUTES}
    assert all(operation["summary"] for methods in document["paths"].values() for operation in methods.values())


def test_schemathesis_finds_no_answer_that_the_document_does_not_promise(serve, sqlite, port):
    async def main():
        async with serve(Settings(database=sqlite, port=port)), httpx.AsyncClient() as client:
            address = f"http://127.0.0.1:{port}"
            session = await client.post(f"{address}/api/session", json={"name": "Ann"})
            cookie = session.headers["set-cookie"].partition(";")[0]
            command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}/api/openapi.json"]
            command += ["--header", f"Cookie: {cookie}", "--max-examples", "5", "--max-time", "20", "--seed", "1"]
            command += ["--phases", "examples,coverage,fuzzing", "--no-shrink", "--workers", "1"]
            command += ["--exclude-path-regex", DESTRUCTIVE]
            # a well-formed wish may still be refused: there may be no such game, seat or invitation
            command += ["--exclude-checks", "positive_data_acceptance"]
            return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)

    done = asyncio.run(asyncio.wait_for(main(), 120))
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"[1-9]\d* generated", done.stdout)
