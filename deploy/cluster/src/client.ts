import type { Shell } from './shell';

/** A pod beside the release that no policy of the chart selects: a caller of the API, as an ingress controller is one. */
const clientPod = (registry: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'client', namespace: 'tire' },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'client',
          image: `${registry}/tire-inspection/gateway:0.1.0`,
          command: ['node', '-e', 'setInterval(() => undefined, 1e6)'],
          env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'tire-tire-inspection-test', key: 'api-key' } } }],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
        },
      ],
    },
  });

export async function startClient(shell: Shell, registry: string): Promise<void> {
  await shell.run(
    `kubectl apply -f - <<'EOF'\n${clientPod(registry)}\nEOF\nkubectl -n tire wait pod/client --for=condition=Ready --timeout=60s`,
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Runs JavaScript in a pod of the namespace. */
export const inPod = (shell: Shell, pod: string, source: string): Promise<string> =>
  shell.run(`kubectl -n tire exec ${pod} -- node -e ${quoted(source)}`);

/** Whether a connection to this address can be opened. A policy drops packets or rejects them. */
export async function opens(shell: Shell, pod: string, host: string, port: number): Promise<boolean> {
  const source = `const s = require('node:net').connect(${port}, '${host}'); s.setTimeout(3000);
    for (const what of ['connect', 'timeout', 'error']) s.on(what, () => { console.log(what); process.exit(0); });`;
  return (await inPod(shell, pod, source)).trim() === 'connect';
}

const API = 'http://tire-tire-inspection-gateway:8080/api/v1';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

/** One request of the client. */
export async function asks(shell: Shell, url: string, method = 'GET', body?: object): Promise<Answer> {
  const source = `const began = performance.now();
    fetch('${url.startsWith('/') ? API + url : url}', { method: '${method}', signal: AbortSignal.timeout(25000),
      headers: { authorization: 'Bearer ' + process.env.KEY, 'content-type': 'application/json' }${body ? `, body: '${JSON.stringify(body)}'` : ''} })
      .then(async (answer) => console.log(JSON.stringify({ status: answer.status, body: await answer.text(), ms: Math.round(performance.now() - began) })),
        (error) => console.log(JSON.stringify({ status: 0, body: String(error.cause?.code ?? error), ms: Math.round(performance.now() - began) })))`;
  return JSON.parse(await inPod(shell, 'client', source)) as Answer;
}

export interface Load {
  readonly sent: number;
  readonly failed: Readonly<Record<string, number>>;
}

/** Requests at an even rate, without repetition: four reads for each creation. */
export async function load(shell: Shell, reportId: string, seconds: number, perSecond: number): Promise<Load> {
  const source = `const failed = {}; let sent = 0; const open = new Set();
    const headers = { authorization: 'Bearer ' + process.env.KEY, 'content-type': 'application/json' };
    const one = async (n) => { const creates = n % 5 === 0;
      const answer = await fetch('${API}/reports' + (creates ? '' : '/${reportId}'), { method: creates ? 'POST' : 'GET', headers,
        body: creates ? '{"template":"tire_4t_0s"}' : undefined, signal: AbortSignal.timeout(10000) }).catch((e) => ({ ok: false, status: e.cause?.code ?? e.name, text: async () => '' }));
      await answer.text(); if (!answer.ok) failed[answer.status] = (failed[answer.status] ?? 0) + 1; };
    const timer = setInterval(() => { const work = one(sent++); open.add(work); work.finally(() => open.delete(work)); }, ${1000 / perSecond});
    setTimeout(async () => { clearInterval(timer); await Promise.all(open); console.log(JSON.stringify({ sent, failed })); }, ${seconds * 1000});`;
  return JSON.parse(await inPod(shell, 'client', source)) as Load;
}
