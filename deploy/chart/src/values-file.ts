import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parse, parseDocument, type YAMLMap } from 'yaml';
import { CHART } from './paths';

export type Schema = { [keyword: string]: unknown };

/** One key of values.yaml with the comment above it. */
export interface ValueKey {
  readonly path: readonly string[];
  readonly description: string;
  /** Schema keywords that do not follow from the default. */
  readonly annotation: Schema;
  readonly value: unknown;
  /** Its keys, if they are fixed. */
  readonly keys: readonly ValueKey[];
}

function commentAbove(lines: readonly string[], line: number): string[] {
  let first = line;
  while (lines[first - 1]?.trim().startsWith('#')) first -= 1;
  return lines.slice(first, line).map((text) => text.trim().slice(1).trim());
}

const after = (comment: readonly string[], mark: string): string =>
  comment
    .find((text) => text.startsWith(mark))
    ?.slice(mark.length)
    .trim() ?? '';

const isFree = (annotation: Schema): boolean => ['$ref', 'additionalProperties', 'properties'].some((keyword) => keyword in annotation);

export const VALUES_FILE = join(CHART, 'values.yaml');

/** Parses values.yaml into keys. `# -- description` and `# @schema {keywords}` are right above each key. */
export function readValueKeys(text = readFileSync(VALUES_FILE, 'utf8')): ValueKey[] {
  const lines = text.split('\n');
  const document = parseDocument(text);
  const values: unknown = document.toJS();
  const keysOf = (map: YAMLMap, path: readonly string[]): ValueKey[] =>
    map.items.map(({ key, value }) => {
      if (!isScalar(key) || !key.range) throw new Error(`A key below ${path.join('.')} is no plain word`);
      const line = text.slice(0, key.range[0]).split('\n').length - 1;
      const comment = commentAbove(lines, line);
      const annotation = (parse(after(comment, '@schema') || '{}') ?? {}) as Schema;
      const name = String(key.value);
      const here = [...path, name];
      return {
        path: here,
        description: after(comment, '--'),
        annotation,
        value: valueAt(values, here),
        keys: isMap(value) && !isFree(annotation) ? keysOf(value, here) : [],
      };
    });
  if (!isMap(document.contents)) throw new Error('values.yaml is no map');
  return keysOf(document.contents, []);
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, name) => (inside as Schema)[name], values);
}
