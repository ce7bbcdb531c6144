import type { ClosedBecause } from '../../domain/link';
import { html } from './html';
import { ASKED_NOTHING, type Language } from '../words/language';
import { page, type Page } from './layout';
import { icon } from '../facts/severity';

export type ClosedReason = 'unknown' | 'revoked' | 'expired' | 'unavailable' | ClosedBecause;

interface Wording {
  readonly title: string;
  readonly text: string;
}

interface Closed {
  readonly status: number;
  readonly korean: Wording;
  readonly english: Wording;
  /** The value of Retry-After, for retryable responses only. It covers a restart of a service. */
  readonly retryAfterSeconds?: number;
}

/** Without a result nothing is known about the tires, and the page states that. */
const NO_SAFETY = {
  korean: '이 페이지가 닫혀 있다고 타이어가 안전하다는 뜻은 아닙니다.',
  english: 'A closed page does not mean that the tires are safe.',
};

/** The page invites the visitor to wait only if the reason ends without an action. */
const CLOSED: Record<ClosedReason, Closed> = {
  unknown: {
    status: 404,
    korean: { title: '페이지를 찾을 수 없습니다', text: '주소가 정확한지 확인해 주세요.' },
    english: { title: 'Page not found', text: 'Please check the address.' },
  },
  processing: {
    status: 403,
    korean: { title: '아직 볼 수 없는 페이지입니다', text: '결과를 준비하고 있습니다. 잠시 후 같은 주소를 다시 열어 주세요.' },
    english: { title: 'Not ready yet', text: 'The result is being prepared. Please open this address again in a moment.' },
  },
  awaiting_images: {
    status: 403,
    korean: {
      title: '사진을 기다리고 있습니다',
      text: '아직 필요한 사진이 모두 올라오지 않았습니다. 링크를 보내 준 곳에 사진을 올려 달라고 요청해 주세요. 올라오면 같은 주소에서 볼 수 있습니다.',
    },
    english: {
      title: 'Waiting for photos',
      text: 'Some photos are still missing. Please ask whoever sent you this link to add them. The page then opens at this address.',
    },
  },
  partial: {
    status: 403,
    korean: {
      title: '다시 찍어야 할 사진이 있습니다',
      text:
        '일부 사진에서 결과를 얻지 못했습니다. 링크를 보내 준 곳에 다시 찍어 달라고 요청해 주세요. ' +
        `사진이 모두 준비되면 같은 주소에서 볼 수 있습니다. ${NO_SAFETY.korean}`,
    },
    english: {
      title: 'Some photos have to be retaken',
      text:
        'Some photos gave no result. Please ask whoever sent you this link to retake or add them. ' +
        `The page then opens at this address. ${NO_SAFETY.english}`,
    },
  },
  failed: {
    status: 403,
    korean: {
      title: '결과를 만들지 못했습니다',
      text: `사진을 다시 찍어야 할 수 있습니다. 링크를 보내 준 곳에 문의해 주세요. ${NO_SAFETY.korean}`,
    },
    english: {
      title: 'There is no result',
      text: `The photos may have to be retaken. Please contact whoever sent you this link. ${NO_SAFETY.english}`,
    },
  },
  legacy: {
    status: 404,
    korean: { title: '이 주소로는 볼 수 없습니다', text: '이 결과에는 공유 페이지가 없습니다. 링크를 보내 준 곳에 문의해 주세요.' },
    english: { title: 'Not available at this address', text: 'This result has no shared page. Please contact whoever sent you this link.' },
  },
  revoked: {
    status: 410,
    korean: { title: '더 이상 볼 수 없는 페이지입니다', text: '공유가 중지되었습니다. 링크를 보내 준 곳에 문의해 주세요.' },
    english: { title: 'No longer available', text: 'Sharing has ended. Please contact whoever sent you this link.' },
  },
  expired: {
    status: 410,
    korean: { title: '기간이 지난 페이지입니다', text: '볼 수 있는 기간이 끝났습니다. 링크를 보내 준 곳에 문의해 주세요.' },
    english: { title: 'This page has expired', text: 'The time to view it has ended. Please contact whoever sent you this link.' },
  },
  discarded: {
    status: 410,
    korean: { title: '삭제된 페이지입니다', text: '내용이 삭제되어 볼 수 없습니다. 링크를 보내 준 곳에 문의해 주세요.' },
    english: { title: 'This page was deleted', text: 'Its content was deleted. Please contact whoever sent you this link.' },
  },
  unavailable: {
    status: 503,
    korean: { title: '지금은 페이지를 열 수 없습니다', text: '잠시 후 다시 열어 주세요.' },
    english: { title: 'The page cannot be opened now', text: 'Please try again in a moment.' },
    retryAfterSeconds: 3,
  },
};

/**
 * Tells the visitor what to do, and nothing about the car or its results. In both languages, because the language of a report is known only
 * while its page is open; the language that the visitor prefers comes first.
 */
export function closedPage(reason: ClosedReason, preferred: Language = ASKED_NOTHING.preferred): Page {
  const { status, korean, english, retryAfterSeconds } = CLOSED[reason];
  const both = [
    { ...korean, lang: 'ko-KR' },
    { ...english, lang: 'en-US' },
  ] as const;
  const [first, second] = preferred === 'en' ? [both[1], both[0]] : both;
  const shown = page({
    status,
    lang: first.lang,
    title: first.title,
    body: html`<section class="closed">
      ${icon('unknown')}
      <h1>${first.title}</h1>
      <p>${first.text}</p>
      <div lang="${second.lang}">
        <h2>${second.title}</h2>
        <p>${second.text}</p>
      </div>
    </section>`,
  });
  return retryAfterSeconds === undefined ? shown : { ...shown, headers: { ...shown.headers, 'retry-after': String(retryAfterSeconds) } };
}
