import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, must, type Written } from './cluster';
import { shareAnswered, whileRead } from './load';
import { REPORTS_EACH } from './losses';

const STANDBY = 'tire-standby';
const PRIMARY_POD = 'kubectl -n postgres exec -i deploy/tire --';
const STANDBY_POD = `kubectl -n postgres exec -i deploy/${STANDBY} --`;
const COPY_TRIES = 3;

/** Writes before the loss, and after it. */
const WRITES_MIN = 50;
const WRITES_MS_MAX = 60_000;
const IMAGES_EACH = 8;
/** Writes go on within this time after the address has moved. */
const RECOVERY_MS_MAX = 10_000;

/** The pod of the primary, which waits for a copy of its data. The image of it needs tar. */
async function startStandbyPod(cluster: Cluster): Promise<void> {
  interface Deployment {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly object[] } } };
  }
  const { spec } = await cluster.json<Deployment>('kubectl -n postgres get deployment tire');
  const { spec: pod } = spec.template;
  const waits = 'until [ -e "$PGDATA/standby.signal" ]; do sleep 0.2; done; exec docker-entrypoint.sh "$@"';
  const container = { ...pod.containers[0], command: ['sh', '-c', waits, 'sh'] };
  const labels = { app: STANDBY };
  const standby = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: STANDBY, namespace: 'postgres' },
    spec: {
      ...spec,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...pod, containers: [container] } },
    },
  };
  await writeFile(join(cluster.folder, 'standby.json'), JSON.stringify(standby));
  await cluster.run(`kubectl apply -f standby.json
    kubectl -n postgres wait pod -l app=${STANDBY} --for=jsonpath='{.status.phase}'=Running --timeout=120s`);
}

const LET_IN = `${PRIMARY_POD} sh -c '
  line="host replication all all scram-sha-256"
  grep -qx "$line" "$PGDATA/pg_hba.conf" || echo "$line" >> "$PGDATA/pg_hba.conf"'
${PRIMARY_POD} psql -q -c 'SELECT pg_reload_conf()' -c "SELECT pg_create_physical_replication_slot('standby', true)" > /dev/null
`;

/** A copy of the data of a primary that runs, with the log from its beginning. */
const COPY = `
${STANDBY_POD} sh -c 'rm -rf "$PGDATA" && mkdir -p -m 700 "$PGDATA"'
${PRIMARY_POD} psql -qAt -v ON_ERROR_STOP=1 <<'SQL' | ${STANDBY_POD} sh -c 'tar -xC "$PGDATA"'
\\o /dev/null
SELECT pg_backup_start('standby', true);
\\! tar -cC "$PGDATA" . 2> /dev/null
\\o /tmp/backup_label
SELECT labelfile FROM pg_backup_stop(false);
SQL
${PRIMARY_POD} cat /tmp/backup_label | ${STANDBY_POD} sh -ec '
  cat > "$PGDATA/backup_label"
  grep -q "^START WAL LOCATION" "$PGDATA/backup_label"
  rm -rf "$PGDATA/postmaster.pid" "$PGDATA"/pg_replslot/*
  echo "primary_slot_name = standby" >> "$PGDATA/postgresql.auto.conf"
  echo "primary_conninfo = '\\''host=tire-rw.postgres.svc user=postgres password=$POSTGRES_PASSWORD sslmode=require'\\''" >> "$PGDATA/postgresql.auto.conf"
  touch "$PGDATA/standby.signal"'
`;

const asked = async (cluster: Cluster, pod: string, sql: string, database = 'postgres'): Promise<string> =>
  (await cluster.run(`${pod} psql -qAt -v ON_ERROR_STOP=1 -d ${database} <<'SQL'\n${sql}\nSQL`)).trim();

/** A confirmed write is on both servers from now on. */
async function addStandby(cluster: Cluster): Promise<void> {
  await startStandbyPod(cluster);
  await cluster.run(LET_IN);
  // On a busy node the stream of an exec sometimes ends before the output has come.
  for (let tries = 1; ; tries += 1) {
    const failure = await cluster.run(COPY).then(
      () => undefined,
      (error: Error) => error,
    );
    if (!failure) break;
    if (tries === COPY_TRIES) throw failure;
  }
  await asked(cluster, PRIMARY_POD, `ALTER SYSTEM SET synchronous_standby_names = '*'; SELECT pg_reload_conf();`);
  const follows = async () => (await asked(cluster, PRIMARY_POD, 'SELECT sync_state FROM pg_stat_replication')) === 'sync';
  await eventually(follows, { timeoutMs: 60_000, pollMs: 500, message: 'the standby does not follow' });
}

