import { configuration } from '@tire/chart';
import { EVENTING_SERVICES } from '@tire/contracts/events';
import { unreadVariables } from '@tire/platform';
import { randomBytes } from 'node:crypto';
import { type Ports, type ServiceName, serviceEnvironment, SERVICES } from './topology';

const portsFrom = (first: number) =>
  Object.fromEntries(SERVICES.map((name, index) => [name, first + index])) as Record<ServiceName, number>;
const each = <T>(names: readonly string[], value: () => T) => Object.fromEntries(names.map((name) => [name, value()]));
const secret = () => randomBytes(32).toString('base64');

it.each(SERVICES)('the environment of %s has no variable that looks like a misspelled setting', (name) => {
  const ports: Ports = { http: portsFrom(1_000), operations: portsFrom(2_000), grpc: portsFrom(3_000), images: 1, callback: 2, samples: 3 };
  const environment = serviceEnvironment({
    ports,
    natsUrl: 'nats://127.0.0.1:4222',
    caFile: '/ca.crt',
    databases: each(SERVICES, () => ({ runtimeUrl: 'postgres://runtime@db/x', ownerUrl: 'postgres://owner@db/x', runtimeRole: 'runtime' })),
    secrets: {
      postgresPassword: secret(),
      consolePassword: secret(),
      webhookSecret: secret(),
      objectStoreSecret: secret(),
      consoleSecretKey: `k:${secret()}`,
      serviceKeys: each(SERVICES, secret),
      sealingKeys: each(['ledger', 'share'], () => `k:${secret()}`),
      natsPasswords: each(EVENTING_SERVICES, secret),
    },
  });
  const settings = configuration()[name]!.map((variable) => variable.name);
  expect(unreadVariables(settings, Object.keys(environment[name]))).toEqual([]);
});
