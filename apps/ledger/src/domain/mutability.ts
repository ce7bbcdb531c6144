import { assertNever } from '@tire/kernel';
import { refuse, type Refusal } from './refusal';
import type { Report, ReportState } from './report';

/** Why every change of a report is refused; null when changes are allowed. */
export function judgeMutation(state: ReportState): Refusal | null {
  switch (state.lifecycle) {
    case 'absent':
      return refuse('not_found');
    case 'open':
      return null;
    case 'discarded':
      return refuse('report_discarded');
    case 'purging':
      return refuse('report_purge_pending');
    default:
      return assertNever(state);
  }
}

export function mutableReport(state: ReportState): Report | Refusal {
  if (state.lifecycle === 'open') return state.report;
  return judgeMutation(state) ?? refuse('not_found');
}
