import Ajv, { type ValidateFunction } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifests';
import { CHART_CHECKS } from './paths';

interface Vendored {
  kinds: Record<string, string>;
  definitions: Record<string, object>;
}

const vendored = (file: string): Vendored => JSON.parse(readFileSync(join(CHART_CHECKS, file), 'utf8')) as Vendored;

/** Validates an object against the closed schema of its kind (Kubernetes, KEDA, Prometheus operator, Gateway API). */
export const manifestChecker = (): ((manifest: Manifest) => string[]) => checkerOf([vendored('schemas.json')]);

/** The same with the kinds of the examples (External Secrets, CloudNativePG, cert-manager, a Gateway). */
export const exampleChecker = (): ((manifest: Manifest) => string[]) =>
  checkerOf([vendored('schemas.json'), vendored('example-schemas.json')]);

function checkerOf(files: readonly Vendored[]): (manifest: Manifest) => string[] {
  const kinds = Object.assign({}, ...files.map((file) => file.kinds)) as Vendored['kinds'];
  const definitions = Object.assign({}, ...files.map((file) => file.definitions)) as Vendored['definitions'];
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'vendored', definitions });
  const compiled = new Map<string, ValidateFunction>();
  const checkOf = (kind: string): ValidateFunction | undefined => {
    const name = kinds[kind];
    if (name === undefined) return undefined;
    const check = compiled.get(kind) ?? ajv.compile({ $ref: `vendored#/definitions/${name.replaceAll('/', '~1')}` });
    compiled.set(kind, check);
    return check;
  };
  return (manifest) => {
    const kind = `${manifest.apiVersion}/${manifest.kind}`;
    const check = checkOf(kind);
    if (!check) return [`${kind} has no schema here`];
    if (check(manifest as unknown)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${manifest.kind}/${manifest.metadata.name}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  };
}
