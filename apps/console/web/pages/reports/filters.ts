import type { ListedReport } from '@tire/contracts/console';
import type { ReportFilter } from '@tire/contracts/operations';
import { URGENCIES, type Urgency } from '@tire/kernel/standing';
import { startOfDay } from '@tire/kernel/time-zones';

type Status = ListedReport['analysis_status'];
type Mode = ListedReport['creation']['mode'];

/** The statuses in display order. A missing status or mode does not compile. */
const STATUSES: Readonly<Record<Status, true>> = { processing: true, awaiting_images: true, partial: true, failed: true, complete: true };
const MODES: Readonly<Record<Mode, true>> = { automatic: true, manual: true };
const DAY = /^\d{4}-\d\d-\d\d$/;

const VIEWS = ['open', 'unread', 'handled', 'all'] as const;
const ORDERS = ['urgency', 'newest'] as const;
const PERSON = /^(?:user|key):[0-9a-f-]{36}$|^service:[a-z]{1,20}$/;

type View = (typeof VIEWS)[number];
type Order = (typeof ORDERS)[number];

/** What is in the address of the list; empty: what is left to do, or all reports of a search. */
export interface Chosen {
  readonly search: string;
  readonly view: View | '';
  readonly order: Order | '';
  readonly status: Status | Urgency | '';
  /** Who created the report, as the API names it. */
  readonly person: string;
  readonly mode: Mode | '';
  /** The first and the last day, in the zone of the project. */
  readonly from: string;
  readonly to: string;
}

export const statuses = Object.keys(STATUSES) as readonly Status[];
export const modes = Object.keys(MODES) as readonly Mode[];

export const views = VIEWS;
export const orders = ORDERS;
export const urgencies = URGENCIES;

const isView = (text: string): text is View => VIEWS.some((view) => view === text);
const isOrder = (text: string): text is Order => ORDERS.some((order) => order === text);
const isUrgency = (text: string): text is Urgency => URGENCIES.some((urgency) => urgency === text);
const isStatus = (text: string): text is Status => Object.hasOwn(STATUSES, text);
const isMode = (text: string): text is Mode => Object.hasOwn(MODES, text);
const isDay = (text: string): boolean => DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** Unknown values are ignored. */
export function filtersFrom(parameter: (name: string) => string): Chosen {
  const [status, mode, from, to] = [parameter('status'), parameter('mode'), parameter('from'), parameter('to')];
  const [view, order, person] = [parameter('view'), parameter('order'), parameter('person')];
  const chosen: Chosen = {
    search: parameter('search').trim(),
    view: isView(view) ? view : '',
    order: isOrder(order) ? order : '',
    status: isStatus(status) || isUrgency(status) ? status : '',
    person: PERSON.test(person) ? person : '',
    mode: isMode(mode) ? mode : '',
    from: isDay(from) ? from : '',
    to: isDay(to) ? to : '',
  };
  // What applies anyway is not in the address.
  return {
    ...chosen,
    view: view === viewOf({ ...chosen, view: '' }) ? '' : chosen.view,
    order: order === orderOf({ ...chosen, order: '' }) ? '' : chosen.order,
  };
}

/** A search looks through all reports: a car that comes again was handled long ago. */
export const viewOf = ({ view, search }: Pick<Chosen, 'view' | 'search'>): View => view || (search === '' ? 'open' : 'all');

/** A search has one order. What is left to do comes by urgency. */
export function orderOf({ order, search, view }: Pick<Chosen, 'order' | 'view' | 'search'>): Order {
  if (search !== '') return 'newest';
  return order || (['open', 'unread'].includes(viewOf({ view, search })) ? 'urgency' : 'newest');
}

export const isPeriod = ({ from, to }: Chosen): boolean => from === '' || to === '' || from <= to;

export const isFiltered = ({ view, status, person, mode, from, to }: Chosen): boolean =>
  (view || status || person || mode || from || to) !== '';

/** Those that stand under "more filters". */
export const hasMore = ({ person, mode, from, to }: Chosen): boolean => (person || mode || from || to) !== '';

/** The query string of the chosen filters. */
export const addressOf = (chosen: Chosen): string =>
  new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== '')).toString();

/** Days of a project that has chosen no zone are those of the browser. */
export const filterOf = (
  { search, view, order, status, person, mode, from, to }: Chosen,
  timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone,
): ReportFilter => ({
  ...(search && { search }),
  ...attentionOf(viewOf({ view, search })),
  ...(orderOf({ order, search, view }) === 'urgency' && { order: 'urgency' }),
  ...(isUrgency(status) ? { urgency: status } : status && { analysis_status: status }),
  ...(person && { created_by: person }),
  ...(mode && { mode }),
  ...(from && { created_from: startOfDay(timeZone, from).toISOString() }),
  ...(to && { created_before: startOfDay(timeZone, dayAfter(to)).toISOString() }),
});

/** A file has one order, the newest first. */
export const exportFilterOf = ({ order: _, ...filter }: ReportFilter): Omit<ReportFilter, 'order'> => filter;

const attentionOf = (view: View): Pick<ReportFilter, 'attention'> => (view === 'all' ? {} : { attention: view });
