import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, tableOf } from './network-policies';
import type { Node } from './node';

const LOOK_MS = 1_500;

/** Enforces the NetworkPolicies of the node until it is stopped, as a network plugin does. */
export class Enforcement {
  private stopping = false;
  private loaded = '';
  private readonly ended: Promise<void>;

  constructor(
    private readonly node: Node,
    private readonly folder: string,
  ) {
    this.ended = this.loop();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.ended;
  }

  private async loop(): Promise<void> {
    while (!this.stopping) {
      // The API is away for a moment while the node starts or ends.
      await this.load().catch((error: Error) => writeFile(join(this.folder, 'policies.error'), error.message).catch(() => undefined));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async load(): Promise<void> {
    const list = await this.node.run('kubectl get pods,networkpolicies,namespaces --all-namespaces -o json');
    const { items } = JSON.parse(list) as { items: { kind: string }[] };
    const of = (kind: string): unknown => items.filter((item) => item.kind === kind);
    const text = tableOf({ pods: of('Pod'), policies: of('NetworkPolicy'), namespaces: of('Namespace') } as Cluster);
    if (text === this.loaded) return;
    const file = join(this.folder, 'policies.nft');
    await writeFile(file, text);
    await this.node.run(`nft -f ${file}`);
    this.loaded = text;
  }
}
