jq -n --arg images "$IMAGES" '{
  plate_number: "12가 3456",
  template: "tire_4t_0s",
  images: ["front_left", "front_right", "rear_left", "rear_right"]
    | map({
        module_type: "tire",
        slot: {position: ., image_type: "tread"},
        source: {url: "\($images)/tread-\(.).jpg"}
      })
}' > request.json
curl -sS --fail-with-body -X POST "$TIRE_BASE_URL/reports" \
  -H "Authorization: Bearer $TIRE_API_KEY" \
  -H 'Content-Type: application/json' \
  -d @request.json -o created.json
jq . created.json
REPORT_ID=$(jq -r .report_id created.json)
