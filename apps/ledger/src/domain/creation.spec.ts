import { newId, POSITIONS, PROJECT_RULES } from '@tire/kernel';
import { checkSlots, chooseContentProfile, chooseTemplate, generatorVersions } from './creation';
import { judgeRepeatedInspection, judgeRepeatedKey } from './idempotency';
import { enteredAnalyses, type EnteredTire } from './manual';
import { initialState } from './report';
import { NOW, apply, created, identityOf, reportStates } from './report.fixture';
import { TEMPLATES } from './templates';

const profile = { key: 'tire-standard', version: '1.0', locale: 'ko-KR' };

describe('creation', () => {
  it.each([
    ['2026-09-27T12:00:00Z', '1.0'],
    ['2026-09-28T23:59:59.999Z', '1.0'],
    // Days are those of the timestamps in the document, UTC: in Seoul the new rule begins at nine in the morning of the 29th.
    ['2026-09-29T00:00:00+09:00', '1.0'],
    ['2026-09-29T08:59:59.999+09:00', '1.0'],
    ['2026-09-29T09:00:00+09:00', '2.0'],
    ['2026-09-29T00:00:00Z', '2.0'],
    ['2027-01-01T00:00:00Z', '2.0'],
  ])('at %s the versions are %s', (now, version) => {
    const all = { rulesetVersion: version, copyVersion: version, projectionVersion: version };
    expect(generatorVersions(new Date(now))).toEqual(all);
    expect(generatorVersions(new Date(now), { locale: 'ko-KR' })).toEqual(all);
  });

  it.each([
    [undefined, 'ko-KR', ['2.0', '2.0', '2.0']],
    ['2.0', 'ko-KR', ['2.0', '2.0', '2.0']],
    ['1.1', 'ko-KR', ['1.1', '1.0', '1.0']],
    ['1.1', 'en-US', ['2.0', '2.0', '2.0']],
    ['3.0', 'ko-KR', ['2.0', '2.0', '2.0']],
    ['toString', 'ko-KR', ['2.0', '2.0', '2.0']],
  ])('with the rules %s in %s has the versions %j', (rules, locale, versions) => {
    expect(Object.values(generatorVersions(new Date('2026-11-01T00:00:00Z'), { locale }, rules))).toEqual(versions);
  });

  it('knows the versions of each choice', () => {
    const now = new Date('2026-11-01T00:00:00Z');
    for (const rules of PROJECT_RULES.content_rules.values)
      expect(generatorVersions(now, { locale: 'ko-KR' }, rules).rulesetVersion).toBe(rules);
  });

  it('has no English before copy 2.0', () => {
    expect(generatorVersions(new Date('2026-09-01T00:00:00Z'), { locale: 'en-US' }).copyVersion).toBe('2.0');
  });

  it('uses the default template when none is named, and refuses unknown ones', () => {
    expect(chooseTemplate('')).toBe(TEMPLATES.tire_4t_2s);
    expect(chooseTemplate('tire_4t_0s')).toBe(TEMPLATES.tire_4t_0s);
    expect(chooseTemplate('toString')).toMatchObject({
      refused: 'validation_error',
      param: 'template',
      message: 'template: must be one of tire_4t_2s, tire_4t_4s, tire_4t_0s.',
    });
  });

  it('uses the profile in Korean unless English is requested, and refuses any other', () => {
    expect(chooseContentProfile(undefined)).toEqual(profile);
    expect(chooseContentProfile(profile)).toEqual(profile);
    expect(chooseContentProfile({ key: '', version: '', locale: '' })).toEqual(profile);
    expect(chooseContentProfile({ key: '', version: '', locale: 'en-US' })).toEqual({ ...profile, locale: 'en-US' });
    expect(chooseContentProfile({ ...profile, locale: 'en' })).toMatchObject({ refused: 'validation_error', param: 'content_profile' });
    for (const part of ['key', 'version', 'locale'] as const) {
      expect(chooseContentProfile({ ...profile, [part]: 'other' })).toMatchObject({
        refused: 'validation_error',
        param: 'content_profile',
      });
    }
  });

  it.each([
    [['tire.tread.front_left', 'tire.sidewall.front_left'], 'images[1].slot.image_type'],
    [['tire.sidewall.rear_right'], 'images[0].slot.image_type'],
    [['tire.tread.front_left', 'tire.tread.front_left'], 'images[1].slot'],
    [['dashboard.tread.front_left'], 'images[0].slot'],
  ])('refuses %j naming %s', (ids, param) => {
    expect(checkSlots(TEMPLATES.tire_4t_0s, ids, 'images')).toMatchObject({ refused: 'validation_error', param });
  });

  it('names every slot that is refused, and says why', () => {
    const ids = ['tire.sidewall.rear_right', 'tire.tread.front_left', 'x', 'tire.tread.front_left'];
    expect(checkSlots(TEMPLATES.tire_4t_0s, ids, 'slots')).toMatchObject({
      message: 'slots[0].slot.image_type: the template tire_4t_0s has no slot tire.sidewall.rear_right.',
      faults: [
        { param: 'slots[0].slot.image_type' },
        { param: 'slots[2].slot', message: 'slots[2].slot: is no slot.' },
        { param: 'slots[3].slot', message: 'slots[3].slot: names a slot for the second time.' },
      ],
    });
  });
});

