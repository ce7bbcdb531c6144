import type { Language } from './pages';

/** What stands around the text of a page. */
interface Words {
  readonly name: string;
  readonly guide: string;
  readonly skip: string;
  readonly pages: string;
  readonly contents: string;
  readonly reference: string;
  readonly consoleReference: string;
  readonly before: string;
  readonly after: string;
  readonly table: string;
  readonly code: (language: string) => string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly status: string;
  readonly type: string;
  readonly again: string;
  readonly yes: string;
  readonly no: string;
  readonly sameOrOther: string;
  readonly otherOnly: string;
  readonly cause: string;
  readonly remedy: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  ko: {
    name: '한국어',
    guide: '타이어 점검 API 가이드',
    skip: '본문으로 건너뛰기',
    pages: '가이드 목차',
    contents: '목차',
    reference: 'API 레퍼런스',
    consoleReference: '콘솔 API 레퍼런스',
    before: '이전',
    after: '다음',
    table: '표',
    code: (language) => `코드: ${language}`,
    notFound: '페이지를 찾을 수 없습니다',
    notFoundText: '주소가 바뀌었거나 잘못되었습니다. 목차에서 찾아 주세요.',
    status: 'HTTP 상태',
    type: 'type',
    again: '재시도',
    yes: '가능',
    no: '불가',
    sameOrOther: '같은 사진 또는 새 사진으로 가능',
    otherOnly: '새 사진으로만 가능',
    cause: '원인',
    remedy: '해결 방법',
  },
  en: {
    name: 'English',
    guide: 'Tire Inspection API guide',
    skip: 'Skip to the text',
    pages: 'Pages of the guide',
    contents: 'Contents',
    reference: 'API reference',
    consoleReference: 'Console API reference',
    before: 'Before',
    after: 'Next',
    table: 'Table',
    code: (language) => `Code: ${language}`,
    notFound: 'There is no such page',
    notFoundText: 'The address has changed or is mistyped. The contents list all pages.',
    status: 'HTTP status',
    type: 'type',
    again: 'Retry',
    yes: 'yes',
    no: 'no',
    sameOrOther: 'with the same or another image',
    otherOnly: 'with another image only',
    cause: 'Cause',
    remedy: 'Remedy',
  },
};
