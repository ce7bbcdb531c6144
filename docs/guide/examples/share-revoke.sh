curl -sS --fail-with-body -X DELETE "$TIRE_BASE_URL/reports/$REPORT_ID/share" \
  -H "Authorization: Bearer $TIRE_API_KEY" | jq .status
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports/$REPORT_ID/share" \
  -H "Authorization: Bearer $TIRE_API_KEY" | jq .share_url
