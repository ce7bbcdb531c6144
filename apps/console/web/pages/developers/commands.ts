import type { Texts } from '../../i18n/en';

const AUTHORIZED = '-H "Authorization: Bearer $KEY"';
const JSON_BODY = `-H 'Content-Type: application/json'`;
/** One for each of four tires is asked for: the sample serves for all. */
const BODY = '{"template":"tire_4t_0s","external_vehicle_id":"first-try"}';

/** Seconds: four photographs are measured in a few of them. */
const TRIES = 150;
/** What did not begin does not go on: the shell says so in place of the id. */
const REPORT = '$BASE/reports/${REPORT_ID:?there is no report, see what was answered above}';

type Step = keyof Texts['quickStart']['steps'];

/** From a key to a report that a customer can open, for any POSIX shell that has curl. */
export const firstReport = (origin: string, key: string): readonly (readonly [Step, string])[] => [
  ['key', `export BASE='${origin}/api/v1' KEY='${key}'`],
  [
    'create',
    `curl -sS -X POST "$BASE/reports" ${AUTHORIZED} ${JSON_BODY} \\
  -d '${BODY}' | tee report.json; echo
export REPORT_ID=$(sed -n 's/.*"report_id":"\\([^"]*\\)".*/\\1/p' report.json)`,
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
