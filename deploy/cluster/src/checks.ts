import { eventually } from '@tire/test-harness';
import { objectStoreAway, postgresAway } from './away';
import { type Cluster, deployment, must, secondsSince } from './cluster';
import { postgresFailover } from './failover';
import { UPGRADE } from './installation';
import { whileCalled } from './load';
import { allLost, KILLED, nodeLost, oneOfThreeKilled } from './losses';
import { blocksBelow, replaced, UPGRADING } from './readme';

/** Resolves with a figure or a fact for the table. */
export type Check = readonly [name: string, run: (cluster: Cluster) => Promise<string>];

async function leavesNothing(cluster: Cluster): Promise<string> {
  const left = await cluster.run('kubectl -n tire get job,serviceaccount,networkpolicy -o name | grep migrate || true');
  must(left === '', `left: ${left}`);
  return 'none';
}

/** From, to, port, and whether the policies allow it. The second one needs objectStorePorts: the pods of S3 have another port. */
const WAYS: readonly (readonly [from: string, host: string, port: number, isOpen: boolean])[] = [
  ['pod/client', 'tire-tire-inspection-gateway', 8080, true],
  [deployment('assets'), 's3.seaweedfs.svc', 443, true],
  [deployment('content'), 's3.seaweedfs.svc', 443, false],
  [deployment('gateway'), 'tire-tire-inspection-ledger', 50_051, true],
  [deployment('gateway'), 'tire-tire-inspection-assets', 50_051, true],
  [deployment('content'), 'tire-tire-inspection-assets', 50_051, false],
  ['pod/client', 'tire-tire-inspection-ledger', 50_051, false],
  [deployment('content'), 'tire-rw.postgres.svc', 5432, true],
  [deployment('inference-tread'), 'tire-rw.postgres.svc', 5432, false],
  [deployment('share'), 'nats.nats.svc', 4222, true],
  [deployment('gateway'), 'nats.nats.svc', 4222, false],
];

async function policies(cluster: Cluster): Promise<string> {
  const wrong: string[] = [];
  for (const [from, host, port, isOpen] of WAYS)
    if ((await cluster.opens(from, host, port)) !== isOpen) wrong.push(`${from} to ${host}:${port} is ${isOpen ? 'closed' : 'open'}`);
  must(wrong.length === 0, wrong.join('; '));
  return `${WAYS.filter(([, , , isOpen]) => isOpen).length} ways open, ${WAYS.filter(([, , , isOpen]) => !isOpen).length} closed`;
}

const PASSWORD = 'correct horse battery staple';

/** By the commands of the README, and another one by those of the notes of the release. */
async function firstOwner(cluster: Cluster): Promise<string> {
  const [first, owner] = blocksBelow('### 9. The first key and the first report');
  const admin = first!.split('\n')[0]!;
  const notes = await cluster.run('helm -n tire get notes tire');
  const noted = [...notes.matchAll(/^ {2}(read -rsp .*|printf .*)$/gm)].map(([, command]) => command!).join('\n');
  for (const [commands, email] of [
    [owner!, 'owner@example.com'],
    [replaced(noted, { 'owner@example.com': 'other@example.com' }), 'other@example.com'],
  ] as const) {
    await cluster.run(`${admin}\n${replaced(commands, { 'read -rsp': `<<< '${PASSWORD}' read -rsp` })}`);
    const status = await cluster.signsIn(email, PASSWORD);
    must(status === 200, `the sign-in of ${email} gave ${status}`);
  }
  return 'by the README and by the notes: created, signed in';
}

async function eightPhotographs(cluster: Cluster): Promise<string> {
  const ids = await cluster.starts(1, 'tire_4t_4s');
  return `complete and published ${(await cluster.complete(ids, 240)).toFixed(1)} s after its images were registered`;
}

const podNames = async (cluster: Cluster): Promise<Set<string>> =>
  new Set((await cluster.pods()).map(({ metadata }) => metadata.name).filter((name) => !name.includes('-test')));

/** A pod that stops takes 45 s at most. */
const STOPPED_MS_MAX = 60_000;

