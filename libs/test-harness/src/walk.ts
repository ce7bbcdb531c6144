import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser';
import { Visitor } from './visitor';

/** The browser logs every response that is not a success. The first request for the session of a visitor gets 401. */
const NOT_SIGNED_IN = /status of 401 .*\/console\/api\/session$/;

/** The folder for screenshots, if they are requested. */
export async function screenshotsFolder(): Promise<string | undefined> {
  const folder = process.env['SCREENSHOTS'];
  if (folder) await mkdir(folder, { recursive: true });
  return folder;
}

/** One browser for the tests of a suite, with the visitors of the web console in it. */
export class Walk {
  private readonly visitors: Visitor[] = [];
  private expected: readonly string[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly screenshots: string | undefined,
  ) {}

  static async begin(): Promise<Walk> {
    const [browser, screenshots] = await Promise.all([launchBrowser(), screenshotsFolder()]);
    return new Walk(browser, screenshots);
  }

  async newVisitor(origin: string, locale = 'en-GB'): Promise<Visitor> {
    const visitor = await Visitor.create(this.browser, origin, { locale });
    this.visitors.push(visitor);
    return visitor;
  }

  /** Console errors that the current test expects: responses with a status, or messages that contain these words. */
  expectErrors = (...consoleErrors: readonly (number | string)[]): void =>
    void (this.expected = consoleErrors.map((one) => (typeof one === 'number' ? `status of ${one} ` : one)));

  /** Checks accessibility at each width and in each color scheme. */
  checkPage = (visitor: Visitor, name: string): Promise<string[]> => visitor.checkLayouts(this.screenshots, name);

  /** After each test: closes all visitors and returns the console errors that the test did not expect. */
  async consoleErrors(): Promise<string[]> {
    const everybody = this.visitors.splice(0);
    await Promise.all(everybody.map((visitor) => visitor.leave()));
    const isExpected = (text: string) => NOT_SIGNED_IN.test(text) || this.expected.some((words) => text.includes(words));
    const consoleErrors = everybody.flatMap((visitor) => visitor.consoleErrors).filter((text) => !isExpected(text));
    this.expected = [];
    return consoleErrors;
  }

  end = (): Promise<void> => this.browser.close();
}
