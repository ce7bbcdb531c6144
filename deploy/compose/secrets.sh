#!/bin/sh
# Prints the secrets of compose.yaml: sh deploy/compose/secrets.sh > deploy/.env
set -eu
umask 077
password() { openssl rand -hex 24; }
echo "TIRE_DATABASE_PASSWORD=$(password)"
echo "TIRE_OBJECT_SECRET=$(password)"
echo "TIRE_CONSOLE_SECRET=k1:$(openssl rand -base64 32)"
# nats-server reads a value that begins with a digit as a number.
for user in LEDGER ASSETS INFERENCE CONTENT SHARE OPERATOR; do echo "TIRE_NATS_${user}_PASSWORD=n$(password)"; done
