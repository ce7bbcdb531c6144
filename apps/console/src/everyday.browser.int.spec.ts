import type { MemberList } from '@tire/contracts/console';
import { randomUUID } from 'node:crypto';
import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { doubtfulReport, doubtfulVehicle } from './testing/doubtful-report.fixture';
import { confirmedReport, guess, unreadReport } from './testing/unread-report.fixture';
import { walks } from './testing/walks.fixture';

const BETTER = 'better horse battery staple';

describeWithBrowser('less frequent actions in the console', () => {
  const { newVisitor, newOwner, owner, invited, newProject, checkPage, expectErrors } = walks();
  const dialog = ({ tab }: Visitor) => tab.getByRole('dialog');
  const main = ({ tab }: Visitor) => tab.getByRole('navigation', { name: 'Main' });

  it('a renamed organization and project show the new name everywhere', async () => {
    expectErrors(503);
    const visitor = await owner('Rena');
    await newProject(visitor, 'First name');
    await visitor.button('Rename project').click();
    await visitor.fill('Name', 'Second name');
    await checkPage(visitor, 'project-rename');
    await dialog(visitor).getByRole('button', { name: 'Save' }).click();
    await visitor.tab.getByText('Second name', { exact: true }).waitFor();
    await main(visitor).getByRole('link', { name: 'Members' }).click();
    await visitor.button('Rename organization').click();
    await visitor.fill('Name of the organization', 'Better tires');
    await checkPage(visitor, 'organization-rename');
    await dialog(visitor).getByRole('button', { name: 'Save' }).click();
    await main(visitor).getByText('Better tires', { exact: true }).waitFor();
    await main(visitor).getByRole('link', { name: 'Audit log' }).click();
    const entries = visitor.tab.getByRole('list', { name: 'Audit log' }).getByRole('listitem');
    await entries.filter({ hasText: 'Project renamed' }).getByText('Before: First name').waitFor();
    await entries.filter({ hasText: 'Organization renamed' }).getByText('Now: Better tires').waitFor();
    await visitor.tab.getByLabel('Project', { exact: true }).selectOption('Second name');
    await entries.filter({ hasText: 'Organization renamed' }).waitFor({ state: 'detached' });
    await entries.filter({ hasText: 'Project renamed' }).waitFor();
    await main(visitor).getByRole('link', { name: 'Projects' }).click();
    await visitor.link('Second name').waitFor();
  });

  it('a password change ends the other sessions and disables the old password', async () => {
    const email = await newOwner('Pia');
    const [here, there] = [await newVisitor(), await newVisitor()];
    for (const visitor of [here, there]) {
      await visitor.signIn(email, PASSWORD);
      await visitor.heading('Projects').waitFor();
      await visitor.link('Account').click();
    }
    await here.fill('Your name', 'Pia Park');
    await here.button('Save').click();
    await here.tab.getByText('Saved.').waitFor();
    expectErrors(401, 422);
    await here.fill('Current password', 'not this one');
    await here.fill('New password', BETTER);
    await here.button('Change password').click();
    await here.tab.getByText('The password is wrong.').waitFor();
    await here.fill('Current password', PASSWORD);
    await here.button('Change password').click();
    await here.tab.getByText('Your password was changed. All your other sessions have ended.').waitFor();
    await here.link('Members').click();
    await here.tab.getByText('Pia Park', { exact: true }).waitFor();
    await there.link('Members').click();
    await there.heading('Sign in').waitFor();
    await there.fill('E-mail', email);
    await there.fill('Password', PASSWORD);
    await there.button('Sign in').click();
    await there.tab.getByText('The e-mail address or the password is wrong.').waitFor();
    await there.fill('Password', BETTER);
    await there.button('Sign in').click();
    await there.heading('Members').waitFor();
  });

  it('an existing account accepts an invitation with its password', async () => {
    const host = await owner('Hugo');
    const link = await host.invite(await newOwner('Gita'), 'Support');
    const guest = await newVisitor();
    await guest.tab.goto(link);
    await guest.tab.getByText('If you already have an account here').waitFor();
    await checkPage(guest, 'invitation-account');
    expectErrors(401);
    await guest.fill('Password', 'not this one');
    await guest.button('Join').click();
    await guest.tab.getByText('This is not the password of your account.').waitFor();
    await guest.fill('Password', PASSWORD);
    await guest.button('Join').click();
    await guest.heading('Projects').waitFor();
    const organizations = guest.tab.getByRole('list', { name: 'Organization' }).getByRole('link');
    await becomes(() => organizations.allInnerTexts(), expect.arrayContaining([`Hugo's tires`, `Gita's tires`]));
    await organizations.filter({ hasText: 'Hugo' }).click();
    await checkPage(guest, 'organizations');
  });

  it('a changed role takes effect when the page gets the focus', async () => {
    const host = await owner('Ruth');
    const guest = await invited(host, 'Support', 'Gus');
    await becomes(() => guest.link('Members').count(), 0);
    await host.tab.reload();
    await host.button('Change role of Gus').click();
    await dialog(host).getByRole('radio', { name: 'Administrator' }).check();
    await dialog(host).getByRole('button', { name: 'Change role' }).click();
    await dialog(host).waitFor({ state: 'detached' });
    await guest.tab.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await guest.link('Members').click();
    await guest.heading('Members').waitFor();
    // Only an owner can change the role of an owner.
    await becomes(() => guest.button('Change role of Ruth').count(), 0);
    await guest.button('Invite').click();
    await dialog(guest).getByRole('radio', { name: 'Administrator' }).waitFor();
    await becomes(() => dialog(guest).getByRole('radio', { name: 'Owner' }).count(), 0);
  });

  it('a long list is loaded in pages', async () => {
    const visitor = await owner('Lotte');
    await visitor.tab.route(/\/console\/api\/.*\/members$/, async (route) => {
      const response = await route.fetch();
      const { members } = (await response.json()) as MemberList;
      const many = Array.from({ length: 60 }, (_, index) => ({ ...members[0], user_id: randomUUID(), name: `Kim ${index}` }));
      await route.fulfill({ response, json: { members: many } });
    });
    await visitor.link('Members').click();
    const rows = visitor.tab.getByRole('list', { name: 'Members' }).getByRole('listitem');
    await visitor.button('Show more (50 of 60 are shown)').waitFor();
    await becomes(() => rows.count(), 50);
    await visitor.button(/^Show more/).click();
    await visitor.tab.getByText('Kim 59', { exact: true }).waitFor();
    await becomes(async () => [await rows.count(), await visitor.button(/^Show more/).count()], [60, 0]);
  });

  it('on a phone the menu opens, navigates and closes', async () => {
    const visitor = await owner('Mina');
    await visitor.tab.setViewportSize({ width: 360, height: 800 });
    await becomes(() => main(visitor).isVisible(), false);
    await visitor.button('Menu').click();
    await main(visitor).getByRole('link', { name: 'Members' }).waitFor();
    await checkPage(visitor, 'menu');
    await visitor.tab.setViewportSize({ width: 360, height: 800 });
    await main(visitor).getByRole('link', { name: 'Members' }).click();
    await visitor.heading('Members').waitFor();
    await becomes(() => main(visitor).isVisible(), false);
  });

  it('a report shows the uncertain parts of its measurement, on a phone too', async () => {
    // No ledger runs here. The test supplies the report, and the other requests for it fail.
    expectErrors(503);
    const visitor = await owner('Uma');
    const project = await newProject(visitor, 'Doubts');
    const { report } = doubtfulReport;
    await visitor.tab.route(new RegExp(`/console/api/.*/reports/${report.report_id}$`), (route) => route.fulfill({ json: doubtfulReport }));
    await visitor.open(`${project}/reports/${report.report_id}`);
    const page = visitor.tab.getByRole('main');
    await page.getByText('The same photograph is in two positions').waitFor();
    for (const text of [
      'about 5.0 mm (4.5 to 5.5 mm)',
      'about 2.7 mm (1.9 to 3.4 mm)',
      'No groove was found: likely worn smooth',
      'Grooves, from the left',
    ])
      await page.getByText(text, { exact: true }).first().waitFor();
    await page.getByText('Seems to have no pattern').waitFor();
    await page.getByText('centre', { exact: true }).waitFor();
    await page.getByText('Cut off by the photograph').waitFor();
    await checkPage(visitor, 'report-doubts');
    await visitor.tab.setViewportSize({ width: 360, height: 800 });
    await becomes(async () => (await visitor.tab.evaluate<number>('document.documentElement.scrollWidth')) <= 360, true);
  });

  it('the history of a vehicle shows ranges, and what a depth does not say, on a phone too', async () => {
    const visitor = await owner('Theo');
    const project = await newProject(visitor, 'Histories');
    await visitor.tab.route(/\/console\/api\/.*\/vehicle-history\?/, (route) => route.fulfill({ json: doubtfulVehicle }));
    await visitor.open(`${project}/vehicles?id=car-12`);
    const cells = visitor.tab.getByRole('row').nth(1).getByRole('cell');
    await becomes(
      async () => (await cells.allInnerTexts()).slice(0, 4).map((text) => text.split('\n').filter(Boolean)),
      [
        ['about 5.0', '(4.5 to 5.5)', 'No pattern in places'],
        ['about 5.2', '(4.7 to 6.1)', 'Checked in part only'],
        ['No groove found'],
        ['about 2.7', '(1.9 to 3.4)', 'Tire not known'],
      ],
    );
    await becomes(() => visitor.tab.locator('.depth-chart .doubtful').count(), 3);
    await becomes(() => visitor.tab.locator('.depth-chart .range').count(), 3);
    await checkPage(visitor, 'vehicle-doubts');
    await visitor.tab.setViewportSize({ width: 360, height: 800 });
    await becomes(async () => (await visitor.tab.evaluate<number>('document.documentElement.scrollWidth')) <= 360, true);
  });

  it.each([
    [
      'en',
      'Is it 205/55R16?',
      'Confirm size: Front left, Sidewall',
      'Is the size 205/55R16?',
      'Yes, 205/55R16',
      'Entered by hand',
      'The slot changed meanwhile. Look at the report once more.',
    ],
    [
      'ko',
      '205/55R16인가요?',
      '규격 확인: 앞 왼쪽, 옆면',
      '규격이 205/55R16인가요?',
      '네, 205/55R16입니다',
      '직접 입력',
      '그사이 이 항목이 바뀌었습니다. 보고서를 다시 확인해 주세요.',
    ],
  ])(
    'a person is asked about a size that two photographs show, and confirms it (%s)',
    async (locale, question, action, title, yes, entered, changed) => {
      expectErrors(503, 422);
      const visitor = await owner(`Gus${locale}`);
      const project = await newProject(visitor, 'Guesses');
      await visitor.tab.evaluate(`localStorage.setItem('console-language', '${locale}')`);
      const { report } = unreadReport;
      let confirmed: unknown;
      let isRefused = true;
      const path = `/console/api/.*/reports/${report.report_id}`;
      await visitor.tab.route(new RegExp(`${path}$`), (route) => route.fulfill({ json: confirmed ? confirmedReport : unreadReport }));
      await visitor.tab.route(new RegExp(`${path}/size-guesses$`), (route) =>
        route.fulfill({ json: { guesses: confirmed ? [] : [guess] } }),
      );
      await visitor.tab.route(new RegExp(`${path}/confirmed-sizes$`), (route) => {
        if (isRefused)
          return route.fulfill({ status: 422, json: { error: { code: 'validation_error', message: '', param: 'size', request_id: 'r' } } });
        confirmed = route.request().postDataJSON();
        return route.fulfill({ json: { report_id: report.report_id, analysis_status: 'complete', changed: true } });
      });
      await visitor.open(`${project}/reports/${report.report_id}`);
      const page = visitor.tab.getByRole('main');
      await page.getByText(question, { exact: true }).waitFor();
      await checkPage(visitor, `size-guess-${locale}`);
      await visitor.button(action).click();
      await dialog(visitor).getByText(title, { exact: true }).waitFor();
      await checkPage(visitor, `size-guess-confirm-${locale}`);
      await dialog(visitor).getByRole('button', { name: yes, exact: true }).click();
      await dialog(visitor).getByText(changed, { exact: true }).waitFor();
      isRefused = false;
      await dialog(visitor).getByRole('button', { name: yes, exact: true }).click();
      await page.getByText('205/55R16', { exact: true }).waitFor();
      await page.getByText(entered, { exact: true }).waitFor();
      await becomes(() => page.getByText(question, { exact: true }).count(), 0);
      expect(confirmed).toEqual(guess);
    },
  );

  it('a manual report shows the depth for the customer while depths are typed', async () => {
    expectErrors(503);
    const visitor = await owner('Vera');
    await visitor.open(`${await newProject(visitor, 'By hand')}/reports/new-manual`);
    const tire = visitor.tab.getByRole('group', { name: 'Front left' });
    await tire.getByLabel('Groove 1 outside', { exact: true }).fill('7');
    await tire.getByText('The customer reads 7.0 mm, the shallowest groove.').waitFor();
    await tire.getByLabel('Groove 2', { exact: true }).fill('2.65');
    await tire.getByText('The customer reads 2.7 mm, the shallowest groove.').waitFor();
    await checkPage(visitor, 'manual-lowest');
  });

  it('a link opens its page after sign-in, but not for a member of another organization', async () => {
    expectErrors(503);
    const host = await owner('Dora');
    const project = await newProject(host, 'Sent around');
    const stranger = await newOwner('Ivo');
    const visitor = await newVisitor();
    const enter = async (as: string) => {
      await visitor.heading('Sign in').waitFor();
      await visitor.fill('E-mail', as);
      await visitor.fill('Password', PASSWORD);
      await visitor.button('Sign in').click();
    };
    await visitor.open(`${project}/keys`);
    await enter(stranger);
    await visitor.heading('There is no such page').waitFor();
    await becomes(() => visitor.tab.getByText('Sent around').count(), 0);
    await visitor.signOut();
    await enter('dora@shop.example');
    await visitor.heading('API keys').waitFor();
    await visitor.tab.getByText('Sent around', { exact: true }).waitFor();
  });
});
