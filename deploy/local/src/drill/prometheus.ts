import { CACHE } from '@tire/chart';
import { ensureDebianBinary, eventually, freePort, launch } from '@tire/test-harness';
import { execFile } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { RuleGroups } from './scaled-rules';

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

export interface ActiveAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
  readonly activeAt: string;
}

interface PrometheusOptions {
  readonly folder: string;
  readonly rules: RuleGroups;
  /** The port for metrics of each service, by its job. */
  readonly targets: Readonly<Record<string, number>>;
  readonly namespace: string;
  readonly readEveryS: number;
}

const READS_UNTIL_ALL_MAX = 10;

/** Prometheus of Debian's package, which is not installed. */
export class Prometheus {
  private constructor(
    private readonly url: string,
    private readonly options: PrometheusOptions,
    readonly version: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(options: PrometheusOptions): Promise<Prometheus> {
    const { folder, rules } = options;
    const every = `${options.readEveryS}s`;
    const binary = await ensureDebianBinary({ package: 'prometheus', path: 'usr/bin/prometheus' }, CACHE);
    const { stdout, stderr } = await promisify(execFile)(binary, ['--version']);
    const version = /version ([\w.+~-]+)/.exec(stdout + stderr)?.[1] ?? 'unknown';
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const port = await freePort();
    const targetsFile = join(folder, 'targets.json');
    const config = {
      global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: '1s' },
      rule_files: [join(folder, 'rules.yaml')],
      scrape_configs: [{ job_name: 'tire', file_sd_configs: [{ files: [targetsFile], refresh_interval: '1s' }] }],
    };
    await Promise.all([
      writeFile(join(folder, 'rules.yaml'), stringify(rules)),
      writeFile(join(folder, 'prometheus.yml'), stringify(config)),
    ]);
    const server = launch({
      command: binary,
      args: [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      logFile: join(folder, 'prometheus.log'),
      stopSignal: 'SIGTERM',
    });
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, options, version, () => server.stop());
    await prometheus.discover(Object.keys(options.targets));
    return prometheus;
  }

  /** What a discovery would list: as the pods of a cluster. */
  async discover(jobs: readonly string[]): Promise<void> {
    const { folder, targets, namespace } = this.options;
    const groups = jobs.map((job) => ({ targets: [`127.0.0.1:${targets[job]}`], labels: { job, namespace } }));
    const file = join(folder, 'targets.json');
    await writeFile(`${file}.new`, JSON.stringify(groups));
    await rename(`${file}.new`, file);
  }

  /** Every target was read once. A counter that is born at 1 raises no alert: `increase()` sees nothing. */
  async hasRead(): Promise<void> {
    const { targets, readEveryS } = this.options;
    const all = async () => (await this.query('up == 1')).length === Object.keys(targets).length;
    await eventually(all, { timeoutMs: READS_UNTIL_ALL_MAX * readEveryS * 1_000, pollMs: 500, message: 'not every target answers' });
  }

  async alerts(): Promise<ActiveAlert[]> {
    const { alerts } = await this.get<{ alerts: ActiveAlert[] }>('/api/v1/alerts');
    return alerts.filter(({ state }) => state === 'firing');
  }

  async query(expr: string): Promise<Sample[]> {
    return (await this.get<{ result: Sample[] }>(`/api/v1/query?query=${encodeURIComponent(expr)}`)).result;
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(10_000) });
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`Prometheus: ${error}`);
    return data;
  }
}
