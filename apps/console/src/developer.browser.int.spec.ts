import { eventually, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const HOSTILE = `<img src=x onerror="alert('key')"><script>alert(1)</script>`;
const OWNERS_PARTS = ['Keys', 'Webhooks', 'Requests', 'Usage', 'Developers'];

/** The services behind the gateway do not run here. */
describeWithBrowser('the pages of a project for developers', () => {
  const { owner, invited, newProject, judge, calls, expecting } = walks();
  beforeEach(() => expecting(503));

  async function issueKey(visitor: Visitor, name: string): Promise<string> {
    await visitor.button('New key').click();
    await visitor.fill('Name', name);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    const value = await visitor.tab.getByRole('dialog').getByRole('textbox', { name: 'Key' }).innerText();
    await visitor.button('I have copied it').click();
    return value;
  }

  const parts = (visitor: Visitor) => visitor.tab.getByRole('navigation', { name: 'Project' }).getByRole('link').allInnerTexts();

  it('the quick start contains the issued key and forgets it', async () => {
    const visitor = await owner('Dana');
    const project = await newProject(visitor, 'First tries');
    await visitor.link('Developers').click();
    await visitor.heading('A first report').waitFor();
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
    const value = await issueKey(visitor, 'first');
    await visitor.tab.getByText(`KEY='${value}'`).waitFor();
    await visitor.tab.getByRole('link', { name: 'POST /reports', exact: true }).waitFor();
    expect(await visitor.tab.getByRole('link', { name: 'POST /reports', exact: true }).getAttribute('href')).toBe('/docs#createReport');
    await judge(visitor, 'developers');
    for (const [language, text] of [
      ['Python', 'def is_genuine'],
      ['Java', 'boolean isGenuine'],
    ] as const) {
      await visitor.tab.getByRole('tab', { name: language, exact: true }).click();
      await visitor.tab.getByText(text).waitFor();
    }
    expect(await visitor.obstacles()).toEqual([]);
    await visitor.button('Remove it now').click();
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
    await issueKey(visitor, 'second');
    await visitor.button('Remove it now').waitFor();
    await visitor.open(`${project}/developers`);
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
  });

  it('the request log shows the requests of each key in pages', async () => {
    const visitor = await owner('Rhea');
    await newProject(visitor, 'Logged');
    await visitor.link('Keys').click();
    const [busy, idle] = [await issueKey(visitor, 'busy'), await issueKey(visitor, HOSTILE)];
    await visitor.link('Requests').click();
    await visitor.tab.getByText('No request in seven days').waitFor();
    await judge(visitor, 'requests-empty');
    for (let asked = 0; asked < 55; asked++) expect(await calls(`/reports/missing-${asked}`, busy)).toBe(404);
    expect(await calls('/reports/other', idle)).toBe(404);
    const rows = visitor.tab.getByRole('list', { name: 'Requests' }).getByRole('listitem');
    await eventually(async () => {
      await visitor.button('Refresh').click();
      return (await visitor.tab.getByText('/api/v1/reports/other').count()) === 1;
    });
    expect(await rows.count()).toBe(50);
    expect(await rows.filter({ hasText: '/missing-54' }).innerText()).toMatch(/GET\s[^]*404[^]*busy[^]*Request id: \S{8}/);
    await judge(visitor, 'requests');
    await visitor.button('Show more').click();
    await eventually(async () => (await rows.count()) === 56);
    const asked: string[] = [];
    visitor.tab.on('request', (request) => void (request.url().includes('/requests?') && asked.push(request.url())));
    await visitor.button('Refresh').click();
    await eventually(async () => (await rows.count()) === 50);
    await visitor.button('Show more').click();
    await eventually(async () => (await rows.count()) === 56);
    await visitor.link('Keys').click();
    await visitor.button('Revoke busy').waitFor();
    await visitor.link('Requests').click();
    await eventually(async () => (await rows.count()) === 50);
    // One request for each of the two pages, and a refetch of the first one after some time.
    expect(asked.length).toBeLessThanOrEqual(3);
    await visitor.tab.getByLabel('Key', { exact: true }).selectOption({ label: await optionOf(visitor, HOSTILE) });
    await eventually(async () => (await rows.count()) === 1);
    expect(await rows.innerText()).toContain(HOSTILE);
  });

  const optionOf = async (visitor: Visitor, text: string): Promise<string> =>
    (await visitor.tab.getByRole('option').allInnerTexts()).find((option) => option.startsWith(text))!;

  it('a name with markup is shown as text everywhere', async () => {
    const visitor = await owner('Mona');
    const dialogs: string[] = [];
    visitor.tab.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
    await newProject(visitor, HOSTILE);
    await visitor.link('Keys').click();
    await issueKey(visitor, HOSTILE);
    await visitor.button(`Revoke ${HOSTILE}`).click();
    await visitor.heading(`Revoke "${HOSTILE}"?`).waitFor();
    expect(await visitor.tab.locator('img[src="x"], main script').count()).toBe(0);
    expect(await visitor.tab.getByText(HOSTILE).count()).toBeGreaterThanOrEqual(2);
    await judge(visitor, 'key-hostile');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await visitor.button('Show revoked keys (1)').waitFor();
    await visitor.link('Developers').click();
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
    expect(dialogs).toEqual([]);
  });

  it('every page is complete in Korean', async () => {
    const visitor = await owner('Kyung');
    await newProject(visitor, '첫 시험');
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    for (const [part, title] of [
      ['키', 'API 키'],
      ['요청', '요청 기록'],
      ['개발자', '첫 보고서'],
    ] as const) {
      await visitor.link(part).click();
      await visitor.heading(title).waitFor();
      await judge(visitor, `developer-ko-${part}`);
    }
  });

  it('a failed request shows an error and can be retried', async () => {
    const visitor = await owner('Ela');
    await newProject(visitor, 'Alone');
    for (const part of ['Webhooks', 'Usage']) {
      await visitor.link(part).click();
      await visitor.button('Try again').first().waitFor();
    }
    await judge(visitor, 'usage-away');
    await visitor.button('Try again').click();
    await visitor.button('Try again').waitFor();
  });

  it('a pending page shows a loading state; a failed page can be retried', async () => {
    const visitor = await owner('Lina');
    await newProject(visitor, 'Slow');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await visitor.tab.route(/\/requests\?/, async (route) => {
      await held;
      await route.continue();
    });
    await visitor.link('Requests').click();
    await visitor.heading('Requests').waitFor();
    await visitor.tab.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' });
    expect(await visitor.obstacles()).toEqual([]);
    release();
    await visitor.tab.getByText('No request in seven days').waitFor();

    const files = /\/assets\/usage-[^/]*\.js$/;
    expecting(503, 'ERR_FAILED', 'dynamically imported module');
    await visitor.tab.route(files, (route) => route.abort());
    await visitor.link('Usage').click();
    await visitor.heading('That did not work').first().waitFor();
    await judge(visitor, 'not-arrived');
    await visitor.tab.unroute(files);
    await visitor.button('Try again').click();
    await visitor.heading('Usage').waitFor();
  });

  it('each role sees its pages only, also by address', async () => {
    const host = await owner('Hana');
    const project = await newProject(host, 'Shared');
    expect(await parts(host)).toEqual(expect.arrayContaining(OWNERS_PARTS));
    const developer = await invited(host, 'Developer', 'Dev');
    await developer.link('Shared').click();
    await developer.link('Keys').click();
    await developer.tab.getByText('An administrator can issue one.').waitFor();
    expect(await parts(developer)).toEqual(expect.arrayContaining(OWNERS_PARTS));
    for (const control of ['New key', 'Rename project']) expect(await developer.button(control).count()).toBe(0);
    await judge(developer, 'keys-developer');
    const support = await invited(host, 'Support', 'Sue');
    await support.link('Shared').click();
    await support.tab.getByRole('navigation', { name: 'Project' }).waitFor({ state: 'attached' });
    expect(await parts(support)).not.toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(OWNERS_PARTS.join('|')))]));
    for (const part of [...OWNERS_PARTS.map((name) => name.toLowerCase()), 'webhooks/00000000-0000-4000-8000-000000000000']) {
      await support.open(`${project}/${part}`);
      await support.heading('There is no such page').waitFor();
    }
    await judge(support, 'not-yours');
  });
});
