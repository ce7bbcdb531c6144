import { eventually } from '@tire/test-harness';
import { after, type Cluster, deployment, must } from './cluster';
import { shareAnswered, whileRead } from './load';
import { END_S3, REPORTS_EACH } from './losses';

async function publishedReport(cluster: Cluster): Promise<string> {
  const ids = await cluster.starts(1, 'tire_4t_0s');
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

export async function postgresAway(cluster: Cluster): Promise<string> {
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

const S3_AWAY_MS = 60_000;

export async function objectStoreAway(cluster: Cluster): Promise<string> {
  const before = await cluster.ready('assets');
  const reports = await cluster.uploads(REPORTS_EACH, 'tire_4t_4s');
  try {
    const reads = await whileRead(cluster, async () => {
      const beganMs = Date.now();
      await cluster.run(away('seaweedfs'));
      const from = deployment('assets');
      await eventually(async () => !(await cluster.opens(from, 's3.seaweedfs.svc', 443)), { timeoutMs: 30_000 });
      await cluster.run(END_S3);
      // The client repeats until assets can look at the images.
      const registered = cluster.registers(reports).then(
        (ids) => ({ ids, reason: undefined }),
        (reason: Error) => ({ ids: [], reason }),
      );
      const unready = await after('assets is still ready', UNREADY_MS_MAX, async () => (await cluster.ready('assets')).length === 0);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, beganMs + S3_AWAY_MS - Date.now())));
      return { registered, unready };
    });
    const { registered, unready } = reads.result;
    const answer = await cluster.asks('/reports', 'POST', { template: 'tire_4t_0s' });
    must([201, 503].includes(answer.status), `a creation gave ${answer.status} ${answer.body}`);
    await cluster.run(back('seaweedfs'));
    const ready = await after('assets is not ready', RETURN_MS_MAX, async () => (await cluster.ready('assets')).length === before.length);
    const { ids, reason } = await registered;
    if (reason) throw reason;
    const seconds = await cluster.complete(ids, 300);
    return (
      `assets unready after ${unready}, ${shareAnswered(reads)} answered, a creation gave ${answer.status}; ` +
      `ready again ${ready} after its return, ${ids.length} of ${ids.length} reports, whose images are registered meanwhile, complete ${seconds.toFixed(0)} s later`
    );
  } finally {
    await cluster.run(back('seaweedfs'));
  }
}