describe('idempotency', () => {
  const stored = { requestDigest: Buffer.from('a'), httpStatus: 202, responseJson: () => Buffer.from('{}') };

  it('gives the stored answer to the same request and refuses another one', () => {
    expect(judgeRepeatedKey(stored, Buffer.from('a'), created('tire_4t_0s'))).toBe(stored);
    expect(judgeRepeatedKey(stored, Buffer.from('b'), created('tire_4t_0s'))).toEqual({
      refused: 'idempotency_conflict',
      param: null,
      faults: [],
    });
  });

  it.each([
    ['discarded', 'report_discarded'],
    ['cleared', 'report_discarded'],
    ['purging', 'report_purge_pending'],
  ])('never returns the stored answer of a report that is %s', (name, refused) => {
    for (const body of ['a', 'b']) {
      expect(judgeRepeatedKey(stored, Buffer.from(body), reportStates()[name]!)).toEqual({ refused, param: null, faults: [] });
    }
  });

  const identity = identityOf('tire_4t_2s', { externalInspectionId: 'I-1', externalVehicleId: 'V-1', plateNumber: '12가 3456' });
  const same = {
    templateKey: 'tire_4t_2s',
    contentProfile: profile,
    plateNumber: '12가 3456',
    vin: 'KMHXX00XXXX000001',
    externalVehicleId: 'V-1',
  };
  const analysesOf = (entered: readonly EnteredTire[]) => enteredAnalyses(entered, NOW.toISOString(), newId);
  const results = (entered: readonly EnteredTire[] | null) =>
    new Map(
      analysesOf(entered ?? []).map(({ slotId, json }) => [slotId, JSON.stringify((JSON.parse(json) as { result: unknown }).result)]),
    );
  const opened = (entered: readonly EnteredTire[] | null) => {
    const creation = { ...identity.creation, mode: entered ? ('manual' as const) : ('automatic' as const) };
    const over = entered ? { entered: { analyses: analysesOf(entered), revisionId: newId() } } : {};
    const state = apply(initialState, {
      type: 'create',
      identity: { ...identity, vin: 'kmhxx00xxxx000001', creation },
      images: [],
      ...over,
    });
    if (state.lifecycle !== 'open') throw new Error('It was not created');
    return state.report;
  };
  const size = { section_width: 225, aspect_ratio: 45, rim_diameter: 17 };
  const tires = POSITIONS.map((position): EnteredTire => ({ position, grooveDepthsMm: [5, 4.8], size: null })).with(0, {
    position: 'front_left',
    grooveDepthsMm: [5, 4.8],
    size,
  });

  it.each([
    ['measured', null],
    ['entered by hand', tires],
  ])('accepts the same inspection, %s', (_, entered) =>
    expect(judgeRepeatedInspection(opened(entered), results(entered), { ...same, entered: entered?.toReversed() ?? null })).toBeNull(),
  );

  it.each([
    [['template'], { templateKey: 'tire_4t_4s' }],
    [['content_profile.version'], { contentProfile: { ...profile, version: '2.0' } }],
    [['plate_number'], { plateNumber: null }],
    [['vin'], { vin: 'KMHXX00XXXX000002' }],
    [['vin'], { vin: null }],
    [['external_vehicle_id'], { externalVehicleId: 'V-2' }],
    [['template', 'plate_number'], { templateKey: 'tire_4t_4s', plateNumber: '34나 5678' }],
  ])('refuses the same inspection with another %j, and names it and the report, but no value of it', (params, change) => {
    const report = opened(null);
    const { reportId } = report.identity;
    const refusal = judgeRepeatedInspection(report, results(null), { ...same, entered: null, ...change });
    expect(refusal).toMatchObject({ refused: 'idempotency_conflict', param: 'external_inspection_id', reportId });
    expect(refusal!.faults.map(({ param }) => param)).toEqual(params);
    expect(refusal!.message).toBe(`external_inspection_id: the report ${reportId} of this inspection differs in ${params.join(', ')}.`);
    expect(JSON.stringify(refusal)).not.toMatch(/V-1|3456|KMH/i);
  });

  it.each([
    ['entered values instead of images', null, tires],
    ['images, or none yet, instead of entered values', tires, null],
  ])('names the mode of the creation for %s', (_, before, entered) => {
    expect(judgeRepeatedInspection(opened(before), results(before), { ...same, entered })).toMatchObject({
      refused: 'idempotency_conflict',
      faults: [{ param: 'creation.mode' }],
    });
  });

  it.each([
    ['another depth', tires, tires.with(2, { ...tires[2]!, grooveDepthsMm: [5, 4.7] })],
    ['the same depths the other way round', tires, tires.with(2, { ...tires[2]!, grooveDepthsMm: [4.8, 5] })],
    ['another size', tires, tires.with(0, { ...tires[0]!, size: { ...size, rim_diameter: 18 } })],
    ['a size less', tires, tires.with(0, { ...tires[0]!, size: null })],
    ['a size more', tires, tires.with(1, { ...tires[1]!, size })],
  ])('refuses the same inspection with %s', (_, before, entered) => {
    expect(judgeRepeatedInspection(opened(before), results(before), { ...same, entered })).toMatchObject({
      refused: 'idempotency_conflict',
      param: 'external_inspection_id',
      faults: [{ param: 'tires' }],
    });
  });
});
