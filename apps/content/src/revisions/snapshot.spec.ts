import { AnalysisRevisionSnapshot } from '@tire/contracts/api';
import { ZodError } from 'zod';
import { type Size, snapshotOf } from '../domain/fixtures/snapshot.fixture';
import { readSnapshot } from './snapshot';

type Json = Record<string, unknown>;
interface Raw extends Json {
  slots: (Json & { analysis: Json & { result: Json } })[];
}

const SIZE: Size = [225, 45, 17];
const TREAD = 0;
const SIDEWALL = 4;
/** Replaced by 1e999, which JSON can carry and a number cannot. */
const TOO_LARGE = '<too large>';

const sound = snapshotOf({ sizes: [SIZE, SIZE, SIZE, SIZE] });

function read(change: (raw: Raw) => unknown) {
  const raw = JSON.parse(JSON.stringify(sound)) as Raw;
  change(raw);
  return readSnapshot(Buffer.from(JSON.stringify(raw).replaceAll(JSON.stringify(TOO_LARGE), '1e999')));
}

const slot =
  (change: Json, index = TREAD) =>
  (raw: Raw) =>
    Object.assign(raw.slots[index]!, change);
const analysis = (change: Json) => (raw: Raw) => Object.assign(raw.slots[TREAD]!.analysis, change);
const tread = (change: Json) => (raw: Raw) => Object.assign(raw.slots[TREAD]!.analysis.result, change);
const depths = (...values: unknown[]) => tread({ individual_depths: { individual_remaining_depth: values } });
const mask = (change: Json) => (raw: Raw) => Object.assign((raw.slots[TREAD]!.analysis.result['groove_masks'] as Json[])[1]!, change);
const size = (change: Json) => (raw: Raw) => Object.assign(raw.slots[SIDEWALL]!.analysis.result['size'] as Json, change);

describe('a snapshot', () => {
  it('is read as its contract reads it', () => {
    expect(read(() => undefined)).toEqual(AnalysisRevisionSnapshot.parse(sound));
  });

  it.each<[string, (raw: Raw) => unknown]>([
    ['a depth that was NaN, which JSON makes null', depths(null, 5, 5, 5)],
    ['a depth too large for a number', depths(5, TOO_LARGE, 5)],
    ['depths that are text', depths('5.0', '5.1')],
    ['no list of depths', tread({ individual_depths: {} })],
    ['a rotation that is text', tread({ tire_rotation: '90' })],
    ['an unknown side of the vehicle', tread({ vehicle_side: 'top' })],
    ['a region outside of the image', tread({ tread_roi: { bbox_xyxy_norm: [-1, 0, 2, 1] } })],
    ['masks that are no list', tread({ groove_masks: {} })],
    ['a mask outside of the image', mask({ polygon_xy_norm: [[0.5, 1.01]] })],
    ['a mask left of the image', mask({ polygon_xy_norm: [[-0.1, 0.5]] })],
    ['a mask with a point of one coordinate', mask({ polygon_xy_norm: [[0.1]] })],
    ['a mask with a point that is text', mask({ polygon_xy_norm: [['0.1', 0.2]] })],
    ['a mask with a point of three coordinates', mask({ polygon_xy_norm: [[0.1, 0.2, 0.3]] })],
    ['a mask without a polygon', mask({ polygon_xy_norm: null })],
    ['a width with a fraction', size({ section_width: 225.5 })],
    ['a width that is text', size({ section_width: '225' })],
    ['an empty result', analysis({ result: {} })],
    ['success without a result', analysis({ result: null, quality: null })],
    ['success with an error', analysis({ error: { code: 'analysis_failed', retryable: true } })],
    ['failure with a result', analysis({ status: 'failed', error: { code: 'analysis_failed', retryable: true } })],
    ['an unknown status', analysis({ status: 'maybe' })],
    ['an end that is no time', analysis({ completed_at: 'yesterday' })],
    ['a slot without an analysis', slot({ analysis: null })],
    ['an asset that is text', slot({ asset: 'photo.jpg' })],
    ['an unknown position', slot({ slot: { position: 'spare', image_type: 'tread' } })],
    ['null instead of a slot', (raw) => raw.slots.splice(TREAD, 1, null as never)],
    ['no template', (raw) => delete raw['template']],
  ])('with %s is refused', (_what, change) => {
    expect(() => read(change)).toThrow(ZodError);
  });

  it('that is not JSON is refused', () => {
    expect(() => readSnapshot(Buffer.from('{'))).toThrow(SyntaxError);
  });
});
