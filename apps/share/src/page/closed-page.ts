import { html } from './html';
import { page, type Page } from './layout';
import { icon } from './severity';

export type ClosedReason = 'unknown' | 'closed' | 'revoked' | 'expired' | 'discarded' | 'unavailable';

interface Closed {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** The value of Retry-After, for retryable responses only. It covers a restart of a service. */
  readonly retryAfterSeconds?: number;
}

const CLOSED: Record<ClosedReason, Closed> = {
  unknown: { status: 404, title: '페이지를 찾을 수 없습니다', text: '주소가 정확한지 확인해 주세요.' },
  closed: {
    status: 403,
    title: '아직 볼 수 없는 페이지입니다',
    text: '준비가 끝나면 같은 주소에서 볼 수 있습니다. 잠시 후 다시 열어 주세요.',
  },
  revoked: { status: 410, title: '더 이상 볼 수 없는 페이지입니다', text: '공유가 중지되었습니다. 링크를 보내 준 곳에 문의해 주세요.' },
  expired: { status: 410, title: '기간이 지난 페이지입니다', text: '볼 수 있는 기간이 끝났습니다. 링크를 보내 준 곳에 문의해 주세요.' },
  discarded: { status: 410, title: '삭제된 페이지입니다', text: '내용이 삭제되어 볼 수 없습니다. 링크를 보내 준 곳에 문의해 주세요.' },
  unavailable: { status: 503, title: '지금은 페이지를 열 수 없습니다', text: '잠시 후 다시 열어 주세요.', retryAfterSeconds: 3 },
};

/** Tells the visitor what to do, and nothing about the report, not even whether it exists. */
export function closedPage(reason: ClosedReason): Page {
  const { status, title, text, retryAfterSeconds } = CLOSED[reason];
  const shown = page({
    status,
    title,
    body: html`<section class="closed">
      ${icon('unknown')}
      <h1>${title}</h1>
      <p>${text}</p>
    </section>`,
  });
  return retryAfterSeconds === undefined ? shown : { ...shown, headers: { ...shown.headers, 'retry-after': String(retryAfterSeconds) } };
}
