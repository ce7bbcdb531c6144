import { Controller, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type MicroserviceOptions, Transport } from '@nestjs/microservices';
import type { Content } from '@tire/contracts/api';
import { type assetsApi, type contentApi, GRPC_SERVICES, type ledgerApi, PROTO_ROOT } from '@tire/contracts/grpc';
import { DomainError, type ErrorCode, errorOfCode, faulty } from '@tire/kernel';
import { GrpcErrorFilter } from '@tire/platform';

/** One gRPC server in place of ledger, content and assets, so that the calls of share use a real connection. */
export interface Peers {
  readonly address: string;
  /** The current answers of the ledger, by report id. */
  readonly reports: Map<string, ledgerApi.GetPublicationStateResponse>;
  /** Reports with a photograph of the sandbox. */
  readonly samples: Set<string>;
  /** Reports under legal hold. */
  readonly held: Set<string>;
  /** Reports with a photograph whose time is over. */
  readonly ended: Set<string>;
  /** The errors that refuse a change, by report id. */
  readonly closed: Map<string, ErrorCode>;
  /** The ApplyPublication calls to the ledger, in order. */
  readonly applied: ledgerApi.ApplyPublicationRequest[];
  /** The tokens of the FindShareToken calls to the ledger, in order. */
  readonly tokens: string[];
  /** The documents by content revision. */
  readonly documents: Map<string, string>;
  readonly imagesOrigin: string;
  /** The assets of the SignDisplay calls, in order. */
  readonly signed: string[];
  /** Assets, and projects with a logo, that have no address. */
  readonly unsigned: Set<string>;
  /** The calls that assets and the ledger do not answer now. */
  readonly silent: Set<'storing of a logo' | 'removal of a logo' | 'publication' | 'state of a publication' | 'vehicle'>;
  /** What the ledger answers of vehicles, by project and vehicle. */
  readonly vehicles: Map<string, ledgerApi.GetPublishedVehicleResponse>;
  /** The names of the logos that are stored. */
  readonly logos: Set<string>;
  /** The content revisions of the GetContentRevision calls, in order. */
  readonly read: string[];
  /** `signing` runs during a SignDisplay call, `deciding` before the ledger answers where the content of reports is. */
  readonly meanwhile: { signing: () => void; deciding: () => Promise<unknown> };
  /** By asset id: the address of an image; by project id: that of its logo; of its small derivative, which the PDF reads, with `&small` at its end. */
  readonly images: Map<string, string>;
  /** The EXIF orientations by asset id; 1 by default. */
  readonly orientations: Map<string, number>;
  close(): Promise<void>;
}

