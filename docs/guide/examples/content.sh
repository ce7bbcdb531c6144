REPORT_ID=$(jq -r .report_id report.json)
curl -sS --fail-with-body "$TIRE_BASE_URL/reports/$REPORT_ID/content" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -D content-headers.txt -o content.json
jq -r '.status, .overall.severity, .overall.headline' content.json