/** Calls the API until a change has ended and every pod from before it has stopped. No request may fail. */
async function replacedUnderLoad(cluster: Cluster, change: string): Promise<string> {
  const before = await podNames(cluster);
  const areStopped = async () => [...(await podNames(cluster))].every((name) => !before.has(name));
  const { sent, failed } = await whileCalled(cluster, { perSecond: 10, creationEvery: 5 }, async () => {
    await cluster.run(change);
    await eventually(areStopped, { timeoutMs: STOPPED_MS_MAX, pollMs: 500, message: 'a pod from before is still there' });
  });
  must(Object.keys(failed).length === 0, `of ${sent} requests failed: ${JSON.stringify(failed)}`);
  return `${before.size} pods replaced, ${sent} requests, none failed`;
}

const rollingUpgrade = (cluster: Cluster): Promise<string> =>
  replacedUnderLoad(cluster, `${UPGRADE} --set-string defaults.podLabels.round=two --wait --timeout 15m`);

const MIGRATIONS = `kubectl -n tire get events --field-selector reason=SuccessfulCreate,involvedObject.kind=Job -o name | wc -l`;

async function rollback(cluster: Cluster): Promise<string> {
  const before = await cluster.run(MIGRATIONS);
  const [, command] = /^(helm -n tire rollback tire) /m.exec(UPGRADING) ?? [];
  const result = await replacedUnderLoad(cluster, `${command!} --wait --timeout 15m`);
  must((await cluster.run(MIGRATIONS)) === before, 'it has run migrations');
  return `${result}; it ran no migration`;
}

async function saysTheCause(cluster: Cluster): Promise<string> {
  const began = Date.now();
  const upgrade = cluster.run(`${UPGRADE} --set database.host=nowhere.postgres.svc --wait --timeout 40s`).then(
    () => true,
    () => false,
  );
  const logs = 'kubectl -n tire logs -l app.kubernetes.io/component=migrate-assets --tail=5';
  const reason = await eventually(async () => /waiting for Postgres: [^"\n]*nowhere[^"\n]*/.exec(await cluster.run(logs))?.[0], {
    timeoutMs: 35_000,
    pollMs: 500,
  });
  const took = secondsSince(began);
  must(!(await upgrade), 'the upgrade succeeded');
  must((await cluster.ready('gateway')).length > 0, 'the old pods do not run on');
  return `"${reason}", ${took} after the command; the old pods run on`;
}

const LEFT = 'all,serviceaccount,networkpolicy,configmap,secret,ingress,poddisruptionbudget,persistentvolumeclaim';

async function uninstalls(cluster: Cluster): Promise<string> {
  const [commands] = blocksBelow('## Uninstalling');
  await cluster.run(commands!);
  const list = () => cluster.run(`kubectl -n tire get ${LEFT} -l app.kubernetes.io/instance=tire -o name`);
  const isGone = async () => (await list()) === '';
  await eventually(isGone, { timeoutMs: 60_000, pollMs: 500 }).catch(async () => must(false, `left: ${await list()}`));
  return 'nothing is left';
}

/** In this order: after the failover Postgres is another pod, and the last two leave a failed migration, and then nothing. */
export const CHECKS: readonly Check[] = [
  ['migrations that succeeded leave no object', leavesNothing],
  ['network policies, with the ports of the pods behind S3', policies],
  ["the console's first owner", firstOwner],
  ['a report of eight photographs', eightPhotographs],
  ['Postgres away', postgresAway],
  ['S3 away for a minute', objectStoreAway],
  ['a rolling upgrade under load', rollingUpgrade],
  ['a rollback under load', rollback],
  ...KILLED,
  ['one of three servers of NATS killed', oneOfThreeKilled],
  ['a node lost: one pod of each service and a server of NATS', nodeLost],
  ['all pods, Postgres, NATS with its store and S3 killed at once', allLost],
  ['Postgres with a synchronous standby: the primary lost, the standby promoted, the address moved', postgresFailover],
  ['a migration that cannot reach Postgres says why', saysTheCause],
  ['an uninstallation with a migration that runs', uninstalls],
];
