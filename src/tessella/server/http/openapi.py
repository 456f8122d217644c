"""The OpenAPI document, generated from the routes and their types."""

from typing import Any

import msgspec

from tessella.server.http.api import ROUTES, Route
from tessella.server.http.api.routes import WORD

_PREFIX = "#/components/schemas/{name}"
_WORD = {"type": "string", "pattern": f"^{WORD}$"}


def document() -> dict[str, Any]:
    """Return the OpenAPI document of all routes."""
    bodies = [route.body for route in ROUTES if route.body is not None]
    answers = [route.answer for route in ROUTES]
    _, components = msgspec.json.schema_components([*bodies, *answers], ref_template=_PREFIX)
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tessella", "version": "1", "description": "Tables for tile-laying games."},
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(route: Route) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": route.summary,
        "operationId": route.handler.__name__,
        "responses": {
            str(route.status): {"description": "success", "content": _content(route.answer)},
            "default": {"description": "error"},
        },
    }
    names = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters = [{"name": name, "in": "path", "required": True, "schema": _WORD} for name in names]
    parameters += [{"name": name, "in": "query", "schema": {"type": "string"}} for name in route.query]
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _content(route.body)}
    return operation


def _content(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _PREFIX.format(name=kind.__name__)}}}
