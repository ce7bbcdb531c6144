import { OPERATIONS } from '@tire/contracts/operations';
import { Marked, type Tokens } from 'marked';
import { addressOf, BASE, type Language, PAGES } from './pages';
import { WORDS } from './words';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (letter) => ESCAPES[letter]!);

/** Links of sources name a file beside them, so that they work where the repository is read; or an operation: `operation:createReport`. */
export function addressOfLink(href: string, language: Language): string {
  if (/^(https:|#|\/)/.test(href)) return href;
  const [scheme, operation] = href.split(':');
  if (scheme === 'operation' && operation && operation in OPERATIONS) return `${BASE}/reference#${operation}`;
  const [, page, anchor = ''] = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href) ?? [];
  if (!page || !PAGES.some((known) => known === page)) throw new Error(`The link ${href} leads nowhere`);
  return addressOf(language, page) + anchor;
}

/** `## Title {#anchor}`: an anchor of its own, because both languages have the same anchors. */
const HEADING = /^(.*?) \{#([\w-]+)\}$/s;

interface Rendered {
  readonly title: string;
  readonly html: string;
}

function figure({ text, lang = '' }: Tokens.Code, language: Language): string {
  const [name, file] = lang.split(' ');
  const label = file ?? WORDS[language].code(name!);
  const caption = file ? `<figcaption>${escaped(file)}</figcaption>` : '';
  // A wide block is scrolled, also with the keyboard.
  const block = `<pre tabindex="0" role="region" aria-label="${escaped(label)}"><code class="language-${escaped(name!)}">${escaped(text)}\n</code></pre>`;
  return `<figure class="code"${file ? ` data-file="${escaped(file)}"` : ''}>${caption}${block}</figure>\n`;
}

/** Renders a page, whose first line is its title. Regions with the same name are numbered, because each landmark needs its own. */
export function rendered(markdown: string, language: Language): Rendered {
  let title = '';
  let regions = 0;
  const numbered = (html: string) => html.replaceAll(/ aria-label="([^"]*)"/g, (_, label: string) => ` aria-label="${label} ${++regions}"`);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const [, text, anchor] = HEADING.exec(html) ?? [];
        if (depth === 1) {
          title = html;
          return `<h1>${html}</h1>\n`;
        }
        if (!text || !anchor) throw new Error(`The heading "${html}" has no anchor`);
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${text}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(addressOfLink(href, language))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code: (token) => numbered(figure(token, language)),
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], wanted: string) => {
          const inside = cells.map(({ text, tokens }) => {
            // Readers of screens announce a header without text as nothing.
            const tag = text === '' ? 'td' : wanted;
            return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
          });
          return `<tr>${inside.join('')}</tr>\n`;
        };
        const head = token.header.some(({ text }) => text !== '') ? `<thead>${row(token.header, 'th')}</thead>` : '';
        const table = `<table>${head}<tbody>${token.rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
        return numbered(`<div class="table" tabindex="0" role="region" aria-label="${WORDS[language].table}">${table}</div>\n`);
      },
      html({ text }) {
        throw new Error(`HTML in a page: ${text}`);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  if (!title) throw new Error('A page has no title');
  return { title, html };
}
