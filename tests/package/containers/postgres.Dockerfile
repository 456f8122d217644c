# Stands in for the postgres image: the same variables, the same folder, the same command.
FROM tessella-check/debian
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-17 && rm -rf /var/lib/apt/lists/* && \
    mkdir -p /var/lib/postgresql/data && chown postgres:postgres /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY postgres-entrypoint /usr/local/bin/postgres-entrypoint
USER postgres
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint"]
CMD ["postgres"]
