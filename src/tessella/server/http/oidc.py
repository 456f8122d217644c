"""The two addresses of a log-in by an account elsewhere: where it begins, and where the issuer sends the browser back.

Both are visited by a browser, so they answer with redirects; a log-in that fails leads to the account page, which says
why. The state is also kept in a cookie, so that only the browser that began a log-in can finish it.
"""

import hmac
import logging

from starlette.requests import Request as WebRequest
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tessella.server.http import cookies
from tessella.server.http.api.routes import HouseRules
from tessella.server.http.requests import address_of, find_caller
from tessella.server.people import devices
from tessella.server.people.accounts import enter
from tessella.server.people.devices import Device
from tessella.server.people.host_links import claim_invitation
from tessella.server.people.identity import Banned, Person, Session, shared_key
from tessella.server.services.oidc import Claims, Provider, add_guest, add_member, find_member
from tessella.server.services.revocation import announce_revocation
from tessella.server.store import Store
from tessella.table.table import Refused

log = logging.getLogger(__name__)

STATE = "tessella-oidc"
CALLBACK = "/api/oidc/callback"
LONGEST_VALUE = 2_048


async def begin(request: WebRequest) -> Response:
    """Send the browser to the issuer."""
    state = request.app.state
    if state.oidc is None:
        return _refuse("issuer")
    if state.limits.wait_for_guess(address_of(request), state.host.clock()):
        return _refuse("busy")
    invitation = request.query_params.get("invitation", "")[:64]
    try:
        url, secret = await state.oidc.begin(state.host.store, _callback(request), invitation)
    except Refused as exc:
        return _refuse(exc.rule, exc)
    response = RedirectResponse(url, 303, {"cache-control": "no-store"})
    cookies.set_on(response, request, secret, STATE)
    return response


async def finish(request: WebRequest) -> Response:
    """Log in the person for whom the issuer vouches, and send the browser to the account page."""
    state = request.app.state
    if state.oidc is None:
        return _refuse("issuer")
    secret, code = (request.query_params.get(name, "")[:LONGEST_VALUE] for name in ("state", "code"))
    ours = cookies.find(request.scope, STATE)
    if not (secret and code) or not hmac.compare_digest(secret.encode(), ours.encode()):
        return _refuse("state")
    store: Store = state.host.store
    try:
        caller = await find_caller(state.host, request.scope)
        before = caller.session if caller else None
        claims, attempt = await state.oidc.finish(store, _callback(request), secret, code)
        member = await _member(store, state.oidc, claims, state.rules, before, attempt.invitation)
        cookie = await enter(store, before, member)
    except Refused as exc:
        return _refuse(exc.rule, exc)
    except Banned as exc:
        return _refuse("banned", exc)
    log.info("logged in", extra={"rule": "oidc"})
    await announce_revocation(state.host, before.person.ids if before else ())
    device = Device.read(cookies.find(request.scope, cookies.DEVICE))
    response = RedirectResponse("/account", 303, {"cache-control": "no-store"})
    cookies.set_on(response, request, cookie)
    known = device.remember(await shared_key(store, devices.KEY_NAME), member.id)
    cookies.set_on(response, request, known.write(), cookies.DEVICE)
    cookies.set_on(response, request, "", STATE)
    return response


async def _member(
    store: Store, provider: Provider, claims: Claims, rules: HouseRules, before: Session | None, invitation: str
) -> Person:
    """Return the member with an account elsewhere; a new one if the rules of the house allow it."""
    if known := await find_member(store, provider.issuer, claims.subject):
        return known
    if rules.registration == "closed":
        raise Refused("registration", "this server takes no new members; ask its host")
    is_guest = before is not None and before.person.kind == "guest"
    guest = before.person if before and is_guest else await add_guest(store, claims.name)
    if rules.registration == "invitation":
        await claim_invitation(store, invitation, guest)
    return await add_member(store, guest, provider.issuer, claims.subject)


def _callback(request: WebRequest) -> str:
    """Return the address to which the issuer sends the browser back, which is registered there."""
    site: str = request.app.state.settings.site
    return (site or f"{request.url.scheme}://{request.url.netloc}") + CALLBACK


def _refuse(rule: str, exc: Exception | None = None) -> Response:
    log.info("request denied", extra={"rule": f"oidc {rule}"}, exc_info=exc.__cause__ if exc else None)
    return RedirectResponse(f"/account?refused={rule}", 303, {"cache-control": "no-store"})


ROUTES: list[BaseRoute] = [Route("/api/oidc/login", begin), Route(CALLBACK, finish)]
