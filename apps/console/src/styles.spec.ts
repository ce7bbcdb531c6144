import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = join(__dirname, '../web');

/** Files of styles come with the pages that need them, in the order of visits: what two of them say of one class hangs on that order. */
describe('the styles of the console', () => {
  it('have one file for each class', () => {
    const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
    const filesOf = new Map<string, Set<string>>();
    for (const file of files)
      for (const [, name] of readFileSync(join(WEB, file), 'utf8').matchAll(/^\.([a-z][\w-]*)/gm))
        filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(file));
    expect(filesOf.size).toBeGreaterThan(50);
    expect([...filesOf].filter(([, of]) => of.size > 1).map(([name, of]) => [name, ...of])).toEqual([]);
  });
});
