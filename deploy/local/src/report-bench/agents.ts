import { eventually } from '@tire/test-harness';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '../stack-file';
import type { CpuProfile } from './profile';
import type { Part } from './stages';

export interface Order {
  readonly model: 'real' | 'instant';
  /** The name of the profile to record; null ends the one that is recorded. */
  readonly profile: string | null;
}

export interface RecordedProfile {
  readonly part: Part;
  readonly pid: number;
  readonly profile: CpuProfile;
}

const OBEYED_WITHIN_MS = 60_000;

/** Talks to agent.cjs in the processes of the services. */
export class Agents {
  private orders = 0;

  constructor(private readonly folder: string) {}

  get environment(): Record<string, string> {
    return {
      NODE_OPTIONS: `--require ${join(REPOSITORY_ROOT, 'deploy/local/src/report-bench/agent.cjs')}`,
      REPORT_BENCH_FOLDER: this.folder,
    };
  }

  /** The processes that listen, by pid. The signal would end another process that has the pid of one of them by now. */
  async parts(): Promise<Map<number, Part>> {
    const names = (await readdir(this.folder)).filter((name) => name.startsWith('process-'));
    const found = names.map(async (name): Promise<[number, Part][]> => {
      const pid = Number(name.slice('process-'.length));
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.includes(`REPORT_BENCH_FOLDER=${this.folder}\0`)
        ? [[pid, (await readFile(join(this.folder, name), 'utf8')) as Part]]
        : [];
    });
    return new Map((await Promise.all(found)).flat());
  }

  /** Resolves when every process has done it. */
  async tell(order: Order): Promise<void> {
    const number = (this.orders += 1);
    await writeFile(join(this.folder, 'order.json'), JSON.stringify({ number, ...order }));
    const pids = [...(await this.parts()).keys()];
    for (const pid of pids) process.kill(pid, 'SIGUSR2');
    const done = async () => {
      const names = new Set(await readdir(this.folder));
      return pids.every((pid) => names.has(`done-${number}-${pid}`));
    };
    await eventually(done, { timeoutMs: OBEYED_WITHIN_MS, message: `The processes did not obey ${JSON.stringify(order)}` });
  }

  async profiles(name: string): Promise<RecordedProfile[]> {
    const recorded = [...(await this.parts())].map(async ([pid, part]) => {
      const text = await readFile(join(this.folder, `${name}-${pid}.cpuprofile`), 'utf8');
      return { part, pid, profile: JSON.parse(text) as CpuProfile };
    });
    return Promise.all(recorded);
  }
}
