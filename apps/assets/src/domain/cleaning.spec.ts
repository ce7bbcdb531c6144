import { newId } from '@tire/kernel';
import { isOldEnough, judge, mayStillBeRecorded, type RecordedAsset } from './cleaning';
import { imageKey, parseObjectKey, uploadKey } from './object-key';
import { UPLOAD_LIFETIME_SECONDS } from './upload-lifetime';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const GRACE_MS = 86_400_000;
const identity = { projectId: newId(), reportId: newId(), slotId: 'tire.tread.front_left', assetId: newId() };
const [upload, image, other] = [uploadKey(identity), imageKey(identity, Buffer.alloc(32, 1)), imageKey(identity, Buffer.alloc(32, 2))].map(
  (key) => parseObjectKey(key)!,
) as [Parsed, Parsed, Parsed];
const foreign = parseObjectKey(imageKey({ ...identity, reportId: newId() }, Buffer.alloc(32, 1)))!;
type Parsed = NonNullable<ReturnType<typeof parseObjectKey>>;

const row = (over: Partial<RecordedAsset> = {}): RecordedAsset => ({
  assetId: identity.assetId,
  objectKey: image.key,
  unusedSince: null,
  ...over,
});
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('the finding for an object', () => {
  it.each([
    ['an upload that was never registered', upload, undefined, false, 'unrecorded'],
    ['verified bytes without a row', image, undefined, false, 'unrecorded'],
    ['bytes of a fetch that a slot waits for', image, undefined, true, 'keep'],
    ['the upload behind a registered image', upload, row(), true, 'copy'],
    ['the upload behind an image that is unused', upload, row(), false, 'copy'],
    ['bytes of another fetch of the same image', other, row(), true, 'copy'],
    ['bytes of another report whose image has the same id', foreign, row(), true, 'keep'],
    ['bytes of another report that no slot waits for', foreign, row(), false, 'unrecorded'],
    ['an image in use', image, row(), true, 'keep'],
    ['an image in use again', image, row({ unusedSince: ago(2 * GRACE_MS) }), true, 'used'],
    ['an image seen unused for the first time', image, row(), false, 'unused'],
    ['an image unused within the grace time', image, row({ unusedSince: ago(GRACE_MS) }), false, 'keep'],
    ['an image unused for longer', image, row({ unusedSince: ago(GRACE_MS + 1) }), false, 'replaced'],
  ] as const)('%s', (_, object, asset, isInUse, finding) => {
    expect(judge(object, asset, isInUse, NOW, GRACE_MS)).toBe(finding);
  });
});

describe('the age of an object', () => {
  const issued = (ageMs: number) => newId(NOW.getTime() - ageMs);
  const LIMIT_MS = UPLOAD_LIFETIME_SECONDS * 1000 + GRACE_MS;

  it('counts from the expiry of its upload target', () => {
    expect(isOldEnough(issued(LIMIT_MS), NOW, GRACE_MS)).toBe(false);
    expect(isOldEnough(issued(LIMIT_MS + 1), NOW, GRACE_MS)).toBe(true);
    expect(isOldEnough(issued(-60_000), NOW, GRACE_MS)).toBe(false);
  });

  it('leaves time for a registration before the removal', () => {
    const last = issued(LIMIT_MS - 900_000);
    expect(mayStillBeRecorded(last, NOW, GRACE_MS)).toBe(true);
    expect(mayStillBeRecorded(issued(LIMIT_MS - 900_000 + 1), NOW, GRACE_MS)).toBe(false);
    expect(isOldEnough(last, new Date(NOW.getTime() + 900_000), GRACE_MS)).toBe(false);
  });
});
