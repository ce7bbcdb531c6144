curl -sS -X POST "$TIRE_BASE_URL/reports" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"template": "tire_9t", "callback_url": "example.com"}' | jq .
