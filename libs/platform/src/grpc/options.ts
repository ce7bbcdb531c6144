import type { Options } from '@grpc/proto-loader';
import { PROTO_ROOT } from '@tire/contracts/grpc';

/** The options that the generated types assume: camelCase, strings for 64-bit numbers and enums, every field present except optional ones. */
export const PROTO_LOADER_OPTIONS: Options = {
  keepCase: false,
  longs: Number,
  enums: String,
  defaults: true,
  arrays: true,
  objects: true,
  includeDirs: [PROTO_ROOT],
};

/** Content documents are the largest messages: tens of kilobytes. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

export const REQUEST_ID_METADATA = 'x-request-id';
export const ACTOR_METADATA = 'x-actor';
/** The token of the calling service. */
export const CALLER_METADATA = 'x-caller';

/** The shared settings of the calling service, with the first call of each token. */
export const SETTINGS_METADATA = 'x-settings';

export const HEALTH_SERVICE = '/grpc.health.v1.Health/';

/** How often a client asks whether its server is there. With the answer's five seconds it detects a dead peer within 25 s. */
export const KEEPALIVE_MS = 20_000;

/**
 * The maximum age of a connection, plus or minus a tenth. A client resolves the addresses of a server again only when a connection ends;
 * without an end it never calls a new pod. Between 41.4 and 50.6 s lies no ping: grpc-js cannot send one on a connection that is about to
 * end, and cuts the calls that are still in flight (grpc/grpc-node#3068). So those have until the ping at 60 s, longer than `DEADLINE_MS`.
 */
export const CONNECTION_AGE_MS = 46_000;
/** Longer than the longest deadline (30 s, of a discard), which the ping above may cut before. Its client repeats it. */
export const CONNECTION_AGE_GRACE_MS = 35_000;

export const DEADLINE_MS = 5_000;
