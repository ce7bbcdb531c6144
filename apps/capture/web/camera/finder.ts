import type { ImageType, SlotId } from '@tire/kernel/slots';
import { FramingWatch } from '../framing/watch';
import { hintOf } from '../hints/hints';
import { firstMoment, nextMoment, readiness, type Moment } from '../hints/moment';
import { LEVEL_DEGREES, tiltOf } from '../hints/tilt';
import type { Words } from '../i18n/en';
import { prepareVideo, type Prepared } from '../photo/prepare';
import { h, morph } from '../view/element';
import { VideoLooks } from './looks';
import { outlineOf, showTilt } from './overlay';
import { close, hasTorch, openStream, switchTorch, type NoCamera } from './stream';

export interface Aim {
  readonly id: SlotId;
  readonly type: ImageType;
  readonly title: string;
  readonly howTo: string;
  readonly words: Words;
  /** Enough others are left for the template. */
  readonly maySkip: boolean;
  readonly isAutomatic: boolean;
  readonly isLeftHanded: boolean;
  readonly otherHashes: readonly string[];
}

interface Settings {
  readonly onPhoto: (id: SlotId, prepared: Prepared) => Promise<void>;
  readonly onFault: (fault: NoCamera) => void;
  readonly onFailedShot: (id: SlotId) => void;
}

/** Between two looks at the picture. */
const LOOK_EVERY_MS = 120;
/** Measures of looks that are kept for whoever measures. */
const MEASURES_MAX = 200;

/** The live picture with its outline, hint and shutter. One for the page: the camera stays open from slot to slot. */
export class Finder {
  readonly element: HTMLElement;
  private readonly video = h('video', { playsinline: true, muted: true, autoplay: true });
  private readonly stage = h('div', { class: 'stage' });
  private readonly hint = h('p', { class: 'hint', role: 'status' });
  private readonly ring = h('progress', { class: 'ready', max: 1, value: 0, 'aria-hidden': 'true' });
  private readonly back = h('button', { type: 'button', class: 'plain', 'data-do': 'walk' });
  private readonly skip = h('button', { type: 'button', class: 'plain', 'data-do': 'skip' });
  private readonly title = h('h1', { tabindex: '-1' });
  private readonly bar = h('div', { class: 'finder-bar' }, this.back, this.title, this.skip);
  private readonly buttons = h('div', { class: 'finder-buttons' });
  private readonly looks = new VideoLooks();
  private readonly framing = new FramingWatch();
  private stream: MediaStream | null = null;
  private opening: Promise<void> | null = null;
  private aim: Aim | null = null;
  private moment: Moment = firstMoment(0);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isShooting = false;
  private isTorchOn = false;
  private measures = 0;
  /** What the outline is drawn for. */
  private drawn = '';

  constructor(private readonly settings: Settings) {
    this.video.muted = true;
    this.stage.append(this.video);
    this.element = h('main', { class: 'finder' }, this.bar, this.stage, this.hint, this.ring, this.buttons);
    this.element.addEventListener('click', ({ target }) => this.tapped(target));
    this.video.addEventListener('resize', () => this.drawOutline());
    window.addEventListener('deviceorientation', ({ beta, gamma }) => this.tilted(tiltOf(beta, gamma)));
    document.addEventListener('visibilitychange', () => void this.follow());
  }

  /** The page asks something in between. The camera stays open: to open it takes a second on a phone. */
  rest(): void {
    this.aim = null;
    clearTimeout(this.timer);
  }

  /** Shows a slot; null puts the camera away. */
  async show(aim: Aim | null): Promise<void> {
    const isOther = aim?.id !== this.aim?.id;
    this.aim = aim;
    if (isOther) this.moment = firstMoment(performance.now());
    if (aim) this.draw(aim, isOther);
    await this.follow();
  }

  /** The camera runs while it is looked at: a phone takes it away from a page in the background. */
  private async follow(): Promise<void> {
    if (!this.aim || document.visibilityState !== 'visible') return this.put();
    const isAlive = this.stream?.getVideoTracks()[0]?.readyState === 'live';
    if (isAlive) return this.play();
    // Each change of the page comes here, and a second request would leave a stream that nobody stops.
    this.opening ??= this.open().finally(() => (this.opening = null));
    await this.opening;
  }

  private async open(): Promise<void> {
    this.put();
    try {
      const stream = await openStream();
      if (!this.aim || document.visibilityState !== 'visible') return close(stream);
      this.stream = this.video.srcObject = stream;
      this.draw(this.aim, false);
      await this.play();
    } catch (error) {
      this.settings.onFault(error as NoCamera);
    }
  }

  private async play(): Promise<void> {
    // Refused where the page was left meanwhile. A video that was out of the page has stopped.
    if (this.video.paused) await this.video.play().catch(() => undefined);
    this.look();
  }

