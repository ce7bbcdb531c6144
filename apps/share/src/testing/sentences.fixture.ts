import type { ContentTire } from '@tire/contracts/api';

export type Locale = 'ko-KR' | 'en-US';
type Key = ContentTire['severity'] | 'near_limit' | 'likely' | 'bald' | 'smooth';
type Overall = { readonly headline: string; readonly paragraphs: string[] };

export interface Sentences {
  readonly positions: readonly string[];
  readonly severity: Readonly<Record<ContentTire['severity'], string>>;
  readonly overall: Readonly<Record<'good' | 'worn' | 'bald' | 'unsure' | 'mixed-sizes', Overall>>;
  readonly tire: Readonly<Record<Key, { readonly decision: string; readonly narrative: string }>>;
  readonly partly: string;
  readonly wear: readonly [string, string];
  readonly titles: readonly string[];
  readonly bands: readonly string[];
  readonly sizes: readonly string[];
  readonly paragraphs: readonly string[];
}

/** In place of the sentences of content. */
export const WORDS: Record<Locale, Sentences> = {
  'ko-KR': {
    positions: ['앞 왼쪽', '앞 오른쪽', '뒤 왼쪽', '뒤 오른쪽'],
    severity: { good: '양호', caution: '주의', critical: '위험', unknown: '확인 불가' },
    overall: {
      good: { headline: '타이어 상태가 양호합니다.', paragraphs: ['모든 타이어의 홈 깊이가 권장 기준(3.0mm)보다 깊습니다.'] },
      worn: {
        headline: '즉시 교체가 필요한 타이어가 있습니다.',
        paragraphs: ['앞 오른쪽 타이어는 즉시 교체가 필요합니다. 앞 왼쪽 타이어는 한계선에 이르렀을 가능성이 높습니다.'],
      },
      bald: { headline: '즉시 교체가 필요한 타이어가 있습니다.', paragraphs: ['앞 타이어 두 개에 무늬가 보이지 않는 곳이 있습니다.'] },
      unsure: {
        headline: '정비소에서 확인할 타이어가 있습니다.',
        paragraphs: ['마모 한계선이나 권장 기준 근처입니다. 정비소에서 게이지로 확인해 보세요.'],
      },
      'mixed-sizes': { headline: '앞 타이어 두 개의 규격이 서로 다릅니다.', paragraphs: ['정비소에서 확인해 보세요.'] },
    },
    tire: {
      good: { decision: '계속 사용 가능', narrative: '권장 기준(3.0mm)보다 깊습니다.' },
      caution: { decision: '교체 준비 권장', narrative: '권장 기준(3.0mm)보다 얕습니다.' },
      critical: { decision: '즉시 교체 필요', narrative: '마모 한계선(1.6mm)보다 얕습니다.' },
      unknown: { decision: '재촬영 필요', narrative: '홈 깊이를 확인하지 못했습니다.' },
      near_limit: { decision: '정비소 확인 권장', narrative: '한계 근처입니다. 정비소에서 게이지로 확인해 보세요.' },
      likely: {
        decision: '교체 필요 가능성 높음',
        narrative: '마모 한계선(1.6mm)에 이르렀을 가능성이 높습니다. 측정 범위가 한계선 위까지 걸쳐 있습니다.',
      },
      bald: { decision: '즉시 교체 필요', narrative: '가운데에 무늬가 보이지 않습니다.' },
      smooth: { decision: '즉시 교체 필요', narrative: '홈을 찾을 수 없습니다. 모두 닳았을 수 있습니다.' },
    },
    partly: '일부 확인 불가',
    wear: ['고른 마모', '판단 어려움'],
    titles: ['트레드 마모', '빗길 제동거리', '편마모', '좌우 마모 차이', '타이어 규격'],
    bands: ['새 타이어와 비슷', '조금 길어짐', '많이 길어짐'],
    sizes: ['앞뒤 같음', '확인 필요'],
    paragraphs: [
      '가장 얕은 홈을 기준으로 했습니다.',
      '추정치이며 노면에 따라 달라질 수 있습니다.',
      '고르게 닳고 있습니다.',
      '앞바퀴의 좌우 차이는 0.2mm입니다.',
      '옆면 사진에서 읽은 규격입니다.',
    ],
  },
  'en-US': {
    positions: ['Front left', 'Front right', 'Rear left', 'Rear right'],
    severity: { good: 'Good', caution: 'Caution', critical: 'Critical', unknown: 'Unknown' },
    overall: {
      good: {
        headline: 'The tires are in good condition.',
        paragraphs: ['The grooves of all tires are deeper than recommended (3.0 mm).'],
      },
      worn: {
        headline: 'At least one tire must be replaced now.',
        paragraphs: ['Replace the front right tire now. The front left tire is likely at the wear limit.'],
      },
      bald: { headline: 'At least one tire must be replaced now.', paragraphs: ['Both front tires have zones without visible pattern.'] },
      unsure: {
        headline: 'A workshop should check some tires.',
        paragraphs: ['They are near the wear limit or the recommended minimum. Have them measured with a gauge.'],
      },
      'mixed-sizes': { headline: 'The two front tires have different sizes.', paragraphs: ['Have a workshop check them.'] },
    },
    tire: {
      good: { decision: 'Keep using', narrative: 'Deeper than recommended (3.0 mm).' },
      caution: { decision: 'Plan replacement', narrative: 'Below the recommended minimum (3.0 mm).' },
      critical: { decision: 'Replace now', narrative: 'Below the wear limit (1.6 mm).' },
      unknown: { decision: 'Retake', narrative: 'The depth could not be determined.' },
      near_limit: { decision: 'Check at a workshop', narrative: 'Near a limit. Have it measured with a gauge.' },
      likely: {
        decision: 'Likely needs replacement',
        narrative: 'Likely at the wear limit (1.6 mm). The measured range reaches above it.',
      },
      bald: { decision: 'Replace now', narrative: 'No pattern is visible in the center.' },
      smooth: { decision: 'Replace now', narrative: 'No groove could be found. The tire may be worn smooth.' },
    },
    partly: 'Partly unknown',
    wear: ['Even wear', 'Hard to judge'],
    titles: ['Tread wear', 'Wet braking distance', 'Wear pattern', 'Left and right', 'Tire sizes'],
    bands: ['Close to a new tire', 'Somewhat longer', 'Much longer'],
    sizes: ['Front and rear match', 'To be checked'],
    paragraphs: [
      'Judged by the lowest groove.',
      'An estimate that depends on the road.',
      'The tires wear evenly.',
      'Front left and right differ by 0.2 mm.',
      'Sizes as read from the sidewall photographs.',
    ],
  },
};
