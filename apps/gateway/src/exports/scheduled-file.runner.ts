import type { assetsApi } from '@tire/contracts/grpc';
import type { ExportFault } from '@tire/contracts/limits';
import { CLOCK, DomainError, newId, type Clock } from '@tire/kernel';
import { ASSETS, Database, logger, periodicTask, type PromiseClient, type Tx } from '@tire/platform';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { failedExportMail } from '../domain/account-mails';
import { dueAt, expiryOf, fileName, isMailed, nextAttemptAt, oldestPeriod, periodAfter } from '../domain/export-schedule';
import { Messages } from '../messages/messages';
import { DEFAULT_TIME_ZONE, findProject, type ProjectRow } from '../projects/project.store';
import { listMembers } from '../identity/members/members.store';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import {
  listSchedules,
  lockDueSchedule,
  postponeSchedule,
  setNextFile,
  type DueSchedule,
  type ScheduleRow,
} from './export-schedules.store';
import { ExportFailure, ScheduledFileMaker } from './scheduled-file.maker';
import * as files from './scheduled-files.store';

const LOOK_EVERY_MS = 60_000;
/** Longer than an export may take, with its upload and its delivery. */
const LEASE_MS = 15 * 60_000;
const TURN_AGAIN_MS = 60_000;
const PLAN_AGAIN_MS = 3_600_000;
const REMOVED_AT_ONCE = 50;
const MAIL_LIFETIME_MS = 86_400_000;
const MAILED_OWNERS_MAX = 10;

interface Making {
  readonly schedule: ScheduleRow;
  readonly project: ProjectRow;
}

/**
 * Makes the files of schedules that are due, one at a time in this process. A row of the database says what was done, and its lease who does
 * it: a process that dies between any two lines leaves a file that another one makes again under the same name.
 */
