import { assertNever } from '@tire/kernel';
import type { ImageFault } from './images/image-size';

/** Why an upload cannot be registered and what the caller can do. */
export function refusalText(reason: ImageFault | 'missing' | 'expired' | 'cache_control' | 'fetched'): string {
  switch (reason) {
    case 'missing':
      return 'Nothing was uploaded for this asset in this report and slot.';
    case 'expired':
      return 'The upload target expired too long ago; upload to a new target.';
    case 'fetched':
      return 'This asset was fetched from its image URL; only what was uploaded to an upload target can be registered.';
    case 'cache_control':
      return 'The upload must carry a Cache-Control that allows reuse without revalidation for at most 60 seconds; upload again to a new target.';
    case 'image_too_large':
      return 'The image is larger than 20 MB or 60 megapixels.';
    case 'image_format_unsupported':
      return 'The uploaded bytes are neither JPEG nor PNG.';
    case 'image_undecodable':
      return 'The uploaded image cannot be read.';
    default:
      return assertNever(reason);
  }
}
