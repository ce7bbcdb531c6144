import { becomes, describeWithBrowser } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { currentStep, oneTimeCode } from './testing/one-time-code.fixture';
import { walks } from './testing/walks.fixture';

describeWithBrowser('the console in a browser', () => {
  const { newVisitor, newOwner, origin, owner, checkPage, calls, expectErrors } = walks();

  it('sign-in happens at the requested address, and a wrong password is refused with a message', async () => {
    const email = await newOwner('Wanda');
    const visitor = await newVisitor();
    await visitor.open('/account');
    await visitor.heading('Sign in').waitFor();
    await checkPage(visitor, 'sign-in');
    await visitor.fill('E-mail', email);
    await visitor.fill('Password', 'not this one');
    await visitor.button('Sign in').click();
    await visitor.tab.getByText('The e-mail address or the password is wrong.').waitFor();
    await visitor.fill('Password', PASSWORD);
    await visitor.button('Sign in').click();
    await visitor.heading('Account').waitFor();
    await visitor.tab.getByText('This session', { exact: true }).waitFor();
    await checkPage(visitor, 'account');
    await visitor.signOut();
  });

  it('the API reference opens at an operation, within its content security policy', async () => {
    const visitor = await newVisitor();
    await visitor.tab.goto(`${origin()}/docs/reference#createReport`);
    await visitor.tab.getByRole('heading', { name: 'Create a report.' }).waitFor();
    expect(visitor.tab.url()).toMatch(/#tag\/Reports\/operation\/createReport$/);
  });

  it('an owner creates a project, issues a key that is shown once, and revokes it', async () => {
    // No ledger runs here, so the list of reports, the first page of a project, fails.
    expectErrors(503);
    const visitor = await owner('Oda');
    await visitor.tab.getByText('No project yet').waitFor();
    await checkPage(visitor, 'projects-empty');
    await visitor.button('New project').click();
    await visitor.fill('Name', 'First tries');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New project' }).click();
    await visitor.tab.getByText('First tries', { exact: true }).waitFor();
    await visitor.follow('API', 'Keys');
    await visitor.tab.getByText('No key yet').waitFor();
    await visitor.button('New key').click();
    await visitor.fill('Name', 'web shop');
    await checkPage(visitor, 'key-new');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await visitor.heading('Your new key').waitFor();
    const value = await visitor.tab.getByRole('dialog').getByRole('textbox', { name: 'Key' }).innerText();
    expect(value).toMatch(/^svc_test_/);
    await checkPage(visitor, 'key-issued');
    await visitor.button('I have copied it').click();
    expect(await calls('/reports/none', value)).toBe(404);
    await checkPage(visitor, 'keys');
    await visitor.link('create your first report with it').click();
    await visitor.tab.getByText(`KEY='${value}'`).waitFor();
    await visitor.follow('API', 'Keys');
    await visitor.link('create your first report with it').waitFor();
    await visitor.tab.reload();
    await visitor.button('Revoke web shop').waitFor();
    await becomes(() => visitor.link('create your first report with it').count(), 0);
    await visitor.button('Revoke web shop').click();
    await visitor.heading('Revoke "web shop"?').waitFor();
    await checkPage(visitor, 'key-revoke');
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await visitor.button('Show revoked keys (1)').click();
    await visitor.tab.getByText('Revoked', { exact: true }).waitFor();
    await visitor.tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click();
    await visitor.tab.getByRole('link', { name: 'First tries' }).waitFor();
    await checkPage(visitor, 'projects');
  });

  it.each([
    ['administrator', ['Projects', 'Members', 'Audit log', 'Account'], true],
    ['developer', ['Projects', 'Account'], false],
    ['support', ['Projects', 'Account'], false],
  ] as const)('a member invited as %s joins and sees what the role allows', async (role, pages, creates) => {
    const host = await owner(`Ines-${role}`);
    await host.tab.getByRole('link', { name: 'Members' }).click();
    await host.tab.getByText('No invitation is open.').waitFor();
    await host.button('Invite').click();
    await host.fill('E-mail address of the person', `${role}@shop.example`);
    await host.tab.getByRole('radio', { name: role[0]!.toUpperCase() + role.slice(1) }).check();
    await host.tab.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    const link = await host.tab.getByRole('textbox', { name: 'Link' }).innerText();
    await host.button('Done').click();

    const guest = await newVisitor();
    await guest.tab.goto(link);
    await guest.heading('Join an organization').waitFor();
    await checkPage(guest, 'invitation');
    await guest.fill('Your name', `Kim ${role}`);
    await guest.fill('Password', PASSWORD);
    await guest.button('Join').click();
    await guest.heading('Projects').waitFor();
    await guest.tab.getByText('No project yet').waitFor();
    const links = guest.tab.getByRole('navigation').getByRole('link');
    await becomes(() => links.allInnerTexts(), [...pages, 'API reference']);
    await becomes(() => guest.button('New project').count(), creates ? 1 : 0);
    await checkPage(guest, `projects-${role}`);

    await host.tab.reload();
    await host.tab.getByText(`Kim ${role}`, { exact: true }).waitFor();
    await checkPage(host, 'members');
    await host.button(`Change role of Kim ${role}`).click();
    await host.heading(`Role of Kim ${role}`).waitFor();
    await checkPage(host, 'member-role');
    await host.tab.getByRole('dialog').getByRole('radio', { name: 'Owner' }).check();
    await host.tab.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await host.heading(`Role of Kim ${role}`).waitFor({ state: 'detached' });
    await host.tab.getByText('Owner', { exact: true }).nth(1).waitFor();
    await host.button(`Remove Kim ${role}`).click();
    await host.tab.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await host.tab.getByText(`Kim ${role}`, { exact: true }).waitFor({ state: 'detached' });
    await guest.tab.reload();
    await guest.heading('There is no such page').waitFor();
    await guest.link('To the start page').click();
    await guest.heading('You do not belong to an organization').waitFor();
  });

  it('the last owner cannot leave and sees the reason', async () => {
    expectErrors(409);
    const visitor = await owner('Lena');
    await visitor.tab.getByRole('link', { name: 'Members' }).click();
    await visitor.button('Leave').click();
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await visitor.tab.getByText('An organization needs an owner').waitFor();
    await visitor.button('Cancel').click();
    await visitor.tab.getByRole('link', { name: 'Audit log' }).click();
    await visitor.tab.getByText('Signed in', { exact: true }).waitFor();
    await checkPage(visitor, 'audit-log');
  });

  it('one-time codes are set up, required at sign-in, and turned off', async () => {
    const email = await newOwner('Tara');
    const visitor = await newVisitor();
    await visitor.signIn(email, PASSWORD);
    await visitor.tab.getByRole('link', { name: 'Account' }).click();
    await visitor.button('Set up').click();
    await visitor.fill('Your password', PASSWORD);
    await visitor.button('Continue').click();
    const secret = await visitor.tab.getByRole('textbox', { name: 'Secret' }).innerText();
    await checkPage(visitor, 'codes');
    const steps = currentStep();
    await visitor.fill('Code', oneTimeCode(secret, steps));
    await visitor.button('Turn on').click();
    const codes = await visitor.tab.getByRole('textbox', { name: 'Recovery codes' }).innerText();
    const [recovery = '', ...others] = codes.split('\n');
    expect(others).toHaveLength(9);
    await checkPage(visitor, 'recovery-codes');
    await visitor.button('I have saved them').click();
    await visitor.tab.getByText('10 recovery codes left').waitFor();
    await visitor.signOut();
    await visitor.signIn(email, PASSWORD);
    await visitor.heading('One-time code').waitFor();
    await checkPage(visitor, 'sign-in-code');
    expectErrors(401);
    await visitor.fill('Code', oneTimeCode(secret, steps));
    await visitor.button('Continue').click();
    await visitor.tab.getByText('The code is wrong or was used before').waitFor();
    await visitor.fill('Code', oneTimeCode(secret, Math.max(steps + 1, currentStep())));
    await visitor.button('Continue').click();
    await visitor.heading('Projects').waitFor();
    await visitor.signOut();
    await visitor.signIn(email, PASSWORD);
    await visitor.button('No authenticator app at hand? Use a recovery code').click();
    await visitor.heading('Recovery code').waitFor();
    await checkPage(visitor, 'sign-in-recovery');
    await visitor.fill('Recovery code', recovery.toUpperCase());
    await visitor.button('Continue').click();
    await visitor.heading('Projects').waitFor();
    await visitor.tab.getByRole('link', { name: 'Account' }).click();
    await visitor.tab.getByText('9 recovery codes left').waitFor();
    await visitor.button('New recovery codes').click();
    await visitor.fill('Your password', PASSWORD);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click();
    await visitor.button('I have saved them').click();
    await visitor.tab.getByText('10 recovery codes left').waitFor();
    await visitor.button('Turn off').click();
    await visitor.fill('Your password', PASSWORD);
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await visitor.button('Set up').waitFor();
  });

  it('a session that was ended in another browser shows the sign-in page', async () => {
    const email = await newOwner('Sora');
    const [here, there] = [await newVisitor(), await newVisitor()];
    for (const visitor of [here, there]) {
      await visitor.signIn(email, PASSWORD);
      await visitor.heading('Projects').waitFor();
    }
    await here.tab.getByRole('link', { name: 'Account' }).click();
    await here.button(/^End the session of/).click();
    await here.button(/^End the session of/).waitFor({ state: 'detached' });
    expectErrors(401);
    await there.tab.getByRole('link', { name: 'Account' }).click();
    await there.heading('Sign in').waitFor();
  });

  it('the sign-in page is complete in Korean, and the console remembers the language', async () => {
    const visitor = await newVisitor('ko-KR');
    await visitor.open('/');
    await visitor.heading('로그인').waitFor();
    await becomes(() => visitor.tab.evaluate<string>('document.documentElement.lang'), 'ko');
    await checkPage(visitor, 'sign-in-ko');
    await visitor.tab.getByLabel('언어 / Language').selectOption('English');
    await visitor.heading('Sign in').waitFor();
    await visitor.tab.reload();
    await visitor.heading('Sign in').waitFor();
  });

  it('offers to load the page again where the texts of its language do not come', async () => {
    expectErrors('Failed to load resource');
    const visitor = await newVisitor('ko-KR');
    const texts = /\/ko-[^/]+\.js$/;
    await visitor.tab.route(texts, (route) => route.abort());
    await visitor.open('/');
    await visitor.tab.getByText('화면을 불러오지 못했습니다.').waitFor();
    await visitor.tab.unroute(texts);
    await visitor.button('새로 고침 / Reload').click();
    await visitor.heading('로그인').waitFor();
  });

  it('the address of another organization and an unknown address have no page', async () => {
    const visitor = await owner('Nora');
    for (const path of ['/organizations/00000000-0000-4000-8000-000000000000/projects', '/nowhere']) {
      await visitor.open(path);
      await visitor.heading('There is no such page').waitFor();
    }
    await checkPage(visitor, 'missing');
  });
});
