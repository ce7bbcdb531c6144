import Ajv, { type ValidateFunction } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifests';
import { CHART_CHECKS } from './paths';

interface Vendored {
  kinds: Record<string, string>;
  definitions: Record<string, object>;
}

/** Validates an object against the closed schema of its kind (Kubernetes, KEDA, Prometheus operator, Gateway API). */
export function manifestChecker(): (manifest: Manifest) => string[] {
  const { kinds, definitions } = JSON.parse(readFileSync(join(CHART_CHECKS, 'schemas.json'), 'utf8')) as Vendored;
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
