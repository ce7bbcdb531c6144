# Commands of RUNBOOK.md, the same for each place:
#   PLACE=kubernetes NS=tire . helm/tire-inspection/oncall.sh     PREFIX is tire-tire-inspection unless you set it
#   PLACE=compose . helm/tire-inspection/oncall.sh                in the root of the repository
#   PLACE=local . helm/tire-inspection/oncall.sh                  the local stack (STACK_DIR or .local)
PLACE=${PLACE:-local}
PREFIX=${PREFIX:-tire-tire-inspection}
STACK_DIR=${STACK_DIR:-.local}

# workers: their names here. The fallback on the CPU is optional, and may have no pod.
workers() {
  if [ "$PLACE" != kubernetes ]; then echo inference; return; fi
  pods=$(kubectl -n "$NS" get pods -l app.kubernetes.io/component=inference-fallback -o name 2>/dev/null || true)
  echo inference-tread inference-sidewall ${pods:+inference-fallback}
}
SERVICES=${SERVICES:-gateway ledger assets content share $(workers)}

# The workers have a Deployment for each kind of photograph; `inference` stands for all of them.
component() { case $1 in inference) echo 'inference-tread,inference-sidewall,inference-fallback' ;; *) echo "$1" ;; esac; }
deployment() { case $1 in inference) echo inference-tread ;; *) echo "$1" ;; esac; }

