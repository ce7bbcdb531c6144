import { ANALYSIS_ERRORS, HTTP_REFUSALS, PUBLIC_ERROR_CODES, SANDBOX_NAMES } from '@tire/kernel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rendered } from './markdown';
import { LANGUAGES, type Language, PAGES } from './pages';
import { REPOSITORY_ROOT, SOURCES } from './paths';
import { site } from './site';

const files = site();
const html = (path: string): string => files.get(path)!.toString();
const paths = [...files.keys()].filter((path) => path.endsWith('.html'));
const sourceOf = (language: Language, page: string): string => readFileSync(join(SOURCES, language, `${page}.md`), 'utf8');
const allOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!);

/** What the gateway serves beside the site. */
const { paths: operations } = JSON.parse(readFileSync(join(REPOSITORY_ROOT, 'libs/contracts/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const OPERATION_IDS = Object.values(operations).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
const ELSEWHERE = [
  ...['/console', '/api/v1/openapi.json', '/docs/reference', '/docs/console-reference'],
  ...SANDBOX_NAMES.map((name) => `/docs/sandbox/${name}.jpg`),
];

/** Whether the gateway has what an address of a page names. */
function leads(from: string, address: string): boolean {
  if (/^(https:\/\/|data:)/.test(address)) return true;
  const [path, anchor] = address.split('#') as [string, string | undefined];
  if (path === '/docs/reference' && anchor !== undefined) return OPERATION_IDS.includes(anchor);
  if (ELSEWHERE.includes(path)) return anchor === undefined;
  const within = path === '' ? from : path.replace(/^\/docs\/?/, '');
  const file = [within || 'index.html', `${within}.html`].find((name) => files.has(name));
  return file !== undefined && (anchor === undefined || html(file).includes(` id="${anchor}"`));
}

describe('the pages of the guide', () => {
  it('are all there in both languages', () => {
    expect(paths.toSorted()).toEqual(
      ['404.html', 'index.html', ...LANGUAGES.flatMap((language) => PAGES.map((page) => `${language}/${page}.html`))].toSorted(),
    );
  });

  it.each(paths)('%s has no link that leads nowhere', (path) => {
    const addresses = allOf(html(path), /(?:href|src)="([^"]*)"/g);
    expect(addresses.length).toBeGreaterThan(PAGES.length);
    expect(addresses.filter((address) => !leads(path, address))).toEqual([]);
  });

  it.each(['/docs/en/quickstart', '/docs/en/errors#rate_limit', '/docs/reference#createreport', '/docs/assets/style.css', '#nothing'])(
    '%s would be found',
    (address) => expect(leads('en/errors.html', address)).toBe(false),
  );

  it.each(PAGES)('%s says the same in both languages: blocks, anchors and links', (page) => {
    const parts = (language: Language) => {
      const source = sourceOf(language, page);
      const rows = source.split('\n').filter((line) => line.startsWith('|')).length;
      const items = source.split('\n').filter((line) => /^(-|\d\.) /.test(line)).length;
      return {
        blocks: allOf(source, /^(<<< .*|\{\{\w+\}\})$/gm),
        anchors: allOf(source, /\{#([\w-]+)\}$/gm),
        links: allOf(source, /\]\(([^)]+)\)/g).toSorted(),
        rows,
        items,
      };
    };
    expect(parts('ko')).toEqual(parts('en'));
  });

  it.each(LANGUAGES)('in %s explain every code and every refusal, each with a cause and a remedy', (language) => {
    const page = html(`${language}/errors.html`);
    const codes = [...PUBLIC_ERROR_CODES, ...Object.keys(ANALYSIS_ERRORS), 'content_source_incomplete'];
    const sections = new Map(page.split('<h3 ').map((section) => [/^id="(\w+)"/.exec(section)?.[1], section]));
    for (const code of codes) expect([code, sections.get(code)?.match(/<strong>/g)?.length]).toEqual([code, 2]);
    for (const status of Object.keys(HTTP_REFUSALS)) expect(page).toContain(`<tr><td>${status}</td>`);
  });

  it.each(paths)('%s runs no script of its own text and loads nothing from elsewhere', (path) => {
    expect(html(path)).not.toMatch(/<script>|<style| style="| on\w+="|src="http/);
    expect(
      allOf(html(path), /<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="([^"]+)"/g).every((one) => one.startsWith('/docs/')),
    ).toBe(true);
  });

  it('have one title and headings in order', () => {
    for (const path of paths) {
      const levels = allOf(html(path), /<h(\d)/g).map(Number);
      expect([path, levels.filter((level) => level === 1).length]).toEqual([path, 1]);
      expect([path, levels.some((level, index) => level > (levels[index - 1] ?? 0) + 1)]).toEqual([path, false]);
    }
  });

  it('name numbers that the code enforces', () => {
    expect(html('en/limits.html')).toContain('<td>20 MB, JPEG or PNG');
    expect(paths.filter((path) => /\{\{(?!PUBLIC_API_URL\}\})/.test(html(path)))).toEqual([]);
  });
});

describe('a page', () => {
  it.each([
    ['[a](operation:makeReport)', 'leads nowhere'],
    ['[a](quickstart.md)', 'leads nowhere'],
    ['[a](http://plain.example)', 'leads nowhere'],
    ['## No anchor', 'has no anchor'],
    ['<b>bold</b>', 'HTML in a page'],
    ['', 'has no title'],
  ])('is refused with %s', (text, message) => {
    expect(() => rendered(text === '' ? text : `# Title\n\n${text}`, 'en')).toThrow(message);
  });

  it('has no header without text', () => {
    const { html: page } = rendered('# Title\n\n| | a |\n|---|---|\n| b | c |\n\n| | |\n|---|---|\n| d | e |', 'en');
    expect(page).toContain('<thead><tr><td></td><th>a</th></tr>');
    expect(page.match(/<thead>/g)).toHaveLength(1);
  });

  it('escapes what a block holds', () => {
    const { html: page } = rendered('# Title\n\n```bash receive.sh\necho "<b>" & wait\n```', 'ko');
    expect(page).toContain('data-file="receive.sh"');
    expect(page).toContain('echo &quot;&lt;b&gt;&quot; &amp; wait\n</code>');
  });
});