// oxlint-disable-next-line max-lines-per-function -- one method for each rpc
export async function startPeers(port: number, hasFormerAssets = false): Promise<Peers> {
  const reports: Peers['reports'] = new Map();
  const samples: Peers['samples'] = new Set();
  const held: Peers['held'] = new Set();
  const ended: Peers['ended'] = new Set();
  const documents: Peers['documents'] = new Map();
  const closed: Peers['closed'] = new Map();
  const applied: Peers['applied'] = [];
  const signed: string[] = [];
  const tokens: string[] = [];
  const read: string[] = [];
  const unsigned = new Set<string>();
  const silent: Peers['silent'] = new Set();
  const vehicles: Peers['vehicles'] = new Map();
  const logos = new Set<string>();
  const meanwhile: Peers['meanwhile'] = { signing: () => undefined, deciding: () => Promise.resolve() };
  const images: Peers['images'] = new Map();
  const orientations: Peers['orientations'] = new Map();
  const imagesOrigin = 'https://images.example.com';
  const found = <T>(value: T | undefined): T => {
    if (value === undefined) throw new DomainError('not_found');
    return value;
  };

  const NewGrpcMethod: typeof GrpcMethod = hasFormerAssets ? () => () => undefined : GrpcMethod;

  @Controller()
  class Answers {
    @GrpcMethod('LedgerService', 'GetPublicationState')
    getPublicationState({ reportId, forChange }: ledgerApi.GetPublicationStateRequest): ledgerApi.GetPublicationStateResponse {
      if (silent.has('state of a publication')) throw new DomainError('service_unavailable');
      const refusal = closed.get(reportId);
      if (refusal) throw errorOfCode(forChange ? refusal : 'not_found');
      return found(reports.get(reportId));
    }

    @GrpcMethod('LedgerService', 'GetContentPointers')
    async getContentPointers({ keys }: ledgerApi.GetContentPointersRequest): Promise<ledgerApi.GetContentPointersResponse> {
      await meanwhile.deciding();
      const answerOf = (reportId: string) =>
        pointerOf(closed.has(reportId) ? undefined : reports.get(reportId), samples.has(reportId), ended.has(reportId));
      return { answers: keys.map(({ reportId }) => answerOf(reportId)) };
    }

    @GrpcMethod('LedgerService', 'ApplyPublication')
    applyPublication(request: ledgerApi.ApplyPublicationRequest): ledgerApi.ApplyPublicationResponse {
      if (silent.has('publication')) throw new DomainError('service_unavailable');
      applied.push(request);
      return {};
    }

    @GrpcMethod('LedgerService', 'FindShareToken')
    findShareToken({ shareToken }: ledgerApi.FindShareTokenRequest): ledgerApi.FindShareTokenResponse {
      tokens.push(shareToken);
      const [reportId] = [...reports].find(([, { registration }]) => registration?.shareToken === shareToken) ?? [];
      return { projectId: 'any', reportId: found(reportId) };
    }

    @GrpcMethod('LedgerService', 'GetPublishedVehicle')
    getPublishedVehicle({ projectId, vehicleId }: ledgerApi.GetPublishedVehicleRequest): ledgerApi.GetPublishedVehicleResponse {
      if (silent.has('vehicle')) throw new DomainError('service_unavailable');
      return found(vehicles.get(`${projectId} ${vehicleId}`));
    }

    @GrpcMethod('LedgerService', 'ListHeldReports')
    listHeldReports({ after = '', limit }: ledgerApi.ListHeldReportsRequest): ledgerApi.ListHeldReportsResponse {
      const ids = [...held].filter((reportId) => reportId > after).toSorted();
      const rest = { projectId: 'any', heldAt: '', heldBy: '', reason: '' };
      const isDiscarded = (reportId: string) => closed.get(reportId) === 'report_discarded';
      return { reports: ids.slice(0, limit).map((reportId) => ({ ...rest, reportId, isDiscarded: isDiscarded(reportId) })) };
    }

    @GrpcMethod('LedgerService', 'ListRetention')
    listRetention(): ledgerApi.ListRetentionResponse {
      return { projects: [], defaultDays: 1_825 };
    }

    @GrpcMethod('ContentService', 'GetContentRevision')
    getContentRevision({ contentRevision }: contentApi.GetContentRevisionRequest): contentApi.GetContentRevisionResponse {
      read.push(contentRevision);
      const document = found(documents.get(contentRevision));
      const { generator } = JSON.parse(document) as Content;
      return {
        contentJson: Buffer.from(document),
        etag: 'W/"1"',
        locales: generator.copy_version === '2.0' ? ['ko-KR', 'en-US'] : ['ko-KR'],
      };
    }

    @GrpcMethod('ContentService', 'GetTranslation')
    getTranslation({ contentRevision, locale }: contentApi.GetTranslationRequest): contentApi.GetTranslationResponse {
      const document = JSON.parse(found(documents.get(contentRevision))) as Content;
      const translated = { ...document, content_profile: { ...document.content_profile, locale } };
      return { contentJson: Buffer.from(JSON.stringify(translated)) };
    }

    @GrpcMethod('AssetService', 'StoreLogo')
    storeLogo({ image, name }: assetsApi.StoreLogoRequest): assetsApi.StoreLogoResponse {
      if (!image.subarray(1, 4).equals(Buffer.from('PNG'))) throw faulty('image', 'is no PNG');
      logos.add(name);
      if (silent.has('storing of a logo')) throw new DomainError('service_unavailable');
      return { name, widthPx: 240, heightPx: 80 };
    }

    @GrpcMethod('AssetService', 'SignLogo')
    signLogo({ projectId }: assetsApi.SignLogoRequest): assetsApi.SignLogoResponse {
      if (unsigned.has(projectId)) throw new DomainError('service_unavailable');
      return { url: images.get(projectId) ?? `${imagesOrigin}/logo.png` };
    }

    @GrpcMethod('AssetService', 'RemoveLogo')
    removeLogo({ name }: assetsApi.RemoveLogoRequest): assetsApi.RemoveLogoResponse {
      if (silent.has('removal of a logo')) throw new DomainError('service_unavailable');
      logos.delete(name);
      return {};
    }

    @GrpcMethod('AssetService', 'SignDisplay')
    signDisplay({ assetId }: assetsApi.SignDisplayRequest): assetsApi.SignDisplayResponse {
      const { smallUrl, ...facts } = found(this.answerFor(assetId).image);
      return { ...facts, url: `${smallUrl}-not`, smallUrl, expiresAt: new Date().toISOString() };
    }

    @NewGrpcMethod('AssetService', 'SignPageImages')
    signPageImages({ assetIds }: assetsApi.SignPageImagesRequest): assetsApi.SignPageImagesResponse {
      return { answers: assetIds.map((assetId) => this.answerFor(assetId)) };
    }

    private answerFor(assetId: string): assetsApi.PageImageAnswer {
      signed.push(assetId);
      meanwhile.signing();
      if (unsigned.has(assetId)) return { notFound: true };
      const url = images.get(assetId) ?? `${imagesOrigin}/${assetId}?signature=1`;
      const facts = { orientation: orientations.get(assetId) ?? 1, widthPx: 900, heightPx: 600 };
      return { image: { thumbnailUrl: url, smallUrl: `${url}&small`, ...facts }, notFound: false };
    }
  }

  @Module({ controllers: [Answers] })
  class PeersModule {}

  const address = `127.0.0.1:${port}`;
  const app = await serve(PeersModule, address);
  const calls = { applied, tokens, signed, read };
  return {
    address,
    reports,
    samples,
    held,
    ended,
    closed,
    ...calls,
    documents,
    imagesOrigin,
    images,
    orientations,
    unsigned,
    silent,
    vehicles,
    logos,
    meanwhile,
    close: () => app.close(),
  };
}

function pointerOf(
  report: ledgerApi.GetPublicationStateResponse | undefined,
  hasSamples: boolean,
  hasEndedImages: boolean,
): ledgerApi.ContentPointerAnswer {
  if (!report) return { errorCode: 'not_found' };
  const { analysisStatus, contentRevision, legacy } = report;
  if (legacy) return { errorCode: 'content_unavailable_for_legacy' };
  const ready = analysisStatus === 'complete' && contentRevision !== undefined;
  const fields = {
    contentProfile: undefined,
    generator: undefined,
    templateKey: 'tire_4t_0s',
    analysisStatus,
    hasSamples,
    hasEndedImages,
    createdAt: new Date().toISOString(),
  };
  if (ready) return { pointer: { ...fields, status: 'ready', contentRevision }, errorCode: '' };
  const status = analysisStatus === 'partial' || analysisStatus === 'failed' ? 'failed' : 'pending';
  return { pointer: { ...fields, status }, errorCode: '' };
}

async function serve(module: Type, address: string): Promise<INestMicroservice> {
  const services = [GRPC_SERVICES.ledger, GRPC_SERVICES.content, GRPC_SERVICES.assets];
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(module, {
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
  return app;
}
