import { ofKind, type Manifest, workloads } from '@tire/chart';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackUnderTest } from './stack-under-test';

/**
 * kubectl, helm and jq for commands that a page tells an operator to copy. What is executed in a pod is executed in the service of the
 * system under test; a secret is a file; all else is written down.
 */
const PROGRAMS = `
words() { printf '%s\\037' "$@" >> asked; printf '\\n' >> asked; }
kubectl() {
  words kubectl "$@"
  case " $* " in
    *' exec deploy/'*)
      while [ "$1" != -- ]; do shift; done
      shift 2
      (cd "$REPOSITORY" && node --env-file="$ENVIRONMENT" "$@") ;;
    *' create secret generic '*)
      for word; do case $word in --from-literal=*) word=\${word#*=}; printf %s "\${word#*=}" > "$6.\${word%%=*}" ;; esac; done ;;
  esac
}
helm() { words helm "$@"; }
jq() { node -pe 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))[process.argv[1].slice(1)]' "$2"; }
`;

/** A shell of an operator whose cluster is the system under test. */
export class Operator {
  private constructor(private readonly folder: string) {}

  static async begin(): Promise<Operator> {
    return new Operator(await mkdtemp(join(tmpdir(), 'tire-operator-')));
  }

  end = (): Promise<void> => rm(this.folder, { recursive: true });

  async copies(commands: string): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      REPOSITORY: REPOSITORY_ROOT,
      ENVIRONMENT: join(process.env['STACK_DIR']!, 'environment/gateway.env'),
    };
    return (await promisify(execFile)('bash', ['-euc', PROGRAMS + commands], { cwd: this.folder, env })).stdout;
  }

  /** The words of each command to kubectl and helm, in their order. */
  async asked(): Promise<string[][]> {
    const text = await readFile(join(this.folder, 'asked'), 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\u001f').slice(0, -1));
  }

  secret = (name: string, key: string): Promise<string> => readFile(join(this.folder, `${name}.${key}`), 'utf8');

  /** As `helm test` does it: the chart's pods of it, one after the other, each with its own command and variables. */
  async helmTest(manifests: readonly Manifest[]): Promise<string> {
    const pods = ofKind(manifests, 'Pod').filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test');
    const weight = ({ metadata }: Manifest) => Number(metadata.annotations!['helm.sh/hook-weight']);
    let told = '';
    for (const { pod } of workloads(pods.sort((one, other) => weight(one) - weight(other)))) {
      const { command = [], env = [] } = pod.containers[0]!;
      const variables: Record<string, string> = { PATH: process.env['PATH']! };
      for (const { name, value, valueFrom } of env) {
        const secret = valueFrom?.secretKeyRef;
        variables[name] = secret ? await this.secret(secret.name, secret.key) : value!;
      }
      const ran = await promisify(execFile)(command[0]!, command.slice(1), {
        cwd: REPOSITORY_ROOT,
        env: { ...variables, API_URL: stackUnderTest().base_url },
      });
      told += ran.stdout;
    }
    return told;
  }
}
