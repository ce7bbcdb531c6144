import { hostileImages } from '@tire/test-harness';
import { inspectImage } from '../domain/images/image-content';

const ROUNDS = 5;

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** `npm run bench:images` prints the times. */
it('hostile images are refused by their bytes', () => {
  const refused = hostileImages().filter(({ verdict }) => verdict !== 'accepted');
  const timesMs = refused.map(({ make }) => {
    const bytes = make();
    const rounds = Array.from({ length: ROUNDS }, () => {
      const beganMs = performance.now();
      inspectImage(bytes);
      return performance.now() - beganMs;
    });
    return sorted(rounds)[Math.floor(ROUNDS / 2)]!;
  });
  const inOrder = sorted(timesMs);
  const at = (share: number): string => inOrder[Math.floor(share * (inOrder.length - 1))]!.toFixed(3);
  const peakMib = process.resourceUsage().maxRSS / 1_024;
  process.stdout.write(
    `${refused.length} images refused: median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms; ` +
      `peak memory of this process, which also makes them: ${peakMib.toFixed(0)} MiB\n`,
  );
  expect(refused.length).toBeGreaterThan(200);
});
