import { ASSUMED, PRICES } from './assumptions';
import { type Measurement, READ_KINDS } from './measurement';

const [MB, GB] = [1e6, 1e9];
const HOURS_OF_MONTH = 730;
const MINUTES_OF_YEAR = 525_600;
const FREE_IOPS = 3_000;
const POOL = 10;
const PODS_MIN = 2;
const DATABASE_SERVERS = 2;

export interface Load {
  readonly name: string;
  readonly reportsOfYear: number;
  readonly peakPerMinute: number;
}

const steady = (perMinute: number): Load => ({
  name: `${perMinute.toLocaleString('en')} a minute`,
  reportsOfYear: perMinute * MINUTES_OF_YEAR,
  peakPerMinute: perMinute,
});

const yearly = (reports: number): Load => ({
  name: `${reports / 1e6} million a year`,
  reportsOfYear: reports,
  peakPerMinute: (reports / MINUTES_OF_YEAR) * ASSUMED.peakOfAverage,
});

export const LOADS: readonly Load[] = [steady(1), steady(100), steady(10_000), yearly(100e6)];

/** CPU of a report with its reads, in milliseconds. */
export const cpuMsOf = ({ perReport, perRead }: Measurement, process: string): number =>
  READ_KINDS.reduce((sum, kind) => sum + ASSUMED.readsOfReport[kind] * (perRead[kind][process] ?? 0), perReport.cpuMs[process] ?? 0);

const sumOf = (values: Readonly<Record<string, number>>): number => Object.values(values).reduce((sum, value) => sum + value, 0);

const databasesOf = ({ perReport }: Measurement, what: 'commits' | 'bytesKept' | 'rowsKept'): number =>
  Object.values(perReport.databases).reduce((sum, use) => sum + use[what], 0);

export const natsBytesOf = ({ perReport }: Measurement): number =>
  Object.entries(perReport.linkBytes).reduce((sum, [link, bytes]) => sum + (link.endsWith('-nats') ? bytes : 0), 0);

export const messagesOf = ({ perReport }: Measurement): number => sumOf(perReport.messages);

/** Requests that change objects have another price than those that read them. */
export const s3Writes = ({ perReport }: Measurement): number => (perReport.s3Requests['PUT'] ?? 0) + (perReport.s3Requests['POST'] ?? 0);
export const s3Reads = (measured: Measurement): number => sumOf(measured.perReport.s3Requests) - s3Writes(measured);

/**
 * Originals as large as those of a phone, and the measured derivatives. A report has each image twice in its first day: the copy under the
 * address of the upload is removed by the cleaning.
 */
export const s3MbOf = ({ images, imageBytes, perReport }: Measurement): number =>
  images * ASSUMED.imageMb + Math.max(0, perReport.s3Bytes - 2 * images * imageBytes) / MB;

export const diskWritesOf = ({ perReport }: Measurement): number => perReport.wal.fsyncs + perReport.pagesChanged;

export const STATELESS = ['gateway', 'ledger', 'assets', 'content', 'share'] as const;

export interface Needs {
  readonly load: Load;
  readonly pods: Readonly<Record<(typeof STATELESS)[number], number>>;
  readonly imagesPerSecond: number;
  readonly inferenceCores: number;
  readonly databaseCores: number;
  readonly commitsPerSecond: number;
  readonly diskWritesPerSecond: number;
  readonly walMbPerSecond: number;
  readonly databaseGbOfYear: number;
  readonly connections: number;
  readonly messagesPerSecond: number;
  readonly natsCores: number;
  readonly natsMbPerSecond: number;
  readonly s3WritesPerSecond: number;
  readonly s3ReadsPerSecond: number;
  readonly s3TbOfYear: number;
}

export function needsOf(measured: Measurement, load: Load): Needs {
  const perSecond = load.peakPerMinute / 60;
  const cores = (process: string) => ((measured.restCpuMsPerSecond[process] ?? 0) + cpuMsOf(measured, process) * perSecond) / 1_000;
  const podsOf = (service: string) => Math.max(PODS_MIN, Math.ceil(cores(service) / ASSUMED.busyPods));
  const pods = Object.fromEntries(STATELESS.map((service) => [service, podsOf(service)])) as Needs['pods'];
  return {
    load,
    pods,
    imagesPerSecond: measured.images * perSecond,
    inferenceCores: Math.max(PODS_MIN, cores('inference') / ASSUMED.busyPods),
    databaseCores: cores('postgres') / ASSUMED.busyDatabase,
    commitsPerSecond: databasesOf(measured, 'commits') * perSecond,
    diskWritesPerSecond: diskWritesOf(measured) * perSecond,
    walMbPerSecond: (measured.perReport.wal.bytes * perSecond) / MB,
    databaseGbOfYear: (databasesOf(measured, 'bytesKept') * load.reportsOfYear) / GB,
    connections: sumOf(pods) * POOL,
    messagesPerSecond: messagesOf(measured) * perSecond,
    natsCores: cores('nats') / ASSUMED.busyDatabase,
    natsMbPerSecond: (natsBytesOf(measured) * perSecond) / MB,
    s3WritesPerSecond: s3Writes(measured) * perSecond,
    s3ReadsPerSecond: s3Reads(measured) * perSecond,
    s3TbOfYear: (s3MbOf(measured) * load.reportsOfYear) / MB,
  };
}

