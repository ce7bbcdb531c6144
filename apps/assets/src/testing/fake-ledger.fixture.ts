import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { startService } from '@tire/platform';
import { freePort } from '@tire/test-harness';

/** Stands in for the ledger over real gRPC. The test decides which assets are in use. */
export async function startFakeLedger(port?: number) {
  const inUse = new Set<string>();
  /** The number of assets in each request. */
  const requestSizes: number[] = [];

  @Controller()
  class Ledger {
    @GrpcMethod('LedgerService', 'FindAssetsInUse')
    find({ keys }: ledgerApi.FindAssetsInUseRequest): ledgerApi.FindAssetsInUseResponse {
      requestSizes.push(keys.length);
      const assetIds = keys.map(({ assetId }) => assetId);
      return { assetIds: assetIds.filter((assetId) => inUse.has(assetId)) };
    }
  }

  @Module({ controllers: [Ledger] })
  class LedgerModule {}

  const [httpPort, grpcPort] = [await freePort(), port ?? (await freePort())];
  const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: httpPort, GRPC_HOST: '127.0.0.1', GRPC_PORT: grpcPort };
  const app = await startService({ name: 'fake-ledger', module: () => LedgerModule, grpc: [GRPC_SERVICES.ledger] }, config);
  return { port: grpcPort, address: `127.0.0.1:${grpcPort}`, inUse, requestSizes, stop: () => app.close() };
}
