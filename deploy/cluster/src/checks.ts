import { eventually } from '@tire/test-harness';
import { after, type Cluster, deployment, must, secondsSince } from './cluster';
import { UPGRADE } from './installation';
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
  [deployment('gateway'), 'tire-tire-inspection-assets', 50_051, false],
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
  const { ids } = await cluster.starts(1, 'tire_4t_4s');
  return `complete and published ${(await cluster.complete(ids, 240)).toFixed(1)} s after its images were registered`;
}

async function publishedReport(cluster: Cluster): Promise<string> {
  const { ids } = await cluster.starts(1, 'tire_4t_0s');
  await cluster.complete(ids, 240);
  return ids[0]!;
}

/** Drops what is sent to the pods of a namespace: a server that is unreachable, not one that refuses. */
const away = (namespace: string): string => `kubectl apply -f - <<'EOF'
{ "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": { "name": "away", "namespace": "${namespace}" },
  "spec": { "podSelector": {}, "policyTypes": ["Ingress"] } }
EOF
`;
const back = (namespace: string): string => `kubectl -n ${namespace} delete networkpolicy away --ignore-not-found`;
/** Policies let open connections be. */
const END_CONNECTIONS = `kubectl -n postgres exec deploy/tire -- psql -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'tire_%'" > /dev/null`;
/** A check ends within 3 s; then a pod is unready after two probes that are 3 s apart. The rest is for the cluster to notice. */
const UNREADY_MS_MAX = 20_000;
const RETURN_MS_MAX = 60_000;

async function postgresAway(cluster: Cluster): Promise<string> {
  const id = await publishedReport(cluster);
  const { links } = JSON.parse((await cluster.asks(`/reports/${id}`)).body) as { links: { share: string } };
  const page = `http://tire-tire-inspection-share:8080${new URL(links.share).pathname}`;
  const open = await cluster.asks(page);
  must(open.status === 200, `the page gave ${open.status} ${open.body}`);
  const before = await cluster.ready('gateway', 'share');
  try {
    await cluster.run(away('postgres'));
    const from = deployment('content');
    await eventually(async () => !(await cluster.opens(from, 'tire-rw.postgres.svc', 5432)), { timeoutMs: 30_000 });
    await cluster.run(END_CONNECTIONS);
    const unready = await after('the ledger is still ready', UNREADY_MS_MAX, async () => (await cluster.ready('ledger')).length === 0);
    const answer = await cluster.asks(`/reports/${id}`);
    must(answer.status === 503 && answer.body.includes('"code":"internal_error"'), `a read gave ${answer.status} ${answer.body}`);
    const shown = await cluster.asks(page);
    must(shown.status === 503, `a page gave ${shown.status} ${shown.body}`);
    const now = await cluster.ready('gateway', 'share');
    must(now.join() === before.join(), `the ready pods of the edge were ${before.join()} and are ${now.join()}`);
    await cluster.run(back('postgres'));
    const read = await after('no read', RETURN_MS_MAX, async () => (await cluster.asks(`/reports/${id}`)).status === 200);
    await cluster.settled();
    return `ledger unready after ${unready}, 503 after ${answer.ms} ms, gateway and share ready throughout, read again ${read} after its return`;
  } finally {
    await cluster.run(back('postgres'));
  }
}

async function objectStoreAway(cluster: Cluster): Promise<string> {
  const before = await cluster.ready('assets');
  try {
    await cluster.run(away('seaweedfs'));
    const from = deployment('assets');
    await eventually(async () => !(await cluster.opens(from, 's3.seaweedfs.svc', 443)), { timeoutMs: 30_000 });
    // The container starts again with its data. Its connections are gone.
    await cluster.run('kubectl -n seaweedfs exec deploy/weed -- sh -c "kill 1"');
    const unready = await after('assets is still ready', UNREADY_MS_MAX, async () => (await cluster.ready('assets')).length === 0);
    const answer = await cluster.asks('/reports', 'POST', { template: 'tire_4t_0s' });
    must([201, 503].includes(answer.status), `a creation gave ${answer.status} ${answer.body}`);
    await cluster.run(back('seaweedfs'));
    const ready = await after('assets is not ready', RETURN_MS_MAX, async () => (await cluster.ready('assets')).length === before.length);
    return `assets unready after ${unready}, a creation gave ${answer.status}, ready again ${ready} after its return`;
  } finally {
    await cluster.run(back('seaweedfs'));
  }
}

const LOAD_PER_SECOND = 10;

/** Loads the API while a change runs, and returns how many requests were sent. None may fail. */
async function underLoad(cluster: Cluster, change: string): Promise<number> {
  const id = await cluster.createReport();
  let ended = false;
  const work = cluster.run(change).finally(() => (ended = true));
  const failed: Record<string, number> = {};
  let sent = 0;
  while (!ended) {
    const part = await cluster.load(id, 10, LOAD_PER_SECOND);
    sent += part.sent;
    for (const [status, count] of Object.entries(part.failed)) failed[status] = (failed[status] ?? 0) + count;
  }
  await work;
  must(Object.keys(failed).length === 0, `of ${sent} requests failed: ${JSON.stringify(failed)}`);
  return sent;
}

const podNames = async (cluster: Cluster): Promise<Set<string>> =>
  new Set((await cluster.pods()).map(({ metadata }) => metadata.name).filter((name) => !name.includes('-test')));

async function replacedUnderLoad(cluster: Cluster, change: string): Promise<string> {
  const before = await podNames(cluster);
  const sent = await underLoad(cluster, change);
  const same = [...(await podNames(cluster))].filter((name) => before.has(name));
  must(same.length === 0, `not replaced: ${same.join()}`);
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

const SERVICES = ['gateway', 'ledger', 'assets', 'content', 'share', 'inference-tread', 'inference-sidewall'] as const;
const REPORTS_EACH = 2;

/** Kills every pod that a selector names, without notice, while images of reports wait or are measured. */
async function killed(cluster: Cluster, what: string, namespace: string, selector: string): Promise<string> {
  const { ids } = await cluster.starts(REPORTS_EACH, 'tire_4t_4s');
  await cluster.run(`kubectl -n ${namespace} delete pod -l ${selector} --grace-period=0 --force 2> /dev/null`);
  const seconds = await cluster.complete(ids, 300).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`);
  });
  await cluster.settled();
  return `${what} ${seconds.toFixed(0)} s`;
}

async function eachKilled(cluster: Cluster): Promise<string> {
  const times: string[] = [];
  for (const service of SERVICES)
    times.push(await killed(cluster, service, 'tire', `app.kubernetes.io/instance=tire,app.kubernetes.io/component=${service}`));
  times.push(await killed(cluster, 'NATS with its store', 'nats', 'app=nats'));
  const reports = times.length * REPORTS_EACH;
  return `${reports} of ${reports} reports of eight photographs complete; time after the loss: ${times.join(', ')}`;
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

/** In this order: the last two leave a failed migration, and then nothing. */
export const CHECKS: readonly Check[] = [
  ['migrations that succeeded leave no object', leavesNothing],
  ['network policies, with the ports of the pods behind S3', policies],
  ["the console's first owner", firstOwner],
  ['a report of eight photographs', eightPhotographs],
  ['Postgres away', postgresAway],
  ['S3 away', objectStoreAway],
  ['a rolling upgrade under load', rollingUpgrade],
  ['a rollback under load', rollback],
  ['each service and NATS killed, with reports under way', eachKilled],
  ['a migration that cannot reach Postgres says why', saysTheCause],
  ['an uninstallation with a migration that runs', uninstalls],
];
