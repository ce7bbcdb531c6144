import { hostileImages } from '@tire/test-harness';
import * as fc from 'fast-check';
import { inspectImage } from './image-content';

const verdictOf = (bytes: Uint8Array): string => {
  const found = inspectImage(bytes);
  return typeof found === 'string' ? found : 'accepted';
};

const small = hostileImages().filter(({ name }) => !/20 MB/.test(name));

it.each(small.map((image) => [image.name, image] as const))('%s', (_name, { make, verdict }) => {
  expect(verdictOf(make())).toBe(verdict);
});

it('has a verdict for any change of an image', () => {
  const originals = small
    .filter(({ verdict }) => verdict === 'accepted')
    .map(({ make }) => make())
    .filter(({ length }) => length < 5_000);
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.constantFrom(...originals), fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(), (original, changes, cut) => {
      const bytes = Buffer.from(original);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      expect(typeof verdictOf(bytes.subarray(0, cut % 3 === 0 ? cut % bytes.length : bytes.length))).toBe('string');
    }),
    { numRuns: Number(process.env['IMAGE_PROPERTY_RUNS'] ?? 400) },
  );
});
