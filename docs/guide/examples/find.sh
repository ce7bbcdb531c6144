curl -sS --fail-with-body -G "$TIRE_BASE_URL/reports" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  --data-urlencode 'plate_number=12가 3456' \
  -d analysis_status=complete -d limit=10 \
  -o found.json
jq -r '.reports[] | "\(.timestamps.created_at) \(.report_id)"' found.json
jq -r .next_cursor found.json
