import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../stack-file';
import { withFigures } from './document';

it.each(['README.md', 'docs/performance.md'])('%s has a place for the figures, and nothing else changes', (name) => {
  const document = readFileSync(join(REPOSITORY_ROOT, name), 'utf8');
  const written = withFigures(document, 'new figures');
  expect(written).toContain('<!-- bench:report -->\nnew figures\n<!-- /bench:report -->');
  expect(withFigures(written, 'others')).toBe(withFigures(document, 'others'));
});

it('a document without the place is an error', () => {
  expect(() => withFigures('# A document', 'figures')).toThrow('no part between');
});
