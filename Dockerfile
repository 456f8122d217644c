# A worker: `docker build -t tessella .`, then `serve`, `work` or `admin` as the command.

FROM node:22-slim AS web
WORKDIR /source
COPY docs/rules docs/rules
COPY web web
RUN cd web && npm ci && npm run build

FROM python:3.13-slim AS build
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev
WORKDIR /source
RUN python -m venv /venv
COPY pyproject.toml setup.py README.md LICENSE ./
COPY docs/rules docs/rules
COPY docs/reference/tessella.1 docs/reference/tessella.1
COPY src src
COPY --from=web /source/web/dist src/tessella/server/static
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check '.[all]'

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --home-dir /data tessella
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    TESSELLA_ADDRESS=0.0.0.0 \
    TESSELLA_PORT=8642 \
    TESSELLA_DATABASE=sqlite:/data/tessella.sqlite3 \
    TESSELLA_LOG=json
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8642
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8642/health', timeout=2)"]
ENTRYPOINT ["tessella"]
CMD ["serve"]
