import type { vehicles as english } from '../en/vehicles';

export const vehicles: typeof english = {
  title: '차량',
  text: '지정한 차량 ID로 한 차량의 점검 이력을 봅니다.',
  id: '차량 ID',
  show: '보기',
  none: 'ID를 입력해 주세요',
  noneText: '보고서를 만들 때 보낸 external_vehicle_id입니다.',
  notFound: (id) => `"${id}"의 점검이 없습니다`,
  notFoundText: 'ID는 전체가 일치해야 합니다.',
  history: (id) => `${id} 이력`,
  depthsText:
    '찾은 홈 중 가장 얕은 홈의 남은 깊이(mm). 괄호와 세로선은 실제 깊이가 있을 것으로 추정되는 범위입니다. 속이 빈 표시는 무늬가 없어 보이는 곳이 ' +
    '있거나, 트레드 일부를 확인하지 못했거나, 같은 사진이 다른 타이어에도 등록되어 있다는 뜻입니다. 아래 선은 마모 한계선 1.6mm입니다.',
  chart: (inspections) => `점검 ${inspections}회의 타이어별 깊이. 같은 값이 아래 표에 있습니다.`,
  about: (depth) => `약 ${depth}`,
  range: (low, high) => `(${low}~${high})`,
  bald: '무늬 없는 곳 있음',
  wornSmooth: '홈을 찾지 못함',
  partUnseen: '일부만 확인됨',
  tireNotKnown: '어느 타이어인지 모름',
  noDepths: '아직 측정한 값이 없습니다.',
  inspections: '점검',
  day: '점검일',
  state: '상태',
  limit: '마모 한계선',
  newest: (reports) => `최근 ${reports}회만 표시합니다.`,
  notMeasured: '측정 안 됨',
};
