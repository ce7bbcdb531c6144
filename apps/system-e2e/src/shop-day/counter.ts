import { POSITIONS, type Position } from '@tire/kernel';
import { Visitor } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import type { Browser, Locator } from 'playwright-core';
import { type Device, Effort, Hands } from './hands';
import type { Picture } from './pictures';
import { WORDS, type Words } from './words';

export type Language = keyof typeof WORDS;
export type Look = { readonly language: Language; readonly device: Device };

const WIDTHS: Readonly<Record<Device, number>> = { desktop: 1_280, phone: 390 };
const HEIGHTS: Readonly<Record<Device, number>> = { desktop: 800, phone: 844 };
const SCHEMES = ['light', 'dark'] as const;

/** The timeout allows for measurements on a busy machine. */
export const MEASURED = { timeout: 240_000 };

const NOT_SIGNED_IN = /status of 401 .*\/console\/api\/session$/;

/** A4 with the margins of the browser, at 96 px an inch. */
const PAPER = { width: 718, height: 1_046 };
const PRINTED_PAGES_MAX = 6;

/** A browser prints no background unless it is asked to. */
const TOO_LIGHT_ON_PAPER = `(() => {
  const faults = [];
  const luminance = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    const linear = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 1 - a * (1 - (0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]));
  };
  for (const node of document.querySelectorAll('main *')) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility()) continue;
    if (1.05 / (luminance(getComputedStyle(node).color) + 0.05) < 4.5) faults.push(node.textContent.trim().slice(0, 40));
  }
  return [...new Set(faults)].slice(0, 10);
})()`;

/** Buttons, links and fields that lie under something else, and texts that are cut off. */
const UNREACHABLE = `(() => {
  const faults = [];
  const name = (node) => (node.getAttribute('aria-label') || node.innerText || node.name || node.tagName).trim().slice(0, 60);
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && node.getClientRects().length > 0;
  const dialog = document.querySelector('[role=dialog]');
  const root = dialog ?? document;
  const y = scrollY;
  for (const node of root.querySelectorAll('a, button, input, select, textarea, summary')) {
    if (!shown(node) || node.closest('.skip') || node.type === 'hidden' || node.type === 'file') continue;
    node.scrollIntoView({ block: 'center', inline: 'nearest' });
    const box = node.getClientRects()[0];
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const label = node.closest('label') ?? node.labels?.[0];
    if (!hit || !(node.contains(hit) || hit.contains(node) || label?.contains(hit))) faults.push('covered: ' + name(node));
  }
  for (const node of root.querySelectorAll('*')) {
    if (!shown(node) || node.clientWidth < 8 || node.closest('[aria-hidden=true], svg')) continue;
    const { overflowX, clipPath, position } = getComputedStyle(node);
    const isVisuallyHidden = position === 'absolute' && clipPath !== 'none';
    if (['hidden', 'clip'].includes(overflowX) && !isVisuallyHidden && node.scrollWidth > node.clientWidth + 1 && node.innerText)
      faults.push('cut off: ' + name(node));
  }
  scrollTo(0, y);
  return [...new Set(faults)];
})()`;

/** A person at the counter: a browser of one width and one language, and the hands of the person. */
export class Counter {
  readonly faults: string[] = [];
  readonly pictures: Picture[] = [];
  private readonly seen = new Set<string>();

  private constructor(
    private readonly browser: Browser,
    readonly visitor: Visitor,
    readonly look: Look,
    readonly hands: Hands,
  ) {}

  static async open(browser: Browser, origin: string, look: Look): Promise<Counter> {
    const visitor = await visitorOf(browser, origin, look);
    return new Counter(browser, visitor, look, new Hands(visitor.tab, look.device, new Effort()));
  }

  get words(): Words {
    return WORDS[this.look.language];
  }
  get tab() {
    return this.visitor.tab;
  }

