"""The OpenAPI document and the server say the same."""

import asyncio
import re
import subprocess
import sys

from tessella.server.http import openapi
from tessella.server.http.api import ROUTES
from tests.server.clients import Person

LEFT_OUT = "^/(api/(me$|me/sessions|session$|me/password)|unsubscribe/)"
"""What would log our tester out; and a path that answers GET with a page, which is no part of the interface."""


def test_the_document_lists_every_route():
    document = openapi.document()
    assert document["openapi"].startswith("3.1")
    listed = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert listed == {(route.method, route.path) for route in ROUTES}
    assert all(operation["summary"] for methods in document["paths"].values() for operation in methods.values())


CONFIG = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
"""
"""Every way of saying no; 413 is what a request of many kilobytes gets."""


async def test_schemathesis_finds_no_answer_that_the_document_does_not_promise(app, port, tmp_path):
    (config := tmp_path / "schemathesis.toml").write_text(CONFIG)
    ann = await Person.arrive(port, "Ann")
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command += [f"http://127.0.0.1:{port}/api/openapi.json"]
    command += ["--header", f"Cookie: tessella={ann.http.cookies['tessella']}"]
    command += ["--max-examples", "4", "--generation-deterministic"]
    command += ["--phases", "examples,coverage,fuzzing", "--no-shrink", "--workers", "1"]
    command += ["--exclude-path-regex", LEFT_OUT]
    # a well-formed request may still be refused: there may be no such game, seat or invitation
    command += ["--exclude-checks", "positive_data_acceptance"]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert re.search(r"[1-9]\d* generated", done.stdout)
