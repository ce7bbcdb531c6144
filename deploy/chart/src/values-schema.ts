import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonSettings, settingsOf } from './configuration';
import { CHART_CHECKS } from './paths';
import type { Schema, ValueKey } from './values-file';

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
};

const closedObject = (keys: readonly ValueKey[], schemaOfKey: (key: ValueKey) => Schema): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(keys.map((key) => [key.path.at(-1)!, schemaOfKey(key)])),
});

function schemaOf(key: ValueKey): Schema {
  const described = key.description ? { description: key.description } : {};
  if (key.path[0] === 'services' && key.path.length === 2) return { ...described, ...serviceSchema(key.path[1]!) };
  if (key.annotation['$ref']) return { ...described, ...key.annotation };
  const free = 'additionalProperties' in key.annotation;
  if (typeOf(key.value) === 'object' && !free) return { ...described, ...closedObject(key.keys, schemaOf) };
  const defaulted = key.path[0] === 'defaults' ? {} : { default: key.value };
  return { ...described, type: typeOf(key.value), ...key.annotation, ...defaulted };
}

/** A service has the keys of `defaults`. Its settings are the environment variables of its configuration. */
const serviceSchema = (name: string): Schema => ({
  allOf: [{ $ref: '#/$defs/service' }, { properties: { settings: { propertyNames: { enum: settingsOf(name) } } } }],
});

const OWN_PARTS: Record<string, Schema> = {
  digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  nameReference: { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string' } } },
};

const KUBERNETES_PARTS: Record<string, string> = {
  ...Object.fromEntries(
    ['Affinity', 'EnvFromSource', 'EnvVar', 'ResourceRequirements', 'Toleration', 'Volume', 'VolumeMount'].map((name) => [
      name,
      `io.k8s.api.core.v1.${name}`,
    ]),
  ),
  NetworkPolicyPeer: 'io.k8s.api.networking.v1.NetworkPolicyPeer',
};

interface Vendored {
  definitions: Record<string, Schema>;
}

/** The definitions of the Kubernetes schema that values refer to, with their dependencies. */
function kubernetesParts(): Record<string, Schema> {
  const { definitions } = JSON.parse(readFileSync(join(CHART_CHECKS, 'schemas.json'), 'utf8')) as Vendored;
  const short = (name: string): string => name.split('.').at(-1)!;
  const parts: Record<string, Schema> = {};
  const wanted = Object.values(KUBERNETES_PARTS);
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (parts[short(name)]) continue;
    const text = JSON.stringify(definitions[name]);
    parts[short(name)] = JSON.parse(text.replace(/#\/definitions\/[\w.]+\.(\w+)/g, '#/$defs/$1')) as Schema;
    wanted.push(...[...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, found]) => found!));
  }
  const route = definitions['gateway.networking.k8s.io/v1/HTTPRoute'] as unknown as {
    properties: { spec: { properties: { parentRefs: { items: Schema } } } };
  };
  return { ...parts, ParentReference: route.properties.spec.properties.parentRefs.items };
}

function withCommonSettings(defaults: Schema): Schema {
  const properties = defaults['properties'] as Record<string, Schema>;
  return {
    ...defaults,
    properties: { ...properties, settings: { ...properties['settings'], propertyNames: { enum: commonSettings() } } },
  };
}

/** Closed at every level, so a misspelled key is an error. */
export function valuesSchema(keys: readonly ValueKey[]): Schema {
  const defaults = keys.find(({ path }) => path[0] === 'defaults');
  if (!defaults) throw new Error('values.yaml has no defaults');
  const root = closedObject(keys, schemaOf);
  const properties = root['properties'] as Record<string, Schema>;
  properties['defaults'] = withCommonSettings(properties['defaults']!);
  // Helm passes these to every subchart.
  properties['global'] = { type: 'object' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Values of the chart tire-inspection',
    ...root,
    $defs: { service: closedObject(defaults.keys, schemaOf), ...OWN_PARTS, ...kubernetesParts() },
  };
}
