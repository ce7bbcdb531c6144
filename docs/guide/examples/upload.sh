jq -r '.upload_targets[] | "\(.slot.position) \(.upload_url)"' created.json |
( while read -r POSITION UPLOAD_URL; do
  curl -sS --fail-with-body "$UPLOAD_URL" \
    --upload-file "tread-$POSITION.jpg" \
    -H 'Content-Type: image/jpeg' \
    -H 'Cache-Control: max-age=60' \
    -w "$POSITION: %{http_code}, %{size_upload} bytes\n" || exit
done )
