import { launchBrowser, screenshotsFolder, Visitor } from '@tire/test-harness';
import type { Slot } from '@tire/kernel';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CaptureServer, type ServerSettings } from './capture-server.fixture';

/** A phone of 360 px. `SCREENSHOTS=folder` keeps a picture of each state that a test checks. */
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, locale: 'en-GB' };

/** Messages that the browser logs for requests that a test breaks on purpose. */
const BROKEN_REQUESTS = /Failed to load resource|net::ERR_/;

const POSITIONS = { front_left: 'Front left', front_right: 'Front right', rear_left: 'Rear left', rear_right: 'Rear right' };
const TYPES = { tread: 'Tread', sidewall: 'Sidewall' };
export const nameOf = ({ position, image_type }: Slot): string => `${POSITIONS[position]} · ${TYPES[image_type]}`;

/** In the order in which one walks round a car. */
export const AROUND: readonly Slot[] = (['front_left', 'rear_left', 'rear_right', 'front_right'] as const).flatMap((position) =>
  (['tread', 'sidewall'] as const).map((image_type) => ({ position, image_type })),
);

export class Phone {
  private constructor(
    readonly visitor: Visitor,
    private readonly folder: string | undefined,
  ) {}

  static async take(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Phone> {
    const visitor = await Visitor.create(browser, origin, { ...PHONE, ...options });
    return new Phone(visitor, await screenshotsFolder());
  }

  get tab(): Page {
    return this.visitor.tab;
  }

  /** Errors of the page's own. */
  errors = (): string[] => this.visitor.consoleErrors.filter((text) => !BROKEN_REQUESTS.test(text));

  heading = (name: string | RegExp) => this.tab.getByRole('heading', { name, level: 1 });
  tap = (name: string | RegExp) => this.tab.getByRole('button', { name }).click();

  /** Chooses a file in the place of the camera. */
  give = (photo: Buffer, kind: 'camera' | 'gallery' = 'gallery', type = 'image/jpeg') =>
    this.tab.locator(`input[data-file="${kind}"]`).setInputFiles({ name: 'photo', mimeType: type, buffer: photo });

  /** The words of a slot's button at the car. */
  stateOf = async (slot: Slot): Promise<string> => {
    const id = `tire.${slot.image_type}.${slot.position}`;
    return (await this.tab.locator(`.spot[data-slot="${id}"] .state`).innerText()).replace(/^\S+ /, '');
  };

  async checkState(name: string, { width, height } = PHONE.viewport): Promise<string[]> {
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.tab.emulateMedia({ colorScheme });
      // As high as the page: what lies under the buttons of the lower edge now can be scrolled from there, which axe does not know.
      await this.tab.setViewportSize({ width, height: 2_000 });
      faults.push(...(await this.visitor.violations()).map((violation) => `${name}, ${colorScheme}: ${violation}`));
      await this.tab.setViewportSize({ width, height });
      const beyondPx = await this.tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      if (beyondPx > 0) faults.push(`${name}: ${beyondPx} px too wide`);
      if (this.folder) await this.tab.screenshot({ path: join(this.folder, `${name}-${colorScheme}.png`) });
    }
    await this.tab.emulateMedia({ colorScheme: 'light' });
    return faults;
  }

  leave = () => this.visitor.leave();
}

/** A phone whose owner switched the automatic shutter off: it must not take what the camera shows before a test gets to the switch. */
export const byHand = ({ origin }: CaptureServer): BrowserContextOptions => ({
  storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'capture.shutter', value: 'manual' }] }] },
});

/** One browser for a suite; a server and phones for each test. Each test fails on errors of the page. */
export function phones(browserArguments: () => Promise<readonly string[]> = () => Promise.resolve([])) {
  let browser: Browser;
  let taken: Phone[] = [];
  let servers: CaptureServer[] = [];

  beforeAll(async () => {
    browser = await launchBrowser(await browserArguments());
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const errors = taken.flatMap((phone) => phone.errors());
    const referrers = servers.flatMap((server) => server.referrers);
    await Promise.all(taken.map((phone) => phone.leave()));
    await Promise.all(servers.map((server) => server.stop()));
    [taken, servers] = [[], []];
    expect(errors).toEqual([]);
    // The address of the page holds the token.
    expect(referrers.filter((address) => address.includes('/c/'))).toEqual([]);
  });

  return {
    async serve(settings?: ServerSettings): Promise<CaptureServer> {
      const server = await CaptureServer.start(settings);
      servers.push(server);
      return server;
    },
    async phoneAt(server: CaptureServer, options?: BrowserContextOptions, address = server.link): Promise<Phone> {
      const phone = await Phone.take(browser, server.origin, options);
      taken.push(phone);
      await phone.tab.goto(address);
      return phone;
    },
    browser: () => browser,
  };
}
