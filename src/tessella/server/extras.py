"""Which of our extras brings a library that is not installed."""

EXTRAS = {
    "starlette": "server",
    "uvicorn": "server",
    "websockets": "server",
    "sqlalchemy": "server",
    "alembic": "server",
    "openskill": "server",
    "asyncpg": "scale",
    "greenlet": "scale",
    "nats": "scale",
    "argon2": "accounts",
    "webauthn": "accounts",
    "cryptography": "accounts",
    "pyarrow": "archive",
    "numpy": "research",
    "gymnasium": "research",
    "pettingzoo": "research",
}


def advice(missing: ModuleNotFoundError) -> str | None:
    """What to install, in a sentence; None if the library is none of ours.

    >>> advice(ModuleNotFoundError(name="nats.errors"))
    "nats is not installed; pip install 'tessella[scale]' brings it"
    """
    library = (missing.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    return f"{library} is not installed; pip install 'tessella[{extra}]' brings it" if extra else None
