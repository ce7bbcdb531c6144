import { join } from 'node:path';

/** The folder of .proto files, at the same relative path in the source tree and in dist/. */
export const PROTO_ROOT = join(__dirname, '../../../../proto');

export interface GrpcService {
  readonly package: string;
  readonly protoFile: string;
  readonly service: string;
}

const service = (name: string, serviceName: string): GrpcService => ({
  package: `tire.${name}.v1`,
  protoFile: join(PROTO_ROOT, `tire/${name}/v1/${name}.proto`),
  service: serviceName,
});

export const GRPC_SERVICES = {
  ledger: service('ledger', 'LedgerService'),
  assets: service('assets', 'AssetService'),
  content: service('content', 'ContentService'),
  share: service('share', 'ShareService'),
} as const;
