import { SANDBOX_NAMES, sandboxPhotograph, type AnalysisErrorCode, type SandboxName, type SlotId } from '@tire/kernel';

/** What a partner reads when a scenario has come to its end. */
export interface ScenarioEnd {
  readonly analysisStatus: 'complete' | 'partial' | 'failed';
  readonly summaryStatus: 'complete' | 'partial' | 'failed';
  /** `overall.severity` of the content; null where the content is failed. */
  readonly severity: 'good' | 'caution' | 'critical' | 'unknown' | null;
  /** The code of each slot that failed. */
  readonly failed?: Partial<Record<SlotId, AnalysisErrorCode>>;
  /** Codes of `warnings`. */
  readonly warnings?: readonly string[];
}

export interface SandboxScenario {
  readonly id: string;
  readonly title: { readonly en: string; readonly ko: string };
  readonly template: 'tire_4t_0s' | 'tire_4t_4s';
  readonly photographs: Partial<Record<SlotId, SandboxName>>;
  readonly end: ScenarioEnd;
  /** The report is not finished before. */
  readonly afterMs?: number;
  /** Attempts of the callback that the console shows; the last one arrives. */
  readonly callbackAttempts?: number;
  /** What a partner does then, and what follows. */
  readonly then?: { readonly action: 'analyze' | { readonly replace: Partial<Record<SlotId, SandboxName>> }; readonly end: ScenarioEnd };
}

const TREADS = {
  'tire.tread.front_left': 'tread-front-left',
  'tire.tread.front_right': 'tread-front-right',
  'tire.tread.rear_left': 'tread-rear-left',
  'tire.tread.rear_right': 'tread-rear-right',
} as const satisfies Partial<Record<SlotId, SandboxName>>;

const SIDEWALLS = {
  'tire.sidewall.front_left': 'sidewall-front-left',
  'tire.sidewall.front_right': 'sidewall-front-right',
  'tire.sidewall.rear_left': 'sidewall-rear-left',
  'tire.sidewall.rear_right': 'sidewall-rear-right',
} as const satisfies Partial<Record<SlotId, SandboxName>>;

const GOOD: ScenarioEnd = { analysisStatus: 'complete', summaryStatus: 'complete', severity: 'good' };
const partial = (slot: SlotId, code: AnalysisErrorCode): ScenarioEnd => ({
  analysisStatus: 'partial',
  summaryStatus: 'partial',
  severity: null,
  failed: { [slot]: code },
});

const FIRST = 'tire.tread.front_left';
/** A car with four good treads, of which one photograph is another one. */
const withTread = (name: SandboxName) => ({ template: 'tire_4t_0s', photographs: { ...TREADS, [FIRST]: name } }) as const;

/** The photograph of each code of `analysis.error`. */
const FAILING = SANDBOX_NAMES.flatMap((name) => {
  const { errorCode } = sandboxPhotograph(name);
  return errorCode ? [{ name, errorCode }] : [];
});

const REASONS: Readonly<Record<AnalysisErrorCode, { readonly en: string; readonly ko: string }>> = {
  analysis_failed: { en: 'the analysis failed', ko: '분석 실패' },
  image_unreachable: { en: 'the address gave no image', ko: '이미지 주소에서 이미지를 받지 못함' },
  image_fetch_timeout: { en: 'the address answered too late', ko: '이미지 주소의 응답이 늦음' },
  image_too_large: { en: 'the image is too large', ko: '이미지가 너무 큼' },
  image_url_forbidden: { en: 'the address is not allowed', ko: '허용되지 않는 이미지 주소' },
  image_format_unsupported: { en: 'the image is neither JPEG nor PNG', ko: 'JPEG나 PNG가 아닌 이미지' },
  image_undecodable: { en: 'the image is broken', ko: '손상된 이미지' },
  image_too_small: { en: 'the image is too small', ko: '이미지가 너무 작음' },
  tread_not_found: { en: 'the photograph shows no tread', ko: '트레드가 보이지 않는 사진' },
  sidewall_not_found: { en: 'the photograph shows no sidewall', ko: '옆면이 보이지 않는 사진' },
};

function ofCode({ name, errorCode }: (typeof FAILING)[number]): SandboxScenario {
  const { en, ko } = REASONS[errorCode];
  const title = { en: `One failed slot: ${en}`, ko: `한 슬롯 실패: ${ko}` };
  const id = name;
  if (sandboxPhotograph(name).imageType === 'tread') return { id, title, ...withTread(name), end: partial(FIRST, errorCode) };
  const slot = 'tire.sidewall.front_left';
  return { id, title, template: 'tire_4t_4s', photographs: { ...TREADS, ...SIDEWALLS, [slot]: name }, end: partial(slot, errorCode) };
}

const FAILED_TREADS: readonly SandboxName[] = [
  'error-tread-not-found',
  'error-image-undecodable',
  'error-image-too-small',
  'error-analysis-failed',
];

