import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page as Tab } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A phone and a desktop, each color scheme once. `EVERY_LOOK=1` adds the other two combinations. */
const LOOKS = [
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Texts for screen readers only have one pixel. */
const CUT_LABELS = `[...document.querySelectorAll('button *')]
  .filter((one) => getComputedStyle(one).overflowX === 'hidden' && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
  .map(({ innerText }) => innerText)`;

export type InvitedRole = 'Administrator' | 'Developer' | 'Support';

/** A person who uses the web console in a browser, with all errors that the browser has logged. */
export class Visitor {
  readonly consoleErrors: string[] = [];

  private constructor(
    readonly tab: Tab,
    private readonly origin: string,
  ) {
    tab.on('console', (message) => this.consoleErrors.push(`${message.text()} ${message.location().url}`));
    tab.on('pageerror', (error) => this.consoleErrors.push(error.message));
    tab.setDefaultTimeout(60_000);
  }

  static async create(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 }, ...options });
    return new Visitor(await context.newPage(), origin);
  }

  open = async (path: string): Promise<void> => void (await this.tab.goto(`${this.origin}/console${path}`));
  button = (name: string | RegExp) => this.tab.getByRole('button', { name, exact: true });
  link = (name: string | RegExp) => this.tab.getByRole('link', { name, exact: true });
  /** Links of these names, one after the other: a group of the navigation, then one of its pages. */
  follow = async (...names: string[]): Promise<void> => {
    for (const name of names) await this.link(name).click();
  };
  heading = (name: string | RegExp) => this.tab.getByRole('heading', { name });
  fill = (label: string, value: string) => this.tab.getByLabel(label, { exact: true }).fill(value);
  leave = () => this.tab.context().close();

  async signIn(email: string, password: string): Promise<void> {
    await this.open('/');
    await this.fill('E-mail', email);
    await this.fill('Password', password);
    await this.button('Sign in').click();
  }

  /** Waits for the answer: a navigation right after the click could cancel the request. */
  async signOut(): Promise<void> {
    await this.button('Sign out').click();
    await this.heading('Sign in').waitFor();
  }

  /** Invites a person to the organization and returns the link. */
  async invite(email: string, role: InvitedRole): Promise<string> {
    const dialog = this.tab.getByRole('dialog');
    await this.link('Members').click();
    await this.button('Invite').click();
    await this.fill('E-mail address of the person', email);
    await this.tab.getByRole('radio', { name: role }).check();
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await dialog.getByRole('textbox', { name: 'Link' }).innerText();
    await this.button('Done').click();
    return link;
  }

  async join(link: string, name: string, password: string): Promise<void> {
    await this.tab.goto(link);
    await this.fill('Your name', name);
    await this.fill('Password', password);
    await this.button('Join').click();
    await this.heading('Projects').waitFor();
  }

  /** Accessibility violations of the page in its current state, for example with an open dialog. */
  async violations(): Promise<string[]> {
    // Half a megabyte, which only a few suites need.
    const { default: axe } = await import('axe-core');
    if (!(await this.tab.evaluate('"axe" in window'))) await this.tab.evaluate(axe.source);
    return this.tab.evaluate<string[]>(`(async () => {
      const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' '));
    })()`);
  }

  /** Accessibility violations, overflows and buttons with a cut label of the page at each width and in each color scheme. Screenshots of them if there is a folder. */
  async checkLayouts(folder: string | undefined, name: string): Promise<string[]> {
    const faults: string[] = [];
    const looks = folder || process.env['EVERY_LOOK'] ? LOOKS : LOOKS.slice(0, 2);
    for (const { width, colorScheme } of looks) {
      const seen = `${name}, ${width} px, ${colorScheme}`;
      await this.tab.setViewportSize({ width, height: 800 });
      await this.tab.emulateMedia({ colorScheme });
      faults.push(...(await this.violations()).map((violation) => `${seen}: ${violation}`));
      const beyondPx = await this.tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (beyondPx > 0) faults.push(`${seen}: ${beyondPx} px too wide`);
      faults.push(...(await this.tab.evaluate<string[]>(CUT_LABELS)).map((label) => `${seen}: "${label}" is cut`));
      if (folder) {
        // The page under a dialog is as high as the window.
        const fullPage = (await this.tab.getByRole('dialog').count()) === 0;
        await this.tab.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage });
      }
    }
    await this.tab.emulateMedia({ colorScheme: 'light' });
    await this.tab.setViewportSize({ width: 1280, height: 800 });
    return faults;
  }
}
