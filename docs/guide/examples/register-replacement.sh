jq '{images: [.upload_targets[] | {asset_id, module_type, slot}]}' created.json |
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports/$REPORT_ID/images?replace=true" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d @- | jq .
