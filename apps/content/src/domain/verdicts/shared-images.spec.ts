import { even, snapshotOf, WORN_SMOOTH } from '../fixtures/snapshot.fixture';
import { RULESET_2_0 } from '../rulesets/ruleset-2.0';
import { readSource } from '../source/source';
import { findings } from './findings';
import { sharedGroups } from './shared-images';

const FRONT = ['tire.tread.front_left', 'tire.tread.front_right'];
const groupsOf = (car: Parameters<typeof snapshotOf>[0]) =>
  sharedGroups(findings(readSource(snapshotOf({ ...car, rulesetVersion: '2.0' }), RULESET_2_0), 'automatic', RULESET_2_0).tires);

describe('tires with one photograph', () => {
  it('are one group, which is as bad as its worst photograph', () => {
    const groups = groupsOf({ depths: [even(1.2), even(1), even(6), even(6)], spreadMm: 0.5, similar: [FRONT] });
    expect(groups).toEqual([
      {
        positions: ['front_left', 'front_right'],
        isCritical: true,
        isBald: false,
        isWholeBald: false,
        isGauged: false,
        minimumDepthMm: 1,
        intervalMm: [0.5, 1.5],
      },
    ]);
  });

  it('are joined by a tire that has the photographs of both', () => {
    const chain = [FRONT, ['tire.tread.front_right', 'tire.tread.rear_left']];
    expect(groupsOf({ depths: [even(6), even(6), even(6), even(6)], similar: chain }).map(({ positions }) => positions)).toEqual([
      ['front_left', 'front_right', 'rear_left'],
    ]);
  });

  it('are not joined by a warning of others', () => {
    const groups = groupsOf({ shared: [FRONT, ['tire.tread.rear_left', 'tire.tread.rear_right']] });
    expect(groups.map(({ positions, isCritical }) => [positions, isCritical])).toEqual([
      [['front_left', 'front_right'], false],
      [['rear_left', 'rear_right'], false],
    ]);
  });

  it('include the tire in whose sidewall slot the photograph is', () => {
    const groups = groupsOf({
      sizes: [null, null, null, null],
      bald: [WORN_SMOOTH, null, null, null],
      shared: [['tire.tread.front_left', 'tire.sidewall.front_right']],
    });
    expect(groups).toEqual([
      {
        positions: ['front_left', 'front_right'],
        isCritical: true,
        isBald: true,
        isWholeBald: true,
        isGauged: false,
        minimumDepthMm: null,
        intervalMm: null,
      },
    ]);
  });
});