  button = (name: string | RegExp): Locator => this.tab.getByRole('button', { name, exact: true });
  link = (name: string): Locator => this.tab.getByRole('link', { name, exact: true });
  field = (name: string): Locator => this.tab.getByLabel(name, { exact: true });
  dialog = (): Locator => this.tab.getByRole('dialog');
  inDialog = (name: string): Locator => this.dialog().getByRole('button', { name, exact: true });
  section = (name: string): Locator => this.tab.locator('section').filter({ has: this.tab.getByRole('heading', { name, exact: true }) });
  verdict = (): Locator => this.tab.getByRole('region', { name: this.words.verdict, exact: true });
  part = (name: string): Locator =>
    this.tab.getByRole('navigation', { name: this.words.parts, exact: true }).getByRole('link', { name, exact: true });

  /** The hands of a new car. */
  begin(): Effort {
    this.hands.effort = new Effort();
    return this.hands.effort;
  }

  /** A phone that shares no session with the counter; its hands count for the same car. */
  async phone(address: string): Promise<Counter> {
    const look = { ...this.look, device: 'phone' } as const;
    const visitor = await visitorOf(this.browser, '', look);
    const phone = new Counter(this.browser, visitor, look, new Hands(visitor.tab, 'phone', this.hands.effort));
    await phone.tab.goto(address);
    return phone;
  }

  async signIn(email: string, password: string): Promise<void> {
    const { words } = this;
    await this.visitor.open('/');
    await this.see('sign-in');
    await this.field(words.email).fill(email);
    await this.field(words.password).fill(password);
    await this.button(words.signIn).click();
    await this.visitor.heading(words.projects).waitFor();
  }

  /** Which parts the role of the person has. */
  async sees(): Promise<{ customers: boolean; members: boolean }> {
    const { words } = this;
    await this.part(words.worklist).waitFor();
    const members = this.tab.getByRole('link', { name: words.members, exact: true, includeHidden: true });
    return { customers: (await this.part(words.customers).count()) > 0, members: (await members.count()) > 0 };
  }

  /** From any page of the project. */
  async worklist(): Promise<void> {
    await this.hands.click(this.part(this.words.worklist));
    await this.tab.getByRole('heading', { name: this.words.worklist, exact: true, level: 1 }).waitFor();
  }

  /** To the page with the photographs of a new report. */
  async newReport(plate: string, { byLink = false, mileage = '' } = {}): Promise<void> {
    const { words, hands } = this;
    await this.worklist();
    await hands.click(this.link(words.newReport));
    await hands.check(this.field(words.treadsOnly));
    if (byLink) await hands.check(this.field(words.byLink));
    await hands.type(this.field(words.plate), plate);
    if (mileage !== '') await hands.typeNext(this.field(words.mileage), mileage);
    await this.see('new-report');
    await hands.click(this.button(words.toPhotographs));
    await this.visitor.heading(words.photographs).first().waitFor();
  }

  async photographed(photographs: Readonly<Record<Position, string>>): Promise<void> {
    const { words, hands, look } = this;
    const source = look.device === 'phone' ? words.camera : words.choose;
    for (const position of POSITIONS) {
      const name = `${source}: ${words.slot(words.positions[position])}`;
      await hands.photograph(this.button(name), photographs[position]);
    }
    await this.tab.getByText(words.measured).first().waitFor(MEASURED);
    await this.see('photographs');
    await hands.click(this.link(words.toReport));
  }

  /** Waits for the verdict, and reads it. */
  async judged(word?: string): Promise<string> {
    if (word) await this.verdict().getByText(word, { exact: true }).waitFor(MEASURED);
    // The verdict of content has a headline.
    await this.verdict().getByRole('heading', { level: 2 }).waitFor(MEASURED);
    await this.button(this.words.copyLink).waitFor(MEASURED);
    return this.hands.read(this.verdict());
  }

  async handled(): Promise<void> {
    await this.hands.click(this.button(this.words.markHandled));
    await this.button(this.words.markNotHandled).waitFor();
  }

