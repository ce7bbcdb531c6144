import { newId } from '@tire/kernel';
import type { Branch, ChangeBranchRequest, Partner } from '@tire/contracts/console';
import { becomes, describeWithBrowser, eventually, type Visitor } from '@tire/test-harness';
import { walks } from './testing/walks.fixture';

const HOSTILE = `<img src=x onerror="alert('key')"><script>alert(1)</script>`;
const API = ['Keys', 'Webhooks', 'Requests', 'Developers'];
const CLOSED_TO_SUPPORT = ['share-page', 'keys', 'webhooks', 'requests', 'usage', 'retention', 'developers'];

/** The services behind the gateway do not run here. */
describeWithBrowser('the pages of a project for developers', () => {
  const { owner, invited, newProject, checkPage, calls, expectErrors } = walks();
  beforeEach(() => expectErrors(503));

  async function issueKey(visitor: Visitor, name: string): Promise<string> {
    await visitor.button('New key').click();
    await visitor.fill('Name', name);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    const value = await visitor.tab.getByRole('dialog').getByRole('textbox', { name: 'Key' }).innerText();
    await visitor.button('I have copied it').click();
    return value;
  }

  const navigation = (visitor: Visitor) => visitor.tab.getByRole('navigation', { name: 'Project' });
  const entries = (visitor: Visitor) => navigation(visitor).getByRole('list').first().getByRole('link').allInnerTexts();
  const partsOf = async (visitor: Visitor, group: string): Promise<string[]> => {
    await visitor.link(group).click();
    return navigation(visitor).getByRole('list', { name: group }).getByRole('link').allInnerTexts();
  };

  it('the quick start contains the issued key, until the page is left', async () => {
    const visitor = await owner('Dana');
    const project = await newProject(visitor, 'First tries');
    await visitor.follow('API', 'Developers');
    await visitor.heading('A first report').waitFor();
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
    const value = await issueKey(visitor, 'first');
    await visitor.tab.getByText(`KEY='${value}'`).waitFor();
    await visitor.tab.getByRole('link', { name: 'POST /reports', exact: true }).waitFor();
    await becomes(
      () => visitor.tab.getByRole('link', { name: 'POST /reports', exact: true }).getAttribute('href'),
      '/docs/reference#createReport',
    );
    await checkPage(visitor, 'developers');
    for (const [language, text] of [
      ['Python', 'def is_genuine'],
      ['Java', 'boolean isGenuine'],
    ] as const) {
      await visitor.tab.getByRole('tab', { name: language, exact: true }).click();
      await visitor.tab.getByText(text).waitFor();
    }
    expect(await visitor.violations()).toEqual([]);
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
    await visitor.follow('API', 'Keys');
    const [busy, idle] = [await issueKey(visitor, 'busy'), await issueKey(visitor, HOSTILE)];
    await visitor.follow('API', 'Requests');
    await visitor.tab.getByText('No request yet').waitFor();
    await checkPage(visitor, 'requests-empty');
    const reports = Array.from({ length: 55 }, () => newId());
    // The ledger does not run here.
    for (const report of reports) expect(await calls(`/reports/${report}`, busy)).toBe(503);
    const other = newId();
    expect(await calls(`/reports/${other}`, idle)).toBe(503);
    const rows = visitor.tab.getByRole('list', { name: 'Requests' }).getByRole('listitem');
    await eventually(async () => {
      await visitor.button('Refresh').click();
      return (await visitor.tab.getByText(`/api/v1/reports/${other}`).count()) === 1;
    });
    await becomes(() => rows.count(), 50);
    await becomes(
      () => rows.filter({ hasText: reports.at(-1)! }).innerText(),
      expect.stringMatching(/GET\s[^]*503[^]*busy[^]*Request id: \S{8}/),
    );
    await checkPage(visitor, 'requests');
    await visitor.button('Show more').click();
    await eventually(async () => (await rows.count()) === 56);
    const asked: string[] = [];
    visitor.tab.on('request', (request) => void (request.url().includes('/requests?') && asked.push(request.url())));
    await visitor.button('Refresh').click();
    await eventually(async () => (await rows.count()) === 50);
    await visitor.button('Show more').click();
    await eventually(async () => (await rows.count()) === 56);
    await visitor.follow('API', 'Keys');
    await visitor.button('Revoke busy').waitFor();
    await visitor.follow('API', 'Requests');
    await eventually(async () => (await rows.count()) === 50);
    // One request for each of the two pages. The first page may be refetched.
    expect(asked.length).toBeLessThanOrEqual(3);
    await visitor.tab.getByLabel('Key', { exact: true }).selectOption({ label: await optionOf(visitor, HOSTILE) });
    await eventually(async () => (await rows.count()) === 1);
    await becomes(() => rows.innerText(), expect.stringContaining(HOSTILE));
  });

  const optionOf = async (visitor: Visitor, text: string): Promise<string> =>
    (await visitor.tab.getByRole('option').allInnerTexts()).find((option) => option.startsWith(text))!;

  it('the settings of the share page are shown and changed, and invalid ones are refused', async () => {
    const visitor = await owner('Lena');
    expectErrors(503, 422);
    await newProject(visitor, 'Shop front');
    let partner: Partner = { name: HOSTILE, phone: null, address: null, opening_hours: null, logo: null };
    const sent: unknown[] = [];
    const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await visitor.tab.route(/\/partner(\/logo)?$/, async (route) => {
      const [method, body] = [route.request().method(), route.request().postDataJSON() as Partial<Partner> & { image?: string }];
      if (method !== 'GET') sent.push([method, body]);
      if (method === 'PATCH' && body.phone === 'x')
        return route.fulfill({ status: 422, json: { error: { code: 'validation_error', message: '', param: 'phone', request_id: 'r' } } });
      if (method === 'PATCH') partner = { ...partner, ...body };
      if (method === 'POST') partner = { ...partner, logo: { url: pixel, width_px: 120, height_px: 40 } };
      if (method === 'DELETE') partner = { ...partner, logo: null };
      return method === 'DELETE' ? route.fulfill({ status: 204 }) : route.fulfill({ json: partner });
    });
    await visitor.follow('Settings', 'Share page');
    await visitor.heading('Share page').waitFor();
    await becomes(() => visitor.tab.getByLabel('Name shown to customers', { exact: true }).inputValue(), HOSTILE);
    await checkPage(visitor, 'share-page-empty');
    await visitor.fill('Name shown to customers', '한빛 타이어');
    await visitor.fill('Phone number', 'x');
    await visitor.button('Save').click();
    await visitor.tab.getByText('This is not a phone number.').waitFor();
    await visitor.fill('Phone number', '02-123-4567');
    await visitor.fill('Address (optional)', '서울 강남구 테헤란로 1');
    await visitor.fill('Opening hours (optional)', '평일 09:00~19:00\n토요일 09:00~15:00');
    await visitor.button('Save').click();
    await visitor.tab.getByText('Saved.').waitFor();
    const file = (bytes: number) => ({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(bytes) });
    await visitor.tab.locator('input[type=file]').setInputFiles(file(512 * 1024 + 1));
    await visitor.tab.getByText('The file has more than 512 KB.').waitFor();
    await visitor.tab.locator('input[type=file]').setInputFiles(file(3));
    await visitor.tab.getByRole('img', { name: 'The present logo' }).waitFor();
    await checkPage(visitor, 'share-page');
    await visitor.tab.locator('input[type=file]').setInputFiles(file(512 * 1024 + 1));
    await visitor.tab.getByText('The file has more than 512 KB.').waitFor();
    await visitor.button('Remove the logo').click();
    await visitor.tab.getByText('No logo.').waitFor();
    await visitor.tab.getByText('The file has more than 512 KB.').waitFor({ state: 'detached' });
    partner = { ...partner, logo: { url: null, width_px: 120, height_px: 40 } };
    await visitor.button('Save').click();
    await visitor.tab.getByText('The logo is set, but it cannot be shown at the moment.').waitFor();
    const place = { address: '서울 강남구 테헤란로 1', opening_hours: '평일 09:00~19:00\n토요일 09:00~15:00' };
    expect(sent.slice(1)).toEqual([
      ['PATCH', { name: '한빛 타이어', phone: '02-123-4567', ...place }],
      ['POST', { image: 'AAAA' }],
      ['DELETE', null],
      ['PATCH', { name: '한빛 타이어', phone: '02-123-4567', ...place }],
    ]);
  });

  it('branches are added and archived, and a wrong phone number is named', async () => {
    const visitor = await owner('Bora');
    expectErrors(503, 422);
    const project = await newProject(visitor, 'Chain');
    let branches: Branch[] = [];
    const sent: unknown[] = [];
    await visitor.tab.route(/\/console\/api\/.*\/branches(\/[^/]+)?$/, async (route) => {
      const [method, body] = [route.request().method(), route.request().postDataJSON() as ChangeBranchRequest];
      if (method === 'GET') return route.fulfill({ json: { branches } });
      sent.push([method, body]);
      if (body.phone === 'x')
        return route.fulfill({ status: 422, json: { error: { code: 'validation_error', message: '', param: 'phone', request_id: 'r' } } });
      const { archived, ...texts } = body;
      const branch_id = route.request().url().split('/branches/')[1] ?? newId();
      const made = { branch_id, phone: null, address: null, opening_hours: null, logo: null, created_at: '2026-11-01T00:00:00Z', ...texts };
      const branch: Branch = { ...made, archived_at: archived ? '2026-11-20T00:00:00Z' : null };
      branches = [...branches.filter((one) => one.branch_id !== branch_id), branch];
      return route.fulfill({ status: method === 'POST' ? 201 : 200, json: branch });
    });
    await visitor.follow('Settings', 'Branches');
    await visitor.tab.getByText('No branches yet').waitFor();
    await checkPage(visitor, 'branches-empty');
    const dialogSave = () => visitor.tab.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await visitor.button('Add a branch').click();
    await visitor.fill('Name for customers', HOSTILE);
    await visitor.fill('Phone number (optional)', 'x');
    await dialogSave();
    await visitor.tab.getByText('This is not a phone number.').waitFor();
    await visitor.fill('Name for customers', '강남점');
    await visitor.fill('Phone number (optional)', '02-555-0000');
    await visitor.fill('Address (optional)', '서울 강남구 테헤란로 1');
    await visitor.fill('Opening hours (optional)', '평일 09:00~19:00\n토요일 09:00~15:00');
    await checkPage(visitor, 'branch-new');
    await dialogSave();
    await visitor.tab.getByText('평일 09:00~19:00, 토요일 09:00~15:00').waitFor();
    await visitor.tab.getByRole('textbox', { name: 'Id of 강남점 for the API' }).getByText(branches[0]!.branch_id).waitFor();
    branches = [...branches, { ...branches[0]!, branch_id: newId(), name: HOSTILE }];
    await visitor.open(`${project}/branches`);
    await visitor.tab.getByText(HOSTILE).waitFor();
    await visitor.button('Archive').first().click();
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await visitor.tab.getByText('Archived', { exact: true }).waitFor();
    await checkPage(visitor, 'branches');
    expect(sent.slice(1)).toEqual([
      [
        'POST',
        {
          name: '강남점',
          phone: '02-555-0000',
          address: '서울 강남구 테헤란로 1',
          opening_hours: '평일 09:00~19:00\n토요일 09:00~15:00',
          archived: false,
        },
      ],
      ['PATCH', expect.objectContaining({ name: '강남점', archived: true })],
    ]);
  });

  it('a name with markup is shown as text everywhere', async () => {
    const visitor = await owner('Mona');
    const dialogs: string[] = [];
    visitor.tab.on('dialog', (dialog) => void (dialogs.push(dialog.message()), dialog.dismiss()));
    await newProject(visitor, HOSTILE);
    await visitor.follow('API', 'Keys');
    await issueKey(visitor, HOSTILE);
    await visitor.button(`Revoke ${HOSTILE}`).click();
    await visitor.heading(`Revoke "${HOSTILE}"?`).waitFor();
    expect(await visitor.tab.locator('img[src="x"], main script').count()).toBe(0);
    await becomes(async () => (await visitor.tab.getByText(HOSTILE).count()) >= 2, true);
    await checkPage(visitor, 'key-hostile');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await visitor.button('Show revoked keys (1)').waitFor();
    await visitor.follow('API', 'Developers');
    await visitor.tab.getByText(`KEY='svc_test_…'`).waitFor();
    expect(dialogs).toEqual([]);
  });

  it('every page is complete in Korean', async () => {
    const visitor = await owner('Kyung');
    await newProject(visitor, '첫 시험');
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    for (const [group, part, title] of [
      ['API', '키', 'API 키'],
      ['API', '요청', '요청 기록'],
      ['API', '개발자', '첫 보고서'],
      ['설정', '보관', '보관'],
    ] as const) {
      await visitor.follow(group, part);
      await visitor.heading(title).waitFor();
      await checkPage(visitor, `developer-ko-${part}`);
    }
  });

  it('a failed request shows an error and can be retried', async () => {
    const visitor = await owner('Ela');
    await newProject(visitor, 'Alone');
    for (const [group, part] of [
      ['API', 'Webhooks'],
      ['Settings', 'Usage'],
    ] as const) {
      await visitor.follow(group, part);
      await visitor.button('Try again').first().waitFor();
    }
    await checkPage(visitor, 'usage-away');
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
    await visitor.follow('API', 'Requests');
    await visitor.heading('Requests').waitFor();
    await visitor.tab.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' });
    expect(await visitor.violations()).toEqual([]);
    release();
    await visitor.tab.getByText('No request yet').waitFor();

    const files = /\/assets\/usage-[^/]*\.js$/;
    expectErrors(503, 'ERR_FAILED', 'dynamically imported module');
    await visitor.tab.route(files, (route) => route.abort());
    await visitor.follow('Settings', 'Usage');
    await visitor.heading('That did not work').first().waitFor();
    await checkPage(visitor, 'not-arrived');
    await visitor.tab.unroute(files);
    await visitor.button('Try again').click();
    await visitor.heading('Usage').waitFor();
  });

  it('each role sees only its own pages, also by address', async () => {
    const host = await owner('Hana');
    const project = await newProject(host, 'Shared');
    await becomes(() => entries(host), ['Reports', 'Vehicles', 'Customers', 'API', 'Settings']);
    expect(await partsOf(host, 'Settings')).toEqual(['Share page', 'Branches', 'Usage', 'Exports', 'Retention', 'Personal data']);
    const developer = await invited(host, 'Developer', 'Dev');
    await developer.link('Shared').click();
    await developer.follow('API', 'Keys');
    await developer.tab.getByText('An administrator can issue one.').waitFor();
    expect(await partsOf(developer, 'API')).toEqual(API);
    await becomes(() => navigation(developer).locator('[aria-current]').allInnerTexts(), ['API', 'Keys']);
    for (const control of ['New key', 'Rename project']) await becomes(() => developer.button(control).count(), 0);
    await checkPage(developer, 'keys-developer');
    const support = await invited(host, 'Support', 'Sue');
    await support.link('Shared').click();
    await support.tab.getByRole('navigation', { name: 'Project' }).waitFor({ state: 'attached' });
    expect(await entries(support)).toEqual(['Reports', 'Vehicles', 'Customers', 'Branches']);
    for (const part of [...CLOSED_TO_SUPPORT, 'webhooks/00000000-0000-4000-8000-000000000000']) {
      await support.open(`${project}/${part}`);
      await support.heading('There is no such page').waitFor();
    }
    await checkPage(support, 'not-yours');
  });
});
