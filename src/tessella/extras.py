"""Which optional extra installs a missing library."""

EXTRAS = {
    "starlette": "server",
    "uvicorn": "server",
    "websockets": "server",
    "sqlalchemy": "server",
    "alembic": "server",
    "openskill": "server",
    "prometheus_client": "server",
    "asyncpg": "scale",
    "greenlet": "scale",
    "nats": "scale",
    "opentelemetry": "traces",
    "ray": "cluster",
    "mcp": "mcp",
    "textual": "terminal",
    "argon2": "accounts",
    "webauthn": "accounts",
    "cryptography": "accounts",
    "authlib": "oidc",
    "joserfc": "oidc",
    "httpx2": "oidc",
    "pyarrow": "archive",
    "resvg_py": "pictures",
    "numpy": "research",
    "gymnasium": "research",
    "pettingzoo": "research",
    "PIL": "research",
}


def advice(missing: ModuleNotFoundError) -> str | None:
    """Return what to install, in a sentence, or None if no extra installs the library.

    >>> advice(ModuleNotFoundError(name="nats.errors"))
    "nats is not installed; install it with: pip install 'tessella[scale]'"
    """
    library = (missing.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    return f"{library} is not installed; install it with: pip install 'tessella[{extra}]'" if extra else None
