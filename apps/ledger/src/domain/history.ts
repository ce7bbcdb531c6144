import { assertNever, type SlotId } from '@tire/kernel';
import type { ReportMoment } from '@tire/contracts';
import type { ReportCommand } from './decide';
import type { PublicationProjection, Report, ReportEvent } from './report';

/** What people are told of the past of a report. */
export interface Happening {
  readonly what: ReportMoment['what'];
  readonly slotId?: SlotId;
  readonly status?: string;
  readonly errorCode?: string;
  readonly model?: string;
  readonly revision?: string;
}

type CommandType = ReportCommand['type'];

/** Who acts where no person and no key is behind a command. */
const SERVICES: Readonly<Partial<Record<CommandType, string>>> = {
  recordFetch: 'assets',
  recordAnalysis: 'inference',
  recordContent: 'content',
  recordPublication: 'share',
};

export const serviceBehind = (command: CommandType): string => `service:${SERVICES[command] ?? 'ledger'}`;

/** Why a photograph goes to its engine. */
const ANALYSIS_BEGINS: Readonly<Partial<Record<CommandType, Happening['what']>>> = {
  registerImages: 'image_registered',
  recordFetch: 'image_fetched',
};

export const happeningsOf = (before: Report, command: CommandType, events: readonly ReportEvent[]): Happening[] =>
  events.flatMap((event) => happenings(before, command, event));

function happenings(before: Report, command: CommandType, event: ReportEvent): Happening[] {
  switch (event.type) {
    case 'fetchRequested':
      return [{ what: 'fetch_requested', slotId: event.slotId }];
    case 'analysisRequested':
      return [{ what: ANALYSIS_BEGINS[command] ?? 'analysis_requested', slotId: event.slotId }];
    case 'slotEnded': {
      const { slotId, analysis, model } = event;
      const looked = { slotId, ...(model ? { model } : {}) };
      return [analysis.error ? { what: 'slot_failed', ...looked, errorCode: analysis.error.code } : { what: 'slot_measured', ...looked }];
    }
    case 'photographAttached':
      return [{ what: 'image_attached', slotId: event.slotId }];
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
    // A report begins with its row, and nobody is shown one that was closed.
    case 'reportCreated':
    case 'reportDiscarded':
    case 'purgeStarted':
    case 'reportCleared':
    case 'reportPurged':
      return [];
    default:
      return assertNever(event);
  }
}

/** Most of what publication says changes nothing that anybody sees. */
function publicationChanges(before: PublicationProjection, after: PublicationProjection): Happening[] {
  const changes: Happening[] = [];
  const closed = after.status === 'revoked' ? before.status !== 'revoked' : before.link !== null && after.link === null;
  if (closed) changes.push({ what: 'share_revoked' });
  if (after.link !== null && before.link?.token !== after.link.token) changes.push({ what: 'link_reissued' });
  if (after.status === 'published' && before.status !== 'published') changes.push({ what: 'published' });
  return changes;
}
