import {
  type CallOptions as GrpcCallOptions,
  type ChannelOptions,
  type Client,
  connectivityState,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { DomainError } from '@tire/kernel';
import type { GrpcService } from '@tire/contracts/grpc';
import type { Observable } from 'rxjs';
import { logger, ofCall } from '../logs/logger';
import { sharedText } from '../config/settings';
import { requestContext } from '../request-context';
import { inClientSpan, traceHeaders } from '../telemetry/trace';
import { fromTrailer } from './error-details';
import type { CallSigner } from './identity';
import {
  ACTOR_METADATA,
  CALLER_METADATA,
  DEADLINE_MS,
  KEEPALIVE_MS,
  MESSAGE_BYTES_MAX,
  PROTO_LOADER_OPTIONS,
  REQUEST_ID_METADATA,
  SETTINGS_METADATA,
} from './options';

export interface CallOptions {
  readonly deadlineMs?: number;
}

/** The generated client, with promises instead of observables. */
export type PromiseClient<C> = {
  [Method in keyof C]: C[Method] extends (request: infer Request, ...rest: never[]) => Observable<infer Response>
    ? (request: Request, options?: CallOptions) => Promise<Response>
    : never;
};

export interface ClientOptions extends CallOptions {
  /** Signs the calls with the key of this service. */
  readonly signer?: CallSigner | undefined;
}

interface Closing {
  /** Nest calls this on a provider when the application ends. */
  onApplicationShutdown(): void;
}

/** How long a call waits for an unavailable server. A restart takes about that long. */
const CONNECT_WAIT_MS = 1_000;

const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
  'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
  'grpc.keepalive_time_ms': KEEPALIVE_MS,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // When a connection ends, the pods of the server have usually changed. In the usual 30 s all of two pods can be replaced.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

type Unary = (
  request: unknown,
  metadata: Metadata,
  options: GrpcCallOptions,
  done: (error: ServiceError | null, response: unknown) => void,
) => void;

/** The channel may send a read twice. It retries any other call only if the call was not sent. */
const READING = /^(Get|Find|List|Sign)/;

function serviceConfigOf(fullName: string, methods: string[]): string {
  const readings = methods.filter((method) => READING.test(method));
  const retryPolicy = {
    maxAttempts: 3,
    initialBackoff: '0.05s',
    maxBackoff: '0.5s',
    backoffMultiplier: 2,
    // INTERNAL is also the code of a call that the transport cut. Errors of our servers disable retries in their trailer.
    retryableStatusCodes: ['UNAVAILABLE', 'INTERNAL'],
  };
  const methodConfig = readings.length ? [{ name: readings.map((method) => ({ service: fullName, method })), retryPolicy }] : [];
  return JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }], methodConfig });
}

function constructorOf({ package: packageName, protoFile, service }: GrpcService): ServiceClientConstructor {
  const root: unknown = loadPackageDefinition(loadSync(protoFile, PROTO_LOADER_OPTIONS));
  const found = `${packageName}.${service}`.split('.').reduce<unknown>((part, name) => Reflect.get(Object(part), name), root);
  if (typeof found !== 'function') throw new Error(`${protoFile} has no service ${packageName}.${service}`);
  return found as ServiceClientConstructor;
}

const log = logger('grpc');

const AWAY: readonly status[] = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED];

/**
 * grpc-js's words for a call that ended without a status of the server. Their codes (INTERNAL, RESOURCE_EXHAUSTED, UNKNOWN) are also those
 * of faults of our code, such as a message that is too large.
 */
const CUT_SHORT =
  /^(Received RST_STREAM(?!.*internal client error)|Bandwidth exhausted|No status information received|Received HTTP status code (200|5))/;

function toDomainError(error: ServiceError): DomainError {
  const domainError = fromTrailer(error.metadata, error);
  if (domainError) return domainError;
  if (AWAY.includes(error.code)) return new DomainError('service_unavailable', { cause: error });
  if (!CUT_SHORT.test(error.details)) return new DomainError('internal_error', { cause: error });
  // The server logs the refusals that it sends, and cannot log this one.
  log.warn({ err: error }, 'A call was cut');
  return new DomainError('service_unavailable', { cause: error });
}

/** The callee is of a release that has no such rpc. */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof DomainError && (error.cause as Partial<ServiceError> | undefined)?.code === status.UNIMPLEMENTED;

const isAway = (client: Client): boolean => client.getChannel().getConnectivityState(true) === connectivityState.TRANSIENT_FAILURE;

/** gRPC fails a call at once if the server is unavailable. A call that waits a moment succeeds after a restart of the server. */
const whenBack = (client: Client, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => client.waitForReady(Date.now() + Math.min(CONNECT_WAIT_MS, deadlineMs), () => resolve()));

function callMetadata(token: string | undefined): Metadata {
  const metadata = new Metadata();
  const { requestId, actor } = requestContext.getStore() ?? {};
  if (requestId) metadata.set(REQUEST_ID_METADATA, requestId);
  if (actor) metadata.set(ACTOR_METADATA, actor);
  if (token) metadata.set(CALLER_METADATA, token);
  for (const [key, value] of Object.entries(traceHeaders())) metadata.set(key, value);
  return metadata;
}

interface Introduction {
  readonly metadata: Metadata;
  answered(): void;
}

/** The metadata of each call. Until a call of a token has an answer, its calls also tell the shared settings of this process; later calls save them. */
function introducing(signer: CallSigner | undefined, callee: string): () => Introduction {
  let introducedWith: string | undefined;
  return () => {
    const token = signer?.tokenFor(callee);
    const metadata = callMetadata(token);
    const settings = token === introducedWith ? undefined : sharedText();
    if (settings) metadata.set(SETTINGS_METADATA, settings);
    return { metadata, answered: () => void (introducedWith = token) };
  };
}

/**
 * A client of another service. It connects at the first call, and again when the server is back. A DomainError that the server throws
 * arrives as the same DomainError.
 */
export function grpcClient<C>(service: GrpcService, address: string, options: ClientOptions = {}): PromiseClient<C> & Closing {
  const Constructor = constructorOf(service);
  const definition = Constructor.service;
  const channelOptions = {
    ...CHANNEL_OPTIONS,
    'grpc.service_config': serviceConfigOf(`${service.package}.${service.service}`, Object.keys(definition)),
  };
  const callee = service.package.split('.')[1]!;
  const client = new Constructor(address, credentials.createInsecure(), channelOptions);
  const introduction = introducing(options.signer, callee);
  const send = (method: string, rpc: string, request: unknown, deadline: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { metadata, answered } = introduction();
      (client[method] as unknown as Unary).call(client, request, metadata, { deadline }, (error, response) => {
        if (error) return reject(toDomainError(ofCall(error, { callee, rpc })));
        answered();
        resolve(response);
      });
    });
  const unary =
    (method: string, path: string, rpc: string) =>
    (request: unknown, call: CallOptions = {}) => {
      const deadlineMs = call.deadlineMs ?? options.deadlineMs ?? DEADLINE_MS;
      const deadline = Date.now() + deadlineMs;
      const sent = () => send(method, rpc, request, deadline);
      return inClientSpan(path, () => (isAway(client) ? whenBack(client, deadlineMs).then(sent) : sent()));
    };
  const methods = Object.entries(definition).map(([name, { originalName, path }]) => {
    const method = originalName ?? name;
    return [method, unary(method, path.slice(1), path.slice(path.lastIndexOf('/') + 1))];
  });
  return Object.assign(Object.fromEntries(methods), { onApplicationShutdown: () => client.close() }) as PromiseClient<C> & Closing;
}