  private put(): void {
    clearTimeout(this.timer);
    if (this.stream) close(this.stream);
    this.stream = this.video.srcObject = null;
    this.isTorchOn = false;
  }

  private draw(aim: Aim, isOther: boolean): void {
    const { id, title, howTo, words, isLeftHanded, maySkip } = aim;
    this.title.textContent = title;
    this.element.classList.toggle('left-hand', isLeftHanded);
    this.back.textContent = words.back;
    this.skip.textContent = words.skip;
    this.skip.hidden = !maySkip;
    this.skip.dataset['slot'] = id;
    if (isOther) this.hint.textContent = howTo;
    // In place: the button that has the focus keeps it.
    morph(this.buttons, this.buttonsOf(aim));
    this.drawOutline();
  }

  private buttonsOf({ words, isAutomatic }: Aim): HTMLElement {
    const hasLight = this.stream !== null && hasTorch(this.stream);
    const toggle = (attributes: Readonly<Record<string, string>>, text: string, isOn: boolean) =>
      h('button', { type: 'button', class: 'plain', 'aria-pressed': isOn ? 'true' : 'false', ...attributes }, text);
    return h(
      'div',
      { class: 'finder-buttons' },
      h('button', { type: 'button', class: 'plain', 'data-do': 'picker' }, words.fromGallery),
      h('button', { type: 'button', class: 'shutter', 'data-camera': 'shoot', 'aria-label': words.takePhoto }),
      h(
        'div',
        {},
        toggle({ 'data-do': 'automatic' }, words.automatic, isAutomatic),
        hasLight ? toggle({ 'data-camera': 'torch' }, words.torch, this.isTorchOn) : null,
      ),
    );
  }

  private drawOutline(): void {
    const { videoWidth, videoHeight } = this.video;
    const drawn = this.aim && videoWidth > 0 ? `${this.aim.type} ${videoWidth} ${videoHeight}` : '';
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.stage.querySelector('.outline')?.remove();
    if (this.aim && drawn !== '') this.stage.append(outlineOf(this.aim.type, videoWidth, videoHeight));
  }

  private look = (): void => {
    clearTimeout(this.timer);
    if (!this.aim || !this.stream) return;
    const beganMs = performance.now();
    const seen = this.isShooting ? null : this.looks.take(this.video);
    if (seen) {
      const { id, type, otherHashes } = this.aim;
      const hint = hintOf({ ...seen, otherHashes, asked: type, sight: this.framing.latest(id, beganMs) });
      this.moment = nextMoment(this.moment, hint, beganMs);
      const { shownHint } = this.moment;
      const text = shownHint === null ? this.aim.howTo : this.aim.words.hints[shownHint];
      if (this.hint.textContent !== text) this.hint.textContent = text;
      this.hint.classList.toggle('bad', shownHint !== null);
      this.ring.value = this.aim.isAutomatic ? readiness(this.moment, beganMs) : 0;
      this.measure(beganMs);
      if (this.aim.isAutomatic && this.ring.value >= 1) void this.shoot();
      this.framing.load();
      if (this.framing.wants(id, beganMs)) this.framing.ask(id, this.looks.middleOf(this.video), performance.now());
    }
    this.timer = setTimeout(this.look, LOOK_EVERY_MS);
  };

  /** In the timeline of the browser, for whoever looks at it: how long a look takes. */
  private measure(beganMs: number): void {
    if (++this.measures % MEASURES_MAX === 0) performance.clearMeasures('capture.look');
    performance.measure('capture.look', { start: beganMs, end: performance.now() });
  }

  private async shoot(): Promise<void> {
    if (this.isShooting || !this.aim || this.video.videoWidth === 0) return;
    this.isShooting = true;
    this.element.classList.add('flash');
    const { id, type } = this.aim;
    try {
      await this.settings.onPhoto(id, await prepareVideo(this.video, type));
    } catch {
      // A phone without memory for the picture, for example. Silent, the shutter would go off again and again.
      this.settings.onFailedShot(id);
    } finally {
      this.isShooting = false;
      this.moment = firstMoment(performance.now());
      this.element.classList.remove('flash');
    }
  }

  private tapped(target: EventTarget | null): void {
    const task = target instanceof Element ? target.closest<HTMLElement>('[data-camera]')?.dataset['camera'] : undefined;
    if (task === 'shoot') void this.shoot();
    if (task === 'torch' && this.stream && this.aim) {
      this.isTorchOn = !this.isTorchOn;
      void switchTorch(this.stream, this.isTorchOn).catch(() => undefined);
      this.draw(this.aim, false);
    }
  }

  private tilted(degrees: number | null): void {
    const outline = this.stage.querySelector<SVGElement>('.outline');
    if (outline) showTilt(outline, degrees, degrees !== null && Math.abs(degrees) <= LEVEL_DEGREES);
  }
}
