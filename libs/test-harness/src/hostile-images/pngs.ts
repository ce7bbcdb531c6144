import { cuts, image, noise, type HostileImage } from './hostile-image';
import { chunk, END, header, HEADER, headerData, numbers, packed, PIXELS, pixels, png, SIGNATURE, withChunks } from './png-parts';
import { exif } from './exif';

const MIB = 1024 * 1024;
const LARGEST_BYTES = 20 * MIB;
const PIXELS_MAX = 60_000_000;

const whole = png(HEADER, PIXELS, END);
const padded = (bytes: number): Buffer => Buffer.concat([whole, Buffer.alloc(bytes - whole.length)]);

const truncated = (): HostileImage[] =>
  cuts(whole.length, 40).map((at) =>
    image(at < SIGNATURE.length ? 'image_format_unsupported' : 'image_undecodable', `PNG cut off after ${at} bytes`, () =>
      whole.subarray(0, at),
    ),
  );

const sizes = (): HostileImage[] =>
  [0, 1].flatMap((interlace) =>
    (
      [
        ['image_undecodable', 0, 0],
        ['image_undecodable', 0, 100],
        ['image_undecodable', 100, 0],
        ['image_undecodable', 0x8000_0000, 1],
        ['image_undecodable', 1, 0x8000_0000],
        ['image_undecodable', 0xffff_ffff, 0xffff_ffff],
        ['image_too_large', 0x7fff_ffff, 0x7fff_ffff],
        ['image_too_large', 65_535, 65_535],
        ['image_too_large', 20_000, 20_000],
        ['image_too_large', PIXELS_MAX + 1, 1],
        ['image_too_large', 1, PIXELS_MAX + 1],
        ['image_too_large', 10_000, 6_001],
        ['accepted', 10_000, 6_000],
        ['accepted', PIXELS_MAX, 1],
        ['accepted', 1, PIXELS_MAX],
      ] as const
    ).map(([verdict, widthPx, heightPx]) =>
      image(verdict, `PNG of ${widthPx} by ${heightPx} pixels${interlace ? ', interlaced' : ''}`, () =>
        png(header(widthPx, heightPx, { interlace }), PIXELS, END),
      ),
    ),
  );

const headers = (): HostileImage[] => [
  ...(
    [
      { depth: 0 },
      { depth: 3 },
      { depth: 32 },
      { depth: 4, colour: 2 },
      { depth: 16, colour: 3 },
      { depth: 1, colour: 6 },
      { colour: 1 },
      { colour: 5 },
      { colour: 255 },
      { compression: 1 },
      { filter: 64 },
      { interlace: 2 },
      { colour: 3 },
    ] as const
  ).map((fields) =>
    image('image_undecodable', `PNG with the header ${JSON.stringify(fields)}`, () => png(header(128, 128, fields), PIXELS, END)),
  ),
  image('image_undecodable', 'PNG with a header of 12 bytes', () => png(chunk('IHDR', headerData(9, 9).subarray(1)), PIXELS, END)),
  image('image_undecodable', 'PNG with a header of 14 bytes', () => png(chunk('IHDR', Buffer.alloc(14, 1)), PIXELS, END)),
  image('image_undecodable', 'PNG with two headers', () => png(HEADER, HEADER, PIXELS, END)),
  image('image_undecodable', 'PNG with its header second', () => png(chunk('tEXt', Buffer.from('a\0b')), HEADER, PIXELS, END)),
  image('image_undecodable', 'PNG without pixels', () => png(HEADER, END)),
  image('image_undecodable', 'PNG without an end', () => png(HEADER, PIXELS)),
  image('image_undecodable', 'PNG whose end comes first', () => png(END, HEADER, PIXELS)),
  image('image_undecodable', 'PNG crushed for a telephone', () => png(chunk('CgBI', numbers(0x50_00_20_02)), HEADER, PIXELS, END)),
  image('image_undecodable', 'PNG with an unknown critical chunk', () => withChunks(chunk('EVIL', noise(64)))),
  ...[0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fff4].map((length) =>
    image('image_undecodable', `PNG with a chunk of ${length} bytes`, () =>
      png(HEADER, numbers(length), Buffer.from('IDAT'), noise(1_000), END),
    ),
  ),
];

/** An animation, frame by frame. */
const animated = (frames: number): Buffer =>
  withChunks(chunk('acTL', numbers(frames, 0)), chunk('fcTL', Buffer.concat([numbers(0, 128, 128, 0, 0), Buffer.alloc(6, 1)])));

