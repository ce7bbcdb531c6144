export type GuideLanguage = 'en' | 'ko';

interface Tables {
  readonly address: string;
  readonly photographs: string;
  readonly scenarios: string;
}

export interface GuideWords {
  readonly types: { readonly tread: string; readonly sidewall: string };
  readonly fails: string;
  readonly failsAtFetch: string;
  readonly wornSmooth: string;
  readonly unread: string;
  readonly contentFails: string;
  readonly noContent: string;
  readonly goodCar: string;
  readonly analyze: string;
  readonly lowest: (mm: string) => string;
  readonly size: (size: string) => string;
  readonly failsFirst: (code: string) => string;
  readonly after: (seconds: number) => string;
  readonly callbackFails: (times: number) => string;
  readonly severity: (severity: string) => string;
  readonly replace: (name: string) => string;
  readonly attempts: (count: number) => string;
  readonly page: (tables: Tables) => string;
}

const en: GuideWords = {
  types: { tread: 'tread', sidewall: 'sidewall' },
  fails: 'fails:',
  failsAtFetch: 'its address fails, its upload fails when it is measured:',
  wornSmooth: 'worn smooth, no depths',
  unread: 'measured, `size: null`',
  contentFails: 'the content of the report fails',
  noContent: 'content `status: failed` with `content_source_incomplete`, not published',
  goodCar: 'the good car',
  analyze: 'after `POST analyze`',
  lowest: (mm) => `lowest groove ${mm} mm`,
  size: (size) => `size ${size}`,
  failsFirst: (code) => `the first measurement in a slot fails: \`${code}\``,
  after: (seconds) => `${seconds} seconds later`,
  callbackFails: (times) => `the first ${times} attempts of each callback fail`,
  severity: (severity) => `\`overall.severity: ${severity}\``,
  replace: (name) => `after a new upload of ${name} with \`replace=true\``,
  attempts: (count) => `the callback arrives with attempt ${count}, two seconds later`,
  page: ({ address, photographs, scenarios }) => `# Sandbox: photographs with known results

In test mode (\`svc_test_…\`) the photographs below have known results, at once. Your whole integration can be tested with them, and without one real photograph. Everything else is real: revisions, content, share page, signed callbacks, usage.

- **By address**: \`${address}\`, for every name below. The host does not exist: nothing is resolved, and nothing is fetched.
- **By upload**: download the file from \`/docs/sandbox/tread-front-left.jpg\` on the host of the API and upload it unchanged. The bytes decide (SHA-256), not the name. \`/docs/sandbox/manifest.json\` lists all of them.
- A slot with a known result says so: \`analysis.sandbox\` holds the name of the photograph. No engine measured it then. The values were recorded once from a real measurement of this render. Page and PDF of such a report say that its values are samples.
- **Live keys** treat the same photographs and addresses like any others: the engine measures the bytes, and the addresses give \`image_unreachable\`.
- A changed file (saved again, rotated, scaled) is an ordinary photograph.

## Photographs {#photographs}

| name | kind | result in its slot |
|---|---|---|
${photographs}

A photograph in a slot of the other kind fails as a real one does, with advice in \`retake\`. With real images, \`image_unreachable\`, \`image_fetch_timeout\` and \`image_url_forbidden\` occur with addresses only.

## Scenarios {#scenarios}

"The good car" is tread-front-left, tread-front-right, tread-rear-left and tread-rear-right in their slots, with \`tire_4t_4s\` also the four sidewalls. Other scenarios name what differs.

| scenario | template | photographs | what you read |
|---|---|---|---|
${scenarios}

The two failed attempts of the callback are recorded as failed and are not sent. Your \`callback_url\` receives the third one, signed as always. Attempts that a person or a replay sends again do not fail on purpose.
`,
};

