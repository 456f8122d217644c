"""A small OpenID provider on loopback, for tests: it vouches for anyone, truly or not."""

import asyncio
import hashlib
import time
from base64 import b64decode, urlsafe_b64encode
from secrets import token_urlsafe
from urllib.parse import parse_qsl, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.server.waiting import until

CLIENT, SECRET = "tessella", "between-us"


class OpenIdProvider:
    """The provider, which answers while it is entered; `lies` replaces claims of its ID tokens, `key` signs them."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"
        self._port = port
        self.published = self.key = RSAKey.generate_key(2048, {"kid": "one"})
        self.subject, self.name = "ann-7", "Ann"
        self.lies: dict[str, object] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.bulk = 0
        """How many bytes the keys are longer than needed."""

    async def _about(self, _: Request) -> Response:
        ends = {name: self.issuer + path for name, path in (("token_endpoint", "/token"), ("jwks_uri", "/keys"))}
        return JSONResponse({"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize", **ends})

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
        assert (asked["client_id"], "openid" in asked["scope"]) == (CLIENT, True)
        code = token_urlsafe(16)
        self.codes[code] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}", 303)

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        asked = self.codes.pop(form["code"], None)
        known = b64decode(request.headers["authorization"].partition(" ")[2]).decode() == f"{CLIENT}:{SECRET}"
        if asked is None or not known or form["redirect_uri"] != asked["redirect_uri"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        if urlsafe_b64encode(digest).decode().rstrip("=") != asked["code_challenge"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": self.subject, "iat": now, "exp": now + 60}
        claims |= {"nonce": asked["nonce"], "name": self.name, **self.lies}
        token = jwt.encode({"alg": "RS256", "kid": "one"}, claims, self.key)
        return JSONResponse({"access_token": "x", "token_type": "Bearer", "id_token": token})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self.published.as_dict(private=False)], "more": "x" * self.bulk})

    async def __aenter__(self) -> "OpenIdProvider":
        paths = {"/.well-known/openid-configuration": self._about, "/authorize": self._authorize, "/keys": self._keys}
        routes = [Route(path, answer) for path, answer in paths.items()]
        app = Starlette(routes=[*routes, Route("/token", self._token, methods=["POST"])])
        self._server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=self._port, log_level="warning"))
        self._task = asyncio.create_task(self._server.serve())
        await until(lambda: self._server.started)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.should_exit = True
        await self._task
