while
  curl -sS --fail-with-body "$TIRE_BASE_URL/reports/$REPORT_ID" \
    -H "Authorization: Bearer $TIRE_API_KEY" -o report.json &&
  jq -e '.analysis_status == "processing"
    or (.analysis_status == "complete" and .publication_status != "published" and .summary_status != "failed")' report.json
do
  sleep 1
done
jq -r '.slots[] | "\(.slot_id) \(.analysis.result.aggregated_depth.aggregated_remaining_depth) mm"' report.json
