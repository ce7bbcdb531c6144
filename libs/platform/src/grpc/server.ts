import {
  type Deadline,
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
import { acceptRequestId, subjectOf } from '../request-context';
import { IncomingRequest } from '../telemetry/incoming';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { authorizeCalls, type CallGuard } from './authorize';
import {
  ACTOR_METADATA,
  CONNECTION_AGE_GRACE_MS,
  CONNECTION_AGE_MS,
  HEALTH_SERVICE,
  MESSAGE_BYTES_MAX,
  PROTO_LOADER_OPTIONS,
  REQUEST_ID_METADATA,
} from './options';

const SERVER_FAULTS = new Set([status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS, status.DEADLINE_EXCEEDED]);

const duration = durationHistogram(METRICS.grpcServerDuration, 'How long calls of this service took');

/** The clocks of client and server begin at two moments of the call. */
const DEADLINE_TOLERANCE_MS = 100;

/** The end of a call that was cancelled: grpc-js tells an interceptor nothing else of a deadline. */
export const statusOfCancelled = (deadline: Deadline, nowMs: number): status =>
  nowMs >= Number(deadline) - DEADLINE_TOLERANCE_MS ? status.DEADLINE_EXCEEDED : status.CANCELLED;

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
  if (path.startsWith(HEALTH_SERVICE)) return new ServerInterceptingCall(call);
  let arrival: IncomingRequest | undefined;
  const end = (code: status): void => void arrival?.end({ [ATTRIBUTES.grpcStatus]: status[code] }, SERVER_FAULTS.has(code));
  const listener = new ServerListenerBuilder()
    .withOnReceiveMetadata((metadata, proceed) => {
      arrival = arrivalOf(path, metadata);
      proceed(metadata);
    })
    .withOnReceiveMessage((message, proceed) => {
      arrival?.concerns(subjectOf(message));
      proceed(message);
    })
    // The handler of a unary call runs when the request is complete, so that must happen inside the context.
    .withOnReceiveHalfClose((proceed) => (arrival ? arrival.run(proceed) : proceed()))
    .withOnCancel(() => end(statusOfCancelled(call.getDeadline(), Date.now())))
    .build();
  const responder = new ResponderBuilder()
    .withStart((next) => next(listener))
    .withSendStatus((outcome, next) => {
      end(outcome.code ?? status.UNKNOWN);
      next(outcome);
    });
  return new ServerInterceptingCall(call, responder.build());
};

export interface GrpcServerOptions {
  readonly services: readonly GrpcService[];
  readonly host: string;
  readonly port: number;
  readonly onServer: (server: Server) => void;
  readonly connectionAgeMs?: number;
  /** Undefined: anyone may call. */
  readonly guard?: CallGuard | undefined;
}

export function grpcServerOptions(options: GrpcServerOptions): GrpcOptions {
  const { services, host, port, onServer, guard, connectionAgeMs = CONNECTION_AGE_MS } = options;
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
        // No pings: a connection to a dead client ends with its age, and a ping would cut the calls in flight then (see CONNECTION_AGE_MS).
        'grpc.max_connection_age_ms': connectionAgeMs,
        'grpc.max_connection_age_grace_ms': CONNECTION_AGE_GRACE_MS,
        // The first one is next to the network: it also counts what the second one refuses.
        ...{ interceptors: [observeCall, ...(guard ? [authorizeCalls(guard)] : [])] },
      },
      onLoadPackageDefinition: (_definition, server: Server) => onServer(server),
    },
  };
}
