import { Injectable } from '@nestjs/common';
import type { FetchImage } from '@tire/contracts/events';
import { sandboxBytes } from '@tire/contracts/sandbox';
import { isSandboxName, sandboxPhotograph, type AnalysisErrorCode } from '@tire/kernel';
import type { Asset } from '../assets/asset.store';
import { ImageStorage } from '../images/image-storage';

interface FailedOnPurpose {
  readonly kind: 'on purpose';
  readonly errorCode: AnalysisErrorCode;
}

/** The well-known addresses of the sandbox: nothing is resolved and nothing is fetched. The ledger names one only for a test project. */
@Injectable()
export class SandboxAddresses {
  constructor(private readonly images: ImageStorage) {}

  async answer({ projectId, reportId, slotId, assetId }: FetchImage, name: string): Promise<Asset | FailedOnPurpose> {
    // A name that a newer ledger knows.
    if (!isSandboxName(name)) return { kind: 'on purpose', errorCode: 'image_unreachable' };
    const { atFetch, errorCode } = sandboxPhotograph(name);
    if (atFetch && errorCode) return { kind: 'on purpose', errorCode };
    const bytes = await sandboxBytes(name);
    const source = { sizeBytes: bytes.length, read: () => Promise.resolve(bytes) };
    const stored = await this.images.verifyAndStore({ projectId, reportId, slotId, assetId }, 'url', source);
    if (typeof stored === 'string') throw new Error(`The photograph ${name} is refused: ${stored}`);
    return stored;
  }
}
