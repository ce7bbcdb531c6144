import { escaped } from './markdown';
import { addressOf, BASE, LANGUAGES, type Language, otherThan, type Page } from './pages';
import { WORDS } from './words';

export interface Assets {
  readonly style: string;
  readonly forward: string;
}

export type Titles = readonly { readonly page: Page; readonly title: string }[];

interface Content {
  readonly page: Page;
  readonly title: string;
  readonly html: string;
}

const document = (language: Language, title: string, assets: Assets, body: string, head = ''): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${BASE}/${assets.style}">
<link rel="icon" href="data:,">
${head}</head>
<body>
${body}
</body>
</html>
`;

const plain = (html: string): string => html.replaceAll(/<[^>]+>/g, '');

function links(titles: Titles, language: Language, current?: Page): string {
  const words = WORDS[language];
  const pages = titles.map(
    ({ page, title }) =>
      `<li><a href="${addressOf(language, page)}"${page === current ? ' aria-current="page"' : ''}>${plain(title)}</a></li>`,
  );
  const references = [
    `<li><a href="${BASE}/reference">${words.reference}</a></li>`,
    `<li><a href="${BASE}/console-reference">${words.consoleReference}</a></li>`,
  ];
  return `<ul>\n${[...pages, ...references].join('\n')}\n</ul>`;
}

/** The menu of a phone opens without a script; a wide window shows the list instead. */
function menus(titles: Titles, language: Language, page: Page): string {
  const { contents, pages } = WORDS[language];
  const list = links(titles, language, page);
  return `<details class="menu"><summary>${contents}</summary><nav aria-label="${pages}">${list}</nav></details>
<nav class="pages" aria-label="${pages}">${list}</nav>`;
}

function neighbours(titles: Titles, language: Language, current: Page): string {
  const at = titles.findIndex(({ page }) => page === current);
  const link = (one: Titles[number] | undefined, word: string) =>
    one ? `<a href="${addressOf(language, one.page)}"><span>${word}</span> ${plain(one.title)}</a>` : '<span></span>';
  const { before, after } = WORDS[language];
  return `<nav class="neighbours" aria-label="${before}, ${after}">${link(titles[at - 1], before)}${link(titles[at + 1], after)}</nav>`;
}

export function pageOf({ page, title, html }: Content, titles: Titles, language: Language, assets: Assets): string {
  const words = WORDS[language];
  const other = otherThan(language);
  const alternates = LANGUAGES.map((each) => `<link rel="alternate" hreflang="${each}" href="${addressOf(each, page)}">\n`).join('');
  const body = `<a class="skip" href="#text">${words.skip}</a>
<header><a class="home" href="${BASE}">${words.guide}</a><a lang="${other}" hreflang="${other}" href="${addressOf(other, page)}">${WORDS[other].name}</a></header>
<div class="frame">
${menus(titles, language, page)}
<main id="text" tabindex="-1">
${html}${neighbours(titles, language, page)}
</main>
</div>`;
  return document(language, `${plain(title)} · ${words.guide}`, assets, body, alternates);
}

const inBoth = (part: (language: Language) => string): string =>
  LANGUAGES.map((language) => `<section lang="${language}">${part(language)}</section>`).join('\n');

/** Links to the former place of the reference name an operation after a #, which only a script can read. */
export function indexPage(titles: Readonly<Record<Language, Titles>>, assets: Assets): string {
  const list = inBoth((language) => `<h2>${WORDS[language].guide}</h2>\n${links(titles[language], language)}`);
  const body = `<main class="both"><h1>Tire Inspection</h1>\n${list}\n</main>`;
  return document(
    'en',
    `${escaped(WORDS.ko.guide)} · ${escaped(WORDS.en.guide)}`,
    assets,
    body,
    `<script src="${BASE}/${assets.forward}"></script>\n`,
  );
}

export function notFoundPage(titles: Readonly<Record<Language, Titles>>, assets: Assets): string {
  const list = inBoth((language) => {
    const { notFound, notFoundText } = WORDS[language];
    return `<h2>${notFound}</h2>\n<p>${notFoundText}</p>\n${links(titles[language], language)}`;
  });
  return document('en', `${WORDS.ko.notFound} · ${WORDS.en.notFound}`, assets, `<main class="both"><h1>404</h1>\n${list}\n</main>`);
}
