import { createHash } from 'node:crypto';
import { html, Html } from './html';
import { STYLE } from './style';

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly headers: Record<string, string>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The headers of every answer at the address of a share link. */
export const REPORT_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  // Each view checks the link, so no cache may keep a copy.
  'cache-control': 'private, no-store',
};

interface PageInput {
  readonly status: number;
  readonly lang: string;
  readonly title: string;
  readonly body: Html;
  /** The only origin of images. Undefined for a page without images. */
  readonly imageOrigin?: string;
  /** Generated here, never text from a document. */
  readonly extraStyle?: string;
  /** The preview that messengers show for a link to this page. */
  readonly preview?: { readonly description: string; readonly imageUrl: string; readonly locale: string };
}

export function page({ status, lang, title, body, imageOrigin, extraStyle = '', preview }: PageInput): Page {
  const style = STYLE + extraStyle;
  // Built as one string: the hash includes every space, and a formatter may add spaces inside a template.
  const styleElement = new Html(`<style>${style}</style>`);
  const document = html`<!doctype html>
    <html lang="${lang}">
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
  return { status, html: document.text, headers: headers(sha256(style), imageOrigin) };
}

const previewTags = (title: string, { description, imageUrl, locale }: NonNullable<PageInput['preview']>): Html => html`
  <meta name="description" content="${description}" />
  <meta property="og:type" content="website" />
  <meta property="og:locale" content="${locale}" />
  <meta property="og:title" content="${title}" />
  <meta property="og:description" content="${description}" />
  <meta property="og:image" content="${imageUrl}" />
  <meta property="og:image:width" content="1200" />
  <meta property="og:image:height" content="630" />
  <meta name="twitter:card" content="summary_large_image" />
`;

function headers(styleHash: string, imageOrigin: string | undefined): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `style-src 'sha256-${styleHash}'`,
    ...(imageOrigin ? [`img-src ${imageOrigin}`] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ];
  return { ...REPORT_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') };
}
