import { PERMISSIONS_OF, Project, type Role } from '@tire/contracts/console';
import { CONSOLE_OPERATIONS } from '@tire/contracts/operations';
import { newId } from '@tire/kernel';
import { Browser, invited, newOrganization } from '../../testing/browser';
import { startGateway } from '../../testing/gateway';

const ROLES: readonly Role[] = ['owner', 'administrator', 'developer', 'support'];
const GUARDED = CONSOLE_OPERATIONS.filter(({ path }) => /\{(organization|project)_id\}/.test(path));

/** The other services are down and bodies are empty: a request that passes the session gate fails for another reason. */
describe('access by role', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let organizationId: string;
  let projectId: string;
  let stranger: Browser;
  const browsers = {} as Record<Role, Browser>;

  beforeAll(async () => {
    gateway = await startGateway();
    const made = await newOrganization(gateway.databaseUrl);
    organizationId = made.organizationId;
    for (const [index, role] of ROLES.entries()) {
      browsers[role] = new Browser(gateway.origin, `192.0.2.${index + 1}`);
      if (role === 'owner') await browsers.owner.signIn(made.email);
      else await invited(browsers.owner, browsers[role], organizationId, role, `${newId()}@shop.example`);
    }
    const created = await browsers.owner.call('POST', `/organizations/${organizationId}/projects`, { body: { name: 'P', mode: 'live' } });
    projectId = Project.parse(created.json).project_id;
    stranger = new Browser(gateway.origin, '192.0.2.9');
    await stranger.signIn((await newOrganization(gateway.databaseUrl)).email);
  });
  afterAll(() => gateway?.stop());

  const withIds = (path: string): string =>
    path
      .replace('{organization_id}', organizationId)
      .replace('{project_id}', projectId)
      .replaceAll(/\{\w+\}/g, newId());
  const call = (by: Browser, { method, path }: (typeof GUARDED)[number]) =>
    by.call(method.toUpperCase(), withIds(path), { body: method === 'get' ? undefined : {} });

  it.each(GUARDED.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', async (_, endpoint) => {
    expect((await call(stranger, endpoint)).error?.code).toBe('not_found');
    for (const role of ROLES) {
      const { access } = endpoint;
      const may = access === 'signed_in' || PERMISSIONS_OF[role].some((permission) => permission === access);
      const { status } = await call(browsers[role], endpoint);
      expect([role, status === 403]).toEqual([role, !may]);
      expect([role, status]).not.toEqual([role, 401]);
    }
  });
});
