import { POSITIONS } from '@tire/kernel';
import { becomes, type startMailServer } from '@tire/test-harness';
import { MEASURED, type Counter } from './counter';
import type { Effort } from './hands';
import type { Photographs } from './photographs';

/** What the cars of a morning share. */
export interface Morning {
  readonly counter: Counter;
  readonly photographs: Photographs;
  readonly mail: Awaited<ReturnType<typeof startMailServer>>;
  /** The plate and the phone number of the customer who was here before. */
  readonly returning: { readonly plate: string; readonly phone: string };
}

export interface Car {
  readonly name: string;
  readonly plate: string;
  readonly served: (morning: Morning, plate: string) => Promise<void>;
}

const GAUGE_MM = [
  ['5.2', '5.4', '5.1'],
  ['5.0', '5.3', '5.1'],
  ['4.4', '4.6', '4.2'],
  ['4.3', '4.5', '4.4'],
];

/** With the camera of the counter's device, from the new report to the verdict. */
async function photographedCar({ counter, photographs }: Morning, plate: string, of: keyof Omit<Photographs, 'bad'>, word?: string) {
  await counter.newReport(plate);
  await counter.photographed(photographs[of]);
  return counter.judged(word);
}

async function critical(morning: Morning, plate: string): Promise<void> {
  const { counter } = morning;
  const { words, hands } = counter;
  const verdict = await photographedCar(morning, plate, 'worn', words.critical);
  expect(verdict).toContain(words.critical);
  await hands.click(counter.button(words.copyLink));
  await counter.button(words.copied).waitFor();
  expect(await counter.tab.evaluate('navigator.clipboard.readText()')).toMatch(/\/r\//);
  await counter.see('critical', true);
  await counter.handled();
}

/** The address of the capture link, which the page shows once. */
async function captureLink({ words, tab }: Counter): Promise<string> {
  const address = tab.getByRole('textbox', { name: words.link });
  await address.waitFor();
  return address.innerText();
}

/** At a phone with the link. `first` stands in the place of the first photograph, which is then taken again. */
async function photographedByPhone(morning: Morning, set: Photographs['good'], first?: string): Promise<void> {
  const { counter } = morning;
  const phone = await counter.phone(await captureLink(counter));
  const { words, hands, tab } = phone;
  hands.scanned();
  const place = (position: string) => tab.getByRole('heading', { name: `${position} · ${words.tread}`, level: 1 });
  // The browser has no camera. With one, the page takes the photographs itself, which is a step less.
  const camera = tab.locator('input[data-file="gallery"]');
  await phone.see('phone-welcome');
  await hands.click(tab.getByRole('button', { name: words.phoneStart }));
  const around = (['front_left', 'rear_left', 'rear_right', 'front_right'] as const).map(
    (position) => [position, words.positions[position]] as const,
  );
  for (const [index, [position, name]] of around.entries()) {
    await place(name).waitFor();
    if (index === 0) await phone.see('phone-photograph');
    await hands.photographInto(camera, index === 0 && first ? first : set[position]);
  }
  if (first) {
    await hands.read(tab.getByRole('listitem').filter({ has: tab.getByRole('button', { name: words.phoneAgain }) }));
    await phone.see('phone-again', true);
    await hands.click(tab.getByRole('button', { name: words.phoneAgain }));
    await hands.photographInto(camera, set.front_left);
    await tab.getByRole('button', { name: words.phoneAgain }).waitFor({ state: 'detached', ...MEASURED });
  }
  const [check, finish, thanks] = words.phoneFinish;
  await hands.click(tab.getByRole('button', { name: check }));
  await tab.getByRole('button', { name: finish, exact: true }).waitFor(MEASURED);
  await hands.click(tab.getByRole('button', { name: finish, exact: true }));
  await tab.getByRole('heading', { name: thanks }).waitFor();
  await phone.see('phone-done');
  counter.faults.push(...phone.faults);
  counter.pictures.push(...phone.pictures);
  expect(phone.errors()).toEqual([]);
  await phone.visitor.leave();
}

async function criticalByLink(morning: Morning, plate: string): Promise<void> {
  const { counter, photographs } = morning;
  const { words, hands, tab } = counter;
  await counter.newReport(plate, { byLink: true });
  await counter.see('capture-link', true);
  await photographedByPhone(morning, photographs.worn);
  await tab.getByText(words.measured).first().waitFor(MEASURED);
  await hands.click(counter.link(words.toReport));
  expect(await counter.judged(words.critical)).toContain(words.critical);
  await counter.handled();
}

async function badPhotograph(morning: Morning, plate: string): Promise<void> {
  const { counter, photographs } = morning;
  const { words, hands, tab } = counter;
  await counter.newReport(plate, { byLink: true });
  await photographedByPhone(morning, photographs.good, photographs.bad);
  await tab.getByText(words.measured).first().waitFor(MEASURED);
  await hands.click(counter.link(words.toReport));
  expect(await counter.judged()).not.toContain(words.critical);
  await counter.handled();
}

async function byHand({ counter }: Morning, plate: string): Promise<void> {
  const { words, hands, tab } = counter;
  await counter.worklist();
  await hands.click(counter.link(words.byHand));
  await counter.visitor.heading(words.byHandTitle).waitFor();
  await hands.type(counter.field(words.plate), plate);
  for (const [index, position] of POSITIONS.entries()) {
    const tire = tab.getByRole('group', { name: words.positions[position], exact: true });
    for (const groove of [1, 2, 3])
      await hands.typeNext(tire.getByLabel(words.groove(groove), { exact: true }), GAUGE_MM[index]![groove - 1]!);
  }
  await counter.see('by-hand', true);
  await hands.click(counter.button(words.create));
  await counter.judged();
  await counter.see('by-hand-report');
  await counter.handled();
}

async function returning(morning: Morning): Promise<void> {
  const { counter, returning: before } = morning;
  const { words, hands, tab } = counter;
  await hands.click(counter.part(words.customers));
  await hands.type(counter.field(words.phone), before.phone);
  await hands.click(counter.button(words.find));
  const found = tab.getByRole('list', { name: words.found });
  await becomes(() => found.getByRole('link').count(), 2);
  await counter.see('customers');
  await counter.newReport(before.plate, { mileage: '48210' });
  await counter.photographed(morning.photographs.good);
  await counter.judged();
  await hands.click(counter.link(words.allInspections));
  await hands.click(tab.getByRole('list', { name: words.vehicles }).getByRole('link', { name: before.plate }));
  await counter.visitor.heading(words.wear).waitFor();
  await hands.read(counter.section(words.wear));
  await counter.see('vehicle', true);
}

async function sent(morning: Morning, plate: string): Promise<void> {
  const { counter, mail } = morning;
  const { words, hands, tab } = counter;
  await photographedCar(morning, plate, 'good');
  const address = `customer-${counter.look.language}-${counter.look.device}@customer.example`;
  await hands.click(counter.button(words.record));
  await hands.type(counter.dialog().getByLabel(words.name, { exact: true }), counter.look.language === 'ko' ? '김하늘' : 'Ann Lee');
  await hands.typeNext(counter.dialog().getByLabel(words.phone, { exact: true }), '010-2345-6789');
  await hands.typeNext(counter.dialog().getByLabel(words.email, { exact: true }), address);
  await hands.check(counter.dialog().getByLabel(words.agrees));
  await counter.see('customer');
  await hands.click(counter.inDialog(words.save));
  await counter.dialog().waitFor({ state: 'detached' });
  await hands.click(counter.button(words.byMail));
  await counter.see('send-ask');
  await hands.click(counter.inDialog(words.byMail));
  const [message] = await mail.mailsTo(address);
  await tab.getByText(words.sent, { exact: true }).waitFor();
  await counter.see('sent', true);
  const link = /http:\/\/\S+/.exec(message!.text)![0];
  expect((await fetch(link)).status).toBe(200);
  await counter.handled();
}

async function printed(morning: Morning, plate: string): Promise<void> {
  const { counter } = morning;
  const { words, hands, tab } = counter;
  await photographedCar(morning, plate, 'good');
  await hands.click(counter.button(words.print));
  expect(await tab.evaluate('document.documentElement.dataset.printed')).toBe('yes');
  await counter.printedPages();
  await counter.handled();
}

/** The mechanic took the photograph of one tire twice. The page says so, and the second one is taken again. */
async function retaken(morning: Morning, plate: string): Promise<void> {
  const { counter, photographs } = morning;
  const { words, hands, tab } = counter;
  await counter.newReport(plate);
  await counter.photographed({ ...photographs.good, front_right: photographs.good.front_left });
  await hands.read(tab.getByText(words.alike));
  await counter.see('same-photograph', true);
  const replace = `${words.replace}: ${words.positions.front_right}, ${words.tread}`;
  await hands.click(counter.button(replace));
  await hands.photographInto(counter.dialog().getByLabel(words.image, { exact: true }), photographs.good.front_right);
  await counter.see('replace');
  await hands.click(counter.inDialog(words.send));
  await counter.dialog().waitFor({ state: 'detached', ...MEASURED });
  await tab.getByText(words.alike).waitFor({ state: 'detached', ...MEASURED });
  await counter.judged();
  await counter.handled();
}

export const CARS: readonly Car[] = [
  { name: 'critical, photographed at the counter, link copied', plate: '12가3401', served: critical },
  { name: "critical, photographed with a mechanic's phone", plate: '23나3402', served: criticalByLink },
  { name: 'a bad photograph, taken again at the phone of the customer', plate: '34다3403', served: badPhotograph },
  { name: 'measured by hand with a gauge', plate: '45라3404', served: byHand },
  { name: 'a returning customer, with the history of the vehicle', plate: '56마3405', served: returning },
  { name: 'report sent by e-mail', plate: '67바3406', served: sent },
  { name: 'report printed', plate: '78사3407', served: printed },
  { name: 'the same tire photographed twice, one taken again', plate: '89아3408', served: retaken },
];

export async function served(car: Car, morning: Morning): Promise<Effort> {
  const effort = morning.counter.begin();
  await car.served(morning, car.plate);
  return effort;
}
