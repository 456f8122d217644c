# A bare Debian with Python: no compiler, no Node, nothing else.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 python3-venv && rm -rf /var/lib/apt/lists/*
