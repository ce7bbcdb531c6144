import { run } from '@tire/chart';
import { eventually } from '@tire/test-harness';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HERE } from './places';

const CLIENT = join(HERE, 'client.cjs');
const EXEC_TRIES = 3;
const GATEWAY = 'http://tire-tire-inspection-gateway:8080';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

export interface Load {
  readonly sent: number;
  readonly failed: Readonly<Record<string, number>>;
}

export interface Written {
  /** The reports that were confirmed. */
  readonly ids: readonly string[];
  /** The longest time without a confirmation. */
  readonly longestGapMs: number;
}

interface Pod {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

const isReady = ({ status }: Pod): boolean => status.conditions?.some(({ type, status: so }) => type === 'Ready' && so === 'True') ?? false;

export const deployment = (component: string): string => `deploy/tire-tire-inspection-${component}`;

/** A cluster as its administrator has it: bash with kubectl, Helm and the chart in its folder, and a pod that calls the API. */
export class Cluster {
  constructor(
    readonly folder: string,
    /** The words before bash: they set KUBECONFIG and PATH, or enter the network of a node. */
    private readonly before: readonly string[],
    readonly registry: string,
  ) {}

  run(script: string): Promise<string> {
    const [program, ...words] = [...this.before, 'bash', '-euo', 'pipefail', '-c', `cd ${this.folder}\n${script}`];
    return run(program!, words);
  }

  async json<T>(command: string): Promise<T> {
    return JSON.parse(await this.run(`${command} -o json`)) as T;
  }

  /** The pods of the release, or of one component of it. */
  async pods(component?: string): Promise<Pod[]> {
    const selector = ['app.kubernetes.io/instance=tire', ...(component ? [`app.kubernetes.io/component=${component}`] : [])].join();
    return (await this.json<{ items: Pod[] }>(`kubectl -n tire get pods -l ${selector}`)).items;
  }

  /** The names of the ready pods of these components. */
  async ready(...components: string[]): Promise<string[]> {
    const pods = await Promise.all(components.map((component) => this.pods(component)));
    return pods
      .flat()
      .filter(isReady)
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** Waits until every deployment has its pods. */
  settled = (): Promise<string> => this.run('kubectl -n tire rollout status deployment -l app.kubernetes.io/instance=tire --timeout=180s');

  /** A pod beside the release that none of the chart's policies selects, as an ingress controller is one. It needs the secret of `helm test`. */
  async startClient(): Promise<void> {
    await writeFile(join(this.folder, 'client.json'), clientPod(this.registry));
    await this.run('kubectl apply -f client.json\nkubectl -n tire wait pod/client --for=condition=Ready --timeout=120s');
  }

  asks = (path: string, method = 'GET', body?: object): Promise<Answer> =>
    this.client('pod/client', 'asks', path, method, ...(body ? [JSON.stringify(body)] : []));

  /** The status of a sign-in at the console. */
  async signsIn(email: string, password: string): Promise<number> {
    const words = [`${GATEWAY}/console/api/session`, 'POST', JSON.stringify({ email, password }), 'https://tire.example.com'];
    return (await this.client<Answer>('pod/client', 'asks', ...words)).status;
  }

  /** Whether a connection from this pod opens. */
  opens = (from: string, host: string, port: number): Promise<boolean> => this.client(from, 'opens', host, String(port));

  /** Requests at an even rate for some seconds: reads of this report, and a creation as every so many-th request (Infinity: none). */
  load = (reportId: string, seconds: number, perSecond: number, creationEvery: number): Promise<Load> =>
    this.client('pod/client', 'load', reportId, ...[seconds, perSecond, creationEvery].map(String));

  /** Creates one report after the other, each until it is confirmed, until `endWrites` of this run. */
  writes = (run: string): Promise<string> => this.exec('pod/client', 'writes', run);
  endWrites = (run: string): Promise<Written> => this.client('pod/client', 'endWrites', run);

  /** Creates reports and uploads their images. */
  uploads = (count: number, template: string): Promise<object[]> => this.client('pod/client', 'uploads', String(count), template);

  /** Registers the images of these reports and returns their ids. Measuring them goes on. */
  registers = (reports: readonly object[]): Promise<string[]> => this.client('pod/client', 'registers', JSON.stringify(reports));

  /** Both, repeated as a client does while services are away. */
  starts = (count: number, template: string): Promise<string[]> => this.client('pod/client', 'starts', String(count), template);

  /** Waits until these reports are complete and published. */
  async complete(ids: readonly string[], seconds: number): Promise<number> {
    type Ends = { lost: string[]; others: Record<string, string>; seconds: number };
    const { lost, others, seconds: took } = await this.client<Ends>('pod/client', 'ends', ids.join(), String(seconds));
    must(lost.length === 0, `not ended after ${seconds} s: ${lost.join()}`);
    must(Object.keys(others).length === 0, `not complete: ${JSON.stringify(others)}`);
    return took;
  }

  async createReport(): Promise<string> {
    const { status, body } = await this.asks('/reports', 'POST', { template: 'tire_4t_0s' });
    must(status === 201, `a creation gave ${status} ${body}`);
    return (JSON.parse(body) as { report_id: string }).report_id;
  }

  private exec(from: string, command: string, ...words: string[]): Promise<string> {
    const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    return this.run(`kubectl -n tire exec -i ${from} -- node - ${command} ${quoted} < ${CLIENT}`);
  }

  private async client<T>(from: string, command: string, ...words: string[]): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const output = await this.exec(from, command, ...words);
      // On a busy node the stream of an exec sometimes ends before the output has come.
      if (output || tries === EXEC_TRIES) return JSON.parse(output) as T;
    }
  }
}

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
          image: `${registry}/tire-inspection/inference:0.1.0`,
          command: ['node', '-e', 'setInterval(() => undefined, 1e6)'],
          env: [
            { name: 'API', value: `${GATEWAY}/api/v1` },
            { name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.crt' },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 'tire-tire-inspection-test', key: 'api-key' } } },
          ],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          volumeMounts: [{ name: 'ca', mountPath: '/ca' }],
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
        },
      ],
      volumes: [{ name: 'ca', secret: { secretName: 'postgres-ca' } }],
    },
  });

export function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

export const secondsSince = (beganMs: number): string => `${((Date.now() - beganMs) / 1000).toFixed(1)} s`;

/** Waits for a fact and returns how long it took. */
export async function after(what: string, timeoutMs: number, fact: () => Promise<boolean>): Promise<string> {
  const beganMs = Date.now();
  await eventually(fact, { timeoutMs, pollMs: 300, message: what });
  return secondsSince(beganMs);
}
