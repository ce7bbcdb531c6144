import type { Locator, Page as Tab } from 'playwright-core';

/**
 * The keystroke-level model (Card, Moran and Newell 1980), with their times for a mouse and an average typist. On a phone a tap takes the
 * time of pointing, which is more than it needs, and a letter that of two thumbs (Palin and others 2019: 36 words a minute). A person reads
 * 200 words a minute, which is slow. The model has no time for waiting, for walking around the car and for a gauge in a groove.
 */
export const SECONDS = {
  thought: 1.35,
  pointing: 1.1,
  click: 0.2,
  homing: 0.4,
  key: { desktop: 0.28, phone: 1 / 3 },
  word: 0.3,
} as const;

/** A swipe, or a turn of the wheel, moves the page by this share of the window. It takes the time of pointing. */
const SWIPE_SHARE = 0.8;

/** A Korean syllable has two or three keys. */
export const keysOf = (text: string): number => [...text.normalize('NFD')].length;

const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;

export type Device = keyof typeof SECONDS.key;

/** What a person did by hand for one car, at any device. */
export class Effort {
  steps = 0;
  seconds = 0;

  add(steps: number, seconds: number): void {
    this.steps += steps;
    this.seconds += seconds;
  }
}

/** The hands of a person at a browser: does what it counts. */
export class Hands {
  private isAtKeyboard = false;

  constructor(
    readonly tab: Tab,
    private readonly device: Device,
    public effort: Effort,
  ) {}

  async click(target: Locator): Promise<void> {
    await this.reach(target);
    await target.click();
    this.pointed();
  }

  async check(target: Locator): Promise<void> {
    await this.reach(target);
    await target.check();
    this.pointed();
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await field.fill(text);
    this.pointed();
    this.typed(text);
  }

  /** On a desktop the tabulator leads to the next field. */
  async typeNext(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await field.fill(text);
    if (this.device === 'phone') this.pointed();
    else this.effort.add(1, SECONDS.thought + SECONDS.key.desktop);
    this.typed(text);
  }

  /** A button that asks for a file. On a desktop a file of the dialog is opened; on a phone the camera has a shutter and a confirmation. */
  async photograph(button: Locator, file: string): Promise<void> {
    const asked = this.tab.waitForEvent('filechooser');
    await this.click(button);
    await (await asked).setFiles(file);
    this.chosen();
  }

  /** The same where the page shows the file field itself. */
  async photographInto(field: Locator, file: string): Promise<void> {
    await field.setInputFiles(file);
    this.pointed();
    this.chosen();
  }

  async read(target: Locator): Promise<string> {
    const text = await target.innerText();
    this.effort.add(0, wordsOf(text) * SECONDS.word);
    return text;
  }

  /** Scrolls to what is out of sight. */
  private async reach(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    const { height } = this.tab.viewportSize()!;
    if (!box) return;
    const beyondPx = box.y < 0 ? -box.y : Math.max(0, box.y + box.height - height);
    this.effort.add(0, Math.ceil(beyondPx / (SWIPE_SHARE * height)) * SECONDS.pointing);
  }

  /** The camera of the phone finds the code, and a tap opens its address. */
  scanned(): void {
    this.pointed();
    this.pointed();
  }

  private chosen(): void {
    this.pointed();
    if (this.device === 'phone') this.pointed();
    else this.effort.add(0, SECONDS.click);
  }

  private pointed(): void {
    const { thought, pointing, click, homing } = SECONDS;
    const touch = thought + pointing;
    this.effort.add(1, this.device === 'phone' ? touch : touch + click + (this.isAtKeyboard ? homing : 0));
    this.isAtKeyboard = false;
  }

  private typed(text: string): void {
    this.effort.add(0, keysOf(text) * SECONDS.key[this.device] + (this.isAtKeyboard || this.device === 'phone' ? 0 : SECONDS.homing));
    this.isAtKeyboard = true;
  }
}
