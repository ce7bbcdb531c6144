import { eventually } from '@tire/test-harness';
import { asks, load, opens } from './client';
import { psql, UPGRADE } from './installation';
import { blocksBelow } from './readme-steps';
import type { Shell } from './shell';

export interface Check {
  readonly name: string;
  /** Resolves with a figure or a fact for the table. */
  readonly run: (shell: Shell) => Promise<string>;
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

const deployment = (name: string): string => `deploy/tire-tire-inspection-${name}`;

/** The names of the pods of a component that are ready. */
async function readyPods(shell: Shell, component: string): Promise<string[]> {
  const list = await shell.run(`kubectl -n tire get pods -l app.kubernetes.io/component=${component} -o json`);
  const { items } = JSON.parse(list) as {
    items: { metadata: { name: string }; status: { conditions?: { type: string; status: string }[] } }[];
  };
  return items
    .filter(({ status }) => status.conditions?.some(({ type, status: so }) => type === 'Ready' && so === 'True'))
    .map(({ metadata }) => metadata.name);
}

const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(0)} s`;

const LEAVES_NOTHING: Check = {
  name: 'successful migrations leave no object',
  run: async (shell) => {
    const left = await shell.run(`kubectl -n tire get job,serviceaccount,networkpolicy -o name | grep migrate || true`);
    must(left === '', `left: ${left}`);
    return 'none';
  },
};

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

const POLICIES: Check = {
  name: 'network policies, with the ports of the pods behind S3',
  run: async (shell) => {
    for (const [from, host, port, isOpen] of WAYS) {
      must((await opens(shell, from, host, port)) === isOpen, `${from} to ${host}:${port} is ${isOpen ? 'closed' : 'open'}`);
    }
    return `${WAYS.length} ways as they should be`;
  },
};

const OWNER: Check = {
  name: 'the first owner of the console',
  run: async (shell) => {
    const output = await shell.run(`bash -eu owner.sh <<< 'correct horse battery staple'`);
    must(/^id: [0-9a-f-]{36}$/m.test(output), output);
    return 'created';
  },
};

/** Drops what is sent to Postgres, and ends its connections: a server that is unreachable, not one that refuses. */
const AWAY = `kubectl apply -f - <<'EOF'
{ "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": { "name": "away", "namespace": "postgres" },
  "spec": { "podSelector": {}, "policyTypes": ["Ingress"] } }
EOF
`;
const END_CONNECTIONS = psql(
  `psql "host=127.0.0.1 port=15432 user=postgres dbname=postgres sslmode=require" -c "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'tire_%'" > /dev/null`,
);
/** A check ends within 3 s; then a pod is unready after two probes that are 3 s apart. The rest is for the cluster to notice. */
const UNREADY_MS_MAX = 20_000;

const POSTGRES_AWAY: Check = {
  name: 'Postgres away: the edge answers 503, the ledger becomes unready',
  run: async (shell) => {
    const created = await asks(shell, '/reports', 'POST', { template: 'tire_4t_0s' });
    const { report_id: id } = JSON.parse(created.body) as { report_id: string };
    const edges = async () => [...(await readyPods(shell, 'gateway')), ...(await readyPods(shell, 'share'))].join();
    const before = await edges();
    await shell.run(AWAY);
    try {
      await eventually(async () => !(await opens(shell, deployment('content'), 'tire-rw.postgres.svc', 5432)), { timeoutMs: 30_000 });
      await shell.run(END_CONNECTIONS);
      const began = Date.now();
      await eventually(async () => (await readyPods(shell, 'ledger')).length === 0, {
        timeoutMs: UNREADY_MS_MAX,
        pollMs: 500,
        message: 'The ledger is still ready',
      });
      const unready = seconds(began);
      const answer = await asks(shell, `/reports/${id}`);
      must(answer.status === 503 && answer.body.includes('"code":"internal_error"'), `a read gave ${answer.status} ${answer.body}`);
      const path = (await shell.run(`grep -oE '/r/[A-Za-z0-9_-]+' first.log | head -1`)).trim();
      const page = await asks(shell, `http://tire-tire-inspection-share:8080${path}`);
      must(page.status === 503, `a page gave ${page.status} ${page.body}`);
      must((await edges()) === before, `the ready pods of the edge were ${before} and are ${await edges()}`);
      await shell.run('kubectl -n postgres delete networkpolicy away');
      const back = Date.now();
      await eventually(async () => (await asks(shell, `/reports/${id}`)).status === 200, { timeoutMs: 60_000, pollMs: 500 });
      const readable = seconds(back);
      await eventually(async () => (await readyPods(shell, 'ledger')).length > 0, { timeoutMs: 60_000, pollMs: 500 });
      return `unready after ${unready}, 503 after ${answer.ms} ms, read again ${readable} after its return`;
    } finally {
      await shell.run('kubectl -n postgres delete networkpolicy away --ignore-not-found');
    }
  },
};

