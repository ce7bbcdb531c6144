import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Policies, tableOf } from './network-policies';
import type { Node } from './node';

const LOOK_MS = 1_500;

/** Enforces the NetworkPolicies of the node, as a network plugin does, until this process ends. */
export async function enforcePolicies(node: Node, folder: string): Promise<never> {
  const file = join(folder, 'policies.nft');
  for (let loaded = ''; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
    try {
      const list = await node.run('kubectl get pods,networkpolicies,namespaces --all-namespaces -o json');
      const { items } = JSON.parse(list) as { items: { kind: string }[] };
      const of = (kind: string): unknown => items.filter((item) => item.kind === kind);
      const text = tableOf({ pods: of('Pod'), policies: of('NetworkPolicy'), namespaces: of('Namespace') } as Policies);
      if (text === loaded) continue;
      await writeFile(file, text);
      await node.run(`nft -f ${file}`);
      loaded = text;
    } catch (error) {
      // Ways that a policy allows then stay closed, and a check reports them.
      await writeFile(join(folder, 'policies.error'), (error as Error).message);
    }
  }
}
