import { launchBrowser, picturesFolder, Visitor } from '@tire/test-harness';
import type { Browser } from 'playwright-core';
import { PASSWORD, startConsole } from './console.fixture';

/** The browser tells of every answer that is no success; who is not signed in is answered 401, and nobody keeps reports here: 503. */
const EXPECTED = /status of (401|403|404|409|422|503)/;
const FITS = [0, 0, 0, 0];

/** One console and one browser for a suite; after each test nothing unexpected was complained of. */
export function walks(expected = EXPECTED, environment: () => Record<string, string> = () => ({})) {
  let site: Awaited<ReturnType<typeof startConsole>>;
  let browser: Browser;
  let pictures: string;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    site = await startConsole(environment());
    browser = await launchBrowser();
    pictures = await picturesFolder();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  afterEach(async () => {
    const complaints = visitors.flatMap((visitor) => visitor.complaints).filter((text) => !expected.test(text));
    await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
    expect(complaints).toEqual([]);
  });

  async function come(locale = 'en-GB'): Promise<Visitor> {
    const visitor = await Visitor.come(browser, site.origin, { locale });
    visitors.push(visitor);
    return visitor;
  }

  return {
    come,
    origin: () => site.origin,
    newOwner: (name: string) => site.newOwner(name),
    async owner(name: string): Promise<Visitor> {
      const visitor = await come();
      await visitor.signIn(await site.newOwner(name), PASSWORD);
      await visitor.heading('Projects').waitFor();
      return visitor;
    },
    async invited(host: Visitor, role: 'Developer' | 'Support', name: string): Promise<Visitor> {
      const link = await host.invite(`${name.toLowerCase()}@shop.example`, role);
      const guest = await come();
      await guest.join(link, name, PASSWORD);
      return guest;
    },
    /** Makes a test project and stays there; returns its address. */
    async newProject(visitor: Visitor, name: string): Promise<string> {
      await visitor.button('New project').click();
      await visitor.fill('Name', name);
      await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New project' }).click();
      await visitor.tab.getByRole('navigation', { name: 'Project' }).waitFor();
      return /\/organizations\/[^/]+\/projects\/[^/]+/.exec(visitor.tab.url())![0];
    },
    /** Open to everybody, in the light and the dark, at 360 and 1280 px. */
    async judge(visitor: Visitor, name: string): Promise<void> {
      expect(await visitor.obstacles()).toEqual([]);
      await visitor.tab.emulateMedia({ colorScheme: 'dark' });
      expect(await visitor.obstacles()).toEqual([]);
      expect(await visitor.look(pictures, name)).toEqual(FITS);
    },
    /** What the API answers to a key. */
    calls: async (path: string, key: string): Promise<number> =>
      (await fetch(`${site.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })).status,
  };
}
