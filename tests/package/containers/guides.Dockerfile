# A bare Debian of a host, as the guides expect it: Python, and the few programs that every server has.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends \
    caddy curl gcc libc6-dev openssl postgresql-client procps python3-dev python3-pip python3-venv sudo
COPY systemctl journalctl /usr/local/bin/
