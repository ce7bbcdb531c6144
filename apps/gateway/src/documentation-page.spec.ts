import { ENDPOINTS, openapiJson } from '@tire/contracts';
import { documentationPage, type ApiDocument } from './documentation-page';

const document = JSON.parse(openapiJson()) as ApiDocument;
const page = documentationPage(document);

describe('the page of documentation', () => {
  it.each(ENDPOINTS.map(({ operationId, method, path }) => [operationId, `${method.toUpperCase()} ${path}`]))('shows %s', (id, name) => {
    expect(page).toContain(`<h2 id="${id}"><code>${name}</code></h2>`);
  });

  it('shows every schema, and every link of it leads somewhere', () => {
    const places = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const name of Object.keys(document.components.schemas)) expect(places).toContain(`schema-${name}`);
    for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(places).toContain(target);
  });

  it('says plainly what would be markup', () => {
    const info = { title: '<b>&"', version: '1', description: '<script>' };
    expect(documentationPage({ ...document, info })).toContain('<h1>&lt;b&gt;&amp;&quot; 1</h1>\n<p>&lt;script&gt;</p>');
  });
});
