import { Content } from '@tire/contracts/api';
import { createHash } from 'node:crypto';
import { type ClosedReason, closedPage } from './document/closed-page';
import { contentFixture, FIXTURE_IDS } from './content.fixture';
import { html } from './document/html';
import type { PageImages } from './document/images';
import { reportPage } from './document/report-page';

const ORIGIN = 'https://images.example.com';
const IMAGES: PageImages = new Map([
  [
    FIXTURE_IDS.tread,
    { thumbnailUrl: `${ORIGIN}/tread?a=1&b="2"`, smallUrl: `${ORIGIN}/tread-small`, orientation: 1, widthPx: 1_200, heightPx: 900 },
  ],
  [
    FIXTURE_IDS.sidewall,
    { thumbnailUrl: `${ORIGIN}/sidewall`, smallUrl: `${ORIGIN}/sidewall-small`, orientation: 1, widthPx: 1_200, heightPx: 900 },
  ],
]);
const render = (content = contentFixture(), images = IMAGES, hasSamples = false) =>
  reportPage({
    content,
    hasSamples,
    images,
    imageOrigin: ORIGIN,
    cardUrl: 'https://share.example/r/card.png',
    pdfUrl: 'https://share.example/r/token.pdf',
  });
const styleOf = (document: string): string => /<style>([\s\S]*?)<\/style>/.exec(document)?.[1] ?? '';

