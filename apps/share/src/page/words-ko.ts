import type { Words } from './words';

// Seoul has no daylight saving time.
const DATE = new Intl.DateTimeFormat('ko-KR', { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' });
const age = (months: number): string => [months >= 12 && `${Math.floor(months / 12)}년`, `${months % 12}개월`].filter(Boolean).join(' ');

export const KOREAN: Words = {
  locale: 'ko-KR',
  previewLocale: 'ko_KR',
  card: 'card.png',
  preview: '타이어 홈 깊이와 상태를 확인해 보세요.',
  title: '타이어 점검 리포트',
  pdfLink: 'PDF로 보기',
  pdfName: (day) => `타이어-점검-리포트${day}.pdf`,
  footnote: '사진과 입력값으로 추정한 결과이며, 실제 상태와 다를 수 있습니다.',
  plate: '차량 번호',
  inspected: '점검 일시',
  inspectedAt: (at) => DATE.format(at),
  positions: { front_left: '앞 왼쪽', front_right: '앞 오른쪽', rear_left: '뒤 왼쪽', rear_right: '뒤 오른쪽' },

  tiresTitle: '타이어별 최소 홈 깊이',
  unknown: '확인 불가',
  noDepth: '깊이 확인 불가',
  noGroove: '홈을 찾지 못함',
  baldPlace: '무늬 없는 곳 있음',
  depth: (digits) => `${digits}mm`,
  about: '약',
  range: (low, high) => `${low}~${high}`,
  kilometres: (km) => km.toLocaleString('ko-KR'),
  remaining: (range) => `마모 한계선까지 약 ${range}km`,
  remainingNote: (limit) => `남은 거리는 1만 km에 1.2mm씩 닳는다고 가정하고 마모 한계선(${limit})까지 계산한 추정치입니다.`,

  limit: '마모 한계선',
  threshold: '권장 기준',
  lowest: '가장 얕은 홈',
  newTire: '새 타이어',
  currentTire: '현재 타이어',
  metres: (digits) => `약 ${digits}m`,
  passesAt: (speedKmh) => `새 타이어가 멈춘 지점을 현재 타이어는 시속 약 ${speedKmh}km로 지나가는 것으로 추정됩니다.`,
  frontDelta: '앞바퀴 차이',
  rearDelta: '뒷바퀴 차이',
  front: '앞',
  rear: '뒤',

  imagesTitle: '촬영 사진',
  imageNotRead: '사진을 불러오지 못했습니다.',
  treadOf: (position) => `${position} 트레드`,
  sidewallOf: (position) => `${position} 옆면`,
  sideKnown: {
    depthsOrder: '바깥쪽부터 (mm)',
    baldPlaces: { whole: '전체', first_shoulder: '바깥쪽 가장자리', center: '가운데', last_shoulder: '안쪽 가장자리' },
  },
  sideUnknown: {
    depthsOrder: '왼쪽부터 (mm)',
    baldPlaces: { whole: '전체', first_shoulder: '사진 왼쪽 가장자리', center: '가운데', last_shoulder: '사진 오른쪽 가장자리' },
  },
  intervalsNote: '괄호 안은 실제 깊이가 있을 것으로 추정되는 범위입니다. 열에 한 번은 벗어날 수 있습니다.',
  bald: '무늬 없음',
  baldZone: (places, percent) => `무늬가 없어 보이는 곳: ${places.join(', ')} (보이는 폭의 약 ${percent}%)`,
  wornSmooth: '홈을 찾지 못했습니다.',
  sameImage: (positions) => `같거나 거의 같은 사진: ${positions.join(', ')}`,
  noSize: '규격 확인 불가',
  loadIndex: (index) => `하중지수 ${index}`,
  manufactured: (year, week, months) => `${year}년 ${week}주차 제조 (점검 시 ${age(months)})`,
  olderThanSix: '제조된 지 6년이 지났습니다.',
  olderThanTen: '제조된 지 10년이 지났습니다.',
};
