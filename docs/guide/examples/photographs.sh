curl -sS --fail --remote-name-all \
  "${TIRE_BASE_URL%/api/v1}/docs/samples/tread-{front_left,front_right,rear_left,rear_right}.jpg"
ls -l tread-*.jpg
