import { describeWithBrowser, launchBrowser } from '@tire/test-harness';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { contentFixture, FIXTURE_IDS } from './content.fixture';
import { reportPage } from './document/report-page';

const [WIDTH_PX, HEIGHT_PX] = [320, 240];
/** In stored coordinates, at a position that no rotation or flip maps to itself. */
const GROOVE = { left: 0.1, top: 0.15, right: 0.3, bottom: 0.8 };
/** Grey levels of 255. The smoothing of edges depends on the rotation. */
const DIFFERENCE_MAX = 3;

/** The stored pixels are the same for each number; the number defines how they are turned for people. The result has no number. */
function image(orientation: number): Promise<Buffer> {
  const place = (share: number, sizePx: number): number => Math.round(share * sizePx);
  const groove = sharp({
    create: {
      width: place(GROOVE.right - GROOVE.left, WIDTH_PX),
      height: place(GROOVE.bottom - GROOVE.top, HEIGHT_PX),
      channels: 3,
      background: '#000',
    },
  });
  return groove
    .png()
    .toBuffer()
    .then((input) =>
      sharp({ create: { width: WIDTH_PX, height: HEIGHT_PX, channels: 3, background: '#fff' } })
        .composite([{ input, left: place(GROOVE.left, WIDTH_PX), top: place(GROOVE.top, HEIGHT_PX) }])
        .withMetadata({ orientation })
        .jpeg({ quality: 100 })
        .toBuffer(),
    )
    .then((stored) => sharp(stored).autoOrient().jpeg({ quality: 95 }).toBuffer());
}

function pageOf(origin: string, imagesOrigin: string, orientation: number, degrees: number, mirrored: boolean) {
  const content = contentFixture();
  const [overlay] = content.render_data.tread_overlays;
  const { left, top, right, bottom } = GROOVE;
  overlay!.coordinate_system = { ...overlay!.coordinate_system, rotation_degrees_clockwise: degrees, mirror_x: mirrored };
  const corners: [number, number][] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  overlay!.groove_masks = [{ ...overlay!.groove_masks[0]!, polygon_xy_norm: corners }];
  return reportPage({
    content: { ...content, render_data: { ...content.render_data, tread_overlays: [overlay!] } },
    images: new Map([
      [
        FIXTURE_IDS.tread,
        {
          smallUrl: `${imagesOrigin}/${orientation}.jpg?small`,
          thumbnailUrl: `${imagesOrigin}/${orientation}.jpg`,
          orientation,
          widthPx: WIDTH_PX,
          heightPx: HEIGHT_PX,
        },
      ],
    ]),
    imageOrigin: imagesOrigin,
    cardUrl: `${origin}/card.png`,
    pdfUrl: `${origin}/r.pdf`,
  });
}

describeWithBrowser('grooves over a photograph that its camera stored turned', () => {
  let browser: Browser;
  let server: Server;
  /** Images come from another origin, as from the object store, because browsers give a page less information about such images. */
  let images: Server;

  const originOf = async (listening: Server): Promise<string> => {
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    images = createServer((request, response) => {
      void image(Number.parseInt(request.url!.slice(1), 10)).then((body) => response.setHeader('content-type', 'image/jpeg').end(body));
    });
    const imagesOrigin = await originOf(images);
    server = createServer((request, response) => {
      const requested = new URL(request.url!, 'http://page').searchParams;
      if (!requested.has('orientation')) return void response.writeHead(204).end();
      const page = pageOf(
        '',
        imagesOrigin,
        Number(requested.get('orientation')),
        Number(requested.get('degrees')),
        requested.has('mirrored'),
      );
      response.writeHead(page.status, page.headers).end(page.html);
    });
    await originOf(server);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    for (const one of [server, images]) {
      one?.closeAllConnections();
      one?.close();
    }
  });

  async function seen(orientation: number, degrees: number, mirrored: boolean): Promise<Buffer> {
    const tab = await browser.newPage({ viewport: { width: 390, height: 800 } });
    tab.setDefaultTimeout(100_000);
    try {
      const { port } = server.address() as AddressInfo;
      await tab.goto(`http://127.0.0.1:${port}/?orientation=${orientation}&degrees=${degrees}${mirrored ? '&mirrored' : ''}`);
      await tab.evaluate(`Promise.all([...document.images].map((image) => image.decode()))`);
      const shot = await tab.locator('.photo').first().screenshot();
      return await sharp(shot).removeAlpha().raw().toBuffer();
    } finally {
      await tab.close();
    }
  }

  const meanDifference = (a: Buffer, b: Buffer): number => a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;

  it.each([
    [0, false],
    [90, false],
    [30, true],
  ])('turned by %i degrees, flipped: %s', async (degrees, mirrored) => {
    const stored = await seen(1, degrees, mirrored);
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      const turned = await seen(orientation, degrees, mirrored);
      expect([orientation, turned.length]).toEqual([orientation, stored.length]);
      const difference = meanDifference(turned, stored);
      expect(`${orientation}: ${difference < DIFFERENCE_MAX ? 'the same' : difference}`).toBe(`${orientation}: the same`);
    }
  });
});
