import { ExportSchedule, type ExportScheduleList, type ExportScheduleRequest, type FileAddress } from '@tire/contracts/console';
import type { assetsApi } from '@tire/contracts/grpc';
import { EXPORT_SCHEDULES_MAX } from '@tire/contracts/limits';
import { callbackFaults, CLOCK, dayIn, DomainError, faulty, newId, refuseFaulty, type Clock } from '@tire/kernel';
import { ASSETS, Database, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange, type AuditedChange } from '../audit/audit.store';
import { dueAt, periodOf } from '../domain/export-schedule';
import type { ProjectMember } from '../edge/callers';
import { DEFAULT_TIME_ZONE, findProject } from '../projects/project.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { PLAIN_CALLBACKS } from '../tokens';
import * as schedules from './export-schedules.store';
import { expireFiles, findStoredFile, listFiles, tryAgain, type FileRow } from './scheduled-files.store';

type Settings = schedules.ScheduleSettings;
type Request = Omit<ExportScheduleRequest, 'password'>;
type ScheduleRow = schedules.ScheduleRow;

/** The schedules of a project, as its owners and administrators see and change them. The runner makes the files. */
@Injectable()
export class ExportSchedulesService {
  constructor(
    private readonly database: Database,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(PLAIN_CALLBACKS) private readonly allowsPlain: boolean,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list({ projectId }: ProjectMember): Promise<ExportScheduleList> {
    return this.database.withProject(projectId, async (tx) => ({ schedules: await this.read(tx, projectId) }));
  }

  create(caller: ProjectMember, request: Request): Promise<ExportSchedule> {
    const { projectId, actor } = caller;
    return this.database.withProject(projectId, async (tx) => {
      await schedules.lockSchedules(tx, projectId);
      if ((await schedules.listSchedules(tx, projectId)).length >= EXPORT_SCHEDULES_MAX)
        throw new DomainError('conflict', { message: `A project has ${EXPORT_SCHEDULES_MAX} scheduled exports at most.` });
      const now = this.clock.now();
      const scheduleId = newId(now.getTime());
      const settings = this.settingsOf(projectId, scheduleId, request, null);
      const next = await this.firstFile(tx, projectId, settings);
      await schedules.insertSchedule(tx, { ...settings, scheduleId, projectId, createdBy: actor.userId }, next, now);
      await this.record(tx, caller, 'export_schedule.created', scheduleId, request);
      return this.one(tx, projectId, scheduleId);
    });
  }

  /** Whether files would go where none went before, or with another secret. */
  async hasNewBucket({ projectId }: ProjectMember, scheduleId: string, { bucket }: Request): Promise<boolean> {
    if (!bucket) return false;
    const rows = await this.database.withProject(projectId, (tx) => schedules.listSchedules(tx, projectId));
    const before = rows.find((row) => row.scheduleId === scheduleId)?.bucket ?? null;
    return bucket.secret_access_key !== undefined || !isSameKey(before, bucket);
  }

  change(caller: ProjectMember, scheduleId: string, request: Request): Promise<ExportSchedule> {
    const { projectId } = caller;
    return this.database.withProject(projectId, async (tx) => {
      const before = await schedules.lockSchedule(tx, projectId, scheduleId);
      if (!before) throw new DomainError('not_found');
      const settings = this.settingsOf(projectId, scheduleId, request, before);
      await schedules.changeSchedule(tx, scheduleId, settings);
      if (settings.frequency !== before.frequency)
        await schedules.setNextFile(tx, scheduleId, await this.firstFile(tx, projectId, settings));
      await tryAgain(tx, scheduleId, this.clock.now());
      await this.record(tx, caller, 'export_schedule.changed', scheduleId, request);
      return this.one(tx, projectId, scheduleId);
    });
  }

  remove(caller: ProjectMember, scheduleId: string): Promise<void> {
    const { projectId } = caller;
    return this.database.withProject(projectId, async (tx) => {
      const row = await schedules.lockSchedule(tx, projectId, scheduleId);
      if (!row) return;
      await expireFiles(tx, scheduleId, this.clock.now());
      await schedules.deleteSchedule(tx, projectId, scheduleId);
      await this.record(tx, caller, 'export_schedule.removed', scheduleId, row);
    });
  }

  async openFile({ projectId, organizationId, actor }: ProjectMember, fileId: string): Promise<FileAddress> {
    const now = this.clock.now();
    const name = await this.database.withProject(projectId, (tx) => findStoredFile(tx, projectId, fileId, now));
    if (name === null) throw new DomainError('not_found');
    const { url, expiresAt } = await this.assets.signExportRead({ projectId, name });
    const change = { action: 'export_file.opened', projectId, subject: fileId, details: { file: name } } as const;
    await this.database.asSystem((tx) => recordChange(tx, organizationId, actor, change, now));
    return { url, expires_at: expiresAt };
  }

  /** A secret opens in the row of its schedule only, so one that stays is kept sealed as it is. */
  private settingsOf(projectId: string, scheduleId: string, { bucket: requested, ...request }: Request, before: Settings | null): Settings {
    if (!requested) return { ...request, bucket: null, bucketSecret: null };
    const { secret_access_key: secret, ...bucket } = requested;
    refuseFaulty(callbackFaults(bucket.endpoint, 'bucket.endpoint', this.allowsPlain));
    if (secret !== undefined) {
      const row = { projectId, id: scheduleId };
      return { ...request, bucket, bucketSecret: schedules.BUCKET_SECRET.seal(this.settings.sealingKeys, row, secret) };
    }
    if (!before?.bucketSecret || !isSameKey(before.bucket, bucket))
      throw faulty('bucket.secret_access_key', 'is needed with a new bucket, endpoint, region or access key.');
    return { ...request, bucket, bucketSecret: before.bucketSecret };
  }

  /** That of the present period. */
  private async firstFile(tx: Tx, projectId: string, { frequency }: Pick<Settings, 'frequency'>) {
    const zone = (await findProject(tx, projectId))?.timeZone ?? DEFAULT_TIME_ZONE;
    const period = periodOf(frequency, dayIn(zone, this.clock.now()));
    return { period, at: dueAt(zone, period) };
  }

  private async read(tx: Tx, projectId: string): Promise<ExportSchedule[]> {
    const [rows, files] = [await schedules.listSchedules(tx, projectId), await listFiles(tx, projectId)];
    return rows.map((row) =>
      shown(
        row,
        files.filter(({ scheduleId }) => scheduleId === row.scheduleId),
      ),
    );
  }

  private async one(tx: Tx, projectId: string, scheduleId: string): Promise<ExportSchedule> {
    const found = (await this.read(tx, projectId)).find(({ schedule_id }) => schedule_id === scheduleId);
    if (!found) throw new DomainError('not_found');
    return found;
  }

  /** The address of the bucket, and neither its keys. */
  private record(
    tx: Tx,
    { organizationId, actor, projectId }: ProjectMember,
    action: AuditedChange['action'],
    subject: string,
    { kind, frequency, format, bucket }: Pick<ExportScheduleRequest, 'kind' | 'frequency' | 'format'> & Pick<Settings, 'bucket'>,
  ): Promise<number> {
    const target: Record<string, string> = bucket ? { bucket: `${bucket.endpoint}/${bucket.bucket}/${bucket.prefix}` } : {};
    const change = { action, projectId, subject, details: { kind, frequency, format, ...target } };
    return recordChange(tx, organizationId, actor, change, this.clock.now());
  }
}

/** Another address must not get what was signed with a secret that its sender may not know. */
const isSameKey = (before: Settings['bucket'], bucket: NonNullable<Settings['bucket']>): boolean =>
  before !== null && (['endpoint', 'region', 'bucket', 'access_key_id'] as const).every((part) => before[part] === bucket[part]);

const momentOf = (at: Date | null): string | null => at?.toISOString() ?? null;

function shown(
  { scheduleId, kind, frequency, format, language, columns, filters, bucket, nextFirstDay, nextAt, createdAt }: ScheduleRow,
  files: readonly FileRow[],
): ExportSchedule {
  return ExportSchedule.parse({
    ...{ schedule_id: scheduleId, kind, frequency, format, language, columns, filters, bucket },
    ...{ next_first_day: nextFirstDay, next_at: nextAt.toISOString(), created_at: createdAt.toISOString() },
    files: files.map((file) => ({
      file_id: file.fileId,
      name: file.name,
      first_day: file.firstDay,
      last_day: file.lastDay,
      state: file.state,
      attempts: file.attempts,
      fault: file.fault,
      answer: file.answer,
      next_attempt_at: file.state === 'waiting' || file.state === 'stored' ? momentOf(file.nextAt) : null,
      size_bytes: file.sizeBytes,
      sha256: file.sha256?.toString('hex') ?? null,
      stored_at: momentOf(file.storedAt),
      delivered_at: momentOf(file.deliveredAt),
      expires_at: file.expiresAt.toISOString(),
    })),
  });
}
