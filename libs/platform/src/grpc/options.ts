import type { Options } from '@grpc/proto-loader';
import { PROTO_ROOT } from '@tire/contracts';

/** What the generated types assume: camelCase, strings for 64 bits and enums, every field present but the optional ones. */
export const PROTO_LOADER_OPTIONS: Options = {
  keepCase: false,
  longs: Number,
  enums: String,
  defaults: true,
  arrays: true,
  objects: true,
  includeDirs: [PROTO_ROOT],
};

/** Content documents are the largest message: measured in tens of kilobytes, bounded in megabytes. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;

export const REQUEST_ID_METADATA = 'x-request-id';
export const ACTOR_METADATA = 'x-actor';
