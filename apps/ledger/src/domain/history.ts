import { assertNever, type SlotId } from '@tire/kernel';
import type { ReportMoment } from '@tire/contracts/console';
import type { ReportCommand } from './decide';
import type { PublicationProjection, Report, ReportEvent } from './report';

/** One entry in the history of a report, as members see it. */
export interface HistoryEntry {
  readonly what: ReportMoment['what'];
  readonly slotId?: SlotId;
  readonly status?: string;
  readonly errorCode?: string;
  readonly model?: string;
  readonly revision?: string;
}

type CommandType = ReportCommand['type'];

/** The actor of a command that has neither a member nor a key. */
const SERVICES: Readonly<Partial<Record<CommandType, string>>> = {
  recordFetch: 'assets',
  recordAnalysis: 'inference',
  recordContent: 'content',
  recordPublication: 'share',
};

export const serviceBehind = (command: CommandType): string => `service:${SERVICES[command] ?? 'ledger'}`;

/** The entry for an analysis that begins, by its cause. */
const ANALYSIS_BEGINS: Readonly<Partial<Record<CommandType, HistoryEntry['what']>>> = {
  registerImages: 'image_registered',
  recordFetch: 'image_fetched',
};

export const happeningsOf = (before: Report, command: CommandType, events: readonly ReportEvent[]): HistoryEntry[] =>
  events.flatMap((event) => happenings(before, command, event));

function happenings(before: Report, command: CommandType, event: ReportEvent): HistoryEntry[] {
  switch (event.type) {
    case 'fetchRequested':
      return [{ what: 'fetch_requested', slotId: event.slotId }];
    case 'analysisRequested':
      return [{ what: ANALYSIS_BEGINS[command] ?? 'analysis_requested', slotId: event.slotId }];
    case 'slotEnded': {
      const { errorCode, model } = event.analysis;
      const slot = { slotId: event.slotId, ...(model ? { model } : {}) };
      return [errorCode === null ? { what: 'slot_measured', ...slot } : { what: 'slot_failed', ...slot, errorCode }];
    }
    case 'sizeConfirmed':
      return [{ what: 'size_confirmed', slotId: event.slotId }];
    case 'gaugeSet':
      return [{ what: event.change === 'entered' ? 'gauge_entered' : 'gauge_withdrawn', slotId: event.slotId }];
    case 'imageAttached':
      return [{ what: 'image_attached', slotId: event.slotId }];
    case 'holdChanged':
      return [{ what: event.hold ? 'hold_placed' : 'hold_released' }];
    case 'imagesEnded':
      return event.slotIds.map((slotId) => ({ what: 'image_ended', slotId }));
    case 'analysisEnded':
      return [{ what: 'analysis_ended', status: event.revision.status, revision: event.revision.revisionId }];
    case 'contentNoted': {
      const { analysisRevision: revision, outcome } = event.content;
      return [
        outcome.kind === 'ready' ? { what: 'content_ready', revision } : { what: 'content_failed', revision, errorCode: outcome.errorCode },
      ];
    }
    case 'publicationNoted':
      return publicationChanges(before.publication, event.publication);
    case 'captureChanged':
      return [{ what: `capture_${event.change}` }];
    // The creation is in the row of the report, and a closed report is never shown.
    case 'reportCreated':
    case 'verdictNoted':
    case 'reportDiscarded':
    case 'purgeStarted':
    case 'reportCleared':
    case 'reportPurged':
      return [];
    default:
      return assertNever(event);
  }
}

/** Most changes of a publication are not visible outside. */
function publicationChanges(before: PublicationProjection, after: PublicationProjection): HistoryEntry[] {
  const changes: HistoryEntry[] = [];
  const closed = after.status === 'revoked' ? before.status !== 'revoked' : before.link !== null && after.link === null;
  if (closed) changes.push({ what: 'share_revoked' });
  if (after.link !== null && !before.link?.token.digest.equals(after.link.token.digest)) changes.push({ what: 'link_reissued' });
  if (after.status === 'published' && before.status !== 'published') changes.push({ what: 'published' });
  return changes;
}
