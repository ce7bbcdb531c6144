import { Analysis, type Report as ReportDocument } from '@tire/contracts/api';
import { MANUAL_LIMITS } from '@tire/contracts/limits';
import { newId, type SlotId } from '@tire/kernel';
import { decide } from './decide';
import { guessedSize } from './measurement';
import {
  apply,
  created,
  finished,
  measured,
  NOW,
  opened,
  register,
  served,
  SIDEWALLS,
  snapshotOf,
  TREADS,
  withResult,
  type Outcome,
} from './report.fixture';
import type { ReportEvent, ReportState } from './report';
import { offeredSizes, type GuessingAnalysis } from './size-guess';

const [FRONT, OTHER] = SIDEWALLS as [SlotId, SlotId];
const SIZE = { section_width: 205, aspect_ratio: 55, rim_diameter: 16 };
const guessOf = (aspectRatioPercent: number) => ({ sectionWidthMm: 205, aspectRatioPercent, rimDiameterInch: 16 });
const MANUFACTURED = { week: 23, year: 2019, ageMonths: 89 };

const unread = (guess: ReturnType<typeof guessOf> | null = guessOf(55)): Outcome => ({
  $case: 'sidewall',
  value: { quality: { recognized: false }, guess: guess ?? undefined, manufactured: MANUFACTURED, brand: 'Hankook' },
});

/** Bits of the perceptual hash: 8 differ from one photograph to the next. */
const [FIRST, NEAR, SECOND] = ['00000000000000ff', '0000000000000080', '0000000000000000'];

/** The report, and what the store holds of its analyses. */
class Told {
  state = created('tire_4t_4s');
  readonly analyses: GuessingAnalysis[] = [];

  photograph(slotId: SlotId, imageHash: string | undefined, outcome = unread()): this {
    this.state = register(this.state, slotId, true);
    return this.end(slotId, imageHash, outcome);
  }

  /** The same photograph once more. */
  again(slotId: SlotId, imageHash: string): this {
    const attemptIds = Object.fromEntries(SIDEWALLS.map((id) => [id, newId()])) as Record<SlotId, string>;
    this.state = apply(this.state, { type: 'analyze', slotIds: [slotId], attemptIds });
    return this.end(slotId, imageHash, unread());
  }

  private end(slotId: SlotId, imageHash: string | undefined, outcome: Outcome): this {
    const slot = opened(this.state).slots.find((one) => one.slotId === slotId)?.state;
    if (slot?.phase !== 'analyzing') throw new Error('not analyzing');
    const analysis = finished(slotId, slot.analysisId, outcome);
    const command = { type: 'recordAnalysis' as const, analysis, guess: guessedSize(slotId, outcome), imageHash, revisionId: newId() };
    this.note(decide(this.state, command, NOW) as readonly ReportEvent[]);
    this.state = apply(this.state, command);
    return this;
  }

  private note(events: readonly ReportEvent[]): void {
    for (const event of events) {
      if (event.type !== 'slotEnded' || !event.analysis.guess) continue;
      const { slotId, analysisId, guess } = event.analysis;
      this.analyses.push({ slotId, analysisId, guess });
    }
  }

  get offered() {
    return offeredSizes(opened(this.state), this.analyses);
  }
}

const slotOf = (state: ReportState, id: SlotId) => (served(opened(state)) as ReportDocument).slots.find(({ slot_id }) => slot_id === id)!;

const sizes = (told: Told) => told.offered.map(({ slotId, size }) => [slotId, size]);

const confirmed = (told: Told): ReportState =>
  apply(told.state, {
    type: 'confirmSize',
    offered: told.offered[0]!,
    read: { manufactured: { week: 23, year: 2019, age_months: 89 }, brand: 'Hankook' },
    analysisId: newId(),
    revisionId: newId(),
  });