describe('html', () => {
  it('escapes everything that is not HTML already', () => {
    const evil = `<script>alert("x")</script>&'`;
    expect(html`<p title="${evil}">${[evil, html`<b>${1}</b>`, null, false]}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;<b>1</b></p>',
    );
  });
});

describe('the share page', () => {
  it('accepts a document of the contract', () => {
    expect(Content.safeParse(contentFixture()).success).toBe(true);
  });

  it('shows the verdict, the measured depths, and the sections in their order', () => {
    const { html: document, status } = render();
    expect(status).toBe(200);
    expect(document).toContain('타이어 상태가 양호합니다.');
    for (const depth of ['6.2mm', '5.9mm', '4.1mm']) expect(document).toContain(depth);
    const titles = ['트레드 마모', '빗길 제동거리', '타이어 규격'].map((title) => document.indexOf(`>${title}</h2>`));
    expect(titles).toEqual([...titles].sort((a, b) => a - b));
    expect(titles.every((index) => index > 0)).toBe(true);
    expect(document).toContain('width="80.0"');
    expect(document).toContain('2026년 10월 1일');
  });

  it('says first of all that a report of the sandbox holds sample values, and says so of no other one', () => {
    const body = (hasSamples: boolean) => render(contentFixture(), IMAGES, hasSamples).html.replace(/^[^]*<main>/, '');
    expect(body(true).indexOf('테스트 리포트입니다.')).toBeGreaterThan(-1);
    expect(body(true).indexOf('테스트 리포트입니다.')).toBeLessThan(body(true).indexOf('<h1>'));
    expect(body(false)).not.toContain('테스트 리포트');
  });

  it('draws the grooves over the image, first turned and then flipped', () => {
    const { html: document } = render();
    expect(document).toContain('d="M1000 0l1000 0-500 10000z"');
    expect(document).toContain(`<source type="image/webp" srcset="${ORIGIN}/tread?a=1&amp;b=&quot;2&quot;" />`);
    expect(document).toContain(`src="${ORIGIN}/tread-small"`);
    expect(document.split('<source').length - 1).toBe(2);
    expect(document).toContain('width="1200" height="900" class="wide"');
    expect(document).toContain('turn-270-mirrored');
    expect(styleOf(document)).toContain('.turn-270-mirrored{transform:scaleX(-1) rotate(270deg)}');
    expect(styleOf(document)).toContain('.turn-270-mirrored b{transform:translate(-50%,-50%) rotate(-270deg) scaleX(-1)}');
    expect(document).toContain('<b class="mark-0-0" aria-hidden="true">6.2</b>');
    expect(styleOf(document)).toMatch(/\.mark-0-0\{left:1[0-9.]+%;top:\d+\.\d%\}/);
  });

  it('is less than 100 KB even with the maximum that the engine draws', () => {
    const content = contentFixture();
    const [tread] = content.render_data.tread_overlays;
    // Five digits each, as in measured values.
    const place = (share: number) => Number(share.toFixed(5));
    const polygon_xy_norm = Array.from({ length: 180 }, (_, index): [number, number] => [
      place(0.1 + index / 1_234),
      place(0.9 - index / 234),
    ]);
    const groove_masks = Array.from({ length: 7 }, () => ({ depth_mm: 6.2, score: 0.9, polygon_xy_norm }));
    const remaining_depths_mm = groove_masks.map(({ depth_mm }) => depth_mm);
    const four = content.tires.map(({ slot_id }) => ({ ...tread!, slot_id, groove_masks, remaining_depths_mm }));
    const sizes = Array<(typeof content.render_data.sidewall_specs)[number]>(4).fill(content.render_data.sidewall_specs[0]!);
    const { html: document } = render({ ...content, render_data: { tread_overlays: four, sidewall_specs: sizes } });
    expect(document.match(/<path\s+d="M1000 9000l/g)).toHaveLength(28);
    expect(Buffer.byteLength(document)).toBeLessThan(100_000);
  });

  it.each([
    ['ko', '보관 기간이 지나 사진이 삭제되었습니다.'],
    ['en', 'The photo was deleted after its retention period.'],
  ])('says in place of a photograph that its time is over, and keeps what was measured (%s)', (language, notice) => {
    const content = contentFixture();
    const shown = language === 'en' ? { ...content, content_profile: { ...content.content_profile, locale: 'en-US' } } : content;
    const { html: document } = render(shown as typeof content, new Map([...IMAGES.keys()].map((assetId) => [assetId, 'ended'])));
    expect(document).not.toContain('<img');
    expect(document.split(notice)).toHaveLength(1 + content.render_data.tread_overlays.length + content.render_data.sidewall_specs.length);
    expect(document).toContain('6.2');
    expect(render(shown as typeof content, new Map(IMAGES).set(FIXTURE_IDS.tread, 'ended')).html.split(notice)).toHaveLength(2);
  });

  it('omits an image without an address', () => {
    const { html: document } = render(contentFixture(), new Map());
    expect(document).not.toContain('<img');
    expect(document).toContain('6.2mm');
  });

  it('allows no scripts, and loads images from one origin', () => {
    const { html: document, headers } = render();
    const hash = createHash('sha256').update(styleOf(document)).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src ${ORIGIN}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'private, no-store',
    });
    expect(document).not.toMatch(/<script|\son\w+=|\sstyle=|javascript:/i);
    expect(Buffer.byteLength(document)).toBeLessThan(100_000);
  });

  it.each([`"><script>alert(1)</script>`, `'; onload='x`, '12가\u202e3456', '<img src=x onerror=alert(1)>'])(
    'is not harmed by the plate %j',
    (plate) => {
      const content = contentFixture();
      const { html: document } = render({ ...content, report_context: { ...content.report_context, plate_number: plate } });
      expect(document).not.toMatch(/<script|<img src=x|\u202e/);
      expect(document).not.toMatch(/\sonload='/);
    },
  );

  it('is not harmed by texts and ids of the document', () => {
    const evil = `</style><script>"'&`;
    const content = contentFixture();
    const [tread] = content.render_data.tread_overlays;
    const { html: document } = render({
      ...content,
      tires: content.tires.map((tire) => ({ ...tire, position_label: evil, narrative: evil, slot_id: evil })),
      sections: content.sections.map((section) => ({ ...section, title: evil, badge_label: evil, paragraphs: [evil] })),
      render_data: { ...content.render_data, tread_overlays: [{ ...tread!, slot_id: `tire.tread.${evil}` }] },
    });
    expect(document).not.toContain('<script');
    expect(document.match(/<\/style>/g)).toHaveLength(1);
  });

  it('has a title and an image for messengers, which contain nothing about the car', () => {
    const { html: document } = render();
    const tags = document.match(/<meta (property|name)="(og|twitter|description)[^>]*>/g)!.join('\n');
    expect(tags).toContain('<meta property="og:title" content="타이어 점검 리포트" />');
    expect(tags).toContain('<meta property="og:image" content="https://share.example/r/card.png" />');
    expect(tags).not.toMatch(/12가|\dmm|양호|주의|위험/);
  });

  it('shows just enough of a plate for its owner', () => {
    const { html: document } = render();
    expect(document).toContain('12가 3***');
    // Coordinates have any digits.
    expect(document).not.toMatch(/(?<![.\w])3456(?!\w)/);
  });
});

/** The page of every closed report has this sentence, whatever was measured. */
const NO_SAFETY = /이 페이지가 닫혀 있다고 타이어가 안전하다는 뜻은 아닙니다\.|A closed page does not mean that the tires are safe\./g;

describe('a page that is not open', () => {
  it.each<[ClosedReason, number]>([
    ['partial', 2],
    ['failed', 2],
    ['processing', 0],
    ['expired', 0],
  ])('%s states in %i languages that this is no sign of safe tires', (reason, times) => {
    expect(closedPage(reason).html.match(NO_SAFETY) ?? []).toHaveLength(times);
  });

  it('names who acts', () => {
    const { html } = closedPage('partial');
    expect(html).toContain('링크를 보내 준 곳에 다시 찍어 달라고 요청해 주세요.');
    expect(html).toContain('Please ask whoever sent you this link to retake or add them.');
  });

  it.each<[ClosedReason, number]>([
    ['unknown', 404],
    ['processing', 403],
    ['awaiting_images', 403],
    ['partial', 403],
    ['failed', 403],
    ['legacy', 404],
    ['discarded', 410],
    ['revoked', 410],
    ['expired', 410],
    ['unavailable', 503],
  ])('%s returns %s and shows nothing about a report', (reason, status) => {
    const page = closedPage(reason);
    expect(page.status).toBe(status);
    const text = page.html.replace(styleOf(page.html), '').replace(NO_SAFETY, '');
    expect(text).not.toMatch(/타이어|차량|리포트|tire|\bcar\b|report/i);
    expect(page.headers['content-security-policy']).toContain(`default-src 'none'`);
    expect(page.headers['content-security-policy']).not.toContain('img-src');
    expect(page.headers['retry-after']).toBe(status === 503 ? '3' : undefined);
  });

  it.each<[ClosedReason, boolean]>([
    ['processing', true],
    ['unavailable', true],
    ['partial', false],
    ['failed', false],
    ['awaiting_images', false],
    ['legacy', false],
  ])('%s promises that waiting helps: %s', (reason, waits) => {
    expect(/잠시 후/.test(closedPage(reason).html)).toBe(waits);
    expect(/in a moment/.test(closedPage(reason).html)).toBe(waits);
  });
});
