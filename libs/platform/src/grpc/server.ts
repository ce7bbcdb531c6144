import {
  ResponderBuilder,
  type Server,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from '@grpc/grpc-js';
import { type GrpcOptions, Transport } from '@nestjs/microservices';
import type { GrpcService } from '@tire/contracts';
import { acceptRequestId, requestContext } from '../request-context';
import { durationHistogram } from '../telemetry/metrics';
import { ATTRIBUTES, METRICS } from '../telemetry/names';
import { MESSAGE_BYTES_MAX, PROTO_LOADER_OPTIONS, REQUEST_ID_METADATA } from './options';

type Listener = ReturnType<ServerListenerBuilder['build']>;

const duration = durationHistogram(METRICS.grpcServerDuration, 'How long calls of this service took');

/** The handler runs where its request is complete: that is what must happen inside the context. */
const carryRequestId = (): Listener => {
  let requestId: string | undefined;
  return new ServerListenerBuilder()
    .withOnReceiveMetadata((metadata, proceed) => {
      requestId = acceptRequestId(metadata.get(REQUEST_ID_METADATA)[0]);
      proceed(metadata);
    })
    .withOnReceiveHalfClose((proceed) => requestContext.run({ requestId: requestId ?? acceptRequestId(undefined) }, proceed))
    .build();
};

const observeCall: ServerInterceptor = ({ path }, call) => {
  const startedAtMs = performance.now();
  const responder = new ResponderBuilder()
    .withStart((next) => next(carryRequestId()))
    .withSendStatus((outcome, next) => {
      const attributes = { [ATTRIBUTES.grpcMethod]: path, [ATTRIBUTES.grpcStatus]: status[outcome.code ?? status.UNKNOWN] };
      duration.record((performance.now() - startedAtMs) / 1_000, attributes);
      next(outcome);
    });
  return new ServerInterceptingCall(call, responder.build());
};

export interface GrpcServerOptions {
  readonly services: readonly GrpcService[];
  readonly host: string;
  readonly port: number;
  readonly onServer: (server: Server) => void;
}

export function grpcServerOptions({ services, host, port, onServer }: GrpcServerOptions): GrpcOptions {
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
      channelOptions: { 'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 5_000, ...{ interceptors: [observeCall] } },
      onLoadPackageDefinition: (_definition, server: Server) => onServer(server),
    },
  };
}
