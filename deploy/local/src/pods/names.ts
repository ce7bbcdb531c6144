import { renameSync, writeFileSync } from 'node:fs';

/** The DNS records of headless services in a cluster: for each name the addresses of the ready pods. */
export class PodNames {
  private readonly addresses = new Map<string, string[]>();

  constructor(readonly file: string) {
    this.write();
  }

  add(name: string, address: string): void {
    this.addresses.set(name, [...(this.addresses.get(name) ?? []), address]);
    this.write();
  }

  remove(name: string, address: string): void {
    this.addresses.set(
      name,
      (this.addresses.get(name) ?? []).filter((other) => other !== address),
    );
    this.write();
  }

  private write(): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(Object.fromEntries(this.addresses)));
    renameSync(`${this.file}.new`, this.file);
  }
}
