import type { ListedReport } from '@tire/contracts/console';
import type { ReportFilter } from '@tire/contracts/operations';
import { startOfDay } from '@tire/kernel/time-zones';

type Status = ListedReport['analysis_status'];
type Mode = ListedReport['creation']['mode'];

/** The statuses in display order. A missing status or mode does not compile. */
const STATUSES: Readonly<Record<Status, true>> = { processing: true, awaiting_images: true, partial: true, failed: true, complete: true };
const MODES: Readonly<Record<Mode, true>> = { automatic: true, manual: true };
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The filters in the address of the list; empty: all reports. */
export interface Chosen {
  readonly search: string;
  readonly status: Status | '';
  readonly mode: Mode | '';
  /** The first and the last day, in the zone of the project. */
  readonly from: string;
  readonly to: string;
}

export const statuses = Object.keys(STATUSES) as readonly Status[];
export const modes = Object.keys(MODES) as readonly Mode[];

const isStatus = (text: string): text is Status => Object.hasOwn(STATUSES, text);
const isMode = (text: string): text is Mode => Object.hasOwn(MODES, text);
const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Unknown values are ignored. */
export function filtersFrom(parameter: (name: string) => string): Chosen {
  const [status, mode, from, to] = [parameter('status'), parameter('mode'), parameter('from'), parameter('to')];
  return {
    search: parameter('search').trim(),
    status: isStatus(status) ? status : '',
    mode: isMode(mode) ? mode : '',
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
  };
}

export const isPeriod = ({ from, to }: Chosen): boolean => from === '' || to === '' || from <= to;

export const isFiltered = ({ status, mode, from, to }: Chosen): boolean => (status || mode || from || to) !== '';

/** The query string of the chosen filters. */
export const addressOf = (chosen: Chosen): string =>
  new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== '')).toString();

/** Days of a project that has chosen no zone are those of the browser. */
export const filterOf = (
  { search, status, mode, from, to }: Chosen,
  timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): ReportFilter => ({
  ...(search && { search }),
  ...(status && { analysis_status: status }),
  ...(mode && { mode }),
  ...(from && { created_from: startOfDay(timeZone, from).toISOString() }),
  ...(to && { created_before: startOfDay(timeZone, dayAfter(to)).toISOString() }),
});
