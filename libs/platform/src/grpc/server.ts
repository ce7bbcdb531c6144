import {
  type Metadata,
  ResponderBuilder,
  type Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from '@grpc/grpc-js';
import { type GrpcOptions, Transport } from '@nestjs/microservices';
import type { GrpcService } from '@tire/contracts/grpc';
import { acceptRequestId } from '../request-context';
import { IncomingRequest } from '../telemetry/incoming';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { ACTOR_METADATA, MESSAGE_BYTES_MAX, PROTO_LOADER_OPTIONS, REQUEST_ID_METADATA } from './options';

const SERVER_FAULTS = new Set([status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS, status.DEADLINE_EXCEEDED]);

const UNTRACED_SERVICE = '/grpc.health.v1.Health/';

const duration = durationHistogram(METRICS.grpcServerDuration, 'How long calls of this service took');

function arrivalOf(path: string, metadata: Metadata): IncomingRequest {
  const text = (key: string): string | undefined => metadata.get(key)[0]?.toString();
  return new IncomingRequest({
    requestId: acceptRequestId(text(REQUEST_ID_METADATA)),
    actor: text(ACTOR_METADATA),
    continuesTrace: true,
    headers: { traceparent: text('traceparent'), tracestate: text('tracestate') },
    spanName: path.slice(1),
    attributes: { [ATTRIBUTES.grpcMethod]: path.slice(1) },
    duration,
  });
}

/** Gives each call an id, a span and a duration metric. */
const observeCall: ServerInterceptor = ({ path }, call) => {
  if (path.startsWith(UNTRACED_SERVICE)) return new ServerInterceptingCall(call);
  let arrival: IncomingRequest | undefined;
  const end = (code: status): void => arrival?.end({ [ATTRIBUTES.grpcStatus]: status[code] }, SERVER_FAULTS.has(code));
  const listener = new ServerListenerBuilder()
    .withOnReceiveMetadata((metadata, proceed) => {
      arrival = arrivalOf(path, metadata);
      proceed(metadata);
    })
    // The handler of a unary call runs when the request is complete, so that must happen inside the context.
    .withOnReceiveHalfClose((proceed) => (arrival ? arrival.run(proceed) : proceed()))
    .withOnCancel(() => end(status.CANCELLED))
    .build();
  const responder = new ResponderBuilder()
    .withStart((next) => next(listener))
    .withSendStatus((outcome, next) => {
      end(outcome.code ?? status.UNKNOWN);
      next(outcome);
    });
  return new ServerInterceptingCall(call, responder.build());
};

/**
 * The maximum age of a connection, plus or minus a tenth. A client resolves the addresses of a server again only when a connection ends;
 * without an end it never calls a new pod. Calls in flight get a grace period, longer than the longest deadline (30 s, of a discard).
 */
const CONNECTION_AGE_MS = 60_000;
const CONNECTION_AGE_GRACE_MS = 35_000;

export interface GrpcServerOptions {
  readonly services: readonly GrpcService[];
  readonly host: string;
  readonly port: number;
  readonly onServer: (server: Server) => void;
  readonly connectionAgeMs?: number;
}

export function grpcServerOptions(options: GrpcServerOptions): GrpcOptions {
  const { services, host, port, onServer, connectionAgeMs = CONNECTION_AGE_MS } = options;
  return {
    transport: Transport.GRPC,
    options: {
      url: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      package: [...new Set(services.map((service) => service.package))],
      protoPath: services.map((service) => service.protoFile),
      loader: { ...PROTO_LOADER_OPTIONS, longs: Number, enums: String },
      maxReceiveMessageLength: MESSAGE_BYTES_MAX,
      maxSendMessageLength: MESSAGE_BYTES_MAX,
      gracefulShutdown: true,
      channelOptions: {
        'grpc.keepalive_time_ms': 30_000,
        'grpc.keepalive_timeout_ms': 5_000,
        'grpc.max_connection_age_ms': connectionAgeMs,
        'grpc.max_connection_age_grace_ms': CONNECTION_AGE_GRACE_MS,
        ...{ interceptors: [observeCall] },
      },
      onLoadPackageDefinition: (_definition, server: Server) => onServer(server),
    },
  };
}
