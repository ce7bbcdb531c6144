import { settingsOf } from './configuration';
import type { ValueKey } from './values-file';

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  if (value === '') return '';
  return `\`${(typeof value === 'string' ? value : text).replaceAll('|', '\\|')}\``;
};

const leaves = (key: ValueKey): ValueKey[] => (key.keys.length > 0 && key.path[0] !== 'services' ? key.keys.flatMap(leaves) : [key]);

const row = ({ path, value, description }: ValueKey): string => `| \`${path.join('.')}\` | ${shown(value)} | ${description} |`;

const settingsRow = (service: string): string =>
  `| \`services.${service}.settings\` | ${settingsOf(service)
    .map((name) => `\`${name}\``)
    .join(', ')} |`;

/** The table of values in the chart's README. */
export function valuesTable(keys: readonly ValueKey[]): string {
  const rows = keys.flatMap((key) => (key.path[0] === 'services' ? key.keys : leaves(key)));
  const services = keys.find(({ path }) => path[0] === 'services')!.keys.map(({ path }) => path[1]!);
  return [
    ...['| key | default | meaning |', '|---|---|---|', ...rows.map(row), ''],
    ...['| settings of a service | variables of the [configuration reference](../../deploy/CONFIGURATION.md) |', '|---|---|'],
    ...services.map(settingsRow),
  ].join('\n');
}

const MARKED = /(<!-- values -->\n)[\s\S]*(\n<!-- \/values -->)/;

export function withTable(readme: string, keys: readonly ValueKey[]): string {
  if (!MARKED.test(readme)) throw new Error('README.md has no marks where the table of values stands');
  return readme.replace(MARKED, (_all, before: string, after: string) => `${before}${valuesTable(keys)}${after}`);
}
