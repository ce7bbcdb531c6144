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

export const HEALTH_SERVICE = '/grpc.health.v1.Health/';
