# A worker: `docker build -t tessella .`, then `serve`, `work` or `admin` as the command.

FROM python:3.13-slim AS build
WORKDIR /source
RUN python -m venv /venv
COPY pyproject.toml README.md LICENSE ./
COPY src src
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
