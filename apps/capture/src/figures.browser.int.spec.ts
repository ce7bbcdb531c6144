import { becomes, describeWithBrowser, eventually, paintOnAPhone } from '@tire/test-harness';
import { eightPhotos } from './testing/photos.fixture';
import { byHand, phones } from './testing/phone.fixture';
import { cameraArguments } from './testing/video.fixture';

/** Short scenes, so that no time is spent on waiting for the next tire. */
const quickTires = async () => cameraArguments((await eightPhotos()).map((image) => ({ image, seconds: 0.2 })));
const LOOKS = 40;
/** A busy phone looks less often, and may miss a tire until the film shows it again. */
const PATIENCE = { timeoutMs: 240_000 };
jest.setTimeout(600_000);

/** As in the harness: Lighthouse's slow 4G. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: (1_600 * 1_024) / 8, uploadThroughput: (750 * 1_024) / 8 };

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))]!;

/** A limit of the times that are printed for the README. Only `npm run bench:capture` checks it, on a machine that does nothing else. */
const limitMs = (ms: number): number => (process.env['CAPTURE_BENCH'] ? ms : Infinity);

describeWithBrowser('figures', () => {
  const { serve, phoneAt, browser } = phones(quickTires);

  it('the first frame on a throttled phone comes without an error', async () => {
    const server = await serve();
    const { firstPaintMs, shift, consoleErrors } = await paintOnAPhone(browser(), server.link);
    process.stdout.write(
      `first frame at 1.6 Mbit/s, 150 ms and 4 x CPU: ${Math.round(firstPaintMs)} ms, layout shift ${shift.toFixed(3)}\n`,
    );
    expect(consoleErrors).toEqual([]);
    expect(firstPaintMs).toBeLessThan(limitMs(2_000));
  });

  it('the page can be used on such a phone', async () => {
    const server = await serve();
    const phone = await phoneAt(server, {}, 'about:blank');
    const devtools = await phone.tab.context().newCDPSession(phone.tab);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const beganMs = Date.now();
    await phone.tab.goto(server.link, { waitUntil: 'commit' });
    await phone.tab.getByRole('button', { name: 'I agree, start' }).waitFor();
    const usableMs = Date.now() - beganMs;
    process.stdout.write(`the page can be used after ${usableMs} ms\n`);
    expect(usableMs).toBeLessThan(limitMs(3_000));
  });

  it('a slow phone looks at the picture again and again', async () => {
    const server = await serve();
    const phone = await phoneAt(server, byHand(server));
    const devtools = await phone.tab.context().newCDPSession(phone.tab);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    const read = (name = 'capture.look') =>
      phone.tab.evaluate<number[]>(`performance.getEntriesByName('${name}').map(({ duration }) => duration)`);
    await eventually(async () => (await read('capture.sight')).length > 0, { ...PATIENCE, message: 'The network does not answer' });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await phone.tab.evaluate('performance.clearMeasures()');
    await eventually(async () => (await read()).length >= LOOKS && (await read('capture.sight')).length > 0, {
      ...PATIENCE,
      message: 'There are too few looks',
    });
    const looks = await read();
    // The worker is not throttled: its share is that of this machine, the way of the message is that of a slow phone.
    const sights = await read('capture.sight');
    process.stdout.write(
      `an answer of the network: median ${quantile(sights, 0.5).toFixed(1)} ms, 95 % ${quantile(sights, 0.95).toFixed(1)} ms of ${sights.length}\n`,
    );
    process.stdout.write(
      `a look at 4 x CPU: median ${quantile(looks, 0.5).toFixed(1)} ms, 95 % ${quantile(looks, 0.95).toFixed(1)} ms, longest ${Math.max(...looks).toFixed(1)} ms\n`,
    );
    expect(quantile(looks, 0.5)).toBeLessThan(limitMs(150));
  });

  it('eight photographs with an instant shutter, from opening the link to the last registration', async () => {
    const server = await serve();
    const beganMs = Date.now();
    const phone = await phoneAt(server, byHand(server));
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    // The film may show a tire a second time; then the page asks, and the next picture is another one.
    const press = (name: string) =>
      phone.tab
        .getByRole('button', { name })
        .click({ timeout: 500 })
        .then(
          () => true,
          () => false,
        );
    await eventually(
      async () => {
        if (!(await press('Take another one'))) await press('Take a photo');
        return (await phone.heading('Around the car').count()) === 1;
      },
      { ...PATIENCE, pollMs: 1, message: 'The car does not come' },
    );
    await becomes(() => server.report.applied.length, 8);
    process.stdout.write(`from opening the link to eight photographs registered: ${((Date.now() - beganMs) / 1_000).toFixed(1)} s\n`);
    expect(new Set(server.report.applied.map(({ slotId }) => slotId)).size).toBe(8);
  });
});