export type Cost = Readonly<
  Record<'services' | 'inference' | 'Postgres' | 'Postgres disks' | 'NATS' | 'S3 requests' | 'S3 storage' | 'traffic', number>
>;

/** Dollars a month. Workers of inference follow the load; everything else is there for the peak. Storage as after the first year. */
export function costOf(measured: Measurement, needs: Needs): Cost {
  const month = (cores: number, price: number) => cores * price * HOURS_OF_MONTH;
  const reports = needs.load.reportsOfYear / 12;
  const averageOfPeak = needs.load.reportsOfYear / MINUTES_OF_YEAR / needs.load.peakPerMinute;
  const iops = Math.max(0, needs.diskWritesPerSecond - FREE_IOPS);
  return {
    services: month(sumOf(needs.pods), PRICES.coreHour),
    inference: month(Math.max(PODS_MIN, needs.inferenceCores * averageOfPeak), PRICES.coreHour),
    Postgres: month(Math.max(PODS_MIN, needs.databaseCores) * DATABASE_SERVERS, PRICES.databaseCoreHour),
    'Postgres disks': DATABASE_SERVERS * (needs.databaseGbOfYear * PRICES.diskGbMonth + iops * PRICES.iopsMonth),
    NATS: month(3 * Math.max(1, needs.natsCores), PRICES.coreHour),
    'S3 requests': (reports / 1_000) * (s3Writes(measured) * PRICES.s3Thousand.write + s3Reads(measured) * PRICES.s3Thousand.read),
    'S3 storage': needs.s3TbOfYear * 1_000 * PRICES.s3GbMonth,
    traffic: (reports * ASSUMED.readsOfReport.page * ASSUMED.pageMb * PRICES.trafficGb) / 1_000,
  };
}

/** A GPU costs as much as so many cores. It pays from so many images a second on. */
export const gpuPaysFrom = (measured: Measurement): number =>
  (PRICES.gpuHour / PRICES.coreHour) * ASSUMED.busyPods * (measured.images / (cpuMsOf(measured, 'inference') / 1_000));

/** Pieces of one kind in a second, the least and the most of the runs on 2026-11-27 beside other programs: `npm run test:long -- waiting-work`. */
const HANDED_OUT_PER_SECOND = [140, 323] as const;

/** Reports a minute whose work one process hands out: half of the images of a report are of one kind. */
export const handedOutPerMinute = ({ images }: Measurement): number[] =>
  HANDED_OUT_PER_SECOND.map((pieces) => (60 * pieces) / (images / 2));

export interface Limit {
  readonly what: string;
  /** Reports a minute. */
  readonly reachedAt: number;
}

/** At which rate each part reaches its limit, the first one first. */
export function limitsOf(measured: Measurement): Limit[] {
  const perMinute = (availablePerSecond: number, ofReport: number) => (60 * availablePerSecond) / ofReport;
  const coreMs = (cores: number) => cores * ASSUMED.busyDatabase * 1_000;
  const podsOfReport = STATELESS.reduce((sum, service) => sum + cpuMsOf(measured, service), 0) / (1_000 * ASSUMED.busyPods);
  const limits = [
    {
      what: `connections: ${ASSUMED.databaseConnections.toLocaleString('en')} of one Postgres, ${POOL} for each pod`,
      reachedAt: perMinute(ASSUMED.databaseConnections / POOL, podsOfReport),
    },
    {
      what: `CPU of one Postgres with ${ASSUMED.databaseCores} cores, half of them busy`,
      reachedAt: perMinute(coreMs(ASSUMED.databaseCores), cpuMsOf(measured, 'postgres')),
    },
    {
      what: `writes to the disk of one Postgres, ${ASSUMED.diskIops.toLocaleString('en')} a second`,
      reachedAt: perMinute(ASSUMED.diskIops, diskWritesOf(measured)),
    },
    {
      what: `log of one Postgres, ${ASSUMED.diskMbPerSecond.toLocaleString('en')} MB a second`,
      reachedAt: perMinute(ASSUMED.diskMbPerSecond * MB, measured.perReport.wal.bytes),
    },
    {
      what: `CPU of a server of NATS with ${ASSUMED.natsCores} cores, half of them busy`,
      reachedAt: perMinute(coreMs(ASSUMED.natsCores), cpuMsOf(measured, 'nats')),
    },
  ];
  return limits.sort((one, other) => one.reachedAt - other.reachedAt);
}
