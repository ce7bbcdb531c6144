import type { Texts } from '../en';

export const prices: Texts['prices'] = {
  title: '보고서 단가',
  text: '보고서를 만든 날의 단가가 적용됩니다. 단가를 바꿔도 지난달까지의 금액은 그대로입니다.',
  amount: '보고서 1건의 단가',
  amountWrong: (decimals) => (decimals === 0 ? '정수로 입력해 주세요.' : `소수점 아래 ${decimals}자리까지 입력할 수 있습니다.`),
  amountTooHigh: (most) => `${most}까지 입력할 수 있습니다.`,
  currency: '통화',
  validFrom: '적용 시작일',
  dayWrong: (first, last) => `${first}부터 ${last} 사이의 날짜를 선택해 주세요.`,
  set: '단가 저장',
  none: '설정한 단가가 없어 사용량에 금액이 나오지 않습니다.',
  list: '단가 목록',
  remove: '삭제',
  removeTitle: '이 단가를 삭제할까요?',
  removeText: (day) => `${day}부터 적용될 단가를 삭제합니다. 그전 단가가 계속 적용됩니다.`,
  from: (day) => `${day}부터`,
  sum: (sums) => `금액: ${sums}`,
  sumText: '날짜별 보고서 수에 그날의 단가를 곱한 합계입니다.',
  cost: '금액',
};
