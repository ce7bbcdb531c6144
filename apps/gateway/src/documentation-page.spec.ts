import { ENDPOINTS, openapiJson } from '@tire/contracts';
import { createHash } from 'node:crypto';
import { DOCUMENTATION_POLICY, documentationPage, type ApiDocument } from './documentation-page';

const document = JSON.parse(openapiJson()) as ApiDocument;
const page = documentationPage(document);

describe('the page of documentation', () => {
  it.each(ENDPOINTS)('shows $operationId, with a call to try', ({ operationId, summary, method, path }) => {
    expect(page).toContain(`<h2 id="${operationId}">${summary}</h2>`);
    expect(page).toContain(`<code>${path}</code>`);
    expect(page).toContain(`curl -X ${method.toUpperCase()} &quot;$ORIGIN/api/v1${path}&quot;`);
  });

  it('shows every schema, and every link of it leads somewhere', () => {
    const places = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const name of Object.keys(document.components.schemas)) expect(places).toContain(`schema-${name}`);
    for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(places).toContain(target);
  });

  it('lets its own style through and nothing else', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)![1]!;
    expect(DOCUMENTATION_POLICY).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(page).not.toMatch(/<script|\sstyle=|https?:\/\/(?!\w+\.example)[^"<& ]+\.(?:js|css)/);
  });

  it('says plainly what would be markup', () => {
    const info = { title: '<b>&"', version: '1', description: '<script>' };
    expect(documentationPage({ ...document, info })).toContain('<h1>&lt;b&gt;&amp;&quot; 1</h1>\n<p>&lt;script&gt;</p>');
  });
});
