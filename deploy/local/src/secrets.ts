import { BROKER_OPERATOR, EVENTING_SERVICES } from '@tire/contracts/events';
import { SERVICE_NAMES } from '@tire/contracts/grpc';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stackDir } from './stack-file';

/** The secrets that the stack generates on its first start. There is no default secret. */
export interface StackSecrets {
  postgresPassword: string;
  objectStoreSecret: string;
  webhookSecret: string;
  consolePassword: string;
  /** The passwords by user: the services and the operator. */
  natsPasswords: Record<string, string>;
  /** Ed25519 seeds (base64) by service, which sign calls over gRPC. */
  serviceKeys: Record<string, string>;
  /** id:base64, the format of the gateway. */
  consoleSecretKey: string;
  /** The keys that seal secrets in a service's database, by service. */
  sealingKeys: Record<string, string>;
  /** Keys are shown once when issued, so the stack stores its own. */
  keys?: { test: string; live: string; read_only: string; other: string };
}

const path = () => join(stackDir(), 'secrets.json');

const newPassword = (): string => randomBytes(24).toString('base64url');

const newSealingKey = (): string => `local:${randomBytes(32).toString('base64')}`;

const newNatsPasswords = (): Record<string, string> =>
  Object.fromEntries([...EVENTING_SERVICES, BROKER_OPERATOR].map((name) => [name, newPassword()]));

const newServiceKeys = (): Record<string, string> =>
  Object.fromEntries(SERVICE_NAMES.map((name) => [name, randomBytes(32).toString('base64')]));

const newSealingKeys = (): Record<string, string> => Object.fromEntries(['ledger', 'share'].map((name) => [name, newSealingKey()]));

export async function loadSecrets(): Promise<StackSecrets> {
  const text = await readFile(path(), 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const kept = JSON.parse(text) as Partial<StackSecrets>;
    const later = {
      consoleSecretKey: newSealingKey(),
      sealingKeys: newSealingKeys(),
      natsPasswords: newNatsPasswords(),
      serviceKeys: newServiceKeys(),
    };
    const secrets = { ...later, ...kept } as StackSecrets;
    // Written by a version without some of these.
    if (Object.keys(later).some((name) => !(name in kept))) await saveSecrets(secrets);
    return secrets;
  }
  const secrets: StackSecrets = {
    postgresPassword: newPassword(),
    natsPasswords: newNatsPasswords(),
    serviceKeys: newServiceKeys(),
    objectStoreSecret: randomBytes(32).toString('base64url'),
    webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
    consolePassword: randomBytes(12).toString('base64url'),
    consoleSecretKey: newSealingKey(),
    sealingKeys: newSealingKeys(),
  };
  await saveSecrets(secrets);
  return secrets;
}

export async function saveSecrets(secrets: StackSecrets): Promise<void> {
  await mkdir(stackDir(), { recursive: true });
  await writeFile(path(), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
}
