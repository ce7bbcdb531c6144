import { becomes, describeWithBrowser, type Visitor } from '@tire/test-harness';
import { PASSWORD } from './testing/console.fixture';
import { currentStep, oneTimeCode } from './testing/one-time-code.fixture';
import { walks } from './testing/walks.fixture';

describeWithBrowser('sessions in a browser', () => {
  const { newVisitor, newOwner, origin, owner, checkPage, expectErrors } = walks();

  const signedIn = async (name: string) => {
    const email = await newOwner(name);
    const visitor = await newVisitor();
    await enter(visitor, email);
    return { visitor, email };
  };
  const enter = async (visitor: Visitor, email: string) => {
    await visitor.signIn(email, PASSWORD);
    await visitor.heading('Projects').waitFor();
  };
  const secondTab = async ({ tab }: Visitor) => {
    const second = await tab.context().newPage();
    await second.goto(`${origin()}/console/`);
    await second.getByText('No project yet').waitFor();
    return second;
  };
  const newProject = async (tab: Visitor['tab']) => {
    await tab.getByRole('button', { name: 'New project', exact: true }).first().click();
    await tab.getByLabel('Name', { exact: true }).fill('Made in the second tab');
    await tab.getByRole('dialog').getByRole('button', { name: 'New project' }).click();
  };

  it('a tab continues after its user signed in again in another tab', async () => {
    const { visitor, email } = await signedIn('Vera');
    const before = await secondTab(visitor);
    await visitor.signOut();
    await enter(visitor, email);
    await newProject(before);
    await before.getByRole('navigation', { name: 'Project' }).waitFor();
    await before.getByRole('button', { name: 'Sign out' }).click();
    await before.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('after another user signs in, an older tab changes nothing and reloads for that user', async () => {
    const { visitor } = await signedIn('Willa');
    const other = await newOwner('Xenia');
    const before = await secondTab(visitor);
    await visitor.signOut();
    await enter(visitor, other);
    await newProject(before);
    await before.getByText(`Signed in as ${other}`).waitFor();
    await visitor.tab.reload();
    await visitor.tab.getByText('No project yet').waitFor();
  });

  it('data of one user is not shown to the next user, even without a sign-out', async () => {
    expectErrors(401);
    const { visitor, email } = await signedIn('Yara');
    const other = await newOwner('Zoe');
    await visitor.link('Account').click();
    await visitor.tab.getByText('This session', { exact: true }).waitFor();
    await visitor.tab.context().clearCookies();
    await visitor.link('Members').click();
    await visitor.heading('Sign in').waitFor();
    await visitor.tab.route('**/console/api/account/sessions', () => undefined);
    await visitor.fill('E-mail', other);
    await visitor.fill('Password', PASSWORD);
    await visitor.button('Sign in').click();
    await visitor.tab.getByText(`Signed in as ${other}`).waitFor();
    await visitor.link('Account').click();
    await visitor.heading('Account').waitFor();
    await becomes(() => visitor.tab.getByText('This session', { exact: true }).count(), 0);
    await becomes(() => visitor.tab.getByText(email).count(), 0);
  });

  it('a mutation without a network fails at once and is not queued', async () => {
    expectErrors('ERR_INTERNET_DISCONNECTED');
    const visitor = await owner('Ulla');
    await visitor.tab.context().setOffline(true);
    await newProject(visitor.tab);
    await visitor.tab.getByText('The service did not answer').waitFor();
    await visitor.tab.context().setOffline(false);
    await visitor.tab.reload();
    await visitor.tab.getByText('No project yet').waitFor();
  });

  it('the page warns before a session ends, and the session can be extended', async () => {
    const visitor = await owner('Berta');
    const { tab } = visitor;
    const endsIn = (ends: Record<string, number>) =>
      tab.route('**/console/api/session', async (route) => {
        const response = await route.fetch();
        const changed = Object.fromEntries(Object.entries(ends).map(([name, ms]) => [name, new Date(Date.now() + ms).toISOString()]));
        await route.fulfill({ response, json: { ...((await response.json()) as object), ...changed } });
      });
    await endsIn({ idle_ends_at: 200_000 });
    await tab.reload();
    await tab.getByText('You will be signed out in 4 minutes.').waitFor();
    await checkPage(visitor, 'session-ending');
    await tab.unroute('**/console/api/session');
    await visitor.button('Stay signed in').click();
    await tab.getByText(/^You will be signed out/).waitFor({ state: 'detached' });
    await endsIn({ idle_ends_at: 600_000, ends_at: 90_000 });
    await tab.reload();
    await tab.getByText('You will be signed out in 2 minutes.').waitFor();
    await tab.getByText('To keep what you typed here').waitFor();
    await becomes(() => visitor.button('Stay signed in').count(), 0);
  });

  it('an account with one-time codes accepts an invitation', async () => {
    const host = await owner('Tilda');
    const { visitor, email } = await signedIn('Suna');
    await visitor.link('Account').click();
    await visitor.button('Set up').click();
    await visitor.fill('Your password', PASSWORD);
    await visitor.button('Continue').click();
    const secret = await visitor.tab.getByRole('textbox', { name: 'Secret' }).innerText();
    const step = currentStep();
    await visitor.fill('Code', oneTimeCode(secret, step));
    await visitor.button('Turn on').click();
    await visitor.button('I have saved them').click();
    const link = await host.invite(email, 'Developer');
    const guest = await newVisitor();
    await guest.tab.goto(link);
    await guest.fill('Password', PASSWORD);
    await guest.button('Join').click();
    await guest.heading('One-time code').waitFor();
    await guest.fill('Code', oneTimeCode(secret, Math.max(step + 1, currentStep())));
    await guest.button('Continue').click();
    await guest.heading('Projects').waitFor();
    await becomes(() => guest.tab.getByRole('list', { name: 'Organization' }).getByRole('link').count(), 2);
  });
});
