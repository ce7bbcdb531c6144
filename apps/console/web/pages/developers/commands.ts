import type { Texts } from '../../i18n/en';

const AUTHORIZED = '-H "Authorization: Bearer $KEY"';
const JSON_BODY = `-H 'Content-Type: application/json'`;
/** One for each of four tires is asked for: the sample serves for all. */
const BODY = '{"template":"tire_4t_0s","external_vehicle_id":"first-try"}';

type Step = keyof Texts['quickStart']['steps'];

/** From a key to a report that a customer can open, for any POSIX shell that has curl. */
export const firstReport = (origin: string, key: string): readonly (readonly [Step, string])[] => [
  ['key', `export BASE='${origin}/api/v1' KEY='${key}'`],
  [
    'create',
    `curl -sS -X POST "$BASE/reports" ${AUTHORIZED} ${JSON_BODY} \\
  -d '${BODY}' | tee report.json; echo
export REPORT_ID=$(sed 's/.*"report_id":"\\([^"]*\\)".*/\\1/' report.json)`,
  ],
  ['photograph', `curl -sS -o tread.jpg '${origin}/console/samples/tread.jpg'`],
  [
    'upload',
    `grep -o '"upload_url":"[^"]*"' report.json | cut -d '"' -f 4 | while read -r url; do
  curl -sS -T tread.jpg -H 'Content-Type: image/jpeg' -H 'Cache-Control: max-age=60' -w '%{http_code}\\n' "$url"
done`,
  ],
  [
    'register',
    `sed 's/.*"upload_targets":\\(\\[.*\\]\\).*/{"images":\\1}/' report.json |
  curl -sS -X POST "$BASE/reports/$REPORT_ID/images" ${AUTHORIZED} ${JSON_BODY} -d @-; echo`,
  ],
  [
    'read',
    `while curl -sS "$BASE/reports/$REPORT_ID" ${AUTHORIZED} -o read.json &&
  grep -qE '"analysis_status":("processing"|"complete","publication_status":"unpublished")' read.json; do sleep 1; done
grep -oE '"[a-z]+_status":"[a-z_]+"|"aggregated_remaining_depth":[0-9.]+' read.json`,
  ],
  ['share', `sed 's/.*"share_url":"\\([^"]*\\)".*/\\1/' report.json; echo`],
];
