# Stands in for the node image.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends nodejs npm && rm -rf /var/lib/apt/lists/*
