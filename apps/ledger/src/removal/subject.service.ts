import type { assetsApi, contentApi, ledgerApi, shareApi } from '@tire/contracts/grpc';
import { faulty, isUuid } from '@tire/kernel';
import { ASSETS, CONTENT, Database, type PromiseClient, SHARE, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { normalizedOwnId, normalizedPlate, normalizedVin, searchKey, type IdentifierKind } from '../domain/vehicle-identity';
import { forgetAlias } from '../vehicles/sweep.store';
import { aliasesNamed, countOf, oneReport, reportsOfPlate, reportsOfVehicle, reportsOfVin } from './subject.store';

const COUNTED_MAX = 50;
/** An object store lists the objects of each report. */
const COUNT_DEADLINE_MS = 20_000;

type Find = (tx: Tx, projectId: string, written: string, limit: number) => Promise<string[]>;

const FIND: Readonly<Record<string, Find>> = {
  plate: reportsOfPlate,
  vin: reportsOfVin,
  vehicle: reportsOfVehicle,
  report: (tx, _projectId, written) => oneReport(tx, written),
};

const NORMALIZED: Readonly<Record<IdentifierKind, (text: string) => string | null>> = {
  plate: (text) => normalizedPlate(text) ?? searchKey(text),
  vin: normalizedVin,
  own: normalizedOwnId,
};

/** What is kept about a person or a vehicle, for its erasure and its export. */
@Injectable()
export class SubjectService {
  constructor(
    private readonly database: Database,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CONTENT) private readonly content: PromiseClient<contentApi.ContentServiceClient>,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
  ) {}

  async find({ projectId, kind, value, limit }: ledgerApi.FindSubjectReportsRequest): Promise<ledgerApi.FindSubjectReportsResponse> {
    const find = Object.hasOwn(FIND, kind) ? FIND[kind] : undefined;
    if (!find) throw faulty('kind', 'is not known.');
    const found = await this.database.withProject(projectId, (tx) => find(tx, projectId, value, limit + 1));
    return { reportIds: found.slice(0, limit + 1) };
  }

  async count({ projectId, reportIds }: ledgerApi.CountReportDataRequest): Promise<ledgerApi.CountReportDataResponse> {
    if (reportIds.length > COUNTED_MAX || !reportIds.every(isUuid)) throw faulty('report_ids', `must be ${COUNTED_MAX} ids at most.`);
    const request = { projectId, reportIds };
    const deadline = { deadlineMs: COUNT_DEADLINE_MS };
    const [own, share, content, assets] = await Promise.all([
      this.database.withProject(projectId, (tx) => countOf(tx, reportIds)),
      this.share.countReportData(request, deadline),
      this.content.countReportData(request, deadline),
      this.assets.countReportData(request, deadline),
    ]);
    const { reports, photographs, measurements, revisions, history, idempotencyRecords, vehicles, published, held } = own;
    const ofLedger = {
      ...{ reports, photographs, measurements, revisions, history, vehicles },
      idempotency_records: idempotencyRecords,
    };
    const of = (store: string, counts: readonly { readonly what: string; readonly count: number }[]) =>
      counts.map((count) => ({ store, ...count }));
    const counts = [
      ...of(
        'ledger',
        Object.entries(ofLedger).map(([what, count]) => ({ what, count })),
      ),
      ...of('share', share.counts),
      ...of('content', content.counts),
      ...of('assets', assets.counts),
    ];
    return { counts, published, heldReportIds: held ?? [] };
  }

  /** Those that the sweep of vehicles would find later. A name that another report has stays. */
  async forgetNames({ projectId, kind, value }: ledgerApi.ForgetVehicleNamesRequest): Promise<ledgerApi.ForgetVehicleNamesResponse> {
    if (kind !== 'plate' && kind !== 'vin' && kind !== 'own') throw faulty('kind', 'is not known.');
    const name = NORMALIZED[kind](value);
    if (name === null) return { forgotten: 0 };
    return this.database.withProject(projectId, async (tx) => {
      const before = await aliasesNamed(tx, projectId, kind, name);
      for (const aliasId of before) await forgetAlias(tx, aliasId);
      return { forgotten: before.length - (await aliasesNamed(tx, projectId, kind, name)).length };
    });
  }
}
