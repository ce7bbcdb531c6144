import type { ReportSlot, TreadResult } from '@tire/contracts/api';
import { RETAKE_HINTS } from '@tire/kernel';
import { en } from '../web/i18n/en';
import { ko } from '../web/i18n/ko';
import { slotState, type Sending } from '../web/pages/creation/slot-state';

type Analysis = ReportSlot['analysis'];

const PENDING: Analysis = {
  status: 'pending',
  provenance: null,
  engine: null,
  result: null,
  quality: null,
  error: null,
  completed_at: null,
};
const MEASURED: Analysis = {
  ...PENDING,
  status: 'success',
  provenance: 'engine',
  result: {
    aggregated_depth: { aggregated_remaining_depth: 5.25, estimated_lifetime: null },
    individual_depths: { individual_remaining_depth: [5.2, 5.3] },
    tire_rotation: null,
    vehicle_side: null,
    groove_masks: [],
    tread_roi: { bbox_xyxy_norm: null },
  },
};
const RESULT = MEASURED.result as TreadResult;
const RANGED: Analysis = {
  ...MEASURED,
  result: {
    ...RESULT,
    individual_depths: {
      ...RESULT.individual_depths,
      depth_intervals_mm: [
        [4.25, 6.1],
        [4.4, 6],
      ],
    },
  },
};
const BALD: Analysis = {
  ...RANGED,
  result: {
    ...(RANGED.result as TreadResult),
    bald_zones: {
      share_of_width: 0.2,
      worn_smooth: false,
      zones: [{ place: 'center', from_share: 0.4, to_share: 0.6, polygon_xy_norm: [] }],
    },
  },
};
const CUT_OFF: Analysis = {
  ...RANGED,
  result: { ...(RANGED.result as TreadResult), unseen_parts: [{ place: 'last_shoulder', reason: 'outside_image' }] },
};
const UNREAD: Analysis = { ...MEASURED, result: { size: null } };
const FAILED: Analysis = { ...PENDING, status: 'failed', provenance: 'engine', error: { code: 'tread_not_found', retryable: true } };
const DARK = [{ code: 'too_dark' as const, hint: RETAKE_HINTS.too_dark }];
const UNCLEAR = [{ code: 'unreadable' as const, hint: RETAKE_HINTS.unreadable }];
const ASSET = { asset_id: 'asset', source: { kind: 'atrace_upload', url: null, client_asset_id: null } } satisfies ReportSlot['asset'];

const slot = (analysis: Analysis, asset: ReportSlot['asset'] = ASSET): ReportSlot => ({
  slot_id: 'tire.tread.front_left',
  module_type: 'tire',
  slot: { position: 'front_left', image_type: 'tread' },
  status: analysis.status,
  asset,
  analysis,
});
const shown = (of: ReportSlot, sending?: Sending, isNeeded = true) => {
  const { tone, text, hints } = slotState(of, sending, isNeeded, en, 'en');
  return [tone, text, ...hints];
};

describe('the state of a slot', () => {
  it.each<[string, unknown[], unknown[]]>([
    ['has no image yet', shown(slot(PENDING, null)), ['idle', 'No photograph yet']],
    ['no longer needs an image', shown(slot(PENDING, null), undefined, false), ['idle', 'No longer needed']],
    ['has an upload in progress', shown(slot(FAILED), { step: 'sending', preview: 'blob:', share: 0.5 }), ['busy', 'Sending']],
    ['has an uploaded image', shown(slot(FAILED), { step: 'sent', preview: 'blob:' }), ['busy', 'Being measured']],
    ['is being measured', shown(slot(PENDING)), ['busy', 'Being measured']],
    [
      'has an upload error',
      shown(slot(MEASURED), { step: 'stopped', problem: 'tooLarge', again: null }),
      ['bad', 'The photograph is larger than 20 MB.'],
    ],
    ['has a value', shown(slot(MEASURED)), ['good', '5.2 mm']],
    ['has a value with its range', shown(slot(RANGED)), ['good', 'about 5.2 mm (4.3 to 6.0 mm)']],
    ['has grooves beside a bald zone', shown(slot(BALD)), ['good', 'about 5.2 mm (4.3 to 6.0 mm), it seems to have no pattern in places']],
    [
      'has a part that was not seen',
      shown(slot(CUT_OFF)),
      ['good', 'about 5.2 mm (4.3 to 6.0 mm), a part of the tread could not be checked'],
    ],
    ['has a typed value', shown(slot({ ...MEASURED, provenance: 'manual' }, null)), ['good', 'Entered: 5.2 mm']],
    ['has no readable size', shown(slot(UNREAD)), ['better', en.slots.notRead]],
    [
      'has no readable size, with a retake hint',
      shown(slot({ ...UNREAD, retake: UNCLEAR })),
      ['better', en.slots.notRead, RETAKE_HINTS.unreadable.en],
    ],
    ['has failed', shown(slot(FAILED)), ['bad', 'Take it again', en.slots.failures.tread_not_found]],
    ['has failed, with a retake hint', shown(slot({ ...FAILED, retake: DARK })), ['bad', 'Take it again', RETAKE_HINTS.too_dark.en]],
    [
      'has a value, with a retake hint',
      shown(slot({ ...MEASURED, retake: DARK })),
      ['better', expect.stringMatching(/^5.2 mm. Measured, but/), RETAKE_HINTS.too_dark.en],
    ],
  ])('when it %s', (_, words, expected) => {
    expect(words).toEqual(expected);
  });

  it('is shown in Korean too, with the retake hint of the service', () => {
    expect(slotState(slot({ ...FAILED, retake: DARK }), undefined, true, ko, 'ko')).toEqual({
      tone: 'bad',
      text: '다시 촬영해 주세요',
      hints: [RETAKE_HINTS.too_dark.ko],
    });
  });
});