/** What can be tested with well-known photographs. The guide, the tests of the clients and the system test are made of this table. */
export const SANDBOX_SCENARIOS: readonly SandboxScenario[] = [
  {
    id: 'good',
    title: { en: 'Complete and good', ko: '완료, 모두 양호' },
    template: 'tire_4t_0s',
    photographs: TREADS,
    end: GOOD,
  },
  {
    id: 'good-with-sidewalls',
    title: { en: 'Complete and good, with sizes', ko: '완료, 모두 양호, 규격 포함' },
    template: 'tire_4t_4s',
    photographs: { ...TREADS, ...SIDEWALLS },
    end: GOOD,
  },
  {
    id: 'size-unread',
    title: { en: 'A size that could not be read', ko: '규격을 읽지 못한 옆면' },
    template: 'tire_4t_4s',
    photographs: { ...TREADS, ...SIDEWALLS, 'tire.sidewall.front_left': 'sidewall-unread' },
    end: GOOD,
  },
  {
    id: 'near-limit',
    title: { en: 'Near the limit', ko: '한계에 가까운 트레드' },
    ...withTread('tread-near-limit'),
    end: { ...GOOD, severity: 'caution' },
  },
  {
    id: 'below-limit',
    title: { en: 'Below the legal limit', ko: '법적 한계 미만' },
    ...withTread('tread-below-limit'),
    end: { ...GOOD, severity: 'critical' },
  },
  {
    id: 'bald',
    title: { en: 'Bald: worn smooth, without depths', ko: '민무늬 타이어: 깊이 값 없음' },
    ...withTread('tread-bald'),
    end: { ...GOOD, severity: 'critical' },
  },
  {
    id: 'same-photograph-twice',
    title: { en: 'One photograph in two slots', ko: '같은 사진이 두 슬롯에 있음' },
    template: 'tire_4t_0s',
    photographs: { ...TREADS, 'tire.tread.front_right': 'tread-front-left' },
    end: { ...GOOD, severity: 'unknown', warnings: ['same_image'] },
  },
  ...FAILING.map(ofCode),
  {
    id: 'wheel-in-tread-slot',
    title: { en: 'A photograph of the other kind, with advice', ko: '다른 종류의 사진, 재촬영 안내 포함' },
    ...withTread('sidewall-front-left'),
    end: partial(FIRST, 'tread_not_found'),
  },
  {
    id: 'all-failed',
    title: { en: 'Every slot failed', ko: '모든 슬롯 실패' },
    template: 'tire_4t_0s',
    photographs: Object.fromEntries((Object.keys(TREADS) as SlotId[]).map((slot, index) => [slot, FAILED_TREADS[index]!])),
    end: {
      analysisStatus: 'failed',
      summaryStatus: 'failed',
      severity: null,
      failed: Object.fromEntries(
        (Object.keys(TREADS) as SlotId[]).map((slot, index) => [slot, sandboxPhotograph(FAILED_TREADS[index]!).errorCode]),
      ),
    },
  },
  {
    id: 'partial-then-analyzed-again',
    title: { en: 'Partial, then complete after POST analyze', ko: '일부 완료, POST analyze 후 완료' },
    ...withTread('tread-second-try'),
    end: partial(FIRST, 'analysis_failed'),
    then: { action: 'analyze', end: GOOD },
  },
  {
    id: 'partial-then-replaced',
    title: { en: 'Partial, then complete after a new photograph', ko: '일부 완료, 새 사진 등록 후 완료' },
    ...withTread('error-tread-not-found'),
    end: partial(FIRST, 'tread_not_found'),
    then: { action: { replace: { [FIRST]: 'tread-front-left' } }, end: GOOD },
  },
  {
    id: 'slow',
    title: { en: 'Slow: 30 seconds in processing', ko: '느린 분석: 30초 동안 processing' },
    ...withTread('tread-slow'),
    end: GOOD,
    afterMs: sandboxPhotograph('tread-slow').afterMs!,
  },
  {
    id: 'callback-fails-twice',
    title: { en: 'A callback that fails twice and then arrives', ko: '두 번 실패한 뒤 도착하는 콜백' },
    ...withTread('tread-callback-fails-twice'),
    end: GOOD,
    callbackAttempts: sandboxPhotograph('tread-callback-fails-twice').callbackFailures! + 1,
  },
  {
    id: 'content-fails',
    title: { en: 'Measured, but the content failed; good after a new photograph', ko: '측정 완료, 콘텐츠 생성 실패, 새 사진 등록 후 양호' },
    ...withTread('tread-content-fails'),
    end: { analysisStatus: 'complete', summaryStatus: 'failed', severity: null },
    then: { action: { replace: { [FIRST]: 'tread-front-left' } }, end: GOOD },
  },
];
