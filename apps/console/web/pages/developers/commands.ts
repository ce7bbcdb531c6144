import type { Texts } from '../../i18n/en';

const AUTHORIZED = '-H "Authorization: Bearer $KEY"';
const JSON_BODY = `-H 'Content-Type: application/json'`;
/** The template needs four tread images. The sample is used for each. */
const BODY = '{"template":"tire_4t_0s","external_vehicle_id":"first-try"}';

/** One try per second. Measuring four images takes a few seconds. */
const TRIES = 150;
/** If the creation fails, the shell prints an error instead of the id. */
const REPORT = '$BASE/reports/${REPORT_ID:?there is no report, see what was answered above}';

type Step = keyof Texts['quickStart']['steps'];

/** From an API key to a share page, for any POSIX shell with curl. */
export const firstReport = (origin: string, key: string): readonly (readonly [Step, string])[] => [
  ['key', `export BASE='${origin}/api/v1' KEY='${key}'`],
  [
    'create',
    `curl -sS -X POST "$BASE/reports" ${AUTHORIZED} ${JSON_BODY} \\
  -d '${BODY}' | tee report.json; echo
export REPORT_ID=$(sed -n 's/.*"report_id":"\\([^"]*\\)".*/\\1/p' report.json)`,
  ],
  ['image', `curl -sS -o tread.jpg '${origin}/console/samples/tread.jpg'`],
  [
    'upload',
    `grep -o '"upload_url":"[^"]*"' report.json | cut -d '"' -f 4 | while read -r url; do
  curl -sS -T tread.jpg -H 'Content-Type: image/jpeg' -H 'Cache-Control: max-age=60' -w '%{http_code}\\n' "$url"
done`,
  ],
  [
    'register',
    `sed 's/.*"upload_targets":\\(\\[.*\\]\\).*/{"images":\\1}/' report.json |
  curl -sS -X POST "${REPORT}/images" ${AUTHORIZED} ${JSON_BODY} -d @-; echo`,
  ],
  [
    'read',
    `tries=0
while curl -sSf "${REPORT}" ${AUTHORIZED} -o read.json &&
  grep -qE '"analysis_status":("processing"|"complete","publication_status":"unpublished")' read.json &&
  [ $((tries += 1)) -lt ${TRIES} ]; do sleep 1; done
grep -oE '"[a-z]+_status":"[a-z_]+"|"aggregated_remaining_depth":[0-9.]+' read.json`,
  ],
  ['share', `sed -n 's/.*"share_url":"\\([^"]*\\)".*/\\1/p' report.json; echo`],
];
