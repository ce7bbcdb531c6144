import { exif } from './exif';
import { cuts, image, noise, type HostileImage } from './hostile-image';
import { DATA, EOI, frame, jpeg, scan, segment, SIDE_PX, SOI, TABLES, withSegments } from './jpeg-parts';

const LARGEST_BYTES = 20 * 1024 * 1024;
const FRAME = frame(SIDE_PX, SIDE_PX);
const PROGRESSIVE = frame(SIDE_PX, SIDE_PX, { code: 0xc2 });

const whole = withSegments(segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')));
const padded = (bytes: number): Buffer => Buffer.concat([whole, Buffer.alloc(bytes - whole.length)]);
const app = (code: number, head: string, data: Buffer): Buffer => segment(code, Buffer.concat([Buffer.from(head, 'latin1'), data]));
const withExif = (...fields: Parameters<typeof exif>): Buffer => withSegments(app(0xe1, 'Exif\0\0', exif(...fields)));

const truncated = (): HostileImage[] =>
  cuts(whole.length, 50).map((at) =>
    image(at < 3 ? 'image_format_unsupported' : 'image_undecodable', `JPEG cut off after ${at} bytes`, () => whole.subarray(0, at)),
  );

const sizes = (): HostileImage[] =>
  (
    [
      ['image_undecodable', 0, 0],
      ['image_undecodable', 0, 100],
      ['image_undecodable', 100, 0],
      ['image_too_large', 65_535, 65_535],
      ['image_too_large', 65_500, 65_500],
      ['image_too_large', 10_000, 6_001],
      ['image_too_large', 65_535, 916],
      ['accepted', 10_000, 6_000],
      ['accepted', 65_535, 915],
      ['accepted', 1, 65_535],
      ['accepted', 1, 1],
    ] as const
  ).flatMap(([verdict, widthPx, heightPx]) =>
    [0xc0, 0xc1, 0xc2].map((code) =>
      image(verdict, `JPEG of ${widthPx} by ${heightPx} pixels, frame ${code.toString(16)}`, () =>
        jpeg(TABLES, frame(widthPx, heightPx, { code }), scan(0, code === 0xc2 ? 0 : 63), DATA),
      ),
    ),
  );

const frames = (): HostileImage[] => [
  ...[0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf].map((code) =>
    image('image_undecodable', `JPEG lossless, hierarchical or arithmetic: frame ${code.toString(16)}`, () =>
      jpeg(TABLES, frame(SIDE_PX, SIDE_PX, { code }), scan(), DATA),
    ),
  ),
  ...[0, 2, 12, 16, 255].map((precision) =>
    image('image_undecodable', `JPEG of ${precision} bits`, () => jpeg(TABLES, frame(SIDE_PX, SIDE_PX, { precision }), scan(), DATA)),
  ),
  ...[0, 2, 5, 255].map((components) =>
    image('image_undecodable', `JPEG of ${components} components`, () =>
      jpeg(TABLES, frame(SIDE_PX, SIDE_PX, { components }), scan(), DATA),
    ),
  ),
  image('accepted', 'JPEG of four components', () =>
    jpeg(TABLES, frame(SIDE_PX, SIDE_PX, { components: 4 }), scan(0, 63, 4), Buffer.alloc(256)),
  ),
  image('accepted', 'JPEG of four components by Adobe', () =>
    jpeg(
      app(0xee, 'Adobe', Buffer.from([0, 100, 0, 0, 0, 0, 2])),
      TABLES,
      frame(SIDE_PX, SIDE_PX, { components: 4 }),
      scan(0, 63, 4),
      DATA,
    ),
  ),
  image('image_undecodable', 'JPEG with a frame that lies about its length', () =>
    jpeg(TABLES, segment(0xc0, Buffer.alloc(7, 8)), scan(), DATA),
  ),
  image('image_undecodable', 'JPEG with two frames', () => jpeg(TABLES, FRAME, FRAME, scan(), DATA)),
  image('image_undecodable', 'JPEG with a thousand frames', () => jpeg(TABLES, ...Array<Buffer>(1_000).fill(FRAME), scan(), DATA)),
  image('image_undecodable', 'JPEG with a large frame behind a small one', () => jpeg(TABLES, FRAME, frame(65_535, 65_535), scan(), DATA)),
  image('image_undecodable', 'JPEG with another frame behind its scan', () => jpeg(TABLES, FRAME, scan(), DATA, frame(65_535, 65_535))),
  image('image_undecodable', 'JPEG without a frame', () => jpeg(TABLES, scan(), DATA)),
  image('image_undecodable', 'JPEG without a scan', () => jpeg(TABLES, FRAME)),
  image('image_undecodable', 'JPEG of nothing', () => jpeg()),
  image('image_undecodable', 'JPEG that begins twice', () => jpeg(SOI, TABLES, FRAME, scan(), DATA)),
  image('image_undecodable', 'JPEG whose height comes behind', () =>
    jpeg(TABLES, frame(128, 0), scan(), DATA, segment(0xdc, Buffer.of(0, 128))),
  ),
];

const scans = (times: number): Buffer => jpeg(TABLES, PROGRESSIVE, ...Array<Buffer>(times).fill(Buffer.concat([scan(0, 0), DATA])));

const streams = (): HostileImage[] => [
  image('accepted', 'JPEG of a hundred scans', () => scans(100)),
  ...[101, 5_000, 100_000].map((times) => image('image_undecodable', `JPEG of ${times} scans`, () => scans(times))),
  image('image_undecodable', 'JPEG of 60 megapixels and 2,000 scans', () =>
    jpeg(TABLES, frame(10_000, 6_000, { code: 0xc2 }), ...Array<Buffer>(2_000).fill(scan(0, 0))),
  ),
  image('accepted', 'JPEG of 60 megapixels and 100 scans', () =>
    jpeg(TABLES, frame(10_000, 6_000, { code: 0xc2, components: 3 }), ...Array<Buffer>(100).fill(scan(0, 0, 3))),
  ),
  image('accepted', 'JPEG without tables', () => jpeg(FRAME, scan(), DATA)),
  image('accepted', 'JPEG whose codes are too many for their length', () =>
    jpeg(TABLES, segment(0xc4, Buffer.from([0, 255, ...Array<number>(15).fill(0), ...Array<number>(255).fill(7)])), FRAME, scan(), DATA),
  ),
  image('accepted', 'JPEG with a table that is cut off', () => jpeg(TABLES, segment(0xc4, Buffer.of(0, 1, 2)), FRAME, scan(), DATA)),
  image('accepted', 'JPEG with a thousand tables', () => jpeg(...Array<Buffer>(1_000).fill(TABLES), FRAME, scan(), DATA)),
  image('accepted', 'JPEG with quantizers of zero', () => jpeg(TABLES, segment(0xdb, Buffer.alloc(65)), FRAME, scan(), DATA)),
  image('accepted', 'JPEG of noise', () => jpeg(TABLES, FRAME, scan(), Buffer.from(noise(9_000).map((byte) => Math.min(byte, 254))))),
  image('accepted', 'JPEG with a million restarts', () => jpeg(TABLES, FRAME, scan(), Buffer.alloc(2_000_000, Buffer.of(0xff, 0xd0)))),
  image('accepted', 'JPEG with restarts out of turn', () =>
    jpeg(segment(0xdd, Buffer.of(0, 1)), TABLES, FRAME, scan(), Buffer.alloc(6_000, Buffer.of(0, 0xff, 0xd7))),
  ),
  image('accepted', 'JPEG that announces restarts and has none', () => withSegments(segment(0xdd, Buffer.of(0, 1)))),
  image('accepted', 'JPEG with a million fill bytes', () => jpeg(Buffer.alloc(1_000_000, 0xff), TABLES, FRAME, scan(), DATA)),
  image('accepted', 'JPEG with ten million stuffed bytes', () => jpeg(TABLES, FRAME, scan(), Buffer.alloc(19_000_000, Buffer.of(0xff, 0)))),
  image('accepted', 'JPEG with noise between its segments', () => jpeg(TABLES, Buffer.alloc(1_000, 7), FRAME, scan(), DATA)),
];

const segments = (): HostileImage[] => [
  ...Array.from({ length: 16 }, (_, index) => 0xe0 + index).map((code) =>
    image('accepted', `JPEG with noise in segment ${code.toString(16)}`, () => withSegments(segment(code, noise(60_000, code)))),
  ),
  image('accepted', 'JPEG with 5,000 application segments', () => withSegments(...Array<Buffer>(5_000).fill(segment(0xe5, noise(16))))),
  image('accepted', 'JPEG with 16 MB of application segments', () =>
    withSegments(...Array<Buffer>(255).fill(segment(0xe2, noise(65_000)))),
  ),
  image('accepted', 'JPEG with a million empty comments', () => withSegments(Buffer.alloc(4_000_000, segment(0xfe, Buffer.alloc(0))))),
  ...[0, 1].map((length) =>
    image('image_undecodable', `JPEG with a segment of length ${length}`, () => jpeg(Buffer.of(0xff, 0xe0, 0, length), whole)),
  ),
  image('image_undecodable', 'JPEG with a segment beyond its end', () => jpeg(Buffer.of(0xff, 0xe0, 0xff, 0xff), noise(100))),
  ...[0, 2, 3, 4, 5, 6, 7, 8, 9, 65_535].map((orientation) =>
    image('accepted', `JPEG turned by EXIF: ${orientation}`, () => withExif({ orientation })),
  ),
  image('accepted', 'JPEG with EXIF of 65,535 entries', () => withExif({ entries: 65_535 })),
  image('accepted', 'JPEG with EXIF of four billion values', () => withExif({ values: 0xffff_ffff })),
  image('accepted', 'JPEG with EXIF that points at itself', () => withExif({ next: 8 })),
  image('accepted', 'JPEG with EXIF that points outside', () => withExif({ next: 0xffff_fff0 })),
  image('accepted', 'JPEG with EXIF cut off', () => withSegments(app(0xe1, 'Exif\0\0', exif({}).subarray(0, 12)))),
  image('accepted', 'JPEG with 200 EXIF segments', () =>
    withSegments(...Array<Buffer>(200).fill(app(0xe1, 'Exif\0\0', exif({ entries: 9_999 })))),
  ),
  image('accepted', 'JPEG with a colour profile in pieces that never come', () =>
    withSegments(app(0xe2, 'ICC_PROFILE\0\x07\xff', noise(9_000))),
  ),
  image('accepted', 'JPEG with a thumbnail larger than its segment', () =>
    withSegments(app(0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\xff\xff', noise(9))),
  ),
  image('accepted', 'JPEG with XMP that nests', () =>
    withSegments(app(0xe1, 'http://ns.adobe.com/xap/1.0/\0', Buffer.alloc(60_000, '<a>'))),
  ),
];

const polyglots = (): HostileImage[] => [
  ...['<html><script>alert(1)</script>', '<?php phpinfo(); ?>', '%PDF-1.7\n', 'PK\x03\x04'].map((tail) =>
    image('accepted', `JPEG and ${JSON.stringify(tail)} behind it`, () => Buffer.concat([whole, Buffer.from(tail, 'latin1')])),
  ),
  image('accepted', 'JPEG with a page in its comment', () => withSegments(segment(0xfe, Buffer.from('--><script>alert(1)</script>')))),
  image('accepted', 'JPEG of several images (MPO)', () =>
    Buffer.concat([withSegments(app(0xe2, 'MPF\0', Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), noise(64)]))), whole, whole]),
  ),
  image('accepted', 'JPEG with an endless one behind it', () => Buffer.concat([whole, SOI, TABLES, frame(65_535, 65_535), scan()])),
  image('image_format_unsupported', 'JPEG behind a page', () => Buffer.concat([Buffer.from('<html>'), whole])),
  image('image_format_unsupported', 'JPEG behind a byte order mark', () => Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), whole])),
  image('image_format_unsupported', 'JPEG without its first byte', () => whole.subarray(1)),
  image('image_undecodable', 'JPEG signature and noise', () => Buffer.concat([SOI, Buffer.of(0xff, 0xe0, 0, 0), noise(9_000)])),
  image('image_undecodable', 'JPEG signature and an end', () => Buffer.concat([SOI, Buffer.of(0xff), EOI])),
  image('accepted', 'JPEG of exactly 20 MB', () => padded(LARGEST_BYTES)),
  image('image_too_large', 'JPEG of 20 MB and a byte', () => padded(LARGEST_BYTES + 1)),
];

export const hostileJpegs = (): HostileImage[] => [...truncated(), ...sizes(), ...frames(), ...streams(), ...segments(), ...polyglots()];
