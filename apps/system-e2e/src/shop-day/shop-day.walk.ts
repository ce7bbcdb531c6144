import { REPOSITORY_ROOT } from '@tire/local-stack';
import { describeWithBrowser, launchBrowser, startMailServer, tempDir, Walk, type InvitedRole } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { consoleOrigin, PASSWORD, Shop } from '../console/console-shop';
import { systemReady } from '../world';
import { CARS, served } from './cars';
import { Counter, type Language } from './counter';
import type { Device } from './hands';
import { photographs, type Photographs } from './photographs';
import { montage } from './pictures';
import { tableOf, withTable, type Served } from './table';

/** The hands-on time that a car may take. */
const SECONDS_MAX = 120;
const MORNING_MS = 1_200_000;
const CONSOLE = join(REPOSITORY_ROOT, 'apps/console');
const BEFORE = [
  { mileage_km: 31_000, depthMm: 7.9 },
  { mileage_km: 39_500, depthMm: 7.2 },
];

type Role = 'owner' | InvitedRole;

const MORNINGS: readonly (readonly [Language, Device, Role, 'light' | 'dark'])[] = [
  ['ko', 'phone', 'Support', 'light'],
  ['en', 'desktop', 'owner', 'light'],
  ['ko', 'desktop', 'Administrator', 'dark'],
  ['en', 'phone', 'Support', 'dark'],
];

/** The parts of a project and of the organization that a role sees. */
const SEEN: Readonly<Record<Role, { readonly customers: boolean; readonly members: boolean }>> = {
  owner: { customers: true, members: true },
  Administrator: { customers: true, members: true },
  Developer: { customers: false, members: false },
  Support: { customers: true, members: false },
};

describeWithBrowser("a shop's morning with eight cars", () => {
  let walk: Walk;
  let browser: Browser;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let images: Photographs;
  const done: Served[] = [];
  const whole: Sheet[] = [];

  beforeAll(async () => {
    await systemReady();
    mail = await startMailServer({ port: Number(process.env['SMTP_PORT']) });
    [walk, browser, images] = await Promise.all([Walk.begin(), launchBrowser(), photographs(await tempDir())]);
  }, 120_000);
  afterAll(async () => {
    await walk?.end();
    await browser?.close();
    await mail?.stop();
  });
  afterEach(async () => expect(await walk.consoleErrors()).toEqual([]));

  it.each(MORNINGS)(
    '%s, %s, as %s',
    async (language, device, role, colorScheme) => {
      const shop = await Shop.open(walk);
      const [email, returning] = [await account(shop, role), await returningCustomer(shop)];
      const counter = await Counter.open(browser, consoleOrigin(), { language, device });
      await counter.signIn(email, PASSWORD);
      await counter.visitor.open(`${shop.path}/reports`);
      expect(await counter.sees()).toEqual(SEEN[role]);
      // A car that fails does not hide the cars after it.
      const failures: string[] = [];
      for (const [index, car] of CARS.entries()) {
        const effort = await served(car, { counter, photographs: images, mail, returning }).catch(async (error: Error) => {
          failures.push(`${car.name}: ${error.stack}`);
          await counter.failed(index);
          return null;
        });
        if (!effort) continue;
        done.push({ car: index, device, language, effort });
        process.stdout.write(`${language}, ${device}, car ${index + 1}: ${effort.steps} steps, ${effort.seconds.toFixed(1)} s\n`);
        if (effort.seconds >= SECONDS_MAX) failures.push(`${car.name}: ${Math.ceil(effort.seconds)} s`);
      }
      expect(failures).toEqual([]);
      await endOfMorning(counter);
      expect(counter.faults).toEqual([]);
      expect(counter.errors()).toEqual([]);
      await developerSees(browser, shop, counter.look);
      whole.push(await sheetOf(counter, colorScheme));
    },
    MORNING_MS,
  );

  it('writes the table of the README', async () => {
    expect(done).toHaveLength(MORNINGS.length * CARS.length);
    // One that failed after its last car too writes nothing.
    expect(whole).toHaveLength(MORNINGS.length);
    const table = tableOf(CARS, done);
    process.stdout.write(`${table}\n`);
    if (process.env['SHOP_DAY'] !== 'write') return;
    for (const { name, bytes } of whole) await writeFile(join(CONSOLE, 'docs', name), bytes);
    const readme = join(CONSOLE, 'README.md');
    const shown = MORNINGS.map(([language, device]) => `![A morning: ${language}, ${device}](docs/morning-${device}-${language}.webp)`);
    await writeFile(readme, withTable(await readFile(readme, 'utf8'), [table, '', ...shown].join('\n')));
  });
});

interface Sheet {
  readonly name: string;
  readonly bytes: Buffer;
}

async function sheetOf({ pictures, look: { device, language } }: Counter, colorScheme: string): Promise<Sheet> {
  const shown = pictures.filter((picture) => picture.colorScheme === colorScheme);
  return { name: `morning-${device}-${language}.webp`, bytes: await montage(shown, device) };
}

async function account(shop: Shop, role: Role): Promise<string> {
  if (role === 'owner') return shop.ownerEmail;
  const email = `${randomUUID()}@shop.example`;
  await (await shop.invited(role, email)).leave();
  return email;
}

async function returningCustomer(shop: Shop) {
  const owner = await shop.owner();
  const plate = CARS[4]!.plate;
  const phone = '010-8765-4321';
  for (const { mileage_km, depthMm } of BEFORE) {
    const reportId = await shop.entered(owner, depthMm, { plate_number: plate, mileage_km });
    await shop.request(owner, 'PATCH', `reports/${reportId}/visit`, { name: '박서준', phone });
  }
  await owner.leave();
  return { plate, phone };
}

/** What is left is marked in the list, and the worklist is empty. */
async function endOfMorning(counter: Counter): Promise<void> {
  const { words, tab } = counter;
  await counter.worklist();
  await tab.getByRole('list', { name: words.worklist }).getByRole('listitem').first().waitFor();
  await counter.see('worklist');
  await tab.getByLabel(words.selectAll).check();
  await counter.see('worklist-selected');
  await counter.button(words.markHandled).click();
  await tab.getByText(words.nothingLeft).waitFor();
  await counter.see('worklist-done');
}

/** Sees the reports, and the customer masked; sends nothing. */
async function developerSees(browser: Browser, shop: Shop, { language, device }: Counter['look']): Promise<void> {
  const email = await account(shop, 'Developer');
  const developer = await Counter.open(browser, consoleOrigin(), { language, device });
  const { words, tab } = developer;
  await developer.signIn(email, PASSWORD);
  await developer.visitor.open(`${shop.path}/reports?search=${encodeURIComponent(CARS[5]!.plate)}&view=all`);
  expect(await developer.sees()).toEqual(SEEN.Developer);
  await developer.link(CARS[5]!.plate).click();
  await developer.section(words.customer).getByText('010-****-6789').waitFor();
  expect(await developer.section(words.customer).getByRole('button').count()).toBe(0);
  expect(await developer.button(words.byMail).count()).toBe(0);
  await developer.see('developer');
  expect(await tab.getByText('010-2345-6789').count()).toBe(0);
  expect(developer.faults).toEqual([]);
  expect(developer.errors()).toEqual([]);
  await developer.visitor.leave();
}
