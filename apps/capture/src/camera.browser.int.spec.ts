import { becomes, describeWithBrowser, eventually } from '@tire/test-harness';
import sharp from 'sharp';
import { FAULTS, plainFrames, videoFrame } from './testing/frames.fixture';
import { AROUND, byHand, nameOf, phones } from './testing/phone.fixture';
import { badlyFramed, eightPhotos, eightTires } from './testing/photos.fixture';
import { cameraArguments } from './testing/video.fixture';

/** Eight tires, one after another, each long enough for the shutter that waits for a good moment. */
const tires = async () => cameraArguments((await eightTires()).map((image) => ({ image, seconds: 2.5 })));

describeWithBrowser('the camera', () => {
  const { serve, phoneAt } = phones(tires);

  it('takes a photograph by itself when the moment is good, of each tire once, slot after slot', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    // A busy phone may miss a tire until the film shows it again.
    await eventually(() => server.report.applied.length >= 8, { timeoutMs: 240_000, message: 'Not every tire was taken' });
    expect(server.report.applied.map(({ slotId }) => slotId).toSorted()).toHaveLength(
      new Set(server.report.applied.map(({ slotId }) => slotId)).size,
    );
    const image = await sharp(server.report.imageOf('tire.tread.front_left')).metadata();
    expect(image).toMatchObject({ format: 'jpeg', width: 960, height: 720 });
    expect([image.exif, image.icc, image.xmp]).toEqual([undefined, undefined, undefined]);
  }, 300_000);

  it('the camera is opened once, however often the page changes meanwhile, and no stream stays on', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tab.evaluate(`{
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      window.streams = [];
      window.asked = 0;
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        window.asked++;
        await new Promise((resolve) => (window.give = resolve));
        const stream = await open(wanted);
        window.streams.push(stream);
        return stream;
      };
    }`);
    const asked = () => phone.tab.evaluate<number>('window.asked');
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await phone.tap('Automatic');
    await phone.tap('Automatic');
    await phone.tap('Automatic');
    expect(await asked()).toBe(1);
    expect(await phone.tab.getByRole('button', { name: 'Automatic' }).getAttribute('aria-pressed')).toBe('false');
    expect(await phone.tab.evaluate(`localStorage.getItem('capture.shutter')`)).toBe('manual');
    await phone.tab.evaluate('window.give()');
    await phone.tab.locator('.outline').waitFor();
    expect(await asked()).toBe(1);
    await phone.tap('Back');
    const live = 'window.streams.filter((stream) => stream.getTracks().some(({ readyState }) => readyState === "live")).length';
    await becomes(() => phone.tab.evaluate(live), 0);
    expect(await phone.tab.evaluate('window.streams.length')).toBe(1);
  });

  it('a shot that fails is said, and the phone takes the photograph another way', async () => {
    const server = await serve();
    const [photo] = await eightPhotos();
    const phone = await phoneAt(server, byHand(server));
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await phone.tab.locator('.outline').waitFor();
    // As a browser that has no memory left for the picture.
    await phone.tab.evaluate(`{
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (give) {
        HTMLCanvasElement.prototype.toBlob = toBlob;
        window.failed = this;
        give(null);
      };
    }`);
    await phone.tap('Take a photo');
    await phone.tab.getByText('The photo did not succeed.').waitFor();
    expect(await phone.tab.evaluate('[window.failed.width, window.failed.height]')).toEqual([0, 0]);
    expect(await phone.checkState('failed-shot')).toEqual([]);
    expect(server.report.assets.size).toBe(0);
    await phone.give(photo!, 'camera');
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    await becomes(() => server.report.applied.length, 1);
  });

  it('the shutter by hand, the gallery beside it, and back', async () => {
    const server = await serve();
    const phone = await phoneAt(server, byHand(server));
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await phone.tab.locator('.outline').waitFor();
    expect(await phone.checkState('camera-tread')).toEqual([]);
    await phone.tap('Take a photo');
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
    expect(await phone.checkState('camera-sidewall')).toEqual([]);
    await phone.tap('From the gallery');
    await phone.tab.getByText('The whole wheel in the circle.').waitFor();
    await phone.tap('Back');
    await becomes(() => phone.stateOf(AROUND[0]!), 'good');
    expect(server.report.applied).toHaveLength(1);
    // The camera is put away with the picture.
    expect(await phone.tab.locator('video').count()).toBe(0);
  });
});

const faults = async () => {
  const [photo] = await eightPhotos();
  const frame = await videoFrame(photo!);
  const [dark, bright, blurred] = await Promise.all([FAULTS.too_dark[1]!(frame), FAULTS.too_bright[1]!(frame), FAULTS.blurred[2]!(frame)]);
  const [, plain] = await plainFrames();
  return cameraArguments([dark, bright, plain!, blurred].map((image) => ({ image: image!, seconds: 2 })));
};

describeWithBrowser('hints while framing', () => {
  const { serve, phoneAt } = phones(faults);

  it('say what is wrong, and nothing is taken by itself meanwhile', async () => {
    const server = await serve();
    const phone = await phoneAt(server);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    for (const text of ['Too dark.', 'Too bright.', 'No tire to be seen.', 'Not sharp.']) await phone.tab.getByText(text).first().waitFor();
    expect(await phone.checkState('camera-hint')).toEqual([]);
    expect(await phone.heading(nameOf(AROUND[0]!)).count()).toBe(1);
    expect(server.report.assets.size).toBe(0);
  });
});

const framings = async () => {
  const { wall, wheel, far } = await badlyFramed();
  return cameraArguments([wall, wheel, far].map((image) => ({ image, seconds: 3 })));
};
/** Files of the network. */
const OF_NETWORK = /\.(wasm|onnx)$|network-worker/;

describeWithBrowser('hints of the network', () => {
  const { serve, phoneAt } = phones(framings);

  it('say that there is no tire, the wrong side of it or one too far away; they are loaded once the camera runs', async () => {
    const server = await serve();
    const phone = await phoneAt(server, byHand(server));
    await phone.tap('I agree, start');
    expect(server.files.filter((name) => OF_NETWORK.test(name))).toEqual([]);
    await phone.tap('Open the camera');
    for (const [text, name] of [
      ['This is the side of the wheel.', 'camera-side'],
      ['Too far away.', 'camera-far'],
      ['No tire to be seen.', 'camera-no-tire'],
    ] as const) {
      await phone.tab.getByText(text).first().waitFor();
      expect(await phone.checkState(name)).toEqual([]);
    }
    expect(server.files.filter((name) => OF_NETWORK.test(name))).toHaveLength(3);
    // The button does not wait.
    await phone.tap('Take a photo');
    await phone.heading(nameOf(AROUND[1]!)).waitFor();
  });

  it('are not loaded by somebody who saves data, and the page works without them', async () => {
    const server = await serve();
    const phone = await phoneAt(server, {}, 'about:blank');
    await phone.tab.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
    await phone.tab.goto(server.link);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await eventually(() => server.report.applied.length > 0);
    expect(server.files.filter((name) => OF_NETWORK.test(name))).toEqual([]);
  });

  it('are missed by nobody where they cannot be loaded', async () => {
    const server = await serve();
    const phone = await phoneAt(server, {}, 'about:blank');
    await phone.tab.route('**/*.onnx', (route) => route.abort());
    await phone.tab.goto(server.link);
    await phone.tap('I agree, start');
    await phone.tap('Open the camera');
    await eventually(() => server.report.applied.length > 0);
  });
});
