interface Read {
  readonly address: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isOpen: boolean;
  /** The names of the images on the page. Each asset has its own. */
  readonly images: ReadonlySet<string>;
}

interface Rule {
  readonly name: string;
  readonly covers: (read: Read) => boolean;
  readonly isBroken: (read: Read) => boolean;
}

const READERS = 2;
const IMAGE = /\/display\/[0-9a-f]+\/([0-9a-f]+)\//g;
/** Words and values of a report. A page that is not open contains none of them. */
const OF_A_REPORT = /타이어|mm<|\/objects\//;

export const imagesIn = (html: string): Set<string> => new Set(Array.from(html.matchAll(IMAGE), ([, image]) => image!));

/** Reads pages repeatedly, from the first address until it is stopped, and checks what it read against rules. */
export class PageWatch {
  private readonly addresses: string[] = [];
  private readonly rules: Rule[] = [];
  private readonly reads: Read[] = [];
  private readers: Promise<void>[] = [];
  private stopped = false;

  read(address: string): void {
    this.addresses.push(address);
    if (this.readers.length === 0) this.readers = Array.from({ length: READERS }, (_, index) => this.run(index));
  }

  /** The rule holds from now on: the caller has the response of the API. */
  neverAgain(addresses: readonly string[]): void {
    const sinceMs = performance.now();
    const ended = new Set(addresses);
    const covers = ({ address, beganMs }: Read) => beganMs > sinceMs && ended.has(address);
    this.rules.push({ name: 'is never open again', covers, isBroken: ({ isOpen }) => isOpen });
  }

  without(image: string, sinceMs: number): void {
    const covers = ({ beganMs, isOpen }: Read) => beganMs > sinceMs && isOpen;
    this.rules.push({ name: 'shows a replaced image no more', covers, isBroken: ({ images }) => images.has(image) });
  }

  closedBetween(fromMs: number, toMs: number): void {
    const covers = ({ beganMs, endedMs }: Read) => beganMs > fromMs && endedMs < toMs;
    this.rules.push({ name: 'is closed while anything is measured again', covers, isBroken: ({ isOpen }) => isOpen });
  }

  openReads = (): number => this.reads.filter(({ isOpen }) => isOpen).length;

  /** Reads each address some more times. Returns for each rule the number of reads for which it held. */
  async stop(moreReads: number): Promise<Map<string, number>> {
    for (let count = 0; count < moreReads; count += 1) for (const address of this.addresses) await this.readOnce(address);
    this.stopped = true;
    await Promise.all(this.readers);
    const held = new Map<string, number>();
    for (const { name, covers, isBroken } of this.rules) {
      const covered = this.reads.filter(covers);
      const broken = covered.find(isBroken);
      if (broken) throw new Error(`${broken.address} ${name}, but a read of ${broken.endedMs - broken.beganMs} ms saw otherwise`);
      held.set(name, (held.get(name) ?? 0) + covered.length);
    }
    return held;
  }

  private async run(first: number): Promise<void> {
    for (let index = first; !this.stopped; index += 1) await this.readOnce(this.addresses[index % this.addresses.length]!);
  }

  private async readOnce(address: string): Promise<void> {
    const beganMs = performance.now();
    const response = await fetch(address);
    const html = await response.text();
    const endedMs = performance.now();
    const isOpen = response.status === 200;
    if (![200, 403, 410].includes(response.status)) throw new Error(`${address} answered ${response.status}`);
    if (!isOpen && OF_A_REPORT.test(html)) throw new Error(`${address} answered ${response.status} and shows the report`);
    const images = imagesIn(html);
    if (isOpen && images.size === 0) throw new Error(`${address} is open and shows no image`);
    this.reads.push({ address, beganMs, endedMs, isOpen, images });
  }
}
