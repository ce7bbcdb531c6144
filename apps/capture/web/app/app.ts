import type { CaptureSession } from '@tire/contracts/capture';
import type { SlotId } from '@tire/kernel/slots';
import type { ApiError } from '../api/api-error';
import { CaptureApi } from '../api/client';
import { askForTilt } from '../camera/tilt-permission';
import { type CameraFault, hasCameraInterface } from '../camera/stream';
import { KeptSession } from '../offline/kept-session';
import { isSamePhoto } from '../hints/same-photo';
import { BadFile, prepareFile, type Prepared } from '../photo/prepare';
import type { Photo } from '../uploads/photo';
import { tellParent } from './embed';
import { SessionFeed } from './feed';
import { Outbox } from './outbox';
import { kept, keep } from './settings';
import { initialState, withMember, withoutMember, type Screen, type State } from './state';
import { nextStop, progressOf, stopsOf, type Stop } from './walk';
import { captureStatus } from './status';

/** So long the page waits for the service before it begins with what the phone knows of the link. */
const RECALL_AFTER_MS = 4_000;

/** Puts everything together: what the server says, what the phone holds, and what the person does. */
export class App {
  state: State;
  private outbox: Outbox | null = null;
  private opening: Promise<Outbox> | null = null;
  /** Photographs that are prepared or being stored: they are in the memory of this page only. */
  private inHand = 0;
  private readonly api: CaptureApi;
  private readonly feed: SessionFeed;
  private readonly kept: KeptSession;
  /** By slot: how many reads had begun when its photograph was registered. */
  private readonly registeredAt = new Map<SlotId, number>();

  constructor(
    token: string,
    private readonly onChange: (state: State, before: State) => void,
  ) {
    this.state = initialState({
      language: kept('language') === 'en' ? 'en' : 'ko',
      isLeftHanded: kept('hand') === 'left',
      isAutomatic: kept('shutter') !== 'manual',
      camera: hasCameraInterface() ? 'unasked' : 'missing',
    });
    this.api = new CaptureApi(token);
    this.kept = new KeptSession(token);
    this.feed = new SessionFeed({
      api: this.api,
      onSession: (session, read) => {
        this.took(session, read);
        void this.kept.note(session);
      },
      onFailure: (error) => this.failed(error),
      isPending: () => this.isPending(),
    });
  }

