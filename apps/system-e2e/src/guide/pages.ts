import { stackUnderTest } from '../stack-under-test';

export const LANGUAGES = ['en', 'ko'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Block {
  readonly language: string;
  /** The name under which the reader saves it. */
  readonly file: string | undefined;
  readonly code: string;
}

export const docs = (): string => new URL('/docs', stackUnderTest().base_url).href;

const BLOCK = /<figure class="code"(?: data-file="([^"]+)")?>.*?<code class="language-(\w+)">(.*?)<\/code>/gs;
const LETTERS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** Each page that the first page links to. */
export async function pagesOf(language: Language): Promise<string[]> {
  const html = await (await fetch(docs())).text();
  return [...html.matchAll(new RegExp(`href="/docs/${language}/([\\w-]+)"`, 'g'))].map(([, page]) => page!);
}

/** What a reader copies from the page that is served. */
export async function blocksOf(language: Language, page: string): Promise<Block[]> {
  const response = await fetch(`${docs()}/${language}/${page}`);
  expect([page, response.status]).toEqual([page, 200]);
  return [...(await response.text()).matchAll(BLOCK)].map(([, file, of, code]) => ({
    language: of!,
    file,
    code: code!.replaceAll(/&(lt|gt|quot|amp);/g, (letter) => LETTERS[letter]!),
  }));
}

export const ofShell = (blocks: readonly Block[]): Block[] => blocks.filter(({ language }) => language === 'bash');
