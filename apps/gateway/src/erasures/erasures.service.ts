import type { CheckedCertificate, Erasure, ErasureList, ListedErasure } from '@tire/contracts/console';
import { CLOCK, DomainError, isUuid, newId, type Clock } from '@tire/kernel';
import { Database, type Tx } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange, type Actor, type AuditedChange } from '../audit/audit.store';
import { isSigned } from '../domain/certificate';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { PhoneDigests } from '../visits/phone-digests';
import { CERTIFICATE_KEY } from './erasure.runner';
import {
  confirmErasure,
  countOpen,
  endUnconfirmed,
  findErasure,
  insertErasure,
  listErasures,
  lockErasure,
  openSubject,
  progressOf,
  type ErasureRow,
  type ListedRow,
} from './erasures.store';
import { SubjectFinder, type Subject } from './subject.finder';

const OPEN_MAX = 10;

/** A member of the project, or the operator at the command line (no actor). */
export interface ErasureCaller {
  readonly projectId: string;
  readonly organizationId: string;
  readonly actor: Actor | null;
}

const NONE = { erased: 0, held: 0, left: 0 };

/** Requests to remove what is kept about a person or a vehicle. The runner does the work. */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly database: Database,
    private readonly finder: SubjectFinder,
    private readonly digests: PhoneDigests,
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'sealingKeys'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async request(caller: ErasureCaller, subject: Subject): Promise<Erasure> {
    const { projectId, actor } = caller;
    const digest = await this.finder.digestOf(projectId, subject);
    const now = this.clock.now();
    const erasureId = newId(now.getTime());
    const requestedBy = actor?.userId ?? null;
    return this.database.withProject(projectId, async (tx) => {
      if ((await countOpen(tx, projectId)) >= OPEN_MAX)
        throw new DomainError('conflict', { message: `${OPEN_MAX} erasures of the project are open.` });
      await insertErasure(tx, this.settings.sealingKeys, { erasureId, projectId, ...subject, digest, requestedBy }, now);
      await this.record(tx, caller, { action: 'erasure.requested', subject: erasureId, details: { kind: subject.kind } }, now);
      return this.shown(tx, caller, await existing(tx, erasureId));
    });
  }

  list(caller: ErasureCaller): Promise<ErasureList> {
    return this.database.withProject(caller.projectId, async (tx) => {
      const rows = await listErasures(tx, caller.projectId);
      const progress = await progressOf(
        tx,
        rows.map(({ erasureId }) => erasureId),
      );
      return { erasures: rows.map((row) => this.listed(caller, row, progress.get(row.erasureId) ?? NONE)) };
    });
  }

  one(caller: ErasureCaller, erasureId: string): Promise<Erasure> {
    return this.database.withProject(caller.projectId, async (tx) => this.shown(tx, caller, await existing(tx, erasureId)));
  }

  confirm(caller: ErasureCaller, erasureId: string, reason: string): Promise<Erasure> {
    const now = this.clock.now();
    return this.database.withProject(caller.projectId, async (tx) => {
      const row = await locked(tx, erasureId);
      if (row.state !== 'erasing' && row.state !== 'done') {
        if ((await confirmErasure(tx, erasureId, caller.actor?.userId ?? null, reason, now)) === 0) throw notNow(row);
        await this.record(tx, caller, { action: 'erasure.confirmed', subject: erasureId }, now);
      }
      return this.shown(tx, caller, await existing(tx, erasureId));
    });
  }

  cancel(caller: ErasureCaller, erasureId: string): Promise<Erasure> {
    const now = this.clock.now();
    return this.database.withProject(caller.projectId, async (tx) => {
      const row = await locked(tx, erasureId);
      if (row.state === 'erasing' || row.state === 'done') throw notNow(row);
      if (await endUnconfirmed(tx, erasureId, 'cancelled', now))
        await this.record(tx, caller, { action: 'erasure.cancelled', subject: erasureId }, now);
      return this.shown(tx, caller, await existing(tx, erasureId));
    });
  }

  /** A certificate of another project is not valid here. */
  async check(projectId: string, certificate: Readonly<Record<string, unknown>>, value?: string): Promise<CheckedCertificate> {
    const key = await this.digests.keyOf(CERTIFICATE_KEY);
    const isValid = certificate['project_id'] === projectId && isSigned(key, certificate);
    if (!isValid || value === undefined) return { is_valid: isValid, is_of_value: null };
    const { kind, digest } = certificate['subject'] as { kind: Subject['kind']; digest: string };
    return { is_valid: true, is_of_value: (await this.finder.digestOf(projectId, { kind, value })).toString('hex') === digest };
  }

  private async shown(tx: Tx, caller: ErasureCaller, row: ErasureRow): Promise<Erasure> {
    const progress = (await progressOf(tx, [row.erasureId])).get(row.erasureId) ?? NONE;
    return { ...this.listed(caller, row, progress), certificate: row.certificate };
  }

  private listed({ actor }: ErasureCaller, row: ListedRow, progress: Erasure['progress']): ListedErasure {
    const isAsker = actor !== null && row.requestedBy === actor.userId;
    return {
      erasure_id: row.erasureId,
      kind: row.kind,
      state: row.state,
      subject: isAsker ? openSubject(this.settings.sealingKeys, row) : null,
      requested_at: row.requestedAt.toISOString(),
      requested_by: row.requestedByEmail ?? 'operator',
      preview: row.preview,
      progress,
      reason: row.reason,
      ended_at: row.endedAt?.toISOString() ?? null,
    };
  }

  private record(tx: Tx, { organizationId, projectId, actor }: ErasureCaller, change: AuditedChange, now: Date): Promise<number> {
    return recordChange(tx, organizationId, actor, { ...change, projectId }, now);
  }
}

const notNow = ({ state }: ErasureRow): DomainError =>
  new DomainError('conflict', { message: `The erasure is ${state}.`, param: 'erasure_id' });

async function existing(tx: Tx, erasureId: string): Promise<ErasureRow> {
  const row = isUuid(erasureId) ? await findErasure(tx, erasureId) : null;
  if (!row) throw new DomainError('not_found');
  return row;
}

async function locked(tx: Tx, erasureId: string): Promise<ErasureRow> {
  const row = isUuid(erasureId) ? await lockErasure(tx, erasureId) : null;
  if (!row) throw new DomainError('not_found');
  return row;
}
