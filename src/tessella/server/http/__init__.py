"""The ASGI application: routes, sockets, streams, middleware, rate limits, static files."""
