import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWithBrowser, tempDir, type Visitor } from '@tire/test-harness';
import { answer, atTheShop } from './console-shop';
import { stackUnderTest } from '../stack-under-test';

const WITHIN_MS = 180_000;

describeWithBrowser('a new member', () => {
  const { shop, visit, checkPage } = atTheShop();

  /** The text that a button copies to the clipboard. */
  async function copied({ tab }: Visitor, button: string): Promise<string> {
    await tab.getByRole('button', { name: button, exact: true }).click();
    return tab.evaluate<string>('navigator.clipboard.readText()');
  }

  it('signs in as the owner that the stack provides and opens a project with its own reports', async () => {
    const { email, password } = stackUnderTest().console_login;
    const visitor = await visit();
    await visitor.signIn(email, password);
    await visitor.heading('Projects').waitFor();
    await visitor.tab.getByRole('list', { name: 'Projects' }).getByRole('link').first().click();
    await visitor.heading('Reports').waitFor();
    await visitor.link('New report').waitFor();
  });

  it('creates a first report through the API by following the pages from the sign-in', async () => {
    const startedMs = Date.now();
    const visitor = await shop().owner();
    await visitor.tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.button('New project').click();
    await visitor.fill('Name', 'First tries');
    await answer(visitor, 'New project').click();
    await visitor.link('Create your first report with the API').click();
    await visitor.heading('A first report').waitFor();
    await visitor.button('New key').click();
    await visitor.fill('Name', 'my shell');
    await answer(visitor, 'New key').click();
    await visitor.button('I have copied it').click();
    await visitor.tab.getByText('The key "my shell" is filled in.').waitFor();

    const steps = await visitor.tab.getByRole('button', { name: /^Copy: (?!Verify)/ }).all();
    const names = await Promise.all(steps.map((step) => step.getAttribute('aria-label')));
    const lines: string[] = [];
    for (const name of names) lines.push(await copied(visitor, name!));
    expect(lines).toHaveLength(7);
    const cwd = await tempDir();
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', lines.join('\n')], { cwd, timeout: WITHIN_MS });
    const tookMs = Date.now() - startedMs;
    expect(stdout.match(/^200$/gm)).toHaveLength(4);
    expect(stdout).toContain('"analysis_status":"complete"');
    const page = await fetch(stdout.trim().split('\n').at(-1)!);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('mm')]);
    process.stdout.write(`From the sign-in page to a first report: ${(tookMs / 1_000).toFixed(1)} s, without time for reading\n`);

    await checkPage(visitor, 'first-report');
    await visitor.link('Reports').click();
    await visitor.tab.getByRole('list', { name: 'Reports' }).getByRole('link').first().click();
    await visitor.tab.getByText('Measured', { exact: true }).first().waitFor();
  });
});
