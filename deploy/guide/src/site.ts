import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analysisSections, contentSections, errorSections, refusalTable } from './errors';
import { FACTS, OF_THE_INSTALLATION } from './facts';
import { withIncludes } from './includes';
import { indexPage, notFoundPage, pageOf, type Assets, type Titles } from './layout';
import { rendered } from './markdown';
import { LANGUAGES, type Language, PAGES, type Page } from './pages';
import { SOURCES } from './paths';

const GENERATED: Readonly<Record<string, (language: Language) => string>> = {
  errors: errorSections,
  refusals: refusalTable,
  analysisErrors: analysisSections,
  contentErrors: contentSections,
};

const filled = (markdown: string, language: Language): string =>
  markdown.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    if (OF_THE_INSTALLATION.includes(name)) return placeholder;
    const text = GENERATED[name]?.(language) ?? FACTS[name];
    if (text === undefined) throw new Error(`${placeholder} is not known`);
    return text;
  });

const sourceOf = (language: Language, page: Page): string =>
  filled(withIncludes(readFileSync(join(SOURCES, language, `${page}.md`), 'utf8')), language);

/** A name with a digest is cached for ever. */
function asset(files: Map<string, Buffer>, name: string): string {
  const bytes = readFileSync(join(SOURCES, 'assets', name));
  const [stem, extension] = name.split('.');
  const path = `assets/${stem}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.${extension}`;
  files.set(path, bytes);
  return path;
}

/** Every file of the site, by its path below /docs. */
export function site(): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const assets: Assets = { style: asset(files, 'style.css'), forward: asset(files, 'forward.js') };
  const add = (path: string, html: string) => files.set(path, Buffer.from(html));
  const titles = {} as Record<Language, Titles>;
  for (const language of LANGUAGES) {
    const pages = PAGES.map((page) => ({ page, ...rendered(sourceOf(language, page), language) }));
    titles[language] = pages.map(({ page, title }) => ({ page, title }));
    for (const one of pages) add(`${language}/${one.page}.html`, pageOf(one, titles[language], language, assets));
  }
  add('index.html', indexPage(titles, assets));
  add('404.html', notFoundPage(titles, assets));
  for (const name of readdirSync(join(SOURCES, 'samples'))) files.set(`samples/${name}`, readFileSync(join(SOURCES, 'samples', name)));
  return files;
}
