import { createHash } from 'node:crypto';
import { canonicalJson } from '../document/canonical-json';
import { generateContent } from '../document/generate';
import { COPIES, PROJECTIONS, RULESETS, type Versions } from './registry';
import { API_URL, CONTENT_REVISION, snapshotOf } from '../fixtures/snapshot.fixture';
import { doubtfulCars } from '../fixtures/doubtful-cars.fixture';
import { variedCars } from '../fixtures/varied-cars.fixture';

interface Pin extends Versions {
  readonly locale: 'ko-KR' | 'en-US';
  /** The digest of the documents of the varied cars, concatenated. */
  readonly sha256: string;
}

/**
 * The output of each issued version. A new version adds a pin; an existing pin must not change once its version is
 * released (2.0 is not yet). Where one fails, the change belongs
 * into a new version in a new file.
 */
const PINS: readonly Pin[] = [
  {
    locale: 'ko-KR',
    ruleset_version: '1.0',
    copy_version: '1.0',
    projection_version: '1.0',
    sha256: '6bd324e202f9d83c381d5a00af7ead1a3c7c41e90df2c6d020827b55ba69845c',
  },
  {
    locale: 'ko-KR',
    ruleset_version: '1.1',
    copy_version: '1.0',
    projection_version: '1.0',
    sha256: 'b9ebd60ccc017009fabd179eddb93feb628b7c5895d49513719a92b9703b6623',
  },
  {
    locale: 'ko-KR',
    ruleset_version: '2.0',
    copy_version: '2.0',
    projection_version: '2.0',
    sha256: 'dbe8bfd8281a179d4c688f694b5228dbe13732762e9eba46dbaaf79e3e35d371',
  },
  {
    locale: 'en-US',
    ruleset_version: '2.0',
    copy_version: '2.0',
    projection_version: '2.0',
    sha256: 'df459529458413d22bf94f00a834cf455626527bef679543e61afe4edc18d2a0',
  },
];

function digestOf({ locale, ruleset_version, copy_version, projection_version }: Omit<Pin, 'sha256'>): string {
  const cars = ruleset_version === '2.0' ? doubtfulCars(200, locale) : variedCars(200);
  const generator = { ruleset_version, copy_version, projection_version };
  const digest = createHash('sha256');
  for (const car of cars) {
    const { content } = generateContent({ ...snapshotOf(car), generator }, CONTENT_REVISION, API_URL);
    digest.update(canonicalJson(content));
  }
  return digest.digest('hex');
}

describe('an issued version', () => {
  it.each(PINS)(
    'ruleset $ruleset_version, copy $locale $copy_version, projection $projection_version gives the issued documents',
    ({ sha256, ...versions }) => {
      expect(digestOf(versions)).toBe(sha256);
    },
  );

  it.each([
    ['ruleset', RULESETS.map(({ version }) => version), PINS.map((pin) => pin.ruleset_version)],
    ['copy', COPIES.map(({ locale, version }) => `${locale} ${version}`), PINS.map((pin) => `${pin.locale} ${pin.copy_version}`)],
    ['projection', PROJECTIONS.map(({ version }) => version), PINS.map((pin) => pin.projection_version)],
  ] as const)('of the %s is pinned, registered once under its name, and not removed', (_kind, versions, pinned) => {
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions).toEqual([...new Set(pinned)]);
  });
});
