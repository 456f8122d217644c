"""The pages of the browser client, as they are served."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette

from tessella.server.http import static


@pytest.fixture
def get(tmp_path, monkeypatch):
    """Asks for an address of a client that was built."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>the client</title>")
    (tmp_path / "worker.js").write_text("// keeps pages")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "assets" / "index-abc.js").write_text("'a script'")
    (tmp_path.parent / "secret.txt").write_text("secret")
    monkeypatch.setattr(static, "STATIC", tmp_path)
    static._files.cache_clear()
    yield _get
    static._files.cache_clear()


def _get(path: str, **headers: str) -> httpx.Response:
    app = Starlette(routes=static.ROUTES, exception_handlers={404: static.missing})

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://table") as client:
            return await client.get(path, headers={"accept": "text/html", **headers})

    return asyncio.run(ask())


def test_every_address_of_the_client_opens_its_document(get):
    for address in static.PAGES:
        answer = get(address.replace("{id}", "abcd1234"))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "the client" in answer.text
        assert answer.headers["cache-control"] == "no-cache"


def test_no_page_may_run_a_script_of_others_or_be_framed(get):
    policy = get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_a_file_with_a_digest_in_its_name_is_kept_for_ever_and_sent_small(get):
    answer = get("/assets/index-abc.js")
    assert answer.text == "'a script'"
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    plain = get("/assets/index-abc.js", **{"accept-encoding": "identity"})
    assert plain.text == "'a script'"
    assert "content-encoding" not in plain.headers


def test_the_worker_is_asked_for_anew_and_may_load_from_here_only(get):
    worker = get("/worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    assert "connect-src 'self'" in worker.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/assets/..%2f..%2fsecret.txt", "/assets/%2e%2e%2fsecret.txt", "/assets/other.js"])
def test_no_path_leads_out_of_the_folder(get, path):
    answer = get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


def test_an_address_that_leads_nowhere_is_the_client_for_a_person_and_a_word_for_a_program(get):
    person, program, api = get("/nowhere"), get("/nowhere", accept="application/json"), get("/api/nowhere")
    assert [answer.status_code for answer in (person, program, api)] == [404, 404, 404]
    assert "the client" in person.text
    assert "nothing at this address" in program.text
    assert "nothing at this address" in api.text


def test_a_client_that_was_not_built_says_how_to_build_it(tmp_path, monkeypatch):
    monkeypatch.setattr(static, "STATIC", tmp_path / "nothing")
    static._files.cache_clear()
    assert "scripts/web-build" in _get("/").text
    assert _get("/nowhere").status_code == 404
    static._files.cache_clear()


def test_only_the_worker_that_runs_python_may_compile_webassembly(get):
    folder = static.STATIC / "python" / "abc"
    folder.mkdir(parents=True)
    (folder.parent / "worker-abc.js").write_text("'starts Python'")
    (folder / "pyodide.mjs").write_text("'loads Python'")
    (folder / "tessella.zip").write_bytes(b"packed already")
    static._files.cache_clear()
    for path in ("/python/worker-abc.js", "/python/abc/pyodide.mjs"):
        answer = get(path)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "'wasm-unsafe-eval'" in answer.headers["content-security-policy"]
        assert "immutable" in answer.headers["cache-control"]
    packed = get("/python/abc/tessella.zip")
    assert packed.content == b"packed already"
    assert "content-encoding" not in packed.headers
    assert get("/python/..%2f..%2fsecret.txt").status_code == 404
    assert "wasm" not in get("/assets/index-abc.js").headers["content-security-policy"]
