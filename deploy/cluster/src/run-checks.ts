import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKS } from './checks';
import type { Cluster } from './cluster';
import { fullOf } from './full';
import { install, type Servers } from './installation';
import { REPOSITORY_ROOT } from './places';
import { bucketJob, followNotes, installTrial, uninstallTrial } from './trial';

class Table {
  private readonly rows: string[] = [];
  private failed = 0;

  constructor(private readonly stopped: () => boolean) {}

  /** Runs a check, and none after a stop. Returns whether it passed. */
  async check(name: string, work: () => Promise<string>): Promise<boolean> {
    if (this.stopped()) return false;
    const began = performance.now();
    const [passed, detail] = await work().then(
      (text) => [true, text] as const,
      (error: Error) => [false, error.cause ? `${error.message}: ${String((error.cause as Error).message)}` : error.message] as const,
    );
    const result = passed ? 'passed' : 'FAILED';
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`  ${result}: ${name} (${seconds} s): ${detail}`);
    const cells = [name, result, seconds, detail].map((cell) => cell.replaceAll('|', '/').replaceAll(/\s+/g, ' ').trim());
    this.rows.push(`| ${cells.join(' | ')} |`);
    if (!passed) this.failed += 1;
    return passed;
  }

  get allPassed(): boolean {
    return this.failed === 0;
  }

  /** Markdown, for the chart's README. */
  print = (versions: string): string => `| check | result | seconds | |\n|---|---|---|---|\n${this.rows.join('\n')}\n\n${versions}\n`;
}

async function versionsOf(cluster: Cluster): Promise<string> {
  const { serverVersion } = await cluster.json<{ serverVersion: { gitVersion: string } }>('kubectl version');
  const helm = (await cluster.run('helm version --template "{{ .Version }}"')).trim();
  const nodes = `{range .items[*]}{.status.nodeInfo.containerRuntimeVersion}, Linux {.status.nodeInfo.kernelVersion}{"\\n"}{end}`;
  // What follows the second number names the build of whoever owns the machine.
  const kinds = new Set(
    (await cluster.run(`kubectl get nodes -o jsonpath='${nodes}'`))
      .replaceAll(/(Linux \d+\.\d+)\S*/g, '$1')
      .trim()
      .split('\n'),
  );
  return `${new Date().toISOString().slice(0, 10)}: Kubernetes ${serverVersion.gitVersion}, Helm ${helm}, ${[...kinds].join('; ')}.`;
}

export interface Wanted {
  /** Checks whose names match. */
  readonly only: RegExp;
  /** With the operators of the recipes, after the others. */
  readonly full: boolean;
}

/** Installs by the README and runs the checks whose names match. Returns whether all passed. A stop ends it after the check that runs. */
export async function runChecks(cluster: Cluster, servers: Servers, { only, full }: Wanted, stopped: () => boolean): Promise<boolean> {
  const table = new Table(stopped);
  if (only.test('trial') && (await table.check('the trial by its commands, size try-out', () => installTrial(cluster, servers)))) {
    await table.check('its bucket job', () => bucketJob(cluster));
    await table.check('the commands of the notes', () => followNotes(cluster));
    await table.check('its uninstallation', () => uninstallTrial(cluster));
  }
  const installed = await table.check('the nine steps of production, size small', async () => {
    const output = await install(cluster, servers);
    if (!/uploaded, measured and published/.test(output)) throw new Error(output);
    await cluster.startClient();
    return 'helm test measured four photographs';
  });
  if (installed) for (const [name, run] of CHECKS) if (only.test(name)) await table.check(name, () => run(cluster));
  // Each needs the one before it.
  if (full) for (const [name, run] of fullOf(servers)) if (!(await table.check(name, () => run(cluster)))) break;
  if (stopped()) return false;
  const text = table.print(await versionsOf(cluster));
  const file = join(REPOSITORY_ROOT, '.local/cluster-checks.md');
  await writeFile(file, text);
  console.log(`\n${text}\nThe table is also in ${file}`);
  return table.allPassed;
}