@Injectable()
export class ScheduledFileRunner implements OnModuleInit, OnApplicationShutdown {
  private readonly log = logger('scheduled-exports');
  private readonly looking = periodicTask(LOOK_EVERY_MS, () => this.run(), this.log);
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly maker: ScheduledFileMaker,
    private readonly messages: Messages,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.looking.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('The process ends'));
    return this.looking.stop();
  }

  async run(): Promise<void> {
    while (!this.stopping.signal.aborted && (await this.plan()));
    await files.failExhausted(this.database, this.clock.now());
    while (!this.stopping.signal.aborted && (await this.attempt()));
    await this.removeExpired();
  }

  /** False: no schedule is due. One that cannot be planned holds up no other. */
  private async plan(): Promise<boolean> {
    const now = this.clock.now();
    const taken: { schedule?: DueSchedule | null } = {};
    try {
      return await this.database.asSystem(async (tx) => {
        taken.schedule = await lockDueSchedule(tx, now);
        return taken.schedule !== null && (await planFile(tx, taken.schedule, now)) > 0;
      });
    } catch (error) {
      if (!taken.schedule) throw error;
      const { scheduleId } = taken.schedule;
      this.log.error({ err: error, schedule_id: scheduleId }, 'A scheduled export was not planned. It is tried again later.');
      return (await this.database.asSystem((tx) => postponeSchedule(tx, scheduleId, new Date(now.getTime() + PLAN_AGAIN_MS)))) > 0;
    }
  }

  /** False: no file waits. */
  private async attempt(): Promise<boolean> {
    const now = this.clock.now();
    const file = await files.claimFile(this.database, newId(now.getTime()), now, new Date(now.getTime() + LEASE_MS));
    if (!file) return false;
    try {
      await this.make(file);
    } catch (error) {
      await this.failed(file, error);
    }
    return true;
  }

  private async make(file: files.ClaimedFile): Promise<void> {
    const making = await this.database.asSystem((tx) => findMaking(tx, file));
    // It was removed meanwhile.
    if (!making) return;
    const { schedule, project } = making;
    let { sha256 } = file;
    if (!sha256) {
      const bytes = await this.maker.content(file, schedule, project.timeZone ?? DEFAULT_TIME_ZONE, this.stopping.signal);
      await this.maker.store(file, bytes);
      const content = { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() };
      if (!(await this.database.asSystem((tx) => files.markStored(tx, file, content, this.clock.now())))) return;
      ({ sha256 } = content);
    }
    // The bucket may have been changed while the file was made.
    const current = (await this.database.asSystem((tx) => findMaking(tx, file)))?.schedule;
    if (!current) return;
    await this.maker.deliver(file, current, sha256);
    const deliveredAt = current.bucket ? this.clock.now() : null;
    await this.database.asSystem((tx) => files.markDone(tx, file, deliveredAt));
  }

  private async failed(file: files.ClaimedFile, error: unknown): Promise<void> {
    const now = this.clock.now();
    if (this.stopping.signal.aborted || isCode(error, 'rate_limited')) {
      const at = this.stopping.signal.aborted ? now : new Date(now.getTime() + TURN_AGAIN_MS);
      await this.database.asSystem((tx) => files.giveBackFile(tx, file, at));
      return;
    }
    const { fault, answer } = error instanceof ExportFailure ? error : new ExportFailure(faultOf(error));
    this.log.warn({ err: error, file_id: file.fileId, outcome: fault }, 'A scheduled file was not made or delivered');
    await this.database.asSystem(async (tx) => {
      const nextAt = nextAttemptAt(file.attempts, fault, now);
      if (!(await files.markFailed(tx, file, { fault, answer, nextAt }, now))) return;
      if (isMailed(file.attempts, fault)) await this.mail(tx, file, now);
    });
  }

  private async mail(tx: Tx, { projectId, name }: files.ClaimedFile, now: Date): Promise<void> {
    const project = await findProject(tx, projectId);
    if (!project || !this.messages.has('email')) return;
    const { organizationId } = project;
    const page = `${this.settings.origin}/console/organizations/${organizationId}/projects/${projectId}/exports`;
    const mail = failedExportMail({ project: project.name, file: name, page });
    const owners = (await listMembers(tx, organizationId)).filter(({ role }) => role === 'owner');
    const expiresAt = new Date(now.getTime() + MAIL_LIFETIME_MS);
    for (const { email: to } of owners.slice(0, MAILED_OWNERS_MAX))
      await this.messages.add(tx, { owner: projectId, projectId, kind: 'alert', channel: 'email', to, ...mail, expiresAt });
  }

  /** The object first: a row without an object is harmless. A file that cannot be removed holds up no other; many mean that assets is away. */
  private async removeExpired(): Promise<void> {
    const failed: string[] = [];
    while (!this.stopping.signal.aborted && failed.length < REMOVED_AT_ONCE) {
      const expired = await files.findExpired(this.database, this.clock.now(), failed, REMOVED_AT_ONCE);
      for (const file of expired) {
        try {
          await this.assets.removeExport({ projectId: file.projectId, name: file.name });
          await files.deleteFile(this.database, file);
        } catch (error) {
          this.log.warn({ err: error, file_id: file.fileId }, 'An expired file was not removed. It is tried again.');
          failed.push(file.fileId);
        }
      }
      if (expired.length < REMOVED_AT_ONCE) return;
    }
  }
}

async function planFile(tx: Tx, schedule: DueSchedule, now: Date): Promise<number> {
  const { scheduleId, projectId, frequency, kind, format, nextFirstDay } = schedule;
  const zone = schedule.timeZone ?? DEFAULT_TIME_ZONE;
  const period = oldestPeriod(frequency, nextFirstDay, zone, now);
  const due = dueAt(zone, period);
  // The zone of the project was changed, or periods were left out.
  if (due > now) return setNextFile(tx, scheduleId, { period, at: due });
  const name = fileName(schedule, period);
  const file = { fileId: newId(now.getTime()), projectId, scheduleId, kind, format, name, ...period, expiresAt: expiryOf(due) };
  await files.insertFile(tx, file, now);
  const next = periodAfter(frequency, period);
  return setNextFile(tx, scheduleId, { period: next, at: dueAt(zone, next) });
}

async function findMaking(tx: Tx, { projectId, scheduleId }: files.ClaimedFile): Promise<Making | null> {
  const project = await findProject(tx, projectId);
  const schedule = (await listSchedules(tx, projectId)).find((one) => one.scheduleId === scheduleId);
  return project && schedule ? { project, schedule } : null;
}

const isCode = (error: unknown, code: DomainError['code']): boolean => error instanceof DomainError && error.code === code;

/** What another service refused, or a fault of this one. */
const faultOf = (error: unknown): ExportFault => (isCode(error, 'service_unavailable') ? 'service_unavailable' : 'internal_error');
