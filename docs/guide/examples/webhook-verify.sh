wait
header() { sed -n "s/^webhook-$1: //p" webhook-headers.txt; }
KEY=$(printf %s "${TIRE_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
EXPECTED=$({ printf '%s.%s.' "$(header id)" "$(header timestamp)"; cat webhook-body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
header signature | tr ' ' '\n' | grep -Fx "v1,$EXPECTED" && echo verified
jq . webhook-body.json
