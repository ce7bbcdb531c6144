import { Content } from '@tire/contracts/api';
import { RETAKE_HINTS, slotId, type Slot } from '@tire/kernel';
import { becomes, describeWithBrowser, tempDir, type Visitor } from '@tire/test-harness';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { answer, atTheShop } from './console-shop';
import { imageFile, imageOf } from '../images/sample-images';
import { settled } from '../reports/reports';

/** The timeout allows for a measurement on a busy machine. */
const MEASURED = { timeout: 180_000 };
const NAMES = { front_left: 'Front left', front_right: 'Front right', rear_left: 'Rear left', rear_right: 'Rear right' };
const NAMES_KO = ['앞 왼쪽', '앞 오른쪽', '뒤 왼쪽', '뒤 오른쪽'];

describeWithBrowser('reports are made in the console', () => {
  const { shop, checkPage, expectErrors } = atTheShop();

  async function begin(button: 'New report' | 'Measured by hand', visitor?: Visitor): Promise<Visitor> {
    const maker = visitor ?? (await shop().owner());
    await maker.open(`${shop().path}/reports`);
    await maker.link(button).click();
    return maker;
  }

  const place = ({ tab }: Visitor, { position, image_type }: Slot): Locator =>
    tab.getByRole('group', { name: `${NAMES[position]}, ${image_type}`, exact: true });
  /** Uses only the keyboard. */
  const choose = async (visitor: Visitor, slot: Slot, file = imageFile(slot)): Promise<void> => {
    const opened = visitor.tab.waitForEvent('filechooser');
    await place(visitor, slot)
      .getByRole('button', { name: /^(Choose|Replace)/ })
      .focus();
    await visitor.tab.keyboard.press('Enter');
    await (await opened).setFiles(file);
  };
  const drop = async (visitor: Visitor, slot: Slot): Promise<void> => {
    const base64 = Buffer.from(imageOf(slot)).toString('base64');
    const carried = await visitor.tab.evaluateHandle(`(() => {
      const carried = new DataTransfer();
      const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
      carried.items.add(new File([bytes], 'IMG_0001.jpg', { type: 'image/jpeg' }));
      return carried;
    })()`);
    await place(visitor, slot).dispatchEvent('drop', { dataTransfer: carried });
  };
  const tread = (position: Slot['position']): Slot => ({ position, image_type: 'tread' });
  const sidewall = (position: Slot['position']): Slot => ({ position, image_type: 'sidewall' });
  const idIn = (visitor: Visitor): string => /reports\/([0-9a-f-]{36})/.exec(visitor.tab.url())![1]!;

  it('creates a report from photographs: a bad one shows the reason and can be replaced', async () => {
    const visitor = await begin('New report');
    await visitor.heading('New report').waitFor();
    await checkPage(visitor, 'report-new');
    await visitor.fill('Plate number (optional)', '12가 3456');
    await visitor.button('Continue to the photographs').click();
    await visitor.heading('Photographs').waitFor();
    await checkPage(visitor, 'photographs-none');

    await choose(visitor, tread('front_left'), imageFile(sidewall('front_left')));
    const bad = place(visitor, tread('front_left'));
    await bad.getByText('Take it again').waitFor(MEASURED);
    await bad.getByText(RETAKE_HINTS.wheel_in_tread_slot.en).waitFor();
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    await visitor.tab.getByText(RETAKE_HINTS.wheel_in_tread_slot.ko).waitFor();
    await visitor.tab.getByLabel('언어 / Language').selectOption('English');
    await checkPage(visitor, 'photographs-bad');
    await choose(visitor, tread('front_left'));
    await place(visitor, tread('front_left'))
      .getByText(/^about \d\.\d mm \(\d\.\d to \d\.\d mm\)/)
      .waitFor();

    await drop(visitor, tread('front_right'));
    for (const slot of [tread('rear_left'), tread('rear_right'), sidewall('rear_right'), sidewall('front_left')])
      await choose(visitor, slot);
    await visitor.tab.getByText('Everything is measured').waitFor(MEASURED);
    await visitor.tab.getByText('4 of 4 treads measured · 2 of 2 sidewalls read').waitFor();
    await place(visitor, sidewall('front_right')).getByText('No longer needed').waitFor();
    await checkPage(visitor, 'photographs-done');

    const report = await settled(shop().api, idIn(visitor));
    expect(report).toMatchObject({
      analysis_status: 'complete',
      publication_status: 'published',
      creation: { source_channel: 'atrace_console', mode: 'automatic' },
      vehicle: { plate_number: '12가 3456' },
    });
    const sources = report.slots.filter(({ asset }) => asset).map(({ slot_id, asset }) => [slot_id, asset!.source.kind]);
    expect(sources).toHaveLength(6);
    expect(sources).toContainEqual([slotId(tread('front_right')), 'atrace_upload']);
    await visitor.tab.getByRole('link', { name: 'Go to the report' }).click();
    await visitor.tab.waitForURL(`**${shop().path}/reports/${report.report_id}`);
  });

  it('hands the photographs to somebody else by a link, which is shown once', async () => {
    const visitor = await begin('New report');
    await visitor.tab.getByLabel('Somebody else takes the photographs with a link').check();
    await visitor.button('Continue to the photographs').click();
    const address = visitor.tab.getByRole('textbox', { name: 'Address of the link' });
    await address.waitFor();
    const first = await address.innerText();
    expect((await fetch(first)).status).toBe(200);
    await visitor.tab.getByRole('img', { name: 'QR code of the capture link' }).waitFor();
    await checkPage(visitor, 'photographs-by-link');
    await visitor.tab.reload();
    await visitor.tab.getByText('Not opened yet').waitFor();
    expect(await address.count()).toBe(0);
    await visitor.button('Issue a new link').click();
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Issue a new link' }).click();
    await address.waitFor();
    const second = await address.innerText();
    expect(second).toMatch(/\/c\/[\w-]{43}$/);
    expect(second).not.toBe(first);
    await visitor.button('Withdraw the link').click();
    await visitor.tab.getByRole('dialog').getByRole('button', { name: 'Withdraw the link' }).click();
    await visitor.tab.getByText('Withdrawn', { exact: true }).waitFor();
    expect(await address.count()).toBe(0);
  });

  it('explains how to retake a dark sidewall and a blurred one', async () => {
    const visitor = await begin('New report');
    await visitor.button('Continue to the photographs').click();
    await visitor.heading('Photographs').waitFor();
    const slot = sidewall('front_left');
    const folder = await tempDir();
    const spoilt = async (name: string, spoil: (good: Sharp) => Sharp): Promise<string> => {
      const file = join(folder, `${name}.jpg`);
      await spoil(sharp(imageFile(slot)))
        .jpeg()
        .toFile(file);
      return file;
    };

    await choose(visitor, slot, await spoilt('dark', (good) => good.linear(0.015, 0)));
    await place(visitor, slot).getByText(RETAKE_HINTS.too_dark.en).waitFor(MEASURED);
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    await visitor.tab.getByText(RETAKE_HINTS.too_dark.ko).waitFor();
    await visitor.tab.getByLabel('언어 / Language').selectOption('English');

    await choose(visitor, slot, await spoilt('blurred', (good) => good.blur(14)));
    await place(visitor, slot).getByText(RETAKE_HINTS.blurred.en).waitFor(MEASURED);
    await checkPage(visitor, 'sidewall-blurred');
    await choose(visitor, slot);
    await place(visitor, slot).getByText('225/45R17').waitFor(MEASURED);
    await becomes(() => place(visitor, slot).getByText(RETAKE_HINTS.blurred.en).count(), 0);
  });

  it('distinguishes a failed upload from a file that is not a photograph, and keeps the rest of the form', async () => {
    const visitor = await begin('New report');
    await visitor.tab.getByLabel('Treads only').check();
    await visitor.button('Continue to the photographs').click();
    await visitor.heading('Photographs').waitFor();
    await becomes(() => visitor.tab.getByRole('group', { name: /sidewall$/ }).count(), 0);

    const slot = place(visitor, tread('rear_left'));
    expectErrors('ERR_FAILED');
    await visitor.tab.route('**/objects/**', (route) => route.abort());
    await choose(visitor, tread('rear_left'));
    await slot.getByText('The photograph could not be sent').waitFor();
    await visitor.tab.unroute('**/objects/**');

    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await visitor.tab.route('**/objects/**', async (route) => {
      await gate;
      await route.continue();
    });
    await slot.getByRole('button', { name: 'Try again: Rear left, tread' }).click();
    await slot.getByRole('progressbar', { name: 'Sending Rear left, tread' }).waitFor();
    await checkPage(visitor, 'photographs-sending');
    release();
    await slot.getByText(/^about \d\.\d mm \(\d\.\d to \d\.\d mm\)/).waitFor(MEASURED);

    const input = place(visitor, tread('front_left')).locator('input[type=file]').first();
    await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('5.2 mm') });
    await place(visitor, tread('front_left')).getByText('neither a JPEG nor a PNG').waitFor();
    await visitor.tab.reload();
    await slot.getByText(/^about \d\.\d mm \(\d\.\d to \d\.\d mm\)/).waitFor(MEASURED);
    await slot.getByRole('img', { name: 'Photograph: Rear left, tread' }).waitFor();
  });

  it('creates a report from typed depths with the keyboard alone; refuses impossible values and asks to confirm unusual ones', async () => {
    const visitor = await begin('Measured by hand', await shop().invited('Support'));
    await visitor.heading('Report measured by hand').waitFor();
    const { keyboard } = visitor.tab;
    const focused = () =>
      visitor.tab.evaluate<string>('document.activeElement.closest("fieldset")?.querySelector("legend").textContent ?? ""');
    await visitor.tab.getByLabel('Plate number (optional)').focus();
    await keyboard.type('34나 7788');
    // Past the other fields of the vehicle, and the control that hides some of them, to the first groove.
    for (let tabs = 0; tabs < 8 && (await focused()) !== 'Front left'; tabs += 1) await keyboard.press('Tab');
    await becomes(focused, 'Front left');
    await keyboard.type('52');
    await visitor.tab.getByText('Between 0 and 20 mm.').waitFor();
    await checkPage(visitor, 'manual-impossible');
    await keyboard.press('Backspace');
    const rest = [',2', '5.4', '5.1', '225/45R17', '9.5', '9.2', '9.1', '', '4', '4', '4', '', '5', '5'];
    for (const typed of rest) {
      await keyboard.type(typed);
      await keyboard.press('Tab');
    }
    await visitor.tab.getByText('9.5 mm is deeper than a new tire.').waitFor();
    // The last groove is missing: Enter moves the focus there from any field.
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await visitor.tab.getByText('Enter the depth of each groove.').waitFor();
    await becomes(focused, 'Rear right');
    await keyboard.type('5');
    await checkPage(visitor, 'manual');
    await keyboard.press('Enter');
    await visitor.heading('Is this what you measured?').waitFor();
    await visitor.tab.getByText('Front right: 9.5 mm is deeper than a new tire.').waitFor();
    await checkPage(visitor, 'manual-unusual');
    await answer(visitor, 'Yes, as measured').focus();
    await keyboard.press('Enter');
    await visitor.tab.waitForURL(/reports\/[0-9a-f-]{36}$/);

    const report = await settled(shop().api, idIn(visitor));
    expect(report).toMatchObject({
      creation: { source_channel: 'atrace_console', mode: 'manual' },
      analysis_status: 'complete',
      publication_status: 'published',
      vehicle: { plate_number: '34나 7788' },
      template: { key: 'tire_4t_4s' },
    });
    expect(new Set(report.slots.map(({ analysis }) => analysis.provenance))).toEqual(new Set(['manual']));
    const content = Content.parse((await shop().api.call('getContent', { report: report.report_id })).done);
    expect(content.tires.map(({ minimum_remaining_depth_mm, wear_pattern }) => [minimum_remaining_depth_mm, wear_pattern])).toEqual(
      [5.1, 9.1, 4, 5].map((depthMm) => [depthMm, null]),
    );
  });

  it('creates a report in Korean, with a photograph beside typed depths', async () => {
    const visitor = await begin('Measured by hand');
    await visitor.tab.getByLabel('Language / Language').selectOption('한국어');
    await visitor.heading('직접 측정한 보고서').waitFor();
    for (const name of NAMES_KO) {
      const tire = visitor.tab.getByRole('group', { name, exact: true });
      for (const groove of ['1 바깥쪽', '2', '3 안쪽']) await tire.getByLabel(`홈 ${groove}`, { exact: true }).fill('4.4');
    }
    await checkPage(visitor, 'manual-ko');
    await visitor.button('만들고 사진 추가').click();
    await visitor.heading('사진').waitFor();
    const slot = visitor.tab.getByRole('group', { name: '뒤 오른쪽 트레드', exact: true });
    await slot.getByText('입력한 값: 4.4mm').waitFor();
    const opened = visitor.tab.waitForEvent('filechooser');
    await slot.getByRole('button', { name: '선택: 뒤 오른쪽 트레드' }).click();
    await (await opened).setFiles(imageFile(tread('rear_right')));
    await slot.getByRole('img', { name: '사진: 뒤 오른쪽 트레드' }).waitFor();
    await slot.getByText('입력한 값: 4.4mm').waitFor();
    await checkPage(visitor, 'photographs-manual-ko');
    const report = await settled(shop().api, idIn(visitor));
    expect(report.slots.find(({ slot_id }) => slot_id === slotId(tread('rear_right')))).toMatchObject({
      asset: { source: { kind: 'atrace_upload' } },
      analysis: { provenance: 'manual', status: 'success' },
    });
  });
});
