import { Inject, Injectable } from '@nestjs/common';
import type { assetsApi } from '@tire/contracts/grpc';
import { EXPORT_BYTES_MAX } from '@tire/contracts/limits';
import { CLOCK, DomainError, type Clock } from '@tire/kernel';
import { type Outbound, OUTBOUND, OutboundError } from '@tire/platform';
import { exportKey } from '../domain/object-key';
import { readWhole, type ObjectStore } from '../object-store/object-store';
import { OBJECT_STORE } from '../tokens';

const UPLOAD_LIFETIME_SECONDS = 300;
const READ_LIFETIME_SECONDS = 600;
/** Less than the deadline of the caller. */
const DELIVERY_MS = 25_000;
/** The beginning of an answer, which may hold the code of an error. */
const ANSWER_BYTES_MAX = 4_096;
const CODE = /<Code>([A-Za-z]{1,60})<\/Code>/;

type File = Pick<assetsApi.RemoveExportRequest, 'projectId' | 'name'>;

/** The exported files of projects. The gateway makes them, lists them and removes them; here are the bucket and the way out. */
@Injectable()
export class ExportFilesService {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async signUpload(file: File): Promise<assetsApi.SignExportUploadResponse> {
    return { url: await this.objects.signPut(keyOf(file), UPLOAD_LIFETIME_SECONDS) };
  }

  async signRead(file: File): Promise<assetsApi.SignExportReadResponse> {
    const expiresAt = new Date(this.clock.now().getTime() + READ_LIFETIME_SECONDS * 1_000).toISOString();
    return { url: await this.objects.signGet(keyOf(file), READ_LIFETIME_SECONDS), expiresAt };
  }

  async deliver({ url, headers, ...file }: assetsApi.DeliverExportRequest): Promise<assetsApi.DeliverExportResponse> {
    const object = await this.objects.open(keyOf(file));
    if (!object) throw new DomainError('not_found');
    if (object.sizeBytes > EXPORT_BYTES_MAX) {
      object.body.destroy();
      throw new DomainError('internal_error', { cause: new Error('The exported file is too large') });
    }
    const body = await readWhole(object);
    try {
      const limits = { maxRedirects: 0, timeoutMs: DELIVERY_MS, maxBytes: ANSWER_BYTES_MAX, beyondMaxBytes: 'cut' } as const;
      const answer = await this.outbound.request(url, { method: 'PUT', headers, body, ...limits });
      return { status: answer.status, reason: '', answerCode: CODE.exec(answer.body.toString())?.[1] ?? '' };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { status: 0, reason: error.reason, answerCode: '' };
    }
  }

  async remove(file: File): Promise<void> {
    await this.objects.remove(keyOf(file));
  }
}

function keyOf({ projectId, name }: File): string {
  const key = exportKey(projectId, name);
  if (key === undefined) throw new DomainError('not_found');
  return key;
}
