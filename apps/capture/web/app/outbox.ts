import type { CaptureSession } from '@tire/contracts/capture';
import type { Slot, SlotId } from '@tire/kernel/slots';
import type { CaptureApi } from '../api/client';
import { HttpWire } from '../api/wire';
import type { Prepared } from '../photo/prepare';
import { openDatabase } from '../uploads/database';
import { after, assetOf, isUnsent, mayReopen, mayReplaceToo, type Photo } from '../uploads/photo';
import { Sender } from '../uploads/sender';
import { SenderPost } from '../uploads/sender-post';
import { StoreOfPhone } from '../uploads/store-of-phone';

interface Settings {
  readonly api: CaptureApi;
  readonly reportId: string;
  /** The session that the page begins with. */
  readonly first: CaptureSession;
  /** Reads it anew. */
  readonly session: () => Promise<CaptureSession>;
  readonly onPhotos: (photos: ReadonlyMap<SlotId, Photo>) => void;
  readonly onProgress: (id: string, share: number) => void;
  readonly onRegistered: (photo: Photo) => void;
  /** A photograph was deleted before it was sent, because its report takes none any more. */
  readonly onDropped: () => void;
  readonly onMemoryOnly: () => void;
  readonly onSendsElsewhere: (elsewhere: boolean) => void;
}

/** A database that could not be read is read again after this long. */
const READ_AGAIN_MS = 5_000;

const newId = (): string => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');

const schedule = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** The photographs of this phone: stored, sent by one of its tabs, and shown in all of them. */
export class Outbox {
  private photos: ReadonlyMap<SlotId, Photo> = new Map();
  private lastOrder = 0;
  private isEnding = false;
  private cancelReading = (): void => {};
  private readonly sender: Sender;
  private readonly post: SenderPost;

  private constructor(
    private readonly settings: Settings,
    private readonly store: StoreOfPhone,
  ) {
    const { api, reportId, session, onProgress } = settings;
    this.sender = new Sender({
      reportId,
      store,
      wire: new HttpWire(api, session),
      maySend: ({ id }) => this.post.isHeld || store.isOnlyHere(id),
      onChange: (photo) => this.changed(photo),
      onProgress: ({ id }, share) => {
        onProgress(id, share);
        this.post.alive();
      },
      nowMs: () => performance.now(),
      random: Math.random,
      schedule,
    });
    this.post = new SenderPost(`capture-${reportId}`, {
      hasWork: () => [...this.photos.values()].some(isUnsent),
      onNews: () => void this.goOn(),
      onHeld: (isHeld) => {
        settings.onSendsElsewhere(!isHeld);
        void this.goOn();
      },
    });
  }

  static async open(settings: Settings): Promise<Outbox> {
    const outbox = new Outbox(settings, new StoreOfPhone(await openDatabase(), settings.onMemoryOnly));
    if (settings.first.state === 'open') {
      await outbox.reopen();
      outbox.apply();
    } else await outbox.ended(settings.first);
    window.addEventListener('online', outbox.kick);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && outbox.kick());
    return outbox;
  }

  kick = (): void => this.sender.kick();

  /** The link takes photographs: this tab may send them. */
  apply = (): void => this.post.apply();

  /** The link takes none. A tab with a newer link of the report may send them. */
  resign = (): void => this.post.resign();

  /** Photographs that only this page has: closing it would lose them. */
  hasOnlyHere = (): boolean => [...this.photos.values()].some((photo) => isUnsent(photo) && this.store.isOnlyHere(photo.id));

  /** `seen`: the asset that the person saw in the slot. */
  async add(slot: Slot, slotId: SlotId, prepared: Prepared, seen: string | null): Promise<void> {
    const before = this.photos.get(slotId);
    const { bytes, thumbnail, hash } = prepared;
    const photo: Photo = {
      ...{ id: newId(), reportId: this.settings.reportId, slot, slotId, thumbnail, hash },
      order: ++this.lastOrder,
      // What of this phone may have reached the server already is replaced on purpose, too.
      mayReplace: mayReplaceToo(before?.mayReplace ?? [], before && assetOf(before), seen),
      insisted: 0,
      stage: { at: 'waiting' },
      failures: 0,
      refusedAddresses: 0,
      refusedUploads: 0,
    };
    await this.store.add(photo, bytes);
    this.tellTabs();
    await this.look();
    this.kick();
  }

  /** The person has decided which of two photographs counts. */
  async settle(slotId: SlotId, mine: boolean, seen: string | null): Promise<void> {
    const photo = this.photos.get(slotId);
    if (!photo) return;
    if (mine) await this.store.update(after(photo, { type: 'insisted', over: seen }));
    else await this.store.remove(photo.id);
    this.tellTabs();
    await this.look();
    this.kick();
  }

  /** The link takes no more. What was sent need not stay on the phone; the rest waits for another link, where the report may get one. */
  async ended({ ended_reason }: CaptureSession): Promise<void> {
    this.resign();
    if (this.isEnding) return;
    this.isEnding = true;
    const isOver = ended_reason === 'published' || ended_reason === 'closed';
    await this.look();
    for (const photo of this.photos.values()) {
      const isSent = photo.stage.at === 'registered';
      // What cannot be removed now is removed after the next look at the session.
      const isGone = (isSent || isOver) && (await this.isRemoved(photo.id));
      if (isGone && !isSent) this.settings.onDropped();
    }
    await this.look();
    this.isEnding = false;
  }

  private isRemoved = (id: string): Promise<boolean> =>
    this.store.remove(id).then(
      () => true,
      () => false,
    );

  /** A newer link to the same report: what the former one could not send goes on. */
  private async reopen(): Promise<void> {
    await this.look();
    const refused = [...this.photos.values()].filter(mayReopen);
    if (refused.length === 0) return;
    // What cannot be stored now is opened again with the page.
    for (const photo of refused) await this.store.update(after(photo, { type: 'reopened' })).catch(() => false);
    this.tellTabs();
    await this.look();
  }

  /** Who holds the post has a link that takes photographs: what is refused then was refused to another tab, with another link. */
  private async goOn(): Promise<void> {
    await (this.post.isHeld ? this.reopen() : this.look());
    this.kick();
  }

  private changed(photo: Photo): void {
    if (mayReopen(photo)) this.resign();
    this.tellTabs();
    void this.look();
  }

  private tellTabs = (): void => this.post.news();

  private async look(): Promise<void> {
    const photos = await this.store.list(this.settings.reportId);
    const before = this.photos;
    this.photos = new Map(photos.map((photo) => [photo.slotId, photo]));
    // Photographs that cannot be read now have an order, too.
    this.lastOrder = Math.max(this.lastOrder, ...photos.map(({ order }) => order));
    this.cancelReading();
    if (this.store.isIncomplete) this.cancelReading = schedule(() => void this.look().then(this.kick), READ_AGAIN_MS);
    this.settings.onPhotos(this.photos);
    for (const photo of photos) {
      const known = before.get(photo.slotId);
      const isNews = known?.id === photo.id && known.stage.at !== 'registered';
      if (isNews && photo.stage.at === 'registered') this.settings.onRegistered(photo);
    }
  }
}