export interface Pair {
  /** The words before `psql`, with the rights of its administrator. */
  readonly primary: string;
  readonly standby: string;
  /** Loses the primary, and ends when its address leads to another one. */
  readonly loss: string;
}

/** The primary does not come back, and its data is gone. Then what an operator of Postgres does. */
const PAIR: Pair = {
  primary: PRIMARY_POD,
  standby: STANDBY_POD,
  loss: `
${PRIMARY_POD} sh -c 'kill -QUIT 1' || true
kubectl -n postgres scale deployment tire --replicas=0
kubectl -n postgres delete pod -l app=postgres --grace-period=0 --force 2> /dev/null
${STANDBY_POD} psql -q -c 'SELECT pg_promote()' > /dev/null
kubectl -n postgres patch service tire-rw -p '{"spec":{"selector":{"app":"${STANDBY}"}}}'
`,
};

const reportIds = async (cluster: Cluster, pod: string): Promise<Set<string>> =>
  new Set((await asked(cluster, pod, 'SELECT report_id FROM reports', 'tire_ledger')).split('\n').filter(Boolean));

interface Failover {
  readonly written: Written;
  /** From the kill until the address has moved. */
  readonly outageMs: number;
  readonly measured: readonly string[];
}

/** Kills the primary while reports are created and measured, and waits until all of them are complete. */
async function failedOver(cluster: Cluster, { primary, standby, loss }: Pair): Promise<Failover> {
  const run = randomUUID();
  // The result file has the error, and the end reports it.
  void cluster.writes(run).catch(() => undefined);
  const grows = async (pod: string, from: number) =>
    eventually(async () => (await reportIds(cluster, pod)).size >= from + WRITES_MIN, {
      timeoutMs: WRITES_MS_MAX,
      pollMs: 300,
      message: 'nothing is written',
    });
  try {
    await grows(primary, (await reportIds(cluster, primary)).size);
    const measuring = cluster.starts(REPORTS_EACH, 'tire_4t_4s');
    measuring.catch(() => undefined);
    const beganMs = Date.now();
    await cluster.run(loss);
    const outageMs = Date.now() - beganMs;
    await grows(standby, (await reportIds(cluster, standby)).size);
    const measured = await measuring;
    await cluster.complete(measured, 300);
    return { written: await cluster.endWrites(run), outageMs, measured };
  } catch (error) {
    await cluster.endWrites(run).catch(() => undefined);
    throw error;
  }
}

const without = (all: ReadonlySet<string>, some: ReadonlySet<string>): string[] => [...all].filter((one) => !some.has(one));

/** Every report whose creation was answered exists once, and every image was measured once. */
export async function primaryLost(cluster: Cluster, pair: Pair): Promise<string> {
  // `whileRead` makes the report that it reads.
  let before = new Set<string>();
  const reads = await whileRead(cluster, async () => {
    before = await reportIds(cluster, pair.primary);
    return failedOver(cluster, pair);
  });
  const { written, outageMs, measured } = reads.result;
  const confirmed = new Set([...written.ids, ...measured]);
  const made = new Set(without(await reportIds(cluster, pair.standby), before));
  const [lost, doubled] = [without(confirmed, made), without(made, confirmed)];
  must(lost.length === 0 && doubled.length === 0, `lost: ${lost.join()}; not asked for: ${doubled.join()}`);
  const ids = measured.map((id) => `'${id}'`).join();
  const analyses = await asked(cluster, pair.standby, `SELECT count(*) FROM analyses WHERE report_id IN (${ids})`, 'tire_ledger');
  must(Number(analyses) === measured.length * IMAGES_EACH, `${analyses} analyses of ${measured.length * IMAGES_EACH} images`);
  const recoveryMs = Math.max(0, written.longestGapMs - outageMs);
  must(recoveryMs < RECOVERY_MS_MAX, `nothing was written for ${recoveryMs} ms after the address had moved`);
  await cluster.settled();
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return (
    `${confirmed.size} of ${confirmed.size} reports, none doubled; ${measured.length} of eight photographs complete, each measured once; ` +
    `longest time without a write ${seconds(written.longestGapMs)}, the address moved ${seconds(outageMs)} after the command; ` +
    `${shareAnswered(reads)} answered`
  );
}

export async function postgresFailover(cluster: Cluster): Promise<string> {
  await addStandby(cluster);
  return primaryLost(cluster, PAIR);
}
