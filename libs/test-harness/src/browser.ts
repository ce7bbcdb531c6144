import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

/** Browsers of Debian's packages; nothing is downloaded. The first one has no user interface and needs less time for the same page. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const BROWSER = BROWSERS.find((path) => existsSync(path));

function hasBrowser(): boolean {
  if (BROWSER) return true;
  process.stderr.write(
    'No browser: the tests that need one are skipped (Debian: apt-get install chromium-headless-shell fonts-noto-cjk)\n',
  );
  return false;
}

/** Whether a font for Korean is installed. Without one the browser draws boxes, and printed pages have no searchable text. */
export function hasKoreanLetters(): boolean {
  try {
    return execFileSync('fc-list', [':lang=ko', 'family'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
}

/** Evaluated when Jest collects the tests. Without a browser they are skipped with a message. */
export const describeWithBrowser = (name: string, suite: () => void): void => (hasBrowser() ? describe : describe.skip)(name, suite);

export async function launchBrowser(moreArguments: readonly string[] = []): Promise<Browser> {
  // Only a few suites need it.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: BROWSER,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...moreArguments,
    ],
  });
}

/** Slow 4G and a phone a few years old, with the values of Lighthouse. */
const PHONE_NETWORK = { offline: false, latency: 150, downloadThroughput: (1_600 * 1_024) / 8, uploadThroughput: (750 * 1_024) / 8 };
const PHONE_CPU = { rate: 4 };

interface PhonePaint {
  readonly firstPaintMs: number;
  /** The sum of all layout shifts after the first paint. */
  readonly shift: number;
  readonly images: number;
  /** The endings of the files of its images. */
  readonly formats: readonly string[];
  readonly consoleErrors: readonly string[];
}

/** Opens the address on such a phone with an empty cache and waits for the last image. */
export async function paintOnAPhone(browser: Browser, address: string): Promise<PhonePaint> {
  const context = await browser.newContext({ locale: 'ko-KR', viewport: { width: 390, height: 800 } });
  try {
    const tab = await context.newPage();
    tab.setDefaultTimeout(100_000);
    const consoleErrors: string[] = [];
    tab.on('console', (message) => consoleErrors.push(message.text()));
    tab.on('pageerror', (error) => consoleErrors.push(error.message));
    const devtools = await context.newCDPSession(tab);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', PHONE_NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', PHONE_CPU);
    await tab.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    await tab.goto(address);
    await tab.evaluate(`Promise.all([...document.images].map((image) => image.decode()))`);
    const seen = await tab.evaluate<Omit<PhonePaint, 'consoleErrors'>>(`({
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      shift: window.shift,
      images: document.images.length,
      formats: [...new Set([...document.images].map(({ currentSrc }) => new URL(currentSrc).pathname.split('.').at(-1)))].sort(),
    })`);
    return { ...seen, consoleErrors };
  } finally {
    await context.close();
  }
}
