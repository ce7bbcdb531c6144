import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';

/** Debian's; nothing is downloaded. */
const CHROMIUM = '/usr/bin/chromium';

function hasBrowser(): boolean {
  try {
    execFileSync(CHROMIUM, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      `No browser at ${CHROMIUM}: the tests that need one are skipped (Debian: apt-get install chromium fonts-noto-cjk)\n`,
    );
    return false;
  }
}

/** Whether a browser here has letters for Korean: without them it draws boxes, and prints pages that nobody can search. */
export function hasKoreanLetters(): boolean {
  try {
    return execFileSync('fc-list', [':lang=ko', 'family'], { stdio: ['ignore', 'pipe', 'ignore'] }).length > 0;
  } catch {
    return false;
  }
}

/** Asked when the tests are collected: without a browser they are skipped, and say so. */
export const describeWithBrowser = (name: string, suite: () => void): void => (hasBrowser() ? describe : describe.skip)(name, suite);

export async function launchBrowser(): Promise<Browser> {
  // Loaded by the few suites that have use for it.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** Slow 4G and a phone a few years old, as Lighthouse has them. */
const PHONE_NETWORK = { offline: false, latency: 150, downloadThroughput: (1_600 * 1_024) / 8, uploadThroughput: (750 * 1_024) / 8 };
const PHONE_CPU = { rate: 4 };

interface PhonePaint {
  readonly firstPaintMs: number;
  /** Of all that moved after it was painted, as the browser sums it up. */
  readonly shift: number;
  readonly photographs: number;
  readonly complaints: readonly string[];
}

/** What somebody sees who opens the address for the first time on such a phone, to the last photograph. */
export async function paintOnAPhone(browser: Browser, address: string): Promise<PhonePaint> {
  const context = await browser.newContext({ locale: 'ko-KR', viewport: { width: 390, height: 800 } });
  try {
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
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
    const seen = await tab.evaluate<Omit<PhonePaint, 'complaints'>>(`({
      firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      shift: window.shift,
      photographs: document.images.length,
    })`);
    return { ...seen, complaints };
  } finally {
    await context.close();
  }
}
