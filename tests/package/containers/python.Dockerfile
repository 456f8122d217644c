# Stands in for the python image.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv python3-pip python3-dev && \
    ln -s python3 /usr/bin/python && rm -rf /var/lib/apt/lists/*
