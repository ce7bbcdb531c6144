import { ASSUMED, PRICES } from './assumptions';
import { type Measurement, READ_KINDS } from './measurement';
import { costOf, gpuPaysFrom, handedOutPerMinute, limitsOf, LOADS, type Needs, needsOf, STATELESS } from './model';

const SERVICES = [...STATELESS, 'inference'] as const;
const MIB_DIGITS = 0;
const KB = 1_000;

/** Three digits where there are as many, without those of a false precision. */
export function shown(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: Math.min(digits, 3) });
}

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Bytes of the links that end or begin at a service, without those of its database, its broker and objects. */
const grpcKb = ({ perReport }: Measurement, service: string): number =>
  Object.entries(perReport.linkBytes).reduce((sum, [link, bytes]) => {
    const [caller, callee] = link.split('-');
    const isOther = callee === 'postgres' || callee === 'nats' || callee === undefined;
    return isOther || (caller !== service && callee !== service) ? sum : sum + bytes / KB;
  }, 0);

function servicesTable(measured: Measurement): string {
  const { perReport, restCpuMsPerSecond, restMib, peakMib } = measured;
  const kb = (link: string) => shown((perReport.linkBytes[link] ?? 0) / KB);
  const rows = SERVICES.map((name) => {
    const use = perReport.databases[name];
    return [
      name,
      shown(perReport.cpuMs[name]!),
      shown(restCpuMsPerSecond[name]!),
      `${restMib[name].toFixed(MIB_DIGITS)} / ${peakMib[name].toFixed(MIB_DIGITS)}`,
      shown(grpcKb(measured, name)),
      kb(`${name}-postgres`),
      kb(`${name}-nats`),
      ...(use ? [shown(use.commits), `${shown(use.inserted)} / ${shown(use.updated)} / ${shown(use.deleted)}`] : ['0', '0']),
      ...(use ? [shown(use.rowsKept), shown(use.bytesKept / KB)] : ['0', '0']),
    ];
  });
  const other = (name: string) => [name, shown(perReport.cpuMs[name]!), shown(restCpuMsPerSecond[name]!), ...Array<string>(8).fill('')];
  const head = [
    '',
    'CPU ms',
    'CPU at rest, ms/s',
    'MiB at rest / peak',
    'gRPC KB',
    'Postgres KB',
    'NATS KB',
    'commits',
    'rows inserted / updated / deleted',
    'rows kept',
    'KB kept',
  ];
  return table(head, [...rows, other('postgres'), other('nats')]);
}

function sharedTable({ perReport }: Measurement): string {
  const counts = (values: Readonly<Record<string, number>>) =>
    Object.entries(values)
      .filter(([, value]) => value > 0)
      .map(([name, value]) => `${name} ${shown(value)}`)
      .join(', ');
  return table(
    ['', 'for one report'],
    [
      [
        'log of Postgres (WAL)',
        `${shown(perReport.wal.bytes / KB)} KB, ${shown(perReport.wal.records)} records, ${shown(perReport.wal.fsyncs)} fsyncs`,
      ],
      ['pages of Postgres that change', shown(perReport.pagesChanged)],
      ['messages, by stream', counts(perReport.messages)],
      ['requests to S3', counts(perReport.s3Requests)],
      ['objects and bytes kept in S3', `${shown(perReport.s3Objects)}, ${shown(perReport.s3Bytes / KB)} KB`],
    ],
  );
}

function readsTable({ perRead }: Measurement): string {
  const names = [...STATELESS, 'postgres'];
  const rows = READ_KINDS.map((kind) => [
    kind,
    ...names.map((name) => shown(perRead[kind][name] ?? 0)),
    String(ASSUMED.readsOfReport[kind]),
  ]);
  return table(['CPU ms of one', ...names, 'assumed for a report'], rows);
}

