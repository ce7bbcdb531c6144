import type { Report } from '@tire/contracts/api';
import { ImageHost } from './image-host';
import { imageOf } from './sample-images';
import { EVERY_SLOT, settled, slotOf, tread } from '../reports/reports';
import { apiOf, systemReady } from '../world';

const api = apiOf('test');
const image = { bytes: imageOf(tread('front_left').slot) };
const redirect = (location: string) => ({ status: 302, headers: { location } });
const ONE_PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const [forbidden, unreachable] = [
  { code: 'image_url_forbidden', retryable: false },
  { code: 'image_unreachable', retryable: true },
];

/** The response at an address, and the result of the slot. */
const CASES: [what: string, address: (host: ImageHost) => string, error: object | null][] = [
  ['three redirects to a photograph', (host) => chain(host, 3), null],
  ['four redirects', (host) => chain(host, 4), forbidden],
  ['nothing', (host) => host.serve('/nothing', { status: 404 }), unreachable],
  ['a host without an address', () => 'https://images.invalid/a.jpg', unreachable],
  ['a port other than 443', () => 'https://192.0.43.8:8443/a.jpg', forbidden],
  ['a redirect to a private address', (host) => host.serve('/to-private', redirect('https://192.168.0.1/a.jpg')), forbidden],
  ['a redirect to HTTP', (host) => host.serve('/to-http', redirect(`${host.origin.replace('https', 'http')}/photo.jpg`)), forbidden],
  ['a page', (host) => host.serve('/page', { bytes: Buffer.from('<html></html>') }), permanent('image_format_unsupported')],
  ['an empty file', (host) => host.serve('/empty', {}), permanent('image_format_unsupported')],
  ['half a photograph', (host) => host.serve('/half', { bytes: image.bytes.slice(0, 60_000) }), permanent('image_undecodable')],
  ['one pixel', (host) => host.serve('/pixel', { bytes: ONE_PIXEL }), permanent('image_too_small')],
  ['more than 20 MB', (host) => host.serve('/large', { bytes: Buffer.alloc(20_000_001 + 1_000_000) }), permanent('image_too_large')],
];

function permanent(code: string): object {
  return { code, retryable: false };
}

function chain(host: ImageHost, redirects: number): string {
  host.serve(`/chain-${redirects}/0`, image);
  for (let left = 1; left <= redirects; left++) host.serve(`/chain-${redirects}/${left}`, redirect(`/chain-${redirects}/${left - 1}`));
  return `${host.origin}/chain-${redirects}/${redirects}`;
}

describe('the address of an image', () => {
  const template = 'tire_4t_4s';
  const [half, reports] = [EVERY_SLOT.length, [] as Report[]];

  beforeAll(async () => {
    await systemReady();
    const host = await ImageHost.open();
    try {
      for (const cases of [CASES.slice(0, half), CASES.slice(half)]) {
        const images = cases.map(([, address], index) => ({ ...EVERY_SLOT[index]!, source: { url: address(host) } }));
        const { report_id } = (await api.create({ template, images })).done;
        reports.push(await settled(api, report_id));
      }
    } finally {
      await host.close();
    }
  });

  it('is refused at once where no look-up is needed, each with its place', async () => {
    const addresses = [
      'https://10.1.2.3/a.jpg',
      'https://localhost/a.jpg',
      'https://[::ffff:a9fe:a9fe]/latest/meta-data',
      'https://192.0.43.8/',
    ];
    const images = addresses.map((url, index) => ({ ...EVERY_SLOT[index]!, source: { url } }));
    const answer = await api.call('createReport', { body: { template, images } });
    const places = [0, 1, 2].map((index) => `images[${index}].source.url`);
    expect(answer.refusal).toEqual([422, 'validation_error', places[0]]);
    expect(answer.error.errors?.map(({ param }) => param)).toEqual(places);
  });

  it.each(CASES.map(([what, , error], index) => [what, index, error] as const))('%s', (_, index, error) => {
    const { status, analysis } = slotOf(reports[Math.floor(index / half)]!, EVERY_SLOT[index % half]!);
    expect([status, analysis.error]).toEqual([error ? 'failed' : 'success', error]);
  });
});
