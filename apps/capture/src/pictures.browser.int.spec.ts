import { becomes, describeWithBrowser } from '@tire/test-harness';
import type { SlotId } from '@tire/kernel';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { nameOf, AROUND, phones } from './testing/phone.fixture';
import { eightPhotos } from './testing/photos.fixture';

const FIRST: SlotId = 'tire.tread.front_left';

/** Red above left, blue below right, as a viewer sees it. */
const upright = (width: number, height: number) => {
  const corner = (color: string) =>
    sharp({ create: { width: width / 2, height: height / 2, channels: 3, background: color } })
      .png()
      .toBuffer();
  return Promise.all([corner('#e00000'), corner('#0000e0')]).then(([red, blue]) =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } })
      .composite([
        { input: red!, left: 0, top: 0 },
        { input: blue!, left: width / 2, top: height / 2 },
      ])
      .png()
      .toBuffer(),
  );
};

/** The stored pixels of a camera that was held so that this orientation makes them upright. */
async function heldAs(image: Buffer, orientation: number): Promise<Buffer> {
  const turned = sharp(image);
  // The inverse of what a viewer does: sharp flips before it turns.
  const [degrees, flips] = [
    [0, false],
    [0, true],
    [180, false],
    [180, true],
    [90, true],
    [270, false],
    [270, true],
    [90, false],
  ][orientation - 1] as [number, boolean];
  const stored = await (flips ? sharp(await turned.rotate(degrees).png().toBuffer()).flop() : turned.rotate(degrees)).png().toBuffer();
  return sharp(stored).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
}

async function colorAt(image: Buffer, x: number, y: number): Promise<'red' | 'blue' | 'grey'> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
  const [red, , blue] = data.subarray(at, at + 3) as unknown as [number, number, number];
  return red > 180 ? 'red' : blue > 180 ? 'blue' : 'grey';
}

const cornersOf = (image: Buffer) =>
  Promise.all([colorAt(image, 0.25, 0.25), colorAt(image, 0.75, 0.25), colorAt(image, 0.25, 0.75), colorAt(image, 0.75, 0.75)]);
const UPRIGHT = ['red', 'grey', 'grey', 'blue'];

describeWithBrowser('pictures of other cameras', () => {
  const { serve, phoneAt, browser } = phones();

  it('are sent upright, whatever EXIF says of how the camera was held', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    const image = await upright(640, 480);
    for (let orientation = 1; orientation <= 8; orientation++) {
      const photo = await heldAs(image, orientation);
      // The test itself: a viewer that follows EXIF sees it upright.
      expect(await cornersOf(await sharp(photo).rotate().png().toBuffer())).toEqual(UPRIGHT);
      await phone.heading(nameOf(AROUND[0]!)).waitFor();
      await phone.give(photo);
      await becomes(() => server.report.applied.length, orientation);
      const sent = server.report.imageOf(FIRST)!;
      expect(await sharp(sent).metadata()).toMatchObject({ width: 640, height: 480 });
      expect([orientation, await cornersOf(sent)]).toEqual([orientation, UPRIGHT]);
      await becomes(() => server.report.slots.get(FIRST)!.result?.status, 'success');
      await phone.tap('Back');
      await phone.tab.locator(`.spot[data-slot="${FIRST}"]`).click();
    }
  });

  it.each([
    ['12 megapixels', 4_032, 3_024],
    ['48 megapixels', 8_064, 6_048],
  ])('of %s are scaled to 1,920 px', async (_, width, height) => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.give(
      await sharp(await upright(width, height))
        .jpeg({ quality: 80 })
        .toBuffer(),
    );
    await becomes(() => server.report.applied.length, 1);
    const sent = server.report.imageOf(FIRST)!;
    expect(await sharp(sent).metadata()).toMatchObject({ width: 1_920, height: 1_440 });
    expect(await cornersOf(sent)).toEqual(UPRIGHT);
  });

  it('in a frame of an allowed page, that page learns what happens, and no other one does', async () => {
    const parent = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Partner</h1>'));
    await once(parent.listen(0, '127.0.0.1'), 'listening');
    const parentOrigin = `http://127.0.0.1:${(parent.address() as AddressInfo).port}`;
    try {
      for (const [embedOrigins, expected] of [
        [`https://other.example ${parentOrigin}`, ['capture.opened', 'capture.slot', 'capture.finished']],
        ['https://other.example', []],
        [undefined, []],
      ] as const) {
        const server = await serve({ embedOrigins });
        const context = await browser().newContext({ locale: 'en-GB' });
        const tab = await context.newPage();
        await tab.goto(parentOrigin);
        await tab.evaluate(`
          window.events = [];
          window.addEventListener('message', ({ data, origin }) => window.events.push({ ...data, origin }));
          const frame = document.createElement('iframe');
          frame.src = ${JSON.stringify(server.link)};
          frame.style = 'width: 360px; height: 740px';
          document.body.append(frame);`);
        const inside = tab.frameLocator('iframe');
        await inside.getByRole('button', { name: 'I agree, start' }).click();
        const [photo] = await eightPhotos();
        await inside.locator('input[data-file="gallery"]').setInputFiles({ name: 'x', mimeType: 'image/jpeg', buffer: photo! });
        await inside.getByRole('button', { name: 'Back' }).click();
        await inside.locator('.spot.good').waitFor();
        await inside.getByRole('button', { name: 'Check and finish' }).click();
        await inside.getByRole('button', { name: 'Finish without them' }).click();
        await inside.getByRole('heading', { name: 'Thank you, that is all' }).waitFor();
        const events = await tab.evaluate<{ type: string; origin: string }[]>('window.events');
        expect([...new Set(events.map(({ type }) => type))]).toEqual(expected);
        expect(events.every(({ origin }) => origin === server.origin)).toBe(true);
        expect(JSON.stringify(events)).not.toContain('aB3-_');
        await context.close();
      }
    } finally {
      parent.close();
    }
  });
});
