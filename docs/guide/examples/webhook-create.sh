jq -n --arg callback_url "$TIRE_CALLBACK_URL" '{template: "tire_4t_0s", callback_url: $callback_url}' |
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d @- -o created.json
