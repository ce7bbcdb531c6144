import { createHash } from 'node:crypto';
import { html, Html } from './html';
import { STYLE } from './style';

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Record<string, string>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** `extraStyle` is written by us, never from a document. */
export function page(status: number, title: string, body: Html, photographOrigin: string | null, extraStyle = ''): Page {
  const style = STYLE + extraStyle;
  // Made in one piece: its hash counts every blank, and a formatter may add some inside a template.
  const styleElement = new Html(`<style>${style}</style>`);
  const document = html`<!doctype html>
    <html lang="ko">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${styleElement}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return { status, html: document.text, headers: headers(sha256(style), photographOrigin) };
}

function headers(styleHash: string, photographOrigin: string | null): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    ...(photographOrigin ? [`img-src ${photographOrigin}`] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    // Whether it is open is asked each time: no copy may outlive that answer.
    'cache-control': 'private, no-store',
  };
}
