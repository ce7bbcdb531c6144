import { type InvitedRole, type Visitor, Walk } from '@tire/test-harness';
import { PASSWORD, startConsole } from './console.fixture';

/** A project opens at its list of reports, and no ledger runs here. The answers arrive only where the visitor stays long enough. */
const LIST_WITHOUT_LEDGER = /status of 503 .*\/projects\/[^/]+\/(reports\?.*|report-creators)$/;

/** One console and one browser for a suite. Each test fails on browser errors that it does not expect. */
export function walks(environment: () => Record<string, string> = () => ({}), host?: string) {
  let site: Awaited<ReturnType<typeof startConsole>>;
  let walk: Walk;

  beforeAll(async () => {
    site = await startConsole(environment(), host);
    walk = await Walk.begin();
  }, 120_000);
  afterAll(async () => {
    await walk?.end();
    await site?.stop();
  });
  afterEach(async () => expect((await walk.consoleErrors()).filter((error) => !LIST_WITHOUT_LEDGER.test(error))).toEqual([]));

  const newVisitor = (locale?: string): Promise<Visitor> => walk.newVisitor(site.origin, locale);

  return {
    newVisitor,
    expectErrors: (...consoleErrors: (number | string)[]) => walk.expectErrors(...consoleErrors),
    origin: () => site.origin,
    newOwner: (name: string) => site.newOwner(name),
    async owner(name: string): Promise<Visitor> {
      const visitor = await newVisitor();
      await visitor.signIn(await site.newOwner(name), PASSWORD);
      await visitor.heading('Projects').waitFor();
      return visitor;
    },
    async invited(host: Visitor, role: InvitedRole, name: string): Promise<Visitor> {
      const link = await host.invite(`${name.toLowerCase()}@shop.example`, role);
      const guest = await newVisitor();
      await guest.join(link, name, PASSWORD);
      return guest;
    },
    /** Creates a test project and opens it. Returns its address. */
    async newProject(visitor: Visitor, name: string): Promise<string> {
      await visitor.button('New project').click();
      await visitor.fill('Name', name);
      await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New project' }).click();
      await visitor.tab.getByRole('navigation', { name: 'Project' }).waitFor();
      return /\/organizations\/[^/]+\/projects\/[^/]+/.exec(visitor.tab.url())![0];
    },
    checkPage: async (visitor: Visitor, name: string): Promise<void> => expect(await walk.checkPage(visitor, name)).toEqual([]),
    /** Calls the API with a key. */
    calls: async (path: string, key: string): Promise<number> =>
      (await fetch(`${site.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).status,
  };
}
