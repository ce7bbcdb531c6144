import type { ReadKind } from './measurement';

/** What no measurement of this repository can say. docs/scale.md prints each of them; change them here and run `npm run bench:capacity -- --tables`. */
export const ASSUMED = {
  /** How often a report is read, by partners and visitors. */
  readsOfReport: { report: 10, content: 2, page: 3, pdf: 0.2 } satisfies Record<ReadKind, number>,
  /** A photograph of a phone. The measured renders are smaller. */
  imageMb: 3,
  /** What a visitor's browser loads for one page. */
  pageMb: 1,
  /** The highest minute of a year beside its average. */
  peakOfAverage: 4,
  /** The share of its cores that a service, and a database, uses at the peak. */
  busyPods: 0.6,
  busyDatabase: 0.5,
  /** The largest machine for one Postgres, one server of NATS, and what the disk of one Postgres can do. */
  databaseCores: 96,
  natsCores: 16,
  databaseConnections: 1_000,
  diskIops: 64_000,
  diskMbPerSecond: 1_000,
} as const;

/** US dollars: round figures in the range of the list prices of large clouds, without discounts. Not an offer of anybody. */
export const PRICES = {
  /** A core with 4 GiB for an hour; of a managed Postgres, each of two servers. */
  coreHour: 0.05,
  databaseCoreHour: 0.12,
  /** A machine with one GPU of 24 GB for an hour. */
  gpuHour: 0.8,
  diskGbMonth: 0.1,
  /** Each above the first 3,000. */
  iopsMonth: 0.005,
  s3GbMonth: 0.023,
  s3Thousand: { write: 0.005, read: 0.0004 },
  trafficGb: 0.09,
} as const;
