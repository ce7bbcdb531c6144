import { type Cluster, must } from './cluster';
import type { Servers } from './installation';
import { blocksBelow, replaced } from './readme';

/** The commands in the notes of a release, with the ids of one command in those after it. */
export function commandsOf(notes: string): string {
  const commands = [...notes.matchAll(/^ {2}((?:kubectl|helm|admin|read|printf) .*|admin\(\) .*)$/gm)].map(([, command]) => command!);
  const firstTo = (name: string, field: string, word: string) => (command: string) =>
    command.startsWith(`admin ${name}`) ? `${word}=$(${command} | jq -r .${field})` : command;
  return commands
    .map(firstTo('create-organization', 'id', 'ORGANIZATION_ID'))
    .map(firstTo('create-project', 'id', 'PROJECT_ID'))
    .map(firstTo('create-key', 'key', 'KEY'))
    .map((command) => command.replace(/(?<=[ =])(ORGANIZATION_ID|PROJECT_ID|KEY)$|(?<=[ ])(ORGANIZATION_ID|PROJECT_ID)(?= )/g, '"$$$1$2"'))
    .join('\n');
}

const LEFT = 'all,serviceaccount,networkpolicy,configmap,secret,ingress,poddisruptionbudget,persistentvolumeclaim';
/** What a namespace has by itself. */
const OF_THE_NAMESPACE = ['serviceaccount/default', 'configmap/kube-root-ca.crt'];

interface Requests {
  readonly items: readonly {
    readonly spec: { readonly containers: readonly { readonly resources: { readonly requests?: { readonly cpu?: string } } }[] };
  }[];
}

async function milliCores(cluster: Cluster): Promise<number> {
  const { items } = await cluster.json<Requests>('kubectl -n tire get pods --field-selector=status.phase=Running');
  const ofOne = (cpu = '0'): number => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);
  return items.flatMap(({ spec }) => spec.containers).reduce((sum, { resources }) => sum + ofOne(resources.requests?.cpu), 0);
}

/** The README says 0.2 cores for the services and 0.3 for the three servers. */
const MILLI_CORES_MAX = 500;

/** The README's trial, of the size try-out. */
export async function installTrial(cluster: Cluster, servers: Servers): Promise<string> {
  const [commands] = blocksBelow('## Trial: from nothing to a first report');
  const images = Object.entries(servers).map(([name, image]) => `--set devDependencies.${name}Image=${image}`);
  const namespace = 'kubectl create namespace tire\n';
  const installation = replaced(commands!, {
    [namespace]: `${namespace}kubectl label namespace tire pod-security.kubernetes.io/enforce=restricted\n`,
    '--wait --timeout 10m': `${images.join(' ')} --wait --timeout 10m`,
  });
  await cluster.run(`registry=${cluster.registry}\n${installation}`);
  const used = await milliCores(cluster);
  must(used <= MILLI_CORES_MAX, `the pods request ${used}m of CPU`);
  const running = (await cluster.pods()).filter(({ status }) => status.phase === 'Running').length;
  return `${running} pods, which request ${used}m of CPU; servers by tags`;
}

/** The bucket job waits for its server and does not fail before. */
export async function bucketJob(cluster: Cluster): Promise<string> {
  const pods = await cluster.pods('bucket');
  const restarts = pods.flatMap(({ status }) => status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
  const phases = pods.map(({ status }) => status.phase).join();
  must(phases === 'Succeeded' && restarts === 0, `${pods.length} pods, ${phases}, ${restarts} restarts`);
  return 'one pod, no restart';
}

/** Runs what the notes of the release say, which ends with `helm test`. */
export async function followNotes(cluster: Cluster): Promise<string> {
  const output = await cluster.run(commandsOf(await cluster.run('helm -n tire get notes tire')));
  must(/four photographs uploaded, measured and published/.test(output), output);
  return 'organization, project, key; helm test measured four photographs';
}

/** Uninstalls as the README says, with the volumes, and looks for what it does not name. */
export async function uninstallTrial(cluster: Cluster): Promise<string> {
  const [commands] = blocksBelow('## Uninstalling');
  await cluster.run(`${commands!}kubectl -n tire delete persistentvolumeclaim -l app.kubernetes.io/instance=tire`);
  const names = (await cluster.run(`kubectl -n tire get ${LEFT} -o name`)).trim().split('\n');
  const left = names.filter((name) => !OF_THE_NAMESPACE.includes(name) && !name.startsWith('secret/tire-'));
  must(left.length === 0, `left: ${left.join(', ')}`);
  await cluster.run('kubectl delete namespace tire');
  return `${names.filter((name) => name.startsWith('secret/')).length} secrets of the reader are left`;
}
