import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CHART_CHECKS } from './paths';

/**
 * Writes schemas.json from the official files, after a new release of Kubernetes or of an operator:
 * `node dist/deploy/chart/src/vendor-schemas.js <kubernetes swagger.json> <custom resource definition>…`.
 * `--examples <custom resource definition>…` writes example-schemas.json, which holds the kinds of the examples only.
 * Descriptions are removed and every object is closed, because an API server drops unknown fields silently.
 */

interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  properties?: Record<string, Schema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

interface CustomResourceDefinition {
  spec: { group: string; names: { kind: string }; versions: { name: string; schema: { openAPIV3Schema: Schema } }[] };
}

const KINDS = [
  ...['v1/ConfigMap', 'v1/Pod', 'v1/Secret', 'v1/Service', 'v1/ServiceAccount'],
  ...['apps/v1/Deployment', 'apps/v1/StatefulSet', 'batch/v1/Job', 'policy/v1/PodDisruptionBudget'],
  ...['autoscaling/v2/HorizontalPodAutoscaler', 'networking.k8s.io/v1/Ingress', 'networking.k8s.io/v1/NetworkPolicy'],
];

/** Definitions that values.schema.json uses too. */
const PARTS = ['io.k8s.api.networking.v1.NetworkPolicyPeer', 'io.k8s.api.core.v1.EnvVar'];

const LEFT_OUT = /^(description|example|externalDocs|default|x-kubernetes-.*)$/;

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const given = schema as Schema;
  if (given['format'] === 'int-or-string' || given['x-kubernetes-int-or-string']) return { type: ['string', 'integer'] };
  // Property names are not keywords: a property may be called `description`.
  const entries = Object.entries(given).flatMap(([keyword, value]): [string, unknown][] => {
    if (keyword === 'properties') return [[keyword, Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, plain(v)]))]];
    // Go patterns that JavaScript does not support.
    if (keyword === 'pattern' && String(value).includes('(?i)')) return [];
    return LEFT_OUT.test(keyword) || keyword === 'format' ? [] : [[keyword, plain(value)]];
  });
  const closed = given.properties && !given['additionalProperties'] && !given['x-kubernetes-preserve-unknown-fields'];
  return { ...Object.fromEntries(entries), ...(closed ? { additionalProperties: false } : {}) };
}

const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const refsIn = (schema: unknown): string[] => [...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name!);

function kubernetes(swagger: { definitions: Record<string, Schema> }) {
  const nameOf = new Map<string, string>();
  for (const [name, schema] of Object.entries(swagger.definitions)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    if (kinds.length === 1) nameOf.set([kinds[0]!.group, kinds[0]!.version, kinds[0]!.kind].filter(Boolean).join('/'), name);
  }
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, nameOf.get(kind) ?? '']));
  const definitions: Record<string, unknown> = {};
  const wanted = [...Object.values(kinds), ...PARTS];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (definitions[name]) continue;
    definitions[name] = name === QUANTITY ? { type: ['string', 'number'] } : plain(swagger.definitions[name]);
    wanted.push(...refsIn(definitions[name]));
  }
  return { kinds, definitions };
}

function custom({ spec }: CustomResourceDefinition) {
  return spec.versions.map(({ name, schema }) => {
    const definition = plain(schema.openAPIV3Schema) as Schema;
    const kind = `${spec.group}/${name}/${spec.names.kind}`;
    definition.properties!['metadata'] = { $ref: `#/definitions/${METADATA}` };
    return { kind, definition };
  });
}

const EXAMPLE_KINDS = [
  ...['external-secrets.io/v1/ExternalSecret', 'external-secrets.io/v1/SecretStore', 'postgresql.cnpg.io/v1/Cluster'],
  ...['cert-manager.io/v1/Certificate', 'cert-manager.io/v1/ClusterIssuer', 'gateway.networking.k8s.io/v1/Gateway'],
];

/** Providers of secrets that no example uses would be most of the file. */
function withoutOtherProviders(kind: string, definition: Schema): Schema {
  if (kind !== 'external-secrets.io/v1/SecretStore') return definition;
  const provider = definition.properties!['spec']!.properties!['provider']!;
  const { aws, vault } = provider.properties!;
  provider.properties = { aws: aws!, vault: vault! };
  return definition;
}

function examples(definitionFiles: readonly string[]): void {
  const all = definitionFiles.flatMap((file) => custom(parse(readFileSync(file, 'utf8'))));
  const used = all.filter(({ kind }) => EXAMPLE_KINDS.includes(kind));
  const definitions = Object.fromEntries(used.map(({ kind, definition }) => [kind, withoutOtherProviders(kind, definition)]));
  const comment =
    'Made by vendor-schemas.ts of External Secrets 1.3, CloudNativePG 1.25, cert-manager 1.21 and Gateway API 1.4, all under the Apache License ' +
    '2.0. Metadata is that of schemas.json.';
  const kinds = Object.fromEntries(used.map(({ kind }) => [kind, kind]));
  writeFileSync(join(CHART_CHECKS, 'example-schemas.json'), `${JSON.stringify({ $comment: comment, kinds, definitions })}\n`);
}

function main([swagger, ...definitionFiles]: string[]): void {
  if (swagger === '--examples') return examples(definitionFiles);
  const { kinds, definitions } = kubernetes(JSON.parse(readFileSync(swagger!, 'utf8')));
  for (const file of definitionFiles) {
    for (const { kind, definition } of custom(parse(readFileSync(file, 'utf8')))) {
      definitions[kind] = definition;
      kinds[kind] = kind;
    }
  }
  const sorted = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)));
  const comment =
    'Made by vendor-schemas.ts of Kubernetes 1.35, KEDA 2.18, Prometheus operator 0.82 and Gateway API 1.4, all under the Apache License 2.0. ' +
    'In git because tests and `npm run generate` need them without a network.';
  writeFileSync(join(CHART_CHECKS, 'schemas.json'), `${JSON.stringify({ $comment: comment, kinds, definitions: sorted }, null, 1)}\n`);
}

main(process.argv.slice(2));
