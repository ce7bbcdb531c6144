import { ofKind, type Manifest, workloads } from '@tire/chart';
import { REPOSITORY_ROOT } from '@tire/local-stack';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackUnderTest } from '../stack-under-test';

/**
 * Replacements of kubectl, helm and jq for the commands that a page gives to operators. A command in a pod runs in the service of the system
 * under test. A secret is a file. All other commands are only recorded.
 */
const PROGRAMS = `
words() { printf '%s\\037' "$@" >> calls; printf '\\n' >> calls; }
in_pod() {
  while [ "$1" != -- ]; do shift; done
  shift 2
  (cd "$REPOSITORY" && node --env-file="$ENVIRONMENT" "$@")
}
kubectl() {
  words kubectl "$@"
  case " $* " in
    # Without -i the program in the pod has no input.
    *' exec deploy/'*) in_pod "$@" < /dev/null ;;
    *' exec -i deploy/'*) in_pod "$@" ;;
    *' create secret generic '*)
      for word; do case $word in --from-literal=*) word=\${word#*=}; printf %s "\${word#*=}" > "$6.\${word%%=*}" ;; esac; done ;;
  esac
}
helm() { words helm "$@"; }
jq() { node -pe 'JSON.parse(require("node:fs").readFileSync(0, "utf8"))[process.argv[1].slice(1)]' "$2"; }
`;

/** An operator's shell with the system under test as its cluster. */
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

  /** The words of each recorded kubectl and helm command, in order. */
  async calls(): Promise<string[][]> {
    const text = await readFile(join(this.folder, 'calls'), 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\u001f').slice(0, -1));
  }

  secret = (name: string, key: string): Promise<string> => readFile(join(this.folder, `${name}.${key}`), 'utf8');

  /** Runs the test pods of the chart as `helm test` does: in order, each with its command and variables. */
  async helmTest(manifests: readonly Manifest[]): Promise<string> {
    const pods = ofKind(manifests, 'Pod').filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'test');
    const weight = ({ metadata }: Manifest) => Number(metadata.annotations!['helm.sh/hook-weight']);
    let output = '';
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
      output += ran.stdout;
    }
    return output;
  }
}
