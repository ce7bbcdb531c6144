interface Read {
  readonly address: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isOpen: boolean;
  /** Of the photographs that it shows. */
  readonly assets: ReadonlySet<string>;
}

interface Rule {
  readonly said: string;
  readonly covers: (read: Read) => boolean;
  readonly isBroken: (read: Read) => boolean;
}

const READERS = 2;
const ASSET = /\/tire\.(?:tread|sidewall)\.\w+\/([0-9a-f-]{36})\./g;
/** What an address says that shows no report: none of the words and values of one. */
const OF_A_REPORT = /타이어|mm<|\/objects\//;

/** Reads pages over and over, from the first address that it is given until it is stopped, and judges what it saw. */
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

  /** From now on, as whoever has the API's answer in his hand. */
  neverAgain(addresses: readonly string[]): void {
    const sinceMs = performance.now();
    const ended = new Set(addresses);
    const covers = ({ address, beganMs }: Read) => beganMs > sinceMs && ended.has(address);
    this.rules.push({ said: 'is never open again', covers, isBroken: ({ isOpen }) => isOpen });
  }

  without(asset: string): void {
    const sinceMs = performance.now();
    const covers = ({ beganMs, isOpen }: Read) => beganMs > sinceMs && isOpen;
    this.rules.push({ said: `shows ${asset} no more`, covers, isBroken: ({ assets }) => assets.has(asset) });
  }

  closedBetween(fromMs: number, toMs: number): void {
    const covers = ({ beganMs, endedMs }: Read) => beganMs > fromMs && endedMs < toMs;
    this.rules.push({ said: 'is closed while anything is measured anew', covers, isBroken: ({ isOpen }) => isOpen });
  }

  openReads = (): number => this.reads.filter(({ isOpen }) => isOpen).length;

  /** After some more reads of each address. Returns by rule how many reads it held for. */
  async stop(moreReads: number): Promise<Map<string, number>> {
    for (let count = 0; count < moreReads; count += 1) for (const address of this.addresses) await this.readOnce(address);
    this.stopped = true;
    await Promise.all(this.readers);
    const held = new Map<string, number>();
    for (const { said, covers, isBroken } of this.rules) {
      const covered = this.reads.filter(covers);
      const broken = covered.find(isBroken);
      if (broken) throw new Error(`${broken.address} ${said}, but a read of ${broken.endedMs - broken.beganMs} ms saw otherwise`);
      held.set(said, (held.get(said) ?? 0) + covered.length);
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
    if (!isOpen && OF_A_REPORT.test(html)) throw new Error(`${address} answered ${response.status} and speaks of the report`);
    const assets = new Set(Array.from(html.matchAll(ASSET), ([, asset]) => asset!));
    if (isOpen && assets.size === 0) throw new Error(`${address} is open and shows no photograph`);
    this.reads.push({ address, beganMs, endedMs, isOpen, assets });
  }
}
