# Stands in for the haproxy image.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*
USER haproxy
STOPSIGNAL SIGUSR1
ENTRYPOINT ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
