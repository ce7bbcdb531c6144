curl -sS --fail-with-body -X DELETE "$TIRE_BASE_URL/reports/$REPORT_ID" \
  -H "Authorization: Bearer $TIRE_API_KEY" | jq .
