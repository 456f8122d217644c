# Stands in for the nats image.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends nats-server && rm -rf /var/lib/apt/lists/*
USER nobody
ENTRYPOINT ["nats-server"]