  start(): void {
    const isOnline = () => this.set({ isOnline: navigator.onLine });
    window.addEventListener('online', () => (isOnline(), this.feed.look()));
    window.addEventListener('offline', isOnline);
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.feed.look());
    window.addEventListener('beforeunload', (event) => this.hasUnkept() && event.preventDefault());
    isOnline();
    this.feed.look();
    setTimeout(() => void this.recall(), RECALL_AFTER_MS);
  }

  /** The address of the page is not that of a link. */
  isUnknown = (): void => this.set({ reach: 'unknown' });

  stops = (): Stop[] => (this.state.session ? stopsOf(this.state.session, this.state.phone) : []);

  stop = (id: SlotId): Stop | undefined => this.stops().find((stop) => stop.id === id);

  look = (): void => this.feed.look();

  go = (screen: Screen): void => this.set({ screen, fileFault: null, doubt: null, hasFinishFailed: false, usesPicker: false });

  /** To the next slot without a photograph, or to the car. */
  goOn(after?: SlotId): void {
    const next = nextStop(this.stops(), after);
    this.go(next ? { name: 'slot', id: next.id } : { name: 'walk' });
  }

  switchLanguage(): void {
    const language = this.state.language === 'ko' ? 'en' : 'ko';
    keep('language', language);
    this.set({ language });
  }

  switchHand(): void {
    const isLeftHanded = !this.state.isLeftHanded;
    keep('hand', isLeftHanded ? 'left' : 'right');
    this.set({ isLeftHanded });
  }

  openCamera(): void {
    // Safari gives the tilt of the phone only if asked during a tap.
    void askForTilt();
    this.set({ camera: 'on', usesPicker: false, fileFault: null, doubt: null });
  }

  usePicker = (): void => this.set({ usesPicker: true });

  lackCamera = (fault: CameraFault): void => this.set({ camera: fault });

  /** The file picker takes over. */
  failedShot(id: SlotId): void {
    if (this.isAt(id)) this.set({ fileFault: 'shot' });
  }

  switchShutter(): void {
    const isAutomatic = !this.state.isAutomatic;
    keep('shutter', isAutomatic ? 'automatic' : 'manual');
    this.set({ isAutomatic });
  }

  skip(id: SlotId, skipped: boolean): void {
    const { phone } = this.state;
    this.set({ phone: { ...phone, skipped: skipped ? withMember(phone.skipped, id) : withoutMember(phone.skipped, id) } });
    if (skipped) this.goOn(id);
  }

  keepAsItIs = (id: SlotId): void => this.set({ kept: withMember(this.state.kept, id) });

  settle = (id: SlotId, mine: boolean): Promise<void> =>
    this.outbox?.settle(id, mine, this.stop(id)?.slot.asset_id ?? null) ?? Promise.resolve();

  async takeFile(id: SlotId, file: Blob): Promise<void> {
    const stop = this.stop(id);
    if (!stop) return;
    this.set({ isPreparing: true, fileFault: null, doubt: null });
    this.inHand++;
    try {
      const prepared = await prepareFile(file, stop.slot.slot.image_type);
      this.set({ isPreparing: false });
      await this.take(id, prepared);
    } catch (error) {
      this.set({ isPreparing: false });
      this.returnTo(id, { fileFault: error instanceof BadFile ? error.fault : 'unreadable' });
    } finally {
      this.inHand--;
    }
  }

  /** A photograph that closing the page would lose: it is prepared or being stored, waits for a word of the person, or could not be stored. */
  private hasUnkept = (): boolean => this.inHand > 0 || this.state.doubt !== null || (this.outbox?.hasOnlyHere() ?? false);

  private isAt = (id: SlotId): boolean => this.state.screen.name === 'slot' && this.state.screen.id === id;

  /** A photograph that cannot be kept as it is would be missing unnoticed if the person, who may have left its slot, were not told. */
  private returnTo(id: SlotId, told: Partial<Pick<State, 'fileFault' | 'doubt'>>): void {
    if (!this.isAt(id)) this.go({ name: 'slot', id });
    this.set(told);
  }

  /**
   * Keeps a photograph and goes on, from its slot only: who has left it meanwhile stays where they are. One that looks like the photograph
   * of another slot needs a second word.
   */
  async take(id: SlotId, prepared: Prepared, isSure = false): Promise<void> {
    this.inHand++;
    try {
      await this.keep(id, prepared, isSure);
    } finally {
      this.inHand--;
    }
  }

  private async keep(id: SlotId, prepared: Prepared, isSure: boolean): Promise<void> {
    const stop = this.stop(id);
    if (!stop || !this.opening) return;
    // A slow database must not cost the photograph.
    const outbox = await this.opening;
    const sameAs = isSure ? undefined : this.sameAs(id, prepared.hash);
    if (sameAs) return this.returnTo(id, { doubt: { prepared, sameAs } });
    // Asked for once there is something to keep: a browser may delete what no site asked it to keep.
    void navigator.storage?.persist?.().catch(() => undefined);
    // A photograph of this phone that waits hides what another phone sent meanwhile.
    const isHidden = stop.sight.is === 'sending' || stop.sight.is === 'unsent';
    await outbox.add(stop.slot.slot, id, prepared, isHidden ? null : stop.slot.asset_id);
    this.set({ kept: withoutMember(this.state.kept, id) });
    if (this.isAt(id)) this.goOn(id);
  }

  sameAs = (id: SlotId, hash: string): SlotId | undefined =>
    [...this.state.phone.photos.values()].find((photo) => photo.slotId !== id && isSamePhoto(photo.hash, hash))?.slotId;

  async finish(): Promise<void> {
    this.set({ hasFinishFailed: false });
    try {
      const session = await this.api.finish();
      this.took(session, ++this.feed.begun);
      this.go({ name: 'done' });
      tellParent({ type: 'capture.finished', report_id: session.report_id, status: captureStatus(session, this.stops()) });
    } catch {
      this.set({ hasFinishFailed: true });
    }
  }

  /** A result is expected; or the page of the report, which opens soon after the last one if it opens at all. */
  private isPending(): boolean {
    const { session, screen } = this.state;
    if (session === null) return true;
    const isOpening = screen.name === 'done' && session.state === 'open' && session.share_url === null;
    return isOpening || this.stops().some(({ sight }) => sight.is === 'measuring');
  }

  private set(change: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...change };
    this.onChange(this.state, before);
  }

  private took(session: CaptureSession, read: number): void {
    const { phone, session: before, language } = this.state;
    const isFirst = before === null;
    const unconfirmed = new Set([...phone.unconfirmed].filter((id) => (this.registeredAt.get(id) ?? 0) >= read));
    this.set({
      ...{ session, reach: 'there', phone: { ...phone, unconfirmed } },
      language: isFirst && kept('language') === null ? session.language : language,
    });
    if (isFirst) void this.opened(session);
    else if (session.state === 'ended') void this.outbox?.ended(session);
    // The publication of its report was taken back.
    else if (before.state === 'ended') this.outbox?.apply();
  }

  private async opened(session: CaptureSession): Promise<void> {
    this.opening = Outbox.open({
      api: this.api,
      reportId: session.report_id,
      first: session,
      session: () => this.feed.read(),
      onPhotos: (photos) => this.held(photos),
      onProgress: (id, share) => this.set({ phone: { ...this.state.phone, progress: new Map(this.state.phone.progress).set(id, share) } }),
      onRegistered: (photo) => this.registered(photo),
      onDropped: () => this.set({ dropped: this.state.dropped + 1 }),
      onMemoryOnly: () => this.set({ isMemoryOnly: true }),
      onSendsElsewhere: (sendsElsewhere) => this.set({ sendsElsewhere }),
    });
    this.outbox = await this.opening;
    // Somebody who has begun before needs no welcome.
    if (session.finished_at !== null) this.go({ name: 'done' });
    else if (this.stops().some(({ sight }) => sight.is !== 'empty')) this.go({ name: 'walk' });
    tellParent({ type: 'capture.opened', report_id: session.report_id });
  }

  private held(photos: ReadonlyMap<SlotId, Photo>): void {
    const refusedOf = (of: ReadonlyMap<SlotId, Photo>) => [...of.values()].filter(({ stage }) => stage.at === 'refused').length;
    // The link may have ended: the session says how.
    if (refusedOf(photos) > refusedOf(this.state.phone.photos)) this.feed.look();
    this.set({ phone: { ...this.state.phone, photos } });
  }

  private registered({ slotId }: Photo): void {
    this.registeredAt.set(slotId, this.feed.begun);
    const { phone } = this.state;
    this.set({ phone: { ...phone, unconfirmed: withMember(phone.unconfirmed, slotId) } });
    this.feed.expect();
    this.feed.look();
  }

  private failed({ status, code }: ApiError): void {
    if (status === 404 && code === 'not_found') {
      this.outbox?.resign();
      void this.kept.forget();
      this.set({ reach: 'unknown' });
    } else void this.recall().then(() => this.state.session === null && this.set({ reach: 'unreachable' }));
  }

  /** Begins with what the phone knows of the link. The service says what it is really like as soon as it answers. */
  private async recall(): Promise<void> {
    if (this.state.session !== null) return;
    const session = await this.kept.find();
    if (session && this.state.session === null && this.state.reach !== 'unknown') this.took(session, 0);
  }

  progress = () => progressOf(this.state.session!, this.stops());
}
