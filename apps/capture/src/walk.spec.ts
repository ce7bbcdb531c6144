import type { CaptureSession } from '@tire/contracts/capture';
import { ALL_SLOTS, slotId, type SlotId } from '@tire/kernel';
import { captureStatus } from '../web/app/status';
import { maySkip, nextStop, progressOf, stopsOf, type Phone } from '../web/app/walk';
import { photoOf } from './testing/photo.fixture';

type Status = CaptureSession['slots'][number]['status'];

const session = (statuses: Partial<Record<SlotId, Status>> = {}, least = { tread: 4, sidewall: 2 }): CaptureSession => ({
  schema_version: 'capture.v1',
  report_id: '00000000-0000-4000-8000-000000000000',
  ...{ state: 'open', ended_reason: null, finished_at: null, expires_at: '2026-12-01T00:00:00.000Z', language: 'en' },
  ...{ partner: { name: null, phone_number: null, address: null, opening_hours: null, logo_url: null }, return_url: null, share_url: null },
  template: { key: 'tire_4t_2s', minimum_success_count: least },
  slots: ALL_SLOTS.map((slot) => ({
    ...{ slot_id: slotId(slot), slot, asset_id: null, status: statuses[slotId(slot)] ?? 'empty', error_code: null, retake: [] },
    recognized: statuses[slotId(slot)] === 'success' ? true : null,
  })),
});

const phoneWith = (change: Partial<Phone> = {}): Phone => ({
  ...{ photos: new Map(), progress: new Map(), unconfirmed: new Set(), skipped: new Set() },
  ...change,
});

const FIRST: SlotId = 'tire.tread.front_left';
const sightOfFirst = (status: Status, phone: Partial<Phone>) => stopsOf(session({ [FIRST]: status }), phoneWith(phone))[0]!.sight;

describe('the way around the car', () => {
  it('goes from wheel to wheel, tread before sidewall', () => {
    expect(stopsOf(session(), phoneWith()).map(({ id }) => id.slice(5))).toEqual([
      ...['tread.front_left', 'sidewall.front_left', 'tread.rear_left', 'sidewall.rear_left'],
      ...['tread.rear_right', 'sidewall.rear_right', 'tread.front_right', 'sidewall.front_right'],
    ]);
  });

  it('shows a photograph of this phone until the server has it, and then what the server says', () => {
    const photos = new Map([[FIRST, photoOf({})]]);
    expect(sightOfFirst('failed', { photos, progress: new Map([['photo', 0.4]]) })).toEqual({ is: 'sending', share: 0.4 });
    const registered = new Map([[FIRST, photoOf({ stage: { at: 'registered', assetId: null } })]]);
    expect(sightOfFirst('failed', { photos: registered }).is).toBe('failed');
    // The session was read before the registration.
    expect(sightOfFirst('failed', { photos: registered, unconfirmed: new Set([FIRST]) }).is).toBe('measuring');
    expect(sightOfFirst('success', { photos: new Map([[FIRST, photoOf({ stage: { at: 'contested', target: null } })]]) }).is).toBe(
      'contested',
    );
  });

  it('next is the first empty slot after this one, around the car', () => {
    const stops = stopsOf(
      session({ 'tire.sidewall.front_left': 'pending' }),
      phoneWith({ skipped: new Set<SlotId>(['tire.tread.rear_left']) }),
    );
    expect(nextStop(stops)?.id).toBe(FIRST);
    expect(nextStop(stops, FIRST)?.id).toBe('tire.sidewall.rear_left');
    expect(nextStop(stops, 'tire.sidewall.front_right')?.id).toBe(FIRST);
  });

  it('leaves out as many as the template allows', () => {
    const skipped = new Set<SlotId>(['tire.sidewall.front_left']);
    const one = stopsOf(session(), phoneWith({ skipped }));
    expect(maySkip(session(), one, 'tire.sidewall.rear_left')).toBe(true);
    const two = stopsOf(session(), phoneWith({ skipped: new Set([...skipped, 'tire.sidewall.rear_left' as const]) }));
    expect(maySkip(session(), two, 'tire.sidewall.rear_right')).toBe(false);
    expect(maySkip(session(), one, FIRST)).toBe(false);
  });

  it('asks for no more of a type than the template needs, and for another one where one fails', () => {
    const sightsOf = (statuses: Partial<Record<SlotId, Status>>) =>
      stopsOf(session(statuses), phoneWith())
        .filter(({ slot }) => slot.slot.image_type === 'sidewall')
        .map(({ sight }) => sight.is);
    const two: Partial<Record<SlotId, Status>> = { 'tire.sidewall.front_left': 'pending', 'tire.sidewall.rear_left': 'success' };
    expect(sightsOf(two)).toEqual(['measuring', 'good', 'optional', 'optional']);
    expect(sightsOf({ ...two, 'tire.sidewall.front_left': 'failed' })).toEqual(['failed', 'good', 'empty', 'empty']);
    const stops = stopsOf(session(two), phoneWith());
    expect(nextStop(stops, 'tire.tread.rear_left')?.id).toBe('tire.tread.rear_right');
    expect(progressOf(session(two), stops)).toMatchObject({ taken: 2, wanted: 6 });
  });

  it('counts what is missing, and the status that the partner gets', () => {
    const done = Object.fromEntries(ALL_SLOTS.map((slot) => [slotId(slot), 'success'])) as Record<SlotId, Status>;
    const statusOf = (of: Record<SlotId, Status>) => captureStatus(session(of), stopsOf(session(of), phoneWith()));
    expect(progressOf(session(done), stopsOf(session(done), phoneWith()))).toMatchObject({ isEnough: true, taken: 6, unsent: 0 });
    const failed = { ...done, [FIRST]: 'failed' as const };
    expect(progressOf(session(failed), stopsOf(session(failed), phoneWith()))).toMatchObject({
      isEnough: false,
      missing: { tread: 1, sidewall: 0 },
    });
    expect([statusOf(done), statusOf(failed), statusOf({ ...done, [FIRST]: 'pending' })]).toEqual(['finished', 'incomplete', 'finished']);
    expect(captureStatus({ ...session(done), state: 'ended' }, [])).toBe('ended');
  });
});
