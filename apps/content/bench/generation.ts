import { median, rangeText, runBench } from '@tire/test-harness/bench';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../src/domain/document/canonical-json';
import { generateContent } from '../src/domain/document/generate';
import { API_URL, CONTENT_REVISION, snapshotOf } from '../src/domain/fixtures/snapshot.fixture';
import { doubtfulCars } from '../src/domain/fixtures/doubtful-cars.fixture';
import { variedCars } from '../src/domain/fixtures/varied-cars.fixture';
import { readSnapshot } from '../src/revisions/snapshot';

const SNAPSHOTS = 2_000;
const WARM_UP_MS = 2_000;
const ROUND_MS = 3_000;
const ROUNDS = 5;
const AT_LEAST_PER_SECOND = 400;

/** The work for a revision between the response of the ledger and the transaction. Returns the size of the document in bytes. */
function generate(snapshotJson: Uint8Array): number {
  const snapshot = readSnapshot(snapshotJson);
  const bytes = canonicalJson(generateContent(snapshot, CONTENT_REVISION, API_URL).content);
  createHash('sha256').update(bytes).digest('base64url');
  return bytes.length;
}

interface Round {
  readonly perSecond: number;
  /** Per CPU second of all threads, so that garbage collection counts. */
  readonly perCpuSecond: number;
  readonly meanBytes: number;
}

function round(snapshots: readonly Uint8Array[], durationMs: number): Round {
  const cpu = process.cpuUsage();
  const beganMs = performance.now();
  let made = 0;
  let bytes = 0;
  while (performance.now() - beganMs < durationMs) {
    bytes += generate(snapshots[made % snapshots.length]!);
    made += 1;
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  const used = process.cpuUsage(cpu);
  return { perSecond: made / seconds, perCpuSecond: (made * 1e6) / (used.user + used.system), meanBytes: bytes / made };
}

/** New reports have 2.0; those of 1.x are generated again only for an explanation, or if their content was lost. */
const CARS = { '2.0': doubtfulCars(SNAPSHOTS, 'ko-KR'), '1.x': variedCars(SNAPSHOTS) };

const whole = (value: number): string => value.toFixed(0);

async function main(): Promise<void> {
  for (const [versions, cars] of Object.entries(CARS)) {
    const snapshots = cars.map((car) => Buffer.from(JSON.stringify(snapshotOf(car))));
    round(snapshots, WARM_UP_MS);
    const rounds = Array.from({ length: ROUNDS }, () => round(snapshots, ROUND_MS));
    const rates = rounds.map(({ perCpuSecond }) => perCpuSecond);
    process.stdout.write(
      `Generation of content ${versions}, one thread, ${SNAPSHOTS} varied snapshots, median of ${ROUNDS} rounds of ${ROUND_MS / 1_000} s: ` +
        `${rangeText(
          rounds.map(({ perSecond }) => perSecond),
          whole,
        )} revisions/s, ${rangeText(rates, whole)} per second of CPU, ` +
        `${(rounds[0]!.meanBytes / 1_024).toFixed(1)} KiB each\n`,
    );
    if (median(rates) < AT_LEAST_PER_SECOND) process.exitCode = 1;
  }
}

runBench(main);
