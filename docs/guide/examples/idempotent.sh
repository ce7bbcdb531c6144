KEY=$(openssl rand -hex 16)
for ATTEMPT in 1 2; do
  curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports" \
    -H "Authorization: Bearer $TIRE_API_KEY" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $KEY" \
    -d '{"template": "tire_4t_0s"}' | jq -r .report_id
done
