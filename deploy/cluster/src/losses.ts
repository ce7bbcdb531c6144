import { eventually } from '@tire/test-harness';
import { type Cluster, must } from './cluster';
import { SERVERS_READY } from './installation';
import { shareAnswered, whileRead } from './load';

export const REPORTS_EACH = 2;
/** Leaves what a crash leaves. The container starts again with its data. */
export const KILL_POSTGRES = "kubectl -n postgres exec deploy/tire -- sh -c 'kill -QUIT 1' || true";
/** The container starts again with its data. Its connections are gone. */
export const END_S3 = "kubectl -n seaweedfs exec deploy/weed -- sh -c 'kill 1' || true";

const SERVICES = ['gateway', 'ledger', 'assets', 'content', 'share', 'inference-tread', 'inference-sidewall'] as const;
const AT_ONCE = '--grace-period=0 --force 2> /dev/null';
const NATS_SERVERS = ['nats-0', 'nats-1', 'nats-2'] as const;
/** Each with its store. */
const killNats = (...servers: string[]): string => `kubectl -n nats delete pod ${servers.join(' ')} ${AT_ONCE}`;

/** Does this while reports are created, and reads meanwhile. Every report becomes complete. */
async function afterLoss(cluster: Cluster, commands: string): Promise<string> {
  const reads = await whileRead(cluster, async () => {
    const beganMs = Date.now();
    const [ids] = await Promise.all([cluster.starts(REPORTS_EACH, 'tire_4t_4s'), cluster.run(commands)]);
    await cluster.complete(ids, 300);
    const seconds = (Date.now() - beganMs) / 1000;
    await cluster.run(SERVERS_READY);
    await cluster.settled();
    return seconds;
  });
  return `${REPORTS_EACH} of ${REPORTS_EACH} reports of eight photographs complete ${reads.result.toFixed(0)} s later, ${shareAnswered(reads)} answered`;
}

const killService = (service: string): string =>
  `kubectl -n tire delete pod -l app.kubernetes.io/instance=tire,app.kubernetes.io/component=${service} ${AT_ONCE}`;

/** All pods of one thing at once. */
export const KILLED = [
  ...SERVICES.map((service) => [service, killService(service)] as const),
  ['Postgres', KILL_POSTGRES] as const,
  ['NATS with its store', killNats(...NATS_SERVERS)] as const,
].map(([what, commands]) => [`${what} killed`, (cluster: Cluster) => afterLoss(cluster, commands)] as const);

interface JetStream {
  readonly account_details?: readonly {
    readonly stream_detail: readonly {
      readonly name: string;
      readonly config: { readonly num_replicas: number };
      readonly cluster?: {
        readonly leader?: string;
        readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[];
      };
    }[];
  }[];
}

/** How many streams there are, if each of them is on all three servers and up to date there. */
async function streamsOnThree(cluster: Cluster): Promise<number | false> {
  const answers = await Promise.all(
    NATS_SERVERS.map(async (server) => {
      const path = `/api/v1/namespaces/nats/pods/${server}:8222/proxy/jsz?accounts=true&streams=true&config=true`;
      const { account_details: accounts = [] } = JSON.parse(await cluster.run(`kubectl get --raw '${path}'`)) as JetStream;
      return accounts.flatMap(({ stream_detail: streams }) => streams.map((stream) => ({ ...stream, server })));
    }),
  );
  const streams = answers.flat();
  const names = new Set(streams.map(({ name }) => name));
  const whole = streams.filter(
    ({ server, config, cluster: { leader, replicas = [] } = {} }) =>
      leader === server && config.num_replicas === 3 && replicas.filter(({ current, offline }) => current && !offline).length === 2,
  );
  return names.size > 0 && whole.length === names.size && names.size;
}

export async function oneOfThreeKilled(cluster: Cluster): Promise<string> {
  const whole = () =>
    eventually(() => streamsOnThree(cluster), { timeoutMs: 120_000, pollMs: 500, message: 'a stream is not on three servers' });
  const streams = await whole();
  const losses: string[] = [];
  for (const server of NATS_SERVERS) {
    losses.push(await afterLoss(cluster, killNats(server)));
    must((await whole()) === streams, `${server}: not all streams are there again`);
  }
  return `${streams} streams on three servers, each again after a loss with its store; ${losses.join('; ')}`;
}

/** What a node of several takes with it: a pod of each service, and a server of NATS. */
export async function nodeLost(cluster: Cluster): Promise<string> {
  const pods = new Map((await cluster.pods()).map(({ metadata: { name, labels } }) => [labels['app.kubernetes.io/component'], name]));
  const names = SERVICES.map((service) => pods.get(service)!);
  return afterLoss(cluster, `kubectl -n tire delete pod ${names.join(' ')} ${AT_ONCE}\n${killNats('nats-1')}`);
}

export async function allLost(cluster: Cluster): Promise<string> {
  const all = `kubectl -n tire delete pod -l app.kubernetes.io/instance=tire ${AT_ONCE}`;
  return afterLoss(cluster, [all, KILL_POSTGRES, killNats(...NATS_SERVERS), END_S3].join('\n'));
}
