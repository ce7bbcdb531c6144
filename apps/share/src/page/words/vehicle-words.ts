import type { Standing } from '@tire/kernel';
import type { Language } from './language';
import { type Position, type Words } from './words';
import { ENGLISH } from './words-en';
import { KOREAN } from './words-ko';

const monthsIn = (months: number): readonly [years: number, months: number] => [Math.floor(months / 12), months % 12];

/** The words of the page of a vehicle. What it shares with a report has the words of that. */
export interface VehicleWords {
  readonly base: Words;
  readonly title: string;
  readonly pdfName: string;
  readonly preview: string;
  /** `isMore`: there may be more of them, from before. */
  readonly summary: (inspections: number, isMore: boolean, from: string, to: string) => string;
  readonly samples: string;
  readonly none: string;
  readonly newestOnly: (count: number) => string;
  readonly lastDepth: string;
  readonly noDepth: string;
  readonly reaches: (limit: string) => string;
  readonly between: (from: string, to: string) => string;
  readonly from: (day: string) => string;
  readonly by: (day: string) => string;
  readonly notWithin: string;
  readonly perDistance: string;
  readonly rate: (mm: string, low: string, high: string) => string;
  readonly noRate: string;
  readonly refused: Readonly<Record<'too_few' | 'no_wear', string>>;
  readonly made: string;
  readonly madeIn: (year: number, week: number, ageMonths: number) => string;
  readonly legend: string;
  readonly tableOf: (position: string) => string;
  readonly day: string;
  readonly mileage: string;
  readonly depth: string;
  readonly note: string;
  readonly kilometres: (km: number) => string;
  readonly replaced: string;
  readonly rotated: (from: string | null) => string;
  readonly bald: string;
  readonly partUnseen: string;
  readonly imageShared: string;
  readonly inspections: string;
  readonly inspectionsTable: string;
  readonly verdict: string;
  readonly standings: Readonly<Partial<Record<Standing, string>>>;
  readonly footnote: string;
  /** In the time zone of the project. */
  readonly dayOf: (at: Date, timeZone: string) => string;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 1_000;

function dayIn(locale: string, timeZone: string, at: Date): string {
  const key = `${locale} ${timeZone}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(key, format);
  return format.format(at);
}

const positionName = (words: Words, position: string): string => words.positions[position as Position] ?? position;

export const VEHICLE_WORDS: Readonly<Record<Language, VehicleWords>> = {
  ko: {
    base: KOREAN,
    title: '차량 타이어 이력',
    pdfName: '차량-타이어-이력.pdf',
    preview: '점검할 때마다 기록한 타이어 상태를 확인해 보세요.',
    summary: (inspections, isMore, from, to) => `점검 ${inspections}회${isMore ? ' 이상' : ''} · ${from === to ? to : `${from} ~ ${to}`}`,
    samples: '테스트 이력입니다. 샘플 사진에 정해진 값이 들어 있으며, 실제 타이어를 측정한 결과가 아닙니다.',
    none: '지금 볼 수 있는 점검이 없습니다.',
    newestOnly: (count) => `최근 점검 ${count}회를 표시합니다.`,
    lastDepth: '최근 깊이',
    noDepth: '측정한 값이 없습니다.',
    reaches: (limit) => `${limit}mm 도달 예상`,
    between: (from, to) => `${from} ~ ${to}`,
    from: (day) => `${day} 이후`,
    by: (day) => `${day}까지`,
    notWithin: '10년 안에는 도달하지 않음',
    perDistance: '1만 km당 마모',
    rate: (mm, low, high) => `${mm}mm (${low}~${high})`,
    noRate: '주행거리 기록이 부족합니다.',
    refused: { too_few: '점검이 두 번 이상 있어야 알 수 있습니다.', no_wear: '깊이가 줄지 않아 알 수 없습니다.' },
    made: '제조 시기',
    madeIn: (year, week, months) => {
      const [years, rest] = monthsIn(months);
      return `${year}년 ${week}주차 (${[years > 0 && `${years}년`, `${rest}개월`].filter(Boolean).join(' ')} 지남)`;
    },
    legend:
      '세로선은 실제 깊이가 있을 것으로 추정되는 범위입니다. 속이 빈 점은 무늬가 없어 보이는 곳이 있거나, 트레드 일부를 확인하지 못했거나, ' +
      '같은 사진이 다른 타이어에도 등록되어 있다는 뜻입니다. 점선은 권장 기준 3.0mm와 마모 한계선 1.6mm입니다.',
    tableOf: (position) => `${position} 깊이 기록`,
    day: '점검일',
    mileage: '주행거리',
    depth: '깊이',
    note: '비고',
    kilometres: (km) => `${km.toLocaleString('ko-KR')}km`,
    replaced: '교체',
    rotated: (from) => (from === null ? '위치 교환' : `위치 교환 (${positionName(KOREAN, from)}에서)`),
    bald: KOREAN.baldPlace,
    partUnseen: KOREAN.partUnseen,
    imageShared: KOREAN.tireNotKnown,
    inspections: '점검 기록',
    inspectionsTable: '점검 기록 표',
    verdict: '판정',
    standings: { critical: '위험', near_limit: '한계 근접', caution: '주의', good: '양호', unknown: '확인 불가' },
    footnote:
      '사진과 입력값으로 추정한 결과이며, 실제 상태와 다를 수 있습니다. 도달 시기와 마모 속도는 지금까지의 점검으로 계산한 90% 범위이며, 운전 습관과 ' +
      '도로에 따라 달라집니다. 찢어짐, 부풀어 오름, 드러난 코드층 같은 손상은 판단하지 않습니다.',
    dayOf: (at, zone) => dayIn('ko-KR', zone, at),
  },
  en: {
    base: ENGLISH,
    title: 'Tire history of a vehicle',
    pdfName: 'tire-history.pdf',
    preview: 'See the state of the tires at each inspection.',
    summary: (inspections, isMore, from, to) =>
      `${inspections}${isMore ? ' or more' : ''} ${inspections === 1 ? 'inspection' : 'inspections'} · ${from === to ? to : `${from} to ${to}`}`,
    samples: 'This is a test. It contains the fixed values of sample photos, and no real tire was measured.',
    none: 'There is no inspection to be seen at present.',
    newestOnly: (count) => `The newest ${count} inspections are shown.`,
    lastDepth: 'Latest depth',
    noDepth: 'Nothing was measured.',
    reaches: (limit) => `Reaches ${limit} mm`,
    between: (from, to) => `${from} to ${to}`,
    from: (day) => `${day} or later`,
    by: (day) => `by ${day}`,
    notWithin: 'not within ten years',
    perDistance: 'Wear in 10,000 km',
    rate: (mm, low, high) => `${mm} mm (${low} to ${high})`,
    noRate: 'Too few mileages are known.',
    refused: { too_few: 'Known after two inspections or more.', no_wear: 'Not known: the depth did not fall.' },
    made: 'Made',
    madeIn: (year, week, months) => {
      const [years, rest] = monthsIn(months);
      const parts = [years > 0 && `${years} ${years === 1 ? 'year' : 'years'}`, `${rest} ${rest === 1 ? 'month' : 'months'}`];
      return `week ${week} of ${year} (${parts.filter(Boolean).join(' ')} ago)`;
    },
    legend:
      'Vertical lines are the range in which the real depth is estimated to lie. Hollow points: a place without pattern, a part of the tread ' +
      'that was not seen, or a photograph that another tire has too. Dashed: 3.0 mm recommended, 1.6 mm wear limit.',
    tableOf: (position) => `Depths of ${position}`,
    day: 'Day',
    mileage: 'Mileage',
    depth: 'Depth',
    note: 'Note',
    kilometres: (km) => `${km.toLocaleString('en-US')} km`,
    replaced: 'Replaced',
    rotated: (from) => (from === null ? 'Rotated' : `Rotated (from ${positionName(ENGLISH, from)})`),
    bald: ENGLISH.baldPlace,
    partUnseen: ENGLISH.partUnseen,
    imageShared: ENGLISH.tireNotKnown,
    inspections: 'Inspections',
    inspectionsTable: 'Table of inspections',
    verdict: 'Verdict',
    standings: { critical: 'Critical', near_limit: 'Near limit', caution: 'Caution', good: 'Good', unknown: 'Unknown' },
    footnote:
      'Estimated from photos and entered values; the real state may differ. Dates and rates of wear are 90 % ranges from the inspections so far, and ' +
      'depend on driving and roads. Damage such as cuts, bulges and exposed cords is not judged.',
    dayOf: (at, zone) => dayIn('en-US', zone, at),
  },
};
