import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Manifest, ofKind } from './manifests';
import { CHART } from './paths';
import { README } from './readme-commands';
import { render, type Values } from './render';
import { manifestChecker } from './schemas';
import { merged, REQUIRED } from './value-sets';

const FILES = readdirSync(join(CHART, 'sizes')).sort();
const MIB: Readonly<Record<string, number>> = { Mi: 1, Gi: 1024 };
const POOL = 10;

const cores = (text: string): number => (text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text));
const mib = (text: string): number => Number(text.slice(0, -2)) * MIB[text.slice(-2)]!;

interface Need {
  pods: number;
  cpu: number;
  memoryMib: number;
  connections: number;
}

/** What the pods of a release request. `pods` is the number of pods of a deployment. */
function needOf(manifests: readonly Manifest[], podsOf: (deployment: Manifest) => number): Need {
  const need = { pods: 0, cpu: 0, memoryMib: 0, connections: 0 };
  for (const deployment of ofKind(manifests, 'Deployment')) {
    const [container] = deployment.spec!.template!.spec.containers;
    const pods = podsOf(deployment);
    need.pods += pods;
    need.cpu += pods * cores(container!.resources!.requests!['cpu'] as string);
    need.memoryMib += pods * mib(container!.resources!.requests!['memory'] as string);
    if (container!.env!.some(({ name }) => name === 'DATABASE_URL')) need.connections += pods * POOL;
  }
  return need;
}

/** `[nodes, cores of a node, GiB of a node]` */
const nodesOf = (text: string): number[] => text.match(/\d+/g)!.map(Number);

describe.each(FILES)('sizes/%s', (file) => {
  const values = parse(readFileSync(join(CHART, 'sizes', file), 'utf8')) as Values;
  let manifests: Manifest[];
  let row: string[];

  beforeAll(async () => {
    manifests = await render(merged(REQUIRED, values));
    row = new RegExp(`^\\| \`sizes/${file}\` \\|(.*)\\|$`, 'm')
      .exec(README)![1]!
      .split('|')
      .map((cell) => cell.trim());
  });

  const scalerOf = (deployment: Manifest) =>
    ofKind(manifests, 'HorizontalPodAutoscaler').find(
      ({ spec }) => (spec!['scaleTargetRef'] as { name: string }).name === deployment.metadata.name,
    );
  const least = (deployment: Manifest) => deployment.spec!.replicas ?? scalerOf(deployment)!.spec!.minReplicas!;
  const most = (deployment: Manifest) => scalerOf(deployment)?.spec!.maxReplicas ?? least(deployment);

  it('renders valid objects', () => expect(manifests.flatMap(manifestChecker())).toEqual([]));

  it('needs what the README says', () => {
    const rest = needOf(manifests, least);
    // An upgrade starts one more pod of each deployment at the same time.
    const upgrade = needOf(manifests, (deployment) => least(deployment) + 1);
    const gib = ({ memoryMib }: Need) => (memoryMib / 1024).toFixed(1);
    const { connections } = needOf(manifests, (deployment) => most(deployment) + 1);
    expect(row.slice(1)).toEqual([
      String(rest.pods),
      `${rest.cpu.toFixed(2)} / ${upgrade.cpu.toFixed(2)}`,
      `${gib(rest)} / ${gib(upgrade)}`,
      String(connections),
    ]);
  });

  it('fits the nodes that the README names, with a fifth left for the system and one-off pods', () => {
    const [nodes, coresOfNode, gibOfNode] = nodesOf(row[0]!) as [number, number, number];
    const upgrade = needOf(manifests, (deployment) => least(deployment) + 1);
    expect(upgrade.cpu).toBeLessThanOrEqual(0.8 * nodes * coresOfNode);
    expect(upgrade.memoryMib).toBeLessThanOrEqual(0.8 * nodes * gibOfNode * 1024);
  });
});
