import { newId, type SlotId } from '@tire/kernel';
import type { Report as ReportDocument } from '@tire/contracts/api';
import { FAILED, TREADS, apply, created, finished, opened, served, snapshotOf, SIDEWALLS } from './report.fixture';
import type { ReportState } from './report';
import { imageWarnings, knownHash, knownSha256 } from './warnings';

const sha = (digit: string) => digit.repeat(64);
const [A, B, C, D] = TREADS as [SlotId, SlotId, SlotId, SlotId];
const HASH = '00000000000000ff';
/** Seven bits away, and eight. */
const [NEAR, FAR] = ['0000000000000080', '0000000000000000'];

const register = (state: ReportState, slotId: SlotId, sha256?: string, replace = false): ReportState =>
  apply(state, {
    type: 'registerImages',
    replace,
    images: [{ slotId, assetId: newId(), analysisId: newId(), sha256 }],
    revisionId: newId(),
  });

function end(state: ReportState, slotId: SlotId, imageHash?: string, outcome?: typeof FAILED): ReportState {
  const slot = opened(state).slots.find((each) => each.slotId === slotId)?.state;
  if (slot?.phase !== 'analyzing') throw new Error('not analyzing');
  return apply(state, { type: 'recordAnalysis', analysis: finished(slotId, slot.analysisId, outcome), imageHash, revisionId: newId() });
}

const warnings = (state: ReportState) => imageWarnings(opened(state).slots);
const empty = () => created('tire_4t_4s');
const same = (...slot_ids: SlotId[]) => ({ code: 'same_image', slot_ids });
const similar = (...slot_ids: SlotId[]) => ({ code: 'similar_image', slot_ids });

describe('warnings about images', () => {
  it('name slots of the same bytes as soon as they are registered, in the order of the slots', () => {
    const once = register(empty(), D, sha('a'));
    expect(warnings(once)).toEqual([]);
    const twice = register(register(once, A, sha('a')), SIDEWALLS[0]!, sha('a'));
    expect(warnings(twice)).toEqual([same(A, D, SIDEWALLS[0]!)]);
    expect(warnings(register(register(twice, B, sha('b')), C, sha('b')))).toEqual([same(A, D, SIDEWALLS[0]!), same(B, C)]);
  });

  it('need a digest: an earlier version of assets gives none', () => {
    expect(warnings(register(register(empty(), A), B))).toEqual([]);
    for (const text of [undefined, '', 'x'.repeat(64), sha('a').slice(1)]) expect(knownSha256(text)).toBeUndefined();
    for (const text of [undefined, '', '0x00000000000000', HASH.slice(1)]) expect(knownHash(text)).toBeUndefined();
    expect([knownSha256(sha('a')), knownHash(HASH)]).toEqual([sha('a'), HASH]);
  });

  it('name near copies once they are measured, also if both failed', () => {
    let state = TREADS.slice(0, 3).reduce((before, id, index) => register(before, id, sha(String(index))), empty());
    state = end(end(state, A, HASH, FAILED), B, HASH, FAILED);
    expect(warnings(state)).toEqual([similar(A, B)]);
    expect(warnings(end(state, C, 'ffffffff00000000'))).toEqual([similar(A, B)]);
    expect([warnings(end(state, C, NEAR)), warnings(end(state, C, FAR))]).toEqual([[similar(A, B, C)], [similar(A, B)]]);
  });

  it('do not call images of the same bytes similar, and join a near copy with both', () => {
    let state = [A, B, C].reduce((before, id) => register(before, id, sha(id === C ? 'c' : 'a')), empty());
    state = end(end(state, A, HASH), B, HASH);
    expect(warnings(state)).toEqual([same(A, B)]);
    expect(warnings(end(state, C, HASH))).toEqual([same(A, B), similar(A, B, C)]);
  });

  it('go with an image that is replaced, and come to the report and to its frozen revision', () => {
    const complete = TREADS.reduce(
      (state, id) => end(register(state, id, sha(id === D ? 'a' : String(TREADS.indexOf(id)))), id),
      created('tire_4t_0s'),
    );
    expect(warnings(complete)).toEqual([]);
    const doubled = end(register(complete, A, sha('a'), true), A, HASH);
    expect((served(opened(doubled)) as ReportDocument).warnings).toEqual([same(A, D)]);
    expect((snapshotOf(opened(doubled)) as ReportDocument).warnings).toEqual([same(A, D)]);
    const replaced = register(doubled, A, sha('e'), true);
    expect(warnings(replaced)).toEqual([]);
    expect((served(opened(complete)) as ReportDocument).warnings).toEqual([]);
  });
});
