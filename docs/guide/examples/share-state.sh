REPORT_ID=$(jq -r .report_id report.json)
curl -sS --fail-with-body "$TIRE_BASE_URL/reports/$REPORT_ID/share" \
  -H "Authorization: Bearer $TIRE_API_KEY" | jq .
