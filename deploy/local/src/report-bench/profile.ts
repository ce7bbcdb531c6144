/** What node:inspector records: samples of the stack, each with the time since the one before. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Frame {
  readonly name: string;
  /** From the root of the repository or of node_modules; of Node itself `node:…`; empty for what is no JavaScript. */
  readonly file: string;
}

export interface Stack {
  /** The root first. */
  readonly frames: readonly Frame[];
  readonly ms: number;
}

const US_PER_MS = 1_000;
const [ROOT, IDLE] = ['(root)', '(idle)'];

export function fileOf(url: string): string {
  const inPackage = url.lastIndexOf('/node_modules/');
  if (inPackage >= 0) return url.slice(inPackage + 1);
  const inBuild = url.indexOf('/dist/');
  return inBuild < 0 ? url.replace(/^file:\/\//, '') : url.slice(inBuild + '/dist/'.length);
}

/** The different stacks and how long each was seen, without those of a thread that waits. */
export function stacksOf({ nodes, samples, timeDeltas }: CpuProfile): Stack[] {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(
    nodes.map(({ id, callFrame }) => [id, { name: callFrame.functionName || '(anonymous)', file: fileOf(callFrame.url) }]),
  );
  const usOf = new Map<number, number>();
  // A sample holds until the next one.
  samples.forEach((id, index) => usOf.set(id, (usOf.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0)));
  return [...usOf].flatMap(([leaf, us]) => {
    const stack: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) stack.unshift(frames.get(id)!);
    const named = stack.filter(({ name }) => name !== ROOT);
    return named.length === 0 || named[0]!.name === IDLE ? [] : [{ frames: named, ms: us / US_PER_MS }];
  });
}

/** The package, or the folder of our own code, in whose function the time was spent. */
export function groupOf({ frames }: Stack): string {
  const { name, file } = frames.at(-1)!;
  const [, inPackages] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (inPackages) return inPackages;
  if (file.startsWith('node:')) return 'Node';
  if (file === '') return name === '(garbage collector)' ? 'garbage collection' : 'native code';
  return /^(apps|libs)\//.test(file) ? file.split('/').slice(0, 2).join('/') : 'this bench';
}

/** The same, with the function where the code is ours. */
export function functionOf(stack: Stack): string {
  const { name, file } = stack.frames.at(-1)!;
  const group = groupOf(stack);
  return /^(apps|libs)\//.test(group) ? `${name} of ${file.slice(file.lastIndexOf('/') + 1).replace(/\.js$/, '')}` : group;
}

export function sums<T>(items: readonly T[], keyOf: (item: T) => string, valueOf: (item: T) => number): Map<string, number> {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0) + valueOf(item));
  return new Map([...totals].sort(([, one], [, other]) => other - one));
}
