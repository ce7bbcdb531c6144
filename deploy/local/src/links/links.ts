import type { ServiceName } from '../topology';
import { Link } from './link';

const CALLEE = /^(\w+)_GRPC_URL$/;
const SERVERS: Readonly<Record<string, string>> = { DATABASE_URL: 'postgres', NATS_URL: 'nats' };

/** The callee of a variable that holds an address of another process, or undefined. */
const calleeOf = (variable: string): string | undefined => CALLEE.exec(variable)?.[1]?.toLowerCase() ?? SERVERS[variable];

const PORT = /(?<=@|\/\/|^)([\d.]+):(\d+)/;

/** A link for every caller and callee of a local stack, by name: `gateway-ledger`, `ledger-postgres`. */
export class Links {
  private readonly byName = new Map<string, Link>();

  get names(): string[] {
    return [...this.byName.keys()].sort();
  }

  get(name: string): Link {
    const link = this.byName.get(name);
    if (!link) throw new Error(`There is no link ${name}: ${this.names.join(', ')}`);
    return link;
  }

  /** The same variables, in which every address is that of a link. */
  async between(service: ServiceName, environment: Record<string, string>): Promise<Record<string, string>> {
    const changed = { ...environment };
    for (const [variable, value] of Object.entries(environment)) {
      const callee = calleeOf(variable);
      if (callee) changed[variable] = await this.linked(`${service}-${callee}`, value);
    }
    return changed;
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.byName.values()].map((link) => link.close()));
  }

  /** A link to a server that is no service of the stack. */
  async add(name: string, port: number): Promise<Link> {
    const link = await Link.to(port);
    this.byName.set(name, link);
    return link;
  }

  private async linked(name: string, address: string): Promise<string> {
    const [found, , port] = PORT.exec(address) ?? [];
    if (!found) throw new Error(`The address of ${name} has no port: ${address}`);
    const link = this.byName.get(name) ?? (await this.add(name, Number(port)));
    return address.replace(found, `127.0.0.1:${link.port}`);
  }
}
