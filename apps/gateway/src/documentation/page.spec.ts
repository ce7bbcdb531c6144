import { createHash } from 'node:crypto';
import { ENDPOINTS, openapiJson } from '@tire/contracts';
import { PUBLIC_ERROR_CODES } from '@tire/kernel';
import type { ApiDocument } from './api-document';
import { DOCUMENTATION_POLICY, documentationPage } from './page';

const document = JSON.parse(openapiJson()) as ApiDocument;
const page = documentationPage(document);
const sectionOf = (id: string): string => page.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
const plain = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const BODY_FIELDS: Readonly<Record<string, readonly string[]>> = {
  createReport: ['template', 'content_profile.key', 'images', 'images[].slot.position', 'images[].source.url'],
  createUploadTargets: ['slots', 'slots[].module_type', 'slots[].slot.image_type'],
  registerImages: ['images', 'images[].asset_id', 'images[].slot.position'],
  analyzeSlots: ['slots', 'slots[].slot.position'],
};

describe('the page of documentation', () => {
  describe.each(ENDPOINTS)('on $operationId', ({ operationId, method, path, summary, request, answers, errors }) => {
    const section = sectionOf(operationId);

    it('says what it is, and every answer', () => {
      expect(section).toContain(`<span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>`);
      expect(plain(section)).toContain(summary);
      const said = [...section.matchAll(/<b class="status \w+">(\d+)<\/b>/g)].map(([, status]) => Number(status));
      const declared = Object.keys(document.paths[path]?.[method]?.responses ?? {}).map(Number);
      expect(said.sort()).toEqual(declared.sort());
      for (const { status } of answers) expect(said).toContain(status);
      for (const code of errors) expect(page).toContain(`<code>${code}</code>`);
    });

    it('shows the fields of its body, those inside too', () => {
      const fields = [...plain(section).matchAll(/data-head="Field"><code>([^<]+)</g)].map(([, field]) => field);
      expect(fields).toEqual(request ? expect.arrayContaining(BODY_FIELDS[operationId] ?? ['?']) : []);
    });

    it('shows a call that can be pasted', () => {
      const call = plain(/<h4>Call<\/h4><pre[^>]*><code>([^]*?)<\/code>/.exec(section)?.[1] ?? '');
      expect(call).toContain('"$BASE/reports');
      expect(call).toContain('-H "Authorization: Bearer $KEY"');
      expect(call).not.toMatch(/[{]\w+[}]/);
      const body = /-d '([^]*)'$/.exec(call)?.[1];
      expect(body === undefined ? undefined : request?.schema.safeParse(JSON.parse(body)).success).toBe(request && true);
    });
  });

  it('shows what is sent to a callback_url', () => {
    for (const told of ['webhook-signature', 'data.links.content', 'What your server answers'])
      expect(sectionOf('reportCompleted')).toContain(told);
  });

  it('has every error code in its table', () => {
    const errors = page.split('<h2 id="errors">')[1]?.split('<h2')[0] ?? '';
    for (const code of PUBLIC_ERROR_CODES) expect(errors).toContain(`<code>${code}</code>`);
  });

  it('shows every schema, and every link of it leads somewhere', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`);
    for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('says plainly what would be markup', () => {
    const info = { title: '<b>&"', version: '1', description: '<script>\n\n- `<i>`\n- <b>' };
    const shown = documentationPage({ ...document, info });
    expect(shown).toContain('>&lt;b&gt;&amp;&quot; <small>1</small></h1>');
    expect(shown).toContain('<p>&lt;script&gt;</p><ul><li><code>&lt;i&gt;</code></li><li>&lt;b&gt;</li></ul>');
  });

  it('loads nothing, runs nothing, and has the one style that its policy names', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe| style="| on\w+="|url\(|@import/);
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    expect(DOCUMENTATION_POLICY).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(DOCUMENTATION_POLICY).not.toContain('unsafe');
  });
});
