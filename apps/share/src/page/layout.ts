import { createHash } from 'node:crypto';
import { html, Html } from './html';
import { STYLE } from './style';

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Record<string, string>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Of whatever stands at the address of a share link. */
export const REPORT_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  // Whether it is open is asked each time: no copy may outlive that answer.
  'cache-control': 'private, no-store',
};

interface PageInput {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** The one place from which photographs come; none where there are none. */
  readonly photographOrigin?: string;
  /** Written by us, never from a document. */
  readonly extraStyle?: string;
  /** What a messenger shows of a link to this page. */
  readonly preview?: { readonly description: string; readonly imageUrl: string };
}

export function page({ status, title, body, photographOrigin, extraStyle = '', preview }: PageInput): Page {
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
        ${preview && previewTags(title, preview)} ${styleElement}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return { status, html: document.text, headers: headers(sha256(style), photographOrigin) };
}

const previewTags = (title: string, { description, imageUrl }: NonNullable<PageInput['preview']>): Html => html`
  <meta name="description" content="${description}" />
  <meta property="og:type" content="website" />
  <meta property="og:locale" content="ko_KR" />
  <meta property="og:title" content="${title}" />
  <meta property="og:description" content="${description}" />
  <meta property="og:image" content="${imageUrl}" />
  <meta property="og:image:width" content="1200" />
  <meta property="og:image:height" content="630" />
  <meta name="twitter:card" content="summary_large_image" />
`;

function headers(styleHash: string, photographOrigin: string | undefined): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    ...(photographOrigin ? [`img-src ${photographOrigin}`] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ];
  return { ...REPORT_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') };
}
