import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts';
import { startService } from '@tire/platform';
import { freePort } from '@tire/test-harness';

/** A gRPC server that answers for the ledger: which images reports stand on, as the test says. */
export async function startLedgerPeer(port?: number) {
  const inUse = new Set<string>();
  /** How many images each question named. */
  const asked: number[] = [];

  @Controller()
  class Ledger {
    @GrpcMethod('LedgerService', 'FindAssetsInUse')
    find({ keys }: ledgerApi.FindAssetsInUseRequest): ledgerApi.FindAssetsInUseResponse {
      asked.push(keys.length);
      const assetIds = keys.map(({ assetId }) => assetId);
      return { assetIds: assetIds.filter((assetId) => inUse.has(assetId)) };
    }
  }

  @Module({ controllers: [Ledger] })
  class LedgerPeer {}

  const [httpPort, grpcPort] = [await freePort(), port ?? (await freePort())];
  const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: httpPort, GRPC_HOST: '127.0.0.1', GRPC_PORT: grpcPort };
  const app = await startService({ name: 'ledger-peer', module: () => LedgerPeer, grpc: [GRPC_SERVICES.ledger] }, config);
  return { port: grpcPort, address: `127.0.0.1:${grpcPort}`, inUse, asked, stop: () => app.close() };
}
