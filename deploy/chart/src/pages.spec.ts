import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from './manifests';
import { CHART } from './paths';
import { render, type Values } from './render';
import { merged, ON_GPUS } from './value-sets';

const PAGES = ['README.md', 'UPGRADING.md', 'RUNBOOK.md'];
const read = (page: string): string => readFileSync(join(CHART, page), 'utf8');
const VALUES = parse(read('values.yaml')) as Record<string, Values>;

/** Finds values in the text (`a.b.c` or `a.b.c=x`) that the chart does not have. The keys of a service are those of the defaults. */
function unknownValues(text: string): string[] {
  const named = [...text.matchAll(/`([a-z]\w*(?:\.[\w<>[\]-]+)+)(?:[=:][^`]*)?`/g)].map(([, path]) => path!);
  return named.filter((path) => {
    const [first, ...rest] = path.replace(/\[\d+\].*/, '').split('.') as [string, ...string[]];
    if (!(first in VALUES)) return false;
    const below = first === 'services' ? rest.slice(1) : rest;
    let at: unknown = first === 'services' ? VALUES['defaults'] : VALUES[first];
    for (const key of below) {
      if (typeof at !== 'object' || at === null || !(key in at)) return !isOpen(at);
      at = (at as Values)[key];
    }
    return false;
  });
}

/** An empty map accepts any key. */
const isOpen = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

describe.each(PAGES)('%s', (page) => {
  it('names existing values', () => expect(unknownValues(read(page))).toEqual([]));

  it('names existing objects and components', async () => {
    const console = { enabled: true };
    const manifests: Manifest[] = await render(merged(ON_GPUS, { console }));
    const text = JSON.stringify(manifests);
    const names = [...read(page).matchAll(/\btire-tire-inspection-[a-z-]*[a-z]/g)].map(([name]) => name);
    expect(names.filter((name) => !new RegExp(`"${name}"`).test(text))).toEqual([]);
    const components = [...read(page).matchAll(/kubernetes\.io\/component(?:=| in \()([a-z,-]+)/g)].flatMap(([, list]) => list!.split(','));
    expect(components.filter((name) => !text.includes(`"app.kubernetes.io/component":"${name}"`))).toEqual([]);
  });
});

it('detects an unknown value', () => {
  expect(unknownValues('`database.hots=x`, `services.ledger.replcas`, `image.tag`, `services.<name>.settings.A_B`')).toEqual([
    'database.hots',
    'services.ledger.replcas',
  ]);
});