target() { case $1 in pod/*) echo "$1" ;; *) echo "deploy/$PREFIX-$(deployment "$1")" ;; esac; }

# in_service SERVICE COMMAND…: runs the command where the service runs, with its environment. Kubernetes: or pod/NAME.
in_service() {
  service=$1; shift
  case $PLACE in
    kubernetes) kubectl -n "$NS" exec -i "$(target "$service")" -- "$@" ;;
    compose) docker compose -f deploy/compose.yaml exec -T "$service" "$@" ;;
    *) (set -a; . "$STACK_DIR/environment/$service.env"; set +a; exec "$@") ;;
  esac
}

# admin SERVICE COMMAND…: a command of its operator.
admin() {
  service=$1; shift
  in_service "$service" node "dist/apps/${service%%-*}/src/admin.js" "$@"
}

# operations SERVICE PATH: an answer of the port for health and metrics.
operations() {
  in_service "$1" node -e '
    const port = process.env.OPERATIONS_PORT ?? 9464;
    fetch(`http://127.0.0.1:${port}${process.argv[1]}`, { signal: AbortSignal.timeout(5_000) })
      .then((answer) => answer.text(), () => "does not answer").then((text) => console.log(text));' "$2"
}

# ready: one line for each service: whether it answers, whether it is ready, and what it misses.
ready() {
  for each in $SERVICES; do
    printf '%-20s %s\n' "$each" "$(operations "$each" /health/ready 2>&1 | tr '\n' ' ' | cut -c1-600)"
  done
}

# metrics SERVICE NAME: the values of the metrics whose names begin so.
metrics() {
  operations "$1" /metrics | grep "^$2" || echo "no $2"
}

# logs SERVICE [WORDS]: its last 15 lines of warnings and errors, or those with the words, without stacks.
logs() {
  case $PLACE in
    kubernetes) kubectl -n "$NS" logs --tail=5000 --max-log-requests=50 -l "app.kubernetes.io/component in ($(component "$1"))" ;;
    compose) docker compose -f deploy/compose.yaml logs --no-log-prefix --tail=5000 "$1" ;;
    *) tail -n 5000 "$STACK_DIR/logs/$1.log" ;;
  esac | grep -E "${2:-\"level\":\"(warn|error|fatal)\"}" | tail -n 15 | sed -E 's/,?"stack":"([^"\\]|\\.)*"//g' | cut -c1-900
}

# waits SERVICE: what runs or waits in its database, for how long, and which connection (pid) it waits for.
waits() {
  in_service "$1" node -e '
    const { Client } = require("pg");
    const sql = `SELECT pid, usename AS role, state, wait_event_type AS waits_for, pg_blocking_pids(pid) AS blocked_by,
        round(extract(epoch FROM now() - coalesce(xact_start, query_start)))::int AS seconds, left(query, 120) AS query
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS DISTINCT FROM $1
      ORDER BY cardinality(pg_blocking_pids(pid)) DESC, xact_start NULLS LAST LIMIT 20`;
    const show = ({ rows }) => console.log(rows.map((row) => JSON.stringify(row)).join("\n") || "nothing runs or waits");
    const client = new Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
    client.connect().then(() => client.query(sql, ["idle"])).then(show)
      .catch((error) => console.log(`Postgres: ${error.message || error.code}`)).finally(() => client.end());'
}

# pods: what runs.
pods() {
  case $PLACE in
    kubernetes) kubectl -n "$NS" get deployments,pods,servicemonitors,scaledobjects -o wide 2>&1 ;;
    compose) docker compose -f deploy/compose.yaml ps -a ;;
    *) node -e '
      const { pids } = JSON.parse(require("fs").readFileSync(process.argv[1]));
      for (const [name, pid] of Object.entries(pids)) {
        const read = (file) => { try { return require("fs").readFileSync(`/proc/${pid}/${file}`, "utf8"); } catch { return ""; } };
        const state = /State:\s+(.*)/.exec(read("status"))?.[1] ?? "gone";
        console.log(name.padEnd(12), String(pid).padEnd(8), state, (/VmRSS:\s+(.*)/.exec(read("status"))?.[1] ?? ""));
      }' "$STACK_DIR/stack.json" ;;
  esac
}

# processes SERVICE: those that run. Kubernetes: its pods.
processes() {
  case $PLACE in
    kubernetes) kubectl -n "$NS" get pods -l "app.kubernetes.io/component=$1" --field-selector=status.phase=Running -o name ;;
    *) echo "$1" ;;
  esac
}

# settings: in which settings the services, or the processes of one, differ. Values of settings without a default are shown as fingerprints.
settings() {
  for each in $SERVICES; do
    for process in $(processes "$each"); do
      printf '%s %s %s\n' "$each" "$process" "$(operations "$process" /settings 2>&1 | tr '\n' ' ')"
    done
  done | in_service gateway node -e '
    const rows = require("fs").readFileSync(0, "utf8").trim().split("\n").flatMap((line) => {
      const [, service, process, text] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
      let told;
      try { told = JSON.parse(text); } catch {}
      // A process of the release before has no such answer.
      if (!told?.shared) { console.log("not compared:", line); return []; }
      return [{ service, process, ...told }];
    });
    const differing = (group, valuesOf) => {
      const names = new Set(group.flatMap((row) => Object.keys(valuesOf(row))));
      for (const name of names) {
        const by = new Map();
        for (const row of group) by.set(valuesOf(row)[name], [...(by.get(valuesOf(row)[name]) ?? []), row]);
        if (by.size > 1) console.log(name, "differs:", [...by].map(([value, some]) =>
          `${some.map(({ process }) => process).join(", ")}: ${value ?? "the default, or not set"}`).join(" | "));
      }
    };
    const names = [...new Set(rows.flatMap(({ shared }) => Object.keys(shared)))];
    for (const name of names) differing(rows.filter(({ shared }) => name in shared), ({ shared }) => ({ [name]: shared[name] }));
    for (const service of new Set(rows.map((row) => row.service)))
      differing(rows.filter((row) => row.service === service), ({ changed, given }) => ({ ...changed, ...given }));
    console.log(`${rows.length} processes compared`);'
}

# disks SERVICE: how full the file systems are that it sees.
disks() {
  in_service "$1" node -e '
    const { readFileSync, statfsSync } = require("fs");
    for (const line of readFileSync("/proc/mounts", "utf8").trim().split("\n")) {
      const [device, folder, type] = line.split(" ");
      let figures;
      try { figures = statfsSync(folder); } catch { continue; }
      const { blocks, bavail, bsize } = figures;
      if (blocks > 0) console.log(`${Math.round(100 * (1 - bavail / blocks))}% full`.padEnd(10), `${Math.round(blocks * bsize / 2 ** 20)} MiB`.padStart(12), type, folder);
    }' | sort -rn | head -n 15
}

# certificates: when those end that a service of this list reads.
certificates() {
  for each in ${*:-ledger assets content share}; do
    metrics "$each" tire_certificate_end | in_service "$each" node -e '
      for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
        const [, kind, end] = /kind="(\w+)".*\} ([\d.e+]+)/.exec(line) ?? [];
        if (kind) console.log(process.argv[1].padEnd(12), kind.padEnd(14), "ends", new Date(end * 1000).toISOString());
      }' "$each"
  done
}
