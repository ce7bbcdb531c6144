import type { assetsApi } from '@tire/contracts/grpc';
import { EXPORT_BYTES_MAX, type ExportFault, USUAL_COLUMNS } from '@tire/contracts/limits';
import { CLOCK, type Clock } from '@tire/kernel';
import { ASSETS, type PromiseClient } from '@tire/platform';
import { Inject, Injectable } from '@nestjs/common';
import { addAbortSignal, type Readable } from 'node:stream';
import { boundsOf, faultOfAnswer } from '../domain/export-schedule';
import { signedPut } from '../domain/s3-signature';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../site/console-settings';
import { UsageService } from '../usage/usage.service';
import { TooManyRows } from './exported-rows';
import { BUCKET_SECRET, type ScheduleRow } from './export-schedules.store';
import { EXPORT_TYPES, ExportsService } from './exports.service';
import type { ClaimedFile } from './scheduled-files.store';

const UPLOAD_MS = 60_000;
/** Longer than the time that assets gives the bucket. */
const DELIVERY_MS = 30_000;
/** Schedules are those of owners and administrators. */
const ROLE = 'administrator';

/** Why a file could not be made or delivered. */
export class ExportFailure extends Error {
  constructor(
    readonly fault: ExportFault,
    readonly answer: string | null = null,
  ) {
    super(`${fault} ${answer ?? ''}`.trim());
  }
}

/** The content of a scheduled file, and its way into the product's bucket and into that of the customer. */
@Injectable()
export class ScheduledFileMaker {
  constructor(
    private readonly exports: ExportsService,
    private readonly usage: UsageService,
    @Inject(ASSETS) private readonly assets: PromiseClient<assetsApi.AssetServiceClient>,
    @Inject(CONSOLE_SETTINGS) private readonly settings: ConsoleSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async content(file: ClaimedFile, { language, columns, filters }: ScheduleRow, timeZone: string, signal: AbortSignal): Promise<Buffer> {
    const member = { projectId: file.projectId, role: ROLE } as const;
    if (file.kind === 'usage') return Buffer.from(await this.usage.csv(member, { from: file.firstDay, to: file.lastDay }));
    const { from, before } = boundsOf(timeZone, file);
    const period = { created_from: from.toISOString(), created_before: before.toISOString() };
    const chosen = columns.length > 0 ? columns : [...USUAL_COLUMNS];
    const query = { format: file.format, language, columns: chosen, ...filters, ...period };
    const written = await this.exports.file(member, query, { isWhole: true });
    return wholeOf(addAbortSignal(signal, written));
  }

  /** The bucket of the product. A repetition replaces the object. */
  async store({ projectId, name }: ClaimedFile, bytes: Buffer): Promise<void> {
    const { url } = await this.assets.signExportUpload({ projectId, name });
    const put = { method: 'PUT', body: new Uint8Array(bytes), redirect: 'error', signal: AbortSignal.timeout(UPLOAD_MS) } as const;
    const answer = await fetch(url, put).catch(() => null);
    await answer?.body?.cancel();
    if (!answer?.ok) throw new ExportFailure('service_unavailable');
  }

  /** Assets sends the object; it never has the secret. */
  async deliver(
    { projectId, name, format }: ClaimedFile,
    { scheduleId, bucket, bucketSecret }: ScheduleRow,
    sha256: Buffer,
  ): Promise<void> {
    if (!bucket || !bucketSecret) return;
    const { endpoint, region, bucket: bucketName, prefix, access_key_id: accessKeyId } = bucket;
    const secretAccessKey = this.secretOf({ projectId, id: scheduleId }, bucketSecret);
    const target = { endpoint, region, bucket: bucketName, accessKeyId, secretAccessKey };
    const put = signedPut(target, { key: `${prefix}${name}`, contentType: EXPORT_TYPES[format], sha256 }, this.clock.now());
    const answer = await this.assets.deliverExport({ projectId, name, ...put }, { deadlineMs: DELIVERY_MS });
    const fault = faultOfAnswer(answer.status, answer.reason);
    if (fault) throw new ExportFailure(fault, answer.status === 0 ? null : `${answer.status} ${answer.answerCode}`.trim());
  }

  private secretOf(row: { readonly projectId: string; readonly id: string }, sealed: Buffer): string {
    try {
      return BUCKET_SECRET.open(this.settings.sealingKeys, row, sealed).toString();
    } catch {
      throw new ExportFailure('secret_unreadable');
    }
  }
}

/** Half a file would be taken for a whole one, because programs do not read its last line. */
export async function wholeOf(file: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > EXPORT_BYTES_MAX) throw new ExportFailure('too_large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof TooManyRows ? new ExportFailure('too_large') : error;
  }
  return Buffer.concat(chunks);
}
