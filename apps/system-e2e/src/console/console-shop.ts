import { randomUUID } from 'node:crypto';
import { POSITIONS } from '@tire/kernel';
import { type InvitedRole, type Visitor, Walk } from '@tire/test-harness';
import type { Api } from '../api/api';
import { settled } from '../reports/reports';
import { stackUnderTest } from '../stack-under-test';
import { administer, apiWith, command, newKey, systemReady } from '../world';

export const PASSWORD = 'correct horse battery';

interface ShopProject {
  readonly projectId: string;
  /** The address of its pages. */
  readonly path: string;
  readonly api: Api;
}

/** A partner with a project, who uses the console and the API. */
export class Shop {
  private constructor(
    private readonly walk: Walk,
    private readonly organizationId: string,
    readonly ownerEmail: string,
    private readonly project: ShopProject,
  ) {}

  static async open(walk: Walk): Promise<Shop> {
    const email = `${randomUUID()}@shop.example`;
    const organization = ['create-organization', '--name', 'Shop', '--owner-email', email, '--password-stdin', '--json'];
    const { id } = await command('gateway', organization, PASSWORD);
    return new Shop(walk, id!, email, await projectOf(id!));
  }

  get projectId(): string {
    return this.project.projectId;
  }
  get path(): string {
    return this.project.path;
  }
  get api(): Api {
    return this.project.api;
  }

  newProject = (): Promise<ShopProject> => projectOf(this.organizationId);

  async owner(locale = 'en-GB'): Promise<Visitor> {
    const visitor = await this.walk.newVisitor(consoleOrigin(), locale);
    await visitor.signIn(this.ownerEmail, PASSWORD);
    await visitor.heading('Projects').waitFor();
    return visitor;
  }

  /** Joins by the link that the owner sees. */
  async invited(role: InvitedRole, email = `${randomUUID()}@shop.example`): Promise<Visitor> {
    const host = await this.owner();
    const guest = await this.walk.newVisitor(consoleOrigin());
    await guest.join(await host.invite(email, role), `Kim, ${role}`, PASSWORD);
    return guest;
  }

  /** A report with manual depths, which needs no analysis. */
  async entered(visitor: Visitor, depthMm: number, body: object = {}): Promise<string> {
    const tires = POSITIONS.map((position) => ({ position, groove_depths_mm: [depthMm, depthMm - 0.2, depthMm] }));
    const { report_id } = await this.request<{ report_id: string }>(visitor, 'POST', 'manual-reports', { tires, ...body });
    await settled(this.api, report_id);
    return report_id;
  }

  /** A request of the console about the project, with the session of a visitor. */
  request<Answer>(visitor: Visitor, method: string, path: string, body: object): Promise<Answer> {
    return visitor.tab.evaluate<Answer>(`(async () => {
      const { csrf_token } = await (await fetch('/console/api/session')).json();
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf_token };
      const body = ${JSON.stringify(JSON.stringify(body))};
      return (await fetch('/console/api/projects/${this.projectId}/${path}', { method: '${method}', headers, body })).json();
    })()`);
  }
}

export const consoleOrigin = (): string => new URL(stackUnderTest().console_url).origin;

async function projectOf(organizationId: string): Promise<ShopProject> {
  const created = await administer('create-project', '--organization', organizationId, '--mode', 'live', '--name', 'Shop, live');
  const projectId = created['id']!;
  const { key } = await newKey(projectId, 'report:*');
  return { projectId, path: `/organizations/${organizationId}/projects/${projectId}`, api: apiWith(key) };
}

/** The day of this moment in the time zone with which a project begins, as `2026-01-31`. */
export const dayInSeoul = (ms: number): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Asia/Seoul' }).format(ms);

/** The button with this name in the open dialog. */
export const answer = (visitor: Visitor, name: string) => visitor.tab.getByRole('dialog').getByRole('button', { name, exact: true });

/** One shop for the tests of a suite. A browser error that the test does not expect fails it. */
export function atTheShop() {
  let walk: Walk;
  let shop: Shop;
  beforeAll(async () => {
    await systemReady();
    walk = await Walk.begin();
    shop = await Shop.open(walk);
  }, 120_000);
  afterAll(() => walk?.end());
  afterEach(async () => expect(await walk.consoleErrors()).toEqual([]));
  return {
    shop: () => shop,
    another: () => Shop.open(walk),
    /** A visitor who is not signed in. */
    visit: () => walk.newVisitor(consoleOrigin()),
    expectErrors: (...consoleErrors: (number | string)[]) => walk.expectErrors(...consoleErrors),
    checkPage: async (visitor: Visitor, name: string): Promise<void> => expect(await walk.checkPage(visitor, name)).toEqual([]),
    async openReport(visitor: Visitor, reportId: string): Promise<void> {
      await visitor.open(`${shop.path}/reports/${reportId}`);
      await visitor.heading('Photographs and measured values').waitFor();
    },
  };
}
