import type { VehicleList, VehiclePassport } from '@tire/contracts/console';
import type { ledgerApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, faulty, firstMsAt, isUuid, newId, POSITIONS, type Clock, type Position } from '@tire/kernel';
import { Database, turnDeadline, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { normalizedPlate, searchKey } from '../domain/vehicle-identity';
import { proposals, VERDICTS, wearOf, type Judgement } from '../domain/vehicle-wear';
import { inspectionsOf, shownInspection, shownNames, shownProposal, shownWear } from './passport';
import { isPublished, publishedVehicle } from './published';
import { findPublished, haveSamples } from './published.store';
import { splitPlate } from './split';
import {
  countInspections,
  countMembers,
  findAliases,
  findChanges,
  findInspections,
  findJudgements,
  findMade,
  findMembers,
  findPlateAt,
  findRoot,
  findVehicleOf,
  insertChange,
  listVehicles,
  lockChange,
  lockVehicle,
  markUndone,
  PAGE_MAX,
  saveJudgement,
  searchAliases,
  setMerged,
  withdrawJudgement,
  type ChangeRow,
  type VehicleRecord,
} from './vehicle.store';

/** Vehicles of one passport. */
const MEMBERS_MAX = 20;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Greater than all texts in the order of their bytes. */
const LAST_CHARACTER = '\u{10ffff}';
/** Changes of the vehicles of a project run one after the other: they are rare, and each may concern several vehicles. */
const RECORD = 'vehicles';

/** The vehicles of a project: what belongs together, how it wears, and what members say about it. */
@Injectable()
export class VehiclesService {
  constructor(
    private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async list({ projectId, search, cursor, limit }: ledgerApi.ListVehiclesRequest): Promise<ledgerApi.ListVehiclesResponse> {
    if (limit < 1 || limit > PAGE_MAX) throw faulty('limit', `must be 1 to ${PAGE_MAX}.`);
    const wanted = searchKey(search ?? '');
    const list = await this.database.withProject(projectId, async (tx): Promise<VehicleList> => {
      const page = wanted === '' ? await newest(tx, projectId, cursor, limit) : await searched(tx, projectId, wanted, cursor, limit);
      const vehicles = [];
      for (const vehicleId of page.ids) {
        const { count, last } = await countInspections(tx, projectId, vehicleId);
        const names = shownNames(await findAliases(tx, projectId, vehicleId));
        vehicles.push({ vehicle_id: vehicleId, ...names, inspections: count, last_inspected_at: last?.toISOString() ?? null });
      }
      return { vehicles, next_cursor: page.next };
    });
    return { listJson: Buffer.from(JSON.stringify(list)) };
  }

  async get({ projectId, vehicleId }: ledgerApi.GetVehicleRequest): Promise<{ vehicleJson: Buffer }> {
    if (!isUuid(vehicleId)) throw new DomainError('not_found');
    return this.database.withProject(projectId, (tx) => this.passport(tx, projectId, vehicleId));
  }

  async ofReport({ projectId, reportId }: ledgerApi.GetVehicleOfReportRequest): Promise<{ vehicleJson: Buffer }> {
    if (!isUuid(reportId)) throw new DomainError('not_found');
    return this.database.withProject(projectId, async (tx) => {
      const vehicleId = await findVehicleOf(tx, projectId, reportId);
      if (vehicleId === null) throw new DomainError('not_found');
      return this.passport(tx, projectId, vehicleId);
    });
  }

  async published({ projectId, vehicleId }: ledgerApi.GetPublishedVehicleRequest): Promise<ledgerApi.GetPublishedVehicleResponse> {
    if (!isUuid(projectId) || !isUuid(vehicleId)) throw new DomainError('not_found');
    return this.database.withProject(projectId, async (tx) => {
      const root = await findRoot(tx, vehicleId);
      if (root === null) throw new DomainError('not_found');
      const rows = await findPublished(tx, projectId, root);
      const idsOf = (some: typeof rows) => [...new Set(some.map(({ report_id }) => report_id))];
      const shown = idsOf(rows.filter(isPublished));
      const measured = idsOf(rows.filter(({ is_measured }) => is_measured));
      const known = { rows, made: await findMade(tx, measured), judgements: await findJudgements(tx, idsOf(rows)) };
      const hasSamples = await haveSamples(tx, shown);
      const vehicleIds = await findMembers(tx, projectId, root);
      const vehicle = publishedVehicle(known);
      return { ...vehicle, plateNumber: await this.ownPlate(tx, projectId, vehicle.plateNumber, vehicleIds), vehicleIds, hasSamples };
    });
  }

  /** A plate that changed hands is that of another owner now. What the vehicle has since then is not known. */
  private async ownPlate(tx: Tx, projectId: string, shown: string | undefined, vehicleIds: readonly string[]): Promise<string | undefined> {
    const plate = shown === undefined ? null : normalizedPlate(shown);
    const holder = plate === null ? undefined : await findPlateAt(tx, projectId, plate, this.clock.now());
    return holder === undefined || vehicleIds.includes(holder.vehicleId) ? shown : undefined;
  }

  merge({ projectId, vehicleId, mergedVehicleId }: ledgerApi.MergeVehiclesRequest): Promise<{ vehicleJson: Buffer }> {
    return this.change(projectId, vehicleId, async (tx, vehicle) => {
      const other = isUuid(mergedVehicleId) ? await lockVehicle(tx, mergedVehicleId) : null;
      if (!other) throw faulty('merged_vehicle_id', 'is no id of a vehicle of the project.');
      if (other.vehicleId === vehicle.vehicleId) throw faulty('merged_vehicle_id', 'must be another vehicle.');
      requireUnmerged(other);
      const members = (await countMembers(tx, projectId, vehicle.vehicleId)) + (await countMembers(tx, projectId, other.vehicleId));
      if (members > MEMBERS_MAX) throw conflict(`A vehicle consists of at most ${MEMBERS_MAX}.`);
      await this.mergeInto(tx, projectId, vehicle.vehicleId, other.vehicleId);
    });
  }

  split(request: ledgerApi.SplitVehicleRequest): Promise<{ vehicleJson: Buffer }> {
    const { projectId, vehicleId } = request;
    const [plate, from] = [normalizedPlate(request.plateNumber), new Date(firstMsAt(request.from))];
    if (Number.isNaN(from.getTime())) throw faulty('from', 'must be a time, as in 2026-11-21T04:05:06Z.');
    return this.change(projectId, vehicleId, (tx, vehicle) =>
      splitPlate(tx, { projectId, vehicleId: vehicle.vehicleId, plate, from, now: this.clock.now() }),
    );
  }

  /** A merge is undone by what it set. A split is undone by a merge, which can be undone in turn. */
  undo({ projectId, vehicleId, changeId }: ledgerApi.UndoVehicleChangeRequest): Promise<{ vehicleJson: Buffer }> {
    return this.change(projectId, vehicleId, async (tx, vehicle) => {
      const change = isUuid(changeId) ? await lockChange(tx, changeId) : null;
      if (!change || (await findRoot(tx, change.vehicleId)) !== vehicle.vehicleId) throw new DomainError('not_found');
      if (change.undoneAt !== null) throw conflict('The change was undone.');
      const other = await lockVehicle(tx, change.otherVehicleId);
      await markUndone(tx, change.changeId, this.clock.now());
      // With its last report a vehicle is removed, and nothing is left to undo.
      if (!other) return;
      if (change.kind === 'merged') {
        if (other.mergedInto !== change.vehicleId) throw conflict('The vehicles were merged otherwise since then.');
        await setMerged(tx, other.vehicleId, null);
      } else {
        requireUnmerged(other);
        await this.mergeInto(tx, projectId, vehicle.vehicleId, other.vehicleId);
      }
    });
  }

  judge(request: ledgerApi.JudgeTireRequest): Promise<{ vehicleJson: Buffer }> {
    const { projectId, vehicleId, reportId } = request;
    const position = positionOf('position', request.position);
    const withPosition = request.withPosition === undefined ? null : positionOf('with_position', request.withPosition);
    const verdict = VERDICTS.find((known) => known === request.verdict);
    if (!verdict && request.verdict !== undefined) throw faulty('verdict', `must be one of ${VERDICTS.join(', ')}.`);
    return this.change(projectId, vehicleId, async (tx, vehicle) => {
      const rows = await findInspections(tx, projectId, vehicle.vehicleId);
      if (!rows.some(({ report_id }) => report_id === reportId.toLowerCase()))
        throw faulty('report_id', 'is no inspection of the vehicle.');
      if (!verdict) await withdrawJudgement(tx, reportId, position);
      else await saveJudgement(tx, projectId, { reportId, position, verdict, withPosition: verdict === 'rotated' ? withPosition : null });
    });
  }

  private async mergeInto(tx: Tx, projectId: string, vehicleId: string, otherVehicleId: string): Promise<void> {
    const now = this.clock.now();
    await setMerged(tx, otherVehicleId, vehicleId);
    const change: Omit<ChangeRow, 'undoneAt'> = {
      changeId: newId(now.getTime()),
      kind: 'merged',
      vehicleId,
      otherVehicleId,
      plate: null,
      fromAt: null,
      at: now,
    };
    await insertChange(tx, projectId, change);
  }

  private change(
    projectId: string,
    vehicleId: string,
    work: (tx: Tx, vehicle: VehicleRecord) => Promise<void>,
  ): Promise<{ vehicleJson: Buffer }> {
    if (!isUuid(vehicleId)) return Promise.reject(new DomainError('not_found'));
    const changed = async (tx: Tx) => {
      const vehicle = await lockVehicle(tx, vehicleId);
      if (!vehicle) throw new DomainError('not_found');
      requireUnmerged(vehicle);
      await work(tx, vehicle);
      return this.passport(tx, projectId, vehicleId);
    };
    return this.database.withRecord(projectId, RECORD, changed, turnDeadline());
  }

  /** Of a merged vehicle: that of the vehicle which it belongs to now. */
  private async passport(tx: Tx, projectId: string, asked: string): Promise<{ vehicleJson: Buffer }> {
    const vehicleId = await findRoot(tx, asked);
    if (vehicleId === null) throw new DomainError('not_found');
    const rows = await findInspections(tx, projectId, vehicleId);
    const reportIds = [...new Set(rows.map(({ report_id }) => report_id))];
    const judgements: Judgement[] = await findJudgements(tx, reportIds);
    const inspections = inspectionsOf(rows);
    const made = await findMade(tx, reportIds);
    const passport: VehiclePassport = {
      vehicle_id: vehicleId,
      ...shownNames(await findAliases(tx, projectId, vehicleId)),
      inspections: reportIds.map((reportId) => shownInspection(reportId, rows, made)),
      wear: POSITIONS.map((position) => shownWear(wearOf(position, inspections, judgements))),
      proposals: proposals(inspections, judgements).map(shownProposal),
      judgements: judgements.map(({ reportId, position, verdict, withPosition }) => ({
        report_id: reportId,
        position,
        verdict,
        with_position: withPosition,
      })),
      changes: await shownChanges(tx, projectId, vehicleId),
    };
    return { vehicleJson: Buffer.from(JSON.stringify(passport)) };
  }
}

async function shownChanges(tx: Tx, projectId: string, vehicleId: string): Promise<VehiclePassport['changes']> {
  const shown: VehiclePassport['changes'] = [];
  for (const change of await findChanges(tx, projectId, vehicleId)) {
    const { plates, vins, external_vehicle_ids: own } = shownNames(await findAliases(tx, projectId, change.otherVehicleId));
    shown.push({
      change_id: change.changeId,
      kind: change.kind,
      other_vehicle_id: change.otherVehicleId,
      other_name: plates[0] ?? own[0] ?? vins[0] ?? '',
      plate_number: change.plate,
      from: change.fromAt?.toISOString() ?? null,
      at: change.at.toISOString(),
      undone_at: change.undoneAt?.toISOString() ?? null,
    });
  }
  return shown;
}

interface FoundPage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

async function newest(tx: Tx, projectId: string, cursor: string | undefined, limit: number): Promise<FoundPage> {
  if (cursor !== undefined && !isUuid(cursor)) throw noCursor();
  const rows = await listVehicles(tx, projectId, cursor ?? LAST_ID);
  const ids = rows.slice(0, limit).map(({ vehicleId }) => vehicleId);
  return { ids, next: rows.length > limit ? ids.at(-1)! : null };
}

/** A vehicle stands where its first matching identifier of the page stands. Another page may show it again, by another identifier. */
async function searched(tx: Tx, projectId: string, wanted: string, cursor: string | undefined, limit: number): Promise<FoundPage> {
  const rows = await searchAliases(tx, projectId, afterOf(cursor, wanted), wanted + LAST_CHARACTER);
  const page = rows.slice(0, limit);
  const ids = new Set<string>();
  for (const { vehicleId } of page) ids.add((await findRoot(tx, vehicleId)) ?? vehicleId);
  const last = page.at(-1);
  const next = rows.length > limit && last ? Buffer.from(JSON.stringify([last.searchKey, last.aliasId])).toString('base64url') : null;
  return { ids: [...ids], next };
}

function afterOf(cursor: string | undefined, wanted: string): [searchKey: string, aliasId: string] {
  if (cursor === undefined) return [wanted, FIRST_ID];
  try {
    const [key, aliasId, ...rest] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (rest.length === 0 && typeof key === 'string' && key.startsWith(wanted) && typeof aliasId === 'string' && isUuid(aliasId))
      return [key, aliasId];
  } catch {
    // No cursor of this list either.
  }
  throw noCursor();
}

const noCursor = () => faulty('cursor', 'is not one of this list.');

const conflict = (message: string) => new DomainError('conflict', { message });

function requireUnmerged({ mergedInto }: VehicleRecord): void {
  if (mergedInto !== null) throw conflict('The vehicle was merged into another one.');
}

function positionOf(param: string, text: string): Position {
  const known = POSITIONS.find((position) => position === text);
  if (!known) throw faulty(param, `must be one of ${POSITIONS.join(', ')}.`);
  return known;
}
