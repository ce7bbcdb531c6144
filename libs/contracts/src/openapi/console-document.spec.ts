import { PERMISSIONS, PERMISSIONS_OF, ROLES } from '../console/roles';
import { CONSOLE_OPERATIONS } from '../operations';
import { consoleOpenapiJson } from './console-document';

describe('the OpenAPI document of the console', () => {
  it('names each operation, and each method of an address, once', () => {
    const names = CONSOLE_OPERATIONS.map(({ operationId }) => operationId);
    const calls = CONSOLE_OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect([new Set(names).size, new Set(calls).size]).toEqual([names.length, names.length]);
  });

  it('refers only to what it holds', () => {
    const json = consoleOpenapiJson();
    const { components } = JSON.parse(json) as { components: { schemas: Record<string, object> } };
    const references = [...json.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(references.length).toBeGreaterThan(50);
    for (const name of new Set(references)) expect(components.schemas).toHaveProperty(name);
    expect(Object.keys(components.schemas).filter((name) => !references.includes(name))).toEqual([]);
  });
});

describe('what roles may do', () => {
  it('grows from support to owner', () => {
    const [owner, administrator, developer, support] = ROLES.map((role) => PERMISSIONS_OF[role]);
    expect(owner).toEqual(PERMISSIONS);
    for (const [more, less] of [
      [owner, administrator],
      [administrator, developer],
      [administrator, support],
    ] as const)
      expect(more).toEqual(expect.arrayContaining([...less!]));
    expect(support!.filter((permission) => !developer!.includes(permission))).toEqual(['customers.manage']);
  });

  it('lets support see reports and customers, and no keys', () => {
    expect(PERMISSIONS_OF.support).toEqual(['reports.read', 'reports.write', 'reports.publish', 'customers.manage']);
  });
});
