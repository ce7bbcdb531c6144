import { describeWithBrowser, type Visitor } from '@tire/test-harness';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { PASSWORD } from './testing/console.fixture';
import { walks } from './testing/walks.fixture';

const FIRST_LOAD_BYTES_MAX = 200_000;
/** More Tab stops than on any page. */
const STOPS_MAX = 60;

describeWithBrowser('the console as a whole', () => {
  const { newVisitor, newOwner, owner, origin, expectErrors } = walks();

  async function reach({ tab }: Visitor, goal: Locator): Promise<void> {
    await goal.waitFor();
    for (let stops = 0; stops < STOPS_MAX; stops++) {
      if ((await goal.and(tab.locator(':focus')).count()) === 1) return;
      await tab.keyboard.press('Tab');
    }
    throw new Error(`No Tab leads to ${String(goal)}`);
  }

  async function press(visitor: Visitor, goal: Locator): Promise<void> {
    await reach(visitor, goal);
    await visitor.tab.keyboard.press('Enter');
  }

  it('sign-in, a new project, a new key, copy and revoke work with the keyboard alone', async () => {
    // No ledger runs here, so the list of reports, the first page of a project, fails.
    expectErrors(503);
    const email = await newOwner('Kay');
    const visitor = await newVisitor();
    const { tab } = visitor;
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.open('/');
    await reach(visitor, tab.getByLabel('E-mail', { exact: true }));
    await tab.keyboard.type(email);
    await reach(visitor, tab.getByLabel('Password', { exact: true }));
    await tab.keyboard.type(PASSWORD);
    await tab.keyboard.press('Enter');
    await press(visitor, visitor.button('New project'));
    // A dialog focuses its first field.
    await tab.getByRole('dialog').waitFor();
    await tab.keyboard.type('By hand');
    await tab.keyboard.press('Enter');
    await press(visitor, visitor.link('API'));
    await press(visitor, visitor.link('Keys'));
    await press(visitor, visitor.button('New key'));
    await tab.getByRole('dialog').waitFor();
    await tab.keyboard.type('typed');
    await tab.keyboard.press('Enter');
    await visitor.heading('Your new key').waitFor();
    await press(visitor, tab.getByRole('dialog').getByRole('button', { name: 'Copy' }));
    await tab.getByText('Copied', { exact: true }).waitFor();
    const value = await tab.getByRole('textbox', { name: 'Key' }).innerText();
    expect(await tab.evaluate<string>('navigator.clipboard.readText()')).toBe(value);
    expect(value).toMatch(/^svc_test_/);
    await press(visitor, visitor.button('I have copied it'));
    await press(visitor, visitor.button('Revoke typed'));
    await press(visitor, tab.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
    await press(visitor, visitor.button('Show revoked keys (1)'));
    await tab.getByText('Revoked', { exact: true }).waitFor();
  });

  it('is empty in a frame of another site', async () => {
    const visitor = await owner('Clara');
    const frames = ['/console/', '/console/account', '/api/v1/openapi.json'];
    const html = frames.map((path) => `<iframe src="${origin()}${path}" width="800" height="400"></iframe>`).join('');
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      // The errors of the refused frames are expected. The check for browser errors covers only the first page of a visitor.
      const tab = await visitor.tab.context().newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'load' });
      const [, start, account, framed] = tab.frames();
      // The API document may be framed, so its frame has content.
      expect(await framed!.locator('body').innerText()).toContain('openapi');
      for (const refused of [start!, account!]) {
        expect(refused.url()).toMatch(/^chrome-error:/);
        expect(await refused.locator('body').innerText()).not.toMatch(/Tire|Sign|Account|Projects|@shop\.example/);
      }
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('has a small first load, from the sign-in page to the list of projects', async () => {
    const visitor = await owner('Lara');
    const loaded = await visitor.tab.evaluate<{ name: string; encodedBodySize: number }[]>(
      `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, encodedBodySize }) => ({ name, encodedBodySize }))`,
    );
    const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    process.stdout.write(`console: first load ${Math.round(bytes / 1000)} KB compressed in ${loaded.length} answers\n`);
    expect(loaded.some(({ name }) => name.endsWith('.js'))).toBe(true);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  });
});
