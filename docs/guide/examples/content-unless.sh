ETAG=$(tr -d '\r' < content-headers.txt | awk 'tolower($1) == "etag:" { sub(/^[^ ]+ /, ""); print }')
curl -sS --fail-with-body "$TIRE_BASE_URL/reports/$REPORT_ID/content" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H "If-None-Match: $ETAG" \
  -o unchanged.json -w '%{http_code}\n'