const animations = (): HostileImage[] => [
  image('accepted', 'PNG animation of one frame', () => animated(1)),
  ...[0, 2, 1_000, 0xffff_ffff].map((frames) =>
    image('image_format_unsupported', `PNG animation of ${frames} frames`, () => animated(frames)),
  ),
  image('image_format_unsupported', 'PNG animation with half a word about it', () => withChunks(chunk('acTL', numbers(1)))),
];

/** Chunks beside the image: text and a profile, compressed a thousand to one, and many of them. */
const bombs = (): HostileImage[] => [
  image('accepted', 'PNG that unpacks to 100 MB behind a header of 128 by 128', () => png(HEADER, pixels(100 * MIB), END)),
  image('accepted', 'PNG of 49 megapixels, interlaced', () => png(header(7_000, 7_000, { interlace: 1 }), pixels(50 * MIB), END)),
  image('accepted', 'PNG of 60 megapixels of 8 bytes, interlaced', () =>
    png(header(10_000, 6_000, { interlace: 1, depth: 16, colour: 6 }), pixels(64 * MIB), END),
  ),
  image('accepted', 'PNG of 60 megapixels in zeros', () => png(header(10_000, 6_000), pixels(30_001 * 6_000), END)),
  image('accepted', 'PNG with a text of 100 MB', () => withChunks(chunk('zTXt', packed('Comment\0\0', 100 * MIB)))),
  image('accepted', 'PNG with an international text of 100 MB', () =>
    withChunks(chunk('iTXt', packed('XML:com.adobe.xmp\0\x01\0\0\0', 100 * MIB))),
  ),
  image('accepted', 'PNG with a colour profile of 100 MB', () => withChunks(chunk('iCCP', packed('icc\0\0', 100 * MIB)))),
  image('accepted', 'PNG with a colour profile of 7 MB', () => withChunks(chunk('iCCP', packed('icc\0\0', 7 * MIB)))),
  image('accepted', 'PNG with 900 texts of 7 MB each', () => {
    const text = packed('\0\0', 7 * MIB);
    return withChunks(...Array.from({ length: 900 }, (_, index) => chunk('zTXt', Buffer.concat([Buffer.from(`C${index}`), text]))));
  }),
  image('accepted', 'PNG with 50,000 empty chunks', () => withChunks(...Array<Buffer>(50_000).fill(chunk('tEXt', Buffer.from('a\0'))))),
  image('image_undecodable', 'PNG with a million empty chunks', () => withChunks(Buffer.alloc(12_000_000, chunk('xxXx')))),
  image('accepted', 'PNG with 10,000 pieces of pixels', () => png(HEADER, PIXELS, ...Array<Buffer>(10_000).fill(chunk('IDAT')), END)),
  image('accepted', 'PNG whose pixels are noise', () => png(HEADER, chunk('IDAT', noise(10_000)), END)),
  image('accepted', 'PNG whose pixels do not unpack to the end', () => png(HEADER, pixels(1_000), END)),
  image('accepted', 'PNG with broken checksums', () => Buffer.concat([png(HEADER), PIXELS.subarray(0, -1), Buffer.alloc(1, 7), END])),
  image('accepted', 'PNG with EXIF of 60,000 entries', () => withChunks(chunk('eXIf', exif({ entries: 60_000 })))),
  image('accepted', 'PNG with EXIF that points at itself', () => withChunks(chunk('eXIf', exif({ next: 8 })))),
  image('accepted', 'PNG turned by EXIF', () => withChunks(chunk('eXIf', exif({ orientation: 6 })))),
];

const polyglots = (): HostileImage[] => [
  image('accepted', 'PNG and a ZIP behind it', () => Buffer.concat([whole, Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])),
  image('accepted', 'PNG with a page in its text', () => withChunks(chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>')))),
  image('accepted', 'PNG with another PNG behind it', () => Buffer.concat([whole, whole])),
  image('image_format_unsupported', 'PNG whose line ends were converted', () =>
    Buffer.from(whole.toString('latin1').replace('\r\n', '\n'), 'latin1'),
  ),
  image('image_format_unsupported', 'PNG behind a space', () => Buffer.concat([Buffer.from(' '), whole])),
  image('image_undecodable', 'PNG signature and noise', () => png(noise(10_000))),
  image('image_undecodable', 'PNG signature, twice', () => png(whole)),
  image('accepted', 'PNG of exactly 20 MB', () => padded(LARGEST_BYTES)),
  image('image_too_large', 'PNG of 20 MB and a byte', () => padded(LARGEST_BYTES + 1)),
];

export const hostilePngs = (): HostileImage[] => [...truncated(), ...sizes(), ...headers(), ...animations(), ...bombs(), ...polyglots()];
