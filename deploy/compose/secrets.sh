#!/bin/sh
# Prints the secrets of compose.yaml: sh deploy/compose/secrets.sh > deploy/.env
set -eu
umask 077
password() { openssl rand -hex 24; }
echo "TIRE_DATABASE_PASSWORD=$(password)"
for app in GATEWAY LEDGER ASSETS CONTENT SHARE; do
  echo "TIRE_${app}_OWNER_PASSWORD=$(password)"
  echo "TIRE_${app}_RUNTIME_PASSWORD=$(password)"
done
echo "TIRE_OBJECT_SECRET=$(password)"
echo "TIRE_CONSOLE_SECRET=k1:$(openssl rand -base64 32)"
for app in LEDGER SHARE; do echo "TIRE_${app}_SEALING_KEYS=k1:$(openssl rand -base64 32)"; done
# nats-server reads a value that begins with a digit as a number.
for user in LEDGER ASSETS INFERENCE CONTENT SHARE OPERATOR; do echo "TIRE_NATS_${user}_PASSWORD=n$(password)"; done
# A key for each service, which signs its calls, and the public keys. An Ed25519 key is the last 32 bytes of its DER form.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
public=''
for service in gateway ledger assets inference content share; do
  openssl genpkey -algorithm ed25519 -outform DER -out "$folder/key"
  echo "TIRE_$(echo "$service" | tr '[:lower:]' '[:upper:]')_PRIVATE_KEY=$(tail -c 32 "$folder/key" | base64)"
  public="$public,$service:$(openssl pkey -inform DER -in "$folder/key" -pubout -outform DER | tail -c 32 | base64)"
done
echo "TIRE_SERVICE_PUBLIC_KEYS=${public#,}"
