import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { type assetsApi, type contentApi, GRPC_SERVICES, type ledgerApi, PROTO_ROOT } from '@tire/contracts';
import { DomainError, type ErrorCode } from '@tire/kernel';
import { GrpcErrorFilter } from '@tire/platform';

/** One gRPC server that answers for ledger, content and assets: what share asks of them crosses a real wire. */
export interface Peers {
  readonly address: string;
  /** By report id: what the ledger says now. */
  readonly reports: Map<string, ledgerApi.GetPublicationStateResponse>;
  /** By report id: with what a change of it is refused. */
  readonly closed: Map<string, ErrorCode>;
  /** What the ledger was told, in order. */
  readonly applied: ledgerApi.ApplyPublicationRequest[];
  /** By content revision. */
  readonly documents: Map<string, string>;
  readonly imagesOrigin: string;
  close(): Promise<void>;
}

export async function startPeers(port: number): Promise<Peers> {
  const reports: Peers['reports'] = new Map();
  const documents: Peers['documents'] = new Map();
  const closed: Peers['closed'] = new Map();
  const applied: Peers['applied'] = [];
  const imagesOrigin = 'https://images.example.com';
  const found = <T>(value: T | undefined): T => {
    if (value === undefined) throw new DomainError('not_found');
    return value;
  };

  @Controller()
  class Answers {
    @GrpcMethod('LedgerService', 'GetPublicationState')
    getPublicationState({ reportId, forChange }: ledgerApi.GetPublicationStateRequest): ledgerApi.GetPublicationStateResponse {
      const refusal = closed.get(reportId);
      if (refusal) throw new DomainError(forChange ? refusal : 'not_found');
      return found(reports.get(reportId));
    }

    @GrpcMethod('LedgerService', 'ApplyPublication')
    applyPublication(request: ledgerApi.ApplyPublicationRequest): ledgerApi.ApplyPublicationResponse {
      applied.push(request);
      return {};
    }

    @GrpcMethod('LedgerService', 'FindShareToken')
    findShareToken({ shareToken }: ledgerApi.FindShareTokenRequest): ledgerApi.FindShareTokenResponse {
      const [reportId] = [...reports].find(([, { registration }]) => registration?.shareToken === shareToken) ?? [];
      return { projectId: 'any', reportId: found(reportId) };
    }

    @GrpcMethod('ContentService', 'GetContentRevision')
    getContentRevision({ contentRevision }: contentApi.GetContentRevisionRequest): contentApi.GetContentRevisionResponse {
      return { contentJson: Buffer.from(found(documents.get(contentRevision))), etag: 'W/"1"' };
    }

    @GrpcMethod('AssetService', 'SignRead')
    signRead({ assetId }: assetsApi.SignReadRequest): assetsApi.SignReadResponse {
      return { url: `${imagesOrigin}/${assetId}?signature=1`, expiresAt: '2026-10-01T09:10:00.000Z', contentType: 'image/jpeg' };
    }
  }

  @Module({ controllers: [Answers] })
  class PeersModule {}

  const services = [GRPC_SERVICES.ledger, GRPC_SERVICES.content, GRPC_SERVICES.assets];
  const address = `127.0.0.1:${port}`;
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(PeersModule, {
    transport: Transport.GRPC,
    options: {
      url: address,
      package: services.map((service) => service.package),
      protoPath: services.map(({ protoFile }) => protoFile),
      loader: { includeDirs: [PROTO_ROOT], longs: Number },
    },
    logger: false,
  });
  app.useGlobalFilters(new GrpcErrorFilter());
  await app.listen();
  return { address, reports, closed, applied, documents, imagesOrigin, close: () => app.close() };
}
