import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { type AnalysisRevisionSnapshot, GRPC_SERVICES, type ledgerApi, PROTO_ROOT } from '@tire/contracts';

/** A gRPC server that answers for the ledger: what content asks of it crosses a real wire. */
export interface LedgerPeer {
  readonly address: string;
  readonly snapshots: Map<string, AnalysisRevisionSnapshot>;
  /** How often each analysis revision was asked for. */
  readonly asked: string[];
  /** What the answer about an analysis revision waits for, where it waits. */
  readonly held: Map<string, Promise<void>>;
  close(): Promise<void>;
}

export async function startLedgerPeer(port: number): Promise<LedgerPeer> {
  const snapshots = new Map<string, AnalysisRevisionSnapshot>();
  const asked: string[] = [];
  const held = new Map<string, Promise<void>>();

  @Controller()
  class Ledger {
    @GrpcMethod('LedgerService', 'GetAnalysisRevision')
    async getAnalysisRevision({ analysisRevision }: ledgerApi.GetAnalysisRevisionRequest): Promise<ledgerApi.GetAnalysisRevisionResponse> {
      asked.push(analysisRevision);
      await held.get(analysisRevision);
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
  return { address, snapshots, asked, held, close: () => app.close() };
}
