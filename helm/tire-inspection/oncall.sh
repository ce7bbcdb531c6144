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

# operations SERVICE PATH [verdict]: an answer of the port for health and metrics.
operations() {
  in_service "$1" node -e '
    const [path, form] = process.argv.slice(1);
    const verdict = (text) => {
      const { status, details } = JSON.parse(text);
      const down = Object.entries(details ?? {}).filter(([, part]) => part.status !== "up").map(([name, { message }]) => `${name}: ${message}`);
      if (status !== "ok") return `NOT READY: ${down.join("; ") || status}`;
      return down.length > 0 ? `READY, but ${down.join("; ")}` : "READY";
    };
    const port = process.env.OPERATIONS_PORT ?? 9464;
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) }).then((answer) => answer.text())
      .then((text) => console.log(form === "verdict" ? verdict(text) : text), () => console.log("does not answer"));' "$2" ${3:+"$3"}
}

# ready: one line for each service: READY, READY but without a part, NOT READY and why, or that it does not answer.
ready() {
  for each in $SERVICES; do
    printf '%-20s %s\n' "$each" "$(operations "$each" /health/ready verdict 2>&1 | tr '\n' ' ' | cut -c1-600)"
  done
}

# metrics SERVICE NAME: the values of the metrics whose names begin so.
metrics() {
  operations "$1" /metrics | grep "^$2" || echo "no $2"
}

# log_lines SERVICE N: the last N lines of its processes, without stacks.
log_lines() {
  case $PLACE in
    kubernetes) kubectl -n "$NS" logs --tail="$2" --max-log-requests=50 -l "app.kubernetes.io/component in ($(component "$1"))" ;;
    compose) docker compose -f deploy/compose.yaml logs --no-log-prefix --tail="$2" "$1" ;;
    *) tail -n "$2" "$STACK_DIR/logs/$1.log" ;;
  esac | sed -E 's/,?"stack":"([^"\\]|\\.)*"//g'
}

# logs SERVICE [WORDS]: its last 15 warnings and errors, or lines with the words. Those that differ in time, ids and durations only are one.
logs() {
  log_lines "$1" 5000 | grep -E "${2:-\"level\":\"(warn|error|fatal)\"}" | awk '
    { time = match($0, /"time":"[^"]*"/) ? substr($0, RSTART + 19, 8) : ""
      key = $0; gsub(/"[a-z_]*(time|id)":"[^"]*"|"[a-z_]*(_ms|attempts?|left_out)":[0-9.]+/, "", key)
      if (!count[key]++ || time < since[key]) since[key] = time
      last[key] = NR; line[key] = $0 }
    END { for (key in last) print last[key] "\t" (count[key] > 1 ? "×" count[key] " since " since[key] " " : "") line[key] }' |
    sort -n | cut -f2- | tail -n 15 | cut -c1-900
}

# first SERVICE WORDS: the first line with the words, how many there are, and how many in each of the last ten minutes that have one.
first() {
  log_lines "$1" 1000000000 | grep -E "$2" | awk '
    { time = match($0, /"time":"[^"]*"/) ? substr($0, RSTART + 8, 19) : ""
      if (!count++ || time < begin) { begin = time; line = $0 }
      if (time > end) end = time
      minute[substr(time, 1, 16)]++ }
    END { if (!count) { print "no line"; exit }
      print substr(line, 1, 900); print count " from " begin " to " end; fflush()
      for (each in minute) print each, minute[each] " in this minute" | "sort | tail -n 10" }'
}

# waits SERVICE: what runs or waits in its database, for how long, and which connection (pid) it waits for; then each session that blocks.
waits() {
  in_service "$1" node -e '
    const { Client } = require("pg");
    const running = `SELECT pid, usename AS role, state, wait_event_type AS waits_for, pg_blocking_pids(pid) AS blocked_by,
        round(extract(epoch FROM now() - coalesce(xact_start, query_start)))::int AS seconds, left(query, 120) AS query
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state IS DISTINCT FROM $1
      ORDER BY cardinality(pg_blocking_pids(pid)) DESC, xact_start NULLS LAST LIMIT 20`;
    const blocking = `SELECT pid, usename AS role, state, xact_start AS since, host(client_addr) AS client_addr, client_port,
        (SELECT jsonb_agg(DISTINCT jsonb_build_array(held.mode, coalesce(held.relation::regclass::text, held.locktype)))
         FROM pg_locks held JOIN pg_locks wanted ON NOT wanted.granted AND wanted.locktype = held.locktype AND wanted.database IS NOT DISTINCT FROM held.database
           AND wanted.relation IS NOT DISTINCT FROM held.relation AND wanted.transactionid IS NOT DISTINCT FROM held.transactionid
         WHERE held.granted AND held.pid = blocker.pid) AS locks,
        left(query, 120) AS query, current_user AS me, current_database() AS database
      FROM (SELECT DISTINCT unnest(pg_blocking_pids(pid)) AS pid FROM pg_stat_activity WHERE datname = current_database()) blocker
      JOIN pg_stat_activity USING (pid) WHERE cardinality(pg_blocking_pids(pid)) = 0 LIMIT 10`;
    const show = (rows) => console.log(rows.map((row) => JSON.stringify(row)).join("\n") || "nothing runs or waits");
    const showBlocker = ({ me, database, ...session }) => {
      console.log("BLOCKS:", JSON.stringify(session));
      if (session.query === "<insufficient privilege>") {
        console.log(`  ${me} may not see this session (insufficient privilege). As a superuser, in ${database}:`);
        console.log(`  SELECT usename, state, xact_start, client_addr, client_port, query FROM pg_stat_activity WHERE pid = ${session.pid}`);
      } else if (session.role !== me) console.log("  As a superuser:");
      console.log(`  SELECT pg_terminate_backend(${session.pid})`);
    };
    const client = new Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
    client.connect().then(async () => {
      const blockers = (await client.query(blocking)).rows;
      show((await client.query(running, ["idle"])).rows);
      blockers.forEach(showBlocker);
    }).catch((error) => console.log(`Postgres: ${error.message || error.code}`)).finally(() => client.end());'
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

# certificates: when those end that a service of this list reads, and in how many days.
certificates() {
  for each in ${*:-ledger assets content share}; do
    metrics "$each" tire_certificate_end | in_service "$each" node -e '
      for (const line of require("fs").readFileSync(0, "utf8").split("\n")) {
        const [, kind, end] = /kind="(\w+)".*\} ([\d.e+]+)/.exec(line) ?? [];
        const days = Math.floor((end * 1000 - Date.now()) / 86_400_000);
        if (kind) console.log(process.argv[1].padEnd(12), kind.padEnd(14), "ends", new Date(end * 1000).toISOString(), `${days} days left`);
      }' "$each"
  done
}
