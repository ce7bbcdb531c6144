import type { Photo, Stage } from '../web/uploads/photo';
import { MemoryStore, type Bytes } from '../web/uploads/store';
import { StoreOfPhone } from '../web/uploads/store-of-phone';
import { photoOf } from './testing/photo.fixture';

/** A database whose disk becomes full. Reading and removing go on. */
class Disk extends MemoryStore {
  isFull = false;
  isUnreadable = false;
  override list(reportId: string): Promise<Photo[]> {
    return this.isUnreadable ? Promise.reject(new Error('UnknownError')) : super.list(reportId);
  }
  override add(photo: Photo, bytes: Bytes): Promise<void> {
    return this.isFull ? Promise.reject(new Error('QuotaExceededError')) : super.add(photo, bytes);
  }
  override update(photo: Photo): Promise<boolean> {
    return this.isFull ? Promise.reject(new Error('QuotaExceededError')) : super.update(photo);
  }
}

const store = () => {
  const disk = new Disk();
  let warnings = 0;
  const phone = new StoreOfPhone(disk, () => warnings++);
  return { disk, phone, warnings: () => warnings };
};

describe('the store of a phone', () => {
  it('keeps a photograph in memory where the disk is full, and says so', async () => {
    const { disk, phone, warnings } = store();
    disk.isFull = true;
    await phone.add(photoOf({}), new Uint8Array([1, 2]));
    expect([warnings(), phone.isOnlyHere('photo'), await phone.bytesOf('photo')]).toEqual([1, true, new Uint8Array([1, 2])]);
    expect(await phone.list('report')).toHaveLength(1);
  });

  it('goes on in memory with a photograph whose next stage the disk cannot take', async () => {
    const { disk, phone } = store();
    await phone.add(photoOf({}), new Uint8Array([1, 2]));
    disk.isFull = true;
    expect(
      await phone.update(
        photoOf({ stage: { at: 'registering', target: { asset_id: 'a', upload_url: 'u', required_headers: {} }, over: null } }),
      ),
    ).toBe(true);
    // Both places have it; the further one counts.
    expect((await phone.list('report')).map(({ stage }) => stage.at)).toEqual(['registering']);
    expect(await phone.bytesOf('photo')).toEqual(new Uint8Array([1, 2]));
  });

  it('a newer photograph of a slot hides the earlier one in the other place, and a removed one takes no update', async () => {
    const { disk, phone } = store();
    await phone.add(photoOf({ id: 'first', order: 1 }), new Uint8Array([1]));
    disk.isFull = true;
    await phone.add(photoOf({ id: 'second', order: 2 }), new Uint8Array([2]));
    expect((await phone.list('report')).map(({ id }) => id)).toEqual(['second']);
    await phone.remove('second');
    expect(await phone.update(photoOf({ id: 'second', order: 2 }))).toBe(false);
  });

  it('lists what is in memory while the disk cannot be read, and says that something may be missing', async () => {
    const { disk, phone } = store();
    await phone.add(photoOf({ id: 'on the disk', slotId: 'tire.sidewall.front_left' }), new Uint8Array([1]));
    disk.isFull = disk.isUnreadable = true;
    await phone.add(photoOf({ id: 'here' }), new Uint8Array([2]));
    expect([(await phone.list('report')).map(({ id }) => id), phone.isIncomplete]).toEqual([['here'], true]);
    disk.isUnreadable = false;
    expect([(await phone.list('report')).map(({ id }) => id), phone.isIncomplete]).toEqual([['on the disk', 'here'], false]);
  });

  it.each<[string, Stage, boolean]>([
    ['registered', { at: 'registered', assetId: null }, false],
    ['refused by its link, which another one may follow', { at: 'refused', why: 'link' }, true],
    ['refused by a link that has ended, which another one may follow', { at: 'refused', why: 'ended' }, true],
    ['refused by the report', { at: 'refused', why: 'closed' }, false],
    ['refused as unusable', { at: 'refused', why: 'unusable' }, false],
  ])('the bytes of a photograph that is %s', async (_, stage, isKept) => {
    const { phone } = store();
    await phone.add(photoOf({}), new Uint8Array([1]));
    await phone.update(photoOf({ stage }));
    expect(await phone.bytesOf('photo')).toEqual(isKept ? new Uint8Array([1]) : null);
  });
});
