import { EVENTING_SERVICES, EVENTS, STREAMS, type EventingService, type EventType, type StreamName } from './streams';

/** The subjects that one user of the broker may publish and subscribe to. All others are refused. */
export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/**
 * The service that creates and changes streams. The definition of a stream can name other streams as its source, and permissions cannot
 * look into it: a service that may define its own stream could read all of them. The ledger takes part in every stream anyway.
 */
export const STREAMS_OWNER: EventingService = 'ledger';

/** The user for people and tools, who may do everything. No service has its password. */
export const BROKER_OPERATOR = 'operator';

export const inboxPrefixOf = (service: string): string => `_INBOX_${service}`;

const ALL: readonly EventType<never>[] = Object.values(EVENTS) as never;

const isConsumerOf = (service: EventingService, durable: string): boolean => durable.startsWith(`${service}-`);

/** One durable consumer: create it, read about it, pull from it, acknowledge. The last form of acknowledgements is that of newer servers. */
const consumerApi = (stream: StreamName, durable: string, subject: string): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
  `$JS.ACK.*.*.${stream}.${durable}.>`,
];

function ofEvent(service: EventingService, { subject, stream, publisher, consumers }: EventType<never>): string[] {
  const own = consumers.filter((durable) => isConsumerOf(service, durable));
  if (publisher !== service && own.length === 0) return [];
  // A worker without capacity moves a message to the end of its queue: it publishes it again.
  const publishes = publisher === service || (STREAMS[stream].kind === 'work' && own.length > 0);
  return [
    ...(publishes ? [subject] : []),
    `$JS.API.STREAM.INFO.${stream}`,
    ...own.flatMap((durable) => consumerApi(stream, durable, subject)),
  ];
}

/** The service that counts reads and writes the messages of the bucket. The client reads the account first. */
function ofCounts(service: EventingService): string[] {
  const { bucket, service: owner } = STREAMS.KV_tire_attempts;
  if (service !== owner) return [];
  return [`$KV.${bucket}.>`, '$JS.API.INFO', ...['INFO', 'MSG.GET'].map((verb) => `$JS.API.STREAM.${verb}.KV_${bucket}`)];
}

/** The publisher of work reads how much its workers have and request. */
const demandApi = (service: EventingService, { stream, publisher, consumers }: EventType<never>): string[] =>
  publisher === service && STREAMS[stream].kind === 'work' ? consumers.map((durable) => `$JS.API.CONSUMER.INFO.${stream}.${durable}`) : [];

export function brokerPermissionsOf(service: EventingService): BrokerPermissions {
  const streams = Object.keys(STREAMS) as StreamName[];
  const owned = streams.flatMap((stream) => ['CREATE', 'UPDATE', 'INFO'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`));
  const publish = [
    ...ALL.flatMap((type) => [...ofEvent(service, type), ...demandApi(service, type)]),
    ...ofCounts(service),
    ...(service === STREAMS_OWNER ? owned : []),
  ];
  return { publish: [...new Set(publish)], subscribe: [`${inboxPrefixOf(service)}.>`] };
}

const user = (name: string, password: string, { publish, subscribe }: BrokerPermissions): string =>
  [
    `    {`,
    `      user: ${name}`,
    `      password: ${password}`,
    `      permissions: {`,
    `        publish: { allow: ${JSON.stringify(publish)} }`,
    `        subscribe: { allow: ${JSON.stringify(subscribe)} }`,
    `      }`,
    `    }`,
  ].join('\n');

/** The part of the configuration of nats-server that has the users. `passwordOf` gives a quoted password or the name of a variable. */
export function brokerUsers(passwordOf: (name: string) => string): string {
  const services = EVENTING_SERVICES.map((service) => user(service, passwordOf(service), brokerPermissionsOf(service)));
  const operator = user(BROKER_OPERATOR, passwordOf(BROKER_OPERATOR), { publish: ['>'], subscribe: ['>'] });
  return `authorization: {\n  users: [\n${[...services, operator].join('\n')}\n  ]\n}\n`;
}