  /** A page of the walk, once: accessibility, width, what is covered or cut off, and a picture, in light and in dark. */
  async see(name: string, picture = false): Promise<void> {
    if (this.seen.has(name)) return;
    this.seen.add(name);
    const { language, device } = this.look;
    for (const colorScheme of SCHEMES) {
      await this.tab.emulateMedia({ colorScheme });
      const seen = `${name}, ${language}, ${WIDTHS[device]} px, ${colorScheme}`;
      const beyondPx = await this.tab.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      const found = [...(await this.visitor.violations()), ...(beyondPx > 0 ? [`${beyondPx} px too wide`] : [])];
      if (colorScheme === 'light') found.push(...(await this.tab.evaluate<string[]>(UNREACHABLE)));
      this.faults.push(...found.map((fault) => `${seen}: ${fault}`));
      if (picture) this.pictures.push({ name, language, device, colorScheme, image: await this.tab.screenshot() });
      await this.keep(`${name}-${language}-${WIDTHS[device]}-${colorScheme}`);
    }
    await this.tab.emulateMedia({ colorScheme: 'light' });
  }

  /** The paper of the print dialog, from a light and from a dark page. */
  async printedPages(): Promise<void> {
    const { language, device } = this.look;
    for (const colorScheme of SCHEMES) {
      await this.tab.emulateMedia({ colorScheme });
      const paper = await this.tab.pdf({ format: 'A4' });
      const pages = paper.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;
      if (pages === 0 || pages > PRINTED_PAGES_MAX) this.faults.push(`printed, ${language}: ${pages} pages`);
      await this.tab.emulateMedia({ media: 'print', colorScheme });
      // The print dialog sends these events.
      await this.tab.evaluate(`dispatchEvent(new Event('beforeprint'))`);
      await this.tab.setViewportSize(PAPER);
      const widthPx = await this.tab.evaluate<number>(`document.querySelector('main').getBoundingClientRect().width`);
      if (widthPx < PAPER.width * 0.9) this.faults.push(`printed, ${language}: ${widthPx} px of ${PAPER.width} px wide`);
      const dim = await this.tab.evaluate<string[]>(TOO_LIGHT_ON_PAPER);
      this.faults.push(...dim.map((text) => `printed, ${language}, ${colorScheme}: too light on paper: ${text}`));
      const picture = await this.tab.screenshot();
      this.pictures.push({ name: 'printed', language, device, colorScheme, image: picture });
      const folder = process.env['SCREENSHOTS'];
      if (folder) await writeFile(`${folder}/printed-${language}-${device}-${colorScheme}.pdf`, paper);
      await this.tab.evaluate(`dispatchEvent(new Event('afterprint'))`);
      await this.tab.emulateMedia({ media: null, colorScheme: 'light' });
      await this.tab.setViewportSize({ width: WIDTHS[device], height: HEIGHTS[device] });
    }
  }

  /** What the browser logged, but for the first question of a visitor who is not signed in. */
  errors = (): string[] => this.visitor.consoleErrors.filter((text) => !NOT_SIGNED_IN.test(text));

  /** The next car begins at the worklist. */
  async failed(car: number): Promise<void> {
    await this.keep(`failed-${car + 1}-${this.look.language}-${this.look.device}`);
    await this.tab.keyboard.press('Escape');
  }

  private async keep(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (!folder) return;
    const fullPage = (await this.dialog().count()) === 0;
    await this.tab.screenshot({ path: `${folder}/${name}.png`, fullPage });
  }
}

async function visitorOf(browser: Browser, origin: string, { language, device }: Look): Promise<Visitor> {
  const visitor = await Visitor.create(browser, origin, {
    locale: language === 'ko' ? 'ko-KR' : 'en-GB',
    viewport: { width: WIDTHS[device], height: HEIGHTS[device] },
    hasTouch: device === 'phone',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // The dialog of the browser is not a part of the page.
  await visitor.tab.addInitScript('window.print = () => document.documentElement.dataset.printed = "yes"');
  return visitor;
}
