curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"plate_number": "12가 3456", "template": "tire_4t_0s"}' \
  -o created.json
jq . created.json
