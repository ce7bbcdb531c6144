REPORT_ID=$(jq -r .report_id report.json)
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports/$REPORT_ID/upload-targets" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"slots": [{"module_type": "tire", "slot": {"position": "rear_right", "image_type": "tread"}}]}' \
  -o created.json