const LOAD_PER_SECOND = 10;

const ROLLING_UPGRADE: Check = {
  name: 'a rolling upgrade of every pod under load',
  run: async (shell) => {
    const { report_id: id } = JSON.parse((await asks(shell, '/reports', 'POST', { template: 'tire_4t_0s' })).body) as { report_id: string };
    const pods = async () =>
      new Set((await shell.run('kubectl -n tire get pods -l app.kubernetes.io/part-of=tire-inspection -o name')).trim().split('\n'));
    const before = await pods();
    let ended = false;
    const upgrade = shell.run(`${UPGRADE} --set-string defaults.podLabels.round=two --wait --timeout 10m`).finally(() => (ended = true));
    const failed: Record<string, number> = {};
    let sent = 0;
    while (!ended) {
      const part = await load(shell, id, 10, LOAD_PER_SECOND);
      sent += part.sent;
      for (const [status, count] of Object.entries(part.failed)) failed[status] = (failed[status] ?? 0) + count;
    }
    await upgrade;
    must(Object.keys(failed).length === 0, `of ${sent} requests failed: ${JSON.stringify(failed)}`);
    const same = [...(await pods())].filter((name) => before.has(name) && !name.includes('-test'));
    must(same.length === 0, `not replaced: ${same.join()}`);
    return `${sent} requests, none failed`;
  },
};

const REASON: Check = {
  name: 'a migration that cannot reach Postgres says why at once',
  run: async (shell) => {
    const upgrade = shell.run(`${UPGRADE} --set database.host=nowhere.postgres.svc --wait --timeout 40s`).then(
      () => true,
      () => false,
    );
    const began = Date.now();
    const logs = 'kubectl -n tire logs -l app.kubernetes.io/component=migrate-assets --tail=5';
    const reason = await eventually(async () => /waiting for Postgres: .*nowhere.*/.exec(await shell.run(logs))?.[0], {
      timeoutMs: 30_000,
      pollMs: 500,
    });
    const after = seconds(began);
    must(!(await upgrade), 'the upgrade succeeded');
    const ready = await readyPods(shell, 'gateway');
    must(ready.length > 0, 'the old pods do not run on');
    return `${reason}, after ${after}`;
  },
};

const UNINSTALL: Check = {
  name: 'an uninstallation by the README, with a migration that runs',
  run: async (shell) => {
    const [commands] = blocksBelow('## Uninstalling');
    await shell.run(commands!);
    const kinds = 'all,serviceaccount,networkpolicy,configmap,ingress,poddisruptionbudget,persistentvolumeclaim';
    const list = () => shell.run(`kubectl -n tire get ${kinds} -l app.kubernetes.io/instance=tire -o name`);
    const isGone = async () => (await list()) === '';
    await eventually(isGone, { timeoutMs: 60_000, pollMs: 500 }).catch(async () => must(false, `left: ${await list()}`));
    return 'nothing is left';
  },
};

export const CHECKS: readonly Check[] = [LEAVES_NOTHING, POLICIES, OWNER, POSTGRES_AWAY, ROLLING_UPGRADE, REASON, UNINSTALL];
