import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { GRPC_SERVICES, type ledgerApi } from '@tire/contracts/grpc';
import { DomainError } from '@tire/kernel';
import { startService } from '@tire/platform';
import { freePort } from '@tire/test-harness';

/** Stands in for the ledger over real gRPC. The test decides which assets are in use, and which treads have gauge values. */
export async function startFakeLedger(port?: number) {
  const inUse = new Set<string>();
  /** The number of assets in each request. */
  const requestSizes: number[] = [];
  /** Pages of the projects that allow their use. */
  const gauged = new Map<string, readonly (readonly ledgerApi.GaugedTread[])[]>();

  /** In days, by project; others keep photographs as long as their report. */
  const kept = new Map<string, number>();
  /** Reports under legal hold. */
  const held = new Set<string>();
  /** Assets that may not end, because they are being measured. */
  const refused = new Set<string>();
  /** Reports whose images cannot be ended. */
  const failing = new Set<string>();

  @Controller()
  class Ledger {
    @GrpcMethod('LedgerService', 'FindAssetsInUse')
    find({ keys }: ledgerApi.FindAssetsInUseRequest): ledgerApi.FindAssetsInUseResponse {
      requestSizes.push(keys.length);
      const assetIds = keys.map(({ assetId }) => assetId);
      return { assetIds: assetIds.filter((assetId) => inUse.has(assetId)) };
    }

    @GrpcMethod('LedgerService', 'ListRetention')
    retention(): ledgerApi.ListRetentionResponse {
      return { projects: [...kept].map(([projectId, days]) => ({ projectId, days })), defaultDays: 0 };
    }

    @GrpcMethod('LedgerService', 'ListHeldReports')
    holds(): ledgerApi.ListHeldReportsResponse {
      const rest = { projectId: 'any', heldAt: '', heldBy: '', reason: '', isDiscarded: false };
      return { reports: [...held].map((reportId) => ({ ...rest, reportId })) };
    }

    @GrpcMethod('LedgerService', 'EndImages')
    end({ reportId, assetIds }: ledgerApi.EndImagesRequest): ledgerApi.EndImagesResponse {
      if (failing.has(reportId)) throw new DomainError('service_unavailable');
      return { assetIds: assetIds.filter((assetId) => !refused.has(assetId)) };
    }

    @GrpcMethod('LedgerService', 'ListGaugeReadings')
    list({ projectId, cursor = '0' }: ledgerApi.ListGaugeReadingsRequest): ledgerApi.ListGaugeReadingsResponse {
      const pages = gauged.get(projectId);
      if (!pages) throw new DomainError('forbidden', { message: 'The project does not allow the use of its gauge values.' });
      const next = Number(cursor) + 1;
      return { treads: [...pages[Number(cursor)]!], nextCursor: next < pages.length ? String(next) : undefined };
    }
  }

  @Module({ controllers: [Ledger] })
  class LedgerModule {}

  const [httpPort, grpcPort] = [await freePort(), port ?? (await freePort())];
  const config = { HTTP_HOST: '127.0.0.1', HTTP_PORT: httpPort, GRPC_HOST: '127.0.0.1', GRPC_PORT: grpcPort };
  const app = await startService({ name: 'fake-ledger', module: () => LedgerModule, grpc: [GRPC_SERVICES.ledger] }, config);
  return {
    port: grpcPort,
    address: `127.0.0.1:${grpcPort}`,
    inUse,
    requestSizes,
    gauged,
    kept,
    held,
    refused,
    failing,
    stop: () => app.close(),
  };
}