const NEEDS: readonly (readonly [string, (needs: Needs) => string])[] = [
  ['reports a minute at the peak', ({ load }) => shown(load.peakPerMinute)],
  ...STATELESS.map((service) => [`pods of ${service}`, ({ pods }: Needs) => shown(pods[service])] as const),
  ['images a second', ({ imagesPerSecond }) => shown(imagesPerSecond)],
  ['cores of inference, without a GPU', ({ inferenceCores }) => shown(inferenceCores)],
  ['cores of Postgres', ({ databaseCores }) => shown(databaseCores)],
  ['connections to Postgres', ({ connections }) => shown(connections)],
  ['commits a second', ({ commitsPerSecond }) => shown(commitsPerSecond)],
  ['disk writes a second, at most', ({ diskWritesPerSecond }) => shown(diskWritesPerSecond)],
  ['log of Postgres, MB a second', ({ walMbPerSecond }) => shown(walMbPerSecond)],
  ['Postgres after a year, GB', ({ databaseGbOfYear }) => shown(databaseGbOfYear)],
  ['messages a second', ({ messagesPerSecond }) => shown(messagesPerSecond)],
  ['cores and MB a second of NATS', ({ natsCores, natsMbPerSecond }) => `${shown(natsCores)}, ${shown(natsMbPerSecond)}`],
  [
    'writes / reads of S3 a second',
    ({ s3WritesPerSecond, s3ReadsPerSecond }) => `${shown(s3WritesPerSecond)} / ${shown(s3ReadsPerSecond)}`,
  ],
  ['S3 after a year, TB', ({ s3TbOfYear }) => shown(s3TbOfYear)],
];

function costTable(measured: Measurement, all: readonly Needs[]): string {
  const costs = all.map((needs) => costOf(measured, needs));
  const totals = costs.map((cost) => Object.values(cost).reduce((sum, one) => sum + one, 0));
  const parts = Object.keys(costs[0]!) as (keyof (typeof costs)[number])[];
  return table(
    ['dollars a month', ...LOADS.map(({ name }) => name)],
    [
      ...parts.map((part) => [part, ...costs.map((cost) => shown(cost[part]))]),
      ['together', ...totals.map(shown)],
      ['cents for a report', ...totals.map((total, index) => shown((1_200 * total) / LOADS[index]!.reportsOfYear))],
    ],
  );
}

const { readsOfReport: reads, ...assumed } = ASSUMED;

const ASSUMPTIONS = [
  `a report is read ${reads.report} times, its content ${reads.content} times and its page ${reads.page} times, and one in ${1 / reads.pdf} is printed`,
  `an image of a phone has ${assumed.imageMb} MB, and a page with its images ${assumed.pageMb} MB`,
  `the busiest minute of a year has ${assumed.peakOfAverage} times the average`,
  `pods use ${100 * assumed.busyPods} % of their cores at the peak, Postgres and NATS ${100 * assumed.busyDatabase} %`,
];

const PRICE_LIST = [
  `a core with 4 GiB ${PRICES.coreHour} an hour, a core of a managed Postgres ${PRICES.databaseCoreHour} (two servers), a machine with a GPU ${PRICES.gpuHour}`,
  `a GB of the disks of Postgres ${PRICES.diskGbMonth} a month (two servers), one IOPS above 3,000 ${PRICES.iopsMonth}`,
  `a GB in S3 ${PRICES.s3GbMonth} a month, a thousand writes ${PRICES.s3Thousand.write} and reads ${PRICES.s3Thousand.read}`,
  `a GB of traffic to the internet ${PRICES.trafficGb}`,
];

/** Every table of docs/scale.md. */
export function tables(measured: Measurement): string {
  const needs = LOADS.map((load) => needsOf(measured, load));
  return `### One report

Measured on ${measured.date}: ${measured.reports} reports of ${measured.images} images (${shown(measured.imageBytes / KB)} KB each), two at once; ${measured.machine}; load average ${shown(measured.loadAverage)}. CPU is without what the processes use at rest.

${servicesTable(measured)}

${sharedTable(measured)}

${readsTable(measured)}

### What a load needs

${table(
  ['', ...LOADS.map(({ name }) => name)],
  NEEDS.map(([what, of]) => [what, ...needs.map(of)]),
)}

Assumed, not measured: ${ASSUMPTIONS.join('; ')}. A rate that is given by the minute holds all year; the year of 100 million has a busiest minute.

A machine with a GPU pays if it measures more than ${shown(gpuPaysFrom(measured))} images a second, which the same money measures on cores. No GPU was measured.

### What it costs

${costTable(measured, needs)}

Prices in dollars, round figures in the range of the lists of large clouds, without discounts: ${PRICE_LIST.join('; ')}. Images are kept in the dearest class of S3 for the whole first year. Storage and disks are those at the end of the first year, so earlier months cost less.

### Which limit comes first

By what was measured, handing out work comes first: ${handedOutPerMinute(measured).map(shown).join(' to ')} reports a minute in these runs, beside other programs (3 below). The table has the computed limits.

${table(
  ['limit', 'reached at reports a minute'],
  limitsOf(measured).map(({ what, reachedAt }) => [what, shown(reachedAt)]),
)}`;
}
