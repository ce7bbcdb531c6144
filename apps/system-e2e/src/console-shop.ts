import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { POSITIONS } from '@tire/kernel';
import { launchBrowser, tempDir, Visitor } from '@tire/test-harness';
import type { Api } from './api';
import { settled } from './reports';
import { stackUnderTest } from './stack-under-test';
import { apiWith, command, newKey, systemReady } from './world';

const PASSWORD = 'correct horse battery';
/** The browser tells of every answer that is no success; who is not signed in is answered 401. */
const REFUSED = /status of (401|403|404|409|422)/;
const WIDTHS = [360, 1280];
const FITS = [0, 0, 0, 0];

/** A partner with a project of his own, at the console and at the API. */
class Shop {
  readonly visitors: Visitor[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly ownerEmail: string,
    readonly projectId: string,
    readonly api: Api,
    /** Where the pages of the project are. */
    readonly path: string,
  ) {}

  static async open(browser: Browser): Promise<Shop> {
    const email = `${randomUUID()}@shop.example`;
    const organization = ['create-organization', '--name', 'Shop', '--owner-email', email, '--password-stdin', '--json'];
    const { id: organizationId } = await command('gateway', organization, PASSWORD);
    const created = ['create-project', '--organization', organizationId!, '--mode', 'live', '--name', 'Shop, live', '--json'];
    const { id: projectId } = await command('gateway', created);
    const { key } = await newKey(projectId!, 'report:*');
    return new Shop(browser, email, projectId!, apiWith(key), `/organizations/${organizationId}/projects/${projectId}`);
  }

  async owner(locale = 'en-GB'): Promise<Visitor> {
    const visitor = await this.come(locale);
    await visitor.signIn(this.ownerEmail, PASSWORD);
    await visitor.heading('Projects').waitFor();
    return visitor;
  }

  /** By the link that the owner is shown. */
  async invited(role: 'Administrator' | 'Developer' | 'Support'): Promise<Visitor> {
    const [host, guest] = [await this.owner(), await this.come()];
    await host.link('Members').click();
    await host.button('Invite').click();
    await host.fill('E-mail of the person', `${randomUUID()}@shop.example`);
    await host.tab.getByRole('radio', { name: role }).check();
    await answer(host, 'Invite').click();
    await guest.tab.goto(await host.tab.getByRole('textbox', { name: 'Link' }).innerText());
    await guest.fill('Your name', `Kim, ${role}`);
    await guest.fill('Password', PASSWORD);
    await guest.button('Join').click();
    await guest.heading('Projects').waitFor();
    return guest;
  }

  /** A report of depths that he measured by hand: nothing has to be analyzed. */
  async entered(visitor: Visitor, depthMm: number, body: object = {}): Promise<string> {
    const tires = POSITIONS.map((position) => ({ position, groove_depths_mm: [depthMm, depthMm - 0.2, depthMm] }));
    const asked = `(async () => {
      const { csrf_token } = await (await fetch('/console/api/session')).json();
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf_token };
      const body = ${JSON.stringify(JSON.stringify({ tires, ...body }))};
      return (await fetch('/console/api/projects/${this.projectId}/manual-reports', { method: 'POST', headers, body })).json();
    })()`;
    const { report_id } = await visitor.tab.evaluate<{ report_id: string }>(asked);
    await settled(this.api, report_id);
    return report_id;
  }

  /** What browsers complained of since the last time; everybody leaves. */
  async complaints(): Promise<string[]> {
    const everybody = this.visitors.splice(0);
    await Promise.all(everybody.map((visitor) => visitor.leave()));
    return everybody.flatMap(({ complaints }) => complaints).filter((text) => !REFUSED.test(text));
  }

  private async come(locale = 'en-GB'): Promise<Visitor> {
    const visitor = await Visitor.come(this.browser, new URL(stackUnderTest().console_url).origin, { locale });
    this.visitors.push(visitor);
    return visitor;
  }
}

/** In the dialog that is open. */
export const answer = (visitor: Visitor, name: string) => visitor.tab.getByRole('dialog').getByRole('button', { name, exact: true });

/** One shop for the walks of a suite; nobody's browser complains of anything in any of them. */
export function atTheShop() {
  let browser: Browser;
  let shop: Shop;
  let shots: string;
  beforeAll(async () => {
    await systemReady();
    browser = await launchBrowser();
    shop = await Shop.open(browser);
    shots = process.env['SCREENSHOTS'] ?? (await tempDir());
    await mkdir(shots, { recursive: true });
  }, 120_000);
  afterAll(() => browser?.close());
  afterEach(async () => expect(await shop.complaints()).toEqual([]));
  return {
    shop: () => shop,
    another: () => Shop.open(browser),
    judge: (visitor: Visitor, name: string) => judge(visitor, shots, name),
    async openReport(visitor: Visitor, reportId: string): Promise<void> {
      await visitor.open(`${shop.path}/reports/${reportId}`);
      await visitor.heading('Photographs and measured values').waitFor();
    },
  };
}

/** The page as it stands is open to everybody, at 360 and 1280 px, in the light and in the dark. */
async function judge(visitor: Visitor, folder: string, name: string): Promise<void> {
  for (const width of WIDTHS)
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.tab.setViewportSize({ width, height: 800 });
      await visitor.tab.emulateMedia({ colorScheme });
      expect([name, width, colorScheme, await visitor.obstacles()]).toEqual([name, width, colorScheme, []]);
    }
  expect(await visitor.look(folder, name)).toEqual(FITS);
}
