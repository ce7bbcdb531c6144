import type { ServiceName } from '../topology';

/** CPU milliseconds of one report or of one request, by process. */
export type CpuMs = Readonly<Record<string, number>>;

/** What one report of eight images costs, as `npm run bench:capacity` measured it. docs/scale.json holds the last one. */
export interface Measurement {
  readonly date: string;
  readonly machine: string;
  readonly loadAverage: number;
  readonly reports: number;
  readonly images: number;
  readonly imageBytes: number;
  readonly perReport: {
    readonly cpuMs: CpuMs;
    /** Bytes that cross a link, both directions. */
    readonly linkBytes: Readonly<Record<string, number>>;
    readonly databases: Readonly<Record<string, DatabaseUse>>;
    readonly wal: WalUse;
    /** Different pages that a report changes: full page images after a checkpoint. */
    readonly pagesChanged: number;
    readonly messages: Readonly<Record<string, number>>;
    readonly s3Requests: Readonly<Record<string, number>>;
    readonly s3Objects: number;
    readonly s3Bytes: number;
  };
  /** One request of each kind: CPU by process, and requests to S3 that it causes. */
  readonly perRead: Readonly<Record<ReadKind, CpuMs>>;
  readonly restCpuMsPerSecond: CpuMs;
  readonly restMib: Readonly<Record<ServiceName, number>>;
  readonly peakMib: Readonly<Record<ServiceName, number>>;
}

export interface WalUse {
  readonly bytes: number;
  readonly records: number;
  readonly fsyncs: number;
  readonly pageImages: number;
}

export interface DatabaseUse {
  readonly commits: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  /** Rows and bytes (with indexes and TOAST) that stay. */
  readonly rowsKept: number;
  readonly bytesKept: number;
}

export const READ_KINDS = ['report', 'content', 'page', 'pdf'] as const;
export type ReadKind = (typeof READ_KINDS)[number];
