import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { REPOSITORY_ROOT, SOURCES } from './paths';

/** `<<< examples/create.sh`; with a slash before it, from the root of the repository; `<<< examples/receive.py as receive.py`: the reader saves it; `<<< clients/python/README.md python 1`: a block of a README. */
const INCLUDE = /^<<< (\S+?)(?: (\w+) (\d+))?(?: as (\S+))?$/gm;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.sh': 'bash',
  '.mjs': 'js',
  '.py': 'python',
  '.java': 'java',
  '.json': 'json',
};

const blocksOf = (markdown: string, language: string): string[] =>
  [...markdown.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);

function included(path: string, language: string | undefined, number: string | undefined): { language: string; code: string } {
  if (language === undefined) {
    const known = LANGUAGES[extname(path)];
    if (!known) throw new Error(`${path} has no known language`);
    return { language: known, code: readFileSync(path.startsWith('/') ? join(REPOSITORY_ROOT, path) : join(SOURCES, path), 'utf8') };
  }
  const code = blocksOf(readFileSync(join(REPOSITORY_ROOT, path), 'utf8'), language)[Number(number) - 1];
  if (code === undefined) throw new Error(`${path} has no block ${number} of ${language}`);
  return { language, code };
}

/** Both languages include the same files, so that their code cannot differ. */
export const withIncludes = (markdown: string): string =>
  markdown.replaceAll(INCLUDE, (_, path: string, block?: string, number?: string, name?: string) => {
    const { language, code } = included(path, block, number);
    return `\`\`\`${language}${name ? ` ${name}` : ''}\n${code.trimEnd()}\n\`\`\``;
  });
