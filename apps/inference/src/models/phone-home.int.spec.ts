import { emptyNetwork, eventually, spawnTypeScript, tempDir } from '@tire/test-harness';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All packets that a process and its children sent or could not send, in a network without routes: a look-up of a name is among them. */
function tried({ pid }: ChildProcess): number {
  const [names, values] = readFileSync(`/proc/${pid}/net/snmp`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '));
  const old = ['OutRequests', 'OutNoRoutes'].map((name) => Number(values![names!.indexOf(name)]));
  const ip6 = readFileSync(`/proc/${pid}/net/snmp6`, 'utf8');
  const later = ['Ip6OutRequests', 'Ip6OutNoRoutes'].map((name) => Number(new RegExp(`^${name}\\s+(\\d+)$`, 'm').exec(ip6)![1]));
  return [...old, ...later].reduce((sum, count) => sum + count, 0);
}

/** The binding sends no telemetry from build machines, which it tells by these variables. */
const NO_BUILD_MACHINE = { CI: undefined, TF_BUILD: undefined, GITHUB_ACTIONS: undefined, TRAVIS: undefined, JENKINS_URL: undefined };

(emptyNetwork ? it : it.skip)(
  'a process that measures looks up no name and reaches for no address; with telemetry it would',
  async () => {
    const processes: ChildProcess[] = [];
    const start = async (way: string): Promise<ChildProcess> => {
      const file = join(__dirname, '../testing/load-binding.fixture.ts');
      // As in a shell without the variable: the code sets it.
      const env = { HOME: await tempDir(), XDG_CACHE_HOME: '', ORT_DISABLE_TELEMETRY: undefined, ...NO_BUILD_MACHINE };
      const child = spawnTypeScript(file, [way], env, 'inherit', emptyNetwork);
      processes.push(child);
      expect(await Promise.race([once(child, 'message'), once(child, 'exit')])).toEqual(['works', undefined]);
      return child;
    };
    try {
      // Begun first, so it has had more time than the other one, which tries 9 s after its start.
      const measuring = await start('service');
      const telling = await start('telemetry');
      await eventually(() => tried(telling) > 0, { message: 'Telemetry tries nothing, so this test would see nothing' });
      expect(tried(measuring)).toBe(0);
    } finally {
      for (const child of processes) if (child.connected) child.disconnect();
      await Promise.all(processes.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined)));
    }
  },
  180_000,
);
