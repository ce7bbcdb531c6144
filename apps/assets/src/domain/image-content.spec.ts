import { sniffFormat } from './image-content';

it.each([
  ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], 'jpeg'],
  ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'png'],
  ['a GIF', [...Buffer.from('GIF89a')], undefined],
  ['a WebP', [...Buffer.from('RIFF0000WEBP')], undefined],
  ['an SVG', [...Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')], undefined],
  ['a PNG whose line ends were converted', [0x89, 0x50, 0x4e, 0x47, 0x0a, 0x1a, 0x0a, 0, 0], undefined],
  ['the beginning of a signature', [0xff, 0xd8], undefined],
  ['nothing', [], undefined],
] as const)('%s', (_what, bytes, format) => {
  expect(sniffFormat(Uint8Array.from(bytes))).toBe(format);
});
