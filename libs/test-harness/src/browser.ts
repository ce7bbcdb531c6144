import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';

/** Debian's; nothing is downloaded. */
const CHROMIUM = '/usr/bin/chromium';

/** Asked when the tests are collected: without a browser they are skipped, and say so. */
export function hasBrowser(): boolean {
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
