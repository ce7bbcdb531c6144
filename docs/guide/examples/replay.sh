jq -n '{queued_from: (now - 3600 | todate), queued_before: (now | todate)}' |
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/webhooks/replay" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d @- | jq .
