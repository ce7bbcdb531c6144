import type { Texts } from './en';
import { account } from './ko/account';
import { branches } from './ko/branches';
import { capture } from './ko/capture';
import { customers, reminders, send, templates } from './ko/customers';
import { creation } from './ko/creation';
import { developer } from './ko/developer';
import { exportSchedules } from './ko/export-schedules';
import { organization } from './ko/organization';
import { prices } from './ko/prices';
import { privacy } from './ko/privacy';
import { reports } from './ko/reports';
import { retention } from './ko/retention';

export const ko: Texts = {
  ...account,
  ...developer,
  branches,
  capture,
  creation,
  customers,
  send,
  reminders,
  templates,
  ...organization,
  exportSchedules,
  prices,
  retention,
  privacy,
  ...reports,
  product: '타이어 점검',
  language: { label: '언어' },
  theme: { label: '화면 모드', auto: '자동', light: '밝게', dark: '어둡게' },
  skipToContent: '본문으로 건너뛰기',
  menu: { open: '메뉴', main: '주 메뉴', signedInAs: (email) => `${email} 계정으로 로그인됨` },
  common: {
    cancel: '취소',
    close: '닫기',
    save: '저장',
    saved: '저장했습니다.',
    loading: '불러오는 중',
    again: '다시 시도',
    more: '더 보기',
    moreOf: (shown, all) => `더 보기 (${all}개 중 ${shown}개 표시)`,
    copy: '복사',
    copied: '복사됨',
    copyByHand: '직접 복사해 주세요',
    never: '없음',
    you: '나',
    refresh: '새로 고침',
    showPassword: '비밀번호 표시 또는 숨기기',
  },
  errors: {
    title: '처리하지 못했습니다',
    unreachable: '서비스가 응답하지 않습니다. 연결을 확인하고 다시 시도해 주세요.',
    forbidden: '현재 역할로는 할 수 없는 작업입니다.',
    not_found: '존재하지 않거나 볼 수 있는 권한이 없습니다.',
    rate_limited: '시도가 너무 많습니다. 1분 뒤에 다시 시도해 주세요.',
    unauthorized: '로그인이 만료되었습니다.',
    other: '요청을 처리하지 못했습니다. 잠시 후 다시 시도해 주세요.',
    request: (id) => `문의용 참조 번호: ${id}`,
    pageMissing: '페이지를 찾을 수 없습니다',
    pageMissingText: '주소가 잘못되었거나 더 이상 없는 페이지입니다.',
    toStart: '처음으로',
  },
  nav: { projects: '프로젝트', members: '구성원', audit: '감사 기록', account: '내 계정', developers: 'API 문서' },
};