describe('a guessed size', () => {
  it('is offered where two photographs of a slot show it', () => {
    const told = new Told().photograph(FRONT, FIRST);
    expect(sizes(told)).toEqual([]);
    expect(sizes(told.photograph(FRONT, SECOND))).toEqual([[FRONT, SIZE]]);
  });

  it.each<[string, (told: Told) => Told]>([
    ['the same photograph measured twice', (told) => told.again(FRONT, FIRST)],
    ['a near copy of the photograph', (told) => told.photograph(FRONT, NEAR)],
    ['the other tire of the axle', (told) => told.photograph(OTHER, SECOND)],
    ['a photograph that shows another size', (told) => told.photograph(FRONT, SECOND, unread(guessOf(60)))],
    ['a photograph that shows none', (told) => told.photograph(FRONT, SECOND, unread(null))],
    ['a photograph without a hash', (told) => told.photograph(FRONT, undefined)],
    ['a photograph of something else', (told) => told.photograph(FRONT, SECOND, { $case: 'errorCode', value: 'sidewall_not_found' })],
  ])('is not offered for %s', (_, second) => {
    expect(sizes(second(new Told().photograph(FRONT, FIRST)))).toEqual([]);
  });

  it('is not offered while another tire has the photograph too', () => {
    const told = new Told().photograph(FRONT, FIRST).photograph(FRONT, SECOND);
    for (const hash of [SECOND, NEAR]) expect(sizes(told.photograph(OTHER, hash, unread(null)))).toEqual([]);
    expect(sizes(told.photograph(OTHER, 'ffff000000000000', unread(null)))).toEqual([[FRONT, SIZE]]);
    // The earlier photograph is then one of the other tire, and the present one shows the size alone.
    expect(sizes(told.photograph(OTHER, FIRST, unread(null)))).toEqual([]);
    told.photograph(OTHER, 'ffff000000000000', unread(null));
    expect(sizes(told.photograph('tire.tread.front_left', SECOND, measured('tire.tread.front_left')))).toEqual([[FRONT, SIZE]]);
  });

  it('is no longer offered when a photograph was read', () => {
    const read: Outcome = {
      $case: 'sidewall',
      value: { quality: { recognized: true, confidence: 0.95 }, size: guessOf(55), guess: guessOf(55) },
    };
    expect(sizes(new Told().photograph(FRONT, FIRST).photograph(FRONT, SECOND, read))).toEqual([]);
  });

  it('is of a sidewall, and complete', () => {
    expect(guessedSize(FRONT, unread())).toEqual(SIZE);
    expect(guessedSize('tire.tread.front_left', unread())).toBeNull();
    expect(guessedSize(FRONT, unread({ ...guessOf(55), rimDiameterInch: 0 }))).toBeNull();
    expect(guessedSize(FRONT, { $case: 'errorCode', value: 'sidewall_not_found' })).toBeNull();
  });

  it.each([
    ['sectionWidthMm', MANUAL_LIMITS.sectionWidthMm],
    ['aspectRatioPercent', MANUAL_LIMITS.aspectRatioPercent],
    ['rimDiameterInch', MANUAL_LIMITS.rimDiameterInch],
  ] as const)('is one that a person may enter: %s', (part, { min, max }) => {
    for (const value of [min, max]) expect(guessedSize(FRONT, unread({ ...guessOf(55), [part]: value }))).not.toBeNull();
    for (const value of [min - 1, max + 1]) expect(guessedSize(FRONT, unread({ ...guessOf(55), [part]: value }))).toBeNull();
  });

  it('stands in no document before a person confirms it', () => {
    const told = new Told().photograph(FRONT, FIRST).photograph(FRONT, SECOND);
    for (const id of SIDEWALLS.slice(1)) told.photograph(id, undefined, unread(null));
    const state = TREADS.reduce((before, id) => withResult(before, id), told.state);
    for (const text of [JSON.stringify(served(opened(state))), JSON.stringify(snapshotOf(opened(state)))]) {
      expect(text).toContain('"manufactured"');
      expect(text).not.toMatch(/guess|section_width|sectionWidth/);
    }
  });

  it('becomes a manual value of its slot, which keeps what else was read', () => {
    const told = new Told().photograph(FRONT, FIRST).photograph(FRONT, SECOND);
    const before = slotOf(told.state, FRONT);
    const after = slotOf(confirmed(told), FRONT);
    expect(before.analysis).toMatchObject({ provenance: 'engine', result: { size: null }, quality: { recognized: false } });
    expect(Analysis.parse(after.analysis)).toEqual({
      status: 'success',
      provenance: 'manual',
      engine: null,
      result: { size: SIZE, manufactured: { week: 23, year: 2019, age_months: 89 }, brand: 'Hankook' },
      quality: { recognized: true, confidence: null },
      error: null,
      completed_at: NOW.toISOString(),
    });
    expect(after.asset).toEqual(before.asset);
  });

  it('can be replaced and measured again like any other result', () => {
    const told = new Told().photograph(FRONT, FIRST).photograph(FRONT, SECOND);
    told.state = confirmed(told);
    expect(sizes(told)).toEqual([]);
    expect(sizes(told.again(FRONT, SECOND))).toEqual([[FRONT, SIZE]]);
  });
});
