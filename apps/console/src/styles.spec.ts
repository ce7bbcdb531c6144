import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGN_NAMES, SIGNS } from '@tire/kernel/signs';

const WEB = join(__dirname, '../web');

/** Each page loads its style file on the first visit. Rules for one class in two files would depend on the order of visits. */
describe('the styles of the console', () => {
  it('define each class in one file', () => {
    const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
    const filesOf = new Map<string, Set<string>>();
    for (const file of files)
      for (const [, name] of readFileSync(join(WEB, file), 'utf8').matchAll(/^\.([a-z][\w-]*)/gm))
        filesOf.set(name!, (filesOf.get(name!) ?? new Set()).add(file));
    expect(filesOf.size).toBeGreaterThan(50);
    expect([...filesOf].filter(([, of]) => of.size > 1).map(([name, of]) => [name, ...of])).toEqual([]);
  });

  it('have the colours of the table of signs', () => {
    const css = readFileSync(join(WEB, 'ui/sign.css'), 'utf8');
    for (const name of SIGN_NAMES)
      for (const [scheme, selector] of [
        ['light', `\n.sign-${name}`],
        ['dark', `[data-mantine-color-scheme='dark'] .sign-${name}`],
      ] as const) {
        const { ink, paper } = SIGNS[name][scheme];
        expect(css).toContain(`${selector} {\n  --sign-ink: ${ink};\n  --sign-paper: ${paper};\n}`);
      }
  });
});
