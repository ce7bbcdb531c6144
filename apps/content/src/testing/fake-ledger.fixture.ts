import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { type AnalysisRevisionSnapshot } from '@tire/contracts/api';
import { GRPC_SERVICES, type ledgerApi, PROTO_ROOT } from '@tire/contracts/grpc';

/** Stands in for the ledger over real gRPC. */
export interface FakeLedger {
  readonly address: string;
  readonly snapshots: Map<string, AnalysisRevisionSnapshot>;
  /** The analysis revisions of all requests, in order. */
  readonly requested: string[];
  /** A request for such an analysis revision waits for the promise. */
  readonly blockedUntil: Map<string, Promise<void>>;
  close(): Promise<void>;
}

export async function startFakeLedger(port: number): Promise<FakeLedger> {
  const snapshots = new Map<string, AnalysisRevisionSnapshot>();
  const requested: string[] = [];
  const blockedUntil = new Map<string, Promise<void>>();

  @Controller()
  class Ledger {
    @GrpcMethod('LedgerService', 'GetAnalysisRevision')
    async getAnalysisRevision({ analysisRevision }: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
      requested.push(analysisRevision);
      await blockedUntil.get(analysisRevision);
      const snapshot = snapshots.get(analysisRevision);
      if (!snapshot) throw new Error(`No snapshot ${analysisRevision}`);
      return { snapshotJson: Buffer.from(JSON.stringify(snapshot)) };
    }
  }

  @Module({ controllers: [Ledger] })
  class LedgerModule {}

  const address = `127.0.0.1:${port}`;
  const app: INestMicroservice = await NestFactory.createMicroservice<MicroserviceOptions>(LedgerModule, {
    transport: Transport.GRPC,
    options: {
      url: address,
      package: GRPC_SERVICES.ledger.package,
      protoPath: GRPC_SERVICES.ledger.protoFile,
      loader: { includeDirs: [PROTO_ROOT] },
    },
    logger: false,
  });
  await app.listen();
  return { address, snapshots, requested, blockedUntil, close: () => app.close() };
}
