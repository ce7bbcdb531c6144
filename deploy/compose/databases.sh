#!/bin/sh
# The Postgres image runs this once in an empty volume. It creates five databases, each with an owner role and a runtime role.
set -eu
for app in gateway ledger assets content share; do
  upper=$(echo "$app" | tr '[:lower:]' '[:upper:]')
  eval "owner=\$${upper}_OWNER_PASSWORD runtime=\$${upper}_RUNTIME_PASSWORD"
  psql -v ON_ERROR_STOP=1 -U postgres -v app="tire_$app" -v owner="$owner" -v runtime="$runtime" <<'SQL'
    SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD %L', :'app' || '_owner', :'owner') \gexec
    SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD %L', :'app' || '_runtime', :'runtime') \gexec
    SELECT format('CREATE DATABASE %I OWNER %I', :'app', :'app' || '_owner') \gexec
    SELECT format('REVOKE ALL ON DATABASE %I FROM PUBLIC', :'app') \gexec
    SELECT format('GRANT CONNECT ON DATABASE %I TO %I', :'app', :'app' || '_runtime') \gexec
SQL
done
