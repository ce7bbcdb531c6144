import type { Project } from '@tire/contracts/console';
import type { shareApi } from '@tire/contracts/grpc';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { Database, logger, periodicTask, SHARE, type PromiseClient } from '@tire/platform';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { recordChange } from '../audit/audit.store';
import type { ProjectMember } from '../edge/callers';
import { findProject, findZonesToNote, saveTimeZone, zoneNoted } from './project.store';
import { shownProject } from './projects.service';

const REPEAT_EVERY_MS = 30_000;
const NOTED_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The time zones of projects. The share service shows times in them. The gateway sends each change to it, and repeats the newest version
 * until the share service has stored it. A process that dies in between delays this, and loses nothing.
 */
@Injectable()
export class TimeZonesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = logger('time-zones');
  private readonly turns = periodicTask(REPEAT_EVERY_MS, () => this.noteAll(), this.log);

  constructor(
    private readonly database: Database,
    @Inject(SHARE) private readonly share: PromiseClient<shareApi.ShareServiceClient>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.turns.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  async change({ projectId, organizationId, actor }: ProjectMember, timeZone: string): Promise<Project> {
    const changed = await this.database.asSystem(async (tx) => {
      const before = await findProject(tx, projectId);
      if (!before) throw new DomainError('not_found');
      if (before.timeZone === timeZone) return before;
      await saveTimeZone(tx, projectId, timeZone);
      const details = { from: before.timeZone ?? '', to: timeZone };
      await recordChange(tx, organizationId, actor, { action: 'project.time_zone_changed', projectId, details }, this.clock.now());
      return { ...before, timeZone };
    });
    await this.noteAll().catch((error: unknown) => this.log.warn({ err: error }, 'A time zone is noted later'));
    return shownProject(changed);
  }

  /** All of them in one turn, portion by portion: refused ones stay, and keep none of those after them waiting. */
  async noteAll(): Promise<void> {
    let last: string | undefined = FIRST_ID;
    while (last !== undefined) last = await this.notePortion(last);
  }

  /** The project where the next portion begins. Undefined after the last one. */
  private async notePortion(afterId: string): Promise<string | undefined> {
    const zones = await this.database.asSystem((tx) => findZonesToNote(tx, afterId, NOTED_AT_ONCE));
    for (const zone of zones) {
      try {
        await this.share.noteTimeZone(zone);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code === 'service_unavailable') throw error;
        this.log.warn({ err: error, project_id: zone.projectId }, 'A time zone was refused. It is noted later.');
        continue;
      }
      await this.database.asSystem((tx) => zoneNoted(tx, zone));
    }
    return zones.length === NOTED_AT_ONCE ? zones.at(-1)!.projectId : undefined;
  }
}
