# A server: `docker build -t tessella .`, then `serve`, `work` or `admin` as the command.
#
# It has what a server needs and no more: no terminal, no research, no arrays. Everything that it installs is pinned by
# hash in requirements/. Other base images, such as copies of your own: --build-arg PYTHON=… --build-arg NODE=…

ARG PYTHON=python:3.13-slim
ARG NODE=node:22-slim

FROM ${NODE} AS web
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-pip
WORKDIR /source
COPY scripts/web-build scripts/web-build
COPY requirements requirements
COPY docs/rules docs/rules
COPY web web
COPY src src
RUN scripts/web-build

FROM ${PYTHON} AS wheel
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY requirements requirements
RUN python -m venv /build && /build/bin/pip install --no-cache-dir --require-hashes --requirement requirements/build.txt
COPY pyproject.toml setup.py README.md LICENSE ./
COPY docs/rules docs/rules
COPY docs/reference/tessella.1 docs/reference/tessella.1
COPY --from=web /source/src src
RUN /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /dist .

FROM ${PYTHON} AS venv
COPY requirements/server.txt /
RUN python -m venv --without-pip /venv && \
    pip --python /venv/bin/python install --no-cache-dir --require-hashes --requirement /server.txt
COPY --from=wheel /dist /dist
RUN pip --python /venv/bin/python install --no-deps --no-index /dist/*.whl

FROM ${PYTHON}
RUN useradd --system --uid 10001 --create-home --home-dir /data tessella
COPY --from=venv /venv /venv
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
