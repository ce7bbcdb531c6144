import { runBench } from '@tire/test-harness/bench';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROVIDERS, type Provider } from '../src/models/providers';

const MODELS = 'apps/inference/models';
const LOOK_MS = 500;

interface Step {
  readonly title: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** All that is measured on an accelerator, in less than ten minutes. */
const stepsOn = (provider: Provider, models: string): Step[] => [
  { title: 'Start of a process until each model has measured an image', args: [join(__dirname, 'cold-start.js'), '3'] },
  ...['tread', 'sidewall'].map((model) => ({
    title: `Images a second by batch size, ${model}`,
    args: ['deploy/typescript-hook.cjs', 'apps/inference/tools/measure-batches.ts', join(models, model), provider],
  })),
  {
    title: 'Rate of a worker, of a bare loop',
    args: [join(__dirname, 'engine.js'), 'treads', 'sidewalls', 'both'],
    env: { ENGINE_BENCH_ROUND_MS: '5000' },
  },
];

/** The memory in use on the first accelerator, with that of other programs. Undefined where no driver tells. */
const usedMib = (): Promise<number | undefined> =>
  promisify(execFile)('nvidia-smi', ['--id=0', '--query-gpu=memory.used', '--format=csv,noheader,nounits']).then(
    ({ stdout }) => Number(stdout),
    () => undefined,
  );

async function run({ title, args, env }: Step, provider: Provider): Promise<void> {
  const beganMs = performance.now();
  process.stdout.write(`\n${title}\n`);
  let peakMib = await usedMib();
  const looking = setInterval(
    () => void usedMib().then((mib) => (peakMib = mib === undefined ? mib : Math.max(mib, peakMib ?? 0))),
    LOOK_MS,
  );
  try {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, EXECUTION_PROVIDERS: provider, ...env } });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) process.exitCode = 1;
  } finally {
    clearInterval(looking);
  }
  const memory = peakMib === undefined ? '' : `, at most ${peakMib} MiB of the accelerator in use`;
  process.stdout.write(`(${((performance.now() - beganMs) / 1_000).toFixed(0)} s${memory})\n`);
}

/** `npm run bench:cuda`. With `-- cpu` the same on the CPU, to try the command. */
async function main(provider = 'cuda'): Promise<void> {
  if (!PROVIDERS.includes(provider as Provider)) throw new Error(`usage: cuda [${PROVIDERS.join('|')}]`);
  const folder = await mkdtemp(join(tmpdir(), 'tire-cuda-bench-'));
  try {
    // The batch sizes are written into the manifests of a copy.
    await cp(MODELS, folder, { recursive: true });
    for (const step of stepsOn(provider as Provider, folder)) await run(step, provider as Provider);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

runBench(() => main(process.argv[2]));