const ko: GuideWords = {
  types: { tread: '트레드', sidewall: '옆면' },
  fails: '실패:',
  failsAtFetch: '주소는 수신 단계에서, 업로드는 측정 단계에서 실패:',
  wornSmooth: '완전히 마모됨, 깊이 값 없음',
  unread: '측정됨, `size: null`',
  contentFails: '보고서의 콘텐츠 생성이 실패',
  noContent: '콘텐츠 `status: failed`, `content_source_incomplete`, 공개되지 않음',
  goodCar: '양호한 차량',
  analyze: '`POST analyze` 후',
  lowest: (mm) => `가장 얕은 홈 ${mm}mm`,
  size: (size) => `규격 ${size}`,
  failsFirst: (code) => `슬롯의 첫 측정은 실패: \`${code}\``,
  after: (seconds) => `${seconds}초 뒤`,
  callbackFails: (times) => `각 콜백의 처음 ${times}번 시도는 실패`,
  severity: (severity) => `\`overall.severity: ${severity}\``,
  replace: (name) => `\`replace=true\`로 ${name}을(를) 새로 등록한 후`,
  attempts: (count) => `콜백은 약 2초 뒤 ${count}번째 시도에 도착`,
  page: ({ address, photographs, scenarios }) => `# 샌드박스: 결과가 정해진 사진

테스트 모드(\`svc_test_…\`)에서 아래 사진은 정해진 결과를 바로 돌려줍니다. 실제 사진 한 장 없이 연동 전체를 시험할 수 있습니다. 분석 리비전, 콘텐츠, 공유 페이지, 서명된 콜백, 사용량 등 나머지는 모두 실제와 같습니다.

- **주소로 보내기**: \`${address}\`처럼 아래 이름에 \`.jpg\`를 붙입니다. 실제로 있는 호스트가 아니며, 서비스는 DNS를 조회하거나 접속하지 않습니다.
- **업로드하기**: API 호스트의 \`/docs/sandbox/tread-front-left.jpg\`에서 파일을 받아 그대로 업로드하세요. 파일 이름이 아니라 바이트(SHA-256)로 판단합니다. \`/docs/sandbox/manifest.json\`에 전체 목록이 있습니다.
- 정해진 결과를 받은 슬롯에는 \`analysis.sandbox\`에 사진 이름이 들어 있습니다. 엔진이 그 자리에서 측정한 값이 아니라, 같은 렌더링 이미지를 미리 측정해 기록해 둔 값입니다. 이런 보고서의 공유 페이지와 PDF에는 샘플 값이라는 안내가 나옵니다.
- **라이브 키**는 같은 사진과 주소를 다른 사진과 똑같이 다룹니다: 엔진이 바이트를 측정하고, 주소는 \`image_unreachable\`이 됩니다.
- 바뀐 파일(다시 저장, 회전, 크기 변경)은 보통 사진입니다.

## 사진 {#photographs}

| 이름 | 종류 | 해당 슬롯의 결과 |
|---|---|---|
${photographs}

다른 종류의 슬롯에 등록한 사진은 실제 사진처럼 실패하고, \`retake\`에 안내가 있습니다. 실제 이미지에서 \`image_unreachable\`, \`image_fetch_timeout\`, \`image_url_forbidden\`은 주소로 보낼 때만 발생합니다.

## 시나리오 {#scenarios}

"양호한 차량"은 tread-front-left, tread-front-right, tread-rear-left, tread-rear-right를 각 슬롯에 넣은 것이며, \`tire_4t_4s\`에는 옆면 네 장도 넣습니다. 다른 시나리오에는 다른 점만 적었습니다.

| 시나리오 | 템플릿 | 사진 | 조회 결과 |
|---|---|---|---|
${scenarios}

콜백의 실패한 두 시도는 실패로 기록될 뿐 전송되지 않습니다. \`callback_url\`에는 세 번째 시도가 언제나처럼 서명되어 도착합니다. 사람이나 재전송 요청이 다시 보내는 시도는 일부러 실패하지 않습니다.
`,
};

export const GUIDE_WORDS: Readonly<Record<GuideLanguage, GuideWords>> = { en, ko };
